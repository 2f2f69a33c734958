/*
 * Links as limits: of each level of memory the latency of those that lead there
 * and back, which the legs _way and _home are spent in; and, if links are
 * watched, how full those are that can be full. A port of a width in
 * bytes a cycle is a limit of its unit, but is told with the links at it.
 */
#include "sim/verdict/verdict_private.h"
#include <string.h>

static const struct limit_row to_cache = {.name = "links",
                                          .sort = LIMIT_LATENCY,
                                          .legs = TRIP_LEG_BIT(first_way) |
                                                  TRIP_LEG_BIT(first_home)};
static const struct limit_row to_memory = {.name = "links",
                                           .sort = LIMIT_LATENCY,
                                           .legs = TRIP_LEG_BIT(memory_way) |
                                                   TRIP_LEG_BIT(memory_home)};

/* A longer queue only moves what waits for the unit that takes it, so nothing
 * is predicted for more room. */
static const struct limit_row room = {.name = "room of links"};

static bool is_at(const struct link_class *c, const char *group,
                  const struct port_row *port)
{
    return port->output
               ? !strcmp(c->from, group) && !strcmp(c->output, port->name)
               : !strcmp(c->to, group) && !strcmp(c->input, port->name);
}

const struct link_class *gather_links_at(const struct gather *g, unsigned group,
                                         unsigned port)
{
    const struct group *of = &g->t->groups[group];
    const struct link_class *found = NULL;
    for (unsigned i = 0; port && i < g->t->link_count; i++) {
        const struct link_class *c = &g->t->links[i];
        if (!is_at(c, of->name, &of->kind->port_rows[port - 1]))
            continue;
        if (found)
            return NULL;
        found = c;
    }
    return found;
}

/* By the name of its first one with links like these. */
static unsigned group_named(const struct gather *g, const char *name)
{
    unsigned i = 0;
    while (i < g->t->group_count && strcmp(g->t->groups[i].name, name) != 0)
        i++;
    return i;
}

/* Do they lead from a unit on the way of requests to memory onwards? */
static bool leads_on(const struct gather *g, const struct link_class *c)
{
    const char *onward = gather_unit(g, group_named(g, c->from))->onward;
    return onward && !strcmp(c->output, onward);
}

static void add_latency(struct gather *g, unsigned group)
{
    const struct group *of = &g->t->groups[group];
    bool cache = g->level[group];
    int64_t slowest = 0;
    for (unsigned i = 0; i < g->t->link_count; i++) {
        const struct link_class *c = &g->t->links[i];
        if (!strcmp(c->to, of->name) && leads_on(g, c) && c->latency > slowest)
            slowest = c->latency;
    }
    bool counts = cache || gather_unit(g, group)->ends;
    struct lever *l =
        counts && slowest
            ? gather_lever(g, group, cache ? &to_cache : &to_memory)
            : NULL;
    if (l)
        l->value = slowest;
}

/* Adds a class of links whose senders can find them without room. */
static void add_room(struct gather *g, unsigned number)
{
    const struct link_class *c = &g->t->links[number];
    const uint64_t *sums =
        g->values + g->t->value_count + LINK_SUM_COUNT * (size_t)number;
    double time = (double)g->v->cycles;
    struct lever *l = c->room && sums[LINK_messages]
                          ? gather_lever(g, group_named(g, c->from), &room)
                          : NULL;
    if (!l)
        return;
    l->links = c;
    l->used = (double)sums[LINK_occupied] / (time * c->room);
    l->full = (double)sums[LINK_full] / (time * c->links);
}

void gather_links(struct gather *g)
{
    for (unsigned i = 0; i < g->t->group_count; i++)
        add_latency(g, i);
    if (g->t->watched)
        for (unsigned i = 0; i < g->t->link_count; i++)
            add_room(g, i);
}
