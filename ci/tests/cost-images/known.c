/*
 * Work whose costs are known: indices 0 .. INDICES - 1, of which number i
 *   rays SCENE   traces i % 4 rays that leave the scene at once
 *   loads        loads from i % 3 cache lines that no other touches
 *   loops        goes 10 * i times through a loop of two instructions
 * Nothing is stored.
 */
#include <corbel/corbel.h>
#include <stdio.h>
#include <string.h>

enum { INDICES = 60, LINE = 256 };

static const uint8_t lines[INDICES][3][LINE]
    __attribute__((aligned(LINE))) = {{{1}}};

static void rays(void *unused)
{
    for (uint32_t i; (i = corbel_next()) < INDICES;)
        for (uint32_t n = 0; n < i % 4; n++) {
            struct corbel_ray ray = {{0, 0, 100}, 0, {0, 0, 1}, 100};
            struct corbel_hit hit;
            corbel_trace(&ray, CORBEL_CLOSEST, &hit);
            __asm__ volatile("" ::"f"(hit.t));
        }
}

static void loads(void *unused)
{
    for (uint32_t i; (i = corbel_next()) < INDICES;)
        for (uint32_t n = 0; n < i % 3; n++)
            __asm__ volatile(
                "lbu t0, 0(%0)\n\tadd t0, t0, t0" ::"r"(lines[i][n])
                : "t0");
}

static void loops(void *unused)
{
    for (uint32_t i; (i = corbel_next()) < INDICES;)
        for (uint32_t n = 10 * i; n;)
            __asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(n));
}

int main(int argc, char **argv)
{
    if (argc > 2 && !corbel_scene_open(argv[2]))
        return perror(argv[2]), 1;
    corbel_launch(!strcmp(argv[1], "rays")    ? rays
                  : !strcmp(argv[1], "loads") ? loads
                                              : loops,
                  0);
    return 0;
}
