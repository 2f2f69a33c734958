/*
 * Ports and banks: which request is taken when, and looked up when.
 *
 * Each bank takes one request a cycle, round robin over the ports whose first
 * request is for it. `latency` cycles later the request stands at the end of
 * its bank, where it is looked up until it finds all that it needs; those
 * behind it wait.
 */
#include "sim/core/checked.h"
#include "sim/units/cache/cache_private.h"

/* ---- receive ---- */

/* The requests that have come to the heads of ports wait for their banks. */
static void note_heads(struct cache *c)
{
    struct front *f = &c->front;
    for (uint32_t w = 0; w < f->words; w++) {
        uint64_t fresh = f->cpu[w] & ~f->noted[w];
        f->noted[w] |= fresh;
        for (uint64_t m = fresh; m; m &= m - 1) {
            uint32_t port = w * 64 + (uint32_t)mask_first(m);
            uint32_t bank = bank_at(c, link_peek(&c->unit.in[CPU][port])->addr);
            f->banks[bank].wanted[w] |= m & (0 - m);
            f->banks_wanted |= 1ULL << bank;
            f->waiting++;
        }
    }
}

#if STALLS
/* Which of the requests that wait for a bank would not wait for the one that it
 * takes if there were twice the banks; those for sectors are of RT cores, or of
 * other caches. */
static void note_conflicts(struct cache *c, const struct bank *b, uint64_t line)
{
    uint64_t other = c->front.bank_mask + 1;
    for (uint32_t w = 0; w < c->front.words; w++)
        for (uint64_t m = b->wanted[w]; m; m &= m - 1) {
            uint32_t port = w * 64 + (uint32_t)mask_first(m);
            const struct msg *waits = link_peek(&c->unit.in[CPU][port]);
            uint64_t its = line_number(&c->store, waits->addr);
            bool sector = waits->size == SECTOR;
            *(sector ? &c->stats.sector_conflicts : &c->stats.word_conflicts) +=
                1;
            *(sector ? &c->stats.sectors_apart : &c->stats.words_apart) +=
                ((its ^ line) & other) != 0;
            c->apart |= its != line;
        }
}

/* How long a request was the first of its port. */
static void note_head(struct cache *c, const struct msg *m, uint32_t port,
                      uint64_t cycle)
{
    uint32_t now = (uint32_t)cycle, from = c->taken[port] + 1;
    if ((int32_t)(m->trip.arrives - from) > 0)
        from = m->trip.arrives;
    if (m->size == SECTOR)
        c->stats.sector_heads += now - from;
    c->taken[port] = now;
}

/* How many requests wait for a bank at their ports: those for sectors are
 * counted second, the others first. */
static void count_wanting(const struct cache *c, const struct bank *b,
                          uint64_t counts[2])
{
    for (uint32_t w = 0; w < c->front.words; w++)
        for (uint64_t m = b->wanted[w]; m; m &= m - 1) {
            uint32_t port = w * 64 + (uint32_t)mask_first(m);
            counts[link_peek(&c->unit.in[CPU][port])->size == SECTOR]++;
        }
}

/* What requests at ports wait for whose bank takes none. */
static void note_held(struct cache *c, uint64_t took)
{
#define PAIR(name)                                                             \
    {                                                                          \
        offsetof(struct cache_stats, word_##name),                             \
            offsetof(struct cache_stats, sector_##name)                        \
    }
    static const size_t waits[][2] = {
        [NO_MSHR] = PAIR(mshr),   [NO_TARGET] = PAIR(target),
        [MUST_WAIT] = PAIR(way),  [NO_WAY] = PAIR(way),
        [NO_ROOM] = PAIR(below),  [NO_REPLY] = PAIR(reply),
        [FENCE_BUSY] = PAIR(way),
    };
#undef PAIR
    const struct front *f = &c->front;
    for (uint64_t m = f->banks_wanted & ~took; m; m &= m - 1) {
        const struct bank *b = &f->banks[mask_first(m)];
        if (b->lacks == LOOKED_UP || b->lacks == ONE_MISS_TOO_MANY)
            continue;
        uint64_t counts[2] = {0};
        count_wanting(c, b, counts);
        for (unsigned sectors = 0; sectors < 2; sectors++)
            *(uint64_t *)((char *)&c->stats + waits[b->lacks][sectors]) +=
                counts[sectors];
    }
}
#define NOTE_HEAD(c, index, port, now)                                         \
    note_head(c, unit_msg(&(c)->unit, index), port, now)
#define NOTE_HELD(c, took) note_held(c, took)
#define NOTE_LACK(b, v) ((b)->lacks = (v))
#define NOTE_CONFLICTS(c, b, index)                                            \
    note_conflicts(                                                            \
        c, b, line_number(&(c)->store, unit_msg(&(c)->unit, index)->addr))
#else
#define NOTE_CONFLICTS(c, b, index) ((void)0)
#define NOTE_HEAD(c, index, port, now) ((void)0)
#define NOTE_HELD(c, took) ((void)0)
#define NOTE_LACK(b, v) ((void)0)
#endif

/* Takes the first request of a port into the pipeline. */
static void enter_bank(struct cache *c, uint32_t bank, uint32_t port,
                       uint64_t now)
{
    struct front *f = &c->front;
    struct bank *b = &f->banks[bank];
    uint32_t index = link_take_of(&c->unit, &c->unit.in[CPU][port]);
    NOTE_CONFLICTS(c, b, index);
    NOTE_HEAD(c, index, port, now);
    unit_msg(&c->unit, index)->when = port;
    trip_enter(unit_msg(&c->unit, index), now);
    f->pipeline[f->tail++ & f->pipeline_mask] =
        (struct step){index, (uint16_t)(now + f->latency), (uint16_t)bank};
    b->count++;
    b->next_port = (uint16_t)port_after(port, c->unit.links[CPU]);
    c->worked = true;
}

/* The bank takes the waiting request whose turn is next. */
static void take_next(struct cache *c, uint32_t bank, uint64_t now)
{
    struct front *f = &c->front;
    struct bank *b = &f->banks[bank];
    uint32_t port = (uint32_t)mask_next(b->wanted, f->words, b->next_port);
    b->wanted[port / 64] &= ~(1ULL << port % 64);
    f->noted[port / 64] &= ~(1ULL << port % 64);
    CHECKED_ASSERT(f->waiting);
    f->waiting--;
    /* All words: a constant length is unrolled, that of the ports is not. */
    if (!mask_any(b->wanted, CPU_PORTS / 64))
        f->banks_wanted &= ~(1ULL << bank);
    enter_bank(c, bank, port, now);
}

/* The pipeline has room for a request of each bank afterwards. */
static void make_room(struct cache *c)
{
    struct front *f = &c->front;
    while (f->tail - f->head + f->bank_mask > f->pipeline_mask)
        cache_widen_pipeline(c);
}

void cache_take_requests(struct cache *c, uint64_t now)
{
    struct front *f = &c->front;
    note_heads(c);
    make_room(c);
    uint64_t took = 0;
    for (uint64_t m = f->banks_wanted; m; m &= m - 1) {
        uint32_t bank = (uint32_t)mask_first(m);
        if (f->banks[bank].count < f->depth) {
            take_next(c, bank, now);
            took |= UINT64_C(1) << bank;
        }
    }
    OBSERVED_ADD(c->stats.crowded, c->apart);
    c->apart = false;
    NOTE_HELD(c, took);
    OBSERVED_ADD(c->stats.blocked, (f->banks_wanted & ~took) != 0);
    c->stats.conflicts += f->waiting;
}

/* ---- the ends of the banks ---- */

static void stand(struct cache *c, uint32_t bank, uint32_t index)
{
    struct front *f = &c->front;
    struct bank *b = &f->banks[bank];
    if (f->banks_ready >> bank & 1)
        unit_msg(&c->unit, b->last)->next = index;
    else
        b->first = index;
    b->last = index;
    f->banks_ready |= 1ULL << bank;
}

/* The lr whose turn has come are at the ends of their banks. */
static void stand_granted(struct cache *c)
{
    const struct msg *pool = unit_pool(&c->unit);
    while (c->granted.count) {
        uint32_t index = msg_list_pop_in(pool, &c->granted);
        uint32_t bank = bank_at(c, pool[index].addr);
        stand(c, bank, index);
        c->front.banks[bank].count++;
    }
    c->doing &= (uint8_t)~GRANTED;
}

static void stand_arrived(struct cache *c, uint64_t now)
{
    struct front *f = &c->front;
    while (front_ends_at(f, now)) {
        const struct step *s = front_step(f, f->head++);
        trip_bank(unit_msg(&c->unit, s->request), now);
        stand(c, s->bank, s->request);
    }
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

static void count_request(struct cache *c, enum mem_op op, uint32_t bytes)
{
    if (op == MEM_READ) {
        c->stats.reads++;
        c->stats.bytes_read += bytes;
        return;
    }
    c->stats.bytes_written += op == MEM_WRITE || op == MEM_UPDATE ? bytes : 0;
    c->stats.writes += op == MEM_WRITE;
    c->stats.atomics += op == MEM_ATOMIC;
    c->stats.updates += op == MEM_UPDATE;
}

static enum verdict look_up(struct cache *c, uint32_t bank, uint32_t index)
{
    struct msg *m = unit_msg(&c->unit, index);
    enum mem_op op = m->op;
    uint32_t before = c->misses.begun;
    if (!cache_may_answer(c))
        return NO_REPLY;
    c->front.request = index;
    trip_look_up(m, unit_now(&c->unit));
    enum verdict v = cache_look_up(c, m);
    if (v != LOOKED_UP)
        return v;
    cache_free_request(c);
    count_request(c, op, m->size);
    c->worked = true;
    if (c->misses.begun != before)
        c->front.next_bank = (bank + 1) & c->front.bank_mask;
    return LOOKED_UP;
}

/* The first request at the end of a bank leaves it, or waits there. */
static void look_up_first(struct cache *c, uint32_t bank)
{
    struct front *f = &c->front;
    struct bank *b = &f->banks[bank];
    uint32_t first = b->first, next = unit_msg(&c->unit, first)->next;
    enum verdict v = look_up(c, bank, first);
    NOTE_LACK(b, v);
    if (v != LOOKED_UP) {
        count_stall(c, v);
        return;
    }
    CHECKED_ASSERT(b->count);
    b->count--;
    b->first = next;
    if (first == b->last)
        f->banks_ready &= ~(1ULL << bank);
}

/*
 * The banks look up in turn, as the first ones may begin the misses of a
 * cycle. In the mask of those in turn, next_bank is bit 0.
 */
void cache_run_banks(struct cache *c, uint64_t now)
{
    struct front *f = &c->front;
    uint32_t first = f->next_bank;
    if (c->doing & GRANTED)
        stand_granted(c);
    stand_arrived(c, now);
    c->misses.begun = 0;
    uint64_t in_turn = f->banks_ready >> first | f->banks_ready
                                                     << (-first & f->bank_mask);
    for (uint64_t m = in_turn & f->all_banks; m; m &= m - 1)
        look_up_first(c, (first + (uint32_t)mask_first(m)) & f->bank_mask);
}
