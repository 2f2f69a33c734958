/* The line that was used longest ago. */
#include "sim/units/cache/cache_private.h"

static int victim(struct store *s, uint32_t set, uint32_t begin)
{
    return store_oldest(s, set);
}

const struct cache_replacement cache_replace_lru = {
    .by_use = true,
    .victim = victim,
};
