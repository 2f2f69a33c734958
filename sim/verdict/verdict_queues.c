/*
 * The queues before places: all requests wait in them, also those for which no
 * hart does, and what units count by themselves.
 */
#include "sim/verdict/verdict_private.h"

/* Cycles that wait for levers; rays: of rays that have a slot. */
struct wait {
    double cycles;
    bool rays;
};

static void add_wait(struct gather *g, void *context, unsigned lever,
                     double share)
{
    const struct wait *w = context;
    if (lever == VERDICT_NONE)
        return;
    const struct limit_row *r = g->v->levers[lever].row;
    unsigned group = g->of_lever[lever];
    double time = (double)g->t->groups[group].units * (double)g->v->cycles;
    if (r->sort == LIMIT_RATE)
        time *= gather_servers(gather_unit(g, group), r);
    if (r->sort <= LIMIT_PLACES)
        g->queues[lever][w->rays] += w->cycles * share / time;
}

static void add_trip(struct gather *g, unsigned group, unsigned trip)
{
    g->v->legs = true;
    for (unsigned served = 0; served < SERVED; served++) {
        struct legs of = gather_legs(g, group, trip, served);
        for (unsigned leg = 0; leg < LEGS; leg++) {
            struct wait wait = {of.legs[leg], gather_has_rays(g, group)};
            if (wait.cycles > 0)
                gather_claims(g, group, served, leg, add_wait, &wait);
        }
    }
}

/* Share of the cycles in which a unit of a group has rays; 1: it takes none. */
static double active(const struct gather *g, unsigned group)
{
    double time = (double)g->t->groups[group].units * (double)g->v->cycles;
    for (unsigned i = 0; i < g->v->lever_count; i++) {
        const struct limit_row *r = g->v->levers[i].row;
        if (g->of_lever[i] == group && r->insides)
            return gather_sum(g, group, r->active) / time;
    }
    return 1;
}

static double used(const struct gather *g, unsigned lever)
{
    const struct lever *l = &g->v->levers[lever];
    double use = l->crowded > l->used ? l->crowded : l->used;
    use = l->streams && l->full > use ? l->full : use;
    double share = active(g, g->of_lever[lever]);
    return share > 0 && use > 0 ? use / share : use;
}

/* How much of the time in which a unit has rays a lever is used. */
static double own(const struct gather *g, unsigned lever)
{
    double use = g->v->levers[lever].used;
    return use > 0 ? use / active(g, g->of_lever[lever]) : 0;
}

/* Likewise, or the first message that it has sent waits for its turn at the
 * other end. */
static double ahead(const struct gather *g, unsigned lever)
{
    unsigned group = g->of_lever[lever];
    if (!g->v->levers[lever].row->passes)
        return 0;
    return use_of(g->ahead[group] / active(g, group) + own(g, lever), 0);
}

/* How many wait, and which share of them the use alone would have wait. */
static void measure_queue(struct gather *g, struct lever *l, unsigned lever)
{
    l->queue = g->queues[lever][0] + g->queues[lever][1];
    l->own = own(g, lever);
    l->ahead = ahead(g, lever);
    for (unsigned rays = 0; rays < 2; rays++) {
        double time = verdict_cycles(g->v, rays) / g->v->busy;
        double queue = time > 0 ? g->queues[lever][rays] / time : 0;
        double use = use_of(used(g, lever), queue);
        double alone = queue_at(use, l->servers);
        l->use[rays] = use;
        l->steady[rays] = alone < queue ? alone / queue : 1;
    }
}

void gather_queues(struct gather *g)
{
    struct verdict *v = g->v;
    for (unsigned group = 0; group < g->t->group_count; group++)
        for (unsigned trip = 0; trip < g->t->groups[group].kind->trip_count;
             trip++)
            add_trip(g, group, trip);
    for (unsigned i = 0; i < v->lever_count; i++) {
        struct wait wait = {
            gather_sum(g, g->of_lever[i], v->levers[i].row->waits),
            gather_has_rays(g, g->of_lever[i])};
        gather_waits(g, i, add_wait, &wait);
    }
    for (unsigned i = 0; i < v->lever_count; i++)
        measure_queue(g, &v->levers[i], i);
}
