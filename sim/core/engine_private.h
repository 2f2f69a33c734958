/*
 * The engine's insides: the exact part in engine.c, plan.c and requests.c, the
 * host's threads in workers.c, turn.c and stretch.c. Which thread runs what is
 * decided in policy.h, which knows nothing of the chip.
 */
#ifndef SIM_ENGINE_PRIVATE_H
#define SIM_ENGINE_PRIVATE_H

#include "sim/core/barrier.h"
#include "sim/core/chip_private.h"
#include "sim/core/policy.h"
#include "sim/core/tile_run.h"

/* Epochs that threads run without meeting, at most: more gain next to nothing
 * (ci/speed/predict.py), and that all is quiet is seen later. */
#define STRETCH 16u

/* Tiles of a side that a thread owns, in a stretch of epochs (stretch.c). */
struct hand {
    _Alignas(64) atomic_uint_fast64_t untaken; /* an epoch's, packed */
    atomic_uint left;                          /* have not run it yet */
    atomic_uint done;                          /* epochs that all have run */
};

/* How far the tiles of a side may go in it. */
struct front {
    _Alignas(64) atomic_uint open; /* epochs below this may run */
    struct tally owners[2]; /* by parity of an epoch: threads whose tiles have
                               not all run it */
};

/* A host thread. */
struct worker {
    _Alignas(64) struct engine *engine;
    unsigned number;
    pthread_t thread;
    struct mailbox *boxes[2]; /* by parity of the turn, then tile */
    uint64_t last_event;      /* cycle in which a tile that it ran had any */
    uint64_t request; /* first cycle in which one of them asked for a service */

    unsigned *tiles, counts[2]; /* its own, those of a side together */
    _Alignas(64) atomic_bool waits;
    struct hand hands[2]; /* by side */
};

/* What comes next of a tile, as it stands: threads share no line of it. */
struct tile_event {
    _Alignas(64) uint64_t own; /* its next event, not counting mail */
    uint64_t mail;             /* the first of what it sent in its last epoch */
};

/* Tiles that run at the same time: all, or those of one side. */
struct side {
    unsigned first, end; /* numbers of tiles */
    uint64_t clock;      /* where they stand */
    uint64_t event;      /* their next, or that of the mail they sent */
};

struct engine {
    struct chip *chip;
    struct engine_options options;
    struct engine_hooks hooks;
    struct worker *workers;
    struct front fronts[2]; /* by side */
    unsigned listed;        /* changes of shares that workers know of */
    struct barrier barrier;
    struct policy policy;
    atomic_uint next_tile;     /* SCHEDULE_DYNAMIC */
    struct tile_event *events; /* by tile */
    /* By parity, then tile: by thread, whether there is mail in its box; each
     * tile has posted_bytes bytes, whole lines of the host's. */
    uint8_t *posted[2];
    size_t posted_bytes;
    struct side sides[2];
    unsigned side_count;
    unsigned turn;     /* the side that runs */
    unsigned longest;  /* cycles that it runs at a time, at most */
    uint64_t from, to; /* cycles of that side; then it stands at `to` */
    unsigned epochs;   /* from `from` to `to`, more than one in a stretch */
    atomic_uint_fast64_t end; /* `to`, or where the turn ends before it */
    uint64_t halt;            /* where all stand anyway, as planned */
    uint64_t limit, interval, next_border, watch, next_watch;
    uint64_t last_event; /* of all tiles until now */
    uint64_t services;   /* where the next ones are, or an alarm */
    uint64_t alarm;      /* where it is, CYCLE_NEVER: there is none */
    uint64_t mark;       /* likewise that of engine_mark */
    uint64_t save_every; /* a multiple of the grid, 0: hooks.save is not due */
    uint64_t save;       /* where it is, CYCLE_NEVER: nowhere */
    uint64_t horizon;  /* first cycle at which all may stop: see struct tile */
    uint64_t promised; /* the last of all horizons so far */
    unsigned parity;   /* of the boxes that are written in the (first) epoch of
                          this turn, or were in the last one */
    bool stopping;
    bool left; /* hooks.still has stopped it: what is due at `to` is not done */
    bool held_up; /* something was done for others, since the last epoch */
    enum engine_stop stop;
    struct unit **settling; /* units with something to settle */
    unsigned settling_count;
    struct service_request *requests;
    unsigned request_room;
    uint64_t last_progress; /* host time in ms */
};

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* First multiple of n after cycle. */
static inline uint64_t border_after(uint64_t cycle, uint64_t n)
{
    return (cycle / n + 1) * n;
}

/* ---- engine.c: while all tiles stand still ---- */

void engine_close_accounts(struct engine *e);
/* Units write to memory what they hold of it. */
void engine_settle(struct engine *e);

/* ---- engine_check.c ---- */

/* Fails if the tiles that were loaded hold what cannot be. */
void engine_check(const struct engine *e, struct state *s);

/* ---- engine_state.c ---- */

/* In a checked build: what the engine saves member by member is as it is
 * before the first cycle. */
void engine_watch(const struct engine *e);

/* ---- plan.c ---- */

/* A run begins: the first turn. */
void plan_first(struct engine *e, uint64_t limit, uint64_t interval);
/* The chip has been loaded: all tiles stand at e->to. */
void plan_loaded(struct engine *e);
/* A turn is over: notes what the side that ran has found, and where it stands;
 * then serves, jumps, and plans the next one, or stops. */
void plan_note(struct engine *e);
void plan_next(struct engine *e);

/* What is asked for in a cycle is done here: no tile is past it before all have
 * run that cycle, as none is further ahead than E. */
static inline uint64_t service_after(const struct engine *e, uint64_t cycle)
{
    return border_after(cycle + e->chip->epoch, chip_grid(e->chip));
}

/* ---- requests.c ---- */

/* Moves the requests of all tiles into e->requests, in their order; returns how
 * many there are. */
unsigned collect_requests(struct engine *e);

/* ---- turn.c ---- */

/* One thread runs all tiles of the side whose turn it is. */
void turn_run_alone(struct worker *w);
/* Takes one tile after the other that no thread has taken. */
void turn_run_next(struct worker *w);
/* All tiles stand still: what was sent in the last epoch goes into their
 * wheels, as it would when they run again. */
void turn_deliver(struct engine *e);

/* ---- stretch.c ---- */

/* A stretch is planned; all threads but one wait. */
void stretch_begin(struct engine *e);
/* A thread's part of it. */
void stretch_run(struct worker *w);

/* ---- workers.c ---- */

void workers_init(struct engine *e);
void workers_free(struct engine *e);
/* Runs turn by turn on all threads, until plan_next stops. */
void workers_run(struct engine *e);

#endif
