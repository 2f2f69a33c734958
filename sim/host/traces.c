/* Which units are traced, when, and within how much memory. */
#include "sim/host/traces.h"
#include "sim/core/unit.h"
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
        "--trace %.80s: expected KIND[:UNITS[,FROM:TO[,SIZE]]], "
        "KIND being harts, pipeline, rays or requests, FROM and TO "
        "cycles, as in pipeline:tp0,1000:2000,16M",
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
                 const char *text, struct error *error)
{
    struct trace_window *kept = &o->traces[k];
    if (kept->wanted &&
        (strcmp(kept->units, w->units) != 0 || kept->from != w->from ||
         kept->to != w->to || kept->bytes != w->bytes))
        return error_set(error,
                         "--trace %.80s: expected one --trace of %s, there is "
                         "another one",
                         text, kinds[k].name);
    strcpy(o->trace_units[k], w->units);
    *kept = *w;
    kept->units = o->trace_units[k];
    return true;
}

/* Each part may be missing from some place on, and has its default then. */
bool traces_parse(struct options *o, const char *text, struct error *error)
{
    char kind[16], units[sizeof o->trace_units[0]], cycles[64];
    const char *at = text;
    struct cycle_range range = {0, CYCLE_NEVER};
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
    return keep(o, k, &w, text, error);
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

bool traces_of_cores(const struct options *o)
{
    return any_wanted(o, 0, TRACE_OF_CORES);
}

bool traces_observe(const struct options *o)
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

bool traces_begin(struct host *host, struct error *error)
{
    for (unsigned k = 0; k < TRACE_REQUESTS; k++) {
        uint64_t units = 0;
        for (unsigned i = 0; i < chip_unit_count(host->chip); i++)
            units += traces_of(chip_unit_at(host->chip, i), k) != NULL;
        if (host->options->traces[k].wanted && !units)
            return nobody(host, k, error);
        for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
            struct hart_trace *t = traces_of(chip_unit_at(host->chip, i), k);
            if (t)
                t->most /= units;
        }
    }
    return requests_begin(host) || nobody(host, TRACE_REQUESTS, error);
}

/* The cycle from which on no record fitted, of all units. */
uint64_t traces_end(const struct host *host, enum trace_kind kind)
{
    uint64_t end = host->options->traces[kind].to;
    end = end < host->now ? end : host->now;
    if (kind == TRACE_REQUESTS)
        return requests_end(host, end);
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        const struct hart_trace *t =
            traces_of(chip_unit_at(host->chip, i), kind);
        if (t && t->full < end)
            end = t->full;
    }
    return end;
}

void traces_tell(struct host *host)
{
    for (unsigned k = 0; k < TRACE_KINDS; k++) {
        const struct trace_window *w = &host->options->traces[k];
        uint64_t end = traces_end(host, k);
        if (w->wanted && end < w->to && end < host->now)
            host_note(host,
                      "the trace of %s ends at cycle %" PRIu64
                      ", as its memory (%" PRIu64 " bytes) is full",
                      kinds[k].name, end, w->bytes);
    }
}
