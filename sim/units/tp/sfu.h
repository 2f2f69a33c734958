/*
 * A special function unit: one pipeline shared by several thread processors.
 * It starts one operation every `interval` cycles, taken round robin, and
 * reports its end `latency` cycles later. The thread processor has the result
 * already (it executes when it issues); what is modelled is when it may be
 * used.
 *
 * Ports: op / done (pairs, one per thread processor).
 */
#ifndef SIM_SFU_H
#define SIM_SFU_H

#include "sim/core/unit.h"

#define SFU_PARAMS(X)                                                          \
    X(latency, 1, 1, 1000, "cycles", "from start to end of an operation")      \
    X(interval, 1, 1, 1000, "cycles", "between two starts")

#define SFU_STATS(X)                                                           \
    X(operations, "operations", "operations started")                          \
    X(conflicts, "cycles", "a cycle in which another operation waited")

#define SFU_BUCKETS(X)                                                         \
    X(busy, BUSY, "cycles", "an operation was in the pipeline")                \
    X(idle, IDLE, "cycles", "nothing to do")

struct sfu_params {
    SFU_PARAMS(PARAM_FIELD)
};

struct sfu_stats {
    SFU_STATS(STAT_FIELD)
    SFU_BUCKETS(BUCKET_FIELD)
};

#endif
