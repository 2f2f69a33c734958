/*
 * Hints to the host. When a ray ends, a thread processor that has slept for
 * thousands of cycles gets its hit, and another one, whose ray has waited as
 * long, sends the next. Their state is far from the host's caches. That a step
 * may be the last one is known when it enters its pipeline, cycles before; but
 * every second time it is not, so that only what the next ray needs is asked
 * for then: it will be next anyway.
 */
#include "sim/units/rtcore_private.h"

void rtcore_find_row(struct rtcore *r)
{
    const struct unit *u = &r->unit;
    r->row = tp_row_at(u->out[HIT], u->links[HIT], &r->row_ports);
}

int rtcore_port_in_turn(const struct rtcore *r)
{
    const struct unit *u = &r->unit;
    return mask_next(u->pending + u->first_word[RAY], r->ray_words,
                     r->next_port);
}

/* The same as a number that is too large if there is none. */
static inline uint32_t next_asker(const struct rtcore *r)
{
    return (uint32_t)rtcore_port_in_turn(r);
}

void rtcore_foresee_next(const struct rtcore *r)
{
    uint32_t next = next_asker(r);
    if (next >= r->row_ports)
        return;
    host_prefetch(&r->unit.in[RAY][next]);
    tp_foresee_room(r->row, next);
}

void rtcore_foresee_hit(const struct rtcore *r, uint32_t slot)
{
    struct asker asker = r->askers[slot];
    if (asker.port >= r->row_ports)
        return;
    host_prefetch(&r->unit.out[HIT][asker.port]);
    tp_foresee_hit(r->row, asker.port, asker.tag);
}

void rtcore_expect_next(const struct rtcore *r)
{
    uint32_t next = next_asker(r);
    if (next >= r->row_ports)
        return;
    const struct tile *t = r->unit.tile;
    const struct msg *ray = &t->pool[r->unit.in[RAY][next].head];
    host_prefetch(&t->payloads[(uint32_t)ray->value]);
    tp_expect_room(r->row, next);
}
