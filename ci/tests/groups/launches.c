/*
 * Launches one behind the other whose groups are of different numbers, sizes
 * and memory, so that teams and their memory move:
 *
 *     launches           says how many members found something wrong
 *     launches ROUNDS    kernels that do nothing: how many cycles each launch
 *                        takes from the second round on
 */
#include <corbel/corbel.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    uint32_t groups, size, words;
} kinds[] = {{2, 32, 8},  {1, 64, 700}, {300, 16, 16}, {3, 5, 1},
             {40, 33, 0}, {1, 1, 3},    {90, 16, 16},  {2, 128, 2000}};

enum { KINDS = sizeof kinds / sizeof kinds[0], ROUNDS = 3, GROUPS = 300 };

static uint32_t words, wrong, sums[GROUPS];

static void kernel(void *unused)
{
    uint32_t lane = corbel_lane(), size = corbel_group_size(), sum = 0;
    volatile uint32_t *word = corbel_group_memory(words * sizeof *word);

    for (uint32_t i = lane; i < words; i += size)
        word[i] = corbel_group() + i;
    corbel_group_sync();
    for (uint32_t i = 0; i < words; i++)
        sum += word[i];
    if (sum != words * corbel_group() + words * (words - !!words) / 2)
        __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    corbel_group_sync();
    __atomic_fetch_add(&sums[corbel_group()], 1, __ATOMIC_RELAXED);
}

static void empty(void *unused)
{
}

static void launch(unsigned kind, void (*k)(void *))
{
    words = kinds[kind].words;
    corbel_group_memory(words * sizeof(uint32_t));
    corbel_launch_grid(k, NULL, kinds[kind].groups, kinds[kind].size);
}

static void check(unsigned kind)
{
    for (uint32_t i = 0; i < GROUPS; i++) {
        if (sums[i] != (i < kinds[kind].groups ? kinds[kind].size : 0))
            wrong++;
        sums[i] = 0;
    }
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : ROUNDS;

    for (unsigned round = 0; round < rounds; round++)
        for (unsigned kind = 0; kind < KINDS; kind++) {
            uint64_t begin = corbel_cycles();
            launch(kind, argc > 1 ? empty : kernel);
            if (argc > 1 && round)
                printf("%lu %lu: %lu\n", (unsigned long)kinds[kind].groups,
                       (unsigned long)kinds[kind].size,
                       (unsigned long)(corbel_cycles() - begin));
            else if (argc == 1)
                check(kind);
        }
    printf("%lu wrong\n", (unsigned long)wrong);
    return wrong != 0;
}
