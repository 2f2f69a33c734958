/*
 * The back of a cache: one queue to the level below, one answer a cycle from
 * there, and answers to the clients where these share a port of some width.
 *
 * A port's width is in bytes a cycle; a message may begin in the cycle in which
 * those before it end. That is counted in bytes, so that nothing is rounded.
 */
#include "sim/units/cache/cache_private.h"

static bool port_free(uint64_t busy, uint64_t now, uint64_t width)
{
    return !width || busy < (now + 1) * width;
}

static bool carries_value(const struct msg *m)
{
    return m->op == MEM_DATA || m->op == MEM_OLD || m->op == MEM_WRITE ||
           m->op == MEM_ATOMIC || m->op == MEM_UPDATE || m->op == MEM_WRITEBACK;
}

/* Returns the bytes of the message. */
static uint64_t use_port(const struct cache *c, uint64_t *busy, uint64_t now,
                         uint64_t width, const struct msg *m)
{
    uint64_t start = now * width;
    uint64_t bytes = c->back.header + (carries_value(m) ? m->size : 0u);
    if (*busy < start)
        *busy = start;
    *busy += bytes;
    return bytes;
}

/* The cycles that a message takes a port, if more wait meanwhile. */
static inline uint64_t crowded_for(uint64_t busy, uint64_t bytes,
                                   uint64_t width, bool more)
{
    if (!more)
        return 0;
    return width ? busy / width - (busy - bytes) / width : 1;
}

/* ---- from below ---- */

static void take_message(struct cache *c, const struct msg *m)
{
    enum mem_op kind = answer_kind(m);
    if (cache_answers_passed(m)) {
        c->back.relay = *m;
        c->doing |= RELAYING; /* in send */
    } else if (kind == MEM_DATA) {
        cache_install(c, m);
    } else if (kind == MEM_UPDATED) {
        cache_updated(c, m);
    } else {
        cache_fence_answered(c);
    }
}

/* Takes one message; what it answers is answered in send. */
void cache_take_answer(struct cache *c, uint64_t now)
{
    struct back *b = &c->back;
    if (!port_free(b->fill_busy, now, b->fill_width))
        return;
    int link = mask_next(b->fill, b->fill_words, b->next_fill);
    b->next_fill = (uint16_t)port_after((uint32_t)link, c->unit.links[FILL]);
    uint32_t index = link_take(&c->unit.in[FILL][link]);
    struct msg *m = unit_msg(&c->unit, index);
    trip_from_below(m, now);
    if (b->fill_width) {
        uint64_t bytes = use_port(c, &b->fill_busy, now, b->fill_width, m);
        OBSERVED_ADD(c->stats.fill_bytes, bytes);
        OBSERVED_ADD(c->stats.fill_crowded,
                     crowded_for(b->fill_busy, bytes, b->fill_width,
                                 mask_any(b->fill, b->fill_words)));
    }
    take_message(c, m);
    unit_free_msg(&c->unit, index);
}

/* ---- to below ---- */

unsigned cache_link(const struct cache *c, uint64_t address)
{
    const struct range *r = &c->back.treelets;
    if (address >= r->start && address < r->end)
        return c->unit.links[MEM];
    return c->unit.links[MEM] == 1 ? 0 : map_slice(&c->back.map, address);
}

struct outport *cache_route(const struct cache *c, uint64_t address)
{
    unsigned link = cache_link(c, address), slices = c->unit.links[MEM];
    return link < slices ? &c->unit.out[MEM][link] : &c->unit.out[SCENE][0];
}

/* Sends the queue's first message, with its payload if it has one. */
static void send_first(struct cache *c, struct queue *q, struct outport *o)
{
    struct msg *m = &q->entries[q->order.head].msg;
    if (m->flags & MSG_PAYLOAD) {
        struct payload bytes = msg_payload(&c->unit, m);
        link_push_full(o, m, &bytes);
    } else {
        link_push(o, m);
    }
    ring_drop(&q->order);
    c->worked = true;
}

void cache_send_below(struct cache *c, uint64_t now)
{
    struct queue *q = &c->back.below;
    uint64_t width = c->back.mem_width;
    if (!port_free(q->busy, now, width))
        return;
    struct outport *o = q->entries[q->order.head].to;
    if (!link_ready(o))
        return;
    uint64_t bytes = width ? use_port(c, &q->busy, now, width,
                                      &q->entries[q->order.head].msg)
                           : 0;
    OBSERVED_ADD(c->stats.mem_bytes, bytes);
    send_first(c, q, o);
    OBSERVED_ADD(c->stats.below_crowded,
                 crowded_for(q->busy, bytes, width, q->order.count != 0));
}

/* ---- answers that wait for their port ---- */

void cache_queue_answer(struct cache *c, uint32_t index,
                        const struct payload *payload)
{
    if (payload)
        unit_attach(&c->unit, index, payload);
    msg_list_add_in(unit_pool(&c->unit), &c->back.replies, index);
}

/* The answer goes on in its message. */
static void send_reply(struct cache *c, uint32_t index)
{
    struct msg *m = unit_msg(&c->unit, index);
    struct outport *o = &c->unit.out[REPLY][m->when];
    if (m->flags & MSG_PAYLOAD) {
        struct payload bytes = msg_payload(&c->unit, m);
        link_forward(o, index, &bytes);
    } else {
        link_forward(o, index, NULL);
    }
}

void cache_send_replies(struct cache *c, uint64_t now)
{
    struct back *b = &c->back;
    const struct msg *pool = unit_pool(&c->unit);
    while (b->replies.count && port_free(b->reply_busy, now, b->reply_width)) {
        uint32_t index = msg_list_pop_in(pool, &b->replies);
        uint64_t bytes =
            use_port(c, &b->reply_busy, now, b->reply_width, &pool[index]);
        OBSERVED_ADD(c->stats.reply_bytes, bytes);
        OBSERVED_ADD(c->stats.reply_crowded,
                     crowded_for(b->reply_busy, bytes, b->reply_width,
                                 b->replies.count != 0));
        send_reply(c, index);
        c->worked = true;
    }
}
