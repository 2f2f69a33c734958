/* For crt0.S and launch.S: accesses of XLEN bits, layout of the boot block. */
#ifndef CORBEL_TARGET_ASM_H
#define CORBEL_TARGET_ASM_H

#include <corbel/abi.h>

#if __riscv_xlen == 64
#define LOAD ld
#define SAVE sd
#define XBYTES 8
#else
#define LOAD lw
#define SAVE sw
#define XBYTES 4
#endif

/* Offsets in struct corbel_boot, asserted in system.c. */
#define BOOT_ARGC 16
#define BOOT_ARGV 24
#define BOOT_STACK_TOP 48
#define BOOT_ENVP 64

#endif
