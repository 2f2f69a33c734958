/*
 * The program's code, decoded for the timing model of the cores: an instruction
 * for each 2 bytes of machine.text_range. Cores read machine.text; breakpoints
 * are put into it, so that they cost nothing where there are none.
 */
#ifndef SIM_PROGRAM_TEXT_H
#define SIM_PROGRAM_TEXT_H

#include "sim/units/common/machine.h"

struct chip;

/* Decodes the program in memory, machine.text, to which units of the chip may
 * point, if that has not been done; ends the process if there is no memory for
 * it. machine_shared_free frees it. */
void text_create(struct chip *chip, struct machine *m);
/* Decodes what has changed. Only while all tiles stand still. */
void text_refresh(struct machine *m);
/* Puts an ebreak in the place of the instruction at an address, or takes it
 * away. False: there is no code, or are BREAKPOINTS_MAX of them already. */
#define BREAKPOINTS_MAX 64
bool text_break(struct machine *m, uint64_t pc, bool set);
/* Marks the instruction at an address (ISA_MARK), or all accesses to memory, or
 * no longer; as the instruction is as before, a mark changes nothing that
 * harts do. False: there is no code. */
bool text_mark(struct machine *m, uint64_t pc, bool set);
void text_mark_accesses(struct machine *m, bool set);
/* Makes of the fault of an instruction of length 0 that of a fetch, unless 0s
 * stand there: those are illegal, as executed. */
void text_fetch_fault(const struct machine *m, uint64_t pc,
                      const struct isa_insn *insn, struct isa_effect *effect);

#endif
