/*
 * What a program and the simulated machine agree on: the state at reset, the
 * boot block and the system calls. Included by the target runtime (C and
 * assembly) and by the simulator.
 *
 * At reset every hart starts at the ELF entry with
 *   a0 = hart number, 0 .. harts-1
 *   a1 = address of struct corbel_boot (in DRAM)
 *   sp = top of the hart's kernel stack: 0 where the chip gives harts scratch
 *        memory (the top CORBEL_SCRATCH_WINDOW bytes of the address space,
 *        private to each hart, growing down from 2^XLEN), else a DRAM address
 * Addresses below CORBEL_RAM_START trap.
 */
#ifndef CORBEL_ABI_H
#define CORBEL_ABI_H

#define CORBEL_RAM_START 0x1000
#define CORBEL_BOOT_ADDRESS 0x1000 /* boot block, argv and its strings */
/* Strings of argv and the environment begin at multiples of this, as long as
 * that leaves room for all of them; a longer one takes several. */
#define CORBEL_STRING_ROOM 256
#define CORBEL_ELF_START 0x10000 /* where the linker script puts programs */
#define CORBEL_SCRATCH_WINDOW 0x100000

/*
 * System calls: number in a7, arguments in a0.., result in a0 (negative:
 * -errno). Numbers below 1024 are those of Linux for RISC-V, corbel/linux.h has
 * those that are served; any other is answered with -ENOSYS. Ours:
 *
 *   LAUNCH     a0 kernel, a1 argument: starts all parked harts
 *   PARK       waits for a launch; returns a0 kernel, a1 argument
 *   JOIN       waits until all other harts are parked
 *   SCENE      a0 path: places the scene in DRAM, binds the RT cores to it,
 *              returns its address
 *   SCENE_USE  a0 address of an open scene: binds the RT cores to it
 *   ROI        a0 1 begin, 0 end of the region of interest
 *   WORK       a0 work items of the next launch, for progress and --permute
 *   FRAME      a0 address, a1 bytes of the picture that kernels write
 *   BARRIER    a0 address of a word for each of two stops, 0 at first, a1 the
 *              first of the harts that meet, a2 how many meet, a3 the stop, 0
 *              or 1: waits until all have come to it; -EDEADLK if some wait at
 *              the other one, -EINVAL if the hart is none of them
 *   GROUPS     a0 CORBEL_GROUPS_..: what a multiprocessor has for groups, a1,
 *              a2, a3 as that says
 *   MAP        a0 path, a1 address of a uint64_t that gets the file's size,
 *              a2 CORBEL_MAP_..: places the file in DRAM, read-only, returns
 *              its address
 *
 * and those of corbel/managed.h, which says what they do and their errors:
 *
 *   MANAGED_ALLOC     a0 bytes; returns the address
 *   MANAGED_PREFETCH  a0 address, a1 bytes
 *   MANAGED_SYNC
 *   MANAGED_STATS     a0 address of a struct corbel_managed_stats
 */
#define CORBEL_SYS_LAUNCH 0x1000
#define CORBEL_SYS_PARK 0x1001
#define CORBEL_SYS_JOIN 0x1002
#define CORBEL_SYS_SCENE 0x1003
#define CORBEL_SYS_SCENE_USE 0x1004
#define CORBEL_SYS_ROI 0x1005
#define CORBEL_SYS_WORK 0x1006
#define CORBEL_SYS_MAP 0x1007
#define CORBEL_SYS_FRAME 0x1008
#define CORBEL_SYS_MANAGED_ALLOC 0x1009
#define CORBEL_SYS_MANAGED_PREFETCH 0x100a
#define CORBEL_SYS_MANAGED_SYNC 0x100b
#define CORBEL_SYS_MANAGED_STATS 0x100c
#define CORBEL_SYS_BARRIER 0x100d
#define CORBEL_SYS_GROUPS 0x100e

#define CORBEL_GROUPS_HARTS 0  /* harts, of those that run the program */
#define CORBEL_GROUPS_MEMORY 1 /* bytes that a group may share */
/* a1 harts of a team: harts from the first of one to the first of the next */
#define CORBEL_GROUPS_STEP 2
/* a1 harts of a team, a2 bytes that its group shares: how many there may be */
#define CORBEL_GROUPS_TEAMS 3
/* Until the next launch ends multiprocessor i shares the a2 bytes from
 * a1 + i * a2 on, multiples of 128, with no other, for i below a3: one that can
 * may keep them inside */
#define CORBEL_GROUPS_WINDOW 4
/* Of a1 harts of a team, a2 teams: where multiprocessors get groups dealt, the
 * next launch begins on the harts of these teams alone. Team t is number t / n
 * on multiprocessor t % n of n. Answers how many harts these are, 0: all */
#define CORBEL_GROUPS_SEATS 5

#define CORBEL_MAP_FILE 0 /* whatever it is, but not empty */
#define CORBEL_MAP_RAYS 1 /* has to be a whole .rays file */

#define CORBEL_BOOT_MAGIC 0x746f6f426c427243 /* "CrBlBoot" */

#ifndef __ASSEMBLER__
#include <stdint.h>

/* Written by the loader at CORBEL_BOOT_ADDRESS; 64-bit fields on every XLEN. */
struct corbel_boot {
    uint64_t magic;
    uint64_t harts;
    uint64_t argc;
    uint64_t argv;       /* address of argc + 1 pointers of XLEN bits */
    uint64_t heap_start; /* first address that brk may hand out */
    uint64_t heap_end;
    uint64_t stack_top; /* of hart 0's stack for main(), in DRAM */
    uint64_t scratch;   /* bytes of scratch memory for each hart, 0: none */
    uint64_t envp;      /* address of pointers to NAME=VALUE, a null pointer
                           behind the last; not there if argv points here */
};
#endif
#endif
