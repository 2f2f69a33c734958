/* Lines of a cache: tags, victims, which bytes are here. */
#include "sim/core/newer_hosts.h"
#include "sim/units/cache_private.h"

/* ---- victims ---- */

static uint64_t next_random(struct cache *c)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 7;
    c->random ^= c->random << 17;
    return c->random;
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
static void tree_use(struct cache *c, uint32_t set, uint32_t way)
{
    uint64_t *tree = c->trees[set], first = tree[0];
    uint32_t n = c->tree_leaves + way;
    if (n / 2 >= 64) {
        tree[1] = turn_away(tree[1], n);
        n /= 2;
    }
    for (; n > 1; n /= 2)
        first = turn_away(first, n);
    tree[0] = first;
}

static uint32_t tree_victim(const struct cache *c, uint32_t set)
{
    const uint64_t *tree = c->trees[set];
    uint32_t n = 1, first = 0;
    for (uint32_t half = c->tree_leaves / 2; half; half /= 2) {
        bool right = tree[n / 64] >> n % 64 & 1 && first + half < c->ways;
        first += right ? half : 0;
        n = 2 * n + right;
    }
    return first;
}

void cache_note_used(struct cache *c, uint32_t set, uint32_t way)
{
    if (c->trees)
        tree_use(c, set, way);
}

static bool being_filled(const struct cache *c, uint32_t set, uint32_t way)
{
    return c->lines[(size_t)set * c->ways + way].pending > 0;
}

/* The first way from `first` on, wrapping, that is not being filled. */
static int next_way(const struct cache *c, uint32_t set, uint32_t first)
{
    for (uint32_t i = 0; i < c->ways; i++) {
        uint32_t way = first + i < c->ways ? first + i : first + i - c->ways;
        if (!being_filled(c, set, way))
            return (int)way;
    }
    return -1;
}

/* Of the ways that are not being filled. */
static int oldest_settled(const struct cache *c, uint32_t set)
{
    const uint32_t *used = &c->used[(size_t)set * c->ways];
    int best = -1;
    for (uint32_t way = 0; way < c->ways; way++)
        if (!being_filled(c, set, way) &&
            (best < 0 || c->clock - used[way] > c->clock - used[best]))
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
static int oldest_way(const struct cache *c, uint32_t set)
{
    const uint32_t *used = &c->used[(size_t)set * c->ways];
    if (c->ways % LANES)
        return oldest_settled(c, set);
    uint32_t way = oldest_of(used, c->ways, c->clock);
    return being_filled(c, set, way) ? oldest_settled(c, set) : (int)way;
}

/* An unused way, the next from `first` on; -1: none. */
static int unused_way(const struct cache *c, uint32_t set, uint32_t first)
{
    const uint8_t *tags = &c->tags[(size_t)set * c->tag_ways];
    int wrapped = -1;
    for (uint32_t way = 0; way < c->ways; way += 16) {
        unsigned free = cache_match_ways(tags + way, 0);
        if (c->ways - way < 16)
            free &= (1u << (c->ways - way)) - 1;
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

/* The way to replace: an unused one, else by policy; -1: all being filled. */
static int choose_way(struct cache *c, uint32_t set)
{
    uint32_t first = c->at_random ? (uint32_t)(next_random(c) % c->ways) : 0;
    int unused = unused_way(c, set, first);
    if (unused >= 0)
        return unused;
    if (c->at_random)
        return next_way(c, set, first);
    if (c->trees)
        return next_way(c, set, tree_victim(c, set));
    return oldest_way(c, set);
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
    if (!c->dirty && !c->prefetch)
        return; /* the host need not wait for what the line was */
    cache_ahead_lost(c, l, c->all_pieces);
    for (uint32_t m = l->dirty; m; m &= m - 1)
        cache_write_back(c, l, (uint32_t)__builtin_ctz(m));
}

struct line *cache_allocate(struct cache *c, uint64_t address)
{
    uint32_t set = set_at(c, address);
    int way = choose_way(c, set);
    if (way < 0)
        return NULL;
    struct line *l = &c->lines[(size_t)set * c->ways + (uint32_t)way];
    uint8_t *tag = &c->tags[(size_t)set * c->tag_ways + (uint32_t)way];
    if (*tag)
        evict(c, l);
    *tag = cache_partial_tag(c, address);
    *l = (struct line){.base = address & ~(uint64_t)c->line_mask};
    c->used[l - c->lines] = ++c->clock;
    cache_note_used(c, set, (uint32_t)way);
    return l;
}

void cache_merge(struct cache *c, struct line *l, uint32_t piece, uint32_t mask,
                 const uint8_t *from)
{
    uint8_t bit = (uint8_t)(1u << piece);
    if (from) {
        uint8_t *to = data_of(c, l, piece)->bytes;
        if (l->valid & bit & ~l->by_value)
            memcpy(to, machine_at(c->machine, l->base + piece * SECTOR),
                   SECTOR);
        for (uint32_t m = mask; m; m &= m - 1)
            to[__builtin_ctz(m)] = from[__builtin_ctz(m)];
        cache_by_value(c, l, bit);
        c->fetched = true;
    }
    if (l->valid & bit)
        return;
    cache_line_changed(c, l);
    struct bytes *b = bytes_of(c, l, piece);
    b->there = (l->partial & bit ? b->there : 0) | mask;
    l->partial |= bit;
    if (b->there == ~0u && !(l->pending & bit)) {
        l->valid |= bit;
        l->partial &= (uint8_t)~bit;
        if (c->shadow)
            shadow_fetched(c->shadow, line_number(c, l->base), bit, true);
    }
}

void cache_mark_dirty(struct cache *c, struct line *l, uint32_t piece,
                      uint32_t mask)
{
    uint8_t bit = (uint8_t)(1u << piece);
    struct bytes *b = bytes_of(c, l, piece);
    if (!(l->dirty & bit)) {
        c->dirty++;
        b->dirty = 0;
    }
    l->dirty |= bit;
    b->dirty |= mask;
}

void cache_drop(struct cache *c, struct line *l, uint8_t pieces)
{
    if (c->shadow)
        shadow_dropped(c->shadow, line_number(c, l->base), l->valid & pieces);
    cache_ahead_lost(c, l, pieces & (uint8_t)~l->pending);
    l->valid &= (uint8_t)~pieces;
    l->partial &= (uint8_t)~pieces;
}
