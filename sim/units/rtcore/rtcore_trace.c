/*
 * What the slots of an RT core do, state by state (--trace rays, in builds with
 * STALLS): noted before a slot's state changes.
 */
#include "sim/core/engine.h"
#include "sim/units/rtcore/rtcore_private.h"

static const struct stat_row states[] = {
#define STAT_STRUCT struct rtcore_stats
    RTCORE_STATES(STAT_ROW)};

void rtcore_trace_new(struct rtcore *r)
{
    if (!STALLS || !r->machine->traces)
        return;
    r->trace = hart_trace_new(&r->machine->traces[TRACE_RAYS], r->unit.name);
    if (!r->trace)
        return;
    r->trace->harts = r->slot_count;
    r->trace->buckets = states;
    r->trace->bucket_count = STATES;
    r->trace->issued = TRACE_NONE;
    r->trace->whole = "ray";
}

static struct trace_record record(const struct rtcore *r,
                                  const struct ray_slot *s, unsigned state,
                                  uint64_t cycle)
{
    return (struct trace_record){
        .cycle = cycle,
        .hart = (uint32_t)(s - r->slots),
        .event = TRACE_STATE,
        .bucket = (uint8_t)(state == STATES ? TRACE_NONE : state),
    };
}

/* Where slots are when the trace begins. */
void rtcore_trace_begin(struct rtcore *r, uint64_t now)
{
    uint64_t from = r->trace->window->from;
    if (r->trace->begun || now < from)
        return;
    r->trace->begun = true;
    for (uint32_t i = 0; i < r->slot_count; i++)
        if (r->slots[i].state != STATES) {
            const struct trace_record at =
                record(r, &r->slots[i], r->slots[i].state, from);
            hart_trace_begin(r->trace, &at);
        }
}

void rtcore_trace_move(struct rtcore *r, const struct ray_slot *s,
                       unsigned state, uint64_t now)
{
    rtcore_trace_begin(r, now);
    const struct trace_record to = record(r, s, state, now);
    hart_trace_add(r->trace, &to);
}
