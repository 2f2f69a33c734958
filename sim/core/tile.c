/*
 * One tile for one epoch: mail in, then cycle by cycle arrivals, receive,
 * send, skipping cycles in which nothing is due.
 */
#include "sim/core/tile.h"
#include "sim/core/chip_private.h"
#include <stdlib.h>
#include <string.h>

#define FORCE_INLINE inline __attribute__((always_inline))
#define COLD __attribute__((noinline, cold))

/* None is free. */
void tile_grow_pool(struct tile *t)
{
    uint32_t old = t->pool_size, size = old ? 2 * old : 256;
    t->pool = realloc(t->pool, size * sizeof *t->pool);
    t->pool_free = realloc(t->pool_free, size * sizeof *t->pool_free);
    if (!t->pool || !t->pool_free)
        abort();
    for (uint32_t i = size; i-- > old;)
        t->pool_free[t->pool_free_count++] = i;
    t->pool_size = size;
}

/*
 * Of entries that begin with the number of the next one none is free: twice as
 * many from now on, the new ones free. Returns where they are.
 */
static void *grow_list(void *entries, size_t bytes, uint32_t *size,
                       uint32_t *free)
{
    uint32_t old = *size;
    *size = old ? 2 * old : 64;
    entries = realloc(entries, *size * bytes);
    if (!entries)
        abort();
    for (uint32_t i = old; i < *size; i++) {
        uint32_t next = i + 1 < *size ? i + 1 : NONE;
        memcpy((char *)entries + i * bytes, &next, sizeof next);
    }
    *free = old;
    return entries;
}

void tile_grow_payloads(struct tile *t)
{
    t->payload_next = grow_list(t->payload_next, sizeof *t->payload_next,
                                &t->payload_size, &t->payload_free);
    t->payloads = realloc(t->payloads, t->payload_size * sizeof *t->payloads);
    if (!t->payloads)
        abort();
}

void tile_grow_wakes(struct tile *t)
{
    t->wake_pool = grow_list(t->wake_pool, sizeof *t->wake_pool, &t->wake_size,
                             &t->wake_free);
}

/* ---- mail ---- */

static COLD void grow_mailbox(struct mailbox *box)
{
    box->room = box->room ? 2 * box->room : 64;
    box->mail = realloc(box->mail, box->room * sizeof *box->mail);
    box->payloads = realloc(box->payloads, box->room * sizeof *box->payloads);
    if (!box->mail || !box->payloads)
        abort();
}

static void note_mail(struct tile *t, struct mailbox *box, uint64_t when)
{
    if (when < t->first_mail)
        t->first_mail = when;
    *box->posted = 1;
}

static COLD void mail_with_room(const struct outport *o, const struct msg *m,
                                const struct payload *payload)
{
    grow_mailbox(&o->unit->tile->outbox[o->tile]);
    tile_mail(o, m, payload);
}

void tile_mail(const struct outport *o, const struct msg *m,
               const struct payload *payload)
{
    struct tile *t = o->unit->tile;
    struct mailbox *box = &t->outbox[o->tile];
    uint64_t when = t->now + o->latency;
    if (box->count == box->room) {
        mail_with_room(o, m, payload);
        return;
    }
    uint32_t index = box->count++;
    struct msg *mail = &box->mail[index];
    mail->next = o->port;
    mail->when = (uint32_t)when;
    msg_copy(mail, m);
    if (payload) {
        box->payloads[index] = *payload;
        mail->flags |= MSG_PAYLOAD;
    }
    note_mail(t, box, when);
}

/* ---- credits between tiles ---- */

static COLD void grow_credits(struct mailbox *box)
{
    box->credit_room = box->credit_room ? 2 * box->credit_room : 64;
    box->credits =
        realloc(box->credits, box->credit_room * sizeof *box->credits);
    if (!box->credits)
        abort();
}

static COLD void post_with_room(const struct inport *in)
{
    grow_credits(&in->unit->tile->outbox[in->origin]);
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

static void take_mailed_credits(struct tile *t, struct mailbox *box)
{
    for (uint32_t i = 0; i < box->credit_count; i++) {
        unsigned slot = box->credits[i].when % WHEEL;
        if (t->credit_free == NONE)
            t->credit_pool = grow_list(t->credit_pool, sizeof *t->credit_pool,
                                       &t->credit_size, &t->credit_free);
        uint32_t index = t->credit_free;
        struct credit_node *n = &t->credit_pool[index];
        t->credit_free = n->next;
        n->port = box->credits[i].port;
        n->next = t->credits[slot];
        t->credits[slot] = index;
        t->credit_slots |= 1ULL << slot;
        host_prefetch(&t->outports[n->port]);
    }
    box->credit_count = 0;
}

/* It becomes a message of the pool, where there is room; returns its index. */
static inline uint32_t take_message(struct tile *t, const struct msg *mail)
{
    uint32_t index = t->pool_free[--t->pool_free_count];
    struct msg *m = &t->pool[index];
    *m = *mail;
    m->when = mail->next;
    host_prefetch(&t->inports[mail->next]);
    return index;
}

static void take_messages(struct tile *t, const struct mailbox *box,
                          uint64_t from)
{
    while (t->pool_free_count < box->count)
        tile_grow_pool(t);
    for (uint32_t i = 0; i < box->count; i++) {
        const struct msg *mail = &box->mail[i];
        uint32_t index = take_message(t, mail);
        if (mail->flags & MSG_PAYLOAD) {
            uint32_t handle = tile_new_payload(t);
            t->payloads[handle] = box->payloads[i];
            t->pool[index].value = handle;
        }
        tile_arrive(t, index, from + (uint32_t)(mail->when - (uint32_t)from));
    }
}

/*
 * The host's lines that the mail of this epoch will need, one after the other
 * as they lead to each other: while one is on its way, those of other messages
 * are asked for.
 */
static void warm_mail(const struct tile *t, const struct mailbox *box)
{
    const struct inport *inports = t->inports;
    for (unsigned round = 0; round < PREFETCH_ROUNDS; round++)
        for (uint32_t i = 0; i < box->count; i++) {
            const struct msg *m = &box->mail[i];
            const struct unit *u = inports[m->next].unit;
            if (u->expect)
                u->expect(u, m, round);
        }
}

void tile_take_mail(struct tile *t, struct mailbox *box, uint64_t from)
{
    take_mailed_credits(t, box);
    take_messages(t, box, from);
    warm_mail(t, box);
    box->count = 0;
}

struct unit *outport_target(const struct outport *o)
{
    return o->remote ? o->unit->chip->tiles[o->tile]->inports[o->port].unit
                     : o->peer->unit;
}

static void take_credit(struct outport *out)
{
    if (++out->credits > out->depth)
        abort(); /* an engine bug: more credits than there ever were */
    if (out->starved) {
        out->starved = false;
        unit_wake_send(out->unit);
    }
}

/* ---- cycles ---- */

static inline unsigned first_of(uint64_t mask)
{
    return (unsigned)__builtin_ctzll(mask);
}

static inline uint64_t rotate_right(uint64_t x, unsigned n)
{
    return x >> n | x << (-n % 64);
}

uint64_t tile_next_event(const struct tile *t, uint64_t from)
{
    uint64_t slots = t->wake_slots | t->arrival_slots | t->credit_slots;
    if (t->next_any)
        return from;
    if (!slots)
        return CYCLE_NEVER;
    return from + first_of(rotate_right(slots, from % WHEEL));
}

static void deliver_credits(struct tile *t, unsigned slot)
{
    uint32_t index = t->credits[slot];
    t->credits[slot] = NONE;
    t->credit_slots &= ~(1ULL << slot);
    while (index != NONE) {
        struct credit_node *n = &t->credit_pool[index];
        uint32_t next = n->next;
        take_credit(&t->outports[n->port]);
        n->next = t->credit_free;
        t->credit_free = index;
        index = next;
    }
}

static void deliver(struct tile *t, unsigned slot)
{
    uint32_t index = t->arrival[slot].head;
    t->arrival_slots &= ~(1ULL << slot);
    while (index != NONE) {
        uint32_t next = t->pool[index].next;
        struct inport *in = &t->inports[t->pool[index].when];
        inport_append(t, in, index);
        t->word[in->unit->word].run |= in->unit->bit;
        index = next;
    }
}

static void run_all_units(struct tile *t)
{
    for (unsigned i = 0; i < t->words * 64; i++)
        if (t->units[i])
            t->word[i / 64].run |= 1ULL << i % 64;
}

static void take_woken(struct tile *t, unsigned slot)
{
    uint32_t index = t->wake[slot];
    t->wake[slot] = NONE;
    t->wake_slots &= ~(1ULL << slot);
    while (index != NONE) {
        struct wake_node *n = &t->wake_pool[index];
        uint32_t next = n->next;
        t->word[n->word].run |= n->units;
        n->next = t->wake_free;
        t->wake_free = index;
        index = next;
    }
}

static void place(struct tile *t, struct unit *u, uint32_t slot)
{
    t->units[slot] = u;
    if (!u)
        return;
    u->word = slot / 64;
    u->bit = 1ULL << slot % 64;
}

void tile_reverse(struct tile *t)
{
    for (uint32_t i = 0, k = t->words * 64; i < k--; i++) {
        struct unit *u = t->units[i];
        place(t, t->units[k], i);
        place(t, u, k);
    }
    for (uint32_t i = 0, k = t->words; i < k--; i++) {
        struct unit_word word = t->word[i];
        t->word[i] = t->word[k];
        t->word[k] = word;
    }
}

/* Those that were to run in this cycle. */
static FORCE_INLINE void take_word(struct tile *t, unsigned w, uint64_t now)
{
    t->word[w].run = t->word[w].next;
    t->word[w].next = 0;
}

static FORCE_INLINE void receive_word(const struct tile *t, unsigned w,
                                      uint64_t now)
{
    for (uint64_t m = t->word[w].run & t->word[w].filled; m; m &= m - 1)
        t->word[w].receive(t->units[w * 64 + first_of(m)], now);
}

static FORCE_INLINE void send_word(struct tile *t, unsigned w, uint64_t now)
{
    uint64_t m = t->word[w].run | t->word[w].due, again = 0;
    if (!m)
        return;
    t->word[w].due = 0;
    for (; m; m &= m - 1) {
        uint64_t next = t->word[w].send(t->units[w * 64 + first_of(m)], now);
        assert(next > now);
        if (next == now + 1)
            again |= m & -m;
        else if (next != CYCLE_NEVER)
            tile_wake(t, w, m & -m, next);
    }
    t->word[w].next |= again;
    t->next_any |= again > 0;
}

/*
 * Each of the first words has a call of its own, by whose address the host
 * guesses where it leads.
 */
#define EACH_WORD(run, t, now)                                                 \
    do {                                                                       \
        run(t, 0, now);                                                        \
        run(t, 1, now);                                                        \
        run(t, 2, now);                                                        \
        run(t, 3, now);                                                        \
        run(t, 4, now);                                                        \
        for (unsigned w = WORDS_LEAST; w < (t)->words; w++)                    \
            run(t, w, now);                                                    \
    } while (0)
_Static_assert(WORDS_LEAST == 5, "those of EACH_WORD");

static inline void run_cycle(struct tile *t, uint64_t now,
                             const struct engine_options *options)
{
    unsigned slot = now % WHEEL;
    t->now = now;
    EACH_WORD(take_word, t, now);
    t->next_any = false;
    if (t->wake_slots >> slot & 1)
        take_woken(t, slot);
    if (t->arrival_slots >> slot & 1)
        deliver(t, slot);
    if (t->credit_slots >> slot & 1)
        deliver_credits(t, slot);
    if (options->no_skip)
        run_all_units(t);
    EACH_WORD(receive_word, t, now);
    t->sending = true;
    EACH_WORD(send_word, t, now);
    t->sending = false;
}

/* Messages that are written first. */
#define FIRST_MESSAGES 8

static void prepare(const struct tile *t, uint64_t end)
{
    uint32_t free = t->pool_free_count;
    for (uint32_t i = 0; i < FIRST_MESSAGES && i < free; i++)
        host_prefetch(&t->pool[t->pool_free[free - 1 - i]]);
    for (unsigned round = 0; round < PREFETCH_ROUNDS; round++)
        for (uint32_t i = 0; i < t->preparing_count; i++)
            t->preparing[i]->kind->prepare(t->preparing[i], end, round);
}

void tile_run(struct tile *t, uint64_t from, uint64_t to,
              const struct engine_options *options)
{
    t->now = from;
    prepare(t, to);
    for (uint64_t now = from; now < to; now++) {
        if (!options->no_skip) {
            now = tile_next_event(t, now);
            if (now >= to)
                break;
        }
        run_cycle(t, now, options);
    }
    t->now = to - 1;
}

void unit_request_service(struct unit *u, uint64_t now, uint64_t tag)
{
    struct tile *t = u->tile;
    t->requests =
        array_grow(t->requests, t->request_count, sizeof *t->requests);
    t->requests[t->request_count++] = (struct service_request){now, u, tag};
}
