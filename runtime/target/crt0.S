/*
 * Where every hart starts (state at reset: corbel/abi.h). Hart 0 goes on to
 * its stack in DRAM and runs the program; the others wait for kernels.
 *
 * gp points into the small data of the program, tp to the hart's thread-local
 * variables (thread.c), sp stays the hart's kernel stack on all harts but hart
 * 0. The loader has cleared .bss.
 *
 * Assembled twice: with CORBEL_MAIN=main, and for --corbel-bare with
 * CORBEL_MAIN=corbel_bare_main, which has main run by every hart.
 */
#include "asm.h"

    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    lla gp, __global_pointer$
    .option pop
    mv s0, a0
    mv s2, a1
    call corbel_thread_start
    mv tp, a0
    bnez s0, park

    lla t0, corbel_boot_block
    SAVE s2, 0(t0)
    lla t0, corbel_kernel_stack
    SAVE sp, 0(t0)
    LOAD sp, BOOT_STACK_TOP(s2)
    LOAD s0, BOOT_ARGC(s2)
    LOAD s1, BOOT_ARGV(s2)
    addi t0, s2, BOOT_ENVP
    LOAD t1, BOOT_ENVP(s2)
    lla s2, no_environment
    beq s1, t0, 1f
    mv s2, t1
1:  lla t0, environ
    SAVE s2, 0(t0)
    lla a0, __libc_fini_array
    call atexit
    call __libc_init_array
    mv a0, s0
    mv a1, s1
    mv a2, s2
    call CORBEL_MAIN
    tail exit

/*
 * No fences: a system call waits until what the hart wrote is in memory, and a
 * kernel's start drops all copies that are older (docs/reference/isa.md, Memory model).
 * Thousands of harts would each empty the L1 that others work with.
 */
park:
    li a7, CORBEL_SYS_PARK
    ecall
    mv t0, a0
    mv a0, a1
    jalr t0
    j park

    .section .sbss, "aw", @nobits
    .balign 8
    .globl corbel_boot_block
corbel_boot_block:
    .zero 8
    .globl corbel_kernel_stack
corbel_kernel_stack:
    .zero 8
no_environment:
    .zero 8
