/*
 * Tree-PLRU: a set's two words are inner nodes 1, 2, ... of a binary tree over
 * the ways, node n above 2n and 2n + 1, each with a bit that says in which half
 * the victim is. Ways that the cache does not have, where they are no power of
 * two, are at the right and never the victim.
 */
#include "sim/units/cache/cache_private.h"

/* The victim is not in the half of `below`, an inner node or a leaf. nodes: the
 * word of the tree that holds the node above. */
static inline uint64_t turn_away(uint64_t nodes, uint32_t below)
{
    uint64_t bit = 1ULL << below / 2 % 64;
    return (nodes & ~bit) | (below & 1 ? 0 : bit);
}

/* Up to 64 ways all inner nodes are in one word. */
static void note_used(struct store *s, uint32_t set, uint32_t way)
{
    uint64_t *tree = store_words(s, set), first = tree[0];
    uint32_t n = s->ways_up + way;
    if (n / 2 >= 64) {
        tree[1] = turn_away(tree[1], n);
        n /= 2;
    }
    for (; n > 1; n /= 2)
        first = turn_away(first, n);
    tree[0] = first;
}

static int victim(struct store *s, uint32_t set, uint32_t begin)
{
    const uint64_t *tree = store_words(s, set);
    uint32_t n = 1, first = 0;
    for (uint32_t half = s->ways_up / 2; half; half /= 2) {
        bool right = tree[n / 64] >> n % 64 & 1 && first + half < s->ways;
        first += right ? half : 0;
        n = 2 * n + right;
    }
    return store_settled_from(s, set, first);
}

const struct cache_replacement cache_replace_plru = {
    .words = 2,
    .note_used = note_used,
    .victim = victim,
};
