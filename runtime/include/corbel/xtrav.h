/*
 * The custom instructions as C functions: for each row of isa/xtrav.def the
 * function corbel_<id> with the signature of its shape in isa/shapes.def. The
 * same table, included here, makes them in three ways:
 *
 *   on the target          inline assembly with the mnemonic; the extension is
 *                          enabled around it where the compiler was not told
 *                          of it (__riscv_xtrav undefined)
 *   with -DCORBEL_INSN     inline assembly with .insn, for an assembler that
 *                          does not know the extension; the same bytes
 *   natively               prototypes; native-shim has the functions
 *
 * A new row of a shape that exists needs nothing here; a new shape needs a
 * CORBEL_DEFINE_<shape>.
 *
 * None of the functions touches memory that the compiler does not see: the
 * scene is read-only, so a traversal needs no barrier.
 */
#ifndef CORBEL_XTRAV_H
#define CORBEL_XTRAV_H

#include <corbel/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* corbel_shape_<shape>: the function type of a shape. */
#define XTRAV_SHAPE(shape, result, parameters, reads, writes)                  \
    typedef result corbel_shape_##shape parameters;
#include <corbel/isa/shapes.def>
#undef XTRAV_SHAPE

#ifndef __riscv

#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    corbel_shape_##shape corbel_##id;
#include <corbel/isa/xtrav.def>
#undef XTRAV

#else

/* Text of an instruction: with its name, or from its fields. */
#if defined(CORBEL_INSN)
#define CORBEL_TEXT(named, insn) ".insn " insn
#elif defined(__riscv_xtrav)
#define CORBEL_TEXT(named, insn) named
#else
#define CORBEL_TEXT(named, insn)                                               \
    ".option push\n\t.option arch, +xtrav\n\t" named "\n\t.option pop"
#endif

/*
 * Fields of match as assembler expressions. In formats without rs1 and rs2
 * operands those fields belong to the opcode: .insn i then takes rs1 as the
 * register of that number, the operand [rs1], and rs2 as part of the immediate.
 */
#define CORBEL_OPCODE(match) #match "&0x7f,"
#define CORBEL_FUNCT3(match) "((" #match ")>>12)&7,"
#define CORBEL_FUNCT7(match) "((" #match ")>>25)&0x7f,"
#define CORBEL_FUNCT2(match) "((" #match ")>>25)&3,"
#define CORBEL_IMMEDIATE(match) "((((" #match ")>>20)&0xfff)^0x800)-0x800"
#define CORBEL_RS1(match) (((match) >> 15) & 31)

#define CORBEL_TEXT_RD(mnemonic, match)                                        \
    CORBEL_TEXT(mnemonic " %[rd]",                                             \
                "i " CORBEL_OPCODE(match) CORBEL_FUNCT3(                       \
                    match) "%[rd],x%[rs1]," CORBEL_IMMEDIATE(match))
#define CORBEL_TEXT_R(mnemonic, match)                                         \
    CORBEL_TEXT(mnemonic " %[rd],%[a],%[b]",                                   \
                "r " CORBEL_OPCODE(match) CORBEL_FUNCT3(match)                 \
                    CORBEL_FUNCT7(match) "%[rd],%[a],%[b]")
#define CORBEL_TEXT_R4(mnemonic, match)                                        \
    CORBEL_TEXT(mnemonic " %[rd],%[a],%[b],%[c]",                              \
                "r4 " CORBEL_OPCODE(match) CORBEL_FUNCT3(match)                \
                    CORBEL_FUNCT2(match) "%[rd],%[a],%[b],%[c]")
#define CORBEL_TEXT_TRACE(mnemonic, match)                                     \
    CORBEL_TEXT(mnemonic " %[t],%[ox],%[flags]",                               \
                "i " CORBEL_OPCODE(match)                                      \
                    CORBEL_FUNCT3(match) "%[t],%[ox],%[flags]")

#define CORBEL_TEXT_LOAD(mnemonic, match)                                      \
    CORBEL_TEXT(mnemonic " %[rd],0(%[address])",                               \
                "i " CORBEL_OPCODE(match)                                      \
                    CORBEL_FUNCT3(match) "%[rd],0(%[address])")
#define CORBEL_TEXT_STORE(mnemonic, match)                                     \
    CORBEL_TEXT(mnemonic " %[from],0(%[address])",                             \
                "s " CORBEL_OPCODE(match)                                      \
                    CORBEL_FUNCT3(match) "%[from],0(%[address])")
#define CORBEL_TEXT_RD_RS1(mnemonic, match)                                    \
    CORBEL_TEXT(mnemonic " %[rd],%[a]",                                        \
                "i " CORBEL_OPCODE(match) CORBEL_FUNCT3(                       \
                    match) "%[rd],%[a]," CORBEL_IMMEDIATE(match))
/* Of the S-type's immediate all low bits are in place of rd and 0. */
#define CORBEL_TEXT_RS2(mnemonic, match)                                       \
    CORBEL_TEXT(mnemonic " %[from]",                                           \
                "s " CORBEL_OPCODE(match) CORBEL_FUNCT3(                       \
                    match) "%[from]," CORBEL_IMMEDIATE(match) "(zero)")

/* Indices travel through floating-point registers as they are. */
typedef float __attribute__((may_alias)) corbel_index_bits;

/* Implicit registers. A ray is in f0..f7. */
#define CORBEL_REGISTER(name, value) register float name __asm__(#name) = value
#define CORBEL_RAY(ray)                                                        \
    CORBEL_REGISTER(f0, (ray)->o[0]);                                          \
    CORBEL_REGISTER(f1, (ray)->o[1]);                                          \
    CORBEL_REGISTER(f2, (ray)->o[2]);                                          \
    CORBEL_REGISTER(f3, (ray)->tmin);                                          \
    CORBEL_REGISTER(f4, (ray)->d[0]);                                          \
    CORBEL_REGISTER(f5, (ray)->d[1]);                                          \
    CORBEL_REGISTER(f6, (ray)->d[2]);                                          \
    CORBEL_REGISTER(f7, (ray)->tmax)
#define CORBEL_RAY_INPUTS                                                      \
    [ox] "f"(f0), "f"(f1), "f"(f2), "f"(f3), "f"(f4), "f"(f5), "f"(f6), "f"(f7)

/* Every call is one work item: never merged, moved or dropped. */
#define CORBEL_DEFINE_NEXT(id, mnemonic, match)                                \
    static inline uint32_t corbel_##id(void)                                   \
    {                                                                          \
        unsigned long rd;                                                      \
        __asm__ volatile(CORBEL_TEXT_RD(mnemonic, match)                       \
                         : [rd] "=r"(rd)                                       \
                         : [rs1] "i"(CORBEL_RS1(match)));                      \
        return (uint32_t)rd;                                                   \
    }

#define CORBEL_DEFINE_X_XX(id, mnemonic, match)                                \
    static inline unsigned long corbel_##id(unsigned long a, unsigned long b)  \
    {                                                                          \
        unsigned long rd;                                                      \
        __asm__(CORBEL_TEXT_R(mnemonic, match)                                 \
                : [rd] "=r"(rd)                                                \
                : [a] "r"(a), [b] "r"(b));                                     \
        return rd;                                                             \
    }

/* As X_XX, but the unit has a state. */
#define CORBEL_DEFINE_UNIT_XX(id, mnemonic, match)                             \
    static inline unsigned long corbel_##id(unsigned long a, unsigned long b)  \
    {                                                                          \
        unsigned long rd;                                                      \
        __asm__ volatile(CORBEL_TEXT_R(mnemonic, match)                        \
                         : [rd] "=r"(rd)                                       \
                         : [a] "r"(a), [b] "r"(b));                            \
        return rd;                                                             \
    }

#define CORBEL_DEFINE_F_FF(id, mnemonic, match)                                \
    static inline float corbel_##id(float a, float b)                          \
    {                                                                          \
        float rd;                                                              \
        __asm__(CORBEL_TEXT_R(mnemonic, match)                                 \
                : [rd] "=f"(rd)                                                \
                : [a] "f"(a), [b] "f"(b));                                     \
        return rd;                                                             \
    }

#define CORBEL_DEFINE_F_FFF(id, mnemonic, match)                               \
    static inline float corbel_##id(float a, float b, float c)                 \
    {                                                                          \
        float rd;                                                              \
        __asm__(CORBEL_TEXT_R4(mnemonic, match)                                \
                : [rd] "=f"(rd)                                                \
                : [a] "f"(a), [b] "f"(b), [c] "f"(c));                         \
        return rd;                                                             \
    }

#define CORBEL_DEFINE_BOX(id, mnemonic, match)                                 \
    static inline float corbel_##id(const struct corbel_ray *ray_inv,          \
                                    const struct corbel_box *box)              \
    {                                                                          \
        float rd;                                                              \
        CORBEL_RAY(ray_inv);                                                   \
        CORBEL_REGISTER(f8, box->min[0]);                                      \
        CORBEL_REGISTER(f9, box->min[1]);                                      \
        CORBEL_REGISTER(f10, box->min[2]);                                     \
        CORBEL_REGISTER(f11, box->max[0]);                                     \
        CORBEL_REGISTER(f12, box->max[1]);                                     \
        CORBEL_REGISTER(f13, box->max[2]);                                     \
        __asm__(CORBEL_TEXT_RD(mnemonic, match)                                \
                : [rd] "=f"(rd)                                                \
                : [rs1] "i"(CORBEL_RS1(match)), CORBEL_RAY_INPUTS, "f"(f8),    \
                  "f"(f9), "f"(f10), "f"(f11), "f"(f12), "f"(f13));            \
        return rd;                                                             \
    }

#define CORBEL_DEFINE_TRI(id, mnemonic, match)                                 \
    static inline float corbel_##id(const struct corbel_ray *ray,              \
                                    const struct corbel_triangle *triangle,    \
                                    uint32_t index, struct corbel_hit *hit)    \
    {                                                                          \
        float rd;                                                              \
        CORBEL_RAY(ray);                                                       \
        CORBEL_REGISTER(f8, triangle->v[0][0]);                                \
        CORBEL_REGISTER(f9, triangle->v[0][1]);                                \
        CORBEL_REGISTER(f10, triangle->v[0][2]);                               \
        CORBEL_REGISTER(f11, triangle->v[1][0]);                               \
        CORBEL_REGISTER(f12, triangle->v[1][1]);                               \
        CORBEL_REGISTER(f13, triangle->v[1][2]);                               \
        CORBEL_REGISTER(f14, triangle->v[2][0]);                               \
        CORBEL_REGISTER(f15, triangle->v[2][1]);                               \
        CORBEL_REGISTER(f16, triangle->v[2][2]);                               \
        CORBEL_REGISTER(f17, hit->t);                                          \
        CORBEL_REGISTER(f18, hit->b1);                                         \
        CORBEL_REGISTER(f19, hit->b2);                                         \
        CORBEL_REGISTER(f20, *(corbel_index_bits *)&hit->index);               \
        CORBEL_REGISTER(f21, *(corbel_index_bits *)&index);                    \
        __asm__(CORBEL_TEXT_RD(mnemonic, match)                                \
                : [rd] "=f"(rd), "+f"(f17), "+f"(f18), "+f"(f19), "+f"(f20)    \
                : [rs1] "i"(CORBEL_RS1(match)), CORBEL_RAY_INPUTS, "f"(f8),    \
                  "f"(f9), "f"(f10), "f"(f11), "f"(f12), "f"(f13), "f"(f14),   \
                  "f"(f15), "f"(f16), "f"(f21));                               \
        hit->t = f17;                                                          \
        hit->b1 = f18;                                                         \
        hit->b2 = f19;                                                         \
        *(corbel_index_bits *)&hit->index = f20;                               \
        return rd;                                                             \
    }

/* The flags are an immediate, so each of their values is an instruction of
   its own. Volatile: another scene may have been bound in between. */
#define CORBEL_ISSUE_TRACE(mnemonic, match, immediate)                         \
    __asm__ volatile(CORBEL_TEXT_TRACE(mnemonic, match)                        \
                     : [t] "=f"(f28), "=f"(f29), "=f"(f30), "=f"(f31)          \
                     : [flags] "i"(immediate), CORBEL_RAY_INPUTS)
#define CORBEL_TRACE_CASE(mnemonic, match, flags)                              \
    case flags:                                                                \
        CORBEL_ISSUE_TRACE(mnemonic, match, flags);                            \
        break;
#define CORBEL_DEFINE_TRACE(id, mnemonic, match)                               \
    static inline void corbel_##id(const struct corbel_ray *ray,               \
                                   unsigned flags, struct corbel_hit *hit)     \
    {                                                                          \
        CORBEL_RAY(ray);                                                       \
        register float f28 __asm__("f28");                                     \
        register float f29 __asm__("f29");                                     \
        register float f30 __asm__("f30");                                     \
        register float f31 __asm__("f31");                                     \
        switch (flags % CORBEL_FLAGS) {                                        \
            CORBEL_TRACE_CASE(mnemonic, match, 0)                              \
            CORBEL_TRACE_CASE(mnemonic, match, 1)                              \
            CORBEL_TRACE_CASE(mnemonic, match, 2)                              \
            CORBEL_TRACE_CASE(mnemonic, match, 3)                              \
            CORBEL_TRACE_CASE(mnemonic, match, 4)                              \
            CORBEL_TRACE_CASE(mnemonic, match, 5)                              \
            CORBEL_TRACE_CASE(mnemonic, match, 6)                              \
            CORBEL_TRACE_CASE(mnemonic, match, 7)                              \
            CORBEL_TRACE_CASE(mnemonic, match, 8)                              \
            CORBEL_TRACE_CASE(mnemonic, match, 9)                              \
            CORBEL_TRACE_CASE(mnemonic, match, 10)                             \
            CORBEL_TRACE_CASE(mnemonic, match, 11)                             \
            CORBEL_TRACE_CASE(mnemonic, match, 12)                             \
            CORBEL_TRACE_CASE(mnemonic, match, 13)                             \
            CORBEL_TRACE_CASE(mnemonic, match, 14)                             \
            CORBEL_TRACE_CASE(mnemonic, match, 15)                             \
        }                                                                      \
        hit->t = f28;                                                          \
        hit->b1 = f29;                                                         \
        hit->b2 = f30;                                                         \
        *(corbel_index_bits *)&hit->index = f31;                               \
    }

/* Ray streams: words in consecutive registers, as they are. An order among the
   instructions and with other accesses there is none beyond volatile's. */
#define CORBEL_WORD(record, i) (((corbel_index_bits *)(record))[i])
#define CORBEL_INPUT(n, record, i)                                             \
    register float f##n __asm__("f" #n) =                                      \
        ((const corbel_index_bits *)(record))[i]
#define CORBEL_OUTPUT(n) register float f##n __asm__("f" #n)
#define CORBEL_TEN(X, ...)                                                     \
    X(0, __VA_ARGS__);                                                         \
    X(1, __VA_ARGS__);                                                         \
    X(2, __VA_ARGS__);                                                         \
    X(3, __VA_ARGS__);                                                         \
    X(4, __VA_ARGS__);                                                         \
    X(5, __VA_ARGS__);                                                         \
    X(6, __VA_ARGS__);                                                         \
    X(7, __VA_ARGS__);                                                         \
    X(8, __VA_ARGS__);                                                         \
    X(9, __VA_ARGS__)
#define CORBEL_SIXTEEN(X, ...)                                                 \
    CORBEL_TEN(X, __VA_ARGS__);                                                \
    X(10, __VA_ARGS__);                                                        \
    X(11, __VA_ARGS__);                                                        \
    X(12, __VA_ARGS__);                                                        \
    X(13, __VA_ARGS__);                                                        \
    X(14, __VA_ARGS__);                                                        \
    X(15, __VA_ARGS__)
#define CORBEL_FROM(n, record) CORBEL_INPUT(n, record, n)
#define CORBEL_INTO(n, record) CORBEL_OUTPUT(n)
#define CORBEL_TAKE(n, record) CORBEL_WORD(record, n) = f##n

#define CORBEL_DEFINE_ITEM_LOAD(id, mnemonic, match)                           \
    static inline void corbel_##id(struct corbel_item *item)                   \
    {                                                                          \
        CORBEL_TEN(CORBEL_INTO, item);                                         \
        __asm__ volatile(CORBEL_TEXT_LOAD(mnemonic, match)                     \
                         : [rd] "=f"(f0), "=f"(f1), "=f"(f2), "=f"(f3),        \
                           "=f"(f4), "=f"(f5), "=f"(f6), "=f"(f7), "=f"(f8),   \
                           "=f"(f9)                                            \
                         : [address] "r"(0l));                                 \
        CORBEL_TEN(CORBEL_TAKE, item);                                         \
    }

#define CORBEL_DEFINE_ITEM_STORE(id, mnemonic, match)                          \
    static inline void corbel_##id(const struct corbel_item *item)             \
    {                                                                          \
        CORBEL_TEN(CORBEL_FROM, item);                                         \
        __asm__ volatile(CORBEL_TEXT_STORE(mnemonic, match)                    \
                         :                                                     \
                         : [from] "f"(f0), "f"(f1), "f"(f2), "f"(f3), "f"(f4), \
                           "f"(f5), "f"(f6), "f"(f7), "f"(f8),                 \
                           "f"(f9), [address] "r"(0l));                        \
    }

#define CORBEL_DEFINE_HIT_STORE(id, mnemonic, match)                           \
    static inline void corbel_##id(const struct corbel_hit *hit,               \
                                   struct corbel_hit *record)                  \
    {                                                                          \
        CORBEL_INPUT(15, hit, 0);                                              \
        CORBEL_INPUT(16, hit, 1);                                              \
        CORBEL_INPUT(17, hit, 2);                                              \
        CORBEL_INPUT(18, hit, 3);                                              \
        __asm__ volatile(CORBEL_TEXT_STORE(mnemonic, match)                    \
                         :                                                     \
                         : [from] "f"(f15), "f"(f16), "f"(f17),                \
                           "f"(f18), [address] "r"(record));                   \
    }

#define CORBEL_DEFINE_HIT_LOAD(id, mnemonic, match)                            \
    static inline void corbel_##id(const struct corbel_hit *record,            \
                                   struct corbel_hit *hit)                     \
    {                                                                          \
        CORBEL_OUTPUT(28);                                                     \
        CORBEL_OUTPUT(29);                                                     \
        CORBEL_OUTPUT(30);                                                     \
        CORBEL_OUTPUT(31);                                                     \
        __asm__ volatile(CORBEL_TEXT_LOAD(mnemonic, match)                     \
                         : [rd] "=f"(f28), "=f"(f29), "=f"(f30), "=f"(f31)     \
                         : [address] "r"(record));                             \
        CORBEL_WORD(hit, 0) = f28;                                             \
        CORBEL_WORD(hit, 1) = f29;                                             \
        CORBEL_WORD(hit, 2) = f30;                                             \
        CORBEL_WORD(hit, 3) = f31;                                             \
    }

#define CORBEL_DEFINE_RAY_LOAD(id, mnemonic, match)                            \
    static inline void corbel_##id(struct corbel_stored_ray *ray)              \
    {                                                                          \
        CORBEL_SIXTEEN(CORBEL_INTO, ray);                                      \
        __asm__ volatile(CORBEL_TEXT_RD(mnemonic, match)                       \
                         : [rd] "=f"(f0), "=f"(f1), "=f"(f2), "=f"(f3),        \
                           "=f"(f4), "=f"(f5), "=f"(f6), "=f"(f7), "=f"(f8),   \
                           "=f"(f9), "=f"(f10), "=f"(f11), "=f"(f12),          \
                           "=f"(f13), "=f"(f14), "=f"(f15)                     \
                         : [rs1] "i"(CORBEL_RS1(match)));                      \
        CORBEL_SIXTEEN(CORBEL_TAKE, ray);                                      \
    }

#define CORBEL_DEFINE_RAY_STORE(id, mnemonic, match)                           \
    static inline void corbel_##id(const struct corbel_stored_ray *ray)        \
    {                                                                          \
        CORBEL_SIXTEEN(CORBEL_FROM, ray);                                      \
        __asm__ volatile(CORBEL_TEXT_RS2(mnemonic, match)                      \
                         :                                                     \
                         : [from] "f"(f0), "f"(f1), "f"(f2), "f"(f3), "f"(f4), \
                           "f"(f5), "f"(f6), "f"(f7), "f"(f8), "f"(f9),        \
                           "f"(f10), "f"(f11), "f"(f12), "f"(f13), "f"(f14),   \
                           "f"(f15));                                          \
    }

#define CORBEL_DEFINE_RAY_END(id, mnemonic, match)                             \
    static inline void corbel_##id(unsigned last, struct corbel_ray_end *end)  \
    {                                                                          \
        CORBEL_OUTPUT(27);                                                     \
        CORBEL_OUTPUT(28);                                                     \
        CORBEL_OUTPUT(29);                                                     \
        CORBEL_OUTPUT(30);                                                     \
        CORBEL_OUTPUT(31);                                                     \
        __asm__ volatile(CORBEL_TEXT_RD_RS1(mnemonic, match)                   \
                         : [rd] "=f"(f27), "=f"(f28), "=f"(f29), "=f"(f30),    \
                           "=f"(f31)                                           \
                         : [a] "r"(last));                                     \
        CORBEL_WORD(end, 0) = f27;                                             \
        CORBEL_WORD(end, 1) = f28;                                             \
        CORBEL_WORD(end, 2) = f29;                                             \
        CORBEL_WORD(end, 3) = f30;                                             \
        CORBEL_WORD(end, 4) = f31;                                             \
    }

/* The declaration makes the compiler check the definition's signature. */
#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    static inline corbel_shape_##shape corbel_##id;                            \
    CORBEL_DEFINE_##shape(id, mnemonic, match)
#include <corbel/isa/xtrav.def>
#undef XTRAV

#endif

#ifdef __cplusplus
}
#endif
#endif
