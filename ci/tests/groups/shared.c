/*
 * What groups do with memory that a multiprocessor may keep inside, and how
 * many of them it runs at a time:
 *
 *     shared atomics             members count by atomics and by compare and
 * swap shared others              a member reads another group's memory shared
 * region              a region of interest begins within a group shared most
 * GROUPS SIZE BYTES   BYTES -1: they are not announced
 */
#include <corbel/corbel.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned wrong, running, most;

static void expect(uint32_t found, uint32_t expected)
{
    if (found != expected)
        __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void atomics(void *unused)
{
    enum { ROUNDS = 5 };
    uint32_t *count = corbel_group_memory(4 * sizeof *count);
    uint8_t *bytes = corbel_group_memory(64);
    uint32_t lane = corbel_lane(), size = corbel_group_size();
    if (lane == 0)
        memset(count, 0, 4 * sizeof *count);
    corbel_group_sync();
    for (unsigned i = 0; i < ROUNDS; i++) {
        __atomic_fetch_add(&count[0], lane, __ATOMIC_RELAXED);
        __atomic_fetch_or(&count[1], 1u << lane % 32, __ATOMIC_RELAXED);
        uint32_t old = count[2];
        while (!__atomic_compare_exchange_n(&count[2], &old, old + 3, 0,
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            ;
    }
    bytes[lane % 64] = (uint8_t)(lane % 64 + 1);
    corbel_group_sync();
    expect(count[0], ROUNDS * size * (size - 1) / 2);
    expect(count[1], size < 32 ? (1u << size) - 1 : UINT32_MAX);
    expect(count[2], 3 * ROUNDS * size);
    uint64_t eight;
    memcpy(&eight, bytes + lane % 8 * 4, 8); /* at multiples of 4 */
    expect((uint32_t)(eight >> 32 & 0xff), lane % 8 * 4 + 5);
}

static uint32_t *published;

static void others(void *unused)
{
    uint32_t *own = corbel_group_memory(64), *of_first;
    *own = 7;
    if (corbel_group() == 0) {
        __atomic_store_n(&published, own, __ATOMIC_RELEASE);
        while (!__atomic_load_n(&most, __ATOMIC_ACQUIRE))
            ;
        return;
    }
    while (!(of_first = __atomic_load_n(&published, __ATOMIC_ACQUIRE)))
        ;
    most = *(volatile uint32_t *)of_first;
}

static void region(void *unused)
{
    uint32_t *word = corbel_group_memory(64 * sizeof *word);
    uint32_t lane = corbel_lane(), size = corbel_group_size();
    word[lane] = lane;
    if (lane == 0 && corbel_group() == 0)
        corbel_roi_begin();
    for (unsigned i = 1; i < 4; i++) {
        corbel_group_sync();
        uint32_t next = word[(lane + 1) % size];
        corbel_group_sync();
        expect(next, (lane + i) % size);
        word[lane] = next;
    }
}

/* Members of a group that has begun wait as long as others can begin. */
static void count(void *unused)
{
    if (corbel_lane() == 0) {
        unsigned n = __atomic_add_fetch(&running, 1, __ATOMIC_RELAXED);
        unsigned old = __atomic_load_n(&most, __ATOMIC_RELAXED);
        while (old < n &&
               !__atomic_compare_exchange_n(&most, &old, n, 0, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
            ;
        for (volatile unsigned i = 0; i < 1000; i++)
            ;
    }
    corbel_group_sync();
    if (corbel_lane() == 0)
        __atomic_sub_fetch(&running, 1, __ATOMIC_RELAXED);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    if (!strcmp(way, "atomics"))
        corbel_launch_grid(atomics, NULL, 5, 64);
    else if (!strcmp(way, "others"))
        corbel_launch_grid(others, NULL, 2, 1);
    else if (!strcmp(way, "region"))
        corbel_launch_grid(region, NULL, 3, 48);
    else if (argc == 5) {
        if (atoi(argv[4]) >= 0)
            corbel_group_memory((size_t)atoi(argv[4]));
        corbel_launch_grid(count, NULL, (uint32_t)atoi(argv[2]),
                           (uint32_t)atoi(argv[3]));
    } else
        return 2;
    printf("%u wrong, %u most\n", wrong, most);
    return 0;
}
