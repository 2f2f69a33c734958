/*
 * Scene buffer: holds the treelets that rays are being traced through, so that
 * the caches of the TMs find them near. The stream scheduler says which.
 *
 * It is divided into slots of one treelet of the bound scene. STREAM_FETCH
 * gives a treelet the lowest free slot; its sectors are asked for by MEM_FILL,
 * `fetches` a cycle of each partition, first come first served, and when all
 * are there STREAM_FETCHED says so, one a cycle. STREAM_RETIRE frees the slot.
 * Commands are performed in order, one a cycle. A fetch that finds no free
 * slot, or of a treelet that is there or does not exist, is answered by
 * MEM_FAULT.
 *
 * An L1 has what it misses of the treelets read here (its output `scene`): a
 * request waits at its port until its bank is free, is answered `latency`
 * cycles later, and each port and bank takes one a cycle, round robin. Banks
 * are interleaved by 64 bytes of the buffer. Treelets are read-only, so
 * sectors travel without data, as an L2 answers them. A request for a treelet
 * that is not there, or not wholly, is answered by MEM_FAULT.
 *
 * When a kernel starts the buffer is empty.
 *
 * Ports: cpu / reply (pairs, one for each L1), command / complete (of the
 * scheduler), mem / data (pairs, one for each partition, in their order).
 */
#ifndef SIM_UNITS_SCENEBUFFER_H
#define SIM_UNITS_SCENEBUFFER_H

#include "sim/core/unit.h"
#include "sim/units/common/trip_legs.h"

#define SCENEBUFFER_PARAMS(X)                                                  \
    X(size, 4194304, 512, 1 << 30, "bytes",                                    \
      "capacity: as many slots as fit into it")                                \
    X(banks, 32, 1, 64, "banks", "a power of two")                             \
    X(latency, 4, 1, 1000, "cycles", "from taking a request to its answer")    \
    X(commands, 16, 1, 4096, "commands", "of the scheduler that can wait")     \
    X(fetches, 2, 1, 64, "sectors",                                            \
      "of 32 bytes asked for in a cycle, of each partition")                   \
    X(map_stride, 4096, 32, 1 << 30, "bytes", "stripe of a memory partition")  \
    X(map_parts, 1, 1, 64, "partitions", "memory partitions")                  \
    X(map_hash, 0, 0, 1, "=stride|xor", "spreads addresses plainly or hashed")

#define SCENEBUFFER_STATS(X)                                                   \
    X(reads, "requests", "of caches, taken")                                   \
    X(bytes_out, "bytes", "read by caches")                                    \
    X(writes, "accesses", "sectors of treelets written, as they came")         \
    X(refused, "requests", "of caches, for a treelet that was not there")      \
    X(conflicts, "cycles", "a request waited for its bank, by request")        \
    X(fills, "treelets", "that a slot was given to")                           \
    X(bytes_in, "bytes", "of treelets that have come from memory")             \
    X(retired, "treelets", "whose slot was freed")                             \
    X(late, "treelets", "of these before all of them had come")                \
    X(slot_cycles, "cycles", "of slots that hold a treelet, summed")

#define SCENEBUFFER_BUCKETS(X)                                                 \
    X(busy, BUSY, "cycles",                                                    \
      "a request was taken or answered, or a sector asked for")                \
    X(waiting, WAITS, "cycles", "for sectors or the end of the latency")       \
    X(idle, IDLE, "cycles", "nothing to do")

struct scenebuffer_params {
    SCENEBUFFER_PARAMS(PARAM_FIELD)
};

#define SCENEBUFFER_TRIPS(X) X(sector, 0, "sectors of treelets")
enum { SCENEBUFFER_TRIPS(TRIP_NUMBER) SCENEBUFFER_TRIP_COUNT };

struct scenebuffer_stats {
    SCENEBUFFER_STATS(STAT_FIELD)
    TRIP_STATS(SCENEBUFFER_TRIP_COUNT)
    SCENEBUFFER_BUCKETS(BUCKET_FIELD)
};

#endif
