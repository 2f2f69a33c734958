/*
 * The stream scheduler of a chip. It collects the items that staging buffers
 * send in buckets, one for each segment and bank, writes full ones to main
 * memory, and reads them back for TMs that ask, segment by segment: the order
 * is that of streamscheduler_policy.h. A bucket holds items of 36 bytes behind
 * a head of 16, and travels by 64 bytes. What is in main memory is timing: the
 * scheduler keeps the items itself.
 *
 * Each bank takes a request in a cycle, of the TMs that it serves; with bank_by
 * segment an item goes to the bank of its segment, so that one bucket a segment
 * is open, and only roots, loads and ends of buckets to the bank of their TM. A
 * TM's requests are taken in order, so that the end of a bucket is never taken
 * before the items that it has led to. A bucket that is full, or whose segment
 * gets no more items, waits there to be written. One bucket a cycle is written,
 * and one read, at the channel of its memory partition, which carries 64 bytes
 * of one bucket a cycle, in order. A TM gets 64 bytes a cycle, as the items
 * that end in them.
 *
 * Buckets lie in a heap of addresses behind the program's memory: as many as
 * fit in each row of `stride` bytes of their partition. Nothing is read before
 * the number of roots is known (STREAM_ROOTS).
 *
 * A guest fault, at the request of every TM that waits: a segment that the
 * scene does not have, that gets no items any more or cannot be fetched, more
 * roots than announced or two announcements (at the treelet's address), and no
 * room in the heap (at its end).
 *
 * Ports: tm / bucket (pairs, one per staging buffer), mem / data (pairs, one
 * per partition; none: on_chip), flush (one per hit updater), command /
 * complete (one pair to a scene buffer, or none: then a segment needs no
 * fetching). Messages: stream.h.
 *
 * Source: K. Shkurko, T. Grant, D. Kopta, I. Mallett, C. Yuksel, E. Brunvand,
 * Dual Streaming for Hardware-Accelerated Ray Tracing, HPG 2017.
 */
#ifndef SIM_STREAMSCHEDULER_H
#define SIM_STREAMSCHEDULER_H

#include "sim/core/unit.h"
#include "sim/units/streams/streamscheduler_policy.h"

#define STREAM_BANKS_MAX 256

#define STREAMSCHEDULER_PARAMS(X)                                              \
    X(bucket, 2048, 128, 8192, "bytes", "of a bucket, a power of two")         \
    X(banks, 32, 1, STREAM_BANKS_MAX, "banks", "that items are collected in")  \
    X(bank_by, 0, 0, 1, "=tm|segment", "which of them an item goes to")        \
    X(bank_queue, 2, 1, 64, "buckets", "of a bank that wait to be written")    \
    X(jobs, 16, 1, 4096, "buckets", "to be written and read, of a channel")    \
    X(channel_order, 0, 0, 1, "=fifo|reads_first", "of what it carries")       \
    X(order, 0, CHOICE_RANGE(STREAM_ORDERS), CHOICE_NAMES(STREAM_ORDERS),      \
      "in which segments become candidates")                                   \
    X(weight, 0, CHOICE_RANGE(STREAM_WEIGHTS), CHOICE_NAMES(STREAM_WEIGHTS),   \
      "dfs: of children, the heaviest goes first; none: by number")            \
    X(low_water, 16, 1, 65536, "buckets",                                      \
      "fewer to be read: one more segment becomes a candidate")                \
    X(active, 0, 0, 65536, "segments",                                         \
      "that are candidates, and fit the scene buffer; 0: all, or 2 a TM")      \
    X(prefetches, 4, 1, 1024, "segments", "being fetched at a time")           \
    X(scene_buffer, 4194304, 512, 1073741824, "bytes",                         \
      "that the scene buffer at `command` holds")                              \
    X(segments, 65536, 1, 16777213, "segments", "of a scene, at most")         \
    X(heap, 256, 1, 65536, "MiB", "for buckets")                               \
    X(heap_base, 4294967296, 0, 8796093022208, "address",                      \
      "behind which the first one lies")                                       \
    X(stride, 8192, 512, 1048576, "bytes",                                     \
      "of a row of a partition, a power of two")                               \
    X(on_chip, 0, 0, 1, "flag", "1: buckets lie in a memory of one cycle")

#define STREAMSCHEDULER_STATS(X)                                               \
    X(items, "items", "items that came")                                       \
    X(dead, "items", "of them without anything to trace: tmax < tmin")         \
    X(roots, "items", "root items that came")                                  \
    X(dead_roots, "items", "of them without anything to trace")                \
    X(live, "items", "items that are to be traced")                            \
    X(live_roots, "items", "root items that are to be traced")                 \
    X(opened, "buckets", "buckets begun")                                      \
    X(written, "buckets", "buckets written")                                   \
    X(written_roots, "buckets", "of these with root items")                    \
    X(read, "buckets", "buckets read for a TM")                                \
    X(retired, "buckets", "buckets whose items have been traced")              \
    X(bytes_written, "bytes", "of buckets")                                    \
    X(bytes_read, "bytes", "of buckets")                                       \
    X(stored, "accesses", "items put into the banks' open buckets")            \
    X(moved_out, "accesses", "items taken out of them, with their buckets")    \
    X(on_chip_writes, "sectors", "of buckets, to the memory on the chip")      \
    X(on_chip_reads, "sectors", "of buckets, from it")                         \
    X(fetched, "segments", "segments that became ready to be traced")          \
    X(culled, "segments", "segments that no ray has entered")                  \
    X(single, "segments", "segments of one bucket")                            \
    X(candidate_cycles, "segment-cycles", "candidates, summed over cycles")    \
    X(candidates_max, "segments", "most candidates at a time")                 \
    X(heap_max, "buckets", "most buckets in the heap at a time")               \
    X(ends, "requests", "requests for a bucket answered by the end")           \
    X(tracing, "cycles", "of kernels, from their first item to their last")

#define STREAMSCHEDULER_BUCKETS(X)                                             \
    X(busy, BUSY, "cycles", "something was taken, moved or sent")              \
    X(write_stall, FULL, "cycles", "a full bucket waited for its channel")     \
    X(no_bucket, WAITS, "cycles", "a TM waited, no candidate had a bucket")    \
    X(not_fetched, WAITS, "cycles",                                            \
      "a TM waited, segments were being fetched")                              \
    X(channel_full, FULL, "cycles", "a TM waited for room in a channel")       \
    X(memory, WAITS, "cycles", "buckets were on their way")                    \
    X(idle, IDLE, "cycles", "nothing to do")

#endif
