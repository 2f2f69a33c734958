/*
 * One tile for one epoch: mail in, then cycle by cycle arrivals, receive,
 * send, skipping cycles in which nothing is due.
 */
#include "sim/core/chip_private.h"
#include "sim/core/tile_run.h"
#include <stdlib.h>
#include <string.h>

#define FORCE_INLINE inline __attribute__((always_inline))
#define COLD __attribute__((noinline, cold))

/* An array of the chip that had room for old entries, with room for others; 0:
 * without any. */
#define GROW(chip, array, old, room)                                           \
    pile_regrow(&(chip)->pile, array, (old) * sizeof *(array),                 \
                (room) * sizeof *(array))

/* None is free. */
void tile_grow_pool(struct tile *t)
{
    uint32_t old = t->pool_size, size = old ? 2 * old : POOL_NEAR;
    t->pool = GROW(t->chip, t->pool, old, size);
    t->pool_free = GROW(t->chip, t->pool_free, old, size);
    for (uint32_t i = size; i-- > old;)
        tile_free_msg(t, i);
    t->pool_size = size;
}

/* None is free. */
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

/* ---- mail ---- */

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

void tile_mail(const struct outport *o, const struct msg *m,
               const struct payload *payload)
{
    if (!post(o, m, payload))
        mail_with_room(o, m, payload);
}

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

/* What needs more room is apart: so no registers are saved for its calls. */
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
        if (!post(o, m, payload))
            mail_with_room(o, m, payload);
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

int mask_next_long(const uint64_t *mask, unsigned words, unsigned from)
{
    unsigned w = from / 64;
    uint64_t m = mask[w] & (~0ULL << from % 64);
    for (unsigned more = words; !m && more > 0; more--) {
        w = w + 1 == words ? 0 : w + 1;
        m = mask[w];
    }
    return m ? (int)(w * 64 + (unsigned)mask_first(m)) : -1;
}

static void take_credit(struct outport *out)
{
    if (__builtin_expect(out->watched, 0))
        link_note_room(out);
    if (++out->credits > out->depth)
        abort(); /* an engine bug: more credits than there ever were */
    if (out->starved)
        outport_unblock(out);
}

/* ---- cycles ---- */

static inline uint64_t rotate_right(uint64_t x, unsigned n)
{
    return x >> n | x << (-n % 64);
}

static FORCE_INLINE uint64_t next_slot(const struct tile *t, uint64_t from)
{
    if (!t->slots)
        return CYCLE_NEVER;
    return from + mask_first(rotate_right(t->slots, from % WHEEL));
}

uint64_t tile_next_event(const struct tile *t, uint64_t from)
{
    uint64_t near = next_slot(t, from), far = tile_far_event(t);
    return near < far ? near : far;
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

/* What was listed for this cycle. */
static __attribute__((noinline)) void take_slot(struct tile *t, unsigned slot)
{
    struct wheel_slot s = t->wheel[slot];
    t->wheel[slot] = (struct wheel_slot){NONE, NONE, NONE};
    t->listed &= ~(1ULL << slot);
    deliver(t, s.first);
    deliver_credits(t, s.credits);
}

static void run_all_units(struct tile *t)
{
    for (uint32_t s = 0; s < t->set_count; s++)
        t->word[t->sets[s].word].next |= t->sets[s].bits;
}

/* Places in a mask, from the other end on. */
static void reverse_set(struct unit_set *s)
{
    size_t first = mask_first(s->bits);
    size_t last = first + (size_t)__builtin_popcountll(s->bits) - 1;
    s->stride = 0;
    for (; first < last; first++, last--) {
        struct unit *u = s->units[first];
        s->units[first] = s->units[last];
        s->units[last] = u;
        s->units[first]->bit = 1ULL << first;
        u->bit = 1ULL << last;
    }
}

void tile_reverse(struct tile *t)
{
    t->shape = TILE_ANY;
    for (uint32_t i = 0; i < t->set_count; i++)
        reverse_set(&t->sets[i]);
    for (uint32_t i = 0, k = t->set_count; i < k--; i++) {
        struct unit_set set = t->sets[i];
        t->sets[i] = t->sets[k];
        t->sets[k] = set;
    }
}

/* Who runs in this cycle: what is sent in it is noted for the next. Some may
 * have got a reason to send before. */
static FORCE_INLINE void begin_word(struct unit_word *w, uint64_t *wakes)
{
    uint64_t run = w->next | *wakes;
    *wakes = 0;
    w->next = 0;
    w->run |= run;
    w->ready = run & w->filled;
}

static FORCE_INLINE void receive_unit(const struct unit_set *s,
                                      struct unit_word *w, struct unit *u,
                                      uint64_t bit, uint64_t now)
{
    if (CHECKED)
        checked_begin(u);
    s->receive(u, now);
    if (CHECKED)
        checked_end(u);
    w->filled &= -(uint64_t)(u->filled > 0) | ~bit;
}

static FORCE_INLINE struct unit *unit_of(const struct unit_set *s, size_t bit)
{
    if (__builtin_expect(!s->stride, 0))
        return s->units[bit];
    return (struct unit *)(s->base + bit * s->stride);
}

static FORCE_INLINE void receive_set(const struct unit_set *s,
                                     struct unit_word *w, uint64_t now)
{
    for (uint64_t m = w->ready & s->bits, rest; m; m = rest) {
        rest = m & (m - 1);
        receive_unit(s, w, unit_of(s, mask_first(m)), m ^ rest, now);
    }
}

static FORCE_INLINE void receive_one(const struct unit_set *s,
                                     struct unit_word *w, uint64_t now)
{
    if (w->ready & s->bits)
        receive_unit(s, w, s->first, s->bits, now);
}

/* The unit sends; if it does so again in the next cycle, returns its bit. */
static FORCE_INLINE uint64_t send_unit(struct tile *t, const struct unit_set *s,
                                       struct unit *u, uint64_t bit,
                                       uint64_t now)
{
    if (CHECKED)
        checked_begin(u);
    uint64_t next = s->send(u, now);
    if (CHECKED)
        checked_end(u);
    RULE(u, next > now, RULE_WAKE);
    if ((int64_t)next > (int64_t)(now + 1)) /* and not CYCLE_NEVER */
        tile_wake(t, s->word, bit, next);
    return next == now + 1 ? bit : 0;
}

static FORCE_INLINE void send_set(struct tile *t, const struct unit_set *s,
                                  struct unit_word *w, uint64_t now)
{
    uint64_t m = w->run & s->bits, again = 0;
    if (!m)
        return;
    do {
        struct unit *u = unit_of(s, mask_first(m));
        uint64_t rest = m & (m - 1);
        again |= send_unit(t, s, u, m ^ rest, now);
        m = rest;
    } while (m);
    w->next |= again;
}

static FORCE_INLINE void send_one(struct tile *t, const struct unit_set *s,
                                  struct unit_word *w, uint64_t now)
{
    if (w->run & s->bits)
        w->next |= send_unit(t, s, s->first, s->bits, now);
}

static FORCE_INLINE void receive_sets(struct tile *t, uint32_t from,
                                      uint64_t now)
{
    for (uint32_t s = from; s < t->set_count; s++)
        receive_set(&t->sets[s], &t->word[t->sets[s].word], now);
}

static FORCE_INLINE void send_sets(struct tile *t, uint32_t from, uint64_t now)
{
    for (uint32_t s = from; s < t->set_count; s++)
        send_set(t, &t->sets[s], &t->word[t->sets[s].word], now);
}

static __attribute__((noinline)) void receive_rare(struct tile *t, uint64_t now)
{
    receive_sets(t, TILE_BUSY, now);
}

static __attribute__((noinline)) void send_rare(struct tile *t, uint64_t now)
{
    send_sets(t, TILE_BUSY, now);
}

/*
 * Sets of the usual shapes have calls of their own, by whose address the host
 * guesses where they lead.
 */
static FORCE_INLINE void receive_all(struct tile *t, uint64_t now,
                                     enum tile_shape shape)
{
    const struct unit_set *s = t->sets;
    struct unit_word *w = t->word;
    if (shape == TILE_ANY) {
        receive_sets(t, 0, now);
        return;
    }
    receive_set(&s[0], &w[0], now);
    if (shape == TILE_FEW) {
        receive_one(&s[1], &w[0], now);
        return;
    }
    receive_one(&s[1], &w[1], now);
    receive_one(&s[2], &w[1], now);
    if (w[1].ready & t->rare)
        receive_rare(t, now);
}

static FORCE_INLINE void send_all(struct tile *t, uint64_t now,
                                  enum tile_shape shape)
{
    const struct unit_set *s = t->sets;
    struct unit_word *w = t->word;
    if (shape == TILE_ANY) {
        send_sets(t, 0, now);
        return;
    }
    send_set(t, &s[0], &w[0], now);
    if (shape == TILE_FEW) {
        send_one(t, &s[1], &w[0], now);
        return;
    }
    send_one(t, &s[1], &w[1], now);
    send_one(t, &s[2], &w[1], now);
    if (w[1].run & t->rare)
        send_rare(t, now);
}

static FORCE_INLINE void begin_words(struct tile *t, uint64_t slot,
                                     enum tile_shape shape)
{
    struct unit_word *w = t->word;
    if (shape == TILE_FEW) {
        begin_word(&w[0], &t->near[slot]);
    } else if (shape == TILE_SOME) {
        begin_word(&w[0], &t->near[slot * 2]);
        begin_word(&w[1], &t->near[slot * 2 + 1]);
    } else {
        for (uint32_t i = 0; i < t->words; i++)
            begin_word(&w[i], &t->wakes[slot * t->words + i]);
    }
}

/* Nobody sends any more; returns who runs in the next cycle. */
static FORCE_INLINE uint64_t end_words(struct tile *t, enum tile_shape shape)
{
    struct unit_word *w = t->word;
    uint64_t next = w[0].next;
    w[0].run = 0;
    if (shape == TILE_FEW)
        return next;
    next |= w[1].next;
    w[1].run = 0;
    for (uint32_t i = 2; shape == TILE_ANY && i < t->words; i++) {
        next |= w[i].next;
        w[i].run = 0;
    }
    return next;
}

/* Returns who runs in the next cycle. */
static FORCE_INLINE uint64_t run_cycle(struct tile *t, uint64_t now,
                                       enum tile_shape shape)
{
    t->now = now;
    t->slots &= ~(1ULL << now % WHEEL);
    if (t->listed >> now % WHEEL & 1)
        take_slot(t, now % WHEEL);
    begin_words(t, now % WHEEL, shape);
    receive_all(t, now, shape);
    t->sending = true;
    if (__builtin_expect(t->released != NONE, 0))
        tile_release(t);
    send_all(t, now, shape);
    t->sending = false;
    return end_words(t, shape);
}

/* Messages that are written first. */
#define FIRST_MESSAGES 8

/* Most tiles have one unit that prepares, or few of two kinds: the first one's
 * call is apart, so that the host guesses where each of the two leads. */
static FORCE_INLINE void prepare_round(const struct tile *t, unsigned round,
                                       uint64_t end)
{
    const struct preparation *p = t->preparing[round];
    if (!t->preparing_count[round])
        return;
    p->prepare(p->unit, end);
    for (uint32_t i = 1; i < t->preparing_count[round]; i++)
        p[i].prepare(p[i].unit, end);
}

static void prepare(const struct tile *t, uint64_t end)
{
    uint32_t free = t->near_free;
    uint32_t first = free > FIRST_MESSAGES ? free - FIRST_MESSAGES : 0;
    for (uint32_t i = first; i < free; i++)
        host_prefetch(&t->pool[t->pool_free[i]]);
    prepare_round(t, 0, end);
    prepare_round(t, 1, end);
}
_Static_assert(HINT_ROUNDS == 2, "those above");

/* Who runs in a cycle is known already; only the next epoch asks the wheel. */
static FORCE_INLINE void note_next(struct tile *t, uint64_t next, uint64_t when)
{
    if (next)
        t->slots |= 1ULL << when % WHEEL;
}

/* Cycles in which nothing is due are passed over. */
static FORCE_INLINE uint64_t run_due(struct tile *t, uint64_t from, uint64_t to,
                                     enum tile_shape shape)
{
    uint64_t now = next_slot(t, from), next = 0, last = 0;
    while (now < to) {
        last = now;
        next = run_cycle(t, now++, shape);
        if (!next)
            now = next_slot(t, now);
    }
    note_next(t, next, to);
    return last;
}

static __attribute__((noinline)) uint64_t run_few(struct tile *t, uint64_t from,
                                                  uint64_t to)
{
    return run_due(t, from, to, TILE_FEW);
}

static __attribute__((noinline)) uint64_t run_some(struct tile *t,
                                                   uint64_t from, uint64_t to)
{
    return run_due(t, from, to, TILE_SOME);
}

static __attribute__((noinline)) uint64_t run_any(struct tile *t, uint64_t from,
                                                  uint64_t to)
{
    return run_due(t, from, to, TILE_ANY);
}

static uint64_t run_everything(struct tile *t, uint64_t from, uint64_t to)
{
    uint64_t next = 0;
    for (uint64_t now = from; now < to; now++) {
        run_all_units(t);
        next = run_cycle(t, now, TILE_ANY);
    }
    note_next(t, next, to);
    return to - 1;
}

/*
 * Units ask for the host's lines of so many cycles at a time: of later ones
 * they know less, and what all of a long epoch touches is more than the host's
 * first cache holds.
 */
#define STRETCH 16u

static FORCE_INLINE uint64_t run_stretch(struct tile *t, uint64_t from,
                                         uint64_t to, bool no_skip)
{
    if (HINTS)
        prepare(t, to);
    if (no_skip)
        return run_everything(t, from, to);
    if (t->shape == TILE_FEW)
        return run_few(t, from, to);
    if (t->shape == TILE_SOME)
        return run_some(t, from, to);
    return run_any(t, from, to);
}

uint64_t tile_run(struct tile *t, uint64_t from, uint64_t to,
                  const struct engine_options *options)
{
    uint64_t last = 0;
    if (CHECKED)
        checked_forget(t);
    for (uint64_t end; from < to; from = end) {
        end = to - from < STRETCH ? to : from + STRETCH;
        t->now = from;
        tile_take_far(t);
        if (options->no_skip || next_slot(t, from) < end)
            last = run_stretch(t, from, end, options->no_skip);
    }
    t->now = to - 1;
    return last;
}

void unit_request_service(struct unit *u, uint64_t now, uint64_t tag)
{
    struct tile *t = u->tile;
    assert(!t->request_count || t->requests[t->request_count - 1].cycle <= now);
    t->requests = array_reserve(t->requests, t->request_count, &t->request_room,
                                sizeof *t->requests);
    t->requests[t->request_count++] = (struct service_request){now, u, tag};
}
