/*
 * An ideal main memory, for chips that are to show nothing of DRAM (the unit
 * dram): no banks, rows or refresh, only latency and bandwidth. A request is
 * answered `latency` cycles after the data bus has begun on it, and the bus
 * carries `bandwidth` bytes in 1000 cycles, in order of arrival; of several
 * clients round robin. Timing only: the cache in front owns the data.
 *
 * Ports: cpu / reply (pairs, one per cache slice).
 */
#ifndef SIM_MEMORY_IDEAL_H
#define SIM_MEMORY_IDEAL_H

#include "sim/core/unit.h"
#include "sim/units/memory/mem_clients.h"

#define MEMORY_PARAMS(X)                                                       \
    X(latency, 200, 1, 100000, "cycles", "from the bus to the answer")         \
    X(bandwidth, 32000, 1, 1000000000, "B/1000clk", "bytes in 1000 cycles")    \
    X(queue, 64, 1, 4096, "requests", "requests waiting for the bus")

#define MEMORY_STATS(X)                                                        \
    X(reads, "requests", "sectors read")                                       \
    X(writes, "requests", "sectors written")                                   \
    X(bytes, "bytes", "bytes carried by the bus")

#define MEMORY_BUCKETS(X)                                                      \
    X(busy, BUSY, "cycles", "the bus carried data or requests waited for it")  \
    X(waiting, WAITS, "cycles", "answers under way, bus idle")                 \
    X(idle, IDLE, "cycles", "nothing to do")

struct memory_params {
    MEMORY_PARAMS(PARAM_FIELD)
};

struct memory_stats {
    MEMORY_STATS(STAT_FIELD)
    struct client_stats clients;
    MEMORY_BUCKETS(BUCKET_FIELD)
};

#endif
