/* A: one hart. Memory, old value, upper halves, reservations, alignment. */
#include "program.h"

/* Both words of a doubleword are filled with a mark; only one changes. */
#define MARK 0x5a5a5a5a

#define AMO_W(op, result, old, x)                                       \
    li a0, MARK                                                         ;\
    sw a0, 4(s0)                                                        ;\
    li a0, WORD(old)                                                    ;\
    sw a0, 0(s0)                                                        ;\
    li a1, W(x, (x) & 0xffffffff | 0x777 << 32)                         ;\
    op a2, a1, (s0)                                                     ;\
    CHECK(a2, WORD(old))                                                ;\
    lw a2, 0(s0)                                                        ;\
    CHECK(a2, WORD(result))                                             ;\
    lw a2, 4(s0)                                                        ;\
    CHECK(a2, MARK)                                                     ;\
    sw a0, 0(s0)                                                        ;\
    op zero, a1, (s0)                                                   ;\
    CHECK(zero, 0)                                                      ;\
    lw a2, 0(s0)                                                        ;\
    CHECK(a2, WORD(result))                                             ;\
    sw a0, 0(s0)                                                        ;\
    op a1, a1, (s0)                                                     ;\
    CHECK(a1, WORD(old))

#define AMO_D(op, result, old, x)                                       \
    li a0, old                                                          ;\
    sd a0, 0(s0)                                                        ;\
    li a1, x                                                            ;\
    op a2, a1, (s0)                                                     ;\
    CHECK(a2, old)                                                      ;\
    ld a2, 0(s0)                                                        ;\
    CHECK(a2, result)

#define ALL_ORDERS(op, result, old, x)                                  \
    AMO_W(op, result, old, x)                                           ;\
    AMO_W(op.aq, result, old, x)                                        ;\
    AMO_W(op.rl, result, old, x)                                        ;\
    AMO_W(op.aqrl, result, old, x)

PROGRAM_BEGIN
    la s0, cell
    ALL_ORDERS(amoswap.w, 5, 0x80000001, 5)
    ALL_ORDERS(amoadd.w, 0x80000000, 0x7fffffff, 1)
    AMO_W(amoadd.w, 0, 0xffffffff, 1)
    ALL_ORDERS(amoxor.w, 0x0ff0, 0xff00, 0xf0f0)
    ALL_ORDERS(amoand.w, 0xf000, 0xff00, 0xf0f0)
    ALL_ORDERS(amoor.w, 0xfff0, 0xff00, 0xf0f0)
    ALL_ORDERS(amomin.w, 0x80000000, 0x80000000, 1)
    AMO_W(amomin.w, 0x80000000, 1, 0x80000000)
    ALL_ORDERS(amomax.w, 1, 0x80000000, 1)
    AMO_W(amomax.w, 1, 1, 0x80000000)
    ALL_ORDERS(amominu.w, 1, 0x80000000, 1)
    AMO_W(amominu.w, 1, 1, 0xffffffff)
    ALL_ORDERS(amomaxu.w, 0x80000000, 0x80000000, 1)
    AMO_W(amomaxu.w, 0xffffffff, 1, 0xffffffff)
#if __riscv_xlen == 64
    AMO_D(amoswap.d, 5, LOWEST, 5)
    AMO_D(amoadd.d, LOWEST, HIGHEST, 1)
    AMO_D(amoadd.d.aqrl, 0x100000000, 0xffffffff, 1)
    AMO_D(amoxor.d, 0xff0000000000ff00, 0xff, 0xff0000000000ffff)
    AMO_D(amoand.d.aq, 0xf00000000000000f, 0xff000000000000ff, 0xf00000000000000f)
    AMO_D(amoor.d.rl, 0xff0000000000ffff, 0xff, 0xff0000000000ffff)
    AMO_D(amomin.d, LOWEST, LOWEST, 1)
    AMO_D(amomin.d, -1, 1, -1)
    AMO_D(amomax.d, 1, LOWEST, 1)
    AMO_D(amomax.d, 0x100000000, 0x100000000, 0xffffffff)
    AMO_D(amominu.d, 1, LOWEST, 1)
    AMO_D(amominu.d, 0xffffffff, 0x100000000, 0xffffffff)
    AMO_D(amomaxu.d, LOWEST, LOWEST, 1)
    AMO_D(amomaxu.d, -1, 1, -1)
#endif

    /* sc: without a reservation; after lr; once only */
    li a0, 7
    sw a0, 0(s0)
    li a1, 9
    sc.w a2, a1, (s0)
    CHECK(a2, 1)
    lw a2, 0(s0)
    CHECK(a2, 7)
    lr.w a2, (s0)
    CHECK(a2, 7)
    sc.w a2, a1, (s0)
    CHECK(a2, 0)
    lw a2, 0(s0)
    CHECK(a2, 9)
    sc.w a2, a0, (s0)
    CHECK(a2, 1)
    lw a2, 0(s0)
    CHECK(a2, 9)
    /* elsewhere it fails, and the reservation is gone all the same */
    la s1, cell + 1024
    lr.w.aq a2, (s0)
    sc.w a2, a0, (s1)
    CHECK(a2, 1)
    sc.w a2, a0, (s0)
    CHECK(a2, 1)
    /* a second lr replaces the first */
    lr.w a2, (s1)
    lr.w.aqrl a2, (s0)
    sc.w.rl a2, a0, (s0)
    CHECK(a2, 0)
    /* the word is sign-extended; */
    li a0, WORD(0x80000001)
    sw a0, 0(s0)
    lr.w a2, (s0)
    CHECK(a2, WORD(0x80000001))
    sc.w.aqrl zero, zero, (s0)
    lw a2, 0(s0)
    CHECK(a2, 0)
    lr.w zero, (s0)
    sc.w a0, a0, (s0)
    CHECK(a0, 0)
#if __riscv_xlen == 64
    li a0, 0x8123456789abcdef
    sd a0, 0(s0)
    lr.d a2, (s0)
    CHECK(a2, 0x8123456789abcdef)
    li a1, 0xfedcba9876543210
    sc.d a2, a1, (s0)
    CHECK(a2, 0)
    ld a2, 0(s0)
    CHECK(a2, 0xfedcba9876543210)
    sc.d a2, a0, (s0)
    CHECK(a2, 1)
    ld a2, 0(s0)
    CHECK(a2, 0xfedcba9876543210)
#endif

    /* misaligned: a trap, and nothing happens */
    li a0, -1
    sw a0, 0(s0)
    sw a0, 4(s0)
    .irp k, 1,2,3
    addi a3, s0, \k
    li a2, 0x123
    TRAPS(LOAD_MISALIGNED, a3, lr.w a2, (a3))
    TRAPS(STORE_MISALIGNED, a3, sc.w a2, zero, (a3))
    TRAPS(STORE_MISALIGNED, a3, amoswap.w a2, zero, (a3))
    TRAPS(STORE_MISALIGNED, a3, amomaxu.w a2, zero, (a3))
    CHECK(a2, 0x123)
    .endr
#if __riscv_xlen == 64
    .irp k, 1,2,4,7
    addi a3, s0, \k
    TRAPS(LOAD_MISALIGNED, a3, lr.d a2, (a3))
    TRAPS(STORE_MISALIGNED, a3, sc.d a2, zero, (a3))
    TRAPS(STORE_MISALIGNED, a3, amoadd.d a2, zero, (a3))
    CHECK(a2, 0x123)
    .endr
#endif
    lw a2, 0(s0)
    CHECK(a2, -1)
    lw a2, 4(s0)
    CHECK(a2, -1)
PROGRAM_END
DATA_BEGIN
    .balign 64
cell:
    .zero 2048
DATA_END
