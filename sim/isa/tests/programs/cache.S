/*
 * Zicbom and Zihintntl: no value depends on them, in the order of one hart;
 * blocks where no memory is fault. What they do to caches, the tests of the
 * units check.
 */
#include "program.h"

/* Zihintntl, as no assembler of the toolchain writes it */
#define NTL_P1 add zero, zero, sp
#define NTL_PALL add zero, zero, gp
#define NTL_S1 add zero, zero, tp
#define NTL_ALL add zero, zero, t0
#define NO_HINT add zero, zero, zero
#define OTHER_HINT add zero, zero, a1
#define TWO_HINTS NTL_P1; NTL_ALL
#define C_NTL(word) .half word

/* A store, an operation on its block, a load; at both ends of the block. */
#define BLOCK(op, value)                                                \
    li a0, value                                                        ;\
    sw a0, 0(s0)                                                        ;\
    sw a0, 60(s0)                                                       ;\
    op (s0)                                                             ;\
    lw a1, 0(s0)                                                        ;\
    CHECK(a1, value)                                                    ;\
    lw a1, 60(s0)                                                       ;\
    CHECK(a1, value)                                                    ;\
    addi a2, s0, 63                                                     ;\
    sb a0, 63(s0)                                                       ;\
    op (a2)                                                             ;\
    lbu a1, 63(s0)                                                      ;\
    CHECK(a1, value & 0xff)                                             ;\
    lw a1, 64(s0)                                                       ;\
    CHECK(a1, 0x77)

/* A hint before a load, a store, an atomic, and an access over two sectors. */
#define HINT(hint, value)                                               \
    li a0, value                                                        ;\
    hint                                                                ;\
    sw a0, 8(s0)                                                        ;\
    hint                                                                ;\
    lw a1, 8(s0)                                                        ;\
    CHECK(a1, value)                                                    ;\
    addi a2, s0, 8                                                      ;\
    hint                                                                ;\
    amoadd.w a1, a0, (a2)                                               ;\
    CHECK(a1, value)                                                    ;\
    hint                                                                ;\
    sw a0, 30(s0)                                                       ;\
    hint                                                                ;\
    lw a1, 30(s0)                                                       ;\
    CHECK(a1, value)                                                    ;\
    lw a1, 8(s0)                                                        ;\
    CHECK(a1, 2 * value)                                                ;\
    hint                                                                ;\
    addi a1, a1, 1                                                      ;\
    CHECK(a1, 2 * value + 1)

PROGRAM_BEGIN
    la s0, area
    BLOCK(cbo.clean, 0x1234)
    BLOCK(cbo.flush, 0x2345)
    /* what was stored is written back first, or it would be gone */
    li a0, 0x3456
    sw a0, 4(s0)
    cbo.clean (s0)
    fence
    cbo.inval (s0)
    lw a1, 4(s0)
    CHECK(a1, 0x3456)

    /* of code, which may be read; of what is behind the end of memory */
    la a0, passed
    cbo.clean (a0)
    cbo.flush (a0)
    cbo.inval (a0)
    li a0, 16
    TRAPS(STORE_FAULT, a0, cbo.clean (a0))
    TRAPS(STORE_FAULT, a0, cbo.flush (a0))
    TRAPS(STORE_FAULT, a0, cbo.inval (a0))

    HINT(NTL_P1, 0x11)
    HINT(NTL_PALL, 0x12)
    HINT(NTL_S1, 0x13)
    HINT(NTL_ALL, 0x14)
    HINT(C_NTL(0x900a), 0x21)
    HINT(C_NTL(0x900e), 0x22)
    HINT(C_NTL(0x9012), 0x23)
    HINT(C_NTL(0x9016), 0x24)
    HINT(NO_HINT, 0x31)
    HINT(OTHER_HINT, 0x32)
    HINT(TWO_HINTS, 0x33)

    /* before a load that faults: the hint is not the handler's */
    li a0, 16
    NTL_ALL
    TRAPS(LOAD_FAULT, a0, lw a1, 0(a0))
PROGRAM_END
DATA_BEGIN
    .balign 64
area:
    .zero 64
    .word 0x77
    .zero 60
DATA_END
