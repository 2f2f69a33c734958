/*
 * Host policy: whether one host thread or several run the tiles in an epoch,
 * and which tiles each of several has. It decides by what tiles and epochs took
 * before, on the host's clock or on one that a test hands in (struct
 * engine_host), and has no influence on results. share.h has its arithmetic,
 * stretch.c what threads do with it.
 */
#ifndef SIM_POLICY_H
#define SIM_POLICY_H

#include "sim/core/engine.h"
#include "sim/core/share.h"

struct policy {
    const struct engine_host *host;
    unsigned threads;
    bool measures;       /* decides anew by what tiles took */
    bool profiles;       /* the caller wants to know what tiles took */
    bool timed;          /* tiles are timed in the turn that runs */
    unsigned turns;      /* since they were, or will be again */
    uint64_t epochs;     /* number of the first one of this turn */
    uint64_t barrier_ns; /* what a barrier costs at least */
    uint64_t *tile_ns;   /* by tile: time of an epoch, when last timed */
    struct shares shares;
    unsigned changes;    /* of the shares, so far */
    uint64_t decided_at; /* host time of the last decision */
    uint64_t decided_epoch;
    uint64_t one_ns; /* an epoch of one thread, as was known then */
    struct share_mode mode;
};

/* sizes: of the tiles, in any unit; the first shares are by these. profiles:
 * tiles are timed even where nothing is decided. */
void policy_init(struct policy *p, const struct engine_options *options,
                 const uint64_t *sizes, unsigned tiles, bool profiles,
                 uint64_t barrier_ns);
void policy_free(struct policy *p);

/* A run begins, or goes on after a stop. */
void policy_begin(struct policy *p);
/* A turn is over, after `epochs` epochs, and all threads wait: decides what the
 * next one does. awake: how many of them do not sleep. */
void policy_next_turn(struct policy *p, unsigned epochs, unsigned awake);
/* How many tiles a thread has. */
unsigned policy_share(const struct policy *p, unsigned thread);
/* What happens between these two is no measure of the threads. pause returns
 * what resume is to be given. */
uint64_t policy_pause(const struct policy *p);
void policy_resume(struct policy *p, uint64_t since);

/* Does one thread run all tiles? */
static inline bool policy_is_alone(const struct policy *p)
{
    return p->threads == 1 || p->mode.alone;
}

/* Host time in ns, for the thread that plans. */
static inline uint64_t policy_ns(const struct policy *p)
{
    return p->host->ns(p->host->context);
}

/* In a turn that is timed, around the run of a tile, by the thread that runs
 * it: since is what policy_tile_ns was before. */
static inline uint64_t policy_tile_ns(const struct policy *p)
{
    return p->host->tile_ns(p->host->context);
}

static inline void policy_note_tile(struct policy *p, unsigned tile,
                                    uint64_t since)
{
    p->tile_ns[tile] += policy_tile_ns(p) - since;
}

#endif
