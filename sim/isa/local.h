/*
 * Executes many instructions of one hart at a time that touch nothing but its
 * registers and its scratch memory. The inner loop of cycle-level runs.
 */
#ifndef SIM_ISA_LOCAL_H
#define SIM_ISA_LOCAL_H

#include "sim/isa/isa.h"

struct isa_local {
    /* What may be executed. */
    const struct isa_insn *text; /* one per 2 bytes from start on */
    uint64_t start, bytes;
    uint64_t pending;       /* registers that must not be touched, as bits */
    uint32_t classes;       /* as bits */
    uint32_t scratch_bytes; /* the end of the address space */
    uint8_t *scratch;
    /* What has been. */
    /* [ISA_READS]: by operands that are read, counted on. */
    uint16_t (*of_class)[ISA_CLASS_COUNT];
    uint64_t accesses; /* to scratch memory, counted on */
    uint64_t accessed; /* byte of it that the last of these began at */
    const struct isa_insn *next; /* the instruction at pc, NULL: not in text */
};

/*
 * Executes at most limit instructions, at least 1, one a cycle from the hart's
 * cycle on, and returns how many. insn is the first one, at pc. It stops before
 * one that is not in text or of another class, touches a pending register,
 * accesses anything but scratch memory, hints, faults or leaves the hart:
 * nothing of that one has happened.
 */
uint64_t isa_run_local(struct isa_hart *hart, struct isa_local *local,
                       const struct isa_insn *insn, uint64_t limit);

#endif
