/* The ray that went on last, if it can again, and else the oldest one. */
#include "sim/units/rtcore/rtcore_schedule.h"
#include <stdbool.h>

struct greedy {
    uint32_t last;   /* slot that went last */
    bool last_ready; /* and can go on */
    uint32_t size;   /* without it */
    struct aged heap[];
};

static void begin(void *state, uint32_t slots)
{
    ((struct greedy *)state)->last = UINT32_MAX;
}

static void add(void *state, uint32_t slot, uint64_t age)
{
    struct greedy *g = state;
    if (slot == g->last)
        g->last_ready = true;
    else
        aged_add(g->heap, g->size++, (struct aged){age, slot});
}

static uint32_t take(void *state)
{
    struct greedy *g = state;
    if (!g->last_ready)
        g->last = aged_take(g->heap, g->size--);
    g->last_ready = false;
    return g->last;
}

const struct rtcore_schedule rtcore_schedule_greedy = {
    .bytes = sizeof(struct greedy),
    .slot_bytes = sizeof(struct aged),
    .begin = begin,
    .add = add,
    .take = take,
};
