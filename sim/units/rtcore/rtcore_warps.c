/*
 * Warps in the RT core. The rays of one instruction come one after the other by
 * their port; the first says how many there are. A warp is inside from then on
 * until its last ray has finished, which is when its results return if they do
 * so together: until then they wait outside of the slots.
 *
 * There are as many records of warps as there may be warps inside: each has a
 * ray in a slot but the one whose rays are coming.
 */
#include "sim/units/rtcore/rtcore_private.h"

static unsigned most_any(const struct rtcore *r)
{
    return UINT32_MAX;
}

static unsigned most_by_param(const struct rtcore *r)
{
    return (unsigned)r->params.max_warps;
}

static const struct rtcore_places places_rays = {most_any};
static const struct rtcore_places places_warps = {most_by_param};
static const struct rtcore_answers answers_rays = {.together = false};
static const struct rtcore_answers answers_warps = {.together = true};

#define ROW(name) &places_##name,
const struct rtcore_places *const rtcore_places[] = {RTCORE_PLACES(ROW, ROW)};
#undef ROW
#define ROW(name) &answers_##name,
const struct rtcore_answers *const rtcore_answers[] = {
    RTCORE_ANSWERS(ROW, ROW)};
#undef ROW

bool warps_new(struct rtcore *r, struct error *error)
{
    unsigned most = rtcore_places[r->params.places]->most(r);
    bool together = rtcore_answers[r->params.answers]->together;
    if (most == UINT32_MAX && !together && !(r->ready.by && r->ready.by->warps))
        return true;
    if (r->items)
        return error_set(error,
                         "places, answers and schedule of warps: an RT core "
                         "that traces items has none");
    uint32_t count = r->slot_count + 1;
    r->warps = chip_alloc(r->unit.chip, 1, sizeof *r->warps);
    r->warps->most = most;
    r->warps->together = together;
    r->warps->all = chip_alloc(r->unit.chip, count, sizeof *r->warps->all);
    for (uint32_t i = 0; i < count; i++)
        r->warps->all[i].next_free = i + 1 < count ? i + 1 : NONE;
    r->warps->coming = NONE;
    return true;
}

/* ---- rays come ---- */

bool warps_may_take(const struct rtcore *r)
{
    const struct warps *w = r->warps;
    return w->coming != NONE || w->inside < w->most;
}

int warps_port(struct rtcore *r)
{
    const struct warps *w = r->warps;
    const uint64_t *pending = unit_pending(&r->unit, RAY);
    if (w->coming == NONE)
        return mask_next(pending, r->ray_words, r->next_port);
    unsigned port = w->port;
    return pending[port / 64] >> port % 64 & 1 ? (int)port : -1;
}

/* A ray has come by the port, which warps_port has chosen. */
void warps_take(struct rtcore *r, uint32_t slot, unsigned port,
                const struct msg *m, uint64_t now)
{
    struct warps *w = r->warps;
    struct asker *asker = &r->askers[slot];
    if (w->coming == NONE) {
        uint32_t number = w->free;
        struct rtcore_warp *warp = &w->all[number];
        w->free = warp->next_free;
        *warp = (struct rtcore_warp){.lanes = m->size ? m->size : 1,
                                     .age = now,
                                     .left = m->size ? m->size : 1};
        w->coming = number;
        w->port = port;
        w->inside++;
        r->stats.warps++;
    }
    struct rtcore_warp *warp = &w->all[w->coming];
    asker->warp = w->coming;
    asker->lane = warp->come++;
    if (warp->come == warp->lanes)
        w->coming = NONE;
}

/* Older warps before younger ones, and first rays before later ones. */
uint64_t warps_age(const struct rtcore *r, uint32_t slot)
{
    const struct asker *asker = &r->askers[slot];
    return r->warps->all[asker->warp].age * RTCORE_LANES + asker->lane;
}

/* ---- rays finish ---- */

static void end_warp(struct rtcore *r, uint32_t number, uint64_t now)
{
    struct warps *w = r->warps;
    struct rtcore_warp *warp = &w->all[number];
    r->stats.warp_waits += warp->lanes * now - warp->ended;
    if (warp->results.count) {
        r->standing += warp->results.count;
        while (warp->results.count)
            msg_list_add(&r->unit, &w->results,
                         msg_list_pop(&r->unit, &warp->results));
        r->returning = true;
    }
    warp->next_free = w->free;
    w->free = number;
    w->inside--;
}

/* A ray of the warp has left its slot. */
void warps_leave(struct rtcore *r, uint32_t slot, uint64_t now)
{
    uint32_t number = r->askers[slot].warp;
    struct rtcore_warp *warp = &r->warps->all[number];
    warp->ended += now;
    CHECKED_ASSERT(warp->left);
    if (--warp->left == 0)
        end_warp(r, number, now);
}

/* The ray's slot is free as soon as it has finished; its result waits for those
 * of its warp. */
static void put_by(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct msg m;
    struct payload p;
    bool carries = rtcore_result(r, slot, &m, &p);
    uint32_t index = unit_new_msg(&r->unit);
    *unit_msg(&r->unit, index) = m;
    unit_msg(&r->unit, index)->when = r->askers[slot].port;
    if (carries)
        unit_attach(&r->unit, index, &p);
    msg_list_add(&r->unit, &r->warps->all[r->askers[slot].warp].results, index);
    rtcore_count_ray(r, slot, now, true);
    rtcore_vacate(r, slot, now);
    warps_leave(r, slot, now);
}

/* The result that has waited longest, if its port has room. */
static void send_result(struct rtcore *r)
{
    struct msg_list *results = &r->warps->results;
    uint32_t index = results->first;
    struct msg *m = unit_msg(&r->unit, index);
    struct outport *o = &r->unit.out[HIT][m->when];
    r->returning = false;
    if (!link_ready(o))
        return;
    msg_list_pop(&r->unit, results);
    if (m->flags & MSG_PAYLOAD) {
        struct payload p = msg_payload(&r->unit, m);
        link_forward(o, index, &p);
    } else {
        link_forward(o, index, NULL);
    }
    r->standing--;
    r->worked = true;
    r->returning = results->count > 0;
}

void warps_return(struct rtcore *r, uint64_t now)
{
    while (fifo_any(&r->finished)) {
        r->standing--;
        put_by(r, fifo_pop(&r->finished), now);
    }
    if (r->warps->results.count)
        send_result(r);
}
