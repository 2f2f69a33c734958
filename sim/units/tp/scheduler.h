/*
 * The thread scheduler of a TM: answers trav.fchthrd. It fetches blocks of
 * work indices from the chip's work counter, one block ahead, and hands out one
 * index a cycle, round robin over the thread processors.
 * Blocks of an earlier kernel carry its number and are dropped.
 *
 * Requests of warps say in `size` how many lanes want an index, those of harts
 * say 0; the cores of a scheduler are of one kind. One of a warp is passed on
 * to the work counter as it is, one a cycle and up to SCHEDULER_WIDE of them at
 * a time: the answer is the first of as many consecutive indices.
 *
 * Ports: next / index (pairs, one per thread processor); ask / block to
 * the work counter's ask / block.
 */
#ifndef SIM_SCHEDULER_H
#define SIM_SCHEDULER_H

#include "sim/core/unit.h"

#define SCHEDULER_PARAMS(X)                                                    \
    X(block, 32, 1, 65536, "indices", "fetched at a time, but for warps")

#define SCHEDULER_STATS(X)                                                     \
    X(handed, "indices", "indices handed out")                                 \
    X(blocks, "blocks", "blocks received from the work counter")

#define SCHEDULER_BUCKETS(X)                                                   \
    X(busy, BUSY, "cycles", "an index was handed out")                         \
    X(starved, WAITS, "cycles", "a request waited for a block")                \
    X(idle, IDLE, "cycles", "no request came")

#define SCHEDULER_WIDE 64

struct scheduler_params {
    SCHEDULER_PARAMS(PARAM_FIELD)
};

struct scheduler_stats {
    SCHEDULER_STATS(STAT_FIELD)
    SCHEDULER_BUCKETS(BUCKET_FIELD)
};

#endif
