/*
 * Wake-ups that are further off than the wheel reaches: a list for each tile,
 * the latest first. They go into the wheel when it reaches them, so a unit
 * that sleeps long costs nothing until then, and the clock jumps over its
 * sleep. A unit that asks for the same cycle again and again has one entry.
 */
#include "sim/core/chip_private.h"

/* Entries before this one are later, or of the same cycle and a later word. */
static uint32_t place_of(const struct tile *t, uint32_t word, uint64_t when)
{
    uint32_t low = 0, high = t->far_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct far_wake *f = &t->far[middle];
        if (f->when > when || (f->when == when && f->word > word))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void make_room(struct tile *t)
{
    uint32_t old = t->far_room, room = old ? 2 * old : 16;
    if (t->far_count < old)
        return;
    t->far = pile_regrow(&t->chip->pile, t->far, old * sizeof *t->far,
                         room * sizeof *t->far);
    t->far_room = room;
}

void tile_wake_far(struct tile *t, uint32_t word, uint64_t units, uint64_t when)
{
    make_room(t);
    uint32_t at = place_of(t, word, when);
    struct far_wake *f = &t->far[at];
    if (at < t->far_count && f->when == when && f->word == word) {
        f->units |= units;
        return;
    }
    memmove(f + 1, f, (t->far_count++ - at) * sizeof *f);
    *f = (struct far_wake){when, units, word};
}

void tile_take_far(struct tile *t)
{
    while (tile_far_event(t) < t->now + WHEEL) {
        const struct far_wake *f = &t->far[--t->far_count];
        tile_wake(t, f->word, f->units, f->when);
    }
}
