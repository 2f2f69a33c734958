/* Predicts how fast a run would be with one thing doubled: see verdict.h. */
#include "sim/host/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Use that is taken for all of it: measured uses are means over a run whose
 * begin and end are less busy. */
#define FULL 0.98

/* Of the cycles in which a place is used, those with a queue: if they are as
 * many, the place is saturated while it is used. */
#define QUEUED 0.9

/* A speed that no change reaches, in either direction. */
#define FASTEST 16.0

double use_of(double used, double queue)
{
    double use = used >= 0 ? used : queue / (1 + queue);
    return use < FULL ? use : FULL;
}

double queue_at(double use, double servers)
{
    return pow(use, sqrt(2 * (servers + 1))) / (1 - use);
}

/* What is left of the misses of a cache, or of what comes from them. */
static double left_of(const struct verdict *v, const struct change *c,
                      uint64_t beyond, uint64_t near)
{
    if (c->lever == VERDICT_NONE || !(beyond >> c->lever & 1) ||
        v->levers[c->lever].row->sort != LIMIT_SIZE)
        return 1;
    const struct lever *l = &v->levers[c->lever];
    return 1 - (near >> c->lever & 1 ? l->eases_near : l->eases_far);
}

static bool doubled(const struct verdict *v, const struct change *c,
                    unsigned lever)
{
    return c->lever == lever || (c->tms && v->levers[lever].of_cores);
}

/* Does a change of another limit of the units ease this one? */
static bool eased(const struct verdict *v, const struct change *c,
                  const struct lever *l)
{
    if (c->lever == VERDICT_NONE || v->levers[c->lever].group != l->group ||
        !v->levers[c->lever].row->param)
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (l->row->eased[i] &&
            !strcmp(l->row->eased[i], v->levers[c->lever].row->param))
            return true;
    return false;
}

/* How many times as much of the time a lever is used by the same work. */
static double demand(const struct verdict *v, const struct change *c,
                     unsigned lever, bool rays)
{
    const struct lever *l = &v->levers[lever];
    double left = left_of(v, c, l->beyond, l->near);
    if (eased(v, c, l)) {
        const struct lever *by = &v->levers[c->lever];
        return left *
               (1 - (by->row->sort == LIMIT_RATE ? by->eases[rays] : 0.5));
    }
    return doubled(v, c, lever) ? left * (1 - l->eases[rays]) : left;
}

/* A changed run at a speed. held: of places, how many times as long each is
 * taken. */
struct then {
    const struct verdict *v;
    const struct change *c;
    double speed, held[VERDICT_LEVERS];
};

/* How many times as long a queue before a lever makes wait; INFINITY: it cannot
 * be as fast. */
static double queueing(const struct then *t, unsigned lever, unsigned slots)
{
    bool rays = slots != VERDICT_NONE || t->v->levers[lever].row->insides;
    const struct lever *l = &t->v->levers[lever];
    double demanded = demand(t->v, t->c, lever, rays);
    double use = l->use[rays], then = use * t->speed * demanded,
           held = t->held[lever];
    if (!l->row->passes) {
        then *= held;
    } else if (l->ahead * held > use) {
        then = l->ahead * t->speed * demanded * held;
    } else {
        held = 1;
    }
    use = l->ahead > use ? l->ahead : use;
    double steady = l->steady[rays];
    if (t->c->saturated && t->c->lever == lever) {
        steady = 1;
        then *= FULL / use;
        use = FULL;
    }
    if (use <= 0)
        return 1;
    bool more = doubled(t->v, t->c, lever) && l->halves;
    double servers = l->servers * (more ? 2 : 1);
    /* Twice the harts of a TM wait twice as long for bursts of each, rays and
     * what TMs share do not; those of more TMs wait as long in theirs. */
    double bursts = demanded;
    if (t->c->harts)
        bursts = rays || !l->of_cores ? 1 : 4;
    else if (t->c->tms)
        bursts = 2;
    if (t->c->tms && l->of_cores)
        return steady + (1 - steady) * bursts;
    /* What waits at the other end of a port comes in bursts, which are longer
     * only if more rays are in flight: else they bound nothing. */
    bool rising =
        t->c->lever == VERDICT_NONE || t->v->levers[t->c->lever].row->insides;
    if (then >= 1 && (l->ahead < use || rising))
        return INFINITY;
    then = then < FULL ? then : FULL;
    double waited = queue_at(use, l->servers) / (use * l->servers),
           waits = then > 0 ? queue_at(then, servers) / (then * servers) : 0;
    return (steady * waits / waited + (1 - steady) * bursts) * held;
}

/* How many times as many cycles a part has. */
static double growth(const struct then *t, const struct part *p)
{
    double left = left_of(t->v, t->c, p->beyond, p->near);
    if (p->lever == VERDICT_NONE)
        return left;
    if (t->v->levers[p->lever].row->sort == LIMIT_LATENCY)
        return left * (t->c->lever == p->lever ? 0.5 : 1);
    return left * queueing(t, p->lever, p->slots);
}

bool part_of_rays(const struct verdict *v, const struct part *p)
{
    return p->slots != VERDICT_NONE ||
           (p->lever != VERDICT_NONE && v->levers[p->lever].row->insides);
}

/* How many times as long what a lever lasts as long as takes. */
static double holds(const struct then *t, unsigned lever)
{
    double was = 0, is = 0;
    for (unsigned i = 0; i < t->v->part_count; i++) {
        const struct part *p = &t->v->parts[i];
        if (!(p->beyond >> lever & 1))
            continue;
        was += p->cycles;
        is += p->cycles * growth(t, p);
    }
    return was > 0 ? is / was : 1;
}

/* Places are taken as long as what happens inside takes: of a cache, what is
 * beyond it. What is behind others is known first: at a level a port that leads
 * on, then what waits for its answers. */
static void hold_places(struct then *t)
{
    for (unsigned i = 0; i < VERDICT_LEVERS; i++)
        t->held[i] = 1;
    for (unsigned step = 0; step < 8; step++)
        for (unsigned i = 0; i < t->v->lever_count; i++) {
            const struct lever *l = &t->v->levers[i];
            const struct limit_row *r = l->row;
            bool held =
                step % 2 ? r->sort == LIMIT_PLACES || r->blocks : r->passes;
            if (held && l->level == 3 - step / 2 && !r->insides)
                t->held[i] = holds(t, i);
        }
}

/* The places that a part is in, or waits for; VERDICT_NONE: it is not of rays.
 */
static unsigned rays_of(const struct verdict *v, const struct part *p)
{
    return p->lever != VERDICT_NONE && v->levers[p->lever].row->insides
               ? p->lever
               : p->slots;
}

/* Hart-cycles of the changed run's work at a speed: for rays of some places,
 * or, of VERDICT_NONE, for all else. */
static double cost(const struct verdict *v, const struct change *c,
                   unsigned slots, double speed)
{
    struct then t = {.v = v, .c = c, .speed = speed};
    double inside = 0, was = 0, waiting = 0;
    hold_places(&t);
    for (unsigned i = 0; i < v->part_count; i++) {
        const struct part *p = &v->parts[i];
        if (rays_of(v, p) != slots ||
            (p->lever == slots && slots != VERDICT_NONE))
            continue;
        inside += p->cycles * growth(&t, p);
        was += p->cycles;
    }
    if (slots != VERDICT_NONE && was > 0)
        t.held[slots] = inside / was;
    for (unsigned i = 0; i < v->part_count && slots != VERDICT_NONE; i++)
        if (v->parts[i].lever == slots)
            waiting += v->parts[i].cycles * growth(&t, &v->parts[i]);
    return inside + waiting;
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
    bool rays = verdict_cycles(v, true) > 0;
    struct then t = {.v = v, .c = c, .speed = 1};
    double was = 0, is = 0;
    hold_places(&t);
    for (unsigned i = 0; i < v->part_count; i++) {
        const struct part *p = &v->parts[i];
        const struct lever *l =
            p->lever == VERDICT_NONE ? NULL : &v->levers[p->lever];
        if ((l && l->row->sort != LIMIT_LATENCY) ||
            (rays && p->slots == VERDICT_NONE))
            continue;
        was += p->cycles;
        is += p->cycles * growth(&t, p);
    }
    return was > 0 ? is / was : 1;
}

/* How many times as fast the work for rays of some places would be done, or all
 * else. */
static double speed_of(const struct verdict *v, const struct change *c,
                       unsigned slots)
{
    double low = 1 / FASTEST, high = FASTEST, cycles = 0;
    for (unsigned i = 0; i < v->part_count; i++)
        cycles += rays_of(v, &v->parts[i]) == slots ? v->parts[i].cycles : 0;
    double customers = cycles * (c->tms || c->harts ? 2 : 1);
    for (unsigned i = 0; i < 50; i++) {
        double speed = (low + high) / 2;
        if (cost(v, c, slots, speed) * speed > customers)
            high = speed;
        else
            low = speed;
    }
    return low;
}

/* Units of several groups share the rays, so those that are faster take more of
 * them. */
static double speed_of_rays(const struct verdict *v, const struct change *c)
{
    double speed = 0, all = 0;
    for (unsigned i = 0; i < v->lever_count; i++) {
        const struct lever *l = &v->levers[i];
        double rays = l->stay > 0 ? l->in_flight / l->stay : 1;
        if (!l->row->insides || rays <= 0)
            continue;
        speed += rays * speed_of(v, c, i);
        all += rays;
    }
    return all > 0 ? speed / all : 1;
}

/* Share of the idle time in which a changed place is still used all the time:
 * what is left of its use if it was used all of the rest. */
static double used_idle(const struct verdict *v, const struct change *c)
{
    double busy = v->busy / v->all;
    if (c->lever == VERDICT_NONE ||
        v->levers[c->lever].row->sort > LIMIT_PLACES || busy >= 1)
        return 0;
    const struct lever *l = &v->levers[c->lever];
    double use = l->crowded > l->used ? l->crowded : l->used;
    return use > busy ? (use - busy) / (1 - busy) : 0;
}

static double speedup(const struct verdict *v, const struct change *c)
{
    double busy = verdict_cycles(v, false) / speed_of(v, c, VERDICT_NONE) +
                  verdict_cycles(v, true) / speed_of_rays(v, c);
    double used = used_idle(v, c);
    double idle = used * busy / v->busy + (1 - used) * latency(v, c);
    return v->all / (busy + (v->all - v->busy) * idle);
}

/* A place that is saturated in a share of the time, and seldom used else, is no
 * queue of that mean use: in that time the gain is that of a saturated one. */
double verdict_speedup(const struct verdict *v, const struct change *c)
{
    double gain = speedup(v, c);
    const struct lever *l =
        c->lever == VERDICT_NONE ? NULL : &v->levers[c->lever];
    if (!l || l->row->sort != LIMIT_RATE || l->crowded <= 0 ||
        l->crowded < QUEUED * l->used)
        return gain;
    const struct change saturated = {.lever = c->lever, .saturated = true};
    double share = l->crowded < 1 ? l->crowded : 1;
    double phases = 1 / (share / speedup(v, &saturated) + 1 - share);
    return phases > gain ? phases : gain;
}

/* A larger chip is no limit's relief: it comes last. */
static int by_gain(const void *a, const void *b)
{
    bool p = ((const struct prediction *)a)->change.lever == VERDICT_NONE,
         q = ((const struct prediction *)b)->change.lever == VERDICT_NONE;
    if (p != q)
        return p - q;
    double x = ((const struct prediction *)a)->speedup,
           y = ((const struct prediction *)b)->speedup;
    return (x < y) - (x > y);
}

/* Ports have no parameter of their kind, but every chip says how many, and how
 * slow links are. */
static bool offered(const struct lever *l)
{
    if (l->refused)
        return false;
    if (l->row->sort == LIMIT_LATENCY || l->row->inverse)
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
