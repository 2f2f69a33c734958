/*
 * Barriers of harts that run a group together (corbel/abi.h, BARRIER), inside
 * the SM: those whose counters lie in the memory of groups that the SM keeps,
 * and whose harts are all its own. A lane that comes to one leaves its path, as
 * for a service, when all that its warp has under way has ended. How many have
 * come stands in memory, and who waits in the state of the harts, as the host
 * has it where it serves them itself (sim/host/run/groups.c): so a run that was
 * begun without timing goes on here. The L1 is all harts' own; it keeps its
 * copies.
 */
#include "runtime/include/corbel/abi.h"
#include "sim/units/simt/simt_private.h"
#include <errno.h>

enum { STOPS = 2, A0 = 10, A1 = 11, A2 = 12, A3 = 13, A7 = 17, ECALL = 4 };

/* The call is a barrier of the SM. */
static bool calls(const struct simt *t, const struct hart *h)
{
    const uint64_t *x = h->isa.x, own = h->isa.id;
    uint64_t at = x[A0] & t->address_mask, first = x[A1], harts = x[A2];
    uint64_t bytes = t->window.end - t->window.start;
    if (x[A7] != CORBEL_SYS_BARRIER || h->isa.mtvec || x[A3] >= STOPS)
        return false;
    if (at % 4 || at < t->window.start || !bytes ||
        at - t->window.start > bytes - STOPS * sizeof(uint32_t))
        return false;
    if (first < t->first_hart || own < first || harts <= own - first ||
        harts > t->first_hart + t->hart_count - first)
        return false;
    return t->harts[first - t->first_hart + harts - 1].state != HART_UNUSED;
}

bool simt_waits(const struct simt *t, const struct hart *h)
{
    return h->state == HART_JOINING && calls(t, h);
}

uint64_t simt_meeting(const struct simt *t, const struct simt_warp *w)
{
    uint64_t lanes = 0;
    for (uint64_t m = w->leaving; m && t->window.end; m &= m - 1) {
        const struct hart *h = hart_of(t, w, first_of(m));
        if (h->event == HART_ECALL && calls(t, h))
            lanes |= bit(first_of(m));
    }
    return lanes;
}

/* The lane's call has its answer: it is back in the warp. */
static void answer(struct simt *t, struct simt_warp *w, unsigned lane,
                   int64_t result)
{
    struct hart *h = hart_of(t, w, lane);
    h->state = HART_RUNNING;
    h->event = HART_NONE;
    h->isa.x[A0] = (uint64_t)result;
    h->isa.pc = (h->isa.pc + ECALL) & t->address_mask;
    simt_lane_joins(t, w, lane);
    w->waiting &= ~bit(lane);
}

/* Of the warp, lanes that wait at the barrier at this address. */
static void release_warp(struct simt *t, struct simt_warp *w, uint64_t lanes,
                         uint64_t barrier, uint64_t now)
{
    uint64_t from = now + (uint64_t)t->params.barrier_latency;
    for (uint64_t m = w->waiting & lanes; m; m &= m - 1)
        if (hart_of(t, w, first_of(m))->isa.x[A0] == barrier)
            answer(t, w, first_of(m), 0);
    if (!w->live)
        return;
    if (w->next < from)
        w->next = from;
    if (w->state == AWAY)
        w->state = RUNS;
    simt_advance(t, w, now);
}

static void release(struct simt *t, uint64_t barrier, uint32_t slot,
                    uint32_t end, uint64_t now)
{
    while (slot < end) {
        struct simt_warp *w = &t->warps[slot / t->width];
        uint32_t first = slot % t->width, count = t->width - first;
        if (count > end - slot)
            count = end - slot;
        release_warp(t, w, ~0ull >> (64 - count) << first, barrier, now);
        slot += count;
    }
}

/* Notes how many have come, as an atomic that the hart performs. */
static void note(const struct simt *t, const struct hart *h, uint64_t address,
                 uint32_t arrived)
{
    struct check_record record = {.kind = CHECK_PERFORMED,
                                  .hart = h->isa.id,
                                  .addr = address,
                                  .value = arrived,
                                  .mask = 1,
                                  .size = sizeof arrived};
    check_note(t->machine, &t->unit, &record);
}

static void meet(struct simt *t, struct simt_warp *w, unsigned lane,
                 uint64_t now)
{
    struct hart *h = hart_of(t, w, lane);
    const uint64_t barrier = h->isa.x[A0], stop = h->isa.x[A3],
                   address = barrier & t->address_mask;
    uint32_t arrived[STOPS];
    memcpy(arrived, machine_at(t->machine, address), sizeof arrived);
    t->stats.barriers++;
    w->waiting |= bit(lane);
    if (arrived[!stop]) {
        answer(t, w, lane, -EDEADLK);
        return;
    }
    bool all = ++arrived[stop] >= h->isa.x[A2];
    if (all)
        arrived[stop] = 0;
    memcpy(machine_at(t->machine, address), arrived, sizeof arrived);
    note(t, h, address + stop * sizeof *arrived, arrived[stop]);
    h->event = HART_NONE;
    h->state = HART_JOINING;
    if (all) {
        uint32_t first = (uint32_t)h->isa.x[A1] - t->first_hart;
        release(t, barrier, first, first + (uint32_t)h->isa.x[A2], now);
    }
}

void simt_meet(struct simt *t, struct simt_warp *w, uint64_t lanes,
               uint64_t now)
{
    for (uint64_t m = lanes; m; m &= m - 1)
        meet(t, w, first_of(m), now);
    put_in(t, w, now, IN_wait_barrier);
    subcore_of(t, w)->changed = true;
}
