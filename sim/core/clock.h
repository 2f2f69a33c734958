/*
 * Another clock beside the core's: an exact ratio in integers, so that two
 * clocks never drift apart and every host computes the same.
 *
 * After c core cycles the other clock has ticked floor(c num / den) times:
 * tick t falls into the first core cycle by whose number that many have been
 * counted. Exact while c num and t den fit in 64 bits (10^11 cycles at the
 * least).
 */
#ifndef SIM_CLOCK_H
#define SIM_CLOCK_H

#include <stdint.h>

struct clock_ratio {
    uint64_t num, den; /* without common divisor */
};

static inline struct clock_ratio clock_ratio_of(uint64_t khz, uint64_t core_khz)
{
    uint64_t a = khz, b = core_khz;
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return (struct clock_ratio){khz / a, core_khz / a};
}

static inline uint64_t tick_of(const struct clock_ratio *r, uint64_t cycle)
{
    return cycle * r->num / r->den;
}

/* The first core cycle whose tick_of is not less than tick. */
static inline uint64_t cycle_of(const struct clock_ratio *r, uint64_t tick)
{
    return (tick * r->den + r->num - 1) / r->num;
}

#endif
