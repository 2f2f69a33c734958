/* Makes stats.json of sums by group and by unit: all values come from the
 * kinds' rows, and no kind is known by its name. */
#include "sim/host/results/stats_json.h"
#include "sim/core/formats.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/observe/link_totals.h"
#include "sim/host/observe/stats_ranges.h"
#include "sim/host/observer.h"
#include "sim/host/results/derived.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/json_text.h"
#include "sim/host/results/results.h"
#include "sim/host/results/stall_stacks.h"
#include "sim/host/results/unit_totals.h"
#include "sim/verdict/saved.h"
#include "sim/verdict/verdict_gather.h"
#include "sim/verdict/verdict_tell.h"

static void add_role(cJSON *to, const struct stat_row *row)
{
    if (row->role != STAT_COUNTS)
        cJSON_AddStringToObject(to, "role", stat_role_name(row->role));
    if (row->target)
        cJSON_AddStringToObject(to, "target", row->target);
    if (row->stream)
        cJSON_AddTrueToObject(to, "stream");
}

/* Unit and meaning of each counter or bucket, by name, and a bucket's role. */
static cJSON *schema_rows(const struct stat_row *rows, unsigned count)
{
    cJSON *list = cJSON_CreateObject();
    for (unsigned i = 0; i < count; i++) {
        if (rows[i].edges)
            continue;
        cJSON *row = cJSON_AddObjectToObject(list, rows[i].name);
        cJSON_AddStringToObject(row, "unit", rows[i].unit);
        cJSON_AddStringToObject(row, "meaning", rows[i].meaning);
        add_role(row, &rows[i]);
    }
    return list;
}

/* A list of numbers of 64 bits. */
static void add_edges(cJSON *to, const int64_t *edges, unsigned count)
{
    cJSON *list = cJSON_AddArrayToObject(to, "edges");
    for (unsigned i = 0; i < count; i++) {
        char text[24];
        snprintf(text, sizeof text, "%" PRId64, edges[i]);
        cJSON_AddItemToArray(list, cJSON_CreateRaw(text));
    }
}

/* Histograms: the unit that edges are in, what is counted, and all edges. */
static void add_histogram_rows(cJSON *kind, const struct unit_kind *k)
{
    cJSON *list = cJSON_AddObjectToObject(kind, "histograms");
    for (unsigned i = 0; i < k->stat_count; i++) {
        const struct stat_row *row = &k->stat_rows[i];
        if (!row->edges)
            continue;
        cJSON *histogram = cJSON_AddObjectToObject(list, row->name);
        cJSON_AddStringToObject(histogram, "unit", row->unit);
        cJSON_AddStringToObject(histogram, "of", row->of);
        cJSON_AddStringToObject(histogram, "meaning", row->meaning);
        add_edges(histogram, row->edges, row->ranges + 1);
    }
}

/* One entry for each kind of unit on the chip: what the numbers of its groups
 * and units mean, so that a reader of stats.json needs no other file. */
static void add_schema(cJSON *stats, const struct totals *t)
{
    cJSON *schema = cJSON_AddObjectToObject(stats, "schema");
    for (unsigned i = 0; i < t->group_count; i++) {
        const struct unit_kind *k = t->groups[i].kind;
        if (cJSON_GetObjectItemCaseSensitive(schema, k->name))
            continue;
        cJSON *kind = cJSON_AddObjectToObject(schema, k->name);
        cJSON_AddStringToObject(kind, "meaning", k->meaning);
        cJSON_AddItemToObject(kind, "counters",
                              schema_rows(k->stat_rows, k->stat_count));
        cJSON_AddItemToObject(kind, "buckets",
                              schema_rows(k->bucket_rows, k->bucket_count));
        add_histogram_rows(kind, k);
        cJSON_AddItemToObject(kind, "figures", derived_schema(k));
        saved_kind(kind, k);
    }
}

/* Adds the ranges from the first to the last that counted anything. */
static void add_histogram(cJSON *to, const struct stat_row *row,
                          const uint64_t *counts)
{
    unsigned first = 0, end = row->ranges;
    while (end && !counts[end - 1])
        end--;
    while (first < end && !counts[first])
        first++;
    if (!to || !end)
        return;
    cJSON *histogram = cJSON_AddObjectToObject(to, row->name);
    add_edges(histogram, row->edges + first, end - first + 1);
    json_u64s(histogram, "counts", counts + first, end - first);
}

static bool has_histograms(const struct unit_kind *kind)
{
    for (unsigned i = 0; i < kind->stat_count; i++)
        if (kind->stat_rows[i].edges)
            return true;
    return false;
}

/* values: counters, then buckets, as kind_value_row numbers them. */
static void add_values(cJSON *to, const struct unit_kind *kind,
                       const uint64_t *values)
{
    cJSON *counters = cJSON_AddObjectToObject(to, "counters");
    cJSON *buckets = cJSON_AddObjectToObject(to, "buckets");
    cJSON *histograms =
        has_histograms(kind) ? cJSON_AddObjectToObject(to, "histograms") : NULL;
    struct kind_values v = KIND_VALUES(kind);
    while (kind_values_next(&v)) {
        if (v.row->edges && !v.range)
            add_histogram(histograms, v.row, &values[v.at]);
        if (!v.row->edges && (values[v.at] || !v.row->sparse))
            json_u64(v.bucket ? buckets : counters, v.row->name, values[v.at]);
    }
}

/* values: one of the arrays of struct totals; seconds: the simulated time in
 * which they have grown, which rates are divided by. */
static cJSON *groups_json(const struct host *host, const uint64_t *values,
                          double seconds)
{
    const struct totals *t = host->tables.totals;
    cJSON *groups = cJSON_CreateObject();
    for (unsigned i = 0; i < t->group_count; i++) {
        const struct group *g = &t->groups[i];
        cJSON *group = cJSON_AddObjectToObject(groups, g->name);
        cJSON_AddStringToObject(group, "kind", g->kind->name);
        cJSON_AddNumberToObject(group, "units", g->units);
        json_u64(group, "accounts", g->accounts);
        add_values(group, g->kind, values + g->first);
        derived_add(group, g, values + g->first, seconds);
        stacks_add(group, t->measured, i, values + g->first);
    }
    return groups;
}

/* values: as those of struct entries. */
static cJSON *units_json(const struct entries *e, const uint64_t *values)
{
    cJSON *units = cJSON_CreateArray();
    for (unsigned i = 0; i < e->count; i++) {
        const struct entry *of = &e->list[i];
        cJSON *unit = cJSON_CreateObject();
        cJSON_AddStringToObject(unit, "name", of->name);
        cJSON_AddStringToObject(unit, "kind", of->kind->name);
        cJSON_AddStringToObject(unit, "group", of->group);
        cJSON_AddStringToObject(unit, "tile", of->tile);
        cJSON_AddNumberToObject(unit, "units", of->units);
        json_u64(unit, "accounts", of->accounts);
        add_values(unit, of->kind, values + of->first);
        cJSON_AddItemToArray(units, unit);
    }
    return units;
}

/* What limits the cycles in which values have grown. */
static void add_verdict(cJSON *to, const struct host *host,
                        const uint64_t *values, uint64_t cycles)
{
    struct verdict *verdict =
        verdict_gather(host->tables.totals->measured, values, cycles);
    if (verdict) {
        verdict->whole = !host->regions.count;
        verdict_add(to, verdict);
    }
    free(verdict);
}

/* Has a region begun, of a run that goes on, and any cycle of it passed? */
static bool is_open(const struct host *host)
{
    const struct regions *r = &host->regions;
    return r->open && host->now > r->ranges[r->count].start;
}

/* One that is open has no end yet: that of now. */
static cJSON *region_json(const struct host *host, unsigned i)
{
    const struct range *r = &host->regions.ranges[i];
    const uint64_t end = i < host->regions.count ? r->end : host->now;
    cJSON *region = cJSON_CreateObject();
    json_u64(region, "begin", r->start);
    json_u64(region, "end", end);
    json_u64(region, "cycles", end - r->start);
    return region;
}

/* Values within all regions so far, for free(). */
static uint64_t *so_far(bool open, const uint64_t *region,
                        const uint64_t *begun, const uint64_t *now,
                        unsigned count)
{
    uint64_t *values = heap_new(count, sizeof *values, "the statistics");
    for (unsigned v = 0; v < count; v++)
        values[v] = region[v] + (open ? now[v] - begun[v] : 0);
    return values;
}

/* How the values of groups and units have grown. */
static void add_grown(cJSON *roi, const struct host *host, uint64_t cycles)
{
    const struct totals *t = host->tables.totals;
    const struct entries *e = host->tables.entries;
    bool open = is_open(host);
    uint64_t *groups = so_far(open, t->region, t->begun, t->now, t->sum_count);
    uint64_t *units = so_far(open, e->region, e->begun, e->now, e->value_count);
    cJSON_AddItemToObject(
        roi, "groups",
        groups_json(host, groups, results_seconds(host, cycles)));
    add_verdict(roi, host, groups, cycles);
    links_add_sums(t->links, groups + t->value_count, roi);
    cJSON_AddItemToObject(roi, "units", units_json(e, units));
    free(groups);
    free(units);
}

/* Begin and end of each region of interest, in cycles, and how the values of
 * groups and units have grown within all of them together. */
static void add_regions(cJSON *stats, const struct host *host)
{
    const struct regions *r = &host->regions;
    unsigned count = r->count + is_open(host);
    uint64_t cycles = results_region(host);
    if (is_open(host))
        cycles += host->now - r->ranges[r->count].start;
    if (!count)
        return;
    cJSON *roi = cJSON_AddObjectToObject(stats, "region_of_interest");
    json_u64(roi, "cycles", cycles);
    cJSON *list = cJSON_AddArrayToObject(roi, "regions");
    for (unsigned i = 0; i < count; i++)
        cJSON_AddItemToArray(list, region_json(host, i));
    if (host->tables.totals)
        add_grown(roi, host, cycles);
}

/* What has grown in each window that has ended. */
static void add_windows(cJSON *stats, const struct host *host)
{
    const struct windows *w = windows_of(host);
    cJSON *list = w ? cJSON_AddArrayToObject(stats, "windows") : NULL;
    for (unsigned i = 0; w && i < w->count; i++) {
        const struct window *one = &w->list[i];
        if (!one->ended)
            continue;
        cJSON *window = cJSON_CreateObject();
        char text[RANGE_TEXT];
        if (one->range->of != RANGE_OF_CYCLES)
            cJSON_AddStringToObject(window, "of",
                                    options_range_text(one->range, text));
        json_u64(window, "begin", one->begin);
        json_u64(window, "end", one->end);
        cJSON_AddItemToObject(
            window, "groups",
            groups_json(host, one->groups,
                        results_seconds(host, one->end - one->begin)));
        add_verdict(window, host, one->groups, one->end - one->begin);
        links_add_sums(host->tables.links,
                       one->groups + host->tables.totals->value_count, window);
        cJSON_AddItemToObject(window, "units",
                              units_json(host->tables.entries, one->units));
        cJSON_AddItemToArray(list, window);
    }
}

cJSON *stats_json(struct host *host)
{
    cJSON *s = cJSON_CreateObject();
    cJSON_AddNumberToObject(s, "format", STATS_FORMAT);
    if (host->engine)
        json_u64(s, "cycles", host->now);
    json_u64(s, "instructions", results_instructions(host));
    json_u64(s, "harts", host->machine.hart_count);
    json_u64(s, "harts_used", host->harts);
    if (!host->engine)
        return s;
    json_u64(s, "clock_mhz", (uint64_t)host->clock_mhz);
    cJSON_AddNumberToObject(s, "simulated_ms",
                            (double)host->now / (double)host->clock_mhz / 1000);
    add_schema(s, host->tables.totals);
    saved_chip(s, host->tables.totals->measured);
    totals_take(host->tables.totals, host->chip, host->now);
    entries_take(host->tables.entries, host->chip);
    cJSON_AddItemToObject(s, "groups",
                          groups_json(host, host->tables.totals->now,
                                      results_seconds(host, host->now)));
    add_verdict(s, host, host->tables.totals->now, host->now);
    add_regions(s, host);
    add_windows(s, host);
    cJSON_AddItemToObject(
        s, "units",
        units_json(host->tables.entries, host->tables.entries->now));
    observers_json(host, s);
    return s;
}
