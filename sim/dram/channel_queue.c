#include "sim/dram/channel_queue.h"
#include <stdlib.h>

void queue_init(struct queue *q, struct request *pool, uint32_t capacity)
{
    q->pool = pool;
    q->capacity = capacity;
    q->banks = aligned_alloc(64, TIMING_BANKS * sizeof *q->banks);
    if (!q->banks)
        abort();
    for (uint32_t b = 0; b < TIMING_BANKS; b++)
        q->banks[b] = (struct queue_bank){NO_AGE,     NO_AGE,     NO_REQUEST,
                                          NO_REQUEST, NO_REQUEST, NO_REQUEST};
}

void queue_destroy(struct queue *q)
{
    free(q->banks);
}

static void set_bit(uint64_t *mask, uint32_t bank, bool to)
{
    uint64_t others = mask[bank / 64] & ~(UINT64_C(1) << bank % 64);
    mask[bank / 64] = others | (uint64_t)to << bank % 64;
}

static void set_hit(struct queue *q, uint32_t bank, uint16_t i)
{
    q->banks[bank].hit = i;
    q->banks[bank].hit_age = i == NO_REQUEST ? NO_AGE : q->pool[i].age;
    set_bit(q->hits, bank, i != NO_REQUEST);
}

static void set_other(struct queue *q, uint32_t bank, uint16_t i)
{
    q->banks[bank].other = i;
    q->banks[bank].other_age = i == NO_REQUEST ? NO_AGE : q->pool[i].age;
    set_bit(q->others, bank, i != NO_REQUEST);
}

static void mark(struct queue *q, const struct request *r, int change)
{
    uint8_t *count = &q->marks[queue_mark(r->bank, r->row, r->column)];
    if (*count != QUEUE_MANY)
        *count = (uint8_t)(*count + change);
}

bool queue_add(struct queue *q, uint16_t request, uint32_t open)
{
    struct request *r = &q->pool[request];
    struct queue_bank *b = &q->banks[r->bank];
    r->older = b->youngest;
    r->younger = NO_REQUEST;
    if (r->older == NO_REQUEST)
        b->oldest = request;
    else
        q->pool[r->older].younger = request;
    b->youngest = request;
    q->size++;
    mark(q, r, 1);
    bool hits = r->row == open;
    if ((hits ? b->hit : b->other) != NO_REQUEST)
        return false;
    if (hits)
        set_hit(q, r->bank, request);
    else
        set_other(q, r->bank, request);
    return true;
}

static uint16_t next_hit(const struct queue *q, uint16_t from, uint32_t open)
{
    while (from != NO_REQUEST && q->pool[from].row != open)
        from = q->pool[from].younger;
    return from;
}

static uint16_t next_other(const struct queue *q, uint16_t from, uint32_t open)
{
    while (from != NO_REQUEST && q->pool[from].row == open)
        from = q->pool[from].younger;
    return from;
}

static void unlink_request(struct queue *q, struct queue_bank *b,
                           const struct request *r)
{
    if (r->older == NO_REQUEST)
        b->oldest = r->younger;
    else
        q->pool[r->older].younger = r->younger;
    if (r->younger == NO_REQUEST)
        b->youngest = r->older;
    else
        q->pool[r->younger].older = r->older;
    q->size--;
}

void queue_remove(struct queue *q, uint16_t request, uint32_t open)
{
    const struct request *r = &q->pool[request];
    struct queue_bank *b = &q->banks[r->bank];
    unlink_request(q, b, r);
    mark(q, r, -1);
    if (b->hit == request)
        set_hit(q, r->bank, next_hit(q, r->younger, open));
    else if (b->other == request)
        set_other(q, r->bank, next_other(q, r->younger, open));
}

void queue_row_changed(struct queue *q, uint32_t bank, uint32_t open)
{
    if (!queue_occupies(q, bank))
        return;
    uint16_t oldest = q->banks[bank].oldest;
    set_hit(q, bank, open == NO_ROW ? NO_REQUEST : next_hit(q, oldest, open));
    set_other(q, bank, next_other(q, oldest, open));
}

bool queue_lists(const struct queue *q, uint32_t bank, uint32_t row,
                 uint32_t column)
{
    uint16_t i = q->banks[bank].oldest;
    while (i != NO_REQUEST &&
           (q->pool[i].row != row || q->pool[i].column != column))
        i = q->pool[i].younger;
    return i != NO_REQUEST;
}
