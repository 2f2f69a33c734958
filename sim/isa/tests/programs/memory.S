/*
 * Loads and stores of every size at every offset from an address just below a
 * border: of 8, 32, 64 and 4096 bytes. Misaligned ones are plain accesses.
 */
#include "program.h"

/* Byte k of the pattern, and n bytes of it from k on, as loads extend them. */
#define BYTE(k) (((k) * 0x13 + 0x75) & 0xff)
#define HALF(k) (BYTE(k) | BYTE((k) + 1) << 8)
#define FOUR(k) (HALF(k) | HALF((k) + 2) << 16)
#define EIGHT(k) (FOUR(k) | FOUR((k) + 4) << 32)
#define SIGNED(v, bits) (((v) ^ 1 << ((bits) - 1)) - (1 << ((bits) - 1)))

#define LOADS(k)                                                        \
    lb a0, k(s0)                                                        ;\
    CHECK(a0, SIGNED(BYTE(k), 8))                                       ;\
    lbu a0, k(s0)                                                       ;\
    CHECK(a0, BYTE(k))                                                  ;\
    lh a0, k(s0)                                                        ;\
    CHECK(a0, SIGNED(HALF(k), 16))                                      ;\
    lhu a0, k(s0)                                                       ;\
    CHECK(a0, HALF(k))                                                  ;\
    lw a0, k(s0)                                                        ;\
    CHECK(a0, WORD(FOUR(k)))                                            ;\
    flw fa0, k(s0)                                                      ;\
    fmv.x.w a0, fa0                                                     ;\
    CHECK(a0, WORD(FOUR(k)))                                            ;\
    fld fa0, k(s0)                                                      ;\
    fsd fa0, 0(s1)                                                      ;\
    lw a0, 0(s1)                                                        ;\
    CHECK(a0, WORD(FOUR(k)))                                            ;\
    lw a0, 4(s1)                                                        ;\
    CHECK(a0, WORD(FOUR(k + 4)))                                        ;\
    RV64(lwu a0, k(s0))                                                 ;\
    RV64(CHECK(a0, FOUR(k)))                                            ;\
    RV64(ld a0, k(s0))                                                  ;\
    RV64(CHECK(a0, EIGHT(k)))

/* Bytes first..last of the 24 at s0 are of the pattern, the others 0x11. */
#define ONLY(first, last)                                               \
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23;\
    lbu a0, \i(s0)                                                      ;\
    .if \i >= first && \i <= last                                       ;\
    CHECK(a0, BYTE(\i - first + 1))                                     ;\
    .else                                                               ;\
    CHECK(a0, 0x11)                                                     ;\
    .endif                                                              ;\
    .endr

#define STORE(op, reg, bytes, k)                                        \
    jal s1, fill                                                        ;\
    op reg, k(s0)                                                       ;\
    ONLY(k, k + bytes - 1)

PROGRAM_BEGIN
    la s0, area + 8
    jal gp, everywhere
    la s0, area + 32 - 8
    jal gp, everywhere
    la s0, area + 64 - 8
    jal gp, everywhere
    la s0, area + 4096 - 8
    jal gp, everywhere

    /* the ends of the immediate, base = rd, a load that is thrown away */
    la s0, area + 2048
    li a1, 0x5a
    sb a1, -2048(s0)
    sb a1, 2047(s0)
    lbu a0, -2048(s0)
    CHECK(a0, 0x5a)
    mv a0, s0
    lbu a0, 2047(a0)
    CHECK(a0, 0x5a)
    lw zero, 0(s0)
    CHECK(zero, 0)
    sw zero, 0(s0)
    lw a0, 0(s0)
    CHECK(a0, 0)

    /* a single in a register is boxed: all ones above */
    li a0, 0x12345678
    sw a0, 0(s0)
    flw fa0, 0(s0)
    fsd fa0, 8(s0)
    lw a0, 8(s0)
    CHECK(a0, 0x12345678)
    lw a0, 12(s0)
    CHECK(a0, -1)
    /* and fsw stores the low half of whatever is there */
    li a0, 0x11223344
    sw a0, 4(s0)
    fld fa0, 0(s0)
    fsw fa0, 16(s0)
    lw a0, 16(s0)
    CHECK(a0, 0x12345678)
    fsd fa0, 20(s0)
    lw a0, 24(s0)
    CHECK(a0, 0x11223344)
    j passed

/* 16 bytes at s0 become the pattern. */
pattern:
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    li a0, BYTE(\i)
    sb a0, \i(s0)
    .endr
    jr s1

/* 24 bytes at s0 become 0x11. */
fill:
    li t0, 0x11
    addi t1, s0, 24
    mv t2, s0
1:  sb t0, 0(t2)
    addi t2, t2, 1
    bltu t2, t1, 1b
    jr s1

everywhere:
    jal s1, pattern
    la s1, spare
    .irp k, 0,1,2,3,4,5,6,7,8
    LOADS(\k)
    .endr
    la s1, spare
    li a0, FOUR(1)
    sw a0, 0(s1)
    li a0, FOUR(5)
    sw a0, 4(s1)
    flw fs0, 0(s1)
    fld fs1, 0(s1)
    li s4, W(FOUR(1), EIGHT(1))
    .irp k, 1,2,3,4,5,6,7,8
    STORE(sb, s4, 1, \k)
    STORE(sh, s4, 2, \k)
    STORE(sw, s4, 4, \k)
    STORE(fsw, fs0, 4, \k)
    STORE(fsd, fs1, 8, \k)
    RV64(STORE(sd, s4, 8, \k))
    .endr
    jr gp
PROGRAM_END
DATA_BEGIN
spare:
    .dword 0
    .balign 4096
area:
    .zero 8192
DATA_END
