/* Predicts how fast a run would be with one thing doubled: see verdict.h. */
#include "sim/host/verdict.h"
#include <math.h>
#include <stdlib.h>

/* Use that is taken for all of it: measured uses are means over a run whose
 * begin and end are less busy. */
#define FULL 0.98

/* Of the misses that are not first ones, a cache of twice the size has
 * 1 / sqrt(2): the usual power law of misses by size. */
#define REFETCHED 0.70710678118654752

/* What is used so much of the time paces what passes it. */
#define PACING 0.5

/* A speed that no change reaches, in either direction. */
#define FASTEST 16.0

double load_of(double used, double queue)
{
    double by_queue = queue / (1 + queue);
    return used > by_queue ? used : by_queue;
}

double lever_load(const struct lever *l)
{
    return l->load[0] > l->load[1] ? l->load[0] : l->load[1];
}

/* The length of a queue, of M/M/1, before a server that is used so much. */
static double length_at(double use)
{
    return use / (1 - use);
}

static double use_of(const struct lever *l, bool inside)
{
    return l->load[inside] < FULL ? l->load[inside] : FULL;
}

/* What is left of the misses of a cache, or of what comes from them. */
static double left_of(const struct verdict *v, const struct change *c,
                      uint64_t beyond)
{
    if (c->lever == VERDICT_NONE || !(beyond >> c->lever & 1))
        return 1;
    return 1 - v->levers[c->lever].avoidable * (1 - REFETCHED);
}

/* How many times as much of the time a lever is used by the same work. */
static double demand(const struct verdict *v, const struct change *c,
                     unsigned lever)
{
    const struct lever *l = &v->levers[lever];
    bool doubled = c->lever == lever || (c->tms && l->of_cores);
    return left_of(v, c, l->beyond) * (doubled ? 0.5 : 1);
}

/* Is a place changed that holds up the others? Their queues are those of what
 * it lets through at a time, or wait for it, and do not tell how fast they are.
 */
static bool frees_others(const struct verdict *v, const struct change *c,
                         const struct part *p)
{
    const struct lever *l = &v->levers[p->lever];
    return c->lever != VERDICT_NONE && c->lever != p->lever && l->used >= 0 &&
           l->used < use_of(l, p->inside) &&
           v->levers[c->lever].row->sort == LIMIT_RATE &&
           v->levers[c->lever].used >= PACING;
}

/* As growth: only what a place is used makes its queue grow. times: how many
 * times as much that will be. */
static double growth_freed(const struct lever *l, double use, double times,
                           double left)
{
    double steady = length_at(l->used), then = l->used * times;
    return then < 1 ? (length_at(then) + (length_at(use) - steady) * left) /
                          length_at(use)
                    : INFINITY;
}

/* How many times as many cycles a part has at a speed; INFINITY: the place
 * cannot be as fast. */
static double growth(const struct verdict *v, const struct change *c,
                     const struct part *p, double speed)
{
    double left = left_of(v, c, p->beyond);
    if (p->lever == VERDICT_NONE)
        return left;
    const struct lever *l = &v->levers[p->lever];
    if (l->row->sort == LIMIT_LATENCY)
        return left * (c->lever == p->lever ? 0.5 : 1);
    double use = use_of(l, p->inside),
           then = use * speed * demand(v, c, p->lever);
    if (use <= 0)
        return left;
    if (frees_others(v, c, p))
        return left * growth_freed(l, use, speed * demand(v, c, p->lever),
                                   demand(v, c, p->lever));
    double burst = p->inside || !l->of_cores ? 0 : l->burst;
    /* Twice the harts of a TM wait twice as long, those of more TMs as long. */
    double bursts = burst * (c->harts ? 4
                             : c->tms ? 2
                                      : demand(v, c, p->lever));
    /* Each TM's share of the work queues there as before. */
    if (c->tms && l->of_cores)
        return left * (1 - burst + bursts);
    return then < 1 ? left * ((1 - burst) * length_at(then) / length_at(use) +
                              bursts)
                    : INFINITY;
}

bool part_of_rays(const struct verdict *v, const struct part *p)
{
    return p->inside || (v->slots != VERDICT_NONE && p->lever == v->slots);
}

/* Hart-cycles of the changed run's work at a speed, for rays or for all else.
 */
static double cost(const struct verdict *v, const struct change *c, bool rays,
                   double speed)
{
    double inside = 0, was_inside = 0, outside = 0, waiting = 0;
    for (unsigned i = 0; i < v->part_count; i++) {
        const struct part *p = &v->parts[i];
        if (part_of_rays(v, p) != rays)
            continue;
        if (p->lever != VERDICT_NONE && p->lever == v->slots) {
            waiting += p->cycles;
            continue;
        }
        double cycles = p->cycles * growth(v, c, p, speed);
        *(p->inside ? &inside : &outside) += cycles;
        was_inside += p->inside ? p->cycles : 0;
    }
    if (waiting > 0 && was_inside > 0) {
        double use = use_of(&v->levers[v->slots], true);
        double then =
            use * speed * demand(v, c, v->slots) * inside / was_inside;
        if (c->tms && v->levers[v->slots].of_cores)
            waiting *= inside / was_inside;
        else if (use > 0)
            waiting *= then < 1 ? length_at(then) / length_at(use) : INFINITY;
    }
    return inside + outside + waiting;
}

double verdict_cycles(const struct verdict *v, bool rays)
{
    double cycles = 0;
    for (unsigned i = 0; i < v->part_count; i++)
        cycles +=
            part_of_rays(v, &v->parts[i]) == rays ? v->parts[i].cycles : 0;
    return cycles;
}

/* How many times as long the latencies of the changed run are: of rays, if any
 * take slots. */
static double latency(const struct verdict *v, const struct change *c)
{
    double was = 0, is = 0;
    for (unsigned i = 0; i < v->part_count; i++) {
        const struct part *p = &v->parts[i];
        const struct lever *l =
            p->lever == VERDICT_NONE ? NULL : &v->levers[p->lever];
        if ((l && l->row->sort != LIMIT_LATENCY) ||
            (v->slots != VERDICT_NONE && !p->inside))
            continue;
        was += p->cycles;
        is += p->cycles * growth(v, c, p, 1);
    }
    return was > 0 ? is / was : 1;
}

/* The time that rays, or all else, would take. */
static double time_of(const struct verdict *v, const struct change *c,
                      bool rays)
{
    double low = 1 / FASTEST, high = FASTEST, cycles = verdict_cycles(v, rays);
    double customers = cycles * (c->tms || c->harts ? 2 : 1);
    for (unsigned i = 0; i < 50; i++) {
        double speed = (low + high) / 2;
        if (cost(v, c, rays, speed) * speed > customers)
            high = speed;
        else
            low = speed;
    }
    return cycles / low;
}

double verdict_speedup(const struct verdict *v, const struct change *c)
{
    double busy = time_of(v, c, false) + time_of(v, c, true);
    return v->all / (busy + (v->all - v->busy) * latency(v, c));
}

static int by_gain(const void *a, const void *b)
{
    double x = ((const struct prediction *)a)->speedup,
           y = ((const struct prediction *)b)->speedup;
    return (x < y) - (x > y);
}

/* Ports have no parameter of their kind, but every chip says how many, and how
 * slow links are. */
static bool offered(const struct lever *l)
{
    if (l->row->sort == LIMIT_LATENCY)
        return l->value > 1;
    return l->row->param ? l->value > 0 : l->row->room_links;
}

unsigned verdict_predict(const struct verdict *v, struct prediction *list)
{
    unsigned count = 0;
    for (unsigned i = 0; i < v->lever_count; i++)
        if (offered(&v->levers[i]))
            list[count++].change = (struct change){.lever = i};
    list[count++].change = (struct change){.lever = VERDICT_NONE, .tms = true};
    list[count++].change =
        (struct change){.lever = VERDICT_NONE, .harts = true};
    for (unsigned i = 0; i < count; i++)
        list[i].speedup = verdict_speedup(v, &list[i].change);
    qsort(list, count, sizeof *list, by_gain);
    return count;
}
