/*
 * Harts 0..HARTS-1 together: amoadd, lr/sc and a spin lock lose no increment,
 * barriers let no hart through early, a message arrives after its flag.
 */
#include "program.h"

#define ROUNDS 200

/* All wait until all have come; */
#define BARRIER                                                         \
    addi s0, s0, HARTS                                                  ;\
    jal ra, barrier

PROGRAM_BEGIN
    li s0, 0
    csrr gp, mhartid
    BARRIER

    /* every hart counts, in three ways */
    la a0, by_amo
    la a1, by_lr_sc
    la a2, lock
    la a3, by_lock
    li a4, ROUNDS
    li a5, 1
1:  amoadd.w zero, a5, (a0)
2:  lr.w t0, (a1)
    addi t0, t0, 1
    sc.w t1, t0, (a1)
    bnez t1, 2b
3:  amoswap.w.aq t0, a5, (a2)
    bnez t0, 3b
    lw t0, 0(a3)
    addi t0, t0, 1
    sw t0, 0(a3)
    amoswap.w.rl zero, zero, (a2)
    addi a4, a4, -1
    bnez a4, 1b
    BARRIER
    lw t0, 0(a0)
    CHECK(t0, ROUNDS * HARTS)
    lw t0, 0(a1)
    CHECK(t0, ROUNDS * HARTS)
    lw t0, 0(a3)
    CHECK(t0, ROUNDS * HARTS)

    /* every hart tells its neighbour, many times over */
    la a0, cells
    slli a1, gp, 6
    add a1, a1, a0      /* its own cell: message, flag */
    addi a2, gp, 1
    li t0, HARTS
    bltu a2, t0, 1f
    li a2, 0
1:  slli a2, a2, 6
    add a2, a2, a0      /* the neighbour's */
    li a4, ROUNDS
1:  slli t0, a4, 8
    or t0, t0, gp
    sw t0, 0(a1)
    fence w, w
    sw a4, 4(a1)
2:  lw t0, 4(a2)
    bne t0, a4, 2b
    fence r, r
    lw t0, 0(a2)
    srli t0, t0, 8
    SAME(t0, a4)
    BARRIER
    addi a4, a4, -1
    bnez a4, 1b

    /* unsigned maximum and a bit for each hart */
    la a0, by_max
    addi t0, gp, -HARTS
    amomaxu.w zero, t0, (a0)
    la a1, by_or
    li t0, 1
    sll t0, t0, gp
    amoor.w zero, t0, (a1)
    BARRIER
    lw t0, 0(a0)
    CHECK(t0, -1)
    lw t0, 0(a1)
    CHECK(t0, (1 << HARTS) - 1)
    beqz gp, passed
1:  j 1b

barrier:
    la t0, arrived
    li t1, 1
    amoadd.w.aqrl zero, t1, (t0)
1:  lw t1, 0(t0)
    bltu t1, s0, 1b
    fence
    ret
PROGRAM_END
DATA_BEGIN
    .balign 64
by_amo: .zero 64
by_lr_sc: .zero 64
lock: .zero 64
by_lock: .zero 64
by_max: .zero 64
by_or: .zero 64
arrived: .zero 64
cells: .zero 64 * HARTS
DATA_END
