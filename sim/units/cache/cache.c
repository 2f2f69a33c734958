/*
 * The cache as a unit: the two phases of a cycle, its account, its tables. What
 * each part does is in the other files (cache_private.h).
 */
#include "sim/core/memory_role.h"
#include "sim/units/cache/cache_private.h"
#include "sim/units/units.h"

static const struct port_row ports[] = {
    [CPU] = {"cpu", false, CPU_PORTS, "requests of the clients"},
    [FILL] = {"fill", false, 256, "answers from below"},
    [REPLY] = {"reply", true, 256, "answers to the clients, in cpu's order",
               .answers = true},
    [MEM] = {"mem", true, 256, "requests below, one link for each slice"},
    [SCENE] = {"scene", true, 1, "requests for treelets, to a scene buffer"},
};

/* ---- the account ---- */

/*
 * Tells whether there is something to do in the next cycle, whatever arrives.
 */
static inline bool goes_on(const struct cache *c)
{
    return c->front.banks_ready | c->back.below.order.count |
           c->back.replies.count | c->doing;
}

static inline bool under_way(const struct cache *c)
{
    return c->misses.mshrs_used | c->misses.passed_used | c->back.updates_used |
           c->parked | (c->front.head ^ c->front.tail) | goes_on(c);
}

/* Returns the next cycle in which there is work, if nothing arrives before. */
static inline uint64_t next_work(const struct cache *c, uint64_t now)
{
    const struct front *f = &c->front;
    uint64_t next = CYCLE_NEVER;
    if (goes_on(c))
        return now + 1;
    if (f->head != f->tail)
        next = now + front_cycles_to_end(f, now);
    if (c->parked && cache_turn_ends(c) < next)
        next = cache_turn_ends(c);
    return next;
}

/* Books the cycles without work before `now`, if nothing was under way. */
static inline void book_rest(struct cache *c, uint64_t now)
{
    c->stats.idle += c->rests ? now - c->rested : 0;
}

/* Books the cycle; those that are neither busy nor idle follow when the account
 * is closed. */
static inline void book(struct cache *c, uint64_t now, uint64_t next)
{
    book_rest(c, now);
    c->stats.busy += c->worked;
    c->rested = now + c->worked;
    c->rests = next == CYCLE_NEVER && !under_way(c);
    c->worked = false;
}

/* At the end of a cycle, or when the account is closed. */
static inline void note_levels(struct cache *c, uint64_t now)
{
    GAUGE_NOTE(&c->stats.mshrs, c->misses.mshrs_used, (uint64_t)c->params.mshrs,
               now);
    GAUGE_NOTE(&c->stats.below, c->back.below.order.count,
               c->back.below.order.room, now);
    GAUGE_NOTE(&c->stats.replies, c->back.replies.count, REPLIES, now);
}

/* ---- the two phases ---- */

static void cache_receive(struct unit *u, uint64_t now)
{
    struct cache *c = (struct cache *)u;
    OBSERVED_ADD(c->stats.answering, (c->doing & (REPLAYING | RELAYING)) != 0);
    if (mask_any(c->back.fill, c->back.fill_words) &&
        !(c->doing & (REPLAYING | RELAYING)))
        cache_take_answer(c, now);
    /* With a width it is counted as messages come, by what they take of it. */
    OBSERVED_ADD(c->stats.fill_crowded,
                 !c->back.fill_width &&
                     mask_any(c->back.fill, c->back.fill_words));
    c->doing &= (uint8_t)~LEFTOVER;
    if (!c->unit.filled)
        return;
    cache_take_requests(c, now);
    if (c->unit.filled) /* what could not be taken */
        c->doing |= LEFTOVER;
}

/* What has come from below is answered. */
static void answer_above(struct cache *c)
{
    if (c->doing & REPLAYING && cache_may_answer(c))
        cache_replay(c);
    if (c->doing & RELAYING && cache_may_answer(c))
        cache_relay(c);
}

static uint64_t cache_send(struct unit *u, uint64_t now)
{
    struct cache *c = (struct cache *)u;
    if (c->parked)
        cache_end_turns(c, now);
    if (c->doing & (REPLAYING | RELAYING))
        answer_above(c);
    if (front_has_work(&c->front, now) | (c->doing & GRANTED))
        cache_run_banks(c, now);
    if (c->doing & FENCING)
        cache_run_fence(c);
    if (c->back.replies.count)
        cache_send_replies(c, now);
    if (c->back.below.order.count)
        cache_send_below(c, now);
    uint64_t next = next_work(c, now);
    note_levels(c, now);
    book(c, now, next);
    return next;
}

/* ---- the unit ---- */

static void destroy(struct unit *u)
{
    struct cache *c = (struct cache *)u;
    shadow_free(c->shadow);
    shadow_free(c->twice);
}

static void close_account(struct unit *u, uint64_t now)
{
    struct cache *c = (struct cache *)u;
    book_rest(c, now);
    note_levels(c, now);
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
        u->name, c->misses.mshrs_used, c->misses.passed_used,
        c->back.updates_used, c->parked, c->doing & FENCING ? ", a fence" : "",
        c->back.below.order.count,
        c->back.below.order.count
            ? unit_tile_name(link_target(
                  c->back.below.entries[c->back.below.order.head].to))
            : "nothing");
}

/* The slice of the first sector that is being fetched; what is passed on has
 * left no address. */
static const struct outport *waits_for(const struct unit *u)
{
    const struct cache *c = (const struct cache *)u;
    const struct misses *m = &c->misses;
    for (int64_t i = 0; m->mshrs_used && i < c->params.mshrs; i++)
        if (m->mshrs[i].pieces && m->mshrs[i].awaited)
            return cache_route(c, c->store.lines[m->mshrs[i].line].base);
    return m->passed_used || c->back.updates_used || c->doing & FENCING
               ? u->out[MEM]
               : NULL;
}

#define PARAM_STRUCT struct cache_params
#define STAT_STRUCT struct cache_stats
static const struct param param_rows[] = {CACHE_PARAMS(PARAM_ROW)};
/* clang-format off */
/* What requests that are first at their ports wait for, by their kind. */
#define HELD_ROWS(name, what)                                                  \
    OBSERVED_ROW(word_##name, "cycles",                                        \
                 "a request, not of a sector, waited for a bank that waited "  \
                 "for " what)                                                  \
    OBSERVED_ROW(sector_##name, "cycles",                                      \
                 "a request for a sector waited for a bank that waited for "   \
                 what)
static const struct stat_row stat_rows[] = {
    CACHE_STATS(STAT_ROW)
    GAUGE_ROWS(mshrs, "MSHRs")
    GAUGE_ROWS(below, "entries of the queue to below")
    GAUGE_ROWS(replies, "entries of the queue to the reply ports")
    OBSERVED_ROW(crowded, "cycles",
                 "a request waited for a bank that took one of another line")
    OBSERVED_ROW(blocked, "cycles", "a request waited for a bank that was full")
    OBSERVED_ROW(below_crowded, "cycles", "one of several messages went below")
    OBSERVED_ROW(answering, "cycles",
                 "what has come was answered, so that nothing else came")
    OBSERVED_ROW(fill_crowded, "cycles",
                 "the port from below was in use, and more waited there")
    OBSERVED_ROW(reply_crowded, "cycles", "answers waited for their ports")
    OBSERVED_ROW(missed_twice, "requests",
                 "misses_read that twice the lines would have had")
    OBSERVED_ROW(word_conflicts, "cycles",
                 "a request, not of a sector, waited for a bank that took one")
    OBSERVED_ROW(words_apart, "cycles",
                 "of these, that would not be for one bank of twice as many")
    OBSERVED_ROW(sector_conflicts, "cycles",
                 "a request for a sector waited for a bank that took one")
    OBSERVED_ROW(sectors_apart, "cycles",
                 "of these, that would not be for one bank of twice as many")
    OBSERVED_ROW(sector_heads, "cycles",
                 "a request for a sector was the first of its port, and waited")
    HELD_ROWS(mshr, "an MSHR")
    HELD_ROWS(target, "a target of an MSHR")
    HELD_ROWS(way, "a way, a fetch or a flush to end")
    HELD_ROWS(below, "room in the queue below")
    HELD_ROWS(reply, "the reply port")
    OBSERVED_ROW(mem_bytes, "bytes", "sent below, by a port of a width")
    OBSERVED_ROW(fill_bytes, "bytes", "taken from below, by a port of a width")
    OBSERVED_ROW(reply_bytes, "bytes", "answered, by ports of a width")
};
/* clang-format on */
static const struct stat_row bucket_rows[] = {CACHE_BUCKETS(BUCKET_ROW)};

static void keep(struct unit *u, struct state *s)
{
    struct cache *c = (struct cache *)u;
    if (c->shadow)
        shadow_state(c->shadow, s);
    if (c->twice)
        shadow_state(c->twice, s);
}

/*
 * The queue below knows by their ports where its messages go. Reservations
 * name their own arrays (cache_reserve.c), shadow tags are kept apart.
 */
#define STATE_STRUCT struct cache
static const struct state_row state_rows[] = {
    STATE_POINTER(front.cpu),
    STATE_POINTER(front.banks),
    STATE_POINTER(front.pipeline),
    STATE_POINTER(store.tags),
    STATE_POINTER(store.lines),
    STATE_POINTER(store.used),
    STATE_POINTER(store.words),
    STATE_POINTER(store.by),
    STATE_POINTER(store.copied),
    STATE_POINTER(store.bytes),
    STATE_POINTER(store.data),
    STATE_POINTER(misses.mshrs),
    STATE_POINTER(misses.passed),
    STATE_POINTER(misses.reserving),
    STATE_POINTER(misses.captured),
    TRIPS_KEPT_STATE(misses) STATE_POINTER(misses.fetches),
    STATE_POINTERS(back.below.entries, to),
    STATE_POINTER(back.fill),
    STATE_POINTER(reservations),
    STATE_POINTER(shadow),
    STATE_POINTER(twice),
    STATE_POINTER(machine)};

#define MISSES                                                                 \
    {                                                                          \
        COUNTER(miss_compulsory), COUNTER(miss_capacity),                      \
            COUNTER(miss_conflict), COUNTER(miss_coherence)                    \
    }
static const struct figure_row figures[] = {
    {.name = "hit_rate",
     .over = {COUNTER(hits)},
     .under = {COUNTER(reads)},
     .said = "%.1f %% hits",
     .scale = 100},
    {.name = "joined_rate",
     .over = {COUNTER(joined)},
     .under = {COUNTER(reads)},
     .said = "%.1f %% joined",
     .scale = 100},
    {.name = "compulsory",
     .part = true,
     .over = {COUNTER(miss_compulsory)},
     .under = MISSES,
     .scale = 1},
    {.name = "capacity",
     .part = true,
     .over = {COUNTER(miss_capacity)},
     .under = MISSES,
     .scale = 1},
    {.name = "conflict",
     .part = true,
     .over = {COUNTER(miss_conflict)},
     .under = MISSES,
     .scale = 1},
    {.name = "coherence",
     .part = true,
     .over = {COUNTER(miss_coherence)},
     .under = MISSES,
     .scale = 1},
    {.name = "prefetch_rate",
     .over = {COUNTER(prefetch_useful)},
     .under = {COUNTER(prefetches)},
     .scale = 1},
    /* clang-format off */
    GAUGE_FIGURE(mshrs, "%.0f %% of MSHRs in use")
    GAUGE_FIGURE(below, NULL)
    GAUGE_FIGURE(replies, NULL)
    /* clang-format on */
};

#define LEG(name) TRIP_LEG_BIT(first_##name)
#define WIDTH(param, bytes) .width = #param, .carried = {OBSERVED(bytes)}
/*
 * What waits at a port, or at the end of a bank, waits while the bank takes
 * another request or stands still. A bank stands still as an MSHR, a target, a
 * way, room below or a reply is lacking, and counts the cycles of each, so each
 * has its share of these waits.
 */
static const struct limit_row limits[] = {
    {.name = "size",
     .param = "size",
     .sort = LIMIT_SIZE,
     .part = {OBSERVED(missed_twice)},
     .of = {COUNTER(misses_read)},
     .reads = {COUNTER(reads)}},
    {.name = "latency",
     .param = "latency",
     .sort = LIMIT_LATENCY,
     .legs = LEG(bank)},
    /* Taken as long as a fetch takes: all that is behind the cache. */
    {.name = "MSHRs",
     .param = "mshrs",
     .sort = LIMIT_PLACES,
     .room = "mshrs",
     .used = {OBSERVED(mshrs.used)},
     .full = OBSERVED(mshrs.full),
     .held = LEG(port) | LEG(stall),
     .holds = {COUNTER(stall_mshr)},
     .waited = {OBSERVED(word_mshr)},
     .rays_waited = {OBSERVED(sector_mshr)}},
    /* A fetch with more requests than it has targets holds up one bank until it
     * has come. How many requests would wait for it is not known, so nothing is
     * predicted of more targets. */
    {.name = "targets",
     .blocks = OBSERVED(blocked),
     .eased = {"banks"},
     .held = LEG(port) | LEG(stall),
     .holds = {COUNTER(stall_target)},
     .waited = {OBSERVED(word_target)},
     .rays_waited = {OBSERVED(sector_target)}},
    /* As all ways of a set are being filled: one bank, too. The fetches of
     * twice as many banks take the same ways. */
    {.name = "ways",
     .blocks = OBSERVED(blocked),
     .eased = {"size"},
     .held = LEG(port) | LEG(stall),
     .holds = {COUNTER(stall_way), COUNTER(stall_order), COUNTER(stall_fence)},
     .waited = {OBSERVED(word_way)},
     .rays_waited = {OBSERVED(sector_way)}},
    /* Requests for one line wait for one bank, however many there are. */
    {.name = "banks",
     .param = "banks",
     .used = {COUNTER(reads), COUNTER(writes), COUNTER(atomics),
              COUNTER(updates)},
     .room = "banks",
     .crowded = OBSERVED(crowded),
     .part = {OBSERVED(words_apart)},
     .of = {OBSERVED(word_conflicts)},
     .rays_part = {OBSERVED(sectors_apart)},
     .rays_of = {OBSERVED(sector_conflicts)},
     .taken = LEG(port),
     .waited = {OBSERVED(word_conflicts)},
     .rays_waited = {OBSERVED(sector_conflicts)},
     .heads = OBSERVED(sector_heads)},
    /* It sends a message a cycle, as long as the link to below has room. */
    {.name = "port to below",
     .param = "mem_width",
     .used = {COUNTER(misses_read), COUNTER(bypassed), COUNTER(prefetches),
              COUNTER(writebacks)},
     WIDTH(mem_width, mem_bytes),
     .crowded = OBSERVED(below_crowded),
     .port = MEM + 1,
     .legs = LEG(below),
     .held = LEG(port) | LEG(stall),
     .holds = {COUNTER(stall_below)},
     .waited = {OBSERVED(word_below)},
     .rays_waited = {OBSERVED(sector_below)},
     .passes = true},
    {.name = "port from below",
     .param = "fill_width",
     .used = {COUNTER(fills)},
     .also = {OBSERVED(answering)},
     WIDTH(fill_width, fill_bytes),
     .crowded = OBSERVED(fill_crowded),
     .port = FILL + 1,
     .taken = LEG(fill)},
    /* While what has come is answered, one request a cycle, or by its width,
     * the port from below takes nothing. */
    {.name = "replies",
     .param = "reply_width",
     .used = {COUNTER(misses_read), COUNTER(joined)},
     WIDTH(reply_width, reply_bytes),
     .crowded = OBSERVED(reply_crowded),
     .port = REPLY + 1,
     .legs = LEG(reply),
     .taken = LEG(fill),
     .held = LEG(port) | LEG(stall),
     .holds = {COUNTER(stall_reply)},
     .waited = {OBSERVED(word_reply)},
     .rays_waited = {OBSERVED(sector_reply)}},
};
#undef WIDTH
#undef LEG

static const struct unit_hints cache_hints = {
    .prepare = {cache_prepare},
    .expect = cache_expect,
};

const struct unit_kind cache_kind = {
    .name = "cache",
    .meaning = "set-associative cache",
    .size = sizeof(struct cache),
    .params = offsetof(struct cache, params),
    .stats = offsetof(struct cache, stats),
    UNIT_TABLES,
    UNIT_STATE,
    LIMIT_TABLE,
    .memory = &cache_role,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = cache_build,
    .complete = cache_complete,
    .receive = cache_receive,
    .send = cache_send,
    .hints = &cache_hints,
    .launch = cache_launch,
    .settle = cache_settle,
    .close = close_account,
    .explain = explain,
    .waits_for = waits_for,
    .keep = keep,
    .destroy = destroy,
};
