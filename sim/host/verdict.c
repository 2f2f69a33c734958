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

/* A speed that no change reaches, in either direction. */
#define FASTEST 16.0

/* How near to its limit a place is. Of bursts its mean use tells too little,
 * and the queue before it more: that of a server that is used so much. */
double lever_load(const struct lever *l)
{
    double by_queue = l->queue / (1 + l->queue);
    return l->used > by_queue ? l->used : by_queue;
}

/* The length of a queue, of M/M/1, before a server that is used so much. */
static double length_at(double use)
{
    return use / (1 - use);
}

/* The load as predictions have it: a queue has no length at all of it. */
static double use_of(const struct lever *l)
{
    double load = lever_load(l);
    return load < FULL ? load : FULL;
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
    double use = use_of(l), then = use * speed * demand(v, c, p->lever);
    /* Each TM's share of the work queues there as before. */
    if (use <= 0 || (c->tms && l->of_cores))
        return left;
    return then < 1 ? left * length_at(then) / length_at(use) : INFINITY;
}

/*
 * Hart-cycles of the changed run's work at a speed. Slots of an RT core are a
 * server whose service is whatever happens to a ray inside: how long a ray
 * waits for one follows from how long those inside take now.
 */
static double cost(const struct verdict *v, const struct change *c,
                   double speed)
{
    double inside = 0, was_inside = 0, outside = 0, waiting = 0;
    for (unsigned i = 0; i < v->part_count; i++) {
        const struct part *p = &v->parts[i];
        if (p->lever != VERDICT_NONE && p->lever == v->slots) {
            waiting += p->cycles;
            continue;
        }
        double cycles = p->cycles * growth(v, c, p, speed);
        *(p->inside ? &inside : &outside) += cycles;
        was_inside += p->inside ? p->cycles : 0;
    }
    if (waiting > 0 && was_inside > 0) {
        double use = use_of(&v->levers[v->slots]);
        double then =
            use * speed * demand(v, c, v->slots) * inside / was_inside;
        if (c->tms && v->levers[v->slots].of_cores)
            waiting *= inside / was_inside;
        else if (use > 0)
            waiting *= then < 1 ? length_at(then) / length_at(use) : INFINITY;
    }
    return inside + outside + waiting;
}

/*
 * The speed at which the harts' cycles and those of their work are equal again,
 * by halving: cost() never falls with speed, what harts have always does.
 */
double verdict_speedup(const struct verdict *v, const struct change *c)
{
    double low = 1 / FASTEST, high = FASTEST;
    double more = c->tms || c->harts ? 2 : 1;
    /* What is idle at the end of a kernel, as work is not divided evenly, lasts
     * as long for more harts; else it is a share of the time. */
    double idle = more > 1 ? v->all - v->busy : 0;
    for (unsigned i = 0; i < 50; i++) {
        double speed = (low + high) / 2;
        if (cost(v, c, speed) > more * ((v->busy + idle) / speed - idle))
            high = speed;
        else
            low = speed;
    }
    return low;
}

static int by_gain(const void *a, const void *b)
{
    double x = ((const struct prediction *)a)->speedup,
           y = ((const struct prediction *)b)->speedup;
    return (x < y) - (x > y);
}

/* Ports have no parameter of their kind, but every chip says how many. */
static bool offered(const struct lever *l)
{
    if (l->row->sort == LIMIT_LATENCY && l->value < 2)
        return false;
    return l->row->param ? l->value > 0 : l->row->room_links;
}

/* One change a lever that a chip's description offers, then twice the TMs and
 * twice the harts of each; the largest gain first. */
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
