/*
 * Sending: messages, payloads and credits leave a unit, for the wheel or the
 * receiver's FIFO if that is in the same tile, else for a box of mail. What
 * needs more room, which is rare, is apart: so no registers are saved for its
 * calls.
 */
#include "sim/core/chip_private.h"
#include "sim/core/tile_run.h"

/* ---- pools ---- */

/* No message of the pool is free. */
void tile_grow_pool(struct tile *t)
{
    uint32_t old = t->pool_size, size = old ? 2 * old : POOL_NEAR;
    t->pool = GROW(t->chip, t->pool, old, size);
    t->pool_free = GROW(t->chip, t->pool_free, old, size);
    for (uint32_t i = size; i-- > old;)
        tile_free_msg(t, i);
    t->pool_size = size;
}

/* No payload is free. */
void tile_grow_payloads(struct tile *t)
{
    uint32_t old = t->payload_size, size = old ? 2 * old : 64;
    t->payloads = GROW(t->chip, t->payloads, old, size);
    t->payload_next = GROW(t->chip, t->payload_next, old, size);
    for (uint32_t i = old; i < size; i++)
        t->payload_next[i] = i + 1 < size ? i + 1 : NONE;
    t->payload_free = old;
    t->payload_size = size;
}

/* ---- to other tiles ---- */

static COLD void grow_mailbox(struct chip *chip, struct mailbox *box)
{
    uint32_t old = box->room, room = old ? 2 * old : 64;
    box->mail = GROW(chip, box->mail, old, room);
    box->payloads = GROW(chip, box->payloads, old, room);
    box->room = room;
}

void mailbox_free(struct chip *chip, struct mailbox *box)
{
    GROW(chip, box->mail, box->room, 0);
    GROW(chip, box->payloads, box->room, 0);
    GROW(chip, box->credits, box->credit_room, 0);
}

static void note_mail(struct tile *t, struct mailbox *box, uint64_t when)
{
    if (when < t->first_mail)
        t->first_mail = when;
    *box->posted = 1;
}

/* Into the mailbox; false: it is full. */
static FORCE_INLINE bool post(const struct outport *o, const struct msg *m,
                              const struct payload *payload)
{
    struct tile *t = o->unit->tile;
    struct mailbox *box = &t->outbox[o->tile];
    uint64_t when = t->now + o->latency;
    if (box->count == box->room)
        return false;
    uint32_t index = box->count++;
    struct msg *mail = &box->mail[index];
    mail->next = (uint32_t)when;
    mail->when = o->port;
    msg_copy(mail, m);
    TRIP_LEAVES(mail, t->now, o->latency);
    if (payload) {
        box->payloads[index] = *payload;
        mail->flags |= MSG_PAYLOAD;
    }
    note_mail(t, box, when);
    return true;
}

static COLD void mail_with_room(const struct outport *o, const struct msg *m,
                                const struct payload *payload)
{
    struct tile *t = o->unit->tile;
    grow_mailbox(t->chip, &t->outbox[o->tile]);
    post(o, m, payload);
}

static FORCE_INLINE void mail(const struct outport *o, const struct msg *m,
                              const struct payload *payload)
{
    if (!post(o, m, payload))
        mail_with_room(o, m, payload);
}

void tile_mail(const struct outport *o, const struct msg *m,
               const struct payload *payload)
{
    mail(o, m, payload);
}

/* ---- links ---- */

void link_hold(struct outport *o, uint32_t index, const struct payload *payload)
{
    struct tile *t = o->unit->tile;
    if (payload)
        msg_attach_growing(t, &t->pool[index], payload);
    tile_hold(o, index);
}

static COLD void push_and_hold(struct outport *o, const struct msg *m,
                               const struct payload *payload)
{
    struct tile *t = o->unit->tile;
    uint32_t index = tile_new_msg(t);
    msg_copy(&t->pool[index], m);
    link_hold(o, index, payload);
}

static COLD void push_with_room(struct outport *o, const struct msg *m,
                                const struct payload *payload)
{
    struct tile *t = o->unit->tile;
    if (!tile_free_msgs(t))
        tile_grow_pool(t);
    if (t->payload_free == NONE)
        tile_grow_payloads(t);
    link_push_full(o, m, payload);
}

static FORCE_INLINE void push(struct outport *o, const struct msg *m,
                              const struct payload *payload)
{
    RULE(checked_unit(), outport_is_one(o), RULE_PORTS);
    struct tile *t = o->unit->tile;
    RULE(o->unit, !checked_is_gone(m), RULE_GONE);
    RULE(o->unit, t->sending, RULE_SEND);
    if (__builtin_expect(o->credits <= 0, 0)) {
        push_and_hold(o, m, payload);
        return;
    }
    if (o->remote) {
        link_use_credit(o);
        mail(o, m, payload);
        return;
    }
    if (!tile_free_msgs(t) || (payload && t->payload_free == NONE)) {
        push_with_room(o, m, payload);
        return;
    }
    link_use_credit(o);
    uint32_t index = tile_next_msg(t);
    msg_copy(&t->pool[index], m);
    if (payload)
        msg_attach(t, &t->pool[index], payload);
    link_enqueue(o, index);
}

void link_push_full(struct outport *o, const struct msg *m,
                    const struct payload *payload)
{
    push(o, m, payload);
}

void link_push(struct outport *o, const struct msg *m)
{
    push(o, m, NULL);
}

/* ---- credits between tiles ---- */

static COLD void grow_credits(struct chip *chip, struct mailbox *box)
{
    uint32_t old = box->credit_room, room = old ? 2 * old : 64;
    box->credits = GROW(chip, box->credits, old, room);
    box->credit_room = room;
}

static COLD void post_with_room(const struct inport *in)
{
    struct tile *t = in->unit->tile;
    grow_credits(t->chip, &t->outbox[in->origin]);
    inport_post_credit(in);
}

void inport_post_credit(const struct inport *in)
{
    struct tile *t = in->unit->tile;
    struct mailbox *box = &t->outbox[in->origin];
    uint64_t when = t->now + in->latency;
    if (box->credit_count == box->credit_room) {
        post_with_room(in);
        return;
    }
    box->credits[box->credit_count++] =
        (struct credit){in->source, (uint32_t)when};
    note_mail(t, box, when);
}
