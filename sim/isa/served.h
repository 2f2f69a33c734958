/*
 * The instructions that are served by a unit, as data: sdk/isa/served.def,
 * which explains the columns. The core sends and receives words by a row, and
 * --functional calls its meaning; neither knows the units.
 */
#ifndef SIM_ISA_SERVED_H
#define SIM_ISA_SERVED_H

#include "sim/isa/isa.h"

/* The most words that an instruction sends, or receives. */
#define ISA_SERVED_WORDS 16u

/* Where a group begins: a register's number, or the operand that has it. */
enum isa_group_at { ISA_AT_RD = 32, ISA_AT_RS1, ISA_AT_RS2, ISA_AT_RS3 };

/* W: an integer register of one word. NONE: behind the last group. */
enum isa_group_file {
    ISA_GROUP_NONE,
    ISA_GROUP_F,
    ISA_GROUP_X,
    ISA_GROUP_W,
};

struct isa_group {
    uint8_t file; /* enum isa_group_file */
    uint8_t at;   /* enum isa_group_at, or below 32 */
    uint8_t registers;
};

struct corbel_request; /* corbel/serve.h */

/* What the unit does, on its state: the words that were sent become those that
 * are received. */
typedef void isa_meaning(void *state, struct corbel_request *request);

struct isa_served {
    const char *unit;                             /* "RT core" */
    struct isa_group sends[ISA_SERVED_WORDS + 1]; /* end with GROUP_NONE */
    struct isa_group receives[ISA_SERVED_WORDS + 1];
    isa_meaning *meaning;
    uint8_t cls;            /* enum isa_class */
    uint8_t sent, received; /* words */
    bool blocks;            /* the hart issues nothing before the answer */
    bool ahead;             /* the request may be worked out before its cycle */
    bool needs_scene;
};

/* The row of the instructions of a class (enum isa_class), or of isa_insn.op;
 * NULL: no unit serves them. */
const struct isa_served *isa_served(unsigned cls);
const struct isa_served *isa_served_op(unsigned op);

/* Registers of the groups, as isa_insn.reads. False: they end behind the last
 * one. insn: its rd, rs1, rs2 and rs3. */
bool isa_group_registers(const struct isa_group *groups,
                         const struct isa_insn *insn, uint64_t *registers);

/* The words that the instruction sends. */
void isa_served_send(const struct isa_served *row, const struct isa_hart *hart,
                     const struct isa_insn *insn,
                     uint32_t words[ISA_SERVED_WORDS]);

/* The registers receive words first .. first + count - 1, of words[0] ... The
 * second word of an integer register comes with the first or after it. */
void isa_served_receive(const struct isa_served *row, struct isa_hart *hart,
                        unsigned rd, const uint32_t *words, unsigned first,
                        unsigned count);

#endif
