/*
 * Set-associative cache with sectors, banks and MSHRs; L1s and L2 slices.
 *
 * A request waits at its port until its bank takes it (one a cycle and bank,
 * round robin over the ports), walks the bank's pipeline and is looked up at
 * its end, `latency` cycles after it was taken. A hit answers in that cycle. A
 * miss allocates its line at once, takes an MSHR or joins the one that already
 * waits for the sector, and asks below; the sectors of a line are fetched one
 * by one. Where a resource is missing (MSHR, target, room in the queue
 * downwards, a way that is not being filled) the bank stands still until it is
 * there. An arriving sector answers its waiting requests one a cycle.
 *
 * Two roles, chosen by `owner`:
 *   owner 0  (L1) keeps copies. Stores and atomics go through to the owner
 *            (write-through, no allocation; a copy that is there is updated
 *            by a store, dropped by an atomic). Not coherent: MEM_INVALIDATE
 *            (a fence) and a kernel's start drop all copies of writable data.
 *   owner 1  (L2 slice) is where memory is read and written: write-back with
 *            allocation, bytes of a sector written before it was fetched are
 *            kept under a mask.
 *
 * Ports: cpu / reply (pairs, one per client), mem (one per slice of the map,
 * or one), fill (the answers from below).
 */
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include "sim/core/unit.h"
#include "sim/units/crossbar.h"
#include "sim/units/machine.h"

#define CACHE_PARAMS(X)                                                        \
    X(size, 65536, 128, 1 << 30, "bytes", "capacity")                          \
    X(ways, 4, 1, 128, "ways", "associativity")                                \
    X(line, 128, 32, 128, "bytes", "line: 1, 2 or 4 sectors of 32 bytes")      \
    X(banks, 1, 1, 64, "banks", "banks, interleaved by line")                  \
    X(latency, 20, 1, 1000, "cycles", "from entering the bank to the answer")  \
    X(mshrs, 64, 1, 4096, "entries", "sectors being fetched at a time")        \
    X(targets, 8, 1, 64, "requests", "requests waiting for one sector")        \
    X(misses, 1, 1, 64, "per cycle", "misses that may be noted in a cycle")    \
    X(pass, 256, 1, 4096, "entries", "stores and atomics on their way below")  \
    X(replacement, 0, 0, 2, "=lru|fifo|random", "choice of the victim")        \
    X(owner, 0, 0, 1, "=copy|owner",                                           \
      "keeps copies, or owns the memory behind it")                            \
    X(map_stride, 4096, 128, 1 << 30, "bytes", "stripe of a memory partition") \
    X(map_parts, 1, 1, 64, "partitions", "memory partitions")                  \
    X(map_slices, 1, 1, 64, "slices", "cache slices in a partition")

#define CACHE_STATS(X)                                                         \
    X(reads, "requests", "loads looked up")                                    \
    X(writes, "requests", "stores looked up")                                  \
    X(atomics, "requests", "atomics looked up")                                \
    X(hits, "requests", "loads that found their sector")                       \
    X(half_misses, "requests", "loads that joined a fetch under way")          \
    X(misses_read, "requests", "loads that began a fetch")                     \
    X(fills, "sectors", "sectors fetched")                                     \
    X(writebacks, "sectors", "dirty sectors written back")                     \
    X(evictions, "lines", "lines replaced")                                    \
    X(stall_mshr, "cycles", "a bank waited for an MSHR or target")             \
    X(stall_way, "cycles", "a bank waited for a way not being filled")         \
    X(stall_below, "cycles", "a bank waited for room in the queue below")      \
    X(conflicts, "cycles", "a request waited for its bank, by request")

#define CACHE_BUCKETS(X)                                                       \
    X(busy, "cycles", "a request was taken, looked up or answered")            \
    X(waiting, "cycles", "only fetches, stores or pipeline stages under way")  \
    X(idle, "cycles", "nothing to do")

struct cache_params {
    CACHE_PARAMS(PARAM_FIELD)
};

struct cache_stats {
    CACHE_STATS(STAT_FIELD)
    CACHE_BUCKETS(STAT_FIELD)
};

#endif
