/*
 * Hints to the host. When a ray ends, a thread processor that has slept for
 * thousands of cycles gets its hit, and another one, whose ray has waited as
 * long, sends the next. Their state is far from the host's caches. That a step
 * may be the last one is known when it enters its pipeline: cycles before.
 */
#include "sim/units/rtcore_private.h"

void rtcore_find_row(struct rtcore *r)
{
    r->row = tp_row(outport_target(&r->unit.out[HIT][0]));
}

int rtcore_port_in_turn(const struct rtcore *r)
{
    const struct unit *u = &r->unit;
    return mask_next(u->pending + u->first_word[RAY], r->ray_words,
                     r->next_port);
}

void rtcore_foresee_last(const struct rtcore *r, uint32_t slot)
{
    struct asker asker = r->askers[slot];
    int next = rtcore_port_in_turn(r);
    host_prefetch(&r->unit.out[HIT][asker.port]);
    tp_foresee_hit(r->row, asker.port, asker.tag);
    if (next < 0)
        return;
    host_prefetch(&r->unit.in[RAY][next]);
    tp_foresee_room(r->row, (size_t)next);
}

void rtcore_expect_next(const struct rtcore *r)
{
    int next = rtcore_port_in_turn(r);
    if (next < 0)
        return;
    const struct inport *in = &r->unit.in[RAY][next];
    host_prefetch(&r->unit.tile->pool[in->head]);
    if (!in->latency && in->credited)
        tp_expect_room(in->peer->unit);
}
