/*
 * All harts share something, in one of the ways that rest on lr and sc, or, for
 * comparison, on amoswap:
 *
 *   reserve   each adds 1 to one word by lr, sc
 *   compare   the same by comparing and exchanging, floats of them as well
 *   own       each adds 1 to a word in a line of its own by lr, sc
 *   malloc    blocks from the heap, whose lock they take by lr, sc
 *   swap      each adds 1 under a lock that it takes by amoswap
 *
 *   share WAY TIMES    the number of blocks; of the others what each hart adds
 *
 * The last line says what came of it; status 1: not what should have.
 */
#include <corbel/corbel.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64
#define BLOCKS 1024

static _Atomic uint32_t word, lock;
static _Atomic float sum;
static volatile uint32_t guarded;
static char *lines;
static char *blocks[BLOCKS];

static void reserved_add(uint32_t *at)
{
    uint32_t value, fails;
    do {
        __asm__ volatile("lr.w %0, (%2)\n\t"
                         "addi %0, %0, 1\n\t"
                         "sc.w %1, %0, (%2)"
                         : "=&r"(value), "=&r"(fails)
                         : "r"(at)
                         : "memory");
    } while (fails);
}

static void reserve(void *times)
{
    for (uintptr_t i = 0; i < (uintptr_t)times; i++)
        reserved_add((uint32_t *)&word);
}

static void own(void *times)
{
    for (uintptr_t i = 0; i < (uintptr_t)times; i++)
        reserved_add((uint32_t *)(void *)(lines + corbel_hart() * LINE));
}

static void compare(void *times)
{
    for (uintptr_t i = 0; i < (uintptr_t)times; i++) {
        uint32_t old = atomic_load_explicit(&word, memory_order_relaxed);
        while (!atomic_compare_exchange_weak(&word, &old, old + 1))
            ;
        float f = atomic_load_explicit(&sum, memory_order_relaxed);
        while (!atomic_compare_exchange_weak_explicit(
            &sum, &f, f + 1.0f, memory_order_relaxed, memory_order_relaxed))
            ;
    }
}

static void allocate(void *count)
{
    uint32_t i;
    while ((i = corbel_next()) < (uintptr_t)count)
        blocks[i] = malloc(LINE);
}

static void swap(void *times)
{
    for (uintptr_t i = 0; i < (uintptr_t)times; i++) {
        while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
            ;
        guarded++;
        atomic_store_explicit(&lock, 0, memory_order_release);
    }
}

static int by_address(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    return (x > y) - (x < y);
}

/* Blocks that are there and do not overlap the next. */
static uint32_t good_blocks(uint32_t count)
{
    uint32_t good = 0;
    qsort(blocks, count, sizeof *blocks, by_address);
    for (uint32_t i = 0; i < count; i++)
        good +=
            blocks[i] && (i + 1 == count || blocks[i + 1] - blocks[i] >= LINE);
    return good;
}

static uint32_t own_sum(void)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < corbel_harts(); i++)
        all += *(uint32_t *)(void *)(lines + i * LINE);
    return all;
}

static int say(const char *way, uint32_t got, uint32_t expected)
{
    printf("%s: %u of %u\n", way, (unsigned)got, (unsigned)expected);
    return got != expected;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    uint32_t times = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    uint32_t all = corbel_harts() * times;
    void *argument = (void *)(uintptr_t)times;
    if (!strcmp(way, "reserve")) {
        corbel_launch(reserve, argument);
        return say(way, word, all);
    }
    if (!strcmp(way, "own")) {
        lines = calloc(corbel_harts(), LINE);
        corbel_launch(own, argument);
        return say(way, own_sum(), all);
    }
    if (!strcmp(way, "compare")) {
        corbel_launch(compare, argument);
        return say(way, word + (uint32_t)sum, 2 * all);
    }
    if (!strcmp(way, "malloc") && times <= BLOCKS) {
        corbel_launch(allocate, argument);
        return say(way, good_blocks(times), times);
    }
    if (!strcmp(way, "swap")) {
        corbel_launch(swap, argument);
        return say(way, guarded, all);
    }
    return 2;
}
