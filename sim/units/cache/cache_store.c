/*
 * The store of a cache: lines are allocated and dropped, and which bytes of a
 * line are here. Which line is replaced is in cache_replacement.c.
 */
#include "sim/units/cache/cache_private.h"

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
    if (c->store.by->note_used)
        c->store.by->note_used(&c->store, set, (uint32_t)way);
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
