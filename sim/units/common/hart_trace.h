/*
 * What the harts of a watched core did in a window of cycles, event by event
 * (--trace), its warps, or the slots of an RT core. The unit fills it, in the
 * order of cycles; the host reads it when the run has ended.
 */
#ifndef SIM_HART_TRACE_H
#define SIM_HART_TRACE_H

#include "sim/core/stat.h"
#include <stdbool.h>

struct state; /* sim/core/state.h */

enum trace_kind {
    TRACE_HARTS,    /* which bucket harts are in, and when they issue */
    TRACE_PIPELINE, /* instructions: besides when their results are there */
    TRACE_OF_CORES, /* kinds of the trace of a core; others follow */
    TRACE_RAYS = TRACE_OF_CORES, /* which state the rays of RT cores are in */
    TRACE_REQUESTS,              /* to memory: request_log.h */
    TRACE_KINDS,
};

/* What is asked for. The host may change from and to while all tiles stand
 * still: CYCLE_NEVER is what is not known yet. */
struct trace_window {
    bool wanted;
    const char *units; /* a pattern of names, as in a shell */
    uint64_t from, to; /* cycles, the last one excluded */
    uint64_t bytes;    /* of records in memory, of all units together */
};

#define TRACE_NONE UINT8_MAX

struct trace_record {
    uint64_t cycle, pc; /* pc: of the instruction that the hart is at */
    uint32_t hart;      /* number in the machine, of a warp that of its first
                           lane; slot of an RT core */
    uint32_t number;    /* ISSUE, DONE: of the hart's instructions */
    enum trace_event {
        TRACE_STATE, /* the hart is in a bucket from this cycle on */
        TRACE_ISSUE, /* it issues; waits: for a result, whose DONE comes */
        TRACE_DONE,  /* the result is there */
    } event : 8;
    uint8_t bucket;    /* STATE; TRACE_NONE: in none */
    uint8_t waits;     /* ISSUE: 0 or 1 */
    uint8_t lanes;     /* ISSUE: of a warp, those that do */
    uint8_t unused[4]; /* named, so that they are 0 in checkpoints */
};

struct hart_trace {
    const struct trace_window *window;
    uint32_t first, harts;          /* numbers of the harts, or slots */
    uint32_t lanes;                 /* of each warp; 0: harts issue alone */
    const struct stat_row *buckets; /* names */
    unsigned bucket_count;
    unsigned issued;   /* the bucket of cycles in which a hart issues */
    const char *whole; /* what a slot has from one TRACE_NONE to the next, NULL:
                          it has no name */
    struct trace_record *records;
    uint64_t count, room;
    uint64_t initial; /* of them: where harts are when the trace begins */
    uint64_t full;    /* the host has found that records of this cycle and later
                         ones have no room, CYCLE_NEVER: none so far */
    bool begun;
};

/* NULL: the window is not wanted, or not of this unit. */
struct hart_trace *hart_trace_new(const struct trace_window *window,
                                  const char *unit);
void hart_trace_free(struct hart_trace *t);

/* Saves it, or loads it into a new one of the same window. */
void hart_trace_state(struct hart_trace *t, struct state *s);

/* One of a cycle at or after all before. Others than those of the window are
 * left out. */
void hart_trace_add(struct hart_trace *t, const struct trace_record *record);
/* Likewise, where a hart is when the trace begins; one of each at most. */
void hart_trace_begin(struct hart_trace *t, const struct trace_record *record);

/* ---- the traces of a core, by kind ---- */

/* Those that are wanted of it, with harts and buckets as those of `like`. */
void hart_traces_new(struct hart_trace *traces[TRACE_OF_CORES],
                     const struct trace_window *windows, const char *unit,
                     const struct hart_trace *like);
/* Adds a record to those that have such. */
void hart_traces_add(struct hart_trace *const traces[TRACE_OF_CORES],
                     const struct trace_record *record);
/* A row of the trace is of a hart, or of a warp from its first one on: how many
 * harts it is of, and what it is called. */
static inline uint32_t hart_trace_step(const struct hart_trace *t)
{
    return t->lanes ? t->lanes : 1;
}
void hart_trace_row(const struct hart_trace *t, uint32_t hart, char *text,
                    size_t size);

#endif
