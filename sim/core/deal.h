/*
 * Which host thread runs which tile in an epoch. Each thread has neighbouring
 * tiles of its own, which it takes one after the other; one that is done with
 * them helps others of the four that it belongs to. What tiles cost differs
 * from epoch to epoch, and who has less in one would wait. (All others would be
 * too many to look at.) Of no influence on results.
 */
#ifndef SIM_DEAL_H
#define SIM_DEAL_H

#include "sim/core/engine.h"
#include <stdatomic.h>

struct hand;

struct deal {
    enum engine_schedule schedule;
    unsigned threads, tiles;
    bool backwards;
    struct hand *hands;            /* by thread */
    _Alignas(64) atomic_uint next; /* SCHEDULE_DYNAMIC */
};

/* threads > 0, tiles < UINT32_MAX */
void deal_init(struct deal *d, enum engine_schedule schedule, unsigned threads,
               unsigned tiles);
void deal_free(struct deal *d);

/* An epoch begins; no thread takes any tile yet. shares: of the threads
 * (share.h). Each goes through its own from the first one on, or backwards. */
void deal_tiles(struct deal *d, const unsigned *shares, bool backwards);

#define DEAL_OVER UINT32_MAX
/* The next tile for a thread to run; DEAL_OVER: there is none. From any thread.
 * Who helps another thread takes its last tile first, and leaves it the one
 * that it is about to take. */
unsigned deal_take(struct deal *d, unsigned thread);

#endif
