/* Slots in turn: the next one, from the last that went on, whose ray can. */
#include "sim/core/unit.h"
#include "sim/units/rtcore/rtcore_schedule.h"

#define SLOTS_MOST 1024u

struct turn {
    uint32_t words, next;
    uint64_t mask[SLOTS_MOST / 64];
};

static void begin(void *state, uint32_t slots)
{
    ((struct turn *)state)->words = (slots + 63) / 64;
}

static void add(void *state, uint32_t slot, uint64_t age)
{
    struct turn *t = state;
    t->mask[slot / 64] |= 1ULL << slot % 64;
}

static uint32_t take(void *state)
{
    struct turn *t = state;
    uint32_t slot = (uint32_t)mask_next(t->mask, t->words, t->next);
    t->mask[slot / 64] &= ~(1ULL << slot % 64);
    t->next = (slot + 1) % (64 * t->words);
    return slot;
}

const struct rtcore_schedule rtcore_schedule_round_robin = {
    .bytes = sizeof(struct turn),
    .begin = begin,
    .add = add,
    .take = take,
};
