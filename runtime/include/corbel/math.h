/*
 * The few transcendental functions and the random numbers that kernels need.
 * newlib's and glibc's libm differ in last bits, these do not: binary32
 * operations in the written order and nothing else.
 *
 * Errors stated are against the real function, found by trying arguments all
 * over the range (runtime/include/corbel is tested by sdk/scene/math_test.c).
 */
#ifndef CORBEL_MATH_H
#define CORBEL_MATH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* sin(x), |x| <= pi/4: odd Taylor polynomial. */
static inline float corbel_sin_octant(float x)
{
    float s = x * x;
    float p = 2.7557319e-6f;
    p = -1.9841270e-4f + p * s;
    p = 8.3333333e-3f + p * s;
    p = -1.6666667e-1f + p * s;
    return x + x * s * p;
}

/* cos(x), |x| <= pi/4: even Taylor polynomial. */
static inline float corbel_cos_octant(float x)
{
    float s = x * x;
    float p = 2.4801587e-5f;
    p = -1.3888889e-3f + p * s;
    p = 4.1666667e-2f + p * s;
    p = -0.5f + p * s;
    return 1 + s * p;
}

/*
 * Sine and cosine of 2 pi turns, the angle of a full circle for a random
 * number in [0, 1). Any turns with |turns| <= 2^20; error below 2e-7.
 */
static inline void corbel_sincos_turns(float turns, float *sine, float *cosine)
{
    float scaled = turns * 4;
    int32_t quarter = (int32_t)(scaled < 0 ? scaled - 0.5f : scaled + 0.5f);
    float x = (scaled - (float)quarter) * 1.57079633f;
    float s = corbel_sin_octant(x), c = corbel_cos_octant(x);
    switch (quarter & 3) {
    case 0:
        *sine = s;
        *cosine = c;
        break;
    case 1:
        *sine = c;
        *cosine = -s;
        break;
    case 2:
        *sine = -s;
        *cosine = -c;
        break;
    default:
        *sine = -c;
        *cosine = s;
        break;
    }
}

/* log2(x) for finite x >= 2^-126; below that -126. Error below 3e-7 (|x - 1|
 * large: relative; near 1: absolute). */
static inline float corbel_log2(float x)
{
    union {
        float f;
        uint32_t u;
    } bits;
    if (!(x >= 0x1p-126f))
        return -126;
    bits.f = x;
    /* x = m 2^e, m in [sqrt(1/2), sqrt(2)) */
    int32_t e = (int32_t)((bits.u - 0x3F3504F3u) >> 23);
    e = e > 255 ? e - 512 : e;
    bits.u -= (uint32_t)e << 23;
    /* log(m) = 2 artanh(s) */
    float s = (bits.f - 1) / (bits.f + 1), q = s * s;
    float p = 0.32059890f;
    p = 0.41219859f + p * q;
    p = 0.57707802f + p * q;
    p = 0.96179669f + p * q;
    return (float)e + (s * 2.88539008f + s * q * p);
}

/* 2^x for -126 <= x <= 127, beyond that the value there. Error 2e-7. */
static inline float corbel_exp2(float x)
{
    union {
        float f;
        uint32_t u;
    } bits;
    x = x > -126 ? x : -126;
    x = x < 127 ? x : 127;
    int32_t e = (int32_t)(x < 0 ? x - 0.5f : x + 0.5f);
    float f = (x - (float)e) * 0.69314718f;
    float p = 1.9841270e-4f;
    p = 1.3888889e-3f + p * f;
    p = 8.3333333e-3f + p * f;
    p = 4.1666667e-2f + p * f;
    p = 1.6666667e-1f + p * f;
    p = 0.5f + p * f;
    p = 1 + p * f;
    bits.u = (uint32_t)(e + 127) << 23;
    return bits.f * (1 + p * f);
}

/* x^y for x >= 0, y > 0, within a few 1e-6 for x in [1e-6, 1e6], |y| <= 3. */
static inline float corbel_pow(float x, float y)
{
    return x > 0 ? corbel_exp2(y * corbel_log2(x)) : 0;
}

/* Value of a picture in [0, 1] for linear light (IEC 61966-2-1, sRGB). */
static inline float corbel_srgb(float linear)
{
    if (!(linear > 0.0031308f))
        return linear > 0 ? 12.92f * linear : 0;
    return linear < 1 ? 1.055f * corbel_pow(linear, 1 / 2.4f) - 0.055f : 1;
}

/*
 * 32 random bits from 32 bits: the output permutation of a PCG generator
 * (O'Neill, 2014) after one step of its congruence.
 */
static inline uint32_t corbel_scramble(uint32_t x)
{
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return x >> 22 ^ x;
}

/*
 * The random number of one dimension of one sample of one pixel. It has no
 * state, so it does not depend on who computes what in which order.
 */
static inline uint32_t corbel_random(uint32_t pixel, uint32_t sample,
                                     uint32_t dimension)
{
    return corbel_scramble(dimension +
                           corbel_scramble(sample + corbel_scramble(pixel)));
}

/* The same as a number in [0, 1), a multiple of 2^-24. */
static inline float corbel_random_float(uint32_t pixel, uint32_t sample,
                                        uint32_t dimension)
{
    return (float)(corbel_random(pixel, sample, dimension) >> 8) * 0x1p-24f;
}

#ifdef __cplusplus
}
#endif
#endif
