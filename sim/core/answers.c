/*
 * Answers that find no room. A unit that answers has taken the request, cannot
 * leave it where it was, and so does not ask whether its link has a credit: an
 * answer that finds none waits here, at the output port, behind those that wait
 * already. A credit comes before the tile's units send, and answers leave then,
 * before their unit may send another: so while some wait there is no credit,
 * and a link's order is kept.
 *
 * Only the receiver of an answer waits for what is here: units still take
 * requests, so links of answers of whatever depth do not block one another.
 */
#include "sim/core/chip_private.h"
#include <assert.h>

void answers_build(struct tile *t)
{
    t->held = chip_alloc_own(t->chip, t->outport_count, sizeof *t->held);
    for (uint32_t i = 0; i < t->outport_count; i++)
        t->held[i].first = NONE;
}

void answers_state(struct tile *t, struct state *s)
{
    STATE_VALUE(s, t->released);
    STATE_VALUE(s, t->held_count);
    state_bytes(s, t->held, t->outport_count * sizeof *t->held);
}

/* A unit that asks looks for room itself (only asserts ask). */
__attribute__((unused)) static bool is_for_answers(const struct outport *o)
{
    const struct unit *u = o->unit;
    for (unsigned row = 0; row < u->kind->port_count; row++)
        if (u->kind->port_rows[row].output && o >= u->out[row] &&
            o < u->out[row] + u->links[row])
            return u->kind->port_rows[row].answers;
    return false;
}

void tile_hold(struct outport *o, uint32_t index)
{
    struct tile *t = o->unit->tile;
    struct held_answers *h = &t->held[o - t->outports];
    RULE(o->unit, t->sending, RULE_SEND);
    RULE(o->unit, is_for_answers(o), RULE_ROOM);
    t->pool[index].next = NONE;
    if (h->first == NONE)
        h->first = index;
    else
        t->pool[h->last].next = index;
    h->last = index;
    t->held_count++;
    o->starved = true;
}

void tile_note_room(struct outport *o)
{
    struct tile *t = o->unit->tile;
    uint32_t port = (uint32_t)(o - t->outports);
    struct held_answers *h = &t->held[port];
    if (h->first == NONE || h->listed)
        return;
    h->listed = true;
    h->next = t->released;
    t->released = port;
}

/* The message leaves as if its unit sent it now. */
static void leave(struct outport *o, uint32_t index)
{
    struct tile *t = o->unit->tile;
    struct msg *m = &t->pool[index];
    link_use_credit(o);
    if (!o->remote) {
        link_enqueue(o, index);
        return;
    }
    if (m->flags & MSG_PAYLOAD) {
        struct payload bytes = msg_payload(o->unit, m);
        tile_mail(o, m, &bytes);
    } else {
        tile_mail(o, m, NULL);
    }
    tile_free_msg(t, index);
}

static void release(struct outport *o, struct held_answers *h)
{
    struct tile *t = o->unit->tile;
    while (h->first != NONE && o->credits > 0) {
        uint32_t index = h->first;
        h->first = t->pool[index].next;
        assert(t->held_count);
        t->held_count--;
        leave(o, index);
    }
    h->listed = false;
    o->starved |= h->first != NONE;
}

void tile_release(struct tile *t)
{
    while (t->released != NONE) {
        uint32_t port = t->released;
        t->released = t->held[port].next;
        release(&t->outports[port], &t->held[port]);
    }
}
