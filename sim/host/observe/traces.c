/* Which units are traced, when, and what is said of it. */
#include "sim/host/observe/traces.h"
#include "sim/core/state.h"
#include "sim/core/unit.h"
#include "sim/host/observe/trace_room.h"
#include "sim/host/observer.h"
#include "sim/host/results/outdir.h"
#include "sim/host/results/results.h"
#include <inttypes.h>
#include <string.h>

static const struct {
    const char *name, *of; /* whose trace it is */
} kinds[TRACE_KINDS] = {
    [TRACE_HARTS] = {"harts", "thread processor"},
    [TRACE_PIPELINE] = {"pipeline", "thread processor"},
    [TRACE_RAYS] = {"rays", "RT core"},
    [TRACE_REQUESTS] = {"requests", "unit that waits for memory"},
};

enum { DEFAULT_BYTES = 64 << 20 };

static bool expected(const char *text, struct error *error)
{
    return error_set(
        error,
        "--trace %.80s: expected KIND[:UNITS[,WHEN[,SIZE]]], "
        "KIND being harts, pipeline, rays or requests, WHEN two cycles, roi or "
        "launch, as in pipeline:tp0,1000:2000,16M or harts:*,roi",
        text);
}

/* The next part of the text, up to an end; false: it is too long. */
static bool take(const char **text, char end, char *part, size_t size)
{
    size_t length = strcspn(*text, (char[]){end, 0});
    if (length >= size)
        return false;
    memcpy(part, *text, length);
    part[length] = 0;
    *text += length + ((*text)[length] == end);
    return true;
}

/* A kind has one window. To say it again is no mistake: the options of a run
 * that goes on stand behind those of its checkpoint. */
static bool keep(struct options *o, unsigned k, const struct trace_window *w,
                 const struct cycle_range *range, const char *text,
                 struct error *error)
{
    struct trace_window *kept = &o->traces[k];
    if (kept->wanted && (strcmp(kept->units, w->units) != 0 ||
                         !options_same_range(&o->trace_ranges[k], range) ||
                         kept->bytes != w->bytes))
        return error_set(error,
                         "--trace %.80s: expected one --trace of %s, there is "
                         "another one",
                         text, kinds[k].name);
    strcpy(o->trace_units[k], w->units);
    *kept = *w;
    kept->units = o->trace_units[k];
    o->trace_ranges[k] = *range;
    return true;
}

/* Each part may be missing from some place on, and has its default then. */
static bool traces_parse(struct options *o, const char *text,
                         struct error *error)
{
    char kind[16], units[sizeof o->trace_units[0]], cycles[64];
    const char *at = text;
    struct cycle_range range = {.to = CYCLE_NEVER};
    uint64_t bytes = DEFAULT_BYTES;
    unsigned k = 0;
    if (!take(&at, ':', kind, sizeof kind))
        return expected(text, error);
    while (k < TRACE_KINDS && strcmp(kinds[k].name, kind))
        k++;
    if (k == TRACE_KINDS || !take(&at, ',', units, sizeof units) ||
        !take(&at, ',', cycles, sizeof cycles) ||
        (*cycles && !options_range("trace", cycles, &range, error)))
        return expected(text, error);
    if (*at && !options_number("trace", at, sizeof(struct trace_record),
                               UINT64_MAX / 2, &bytes, error))
        return false;
    const struct trace_window w = {true, *units ? units : "*", range.from,
                                   range.to, bytes};
    return keep(o, k, &w, &range, text, error);
}

static bool any_wanted(const struct options *o, unsigned from, unsigned to)
{
    for (unsigned k = from; k < to; k++)
        if (o->traces[k].wanted)
            return true;
    return false;
}

bool traces_wanted(const struct options *o)
{
    return any_wanted(o, 0, TRACE_KINDS);
}

static bool traces_of_cores(const struct options *o)
{
    return any_wanted(o, 0, TRACE_OF_CORES);
}

static bool traces_need_stalls(const struct options *o)
{
    return any_wanted(o, TRACE_OF_CORES, TRACE_KINDS);
}

struct hart_trace *traces_of(struct unit *u, enum trace_kind kind)
{
    return u->kind->trace ? u->kind->trace(u, kind) : NULL;
}

/* A pattern that no unit has is a mistake in it. */
static bool nobody(const struct host *host, unsigned kind, struct error *error)
{
    return error_set(error, "--trace %s:%s: no %s of the chip is called so",
                     kinds[kind].name, host->options->traces[kind].units,
                     kinds[kind].of);
}

static bool traces_built(struct host *host, struct error *error)
{
    for (unsigned k = 0; k < TRACE_REQUESTS; k++) {
        bool any = !host->options->traces[k].wanted;
        for (unsigned i = 0; i < chip_unit_count(host->chip) && !any; i++)
            any = traces_of(chip_unit_at(host->chip, i), k) != NULL;
        if (!any)
            return nobody(host, k, error);
    }
    if (!requests_begin(host))
        return nobody(host, TRACE_REQUESTS, error);
    trace_rooms_begin(host);
    return true;
}

/* The cycle from which on no record fitted, of all units. */
uint64_t traces_end(const struct host *host, enum trace_kind kind)
{
    uint64_t end = host->traces[kind].to, full = trace_room_end(host, kind);
    end = end < host->now ? end : host->now;
    return full < end ? full : end;
}

/* Cycles that would show what this trace does not: the first region of interest
 * that it has not come to the end of, or what follows. */
static const char *better_window(const struct host *host, enum trace_kind kind,
                                 uint64_t end, char *text, size_t size)
{
    char range[RANGE_TEXT];
    struct cycle_range r = {end, host->traces[kind].to, RANGE_OF_CYCLES, 0};
    unsigned i = 0;
    while (i < host->regions.count && host->regions.ranges[i].end <= end)
        i++;
    bool region = i < host->regions.count;
    bool later = region && host->regions.ranges[i].start > end;
    if (later)
        r.from = host->regions.ranges[i].start;
    if (region)
        r.to = host->regions.ranges[i].end;
    int at = later ? snprintf(text, size, "'%s:%s,roi:%u' or ",
                              kinds[kind].name, host->traces[kind].units, i + 1)
                   : 0;
    snprintf(text + at, size - (size_t)at, "'%s:%s,%s'", kinds[kind].name,
             host->traces[kind].units, options_range_text(&r, range));
    return text;
}

static void tell_full(struct host *host, enum trace_kind kind, uint64_t end)
{
    char window[400], filled[300];
    host_note(host,
              "the trace of %s ends at cycle %" PRIu64
              ", as its memory (%" PRIu64 " bytes) is full%s; what comes later "
              "shows --trace %s",
              kinds[kind].name, end, host->traces[kind].bytes,
              trace_room_filled(host, kind, filled, sizeof filled),
              better_window(host, kind, end, window, sizeof window));
}

static void traces_tell(struct host *host)
{
    char text[RANGE_TEXT];
    trace_rooms_look(host, host->now);
    for (unsigned k = 0; k < TRACE_KINDS; k++) {
        const struct trace_window *w = &host->traces[k];
        const struct cycle_range *range = &host->options->trace_ranges[k];
        uint64_t end = traces_end(host, k);
        if (!w->wanted)
            continue;
        if (range->of != RANGE_OF_CYCLES && w->from == CYCLE_NEVER)
            host_note(host, "--trace %s: the run came to no %s", kinds[k].name,
                      options_range_text(range, text));
        else if (end < w->to && end < host->now)
            tell_full(host, k, end);
    }
}

static bool traces_arrive(struct host *host, struct error *error)
{
    const struct options *o = host->options;
    memcpy(host->traces, o->traces, sizeof host->traces);
    host->machine.traces = host->traces;
    host->machine.one_by_one |= traces_of_cores(o);
    host->watched |= traces_of_cores(o);
    return true;
}

static void traces_border(struct host *host, enum range_of of, uint64_t number,
                          bool begins)
{
    for (unsigned k = 0; host_is_timed(host) && k < TRACE_KINDS; k++)
        if (range_is(&host->options->trace_ranges[k], of, number))
            *(begins ? &host->traces[k].from : &host->traces[k].to) = host->now;
}

static void traces_save(struct host *host)
{
    trace_rooms_look(host, host->now);
}

static void traces_state(struct host *host, struct state *s)
{
    for (unsigned k = 0; k < TRACE_KINDS; k++) {
        STATE_VALUE(s, host->traces[k].from);
        STATE_VALUE(s, host->traces[k].to);
    }
}

static bool traces_write(struct host *host, const struct outcome *outcome,
                         struct error *error)
{
    static const struct {
        const char *name;
        void (*write)(const struct host *, FILE *);
    } files[TRACE_KINDS] = {
        [TRACE_HARTS] = {TRACE_PERFETTO, traces_write_harts},
        [TRACE_PIPELINE] = {TRACE_KONATA, traces_write_konata},
        [TRACE_RAYS] = {TRACE_PERFETTO_RAYS, traces_write_rays},
        [TRACE_REQUESTS] = {TRACE_CSV, traces_write_requests},
    };
    for (unsigned k = 0; k < TRACE_KINDS; k++)
        if (host->options->traces[k].wanted &&
            !output_file(host, files[k].name, files[k].write, error))
            return false;
    return true;
}

static void traces_free(struct host *host)
{
    requests_free(host);
    trace_rooms_free(host);
}

static bool traces_agree(const struct options *o, struct error *error)
{
    const char *with = o->resume       ? "resume"
                       : o->checkpoint ? "checkpoint"
                                       : NULL;
    return !o->traces[TRACE_REQUESTS].wanted || !with ||
           error_set(error, "--%s: not with --trace requests", with);
}

static const struct option_row options[] = {
    {"trace", 0, "KIND[:UNITS[,WHEN[,SIZE]]]",
     "what units do: harts, pipeline, rays, requests", OPTION_OBSERVE,
     OPTION_OF_CYCLES, .take = traces_parse, .agrees = traces_agree,
     .more = "In cycles FROM:TO, a region (`roi`) or a kernel (`launch`): "
             "harts.pftrace and rays.pftrace for Perfetto, pipeline.kanata for "
             "Konata, or requests.csv (traces.md)."},
    {NULL}};

static void tell_trace(const struct options *o, unsigned kind, FILE *to)
{
    const struct trace_window *w = &o->traces[kind];
    char range[RANGE_TEXT];
    if (w->wanted)
        fprintf(to, "--trace %s,%s,%" PRIu64 "\n", w->units,
                options_range_text(&o->trace_ranges[kind], range), w->bytes);
    else
        fprintf(to, "no trace\n");
}

static void identity(const struct options *o, FILE *to)
{
    for (unsigned k = 0; k < TRACE_KINDS; k++)
        tell_trace(o, k, to);
}

const struct observer traces_observer = {
    .options = options,
    .identity = identity,
    .name = "trace",
    .needs_stalls = traces_need_stalls,
    .arrive = traces_arrive,
    .built = traces_built,
    .still = trace_rooms_still,
    .watches = trace_rooms_watch,
    .border = traces_border,
    .save = traces_save,
    .state = traces_state,
    .tell = traces_tell,
    .write = traces_write,
    .free = traces_free,
};
