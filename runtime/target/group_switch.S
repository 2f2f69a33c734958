/*
 * void group_context_switch(struct group_context *from,
 *                           struct group_context *to)
 *
 * Goes on where `to` last called it, or begins (group.c). What a call may
 * change is not kept.
 */
#include "asm.h"

#if __riscv_flen == 64
#define FLOAD fld
#define FSAVE fsd
#define FBYTES 8
#else
#define FLOAD flw
#define FSAVE fsw
#define FBYTES 4
#endif
#define FCSR 14
/* Behind 15 integer registers, at a multiple of a floating-point one. */
#define FLOATS ((15 * XBYTES + FBYTES - 1) / FBYTES * FBYTES)

    .macro each_register x, f, base
    \x ra, 0(\base)
    \x sp, XBYTES(\base)
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    \x s\n, (2 + \n)*XBYTES(\base)
    \f fs\n, FLOATS + \n*FBYTES(\base)
    .endr
    .endm

    .text
    .globl group_context_switch
    .type group_context_switch, @function
group_context_switch:
    each_register SAVE, FSAVE, a0
    frcsr t0
    SAVE t0, FCSR*XBYTES(a0)
    each_register LOAD, FLOAD, a1
    LOAD t0, FCSR*XBYTES(a1)
    fscsr t0
    ret
    .size group_context_switch, . - group_context_switch
