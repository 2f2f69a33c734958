/*
 * The operands of an instruction, by its shape (isa/shapes.def): mostly such
 * that something is hit, at a corner, along an edge, from the surface or at
 * the same distance as an earlier hit; the rest is anything.
 */
#ifndef ISA_CUSTOM_OPERANDS_H
#define ISA_CUSTOM_OPERANDS_H

#include "values.h"
#include <corbel/corbel.h>

enum shape {
#define XTRAV_SHAPE(shape, result, parameters, reads, writes) SHAPE_##shape,
#include <corbel/isa/shapes.def>
#undef XTRAV_SHAPE
};

/* Only what the shape takes is set. */
struct operands {
    struct corbel_ray ray; /* BOX: with reciprocals */
    struct corbel_box box;
    struct corbel_triangle triangle;
    uint32_t index;
    struct corbel_hit hit;
    uint32_t flags;
    uint64_t x[2];
    float f[3];
};

void operands_make(struct operands *o, enum shape shape, struct stream s,
                   const struct corbel_scene *scene);
/* One line on stdout, in hexadecimal. */
void operands_print(const struct operands *o, enum shape shape);

/* 32-bit words of a result. */
unsigned result_words(enum shape shape);

#endif
