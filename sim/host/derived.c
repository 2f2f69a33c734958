#include "sim/host/derived.h"
#include <corbel/scene.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TERMS 6

/*
 * A ratio of sums of counters, by their names; without `under` of them and
 * 10^9 seconds. said: for people, NULL: not worth a word.
 */
static const struct ratio {
    const char *kind, *name;
    const char *over[TERMS], *under[TERMS];
    const char *said;
    double scale; /* of what is said */
} ratios[] = {
    {"cache", "hit_rate", {"hits"}, {"reads"}, "%.1f %% hits", 100},
    {"cache", "joined_rate", {"half_misses"}, {"reads"}, "%.1f %% joined", 100},
#define MISSES                                                                 \
    {                                                                          \
        "miss_compulsory", "miss_capacity", "miss_conflict", "miss_coherence"  \
    }
    {"cache", "compulsory", {"miss_compulsory"}, MISSES, NULL, 1},
    {"cache", "capacity", {"miss_capacity"}, MISSES, NULL, 1},
    {"cache", "conflict", {"miss_conflict"}, MISSES, NULL, 1},
    {"cache", "coherence", {"miss_coherence"}, MISSES, NULL, 1},
#undef MISSES
    {"cache", "prefetch_rate", {"prefetch_useful"}, {"prefetches"}, NULL, 1},
#define CYCLES                                                                 \
    {                                                                          \
        "testing", "fetching", "waiting", "idle"                               \
    }
    {"rtcore", "in_flight", {"ray_cycles"}, CYCLES, "%.1f rays in flight", 1},
#undef CYCLES
    {"rtcore", "latency_mean", {"latency"}, {"rays"}, "%.0f cycles a ray", 1},
    {"rtcore", "nodes_per_ray", {"nodes"}, {"rays"}, "%.1f nodes", 1},
    {"rtcore", "leaves_per_ray", {"leaves"}, {"rays"}, NULL, 1},
    {"rtcore", "triangles_per_ray", {"triangles"}, {"rays"}, "%.1f tri", 1},
    {"rtcore", "restarts_per_ray", {"restarts"}, {"rays"}, NULL, 1},
    {"rtcore", "stack_mean", {"stack_max"}, {"rays"}, NULL, 1},
    {"rtcore", "share_ready", {"ray_ready"}, {"ray_cycles"}, NULL, 1},
    {"rtcore",
     "share_request",
     {"ray_request"},
     {"ray_cycles"},
     "%.0f %% of it at cache queues",
     100},
    {"rtcore",
     "share_memory",
     {"ray_memory"},
     {"ray_cycles"},
     "%.0f %% at memory",
     100},
    {"rtcore",
     "share_box",
     {"ray_box_queue", "ray_box"},
     {"ray_cycles"},
     "%.0f %% at boxes",
     100},
    {"rtcore",
     "share_tri",
     {"ray_tri_queue", "ray_tri"},
     {"ray_cycles"},
     "%.0f %% at triangles",
     100},
    {"rtcore", "share_finished", {"ray_finished"}, {"ray_cycles"}, NULL, 1},
    {"memory", "gb_per_second", {"bytes"}, {NULL}, "%.3g GB/s", 1},
    {"dram",
     "gb_per_second",
     {"bytes_read", "bytes_written"},
     {NULL},
     "%.3g GB/s",
     1},
    {"dram",
     "bus_utilisation",
     {"data_busy"},
     {"bus_clocks"},
     "%.1f %% of the pins",
     100},
    {"dram",
     "row_hit_rate",
     {"read_hits", "write_hits"},
     {"read_hits", "read_misses", "read_conflicts", "write_hits",
      "write_misses", "write_conflicts"},
     "%.1f %% row hits",
     100},
    {"dram", "latency_mean", {"latency"}, {"reads"}, NULL, 1},
};

/*
 * Counters PREFIX_n, rows one after another, hold what lay from n to before the
 * next one's number, the last one's to before `end`.
 */
#define TOOK "took_", INT64_C(1) << 32
#define DEEPEST "deepest_", CORBEL_STACK_DEEPEST + 1
static const struct percentile {
    const char *kind, *name, *prefix;
    int64_t end;
    unsigned per_mille;
    const char *said;
} percentiles[] = {
    {"dram", "latency_p50", TOOK, 500, "p50 %.0f"},
    {"dram", "latency_p95", TOOK, 950, "p95 %.0f"},
    {"rtcore", "stack_p50", DEEPEST, 500, NULL},
    {"rtcore", "stack_p99", DEEPEST, 990, NULL},
    {"dram", "latency_p99", TOOK, 990, "p99 %.0f cycles"},
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

/* Negative: there is none. */
static double ratio_of(const struct ratio *r, const struct unit_kind *kind,
                       const uint64_t *values, double seconds)
{
    double under = r->under[0] ? sum_of(kind, values, r->under) : seconds * 1e9;
    return under > 0 ? sum_of(kind, values, r->over) / under : -1;
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

static uint64_t count_of_ranges(const struct unit_kind *kind,
                                const uint64_t *values, const char *prefix)
{
    uint64_t sum = 0;
    for (unsigned v = 0; v < kind->stat_count; v++)
        if (range_start(kind, v, prefix) >= 0)
            sum += values[v];
    return sum;
}

/*
 * The least value that so many of 1000 do not exceed. Those of a range are
 * taken to be spread evenly over it, so it is off by less than the range's
 * width. Negative: nothing was counted.
 */
static double percentile_of(const struct percentile *p,
                            const struct unit_kind *kind,
                            const uint64_t *values)
{
    uint64_t all = count_of_ranges(kind, values, p->prefix);
    double rank = ceil((double)all * p->per_mille / 1000), seen = 0;
    for (unsigned v = 0; all && v < kind->stat_count; v++) {
        int64_t from = range_start(kind, v, p->prefix);
        double here = from < 0 ? 0 : (double)values[v];
        if (here > 0 && seen + here >= rank) {
            int64_t next = range_start(kind, v + 1, p->prefix);
            double width = (double)((next < 0 ? p->end : next) - from);
            return (double)from + floor(width * (rank - seen - 1) / here);
        }
        seen += here;
    }
    return -1;
}

/* A figure of a group with its value. */
typedef void figure_fn(void *context, const char *name, double value,
                       const char *said, double scale);

static void each_figure(const struct group *group, const uint64_t *values,
                        double seconds, figure_fn *tell, void *context)
{
    const struct unit_kind *kind = group->kind;
    for (unsigned i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        const struct ratio *r = &ratios[i];
        double value = strcmp(r->kind, kind->name)
                           ? -1
                           : ratio_of(r, kind, values, seconds);
        if (value >= 0)
            tell(context, r->name, value, r->said, r->scale);
    }
    for (unsigned i = 0; i < sizeof percentiles / sizeof *percentiles; i++) {
        const struct percentile *p = &percentiles[i];
        double value =
            strcmp(p->kind, kind->name) ? -1 : percentile_of(p, kind, values);
        if (value >= 0)
            tell(context, p->name, value, p->said, 1);
    }
}

static void add_number(void *context, const char *name, double value,
                       const char *said, double scale)
{
    cJSON_AddNumberToObject(context, name, value);
}

void derived_add(cJSON *to, const struct group *group, const uint64_t *values,
                 double seconds)
{
    cJSON *derived = cJSON_CreateObject();
    each_figure(group, values, seconds, add_number, derived);
    if (cJSON_GetArraySize(derived))
        cJSON_AddItemToObject(to, "derived", derived);
    else
        cJSON_Delete(derived);
}

struct line {
    char text[300];
    size_t used;
};

static void say(void *context, const char *name, double value, const char *said,
                double scale)
{
    struct line *l = context;
    char part[80];
    if (!said)
        return;
    snprintf(part, sizeof part, said, value * scale);
    int n = snprintf(l->text + l->used, sizeof l->text - l->used, "%s%s",
                     l->used ? ", " : "", part);
    l->used += n > 0 ? (size_t)n : 0;
    if (l->used >= sizeof l->text)
        l->used = sizeof l->text - 1;
}

void derived_print(FILE *out, const struct group *group, const uint64_t *values,
                   double seconds)
{
    struct line l = {.used = 0};
    each_figure(group, values, seconds, say, &l);
    if (l.used)
        fprintf(out, "%-12s  %s\n", group->name, l.text);
}
