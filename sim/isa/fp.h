/*
 * IEEE 754 arithmetic as RISC-V wants it: every result and every flag exact,
 * NaNs canonical. Values travel as bits.
 *
 * The fast path is one host operation in the host's own rounding (to nearest
 * even), taken when nothing but "inexact" can have happened and that flag is
 * already set: rounding to nearest, result normal and above the smallest
 * normal. Everything else (specials, subnormals, other roundings, the first
 * inexact result) is computed with integers in fp.c, so that no code here
 * reads or writes the host's floating-point environment.
 */
#ifndef SIM_ISA_FP_H
#define SIM_ISA_FP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Bits of fflags: inexact, underflow, overflow, division by zero, invalid. */
enum fp_flag { FP_NX = 1, FP_UF = 2, FP_OF = 4, FP_DZ = 8, FP_NV = 16 };

/* As instructions and frm encode them: to nearest even, towards zero, down, up,
 * to nearest with ties away from zero. */
enum fp_rounding { FP_RNE, FP_RTZ, FP_RDN, FP_RUP, FP_RMM };

#define F32_SIGN 0x80000000u
#define F64_SIGN 0x8000000000000000u
#define F32_NAN 0x7fc00000u

/* Binary interchange formats by their parts. */
struct fp_format {
    int fraction; /* stored bits of the significand */
    int bias;     /* also the greatest exponent */
};

static const struct fp_format fp_f32 = {23, 127}, fp_f64 = {52, 1023};

/* The slow path, for either format: exact for all operands and roundings. */
uint64_t fp_fma(struct fp_format f, uint8_t *flags, unsigned rm, uint64_t a,
                uint64_t b, uint64_t c);
uint64_t fp_add(struct fp_format f, uint8_t *flags, unsigned rm, uint64_t a,
                uint64_t b);
uint64_t fp_mul(struct fp_format f, uint8_t *flags, unsigned rm, uint64_t a,
                uint64_t b);
uint64_t fp_div(struct fp_format f, uint8_t *flags, unsigned rm, uint64_t a,
                uint64_t b);
uint64_t fp_sqrt(struct fp_format f, uint8_t *flags, unsigned rm, uint64_t a);
uint64_t fp_convert(struct fp_format to, struct fp_format from, uint8_t *flags,
                    unsigned rm, uint64_t a);
/* To an integer of width bits; out of range: the nearest limit and FP_NV. */
int64_t fp_to_signed(struct fp_format f, uint8_t *flags, unsigned rm,
                     unsigned width, uint64_t a);
uint64_t fp_to_unsigned(struct fp_format f, uint8_t *flags, unsigned rm,
                        unsigned width, uint64_t a);
uint64_t fp_from_integer(struct fp_format f, uint8_t *flags, unsigned rm,
                         bool negative, uint64_t magnitude);
/* min or max of two operands of which one or both are NaN. */
uint64_t fp_other_than_nan(struct fp_format f, uint8_t *flags, uint64_t a,
                           uint64_t b);
/* The ten bits of fclass. */
unsigned fp_class(struct fp_format f, uint64_t a);

/* Bits to a value and back, without a conversion. */
static inline float f32_value(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double f64_value(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t f64_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Above infinity, the sign apart. */
static inline bool f32_is_nan(uint32_t a)
{
    return (a & ~F32_SIGN) > 0x7f800000;
}

static inline bool f64_is_nan(uint64_t a)
{
    return (a & ~F64_SIGN) > 0x7ff0000000000000;
}

/* The highest bit of the fraction is the quiet one. */
static inline bool f32_is_signalling(uint32_t a)
{
    return f32_is_nan(a) && !(a >> 22 & 1);
}

static inline bool f64_is_signalling(uint64_t a)
{
    return f64_is_nan(a) && !(a >> 51 & 1);
}

/*
 * May the host's result stand? The smallest exponent is left out because a
 * result there may have been rounded up from below (underflow).
 */
static inline bool f32_settled(const uint8_t *flags, unsigned rm, uint32_t r)
{
    return rm == FP_RNE && (*flags & FP_NX) && (r >> 23 & 0xff) - 2 < 253u;
}

static inline bool f64_settled(const uint8_t *flags, unsigned rm, uint64_t r)
{
    return rm == FP_RNE && (*flags & FP_NX) && (r >> 52 & 0x7ff) - 2 < 2045u;
}

/*
 * An operation in both formats: the host's result if it may stand, else fp.c's.
 */
#define FP_BINARY(name, operator)                                              \
    static inline uint32_t f32_##name(uint8_t *flags, unsigned rm, uint32_t a, \
                                      uint32_t b)                              \
    {                                                                          \
        uint32_t r = f32_bits(f32_value(a) operator f32_value(b));             \
        if (__builtin_expect(f32_settled(flags, rm, r), 1))                    \
            return r;                                                          \
        return (uint32_t)fp_##name(fp_f32, flags, rm, a, b);                   \
    }                                                                          \
    static inline uint64_t f64_##name(uint8_t *flags, unsigned rm, uint64_t a, \
                                      uint64_t b)                              \
    {                                                                          \
        uint64_t r = f64_bits(f64_value(a) operator f64_value(b));             \
        if (__builtin_expect(f64_settled(flags, rm, r), 1))                    \
            return r;                                                          \
        return fp_##name(fp_f64, flags, rm, a, b);                             \
    }

FP_BINARY(add, +)
FP_BINARY(mul, *)
FP_BINARY(div, /)
#undef FP_BINARY

/* One set of operations for each format F, suffix M of its libm functions. */
#define FP_FORMAT(F, BITS, SIGN, M)                                            \
    static inline BITS F##_fma(uint8_t *flags, unsigned rm, BITS a, BITS b,    \
                               BITS c)                                         \
    {                                                                          \
        BITS r = F##_bits(fma##M(F##_value(a), F##_value(b), F##_value(c)));   \
        if (__builtin_expect(F##_settled(flags, rm, r), 1))                    \
            return r;                                                          \
        return (BITS)fp_fma(fp_##F, flags, rm, a, b, c);                       \
    }                                                                          \
    static inline BITS F##_sqrt(uint8_t *flags, unsigned rm, BITS a)           \
    {                                                                          \
        BITS r = F##_bits(sqrt##M(F##_value(a)));                              \
        if (__builtin_expect(F##_settled(flags, rm, r), 1))                    \
            return r;                                                          \
        return (BITS)fp_sqrt(fp_##F, flags, rm, a);                            \
    }                                                                          \
    /* Orders numbers as integers, -0 below +0. */                             \
    static inline int64_t F##_order(BITS a)                                    \
    {                                                                          \
        int64_t magnitude = (int64_t)(a & ~SIGN);                              \
        return a & SIGN ? -magnitude - 1 : magnitude;                          \
    }                                                                          \
    static inline BITS F##_min(uint8_t *flags, BITS a, BITS b)                 \
    {                                                                          \
        if (F##_is_nan(a) || F##_is_nan(b))                                    \
            return (BITS)fp_other_than_nan(fp_##F, flags, a, b);               \
        return F##_order(a) < F##_order(b) ? a : b;                            \
    }                                                                          \
    static inline BITS F##_max(uint8_t *flags, BITS a, BITS b)                 \
    {                                                                          \
        if (F##_is_nan(a) || F##_is_nan(b))                                    \
            return (BITS)fp_other_than_nan(fp_##F, flags, a, b);               \
        return F##_order(a) < F##_order(b) ? b : a;                            \
    }                                                                          \
    static inline bool F##_eq(uint8_t *flags, BITS a, BITS b)                  \
    {                                                                          \
        if (F##_is_signalling(a) || F##_is_signalling(b))                      \
            *flags |= FP_NV;                                                   \
        return F##_value(a) == F##_value(b);                                   \
    }                                                                          \
    static inline bool F##_lt(uint8_t *flags, BITS a, BITS b)                  \
    {                                                                          \
        if (F##_is_nan(a) || F##_is_nan(b))                                    \
            *flags |= FP_NV;                                                   \
        return F##_value(a) < F##_value(b);                                    \
    }                                                                          \
    static inline bool F##_le(uint8_t *flags, BITS a, BITS b)                  \
    {                                                                          \
        if (F##_is_nan(a) || F##_is_nan(b))                                    \
            *flags |= FP_NV;                                                   \
        return F##_value(a) <= F##_value(b);                                   \
    }                                                                          \
    static inline unsigned F##_class(BITS a)                                   \
    {                                                                          \
        return fp_class(fp_##F, a);                                            \
    }                                                                          \
    static inline int64_t F##_to_i32(uint8_t *flags, unsigned rm, BITS a)      \
    {                                                                          \
        if (rm == FP_RTZ && fabs##M(F##_value(a)) < 0x1p31) {                  \
            int32_t r = (int32_t)F##_value(a);                                 \
            *flags |= r == F##_value(a) ? 0 : FP_NX;                           \
            return r;                                                          \
        }                                                                      \
        return fp_to_signed(fp_##F, flags, rm, 32, a);                         \
    }                                                                          \
    static inline int64_t F##_to_i64(uint8_t *flags, unsigned rm, BITS a)      \
    {                                                                          \
        return fp_to_signed(fp_##F, flags, rm, 64, a);                         \
    }                                                                          \
    static inline uint64_t F##_to_u32(uint8_t *flags, unsigned rm, BITS a)     \
    {                                                                          \
        return fp_to_unsigned(fp_##F, flags, rm, 32, a);                       \
    }                                                                          \
    static inline uint64_t F##_to_u64(uint8_t *flags, unsigned rm, BITS a)     \
    {                                                                          \
        return fp_to_unsigned(fp_##F, flags, rm, 64, a);                       \
    }                                                                          \
    static inline BITS F##_from_u64(uint8_t *flags, unsigned rm, uint64_t v)   \
    {                                                                          \
        return (BITS)fp_from_integer(fp_##F, flags, rm, false, v);             \
    }                                                                          \
    static inline BITS F##_from_i64(uint8_t *flags, unsigned rm, int64_t v)    \
    {                                                                          \
        uint64_t magnitude = v < 0 ? -(uint64_t)v : (uint64_t)v;               \
        if (magnitude < 1 << 24)                                               \
            return F##_bits((int32_t)v);                                       \
        return (BITS)fp_from_integer(fp_##F, flags, rm, v < 0, magnitude);     \
    }

FP_FORMAT(f32, uint32_t, F32_SIGN, f)
FP_FORMAT(f64, uint64_t, F64_SIGN, )
#undef FP_FORMAT

static inline uint32_t f64_to_f32(uint8_t *flags, unsigned rm, uint64_t a)
{
    uint32_t r = f32_bits((float)f64_value(a));
    if (f32_settled(flags, rm, r))
        return r;
    return (uint32_t)fp_convert(fp_f32, fp_f64, flags, rm, a);
}

static inline uint64_t f32_to_f64(uint8_t *flags, uint32_t a)
{
    if ((a >> 23 & 0xff) - 1 < 254u)
        return f64_bits(f32_value(a));
    return fp_convert(fp_f64, fp_f32, flags, FP_RNE, a);
}

#endif
