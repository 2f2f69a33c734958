/* What the host may know of a cache: its place on the way to memory. */
#include "sim/core/memory_role.h"
#include "sim/units/cache/cache_private.h"

static unsigned link_for(const struct unit *u, uint64_t address)
{
    return cache_link((const struct cache *)u, address);
}

static enum memory_holds holds(const struct unit *u)
{
    return ((const struct cache *)u)->params.owner ? MEMORY_OWNS
                                                   : MEMORY_COPIES;
}

const struct memory_role cache_role = {
    .next = MEM,
    .aside = SCENE,
    .link = link_for,
    .holds = holds,
    .save = cache_save,
    .load = cache_load,
    .empty = cache_empty,
};
