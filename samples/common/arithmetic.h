/* Small functions of numbers that kernels have in common. */
#ifndef SAMPLES_ARITHMETIC_H
#define SAMPLES_ARITHMETIC_H

#include <stdint.h>

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static inline uint32_t ceil_div(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

/* -1 .. 1 */
static inline float squash(float x)
{
    return x / (1 + (x < 0 ? -x : x));
}

#endif
