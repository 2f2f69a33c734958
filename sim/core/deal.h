/*
 * Which host thread runs which tile in an epoch. Each thread has neighbouring
 * tiles of its own, which it takes one after the other. What tiles cost differs
 * from epoch to epoch, so some threads are done before others; such a thread
 * takes tiles of the three others in its group of four instead of waiting. (It
 * would take too long to look at all other threads.) Which thread runs a tile
 * has no influence on results.
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
 * Of another thread's tiles, a thread takes the one that the other comes to
 * last, but never the only one left, which the other is about to take. */
unsigned deal_take(struct deal *d, unsigned thread);

#endif
