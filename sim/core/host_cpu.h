/*
 * What a host's processor does badly when it is left to itself, done another
 * way: one home for tricks that the rest of the simulator then need not
 * explain.
 *
 * The units of a tile do different things in each cycle, so two things are hard
 * to guess for a processor: where a branch leads that depends on what a message
 * or a mask holds (a wrong guess costs what twenty instructions do), and which
 * line of memory comes next (a miss costs a hundred). Hence choices without
 * branches, and prefetches. Use them only where a measurement shows that they
 * pay, and plain code elsewhere; results are the same.
 */
#ifndef SIM_HOST_CPU_H
#define SIM_HOST_CPU_H

#include "sim/core/hints.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of the lowest bit of a mask that is not 0. gcc 12 clears the number
 * before and extends its sign after the instruction that does it all. */
static inline size_t mask_first(uint64_t mask)
{
#ifdef __x86_64__
    size_t first;
    __asm__("rep bsfq %1, %0" : "=r"(first) : "r"(mask) : "cc");
    return first;
#else
    return (size_t)__builtin_ctzll(mask);
#endif
}

/* a or b, without a branch. */
static inline uint64_t choose_if(bool condition, uint64_t a, uint64_t b)
{
    return b ^ ((a ^ b) & -(uint64_t)condition);
}

#ifdef WATCH_HINTS
void watch_hint(const void *at); /* ci/speed/lines.c */
#endif

/*
 * Asks for the host's line. Not the compiler's own function: to gcc 12 one that
 * does nothing else has no effect, and calls of it are left out.
 */
static inline void host_prefetch(const void *at)
{
#if !HINTS
    (void)at;
#elif defined WATCH_HINTS
    watch_hint(at);
#elif defined __x86_64__
    __asm__ volatile("prefetcht0 %0" : : "m"(*(const char *)at));
#else
    __builtin_prefetch(at);
#endif
}

/*
 * Has the host's line fetched, by a load. Of many prefetches at once some are
 * lost: their lines were measured to be missing when they were needed.
 */
static inline void host_touch(const void *at)
{
    if (HINTS)
        (void)*(const volatile char *)at;
}

#endif
