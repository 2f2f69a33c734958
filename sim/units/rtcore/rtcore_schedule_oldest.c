/* The oldest of the rays that can go on, or one of the oldest of their warps.
 */
#include "sim/units/rtcore/rtcore_schedule.h"

struct oldest {
    uint32_t size;
    struct aged heap[];
};

static void add(void *state, uint32_t slot, uint64_t age)
{
    struct oldest *o = state;
    aged_add(o->heap, o->size++, (struct aged){age, slot});
}

static uint32_t take(void *state)
{
    struct oldest *o = state;
    return aged_take(o->heap, o->size--);
}

const struct rtcore_schedule rtcore_schedule_oldest = {
    .bytes = sizeof(struct oldest),
    .slot_bytes = sizeof(struct aged),
    .add = add,
    .take = take,
};

const struct rtcore_schedule rtcore_schedule_oldest_warp = {
    .bytes = sizeof(struct oldest),
    .slot_bytes = sizeof(struct aged),
    .add = add,
    .take = take,
    .warps = true,
};
