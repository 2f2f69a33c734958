/*
 * powf: 2 to the power of y log2 x, in integers, which are quick on every
 * target; where double is software, powf by way of double would take thousands
 * of instructions. Newlib's own errs by 1,100 units of the last place.
 *
 * The steps are those of Tang, "Table-driven implementation of the logarithm
 * function in IEEE floating-point arithmetic", 1990, and "Table-driven
 * implementation of the exponential function", 1989: x = 2^k z, z is
 * multiplied by a number c near to 1/z, and log2 x = k - log2 c + log2(cz).
 * Numbers are fixed-point, with 62 bits behind the point unless they say else.
 * log2 x has an error of 2^-38 of itself, so the exponent, which is below 160,
 * one of 2^-30, and the result less than 0.52 units of the last place.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

float __ieee754_powf(float x, float y);

/* c with 16 bits behind the point, and -log2 c, for the 32 parts of z's range;
 * the part that holds 1 has c = 1, so that log2 x is exact to its last bits. */
static const struct {
    uint32_t c;
    int64_t log;
} parts[32] = {
    {0x16a14, -0x20029361733f9663}, {0x16240, -0x1dfdefb29cf0ae1b},
    {0x15ac0, -0x1c04214498b5de91}, {0x15391, -0x1a154c4b133e8f2d},
    {0x14cac, -0x18306ebf51cae413}, {0x1460d, -0x16553e673587aec1},
    {0x13fb0, -0x1483602143d02139}, {0x13992, -0x12bab2cbe9e61e8f},
    {0x133ae, -0x10fa6f94f9a0fa02}, {0x12e02, -0x0f42a27ca7bd3a8f},
    {0x1288b, -0x0d9300c8698bdfee}, {0x12345, -0x0beae17920846c4f},
    {0x11e2f, -0x0a4a8029849f2bbb}, {0x11945, -0x08b11a33ccb38a93},
    {0x11486, -0x071ed9af83b73a2f}, {0x10fef, -0x0593383eac7e92d4},
    {0x10b7e, -0x040df983ac77d145}, {0x10732, -0x028f322723d7fb8e},
    {0x10309, -0x0116986125fe7ebc}, {0x10000, 0x0000000000000000},
    {0x0f660, 0x0389d66c6b9d40c9},  {0x0ef2f, 0x06460c39a6d2b42f},
    {0x0e866, 0x08ee479d19eaacc6},  {0x0e1fc, 0x0b83d277bc3fc375},
    {0x0dbeb, 0x0e070484dcfad7d2},  {0x0d62c, 0x1078d40936e63c7e},
    {0x0d0b7, 0x12dae66d1bc726f0},  {0x0cb87, 0x152dd004ee209551},
    {0x0c698, 0x1771d87fd102b156},  {0x0c1e5, 0x19a7e1c33771a33c},
    {0x0bd69, 0x1bd0fad93872401b},  {0x0b921, 0x1ded61bb894c5aa6},
};

/* (-1)^n / ((n + 1) ln 2): with 61 bits behind the point */
static const int64_t log_terms[] = {
    0x2e2a8eca5705fc2f,  -0x171547652b82fe17, 0x0f6384ee1d01feba,
    -0x0b8aa3b295c17f0c, 0x093bb62877cdff3d,  -0x07b1c2770e80ff5d,
    0x06985d8a9eb7b650,  -0x05c551d94ae0bf86,
};

/* 2^(i/32) */
static const int64_t powers[32] = {
    0x4000000000000000, 0x4166c34c5615d0ec, 0x42d561b3e6243d8a,
    0x444c0740496d4294, 0x45cae0f1f545eb73, 0x47521cc5a2e6a9e0,
    0x48e1e9b9d588e19b, 0x4a7a77d47f7b84b1, 0x4c1bf828c6dc54b8,
    0x4dc69cdceaa72a9c, 0x4f7a993048d088d7, 0x513821818624b40c,
    0x52ff6b54d8a89c75, 0x54d0ad5a753e077c, 0x56ac1f752150a563,
    0x5891fac0e95612c8, 0x5a827999fcef3242, 0x5c7dd7a3b17dcf75,
    0x5e8451cfac061b5f, 0x6096266533384a2b, 0x62b39508aa836d6f,
    0x64dcdec3371793d1, 0x6712460a8fc24072, 0x69540ec8f895722d,
    0x6ba27e656b4eb57a, 0x6dfddbcbed791bab, 0x70666f76154a7089,
    0x72dc8373be41a454, 0x75606373ee921c97, 0x77f25ccdee6d7ae6,
    0x7a92be8a92436616, 0x7d41d96db915019d,
};

/* ln(2)^n / n! */
static const int64_t power_terms[] = {
    0x2c5c85fdf473de6b, 0x0f5fdeffc162c754, 0x038d611ae09417f1,
    0x009d955b7dd273b9, 0x0015d87fe78a6731,
};

static const volatile float tiny = 0x1p-126f; /* products underflow */

static uint32_t word_of(float x)
{
    uint32_t word;

    memcpy(&word, &x, sizeof word);
    return word;
}

static float float_of(uint32_t word)
{
    float x;

    memcpy(&x, &word, sizeof x);
    return x;
}

/* The upper half of a product, rounded down. */
static int64_t upper(int64_t a, int64_t b)
{
#ifdef __SIZEOF_INT128__
    return (int64_t)(((__int128)a * b) >> 64);
#else
    int64_t ah = a >> 32, bh = b >> 32;
    uint64_t al = (uint32_t)a, bl = (uint32_t)b;
    int64_t middle = ah * (int64_t)bl + (int64_t)((al * bl) >> 32);

    return ah * bh + (middle >> 32) +
           ((int64_t)((uint32_t)middle) + (int64_t)al * bh >> 32);
#endif
}

/* a product of two numbers, one of them with 62 bits behind the point */
static int64_t product(int64_t a, int64_t b)
{
    return upper(a, b) * 4;
}

/* log2 of a positive number of this word; *point bits are behind its point. */
static int64_t log2_of(uint32_t word, int *point)
{
    uint32_t from = 0x3f330000, z;
    int64_t r, sum = 0, log;
    int k, part;

    k = (int32_t)(word - from) >> 23;
    part = (int)((word - from) >> 18 & 31);
    z = word - ((uint32_t)k << 23); /* in [0.699, 1.398) */
    z = z < 0x3f800000 ? (z & 0x7fffff) | 0x800000
                       : ((z & 0x7fffff) | 0x800000) << 1;
    r = ((int64_t)((uint64_t)z * parts[part].c) - ((int64_t)1 << 40)) << 22;
    for (int n = 7; n >= 0; n--)
        sum = product(sum, r) + log_terms[n];
    log = parts[part].log + upper(r, sum) * 8;
    *point = k == 0 ? 62 : 54;
    return k == 0 ? log : ((int64_t)k << 54) + (log >> 8);
}

/* 2^e, where e has 40 bits behind the point and is within -200 and 200. */
static float power_of_two(int64_t e, uint32_t sign)
{
    int k = (int)(e >> 40), lost = 39;
    int64_t rest = (e & (((int64_t)1 << 35) - 1)) << 22, sum = 0, m;
    uint64_t rounded;

    for (int n = 4; n >= 0; n--)
        sum = product(sum, rest) + power_terms[n];
    m = powers[e >> 35 & 31];
    m += product(m, product(sum, rest)); /* in [1, 2) */
    if (k > 127)
        return float_of(sign | 0x7f000000) * 0x1p127f;
    if (k < -150)
        return float_of(sign | 0x800000) * tiny;
    if (k < -126)
        lost += -126 - k;
    rounded = (uint64_t)m >> lost;
    m &= ((int64_t)1 << lost) - 1;
    if (m > (int64_t)1 << (lost - 1) ||
        (m == (int64_t)1 << (lost - 1) && (rounded & 1)))
        rounded++;
    if (k >= -126) /* the bit before the point adds 1 to the exponent */
        return float_of(sign |
                        (((uint32_t)(k + 126) << 23) + (uint32_t)rounded));
    return float_of(sign | (uint32_t)rounded);
}

/* 0 for no integer, 1 for an odd one, 2 for an even one */
static int parity(uint32_t word)
{
    int e = (int)(word >> 23 & 255) - 127;

    if (e < 0)
        return 0;
    if (e > 23)
        return 2;
    if (word & ((1u << (23 - e)) - 1))
        return 0;
    return (word | 0x800000) >> (23 - e) & 1 ? 1 : 2;
}

/* x is a zero, an infinity or 1, or y an infinity; none is a NaN. */
static float special(float x, float y, uint32_t sign)
{
    float size = fabsf(x);

    if (size == 1)
        return float_of(sign | 0x3f800000);
    if (isinf(y))
        return (size > 1) == (y > 0) ? INFINITY : 0;
    if ((size == 0) == (y > 0))
        return float_of(sign);
    if (size == 0)
        return 1 / float_of(sign);
    return float_of(sign | 0x7f800000);
}

/* x is positive, finite and not 1, y finite and not 0. */
static float power(float x, float y, uint32_t sign)
{
    uint32_t word = word_of(x), y_word = word_of(y);
    int point, e = (int)(y_word >> 23 & 255);
    int64_t log, m = y_word & 0x7fffff;

    if (word < 0x800000)
        word = word_of(x * 0x1p23f) - (23u << 23);
    log = log2_of(word, &point);
    if (e == 0)
        return float_of(sign | 0x3f800000); /* y log2 x is below 2^-118 */
    m = upper((m | 0x800000) << 39, log);   /* y log2 x, but for a power of 2 */
    if (y_word >> 31)
        m = -m;
    point -= e - 150 + 25 + 40; /* what m is to be shifted by */
    if (point > 63)
        return float_of(sign | 0x3f800000);
    if (point >= 0)
        m >>= point;
    else if (point < -40 || m > (int64_t)200 << 40 >> -point ||
             m < -((int64_t)200 << 40 >> -point))
        m = m < 0 ? -((int64_t)200 << 40) : (int64_t)200 << 40;
    else
        m *= (int64_t)1 << -point;
    if (m > (int64_t)199 << 40 || m < -((int64_t)199 << 40))
        m = m < 0 ? -((int64_t)199 << 40) : (int64_t)199 << 40;
    return power_of_two(m, sign);
}

float __ieee754_powf(float x, float y)
{
    uint32_t sign = 0;

    if (y == 0 || x == 1)
        return 1;
    if (isnan(x) || isnan(y))
        return x + y;
    if (signbit(x)) {
        int kind = parity(word_of(y));
        if (kind == 0 && x != 0 && isfinite(x))
            return (x - x) / (x - x);
        sign = kind == 1 ? 0x80000000 : 0;
    }
    if (x == 0 || isinf(x) || isinf(y) || x == -1)
        return special(x, y, sign);
    return power(fabsf(x), y, sign);
}
