/*
 * Lanes that leave their paths for a service, mostly of the host, and come
 * back, and fences. Both begin when all that the warp has under way has ended;
 * before a service of the host the L1 writes back, if the warp has stored since
 * it last did, and behind one, as behind a fence, it drops its copies of
 * writable data. Behind a fence.i code is fetched anew.
 */
#include "runtime/include/corbel/abi.h"
#include "sim/units/simt/simt_private.h"

static void begin_act(struct simt *t, struct simt_warp *w)
{
    subcore_of(t, w)->acting |= warp_bit(t, w);
}

static void end_act(struct simt *t, struct simt_warp *w)
{
    subcore_of(t, w)->acting &= ~warp_bit(t, w);
}

void simt_drain(struct simt *t, struct simt_warp *w, uint64_t now)
{
    if (w->state != INVALIDATES)
        w->state = DRAINS;
    w->bypass = 0; /* a trap may come between a hint and its access */
    simt_holds(t, w);
    put_in(t, w, now, IN_drain);
    subcore_of(t, w)->changed = true;
    if (w->state == DRAINS && drained(w))
        begin_act(t, w);
}

void simt_leave(struct simt *t, struct simt_warp *w, uint64_t lanes,
                enum hart_event event, uint64_t now)
{
    simt_lanes_part(t, w, lanes);
    for (uint64_t m = lanes; m; m &= m - 1)
        hart_of(t, w, first_of(m))->event = (uint8_t)event;
    w->leaving |= lanes;
    simt_drain(t, w, now);
}

/* ---- what comes when all has ended ---- */

/* Where the warp's cycles fall while none of its lanes is there: by what the
 * lane has asked for that left last. */
static enum bucket service_bucket(const struct hart *h)
{
    uint64_t call = h->isa.x[17];
    if (h->event == HART_ECALL && call == CORBEL_SYS_PARK)
        return IN_parked;
    if (h->event == HART_ECALL && call == CORBEL_SYS_JOIN)
        return IN_joining;
    return IN_service;
}

static bool send_to_l1(struct simt *t, struct simt_warp *w, enum mem_op op)
{
    struct outport *o = &t->unit.out[MEM][0];
    if (!link_ready(o))
        return false;
    struct msg m = {.op = (uint8_t)op,
                    .from = hart_of(t, w, 0)->isa.id,
                    .tag = 1u << 31 | warp_number(t, w)};
    link_push(o, &m);
    w->accesses++;
    return true;
}

/* The warp goes on with the lanes that it has. */
static void go_on(struct simt *t, struct simt_warp *w, uint64_t now)
{
    w->state = w->live ? RUNS : AWAY;
    if (w->live)
        simt_assess(t, w, now);
}

/* Asks the host for the services of the lanes that leave. */
static void ask_host(struct simt *t, struct simt_warp *w, uint64_t now)
{
    unsigned last = 63u - (unsigned)__builtin_clzll(w->leaving);
    enum bucket bucket = service_bucket(hart_of(t, w, last));
    for (uint64_t m = w->leaving; m; m &= m - 1) {
        uint32_t slot = slot_of(t, w, first_of(m));
        if (bucket != IN_service)
            work_goes_on(t->machine, &t->unit, &t->works[slot], 0, now);
        unit_request_service(&t->unit, now, slot);
    }
    w->leaving = 0;
    put_in(t, w, now, bucket);
    subcore_of(t, w)->changed = true;
}

/* All that the warp had under way has ended. False: it has to try again. */
static bool act(struct simt *t, struct simt_warp *w, uint64_t now)
{
    if (w->anew) {
        w->anew = !simt_fetch_anew(t, w);
        return !w->anew; /* and then drains */
    }
    uint64_t meeting = simt_meeting(t, w);
    if (w->leaving & ~meeting && w->wrote) {
        if (!send_to_l1(t, w, MEM_FLUSH))
            return false;
        w->wrote = false; /* and then drains */
        return true;
    }
    w->leaving &= ~meeting;
    if (meeting)
        simt_meet(t, w, meeting, now);
    if (w->leaving)
        ask_host(t, w, now);
    if (w->fence || w->returning) {
        if (!send_to_l1(t, w, MEM_INVALIDATE))
            return false;
        w->wrote = w->fence = false;
        w->coming = w->returning;
        w->returning = 0;
        w->state = INVALIDATES;
        return true;
    }
    go_on(t, w, now);
    return true;
}

void simt_act(struct simt *t, struct simt_subcore *s, uint64_t now)
{
    for (uint64_t m = s->acting; m; m &= m - 1) {
        struct simt_warp *w = warp_of(t, s, first_of(m));
        if (act(t, w, now))
            end_act(t, w);
    }
}

void simt_advance(struct simt *t, struct simt_warp *w, uint64_t now)
{
    if (w->state == RUNS)
        simt_assess(t, w, now);
    else if (w->state == DRAINS && drained(w))
        begin_act(t, w);
}

void simt_l1_done(struct simt *t, struct simt_warp *w, uint64_t now)
{
    w->accesses--;
    if (w->state != INVALIDATES) {
        simt_advance(t, w, now); /* written back */
        return;
    }
    for (uint64_t m = w->coming; m; m &= m - 1)
        simt_lane_joins(t, w, first_of(m));
    w->coming = 0;
    w->state = DRAINS; /* others may have come back meanwhile */
    simt_advance(t, w, now);
}

/* ---- the host ---- */

static struct simt_warp *warp_at(struct simt *t, unsigned slot)
{
    return &t->warps[slot / t->width];
}

void simt_start(struct unit *u, unsigned slot, uint64_t now)
{
    struct simt *t = (struct simt *)u;
    struct simt_warp *w = warp_at(t, slot);
    simt_find_window(t);
    t->harts[slot].event = HART_NONE;
    t->depth[slot] = SIMT_BEGINS;
    if (t->meetings)
        t->meetings[slot] = (struct simt_meeting){0};
    simt_lane_joins(t, w, slot % t->width);
    if (w->state == AWAY)
        w->state = RUNS;
    simt_advance(t, w, now);
    simt_watch_all(t);
    unit_wake(u, now);
}

void simt_resume(struct unit *u, unsigned slot, uint64_t now)
{
    struct simt *t = (struct simt *)u;
    struct simt_warp *w = warp_at(t, slot);
    simt_find_window(t);
    t->harts[slot].event = HART_NONE;
    w->returning |= bit(slot % t->width);
    simt_drain(t, w, now);
    simt_watch_all(t);
    unit_wake(u, now);
}
