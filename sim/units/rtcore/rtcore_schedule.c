/*
 * The rays that can go on, and which of them does: by the policy of the core's
 * parameter, or, as mostly, in the order in which they became ready (fcfs).
 */
#include "sim/core/checked.h"
#include "sim/units/rtcore/rtcore_private.h"

#define RTCORE_SCHEDULE_ROW(name) &rtcore_schedule_##name,
static const struct rtcore_schedule *const schedules[] = {
    RTCORE_SCHEDULES(RTCORE_SCHEDULE_ROW, RTCORE_SCHEDULE_ROW)};

const struct rtcore_schedule rtcore_schedule_fcfs = {.add = NULL};

/* ---- for policies ---- */

/* Every parent is older than its children, 2 i + 1 and 2 i + 2. */
void aged_add(struct aged *heap, uint32_t size, struct aged entry)
{
    uint32_t i = size;
    for (; i && heap[(i - 1) / 2].age > entry.age; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = entry;
}

/* Puts an entry where the first one was. */
static void sink(struct aged *heap, uint32_t size, struct aged entry)
{
    uint32_t i = 0;
    for (uint32_t child = 1; child < size; child = 2 * i + 1) {
        if (child + 1 < size && heap[child + 1].age < heap[child].age)
            child++;
        if (heap[child].age > entry.age)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = entry;
}

uint32_t aged_take(struct aged *heap, uint32_t size)
{
    uint32_t slot = heap[0].slot;
    struct aged moved = heap[size - 1];
    sink(heap, size - 1, moved);
    return slot;
}

/* ---- the rays ---- */

void ready_new(struct ready *ready, struct rtcore *r)
{
    const struct rtcore_schedule *by = schedules[r->params.schedule];
    fifo_new(&ready->fifo, r);
    if (!by->add)
        return;
    ready->by = by;
    ready->state =
        chip_alloc(r->unit.chip, 1, by->bytes + r->slot_count * by->slot_bytes);
    if (by->begin)
        by->begin(ready->state, r->slot_count);
}

void ready_add(struct ready *ready, uint32_t slot, uint64_t age)
{
    ready->count++;
    if (ready->by)
        ready->by->add(ready->state, slot, age);
    else
        fifo_push(&ready->fifo, slot);
}

uint32_t ready_take(struct ready *ready)
{
    CHECKED_ASSERT(ready->count);
    ready->count--;
    return ready->by ? ready->by->take(ready->state) : fifo_pop(&ready->fifo);
}

uint64_t rtcore_age(const struct rtcore *r, uint32_t slot)
{
    return r->ready.by && r->ready.by->warps ? warps_age(r, slot)
                                             : rtcore_ray(r, slot)->taken;
}

void rtcore_ready(struct rtcore *r, uint32_t slot, enum ray_state from,
                  uint64_t now)
{
    rtcore_move(r, &r->slots[slot], from, STATE_ray_ready, now);
    ready_add(&r->ready, slot, r->ready.by ? rtcore_age(r, slot) : 0);
    r->standing++;
}
