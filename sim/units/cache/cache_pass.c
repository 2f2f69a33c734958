/*
 * Requests that are passed on to the level below as they are, and their answers
 * on the way up. An entry holds the client that gets the answer.
 */
#include "sim/units/cache/cache_private.h"

/*
 * An lr may wait long for its turn. So each hart has an entry of its own for
 * it, and takes none from those requests that the turn has to wait for.
 */
static bool is_lr(const struct msg *m)
{
    return m->op == MEM_ATOMIC && m->aux == ISA_LR;
}

bool cache_may_pass(const struct cache *c, const struct msg *m)
{
    if (is_lr(m))
        return !c->misses.reserving[m->from].next_free && room_below(c);
    return c->misses.free_passed != NO_ENTRY && room_below(c);
}

static uint16_t take_passed(struct cache *c, const struct msg *m)
{
    uint16_t index = c->misses.free_passed;
    struct passed *p = &c->misses.passed[index];
    c->misses.free_passed = p->next_free;
    c->misses.passed_used++;
    p->port = (uint16_t)m->when;
    p->tag = m->tag;
    p->from = (uint32_t)m->from;
    return index;
}

static uint32_t take_reserving(struct cache *c, const struct msg *m)
{
    c->misses.reserving[m->from] = (struct passed){.port = (uint16_t)m->when,
                                                   .next_free = 1,
                                                   .tag = m->tag,
                                                   .from = m->from};
    c->misses.passed_used++;
    return TAG_RESERVING | (uint32_t)m->from;
}

/* The levels below that shall not keep the data are one fewer. */
static uint8_t flags_below(const struct msg *m)
{
    uint8_t bypass = m->flags & MEM_BYPASS;
    return (uint8_t)((m->flags & MSG_PAYLOAD) | (bypass ? bypass - 1 : 0));
}

void cache_pass_on(struct cache *c, const struct msg *m)
{
    uint32_t index = is_lr(m) ? take_reserving(c, m) : take_passed(c, m);
    struct msg *on = add_below(c, m->addr);
    *on = *m;
    on->flags = flags_below(m);
    if (m->op == MEM_UPDATE)
        on->from = FROM_PASSED | index;
    else
        on->tag = m->op == MEM_READ ? TAG_PASSED | index : index;
}

void cache_pass_by(struct cache *c, const struct msg *m)
{
    uint16_t index = take_passed(c, m);
    c->misses.captured[index] = cache_capture(c, m);
    struct msg *on = add_below(c, m->addr);
    *on = (struct msg){.op = MEM_FILL,
                       .addr = m->addr & ~(uint64_t)(SECTOR - 1),
                       .from = m->from,
                       .size = SECTOR,
                       .tag = TAG_PASSED | index};
    trip_goes_on(on, m);
}

/* ---- answers to what was passed on ---- */

bool cache_answers_passed(const struct msg *m)
{
    enum mem_op kind = answer_kind(m);
    if (kind == MEM_DATA)
        return m->tag & TAG_PASSED;
    if (kind == MEM_UPDATED)
        return m->from & FROM_PASSED;
    return (kind == MEM_DONE || kind == MEM_OLD) && m->tag != TAG_FENCE;
}

static bool answers_reserving(const struct msg *m)
{
    return answer_kind(m) == MEM_OLD && m->tag & TAG_RESERVING;
}

const struct passed *cache_passed_of(const struct cache *c, const struct msg *m)
{
    if (answers_reserving(m))
        return &c->misses.reserving[m->tag & ~TAG_RESERVING];
    return &c->misses.passed[(
        uint16_t)(answer_kind(m) == MEM_UPDATED ? m->from : m->tag)];
}

static struct passed free_passed(struct cache *c, const struct msg *m)
{
    struct passed *p = (struct passed *)cache_passed_of(c, m), was = *p;
    c->misses.passed_used--;
    if (answers_reserving(m)) {
        p->next_free = 0;
    } else {
        p->next_free = c->misses.free_passed;
        c->misses.free_passed = (uint16_t)(p - c->misses.passed);
    }
    return was;
}

/* What was passed on has failed: nothing of it is kept. */
static void forget_failed(struct cache *c, const struct msg *m)
{
    struct line *l = store_find(&c->store, m->addr);
    uint8_t bit = (uint8_t)(1u << piece_of(&c->store, m->addr));
    if (!l)
        return;
    if (l->pending & bit)
        l->stale |= bit;
    else
        cache_drop(c, l, bit & (uint8_t)~l->dirty);
}

/* The owner's answer was captured when the load passed by. */
static void take_captured(struct cache *c, struct msg *m)
{
    struct msg *captured = &c->misses.captured[(uint16_t)m->tag];
    if (m->op != MEM_FAULT) {
        trip_goes_on(captured, m);
        *m = *captured;
        return;
    }
    m->addr = captured->addr;
    m->aux = MEM_READ;
    if (captured->flags & MSG_PAYLOAD)
        msg_payload(&c->unit, captured);
}

void cache_relay(struct cache *c)
{
    struct msg m = c->back.relay;
    uint8_t flags = deeper(m.flags);
    struct passed p = free_passed(c, &m);
    if (c->owner)
        take_captured(c, &m);
    if (m.op == MEM_FAULT)
        forget_failed(c, &m);
    m.tag = p.tag;
    m.from = p.from;
    c->doing &= (uint8_t)~RELAYING;
    bool carries = m.flags & MSG_PAYLOAD;
    struct payload bytes;
    if (carries)
        bytes = msg_payload(&c->unit, &m);
    m.flags = flags;
    cache_answer(c, p.port, &m, carries ? &bytes : NULL);
}
