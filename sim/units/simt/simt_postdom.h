/*
 * Post-dominators of a program's code: where all ways on from an instruction
 * come together again, before the function that it is in returns.
 *
 * A call goes on behind itself, if what it calls returns; a return leaves, and
 * so does a jump to an address in a register, as that of a switch's table:
 * where it leads is not known. What never comes to a return (a loop without
 * end, a call that does not return) is no way on.
 */
#ifndef SIM_SIMT_POSTDOM_H
#define SIM_SIMT_POSTDOM_H

#include "sim/isa/isa.h"

struct postdom;

/* text: instructions as machine.text has them, one for each 2 bytes from start
 * on. */
struct postdom *postdom_new(const struct isa_insn *text, uint64_t start,
                            uint64_t bytes);
void postdom_free(struct postdom *p);

/* Of the instruction at pc: a pc, or this: none before the function returns. */
#define POSTDOM_RETURNS UINT64_MAX
uint64_t postdom_of(const struct postdom *p, uint64_t pc);

#endif
