/*
 * --interval: how much statistics have grown from one border to the next, in
 * intervals.csv by group, and with --interval-level unit in unit-intervals.csv
 * by entry (unit_totals.h). Both are read while they grow (growing_table.h).
 * What did not grow is left out.
 */
#include "sim/core/heap.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/growing_table.h"
#include "sim/host/results/outdir.h"
#include "sim/host/results/unit_totals.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* last: values at the last border; by unit NULL: not asked for. */
struct intervals {
    struct rows groups, units;
    uint64_t *last_of_groups, *last_of_units;
    uint64_t border;
};

static struct intervals *intervals_of(const struct host *host)
{
    return *observer_of(host, &intervals_observer);
}

static bool intervals_open(struct host *host, struct error *error)
{
    static const char what[] = "the intervals";
    const struct options *o = host->options;
    if (!o->interval || !o->outdir || !host->tables.totals)
        return true;
    struct intervals *i = heap_new(1, sizeof *i, what);
    *observer_of(host, &intervals_observer) = i;
    i->last_of_groups =
        heap_new(host->tables.totals->value_count, sizeof(uint64_t), what);
    if (!rows_open(&i->groups, o->outdir, INTERVALS, "cycle,group,stat,value",
                   error))
        return false;
    if (o->interval_units) {
        i->last_of_units =
            heap_new(host->tables.entries->value_count, sizeof(uint64_t), what);
        if (!rows_open(&i->units, o->outdir, UNIT_INTERVALS,
                       "cycle,unit,stat,value", error))
            return false;
    }
    return true;
}

static bool intervals_show(struct host *host, struct error *error)
{
    struct intervals *i = intervals_of(host);
    const char *outdir = host->options->outdir;
    return !i || (rows_show(&i->groups, outdir, INTERVALS, error) &&
                  rows_show(&i->units, outdir, UNIT_INTERVALS, error));
}

/* The rows of one group or unit. */
static void print_grown(FILE *out, uint64_t cycle, const char *name,
                        const struct unit_kind *kind, const uint64_t *now,
                        const uint64_t *last)
{
    struct kind_values v = KIND_VALUES(kind);
    char text[RANGE_NAME];
    while (kind_values_next(&v))
        if (now[v.at] != last[v.at])
            fprintf(out, "%" PRIu64 ",%s,%s,%" PRIu64 "\n", cycle, name,
                    stat_name(v.row, v.range, text), now[v.at] - last[v.at]);
}

/* Sums of groups are few: all are taken anew at each border. */
static void add_groups(struct host *host)
{
    struct intervals *i = intervals_of(host);
    struct totals *t = host->tables.totals;
    totals_take(t, host->chip, host->now);
    for (unsigned n = 0; n < t->group_count; n++) {
        const struct group *g = &t->groups[n];
        print_grown(i->groups.text, host->now, g->name, g->kind,
                    t->now + g->first, i->last_of_groups + g->first);
    }
    memcpy(i->last_of_groups, t->now, t->value_count * sizeof *t->now);
    rows_write(&i->groups);
}

/* Rows of each unit that did something in the interval. */
static void add_units(struct host *host)
{
    struct intervals *i = intervals_of(host);
    struct entries *e = host->tables.entries;
    entries_take(e, host->chip);
    for (unsigned n = 0; n < e->count; n++) {
        const struct entry *u = &e->list[n];
        print_grown(i->units.text, host->now, u->name, u->kind,
                    e->now + u->first, i->last_of_units + u->first);
    }
    memcpy(i->last_of_units, e->now, e->value_count * sizeof *e->now);
    rows_write(&i->units);
}

static void add(struct host *host, struct intervals *i)
{
    add_groups(host);
    if (i->last_of_units)
        add_units(host);
    i->border = host->now;
}

static void intervals_look(struct host *host, bool border)
{
    if (border && intervals_of(host))
        add(host, intervals_of(host));
}

/* The last rows are for the cycles since the last border, unless the run ended
 * at it. */
static bool intervals_write(struct host *host, const struct outcome *outcome,
                            struct error *error)
{
    struct intervals *i = intervals_of(host);
    const char *outdir = host->options->outdir;
    if (!i)
        return true;
    if (host->now != i->border)
        add(host, i);
    return rows_finish(&i->groups, outdir, INTERVALS, error) &&
           rows_finish(&i->units, outdir, UNIT_INTERVALS, error);
}

/* What was told is in the file, and where it ends is the next row's begin. */
static void intervals_state(struct host *host, struct state *s)
{
    struct intervals *i = intervals_of(host);
    if (!i)
        return;
    STATE_VALUE(s, i->border);
    state_bytes(s, i->last_of_groups,
                host->tables.totals->value_count * sizeof(uint64_t));
    if (i->last_of_units)
        state_bytes(s, i->last_of_units,
                    host->tables.entries->value_count * sizeof(uint64_t));
    rows_state(&i->groups, s, INTERVALS);
    rows_state(&i->units, s, UNIT_INTERVALS);
}

static void intervals_free(struct host *host)
{
    struct intervals *i = intervals_of(host);
    if (!i)
        return;
    rows_drop(&i->groups);
    rows_drop(&i->units);
    free(i->last_of_groups);
    free(i->last_of_units);
    free(i);
}

/* ---- its options ---- */

static bool interval_agrees(const struct options *o, struct error *error)
{
    return o->outdir ||
           error_set(error, "--interval needs --outdir DIR to write to");
}

static bool take_level(struct options *o, const char *text, struct error *error)
{
    o->interval_units = !strcmp(text, "unit");
    return o->interval_units || !strcmp(text, "group") ||
           error_set(error, "--interval-level %.80s: expected group or unit",
                     text);
}

static bool level_agrees(const struct options *o, struct error *error)
{
    return !o->interval_units || o->interval ||
           error_set(error, "--interval-level: only with --interval");
}

static const struct option_row options[] = {
    {"interval", 0, "N", "statistics every N cycles, in intervals.csv",
     OPTION_OBSERVE, .value = OPTION_NUMBER,
     .member = offsetof(struct options, interval), .least = 1,
     .greatest = UINT64_MAX / 2, .agrees = interval_agrees,
     .more = "N is rounded up to a multiple of E (statistics.md)."},
    {"interval-level", 0, "group|unit",
     "unit: also of each unit, in unit-intervals.csv", OPTION_OBSERVE,
     .take = take_level, .agrees = level_agrees},
    {NULL}};

static void identity(const struct options *o, FILE *to)
{
    fprintf(to, "--interval %" PRIu64 "\n", o->interval);
    fprintf(to, "--interval-level %s\n", o->interval_units ? "unit" : "group");
}

const struct observer intervals_observer = {
    .options = options,
    .identity = identity,
    .name = "interval",
    .open = intervals_open,
    .begin = intervals_show,
    .look = intervals_look,
    .state = intervals_state,
    .write = intervals_write,
    .free = intervals_free,
};
