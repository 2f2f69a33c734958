/*
 * Traps and what they leave behind: mcause, mepc, mtval, mstatus, and that an
 * instruction which traps has done nothing.
 */
#include "program.h"

/* Addresses below and above all memory; at the very top scratch memory is. */
#define NOWHERE 16
#define FAR W(0xff800000, 0x8000000080000000)

/* mstatus.MIE and MPIE */
#define STATUS(mie, mpie)                                               \
    csrr a0, mstatus                                                    ;\
    andi a0, a0, MIE | MPIE                                             ;\
    CHECK(a0, (mie) * MIE | (mpie) * MPIE)

PROGRAM_BEGIN
    /* ecall and ebreak: mepc is at them, mtval 0 and pc */
    TRAPS(ECALL_M, zero, ecall)
    la a3, 1f
    TRAPS(BREAKPOINT, a3, 1: ebreak)
    /* an illegal word is in mtval, a compressed one in its low half */
    li a3, -1
    RV64(srli a3, a3, 32)
    TRAPS(ILLEGAL, a3, .word -1)
    TRAPS(ILLEGAL, zero, .word 0)
    li a3, 0x8002
    TRAPS(ILLEGAL, a3, .half 0x8002; .half 1)

    /* MIE goes to MPIE and back, whatever they were */
    csrw mstatus, zero
    TRAPS(ECALL_M, zero, ecall)
    andi a0, s7, MIE | MPIE
    CHECK(a0, 0)
    STATUS(0, 1)
    csrsi mstatus, MIE
    TRAPS(ECALL_M, zero, ecall)
    andi a0, s7, MIE | MPIE
    CHECK(a0, MPIE)
    STATUS(1, 1)
    li a0, MPIE
    csrc mstatus, a0
    TRAPS(BREAKPOINT, s2, ebreak)
    andi a0, s7, MIE | MPIE
    CHECK(a0, MPIE)
    STATUS(1, 1)
    li a0, MIE
    csrc mstatus, a0
    li a0, MPIE
    csrs mstatus, a0
    TRAPS(ILLEGAL, zero, .word 0)
    andi a0, s7, MIE | MPIE
    CHECK(a0, 0)
    STATUS(0, 1)
    li a0, MPP
    and a1, s7, a0
    SAME(a1, a0)
    /* a trap within a handler, and both ways out */
    la t0, 2f
    csrrw t1, mtvec, t0
    csrsi mstatus, MIE
    li t2, 0
1:  ecall
    j 5f
    .balign 4
2:  addi t2, t2, 1
    li t3, 2
    beq t2, t3, 4f
    STATUS(0, 1)
    csrr t4, mepc
    csrr t5, mstatus
3:  ebreak
    STATUS(0, 1)
    csrw mstatus, t5
    addi t4, t4, 4
    csrw mepc, t4
    mret
4:  STATUS(0, 0)
    csrr a0, mepc
    la a1, 3b
    SAME(a0, a1)
    addi a0, a0, 4
    csrw mepc, a0
    mret
5:  CHECK(t2, 2)
    STATUS(1, 1)
    csrw mtvec, t1

    /* mret goes wherever mepc says, its bit 0 is not kept */
    la a0, 1f + 1
    csrw mepc, a0
    li a0, MPP
    csrc mstatus, a0
    mret
    j failed
1:  li a0, FS
    csrs mstatus, a0

    /* exceptions go to the base in the vectored mode, too */
    csrr t0, mtvec
    ori t1, t0, 1
    csrw mtvec, t1
    csrr a0, mtvec
    SAME(a0, t1)
    TRAPS(ECALL_M, zero, ecall)
    TRAPS(ILLEGAL, zero, .word 0)
    csrw mtvec, t0

    /* nothing is pending, so that MIE changes nothing; wfi goes on */
    li a0, -1
    csrw mie, a0
    csrsi mstatus, MIE
    nop
    wfi
    csrci mstatus, MIE
    csrw mie, zero
    csrr a0, mip
    CHECK(a0, 0)

    /* access faults: rd and memory as they were, mtval the address */
    li a3, FAR
    li a0, 0x123
    TRAPS(LOAD_FAULT, a3, lb a0, 0(a3))
    RV64(TRAPS(LOAD_FAULT, a3, ld a0, 0(a3)))
    TRAPS(STORE_FAULT, a3, sb a0, 0(a3))
    RV64(TRAPS(STORE_FAULT, a3, sd a0, 0(a3)))
    TRAPS(LOAD_FAULT, a3, lr.w a0, (a3))
    TRAPS(STORE_FAULT, a3, amoadd.w a0, a0, (a3))
    RV64(TRAPS(STORE_FAULT, a3, amoswap.d a0, a0, (a3)))
    TRAPS(LOAD_FAULT, a3, fld fa0, 0(a3))
    TRAPS(STORE_FAULT, a3, fsw fa0, 0(a3))
    addi a4, a3, -8
    RV64(TRAPS(LOAD_FAULT, a4, ld a0, -8(a3)))
    mv a1, a3
    TRAPS(LOAD_FAULT, a3, lw a1, 0(a1))
    SAME(a1, a3)
    CHECK(a0, 0x123)
    RV64(li a3, 0xffffffff00000000)
    RV64(TRAPS(LOAD_FAULT, a3, lb a0, 0(a3)))
    RV64(CHECK(a0, 0x123))
    /* a fetch: the jump is done, its target faults */
    li a3, FAR
    la s3, 1f
    li s11, __LINE__
    la a4, 2f
    jalr a0, 4(a3)
2:  j failed
1:  CHECK(s4, FETCH_FAULT)
    addi a3, a3, 4
    SAME(s5, a3)
    SAME(s6, a3)
    SAME(a0, a4)
    /* the first page is no memory for instructions */
    li a3, NOWHERE
    la s3, 1f
    li s11, __LINE__
    jalr zero, 0(a3)
    j failed
1:  CHECK(s4, FETCH_FAULT)
    CHECK(s5, NOWHERE)
    CHECK(s6, NOWHERE)

    /* what stands around an instruction that traps is done once */
    li a2, 0
    .option rvc
    addi a2, a2, 0x40
    c.addi a2, 1
    .option norvc
    TRAPS(ECALL_M, zero, ecall)
    addi a2, a2, 0x80
    CHECK(a2, 0xc1)
    la s1, counter
    sw zero, 0(s1)
    .rept 4
    lw a0, 0(s1)
    addi a0, a0, 1
    sw a0, 0(s1)
    TRAPS(ILLEGAL, zero, .word 0)
    .endr
    lw a0, 0(s1)
    CHECK(a0, 4)
PROGRAM_END
DATA_BEGIN
counter:
    .word 0
DATA_END
