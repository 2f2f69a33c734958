/*
 * What the files of the RT core share. In the order of a ray's way:
 *
 *   rtcore.c           slots: rays are taken and returned; the unit's cycles
 *   rtcore_schedule.c  which ready ray goes on, by rtcore_schedule_NAME.c
 *   rtcore_fetch.c     what it reads: requests, prefetches, answers
 *   rtcore_fetch.h     the part of it that is inlined where rays go on
 *   rtcore_pipes.c     box and triangle pipelines, and the ray's next step
 *   rtcore_stacks.c    entries of stacks that lie in memory
 *   rtcore_warps.c     rays that come together: places and answers of warps
 *   rtcore_items.c     in place of rays of thread processors: items of streams
 *   rtcore_moves.c     items that move from treelet to treelet
 *
 *   rtcore_build.c     construction; the formats of scenes that it reads
 *   rtcore_kind.c      what it is to the engine: tables, counters, figures
 *   rtcore_trace.c     what slots do, event by event
 *
 * A ray is in one state at a time and, but for memory, in one queue that
 * belongs to the state. Nothing here looks at all slots in a cycle.
 */
#ifndef SIM_RTCORE_PRIVATE_H
#define SIM_RTCORE_PRIVATE_H

#include "sim/units/rtcore/rtcore.h"
#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST
#include "sim/units/common/machine.h"
#include "sim/units/common/mem.h"
#include "sim/units/common/msg_list.h"
#include "sim/units/common/work_costs.h"
#include "sim/units/rtcore/rtcore_stacks.h"
#include "sim/units/rtcore/rtcore_trace.h"
#include "sim/units/rtcore/rtcore_warp_state.h"
#include <corbel/serve.h>
#include <corbel/traverse.h>

enum { RAY, DATA, WORK, HIT, MEM, ITEM }; /* ports */

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

/* Above the ports of DATA in masks: messages of the staging buffer wait. */
#define WORK_LEFT (UINT64_C(1) << 63)

#define NO_SLOT UINT16_MAX

/* Sectors that wait to be asked for ahead at a cache queue. */
#define RTCORE_PREFETCH_ROOM 64u

/*
 * A ray in flight. The host's cache holds the rays of a few cores only, so a
 * node's step touches two lines (corbel/traverse_stack.h) unless the stack is
 * deep; a leaf's a third one. It has no more memory than its stack needs
 * (ray_bytes): the host has to look up each page anew that it has not used for
 * long.
 */
struct __attribute__((aligned(64))) ray {
    uint64_t taken;                   /* the cycle, different for each ray */
    const struct corbel_scene *scene; /* see rtcore_scene */
    struct corbel_traversal traversal;
};
#define RAY_LINE(member) (offsetof(struct ray, traversal.member) % 64)
_Static_assert(RAY_LINE(ray) == 16 && RAY_LINE(ray_inv) == 0, "lines");
_Static_assert(RAY_LINE(mark) == 16 && RAY_LINE(stack) == 16, "lines");

/*
 * Its state and fetch, which most cycles look at; those of a core are side by
 * side.
 */
struct ray_slot {
    uint64_t first;  /* address of the fetch's first sector; of a free slot the
                        number of the next free one */
    uint8_t state;   /* enum ray_state, STATES: free */
    uint8_t kind;    /* of the fetch, CORBEL_FETCH_NODE ... */
    uint8_t left;    /* sectors of the fetch, all different, to be asked for
                        when the ray's turn comes */
    uint8_t sectors; /* listed in the ray if scattered, else 0 */
    uint8_t queue;   /* cache queue, always the same */
    bool refused;    /* the memory has refused one of its sectors */
    uint16_t deepest : 15; /* use of the ray's stack */
    uint16_t last : 1; /* it was empty after a step: the next may be the last */
};
_Static_assert(sizeof(struct ray_slot) == 16, "four in a line");
_Static_assert(CORBEL_STACK_DEEPEST < 1 << 15, "its use has room");

/* The thread processor's port and tag of a slot's ray: apart from it, as they
 * are looked at when the ray itself is not in the host's cache yet. */
struct asker {
    uint32_t tag;
    uint16_t port;
    uint16_t lane; /* the ray's number in its warp */
    uint32_t warp;
    WORK_KEPT
};

/* The answer of the memory that has refused a sector of a slot's ray. */
struct refusal {
    uint64_t address, unit; /* as in the message */
};

/* FIFO of slot numbers; room is a power of two. Numbers of entries grow, from
 * 0 again when it is empty: the fewer lines. */
struct fifo {
    uint16_t *slots;
    uint16_t head, mask, tail; /* in this order no compiler takes head and tail
                                  for a vector */
};
_Static_assert(sizeof(struct fifo) == 16, "two queues in a line");

/* Rays that can go on; the scheduling policy decides in which order. */
struct ready {
    const struct rtcore_schedule *by; /* NULL: fcfs */
    uint32_t count;
    struct fifo fifo; /* fcfs */
    void *state;      /* of others */
};

/* A step under way in a pipeline. A pipeline keeps its steps in a ring, which
 * begins from its start again when it is empty. */
struct stage {
    uint16_t exit; /* low bits of the cycle */
    uint16_t slot;
};

/*
 * Equal pipelines with one queue. A node or leaf takes one initiation or more,
 * of whichever pipelines are free, the one at the head of the queue first; so
 * all leave in the order in which they came.
 */
struct pipeline {
    uint64_t due; /* exit of the first stage under way, else CYCLE_NEVER */
    struct fifo queue;
    uint32_t left; /* initiations of the queue's first, 0: not begun */
    uint16_t mask, head, count; /* of the stages */
    uint8_t width;              /* tests in an initiation, 0: all */
    struct stage *stages;       /* under way, in order */
    uint64_t initiations;       /* so far */
    uint64_t *free_at;          /* by pipeline, the next one frees first */
    uint32_t pipes, next;
    uint32_t latency, interval;
};

/* One port to the L1: the fetch whose turn it is, those that wait, and what is
 * asked for ahead. */
struct __attribute__((aligned(64))) fetch_queue {
    uint64_t next; /* address of the sector that is asked for next */
    uint64_t free; /* cycle from which on one can be: before, those asked for
                      last are sent */
    struct outport *port;
    uint64_t bit; /* in masks of queues */
    struct fifo waiting;
    uint64_t *ahead; /* addresses of sectors, a ring */
    uint16_t slot;   /* whose */
    uint8_t left;    /* sectors side by side from `next` on, 0: no ray's turn */
    uint16_t ahead_head, ahead_count;
};
_Static_assert(sizeof(struct fetch_queue) == 64, "a line");

/* Where a scene is, to host and guest, and how long its parts are. */
struct scene_at {
    const struct corbel_scene *host;
    uint64_t guest;
    uint32_t node_bytes, grain_bytes;
};

/* What most cycles look at comes first. */
struct rtcore {
    struct unit unit;
    uint64_t asking;     /* mask of queues that have something to ask for now */
    uint64_t resumes;    /* those that will in the next cycle */
    uint64_t leftover;   /* mask of ports at which sectors wait, and
                            WORK_LEFT */
    bool returning;      /* a finished ray that the port has room for waits */
    bool rays_waiting;   /* rays wait at the ports */
    bool tested, worked; /* in this cycle, for its bucket */
    uint8_t prefetch;    /* of params */
    uint8_t ops_left;    /* in this cycle */
    bool special;        /* steps are not the usual ones */
    uint8_t ray_words;   /* of the mask of ray ports */
    bool far;            /* pipelines are longer than the engine's wheel */
    uint16_t free_slot;  /* NO_SLOT: none */
    struct stacks *stacks; /* NULL: all of a stack is in the slot */
    uint32_t in_flight;
    uint64_t active;   /* cycles in which something was done */
    uint32_t standing; /* rays that wait for a pipeline, the scheduler or the
                          hit port: mostly they pass at once */
    uint32_t slot_count;
    struct ray_slot *slots;
    char *rays;               /* by slot, see rtcore_ray */
    uint32_t ray_bytes;       /* of each */
    struct asker *askers;     /* by slot */
    struct refusal *refusals; /* by slot, of those that are refused */
    struct corbel_rtcore untimed;
    struct scene_at scene; /* of all rays in flight, or none */
    const uint8_t *memory; /* the machine's */
    struct inport *data;
    uint8_t *missing; /* by slot: sectors of its fetch that have not come */
    struct fetch_queue *queues;
    struct fifo finished;
    struct pipeline boxes, triangles;
    struct ready ready;
    /*
     * For each state the cycles in which rays left it less those in which they
     * entered: with the current cycle for those that are still there, their
     * ray-cycles.
     */
    uint64_t between[STATES];
    uint64_t idle_from;                  /* no ray in flight since then */
    uint64_t (*sectors)[RTCORE_SECTORS]; /* by slot: addresses, if they are
                                            scattered */
    struct warps *warps; /* NULL: it does not matter which rays come together */
    struct items *items; /* NULL: rays of thread processors are traced */
    struct machine *machine;
    uint32_t batch; /* rays taken since the core was empty */
    uint32_t next_port;
    uint32_t stack; /* of a ray, in entries, 0: as many as the scene needs */
    uint32_t stack_room; /* of them in its slot, 0: all */
    bool pop_cull;
    struct hart_trace *trace; /* NULL: rays are not traced */
    struct rtcore_stats stats;
    struct rtcore_params params;
};

static inline struct ray *rtcore_ray(const struct rtcore *r, uint32_t slot)
{
    return (struct ray *)(r->rays + (size_t)slot * r->ray_bytes);
}

/* The scene of a ray. Mostly all rays have the same, and this
 * leaves the line of the ray's head alone. */
static inline const struct corbel_scene *rtcore_scene(const struct rtcore *r,
                                                      const struct ray *ray)
{
    return r->scene.host ? r->scene.host : ray->scene;
}

static inline void rtcore_move(struct rtcore *r, struct ray_slot *s,
                               enum ray_state from, enum ray_state to,
                               uint64_t now)
{
    RTCORE_TRACE(r, s, to, now);
    r->between[from] += now;
    s->state = (uint8_t)to;
    r->between[to] -= now;
}

/* ---- FIFOs ---- */

static inline bool fifo_any(const struct fifo *f)
{
    return f->head != f->tail;
}

static inline void fifo_push(struct fifo *f, uint32_t slot)
{
    f->slots[f->tail++ & f->mask] = (uint16_t)slot;
}

static inline uint32_t fifo_first(const struct fifo *f)
{
    return f->slots[f->head & f->mask];
}

/* Takes the first entry, or none, with the same instructions. True if there
 * are others. */
static inline bool fifo_drop(struct fifo *f, bool first)
{
    uint16_t head = (uint16_t)(f->head + first), tail = f->tail;
    bool any = head != tail;
    uint32_t kept = -(uint32_t)any;
    f->head = (uint16_t)(head & kept);
    f->tail = (uint16_t)(tail & kept);
    return any;
}

static inline uint32_t fifo_pop(struct fifo *f)
{
    uint32_t slot = fifo_first(f);
    fifo_drop(f, true);
    return slot;
}

/* ---- rtcore_build.c ---- */

bool rtcore_build(struct unit *u, struct error *error);

/* Room for all slots. */
void fifo_new(struct fifo *f, struct rtcore *r);

/*
 * False if this RT core cannot read the scene; the error says which formats and
 * what helps, to follow "the scene has ".
 */
bool rtcore_reads(const struct unit *u, const struct corbel_scene *scene,
                  struct error *error);

/* ---- rtcore_schedule.c ---- */

void ready_new(struct ready *ready, struct rtcore *r);
/* age: smaller is older, different for each ray. */
void ready_add(struct ready *ready, uint32_t slot, uint64_t age);
/* Takes the ray that goes on. There must be one. */
uint32_t ready_take(struct ready *ready);

/* By which the scheduler tells older rays from younger ones. */
uint64_t rtcore_age(const struct rtcore *r, uint32_t slot);

/* The ray can go on when the scheduler says so. */
void rtcore_ready(struct rtcore *r, uint32_t slot, enum ray_state from,
                  uint64_t now);

/* A hint to the host: the slot's ray may be finished soon (round 0), or is
 * (round 1), and its thread processor will get the hit. */
static inline void rtcore_hint_hit(const struct rtcore *r, uint32_t slot,
                                   unsigned round)
{
    struct asker asker = r->askers[slot];
    struct msg m = {.tag = asker.tag};
    if (__builtin_expect(r->items != NULL, 0))
        return;
    hint_message(&r->unit.out[HIT][asker.port], &m, round);
}

/* ---- rtcore_fetch.c ---- */

void fetch_new(struct rtcore *r);
void fetch_scene(const struct rtcore *r, struct scene_at *at,
                 const struct corbel_scene *scene);
/* The ray's next fetch joins its queue. False: the ray is finished. */
bool fetch_begin(struct rtcore *r, uint32_t slot, enum ray_state from,
                 uint64_t now);
/* A node was tested: the children after the nearest one. */
void fetch_ahead(struct rtcore *r, uint32_t slot);
/* Requests of all queues that have something to ask for; then the end of the
 * cycle (rtcore_end). */
uint64_t fetch_ask_all(struct rtcore *r, uint64_t now);
/* Takes one answer of each of these ports. */
void fetch_take(struct rtcore *r, uint64_t ports, uint64_t now);

/* The ray's result waits to be returned. */
static inline void rtcore_finish(struct rtcore *r, uint32_t slot,
                                 enum ray_state from, uint64_t now)
{
    rtcore_move(r, &r->slots[slot], from, STATE_ray_finished, now);
    fifo_push(&r->finished, slot);
    r->standing++;
    rtcore_hint_hit(r, slot, 1);
}

/* A ray that can go on leaves the scheduler: with a fetch, or finished. */
static inline void rtcore_go_on(struct rtcore *r, uint32_t slot,
                                enum ray_state from, uint64_t now)
{
    r->worked = true;
    if (!fetch_begin(r, slot, from, now))
        rtcore_finish(r, slot, from, now);
}

/* ---- rtcore_pipes.c ---- */

void pipes_new(struct rtcore *r);
/* All that was fetched for the ray is there: it enters, or waits. */
void pipes_join(struct rtcore *r, uint32_t slot, uint64_t now);
/* Ends the steps of all rays whose exit is due. */
void pipe_leave_boxes(struct rtcore *r, uint64_t now);
void pipe_leave_triangles(struct rtcore *r, uint64_t now);
/* Rays that wait enter the pipelines that are free. */
void pipes_enter(struct rtcore *r, uint64_t now);
/* Hints to the host: the cache lines of all rays under way. */
void pipe_warm(const struct rtcore *r, const struct pipeline *p);

static inline void pipes_leave(struct rtcore *r, uint64_t now)
{
    if (r->boxes.due <= now)
        pipe_leave_boxes(r, now);
    if (r->triangles.due <= now)
        pipe_leave_triangles(r, now);
}

/* Cycle of the next exit. */
static inline uint64_t pipes_exit(const struct rtcore *r)
{
    uint64_t box = r->boxes.due, triangle = r->triangles.due;
    return box < triangle ? box : triangle;
}

/* Cycle in which the first ray that waits can enter. */
static inline uint64_t pipe_free(const struct pipeline *p)
{
    return fifo_any(&p->queue) ? p->free_at[p->next] : CYCLE_NEVER;
}

/* ---- rtcore.c ---- */

void rtcore_receive(struct unit *u, uint64_t now);
uint64_t rtcore_send(struct unit *u, uint64_t now);

/* State for runs without time: struct corbel_rtcore, with the bound scene. */
void *rtcore_state(struct unit *u);

/* Hints to the host: the lines of the unit and of its rays in flight. */
void rtcore_prepare(const struct unit *u, uint64_t end);
void rtcore_prepare_rays(const struct unit *u, uint64_t end);

/*
 * With drain, a batch is as many rays as there are slots. The next one begins
 * when all of them are finished, or all that have come. Of thread processors
 * that have no port nothing is taken.
 */
static inline bool rtcore_may_take(const struct rtcore *r)
{
    if (r->free_slot == NO_SLOT)
        return false;
    if (__builtin_expect(r->warps != NULL, 0) && !warps_may_take(r))
        return false;
    return !__builtin_expect(r->params.drain != 0, 0) || !r->in_flight ||
           r->batch < r->slot_count;
}

/* How it traverses the scene. */
void rtcore_setup(const struct rtcore *r, const struct corbel_scene *scene,
                  struct corbel_traversal_setup *setup);
/* A free slot is taken by a ray in this state. */
void rtcore_occupy(struct rtcore *r, uint32_t slot, enum ray_state state,
                   uint64_t now);
/* The slot is free for another ray. */
void rtcore_vacate(struct rtcore *r, uint32_t slot, uint64_t now);

/* The message of a ray's result. True: with this payload. */
bool rtcore_result(const struct rtcore *r, uint32_t slot, struct msg *m,
                   struct payload *p);

/* ---- rtcore_items.c ---- */

bool items_new(struct rtcore *r, struct error *error);
void items_launch(struct rtcore *r, uint64_t now);
/* Takes a message of the staging buffer, if there is one. */
void items_take(struct rtcore *r, uint64_t now);
/* Sends a message to it, if something waits to be sent. */
void items_move(struct rtcore *r, uint64_t now);
/* Tests what the ray of an item that moves has fetched. */
void items_step(struct rtcore *r, uint32_t slot);
/* The ray enters another treelet: it waits until that is sent as an item. */
void items_cross(struct rtcore *r, uint32_t slot, uint64_t now);
void items_close(struct rtcore *r, uint64_t now);
void items_explain(const struct rtcore *r, FILE *out);

/* ---- rtcore_kind.c ---- */

/* Counts the ray of a slot: its result has been returned, or, not `over`, it
 * goes on elsewhere. */
void rtcore_count_ray(struct rtcore *r, uint32_t slot, uint64_t now, bool over);

/* ---- when the core runs next ---- */

/* The next cycle in which one of the rays that still stand can pass. */
uint64_t rtcore_next_standing(const struct rtcore *r, uint64_t now);

/* Something was done in a cycle in which no ray is in flight: the core has not
 * been idle in it. */
void rtcore_end_idling(struct rtcore *r, uint64_t now);

/* Books a cycle in which something may have been done. Cycles in which nothing
 * is done are booked when the account is closed. */
static inline void rtcore_book(struct rtcore *r, uint64_t now)
{
    bool active = r->tested | r->worked;
    r->stats.testing += r->tested;
    r->active += active;
    if (__builtin_expect(active && !r->in_flight, 0))
        rtcore_end_idling(r, now);
    r->tested = r->worked = false;
}

/* The end of a cycle, when everything is sent: returns the next cycle in which
 * there is work. Queues without room at their port wake
 * the unit when it has some, others when what they sent is out. */
static inline uint64_t rtcore_end(struct rtcore *r, uint64_t now)
{
    bool more = (r->leftover > 0) | (r->rays_waiting && rtcore_may_take(r));
    /* Else the unit was woken when the ray entered its pipeline. */
    uint64_t next = __builtin_expect(r->far, 0) ? pipes_exit(r) : CYCLE_NEVER;
    more |= r->resumes > 0;
    rtcore_book(r, now);
    if (r->standing) {
        uint64_t standing = rtcore_next_standing(r, now);
        next = standing < next ? standing : next;
    }
    return more ? now + 1 : next;
}

#endif
