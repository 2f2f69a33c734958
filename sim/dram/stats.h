/*
 * What a DRAM memory counts, declared once. A read's latency is that from the
 * state in which it was accepted to its last data, in clocks. A bank is open
 * from the clock of its ACT (ACT2) to that of what closes it; a rank of each
 * pseudo-channel counts for itself.
 */
#ifndef SIM_DRAM_STATS_H
#define SIM_DRAM_STATS_H

#include "sim/dram/device.h"

/* X(name, unit, meaning) */
#define DRAM_STATS(X)                                                          \
    X(read_hits, "requests", "reads that found their row open")                \
    X(read_misses, "requests", "reads that found their bank closed")           \
    X(read_conflicts, "requests", "reads that found another row open")         \
    X(read_forwarded, "requests", "reads served from the write queue")         \
    X(write_hits, "requests", "writes that found their row open")              \
    X(write_misses, "requests", "writes that found their bank closed")         \
    X(write_conflicts, "requests", "writes that found another row open")       \
    X(write_merged, "requests", "writes merged into a queued one")             \
    X(bytes_read, "bytes", "over the data bus, without forwarded reads")       \
    X(bytes_written, "bytes", "over the data bus, without merged writes")      \
    X(data_busy, "clocks", "data buses busy, summed over all of them")         \
    X(refreshes, "refreshes", "of all banks of a scope, or of single banks")   \
    X(refresh_busy, "clocks", "in refreshes of all banks, summed over scopes") \
    X(write_drains, "changes", "times that a channel turned to queued writes") \
    X(read_queue_full, "clocks", "read queue full, summed over channels")      \
    X(write_queue_full, "clocks", "write queue full, summed over channels")    \
    X(read_latency_sum, "clocks", "latency of all reads")                      \
    X(rank_open, "clocks", "some bank had a row open, summed over ranks")      \
    X(rank_closed, "clocks", "all banks were closed, summed over ranks")

/* Latencies below 256 clocks have a bucket each, those above one of 128 in
 * each doubling: percentiles are exact to 1 %. */
#define DRAM_LATENCY_EXACT 256
#define DRAM_LATENCY_SHARE 128
#define DRAM_LATENCY_BUCKETS (DRAM_LATENCY_EXACT + DRAM_LATENCY_SHARE * 24)

struct dram_stats {
#define DRAM_STATS_FIELD(name, unit, meaning) uint64_t name;
    DRAM_STATS(DRAM_STATS_FIELD)
#undef DRAM_STATS_FIELD
    uint64_t read_latency_max; /* clocks; not in the list, as it is no sum */
    uint64_t commands[DRAM_COMMAND_COUNT];
    uint64_t latency[DRAM_LATENCY_BUCKETS];
};

/* Adds what another channel or memory counted. */
void dram_stats_add(struct dram_stats *sum, const struct dram_stats *more);

static inline unsigned dram_latency_bucket(uint64_t clocks)
{
    if (clocks < DRAM_LATENCY_EXACT)
        return (unsigned)clocks;
    unsigned shift = 56 - (unsigned)__builtin_clzll(clocks); /* 1 from 256 on */
    uint64_t bucket = (uint64_t)shift * DRAM_LATENCY_SHARE + (clocks >> shift);
    return bucket < DRAM_LATENCY_BUCKETS ? (unsigned)bucket
                                         : DRAM_LATENCY_BUCKETS - 1;
}

static inline void dram_stats_latency(struct dram_stats *s, uint64_t clocks)
{
    s->latency[dram_latency_bucket(clocks)]++;
    s->read_latency_sum += clocks;
    if (clocks > s->read_latency_max)
        s->read_latency_max = clocks;
}

/* Latency that per_mille of 1000 reads do not exceed; 0 without reads. */
uint64_t dram_stats_percentile(const struct dram_stats *stats,
                               unsigned per_mille);

#endif
