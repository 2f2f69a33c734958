/*
 * What all programs of this folder share: start, traps, checks, the end.
 *
 *     #include "program.h"
 *     PROGRAM_BEGIN
 *         RR(add, 3, 1, 2)
 *     PROGRAM_END
 *     DATA_BEGIN
 *     DATA_END
 *
 * A program ends by storing into tohost: status 0, or 1 after the first check
 * that fails. The signature then begins with the line of that check, what it
 * got and what was expected; after success with a sum over everything checked.
 *
 * Registers of this file, not for programs: s2..s11, t6. Hart 0 runs the
 * program; harts from HARTS on never come out of a loop.
 */
/* clang-format off */
#ifndef PROGRAM_H
#define PROGRAM_H

#ifndef HARTS
#define HARTS 1
#endif

#if __riscv_xlen == 64
#define W(rv32, rv64) rv64
#define SREG sd
#define LREG ld
#define RV64(...) __VA_ARGS__
#define RV32(...)
#else
#define W(rv32, rv64) rv32
#define SREG sw
#define LREG lw
#define RV64(...)
#define RV32(...) __VA_ARGS__
#endif

#define LOWEST W(0x80000000, 0x8000000000000000)
#define HIGHEST W(0x7fffffff, 0x7fffffffffffffff)
/* 32 bits as a register holds them */
#define WORD(v) ((((v) & 0xffffffff) ^ 0x80000000) - 0x80000000)

/* mcause */
#define FETCH_MISALIGNED 0
#define FETCH_FAULT 1
#define ILLEGAL 2
#define BREAKPOINT 3
#define LOAD_MISALIGNED 4
#define LOAD_FAULT 5
#define STORE_MISALIGNED 6
#define STORE_FAULT 7
#define ECALL_M 11

/* mstatus */
#define MIE 0x8
#define MPIE 0x80
#define MPP 0x1800
#define FS 0x6000

#define PROGRAM_BEGIN                                                   \
    .globl _start, begin_signature, end_signature, tohost, fromhost    ;\
    .text                                                               ;\
    .option norvc                                                       ;\
_start:                                                                 ;\
    la t6, handler                                                      ;\
    csrw mtvec, t6                                                      ;\
    csrr t6, mhartid                                                    ;\
    li s10, HARTS                                                       ;\
1:  bgeu t6, s10, 1b                                                    ;\
    li t6, FS                                                           ;\
    csrs mstatus, t6                                                    ;\
    csrwi fcsr, 0                                                       ;\
    li s3, 0                                                            ;\
    li s8, 0                                                            ;\
    j program                                                           ;\
    .balign 64                                                          ;\
handler: /* s3: where a trap that is expected goes on, else 0 */        ;\
    beqz s3, unexpected                                                 ;\
    csrr s4, mcause                                                     ;\
    csrr s5, mepc                                                       ;\
    csrr s6, mtval                                                      ;\
    csrr s7, mstatus                                                    ;\
    csrw mepc, s3                                                       ;\
    li s3, 0                                                            ;\
    mret                                                                ;\
unexpected:                                                             ;\
    csrr s9, mcause                                                     ;\
    csrr s10, mepc                                                      ;\
failed:                                                                 ;\
    la t6, begin_signature                                              ;\
    sw s11, 0(t6)                                                       ;\
    SREG s9, 8(t6)                                                      ;\
    SREG s10, 16(t6)                                                    ;\
    li s9, 3                                                            ;\
    j end                                                               ;\
passed:                                                                 ;\
    la t6, begin_signature                                              ;\
    SREG s8, 24(t6)                                                     ;\
    li s9, 1                                                            ;\
end:                                                                    ;\
    fence                                                               ;\
    la t6, tohost                                                       ;\
    sw s9, 0(t6)                                                        ;\
    sw zero, 4(t6)                                                      ;\
1:  j 1b                                                                ;\
program:

#define PROGRAM_END                                                     \
    j passed                                                            ;\
    .pushsection .tohost, "aw", @progbits                               ;\
    .balign 64                                                          ;\
tohost: .dword 0                                                        ;\
    .size tohost, 8                                                     ;\
    .balign 64                                                          ;\
fromhost: .dword 0                                                      ;\
    .size fromhost, 8                                                   ;\
    .popsection

/* The signature: 32 bytes of this file, then what the program puts there. */
#define DATA_BEGIN                                                      \
    .data                                                               ;\
    .balign 64                                                          ;\
begin_signature:                                                        ;\
    .zero 32

#define DATA_END                                                        \
    .balign 16                                                          ;\
end_signature:

/* ---- checks ---- */

/* A register has this value, which does not depend on time. */
#define CHECK(reg, expected)                                            \
    mv s9, reg                                                          ;\
    slli t6, s8, 5                                                      ;\
    sub s8, t6, s8                                                      ;\
    add s8, s8, s9                                                      ;\
    li s10, expected                                                    ;\
    li s11, __LINE__                                                    ;\
    bne s9, s10, failed

/* Two registers, whose values may differ from run to run. */
#define SAME(reg, other)                                                \
    mv s9, reg                                                          ;\
    mv s10, other                                                       ;\
    li s11, __LINE__                                                    ;\
    bne s9, s10, failed

/* An instruction traps: cause, and mtval (a register or zero). */
#define TRAPS(cause, tval, ...)                                         \
    li s11, __LINE__                                                    ;\
    la s2, 98f                                                          ;\
    la s3, 99f                                                          ;\
98: __VA_ARGS__                                                         ;\
    li s9, -1                                                           ;\
    li s10, cause                                                       ;\
    j failed                                                            ;\
99: CHECK(s4, cause)                                                    ;\
    SAME(s5, s2)                                                        ;\
    SAME(s6, tval)

/* ---- integer instructions: result first, then operands ---- */

/* Also with rd = rs1, rd = rs2 and rd = x0. */
#define RR(op, result, x, y)                                            \
    li a0, x                                                            ;\
    li a1, y                                                            ;\
    op a2, a0, a1                                                       ;\
    CHECK(a2, result)                                                   ;\
    op a0, a0, a1                                                       ;\
    CHECK(a0, result)                                                   ;\
    li a0, x                                                            ;\
    op a1, a0, a1                                                       ;\
    CHECK(a1, result)                                                   ;\
    op zero, a0, a1                                                     ;\
    CHECK(zero, 0)

#define RI(op, result, x, imm)                                          \
    li a0, x                                                            ;\
    op a2, a0, imm                                                      ;\
    CHECK(a2, result)                                                   ;\
    op a0, a0, imm                                                      ;\
    CHECK(a0, result)                                                   ;\
    op zero, a0, imm                                                    ;\
    CHECK(zero, 0)

#define R1(op, result, x)                                               \
    li a0, x                                                            ;\
    op a2, a0                                                           ;\
    CHECK(a2, result)                                                   ;\
    op a0, a0                                                           ;\
    CHECK(a0, result)                                                   ;\
    op zero, a0                                                         ;\
    CHECK(zero, 0)

#endif
