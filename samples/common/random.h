/* Numbers that depend on a place alone, so that inputs are the same everywhere.
 */
#ifndef SAMPLES_RANDOM_H
#define SAMPLES_RANDOM_H

#include <stdint.h>

/* A number of 32 bits for each i, other ones for each stream (the finalizer of
 * MurmurHash3). */
static inline uint32_t random_word(uint32_t stream, uint32_t i)
{
    uint32_t x = i + stream * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Below n. */
static inline uint32_t random_below(uint32_t stream, uint32_t i, uint32_t n)
{
    return (uint32_t)((uint64_t)random_word(stream, i) * n >> 32);
}

/* 0 <= u < 1. */
static inline float random_float(uint32_t stream, uint32_t i)
{
    return (float)(random_word(stream, i) >> 8) * 0x1p-24f;
}

#endif
