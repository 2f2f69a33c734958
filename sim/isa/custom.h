/*
 * What the shapes of custom instructions (sdk/isa/shapes.def) do with the
 * registers: CUSTOM_<shape>(id) is the meaning of a row of that shape, in
 * the words of meaning.h. The arithmetic is corbel_sem_<id>(), which the native
 * shim and the RT core use too. Operands are the low 32 bits of floating
 * registers as they are, results are NaN-boxed, no flags are raised.
 */
#ifndef SIM_ISA_CUSTOM_H
#define SIM_ISA_CUSTOM_H

#include "corbel/semantics.h"
#include "sim/isa/meaning.h"
#include "sim/isa/served_shapes.h"

/* First registers of the records, as shapes.def says. */
enum { RAY_AT = 0, BOX_AT = 8, TRIANGLE_AT = 8, HIT_AT = 17, INDEX_AT = 21 };

/* Registers first.. into a record of floats (or bits of 32). */
static inline void gather(const struct isa_hart *hart, unsigned first,
                          void *record, size_t size)
{
    uint32_t words[16];
    for (size_t i = 0; i < size / 4; i++)
        words[i] = (uint32_t)hart->f[first + i];
    memcpy(record, words, size);
}

static inline void scatter(struct isa_hart *hart, unsigned first,
                           const void *record, size_t size)
{
    uint32_t words[16];
    memcpy(words, record, size);
    for (size_t i = 0; i < size / 4; i++)
        hart->f[first + i] = box(words[i]);
}

#define RAW1 f32_value((uint32_t)F1)
#define RAW2 f32_value((uint32_t)F2)
#define RAW3 f32_value((uint32_t)F3)

#define CUSTOM_X_XX(id) RD(corbel_sem_##id(UNSIGNED(X1), UNSIGNED(X2)))
#define CUSTOM_F_FF(id) FS(f32_bits(corbel_sem_##id(RAW1, RAW2)))
#define CUSTOM_F_FFF(id) FS(f32_bits(corbel_sem_##id(RAW1, RAW2, RAW3)))
#define CUSTOM_BOX(id)                                                         \
    struct corbel_ray ray;                                                     \
    struct corbel_box bounds;                                                  \
    gather(hart, RAY_AT, &ray, sizeof ray);                                    \
    gather(hart, BOX_AT, &bounds, sizeof bounds);                              \
    FS(f32_bits(corbel_sem_##id(&ray, &bounds)))
#define CUSTOM_TRI(id)                                                         \
    struct corbel_ray ray;                                                     \
    struct corbel_triangle triangle;                                           \
    struct corbel_hit hit;                                                     \
    gather(hart, RAY_AT, &ray, sizeof ray);                                    \
    gather(hart, TRIANGLE_AT, &triangle, sizeof triangle);                     \
    gather(hart, HIT_AT, &hit, sizeof hit);                                    \
    uint32_t index = (uint32_t)hart->f[INDEX_AT];                              \
    float t = corbel_sem_##id(&ray, &triangle, index, &hit);                   \
    scatter(hart, HIT_AT, &hit, sizeof hit);                                   \
    FS(f32_bits(t))

/* A unit serves it: served.def says how. */
#define CUSTOM_NEXT(id) LEAVE(ISA_UNIT)
#define CUSTOM_TRACE(id) LEAVE(ISA_UNIT)
#define CUSTOM_UNIT_XX(id) LEAVE(ISA_UNIT)
#define CUSTOM_ITEM_LOAD(id) LEAVE(ISA_UNIT)
#define CUSTOM_ITEM_STORE(id) LEAVE(ISA_UNIT)
#define CUSTOM_HIT_STORE(id) LEAVE(ISA_UNIT)
#define CUSTOM_HIT_LOAD(id) LEAVE(ISA_UNIT)
#define CUSTOM_RAY_LOAD(id) LEAVE(ISA_UNIT)
#define CUSTOM_RAY_STORE(id) LEAVE(ISA_UNIT)
#define CUSTOM_RAY_END(id) LEAVE(ISA_UNIT)

/* The shapes whose rows use floating registers. */
#define HAS_X_XX true
#define HAS_NEXT true
#define HAS_UNIT_XX true
#define HAS_F_FF HAS_F
#define HAS_F_FFF HAS_F
#define HAS_BOX HAS_F
#define HAS_TRI HAS_F
#define HAS_TRACE HAS_F
#define HAS_ITEM_LOAD HAS_F
#define HAS_ITEM_STORE HAS_F
#define HAS_HIT_STORE HAS_F
#define HAS_HIT_LOAD HAS_F
#define HAS_RAY_LOAD HAS_F
#define HAS_RAY_STORE HAS_F
#define HAS_RAY_END HAS_F

#endif
