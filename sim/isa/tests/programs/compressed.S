/*
 * C: every compressed form with its extreme immediates; instructions of both
 * lengths over the border of a page and of a fetch line.
 */
#include "program.h"

/* Compressed instructions, padded to a whole word: their result in a register. */
#define RVC(reg, expected, ...)                                         \
    .option push                                                        ;\
    .option rvc                                                         ;\
    __VA_ARGS__                                                         ;\
    .balign 4                                                           ;\
    .option pop                                                         ;\
    CHECK(reg, expected)

#define AREA_WORD 0x89abcdef

PROGRAM_BEGIN
    li a0, 5
    RVC(a0, 5, c.nop)
    /* hints: c.nop 17; c.li, c.lui, c.slli, c.mv, c.add to x0; shifts by 0 */
    RVC(a0, 5, .insn 0x0045; .insn 0x4015; .insn 0x6005; .insn 0x0006)
    RVC(a0, 5, .insn 0x802a; .insn 0x902a)
    RVC(a0, 5, .insn 0x8101; .insn 0x8501; .insn 0x0502)
    RVC(a0, 36, c.addi a0, 31)
    RVC(a0, 4, c.addi a0, -32)
    RVC(t3, -32, c.li t3, -32)
    RVC(t3, 31, c.li t3, 31)
    RVC(s0, 0x1f000, c.lui s0, 0x1f)
    RVC(s0, WORD(0xfffe0000), c.lui s0, 0xfffe0)
    li sp, 0x10000
    RVC(sp, 0x10000 + 496, c.addi16sp sp, 496)
    RVC(sp, 0x10000 - 16, c.addi16sp sp, -512)
    RVC(a5, 0x10000 - 16 + 1020, c.addi4spn a5, sp, 1020)
    RVC(s0, 0x10000 - 12, c.addi4spn s0, sp, 4)
    li a0, 3
    RVC(a0, W(0x80000000, 0x8000000000000000), c.slli a0, __riscv_xlen - 1)
    RVC(a0, W(0x40000000, 0x4000000000000000), c.srli a0, 1)
    RVC(a0, 1, c.srli a0, __riscv_xlen - 2)
    li a0, LOWEST
    RVC(a0, -1, c.srai a0, __riscv_xlen - 1)
    li a0, 0x1ff
    RVC(a0, 0x1f, c.andi a0, 31)
    RVC(a0, 0, c.andi a0, -32)
    li t5, 9
    RVC(t0, 9, c.mv t0, t5)
    RVC(t0, 18, c.add t0, t5)
    li s1, 20
    li a5, 6
    RVC(s1, 14, c.sub s1, a5)
    RVC(s1, 8, c.xor s1, a5)
    RVC(s1, 14, c.or s1, a5)
    RVC(s1, 6, c.and s1, a5)
#if __riscv_xlen == 64
    li a0, 0x7fffffff
    RVC(a0, 0xffffffff80000000, c.addiw a0, 1)
    RVC(a0, 0x7fffffe0, c.addiw a0, -32)
    li a0, 0x1ffffffff
    RVC(a0, -1, c.addiw a0, 0)
    li a5, 1
    RVC(a0, 0, c.addw a0, a5)
    RVC(a0, -1, c.subw a0, a5)
#endif

    /* memory, at both ends of what the offsets reach */
    la a1, area
    la sp, area
    li a0, WORD(AREA_WORD)
    RVC(zero, 0, c.sw a0, 0(a1); c.sw a0, 124(a1))
    RVC(a2, WORD(AREA_WORD), c.lw a2, 124(a1))
    lw a2, 124(a1)
    CHECK(a2, WORD(AREA_WORD))
    RVC(zero, 0, c.swsp t5, 252(sp))
    RVC(t4, 9, c.lwsp t4, 252(sp))
    lw a2, 252(sp)
    CHECK(a2, 9)
    RVC(a2, WORD(AREA_WORD), c.lwsp a2, 0(sp))
#if __riscv_xlen == 64
    li a0, 0x0123456789abcdef
    RVC(zero, 0, c.sd a0, 248(a1); c.sdsp a0, 504(sp))
    RVC(a2, 0x0123456789abcdef, c.ld a2, 248(a1))
    RVC(a2, 0x0123456789abcdef, c.ldsp a2, 504(sp))
    ld a2, 504(sp)
    CHECK(a2, 0x0123456789abcdef)
#else
    flw fa0, 0(a1)
    RVC(zero, 0, c.fsw fa0, 64(a1); c.fswsp fa0, 68(sp))
    RVC(zero, 0, c.flw fa1, 64(a1); c.flwsp ft9, 68(sp))
    fmv.x.w a2, fa1
    CHECK(a2, AREA_WORD)
    fmv.x.w a2, ft9
    CHECK(a2, AREA_WORD)
#endif
    li a0, 0x13579bdf
    sw a0, 4(a1)
    fld fa0, 0(a1)
    RVC(zero, 0, c.fsd fa0, 248(a1); c.fsdsp fa0, 504(sp))
    RVC(zero, 0, c.fld fs0, 248(a1); c.fldsp ft11, 504(sp))
    fsd fs0, 8(a1)
    lw a2, 8(a1)
    CHECK(a2, WORD(AREA_WORD))
    lw a2, 12(a1)
    CHECK(a2, 0x13579bdf)
    fsd ft11, 16(a1)
    lw a2, 20(a1)
    CHECK(a2, 0x13579bdf)

    /* jumps and branches; links are 2 bytes on */
    li a2, 0
    RVC(a2, 4, c.j 1f; c.addi a2, 1; 1: c.addi a2, 4)
    la t0, 1f
    li a2, 0
    RVC(a2, 4, c.jr t0; c.addi a2, 1; 1: c.addi a2, 4)
    la t0, 1f
    li a2, 0
    RVC(a2, 4, c.jalr t0; 2: c.addi a2, 1; 1: c.addi a2, 4)
    la t0, 2b
    SAME(ra, t0)
    RV32(li a2, 0)
    RV32(RVC(a2, 4, c.jal 1f; 2: c.addi a2, 1; 1: c.addi a2, 4))
    RV32(la t0, 2b)
    RV32(SAME(ra, t0))
    li a0, 0
    li a1, 1
    li a2, 0
    RVC(a2, 4, c.beqz a0, 1f; c.addi a2, 1; 1: c.addi a2, 4)
    RVC(a2, 9, c.beqz a1, 1f; c.addi a2, 1; 1: c.addi a2, 4)
    RVC(a2, 13, c.bnez a1, 1f; c.addi a2, 1; 1: c.addi a2, 4)
    RVC(a2, 18, c.bnez a0, 1f; c.addi a2, 1; 1: c.addi a2, 4)
    /* jalr through its own link register */
    la ra, 1f
    .option rvc
    c.jalr ra
2:  c.nop
    .option norvc
1:  la t0, 2b
    SAME(ra, t0)

    /* traps in compressed instructions */
    TRAPS(ILLEGAL, zero, .half 0; .half 0x0001)
    la a3, 1f
    TRAPS(BREAKPOINT, a3, 1: .half 0x9002; .half 0x0001)

    /* an instruction of 4 bytes, 2 on each side; a jump into and out of there */
    li a2, 0
    la a4, last
    la a5, next
    j 1f
    .balign 4096
    .skip 4096 - 2
last:
    .option rvc
    addi a2, a2, 0x100 /* bytes 4094, 4095 | 0, 1 */
    .option norvc
    .half 0x0605       /* c.addi a2, 1 */
    .half 0x0001
next:
    j 2f
1:  jr a4
2:  CHECK(a2, 0x101)

    /* a compressed jump in the last halfword of a page, to the next page */
    li a2, 0
    la a4, 1f
    la a5, 3f
    jr a4
    .balign 4096
    .skip 4096 - 2
    .option rvc
1:  c.jr a5
    .option norvc
    .half 0x0605
    .half 0x0001
3:  CHECK(a2, 0)

    /* a 4-byte branch over the border, backwards and not taken; its pc */
    la a4, 1f
    jr a4
    .balign 4096
2:  addi a2, a2, 8
    j 4f
    .skip 4096 - 10
1:  .option rvc
    auipc a3, 0
    beq zero, zero, 2b
    .option norvc
    .half 0x0001
4:  CHECK(a2, 8)
    la a4, 1b
    SAME(a3, a4)

    /* straight on through 3 lines of 2-byte and unaligned 4-byte instructions */
    li a2, 0
    .balign 32
    .half 0x0605
    .option rvc
    .rept 24
    addi a2, a2, 0x40
    .endr
    .option norvc
    .half 0x0605
    CHECK(a2, 24 * 0x40 + 2)
PROGRAM_END
DATA_BEGIN
    .balign 64
area:
    .zero 512
DATA_END
