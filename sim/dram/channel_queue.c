#include "sim/dram/channel_queue.h"
#include <string.h>

void queue_init(struct queue *q, struct request *pool, uint32_t capacity)
{
    q->pool = pool;
    q->capacity = capacity;
    memset(q->oldest, 0xff, sizeof q->oldest);
    memset(q->youngest, 0xff, sizeof q->youngest);
    memset(q->hit, 0xff, sizeof q->hit);
    memset(q->other, 0xff, sizeof q->other);
}

bool queue_add(struct queue *q, uint16_t request, uint32_t open)
{
    struct request *r = &q->pool[request];
    uint32_t b = r->bank;
    r->older = q->youngest[b];
    r->younger = NO_REQUEST;
    if (r->older == NO_REQUEST) {
        q->oldest[b] = request;
        q->occupied[b / 64] |= UINT64_C(1) << (b % 64);
    } else {
        q->pool[r->older].younger = request;
    }
    q->youngest[b] = request;
    q->size++;
    uint16_t *candidate = r->row == open ? &q->hit[b] : &q->other[b];
    if (*candidate != NO_REQUEST)
        return false;
    *candidate = request;
    q->not_before[b] = 0;
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

static void unlink_request(struct queue *q, const struct request *r)
{
    uint32_t b = r->bank;
    if (r->older == NO_REQUEST)
        q->oldest[b] = r->younger;
    else
        q->pool[r->older].younger = r->younger;
    if (r->younger == NO_REQUEST)
        q->youngest[b] = r->older;
    else
        q->pool[r->younger].older = r->older;
    if (q->oldest[b] == NO_REQUEST)
        q->occupied[b / 64] &= ~(UINT64_C(1) << (b % 64));
    q->size--;
}

void queue_remove(struct queue *q, uint16_t request, uint32_t open)
{
    const struct request *r = &q->pool[request];
    unlink_request(q, r);
    q->not_before[r->bank] = 0;
    if (q->hit[r->bank] == request)
        q->hit[r->bank] = next_hit(q, r->younger, open);
    else if (q->other[r->bank] == request)
        q->other[r->bank] = next_other(q, r->younger, open);
}

void queue_row_changed(struct queue *q, uint32_t bank, uint32_t open)
{
    if (!queue_occupies(q, bank))
        return;
    uint16_t oldest = q->oldest[bank];
    q->not_before[bank] = 0;
    q->hit[bank] = open == NO_ROW ? NO_REQUEST : next_hit(q, oldest, open);
    q->other[bank] = next_other(q, oldest, open);
}

uint16_t queue_find(const struct queue *q, uint32_t bank, uint32_t row,
                    uint32_t column)
{
    uint16_t i = q->oldest[bank];
    while (i != NO_REQUEST &&
           (q->pool[i].row != row || q->pool[i].column != column))
        i = q->pool[i].younger;
    return i;
}
