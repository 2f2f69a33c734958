/*
 * The processor without time: thread after thread, each to its end, on one set
 * of registers that is 0 at the start of each thread. What a program computes
 * from what is defined is the same as on the timed chip; what it finds in
 * registers that are not is not.
 */
#ifndef SIM_RTP_RUN_H
#define SIM_RTP_RUN_H

#include "sim/rtp/scene.h"
#include "sim/rtp/strict.h"

struct rtp_run {
    const struct rtp_rules *rules; /* of the programs */
    const struct rtp_rules *tests; /* of the intersection cores */
    const struct rtp_insn *code;   /* RTP_CODE_WORDS */
    uint32_t code_words;           /* of the program */
    const uint32_t *constants;
    const struct rtp_scene *scene;
    uint32_t *local;         /* [RTP_THREADS][RTP_LOCAL_BYTES / 4] */
    uint64_t executed, most; /* instructions, how many at most */
    struct rtp_state state;  /* of the thread that runs, or ran last */
    bool strict;
    struct rtp_defined defined;
    char complaint[RTP_COMPLAINT];
};

/* ILLEGAL: state.pc is at the instruction; complaint says why, and is
 * empty where there is no such instruction. STUCK: at a ret by R0. */
enum rtp_end { RTP_ENDED, RTP_ILLEGAL, RTP_STUCK, RTP_TOO_LONG };

/* Runs one thread. */
enum rtp_end rtp_run_thread(struct rtp_run *run, uint32_t thread,
                            uint32_t pixel);

#endif
