/*
 * The staging buffer of a TM, between those that work on items (thread
 * processors or an RT core) and the units of ray streams (stream.h): it keeps
 * buckets of items and hands the items out, sends new items, hits and requests
 * for hit records on, and tells the stream scheduler when a bucket is finished.
 *
 * It has two buffers of a bucket: items are handed out of one while the other
 * is filled. From the first request of a kernel on a bucket is asked for
 * whenever a buffer is empty, until the scheduler says that there are no more;
 * then all that ask for an item are told so. A worker that asks has finished
 * the last item it got; when all items of a segment's buckets here are
 * finished, these are complete. The scheduler hears of that after the items
 * that they led to, and after all hits that came before are in their records:
 * hits are counted by generations: one is waited for while the next grows.
 *
 * Each cycle the unit takes a request, round robin over the thread processors
 * and in turn with those of the RT core, an answer of a hit updater and 64
 * bytes of a bucket, and hands out an item. It sends a message: a request for a
 * bucket first, then an item, the end of a bucket, a request of a hit updater.
 * A request whose link has no room waits and blocks those behind it.
 *
 * With an RT core, records that thread processors ask for are final: they are
 * asked for when there are no more items.
 *
 * Refused are an item that is sent when there are no more, and roots with an
 * address of records where thread processors take the items, or without one
 * where an RT core does (corbel_stream_roots). An access that was refused
 * (MEM_FAULT) is a fault of the hart that asked for
 * it. One of an RT core's ray, or for a bucket, is told to a thread processor
 * that waits, or else to the next one that asks for anything; no bucket is
 * complete after that.
 *
 * When a kernel begins, what is left of the last one is dropped, but requests
 * of hit updaters and their answers.
 *
 * Ports: op / done (pairs, one per thread processor, by served_words.h; for
 * trav.lwi, swi, cshit, lhit), item / work (a pair to an RT core, or none),
 * sched / bucket to the stream scheduler, hit / record (pairs, one per hit
 * updater, in the order of their partitions).
 */
#ifndef SIM_STAGER_H
#define SIM_STAGER_H

#include "sim/core/unit.h"

#define STAGER_PARAMS(X)                                                       \
    X(map_stride, 4096, 32, 1 << 30, "bytes", "stripe of a memory partition")  \
    X(map_hash, 0, 0, 1, "=stride|xor", "spreads addresses plainly or hashed")

#define STAGER_STATS(X)                                                        \
    X(buckets, "buckets", "received")                                          \
    X(handed, "items", "of these handed out")                                  \
    X(rays, "rays", "of these roots, handed to thread processors")             \
    X(ahead, "buckets", "there when the last item of the one before left")     \
    X(items, "items", "sent to the stream scheduler")                          \
    X(completes, "buckets", "all items of which are finished")                 \
    X(hit_stores, "requests", "hits sent to hit updaters")                     \
    X(hit_loads, "requests", "for hit records")

#define STAGER_BUCKETS(X)                                                      \
    X(handing, BUSY, "cycles", "an item was handed out")                       \
    X(starved, WAITS, "cycles", "one was asked for, and none there")           \
    X(busy, BUSY, "cycles", "something else was taken or sent")                \
    X(blocked, FULL, "cycles", "a request waited for room in a link")          \
    X(idle, IDLE, "cycles", "nothing to do")

struct stager_params {
    STAGER_PARAMS(PARAM_FIELD)
};

struct stager_stats {
    STAGER_STATS(STAT_FIELD)
    STAGER_BUCKETS(BUCKET_FIELD)
};

#endif
