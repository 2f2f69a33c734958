/* Any line; and of unused ways any, too. */
#include "sim/units/cache/cache_private.h"

static uint32_t begin(struct store *s)
{
    return (uint32_t)(store_random(s) % s->ways);
}

static int victim(struct store *s, uint32_t set, uint32_t from)
{
    return store_settled_from(s, set, from);
}

const struct cache_replacement cache_replace_random = {
    .begin = begin,
    .victim = victim,
};
