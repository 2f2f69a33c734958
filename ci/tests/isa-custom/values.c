#include "values.h"
#include <corbel/math.h>
#include <string.h>

static const uint32_t specials[] = {
    0x00000000, 0x80000000,             /* zeros */
    0x3f800000, 0xbf800000, 0x3f7fffff, /* 1, -1, the neighbours of 1 */
    0x3f800001, 0x3f000000, 0x40000000,
    0x7f800000, 0xff800000,             /* infinities */
    0x7fc00000, 0xffc00000, 0x7fc12345, /* quiet NaNs */
    0xffffffff, 0x7fffffff, 0x7f800001,
    0xff812345, 0x7fbfffff,             /* signalling NaNs */
    0x00000001, 0x80000001, 0x007fffff, /* subnormals, the least normal */
    0x807fffff, 0x00800000, 0x80800000,
    0x7f7fffff, 0xff7fffff, 0x7f000000, /* the largest */
    0x21800000, 0x217fffff, 0x5d800000, /* 2^-60, 2^60: limits of directions */
    0x5d800001, 0xdd800000, 0x2b800000, /* 2^-40, 2^40 */
    0x53800000, 0x4b800000,
};

struct stream stream_start(uint32_t seed, uint32_t row, uint32_t number)
{
    return (struct stream){.key = corbel_random(seed, row, number)};
}

uint32_t draw(struct stream *s)
{
    return corbel_scramble(s->key ^ corbel_scramble(s->count++));
}

uint32_t draw_below(struct stream *s, uint32_t n)
{
    return (uint32_t)((uint64_t)draw(s) * n >> 32);
}

float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

float canonical(float f)
{
    return f == f ? f : float_of(0x7fc00000);
}

enum kind draw_kind(struct stream *s)
{
    static const uint8_t of[16] = {
        TAME,    TAME,    TAME,    TAME,    TAME, TAME, LATTICE, LATTICE,
        LATTICE, LATTICE, LATTICE, LATTICE, WILD, WILD, BITS,    SPECIAL};
    return (enum kind)of[draw_below(s, 16)];
}

static float draw_lattice(struct stream *s)
{
    int32_t n = (int32_t)draw_below(s, 9) - 4;
    return n || draw(s) >> 31 ? (float)n : -0.0f;
}

float draw_float(struct stream *s, enum kind kind)
{
    switch (kind) {
    case TAME:
        return (float)(draw(s) >> 8) * 0x1p-22f - 2;
    case LATTICE:
        return draw_lattice(s);
    case WILD: {
        uint32_t exponent = 127 - 64 + draw_below(s, 128);
        return float_of((draw(s) & 0x807fffff) | exponent << 23);
    }
    case BITS:
        return float_of(draw(s));
    default:
        return float_of(
            specials[draw_below(s, sizeof specials / sizeof specials[0])]);
    }
}

void draw_floats(struct stream *s, enum kind kind, float *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        v[i] = draw_float(s, kind);
}

void spoil(struct stream *s, float *v, unsigned n)
{
    for (unsigned i = 1 + draw_below(s, 2); i > 0; i--)
        v[draw_below(s, n)] = draw_float(s, draw(s) & 1 ? SPECIAL : BITS);
}
