/*
 * Where the teams of a launch lie, and how many take part.
 */
#include "runtime/common/group_grid.h"

#include <corbel/corbel.h>
#include <stdlib.h>

/*
 * Windows: each has first places for teams, then memory for their groups.
 * A team's barrier is left as it is found, all 0, so that only those are
 * cleared which no launch has had at their places; these move only if windows
 * grow.
 */
struct layout {
    unsigned windows, places;
    size_t memory;
};

/* What the last launches had for windows and carriers. */
static struct {
    char *start;
    size_t bytes;
    struct layout layout;
    unsigned cleared; /* teams, by number */
} arena;

static void divide(uint32_t groups, uint32_t size)
{
    unsigned harts = corbel_harts();

    group_grid.groups = groups;
    group_grid.size = size;
    group_grid.next = 0;
    group_grid.harts = group_machine_team(size);
    group_grid.first_harts = group_machine_harts();
    group_grid.step = group_machine_step(group_grid.harts);
    group_grid.places =
        group_machine_teams(group_grid.harts, step_up(group_grid.memory));
    group_grid.processors =
        (harts + group_grid.first_harts - 1) / group_grid.first_harts;
    group_grid.turns = (size + group_grid.harts - 1) / group_grid.harts;
    group_grid.teams = group_grid.places * group_grid.processors;
    if (group_grid.teams > groups)
        group_grid.teams = groups;
    group_grid.stack = step_up(group_stack_bytes());
    group_grid.context_step = step_up(sizeof(struct carrier));
    group_grid.carrier_step = group_grid.context_step +
                              step_up(group_context_bytes()) + group_grid.stack;
    group_grid.contexts = group_grid.turns > 1 ? group_grid.turns + 1 : 0;
}

/* That the launch needs, and not less than what is kept. */
static struct layout layout_beside(struct layout kept)
{
    unsigned places =
        (group_grid.teams + group_grid.processors - 1) / group_grid.processors;
    struct layout l = {.windows = group_grid.teams < group_grid.processors
                                      ? group_grid.teams
                                      : group_grid.processors,
                       .places = places,
                       .memory = places * step_up(group_grid.memory)};

    l.windows = l.windows > kept.windows ? l.windows : kept.windows;
    l.places = l.places > kept.places ? l.places : kept.places;
    l.memory = l.memory > kept.memory ? l.memory : kept.memory;
    return l;
}

/* At multiples of LINE. All teams may need more than a pointer of 32 bits can
 * reach. */
static uint64_t windows_bytes(const struct layout *l)
{
    return (uint64_t)l->windows *
           ((uint64_t)l->places * sizeof(struct team) + l->memory);
}

static uint64_t carriers_bytes(void)
{
    return (uint64_t)group_grid.teams * group_grid.harts * group_grid.contexts *
           group_grid.carrier_step;
}

/* False: there is no memory for as many bytes. */
static bool reserve(uint64_t bytes)
{
    if (bytes <= arena.bytes)
        return true;
    free(arena.start);
    arena.start = bytes <= SIZE_MAX ? malloc((size_t)bytes) : NULL;
    arena.bytes = arena.start ? (size_t)bytes : 0;
    arena.cleared = 0;
    return arena.start;
}

/* Fewer teams work where there is no memory for all. */
static void find_room(void)
{
    struct layout kept = arena.layout, l;
    uint64_t bytes;

    for (;;) {
        l = layout_beside(kept);
        bytes = windows_bytes(&l) + carriers_bytes() + LINE;
        if (reserve(bytes))
            break;
        if (!kept.windows && group_grid.teams <= 1)
            END("corbel_launch_grid: no memory for # bytes of a group",
                (unsigned long)bytes);
        if (!kept.windows)
            group_grid.teams /= 2;
        kept = (struct layout){0};
    }
    if (l.places != arena.layout.places || l.memory != arena.layout.memory)
        arena.cleared = 0;
    arena.layout = l;
    group_grid.windows =
        (char *)(((uintptr_t)arena.start + LINE - 1) & ~(uintptr_t)(LINE - 1));
    group_grid.memory_at = l.places * sizeof(struct team);
    group_grid.window_bytes = group_grid.memory_at + l.memory;
    group_grid.carriers = group_grid.windows + windows_bytes(&l);
}

static void clear_teams(void)
{
    const unsigned processors = group_grid.processors, teams = group_grid.teams;
    const size_t step = group_grid.window_bytes;
    unsigned processor = arena.cleared % processors,
             place = arena.cleared / processors;
    char *at = (char *)team_of(processor, place);

    for (unsigned i = arena.cleared; i < teams; i++, at += step) {
        if (processor == processors) {
            processor = 0;
            at = (char *)team_of(0, ++place);
        }
        processor++;
        ((struct team *)(void *)at)->barrier = (struct group_barrier){0};
    }
    if (teams > arena.cleared)
        arena.cleared = teams;
}

void group_lay_out(uint32_t groups, uint32_t size)
{
    divide(groups, size);
    find_room();
    clear_teams();
    group_machine_window(group_grid.windows, group_grid.window_bytes,
                         arena.layout.windows);
    group_machine_seats(group_grid.harts, group_grid.teams);
}
