#include "sim/dram/stats.h"

/* Greatest latency of the bucket. */
static uint64_t latency_of(unsigned bucket)
{
    if (bucket < DRAM_LATENCY_EXACT)
        return bucket;
    unsigned shift = bucket / DRAM_LATENCY_SHARE - 1;
    return ((uint64_t)(bucket - shift * DRAM_LATENCY_SHARE + 1) << shift) - 1;
}

void dram_stats_add(struct dram_stats *sum, const struct dram_stats *more)
{
    uint64_t max = sum->read_latency_max > more->read_latency_max
                       ? sum->read_latency_max
                       : more->read_latency_max;
#define ADD(name, unit, meaning) sum->name += more->name;
    DRAM_STATS(ADD)
#undef ADD
    sum->read_latency_max = max;
    for (unsigned i = 0; i < DRAM_COMMAND_COUNT; i++)
        sum->commands[i] += more->commands[i];
    for (unsigned i = 0; i < DRAM_LATENCY_BUCKETS; i++)
        sum->latency[i] += more->latency[i];
}

uint64_t dram_stats_percentile(const struct dram_stats *s, unsigned per_mille)
{
    uint64_t reads = 0, seen = 0;
    for (unsigned i = 0; i < DRAM_LATENCY_BUCKETS; i++)
        reads += s->latency[i];
    for (unsigned i = 0; reads && i < DRAM_LATENCY_BUCKETS; i++) {
        seen += s->latency[i];
        if (seen * 1000 >= reads * per_mille && seen) {
            uint64_t top = latency_of(i);
            return top < s->read_latency_max ? top : s->read_latency_max;
        }
    }
    return s->read_latency_max;
}
