/*
 * What an instruction did, and the line that Spike's --log-commits prints of
 * it. The record is made around the executors, from the decoded instruction,
 * the hart before and after, and what memory returned:
 *
 *   isa_commit_begin, isa_execute, isa_commit_executed
 *   and, if that says that it waits: isa_load_done (or whatever else writes
 *   the result registers), isa_commit_finish
 *
 * Format: Spike (riscv-isa-sim), commit_log_print_insn in riscv/execute.cc.
 */
#ifndef SIM_ISA_COMMIT_H
#define SIM_ISA_COMMIT_H

#include "sim/isa/isa.h"

/* Registers that an instruction can write: a ray with all that moves with it.
 */
#define ISA_COMMIT_REGISTERS 16

/* A line, its end included, has fewer bytes than this. */
#define ISA_COMMIT_LINE 640

/* What a record shows beside registers, as bits. */
enum isa_commit_item {
    ISA_COMMIT_FLAGS = 1, /* fflags: the operation raised some */
    ISA_COMMIT_CSR = 2,   /* csr_value was written to csr */
    ISA_COMMIT_LOAD = 4,  /* from address */
    ISA_COMMIT_STORE = 8, /* low size bytes of value to address */
};

/* What one instruction did. Valid fields follow from items; the others are
 * those of the instruction itself. */
struct isa_commit {
    uint64_t pc;
    uint64_t writes; /* registers, as isa_insn.writes */
    uint64_t registers[ISA_COMMIT_REGISTERS]; /* in the order of the bits */
    uint64_t csr_value;
    uint64_t address, value;
    uint32_t raw;
    uint16_t op, csr;
    uint8_t rd, len, xlen, flen;
    uint8_t access, size; /* as struct isa_effect */
    uint8_t fflags;       /* before; with ISA_COMMIT_FLAGS: after */
    uint8_t items;        /* bits of enum isa_commit_item */
};

enum isa_commit_state {
    ISA_COMMIT_NONE,  /* trapped: Spike prints nothing */
    ISA_COMMIT_DONE,  /* the record is complete */
    ISA_COMMIT_WAITS, /* for isa_commit_finish */
};

/*
 * Before an instruction executes. Until isa_commit_executed fflags of the hart
 * hold only what this instruction raises.
 */
void isa_commit_begin(struct isa_commit *commit, struct isa_hart *hart,
                      const struct isa_insn *insn);

enum isa_commit_state isa_commit_executed(struct isa_commit *commit,
                                          struct isa_hart *hart,
                                          enum isa_outcome outcome,
                                          const struct isa_effect *effect);

/*
 * The result registers have been written. value: what isa_load_done got, of no
 * matter for custom instructions.
 */
void isa_commit_finish(struct isa_commit *commit, const struct isa_hart *hart,
                       uint64_t value);

/* The line, with its '\n' and no end of string. Returns its length. */
size_t isa_commit_line(const struct isa_commit *commit, uint32_t hart,
                       char line[ISA_COMMIT_LINE]);

#endif
