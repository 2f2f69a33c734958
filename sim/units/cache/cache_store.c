/*
 * The store of a cache: which line is replaced, and which bytes of a line are
 * here.
 */
#include "sim/core/newer_hosts.h"
#include "sim/units/cache/cache_private.h"

/* ---- victims ---- */

static uint64_t next_random(struct store *s)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return s->random;
}

/*
 * Tree-PLRU: inner nodes 1, 2, ... of a binary tree over the ways, node n
 * above 2n and 2n + 1, each with a bit that says in which half the victim is.
 * Ways that the cache does not have, where they are no power of two, are at
 * the right and never the victim.
 */

/* The victim is not in the half of `below`, an inner node or a leaf. nodes: the
 * word of the tree that holds the node above. */
static inline uint64_t turn_away(uint64_t nodes, uint32_t below)
{
    uint64_t bit = 1ULL << below / 2 % 64;
    return (nodes & ~bit) | (below & 1 ? 0 : bit);
}

/* Up to 64 ways all inner nodes are in one word. */
static void tree_use(struct store *s, uint32_t set, uint32_t way)
{
    uint64_t *tree = s->trees[set], first = tree[0];
    uint32_t n = s->tree_leaves + way;
    if (n / 2 >= 64) {
        tree[1] = turn_away(tree[1], n);
        n /= 2;
    }
    for (; n > 1; n /= 2)
        first = turn_away(first, n);
    tree[0] = first;
}

static uint32_t tree_victim(const struct store *s, uint32_t set)
{
    const uint64_t *tree = s->trees[set];
    uint32_t n = 1, first = 0;
    for (uint32_t half = s->tree_leaves / 2; half; half /= 2) {
        bool right = tree[n / 64] >> n % 64 & 1 && first + half < s->ways;
        first += right ? half : 0;
        n = 2 * n + right;
    }
    return first;
}

void store_note_used(struct store *s, uint32_t set, uint32_t way)
{
    if (s->trees)
        tree_use(s, set, way);
}

static bool being_filled(const struct store *s, uint32_t set, uint32_t way)
{
    return s->lines[(size_t)set * s->ways + way].pending > 0;
}

/*
 * Returns the first way from `first` on, wrapping, that is not being filled;
 * -1: there is none.
 */
static int next_way(const struct store *s, uint32_t set, uint32_t first)
{
    for (uint32_t i = 0; i < s->ways; i++) {
        uint32_t way = first + i < s->ways ? first + i : first + i - s->ways;
        if (!being_filled(s, set, way))
            return (int)way;
    }
    return -1;
}

/*
 * Returns the oldest of the ways that are not being filled; -1: there is none.
 */
static int oldest_settled(const struct store *s, uint32_t set)
{
    const uint32_t *used = &s->used[(size_t)set * s->ways];
    int best = -1;
    for (uint32_t way = 0; way < s->ways; way++)
        if (!being_filled(s, set, way) &&
            (best < 0 || s->clock - used[way] > s->clock - used[best]))
            best = (int)way;
    return best;
}

/*
 * The way that was used longest ago, of a multiple of LANES: first in each lane
 * of vectors, then of these. No two ways were used at the same time.
 */
#define LANES 8
static FOR_NEWER_HOSTS uint32_t oldest_of(const uint32_t *used, uint32_t ways,
                                          uint32_t clock)
{
    uint32_t age[LANES] = {0}, way[LANES] = {0};
    for (uint32_t first = 0; first < ways; first += LANES, used += LANES)
        for (size_t i = 0; i < LANES; i++) {
            uint32_t a = clock - used[i];
            way[i] = a > age[i] ? first : way[i];
            age[i] = a > age[i] ? a : age[i];
        }
    uint64_t best = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        uint64_t rank = (uint64_t)age[i] << 32 | (way[i] + i);
        best = rank > best ? rank : best;
    }
    return (uint32_t)best;
}

/* The least used one is seldom being filled. */
static int oldest_way(const struct store *s, uint32_t set)
{
    const uint32_t *used = &s->used[(size_t)set * s->ways];
    if (s->ways % LANES)
        return oldest_settled(s, set);
    uint32_t way = oldest_of(used, s->ways, s->clock);
    return being_filled(s, set, way) ? oldest_settled(s, set) : (int)way;
}

/* Returns an unused way, the next from `first` on; -1: there is none. */
static int unused_way(const struct store *s, uint32_t set, uint32_t first)
{
    const uint8_t *tags = &s->tags[(size_t)set * s->tag_ways];
    int wrapped = -1;
    for (uint32_t way = 0; way < s->ways; way += 16) {
        unsigned free = store_match_ways(tags + way, 0);
        if (s->ways - way < 16)
            free &= (1u << (s->ways - way)) - 1;
        for (; free; free &= free - 1) {
            uint32_t found = way + (uint32_t)__builtin_ctz(free);
            if (found >= first)
                return (int)found;
            if (wrapped < 0)
                wrapped = (int)found;
        }
    }
    return wrapped;
}

int store_choose_way(struct store *s, uint32_t set)
{
    uint32_t first = s->at_random ? (uint32_t)(next_random(s) % s->ways) : 0;
    int unused = unused_way(s, set, first);
    if (unused >= 0)
        return unused;
    if (s->at_random)
        return next_way(s, set, first);
    if (s->trees)
        return next_way(s, set, tree_victim(s, set));
    return oldest_way(s, set);
}

/* ---- bytes ---- */

void cache_ahead_used(struct cache *c, struct line *l, uint8_t pieces)
{
    c->stats.prefetch_useful += (uint32_t)__builtin_popcount(l->ahead & pieces);
    l->ahead &= (uint8_t)~pieces;
}

void cache_ahead_lost(struct cache *c, struct line *l, uint8_t pieces)
{
    if (!(l->ahead & pieces))
        return;
    c->stats.prefetch_useless +=
        (uint32_t)__builtin_popcount(l->ahead & pieces);
    l->ahead &= (uint8_t)~pieces;
}

static void evict(struct cache *c, struct line *l)
{
    c->stats.evictions++;
    if (!c->store.dirty && !c->prefetch)
        return; /* the host need not wait for what the line was */
    cache_ahead_lost(c, l, c->store.all_pieces);
    for (uint32_t m = l->dirty; m; m &= m - 1)
        cache_write_back(c, l, (uint32_t)__builtin_ctz(m));
}

struct line *cache_allocate(struct cache *c, uint64_t address)
{
    uint32_t set = set_at(&c->store, address);
    int way = store_choose_way(&c->store, set);
    if (way < 0)
        return NULL;
    struct line *l =
        &c->store.lines[(size_t)set * c->store.ways + (uint32_t)way];
    uint8_t *tag =
        &c->store.tags[(size_t)set * c->store.tag_ways + (uint32_t)way];
    if (*tag)
        evict(c, l);
    *tag = partial_tag(&c->store, address);
    *l = (struct line){.base = address & ~(uint64_t)c->store.line_mask};
    c->store.used[l - c->store.lines] = ++c->store.clock;
    store_note_used(&c->store, set, (uint32_t)way);
    return l;
}

void cache_merge(struct cache *c, struct line *l, uint32_t piece, uint32_t mask,
                 const uint8_t *from)
{
    uint8_t bit = (uint8_t)(1u << piece);
    if (from) {
        uint8_t *to = data_of(&c->store, l, piece)->bytes;
        if (l->valid & bit & ~l->by_value)
            memcpy(to, machine_at(c->machine, l->base + piece * SECTOR),
                   SECTOR);
        for (uint32_t m = mask; m; m &= m - 1)
            to[__builtin_ctz(m)] = from[__builtin_ctz(m)];
        store_by_value(&c->store, l, bit);
        c->fetched = true;
    }
    if (l->valid & bit)
        return;
    struct bytes *b = bytes_of(&c->store, l, piece);
    b->there = (l->partial & bit ? b->there : 0) | mask;
    l->partial |= bit;
    if (b->there == ~0u && !(l->pending & bit)) {
        l->valid |= bit;
        l->partial &= (uint8_t)~bit;
        CACHE_SHADOWS(c, shadow_fetched, line_number(&c->store, l->base), bit,
                      true);
    }
}

void cache_mark_dirty(struct cache *c, struct line *l, uint32_t piece,
                      uint32_t mask)
{
    uint8_t bit = (uint8_t)(1u << piece);
    struct bytes *b = bytes_of(&c->store, l, piece);
    if (!(l->dirty & bit)) {
        c->store.dirty++;
        b->dirty = 0;
    }
    l->dirty |= bit;
    b->dirty |= mask;
}

void cache_drop(struct cache *c, struct line *l, uint8_t pieces)
{
    CACHE_SHADOWS(c, shadow_dropped, line_number(&c->store, l->base),
                  l->valid & pieces);
    cache_ahead_lost(c, l, pieces & (uint8_t)~l->pending);
    l->valid &= (uint8_t)~pieces;
    l->partial &= (uint8_t)~pieces;
}
