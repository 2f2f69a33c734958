/*
 * Places of a ring, the entries of which are in an array of `room` that its
 * owner keeps: a queue whose first entry is at `head`.
 */
#ifndef SIM_UNITS_RING_H
#define SIM_UNITS_RING_H

#include "sim/core/checked.h"
#include <stdbool.h>
#include <stdint.h>

struct ring {
    uint32_t head, count, room;
};

static inline bool ring_full(const struct ring *r)
{
    return r->count == r->room;
}

/* The place of entry n, from the first one on: 0 to count, if that is less
 * than room. */
static inline uint32_t ring_place(const struct ring *r, uint32_t n)
{
    uint32_t at = r->head + n;
    return at < r->room ? at : at - r->room;
}

/* The place of a new last entry, for which there is room. */
static inline uint32_t ring_add(struct ring *r)
{
    CHECKED_ASSERT(r->count < r->room);
    return ring_place(r, r->count++);
}

/* Drops the first entry, which there is. */
static inline void ring_drop(struct ring *r)
{
    CHECKED_ASSERT(r->count);
    r->head = r->head + 1 == r->room ? 0 : r->head + 1;
    r->count--;
}

#endif
