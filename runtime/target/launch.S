/*
 * void corbel_launch(void (*kernel)(void *), void *arg)
 *
 * Only hart 0 comes here. It runs the kernel itself, on its kernel stack like
 * every other hart, so that a kernel's memory accesses cost the same anywhere.
 * What was written before is visible to the kernel, and what the kernel wrote is
 * visible after: system calls are fences (docs/reference/isa.md, Memory model).
 */
#include "asm.h"

#define FRAME 32

    .text
    .globl corbel_launch
    .type corbel_launch, @function
corbel_launch:
    .cfi_startproc
    addi sp, sp, -FRAME
    .cfi_def_cfa_offset FRAME
    SAVE ra, 0(sp)
    .cfi_offset ra, -FRAME
    SAVE s0, XBYTES(sp)
    .cfi_offset s0, XBYTES - FRAME
    SAVE s1, 2*XBYTES(sp)
    .cfi_offset s1, 2*XBYTES - FRAME
    mv s0, sp
    .cfi_def_cfa s0, FRAME
    mv s1, a0
    mv t1, a1

    lla t0, corbel_kernel_running
    li t2, 1
    sw t2, 0(t0)
    li a7, CORBEL_SYS_LAUNCH
    ecall
    lla t0, corbel_kernel_stack
    LOAD sp, 0(t0)
    mv a0, t1
    jalr s1

    mv sp, s0
    li a7, CORBEL_SYS_JOIN
    ecall
    lla t0, corbel_kernel_running
    sw zero, 0(t0)
    LOAD ra, 0(sp)
    LOAD s0, XBYTES(sp)
    LOAD s1, 2*XBYTES(sp)
    addi sp, sp, FRAME
    .cfi_def_cfa sp, 0
    ret
    .cfi_endproc
    .size corbel_launch, . - corbel_launch
