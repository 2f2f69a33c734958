/*
 * What the units of the small ray-tracing processor share: the program that
 * the host has placed, the messages that they send each other, and what they
 * record of a run. Each link carries messages of one direction and purpose, so
 * few of them need an op.
 */
#ifndef SIM_RTP_MACHINE_H
#define SIM_RTP_MACHINE_H

#include "sim/core/unit.h"
#include "sim/rtp/memory.h"
#include "sim/rtp/scene.h"
#include "sim/units/common/machine.h"

#define RTP_CORES_MAX 32

/* ---- what is recorded of a run ---- */

enum rtp_event_kind {
#define RTP_EVENT(id, meaning) RTP_##id,
#include "sim/units/rtp/rtp_events.def"
#undef RTP_EVENT
    RTP_EVENT_KINDS,
};

#define RTP_NO_FIELD UINT32_MAX /* the event has no such thing */
struct rtp_event {
    uint64_t cycle;
    uint32_t kind, core, thread, patch, pc;
};

/* The registers of a core at the end of a thread. */
struct rtp_finish {
    uint64_t cycle;
    uint32_t core, thread;
    struct rtp_state state;
};

/* One unit's records since the host emptied them, which it does while all tiles
 * stand still: more often than they can fill. */
#define RTP_EVENTS_ROOM 4096
#define RTP_FINISHES_ROOM 64
struct rtp_record {
    uint32_t count, finish_count;
    struct rtp_event events[RTP_EVENTS_ROOM];
    struct rtp_finish finishes[RTP_FINISHES_ROOM];
};
#define RTP_RECORDS_MAX 64

/* ---- the program ---- */

#define RTP_PIXELS_MAX (1u << 24) /* of an image */

/* Made by the first unit that is built, unless it is there already; the program
 * is put there before the first cycle. Read in place by all units. */
struct rtp_machine {
    struct rtp_insn code[RTP_CODE_WORDS]; /* all of them: 0s decode as well */
    uint32_t words[RTP_CODE_WORDS];
    uint32_t code_words, const_words; /* that are loaded */
    uint32_t constants[RTP_CONSTANTS_MAX];
    struct rtp_scene scene;
    uint32_t pixels;
    uint32_t (
        *results)[RTP_THREADS][4]; /* [patch]: written by the controller */
    bool recording;                /* set before the chip is built */
    struct rtp_rules tests; /* of the intersection cores, for a run without
                               timing */

    /* By the units, while the chip is built. */
    uint32_t *local;                         /* [thread][RTP_LOCAL_BYTES / 4] */
    struct unit *first_core;                 /* which runs without timing */
    struct rtp_state *states[RTP_CORES_MAX]; /* of the cores */
    struct rtp_record *records[RTP_RECORDS_MAX];
    uint32_t record_count;
};

static inline uint32_t rtp_patches(const struct rtp_machine *m)
{
    return m->pixels ? (m->pixels + RTP_THREADS - 1) / RTP_THREADS : 1;
}

/* That of the machine, NULL: it has none; and one to be used instead. */
extern const struct shared_kind rtp_machine_kind;
static inline struct rtp_machine *rtp_machine_of(const struct machine *m)
{
    return machine_shared(m, &rtp_machine_kind);
}
static inline void rtp_machine_use(struct machine *m, struct rtp_machine *rtp)
{
    machine_share(m, &rtp_machine_kind, rtp);
}

static inline struct rtp_machine *rtp_machine(const struct unit *u)
{
    return rtp_machine_of(chip_context(u->chip));
}

/* The same in build, where it may have to be made. */
struct rtp_machine *rtp_machine_build(struct unit *u);

/* Sets the number of pixels, and makes room for their results. */
void rtp_set_pixels(struct chip *chip, struct rtp_machine *m, uint32_t pixels);

/* A record for a unit, NULL: nothing is recorded. In build. */
struct rtp_record *rtp_record_new(struct unit *u);

static inline void rtp_note(struct rtp_record *r, const struct rtp_event *e)
{
    if (r && r->count < RTP_EVENTS_ROOM)
        r->events[r->count++] = *e;
}

/* ---- messages ---- */

/*
 * dispatcher -> core, a thread to run:   addr pixel, tag thread, payload struct
 *                                        rtp_job
 * core -> dispatcher, the thread leaves: op below, tag thread, value PC and,
 *                                        above, stack pointer
 * core -> buffer, its ray:               payload origin xyz, direction xyz
 * buffer -> intersector, a ray:          the same; addr cycle of its start
 * intersector -> dispatcher, done:       nothing
 * intersector -> buffer, buffer -> core: payload point, shader word, normal
 * dispatcher -> buffer:                  a struct rtp_moves as value
 * intersector -> triangles:              tag number of a triangle
 * triangles -> intersector:              tag likewise, aux 1: there is none
 * core, controller -> memory:            addr thread and offset, size bytes,
 *                                        op MEM, tag any; a write has a payload
 * memory -> core, controller:            payload data, tag of the read
 * patcher -> core, the image is there:   nothing
 * patcher -> dispatcher, a patch:        addr first pixel, tag threads, value
 *                                        the cycle in which the program was
 *                                        loaded
 * dispatcher -> patcher, it is done:     nothing
 * patcher -> controller:                 op below, tag patch
 * controller -> patcher, it is done:     op likewise, value the cycle
 */
enum { RTP_REQUEST_TRACE, RTP_REQUEST_FIN };
enum { RTP_MEM_READ, RTP_MEM_WRITE };
enum rtp_block {
    RTP_BLOCK_COUNT, /* the number of pixels */
    RTP_BLOCK_PROGRAM,
    RTP_BLOCK_CONSTANTS,
    RTP_BLOCK_TRIANGLES,
    RTP_BLOCKS,
    RTP_WRITE_OUT = RTP_BLOCKS, /* the results of a patch */
};

/* What a thread goes on with. */
struct rtp_job {
    uint32_t pc, stack;
    uint64_t loaded; /* the cycle in which the program was, 0: it was there */
};
_Static_assert(sizeof(struct rtp_job) <= sizeof(struct payload),
               "it travels as a payload");

static inline struct payload rtp_job_payload(struct rtp_job job)
{
    struct payload p = {{0}};
    memcpy(p.bytes, &job, sizeof job);
    return p;
}

/* What moves in the buffer in a cycle, in step with the dispatcher's queues. */
#define RTP_NOBODY 0xff
struct rtp_moves {
    uint8_t ray_from;    /* core whose ray is queued */
    uint8_t ray_to;      /* intersector that gets the first ray */
    uint8_t result_from; /* intersector whose result is queued */
    uint8_t result_to;   /* core that gets the first result */
    uint8_t keep;        /* 1: it stays in the queue */
};

static inline uint64_t rtp_pair(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

/* Sends a message `delay` cycles later, with a payload if not NULL. */
void rtp_push_later(struct unit *u, struct outport *o, const struct msg *m,
                    const struct payload *payload, uint64_t delay);

#endif
