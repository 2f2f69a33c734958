/* Keeps what had been counted when a window began, and subtracts it when it
 * ends. */
#include "sim/host/observe/stats_ranges.h"
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/unit_totals.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Where the engine can stop: the first multiple of E that is not before. */
static uint64_t rounded(const struct host *host, uint64_t cycle)
{
    uint64_t epoch = chip_epoch(host->chip), rest = cycle % epoch;
    return !rest || cycle > CYCLE_NEVER - epoch ? cycle : cycle - rest + epoch;
}

struct windows *windows_of(const struct host *host)
{
    return *observer_of(host, &windows_observer);
}

/* From cycle 0 on where the command line says so. */
static bool windows_open(struct host *host, struct error *error)
{
    static const char what[] = "--stats-range";
    const struct options *o = host->options;
    if (!o->range_count)
        return true;
    struct windows *w = heap_new(1, sizeof *w, what);
    *observer_of(host, &windows_observer) = w;
    w->count = o->range_count;
    w->list = heap_new(w->count, sizeof *w->list, what);
    for (unsigned i = 0; i < w->count; i++)
        w->list[i] =
            (struct window){.range = &o->ranges[i],
                            .begin = rounded(host, o->ranges[i].from),
                            .end = rounded(host, o->ranges[i].to),
                            .begun = !o->ranges[i].from,
                            .groups = heap_new(host->tables.totals->sum_count,
                                               sizeof(uint64_t), what),
                            .units = heap_new(host->tables.entries->value_count,
                                              sizeof(uint64_t), what)};
    return true;
}

static void windows_free(struct host *host)
{
    struct windows *w = windows_of(host);
    for (unsigned i = 0; w && i < w->count; i++) {
        free(w->list[i].groups);
        free(w->list[i].units);
    }
    if (w)
        free(w->list);
    free(w);
}

static uint64_t windows_next(const struct host *host)
{
    const struct windows *w = windows_of(host);
    uint64_t next = CYCLE_NEVER;
    for (unsigned i = 0; w && i < w->count; i++) {
        const struct window *one = &w->list[i];
        uint64_t cycle = one->begun ? one->end : one->begin;
        if (!one->ended && cycle < next)
            next = cycle;
    }
    return next;
}

/* kept: the values when the window began; afterwards how much they grew. */
static void subtract(uint64_t *kept, const uint64_t *now, unsigned count)
{
    for (unsigned v = 0; v < count; v++)
        kept[v] = now[v] - kept[v];
}

/* From now on the window has what has grown; the run may have ended first. */
static void end(struct host *host, struct window *w)
{
    subtract(w->groups, host->tables.totals->now,
             host->tables.totals->sum_count);
    subtract(w->units, host->tables.entries->now,
             host->tables.entries->value_count);
    w->ended = true;
    w->end = host->now;
}

/* Keeps all values: windows may overlap, and each has its own. */
static void begin(const struct host *host, struct window *w)
{
    const struct totals *t = host->tables.totals;
    const struct entries *e = host->tables.entries;
    memcpy(w->groups, t->now, t->sum_count * sizeof *t->now);
    memcpy(w->units, e->now, e->value_count * sizeof *e->now);
    w->begun = true;
}

/* The values of now, which windows begin and end with. */
static void take(struct host *host)
{
    totals_take(host->tables.totals, host->chip, host->now);
    entries_take(host->tables.entries, host->chip);
}

static void windows_look(struct host *host, bool border)
{
    struct windows *all = windows_of(host);
    if (border || windows_next(host) > host->now)
        return;
    take(host);
    for (unsigned i = 0; i < all->count; i++) {
        struct window *w = &all->list[i];
        if (!w->begun && w->begin <= host->now)
            begin(host, w);
        if (w->begun && !w->ended && w->end <= host->now)
            end(host, w);
    }
}

static void windows_border(struct host *host, enum range_of of, uint64_t number,
                           bool begins)
{
    struct windows *all = windows_of(host);
    bool taken = false;
    if (!host_is_timed(host))
        return;
    for (unsigned i = 0; all && i < all->count; i++) {
        struct window *w = &all->list[i];
        if (!range_is(w->range, of, number) || begins == w->begun || w->ended)
            continue;
        if (!taken)
            totals_close(host->chip, host->now);
        if (!taken)
            take(host);
        taken = true;
        if (begins)
            w->begin = host->now;
        (begins ? begin(host, w) : end(host, w));
    }
}

static void windows_state(struct host *host, struct state *s)
{
    struct windows *w = windows_of(host);
    for (unsigned i = 0; w && i < w->count; i++) {
        struct window *one = &w->list[i];
        STATE_VALUE(s, one->begin);
        STATE_VALUE(s, one->end);
        STATE_VALUE(s, one->begun);
        STATE_VALUE(s, one->ended);
        state_bytes(s, one->groups,
                    host->tables.totals->sum_count * sizeof(uint64_t));
        state_bytes(s, one->units,
                    host->tables.entries->value_count * sizeof(uint64_t));
    }
}

/* Cycles that the run has not come to. */
static void tell_not_reached(struct host *host, const struct window *w)
{
    char text[RANGE_TEXT];
    if (w->begun && w->end > host->now && w->end != CYCLE_NEVER)
        host_note(host,
                  "--stats-range: the run ended in cycle %" PRIu64
                  ", before cycle %" PRIu64,
                  host->now, w->end);
    else if (!w->begun && w->range->of != RANGE_OF_CYCLES)
        host_note(host, "--stats-range: the run came to no %s",
                  options_range_text(w->range, text));
    else if (!w->begun)
        host_note(host,
                  "--stats-range: the run ended in cycle %" PRIu64
                  ", and the range from cycle %" PRIu64 " on has not begun",
                  host->now, w->begin);
}

static bool windows_end(struct host *host, struct error *error)
{
    struct windows *w = windows_of(host);
    if (w)
        take(host);
    for (unsigned i = 0; w && i < w->count; i++) {
        struct window *one = &w->list[i];
        if (one->ended)
            continue;
        tell_not_reached(host, one);
        if (one->begun)
            end(host, one);
    }
    return true;
}

static bool add_range(struct options *o, const char *text, struct error *error)
{
    struct cycle_range all = {.to = CYCLE_NEVER};
    if (o->range_count == OPTIONS_RANGES_MAX)
        return error_set(error, "--stats-range: more than %d of them",
                         OPTIONS_RANGES_MAX);
    if (!options_range("stats-range", text, &all, error))
        return false;
    o->ranges[o->range_count++] = all;
    return true;
}

static const struct option_row options[] = {
    {"stats-range", 0, "FROM:TO|roi[:N]|launch[:N]",
     "statistics of that part alone; may be repeated", OPTION_OBSERVE,
     OPTION_OF_CYCLES, .take = add_range,
     .more = "Of these cycles, that region of interest or that kernel "
             "(statistics.md)."},
    {NULL}};

static void identity(const struct options *o, FILE *to)
{
    char range[RANGE_TEXT];
    fprintf(to, "windows of --stats-range: %u\n", o->range_count);
    for (unsigned i = 0; i < o->range_count; i++)
        fprintf(to, "--stats-range %s\n",
                options_range_text(&o->ranges[i], range));
}

const struct observer windows_observer = {
    .options = options,
    .identity = identity,
    .name = "stats-range",
    .open = windows_open,
    .next = windows_next,
    .look = windows_look,
    .border = windows_border,
    .state = windows_state,
    .end = windows_end,
    .free = windows_free,
};
