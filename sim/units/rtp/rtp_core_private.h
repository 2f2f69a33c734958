/*
 * The RT core's state, for its files: rtp_core.c talks to its neighbours,
 * rtp_core_pipeline.c moves instructions.
 */
#ifndef SIM_RTP_CORE_PRIVATE_H
#define SIM_RTP_CORE_PRIVATE_H

#include "sim/rtp/strict.h"
#include "sim/units/common/commit_queue.h"
#include "sim/units/rtp/rtp_core.h"

enum { JOB, RESULT, DATA, END, REQUEST, RAY, MEM };

enum rtp_phase {
    RTP_IDLE,    /* no thread */
    RTP_EXECUTE, /* an instruction reaches EX in cycle `next` */
    RTP_BLOCKED, /* it is in EX, MEM is taken by a load */
    RTP_DATA,    /* the next one needs what is loaded */
    RTP_HANGS,   /* at a ret by R0, for ever */
    RTP_FAULT,   /* stopped */
};

/* From this cycle on cycles belong to another bucket. */
struct rtp_span {
    uint64_t from;
    uint64_t *bucket;
};
#define RTP_SPANS 8

struct rtp_core {
    struct unit unit;
    struct rtp_core_params {
        RTP_CORE_PARAMS(PARAM_FIELD, TEXT_FIELD)
    } params;
    struct rtp_core_stats {
        RTP_CORE_STATS(STAT_FIELD)
        RTP_CORE_BUCKETS(BUCKET_FIELD)
    } stats;
    struct account account;
    struct rtp_span spans[RTP_SPANS];
    uint32_t span_count;

    struct rtp_rules rules;
    const struct rtp_machine *machine;
    struct rtp_record *record;
    uint32_t number; /* among the cores */
    uint32_t hart;   /* in struct machine */

    struct rtp_state state;
    uint32_t thread;
    enum rtp_phase phase;
    uint64_t next; /* EXECUTE: cycle of EX */

    uint32_t pc;          /* of that in EX */
    struct rtp_insn insn; /* that is in EX, or was last */
    uint64_t ex_last;     /* its last cycle there */
    bool taken;           /* it is a branch that was taken */
    struct rtp_effect effect;
    bool first;                       /* of the thread's turn is next */
    uint32_t address, address_before; /* in EX, in the one before */
    struct commit_queue log;          /* line NULL: there is none */
    struct rtp_defined defined;       /* in strict mode */
    char complaint[RTP_COMPLAINT];
    uint64_t own_until; /* R31's value is seen in DE */

    uint64_t mem_last;        /* last cycle of the one before in MEM ... */
    bool loading;             /* ... or it waits for data there */
    struct rtp_insn load;     /* which one */
    bool overwritten;         /* its register has a newer value already */
    uint64_t load_from;       /* its first cycle in MEM */
    uint64_t compared;        /* last cycle of a comparison in EX */
    uint64_t wb[RTP_SCALARS]; /* cycle of the last write of a register */
};

/* The instruction at the pc is in its first cycle of EX. */
void rtp_core_execute(struct rtp_core *c, uint64_t now);
/* Data has come: that of the load. */
void rtp_core_loaded(struct rtp_core *c, const uint32_t data[4], uint64_t now);
/* MEM is free again behind a load that waited: what is blocked goes on. */
void rtp_core_go_on(struct rtp_core *c, uint64_t now);
/* The thread's turn ends: its last instruction is in WB in cycle w. */
void rtp_core_leave(struct rtp_core *c, uint64_t w, uint64_t now);

/* The registers that a thread begins its turn with. */
void rtp_core_give(struct rtp_core *c, const struct msg *m,
                   const struct rtp_job *job);
/* rtp_core_ghosts.c: does the core execute its first word before it begins?
 * Then its registers are as they have become by that, and those that the job
 * gives; returns the first instruction's cycle in EX. */
bool rtp_core_has_ghosts(const struct rtp_core *c, const struct rtp_job *job);
uint64_t rtp_core_ghosts(struct rtp_core *c, const struct msg *m,
                         const struct rtp_job *job, uint64_t now);

/* rtp_core_log.c: the instruction is in MEM, or waits there; its load has come.
 */
void rtp_core_log(struct rtp_core *c);
void rtp_core_log_loaded(struct rtp_core *c, const uint32_t data[4]);
size_t rtp_core_log_line(const struct isa_commit *r, uint32_t hart,
                         char line[ISA_COMMIT_LINE]);

/* rtp_core_host.c: asks for the service of an enum hart_event. */
void rtp_core_ask_host(struct rtp_core *c, unsigned event, uint64_t now);
extern const struct core_kind rtp_core_core;

/* Cycles from `from` on belong to a bucket; calls are in the order of from. */
void rtp_core_span(struct rtp_core *c, uint64_t from, uint64_t *bucket);

#endif
