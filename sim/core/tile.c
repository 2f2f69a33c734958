/*
 * One tile for one epoch: cycle by cycle what the wheel has, receive, send,
 * skipping cycles in which nothing is due.
 */
#include "sim/core/chip_private.h"
#include "sim/core/tile_run.h"

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

/* Finds the units that run in this cycle: what they send is noted for the next.
 * Some may have got a reason to send before. */
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

/* All units have sent; returns 0 if none runs in the next cycle. */
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

/* Returns 0 if no unit runs in the next cycle. */
static FORCE_INLINE uint64_t run_cycle(struct tile *t, uint64_t now,
                                       enum tile_shape shape)
{
    t->now = now;
    t->slots &= ~(1ULL << now % WHEEL);
    if (t->listed >> now % WHEEL & 1)
        tile_take_slot(t, now % WHEEL);
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

/* A cycle's units are known already; only the next epoch asks the wheel. */
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
 * Units ask for the host's lines of these cycles at a time: of later ones they
 * know less, and what all of a long epoch touches is more than the host's
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
