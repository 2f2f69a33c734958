/*
 * Strict mode: what a program must not rely on is an error. A thread that
 * starts, or comes back from trace, finds most registers as the last thread of
 * its core left them; they count as undefined until they are written. Moving
 * what is undefined is no error, using it is: half a scalar, or a lane of a
 * vector, is followed through the instructions that keep or copy it.
 *
 * An address that is not a multiple of 4, or that names another thread's
 * memory, is an error as well, though the hardware ignores these bits.
 */
#ifndef SIM_RTP_STRICT_H
#define SIM_RTP_STRICT_H

#include "sim/rtp/rtp_execute.h"
#include <stddef.h>

/* What is defined: two bits for each scalar, its low half and its high one;
 * four for each vector, its lanes. */
struct rtp_defined {
    uint64_t halves, lanes;
    bool flags;
};

#define RTP_COMPLAINT 80 /* bytes of any text below */

/* Is the pc at an instruction of the program, which has `words` words? A thread
 * that leaves it never ends: what is behind are zeros, and the pc wraps. This
 * is an error in any mode. */
bool rtp_inside(uint32_t pc, uint32_t words, char text[RTP_COMPLAINT]);

/* Is the pc, which a branch or ret has set, one that the thread should use? */
bool rtp_strict_pc(uint32_t pc, char text[RTP_COMPLAINT]);

/* A thread's turn begins: after a trace, or as a new thread. */
void rtp_strict_start(struct rtp_defined *defined, bool traced);

/*
 * Takes note of what an instruction reads and writes, before it is executed.
 * False: it uses what is undefined, as the text says.
 */
bool rtp_strict_reads(struct rtp_defined *defined, const struct rtp_insn *insn,
                      char text[RTP_COMPLAINT]);

/* Is the address of a load or store one that the thread should use? */
bool rtp_strict_address(uint32_t address, uint32_t thread,
                        char text[RTP_COMPLAINT]);

#endif
