/*
 * How a tile runs in a turn, for those files that say which thread runs it:
 * turn.c and stretch.c.
 */
#ifndef SIM_TURN_H
#define SIM_TURN_H

#include "sim/core/engine_private.h"

/* What a tile runs at a time: cycles, and where its mail goes. */
struct span {
    uint64_t from, to, horizon;
    unsigned parity;
};

/* Epoch number n of the turn. In a later one than the first there may have been
 * a service asked for in the one before that this thread has not heard of. */
struct span turn_span(const struct engine *e, unsigned n);

/* Runs a tile for a span, with the mail of the one before it. */
typedef void tile_runner(struct worker *w, unsigned number,
                         const struct span *s);

/* The function that runs a tile in this turn, which may be timed. */
tile_runner *turn_runner(const struct worker *w);

/*
 * There and back: the tiles that ran last in an epoch are still in the host's
 * cache, which does not hold all, and run first in the next one.
 */
static inline bool turn_goes_back(const struct engine *e, unsigned n)
{
    return (e->policy.epochs + n) & 1;
}

#endif
