/*
 * The hit updater of a memory partition: a cache of the hit records that lie in
 * the partition's addresses. A hit that comes for a record stays in it if it is
 * closer than what the record has; a load gets the closest so far. Each cycle
 * the unit takes one request, round robin over the staging buffers, and sends
 * at most one answer and one request to main memory, writes before reads.
 *
 * A record is a line. A request for one that is not there takes the place of
 * the least recently used one of its set, writes that back if it was changed,
 * and has the new one fetched. Until it comes further hits merge with it, and
 * loads wait. Where all lines of a set are being fetched, or `fetches` of all
 * lines, the request waits and blocks those behind it.
 *
 * As the owner's caches do, the unit performs what it is asked on the memory
 * itself; that a line is fetched or written back takes time and bandwidth (of
 * the sector around the record) and changes no byte. So memory is up to date
 * whenever it is looked at, and a kernel begins with an empty cache: records of
 * the last one are only written back, if that is still to be done. A hit that
 * has been answered is seen by every load that comes later. The memory is
 * touched in receive only, and by the caches of the tile in send: no result
 * depends on which of them runs first.
 *
 * A request is refused (MEM_FAULT) if its address is not a multiple of 16, lies
 * in no memory, in another partition or in what programs may not write.
 *
 * Ports: hit / record (pairs, one per staging buffer), mem / data to and from
 * main memory, flush from the stream scheduler: stream.h.
 */
#ifndef SIM_HITUPDATER_H
#define SIM_HITUPDATER_H

#include "sim/core/unit.h"
#include "sim/units/common/trip_legs.h"

#define HITUPDATER_PARAMS(X)                                                   \
    X(records, 4096, 1, 1 << 20, "records", "capacity, a multiple of ways")    \
    X(ways, 8, 1, 64, "ways", "associativity")                                 \
    X(fetches, 64, 1, 4096, "records", "being fetched at a time")              \
    X(part, 0, 0, 63, "partition", "number of the memory partition it is in")  \
    X(map_stride, 4096, 32, 1 << 30, "bytes", "stripe of a memory partition")  \
    X(map_parts, 1, 1, 64, "partitions", "memory partitions")                  \
    X(map_hash, 0, 0, 1, "=stride|xor", "spreads addresses plainly or hashed")

#define HITUPDATER_STATS(X)                                                    \
    X(stores, "requests", "hits that came for a record")                       \
    X(loads, "requests", "records asked for")                                  \
    X(hits, "requests", "that found the record")                               \
    X(merges, "requests", "that found it being fetched")                       \
    X(misses, "requests", "that had it fetched")                               \
    X(closer, "requests", "hits that were closer than the record's")           \
    X(refused, "requests", "answered by MEM_FAULT")                            \
    X(stalls, "requests", "that waited for lines being fetched")               \
    X(evicted, "records", "replaced after they were changed")                  \
    X(flushed, "records", "written back when there were no more items")        \
    X(bytes_read, "bytes", "of records that were fetched")                     \
    X(bytes_written, "bytes", "of records that were written back")

#define HITUPDATER_BUCKETS(X)                                                  \
    X(busy, BUSY, "cycles", "a request was taken or sent, or answered")        \
    X(flushing, BUSY, "cycles",                                                \
      "no more items: records were written back for memory's sake")            \
    X(stalled, WAITS, "cycles", "a request waited for lines being fetched")    \
    X(fetching, WAITS, "cycles", "only fetches or write-backs under way")      \
    X(idle, IDLE, "cycles", "nothing to do")

struct hitupdater_params {
    HITUPDATER_PARAMS(PARAM_FIELD)
};

#define HITUPDATER_TRIPS(X)                                                    \
    X(record, COUNTER(fetching), "sectors of hit records")
enum { HITUPDATER_TRIPS(TRIP_NUMBER) HITUPDATER_TRIP_COUNT };

struct hitupdater_stats {
    HITUPDATER_STATS(STAT_FIELD)
    TRIP_STATS(HITUPDATER_TRIP_COUNT)
    HITUPDATER_BUCKETS(BUCKET_FIELD)
};

#endif
