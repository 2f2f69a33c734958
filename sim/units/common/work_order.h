/*
 * The order in which a kernel's work indices are handed out: 0, 1, 2 .. or,
 * for sim-run --permute, blocks of WORK_BLOCK of them in an order that a seed
 * chooses, so that neighbours stay together. Where indices are handed out one
 * after the other, work_in_order says which one a place in that order has. All
 * behind the last whole block keep their places, as do those that the program
 * has not announced: it has each index once, whatever the order.
 */
#ifndef SIM_WORK_ORDER_H
#define SIM_WORK_ORDER_H

#include <stdint.h>

enum { WORK_BLOCK = 32 };
#define WORK_BLOCKS_MOST (UINT32_MAX / WORK_BLOCK)

/* Of the kernel that runs; blocks 0: indices come in their own order. */
struct work_order {
    uint32_t seed;
    uint32_t blocks;
};

static inline uint32_t work_scrambled(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352d;
    x = (x ^ x >> 15) * 0x846ca68b;
    return x ^ x >> 16;
}

/* The block at a place: steps that can each be taken back within the bits that
 * blocks take, again until it is one. */
static inline uint32_t work_block(const struct work_order *order, uint32_t at)
{
    const uint32_t key = work_scrambled(order->seed);
    uint32_t bits = 0;
    while ((order->blocks - 1) >> bits)
        bits++;
    const uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1);
    do
        for (uint32_t round = 0; round < 4; round++) {
            at = (at + work_scrambled(key + round)) & mask;
            at = at * (work_scrambled(key - round) | 1) & mask;
            at ^= at >> (bits + 1) / 2;
        }
    while (at >= order->blocks);
    return at;
}

static inline uint32_t work_in_order(const struct work_order *order,
                                     uint32_t place)
{
    const uint32_t block = place / WORK_BLOCK;
    if (block >= order->blocks)
        return place;
    return work_block(order, block) * WORK_BLOCK + place % WORK_BLOCK;
}

#endif
