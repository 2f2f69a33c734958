/*
 * Pseudo-random directions that are the same bits on every machine: integer
 * hashing, and float operations that IEEE 754 rounds correctly.
 *
 * Samples of a pixel follow the R2 sequence (Roberts 2018, the additive
 * recurrence of the plastic number in 2^-32 units), shifted for each pixel and
 * dimension by a hash and shuffled within 16: few samples then cover the
 * hemisphere evenly, and one bounce says nothing about the next.
 */
#ifndef SAMPLES_SAMPLING_H
#define SAMPLES_SAMPLING_H

#include <corbel/math.h>
#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sampler {
    uint32_t seed; /* of the pixel and the dimension */
    uint32_t sample;
};

static inline struct sampler sampler_start(uint32_t x, uint32_t y,
                                           uint32_t sample)
{
    return (struct sampler){corbel_scramble(x << 16 ^ y ^ 0x9E3779B9u), sample};
}

/* The next two numbers in [0, 1). */
static inline void sampler_pair(struct sampler *sampler, float *a, float *b)
{
    uint32_t first = sampler->seed =
        corbel_scramble(sampler->seed + 0x9E3779B9u);
    uint32_t second = corbel_scramble(first ^ 0x55555555u);
    uint32_t place = sampler->sample ^ (first & 15);
    first += place * 0xC13FA9A9u;
    second += place * 0x91E10DA5u;
    *a = (float)(first >> 8) * 0x1p-24f;
    *b = (float)(second >> 8) * 0x1p-24f;
}

/*
 * A direction around the unit normal, its density proportional to the cosine
 * of the angle between them: the normal plus a point of the unit sphere.
 */
static inline void sampler_cosine(struct sampler *sampler,
                                  const float normal[3], float direction[3])
{
    float a, b, square = 0;
    sampler_pair(sampler, &a, &b);
    float z = 1 - 2 * a, r = sqrtf(1 - z * z);
    float x, y;
    corbel_sincos_turns(b, &y, &x);
    const float sphere[3] = {r * x, r * y, z};
    for (int i = 0; i < 3; i++) {
        direction[i] = normal[i] + sphere[i];
        square = square + direction[i] * direction[i];
    }
    float scale = 1 / sqrtf(square);
    for (int i = 0; i < 3; i++)
        direction[i] = square > 0x1p-20f ? direction[i] * scale : normal[i];
}

#ifdef __cplusplus
}
#endif
#endif
