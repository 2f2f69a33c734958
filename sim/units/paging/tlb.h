/*
 * TLB: fully associative, true LRU. It stands on the way of accesses, from
 * cores to an L1 or from an L1 to the crossbar, and passes each on by the link
 * of the same number as that by which it came; if the access is to a managed
 * page that the TLB does not hold, it keeps the access and asks the GMMU, and
 * the others go on. What is not managed is passed on.
 *
 * Accesses of one instruction of a warp (MEM_GROUPED) share their look-ups: the
 * asker says which of them count as one, and those that miss their page while
 * another one waits for it wait with that, without a walk of their own.
 *
 * A lookup takes no time beyond the link's. Accesses of one port to one block
 * of 256 bytes keep their order: one that finds its page goes behind one that
 * still waits for it.
 *
 * A second level: the `walk` of TLBs leads to the `lookup` of another one.
 *
 * Ports: cpu / reply (pairs), mem / fill (as many), of which reply and fill may
 * be left out where answers take their own way; lookup / found (pairs, of TLBs
 * above), walk / back (the GMMU, or a TLB below).
 */
#ifndef SIM_TLB_H
#define SIM_TLB_H

#include "sim/core/unit.h"

#define TLB_PARAMS(X)                                                          \
    X(tlb_size, 4096, 1, 1 << 20, "pages", "that it holds")                    \
    X(misses, 4096, 1, 1 << 20, "accesses", "that wait for their page")        \
    X(touch, 1, 0, 1, "=off|on",                                               \
      "hits that change the order of pages are told to the GMMU")              \
    X(map_stride, 4096, 32, 1 << 30, "bytes",                                  \
      "behind an L1, whose links it has: stripe of a memory partition")        \
    X(map_parts, 1, 1, 64, "partitions", "memory partitions")                  \
    X(map_slices, 1, 1, 64, "slices", "cache slices in a partition")           \
    X(map_line, 128, 32, 65536, "bytes", "stripe of a slice")                  \
    X(map_hash, 0, 0, 1, "=stride|xor", "spreads addresses plainly or hashed")

#define TLB_STATS(X)                                                           \
    X(accesses, "accesses", "to managed pages")                                \
    X(line_accesses, "accesses",                                               \
      "of them to another line than the one before")                           \
    X(line_hits, "accesses", "of those to a page that it held")                \
    X(bypassed, "accesses", "to what is not managed")                          \
    X(followed, "accesses",                                                    \
      "besides these, of an instruction that has looked their page up")        \
    X(hits, "accesses", "to a page that it held")                              \
    X(misses, "accesses", "asked for below")                                   \
    X(direct, "accesses", "went over PCIe without migration")                  \
    X(inserted, "pages", "taken in")                                           \
    X(returned, "pages", "of them it had held before and given up")            \
    X(replaced, "pages", "given up for others")                                \
    X(shot_down, "pages", "given up as they left the device, or with all")     \
    X(flushes, "flushes", "times that all were given up")                      \
    X(touches, "messages", "told the GMMU of hits")

#define TLB_BUCKETS(X)                                                         \
    X(busy, BUSY, "cycles", "an access or an answer passed")                   \
    X(waiting, WAITS, "cycles", "accesses only waited for pages")              \
    X(idle, IDLE, "cycles", "nothing to do")

struct tlb_params {
    TLB_PARAMS(PARAM_FIELD)
};

struct tlb_stats {
    TLB_STATS(STAT_FIELD)
    TLB_BUCKETS(BUCKET_FIELD)
};

#endif
