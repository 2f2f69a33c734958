#include "sim/dram/channel_queue.h"
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include <stdlib.h>

void queue_init(struct queue *q, struct request *pool,
                struct request_link *links, uint32_t capacity)
{
    q->pool = pool;
    q->links = links;
    q->capacity = capacity;
    q->banks = heap_lines(TIMING_BANKS, sizeof *q->banks, "a DRAM queue");
    q->hit_age =
        heap_lines(2 * TIMING_BANKS, sizeof *q->hit_age, "a DRAM queue");
    q->other_age = q->hit_age + TIMING_BANKS;
    for (uint32_t b = 0; b < TIMING_BANKS; b++) {
        q->banks[b] =
            (struct queue_bank){NO_REQUEST, NO_REQUEST, NO_REQUEST, NO_REQUEST};
        q->hit_age[b] = q->other_age[b] = NO_AGE;
    }
    for (uint32_t i = 0; i < QUEUE_HASHES; i++)
        q->hashed[i] = NO_REQUEST;
}

void queue_destroy(struct queue *q)
{
    free(q->banks);
    free(q->hit_age);
}

void queue_state(struct queue *q, struct state *s)
{
    state_bytes(s, q->banks, TIMING_BANKS * sizeof *q->banks);
    state_bytes(s, q->hit_age, 2 * TIMING_BANKS * sizeof *q->hit_age);
}

static void set_bit(uint64_t *mask, uint32_t bank, bool to)
{
    uint64_t others = mask[bank / 64] & ~(UINT64_C(1) << bank % 64);
    mask[bank / 64] = others | (uint64_t)to << bank % 64;
}

static void set_hit(struct queue *q, uint32_t bank, uint16_t i)
{
    q->banks[bank].hit = i;
    q->hit_age[bank] = i == NO_REQUEST ? NO_AGE : q->pool[i].age;
    set_bit(q->hits, bank, i != NO_REQUEST);
}

static void set_other(struct queue *q, uint32_t bank, uint16_t i)
{
    q->banks[bank].other = i;
    q->other_age[bank] = i == NO_REQUEST ? NO_AGE : q->pool[i].age;
    set_bit(q->others, bank, i != NO_REQUEST);
}

static uint16_t *hash_of(struct queue *q, uint16_t request)
{
    const struct request *r = &q->pool[request];
    return &q->hashed[queue_hash(r->bank, q->links[request].row, r->column)];
}

static void enter_hash(struct queue *q, uint16_t request)
{
    uint16_t *first = hash_of(q, request);
    q->pool[request].same = *first;
    *first = request;
}

static void leave_hash(struct queue *q, uint16_t request)
{
    uint16_t *link = hash_of(q, request);
    while (*link != request)
        link = &q->pool[*link].same;
    *link = q->pool[request].same;
}

bool queue_add(struct queue *q, uint16_t request, uint32_t open)
{
    const struct request *r = &q->pool[request];
    struct request_link *l = &q->links[request];
    struct queue_bank *b = &q->banks[r->bank];
    l->older = b->youngest;
    l->younger = NO_REQUEST;
    if (l->older == NO_REQUEST)
        b->oldest = request;
    else
        q->links[l->older].younger = request;
    b->youngest = request;
    q->size++;
    if (r->write)
        enter_hash(q, request);
    bool hits = l->row == open;
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
    while (from != NO_REQUEST && q->links[from].row != open)
        from = q->links[from].younger;
    return from;
}

static uint16_t next_other(const struct queue *q, uint16_t from, uint32_t open)
{
    while (from != NO_REQUEST && q->links[from].row == open)
        from = q->links[from].younger;
    return from;
}

static void unlink_request(struct queue *q, struct queue_bank *b,
                           const struct request_link *l)
{
    if (l->older == NO_REQUEST)
        b->oldest = l->younger;
    else
        q->links[l->older].younger = l->younger;
    if (l->younger == NO_REQUEST)
        b->youngest = l->older;
    else
        q->links[l->younger].older = l->older;
    q->size--;
}

void queue_remove(struct queue *q, uint16_t request, uint32_t open)
{
    const struct request *r = &q->pool[request];
    struct queue_bank *b = &q->banks[r->bank];
    uint16_t younger = q->links[request].younger;
    unlink_request(q, b, &q->links[request]);
    if (r->write)
        leave_hash(q, request);
    if (b->hit == request)
        set_hit(q, r->bank, next_hit(q, younger, open));
    else if (b->other == request)
        set_other(q, r->bank, next_other(q, younger, open));
}

void queue_row_changed(struct queue *q, uint32_t bank, uint32_t open)
{
    if (!queue_occupies(q, bank))
        return;
    uint16_t oldest = q->banks[bank].oldest;
    set_hit(q, bank, open == NO_ROW ? NO_REQUEST : next_hit(q, oldest, open));
    set_other(q, bank, next_other(q, oldest, open));
}
