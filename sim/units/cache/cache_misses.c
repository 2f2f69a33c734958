/*
 * Fetches: what is asked for below for the cache itself, with the requests that
 * wait for it and what is fetched ahead.
 *
 * An MSHR is about one sector of the description, that is one or more pieces,
 * each asked for and coming by itself. When all have come, the targets
 * are answered one a cycle; only then is the sector valid, so that none that
 * comes later is served before them.
 */
#include "sim/core/checked.h"
#include "sim/units/cache/cache_private.h"

void cache_make_lists(struct cache *c)
{
    struct misses *m = &c->misses;
    uint32_t mshrs = (uint32_t)c->params.mshrs;
    uint32_t passed = (uint32_t)c->params.pass;
    struct chip *chip = c->unit.chip;
    m->mshrs = chip_alloc(chip, mshrs, sizeof *m->mshrs);
    m->passed = chip_alloc(chip, passed, sizeof *m->passed);
    TRIP_ROOM(m, chip, mshrs);
    for (uint32_t i = 0; i < mshrs; i++)
        m->mshrs[i].first = i + 1 < mshrs ? i + 1 : NO_ENTRY;
    for (uint32_t i = 0; i < passed; i++)
        m->passed[i].next_free = i + 1 < passed ? (uint16_t)(i + 1) : NO_ENTRY;
    if (c->owner)
        m->captured = chip_alloc(chip, passed, sizeof *m->captured);
    m->targets = (uint32_t)c->params.targets;
    m->limit = (uint32_t)c->params.misses;
}

/* ---- asking ---- */

/* joined: MEM_JOINED, or 0 of the request that the sector is fetched for. */
static void add_target(struct cache *c, struct mshr *e, uint8_t joined)
{
    struct msg *pool = unit_pool(&c->unit);
    uint32_t index = cache_take_request(c);
    struct msg *m = &pool[index];
    m->flags = (uint8_t)((m->flags & MSG_PAYLOAD) | joined);
    if (e->waiting++)
        pool[e->last].next = index;
    else
        e->first = index;
    e->last = index;
    /* Its result is written through when the sector is there. */
    c->back.updates_promised +=
        !c->owner && !c->writes_back && m->op == MEM_ATOMIC;
}

void cache_join(struct cache *c, struct probe p, const struct msg *m)
{
    struct mshr *e = mshr_of(&c->misses, &c->store, p.line, p.piece);
    c->stats.joined += m->op == MEM_READ;
    add_target(c, e, MEM_JOINED);
    if (p.line->ahead & p.bit)
        cache_ahead_used(c, p.line, p.bit);
}

/* m: the request that brings it about. */
static struct mshr *begin_fetch(struct cache *c, struct line *l, uint8_t pieces,
                                const struct msg *m)
{
    uint16_t index = c->misses.free_mshr;
    struct mshr *e = &c->misses.mshrs[index];
    c->misses.free_mshr = (uint16_t)e->first;
    c->misses.mshrs_used++;
    e->line = (uint32_t)(l - c->store.lines);
    e->pieces = pieces;
    e->awaited = 1;
    for (uint32_t p = pieces & (pieces - 1u); p; p &= p - 1)
        e->awaited++;
    e->waiting = e->flags = 0;
    e->culprit = NONE;
    c->fetched = true;
    l->pending |= pieces;
    for (uint32_t p = pieces; p; p &= p - 1) {
        uint32_t piece = (uint32_t)__builtin_ctz(p);
        c->misses.fetches[(size_t)e->line * c->store.pieces + piece] = index;
        uint64_t address = l->base + piece * SECTOR;
        struct msg *fetch = add_below(c, address);
        *fetch = (struct msg){
            .op = c->owner ? MEM_FILL : MEM_READ,
            .addr = address,
            .from = m->from,
            .size = SECTOR,
            .tag = index | piece << 16,
        };
        trip_fetch(fetch, m, unit_now(&c->unit));
    }
    CACHE_SHADOWS(
        c, shadow_fetched, line_number(&c->store, l->base), pieces,
        !machine_read_only(c->machine, l->base, (uint64_t)c->params.line));
    return e;
}

static void classify(struct cache *c, uint64_t number, uint32_t piece)
{
    switch (shadow_classify(c->shadow, number, piece)) {
    case MISS_COMPULSORY:
        c->stats.miss_compulsory++;
        break;
    case MISS_COHERENCE:
        c->stats.miss_coherence++;
        break;
    case MISS_CONFLICT:
        c->stats.miss_conflict++;
        break;
    case MISS_CAPACITY:
        c->stats.miss_capacity++;
    }
}

/* ---- ahead of need ---- */

/* Returns the pieces of the group that neither are here nor on their way. */
static uint8_t missing(const struct line *l, uint8_t group)
{
    return group & (uint8_t) ~(l->valid | l->pending);
}

/*
 * Fetches the sectors that are not here, one by one, as long as there is room.
 */
static void prefetch_line(struct cache *c, struct line *l, const struct msg *m)
{
    for (uint32_t p = 0; p < c->store.pieces; p += c->store.sector_pieces) {
        uint8_t pieces = missing(l, group_of(p, c->store.sector_pieces));
        uint32_t count = (uint32_t)__builtin_popcount(pieces);
        if (!count)
            continue;
        if (c->misses.free_mshr == NO_ENTRY ||
            queue_free(&c->back.below) <
                c->back.need + c->store.sector_pieces) {
            c->stats.prefetch_dropped += count;
            continue;
        }
        begin_fetch(c, l, pieces, m);
        l->ahead |= pieces;
        c->stats.prefetches += count;
    }
}

/* Fetches the line after that of the request, if it belongs here. */
static void prefetch_next(struct cache *c, const struct msg *m)
{
    uint64_t line = (uint64_t)c->params.line;
    uint64_t next = (m->addr & ~(line - 1)) + line;
    if (!machine_in_ram(c->machine, next, line) ||
        map_slice(&c->store.own, next) != map_slice(&c->store.own, m->addr))
        return;
    struct line *l = store_find(&c->store, next);
    bool room =
        c->misses.free_mshr != NO_ENTRY && room_below(c) &&
        queue_free(&c->back.below) >= c->back.need + c->store.sector_pieces;
    if (!l && (!room || !(l = cache_allocate(c, next))))
        c->stats.prefetch_dropped += c->store.pieces;
    else
        prefetch_line(c, l, m);
}

/* ---- a miss ---- */

/* Tells whether there are as many MSHRs as the sectors of the group take. */
static bool enough_mshrs(const struct cache *c, const struct line *l,
                         uint8_t group)
{
    uint32_t sectors = 0;
    if (c->store.fill_pieces == c->store.sector_pieces)
        return c->misses.free_mshr != NO_ENTRY;
    for (uint32_t p = 0; p < c->store.pieces; p += c->store.sector_pieces)
        sectors += (group >> p & 1) &&
                   (!l || missing(l, group_of(p, c->store.sector_pieces)));
    return c->misses.mshrs_used + sectors <= (uint32_t)c->params.mshrs;
}

/* Fetches the sector of the request, then those that are fetched with it. */
static void fetch_group(struct cache *c, struct line *l, const struct msg *m)
{
    uint32_t piece = piece_of(&c->store, m->addr);
    uint8_t sector = group_of(piece, c->store.sector_pieces);
    struct mshr *e = begin_fetch(c, l, missing(l, sector), m);
    add_target(c, e, 0);
    if (c->store.fill_pieces == c->store.sector_pieces)
        return;
    uint8_t group = group_of(piece, c->store.fill_pieces);
    for (uint32_t p = 0; p < c->store.pieces; p += c->store.sector_pieces) {
        uint8_t rest = missing(l, group & group_of(p, c->store.sector_pieces));
        if (rest)
            begin_fetch(c, l, rest, m);
    }
}

enum verdict cache_fetch(struct cache *c, struct line *l, const struct msg *m)
{
    uint32_t piece = piece_of(&c->store, m->addr);
    if (c->misses.begun == c->misses.limit)
        return ONE_MISS_TOO_MANY;
    if (!enough_mshrs(c, l, group_of(piece, c->store.fill_pieces)))
        return NO_MSHR;
    if (!room_below(c))
        return NO_ROOM;
    if (!l && !(l = cache_allocate(c, m->addr)))
        return NO_WAY;
    c->misses.begun++;
    if (m->op == MEM_READ) {
        c->stats.misses_read++;
        work_missed(c->machine, &c->unit, m);
        if (c->shadow)
            classify(c, line_number(&c->store, l->base), piece);
        if (STALLS && c->twice)
            OBSERVED_ADD(c->stats.missed_twice,
                         shadow_classify(c->twice,
                                         line_number(&c->store, l->base),
                                         piece) == MISS_CONFLICT);
    }
    CACHE_SHADOWS(c, shadow_use, line_number(&c->store, l->base),
                  (uint8_t)(1u << piece));
    fetch_group(c, l, m);
    if (c->prefetch && m->op == MEM_READ) {
        prefetch_line(c, l, m);
        if (c->prefetch == PREFETCH_NEXT)
            prefetch_next(c, m);
    }
    return LOOKED_UP;
}

/* ---- what comes ---- */

static void end_fetch(struct cache *c, struct mshr *e)
{
    struct line *l = &c->store.lines[e->line];
    if (e->culprit != NONE)
        l->stale |= e->pieces;
    uint8_t keep = e->pieces & (uint8_t)~l->stale;
    uint8_t stale = e->pieces & l->stale;
    l->pending &= (uint8_t)~e->pieces;
    l->stale &= (uint8_t)~e->pieces;
    l->valid |= keep;
    l->partial &= (uint8_t)~keep;
    if (stale) {
        /* Of these only what was written and is not below yet is kept. */
        l->partial &= (uint8_t)~stale | l->dirty;
        for (uint32_t m = stale & l->dirty; m; m &= m - 1) {
            struct bytes *b =
                bytes_of(&c->store, l, (uint32_t)__builtin_ctz(m));
            l->partial |= m & (0u - m);
            b->there = b->dirty;
        }
        cache_ahead_lost(c, l, stale);
        CACHE_SHADOWS(c, shadow_dropped, line_number(&c->store, l->base),
                      stale);
    }
    e->pieces = 0;
    e->first = c->misses.free_mshr;
    c->misses.free_mshr = (uint16_t)(e - c->misses.mshrs);
    c->misses.mshrs_used--;
    c->doing &= (uint8_t)~REPLAYING;
}

/* Bytes that were written since they were asked for are newer. */
static void take_bytes(struct cache *c, struct line *l, uint32_t piece,
                       const uint8_t *from)
{
    const struct bytes *b = bytes_of(&c->store, l, piece);
    uint8_t *to = data_of(&c->store, l, piece)->bytes;
    uint32_t here = l->partial >> piece & 1 ? b->there : 0;
    if (!here) {
        memcpy(to, from, SECTOR);
        return;
    }
    for (uint32_t m = ~here; m; m &= m - 1)
        to[__builtin_ctz(m)] = from[__builtin_ctz(m)];
}

/* The bytes that have come are those of the copy from now on. */
static void take_piece(struct cache *c, struct line *l, uint32_t piece,
                       const struct msg *m)
{
    uint8_t bit = (uint8_t)(1u << piece);
    if (m->flags & MSG_PAYLOAD) {
        struct payload bytes = msg_payload(&c->unit, m);
        take_bytes(c, l, piece, bytes.bytes);
        store_by_value(&c->store, l, bit);
    } else if (l->partial & bit && !c->owner) {
        take_bytes(c, l, piece,
                   machine_at(c->machine, l->base + piece * SECTOR));
    } else {
        l->by_value &= (uint8_t)~bit;
    }
}

static void note_served(struct mshr *e, uint8_t flags)
{
    if ((flags & MEM_DEPTH) > (e->flags & MEM_DEPTH))
        e->flags = (uint8_t)((e->flags & MEM_JOINED) | (flags & MEM_DEPTH));
    e->flags |= flags & MEM_JOINED;
}

void cache_install(struct cache *c, const struct msg *m)
{
    uint16_t index = (uint16_t)m->tag;
    struct mshr *e = &c->misses.mshrs[index];
    c->stats.fills++;
    if (m->op == MEM_FAULT)
        e->culprit = (uint32_t)m->value;
    else
        take_piece(c, &c->store.lines[e->line], m->tag >> 16, m);
    note_served(e, m->flags);
    CHECKED_ASSERT(e->awaited);
    if (--e->awaited)
        return;
    TRIP_KEEP(&c->misses, index, m);
    if (!e->waiting) {
        end_fetch(c, e);
        return;
    }
    c->misses.replay = index;
    c->doing |= REPLAYING;
}

/* Answers a target of a fetch that has failed. */
static void answer_fault(struct cache *c, const struct msg *m,
                         const struct mshr *e, uint8_t flags)
{
    struct msg fault = {.op = MEM_FAULT,
                        .addr = m->addr,
                        .from = m->from,
                        .tag = m->tag,
                        .size = m->size,
                        .flags = flags,
                        .aux = m->op,
                        .value = e->culprit};
    trip_goes_on(&fault, m);
    if (m->flags & MSG_PAYLOAD)
        msg_payload(&c->unit, m);
    cache_answer(c, m->when, &fault, NULL);
}

void cache_replay(struct cache *c)
{
    struct mshr *e = &c->misses.mshrs[c->misses.replay];
    struct msg *pool = unit_pool(&c->unit);
    struct msg *m = &pool[e->first];
    TRIP_JOIN(&c->misses, c->misses.replay, m);
    /* What it writes through needs room; the promise keeps the entry. */
    if (!c->writes_back && m->op != MEM_READ &&
        queue_free(&c->back.below) < c->back.need)
        return;
    if (c->fault == SWAP)
        cache_swap(c, e);
    c->back.updates_promised -=
        !c->owner && !c->writes_back && m->op == MEM_ATOMIC;
    c->front.request = e->first;
    if (e->waiting > 1)
        e->first = m->next;
    uint8_t flags = deeper(e->flags) | (m->flags & MEM_JOINED);
    if (e->culprit == NONE)
        cache_perform(c, m, &c->store.lines[e->line], flags);
    else
        answer_fault(c, m, e, flags);
    cache_free_request(c);
    if (!--e->waiting)
        end_fetch(c, e);
}
