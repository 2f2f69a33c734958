/*
 * Words that are no instruction of any extension here: reserved in the manual
 * or of an extension that there is not. Each is written to a place, executed,
 * and has to be an illegal instruction with itself in mtval.
 */
#include "program.h"

PROGRAM_BEGIN
    la s0, words
    la s1, place
1:  lw a0, 0(s0)
    addi s0, s0, 4
    li a1, 3
    and a1, a1, a0
    addi a1, a1, -3
    bnez a1, 2f
    sw a0, 0(s1)
    RV64(slli a0, a0, 32)
    RV64(srli a0, a0, 32)
    j 3f
2:  sh a0, 0(s1)
3:  fence.i
    la s3, 4f
    li s11, __LINE__
    mv s9, a0 /* what was got, if it does not trap */
    li s10, 0
    jr s1
4:  mv s10, s4
    li a1, ILLEGAL
    bne s4, a1, failed
    SAME(s5, s1)
    SAME(s6, a0)
    la a1, words_end
    bne s0, a1, 1b

    /* a reserved rounding mode in frm: what uses it is illegal */
    li s0, 5
1:  fsrm s0
    TRAPS(ILLEGAL, s6, fadd.s fa0, fa0, fa0, dyn)
    TRAPS(ILLEGAL, s6, fmadd.d fa0, fa0, fa0, fa0, dyn)
    TRAPS(ILLEGAL, s6, fsqrt.d fa0, fa0, dyn)
    TRAPS(ILLEGAL, s6, fcvt.w.s a0, fa0, dyn)
    TRAPS(ILLEGAL, s6, fcvt.s.d fa0, fa0, dyn)
    fmin.s fa0, fa0, fa0
    fadd.s fa0, fa0, fa0, rup
    addi s0, s0, 1
    li a0, 8
    bne s0, a0, 1b
    fsrmi 0
    j passed
    .balign 64
place:
    .word 0
    j failed
PROGRAM_END
DATA_BEGIN
    .balign 4
words:
    /* opcodes: OP-V, OP-VE, reserved, OP-IMM-64, OP-64, 48, 64 and more bits */
    .word 0x00000057, 0x00000077, 0x0000006b, 0x0000005b, 0x0000007b
    .word 0x0000001f, 0x0000005f, 0x0000003f, 0x0000007f, 0xffffffff
    /* LOAD, STORE, BRANCH, JALR: funct3 */
    .word 0x00007003, 0x00004023, 0x00005023, 0x00006023, 0x00007023
    .word 0x00002063, 0x00003063
    .word 0x00001067, 0x00002067, 0x00003067, 0x00004067, 0x00005067
    .word 0x00006067, 0x00007067
    /* OP: funct7; Zbc, Zbs, Zbkb, Zicond */
    .word 0x04000033, 0x08000033, 0x10000033, 0x80000033, 0xfe000033
    .word 0x40001033, 0x40002033, 0x40003033, 0x42000033, 0x02000033 | 4 << 25
    .word 0x20000033, 0x20001033, 0x20003033, 0x20005033, 0x20007033
    .word 0x0a000033, 0x0a001033, 0x0a002033, 0x0a003033
    .word 0x28001033, 0x48001033, 0x68001033, 0x48005033
    .word 0x08007033, 0x0e005033, 0x0e007033, 0x60002033, 0x60004033
    /* OP-IMM: shifts, the unary ones of Zbb, Zbs, Zbkb */
    .word 0x04001013, 0x10001013, 0x40001013, 0x80001013
    .word 0x04005013, 0x08005013, 0x20005013, 0xc0005013
    .word 0x60301013, 0x60601013, 0x60701013, 0x61f01013
    .word 0x28605013, 0x28005013, 0x68705013, 0x69905013, 0x6b905013
    .word 0x28001013, 0x48001013, 0x68001013, 0x48005013
    .word W(0x6b805013, 0x69805013), W(0x08104033, 0x0810403b)
    .word W(0x0800403b, 0x08004033)
    /* OP-IMM-32, OP-32 */
    .word 0x0000201b, 0x0000301b, 0x0000401b, 0x0000601b, 0x0000701b
    .word 0x0200101b, 0x4000101b, 0x0200501b, 0x4200501b, 0x6030101b
    .word 0x0000203b, 0x0000303b, 0x0000403b, 0x0000603b, 0x0000703b
    .word 0x4000103b, 0x4000203b, 0x0200103b, 0x0200203b, 0x0200303b
    .word 0x2000003b, 0x6000003b, 0x0a00403b
    /* MISC-MEM: cache blocks and the rest of funct3 */
    .word 0x0030200f, 0x0040200f, 0x0000208f, 0x8000200f
    .word 0x0000300f, 0x0000400f, 0x0000500f, 0x0000600f, 0x0000700f
    /* SYSTEM: other modes, fields that have to be 0 */
    .word 0x10200073, 0x00200073, 0x70200073, 0x7b200073, 0x12000073
    .word 0x16000073, 0x22000073, 0x62000073, 0x00004073, 0x00d00073
    .word 0x000000f3, 0x00008073, 0x001000f3, 0x00108073
    .word 0x302000f3, 0x30208073, 0x105000f3, 0x10508073, 0x00300073
    /* AMO: widths, functions, lr with a second source */
    .word 0x0000002f, 0x0000102f, 0x0000402f, 0x0000502f, 0x0000602f
    .word 0x0000702f, 0x1010202f, 0x11f0202f, 0x2800202f, 0x3000202f
    .word 0x4800202f, 0x9000202f, 0xf800202f, 0x1010302f, 0x2800302f
    /* LOAD-FP, STORE-FP: half, quadruple, vectors */
    .word 0x00000007, 0x00001007, 0x00004007, 0x00005007, 0x00006007
    .word 0x00007007, 0x00000027, 0x00001027, 0x00004027, 0x00005027
    .word 0x00006027, 0x00007027
    /* OP-FP: half, quadruple, rounding modes 5 and 6 */
    .word 0x04000053, 0x06000053, 0x0c000053, 0x5c000053, 0xa4002053
    .word 0x00005053, 0x00006053, 0x02005053, 0x1a006053, 0x58005053
    .word 0xc0005053, 0xd0006053, 0x40105053, 0xd2005053, 0x42005053
    /* OP-FP: functions and fields */
    .word 0x20003053, 0x22004053, 0x28002053, 0x28003053, 0x2a007053
    .word 0xa0003053, 0xa0004053, 0xa2007053, 0x58100053, 0x5a200053
    .word 0xc0400053, 0xc2500053, 0xd0400053, 0xd3f00053
    .word 0x40000053, 0x40200053, 0x40300053, 0x42100053, 0x42200053
    .word 0x40400053, 0x42500053, 0xf0100053, 0xf2100053
    .word 0xe0100053, 0xe0002053, 0xe0101053, 0xe2002053, 0xf0001053
    .word 0xf2001053, 0x30000053, 0x48000053, 0x60000053, 0xb0000053
    /* fused: formats, rounding modes */
    .word 0x04000043, 0x06000043, 0x04000047, 0x0600004b, 0x0400004f
    .word 0x00005043, 0x00006047, 0x0200504b, 0x0200604f
    /* compressed: zero, reserved immediates and registers, Zcb */
    .word 0x0000, 0x0004, 0x001c, 0x8000, 0x8400, 0x9ffc
    .word 0x6081, 0x6101, 0x6f81, 0x4002, 0x8002
    .word 0x9c41, 0x9c61
#if __riscv_xlen == 64
    .word 0x2001, 0x3005, 0x6002, 0x7002
#else
    /* what only RV64 has */
    .word 0x00003003, 0x00006003, 0x00003023, 0x02001013, 0x02005013
    .word 0x42005013, 0x62005013, 0x0000001b, 0x0000101b, 0x0000501b
    .word 0x4000501b, 0x0000003b, 0x4000003b, 0x0000103b, 0x0000503b
    .word 0x4000503b, 0x0200003b, 0x0200403b, 0x0200503b, 0x0200603b
    .word 0x0200703b, 0x1000302f, 0x1800302f, 0x0000302f, 0x0800302f
    .word 0xe000302f, 0xc0200053, 0xc0300053, 0xd0200053, 0xd0300053
    .word 0xc2200053, 0xc2300053, 0xd2200053, 0xd2300053, 0xe2000053
    .word 0xf2000053, 0x0800003b, 0x2000203b, 0x0800101b, 0x6000101b
    .word 0x6010101b, 0x6020101b, 0x6000103b, 0x6000503b, 0x6000501b
    .word 0x9001, 0x9401, 0x1002, 0x1082, 0x9c01, 0x9c21
#endif
words_end:
DATA_END
