/*
 * Requests of TMs, in order for each, and items put together in the open bucket
 * of their segment in this bank.
 */
#include "sim/units/streams/streamscheduler_private.h"
#include <assert.h>
#include <corbel/rays.h>

static uint32_t *open_bucket(struct streamscheduler *s, uint32_t segment,
                             uint32_t bank)
{
    return &s->open[(size_t)segment * s->bank_count + bank];
}

/* ---- items ---- */

static uint32_t begin_bucket(struct streamscheduler *s, uint32_t segment)
{
    uint32_t number;
    if (s->spare.count)
        number = number_list_take(s->policy.next, &s->spare);
    else if (s->buckets_used < s->bucket_count)
        number = s->buckets_used++;
    else
        return NO_BUCKET;
    s->buckets[number] = (struct bucket){.segment = segment};
    policy_open(&s->policy, segment);
    s->stats.opened++;
    return number;
}

static void close_bucket(struct streamscheduler *s, struct bank *b,
                         uint32_t bucket)
{
    assert(b->to_write.count < s->bank_queue);
    number_list_add(s->policy.next, &b->to_write, bucket);
    s->to_write++;
}

/* The item joins the open bucket of its segment, which may be full then. */
static void store(struct streamscheduler *s, uint32_t bank, const struct msg *m,
                  const struct corbel_ray *ray)
{
    uint32_t *open = open_bucket(s, m->tag, bank);
    uint32_t number = *open - 1;
    if (!*open) {
        number = begin_bucket(s, m->tag);
        if (number == NO_BUCKET) {
            streamscheduler_refuse(s, REFUSAL_HEAP, m->tag);
            return;
        }
        *open = number + 1;
    }
    struct bucket *b = &s->buckets[number];
    struct item *item = &s->items[(size_t)number * s->capacity + b->items++];
    s->stats.stored++;
    item->ray = *ray;
    item->number = (uint32_t)m->addr;
    policy_item(&s->policy, m->tag, m->aux);
    if (b->items == s->capacity) {
        *open = 0;
        close_bucket(s, &s->banks[bank], number);
    }
}

/* Is the item one that may come? If not, it is refused. */
static bool may_come(struct streamscheduler *s, uint32_t segment)
{
    enum refusal why = REFUSAL_NONE;
    if (segment >= s->policy.count)
        why = REFUSAL_UNKNOWN;
    else if (s->announced && s->roots_come > s->roots)
        why = REFUSAL_ROOTS;
    else if (!policy_expects(&s->policy, segment))
        why = REFUSAL_OVER;
    if (why)
        streamscheduler_refuse(s, why, segment);
    return !why;
}

static void take_item(struct streamscheduler *s, uint32_t bank,
                      const struct msg *m)
{
    const struct payload payload = msg_payload(&s->unit, m);
    const struct corbel_ray ray = stream_ray(payload.bytes);
    bool dead = corbel_ray_is_dead(&ray), root = m->tag == 0;
    if (s->refused)
        return;
    s->roots_come += root;
    if (!may_come(s, m->tag))
        return;
    s->stats.items++;
    s->stats.dead += dead;
    s->stats.roots += root;
    s->stats.dead_roots += root && dead;
    s->stats.live += !dead;
    s->stats.live_roots += root && !dead;
    if (!dead)
        store(s, bank, m, &ray);
}

/* ---- requests ---- */

/* Would the item fill a bucket for which there is no place to wait? */
static bool lacks_room(struct streamscheduler *s, uint32_t bank,
                       const struct msg *m)
{
    if (s->banks[bank].to_write.count < s->bank_queue || s->refused ||
        m->tag >= s->policy.count)
        return false;
    uint32_t open = *open_bucket(s, m->tag, bank);
    uint32_t items = open ? s->buckets[open - 1].items : 0;
    return items + 1 == s->capacity;
}

static bool must_wait(struct streamscheduler *s, uint32_t bank, uint32_t tm,
                      const struct msg *m)
{
    const struct client *c = &s->clients[tm];
    if (m->size != s->kernel)
        return false;
    if (m->op == STREAM_LOAD)
        return c->order.count + c->waiting == LOADS;
    return m->op == STREAM_ITEM && lacks_room(s, bank, m);
}

static void take_load(struct streamscheduler *s, uint32_t tm)
{
    s->loads[ring_add(&s->loads_order)] = tm;
    s->clients[tm].waiting++;
}

static void take_complete(struct streamscheduler *s, uint32_t segment)
{
    if (s->refused)
        return;
    if (policy_complete(&s->policy, segment))
        s->stats.retired++;
    else
        streamscheduler_refuse(s, REFUSAL_COMPLETE, segment);
}

static void take_roots(struct streamscheduler *s, const struct msg *m)
{
    if (s->announced)
        streamscheduler_refuse(s, REFUSAL_AGAIN, 0);
    s->announced = true;
    s->roots = m->tag;
    if (s->roots_come > s->roots)
        streamscheduler_refuse(s, REFUSAL_ROOTS, 0);
    s->records = m->addr;
}

static void perform(struct streamscheduler *s, uint32_t bank, uint32_t tm,
                    const struct msg *m)
{
    if (!s->started)
        streamscheduler_start(s);
    if (m->op == STREAM_ITEM)
        take_item(s, bank, m);
    else if (m->op == STREAM_LOAD)
        take_load(s, tm);
    else if (m->op == STREAM_COMPLETE)
        take_complete(s, m->tag);
    else if (m->op == STREAM_ROOTS)
        take_roots(s, m);
}

/* False: it has to wait. */
static bool take_request(struct streamscheduler *s, uint32_t bank, uint32_t tm)
{
    struct inport *in = &s->unit.in[TM][tm];
    if (must_wait(s, bank, tm, link_peek(in)))
        return false;
    const struct msg m = link_pop(in);
    s->moved = s->changed = true;
    if (m.size == s->kernel)
        perform(s, bank, tm, &m);
    else if (m.flags & MSG_PAYLOAD)
        msg_payload(&s->unit, &m);
    return true;
}

/* The TMs of a bank take turns; one that has to wait keeps its turn. */
static void take_in_turn(struct streamscheduler *s, uint32_t bank)
{
    struct bank *b = &s->banks[bank];
    const uint64_t *pending = unit_pending(&s->unit, TM);
    for (uint32_t i = 0, turn = b->next_tm; i < b->tms; i++) {
        uint32_t tm = b->first_tm + turn;
        turn = port_after(turn, b->tms);
        if (pending[tm / 64] >> tm % 64 & 1) {
            if (take_request(s, bank, tm))
                b->next_tm = turn;
            return;
        }
    }
}

static uint32_t bank_of(const struct streamscheduler *s, uint32_t tm,
                        const struct msg *m)
{
    return m->op == STREAM_ITEM && m->tag
               ? m->tag % s->bank_count
               : tm * s->bank_count / s->client_count;
}

/* The first request of each TM goes to the bank that it is for, if that has
 * taken none yet. Another TM is the first one in the next cycle. */
static void take_by_segment(struct streamscheduler *s)
{
    uint64_t taken[STREAM_BANKS_MAX / 64] = {0};
    const uint64_t *pending = unit_pending(&s->unit, TM);
    bool any = false;
    for (uint32_t i = 0, tm = s->next_tm; i < s->client_count;
         i++, tm = port_after(tm, s->client_count)) {
        if (!(pending[tm / 64] >> tm % 64 & 1))
            continue;
        uint32_t bank = bank_of(s, tm, link_peek(&s->unit.in[TM][tm]));
        uint64_t bit = 1ULL << bank % 64;
        if (!s->banks[bank].to_flush.count && !(taken[bank / 64] & bit) &&
            take_request(s, bank, tm)) {
            taken[bank / 64] |= bit;
            any = true;
        }
    }
    if (any)
        s->next_tm = port_after(s->next_tm, s->client_count);
}

void banks_take(struct streamscheduler *s)
{
    if (s->by_segment) {
        take_by_segment(s);
        return;
    }
    for (uint32_t bank = 0; bank < s->bank_count; bank++)
        if (!s->banks[bank].to_flush.count)
            take_in_turn(s, bank);
}

/* ---- flushing ---- */

void banks_flush_segment(struct streamscheduler *s, uint32_t segment)
{
    for (uint32_t bank = 0; bank < s->bank_count; bank++) {
        uint32_t *open = open_bucket(s, segment, bank);
        if (!*open)
            continue;
        number_list_add(s->policy.next, &s->banks[bank].to_flush, *open - 1);
        s->to_flush++;
        *open = 0;
    }
}

void banks_flush(struct streamscheduler *s)
{
    for (uint32_t bank = 0; s->to_flush && bank < s->bank_count; bank++) {
        struct bank *b = &s->banks[bank];
        if (!b->to_flush.count || b->to_write.count == s->bank_queue)
            continue;
        close_bucket(s, b, number_list_take(s->policy.next, &b->to_flush));
        s->to_flush--;
        s->moved = true;
    }
}
