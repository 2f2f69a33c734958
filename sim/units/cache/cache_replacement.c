/*
 * Which way of a set a new line takes: an unused one, else a victim of the
 * cache's policy; and what policies have in common.
 */
#include "sim/core/newer_hosts.h"
#include "sim/units/cache/cache_private.h"

#define CACHE_REPLACEMENT_ROW(name) &cache_replace_##name,
const struct cache_replacement *const cache_replacements[] = {
    CACHE_REPLACEMENTS(CACHE_REPLACEMENT_ROW, CACHE_REPLACEMENT_ROW)};

/* ---- for policies ---- */

uint64_t store_random(struct store *s)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return s->random;
}

static bool being_filled(const struct store *s, uint32_t set, uint32_t way)
{
    return s->lines[(size_t)set * s->ways + way].pending > 0;
}

int store_settled_from(const struct store *s, uint32_t set, uint32_t first)
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
int store_oldest(const struct store *s, uint32_t set)
{
    const uint32_t *used = &s->used[(size_t)set * s->ways];
    if (s->ways % LANES)
        return oldest_settled(s, set);
    uint32_t way = oldest_of(used, s->ways, s->clock);
    return being_filled(s, set, way) ? oldest_settled(s, set) : (int)way;
}

/* ---- the way of a new line ---- */

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
    uint32_t begin = s->by->begin ? s->by->begin(s) : 0;
    int unused = unused_way(s, set, begin);
    return unused >= 0 ? unused : s->by->victim(s, set, begin);
}
