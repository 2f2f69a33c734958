/* Shared by the files of the target runtime; not installed. */
#ifndef CORBEL_TARGET_H
#define CORBEL_TARGET_H

#include <corbel/abi.h>

/* Set by crt0.S on hart 0. */
extern const struct corbel_boot *corbel_boot_block;

/* Set by corbel_launch while other harts run as well. */
extern volatile int corbel_kernel_running;

/*
 * Where the blocks of the harts' thread-local variables begin, at the end of
 * the heap; tp of hart n points to the n-th.
 */
uintptr_t corbel_thread_blocks(const struct corbel_boot *boot);

/* What memory holds now: a plain load may find an old copy in the L1. */
unsigned corbel_look(unsigned *word);

/* Some fifty instructions for each round, without memory. */
void corbel_pause(unsigned rounds);

/* Returns to the first hart that calls it, as the program is about to end; to
 * no other. */
void corbel_last(void);

/* Spreads numbers that follow one another (the finalizer of SplitMix64); 0 is
 * 0. */
static inline uint64_t corbel_spread(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* One system call; unused arguments are 0. Negative: -errno of Linux. */
static inline long corbel_syscall5(long number, long a, long b, long c, long d,
                                   long e)
{
    register long a0 __asm__("a0") = a;
    register long a1 __asm__("a1") = b;
    register long a2 __asm__("a2") = c;
    register long a3 __asm__("a3") = d;
    register long a4 __asm__("a4") = e;
    register long a7 __asm__("a7") = number;
    __asm__ volatile("ecall"
                     : "+r"(a0)
                     : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7)
                     : "memory");
    return a0;
}

static inline long corbel_syscall(long number, long a, long b, long c, long d)
{
    register long a0 __asm__("a0") = a;
    register long a1 __asm__("a1") = b;
    register long a2 __asm__("a2") = c;
    register long a3 __asm__("a3") = d;
    register long a7 __asm__("a7") = number;
    __asm__ volatile("ecall"
                     : "+r"(a0)
                     : "r"(a1), "r"(a2), "r"(a3), "r"(a7)
                     : "memory");
    return a0;
}

/* A file's rights without those that umask() takes away. */
int corbel_masked(int mode);

/*
 * What a C function returns for a system call's result: an error becomes errno
 * and -1. Addresses of the upper half are no errors.
 */
long corbel_answer(long result);

#endif
