/*
 * Float operations of the processor: IEEE single, rounded to nearest even,
 * each once; a NaN result is the one NaN 0x7FC00000. With ftz subnormals are
 * zeros, as operands and as results. The host computes in the same format
 * (contraction of a product and a sum is off for all of Corbel).
 */
#ifndef SIM_RTP_FLOAT_H
#define SIM_RTP_FLOAT_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline float rtp_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t rtp_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline float rtp_flush(float x, bool ftz)
{
    return ftz && fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

static inline float rtp_result(float x, bool ftz)
{
    return x != x ? rtp_float(0x7fc00000) : rtp_flush(x, ftz);
}

static inline float rtp_add(float a, float b, bool ftz)
{
    return rtp_result(rtp_flush(a, ftz) + rtp_flush(b, ftz), ftz);
}

static inline float rtp_sub(float a, float b, bool ftz)
{
    return rtp_result(rtp_flush(a, ftz) - rtp_flush(b, ftz), ftz);
}

static inline float rtp_mul(float a, float b, bool ftz)
{
    return rtp_result(rtp_flush(a, ftz) * rtp_flush(b, ftz), ftz);
}

static inline float rtp_div(float a, float b, bool ftz)
{
    return rtp_result(rtp_flush(a, ftz) / rtp_flush(b, ftz), ftz);
}

#endif
