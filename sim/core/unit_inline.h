/*
 * The functions that unit.h declares and that run too often to be calls. An
 * author of a unit reads unit.h; this is for authors of sim/core.
 */
#ifndef SIM_UNIT_INLINE_H
#define SIM_UNIT_INLINE_H

#include "sim/core/tile.h"
#include <assert.h>

/* link.c: an answer for which its link has no room. This is rare, so no
 * registers are saved for it elsewhere. */
void link_hold(struct outport *o, uint32_t index,
               const struct payload *payload);
/* link.c: the credit of a message from another tile goes back there. */
void inport_post_credit(const struct inport *in);

static inline uint64_t unit_now(const struct unit *u)
{
    return u->tile->now;
}

static inline uint64_t unit_horizon(const struct unit *u)
{
    return u->tile->horizon;
}

static inline void unit_wake(struct unit *u, uint64_t when)
{
    RULE(u, when > u->tile->now, RULE_WAKE);
    tile_wake(u->tile, u->word, u->bit, when);
}

static inline void unit_wake_send(struct unit *u)
{
    u->mask->run |= u->bit;
}

static inline void unit_skip_send(struct unit *u)
{
    u->mask->run &= ~u->bit;
}

/* Watched links: before a message is sent, before a credit comes back. */
void link_note_message(struct outport *o);
void link_note_room(struct outport *o);

/* Ports of the tile of the unit that runs; it may have none, where the engine
 * sends for one (answers.c). */
static inline bool inport_is_one(const struct inport *in)
{
    const struct unit *u = checked_unit();
    return u && in >= u->tile->inports &&
           in < u->tile->inports + u->tile->inport_count && in->unit == u;
}

static inline bool outport_is_one(const struct outport *o)
{
    const struct unit *u = checked_unit();
    return !u ||
           (o >= u->tile->outports &&
            o < u->tile->outports + u->tile->outport_count && o->unit == u);
}

static inline bool link_ready(struct outport *o)
{
    RULE(checked_unit(), outport_is_one(o), RULE_PORTS);
    if (o->credits > 0)
        return true;
    o->starved = true;
    return false;
}

static inline bool link_ready_for(struct outport *o, unsigned messages)
{
    RULE(checked_unit(), outport_is_one(o), RULE_PORTS);
    o->starved |= o->credits < (int)messages;
    return o->credits >= (int)messages;
}

static inline int link_room_now(const struct outport *o)
{
    return o->credits;
}

static inline bool link_awaited(const struct outport *o)
{
    return o->starved;
}

static inline struct unit *link_target(const struct outport *o)
{
    return o->target;
}

static inline int link_depth(const struct outport *o)
{
    return o->depth;
}

static inline bool link_equally_far(const struct outport *a,
                                    const struct outport *b)
{
    return a->latency == b->latency && a->remote == b->remote;
}

static inline uint32_t link_first(const struct inport *in)
{
    return in->head;
}

static inline void link_use_credit(struct outport *o)
{
    RULE(o->unit, o->unit->tile->sending, RULE_SEND);
    RULE(o->unit, o->credits > 0, RULE_ROOM);
    if (__builtin_expect(o->watched, 0))
        link_note_message(o);
    o->credits = (int16_t)(o->credits - o->price);
}

/*
 * The message is on its way to a unit of the same tile, in delay cycles. Unless
 * that is at once there is time for the lines that it will touch to come.
 */
static inline void link_enqueue_later(struct outport *o, uint32_t index,
                                      uint64_t delay)
{
    struct tile *t = o->unit->tile;
    struct inport *in = &t->inports[o->port];
    struct unit *u = o->target;
    TRIP_LEAVES(&t->pool[index], t->now + delay, o->latency);
    if (o->latency + delay == 1) {
        inport_append(t, in, u, index);
        u->mask->next |= u->bit;
    } else {
        assert(o->latency + delay < WHEEL);
        t->pool[index].when = o->port;
        host_prefetch(in);
        host_prefetch(u);
        tile_arrive(t, index, t->now + delay + o->latency);
    }
}

static inline void link_enqueue(struct outport *o, uint32_t index)
{
    link_enqueue_later(o, index, 0);
}

/* Field by field: a host waits long for a wide load of what was just written by
 * narrow stores. */
static inline void msg_copy(struct msg *to, const struct msg *from)
{
    size_t at = offsetof(struct msg, when) + sizeof from->when;
    memcpy((char *)to + at, (const char *)from + at, sizeof(uint64_t));
    to->value = from->value;
    to->tag = from->tag;
    to->op = from->op;
    to->size = from->size;
    to->flags = from->flags;
    to->aux = from->aux;
    TRIP_COPY(to, from);
}

static inline void msg_attach(struct tile *t, struct msg *m,
                              const struct payload *payload)
{
    uint32_t handle = tile_next_payload(t);
    t->payloads[handle] = *payload;
    m->value = handle;
    m->flags |= MSG_PAYLOAD;
}

static inline void msg_attach_growing(struct tile *t, struct msg *m,
                                      const struct payload *payload)
{
    if (t->payload_free == NONE)
        tile_grow_payloads(t);
    msg_attach(t, m, payload);
}

static inline __attribute__((always_inline)) void
link_forward(struct outport *o, uint32_t index, const struct payload *payload)
{
    RULE(checked_unit(), outport_is_one(o), RULE_PORTS);
    struct tile *t = o->unit->tile;
    struct msg *m = &t->pool[index];
    if (__builtin_expect(o->credits <= 0, 0)) {
        link_hold(o, index, payload);
        return;
    }
    link_use_credit(o);
    if (o->remote) {
        tile_mail(o, m, payload);
        tile_free_msg(t, index);
        return;
    }
    if (payload)
        msg_attach_growing(t, m, payload);
    link_enqueue(o, index);
}

static inline void link_forward_later(struct outport *o, uint32_t index,
                                      uint64_t delay)
{
    RULE(checked_unit(), outport_is_one(o), RULE_PORTS);
    assert(!o->remote);
    link_use_credit(o);
    link_enqueue_later(o, index, delay);
}

static inline bool link_sends_ahead(const struct outport *o, uint64_t most)
{
    return !o->remote && !o->watched && o->latency + most <= WHEEL;
}

static inline bool hint_expect(const struct unit *u, const struct msg *m,
                               unsigned round)
{
    return HINTS && u->hints && u->hints->expect &&
           u->hints->expect(u, m, round);
}

static inline bool hint_message(const struct outport *o, const struct msg *m,
                                unsigned round)
{
    return !o->remote && hint_expect(o->target, m, round);
}

static inline uint32_t unit_tile_number(const struct unit *u)
{
    return u->tile->id;
}

static inline const char *unit_tile_name(const struct unit *u)
{
    return u->tile->name;
}

static inline uint32_t unit_port_number(const struct unit *u,
                                        const struct inport *in)
{
    return (uint32_t)(in - u->tile->inports);
}

static inline struct inport *unit_port(const struct unit *u, uint32_t number)
{
    return &u->tile->inports[number];
}

static inline struct msg *unit_pool(const struct unit *u)
{
    return u->tile->pool;
}

static inline struct msg *unit_msg(const struct unit *u, uint32_t index)
{
    return &unit_pool(u)[index];
}

static inline uint32_t unit_new_msg(struct unit *u)
{
    return tile_new_msg(u->tile);
}

static inline void unit_free_msg(struct unit *u, uint32_t index)
{
    tile_free_msg(u->tile, index);
}

static inline void unit_attach(struct unit *u, uint32_t index,
                               const struct payload *payload)
{
    msg_attach_growing(u->tile, unit_msg(u, index), payload);
}

static inline uint32_t unit_new_payload(struct unit *u)
{
    return tile_new_payload(u->tile);
}

static inline struct payload *unit_payload(const struct unit *u,
                                           uint64_t handle)
{
    return &u->tile->payloads[handle];
}

static inline const struct msg *link_peek(const struct inport *in)
{
    RULE(in->unit, !in->unit->tile->sending, RULE_RECEIVE);
    RULE(in->unit, in->count > 0, RULE_EMPTY);
    return &in->unit->tile->pool[in->head];
}

/* Its unit, or an answer, which waits for a credit, sends in this cycle. */
static inline void outport_unblock(struct outport *o)
{
    o->starved = false;
    if (__builtin_expect(o->unit->tile->held_count, 0))
        tile_note_room(o);
    o->unit->unblocked = true;
    unit_wake_send(o->unit);
}

static inline void inport_return_credit(struct inport *in)
{
    if (in->latency) {
        inport_post_credit(in);
        return;
    }
    struct outport *out = in->peer;
    if (__builtin_expect(out->watched, 0))
        link_note_room(out);
    out->credits++;
    if (out->starved)
        outport_unblock(out);
}

static inline uint32_t link_take_of(struct unit *u, struct inport *in)
{
    struct tile *t = u->tile;
    RULE(u, u == in->unit, RULE_PORTS);
    RULE(u, !t->sending && checked_unit() == u, RULE_RECEIVE);
    RULE(u, in->count > 0, RULE_EMPTY);
    uint32_t index = in->head;
    in->head = t->pool[index].next;
    host_prefetch(&t->pool[in->head]); /* it may have waited long */
    TRIP_TAKEN(t, in, index);
    inport_drop(u, in);
    if (in->credited)
        inport_return_credit(in);
    return index;
}

static inline uint32_t link_take(struct inport *in)
{
    RULE(checked_unit(), inport_is_one(in), RULE_PORTS);
    return link_take_of(in->unit, in);
}

static inline const struct msg *link_read(struct inport *in)
{
    uint32_t index = link_take(in);
    struct tile *t = in->unit->tile;
    tile_free_msg(t, index);
    if (CHECKED)
        checked_read(t, index);
    return &t->pool[index];
}

static inline struct msg link_pop(struct inport *in)
{
    return *link_read(in);
}

static inline struct payload msg_payload(struct unit *u, const struct msg *m)
{
    struct tile *t = u->tile;
    uint32_t handle = (uint32_t)m->value;
    RULE(u, m->flags & MSG_PAYLOAD && !checked_is_gone(m), RULE_TWICE);
    RULE(u, payload_is_used(t, handle), RULE_TWICE);
    t->payload_next[handle] = t->payload_free;
    t->payload_free = handle;
    return t->payloads[handle];
}

static inline bool unit_has_input(const struct unit *u, unsigned row)
{
    return row < u->kind->port_count && !u->kind->port_rows[row].output;
}

static inline uint64_t *unit_pending(struct unit *u, unsigned row)
{
    RULE(u, unit_has_input(u, row), RULE_INPUT);
    return &u->pending[u->first_word[row]];
}

#endif
