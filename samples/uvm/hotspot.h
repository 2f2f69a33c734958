/* Heat in a chip: what a cell becomes, where it begins, and a whole grid step
 * by step. Shared by samples/uvm and samples/gpu. */
#ifndef SAMPLES_UVM_HOTSPOT_H
#define SAMPLES_UVM_HOTSPOT_H

#include "../common/random.h"

#include <stdint.h>

enum { TEMPERATURE = 1, POWER };

/* Both versions compute a cell by this; neighbours beyond the edge are the cell
 * itself. */
static inline float next_of(float cell, float north, float south, float west,
                            float east, float power)
{
    const float share = 0.125f, power_share = 0.4f, outside = 80,
                outside_share = 0.01f;
    float flow = (north + south - 2 * cell) + (west + east - 2 * cell);
    return cell + (power_share * power + share * flow +
                   outside_share * (outside - cell));
}

static inline float first_temperature(uint32_t i)
{
    return 320 + 20 * random_float(TEMPERATURE, i);
}

static inline float first_power(uint32_t i)
{
    return random_float(POWER, i);
}

/* n x n cells after some steps: in one of the two places. */
static inline const float *hotspot_serial(uint32_t n, uint32_t steps,
                                          float *from, float *to)
{
    uint32_t count = n * n;
    for (uint32_t i = 0; i < count; i++)
        from[i] = first_temperature(i);
    for (uint32_t s = 0; s < steps; s++) {
        for (uint32_t i = 0; i < count; i++)
            to[i] = next_of(from[i], from[i < n ? i : i - n],
                            from[i + n < count ? i + n : i],
                            from[i % n ? i - 1 : i],
                            from[i % n + 1 < n ? i + 1 : i], first_power(i));
        float *c = from;
        from = to;
        to = c;
    }
    return from;
}

#endif
