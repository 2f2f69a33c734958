/* What an instruction does. */
#ifndef SIM_RTP_EXECUTE_H
#define SIM_RTP_EXECUTE_H

#include "sim/rtp/rtp.h"

/* What it asks of others, and where the thread goes on. */
struct rtp_effect {
    uint32_t next;    /* PC of the next instruction */
    uint32_t address; /* of a load or store, as computed */
    uint32_t data[4]; /* that a store writes; the first `words` */
    uint8_t words;    /* 1 or 4 of a load or store, else 0 */
    bool taken;       /* BRANCH, JUMP, RETURN: it goes elsewhere */
};

/*
 * Executes insn, which lies at s->pc, and moves the pc. Registers and flags are
 * written, but for those of a load (rtp_write_load). An instruction of class
 * UNUSED does nothing: the caller looks for it before.
 */
void rtp_execute(const struct rtp_rules *rules, struct rtp_state *s,
                 const struct rtp_insn *insn, struct rtp_effect *effect);

/* Writes what a load has read. */
void rtp_write_load(struct rtp_state *s, const struct rtp_insn *insn,
                    const uint32_t data[4]);

/* Is the branch of this opcode taken with these flags? */
bool rtp_taken(unsigned opcode, unsigned flags);

#endif
