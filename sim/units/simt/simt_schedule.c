/* Which of a sub-core's warps issues: the table of schedulers. */
#include "sim/units/simt/simt_private.h"

/* The first warp of a mask behind another, else the mask's first one. */
static unsigned after(uint64_t warps, unsigned last)
{
    uint64_t behind = warps & ~1ull << last;
    return first_of(behind ? behind : warps);
}

/* The one that began first, or last. */
static unsigned by_age(const struct simt *t, const struct simt_subcore *s,
                       uint64_t warps, bool youngest)
{
    unsigned best = first_of(warps);
    if (s->in_order)
        return youngest ? 63u - (unsigned)__builtin_clzll(warps) : best;
    for (uint64_t m = warps & (warps - 1); m; m &= m - 1) {
        uint32_t age = warp_of(t, s, first_of(m))->age;
        bool younger = age > warp_of(t, s, best)->age;
        if (younger == youngest)
            best = first_of(m);
    }
    return best;
}

static unsigned lrr(const struct simt *t, struct simt_subcore *s,
                    uint64_t ready)
{
    return after(ready, s->last);
}

/* Greedy, then oldest. */
static unsigned gto(const struct simt *t, struct simt_subcore *s,
                    uint64_t ready)
{
    return ready >> s->last & 1 ? s->last : by_age(t, s, ready, false);
}

static unsigned oldest(const struct simt *t, struct simt_subcore *s,
                       uint64_t ready)
{
    return by_age(t, s, ready, false);
}

/* Compiler-guided greedy, then youngest (Huerta et al., MICRO 2025). Here no
 * compiler guides it: registers and units say which warps may issue. */
static unsigned cggty(const struct simt *t, struct simt_subcore *s,
                      uint64_t ready)
{
    return ready >> s->last & 1 ? s->last : by_age(t, s, ready, true);
}

/* Does the warp wait for memory? Then it leaves the active ones. */
static bool waits_long(const struct simt *t, const struct simt_subcore *s,
                       unsigned number)
{
    const struct simt_warp *w = warp_of(t, s, number);
    return w->pending || w->state != RUNS;
}

/*
 * Some warps are active and take turns; one that waits for memory gives its
 * place to a pending one that is ready (Narasiman et al., MICRO 2011).
 */
static unsigned two_level(const struct simt *t, struct simt_subcore *s,
                          uint64_t ready)
{
    for (uint64_t m = s->active & ~ready; m; m &= m - 1)
        if (waits_long(t, s, first_of(m)))
            s->active &= ~bit(first_of(m));
    int room = (int)t->params.active_warps - (int)lane_count(s->active);
    for (uint64_t m = ready & ~s->active; m && room > 0; m &= m - 1, room--)
        s->active |= bit(first_of(m));
    uint64_t active = ready & s->active;
    return after(active ? active : ready, s->last);
}

#define ROW(name)                                                              \
    static const struct simt_scheduler simt_schedule_##name = {.pick = name};
SIMT_SCHEDULERS(ROW, ROW)
#undef ROW
#define ROW(name) &simt_schedule_##name,
const struct simt_scheduler *const simt_schedulers[] = {
    SIMT_SCHEDULERS(ROW, ROW)};
#undef ROW
