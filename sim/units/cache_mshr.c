/*
 * Fetches: MSHRs, the requests that wait for them (targets), prefetches.
 *
 * An MSHR is about one sector of the description, that is one or more pieces,
 * each asked for and coming by itself. When all have come, those who wait are
 * answered one a cycle; only then is the sector valid, so that none that comes
 * later is served before them.
 */
#include "sim/units/cache_private.h"

void cache_make_lists(struct cache *c)
{
    uint32_t mshrs = (uint32_t)c->params.mshrs;
    uint32_t passed = (uint32_t)c->params.pass;
    struct chip *chip = c->unit.chip;
    c->mshrs = chip_alloc(chip, mshrs, sizeof *c->mshrs);
    c->passed = chip_alloc(chip, passed, sizeof *c->passed);
    for (uint32_t i = 0; i < mshrs; i++)
        c->mshrs[i].first = i + 1 < mshrs ? i + 1 : NO_ENTRY;
    for (uint32_t i = 0; i < passed; i++)
        c->passed[i].next_free = i + 1 < passed ? (uint16_t)(i + 1) : NO_ENTRY;
    if (c->owner)
        c->captured = chip_alloc(chip, passed, sizeof *c->captured);
}

/* ---- asking ---- */

enum verdict cache_join(struct cache *c, struct line *l, uint32_t piece,
                        const struct msg *m)
{
    struct mshr *e = cache_fetch_of(c, l, piece);
    if (l->stale >> piece & 1)
        return MUST_WAIT;
    if (e->waiting == c->target_limit)
        return NO_TARGET;
    cache_add_target(c, e, cache_take_request(c), MEM_JOINED);
    if (m->op == MEM_READ)
        c->stats.half_misses++;
    if (l->ahead >> piece & 1)
        cache_ahead_used(c, l, (uint8_t)(1u << piece));
    return LOOKED_UP;
}

static struct mshr *begin_fetch(struct cache *c, struct line *l, uint8_t pieces,
                                uint64_t from)
{
    uint16_t index = c->free_mshr;
    struct mshr *e = &c->mshrs[index];
    c->free_mshr = (uint16_t)e->first;
    c->mshrs_used++;
    e->line = (uint32_t)(l - c->lines);
    e->pieces = pieces;
    e->awaited = 1;
    for (uint32_t m = pieces & (pieces - 1u); m; m &= m - 1)
        e->awaited++;
    e->waiting = e->flags = 0;
    c->fetched = true;
    l->pending |= pieces;
    cache_line_changed(c, l);
    for (uint32_t m = pieces; m; m &= m - 1) {
        uint32_t piece = (uint32_t)__builtin_ctz(m);
        c->fetches[(size_t)e->line * c->pieces + piece] = index;
        uint64_t address = l->base + piece * SECTOR;
        *add_below(c, address) = (struct msg){
            .op = c->owner ? MEM_FILL : MEM_READ,
            .addr = address,
            .from = from,
            .size = SECTOR,
            .tag = index | piece << 16,
        };
    }
    if (c->shadow)
        shadow_fetched(
            c->shadow, line_number(c, l->base), pieces,
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

/* The pieces of the group that neither are here nor on their way. */
static uint8_t missing(const struct line *l, uint8_t group)
{
    return group & (uint8_t) ~(l->valid | l->pending);
}

/* Sectors that are not here, one by one, as long as there is room. */
static void prefetch_line(struct cache *c, struct line *l, uint64_t from)
{
    for (uint32_t p = 0; p < c->pieces; p += c->sector_pieces) {
        uint8_t pieces = missing(l, group_of(p, c->sector_pieces));
        uint32_t count = (uint32_t)__builtin_popcount(pieces);
        if (!count)
            continue;
        if (c->free_mshr == NO_ENTRY ||
            queue_free(&c->below) < c->need + c->sector_pieces) {
            c->stats.prefetch_dropped += count;
            continue;
        }
        begin_fetch(c, l, pieces, from);
        l->ahead |= pieces;
        c->stats.prefetches += count;
    }
}

/* The line after that of the address, if it belongs here. */
static void prefetch_next(struct cache *c, uint64_t address, uint64_t from)
{
    uint64_t line = (uint64_t)c->params.line;
    uint64_t next = (address & ~(line - 1)) + line;
    if (!machine_in_ram(c->machine, next, line) ||
        map_slice(&c->own, next) != map_slice(&c->own, address))
        return;
    struct line *l = cache_find_line(c, next);
    bool room = c->free_mshr != NO_ENTRY && room_below(c) &&
                queue_free(&c->below) >= c->need + c->sector_pieces;
    if (!l && (!room || !(l = cache_allocate(c, next))))
        c->stats.prefetch_dropped += c->pieces;
    else
        prefetch_line(c, l, from);
}

/* ---- a miss ---- */

/* As many MSHRs as the sectors of the group take? */
static bool enough_mshrs(const struct cache *c, const struct line *l,
                         uint8_t group)
{
    uint32_t sectors = 0;
    if (c->fill_pieces == c->sector_pieces)
        return c->free_mshr != NO_ENTRY;
    for (uint32_t p = 0; p < c->pieces; p += c->sector_pieces)
        sectors += (group >> p & 1) &&
                   (!l || missing(l, group_of(p, c->sector_pieces)));
    return c->mshrs_used + sectors <= (uint32_t)c->params.mshrs;
}

/* The sector of the request, then those that are fetched with it. */
static void fetch_group(struct cache *c, struct line *l, const struct msg *m)
{
    uint32_t piece = piece_of(c, m->addr);
    uint8_t sector = group_of(piece, c->sector_pieces);
    struct mshr *e = begin_fetch(c, l, missing(l, sector), m->from);
    cache_add_target(c, e, cache_take_request(c), 0);
    if (c->fill_pieces == c->sector_pieces)
        return;
    uint8_t group = group_of(piece, c->fill_pieces);
    for (uint32_t p = 0; p < c->pieces; p += c->sector_pieces) {
        uint8_t rest = missing(l, group & group_of(p, c->sector_pieces));
        if (rest)
            begin_fetch(c, l, rest, m->from);
    }
}

enum verdict cache_fetch(struct cache *c, struct line *l, const struct msg *m)
{
    uint32_t piece = piece_of(c, m->addr);
    enum verdict v =
        cache_may_fetch(c, enough_mshrs(c, l, group_of(piece, c->fill_pieces)));
    if (v != LOOKED_UP)
        return v;
    if (!l && !(l = cache_allocate(c, m->addr)))
        return NO_WAY;
    c->misses++;
    if (m->op == MEM_READ) {
        c->stats.misses_read++;
        if (c->shadow)
            classify(c, line_number(c, l->base), piece);
    }
    if (c->shadow)
        shadow_use(c->shadow, line_number(c, l->base), (uint8_t)(1u << piece));
    fetch_group(c, l, m);
    if (c->prefetch && m->op == MEM_READ) {
        prefetch_line(c, l, m->from);
        if (c->prefetch == PREFETCH_NEXT)
            prefetch_next(c, m->addr, m->from);
    }
    return LOOKED_UP;
}

/* ---- what comes ---- */

static void end_fetch(struct cache *c, struct mshr *e)
{
    struct line *l = &c->lines[e->line];
    uint8_t keep = e->pieces & (uint8_t)~l->stale;
    uint8_t stale = e->pieces & l->stale;
    cache_line_changed(c, l);
    l->pending &= (uint8_t)~e->pieces;
    l->stale &= (uint8_t)~e->pieces;
    l->valid |= keep;
    l->partial &= (uint8_t)~keep;
    if (stale) {
        /* Of these only what was written and is not below yet is kept. */
        l->partial &= (uint8_t)~stale | l->dirty;
        for (uint32_t m = stale & l->dirty; m; m &= m - 1) {
            struct bytes *b = bytes_of(c, l, (uint32_t)__builtin_ctz(m));
            l->partial |= m & (0u - m);
            b->there = b->dirty;
        }
        cache_ahead_lost(c, l, stale);
        if (c->shadow)
            shadow_dropped(c->shadow, line_number(c, l->base), stale);
    }
    e->pieces = 0;
    e->first = c->free_mshr;
    c->free_mshr = (uint16_t)(e - c->mshrs);
    c->mshrs_used--;
    c->doing &= (uint8_t)~REPLAYING;
}

/* Bytes that were written since they were asked for are newer. */
static void take_bytes(struct cache *c, struct line *l, uint32_t piece,
                       const uint8_t *from)
{
    const struct bytes *b = bytes_of(c, l, piece);
    uint8_t *to = data_of(c, l, piece)->bytes;
    uint32_t here = l->partial >> piece & 1 ? b->there : 0;
    if (!here) {
        memcpy(to, from, SECTOR);
        return;
    }
    for (uint32_t m = ~here; m; m &= m - 1)
        to[__builtin_ctz(m)] = from[__builtin_ctz(m)];
}

void cache_install(struct cache *c, const struct msg *m)
{
    uint16_t index = (uint16_t)m->tag;
    uint32_t piece = m->tag >> 16;
    struct mshr *e = &c->mshrs[index];
    struct line *l = &c->lines[e->line];
    uint8_t bit = (uint8_t)(1u << piece);
    c->stats.fills++;
    host_prefetch(&c->unit.tile->pool[e->first]); /* for cache_replay */
    if (m->flags & MSG_PAYLOAD) {
        struct payload bytes = msg_payload(&c->unit, m);
        take_bytes(c, l, piece, bytes.bytes);
        cache_by_value(c, l, bit);
    } else if (l->partial & bit && !c->owner) {
        take_bytes(c, l, piece,
                   machine_at(c->machine, l->base + piece * SECTOR));
    } else {
        l->by_value &= (uint8_t)~bit;
    }
    if ((m->flags & MEM_DEPTH) > (e->flags & MEM_DEPTH))
        e->flags = (uint8_t)((e->flags & MEM_JOINED) | (m->flags & MEM_DEPTH));
    e->flags |= m->flags & MEM_JOINED;
    if (--e->awaited)
        return;
    if (!e->waiting) {
        end_fetch(c, e);
        return;
    }
    c->replay = index;
    c->doing |= REPLAYING;
}

void cache_replay(struct cache *c)
{
    struct mshr *e = &c->mshrs[c->replay];
    struct msg *pool = c->unit.tile->pool;
    struct msg *m = &pool[e->first];
    /* What it writes through needs room; the promise keeps the entry. */
    if (!c->back && m->op != MEM_READ && queue_free(&c->below) < c->need)
        return;
    if (c->fault == SWAP)
        cache_swap(c, e);
    c->updates_promised -= !c->owner && !c->back && m->op == MEM_ATOMIC;
    c->request = e->first;
    if (e->waiting > 1) {
        e->first = m->next;
        host_prefetch(&pool[e->first]);
    }
    cache_perform(c, m, &c->lines[e->line],
                  deeper(e->flags) | (m->flags & MEM_JOINED));
    cache_free_request(c);
    if (!--e->waiting)
        end_fetch(c, e);
    else if (c->banks_held)
        cache_line_changed(c, &c->lines[e->line]);
}
