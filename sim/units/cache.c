/*
 * The cache's ports and pipeline: what is taken when, looked up when, sent
 * when. What it does with a request is in the other files (cache_private.h).
 */
#include "sim/units/cache_private.h"
#include "sim/units/units.h"
#include <stdlib.h>

static const struct port_row ports[] = {
    [CPU] = {"cpu", false, CPU_PORTS, "requests of the clients"},
    [FILL] = {"fill", false, 256, "answers from below"},
    [REPLY] = {"reply", true, 256, "answers to the clients, in cpu's order",
               .answers = true},
    [MEM] = {"mem", true, 256, "requests below, one link for each slice"},
};

/* ---- widths of ports ---- */

/*
 * A port of a width carries so many bytes a cycle; a message may begin in the
 * cycle in which those before it end. Counted in bytes, so that nothing is
 * rounded.
 */
static bool port_free(uint64_t busy, uint64_t now, uint64_t width)
{
    return !width || busy < (now + 1) * width;
}

static void use_port(const struct cache *c, uint64_t *busy, uint64_t now,
                     uint64_t width, const struct msg *m)
{
    uint64_t start = now * width;
    bool value = m->op == MEM_DATA || m->op == MEM_OLD || m->op == MEM_WRITE ||
                 m->op == MEM_ATOMIC || m->op == MEM_UPDATE ||
                 m->op == MEM_WRITEBACK;
    if (*busy < start)
        *busy = start;
    *busy += c->header + (value ? m->size : 0u);
}

/* ---- receive ---- */

static inline struct fetch_asks *asks_at(const struct cache *c, uint32_t port)
{
    return &c->link->asks[port - c->ask_from];
}

/* The request at a port's head: its port and set, as it will be in `when`. */
static inline uint32_t message_at(const struct cache *c, uint32_t port)
{
    const struct inport *in = &c->unit.in[CPU][port];
    assert(!c->unit.tile->sending && in->count);
    return set_at(c, c->unit.tile->pool[in->head].addr) * CPU_PORTS + port;
}

/* The cache is plain, or it would not be asked. */
static inline uint32_t ask_at(const struct cache *c, uint32_t port)
{
    uint64_t address = fetch_ask_address(fetch_link_first(asks_at(c, port)));
    uint32_t line = (uint32_t)(address >> c->line_shift);
    return (line & (c->sets - 1)) * CPU_PORTS + port;
}

static inline uint32_t request_at(const struct cache *c, uint32_t port)
{
    return cache_is_asked(c, port) ? ask_at(c, port) : message_at(c, port);
}

static inline uint32_t bank_wanted(const struct cache *c, uint32_t request)
{
    return bank_of(c, request / CPU_PORTS);
}

static inline bool has_room(const struct cache *c, uint32_t bank)
{
    return c->banks[bank].count < c->depth;
}

/* Of the pipeline, for a request of each bank. */
static inline void make_room(struct cache *c)
{
    while (c->tail - c->head + c->bank_mask > c->pipeline_mask)
        cache_widen_pipeline(c);
}

/* What the next step of the pipeline begins with. */
static inline void take_message_in(struct cache *c, struct step *s,
                                   uint32_t request)
{
    uint32_t port = request % CPU_PORTS;
    uint32_t index = link_take_of(&c->unit, &c->unit.in[CPU][port]);
    struct msg *m = &c->unit.tile->pool[index];
    uint32_t line = cache_likely_line(c, request / CPU_PORTS, m->addr);
    m->when = line * CPU_PORTS + port;
    s->likely = line;
    s->asked = 0;
    s->index = index;
}

static inline void take_ask_in(struct cache *c, struct step *s,
                               uint32_t request)
{
    uint32_t port = request % CPU_PORTS;
    fetch_ask_t ask =
        fetch_link_take(asks_at(c, port), &c->unit, &c->unit.in[CPU][port]);
    s->likely =
        cache_likely_line(c, request / CPU_PORTS, fetch_ask_address(ask));
    s->asked = (uint8_t)(port - c->ask_from + 1);
    s->ask = ask;
}

static inline __attribute__((always_inline)) void
enter_bank(struct cache *c, uint32_t request, uint64_t now)
{
    uint32_t port = request % CPU_PORTS;
    uint32_t bank = bank_wanted(c, request);
    struct bank *b = &c->banks[bank];
    struct step *s = &c->pipeline[c->tail++ & c->pipeline_mask];
    if (cache_is_asked(c, port))
        take_ask_in(c, s, request);
    else
        take_message_in(c, s, request);
    s->end = (uint16_t)(now + c->latency);
    s->bank = (uint8_t)bank;
    b->count++;
    b->next_port = (uint16_t)(port + 1);
    c->worked = true;
}

/* A bank's next port, of those in a mask. */
static inline uint32_t next_port(const struct cache *c, const struct bank *b,
                                 const uint64_t *mask, uint32_t words)
{
    uint32_t past = b->next_port == c->unit.links[CPU]; /* the last: wraps */
    return (uint32_t)mask_next(mask, words, b->next_port & (past - 1));
}

/* The request at a port's head has to wait for its turn, or for room. */
static inline void await_turn(struct cache *c, uint32_t request, uint32_t words)
{
    uint32_t port = request % CPU_PORTS, bank = bank_wanted(c, request);
    c->wanting[port] = request;
    c->sorted[port / 64] |= 1ULL << port % 64;
    c->wanted[bank * words + port / 64] |= 1ULL << port % 64;
    c->banks_wanted |= 1ULL << bank;
    c->waiting++;
}

/* A bank takes the waiting request whose turn is next. */
static inline __attribute__((always_inline)) void
take_waiting(struct cache *c, uint32_t bank, uint32_t words, uint64_t now)
{
    uint64_t *wanted = &c->wanted[bank * words];
    uint32_t port = next_port(c, &c->banks[bank], wanted, words);
    wanted[port / 64] &= ~(1ULL << port % 64);
    c->sorted[port / 64] &= ~(1ULL << port % 64);
    c->waiting--;
    c->banks_wanted &= ~((uint64_t)!mask_any(wanted, words) << bank);
    enter_bank(c, c->wanting[port], now);
}

static inline uint32_t note_head(const struct cache *c, uint32_t request,
                                 uint64_t *once, uint64_t *again)
{
    uint64_t bank = 1ULL << bank_wanted(c, request);
    *again |= *once & bank;
    *once |= bank;
    return request;
}

/*
 * The requests that have come to the heads of ports; returns how many.
 * contested: banks that others want as well.
 */
static inline __attribute__((always_inline)) uint32_t
note_heads(const struct cache *c, uint32_t words, uint32_t *heads,
           uint64_t *contested)
{
    uint64_t once = c->banks_wanted, again = once;
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t fresh = c->cpu[w] & ~c->sorted[w], asks = c->ask_masks[w];
        for (uint64_t m = fresh & ~asks; m; m &= m - 1)
            heads[count++] =
                note_head(c, message_at(c, w * 64 + (uint32_t)mask_first(m)),
                          &once, &again);
        for (uint64_t m = fresh & asks; m; m &= m - 1)
            heads[count++] = note_head(
                c, ask_at(c, w * 64 + (uint32_t)mask_first(m)), &once, &again);
    }
    *contested = again;
    return count;
}

/*
 * Each bank takes one request, if it has room: at once where nobody else wants
 * the bank. words: of a mask over the ports.
 */
static inline __attribute__((always_inline)) void
take_by_bank(struct cache *c, uint32_t words, uint64_t now)
{
    uint32_t heads[CPU_PORTS];
    uint64_t contested;
    uint32_t count = note_heads(c, words, heads, &contested);
    make_room(c);
    /* A bank has room if nothing stands at its end. */
    uint64_t unsure = contested | c->banks_ready;
    for (uint32_t i = 0; i < count; i++) {
        if (unsure >> bank_wanted(c, heads[i]) & 1)
            await_turn(c, heads[i], words);
        else
            enter_bank(c, heads[i], now);
    }
    for (uint64_t m = c->banks_wanted & unsure; m; m &= m - 1) {
        uint32_t bank = (uint32_t)mask_first(m);
        if (has_room(c, bank))
            take_waiting(c, bank, words, now);
    }
    c->stats.conflicts += c->waiting;
}

/* With constants the compiler does better. */
static __attribute__((noinline)) void take_by_banks(struct cache *c,
                                                    uint64_t now)
{
    if (c->cpu_words == 2)
        take_by_bank(c, 2, now);
    else if (c->cpu_words == 1)
        take_by_bank(c, 1, now);
    else
        take_by_bank(c, c->cpu_words, now);
}

/* The same where there is nothing to sort, as there is one bank. */
static __attribute__((noinline)) void take_by_one_bank(struct cache *c,
                                                       uint64_t now)
{
    uint32_t waiting = c->unit.filled; /* less the answers that wait */
    for (uint32_t w = 0; w < c->fill_words; w++)
        for (uint64_t m = c->fill[w]; m; m &= m - 1)
            waiting--;
    if (waiting && has_room(c, 0)) {
        make_room(c);
        uint32_t port = next_port(c, &c->banks[0], c->cpu, c->cpu_words);
        enter_bank(c, request_at(c, port), now);
        waiting--;
    }
    c->stats.conflicts += waiting;
}

/* Is it to be sent up, to whom asked for what was passed on? */
static inline bool answers_passed(const struct msg *m)
{
    if (m->op == MEM_DATA)
        return m->tag & TAG_PASSED;
    if (m->op == MEM_UPDATED)
        return m->from & FROM_PASSED;
    return (m->op == MEM_DONE || m->op == MEM_OLD) && m->tag != TAG_FENCE;
}

static inline bool answers_reserving(const struct msg *m)
{
    return m->op == MEM_OLD && m->tag & TAG_RESERVING;
}

/* What is known of what it answers. */
static inline struct passed *passed_of(const struct cache *c,
                                       const struct msg *m)
{
    if (answers_reserving(m))
        return &c->reserving[m->tag & ~TAG_RESERVING];
    return &c->passed[(uint16_t)(m->op == MEM_UPDATED ? m->from : m->tag)];
}

static void free_passed(struct cache *c, const struct msg *m, struct passed *p)
{
    c->passed_used--;
    if (answers_reserving(m)) {
        p->next_free = 0;
    } else {
        p->next_free = c->free_passed;
        c->free_passed = (uint16_t)(p - c->passed);
    }
}

static void take_message(struct cache *c, const struct msg *m)
{
    if (answers_passed(m)) {
        c->relay = *m;
        c->doing |= RELAYING; /* in send */
    } else if (m->op == MEM_DATA) {
        cache_install(c, m);
    } else if (m->op == MEM_UPDATED) {
        cache_updated(c, m);
    } else {
        cache_fence_answered(c);
    }
}

/* Takes one message from below; what it answers is answered in send. */
static __attribute__((noinline)) void take_answer(struct cache *c, uint64_t now)
{
    if (!port_free(c->fill_busy, now, c->fill_width))
        return;
    int link = mask_next(c->fill, c->fill_words, c->next_fill);
    c->next_fill = (uint16_t)port_after((uint32_t)link, c->unit.links[FILL]);
    struct tile *t = c->unit.tile;
    uint32_t index = link_take(&c->unit.in[FILL][link]);
    if (c->fill_width)
        use_port(c, &c->fill_busy, now, c->fill_width, &t->pool[index]);
    take_message(c, &t->pool[index]);
    tile_free_msg(t, index);
}

/* ---- send ---- */

static void relay(struct cache *c)
{
    struct msg m = c->relay;
    struct passed *p = passed_of(c, &m);
    uint8_t flags = deeper(m.flags);
    free_passed(c, &m, p);
    if (c->owner)
        m = c->captured[p - c->passed];
    m.tag = p->tag;
    m.from = p->from;
    c->doing &= (uint8_t)~RELAYING;
    if (!(m.flags & MSG_PAYLOAD)) {
        m.flags = flags;
        cache_answer(c, p->port, &m, NULL);
        return;
    }
    struct payload bytes = msg_payload(&c->unit, &m);
    m.flags = flags;
    cache_answer(c, p->port, &m, &bytes);
}

static void count_stall(struct cache *c, enum verdict v)
{
    static const size_t stalls[] = {
        [NO_MSHR] = offsetof(struct cache_stats, stall_mshr),
        [NO_TARGET] = offsetof(struct cache_stats, stall_target),
        [MUST_WAIT] = offsetof(struct cache_stats, stall_order),
        [NO_WAY] = offsetof(struct cache_stats, stall_way),
        [NO_ROOM] = offsetof(struct cache_stats, stall_below),
        [NO_REPLY] = offsetof(struct cache_stats, stall_reply),
        [FENCE_BUSY] = offsetof(struct cache_stats, stall_fence),
    };
    if (v != ONE_MISS_TOO_MANY)
        ++*(uint64_t *)((char *)&c->stats + stalls[v]);
}

static void count_request(struct cache *c, enum mem_op op)
{
    if (op == MEM_READ) {
        c->stats.reads++;
        return;
    }
    c->stats.writes += op == MEM_WRITE;
    c->stats.atomics += op == MEM_ATOMIC;
    c->stats.updates += op == MEM_UPDATE;
}

/*
 * A load that could not begin its fetch, of one sector, or be one of those who
 * wait for its sector, need not be looked up again until something of its line
 * has come.
 */
static void note_stalled(struct cache *c, uint32_t bank, const struct msg *m,
                         enum verdict v)
{
    if (m->op != MEM_READ)
        return;
    if (v == NO_TARGET || v == MUST_WAIT) {
        c->banks_held |= 1ULL << bank;
        c->banks[bank].verdict = (uint8_t)v;
    } else if ((v == ONE_MISS_TOO_MANY || v == NO_MSHR || v == NO_ROOM) &&
               !(m->flags & MEM_BYPASS) && c->fill_pieces == c->sector_pieces) {
        c->banks_missed |= 1ULL << bank;
    }
}

/* The line of a load as it was found when the load came, if it is that still.
 */
static inline struct line *remembered(const struct cache *c,
                                      const struct msg *m)
{
    struct line *l = likely_of(c, m);
    if (m->op != MEM_READ || l->base != (m->addr & ~(uint64_t)c->line_mask))
        return NULL;
    return l;
}

/*
 * A load of what is there. That is most requests, so nothing is asked that need
 * not be: the rest is done by cache_look_up. False: nothing has been done.
 */
static inline bool hit_at_once(struct cache *c, uint32_t index, struct line *l)
{
    const struct msg *m = &c->unit.tile->pool[index];
    if (!c->quick)
        return false;
    uint8_t usual = l->valid & (uint8_t) ~(l->pending | l->ahead);
    if (!(usual >> piece_of(c, m->addr) & 1))
        return false;
    cache_touch(c, l);
    c->stats.hits++;
    c->stats.reads++;
    cache_answer_load(c, index, l, 0);
    return true;
}

/* A load of what is being fetched already, in the same way. */
static inline bool join_at_once(struct cache *c, uint32_t index, struct line *l)
{
    uint32_t piece = piece_of(c, c->unit.tile->pool[index].addr);
    uint8_t usual = l->pending & (uint8_t) ~(l->stale | l->ahead);
    if (!(usual >> piece & 1))
        return false;
    struct mshr *e = cache_fetch_of(c, l, piece);
    if (e->waiting == c->target_limit)
        return false;
    cache_add_target(c, e, index, MEM_JOINED);
    c->stats.half_misses++;
    c->stats.reads++;
    c->worked = true;
    return true;
}

/* If not, it may be what was left of a line that is gone. */
static inline bool has_something(const struct line *l)
{
    return (l->valid | l->partial | l->pending) > 0;
}

/* The first request of a bank. False: it has to wait. */
static __attribute__((noinline)) bool
look_up_slowly(struct cache *c, uint32_t bank, uint32_t index, struct line *l)
{
    const struct msg *m = &c->unit.tile->pool[index];
    uint32_t before = c->misses;
    uint8_t op = m->op;
    c->request = index;
    enum verdict v = cache_look_up(c, m, l && has_something(l) ? l : NULL);
    if (v != LOOKED_UP) {
        count_stall(c, v);
        note_stalled(c, bank, m, v);
        return false;
    }
    cache_free_request(c);
    count_request(c, op);
    c->worked = true;
    c->banks_missed &= ~(1ULL << bank);
    if (c->misses != before)
        c->next_bank = (bank + 1) & c->bank_mask;
    return true;
}

static inline bool look_up(struct cache *c, uint32_t bank, uint32_t index)
{
    /* A bank known to miss does neither: cache_line_changed has cleared it. */
    struct line *l = remembered(c, &c->unit.tile->pool[index]);
    if (l && (hit_at_once(c, index, l) || join_at_once(c, index, l)))
        return true;
    return look_up_slowly(c, bank, index, l);
}

/* Why the first request of a bank stands where it is, LOOKED_UP: it need not.
 */
static enum verdict stalled(const struct cache *c, uint32_t bank)
{
    if (!cache_may_answer(c))
        return NO_REPLY;
    if (c->banks_held >> bank & 1)
        return c->banks[bank].verdict;
    if (c->banks_missed >> bank & 1)
        return cache_may_fetch(c, c->free_mshr != NO_ENTRY);
    return LOOKED_UP;
}

/* Does it stand? */
static bool stands(struct cache *c, uint32_t bank)
{
    enum verdict v = stalled(c, bank);
    if (v != LOOKED_UP)
        count_stall(c, v);
    return v != LOOKED_UP;
}

/* The first request at the end of a bank. */
static inline void look_up_bank(struct cache *c, uint32_t bank)
{
    struct bank *b = &c->banks[bank];
    const struct msg *pool = c->unit.tile->pool;
    uint32_t first = b->first, next = pool[first].next;
    if (!look_up(c, bank, first))
        return;
    b->count--;
    b->first = next;
    host_prefetch(&pool[next]);
    c->banks_ready &= ~((uint64_t)(first == b->last) << bank);
}

/* Banks in turn: `next_bank` is bit 0 of the mask. */
static inline uint64_t in_turn(const struct cache *c, uint64_t banks)
{
    uint32_t first = c->next_bank;
    return (banks >> first | banks << (-first & c->bank_mask)) & c->all_banks;
}

static inline uint32_t bank_in_turn(const struct cache *c, uint32_t first,
                                    uint64_t mask)
{
    return (first + (uint32_t)mask_first(mask)) & c->bank_mask;
}

/* Is there room for the answers of all banks? */
static inline bool all_may_answer(const struct cache *c)
{
    return !c->queues || c->replies.count + c->bank_mask < REPLIES;
}

/* Looks up the first requests at the ends of the banks. One bank's look-up lets
 * no other stand. */
static void look_up_banks(struct cache *c)
{
    uint32_t first = c->next_bank;
    uint64_t may_stand =
        all_may_answer(c) ? c->banks_held | c->banks_missed : c->all_banks;
    c->misses = 0;
    for (uint64_t m = in_turn(c, c->banks_ready); m; m &= m - 1) {
        uint32_t bank = bank_in_turn(c, first, m);
        if (!(may_stand >> bank & 1) || !stands(c, bank))
            look_up_bank(c, bank);
    }
}

/* The request waits for its turn at the end of its bank. */
static inline void stand(struct cache *c, uint32_t bank, uint32_t index)
{
    struct bank *b = &c->banks[bank];
    if (c->banks_ready >> bank & 1)
        c->unit.tile->pool[b->last].next = index;
    else
        b->first = index;
    b->last = index;
    c->banks_ready |= 1ULL << bank;
}

static inline const struct step *step_at(const struct cache *c, uint32_t at)
{
    return &c->pipeline[at & c->pipeline_mask];
}

static inline bool ends_at(const struct cache *c, uint32_t at, uint64_t now)
{
    return at != c->tail && step_at(c, at)->end == (uint16_t)now;
}

/* An ask that has to wait for something, or be looked up slowly, becomes a
 * message. */
static uint32_t message_of_ask(struct cache *c, const struct step *s)
{
    uint32_t index = tile_new_msg(c->unit.tile);
    struct msg *m = &c->unit.tile->pool[index];
    m->when = s->likely * CPU_PORTS + c->ask_from + s->asked - 1;
    fetch_message(m, fetch_ask_address(s->ask), fetch_ask_tag(s->ask));
    return index;
}

static inline uint32_t message_of(struct cache *c, const struct step *s)
{
    return s->asked ? message_of_ask(c, s) : s->index;
}

/* hit_at_once for an ask. */
static inline bool answer_at_once(struct cache *c, const struct step *s,
                                  const struct line *l)
{
    uint8_t usual = l->valid & (uint8_t) ~(l->pending | l->ahead);
    if (!(usual >> piece_of(c, fetch_ask_address(s->ask)) & 1))
        return false;
    cache_touch(c, l);
    c->stats.hits++;
    c->stats.reads++;
    c->worked = true;
    fetch_link_answer(c->link, s->asked - 1u, fetch_ask_tag(s->ask),
                      c->unit.tile->now);
    return true;
}

static inline bool look_up_ask(struct cache *c, const struct step *s)
{
    struct line *l = &c->lines[s->likely];
    uint64_t address = fetch_ask_address(s->ask);
    bool found = l->base == (address & ~(uint64_t)c->line_mask);
    if (found && answer_at_once(c, s, l))
        return true;
    uint32_t index = message_of_ask(c, s);
    if ((found && join_at_once(c, index, l)) ||
        look_up_slowly(c, s->bank, index, found ? l : NULL))
        return true;
    stand(c, s->bank, index);
    return false;
}

static inline bool look_up_message(struct cache *c, const struct step *s)
{
    if (look_up(c, s->bank, s->index))
        return true;
    stand(c, s->bank, s->index);
    return false;
}

static inline void look_up_arrival(struct cache *c, const struct step *s)
{
    bool done = s->asked ? look_up_ask(c, s) : look_up_message(c, s);
    c->banks[s->bank].count -= done;
}

/* Looks up requests that reach the ends of their banks, where nobody stands.
 */
static inline void look_up_arrivals(struct cache *c, uint32_t from, uint32_t to)
{
    uint32_t of_bank[64], first = c->next_bank;
    uint64_t banks = 0;
    c->misses = 0;
    if (to - from == 1) {
        look_up_arrival(c, step_at(c, from));
        return;
    }
    for (; from != to; from++) {
        uint32_t bank = step_at(c, from)->bank;
        of_bank[bank] = from;
        banks |= 1ULL << bank;
    }
    for (uint64_t m = in_turn(c, banks); m; m &= m - 1)
        look_up_arrival(c, step_at(c, of_bank[bank_in_turn(c, first, m)]));
}

/* The lr whose turn has come are at the ends of their banks. */
static __attribute__((noinline)) void stand_granted(struct cache *c)
{
    const struct msg *pool = c->unit.tile->pool;
    while (c->granted.count) {
        uint32_t index = list_take(pool, &c->granted);
        uint32_t bank = bank_of(c, set_at(c, pool[index].addr));
        stand(c, bank, index);
        c->banks[bank].count++;
    }
    c->doing &= (uint8_t)~GRANTED;
}

/* Requests reach the ends of their pipelines, and are looked up. */
static inline void run_banks(struct cache *c, uint64_t now)
{
    uint32_t from = c->head, at = from;
    if (c->doing & GRANTED)
        stand_granted(c);
    while (ends_at(c, at, now))
        at++;
    c->head = at;
    if (!c->banks_ready && all_may_answer(c)) {
        if (at != from)
            look_up_arrivals(c, from, at);
        return;
    }
    for (; from != at; from++)
        stand(c, step_at(c, from)->bank, message_of(c, step_at(c, from)));
    if (c->banks_ready)
        look_up_banks(c);
}

/* Until the first request that is in a pipeline reaches its end. */
static inline uint32_t cycles_to_end(const struct cache *c, uint64_t now)
{
    return (uint16_t)(step_at(c, c->head)->end - now);
}

/* Sends the queue's first message, with its payload if it has one. */
static void send_first(struct cache *c, struct queue *q, struct outport *o)
{
    struct msg *m = &q->ring[q->head].msg;
    if (m->flags & MSG_PAYLOAD) {
        struct payload bytes = msg_payload(&c->unit, m);
        link_push_full(o, m, &bytes);
    } else {
        link_push(o, m);
    }
    if (++q->head == q->room)
        q->head = 0;
    q->count--;
    c->worked = true;
}

static void send_below(struct cache *c, uint64_t now)
{
    struct queue *q = &c->below;
    uint64_t width = c->mem_width;
    if (!port_free(q->busy, now, width))
        return;
    struct outport *o = &c->unit.out[MEM][q->ring[q->head].link];
    if (!link_ready(o))
        return;
    if (width)
        use_port(c, &q->busy, now, width, &q->ring[q->head].msg);
    send_first(c, q, o);
}

/* The answer goes on in its message. */
static void send_reply(struct cache *c, uint32_t index)
{
    struct msg *m = &c->unit.tile->pool[index];
    struct outport *o = &c->unit.out[REPLY][port_of(m)];
    if (m->flags & MSG_PAYLOAD) {
        struct payload bytes = msg_payload(&c->unit, m);
        link_forward(o, index, &bytes);
    } else {
        link_forward(o, index, NULL);
    }
}

static void send_replies(struct cache *c, uint64_t now)
{
    struct replies *r = &c->replies;
    const struct msg *pool = c->unit.tile->pool;
    uint64_t width = c->reply_width;
    while (r->count && port_free(r->busy, now, width)) {
        uint32_t index = r->first;
        use_port(c, &r->busy, now, width, &pool[index]);
        r->first = pool[index].next;
        r->count--;
        send_reply(c, index);
        c->worked = true;
    }
}

/* Is there something to do in the next cycle, whatever arrives? */
static inline bool goes_on(const struct cache *c)
{
    return c->banks_ready | c->below.count | c->replies.count | c->doing;
}

static inline bool under_way(const struct cache *c)
{
    return c->mshrs_used | c->passed_used | c->updates_used | c->parked |
           (c->head ^ c->tail) | goes_on(c);
}

/* What has come from below is answered. */
static void answer_above(struct cache *c)
{
    if (c->doing & REPLAYING && cache_may_answer(c))
        cache_replay(c);
    if (c->doing & RELAYING && cache_may_answer(c))
        relay(c);
}

/* The cycles without work before `now`, if nothing was under way. */
static inline void book_rest(struct cache *c, uint64_t now)
{
    c->stats.idle += (now - c->rested) & -(uint64_t)c->rests;
}

/* Books the cycle; those that are neither busy nor idle follow when the account
 * is closed. Returns the next one in which there is work. */
static inline uint64_t book(struct cache *c, uint64_t now)
{
    uint64_t next = goes_on(c)           ? now + 1
                    : c->head == c->tail ? CYCLE_NEVER
                                         : now + cycles_to_end(c, now);
    if (c->parked && cache_turn_ends(c) < next)
        next = cache_turn_ends(c);
    book_rest(c, now);
    c->stats.busy += c->worked;
    c->rested = now + c->worked;
    c->rests = next == CYCLE_NEVER && !under_way(c);
    c->worked = false;
    return next;
}

static void cache_receive(struct unit *u, uint64_t now)
{
    struct cache *c = (struct cache *)u;
    if (mask_any(c->fill, c->fill_words) &&
        !(c->doing & (REPLAYING | RELAYING)))
        take_answer(c, now);
    c->doing &= (uint8_t)~LEFTOVER;
    if (!c->unit.filled)
        return;
    if (c->bank_mask)
        take_by_banks(c, now);
    else
        take_by_one_bank(c, now);
    if (c->unit.filled) /* what could not be taken */
        c->doing |= LEFTOVER;
}

static uint64_t cache_send(struct unit *u, uint64_t now)
{
    struct cache *c = (struct cache *)u;
    if (c->parked)
        cache_end_turns(c, now);
    if (c->doing & (REPLAYING | RELAYING))
        answer_above(c);
    run_banks(c, now);
    if (c->doing & FENCING)
        cache_run_fence(c);
    if (c->replies.count)
        send_replies(c, now);
    if (c->below.count)
        send_below(c, now);
    return book(c, now);
}

/* An answer will leave there. */
static inline void foresee_answer(const struct cache *c, uint32_t port,
                                  uint32_t tag, bool loads)
{
    host_prefetch(&c->unit.out[REPLY][port]);
    if (port < c->row_ports)
        tp_foresee_answer(c->row, port, tag, loads);
}

/* The entry of what was passed on, then whom it answers. */
static bool expect_passed(const struct cache *c, const struct msg *m,
                          unsigned round)
{
    const struct passed *p = passed_of(c, m);
    if (!round)
        host_prefetch(p);
    else if (round == 1)
        foresee_answer(c, p->port, p->tag, m->op != MEM_DONE);
    return !round;
}

/* The MSHR, then its line and the first of those who wait, then whose that is.
 */
static bool expect_fill(const struct cache *c, const struct msg *m,
                        unsigned round)
{
    const struct mshr *e = &c->mshrs[(uint16_t)m->tag];
    if (!round) {
        host_prefetch(e);
        return true;
    }
    const struct msg *first = &c->unit.tile->pool[e->first];
    if (round == 1) {
        host_prefetch(&c->lines[e->line]);
        host_prefetch(first);
    } else if (e->waiting && !cache_is_asked(c, port_of(first))) {
        foresee_answer(c, port_of(first), first->tag, true);
    }
    return round == 1;
}

/* The tags that a request from another tile will meet. */
static inline void expect_request(const struct cache *c, const struct msg *m)
{
    host_prefetch(&c->tags[(size_t)set_at(c, m->addr) * c->tag_ways]);
}

/* The host's lines of what comes. A request meets the cache itself first. */
static bool cache_expect(const struct unit *u, const struct msg *m,
                         unsigned round)
{
    const struct cache *c = (const struct cache *)u;
    if (!round) {
        host_prefetch(&c->rested);
        host_prefetch((const char *)&c->rested + 64);
        host_prefetch((const char *)&c->rested + 128);
    }
    if (answers_passed(m))
        return expect_passed(c, m, round);
    if (m->op == MEM_DATA)
        return expect_fill(c, m, round);
    expect_request(c, m);
    return false;
}

/* Those that have waited since an earlier epoch, at the ports or at the end of
 * their bank. */
static void warm_waiting(const struct cache *c)
{
    const struct msg *pool = c->unit.tile->pool;
    for (uint32_t w = 0; w < c->cpu_words; w++)
        for (uint64_t m = c->cpu[w] & ~c->ask_masks[w]; m; m &= m - 1) {
            uint32_t port = w * 64 + (uint32_t)mask_first(m);
            host_touch(&pool[c->unit.in[CPU][port].head]);
        }
    for (uint64_t m = c->banks_ready; m; m &= m - 1)
        host_touch(&pool[c->banks[mask_first(m)].first]);
}

/* Look-ups before `end`: the request, its line and that line's age. */
static void warm_pipeline(const struct cache *c, uint64_t end)
{
    for (uint32_t i = c->head; i != c->tail; i++) {
        const struct step *s = step_at(c, i);
        if ((int16_t)(s->end - end) >= 0)
            return;
        host_prefetch(&c->lines[s->likely]);
        host_prefetch(&c->used[s->likely]);
    }
}

/* Where asks are put. */
static void warm_asks(const struct cache *c)
{
    for (uint32_t i = 0; i < c->ask_ports; i++)
        host_prefetch(c->link->asks[i].ring);
}

static void cache_prepare(const struct unit *u, uint64_t end)
{
    const struct cache *c = (const struct cache *)u;
    warm_waiting(c);
    warm_asks(c);
    host_prefetch(&c->mshrs[c->free_mshr]);
    host_prefetch(&c->passed[c->free_passed]);
    warm_pipeline(c, end);
}

static void destroy(struct unit *u)
{
    struct cache *c = (struct cache *)u;
    shadow_free(c->shadow);
}

static void close_account(struct unit *u, uint64_t now)
{
    struct cache *c = (struct cache *)u;
    book_rest(c, now);
    c->rested = now;
    c->stats.waiting = now - c->stats.busy - c->stats.idle;
}

static void explain(const struct unit *u, FILE *out)
{
    const struct cache *c = (const struct cache *)u;
    if (!under_way(c))
        return;
    fprintf(
        out,
        "%s: %u sectors being fetched, %u requests passed on, %u "
        "write-backs not answered, %u lr waiting for their turn%s, %u messages "
        "waiting for %s\n",
        u->name, c->mshrs_used, c->passed_used, c->updates_used, c->parked,
        c->doing & FENCING ? ", a fence" : "", c->below.count,
        c->below.count
            ? u->out[MEM][c->below.ring[c->below.head].link].target->tile->name
            : "nothing");
}

#define PARAM_STRUCT struct cache_params
#define STAT_STRUCT struct cache_stats
static const struct param param_rows[] = {CACHE_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {CACHE_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {CACHE_BUCKETS(STAT_ROW)};

#define MISSES                                                                 \
    {                                                                          \
        "miss_compulsory", "miss_capacity", "miss_conflict", "miss_coherence"  \
    }
static const struct figure_row figures[] = {
    {.name = "hit_rate",
     .over = {"hits"},
     .under = {"reads"},
     .said = "%.1f %% hits",
     .scale = 100},
    {.name = "joined_rate",
     .over = {"half_misses"},
     .under = {"reads"},
     .said = "%.1f %% joined",
     .scale = 100},
    {.name = "compulsory",
     .over = {"miss_compulsory"},
     .under = MISSES,
     .scale = 1},
    {.name = "capacity",
     .over = {"miss_capacity"},
     .under = MISSES,
     .scale = 1},
    {.name = "conflict",
     .over = {"miss_conflict"},
     .under = MISSES,
     .scale = 1},
    {.name = "coherence",
     .over = {"miss_coherence"},
     .under = MISSES,
     .scale = 1},
    {.name = "prefetch_rate",
     .over = {"prefetch_useful"},
     .under = {"prefetches"},
     .scale = 1},
};

const struct unit_kind cache_kind = {
    .name = "cache",
    .meaning = "set-associative cache",
    .size = sizeof(struct cache),
    .params = offsetof(struct cache, params),
    .stats = offsetof(struct cache, stats),
    UNIT_TABLES,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = cache_build,
    .complete = cache_complete,
    .receive = cache_receive,
    .send = cache_send,
    .expect = cache_expect,
    .prepare = {cache_prepare},
    .launch = cache_launch,
    .settle = cache_settle,
    .close = close_account,
    .explain = explain,
    .destroy = destroy,
};
