/*
 * The source of all operands: a stream of numbers that follows from a seed,
 * and floats of several kinds drawn from it. Target and host draw the same
 * ones. A float is made from its bits, or by operations whose NaNs are made
 * canonical, since processors differ in the NaN that an operation yields.
 */
#ifndef ISA_CUSTOM_VALUES_H
#define ISA_CUSTOM_VALUES_H

#include <stdint.h>

struct stream {
    uint32_t key, count;
};

struct stream stream_start(uint32_t seed, uint32_t row, uint32_t number);
uint32_t draw(struct stream *s);
/* 0 .. n - 1 */
uint32_t draw_below(struct stream *s, uint32_t n);

enum kind {
    TAME,    /* multiples of 2^-22 in [-2, 2) */
    LATTICE, /* integers -4..4, both zeros: exact results, ties, parallels */
    WILD,    /* 2^-64 .. 2^64 */
    BITS,    /* any bits */
    SPECIAL, /* zeros, infinities, NaNs, subnormals, limits */
    KINDS
};

enum kind draw_kind(struct stream *s);
float draw_float(struct stream *s, enum kind kind);
void draw_floats(struct stream *s, enum kind kind, float *v, unsigned n);
/* Replaces one or two of n floats by any bits or special ones. */
void spoil(struct stream *s, float *v, unsigned n);

float float_of(uint32_t bits);
uint32_t bits_of(float f);
/* f; the canonical NaN if it is one. */
float canonical(float f);

#endif
