/*
 * Lets qemu-user run target programs: makes the state at reset (corbel/abi.h)
 * out of a Linux process, as a chip with one hart. The system calls that Linux
 * does not have fail there, which a single hart does not notice.
 */
#include "runtime/target/asm.h"

    .text
    .globl machine_start
machine_start:
    lla a1, boot_block
    LOAD t0, 0(sp)
    SAVE t0, BOOT_ARGC(a1)
    addi t0, sp, XBYTES
    SAVE t0, BOOT_ARGV(a1)
    LOAD t1, 0(sp)
    addi t1, t1, 1
    slli t1, t1, XBYTES / 4 + 1 /* of a pointer */
    add t0, t0, t1
    SAVE t0, BOOT_ENVP(a1)
    SAVE sp, BOOT_STACK_TOP(a1)
    li a0, 0
    li a7, 214 /* brk */
    ecall
    SAVE a0, 32(a1)
    li t0, 0x1000000
    add s0, t0, a0
    li t0, -0x1000
    and s0, s0, t0
    SAVE s0, 40(a1)
    li t0, 1
    SAVE t0, 8(a1)
    mv s1, a1
    /* The hart's thread-local variables are at the end of the heap: memory
       above the break, readable and writable, private, fixed, of no file. */
    li a1, 0x10000
    sub a0, s0, a1
    li a2, 3
    li a3, 0x32
    li a4, -1
    li a5, 0
    li a7, 222 /* mmap */
    ecall
    mv a1, s1
    lla sp, kernel_stack_top
    li a0, 0
    tail _start

/* qemu-user has no mhartid. */
    .globl corbel_hart
corbel_hart:
    li a0, 0
    ret

    .bss
    .balign 16
    .space 4096
kernel_stack_top:
boot_block:
    .space 72
