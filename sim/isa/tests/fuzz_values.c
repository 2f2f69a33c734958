/*
 * Random and awkward values: what arithmetic goes wrong on. Constants are bit
 * patterns; families of values that depend on each other (a sum that cancels,
 * a product halfway between two numbers) are computed on the host.
 */
#include "sim/isa/rows.h"
#include "sim/isa/tests/fuzz.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SIGN32 0x80000000u
#define SIGN64 (1ull << 63)

/* splitmix64 */
uint64_t random_bits(struct random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

unsigned random_below(struct random *r, unsigned n)
{
    return (unsigned)((random_bits(r) >> 32) * n >> 32);
}

bool random_once_in(struct random *r, unsigned n)
{
    return random_below(r, n) == 0;
}

static int random_sign(struct random *r)
{
    return random_once_in(r, 2) ? -1 : 1;
}

/* Limits of types and shifts, their neighbours, and values of any length. */
uint64_t value_integer(struct random *r)
{
    static const uint64_t extremes[] = {0,           UINT64_MAX, 1ull << 63,
                                        -1ull << 31, 1,          INT64_MAX};
    static const uint64_t awkward[] = {
        INT32_MAX,
        1ull << 31,
        UINT32_MAX,
        1ull << 32,
        0x80,
        0x7fff,
        0x8000,
        0xff,
        63,
        64,
        31,
        32,
        0x5555,
        0xff00ff00,
        1ull << 53 | 1,
        (1u << 24) | 1,
        -2ull,
        0x8080808080808080,
    };
    switch (random_below(r, 6)) {
    case 0:
    case 1:
        return extremes[random_below(r, COUNT(extremes))];
    case 2:
        return awkward[random_below(r, COUNT(awkward))];
    case 3: /* next to a power of two */
        return (1ull << random_below(r, 64)) + random_below(r, 3) - 1;
    case 4:
        return random_bits(r) >> random_below(r, 64);
    default:
        return random_bits(r);
    }
}

/* A NaN with a payload, quiet or signalling. */
static uint32_t single_nan(struct random *r)
{
    uint32_t payload = (uint32_t)random_bits(r) >> (9 + random_below(r, 23));
    return 0x7f800000u | (random_once_in(r, 2) ? 0x400000u : 0) |
           (payload ? payload : 1);
}

/* Special values, limits of conversions, numbers near 1, NaNs, subnormal
 * numbers, and those with few bits, whose products and sums are often exact. */
uint32_t value_single(struct random *r)
{
    static const uint32_t awkward[] = {
        0x00000000, 0x3f800000, 0x40000000, 0x7f800000, 0x7fc00000, 0x7f800001,
        0x7fffffff, 0x00000001, 0x007fffff, 0x00800000, 0x00800001, 0x7f7fffff,
        0x4f000000, 0x4effffff, 0x4f800000, 0x5f000000, 0x5f800000, 0x3f000000,
        0x3fc00000, 0x4b000000, 0x4b7fffff, 0x33800000, 0x34000000, 0x1f800000,
        0x20000000, 0x00000003, 0x3effffff, 0x3f7fffff, 0x40490fdb, 0x3eaaaaab,
        0x4f7fffff, 0x5effffff, 0x5f7fffff, 0x3f000001, 0x40200000, 0x7f000000,
    };
    uint32_t bits = (uint32_t)random_bits(r), value = bits & ~SIGN32;
    switch (random_below(r, 8)) {
    case 0:
    case 1:
    case 2:
        value = awkward[random_below(r, COUNT(awkward))];
        break;
    case 3: /* near 1 */
        value = 0x3f000000 + (bits & 0x01ffffff);
        break;
    case 4:
        value = single_nan(r);
        break;
    case 5: /* subnormal, or a little more */
        value = (bits & 0x00ffffff) >> random_below(r, 24);
        break;
    case 6: /* few bits of mantissa */
        value &= 0x7f800000 | 0x7fffffu << (10 + random_below(r, 13));
        break;
    }
    return value | (random_once_in(r, 2) ? SIGN32 : 0);
}

static uint64_t double_nan(struct random *r)
{
    uint64_t payload = random_bits(r) >> (12 + random_below(r, 52));
    return 0x7ff0000000000000u | (random_once_in(r, 2) ? 0x8000000000000u : 0) |
           (payload ? payload : 1);
}

uint64_t value_double(struct random *r)
{
    static const uint64_t awkward[] = {
        0x0000000000000000, 0x3ff0000000000000, 0x7ff0000000000000,
        0x7ff8000000000000, 0x7ff0000000000001, 0x0000000000000001,
        0x000fffffffffffff, 0x0010000000000000, 0x0010000000000001,
        0x7fefffffffffffff, 0x41e0000000000000, 0x41dfffffffc00000,
        0x43e0000000000000, 0x43efffffffffffff, 0x43f0000000000000,
        0x3fe0000000000000, 0x3ff8000000000000, 0x47efffffe0000000,
        0x47effffff0000000, 0x380fffffffffffff, 0x3690000000000000,
        0x36a0000000000000, 0x3ff0000010000000, 0x3ff0000030000000,
        0x1ff0000000000000, 0x3cb0000000000000, 0x3fd5555555555555,
        0x7fe0000000000000, 0x4330000000000000, 0x433fffffffffffff,
        0x41efffffffe00000, 0x43dfffffffffffff, 0x3fdfffffffffffff,
    };
    uint64_t bits = random_bits(r), value = bits & ~SIGN64;
    switch (random_below(r, 8)) {
    case 0:
    case 1:
    case 2:
        value = awkward[random_below(r, COUNT(awkward))];
        break;
    case 3:
        value = 0x3fe0000000000000 + (bits & 0x003fffffffffffff);
        break;
    case 4:
        value = double_nan(r);
        break;
    case 5:
        value = (bits & 0x001fffffffffffff) >> random_below(r, 53);
        break;
    case 6:
        value &= 0x7ff0000000000000u | 0xfffffffffffffu
                                           << (20 + random_below(r, 32));
        break;
    }
    return value | (random_once_in(r, 2) ? SIGN64 : 0);
}

/* A single in an f register of 64 bits. The upper half must be all ones; now
 * and then it is not, and the value must count as a NaN. */
static uint64_t box(struct random *r, uint32_t single)
{
    const uint64_t right = UINT32_MAX;
    uint64_t upper[] = {right, 0, right - 1, right >> 1, random_bits(r)};
    unsigned which = random_once_in(r, 16) ? random_below(r, COUNT(upper)) : 0;
    return upper[which] << 32 | single;
}

uint64_t value_boxed(struct random *r)
{
    return box(r, value_single(r));
}

uint64_t value_float(struct random *r)
{
    return random_once_in(r, 2) ? value_boxed(r) : value_double(r);
}

/* ---- operands that are awkward together ---- */

/* The format of a source, and the numbers that limit it. */
struct format {
    bool single;
    int mantissa, least, most; /* bits, exponents of normal numbers */
};

static const struct format formats[] = {{false, 53, -1022, 1023},
                                        {true, 24, -126, 127}};

/* Rounds to the format: the host's conversion, to nearest. */
static uint64_t encode(struct random *r, const struct format *f, double value)
{
    if (f->single) {
        uint32_t bits;
        float narrow = (float)value;
        memcpy(&bits, &narrow, sizeof bits);
        return box(r, bits);
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/*
 * The value of bits in the format; the upper half of a single is not looked at.
 */
static double decode(const struct format *f, uint64_t bits)
{
    if (f->single) {
        float narrow;
        memcpy(&narrow, &bits, sizeof narrow);
        return (double)narrow;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ilogb, and 0 where that is no sensible number. */
static int exponent_of(double value)
{
    return isfinite(value) && value != 0 ? ilogb(value) : 0;
}

/* A number of the format a few units in the last place from this one. */
static uint64_t nearby(struct random *r, uint64_t bits)
{
    return bits + random_below(r, 5) - 2;
}

/* An odd integer of `width` bits times a power of two. */
static double short_number(struct random *r, unsigned width, int exponent)
{
    uint64_t digits =
        (random_bits(r) >> (64 - width)) | 1 | 1ull << (width - 1);
    return random_sign(r) * ldexp((double)digits, exponent - (int)width + 1);
}

/* From -20 to 20: results stay in range. */
static int moderate_exponent(struct random *r)
{
    return (int)random_below(r, 41) - 20;
}

/* Cancels, or is shifted to about the last place of the other, or far below. */
static void operands_of_add(struct random *r, const struct format *f,
                            uint64_t v[3])
{
    double a = short_number(r, 1 + random_below(r, (unsigned)f->mantissa),
                            moderate_exponent(r));
    v[0] = encode(r, f, a);
    if (random_once_in(r, 3)) {
        v[1] = nearby(r, encode(r, f, -a));
        return;
    }
    int shift = f->mantissa - 2 + (int)random_below(r, 5);
    v[1] =
        encode(r, f, short_number(r, 1 + random_below(r, 3), ilogb(a) - shift));
}

/*
 * Just below or above a power of two, closer than the format can tell: is a
 * result next to the smallest normal number tiny, is one next to the greatest
 * too great?
 */
static void operands_of_edge(struct random *r, const struct format *f,
                             uint64_t v[3])
{
    int edge = random_once_in(r, 2) ? f->least : f->most + 1;
    int first = edge / 2 + moderate_exponent(r) / 4;
    double a = 1 + ldexp((double)(random_bits(r) >> 12), -52);
    if (random_once_in(r, 2))
        a = 1 + random_sign(r) * ldexp(1, -(int)random_below(r, 53));
    v[0] = encode(r, f, random_sign(r) * ldexp(a, first));
    a = decode(f, encode(r, f, a));
    v[1] = nearby(r, encode(r, f, ldexp(1 / a, edge - first)));
}

/* Mantissas whose product is one or two bits too long; exponents anywhere. */
static void operands_of_multiply(struct random *r, const struct format *f,
                                 uint64_t v[3])
{
    if (random_once_in(r, 4)) {
        operands_of_edge(r, f, v);
        return;
    }
    unsigned width = 1 + random_below(r, (unsigned)f->mantissa);
    unsigned other = (unsigned)f->mantissa - width + random_below(r, 4);
    int edges[] = {0, f->least - 1, f->least - f->mantissa, f->most};
    int sum =
        edges[random_below(r, COUNT(edges))] + (int)random_below(r, 4) - 1;
    int first = sum / 2 + moderate_exponent(r) / 4;
    if (other < 1 || other > (unsigned)f->mantissa)
        other = (unsigned)f->mantissa;
    v[0] = encode(r, f, short_number(r, width, first));
    v[1] = encode(r, f, short_number(r, other, sum - first));
}

/* A product, now and then one unit off, and one of its factors. */
static void operands_of_divide(struct random *r, const struct format *f,
                               uint64_t v[3])
{
    operands_of_multiply(r, f, v);
    double product = decode(f, v[0]) * decode(f, v[1]);
    v[0] = encode(r, f, product);
    if (random_once_in(r, 2))
        v[0] = nearby(r, v[0]);
}

/* Next to squares, whose roots are exact or halfway between two numbers. */
static void operands_of_root(struct random *r, const struct format *f,
                             uint64_t v[3])
{
    double root = short_number(
        r, 1 + random_below(r, (unsigned)f->mantissa / 2),
        random_once_in(r, 2) ? moderate_exponent(r) : f->least / 2);
    v[0] = nearby(r, encode(r, f, random_once_in(r, 8) ? root : root * root));
}

/* The third cancels the product, or is far below it, or far above it. */
static void operands_of_fma(struct random *r, const struct format *f,
                            uint64_t v[3])
{
    operands_of_multiply(r, f, v);
    double product = decode(f, v[0]) * decode(f, v[1]);
    int shift = (int)random_below(r, 2 * (unsigned)f->mantissa + 4) - 2;
    switch (random_below(r, 5)) {
    case 0:
        v[2] = encode(r, f, random_sign(r) * 0.0);
        break;
    case 1:
    case 2:
        v[2] = nearby(r, encode(r, f, random_sign(r) * product));
        break;
    case 3:
        v[2] = encode(r, f,
                      random_sign(r) * ldexp(1, exponent_of(product) - shift));
        break;
    default:
        v[2] = encode(r, f,
                      random_sign(r) * ldexp(1, exponent_of(product) + shift));
    }
}

/* The limits of the four integer types, halves, and small numbers. */
static void operands_of_to_integer(struct random *r, const struct format *f,
                                   uint64_t v[3])
{
    static const double limits[] = {0, 0, 1, 2, 0x1p31, 0x1p32, 0x1p63, 0x1p64};
    static const double steps[] = {0, 0.25, 0.5, 0.75, 1, 1.5, 2, 0x1p-30};
    double limit = random_sign(r) * limits[random_below(r, COUNT(limits))];
    double value =
        limit + random_sign(r) * steps[random_below(r, COUNT(steps))];
    v[0] = encode(r, f, value);
    if (fabs(limit) > 2 && random_once_in(r, 2))
        v[0] = nearby(r, encode(r, f, limit));
}

/* A long integer with few bits below those that fit. */
static void operands_of_from_integer(struct random *r, uint64_t v[3])
{
    unsigned width = 20 + random_below(r, random_once_in(r, 2) ? 13 : 45);
    uint64_t digits = random_bits(r) >> (64 - width);
    unsigned cut = random_once_in(r, 2) ? 0 : random_below(r, width);
    digits &= ~0ull << cut;
    if (cut && random_once_in(r, 2))
        digits |= 1ull << (cut - 1);
    v[0] = random_once_in(r, 2) ? digits : -digits;
}

/* Singles of all sizes and some quarters of their last place. */
static void operands_of_narrow(struct random *r, uint64_t v[3])
{
    static const uint32_t edges[] = {0x00800000, 0x007fffff, 0x00800001,
                                     0x7f7fffff, 0x00000001, 0};
    uint32_t bits = random_once_in(r, 3) ? edges[random_below(r, COUNT(edges))]
                                         : value_single(r);
    double value = decode(&formats[1], bits);
    uint64_t wide = encode(r, &formats[0], value);
    int exponent = exponent_of(value);
    unsigned dropped = exponent < -126 ? 29 + (unsigned)(-126 - exponent) : 29;
    if (dropped < 53)
        wide += ((uint64_t)random_below(r, 9) - 4) << (dropped - 2);
    v[0] = random_once_in(r, 2) ? nearby(r, wide) : wide;
}

/* Equal, of opposite signs, next to each other, zeros, NaNs. */
static void operands_of_comparison(struct random *r, const struct format *f,
                                   uint64_t v[3])
{
    uint64_t sign = f->single ? SIGN32 : SIGN64;
    v[0] = f->single ? value_boxed(r) : value_double(r);
    v[1] = random_once_in(r, 2) ? nearby(r, v[0]) : v[0];
    if (random_once_in(r, 2))
        v[1] ^= sign;
    if (random_once_in(r, 4))
        v[random_below(r, 2)] =
            f->single ? 0xffffffffull << 32 | single_nan(r) : double_nan(r);
}

/* By the letters of the operands: to integer, from integer, narrower, wider. */
static void operands_of_conversion(struct random *r, const struct isa_row *row,
                                   const struct format *f, uint64_t v[3])
{
    if (row->operands[0] == 'd')
        operands_of_to_integer(r, f, v);
    else if (row->operands[2] == 's')
        operands_of_from_integer(r, v);
    else if (row == &isa_rows[OP_fcvt_s_d])
        operands_of_narrow(r, v);
    else
        v[0] = value_boxed(r);
}

/* Infinities, zeros, NaNs, and little else. */
static void operands_of_specials(struct random *r, const struct format *f,
                                 uint64_t v[3])
{
    static const double specials[] = {0, 0, INFINITY, INFINITY, 1, -1};
    for (int i = 0; i < 3; i++) {
        v[i] = encode(
            r, f, random_sign(r) * specials[random_below(r, COUNT(specials))]);
        if (random_once_in(r, 4))
            v[i] = f->single ? box(r, single_nan(r)) : double_nan(r);
    }
}

void value_operands(struct random *r, unsigned number, uint64_t v[3])
{
    const struct isa_row *row = &isa_rows[number];
    /* Bits 26 and 25 are the format: that of the result of fcvt.s.d. */
    const struct format *f = &formats[!(row->match >> 25 & 3)];
    for (int i = 0; i < 3; i++)
        v[i] = f->single ? value_boxed(r) : value_double(r);
    if (row->cls != ISA_CLASS_fcvt && random_once_in(r, 8)) {
        operands_of_specials(r, f, v);
        return;
    }
    switch (row->cls) {
    case ISA_CLASS_fadd:
        operands_of_add(r, f, v);
        break;
    case ISA_CLASS_fmul:
        operands_of_multiply(r, f, v);
        break;
    case ISA_CLASS_fdiv:
        operands_of_divide(r, f, v);
        break;
    case ISA_CLASS_fsqrt:
        operands_of_root(r, f, v);
        break;
    case ISA_CLASS_fma:
        operands_of_fma(r, f, v);
        break;
    case ISA_CLASS_fcvt:
        operands_of_conversion(r, row, f, v);
        break;
    case ISA_CLASS_fcmp:
        operands_of_comparison(r, f, v);
        break;
    }
}
