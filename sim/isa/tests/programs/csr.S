/*
 * Zicsr, Zicntr and the CSRs of machine mode: what the six instructions write
 * and when, fields that keep what is written and fields that do not.
 */
#include "program.h"

#define FS_DIRTY W(0x80006000, 0x8000000000006000) /* with SD */

/* Takes what is written as far as mask; the other bits are those of fixed. */
#define WARL(csr, mask, fixed)                                          \
    csrr a5, csr                                                        ;\
    li a0, -1                                                           ;\
    csrw csr, a0                                                        ;\
    csrr a0, csr                                                        ;\
    CHECK(a0, (mask) | (fixed))                                         ;\
    csrw csr, zero                                                      ;\
    csrr a0, csr                                                        ;\
    CHECK(a0, fixed)                                                    ;\
    li a0, W(0x5a5a5a5a, 0x5a5a5a5a5a5a5a5a)                            ;\
    csrrs a1, csr, a0                                                   ;\
    CHECK(a1, fixed)                                                    ;\
    csrrc a1, csr, a0                                                   ;\
    CHECK(a1, W(0x5a5a5a5a, 0x5a5a5a5a5a5a5a5a) & (mask) | (fixed))     ;\
    csrr a1, csr                                                        ;\
    CHECK(a1, fixed)                                                    ;\
    csrw csr, a5

/* Reads as one value whatever is written. */
#define FIXED(csr, value) WARL(csr, 0, value)

/* Can be read in the ways that do not write, and in no other. */
#define READ_ONLY(csr)                                                  \
    csrr a0, csr                                                        ;\
    csrrs a0, csr, zero                                                 ;\
    csrrc a0, csr, zero                                                 ;\
    csrrsi a0, csr, 0                                                   ;\
    csrrci a0, csr, 0                                                   ;\
    li a0, 0x77                                                         ;\
    NO_ACCESS(csrrw a0, csr, zero)                                      ;\
    NO_ACCESS(csrrwi a0, csr, 0)                                        ;\
    NO_ACCESS(csrrsi a0, csr, 1)                                        ;\
    NO_ACCESS(csrrci a0, csr, 1)                                        ;\
    NO_ACCESS(csrrs a0, csr, a1)                                        ;\
    li a1, 0 /* it is the register's number that counts */              ;\
    NO_ACCESS(csrrc a0, csr, a1)                                        ;\
    CHECK(a0, 0x77)

/* An illegal instruction; mtval holds it. */
#define NO_ACCESS(...)                                                  \
    lw a4, 1f                                                           ;\
    RV64(slli a4, a4, 32)                                               ;\
    RV64(srli a4, a4, 32)                                               ;\
    TRAPS(ILLEGAL, a4, 1: __VA_ARGS__)

PROGRAM_BEGIN
    /* old value to rd, new one from rs1 or 5 bits; rd and rs1 the same */
    csrwi mscratch, 31
    csrr a0, mscratch
    CHECK(a0, 31)
    li a1, -2
    csrrw a0, mscratch, a1
    CHECK(a0, 31)
    csrrw a1, mscratch, a1
    CHECK(a1, -2)
    csrrwi a0, mscratch, 9
    CHECK(a0, -2)
    li a1, 0x36
    csrrs a0, mscratch, a1
    CHECK(a0, 9)
    csrrs a1, mscratch, a1
    CHECK(a1, 0x3f)
    li a1, 0x0f
    csrrc a0, mscratch, a1
    CHECK(a0, 0x3f)
    csrrc a1, mscratch, a1
    CHECK(a1, 0x30)
    csrrsi a0, mscratch, 3
    CHECK(a0, 0x30)
    csrrci a0, mscratch, 17
    CHECK(a0, 0x33)
    csrrw zero, mscratch, zero
    csrrs zero, mscratch, zero
    csrrs a0, mscratch, zero
    CHECK(a0, 0)
    li a0, LOWEST
    csrw mscratch, a0
    csrrsi a0, mscratch, 0
    CHECK(a0, LOWEST)
    csrrci zero, mscratch, 31
    csrr a0, mscratch
    CHECK(a0, LOWEST)
    CHECK(zero, 0)

    WARL(mscratch, -1, 0)
    WARL(mtval, -1, 0)
    WARL(mcause, -1, 0)
    WARL(mepc, -2, 0)
    WARL(mie, 0x888, 0)
    FIXED(mip, 0)
    WARL(mtvec, -3, 0)
    FIXED(mcountinhibit, 0)

    /* mstatus: MIE, MPIE, FS off or dirty; MPP is machine mode for good */
    csrr t0, mstatus
    csrw mstatus, zero
    csrr a0, mstatus
    CHECK(a0, MPP)
    li a0, ~FS & -1
    csrw mstatus, a0
    csrr a0, mstatus
    CHECK(a0, MPP | MIE | MPIE)
    csrci mstatus, MIE
    csrr a0, mstatus
    CHECK(a0, MPP | MPIE)
    .irp fs, 0x2000, 0x4000, 0x6000
    csrw mstatus, zero
    li a0, \fs
    csrs mstatus, a0
    csrr a0, mstatus
    CHECK(a0, FS_DIRTY | MPP)
    .endr
    RV32(FIXED(mstatush, 0))

    /* floating point is off: CSRs and instructions are illegal, nothing moves */
    csrwi fcsr, 0x15
    fcvt.s.w fa0, zero, rne
    li a0, FS
    csrc mstatus, a0
    la a3, spare
    NO_ACCESS(csrr a0, fcsr)
    NO_ACCESS(csrw frm, zero)
    NO_ACCESS(csrr a0, fflags)
    NO_ACCESS(fadd.s fa0, fa0, fa0, rne)
    NO_ACCESS(fsw fa0, 0(a3))
    NO_ACCESS(flw fa0, 0(a3))
    NO_ACCESS(fsd fa0, 0(a3))
    NO_ACCESS(fmv.x.w a0, fa0)
    NO_ACCESS(feq.d a0, fa0, fa0)
    NO_ACCESS(fmv.w.x fa0, zero)
    li a4, 0xa188 /* c.fsd fa0, 0(a1) */
    TRAPS(ILLEGAL, a4, .half 0xa188; .half 1)
    lw a0, 0(a3)
    CHECK(a0, 0x1234)
    csrw mstatus, t0
    csrr a0, fcsr
    CHECK(a0, 0x15)

    /* misa: which extensions there are is up to the chip, XLEN is not */
    csrr a0, misa
    srli a0, a0, __riscv_xlen - 2
    CHECK(a0, __riscv_xlen / 32)
    csrr a1, misa
    csrw misa, zero
    csrsi misa, 31
    csrci misa, 4
    csrr a0, misa
    SAME(a0, a1)
    li a0, 1 << ('i' - 'a') | 1 << ('m' - 'a') | 1 << ('c' - 'a')
    and a1, a1, a0
    CHECK(a1, 1 << ('i' - 'a') | 1 << ('m' - 'a') | 1 << ('c' - 'a'))
    csrr a0, misa
    li a1, 1 << ('s' - 'a') | 1 << ('u' - 'a') | 1 << ('h' - 'a')
    and a0, a0, a1
    CHECK(a0, 0)

    /* who and where */
    .irp csr, mvendorid, marchid, mimpid, mconfigptr
    READ_ONLY(\csr)
    csrr a0, \csr
    CHECK(a0, 0)
    .endr
    READ_ONLY(mhartid)
    csrr a0, mhartid
    CHECK(a0, 0)

    /* fcsr is frm and fflags */
    csrwi fcsr, 0
    li a0, -1
    csrw fcsr, a0
    csrr a0, fcsr
    CHECK(a0, 0xff)
    frflags a0
    CHECK(a0, 0x1f)
    frrm a0
    CHECK(a0, 7)
    fsflagsi a0, 0
    CHECK(a0, 0x1f)
    csrr a0, fcsr
    CHECK(a0, 0xe0)
    fsrmi a0, 2
    CHECK(a0, 7)
    li a1, 0x7fa
    csrw fflags, a1
    csrr a0, fcsr
    CHECK(a0, 0x5a)
    csrw frm, a1
    frcsr a0
    CHECK(a0, 0x5a)
    fscsr a0, zero
    CHECK(a0, 0x5a)
    csrsi fflags, 0x11
    csrci fflags, 0x01
    frcsr a0
    CHECK(a0, 0x10)
    fscsr zero

    /* counters: they count, and instret every instruction by one */
    .irp csr, cycle, time, instret
    READ_ONLY(\csr)
    csrr a0, \csr
    csrr a1, \csr
    sltu a2, a0, a1
    CHECK(a2, 1)
    RV32(READ_ONLY(\csr\()h))
    .endr
    rdinstret a0
    rdinstret a1
    sub a1, a1, a0
    CHECK(a1, 1)
    rdinstret a0
    .half 0x0001
    .half 0x0001
    beqz zero, 1f
    nop
1:  rdinstret a1
    sub a1, a1, a0
    CHECK(a1, 4)
    /* a trap is no instruction, the handler's nine are */
    la s2, 1f
    la s3, 1f
    rdinstret a0
    .word 0
1:  rdinstret a1
    sub a1, a1, a0
    CHECK(a1, 9)

    /* what is written to a counter is what the next instruction reads */
    csrwi minstret, 0
    csrr a0, minstret
    CHECK(a0, 0)
    csrr a0, instret
    csrr a1, minstret
    sub a1, a1, a0
    CHECK(a1, 1)
    csrwi minstret, 16
    nop
    csrr a0, instret
    CHECK(a0, 17)
    csrwi minstret, 16
    csrrsi a0, minstret, 3
    csrr a1, minstret
    CHECK(a0, 16)
    CHECK(a1, 19)
    li a0, HIGHEST
    csrw minstret, a0
    csrr a1, instret
    CHECK(a1, HIGHEST)
    li a0, -1
    csrw minstret, a0
    RV32(csrw minstreth, a0)
    nop
    csrr a1, minstret
    CHECK(a1, 0)
    RV32(csrr a1, minstreth)
    RV32(CHECK(a1, 0))
#if __riscv_xlen == 32
    li a0, 5
    csrw minstreth, a0
    csrr a1, instreth
    CHECK(a1, 5)
    li a0, -1
    csrw minstret, a0
    nop
    csrr a1, minstreth
    CHECK(a1, 6)
    csrwi minstreth, 0
#endif
    li a0, HIGHEST
    csrw mcycle, a0
    csrr a1, cycle
    sub a1, a1, a0
    sltiu a1, a1, 200
    CHECK(a1, 1)
    csrwi mcycle, 0
    csrr a1, mcycle
    sltiu a1, a1, 200
    CHECK(a1, 1)
    RV32(csrwi mcycleh, 7)
    RV32(csrr a1, cycleh)
    RV32(CHECK(a1, 7))

    /* counters and events of which there are none, protection, debug: harmless */
    .irp csr, mhpmcounter3, mhpmcounter31, mhpmevent3, mhpmevent31
    FIXED(\csr, 0)
    .endr
    RV32(FIXED(mhpmcounter3h, 0))
    .irp csr, pmpcfg0, pmpcfg2, pmpcfg14
    FIXED(\csr, 0)
    .endr
    RV32(FIXED(pmpcfg15, 0))
    RV64(NO_ACCESS(csrr a0, pmpcfg1))
    WARL(pmpaddr0, W(-1, 0x3fffffffffffff), 0)
    WARL(pmpaddr15, W(-1, 0x3fffffffffffff), 0)
    FIXED(tselect, 0)
    FIXED(tdata1, 0)
    FIXED(tdata2, 0)

    /* and CSRs that there are not, supervisor mode's among them */
    .irp csr, satp, sstatus, sepc, stvec, medeleg, mideleg, mcounteren, 0x723, 0x73f, 0x744, 0x7b0, 0x7c0, 0x800, 0xcc0, 0xfc0, 0x000
    NO_ACCESS(csrr a0, \csr)
    NO_ACCESS(csrw \csr, zero)
    .endr
    RV64(NO_ACCESS(csrr a0, 0xc80))
    RV64(NO_ACCESS(csrr a0, 0xb80))
    RV64(NO_ACCESS(csrr a0, 0x310))
PROGRAM_END
DATA_BEGIN
    .balign 8
spare:
    .word 0x1234, 0
DATA_END
