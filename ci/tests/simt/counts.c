/*
 * What a warp does, in ways that a formula counts. Each hart, by its number h:
 *
 *   stride N       loads word N * h of an array, ROUNDS times
 *   offset N       loads the word at byte 4 * h + N
 *   double N       the same of 8 bytes at 8 * h
 *   ways N         one of N branches by h mod N, ROUNDS times
 *   trips N        a loop of 1 + h mod N rounds
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
        __asm__ volatile(WAY(0) WAY(1) WAY(2) WAY(3) WAY(4) WAY(5) WAY(6)
                             WAY(7) "9:"
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
    } kernels[] = {{"stride", stride},
                   {"offset", offset},
                   {"double", wide},
                   {"ways", ways},
                   {"trips", trips}},
      groups[] = {{"bank", bank},   {"wbank", wbank}, {"bank8", bank8},
                  {"abank", abank}, {"chain", chain}, {"meet", meet}};
    if (argc != 4)
        return 2;
    n = (unsigned)atoi(argv[2]);
    rounds = (unsigned)atoi(argv[3]);
    array = aligned_alloc(128, 1 << 20);
    for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (!strcmp(kernels[i].name, argv[1]))
            corbel_launch(kernels[i].kernel, array);
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++)
        if (!strcmp(groups[i].name, argv[1]))
            corbel_launch_grid(groups[i].kernel, NULL, 1, MEMBERS);
    return 0;
}
