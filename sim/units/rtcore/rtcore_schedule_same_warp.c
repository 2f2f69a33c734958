/* A ray of the warp of which one went on last, and else of the oldest warp. */
#include "sim/units/rtcore/rtcore_schedule.h"

struct same_warp {
    uint64_t last; /* the warp's age, UINT64_MAX: none has gone on */
    uint32_t same, others;
    struct aged heap[]; /* the same warp's, and from RTCORE_LANES on others' */
};

static void begin(void *state, uint32_t slots)
{
    ((struct same_warp *)state)->last = UINT64_MAX;
}

/* Rays of the same warp are few: they stand in a heap of their own. */
static void add(void *state, uint32_t slot, uint64_t age)
{
    struct same_warp *s = state;
    struct aged entry = {age, slot};
    if (age / RTCORE_LANES == s->last)
        aged_add(s->heap, s->same++, entry);
    else
        aged_add(s->heap + RTCORE_LANES, s->others++, entry);
}

static uint32_t take(void *state)
{
    struct same_warp *s = state;
    struct aged *others = s->heap + RTCORE_LANES;
    if (!s->same) {
        s->last = others[0].age / RTCORE_LANES;
        while (s->others && others[0].age / RTCORE_LANES == s->last) {
            uint64_t age = others[0].age;
            uint32_t slot = aged_take(others, s->others--);
            aged_add(s->heap, s->same++, (struct aged){age, slot});
        }
    }
    return aged_take(s->heap, s->same--);
}

const struct rtcore_schedule rtcore_schedule_same_warp = {
    .bytes = sizeof(struct same_warp) + RTCORE_LANES * sizeof(struct aged),
    .slot_bytes = sizeof(struct aged),
    .begin = begin,
    .add = add,
    .take = take,
    .warps = true,
};
