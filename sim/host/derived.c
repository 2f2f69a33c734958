#include "sim/host/derived.h"
#include <stdlib.h>
#include <string.h>

#define TERMS 6

/* A ratio of sums of counters, by their names. */
static const struct ratio {
    const char *kind, *name;
    const char *over[TERMS], *under[TERMS];
} ratios[] = {
    {"dram",
     "row_hit_rate",
     {"read_hits", "write_hits"},
     {"read_hits", "read_misses", "read_conflicts", "write_hits",
      "write_misses", "write_conflicts"}},
    {"dram", "bus_utilisation", {"data_busy"}, {"bus_clocks"}},
    {"dram", "latency_mean", {"latency"}, {"reads"}},
};

/* Counters PREFIX_n hold what lay from n to before the next one's number. */
static const struct percentile {
    const char *kind, *name, *prefix;
    unsigned per_mille;
} percentiles[] = {
    {"dram", "latency_p50", "took_", 500},
    {"dram", "latency_p95", "took_", 950},
    {"dram", "latency_p99", "took_", 990},
};

static uint64_t value_of(const struct unit_kind *kind, const uint64_t *values,
                         const char *name)
{
    for (unsigned v = 0; v < kind_value_count(kind); v++)
        if (!strcmp(kind_value_row(kind, v)->name, name))
            return values[v];
    return 0;
}

static double sum_of(const struct unit_kind *kind, const uint64_t *values,
                     const char *const *names)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < TERMS && names[i]; i++)
        sum += value_of(kind, values, names[i]);
    return (double)sum;
}

static void add_ratio(cJSON *to, const struct ratio *r,
                      const struct unit_kind *kind, const uint64_t *values)
{
    double under = sum_of(kind, values, r->under);
    if (under > 0)
        cJSON_AddNumberToObject(to, r->name,
                                sum_of(kind, values, r->over) / under);
}

/* The number in the name of a counter, -1 if it is none of the ranges. */
static int64_t range_start(const struct unit_kind *kind, unsigned v,
                           const char *prefix)
{
    size_t length = strlen(prefix);
    if (v >= kind->stat_count ||
        strncmp(kind->stat_rows[v].name, prefix, length))
        return -1;
    return strtoll(kind->stat_rows[v].name + length, NULL, 10);
}

/* Within a range as if all of it were equally frequent. */
static void add_percentile(cJSON *to, const struct percentile *p,
                           const struct unit_kind *kind, const uint64_t *values)
{
    uint64_t all = 0;
    double seen = 0;
    for (unsigned v = 0; v < kind->stat_count; v++)
        if (range_start(kind, v, p->prefix) >= 0)
            all += values[v];
    double wanted = (double)all * p->per_mille / 1000;
    for (unsigned v = 0; all && v < kind->stat_count; v++) {
        int64_t from = range_start(kind, v, p->prefix);
        double here = from < 0 ? 0 : (double)values[v];
        if (here > 0 && seen + here >= wanted) {
            int64_t next = range_start(kind, v + 1, p->prefix);
            double width = next > from ? (double)(next - from) : 0;
            double at = (double)from + width * (wanted - seen) / here;
            cJSON_AddNumberToObject(to, p->name, (double)(int64_t)at);
            return;
        }
        seen += here;
    }
}

void derived_add(cJSON *to, const struct group *group, const uint64_t *values)
{
    cJSON *derived = cJSON_CreateObject();
    for (unsigned i = 0; i < sizeof ratios / sizeof *ratios; i++)
        if (!strcmp(ratios[i].kind, group->kind->name))
            add_ratio(derived, &ratios[i], group->kind, values);
    for (unsigned i = 0; i < sizeof percentiles / sizeof *percentiles; i++)
        if (!strcmp(percentiles[i].kind, group->kind->name))
            add_percentile(derived, &percentiles[i], group->kind, values);
    if (cJSON_GetArraySize(derived))
        cJSON_AddItemToObject(to, "derived", derived);
    else
        cJSON_Delete(derived);
}
