/*
 * Set-associative cache with sectors, banks and MSHRs; L1s and L2 slices.
 *
 * A request waits at its port until its bank takes it (one a cycle and bank,
 * round robin over the ports), walks the bank's pipeline and is looked up at
 * its end, `latency` cycles after it was taken. A hit answers in that cycle. A
 * miss allocates its line at once, takes an MSHR or joins the one that already
 * waits for the sector, and asks below. Where a resource is missing (MSHR,
 * target, room in the queue downwards, a way that is not being filled) the
 * bank stands still until it is there. An arriving sector answers its waiting
 * requests one a cycle.
 *
 * Two roles, chosen by `owner`:
 *   copy   (L1) keeps copies of memory that is elsewhere. Not coherent: a
 *          fence (MEM_INVALIDATE) writes back what is dirty, and it and a
 *          kernel's start drop all copies of writable data.
 *   owner  (L2 slice) is where memory is read and written: what it performs is
 *          in the memory image at once, and its policies are timing only.
 *
 * Both write through or back, with or without allocation of stores that miss,
 * and keep bytes that were written before their sector was fetched under a
 * mask. docs/reference/caches.md has the whole model.
 *
 * Ports: cpu / reply (pairs, one per client), mem (one per slice of the map,
 * or one), fill (the answers from below), scene (of a copy, or none: a scene
 * buffer, which is asked for what lies in the treelets that were bound when the
 * kernel began; it answers at fill).
 */
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include "sim/core/gauge.h"
#include "sim/core/unit.h"
#include "sim/units/cache/cache_replacement.h"
#include "sim/units/common/machine.h"

#define CACHE_PARAMS(X)                                                        \
    X(size, 65536, 32, 1 << 30, "bytes", "capacity")                           \
    X(ways, 4, 1, 128, "ways", "associativity")                                \
    X(line, 128, 32, 256, "bytes", "what a way holds; a power of two")         \
    X(sector, 32, 32, 256, "bytes", "what is valid or not; up to line")        \
    X(fill, 0, 0, 256, "bytes", "fetched around a miss; 0: one sector")        \
    X(prefetch, 0, 0, 2, "=none|block|next",                                   \
      "a miss also fetches the rest of its line, or the next line as well")    \
    X(banks, 1, 1, 64, "banks", "banks, interleaved by line")                  \
    X(latency, 20, 1, 1000, "cycles", "from entering the bank to the answer")  \
    X(mshrs, 64, 1, 4096, "entries", "sectors being fetched at a time")        \
    X(targets, 8, 1, 1024, "requests", "requests waiting for one sector")      \
    X(misses, 1, 1, 64, "per cycle", "misses that may be noted in a cycle")    \
    X(pass, 256, 1, 4096, "entries", "requests passed on, not answered yet")   \
    X(updates, 64, 8, 4096, "entries", "write-backs of a copy under way")      \
    X(replacement, 0, CHOICE_RANGE(CACHE_REPLACEMENTS),                        \
      CHOICE_NAMES(CACHE_REPLACEMENTS), "choice of the victim")                \
    X(owner, 0, 0, 1, "=copy|owner",                                           \
      "keeps copies, or owns the memory behind it")                            \
    X(write, 0, 0, 2, "=usual|through|back",                                   \
      "stores go below at once, or when evicted; usual: owner back, copy "     \
      "through")                                                               \
    X(allocate, 0, 0, 2, "=usual|no|yes",                                      \
      "stores that miss take a line; usual: owner yes, copy no")               \
    X(atomics, 0, 0, 1, "=below|here", "where a copy has atomics performed")   \
    X(hold, 1000, 0, 65536, "cycles",                                          \
      "a hart's turn on what it reserved by lr, while the lr of others wait")  \
    X(classify, 0, 0, 1, "=off|on", "say why loads miss (shadow tags)")        \
    X(map_stride, 4096, 32, 1 << 30, "bytes", "stripe of a memory partition")  \
    X(map_parts, 1, 1, 64, "partitions", "memory partitions")                  \
    X(map_slices, 1, 1, 64, "slices", "cache slices in a partition")           \
    X(map_line, 0, 0, 65536, "bytes",                                          \
      "stripe of a slice; 0: the owner's line")                                \
    X(map_hash, 0, 0, 1, "=stride|xor", "spreads addresses plainly or hashed") \
    X(header, 8, 0, 32, "bytes", "of a message, where widths count")           \
    X(mem_width, 0, 0, 1024, "bytes/clk", "port to below; 0: a message a clk") \
    X(fill_width, 0, 0, 1024, "bytes/clk", "port from below; 0: a message")    \
    X(reply_width, 0, 0, 1024, "bytes/clk",                                    \
      "answers to all clients together; 0: no limit")                          \
    X(fault, 0, 0, 5, "=none|flip|lost_store|stale|swap|lost_answer",          \
      "a mistake made on purpose, once, to try the checks")                    \
    X(fault_at, 1, 1, 1000000000, "events", "which event goes wrong, from 1")

#define CACHE_STATS(X)                                                         \
    X(reads, "requests", "loads: hits, joined, misses_read, bypassed")         \
    X(writes, "requests", "stores looked up")                                  \
    X(atomics, "requests", "atomics looked up")                                \
    X(updates, "requests", "write-backs of caches above looked up")            \
    X(bytes_read, "bytes", "that loads asked for, over the clients' links")    \
    X(bytes_written, "bytes", "that stores and write-backs brought, likewise") \
    X(hits, "requests", "loads that found their sector")                       \
    X(joined, "requests", "loads that joined a fetch under way")               \
    X(misses_read, "requests", "loads that began a fetch")                     \
    X(bypassed, "requests", "loads that missed and left no copy")              \
    X(miss_compulsory, "requests", "misses_read of what was never here")       \
    X(miss_capacity, "requests", "that a fully associative cache has, too")    \
    X(miss_conflict, "requests", "that it would not have")                     \
    X(miss_coherence, "requests", "of what was dropped, not replaced")         \
    X(fills, "sectors", "sectors of 32 bytes fetched")                         \
    X(prefetches, "sectors", "sectors fetched ahead")                          \
    X(prefetch_useful, "sectors", "of these used later")                       \
    X(prefetch_useless, "sectors", "of these dropped unused")                  \
    X(prefetch_dropped, "sectors", "not fetched ahead for want of resources")  \
    X(writebacks, "sectors", "writes sent below by the cache itself")          \
    X(evictions, "lines", "lines replaced")                                    \
    X(stall_mshr, "cycles", "a bank waited for an MSHR")                       \
    X(stall_target, "cycles", "a bank waited for a target of an MSHR")         \
    X(stall_order, "cycles", "a bank waited for a fetch not to be joined")     \
    X(stall_way, "cycles", "a bank waited for a way not being filled")         \
    X(stall_below, "cycles", "a bank waited for room in the queue below")      \
    X(stall_reply, "cycles", "a bank waited for the reply port")               \
    X(stall_fence, "cycles", "a bank waited for another flush to end")         \
    X(conflicts, "cycles", "a request waited for its bank, by request")

#define CACHE_BUCKETS(X)                                                       \
    X(busy, BUSY, "cycles", "a request was taken, looked up or answered")      \
    X(waiting, WAITS, "cycles",                                                \
      "only fetches, stores or pipeline stages under way")                     \
    X(idle, IDLE, "cycles", "nothing to do")

struct cache_params {
    CACHE_PARAMS(PARAM_FIELD)
};

struct cache_stats {
    CACHE_STATS(STAT_FIELD)
    CACHE_BUCKETS(BUCKET_FIELD)
    GAUGE_FIELD(mshrs)
    GAUGE_FIELD(below)
    GAUGE_FIELD(replies)
    /* Of ports and banks, cycles in which something was used while more waited,
     * or could not be used; misses that twice the lines would have had; waits
     * for a bank, and which of them twice the banks would end; waits of
     * requests that are first at their ports, of those for sectors, and by what
     * their bank lacks, of those for sectors and of the others. */
    OBSERVED_FIELD(crowded)
    OBSERVED_FIELD(blocked)
    OBSERVED_FIELD(below_crowded)
    OBSERVED_FIELD(answering)
    OBSERVED_FIELD(fill_crowded)
    OBSERVED_FIELD(reply_crowded)
    OBSERVED_FIELD(missed_twice)
    OBSERVED_FIELD(word_conflicts)
    OBSERVED_FIELD(words_apart)
    OBSERVED_FIELD(sector_conflicts)
    OBSERVED_FIELD(sectors_apart)
    OBSERVED_FIELD(sector_heads)
    OBSERVED_FIELD(word_mshr)
    OBSERVED_FIELD(sector_mshr)
    OBSERVED_FIELD(word_target)
    OBSERVED_FIELD(sector_target)
    OBSERVED_FIELD(word_way)
    OBSERVED_FIELD(sector_way)
    OBSERVED_FIELD(word_below)
    OBSERVED_FIELD(sector_below)
    OBSERVED_FIELD(word_reply)
    OBSERVED_FIELD(sector_reply)
    OBSERVED_FIELD(mem_bytes)
    OBSERVED_FIELD(fill_bytes)
    OBSERVED_FIELD(reply_bytes)
};

extern const struct memory_role cache_role;

/*
 * Which lines a cache holds, and the order in which they would go, as text; at
 * any time when the chip stands still. Bytes are not saved.
 */
void cache_save(const struct unit *u, FILE *out);

/*
 * What cache_save wrote of the cache of the same name, from the next line of
 * the file on; in a chip that is built and has not run, with memory as the
 * program begins: a copy takes its bytes from there, and all is clean. Fails
 * if name or geometry differ; the error names what and both values, and the
 * chip is not to be run then.
 */
bool cache_load(struct unit *u, FILE *in, struct error *error);

#endif
