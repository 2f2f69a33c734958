/*
 * The work counter of a chip: a global register with a fetch-and-add of one
 * block of work indices a cycle, round robin over the TMs; a kernel's start
 * sets it to 0. Requests of an earlier kernel carry its number and are dropped.
 *
 * Ports: ask / block (pairs, one per thread scheduler).
 */
#ifndef SIM_WORKCOUNTER_H
#define SIM_WORKCOUNTER_H

#include "sim/core/unit.h"

#define WORKCOUNTER_STATS(X)                                                   \
    X(handed, "indices", "indices given to thread schedulers")

#define WORKCOUNTER_BUCKETS(X)                                                 \
    X(busy, BUSY, "cycles", "a fetch-and-add was done")                        \
    X(idle, IDLE, "cycles", "nothing to do")

struct workcounter_stats {
    WORKCOUNTER_STATS(STAT_FIELD)
    WORKCOUNTER_BUCKETS(BUCKET_FIELD)
};

#endif
