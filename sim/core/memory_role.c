#include "sim/core/memory_role.h"
#include "sim/core/unit.h"

static bool leads_on(const struct unit *u)
{
    return u->kind->memory && u->kind->memory->next != MEMORY_END;
}

unsigned memory_links(const struct unit *u)
{
    const struct memory_role *role = u->kind->memory;
    if (!leads_on(u))
        return 0;
    return u->links[role->next] + (role->aside ? u->links[role->aside] : 0u);
}

struct unit *memory_link(const struct unit *u, unsigned link)
{
    const struct memory_role *role = u->kind->memory;
    unsigned first = u->links[role->next];
    return link < first ? u->out[role->next][link].target
                        : u->out[role->aside][link - first].target;
}

bool memory_passes(const struct unit *u)
{
    return leads_on(u) && memory_holds(u) == MEMORY_NOTHING;
}

struct unit *memory_behind(const struct unit *u, unsigned link)
{
    struct unit *next = memory_link(u, link);
    for (unsigned i = 0; i < MEMORY_LEVELS_MAX && memory_passes(next); i++)
        next = memory_link(next, link < memory_links(next) ? link : 0);
    return next;
}

struct unit *memory_next(const struct unit *u, uint64_t address)
{
    unsigned links = memory_links(u);
    if (!links)
        return NULL;
    bool chooses = links > 1 && u->kind->memory->link;
    return memory_link(u, chooses ? u->kind->memory->link(u, address) : 0);
}

enum memory_holds memory_holds(const struct unit *u)
{
    const struct memory_role *role = u->kind->memory;
    return role && role->holds ? role->holds(u) : MEMORY_NOTHING;
}

bool memory_map_of(const struct unit *u, struct memory_map *map)
{
    const struct unit *at = u;
    if (!u->kind->memory || !u->kind->memory->map)
        return false;
    u->kind->memory->map(u, map);
    struct memory_map below = *map;
    for (unsigned i = 0; i < MEMORY_LEVELS_MAX && !below.line; i++) {
        const struct unit *next = memory_links(at) ? memory_link(at, 0) : NULL;
        if (memory_holds(at) == MEMORY_OWNS || !next || !next->kind->memory ||
            !next->kind->memory->map)
            break;
        at = next;
        at->kind->memory->map(at, &below);
    }
    map->line = below.line ? below.line : below.least;
    return true;
}

static unsigned level_below(const struct unit *u, unsigned above)
{
    unsigned below = 0;
    if (memory_holds(u) != MEMORY_COPIES || above == MEMORY_LEVELS_MAX)
        return 0;
    for (unsigned l = 0; l < memory_links(u); l++) {
        unsigned level = level_below(memory_behind(u, l), above + 1);
        if (level > below)
            below = level;
    }
    return below + 1;
}

unsigned memory_level(const struct unit *u)
{
    return level_below(u, 0);
}

bool memory_ends(const struct unit *u)
{
    return u->kind->memory && u->kind->memory->next == MEMORY_END;
}

const struct memory_role memory_role_end = {.next = MEMORY_END};
