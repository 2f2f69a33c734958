/* The files of --outdir, each of them whole. Formats: docs/sim-run.md. */
#include "sim/core/paging_role.h"
#include "sim/core/unit.h"
#include "sim/core/whole.h"
#include "sim/host/costs.h"
#include "sim/host/derived.h"
#include "sim/host/json.h"
#include "sim/host/links.h"
#include "sim/host/manifest.h"
#include "sim/host/outdir.h"
#include "sim/host/results.h"
#include "sim/host/stacks.h"
#include "sim/host/totals.h"
#include "sim/host/traces.h"
#include "sim/host/verdict_gather.h"
#include "sim/host/verdict_tell.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of stats.json: readers refuse others. It grows when what is there changes its
 * name, place or meaning, not when something is added. */
#define OUTPUT_FORMAT 1

/* ---- files ---- */

/* A file gets its name when it is finished (whole.h), so a run that is killed
 * leaves no half of one. */
static bool open_file(struct whole *w, const char *outdir, const char *name,
                      struct error *error)
{
    return whole_open(w, outdir, name) || outdir_lacks(outdir, name, error);
}

static bool finish_file(struct whole *w, const char *outdir, const char *name,
                        struct error *error)
{
    return whole_finish(w) || outdir_lacks(outdir, name, error);
}

/* Takes the tree over and frees it. cJSON gives NULL for a lack of memory. */
bool output_json(const char *outdir, const char *name, cJSON *json,
                 struct error *error)
{
    char *text = cJSON_Print(json);
    struct whole w;
    bool good = text && open_file(&w, outdir, name, error);
    if (good)
        fprintf(w.file, "%s\n", text);
    cJSON_Delete(json);
    free(text);
    return good && finish_file(&w, outdir, name, error);
}

/* ---- stats.json ---- */

/* Unit and meaning of each counter or bucket, by name. */
static cJSON *schema_rows(const struct stat_row *rows, unsigned count)
{
    cJSON *list = cJSON_CreateObject();
    for (unsigned i = 0; i < count; i++) {
        cJSON *row = cJSON_AddObjectToObject(list, rows[i].name);
        cJSON_AddStringToObject(row, "unit", rows[i].unit);
        cJSON_AddStringToObject(row, "meaning", rows[i].meaning);
    }
    return list;
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
        cJSON_AddItemToObject(kind, "figures", derived_schema(k));
    }
}

/* values: counters, then buckets, as kind_value_row numbers them. */
static void add_values(cJSON *to, const struct unit_kind *kind,
                       const uint64_t *values)
{
    cJSON *counters = cJSON_AddObjectToObject(to, "counters");
    cJSON *buckets = cJSON_AddObjectToObject(to, "buckets");
    for (unsigned v = 0; v < kind_value_count(kind); v++)
        if (values[v] || !kind_value_row(kind, v)->sparse)
            json_u64(v < kind->stat_count ? counters : buckets,
                     kind_value_row(kind, v)->name, values[v]);
}

/* values: one of the arrays of struct totals; seconds: the simulated time in
 * which they have grown, which rates are divided by. */
static cJSON *groups_json(const struct totals *t, const uint64_t *values,
                          double seconds)
{
    cJSON *groups = cJSON_CreateObject();
    for (unsigned i = 0; i < t->group_count; i++) {
        const struct group *g = &t->groups[i];
        cJSON *group = cJSON_AddObjectToObject(groups, g->name);
        cJSON_AddStringToObject(group, "kind", g->kind->name);
        cJSON_AddNumberToObject(group, "units", g->units);
        json_u64(group, "accounts", g->accounts);
        add_values(group, g->kind, values + g->first);
        derived_add(group, g, values + g->first, seconds);
        stacks_add(group, g, values + g->first);
    }
    return groups;
}

/*
 * An entry of "units" in stats.json. A chip may have thousands of thread
 * processors, so the cores of one tile and group are summed up in one entry,
 * named TILE.GROUP, unless chips have few of their kind; every other unit has
 * an entry of its own. Units of one tile follow each other in the chip's order,
 * so one entry is open at a time.
 */
struct entry {
    const struct tile *tile;
    const struct unit_kind *kind;
    const char *group, *name;
    unsigned units;
    uint64_t accounts;
    uint64_t *values; /* as many as any kind has */
    size_t room;
};

/* Does the unit belong to the entry that is open? */
static bool joins(const struct entry *e, const struct unit *u)
{
    return e->units && e->tile == u->tile && e->kind == u->kind &&
           e->kind->core && !e->kind->core->few && !strcmp(e->group, u->group);
}

/* Starts anew, as if for one unit, with all values 0. */
static void begin_entry(struct entry *e, const struct unit *u)
{
    e->tile = u->tile;
    e->kind = u->kind;
    e->group = u->group;
    e->name = u->name;
    e->units = 0;
    e->accounts = 0;
    memset(e->values, 0, e->room * sizeof *e->values);
}

static void add_unit(struct entry *e, const struct unit *u)
{
    e->units++;
    e->accounts += u->kind->accounts ? u->kind->accounts(u) : 1;
    for (unsigned v = 0; v < kind_value_count(u->kind); v++)
        e->values[v] += stat_value(unit_stats(u), kind_value_row(u->kind, v));
}

/* Adds the entry to the list. An entry that has no units yet is not one. */
static void end_entry(cJSON *units, const struct entry *e)
{
    char name[256];
    if (!e->units)
        return;
    cJSON *unit = cJSON_CreateObject();
    snprintf(name, sizeof name, "%s%s%s", e->units > 1 ? e->tile->name : "",
             e->units > 1 ? "." : "", e->units > 1 ? e->group : e->name);
    cJSON_AddStringToObject(unit, "name", name);
    cJSON_AddStringToObject(unit, "kind", e->kind->name);
    cJSON_AddStringToObject(unit, "group", e->group);
    cJSON_AddStringToObject(unit, "tile", e->tile->name);
    cJSON_AddNumberToObject(unit, "units", e->units);
    json_u64(unit, "accounts", e->accounts);
    add_values(unit, e->kind, e->values);
    cJSON_AddItemToArray(units, unit);
}

/* The room of values is that of the kind with the most, so that one array
 * serves all entries. False: no memory. */
static bool make_entry(struct entry *e, const struct chip *chip)
{
    *e = (struct entry){.room = 1};
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        unsigned count = kind_value_count(chip_unit_at(chip, i)->kind);
        e->room = count > e->room ? count : e->room;
    }
    e->values = calloc(e->room, sizeof *e->values);
    return e->values;
}

/* NULL: no memory. */
static cJSON *units_json(const struct chip *chip)
{
    struct entry e;
    cJSON *units = make_entry(&e, chip) ? cJSON_CreateArray() : NULL;
    for (unsigned i = 0; units && i < chip_unit_count(chip); i++) {
        const struct unit *u = chip_unit_at(chip, i);
        if (!joins(&e, u)) {
            end_entry(units, &e);
            begin_entry(&e, u);
        }
        add_unit(&e, u);
    }
    if (units)
        end_entry(units, &e);
    free(e.values);
    return units;
}

/* What limits the cycles in which values have grown. */
static void add_verdict(cJSON *to, const struct host *host,
                        const uint64_t *values, uint64_t cycles)
{
    struct verdict verdict;
    if (verdict_gather(&verdict, host->chip, host->totals, values, cycles))
        verdict_add(to, &verdict);
}

/* Begin and end of each region of interest, in cycles, and how the groups'
 * values have grown within all of them together. */
static void add_regions(cJSON *stats, const struct host *host)
{
    if (!host->regions.count)
        return;
    cJSON *roi = cJSON_AddObjectToObject(stats, "region_of_interest");
    cJSON *list = cJSON_AddArrayToObject(roi, "regions");
    for (unsigned i = 0; i < host->regions.count; i++) {
        cJSON *region = cJSON_CreateObject();
        json_u64(region, "begin", host->regions.ranges[i].start);
        json_u64(region, "end", host->regions.ranges[i].end);
        cJSON_AddItemToArray(list, region);
    }
    if (!host->totals)
        return;
    uint64_t cycles = results_region(host);
    cJSON_AddItemToObject(roi, "groups",
                          groups_json(host->totals, host->totals->region,
                                      results_seconds(host, cycles)));
    add_verdict(roi, host, host->totals->region, cycles);
}

/*
 * What a functional run has is instructions and harts; the rest needs timing.
 */
static cJSON *stats(struct host *host)
{
    cJSON *s = cJSON_CreateObject();
    cJSON_AddNumberToObject(s, "format", OUTPUT_FORMAT);
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
    add_schema(s, host->totals);
    totals_take(host->totals, host->chip);
    cJSON_AddItemToObject(s, "groups",
                          groups_json(host->totals, host->totals->now,
                                      results_seconds(host, host->now)));
    add_verdict(s, host, host->totals->now, host->now);
    add_regions(s, host);
    cJSON_AddItemToObject(s, "units", units_json(host->chip));
    links_tell(s, host);
    return s;
}

/* ---- intervals.csv ---- */

bool intervals_open(struct host *host, struct error *error)
{
    if (!open_file(&host->intervals, host->options->outdir, INTERVALS, error))
        return false;
    fputs("cycle,group,stat,value\n", host->intervals.file);
    return links_open(host, error);
}

/* Growth since the last border, by group; what did not grow is left out. */
void intervals_add(struct host *host)
{
    struct totals *t = host->totals;
    totals_take(t, host->chip);
    for (unsigned i = 0; i < t->group_count; i++) {
        const struct group *g = &t->groups[i];
        for (unsigned v = 0; v < kind_value_count(g->kind); v++) {
            uint64_t grown = t->now[g->first + v] - t->last[g->first + v];
            if (grown)
                fprintf(host->intervals.file, "%" PRIu64 ",%s,%s,%" PRIu64 "\n",
                        host->now, g->name, kind_value_row(g->kind, v)->name,
                        grown);
        }
    }
    memcpy(t->last, t->now, t->value_count * sizeof *t->now);
    links_add(host);
    host->last_border = host->now;
}

/*
 * A last row for the cycles since the last border, unless the run ended at it.
 */
bool output_intervals(struct host *host, const struct outcome *outcome,
                      struct error *error)
{
    if (!host->intervals.file)
        return true;
    if (host->now != host->last_border)
        intervals_add(host);
    return finish_file(&host->intervals, host->options->outdir, INTERVALS,
                       error);
}

/* ---- transfers.csv ---- */

static void add_events(FILE *file, const struct unit *u)
{
#define NAME(what, name, meaning) [PAGING_##what] = name,
    static const char *const names[] = {PAGING_EVENTS(NAME)};
#undef NAME
    size_t count;
    const struct paging_event *e = u->kind->paging->events(u, &count);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%" PRIu64 ",%" PRIu64 ",%s,0x%" PRIx64 ",%" PRIu64 "\n",
                e[i].begin, e[i].end, names[e[i].kind], e[i].address,
                e[i].bytes);
}

bool output_transfers(struct host *host, const struct outcome *outcome,
                      struct error *error)
{
    const char *outdir = host->options->outdir;
    struct whole w;
    if (!host->options->transfers)
        return true;
    if (!open_file(&w, outdir, TRANSFERS, error))
        return false;
    fputs("begin,end,kind,address,bytes\n", w.file);
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        const struct unit *u = chip_unit_at(host->chip, i);
        if (u->kind->paging && u->kind->paging->events)
            add_events(w.file, u);
    }
    return finish_file(&w, outdir, TRANSFERS, error);
}

/* ---- --profile, --trace ---- */

bool output_watched(struct host *host, const struct outcome *outcome,
                    struct error *error)
{
    const struct options *o = host->options;
    const struct {
        bool wanted;
        const char *name;
        void (*write)(const struct host *, FILE *);
    } files[] = {
        {host->costs, PROFILE_TEXT, costs_write_text},
        {host->costs, PROFILE_JSON, costs_write_json},
        {host->costs, CALLGRIND, costs_write_callgrind},
        {o->traces[TRACE_HARTS].wanted, TRACE_PERFETTO, traces_write_harts},
        {o->traces[TRACE_PIPELINE].wanted, TRACE_KONATA, traces_write_konata},
        {o->traces[TRACE_RAYS].wanted, TRACE_PERFETTO_RAYS, traces_write_rays},
        {o->traces[TRACE_REQUESTS].wanted, TRACE_CSV, traces_write_requests},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct whole w;
        if (!files[i].wanted)
            continue;
        if (!open_file(&w, o->outdir, files[i].name, error))
            return false;
        files[i].write(host, w.file);
        if (!finish_file(&w, o->outdir, files[i].name, error))
            return false;
    }
    return true;
}

/* ---- the other files ---- */

/* The log was kept in memory (log.c): its stream is flushed, so that log_text
 * and log_size are up to date. */
bool output_log(struct host *host, const struct outcome *outcome,
                struct error *error)
{
    const char *outdir = host->options->outdir;
    struct whole w;
    if (!outdir)
        return true;
    fflush(host->log);
    if (!open_file(&w, outdir, LOG, error))
        return false;
    fwrite(host->log_text, 1, host->log_size, w.file);
    return finish_file(&w, outdir, LOG, error);
}

bool output_stats(struct host *host, const struct outcome *outcome,
                  struct error *error)
{
    const char *outdir = host->options->outdir;
    return !outdir || output_json(outdir, STATS, stats(host), error);
}

bool output_manifest(struct host *host, const struct outcome *outcome,
                     struct error *error)
{
    const char *outdir = host->options->outdir;
    return !outdir ||
           output_json(outdir, MANIFEST,
                       manifest_json(host, outcome->hash, &outcome->effort),
                       error);
}
