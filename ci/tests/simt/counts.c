/*
 * What a warp does, in ways that a formula counts. Each hart, by its number h:
 *
 *   stride N       loads word N * h of an array, ROUNDS times
 *   offset N       loads the word at byte 4 * h + N
 *   double N       the same of 8 bytes at 8 * h
 *   ways N         one of N branches by h mod N, ROUNDS times
 *   trips N        a loop of 1 + h mod N rounds
 *   nest N         the same of a loop of 1 + h / 8 mod N rounds
 *   early N        a loop left by a return of its own after 1 + h mod N rounds
 *   calls N        a call from one of two places, by h mod N
 *   table N        one of N places, by a jump through a table
 *   recursion N    h mod N calls within each other
 *
 * and a group of 32 members, with its memory:
 *
 *   bank N         loads word N * h
 *   wbank N        stores it
 *   bank8 N        loads 8 bytes at 8 * N * h
 *   abank N        adds to word N * h
 *   chain N        word N * h has its own address, which is loaded again and
 *                  again
 *   meet N         N barriers
 *
 *   counts WAY N ROUNDS
 */
#include <corbel/corbel.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *array;
static unsigned n, rounds;
static volatile uint32_t sink[65536];

static void stride(void *at)
{
    volatile uint32_t *word = (volatile uint32_t *)at + n * corbel_hart();
    for (unsigned i = 0; i < rounds; i++)
        (void)*word;
}

static void offset(void *at)
{
    volatile uint32_t *word =
        (volatile uint32_t *)(void *)((char *)at + 4 * corbel_hart() + n);
    for (unsigned i = 0; i < rounds; i++)
        (void)*word;
}

static void wide(void *at)
{
    volatile uint64_t *word = (volatile uint64_t *)at + corbel_hart();
    for (unsigned i = 0; i < rounds; i++)
        (void)*word;
}

#define STEP(k) "addi %0, %0, " #k "\n\t"

/* A chain of branches, in the order of addresses: each way is 8 instructions of
 * its own. */
#define WAY(k)                                                                 \
    "addi t0, %1, -" #k "\n\tbnez t0, 1f\n\t" STEP(k) STEP(k) STEP(k) STEP(k)  \
        STEP(k) STEP(k) STEP(k) STEP(k) "j 9f\n1:\n\t"
static void ways(void *at)
{
    unsigned way = corbel_hart() % n, x = 0;
    for (unsigned i = 0; i < rounds; i++)
        __asm__ volatile(WAY(0) WAY(1) WAY(2) WAY(3) WAY(4) WAY(5) WAY(6) WAY(7)
                             WAY(8) WAY(9) WAY(10) WAY(11) WAY(12) WAY(13)
                                 WAY(14) WAY(15) WAY(16) WAY(17) WAY(18) WAY(19)
                                     WAY(20) WAY(21) WAY(22) WAY(23) WAY(24)
                                         WAY(25) WAY(26) WAY(27) WAY(28) WAY(29)
                                             WAY(30) WAY(31) "9:"
                         : "+r"(x)
                         : "r"(way)
                         : "t0");
    sink[corbel_hart()] = x;
}

/* 12 instructions a trip. */
static void trips(void *at)
{
    unsigned x = 0;
    for (unsigned i = 0; i < rounds; i++) {
        unsigned k = corbel_hart() % n + 1;
        __asm__ volatile("1:\n\t" STEP(1) STEP(1) STEP(1) STEP(1) STEP(1)
                             STEP(1) STEP(1) STEP(1) STEP(1)
                                 STEP(1) "addi %1, %1, -1\n\t"
                                         "bnez %1, 1b"
                         : "+r"(x), "+r"(k));
    }
    sink[corbel_hart()] = x;
}

/* Functions of a known number of instructions, of their argument. */
extern unsigned nested(unsigned outer, unsigned inner), leaves(unsigned k),
    called(unsigned k), jumps(unsigned k), recursive(unsigned k);
__asm__(".text\n"
        "nested:\n\t" /* 1 + outer * (3 + 4 * inner) + 1 */
        "li t1, 0\n"
        "1:\tmv t0, a1\n"
        "2:\taddi t1, t1, 3\n\txori t1, t1, 5\n\taddi t0, t0, -1\n\t"
        "bnez t0, 2b\n\t"
        "addi a0, a0, -1\n\tbnez a0, 1b\n\t"
        "ret\n"
        "leaves:\n\t" /* 1 + 4 * (k - 1) + 2 + 1, two places to return from */
        "li t0, 33\n"
        "1:\taddi a0, a0, -1\n\tbeqz a0, 2f\n\t"
        "addi t0, t0, -1\n\tbnez t0, 1b\n\t"
        "ret\n"
        "2:\tret\n"
        "called:\n\t" /* 4 + 5 + 3; odd ones 1 more */
        "mv t2, ra\n\tandi t0, a0, 1\n\tli t1, 1\n\tbeqz t0, 1f\n\t"
        "jal callee\n\tj 2f\n"
        "1:\tjal callee\n"
        "2:\tmv ra, t2\n\tmv a0, t1\n\tret\n"
        "callee:\n\t"
        "addi t1, t1, 1\n\taddi t1, t1, 2\n\taddi t1, t1, 3\n\tret\n"
        "jumps:\n\t" /* 5 + 4 + 3 */
        "slli t0, a0, 4\n\tlla t1, 1f\n\tadd t1, t1, t0\n\tjr t1\n\t"
        ".option push\n\t.option norvc\n\t.option norelax\n"
        "1:\t.rept 32\n\t"
        "addi t1, t1, 1\n\taddi t1, t1, 2\n\taddi t1, t1, 3\n\tj 2f\n\t"
        ".endr\n\t.option pop\n"
        "2:\txori t1, t1, 1\n\tmv a0, t1\n\tret\n"
        "recursive:\n\t" /* 2 + 8 * k */
        "beqz a0, 1f\n\taddi sp, sp, -16\n\tsd ra, 0(sp)\n\t"
        "addi a0, a0, -1\n\tjal recursive\n\t"
        "ld ra, 0(sp)\n\taddi sp, sp, 16\n"
        "1:\tret\n");

#define CALLS(name, call)                                                      \
    static void name(void *at)                                                 \
    {                                                                          \
        unsigned k = corbel_hart() % n, outer = corbel_hart() / 8 % n, x = 0;  \
        for (unsigned i = 0; i < rounds; i++)                                  \
            x += call;                                                         \
        sink[corbel_hart()] = x + outer;                                       \
    }
CALLS(nest, nested(outer + 1, k + 1))
CALLS(early, leaves(k + 1))
CALLS(calls, called(k))
CALLS(table, jumps(k))
CALLS(recursion, recursive(k))

/* ---- groups ---- */

enum { MEMBERS = 32, BYTES = 16384 };

/* In groups' memory, at a multiple of the member's number. */
static volatile uint32_t *own_word(unsigned bytes)
{
    char *memory = corbel_group_memory(BYTES);
    return (volatile uint32_t *)(void *)(memory + bytes * corbel_lane());
}

static void bank(void *unused)
{
    volatile uint32_t *word = own_word(4 * n);
    for (unsigned i = 0; i < rounds; i++)
        (void)*word;
}

static void wbank(void *unused)
{
    volatile uint32_t *word = own_word(4 * n);
    for (unsigned i = 0; i < rounds; i++)
        *word = i;
}

static void bank8(void *unused)
{
    volatile uint64_t *word = (volatile uint64_t *)own_word(8 * n);
    for (unsigned i = 0; i < rounds; i++)
        (void)*word;
}

static void abank(void *unused)
{
    volatile uint32_t *word = own_word(4 * n);
    for (unsigned i = 0; i < rounds; i++)
        __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
}

static void chain(void *unused)
{
    volatile uint32_t *word = own_word(4 * n);
    uintptr_t at = (uintptr_t)word;
    *word = (uint32_t)at;
    for (unsigned i = 0; i < rounds; i++)
        __asm__ volatile("lwu %0, 0(%0)" : "+r"(at));
    sink[corbel_hart()] = (uint32_t)at;
}

static void meet(void *unused)
{
    for (unsigned i = 0; i < n * rounds; i++)
        corbel_group_sync();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*kernel)(void *);
    } kernels[] = {{"stride", stride}, {"offset", offset},
                   {"double", wide},   {"ways", ways},
                   {"trips", trips},   {"nest", nest},
                   {"early", early},   {"calls", calls},
                   {"table", table},   {"recursion", recursion}},
      groups[] = {{"bank", bank},   {"wbank", wbank}, {"bank8", bank8},
                  {"abank", abank}, {"chain", chain}, {"meet", meet}};
    if (argc != 4)
        return 2;
    n = (unsigned)atoi(argv[2]);
    rounds = (unsigned)atoi(argv[3]);
    array = aligned_alloc(4096, 1 << 20);
    for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (!strcmp(kernels[i].name, argv[1]))
            corbel_launch(kernels[i].kernel, array);
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++)
        if (!strcmp(groups[i].name, argv[1]))
            corbel_launch_grid(groups[i].kernel, NULL, 1, MEMBERS);
    return 0;
}
