/*
 * Hints to the host: which of its lines a cache will soon touch. Nothing here
 * changes anything of the model.
 */
#include "sim/units/cache/cache_private.h"

/* Asks for the entry of what was passed on, then for the port of the answer. */
static bool expect_passed(const struct cache *c, const struct msg *m,
                          unsigned round)
{
    const struct passed *p = cache_passed_of(c, m);
    if (!round)
        host_prefetch(p);
    else
        host_prefetch(&c->unit.out[REPLY][p->port]);
    return !round;
}

/* Asks for the MSHR, then for its line and first target. */
static bool expect_fill(const struct cache *c, const struct msg *m,
                        unsigned round)
{
    const struct mshr *e = &c->misses.mshrs[(uint16_t)m->tag];
    if (!round) {
        host_prefetch(e);
    } else {
        host_prefetch(&c->store.lines[e->line]);
        host_prefetch(unit_msg(&c->unit, e->first));
    }
    return !round;
}

/* A request or answer comes from another tile. */
bool cache_expect(const struct unit *u, const struct msg *m, unsigned round)
{
    const struct cache *c = (const struct cache *)u;
    const struct store *s = &c->store;
    if (!round) {
        host_prefetch(&c->rested);
        host_prefetch(&c->front.banks);
        host_prefetch(&c->store.tags);
    }
    if (cache_answers_passed(m))
        return expect_passed(c, m, round);
    if (m->op == MEM_DATA)
        return expect_fill(c, m, round);
    host_prefetch(&s->tags[(size_t)set_at(s, m->addr) * s->tag_ways]);
    return false;
}

/*
 * Asks for the requests that have waited since an earlier epoch, at the ports
 * or at the end of their bank.
 */
static void warm_waiting(const struct cache *c)
{
    const struct msg *pool = unit_pool(&c->unit);
    for (uint32_t w = 0; w < c->front.words; w++)
        for (uint64_t m = c->front.cpu[w]; m; m &= m - 1) {
            uint32_t port = w * 64 + (uint32_t)mask_first(m);
            host_touch(&pool[link_first(&c->unit.in[CPU][port])]);
        }
    for (uint64_t m = c->front.banks_ready; m; m &= m - 1)
        host_touch(&pool[c->front.banks[mask_first(m)].first]);
}

void cache_prepare(const struct unit *u, uint64_t end)
{
    const struct cache *c = (const struct cache *)u;
    (void)end;
    warm_waiting(c);
    host_prefetch(&c->misses.mshrs[c->misses.free_mshr]);
    host_prefetch(&c->misses.passed[c->misses.free_passed]);
}
