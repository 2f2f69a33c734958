/* Records of a trace; sim/host/observe/trace_room.h says how many have room. */
#include "sim/units/common/hart_trace.h"
#include "sim/core/engine.h"
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

struct hart_trace *hart_trace_new(const struct trace_window *window,
                                  const char *unit)
{
    if (!window || !window->wanted || fnmatch(window->units, unit, 0))
        return NULL;
    struct hart_trace *t = heap_new(1, sizeof *t, "a trace");
    t->window = window;
    t->full = CYCLE_NEVER;
    return t;
}

void hart_trace_free(struct hart_trace *t)
{
    if (t)
        free(t->records);
    free(t);
}

void hart_trace_add(struct hart_trace *t, const struct trace_record *record)
{
    if (record->cycle < t->window->from || record->cycle >= t->window->to ||
        record->cycle >= t->full)
        return;
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 256;
        t->records =
            heap_resize(t->records, t->room, sizeof *t->records, "a trace");
    }
    t->records[t->count++] = *record;
}

void hart_trace_begin(struct hart_trace *t, const struct trace_record *record)
{
    uint64_t count = t->count;
    hart_trace_add(t, record);
    t->initial += t->count - count;
}

/* ---- the traces of a core ---- */

void hart_traces_new(struct hart_trace *traces[TRACE_OF_CORES],
                     const struct trace_window *windows, const char *unit,
                     const struct hart_trace *like)
{
    for (unsigned k = 0; k < TRACE_OF_CORES && windows; k++) {
        traces[k] = hart_trace_new(&windows[k], unit);
        if (!traces[k])
            continue;
        traces[k]->first = like->first;
        traces[k]->harts = like->harts;
        traces[k]->lanes = like->lanes;
        traces[k]->buckets = like->buckets;
        traces[k]->bucket_count = like->bucket_count;
        traces[k]->issued = like->issued;
    }
}

void hart_traces_add(struct hart_trace *const traces[TRACE_OF_CORES],
                     const struct trace_record *record)
{
    for (unsigned k = 0; k < TRACE_OF_CORES; k++)
        if (traces[k] && (k == TRACE_PIPELINE || record->event != TRACE_DONE))
            hart_trace_add(traces[k], record);
}

void hart_trace_row(const struct hart_trace *t, uint32_t hart, char *text,
                    size_t size)
{
    if (t->lanes)
        snprintf(text, size, "warp %u, harts %u to %u",
                 (hart - t->first) / t->lanes, hart, hart + t->lanes - 1);
    else
        snprintf(text, size, "hart %u", hart);
}

/* ---- checkpoints ---- */

/* As many records as fit in the window's memory, and a few of each hart that
 * the host has not counted yet. */
static uint64_t most(const struct hart_trace *t)
{
    enum { UNCOUNTED = 4 };
    return t->window->bytes / sizeof *t->records +
           (uint64_t)t->harts * UNCOUNTED;
}

/* The writer of the trace's file looks up harts and buckets by number. */
static bool are_records(const struct hart_trace *t)
{
    for (uint64_t i = 0; i < t->count; i++) {
        const struct trace_record *r = &t->records[i];
        bool none = t->whole && r->bucket == TRACE_NONE;
        if (r->hart - t->first >= t->harts || r->event > TRACE_DONE ||
            r->waits > 1 || (r->bucket >= t->bucket_count && !none))
            return false;
    }
    return true;
}

void hart_trace_state(struct hart_trace *t, struct state *s)
{
    STATE_VALUE(s, t->count);
    STATE_VALUE(s, t->initial);
    STATE_VALUE(s, t->full);
    state_flag(s, &t->begun);
    if (t->count > most(t) || t->initial > t->count) {
        state_fail(s, "a trace has more records than fit");
        t->count = t->initial = 0;
    }
    if (t->count > t->room) {
        t->room = t->count;
        t->records =
            heap_resize(t->records, t->room, sizeof *t->records, "a trace");
    }
    state_bytes(s, t->records, t->count * sizeof *t->records);
    state_fixed(s, t->records);
    if (s->loading && !s->failed && !are_records(t))
        state_fail(s, "a trace has a record of no hart or bucket of its unit");
}
