/*
 * What single lanes of a warp do:
 *
 *   constant N     hart N stores to a constant, the others beside each other
 *
 *   block N        the first N harts store to a block and clean it; the next N,
 * of another SM, drop their copies and read the block
 *
 *   alone N        hart 0 makes N steps of a generator of random numbers, the
 * others wait for it sum N          hart 0 adds N words of memory, likewise
 *
 *   lanes WAY N
 */
#include <corbel/corbel.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned n;
static const uint32_t table[4096] = {1, 2, 3, 4};
static volatile uint32_t words[4096];

static void constant(void *arg)
{
    unsigned h = corbel_hart();
    volatile uint32_t *at = h == n ? (volatile uint32_t *)table : words;
    at[h] = h;
}

#define ROUNDS 8

static _Alignas(64) struct block {
    volatile uint32_t word[16];
} blocks[64];
static uint32_t stored[64], seen[64], wrong;

static void wait_for(uint32_t *flag, uint32_t round)
{
    while (__atomic_fetch_add(flag, 0, __ATOMIC_RELAXED) != round)
        ;
}

/* The second sector of a block, of which the instructions name the first. No
 * fence lies between: it would write back, and drop, everything. */
static void block(void *arg)
{
    unsigned h = corbel_hart(), pair = h % n;
    struct block *b = &blocks[pair];
    for (uint32_t round = 1; round <= ROUNDS && h < 2 * n; round++) {
        if (h < n) {
            b->word[9] = round;
            __asm__ volatile("cbo.clean (%0)" ::"r"(b) : "memory");
            __asm__ volatile("amoadd.w.rl zero, %0, (%1)" ::"r"(1),
                             "r"(&stored[pair])
                             : "memory");
            wait_for(&seen[pair], round);
        } else {
            wait_for(&stored[pair], round);
            __asm__ volatile("cbo.inval (%0)" ::"r"(b) : "memory");
            if (b->word[9] != round)
                __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
            __atomic_fetch_add(&seen[pair], 1, __ATOMIC_RELAXED);
        }
    }
}

static volatile uint32_t result;

static void alone(void *arg)
{
    uint32_t x = 1;
    if (corbel_hart() == 0)
        for (unsigned i = 0; i < n; i++)
            x = x * 1664525 + 1013904223;
    result = x;
}

static void sum(void *arg)
{
    uint32_t x = 0;
    if (corbel_hart() == 0)
        for (unsigned i = 0; i < n; i++)
            x += words[i % 4096] + i;
    result = x;
}

static const struct way {
    const char *name;
    void (*kernel)(void *);
} ways[] = {
    {"constant", constant}, {"block", block}, {"alone", alone}, {"sum", sum}};

int main(int argc, char **argv)
{
    n = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
        if (argc > 1 && !strcmp(argv[1], ways[i].name)) {
            corbel_launch(ways[i].kernel, NULL);
            return wrong != 0;
        }
    fprintf(stderr, "lanes: expected a way and a number\n");
    return 2;
}
