/*
 * The ways of requests to memory, and what each leg of them is spent in. Where
 * a leg waits for several things, these share it by the cycles in which they
 * were taken, or lacking. What waits for a port that leads on waits for the
 * port in the cycles in which that is used, and in those in which the link has
 * no room for what is waited for at its other end.
 */
#include "sim/core/heap.h"
#include "sim/verdict/verdict_private.h"
#include <stdlib.h>
#include <string.h>

/* ---- ways ---- */

void gather_ways(struct gather *g)
{
    for (unsigned i = 0; i < g->t->group_count; i++) {
        const struct unit_kind *kind = g->t->groups[i].kind;
        g->ways[i] = gather_unit(g, i)->way;
        for (unsigned level = 1; level <= TRIP_THIRD; level++)
            if ((kind->trip_count || kind->core) &&
                g->ways[i].cache[level] != NOWHERE)
                g->level[g->ways[i].cache[level]] = level;
    }
}

struct place gather_place(const struct gather *g, unsigned asker,
                          unsigned served, unsigned leg)
{
    if (leg == LEG_taken)
        return (struct place){asker, leg, 0};
    return ways_place(&g->ways[asker], served, leg);
}

struct legs gather_legs(const struct gather *g, unsigned group, unsigned trip,
                        unsigned served)
{
    const struct unit_kind *kind = g->t->groups[group].kind;
    const uint64_t *at = gather_values(g, group) +
                         kind_value_of(kind, 1 + (uint32_t)kind->trips) +
                         ((size_t)trip * SERVED + served) * (LEGS + 2);
    struct legs of = {.requests = (double)at[0], .cycles = (double)at[1]};
    for (unsigned leg = 0; leg < LEGS; leg++)
        of.legs[leg] = (double)at[2 + leg];
    return of;
}

/* ---- how crowded links are ---- */

/* Links from a group towards memory, and the messages that they have room for.
 */
static bool link_room(const struct gather *g, unsigned group, double *links,
                      double *room)
{
    const struct group_unit *u = gather_unit(g, group);
    if (!u->onwards)
        return false;
    *links = *room = 0;
    for (unsigned i = 0; i < g->t->link_count; i++) {
        const struct link_class *c = &g->t->links[i];
        if (strcmp(c->from, g->t->groups[group].name) != 0 ||
            strcmp(c->output, u->onward) != 0)
            continue;
        *links += c->links;
        *room += c->room;
    }
    return *links > 0 && *room > 0;
}

/* Adds what waits at the ports of a leg to the group that has sent it. */
static void add_crowd(struct gather *g, unsigned asker, unsigned served,
                      const struct legs *of, double *waiting)
{
    for (unsigned leg = 0; leg < LEGS; leg++) {
        struct place at = gather_place(g, asker, served, leg);
        const unsigned *cache = g->ways[asker].cache;
        unsigned level = TRIP_THIRD;
        if (at.level && at.as == LEG_first_port)
            level = at.level - 1;
        else if (at.as != LEG_memory_port)
            continue;
        while (level && cache[level] == NOWHERE)
            level--;
        unsigned from = level ? cache[level] : asker;
        waiting[from] += of->legs[leg];
    }
}

/* The cache that a group's requests come to next; NOWHERE: none. */
static unsigned next_cache(const struct gather *g, unsigned group)
{
    const unsigned *cache = g->ways[group].cache;
    return g->t->groups[group].kind->core ? NOWHERE : cache[1];
}

/* How long the first requests at ports of a group wait, in all. */
static double heads_of(const struct gather *g, unsigned group)
{
    const struct unit_kind *kind = g->t->groups[group].kind;
    for (unsigned i = 0; i < kind->limit_count; i++) {
        const uint32_t heads[FIGURE_TERMS] = {kind->limit_rows[i].heads};
        if (heads[0])
            return gather_sum(g, group, heads);
    }
    return 0;
}

/* In what share of the cycles the first message of a link waits at a cache. */
static void gather_heads(struct gather *g)
{
    double *from = heap_new(g->t->group_count, sizeof *from, "for the verdict");
    double links, room;
    for (unsigned i = 0; i < g->t->group_count; i++) {
        unsigned to = next_cache(g, i);
        if (to != NOWHERE && link_room(g, i, &links, &room))
            from[to] += links;
    }
    for (unsigned i = 0; i < g->t->group_count; i++) {
        unsigned to = next_cache(g, i);
        if (to != NOWHERE && from[to] > 0)
            g->ahead[i] = heads_of(g, to) / ((double)g->v->cycles * from[to]);
    }
    free(from);
}

void gather_crowds(struct gather *g)
{
    double *waiting =
        heap_new(g->t->group_count, sizeof *waiting, "for the verdict");
    for (unsigned i = 0; i < g->t->group_count; i++)
        for (unsigned trip = 0; trip < g->t->groups[i].kind->trip_count; trip++)
            for (unsigned served = 0; served < SERVED; served++) {
                struct legs of = gather_legs(g, i, trip, served);
                g->translated += of.legs[LEG_translation];
                add_crowd(g, i, served, &of, waiting);
            }
    for (unsigned i = 0; i < g->t->group_count; i++) {
        double links, room;
        if (!link_room(g, i, &links, &room))
            continue;
        /* Of messages that wait, no more than that can fill the room. */
        double crowd = waiting[i] / ((double)g->v->cycles * room);
        g->crowded[i] = crowd < 1 ? crowd : 1;
    }
    free(waiting);
    gather_heads(g);
}

/* ---- claims ---- */

struct claiming {
    struct gather *g;
    unsigned asker, served;
    claim_fn *tell;
    void *context;
};

/* Cycles in which what a row is of was taken. */
static double taken(const struct gather *g, unsigned lever)
{
    const struct limit_row *r = g->v->levers[lever].row;
    unsigned group = g->of_lever[lever];
    double width = r->width ? gather_param(g, group, r->width) : 0;
    if (width > 0 && r->carried[0])
        return gather_sum(g, group, r->carried) / width;
    return gather_sum(g, group, r->used) * gather_param(g, group, r->each);
}

/* The weight of a lever among those that share a leg; negative: all is its. */
static double weight_of(const struct gather *g, unsigned lever, unsigned leg,
                        bool sectors)
{
    const struct limit_row *r = g->v->levers[lever].row;
    if (r->legs >> leg & 1)
        return -1;
    if (r->waited[0] && leg == LEG_first_port)
        return gather_sum(g, g->of_lever[lever],
                          sectors ? r->rays_waited : r->waited);
    if (r->held >> leg & 1)
        return gather_sum(g, g->of_lever[lever], r->holds);
    return r->taken >> leg & 1 ? taken(g, lever) : 0;
}

static void claim(const struct claiming *c, struct place at, double share);

/* Where what a group sends waits: the next port on the asker's way. */
static struct place port_behind(const struct claiming *c, unsigned group)
{
    const struct way *way = &c->g->ways[c->asker];
    unsigned level = 0;
    for (unsigned i = 1; i <= TRIP_THIRD; i++)
        if (way->cache[i] == group)
            level = i;
    if (level < TRIP_THIRD && way->cache[level + 1] != NOWHERE)
        return (struct place){way->cache[level + 1], LEG_first_port, level + 1};
    return (struct place){way->end, LEG_memory_port, 0};
}

/* How much of the time what a group's ports have sent holds up the next: as
 * long as the first of it waits at the other end, or, where that is not
 * counted, as much of the room as is taken. */
static double held_up(const struct gather *g, unsigned group)
{
    return g->ahead[group] > 0 ? g->ahead[group] : g->crowded[group];
}

/* A lever's share, or that of what is behind it. */
static void claim_lever(const struct claiming *c, unsigned lever, double share)
{
    struct gather *g = c->g;
    const struct lever *l = &g->v->levers[lever];
    unsigned group = g->of_lever[lever];
    double full = l->row->passes ? held_up(g, group) : 0;
    double used = l->used > 0 ? l->used : 0;
    double behind = full > 0 ? full / (full + used) : 0;
    c->tell(g, c->context, lever, share * (1 - behind));
    if (behind > 0)
        claim(c, port_behind(c, group), share * behind);
}

static void claim(const struct claiming *c, struct place at, double share)
{
    const struct verdict *v = c->g->v;
    /* Thread processors ask for words, RT cores and caches for sectors. */
    bool sectors = at.level > 1 || !c->g->t->groups[c->asker].kind->core;
    double all = 0;
    for (unsigned i = 0; i < v->lever_count; i++) {
        if (c->g->of_lever[i] != at.group)
            continue;
        double weight = weight_of(c->g, i, at.as, sectors);
        if (weight < 0) {
            claim_lever(c, i, share);
            return;
        }
        all += weight;
    }
    for (unsigned i = 0; i < v->lever_count && all > 0; i++) {
        double weight = c->g->of_lever[i] == at.group
                            ? weight_of(c->g, i, at.as, sectors)
                            : 0;
        if (weight > 0)
            claim_lever(c, i, share * weight / all);
    }
    if (all <= 0)
        c->tell(c->g, c->context, VERDICT_NONE, share);
}

/* What waits for a page waits for walks of the page table, and else for the
 * link that brings it. These are of groups that no request passes by itself. */
static void claim_translation(const struct claiming *c, double share)
{
    const struct gather *g = c->g;
    unsigned rest = VERDICT_NONE;
    double left = share;
    for (unsigned i = 0; i < g->v->lever_count; i++) {
        const struct limit_row *r = g->v->levers[i].row;
        if (r->legs >> LEG_translation & 1)
            rest = i;
        if (!(r->taken >> LEG_translation & 1) || g->translated <= 0)
            continue;
        double part = share * taken(g, i) / g->translated;
        part = part < left ? part : left;
        c->tell(c->g, c->context, i, part);
        left -= part;
    }
    c->tell(c->g, c->context, rest, left);
}

void gather_claims(struct gather *g, unsigned asker, unsigned served,
                   unsigned leg, claim_fn *tell, void *context)
{
    const struct claiming c = {g, asker, served, tell, context};
    if (leg == LEG_translation)
        claim_translation(&c, 1);
    else
        claim(&c, gather_place(g, asker, served, leg), 1);
}

void gather_waits(struct gather *g, unsigned lever, claim_fn *tell,
                  void *context)
{
    const struct claiming c = {g, g->of_lever[lever], SERVED_memory, tell,
                               context};
    claim_lever(&c, lever, 1);
}
