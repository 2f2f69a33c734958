/*
 * Floating point with integers: a finite number is (-1)^negative *
 * significand * 2^exponent; results are computed exactly, or to far more bits
 * than the format holds with the last bit standing for everything below, and
 * rounded once, in round_to().
 */
#include "sim/isa/fp.h"

__extension__ typedef unsigned __int128 uint128;

/* What a value is, whatever its format. Subnormal numbers are FINITE, too. */
enum kind { ZERO, FINITE, INFINITE, NOT_A_NUMBER };

/* A value taken apart. exponent and significand have a meaning only if it is
 * FINITE; signalling only if it is NOT_A_NUMBER. */
struct number {
    enum kind kind;
    bool negative, signalling;
    int exponent;
    uint128 significand; /* not 0 if FINITE */
};

/* Position of the highest bit that is 1, from 1 on; 0 for 0. */
static int bit_length(uint128 v)
{
    uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;
    if (high)
        return 128 - __builtin_clzll(high);
    return low ? 64 - __builtin_clzll(low) : 0;
}

/* Exponent of the last bit of a subnormal number, the least that the format
 * has: 2 to this power is its smallest number. */
static int exponent_of_last_bit(struct fp_format f)
{
    return 1 - f.bias - f.fraction;
}

/* The greatest exponent, no fraction. negative lands in the bit above the
 * exponent. */
static uint64_t pack_infinity(struct fp_format f, bool negative)
{
    uint64_t exponent = 2 * (uint64_t)f.bias + 1;
    return (exponent | (uint64_t)negative * (exponent + 1)) << f.fraction;
}

static uint64_t pack_zero(struct fp_format f, bool negative)
{
    return (uint64_t)negative * 2 * ((uint64_t)f.bias + 1) << f.fraction;
}

/*
 * The only NaN that operations return: positive, quiet, no payload
 * (unprivileged manual, chapter "F", section "NaN Generation and Propagation").
 */
static uint64_t canonical_nan(struct fp_format f)
{
    return pack_infinity(f, false) | 1ull << (f.fraction - 1);
}

/* The result of an operation that has none. */
static uint64_t invalid(struct fp_format f, uint8_t *flags)
{
    *flags |= FP_NV;
    return canonical_nan(f);
}

/*
 * Bits to a number. A NaN is signalling if the highest bit of its fraction is
 * 0. The highest bit of the significand is not stored: it is 1 unless the
 * exponent is 0.
 */
static struct number unpack(struct fp_format f, uint64_t a)
{
    uint64_t greatest = 2 * (uint64_t)f.bias + 1;
    uint64_t fraction = a & ((1ull << f.fraction) - 1);
    uint64_t exponent = a >> f.fraction & greatest;
    struct number n = {.negative = a >> f.fraction >> bit_length(greatest) & 1};
    if (exponent == greatest) {
        n.kind = fraction ? NOT_A_NUMBER : INFINITE;
        n.signalling = fraction && !(fraction >> (f.fraction - 1));
    } else if (exponent | fraction) {
        n.kind = FINITE;
        n.significand = fraction | (uint64_t)(exponent > 0) << f.fraction;
        n.exponent =
            exponent_of_last_bit(f) + (exponent ? (int)exponent - 1 : 0);
    }
    return n;
}

/* Is |value| with the discarded part rest (half = a half) rounded up? */
static bool rounds_up(unsigned rm, bool negative, bool odd, uint128 rest,
                      uint128 half)
{
    switch (rm) {
    case FP_RNE:
        return rest > half || (rest == half && odd);
    case FP_RMM:
        return rest >= half;
    case FP_RDN:
        return negative && rest;
    case FP_RUP:
        return !negative && rest;
    default:
        return false;
    }
}

/*
 * v / 2^shift rounded to an integer. All bits of v are exact, or its last one
 * is 1 for a value just above v - 1 and below v + 1.
 */
static uint128 round_shift(uint128 v, int shift, unsigned rm, bool negative,
                           bool *inexact)
{
    *inexact = false;
    if (shift <= 0)
        return v << -shift;
    if (shift > 127) { /* far below half of the last place */
        v = v != 0;
        shift = 2;
    }
    uint128 rest = v & (((uint128)1 << shift) - 1);
    uint128 kept = v >> shift;
    *inexact = rest != 0;
    return kept +
           rounds_up(rm, negative, kept & 1, rest, (uint128)1 << (shift - 1));
}

/* What stands for a number that is too great: infinity, or the greatest number,
 * which is next to it, if the mode rounds towards 0. */
static uint64_t overflow(struct fp_format f, uint8_t *flags, unsigned rm,
                         bool negative)
{
    *flags |= FP_OF | FP_NX;
    bool to_infinity =
        rm == FP_RNE || rm == FP_RMM || rm == (negative ? FP_RDN : FP_RUP);
    return pack_infinity(f, negative) - !to_infinity;
}

/*
 * Does a number that was rounded count as tiny? RISC-V detects tininess after
 * rounding: with the format's precision, but an exponent without limit. Only a
 * number just below the smallest normal one depends on that. top: exponent of
 * its first bit.
 */
static bool is_tiny(struct fp_format f, const struct number *n, int top,
                    unsigned rm)
{
    bool inexact;
    if (top != -f.bias)
        return top < 1 - f.bias;
    int shift = bit_length(n->significand) - 1 - f.fraction;
    uint128 kept =
        round_shift(n->significand, shift, rm, n->negative, &inexact);
    return bit_length(kept) == f.fraction + 1;
}

/* The one place where results are rounded, by the mode rm, and flags are
 * raised. The number is finite and not 0. */
static uint64_t round_to(struct fp_format f, uint8_t *flags, unsigned rm,
                         const struct number *n)
{
    int top = n->exponent + bit_length(n->significand) - 1;
    int last = top - f.fraction; /* exponent of the result's last bit */
    if (last < exponent_of_last_bit(f))
        last = exponent_of_last_bit(f);
    bool inexact;
    uint128 kept = round_shift(n->significand, last - n->exponent, rm,
                               n->negative, &inexact);
    /* A carry into the next binade moves into the exponent field by itself. */
    if (last + bit_length(kept) - 1 > f.bias)
        return overflow(f, flags, rm, n->negative);
    if (inexact)
        *flags |= is_tiny(f, n, top, rm) ? FP_NX | FP_UF : FP_NX;
    uint64_t exponent = (uint64_t)(last - exponent_of_last_bit(f));
    return pack_zero(f, n->negative) + (exponent << f.fraction) +
           (uint64_t)kept;
}

/* Shifts the top bit of the significand to bit position. */
static void normalise(struct number *n, int position)
{
    int shift = position + 1 - bit_length(n->significand);
    n->significand <<= shift;
    n->exponent -= shift;
}

/* Bits that are shifted out are not lost: the last bit becomes 1 if one of them
 * was. */
static uint128 shift_right_sticky(uint128 v, int shift)
{
    if (shift > 127)
        return v != 0;
    return v >> shift | ((v & (((uint128)1 << shift) - 1)) != 0);
}

/*
 * Sum of two finite numbers to 126 bits. Two low bits are free beforehand, so
 * that the sticky bit is only needed when cancellation is at most one bit.
 */
static struct number add_finite(struct number a, struct number b)
{
    normalise(&a, 125);
    normalise(&b, 125);
    if (a.exponent < b.exponent ||
        (a.exponent == b.exponent && a.significand < b.significand)) {
        struct number swap = a;
        a = b;
        b = swap;
    }
    b.significand = shift_right_sticky(b.significand, a.exponent - b.exponent);
    a.significand = a.negative == b.negative ? a.significand + b.significand
                                             : a.significand - b.significand;
    a.kind = a.significand ? FINITE : ZERO;
    return a;
}

/* The sign of a sum that is 0: that of the operands if they agree, else
 * positive but for rounding downwards (IEEE 754, 6.3). */
static uint64_t exact_zero_sum(struct fp_format f, unsigned rm, bool a_negative,
                               bool b_negative)
{
    return pack_zero(f, a_negative == b_negative ? a_negative : rm == FP_RDN);
}

/* Sum of two numbers that are not NaN. */
static uint64_t add_numbers(struct fp_format f, uint8_t *flags, unsigned rm,
                            struct number a, struct number b)
{
    if (a.kind == INFINITE && b.kind == INFINITE && a.negative != b.negative)
        return invalid(f, flags);
    if (a.kind == INFINITE)
        return pack_infinity(f, a.negative);
    if (b.kind == INFINITE)
        return pack_infinity(f, b.negative);
    if (a.kind == ZERO && b.kind == ZERO)
        return exact_zero_sum(f, rm, a.negative, b.negative);
    struct number sum = a.kind == ZERO   ? b
                        : b.kind == ZERO ? a
                                         : add_finite(a, b);
    if (sum.kind == ZERO)
        return exact_zero_sum(f, rm, a.negative, b.negative);
    return round_to(f, flags, rm, &sum);
}

uint64_t fp_fma(struct fp_format f, uint8_t *flags, unsigned rm, uint64_t a,
                uint64_t b, uint64_t c)
{
    struct number x = unpack(f, a), y = unpack(f, b), z = unpack(f, c);
    /* Infinity times zero is invalid whatever the addend (manual, 11.6). */
    bool undefined = (x.kind == INFINITE && y.kind == ZERO) ||
                     (x.kind == ZERO && y.kind == INFINITE);
    if (undefined || x.signalling || y.signalling || z.signalling)
        return invalid(f, flags);
    if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER ||
        z.kind == NOT_A_NUMBER)
        return canonical_nan(f);
    struct number product = {
        .kind = x.kind == INFINITE || y.kind == INFINITE ? INFINITE
                : x.kind == ZERO || y.kind == ZERO       ? ZERO
                                                         : FINITE,
        .negative = x.negative != y.negative,
        .exponent = x.exponent + y.exponent,
        .significand = x.significand * y.significand,
    };
    return add_numbers(f, flags, rm, product, z);
}

/* pack_zero with a sign is the sign bit alone. */
static bool is_zero(struct fp_format f, uint64_t a)
{
    return (a & ~pack_zero(f, true)) == 0;
}

/* Without their signs, finite numbers are those below infinity, as bits. */
static bool is_finite(struct fp_format f, uint64_t a)
{
    return (a & ~pack_zero(f, true)) < pack_infinity(f, false);
}

uint64_t fp_add(struct fp_format f, uint8_t *flags, unsigned rm, uint64_t a,
                uint64_t b)
{
    /* Common, and exact in every rounding: x + 0. */
    if (is_zero(f, b) && is_finite(f, a) && !is_zero(f, a))
        return a;
    if (is_zero(f, a) && is_finite(f, b) && !is_zero(f, b))
        return b;
    /* A sum is a fused multiply-add by 1: its product is exact. */
    uint64_t one = (uint64_t)f.bias << f.fraction;
    return fp_fma(f, flags, rm, a, one, b);
}

uint64_t fp_mul(struct fp_format f, uint8_t *flags, unsigned rm, uint64_t a,
                uint64_t b)
{
    uint64_t zero = (a ^ b) & pack_zero(f, true); /* of the product's sign */
    if ((is_zero(f, a) && is_finite(f, b)) ||
        (is_zero(f, b) && is_finite(f, a)))
        return zero;
    /* Adding a zero of its own sign does not change the product. */
    return fp_fma(f, flags, rm, a, b, zero);
}

/* The quotient to at least 65 bits, its last one sticky: more than double
 * precision needs, two for rounding included. */
static struct number divide_finite(struct number a, struct number b)
{
    normalise(&a, 127);
    normalise(&b, 62);
    uint128 quotient = a.significand / b.significand;
    bool sticky = a.significand % b.significand != 0;
    return (struct number){
        .kind = FINITE,
        .negative = a.negative != b.negative,
        .exponent = a.exponent - b.exponent,
        .significand = quotient | sticky,
    };
}

uint64_t fp_div(struct fp_format f, uint8_t *flags, unsigned rm, uint64_t a,
                uint64_t b)
{
    struct number x = unpack(f, a), y = unpack(f, b);
    bool negative = x.negative != y.negative;
    if (x.signalling || y.signalling)
        return invalid(f, flags);
    if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER)
        return canonical_nan(f);
    if (x.kind == y.kind && x.kind != FINITE)
        return invalid(f, flags);
    if (x.kind == ZERO || y.kind == INFINITE)
        return pack_zero(f, negative);
    if (y.kind == ZERO && x.kind == FINITE)
        *flags |= FP_DZ;
    if (x.kind == INFINITE || y.kind == ZERO)
        return pack_infinity(f, negative);
    struct number quotient = divide_finite(x, y);
    return round_to(f, flags, rm, &quotient);
}

/* Integer square root, one bit at a time; the last bit takes the remainder. */
static uint128 square_root_sticky(uint128 v)
{
    uint128 root = 0, rest = v;
    for (uint128 bit = (uint128)1 << 126; bit; bit >>= 2) {
        bool fits = rest >= root + bit;
        rest -= fits ? root + bit : 0;
        root = (root >> 1) + (fits ? bit : 0);
    }
    return root | (rest != 0);
}

/* The significand is moved so that the exponent is even: the root of an integer
 * of 127 or 128 bits has 64, its last one sticky. The root of -0 is -0. */
uint64_t fp_sqrt(struct fp_format f, uint8_t *flags, unsigned rm, uint64_t a)
{
    struct number n = unpack(f, a);
    if (n.signalling ||
        (n.negative && n.kind != ZERO && n.kind != NOT_A_NUMBER))
        return invalid(f, flags);
    if (n.kind == NOT_A_NUMBER)
        return canonical_nan(f);
    if (n.kind != FINITE)
        return a;
    normalise(&n, 126);
    if (n.exponent & 1)
        normalise(&n, 127);
    n.significand = square_root_sticky(n.significand);
    n.exponent /= 2;
    return round_to(f, flags, rm, &n);
}

/* To a wider format this is exact; a NaN loses its payload. */
uint64_t fp_convert(struct fp_format to, struct fp_format from, uint8_t *flags,
                    unsigned rm, uint64_t a)
{
    struct number n = unpack(from, a);
    if (n.signalling)
        return invalid(to, flags);
    if (n.kind == NOT_A_NUMBER)
        return canonical_nan(to);
    if (n.kind == INFINITE)
        return pack_infinity(to, n.negative);
    if (n.kind == ZERO)
        return pack_zero(to, n.negative);
    return round_to(to, flags, rm, &n);
}

uint64_t fp_from_integer(struct fp_format f, uint8_t *flags, unsigned rm,
                         bool negative, uint64_t magnitude)
{
    if (magnitude == 0)
        return 0;
    struct number n = {FINITE, negative, false, 0, magnitude};
    return round_to(f, flags, rm, &n);
}

/*
 * Magnitude of a rounded to an integer. False: NaN, infinite or 2^64 and more;
 * *negative is then false for NaN, which RISC-V converts to the upper limit.
 */
static bool integer_magnitude(struct fp_format f, unsigned rm, uint64_t a,
                              bool *negative, uint64_t *magnitude,
                              bool *inexact)
{
    struct number n = unpack(f, a);
    *negative = n.negative && n.kind != NOT_A_NUMBER;
    *inexact = false;
    *magnitude = 0;
    if (n.kind == ZERO)
        return true;
    if (n.kind != FINITE || n.exponent > 64)
        return false;
    uint128 rounded =
        round_shift(n.significand, -n.exponent, rm, n.negative, inexact);
    *magnitude = (uint64_t)rounded;
    return rounded >> 64 == 0;
}

int64_t fp_to_signed(struct fp_format f, uint8_t *flags, unsigned rm,
                     unsigned width, uint64_t a)
{
    bool negative, inexact;
    uint64_t magnitude, limit = 1ull << (width - 1);
    bool fits = integer_magnitude(f, rm, a, &negative, &magnitude, &inexact);
    if (!fits || magnitude > limit - !negative) {
        *flags |= FP_NV;
        return negative ? (int64_t)-limit : (int64_t)(limit - 1);
    }
    *flags |= inexact ? FP_NX : 0;
    return (int64_t)(negative ? -magnitude : magnitude);
}

uint64_t fp_to_unsigned(struct fp_format f, uint8_t *flags, unsigned rm,
                        unsigned width, uint64_t a)
{
    bool negative, inexact;
    uint64_t magnitude, limit = UINT64_MAX >> (64 - width);
    bool fits = integer_magnitude(f, rm, a, &negative, &magnitude, &inexact);
    if (!fits || magnitude > (negative ? 0 : limit)) {
        *flags |= FP_NV;
        return negative ? 0 : limit;
    }
    *flags |= inexact ? FP_NX : 0;
    return magnitude;
}

uint64_t fp_other_than_nan(struct fp_format f, uint8_t *flags, uint64_t a,
                           uint64_t b)
{
    struct number x = unpack(f, a), y = unpack(f, b);
    if (x.signalling || y.signalling)
        *flags |= FP_NV;
    if (x.kind != NOT_A_NUMBER)
        return a;
    return y.kind == NOT_A_NUMBER ? canonical_nan(f) : b;
}

unsigned fp_class(struct fp_format f, uint64_t a)
{
    struct number n = unpack(f, a);
    bool subnormal =
        n.kind == FINITE && bit_length(n.significand) <= f.fraction;
    switch (n.kind) {
    case NOT_A_NUMBER:
        return n.signalling ? 1 << 8 : 1 << 9;
    case INFINITE:
        return n.negative ? 1 << 0 : 1 << 7;
    case ZERO:
        return n.negative ? 1 << 3 : 1 << 4;
    default:
        if (subnormal)
            return n.negative ? 1 << 2 : 1 << 5;
        return n.negative ? 1 << 1 : 1 << 6;
    }
}
