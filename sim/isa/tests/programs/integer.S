/* RV32I, RV64I and M: computation, comparison, jumps and branches. */
#include "program.h"

/* A branch that is taken or not, forwards and backwards. */
#define TAKEN(op, x, y)                                                 \
    li a0, x                                                            ;\
    li a1, y                                                            ;\
    li a2, 0                                                            ;\
    j 2f                                                                ;\
1:  addi a2, a2, 1                                                      ;\
    op a0, a1, 3f                                                       ;\
    addi a2, a2, 8                                                      ;\
2:  op a0, a1, 1b                                                       ;\
    addi a2, a2, 16                                                     ;\
3:  CHECK(a2, 1)

#define NOT_TAKEN(op, x, y)                                             \
    li a0, x                                                            ;\
    li a1, y                                                            ;\
    li a2, 0                                                            ;\
1:  op a0, a1, 2f                                                       ;\
    addi a2, a2, 1                                                      ;\
    op a0, a1, 1b                                                       ;\
    addi a2, a2, 1                                                      ;\
2:  CHECK(a2, 2)

PROGRAM_BEGIN
    /* upper immediates */
    lui a0, 0x12345
    CHECK(a0, 0x12345000)
    lui a0, 0x80000
    CHECK(a0, WORD(0x80000000))
    lui a0, 0xfffff
    CHECK(a0, -4096)
    lui a0, 0
    CHECK(a0, 0)
    la a1, 1f
1:  auipc a0, 0
    SAME(a0, a1)
    la a1, 1f
1:  auipc a0, 0x80000
    sub a0, a0, a1
    CHECK(a0, WORD(0x80000000))
    la a1, 1f
1:  auipc a0, 0xfffff
    sub a0, a0, a1
    CHECK(a0, -4096)

    RI(addi, 0, 0, 0)
    RI(addi, 2047, 0, 2047)
    RI(addi, -2048, 0, -2048)
    RI(addi, 0, 1, -1)
    RI(addi, LOWEST, HIGHEST, 1)
    RI(addi, HIGHEST, LOWEST, -1)
    RI(slti, 1, -1, 0)
    RI(slti, 0, 0, -1)
    RI(slti, 0, 5, 5)
    RI(slti, 1, LOWEST, -2048)
    RI(slti, 0, HIGHEST, 2047)
    RI(sltiu, 0, -1, 0)
    RI(sltiu, 1, 0, -1)
    RI(sltiu, 1, -2049, -2048)
    RI(sltiu, 0, -2048, -2048)
    RI(xori, -1, 0, -1)
    RI(xori, 0x5a5, 0xff, 0x55a)
    RI(xori, LOWEST, HIGHEST, -1)
    RI(ori, -1, 0x123, -1)
    RI(ori, 0x7ff, 0x700, 0xff)
    RI(ori, -2048, 0, -2048)
    RI(andi, 0x123, 0x123, -1)
    RI(andi, 0x0f0, 0xff0, 0xff)
    RI(andi, LOWEST, LOWEST, -2048)
    RI(slli, LOWEST, 1, __riscv_xlen - 1)
    RI(slli, 1, 1, 0)
    RI(slli, -2, -1, 1)
    RI(srli, 1, LOWEST, __riscv_xlen - 1)
    RI(srli, HIGHEST, -1, 1)
    RI(srli, -1, -1, 0)
    RI(srai, -1, LOWEST, __riscv_xlen - 1)
    RI(srai, 0, HIGHEST, __riscv_xlen - 1)
    RI(srai, -64, -128, 1)

    RR(add, 3, 1, 2)
    RR(add, 0, -1, 1)
    RR(add, LOWEST, HIGHEST, 1)
    RR(add, 0, LOWEST, LOWEST)
    RR(sub, -1, 1, 2)
    RR(sub, LOWEST, 0, LOWEST)
    RR(sub, HIGHEST, LOWEST, 1)
    RR(sll, 2, 1, __riscv_xlen + 1)
    RR(sll, LOWEST, 3, -1)
    RR(srl, 1, LOWEST, -1)
    RR(srl, -1, -1, __riscv_xlen)
    RR(sra, -1, LOWEST, -1)
    RR(sra, W(0xc0000000, 0xc000000000000000), LOWEST, __riscv_xlen + 1)
    RR(slt, 1, LOWEST, HIGHEST)
    RR(slt, 0, HIGHEST, LOWEST)
    RR(slt, 0, -1, -1)
    RR(sltu, 0, LOWEST, HIGHEST)
    RR(sltu, 1, 0, -1)
    RR(sltu, 0, 7, 7)
    RR(xor, 0x0ff0, 0xff00, 0xf0f0)
    RR(or, 0xfff0, 0xff00, 0xf0f0)
    RR(and, 0xf000, 0xff00, 0xf0f0)

#if __riscv_xlen == 64
    RI(addiw, 0xffffffff80000000, 0x7fffffff, 1)
    RI(addiw, 0, 0x1ffffffff, 1)
    RI(addiw, -1, 0xffffffff00000000, -1)
    RI(slliw, 0xffffffff80000000, 1, 31)
    RI(slliw, 0, 0x100000000, 1)
    RI(srliw, 1, 0xff80000000, 31)
    RI(srliw, 0xffffffff80000000, 0x80000000, 0)
    RI(sraiw, -1, 0x80000000, 31)
    RI(sraiw, 0x3fffffff, 0xf7fffffff, 1)
    RR(addw, 0xffffffff80000000, 0x7fffffff, 1)
    RR(addw, 0, 0xffffffff, 0x700000001)
    RR(subw, 0x7fffffff, 0x80000000, 1)
    RR(subw, -1, 0xf00000000, 1)
    RR(sllw, 0xffffffff80000000, 1, 63)
    RR(sllw, 2, 1, 33)
    RR(srlw, 1, 0x80000000, 31)
    RR(srlw, 0xffffffff80000000, 0x80000000, 32)
    RR(sraw, -1, 0x80000000, 63)
    RR(sraw, 0, 0xffffffff7fffffff, 31)
#endif

    /* M */
    RR(mul, 42, 6, 7)
    RR(mul, LOWEST, LOWEST, -1)
    RR(mul, 1, -1, -1)
    RR(mul, 0, LOWEST, 2)
    RR(mulh, 0, -1, -1)
    RR(mulh, -1, -1, 1)
    RR(mulh, W(0x40000000, 0x4000000000000000), LOWEST, LOWEST)
    RR(mulh, W(0x3fffffff, 0x3fffffffffffffff), HIGHEST, HIGHEST)
    RR(mulhsu, -1, -1, -1)
    RR(mulhsu, LOWEST, LOWEST, -1)
    RR(mulhsu, W(0x7ffffffe, 0x7ffffffffffffffe), HIGHEST, -1)
    RR(mulhu, -2, -1, -1)
    RR(mulhu, W(0x40000000, 0x4000000000000000), LOWEST, LOWEST)
    RR(mulhu, 1, LOWEST, 2)
    RR(div, -3, -7, 2)
    RR(div, -3, 7, -2)
    RR(div, 3, -7, -2)
    RR(div, LOWEST, LOWEST, -1)
    RR(div, -1, 5, 0)
    RR(div, -1, LOWEST, 0)
    RR(divu, HIGHEST, -1, 2)
    RR(divu, -1, 5, 0)
    RR(divu, 0, LOWEST, -1)
    RR(rem, -1, -7, 2)
    RR(rem, 1, 7, -2)
    RR(rem, 0, LOWEST, -1)
    RR(rem, -5, -5, 0)
    RR(remu, 1, -1, 2)
    RR(remu, LOWEST, LOWEST, -1)
    RR(remu, -5, -5, 0)
#if __riscv_xlen == 64
    RR(mulw, 0xffffffff80000000, 0x180000000, 0xf00000001)
    RR(mulw, 1, 0xffffffff, 0xffffffff)
    RR(divw, 3, 0x100000007, 2)
    RR(divw, 0xffffffff80000000, 0x80000000, 0xffffffff)
    RR(divw, -1, 7, 0x100000000)
    RR(divuw, 0x7fffffff, 0xffffffff, 2)
    RR(divuw, -1, 7, 0)
    RR(divuw, -2, 0xfffffffe, 1)
    RR(remw, -1, 0xfffffff9, 2)
    RR(remw, 0, 0x80000000, -1)
    RR(remw, 0xffffffff80000000, 0x80000000, 0)
    RR(remuw, 1, 0xffffffff, 2)
    RR(remuw, 0xffffffff80000001, 0x80000001, 0)
#endif

    /* branches */
    TAKEN(beq, 5, 5)
    NOT_TAKEN(beq, 5, LOWEST+5)
    TAKEN(bne, 0, LOWEST)
    NOT_TAKEN(bne, -1, -1)
    TAKEN(blt, LOWEST, HIGHEST)
    NOT_TAKEN(blt, 3, 3)
    NOT_TAKEN(blt, 0, -1)
    TAKEN(bge, 3, 3)
    TAKEN(bge, 0, -1)
    NOT_TAKEN(bge, LOWEST, HIGHEST)
    TAKEN(bltu, 0, -1)
    TAKEN(bltu, HIGHEST, LOWEST)
    NOT_TAKEN(bltu, 3, 3)
    TAKEN(bgeu, -1, 0)
    TAKEN(bgeu, 3, 3)
    NOT_TAKEN(bgeu, HIGHEST, LOWEST)

    /* jumps: the link, rd = rs1, bit 0 of a target */
    la a1, 1f
    jal a0, 2f
1:  j 3f
2:  SAME(a0, a1)
    jr a0
3:  la a0, 2f
    la a1, 1f
    jalr a0, 1(a0)
1:  j 3f
2:  SAME(a0, a1)
    jalr zero, 0(a0)
3:  la a0, 2f + 2047
    jalr a0, -2047(a0)
1:  j failed
2:  la a1, 1b
    SAME(a0, a1)
    la a0, 2f - 2046
    jalr zero, 2046(a0)
    j failed
2:  j 4f
    .skip 0x8000
4:  jal a0, 5f
5:  la a1, 5b
    SAME(a0, a1)

    /* what has no effect that a hart could see */
    li a0, 1
    fence
    fence r, w
    fence.tso
    .word 0x0ff0000f | 3 << 15 | 5 << 7 /* reserved fields are ignored */
    .word 0x4330000f                    /* and so are reserved modes */
    fence.i
    .word 0x7ff1100f | 5 << 7
    slti zero, a0, 5 /* hints */
    lui zero, 0xfffff
    CHECK(a0, 1)
PROGRAM_END
DATA_BEGIN
DATA_END
