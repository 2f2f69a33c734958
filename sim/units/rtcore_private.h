/*
 * What the files of the RT core share. In the order of a ray's way:
 *
 *   rtcore.c           slots: rays are taken and returned; the unit itself
 *   rtcore_schedule.c  which ready ray goes on
 *   rtcore_fetch.c     what it reads: requests, prefetches, answers
 *   rtcore_pipes.c     box and triangle pipelines, and the ray's next step
 *
 * A ray is in one state at a time and, but for memory, in one queue that
 * belongs to the state. Nothing here looks at all slots in a cycle.
 */
#ifndef SIM_RTCORE_PRIVATE_H
#define SIM_RTCORE_PRIVATE_H

#include "sim/units/rtcore.h"
#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST
#include "sim/units/machine.h"
#include "sim/units/mem.h"
#include <corbel/traverse.h>

enum { RAY, DATA, HIT, MEM }; /* ports */

enum ray_state {
#define X(name, unit, meaning) STATE_##name,
    RTCORE_STATES(X)
#undef X
        STATES
};

/* Sectors of the largest fetch: each piece may lie across a border. */
#define RTCORE_SECTORS (2 * CORBEL_FETCH_PIECES)
_Static_assert(CORBEL_LEAF_BYTES_MAX / SECTOR + 1 <= RTCORE_SECTORS,
               "a leaf that lies across borders");

/* Sectors that wait to be asked for ahead at a cache queue. */
#define RTCORE_PREFETCH_ROOM 64u

struct ray_slot {
    uint64_t taken; /* the cycle, different for each ray */
    const struct corbel_scene *scene;
    uint32_t port, tag;
    uint32_t next_free;
    uint8_t state;                   /* enum ray_state */
    uint8_t kind;                    /* of the fetch, CORBEL_FETCH_NODE ... */
    uint8_t sectors;                 /* of the fetch, all different */
    uint8_t asked;                   /* for so many of them */
    uint8_t missing;                 /* sectors that have not come */
    uint16_t deepest;                /* use of the stack */
    uint32_t sector[RTCORE_SECTORS]; /* from the scene's header on */
    struct corbel_traversal traversal;
};

/* FIFO of slot numbers; room is a power of two. */
struct fifo {
    uint16_t *slots;
    uint32_t mask, head, count;
};

/* Rays that can go on; in which order is the discipline's affair. */
struct ready {
    const struct discipline *by;
    uint32_t count;
    struct fifo fifo;   /* fcfs */
    uint64_t *mask;     /* round_robin: slots */
    uint32_t words;     /* of the mask */
    uint32_t next;      /* slot whose turn it is */
    struct aged *heap;  /* oldest, greedy: the oldest one first */
    uint32_t heap_size; /* without the last one */
    uint32_t last;      /* greedy: slot that went last */
    bool last_ready;    /* and can go on */
};

struct stage {
    uint64_t exit;
    uint32_t slot;
};

/*
 * Equal pipelines with one queue. A node or leaf takes one initiation or more,
 * of whichever pipelines are free, the one at the head of the queue first; so
 * all leave in the order in which they came.
 */
struct pipeline {
    struct fifo queue;
    uint32_t left;        /* initiations of the queue's first, 0: not begun */
    struct stage *stages; /* under way, in order */
    uint32_t mask, head, count;
    uint64_t *free_at; /* by pipeline, the next one frees first */
    uint32_t pipes, next;
    uint32_t latency, interval;
    enum ray_state waiting, testing; /* of rays in queue and pipelines */
};

/* One port to the L1: the fetches that wait, and what is asked for ahead. */
struct fetch_queue {
    struct fifo slots;
    uint64_t *ahead; /* addresses of sectors, a ring */
    uint32_t ahead_head, ahead_count;
};

struct rtcore {
    struct unit unit;
    struct rtcore_params params;
    struct rtcore_stats stats;
    struct account account;
    struct machine *machine;
    struct ray_slot *rays;
    uint32_t free_slot, in_flight;
    uint32_t batch; /* rays taken since the core was empty */
    /*
     * Rays by state, and for each state the cycles in which rays left it less
     * those in which they entered: with the current cycle for those that are
     * still there, their ray-cycles.
     */
    uint32_t inside[STATES];
    uint64_t between[STATES];
    struct ready ready;
    struct pipeline boxes, triangles;
    struct fifo finished;
    struct fetch_queue *queues;
    uint64_t asking;  /* mask of queues that have something to ask for */
    uint64_t blocked; /* of those whose port had no room in this cycle */
    bool returning;   /* a finished ray that the port has room for waits */
    uint32_t next_port;
    bool leftover;       /* sectors wait at the ports */
    bool rays_waiting;   /* rays wait at the ports */
    bool tested, worked; /* in this cycle, for the account */
};

static inline void rtcore_move(struct rtcore *r, struct ray_slot *s,
                               enum ray_state to, uint64_t now)
{
    r->inside[s->state]--;
    r->between[s->state] += now;
    s->state = (uint8_t)to;
    r->inside[to]++;
    r->between[to] -= now;
}

/* ---- FIFOs ---- */

static inline void fifo_push(struct fifo *f, uint32_t slot)
{
    f->slots[(f->head + f->count++) & f->mask] = (uint16_t)slot;
}

static inline uint32_t fifo_first(const struct fifo *f)
{
    return f->slots[f->head & f->mask];
}

static inline uint32_t fifo_pop(struct fifo *f)
{
    f->count--;
    return f->slots[f->head++ & f->mask];
}

/* Room for all slots. */
void fifo_new(struct fifo *f, struct rtcore *r);

/* ---- rtcore_schedule.c ---- */

void ready_new(struct ready *ready, struct rtcore *r);
/* age: smaller is older, different for each ray. */
void ready_add(struct ready *ready, uint32_t slot, uint64_t age);
/* The one that goes on; there must be one. */
uint32_t ready_take(struct ready *ready);

/* The ray has come to the end of a step. */
static inline void rtcore_ready(struct rtcore *r, uint32_t slot, uint64_t now)
{
    rtcore_move(r, &r->rays[slot], STATE_ray_ready, now);
    ready_add(&r->ready, slot, r->rays[slot].taken);
}

/* ---- rtcore_fetch.c ---- */

void fetch_new(struct rtcore *r);
/* The ray's next fetch joins its queue. False: the ray is finished. */
bool fetch_begin(struct rtcore *r, uint32_t slot, uint64_t now);
/* A node was tested: the children after the nearest one. */
void fetch_ahead(struct rtcore *r, uint32_t slot);
/* Asks for one sector at each port. */
void fetch_ask(struct rtcore *r, uint64_t now);
/* Takes answers; in receive. */
void fetch_answers(struct rtcore *r, uint64_t now);

/* ---- rtcore_pipes.c ---- */

void pipes_new(struct rtcore *r);
/* Brings the ray's state up to date after what was fetched. */
void pipes_step(struct ray_slot *s);
void pipes_leave(struct rtcore *r, uint64_t now);
void pipes_enter(struct rtcore *r, uint64_t now);
/* Cycle of the next entry or exit, after pipes_enter. */
uint64_t pipes_next(const struct rtcore *r);

#endif
