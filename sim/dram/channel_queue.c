#include "sim/dram/channel_queue.h"

void queue_init(struct queue *q, struct request *pool, uint32_t capacity)
{
    q->pool = pool;
    q->capacity = capacity;
    for (uint32_t b = 0; b < TIMING_BANKS; b++)
        q->banks[b] = (struct queue_bank){NO_REQUEST, NO_REQUEST, NO_REQUEST,
                                          NO_REQUEST, 0};
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
    if (r->older == NO_REQUEST) {
        b->oldest = request;
        q->occupied[r->bank / 64] |= UINT64_C(1) << (r->bank % 64);
    } else {
        q->pool[r->older].younger = request;
    }
    b->youngest = request;
    q->size++;
    mark(q, r, 1);
    uint16_t *candidate = r->row == open ? &b->hit : &b->other;
    if (*candidate != NO_REQUEST)
        return false;
    *candidate = request;
    b->not_before = 0;
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
    if (b->oldest == NO_REQUEST)
        q->occupied[r->bank / 64] &= ~(UINT64_C(1) << (r->bank % 64));
    q->size--;
}

void queue_remove(struct queue *q, uint16_t request, uint32_t open)
{
    const struct request *r = &q->pool[request];
    struct queue_bank *b = &q->banks[r->bank];
    unlink_request(q, b, r);
    mark(q, r, -1);
    b->not_before = 0;
    if (b->hit == request)
        b->hit = next_hit(q, r->younger, open);
    else if (b->other == request)
        b->other = next_other(q, r->younger, open);
}

void queue_row_changed(struct queue *q, uint32_t bank, uint32_t open)
{
    if (!queue_occupies(q, bank))
        return;
    struct queue_bank *b = &q->banks[bank];
    b->not_before = 0;
    b->hit = open == NO_ROW ? NO_REQUEST : next_hit(q, b->oldest, open);
    b->other = next_other(q, b->oldest, open);
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
