/*
 * Records that tell where harts are when a trace begins are not counted: there
 * is one of each hart at most, and when a unit adds them depends on when it is
 * awake.
 */
#include "sim/host/observe/trace_room.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/observe/traces.h"
#include "sim/host/observer.h"
#include "sim/units/common/request_log.h"
#include <inttypes.h>
#include <stdlib.h>

/* The records of a unit, or of requests those of a tile, by their cycles. */
struct part {
    const char *name;
    uint64_t *count, *full;
    const uint64_t *initial;
    struct hart_trace *trace; /* NULL: requests */
    struct request_log *log;
};

/* The room of a kind of trace. */
struct room {
    struct part *parts;
    unsigned count;
    uint64_t most; /* records */
};

struct trace_rooms {
    struct room rooms[TRACE_KINDS];
};

static const uint64_t none;

/* NULL: there is no trace. */
static struct trace_rooms *rooms_of(const struct host *host)
{
    return *observer_of(host, &traces_observer);
}

/* ---- construction ---- */

static void add_part(struct room *r, struct part part)
{
    r->parts = heap_resize(r->parts, r->count + 1, sizeof *r->parts, "a trace");
    r->parts[r->count++] = part;
}

static void add_units(struct host *host, struct room *r, enum trace_kind kind)
{
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        struct unit *u = chip_unit_at(host->chip, i);
        struct hart_trace *t = traces_of(u, kind);
        if (t)
            add_part(r, (struct part){.name = u->name,
                                      .count = &t->count,
                                      .full = &t->full,
                                      .initial = &t->initial,
                                      .trace = t});
    }
    r->most = host->traces[kind].bytes / sizeof(struct trace_record);
}

static void add_tiles(struct host *host, struct room *r)
{
    struct request_log *logs = host->machine.request_logs;
    for (unsigned i = 0; logs && i < chip_unit_count(host->chip); i++) {
        const struct unit *u = chip_unit_at(host->chip, i);
        struct request_log *log = &logs[unit_tile_number(u)];
        if (r->count && r->parts[r->count - 1].log == log)
            continue;
        add_part(r, (struct part){.name = unit_tile_name(u),
                                  .count = &log->count,
                                  .full = &log->full,
                                  .initial = &none,
                                  .log = log});
    }
    r->most =
        host->traces[TRACE_REQUESTS].bytes / sizeof(struct request_record);
}

void trace_rooms_begin(struct host *host)
{
    if (!traces_wanted(host->options))
        return;
    struct trace_rooms *all = heap_new(1, sizeof *all, "a trace");
    *observer_of(host, &traces_observer) = all;
    for (unsigned k = 0; k < TRACE_KINDS; k++) {
        struct room *r = &all->rooms[k];
        if (k == TRACE_REQUESTS)
            add_tiles(host, r);
        else
            add_units(host, r, k);
    }
}

void trace_rooms_free(struct host *host)
{
    struct trace_rooms *all = rooms_of(host);
    for (unsigned k = 0; all && k < TRACE_KINDS; k++)
        free(all->rooms[k].parts);
    free(all);
}

/* ---- where a trace ends ---- */

static uint64_t cycle_at(const struct part *p, uint64_t i)
{
    return p->trace ? p->trace->records[i].cycle : p->log->records[i].ended;
}

/* How many of the part's records are of cycles before that one. */
static uint64_t before(const struct part *p, uint64_t cycle)
{
    uint64_t low = 0, high = *p->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (cycle_at(p, middle) < cycle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many of all parts' are, but those of the begin. */
static uint64_t all_before(const struct room *r, uint64_t cycle)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < r->count; i++) {
        uint64_t some = before(&r->parts[i], cycle);
        sum += some > *r->parts[i].initial ? some - *r->parts[i].initial : 0;
    }
    return sum;
}

/* The last cycle before which not more records lie than fit. */
static uint64_t last_that_fits(const struct room *r, uint64_t from, uint64_t to)
{
    while (from + 1 < to) {
        uint64_t middle = from + (to - from) / 2;
        if (all_before(r, middle) <= r->most)
            from = middle;
        else
            to = middle;
    }
    return from;
}

static void end_room(struct room *r, uint64_t cycle)
{
    for (unsigned i = 0; i < r->count; i++) {
        struct part *p = &r->parts[i];
        *p->count = before(p, cycle);
        *p->full = cycle;
        if (p->trace && p->trace->initial > *p->count)
            p->trace->initial = *p->count;
    }
}

static uint64_t counted(const struct part *p)
{
    return *p->count - *p->initial;
}

static uint64_t all(const struct room *r)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < r->count; i++)
        sum += counted(&r->parts[i]);
    return sum;
}

void trace_rooms_look(struct host *host, uint64_t now)
{
    struct trace_rooms *rooms = rooms_of(host);
    for (unsigned k = 0; rooms && k < TRACE_KINDS; k++) {
        struct room *r = &rooms->rooms[k];
        if (trace_room_end(host, k) == CYCLE_NEVER && all(r) > r->most &&
            all_before(r, now) > r->most)
            end_room(r, last_that_fits(r, host->traces[k].from, now));
    }
}

bool trace_rooms_still(struct host *host, uint64_t now)
{
    trace_rooms_look(host, now);
    return true;
}

bool trace_rooms_watch(const struct host *host)
{
    return rooms_of(host);
}

/* ---- what is told ---- */

uint64_t trace_room_end(const struct host *host, enum trace_kind kind)
{
    const struct trace_rooms *all = rooms_of(host);
    const struct room *r = all ? &all->rooms[kind] : NULL;
    return r && r->count ? *r->parts[0].full : CYCLE_NEVER;
}

const char *trace_room_filled(const struct host *host, enum trace_kind kind,
                              char *text, size_t size)
{
    enum { MUCH = 20 }; /* percent that are worth a name */
    const struct room *r = &rooms_of(host)->rooms[kind];
    const struct part *most = &r->parts[0];
    for (unsigned i = 1; i < r->count; i++)
        if (counted(&r->parts[i]) > counted(most))
            most = &r->parts[i];
    uint64_t sum = all(r), percent = sum ? 100 * counted(most) / sum : 0;
    if (percent < MUCH)
        snprintf(text, size, " of %u units", r->count);
    else
        snprintf(text, size, ", %" PRIu64 " %% of it of %.200s", percent,
                 most->name);
    return text;
}
