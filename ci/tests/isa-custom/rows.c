#include "rows.h"
#include "registers.h"
#include <corbel/semantics.h>
#include <string.h>

#ifdef __riscv
unsigned xlen = __riscv_xlen;
#else
unsigned xlen = 64;
#endif

/* An integer register's value, or what an instruction makes of it. */
static inline unsigned long extended(uint64_t v)
{
    return (unsigned long)(xlen == 32 ? (uint32_t)v : v);
}

/* ---- one call: name(o, result) by call ---- */

#define RUN_X_XX(name, call)                                                   \
    static void name(const struct operands *o, uint32_t *result)               \
    {                                                                          \
        uint64_t rd = extended(call(extended(o->x[0]), extended(o->x[1])));    \
        memcpy(result, &rd, sizeof rd);                                        \
    }
#define RUN_F_FF(name, call)                                                   \
    static void name(const struct operands *o, uint32_t *result)               \
    {                                                                          \
        *result = bits_of(call(o->f[0], o->f[1]));                             \
    }
#define RUN_F_FFF(name, call)                                                  \
    static void name(const struct operands *o, uint32_t *result)               \
    {                                                                          \
        *result = bits_of(call(o->f[0], o->f[1], o->f[2]));                    \
    }
#define RUN_BOX(name, call)                                                    \
    static void name(const struct operands *o, uint32_t *result)               \
    {                                                                          \
        *result = bits_of(call(&o->ray, &o->box));                             \
    }
#define RUN_TRI(name, call)                                                    \
    static void name(const struct operands *o, uint32_t *result)               \
    {                                                                          \
        struct corbel_hit hit = o->hit;                                        \
        *result = bits_of(call(&o->ray, &o->triangle, o->index, &hit));        \
        memcpy(result + 1, &hit, sizeof hit);                                  \
    }
#define RUN_TRACE(name, call)                                                  \
    static void name(const struct operands *o, uint32_t *result)               \
    {                                                                          \
        struct corbel_hit hit;                                                 \
        call(&o->ray, o->flags, &hit);                                         \
        memcpy(result, &hit, sizeof hit);                                      \
    }
#define RUN_NEXT(name, call)                                                   \
    static void name(const struct operands *o, uint32_t *result)               \
    {                                                                          \
        *result = call();                                                      \
    }

/* What leaves the core has its meaning elsewhere than in semantics.h. */
#define FUNCTION_NEXT(id)
#define FUNCTION_TRACE(id)
#define FUNCTION_X_XX(id) RUN_X_XX(function_##id, corbel_sem_##id)
#define FUNCTION_F_FF(id) RUN_F_FF(function_##id, corbel_sem_##id)
#define FUNCTION_F_FFF(id) RUN_F_FFF(function_##id, corbel_sem_##id)
#define FUNCTION_BOX(id) RUN_BOX(function_##id, corbel_sem_##id)
#define FUNCTION_TRI(id) RUN_TRI(function_##id, corbel_sem_##id)
#define FUNCTION_OF_NEXT(id) NULL
#define FUNCTION_OF_TRACE(id) NULL
#define FUNCTION_OF_X_XX(id) function_##id
#define FUNCTION_OF_F_FF(id) function_##id
#define FUNCTION_OF_F_FFF(id) function_##id
#define FUNCTION_OF_BOX(id) function_##id
#define FUNCTION_OF_TRI(id) function_##id

/* ---- all registers ---- */

#ifdef __riscv
#define MODEL(shape, id)
#define MODEL_OF(id)
#else
#define MODEL(shape, id)                                                       \
    static void model_##id(struct registers *r, uint32_t word)                 \
    {                                                                          \
        unsigned rd = word >> 7 & 31;                                          \
        MODEL_##shape(id)                                                      \
    }
#define MODEL_OF(id) .model = model_##id,
#endif

#define RS1 (word >> 15 & 31)
#define RS2 (word >> 20 & 31)
#define RS3 (word >> 27)
#define SINGLE(n) float_of((uint32_t)r->f[n])

#ifndef __riscv
static void set_x(struct registers *r, unsigned n, uint64_t value)
{
    r->x[n] = n ? extended(value) : 0;
}

static void set_f(struct registers *r, unsigned n, float value)
{
    r->f[n] = UINT64_C(0xffffffff00000000) | bits_of(value);
}

static void get_record(const struct registers *r, unsigned first, void *record,
                       size_t bytes)
{
    for (size_t i = 0; i < bytes / 4; i++) {
        uint32_t word = (uint32_t)r->f[first + i];
        memcpy((char *)record + 4 * i, &word, 4);
    }
}

static void set_record(struct registers *r, unsigned first, const void *record,
                       size_t bytes)
{
    for (size_t i = 0; i < bytes / 4; i++) {
        uint32_t word;
        memcpy(&word, (const char *)record + 4 * i, 4);
        r->f[first + i] = UINT64_C(0xffffffff00000000) | word;
    }
}
#endif

#define MODEL_NEXT(id) set_x(r, rd, corbel_##id());
#define MODEL_X_XX(id) set_x(r, rd, corbel_##id(r->x[RS1], r->x[RS2]));
#define MODEL_F_FF(id) set_f(r, rd, corbel_##id(SINGLE(RS1), SINGLE(RS2)));
#define MODEL_F_FFF(id)                                                        \
    set_f(r, rd, corbel_##id(SINGLE(RS1), SINGLE(RS2), SINGLE(RS3)));
#define MODEL_BOX(id)                                                          \
    struct corbel_ray ray;                                                     \
    struct corbel_box box;                                                     \
    get_record(r, 0, &ray, sizeof ray);                                        \
    get_record(r, 8, &box, sizeof box);                                        \
    set_f(r, rd, corbel_##id(&ray, &box));
#define MODEL_TRI(id)                                                          \
    struct corbel_ray ray;                                                     \
    struct corbel_triangle triangle;                                           \
    struct corbel_hit hit;                                                     \
    get_record(r, 0, &ray, sizeof ray);                                        \
    get_record(r, 8, &triangle, sizeof triangle);                              \
    get_record(r, 17, &hit, sizeof hit);                                       \
    float t = corbel_##id(&ray, &triangle, (uint32_t)r->f[21], &hit);          \
    set_record(r, 17, &hit, sizeof hit);                                       \
    set_f(r, rd, t);
#define MODEL_TRACE(id)                                                        \
    struct corbel_ray ray;                                                     \
    struct corbel_hit hit;                                                     \
    get_record(r, RS1, &ray, sizeof ray);                                      \
    corbel_##id(&ray, (unsigned)((int32_t)word >> 20), &hit);                  \
    set_record(r, rd, &hit, sizeof hit);

/* What ray streams answer depends on all that was sent to them: no rows. */
#define IF_ITEM_LOAD(...)
#define IF_ITEM_STORE(...)
#define IF_HIT_LOAD(...)
#define IF_HIT_STORE(...)
#define IF_RAY_LOAD(...)
#define IF_RAY_STORE(...)
#define IF_RAY_END(...)
#define IF_NEXT(...) __VA_ARGS__
#define IF_TRACE(...) __VA_ARGS__
#define IF_X_XX(...) __VA_ARGS__
#define IF_F_FF(...) __VA_ARGS__
#define IF_F_FFF(...) __VA_ARGS__
#define IF_BOX(...) __VA_ARGS__
#define IF_TRI(...) __VA_ARGS__

#define XTRAV(id, mnemonic, match, mask, letters, shape, meaning)              \
    IF_##shape(RUN_##shape(run_##id, corbel_##id) FUNCTION_##shape(id)         \
                   MODEL(shape, id))
#include <corbel/isa/xtrav.def>
#undef XTRAV

const struct row rows[] = {
#define XTRAV(id, name, value, bits, operands, type, meaning)                  \
    IF_##type({.mnemonic = name,                                               \
               .letters = operands,                                            \
               .match = value,                                                 \
               .mask = bits,                                                   \
               .shape = SHAPE_##type,                                          \
               .run = run_##id,                                                \
               .function = FUNCTION_OF_##type(id),                             \
               MODEL_OF(id)}, )
#include <corbel/isa/xtrav.def>
#undef XTRAV
};

const unsigned row_count = sizeof rows / sizeof rows[0];

const struct row *row_of(uint32_t word)
{
    for (unsigned i = 0; i < row_count; i++) {
        bool fits = rows[i].shape != SHAPE_TRACE ||
                    ((word >> 15 & 31) <= 24 && (word >> 7 & 31) <= 28);
        if ((word & rows[i].mask) == rows[i].match && fits)
            return &rows[i];
    }
    return NULL;
}
