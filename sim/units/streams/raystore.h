/*
 * The ray store of a chip: an on-chip memory for rays that move from treelet to
 * treelet (STRaTA). It has a queue for each treelet and one of finished rays;
 * which treelet a TM gets rays of is raystore_policy.h.
 *
 * TMs are shared out among the banks in groups. A bank takes one request and
 * sends one answer in a cycle; a request takes effect `latency` cycles after it
 * was taken. A client that asks for a ray or a hit that is not there waits, and
 * the bank takes the requests of others meanwhile. A bank answers requests for
 * hits first, those of priority 0 before those of priority 1, then requests for
 * rays.
 *
 * A program keeps no more rays under way than there is room for (corbel/
 * streams.h). A ray without room, or for a treelet that the scene does not
 * have, is answered by MEM_FAULT, at the treelet's address.
 *
 * Ports: tm / ray (pairs, one per ray gate). Messages: stream.h.
 *
 * Source: D. Kopta, K. Shkurko, J. Spjut, E. Brunvand, A. Davis, Memory
 * Considerations for Low Energy Ray Tracing, CGF 34(1), 2015; numbers and rules
 * follow the public code of Arches.
 */
#ifndef SIM_RAYSTORE_H
#define SIM_RAYSTORE_H

#include "sim/core/unit.h"
#include "sim/units/streams/raystore_policy.h"

#define RAYSTORE_RAY_BYTES 64u
#define RAYSTORE_TREELETS_MOST 16777213

#define RAYSTORE_PARAMS(X)                                                     \
    X(bytes, 16777216, 64, 1073741824, "bytes", "of rays, 64 for each")        \
    X(banks, 64, 1, 256, "banks", "that take a request each in a cycle")       \
    X(latency, 100, 1, 1000, "cycles", "from a request to its effect")         \
    X(order, 0, CHOICE_RANGE(RAYSTORE_ORDERS), CHOICE_NAMES(RAYSTORE_ORDERS),  \
      "which ray of a treelet goes first")                                     \
    X(policy, 0, CHOICE_RANGE(RAYSTORE_POLICIES),                              \
      CHOICE_NAMES(RAYSTORE_POLICIES), "how TMs get another treelet")          \
    X(batch, 32, 1, 65536, "rays",                                             \
      "batch: that a TM has to want, or all it can, to get another treelet")   \
    X(busy, 256, 1, 65536, "rays",                                             \
      "of a TM (idle_first), for each TM (batch), or all: it is shared")       \
    X(treelets, 65536, 1, RAYSTORE_TREELETS_MOST, "treelets",                  \
      "of a scene, at most")

#define RAYSTORE_STATS(X)                                                      \
    X(roots, "rays", "new rays that came")                                     \
    X(crossings, "rays", "rays that came back, for another treelet")           \
    X(finished, "rays", "rays that came finished")                             \
    X(rays, "rays", "handed out to be traced")                                 \
    X(hits, "rays", "finished ones handed out")                                \
    X(ends, "requests", "requests for rays answered by the end")               \
    X(writes, "accesses", "rays that came, of any kind")                       \
    X(reads, "accesses", "rays and hits handed out")                           \
    X(bytes_written, "bytes", "of rays that came")                             \
    X(bytes_read, "bytes", "of rays handed out")                               \
    X(held_max, "rays", "most rays held at a time")                            \
    X(switches, "events", "TMs that went to another treelet")                  \
    X(tm_cycles, "TM-cycles", "in which a TM waited for rays")

#define RAYSTORE_BUCKETS(X)                                                    \
    X(busy, BUSY, "cycles", "a request was taken or answered, or took effect") \
    X(waiting, WAITS, "cycles", "only requests that nothing is there for")     \
    X(idle, IDLE, "cycles", "nothing to do")

struct raystore_params {
    RAYSTORE_PARAMS(PARAM_FIELD)
};

struct raystore_stats {
    RAYSTORE_STATS(STAT_FIELD)
    RAYSTORE_BUCKETS(BUCKET_FIELD)
};

#endif
