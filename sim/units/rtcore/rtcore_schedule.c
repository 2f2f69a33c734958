/*
 * Which of the rays that can go on does: in the order in which they became
 * ready (a FIFO), the oldest one (a heap), by slot in turn (a mask), or the
 * one that went last and else the oldest (a heap and that one beside it).
 * None looks at all slots.
 */
#include "sim/units/rtcore/rtcore_private.h"

struct aged {
    uint64_t age;
    uint32_t slot;
};

/* A row for each choice of the parameter; fcfs needs none. */
struct discipline {
    void (*add)(struct ready *ready, uint32_t slot, uint64_t age);
    uint32_t (*take)(struct ready *ready);
};

/* Every parent is older than its children, 2 i + 1 and 2 i + 2. */
static void add_aged(struct ready *ready, uint32_t slot, uint64_t age)
{
    struct aged *heap = ready->heap;
    uint32_t i = ready->heap_size++;
    for (; i && heap[(i - 1) / 2].age > age; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = (struct aged){age, slot};
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

static uint32_t take_oldest(struct ready *ready)
{
    uint32_t slot = ready->heap[0].slot;
    struct aged moved = ready->heap[--ready->heap_size];
    sink(ready->heap, ready->heap_size, moved);
    return slot;
}

static void add_marked(struct ready *ready, uint32_t slot, uint64_t age)
{
    (void)age;
    ready->mask[slot / 64] |= 1ULL << slot % 64;
}

static uint32_t take_in_turn(struct ready *ready)
{
    uint32_t slot = (uint32_t)mask_next(ready->mask, ready->words, ready->next);
    ready->mask[slot / 64] &= ~(1ULL << slot % 64);
    ready->next = (slot + 1) % (64 * ready->words);
    return slot;
}

static void add_unless_last(struct ready *ready, uint32_t slot, uint64_t age)
{
    if (slot == ready->last)
        ready->last_ready = true;
    else
        add_aged(ready, slot, age);
}

static uint32_t take_last_or_oldest(struct ready *ready)
{
    if (!ready->last_ready)
        ready->last = take_oldest(ready);
    ready->last_ready = false;
    return ready->last;
}

static const struct discipline disciplines[] = {
    {NULL, NULL},
    {add_aged, take_oldest},
    {add_marked, take_in_turn},
    {add_unless_last, take_last_or_oldest},
};

void ready_new(struct ready *ready, struct rtcore *r)
{
    struct chip *chip = r->unit.chip;
    uint32_t slots = r->slot_count;
    int64_t schedule = r->params.schedule;
    if (schedule)
        ready->by = &disciplines[schedule];
    ready->words = (slots + 63) / 64;
    ready->mask = chip_alloc(chip, ready->words, sizeof *ready->mask);
    ready->heap = chip_alloc(chip, slots, sizeof *ready->heap);
    ready->last = NONE;
    fifo_new(&ready->fifo, r);
}

void ready_add(struct ready *ready, uint32_t slot, uint64_t age)
{
    ready->count++;
    if (ready->by)
        ready->by->add(ready, slot, age);
    else
        fifo_push(&ready->fifo, slot);
}

uint32_t ready_take(struct ready *ready)
{
    ready->count--;
    return ready->by ? ready->by->take(ready) : fifo_pop(&ready->fifo);
}

void rtcore_ready(struct rtcore *r, uint32_t slot, enum ray_state from,
                  uint64_t now)
{
    rtcore_move(r, &r->slots[slot], from, STATE_ray_ready, now);
    ready_add(&r->ready, slot, r->ready.by ? rtcore_ray(r, slot)->taken : 0);
    r->standing++;
}
