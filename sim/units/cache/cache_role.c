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

static void map(const struct unit *u, struct memory_map *m)
{
    const struct cache_params *p = &((const struct cache *)u)->params;
    *m = (struct memory_map){.stride = p->map_stride,
                             .parts = p->map_parts,
                             .slices = p->map_slices,
                             .hash = p->map_hash,
                             .line = p->map_line,
                             .least = p->line};
}

const struct memory_role cache_role = {
    .next = MEM,
    .aside = SCENE,
    .link = link_for,
    .holds = holds,
    .map = map,
    .save = cache_save,
    .load = cache_load,
    .empty = cache_empty,
};
