/*
 * Checks of floating-point instructions: the result's bits and the flags, in a
 * static rounding mode while frm is a reserved one, then in the dynamic mode.
 *
 * S in a macro's name: single, D: double; then the number of operands; I: the
 * integer register file has the result, or the operand (FROM). Those with N at
 * the end are for instructions without a rounding mode.
 */
/* clang-format off */
#ifndef FLOAT_H
#define FLOAT_H

#include "program.h"

#define NV 16
#define DZ 8
#define OF 4
#define UF 2
#define NX 1

#define RM_rne 0
#define RM_rtz 1
#define RM_rdn 2
#define RM_rup 3
#define RM_rmm 4

#define LOAD_S(freg, bits)                                              \
    li a0, bits                                                         ;\
    fmv.w.x freg, a0
#define IS_S(freg, bits)                                                \
    fmv.x.w a0, freg                                                    ;\
    CHECK(a0, WORD(bits))

/* Doubles go through memory at gp where registers are too narrow. */
#if __riscv_xlen == 64
#define LOAD_D(freg, bits)                                              \
    li a0, bits                                                         ;\
    fmv.d.x freg, a0
#define IS_D(freg, bits)                                                \
    fmv.x.d a0, freg                                                    ;\
    CHECK(a0, bits)
#else
#define LOAD_D(freg, bits)                                              \
    li a0, (bits) & 0xffffffff                                          ;\
    sw a0, 0(gp)                                                        ;\
    li a0, (bits) >> 32                                                 ;\
    sw a0, 4(gp)                                                        ;\
    fld freg, 0(gp)
#define IS_D(freg, bits)                                                \
    fsd freg, 0(gp)                                                     ;\
    lw a0, 0(gp)                                                        ;\
    CHECK(a0, WORD(bits))                                               ;\
    lw a0, 4(gp)                                                        ;\
    CHECK(a0, WORD((bits) >> 32))
#endif

#define FLAGS(expected)                                                 \
    csrrwi a1, fflags, 0                                                ;\
    CHECK(a1, expected)

/* An instruction twice: mode is its last operand, then in frm. */
#define BOTH_MODES(mode, result_is, flags, ...)                         \
    fsrmi 5                                                             ;\
    __VA_ARGS__, mode                                                   ;\
    result_is                                                           ;\
    FLAGS(flags)                                                        ;\
    fsrmi RM_##mode                                                     ;\
    __VA_ARGS__                                                         ;\
    result_is                                                           ;\
    FLAGS(flags)

#define S2(op, mode, result, flags, x, y)                               \
    LOAD_S(fa0, x)                                                      ;\
    LOAD_S(fa1, y)                                                      ;\
    BOTH_MODES(mode, IS_S(fa2, result), flags, op fa2, fa0, fa1)
#define S1(op, mode, result, flags, x)                                  \
    LOAD_S(fa0, x)                                                      ;\
    BOTH_MODES(mode, IS_S(fa2, result), flags, op fa2, fa0)
#define S3(op, mode, result, flags, x, y, z)                            \
    LOAD_S(fa0, x)                                                      ;\
    LOAD_S(fa1, y)                                                      ;\
    LOAD_S(fa3, z)                                                      ;\
    BOTH_MODES(mode, IS_S(fa2, result), flags, op fa2, fa0, fa1, fa3)
#define S2N(op, result, flags, x, y)                                    \
    LOAD_S(fa0, x)                                                      ;\
    LOAD_S(fa1, y)                                                      ;\
    op fa2, fa0, fa1                                                    ;\
    IS_S(fa2, result)                                                   ;\
    FLAGS(flags)
#define S2IN(op, result, flags, x, y)                                   \
    LOAD_S(fa0, x)                                                      ;\
    LOAD_S(fa1, y)                                                      ;\
    op a2, fa0, fa1                                                     ;\
    CHECK(a2, result)                                                   ;\
    FLAGS(flags)
#define S1IN(op, result, flags, x)                                      \
    LOAD_S(fa0, x)                                                      ;\
    op a2, fa0                                                          ;\
    CHECK(a2, result)                                                   ;\
    FLAGS(flags)
#define S1I(op, mode, result, flags, x)                                 \
    LOAD_S(fa0, x)                                                      ;\
    BOTH_MODES(mode, CHECK(a2, result), flags, op a2, fa0)
#define S_FROM(op, mode, result, flags, x)                              \
    li a3, x                                                            ;\
    BOTH_MODES(mode, IS_S(fa2, result), flags, op fa2, a3)

#define D2(op, mode, result, flags, x, y)                               \
    LOAD_D(fa0, x)                                                      ;\
    LOAD_D(fa1, y)                                                      ;\
    BOTH_MODES(mode, IS_D(fa2, result), flags, op fa2, fa0, fa1)
#define D1(op, mode, result, flags, x)                                  \
    LOAD_D(fa0, x)                                                      ;\
    BOTH_MODES(mode, IS_D(fa2, result), flags, op fa2, fa0)
#define D3(op, mode, result, flags, x, y, z)                            \
    LOAD_D(fa0, x)                                                      ;\
    LOAD_D(fa1, y)                                                      ;\
    LOAD_D(fa3, z)                                                      ;\
    BOTH_MODES(mode, IS_D(fa2, result), flags, op fa2, fa0, fa1, fa3)
#define D2N(op, result, flags, x, y)                                    \
    LOAD_D(fa0, x)                                                      ;\
    LOAD_D(fa1, y)                                                      ;\
    op fa2, fa0, fa1                                                    ;\
    IS_D(fa2, result)                                                   ;\
    FLAGS(flags)
#define D2IN(op, result, flags, x, y)                                   \
    LOAD_D(fa0, x)                                                      ;\
    LOAD_D(fa1, y)                                                      ;\
    op a2, fa0, fa1                                                     ;\
    CHECK(a2, result)                                                   ;\
    FLAGS(flags)
#define D1IN(op, result, flags, x)                                      \
    LOAD_D(fa0, x)                                                      ;\
    op a2, fa0                                                          ;\
    CHECK(a2, result)                                                   ;\
    FLAGS(flags)
#define D1I(op, mode, result, flags, x)                                 \
    LOAD_D(fa0, x)                                                      ;\
    BOTH_MODES(mode, CHECK(a2, result), flags, op a2, fa0)
#define D_FROM(op, mode, result, flags, x)                              \
    li a3, x                                                            ;\
    BOTH_MODES(mode, IS_D(fa2, result), flags, op fa2, a3)
/* exact, so without a mode: whatever is asked for gives the same */
#define D_FROM_N(op, result, x)                                         \
    li a3, x                                                            ;\
    op fa2, a3                                                          ;\
    IS_D(fa2, result)                                                   ;\
    FLAGS(0)

#endif
