#include "sim/host/path.h"
#include "sim/core/unit.h"
#include "sim/units/cache.h"
#include "sim/units/mem.h"
#include "sim/units/units.h"
#include <stdio.h>
#include <string.h>

/* The output row named mem, -1: none. */
static int mem_row(const struct unit *u)
{
    for (unsigned r = 0; r < u->kind->port_count; r++)
        if (u->kind->port_rows[r].output &&
            !strcmp(u->kind->port_rows[r].name, "mem"))
            return (int)r;
    return -1;
}

unsigned path_links(const struct unit *u)
{
    int row = mem_row(u);
    return row < 0 ? 0 : u->links[row];
}

struct unit *path_link(const struct unit *u, unsigned link)
{
    return u->out[mem_row(u)][link].target;
}

bool path_keeps_copies(struct unit *u)
{
    return u->kind == &cache_kind && path_links(u) &&
           path_link(u, 0)->kind == &cache_kind;
}

/* Which of its links a cache sends a request through: as its parameters say.
 */
static unsigned link_of(struct unit *u, uint64_t address)
{
    const struct cache_params *p = unit_params(u);
    if (path_links(u) < 2)
        return 0;
    struct address_map map = map_new(p->map_stride, p->map_parts, p->map_slices,
                                     cache_slice_bytes(u), p->map_hash);
    return map_slice(&map, address);
}

void path_text(struct unit *core, uint64_t address, unsigned served, char *text,
               size_t size)
{
    unsigned asked = served == PATH_UNKNOWN ? 0 : served & MEM_DEPTH;
    bool known = served != PATH_UNKNOWN;
    struct unit *u = path_link(core, 0);
    int used = snprintf(text, size, "%s", core->name);
    for (bool more = true; more && (size_t)used < size; asked--) {
        bool cache = u->kind == &cache_kind;
        more = cache && path_links(u) && (!known || asked);
        const char *how = !cache || !known ? "" : asked ? " (miss)" : " (hit)";
        used += snprintf(text + used, size - (size_t)used, " -> %s%s", u->name,
                         how);
        if (more)
            u = path_link(u, link_of(u, address));
    }
}
