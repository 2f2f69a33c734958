/*
 * Measures what a chip's kinds of units list as limits, and the roofline. Each
 * limit of each group becomes a lever: how much it is used, how many wait for
 * it, and, from the links between units, which caches' misses it sees.
 */
#include "sim/core/heap.h"
#include "sim/verdict/verdict_private.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const uint64_t *gather_values(const struct gather *g, unsigned group)
{
    return g->values + g->t->groups[group].first;
}

/* Of counters of a kind, by the numbers that its tables use, up to the first
 * that is 0. */
double gather_sum(const struct gather *g, unsigned group,
                  const uint32_t *counters)
{
    double sum = 0;
    for (unsigned i = 0; i < FIGURE_TERMS && counters[i]; i++)
        sum += (double)gather_values(
            g, group)[kind_value_of(g->t->groups[group].kind, counters[i])];
    return sum;
}

/* ---- the chip ---- */

const struct group_unit *gather_unit(const struct gather *g, unsigned group)
{
    return &g->t->units[group];
}

/* ---- levers ---- */

/* NULL: there is no such parameter. */
static const struct group_param *find_param(const struct group_unit *u,
                                            const char *name)
{
    for (unsigned i = 0; name && i < u->param_count; i++)
        if (!strcmp(u->params[i].name, name))
            return &u->params[i];
    return NULL;
}

/* 1 if there is no such parameter. */
static int64_t param_of(const struct group_unit *u, const char *name)
{
    const struct group_param *p = find_param(u, name);
    return p ? p->value : 1;
}

double gather_param(const struct gather *g, unsigned group, const char *name)
{
    return (double)param_of(gather_unit(g, group), name);
}

/* How many can be served at once in a unit: a parameter, or its ports. */
double gather_servers(const struct group_unit *u, const struct limit_row *r)
{
    return r->room_links ? u->links[r->room_links - 1]
                         : (double)param_of(u, r->room);
}

/* The part that some counters have of others; otherwise, if these are 0. */
static double share_of(const struct gather *g, unsigned group,
                       const uint32_t *part, const uint32_t *of,
                       double otherwise)
{
    double all = gather_sum(g, group, of);
    return all > 0 ? gather_sum(g, group, part) / all : otherwise;
}

/* A unit may lack one of several things: the cycles in which something waited
 * for the row's. */
static double blocks(const struct gather *g, unsigned group,
                     const struct limit_row *r)
{
    const struct unit_kind *kind = g->t->groups[group].kind;
    const uint32_t blocked[FIGURE_TERMS] = {r->blocks};
    double all = 0;
    for (unsigned i = 0; i < kind->limit_count; i++)
        all += gather_sum(g, group, kind->limit_rows[i].holds);
    return all > 0 ? gather_sum(g, group, blocked) *
                         gather_sum(g, group, r->holds) / all
                   : 0;
}

/* Use and queue of each server, as means over the group and the time. */
static void measure(struct gather *g, struct lever *l, unsigned group,
                    const struct group_unit *u)
{
    const struct limit_row *r = l->row;
    double time = (double)g->t->groups[group].units * (double)g->v->cycles;
    double room = gather_servers(u, r);
    double otherwise = r->sort == LIMIT_SIZE ? 0 : 0.5;
    l->eases[0] = share_of(g, group, r->part, r->of, otherwise);
    l->eases[1] = share_of(g, group, r->rays_part, r->rays_of, otherwise);
    l->halves = !r->of[0];
    if (r->sort == LIMIT_SIZE)
        return;
    double under = r->under[0] ? gather_sum(g, group, r->under) : time;
    double width = r->width ? (double)param_of(u, r->width) : 0;
    if (width > 0)
        l->used = r->carried[0]
                      ? gather_sum(g, group, r->carried) / (time * width)
                      : -1;
    else if (r->blocks)
        l->used = blocks(g, group, r) / time;
    else if (r->used[0] && under > 0)
        l->used =
            (gather_sum(g, group, r->used) * (double)param_of(u, r->each) +
             gather_sum(g, group, r->also)) /
            (under * room);
    const uint32_t full[FIGURE_TERMS] = {r->full},
                   crowded[FIGURE_TERMS] = {r->crowded};
    if (r->crowded && under > 0)
        l->crowded = gather_sum(g, group, crowded) / under;
    if (r->full)
        l->full = gather_sum(g, group, full) / time;
}

struct lever *gather_lever(struct gather *g, unsigned group,
                           const struct limit_row *row)
{
    struct verdict *v = g->v;
    if (v->lever_count == VERDICT_LEVERS) {
        v->left_out++;
        return NULL;
    }
    struct lever *l = &v->levers[v->lever_count];
    *l = (struct lever){.group = g->t->groups[group].name,
                        .row = row,
                        .used = -1,
                        .eases = {0.5, 0.5},
                        .halves = true,
                        .full = -1,
                        .of_cores = gather_unit(g, group)->of_cores,
                        .level = g->level[group]};
    g->of_lever[v->lever_count++] = group;
    return l;
}

/* A cache has as many sets as banks at least: with more banks, fewer ways. */
static void fit_banks(struct lever *l, const struct group_unit *u)
{
    int64_t lines = param_of(u, "size") / param_of(u, "line");
    if (2 * l->value <= lines / param_of(u, "ways"))
        return;
    if (2 * l->value > lines)
        l->refused = true;
    else
        snprintf(l->with, sizeof l->with, "%s.ways=%" PRId64, l->group,
                 lines / (2 * l->value));
}

/* A mapping of addresses names the channels if there are several. */
static void fit_channels(struct lever *l, const struct group_unit *u)
{
    if (u->widened)
        snprintf(l->with, sizeof l->with, "%s.mapping=%s", l->group,
                 u->widened);
}

/* Can the change of a lever be set, and what has to be set with it? */
static void fit(struct lever *l, const struct group_unit *u)
{
    const char *name = l->row->param;
    const struct group_param *p = find_param(u, name);
    bool halved = l->row->sort == LIMIT_LATENCY || l->row->inverse;
    if (!p)
        return;
    l->refused = halved ? l->value / 2 < p->least : 2 * l->value > p->greatest;
    if (!strcmp(name, "banks") && l->level)
        fit_banks(l, u);
    else if (!strcmp(name, "channels"))
        fit_channels(l, u);
}

static void add_levers(struct gather *g, unsigned group)
{
    const struct group *of = &g->t->groups[group];
    const struct group_unit *u = gather_unit(g, group);
    for (unsigned i = 0; i < of->kind->limit_count; i++) {
        const struct limit_row *r = &of->kind->limit_rows[i];
        struct lever *l = gather_lever(g, group, r);
        if (!l)
            continue;
        l->value = r->param ? param_of(u, r->param) : 0;
        l->servers = r->sort == LIMIT_PLACES ? gather_servers(u, r) : 1;
        fit(l, u);
        l->links = gather_links_at(g, group, r->port);
        measure(g, l, group, u);
    }
}

/* Share of the reads of a group of caches that it has, or gets already. */
static double hits_of(const struct gather *g, unsigned group)
{
    const struct unit_kind *kind = g->t->groups[group].kind;
    for (unsigned i = 0; i < kind->limit_count; i++)
        if (kind->limit_rows[i].sort == LIMIT_SIZE) {
            double missed = gather_sum(g, group, kind->limit_rows[i].of),
                   reads = gather_sum(g, group, kind->limit_rows[i].reads);
            return reads > 0 ? 1 - missed / reads : 0;
        }
    return 0;
}

/* A larger cache has what was here before, which the next one mostly has still:
 * these misses are first, and what is more of those is of the others. */
static void divide_misses(struct gather *g, struct lever *size)
{
    struct verdict *v = g->v;
    double found = 1;
    for (unsigned i = 0; i < v->lever_count; i++)
        if (v->levers[i].row->sort == LIMIT_SIZE &&
            v->levers[i].level == size->level + 1)
            found = hits_of(g, g->of_lever[i]);
    size->eases_near = size->eases[0] < found ? size->eases[0] / found
                       : found > 0            ? 1
                                              : 0;
    size->eases_far =
        size->eases[0] > found ? (size->eases[0] - found) / (1 - found) : 0;
}

/* What is behind a cache sees its misses: caches below, and main memory. */
static void link_levers(struct gather *g)
{
    struct verdict *v = g->v;
    for (unsigned c = 0; c < v->lever_count; c++) {
        struct lever *size = &v->levers[c];
        if (size->row->sort != LIMIT_SIZE || !size->level)
            continue;
        divide_misses(g, size);
        for (unsigned i = 0; i < v->lever_count; i++) {
            struct lever *l = &v->levers[i];
            bool below = l->level
                             ? l->level > size->level
                             : (l->row->legs | l->row->held | l->row->taken) &
                                   ~(TRIP_LEG_BIT(memory_way) - 1);
            if (below)
                lever_set_add(&l->beyond, c);
        }
    }
}

/* ---- the roofline ---- */

/* Limits that do the same work, of several groups, are one roof. */
static void add_work(struct gather *g, unsigned lever, double moved)
{
    struct verdict *v = g->v;
    const struct lever *l = &v->levers[lever];
    struct roof *r = v->roofs;
    while (r < v->roofs + v->roof_count && strcmp(r->work, l->row->work) != 0)
        r++;
    if (r == v->roofs + VERDICT_ROOFS || l->used <= 0)
        return;
    if (r == v->roofs + v->roof_count)
        v->roof_count++;
    r->work = l->row->work;
    r->done +=
        gather_sum(g, g->of_lever[lever], l->row->used) / (double)v->cycles;
    /* Of the mix that was done, the units that are used most allow so much. */
    r->peak = l->used > r->peak ? l->used : r->peak;
    r->bytes = moved > 0 ? r->done * (double)v->cycles / moved : 0;
}

/* Main memory's peak follows from what it moved and how much it was used. */
static void add_roofs(struct gather *g)
{
    struct verdict *v = g->v;
    double moved = 0, used = 0;
    for (unsigned i = 0; i < v->lever_count; i++) {
        double bytes = gather_sum(g, g->of_lever[i], v->levers[i].row->bytes);
        moved += bytes;
        used = bytes > 0 && v->levers[i].used > used ? v->levers[i].used : used;
    }
    v->memory = used > 0 ? moved / (double)v->cycles / used : 0;
    for (unsigned i = 0; i < v->lever_count; i++)
        if (v->levers[i].row->work)
            add_work(g, i, moved);
    for (unsigned i = 0; i < v->roof_count; i++) {
        struct roof *r = &v->roofs[i];
        double reach = r->bytes * v->memory;
        r->peak = r->done / r->peak;
        r->roof = r->bytes > 0 && reach < r->peak ? reach : r->peak;
    }
}

static void *by_group(const struct measured *t, size_t size)
{
    return heap_new(t->group_count, size, "for the verdict");
}

static void gather_all(struct gather *g)
{
    g->ways = by_group(g->t, sizeof *g->ways);
    g->level = by_group(g->t, sizeof *g->level);
    g->crowded = by_group(g->t, sizeof *g->crowded);
    g->ahead = by_group(g->t, sizeof *g->ahead);
    gather_ways(g);
    gather_crowds(g);
    for (unsigned i = 0; i < g->t->group_count; i++)
        add_levers(g, i);
    gather_links(g);
    link_levers(g);
    gather_parts(g);
    gather_queues(g);
    add_roofs(g);
    free(g->ways);
    free(g->level);
    free(g->crowded);
    free(g->ahead);
}

struct verdict *verdict_gather(const struct measured *t, const uint64_t *values,
                               uint64_t cycles)
{
    if (!cycles)
        return NULL;
    struct verdict *v = heap_new(1, sizeof *v, "for the verdict");
    struct gather g = {.v = v, .t = t, .values = values};
    v->cycles = cycles;
    gather_all(&g);
    if (v->busy <= 0) {
        free(v);
        return NULL;
    }
    if (v->legs)
        v->prediction_count = verdict_predict(v, v->predictions);
    return v;
}
