/*
 * What comes to a tile: mail of other tiles goes into the slots of its wheel,
 * by the cycle in which it is due; in that cycle messages go from there into
 * the FIFOs of their input ports, and credits to their output ports.
 */
#include "sim/core/chip_private.h"
#include "sim/core/tile_run.h"
#include <stdlib.h>

/* ---- credits ---- */

static COLD void grow_credit_pool(struct tile *t)
{
    uint32_t old = t->credit_size, size = old ? 2 * old : 64;
    t->credit_pool = GROW(t->chip, t->credit_pool, old, size);
    t->credit_size = size;
}

static inline uint32_t new_credit(struct tile *t)
{
    uint32_t index = t->credit_free;
    t->credits_listed++;
    if (index != NONE) {
        t->credit_free = t->credit_pool[index].next;
        return index;
    }
    if (t->credit_fresh == t->credit_size)
        grow_credit_pool(t);
    return t->credit_fresh++;
}

/* Where none is listed, as mostly at the end of an epoch, the first ones are
 * taken again: the fewer lines. */
static inline void free_credit(struct tile *t, uint32_t index)
{
    t->credit_pool[index].next = t->credit_free;
    t->credit_free = index;
    if (--t->credits_listed)
        return;
    t->credit_free = NONE;
    t->credit_fresh = 0;
}

/* ---- mail ---- */

/* Something is in the lists of those slots of the wheel. */
static inline void note_slots(struct tile *t, uint64_t slots)
{
    t->listed |= slots;
    t->slots |= slots;
}

static void take_mailed_credits(struct tile *t, struct mailbox *box)
{
    const struct credit *end = box->credits + box->credit_count;
    uint64_t slots = 0;
    for (const struct credit *c = box->credits; c < end; c++) {
        unsigned slot = c->when % WHEEL;
        uint32_t index = new_credit(t);
        t->credit_pool[index] =
            (struct credit_node){t->wheel[slot].credits, c->port};
        t->wheel[slot].credits = index;
        slots |= 1ULL << slot;
        host_prefetch(&t->outports[c->port]);
    }
    note_slots(t, slots);
    box->credit_count = 0;
}

/*
 * They become messages of the pool, the last first, so that those of one link
 * and cycle stay in order in lists that grow at their head. Messages of other
 * links may come in any order.
 */
static void take_messages(struct tile *t, const struct mailbox *box)
{
    while (tile_free_msgs(t) < box->count)
        tile_grow_pool(t);
    struct msg *const pool = t->pool;
    uint64_t slots = 0;
    for (uint32_t i = box->count; i-- > 0;) {
        const struct msg *mail = &box->mail[i];
        uint32_t index = tile_next_msg(t);
        struct msg *m = &pool[index];
        unsigned slot = mail->next % WHEEL;
        *m = *mail;
        struct wheel_slot *s = &t->wheel[slot];
        m->next = s->first;
        uint32_t alone = s->first == NONE ? UINT32_MAX : 0;
        s->last = (index & alone) | (s->last & ~alone);
        s->first = index;
        slots |= 1ULL << slot;
        host_prefetch(&t->inports[mail->when]);
        if (mail->flags & MSG_PAYLOAD) {
            uint32_t handle = tile_new_payload(t);
            t->payloads[handle] = box->payloads[i];
            m->value = handle;
        }
    }
    note_slots(t, slots);
}

/*
 * The host's lines that the mail of this epoch will need, one after the other
 * as they lead to each other: while one is on its way, those of other messages
 * are asked for.
 */
static void warm_mail(const struct tile *t, const struct mailbox *box)
{
    const struct inport *inports = t->inports;
    const struct msg *end = box->mail + box->count;
    bool more = HINTS;
    for (unsigned round = 0; more; round++) {
        more = false;
        for (const struct msg *m = box->mail; m < end; m++) {
            more |= hint_expect(inports[m->when].unit, m, round);
        }
    }
}

void tile_take_mail(struct tile *t, struct mailbox *box)
{
    if (box->credit_count)
        take_mailed_credits(t, box);
    if (!box->count)
        return;
    take_messages(t, box);
    warm_mail(t, box);
    box->count = 0;
}

/* ---- a slot is due ---- */

static void take_credit(struct outport *out)
{
    if (__builtin_expect(out->watched, 0))
        link_note_room(out);
    if (++out->credits > out->depth)
        abort(); /* an engine bug: more credits than there ever were */
    if (out->starved)
        outport_unblock(out);
}

static FORCE_INLINE void deliver_credits(struct tile *t, uint32_t index)
{
    while (index != NONE) {
        struct credit_node *n = &t->credit_pool[index];
        uint32_t next = n->next;
        take_credit(&t->outports[n->port]);
        free_credit(t, index);
        index = next;
    }
}

static FORCE_INLINE void deliver(struct tile *t, uint32_t index)
{
    struct msg *const pool = t->pool;
    while (index != NONE) {
        uint32_t next = pool[index].next;
        struct inport *in = &t->inports[pool[index].when];
        struct unit *u = in->unit;
        u->mask->next |= u->bit;
        inport_append(t, in, u, index);
        index = next;
    }
}

void tile_take_slot(struct tile *t, unsigned slot)
{
    struct wheel_slot s = t->wheel[slot];
    t->wheel[slot] = (struct wheel_slot){NONE, NONE, NONE};
    t->listed &= ~(1ULL << slot);
    deliver(t, s.first);
    deliver_credits(t, s.credits);
}
