/*
 * Code that the program writes is executed after fence.i: in a loop, over old
 * code that has run, on a line border, in another page, and as a copy.
 */
#include "program.h"

/* The word at a label becomes an instruction. */
#define PATCH(label, ...)                                               \
    la t0, label                                                        ;\
    lw t1, 1f                                                           ;\
    j 2f                                                                ;\
    .balign 4                                                           ;\
1:  __VA_ARGS__                                                         ;\
2:  sw t1, 0(t0)                                                        ;\
    fence.i

PROGRAM_BEGIN
    /* the next instruction but one, which has been fetched already */
    li a2, 0
    PATCH(place1, addi a2, a2, 3)
place1:
    addi a2, a2, 1
    CHECK(a2, 3)

    /* a function, again and again: addi a0, a0, n for n = 1..100 */
    li a0, 0
    li s0, 1
    li s1, 101
    la t0, function
1:  slli t1, s0, 20
    li t2, 0x00050513 /* addi a0, a0, 0 */
    or t1, t1, t2
    sw t1, 0(t0)
    fence.i
    jalr t0
    addi s0, s0, 1
    bne s0, s1, 1b
    CHECK(a0, 5050)

    /* halves: only the upper one of a 4-byte instruction across a line */
    la t0, crossing
    li a2, 0
    jalr t0
    CHECK(a2, 0x100)
    la t0, crossing
    li t1, 0x2006 /* addi a2, a2, 0x200, upper half */
    sh t1, 2(t0)
    fence.i
    la t0, crossing
    jalr t0
    CHECK(a2, 0x300)

    /* byte by byte into memory that held data only */
    la t0, copy
    la t1, original
    la t2, original_end
1:  lb t3, 0(t1)
    sb t3, 0(t0)
    addi t0, t0, 1
    addi t1, t1, 1
    bne t1, t2, 1b
    fence.i
    li a0, 41
    la t0, copy
    jalr t0
    CHECK(a0, 42)

    /* by an atomic and by a floating-point store */
    la t0, function
    li t1, 0x00750513 /* addi a0, a0, 7 */
    amoswap.w t2, t1, (t0)
    fence.i
    li a0, 0
    jalr t0
    CHECK(a0, 7)
    la t0, function
    li t1, 0x00950513
    fmv.w.x fa0, t1
    fsw fa0, 0(t0)
    fence.i
    li a0, 0
    jalr t0
    CHECK(a0, 9)

    /* shorter than before: two compressed instructions, then back */
    la t0, function
    li t1, 0x05050505 /* c.addi a0, 1 twice */
    sw t1, 0(t0)
    fence.i
    li a0, 0
    jalr t0
    CHECK(a0, 2)
    /* and what is no instruction traps */
    la s0, function
    sw zero, 0(s0)
    fence.i
    la s3, 1f
    li s11, __LINE__
    jalr s0
1:  CHECK(s4, ILLEGAL)
    SAME(s5, s0)
    j passed

    .balign 64
function:
    addi a0, a0, 0
    jr ra

    .balign 64
    .skip 62
    .option rvc
crossing:
    addi a2, a2, 0x100
    c.jr ra
    .option norvc

    .balign 4
original:
    addi a0, a0, 1
    jr ra
original_end:
PROGRAM_END
DATA_BEGIN
    .balign 64
copy:
    .zero 64
DATA_END
