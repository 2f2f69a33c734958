/* Predicts how fast a run would be with one thing doubled: see verdict.h. */
#include "sim/verdict/verdict.h"
#include <math.h>
#include <string.h>

/* Use that is taken for all of it: measured uses are means over a run whose
 * begin and end are less busy. */
#define FULL 0.98

/* Of the cycles in which a place is used, those with a queue: if they are as
 * many, the place is saturated while it is used. */
#define QUEUED 0.9

/* How close a number of rays in flight is computed, in parts of it. */
#define CLOSE 0.001

/* A speed that no change reaches, in either direction. */
#define FASTEST 16.0

/* The search for it halves what is left in each step. */
#define STEPS 40

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
                      const struct lever_set *beyond,
                      const struct lever_set *near)
{
    if (c->lever == VERDICT_NONE || !lever_set_has(beyond, c->lever) ||
        v->levers[c->lever].row->sort != LIMIT_SIZE)
        return 1;
    const struct lever *l = &v->levers[c->lever];
    return 1 - (lever_set_has(near, c->lever) ? l->eases_near : l->eases_far);
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

/* The lever of a change that is one of the program; NULL: it is another. */
static const struct lever *of_program(const struct verdict *v,
                                      const struct change *c)
{
    bool is = c->lever != VERDICT_NONE &&
              v->levers[c->lever].row->sort == LIMIT_PROGRAM;
    return is ? &v->levers[c->lever] : NULL;
}

/* Fewer requests are fewer at the ports by which they leave, and in the first
 * cache, which had the others still: as many miss. Fewer instructions are fewer
 * where they are issued. */
static double demand_of_program(const struct lever *by, const struct lever *l,
                                bool rays)
{
    bool own = !strcmp(l->group, by->group);
    bool asks = l->level == 1 || (own && l->row->room_links);
    bool less = by->row->requests ? asks : own && !l->row->room_links;
    return less && !rays ? by->used : 1;
}

/* How many times as much of the time a lever is used by the same work. */
static double demand(const struct verdict *v, const struct change *c,
                     unsigned lever, bool rays)
{
    const struct lever *l = &v->levers[lever], *program = of_program(v, c);
    if (program)
        return demand_of_program(program, l, rays);
    double left = left_of(v, c, &l->beyond, &l->near);
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
    /* What queueing has found of a lever, of harts and of rays; negative:
     * nothing yet, or what it depends on has changed since. */
    double (*queued)[2];
    double crowd; /* how many times as many rays are in flight */
    double dense; /* how many times as much of the time places are used while
                     the changed one is */
};

/* Of the time in which the first messages of RT cores wait, the part in which
 * their ports are used, at most: 0: none has any. */
static double least_of(const struct verdict *v)
{
    double least = 0;
    for (unsigned i = 0; i < v->lever_count; i++) {
        const struct lever *l = &v->levers[i];
        if (l->row->passes && !l->level && l->ahead > 0 && l->used > 0)
            least = l->used / l->ahead > least ? l->used / l->ahead : least;
    }
    return least < 1 ? least : 1;
}

/* How many times as long a queue before a lever makes wait; INFINITY: it cannot
 * be as fast. */
static double queueing(const struct then *t, unsigned lever, bool rays)
{
    const struct lever *l = &t->v->levers[lever];
    double demanded = demand(t->v, t->c, lever, rays);
    double use = l->ahead > l->use[rays] ? l->ahead : l->use[rays],
           held = t->held[lever];
    /* A port is held longer only while what it has sent is first at the other
     * end. */
    if (l->row->passes)
        held = l->ahead > l->use[rays]
                   ? (l->own + (l->ahead - l->own) * held) / l->ahead
                   : 1;
    double steady = l->steady[rays];
    use *= rays ? t->dense : 1;
    if (t->c->saturated && t->c->lever == lever) {
        steady = 1;
        use = FULL;
        held = l->row->passes ? 1 : held;
    }
    use = use < FULL ? use : FULL;
    double then = use * t->speed * demanded * held;
    if (use <= 0)
        return 1;
    bool more = doubled(t->v, t->c, lever) && l->halves;
    double servers = l->servers * (more ? 2 : 1);
    /* Twice the harts of a TM wait twice as long for bursts of each, rays and
     * what TMs share do not; those of more TMs wait as long in theirs. */
    double bursts = demanded;
    const struct lever *program = of_program(t->v, t->c);
    if (program && !program->row->requests)
        bursts = 1; /* there are fewer of them: fewer() */
    else if (t->c->harts)
        bursts = rays || !l->of_cores ? 1 : 4;
    else if (t->c->tms)
        bursts = 2;
    else if (rays)
        bursts *= t->crowd;
    if (t->c->tms && l->of_cores)
        return steady + (1 - steady) * bursts;
    if (then >= 1)
        return INFINITY;
    double waited = queue_at(use, l->servers) / (use * l->servers),
           waits = then > 0 ? queue_at(then, servers) / (then * servers) : 0;
    /* Of a burst that has left a cache sooner the next message waits as long
     * for the port that it has come by. */
    if (t->c->lever == lever && rays && l->level == 1 && !l->row->passes) {
        double least = least_of(t->v);
        bursts = bursts > least ? bursts : least;
    }
    /* What a fetch holds up waits for the rest of it, and as it lasts longer,
     * more come meanwhile. */
    if (l->row->blocks)
        bursts *= held * t->speed;
    return (steady * waits / waited + (1 - steady) * bursts) * held;
}

/* How many times as often a part is, where the program has the units issue
 * fewer instructions: as often as these, but for what its requests, which are
 * as many, wait for each other. */
static double fewer(const struct then *t, const struct part *p)
{
    const struct lever *by = of_program(t->v, t->c);
    bool queued = p->request && p->lever != VERDICT_NONE &&
                  t->v->levers[p->lever].row->sort != LIMIT_LATENCY;
    if (!by || by->row->requests || strcmp(p->group, by->group) != 0)
        return 1;
    return queued ? 1 : by->used;
}

/* How many times as long accesses wait until all their requests have left, in a
 * place that their unit has one of: behind those of twice as many harts twice
 * as long. */
static double leaving(const struct then *t, unsigned lever)
{
    if (t->c->lever == lever)
        return t->v->levers[lever].used;
    return t->c->harts ? 2 : 1;
}

/* How many times as many cycles a part has. */
static double growth(const struct then *t, const struct part *p)
{
    double left = left_of(t->v, t->c, &p->beyond, &p->near) * fewer(t, p);
    if (p->lever == VERDICT_NONE)
        return left;
    if (t->v->levers[p->lever].row->sort == LIMIT_LATENCY)
        return left * (t->c->lever == p->lever ? 0.5 : 1);
    if (t->v->levers[p->lever].row->sort == LIMIT_PROGRAM)
        return left * leaving(t, p->lever);
    bool rays = p->slots != VERDICT_NONE || t->v->levers[p->lever].row->insides;
    double *queued = &t->queued[p->lever][rays];
    if (*queued < 0)
        *queued = queueing(t, p->lever, rays);
    return left * *queued;
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
        if (!lever_set_has(&p->beyond, lever))
            continue;
        was += p->cycles;
        is += p->cycles * growth(t, p);
    }
    return was > 0 ? is / was : 1;
}

static void hold(struct then *t, unsigned lever, double times)
{
    t->held[lever] = times;
    t->queued[lever][0] = t->queued[lever][1] = -1;
}

/* Places are taken as long as what happens inside takes: of a cache, what is
 * beyond it. What is behind others is known first: at a level a port that leads
 * on, then what waits for its answers. */
static void hold_places(struct then *t)
{
    for (unsigned i = 0; i < t->v->lever_count; i++)
        hold(t, i, 1);
    for (unsigned step = 0; step < 8; step++)
        for (unsigned i = 0; i < t->v->lever_count; i++) {
            const struct lever *l = &t->v->levers[i];
            const struct limit_row *r = l->row;
            bool held =
                step % 2 ? r->sort == LIMIT_PLACES || r->blocks : r->passes;
            if (held && l->level == 3 - step / 2 && !r->insides)
                hold(t, i, holds(t, i));
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

/* Hart-cycles inside of places, or, of VERDICT_NONE, of all but rays. */
static double inside(const struct then *t, unsigned slots, bool changed)
{
    double cycles = 0;
    for (unsigned i = 0; i < t->v->part_count; i++) {
        const struct part *p = &t->v->parts[i];
        if (rays_of(t->v, p) == slots &&
            (p->lever != slots || slots == VERDICT_NONE))
            cycles += changed ? p->cycles * growth(t, p) : p->cycles;
    }
    return cycles;
}

/* Only the queues of rays depend on how many there are. */
static void set_crowd(struct then *t, double times)
{
    t->crowd = times;
    for (unsigned i = 0; i < t->v->lever_count; i++)
        t->queued[i][true] = -1;
}

/* How many rays are there at a time, if each stays as long as at this speed:
 * bursts of them are as long; there are no more than places. */
static void crowd(struct then *t, unsigned slots)
{
    const struct lever *l = &t->v->levers[slots];
    double was = inside(t, slots, false);
    double most = (doubled(t->v, t->c, slots) ? 2 : 1) / use_of(l->used, 0);
    double before = 0;
    hold_places(t);
    for (unsigned i = 0;
         i < 8 && was > 0 && fabs(t->crowd - before) > CLOSE * t->crowd; i++) {
        if (i)
            hold_places(t);
        before = t->crowd;
        hold(t, slots, inside(t, slots, true) / was);
        double crowd = t->speed * t->held[slots];
        set_crowd(t, crowd < most ? crowd : most);
    }
}

/* Does the work take more places of caches than there are? Nothing may wait for
 * them yet. Rays take them while their own places are full, which hold nearly
 * all of them. */
static bool overfull(const struct then *t, bool rays)
{
    const struct lever *by =
        t->c->lever == VERDICT_NONE ? NULL : &t->v->levers[t->c->lever];
    bool slots = rays && by && by->row->insides && by->used > 0;
    double most = slots ? use_of(by->used, 0) : 1;
    for (unsigned i = 0; i < t->v->lever_count; i++) {
        const struct lever *l = &t->v->levers[i];
        if (l->row->sort != LIMIT_PLACES || l->row->insides)
            continue;
        double demanded = demand(t->v, t->c, i, rays);
        if (l->use[rays] * t->speed * demanded * t->held[i] >= most)
            return true;
    }
    return false;
}

static double density(const struct verdict *v, const struct change *c)
{
    const struct lever *by = c->saturated ? &v->levers[c->lever] : NULL;
    double use = by && by->row->passes ? by->own : by ? by->use[1] : FULL;
    return use > 0 && use < FULL ? FULL / use : 1;
}

/* Hart-cycles of the changed run's work at a speed: for rays of some places,
 * or, of VERDICT_NONE, for all else. */
static double cost(const struct verdict *v, const struct change *c,
                   unsigned slots, double speed)
{
    double queued[VERDICT_LEVERS][2];
    struct then t = {.v = v,
                     .c = c,
                     .speed = speed,
                     .queued = queued,
                     .crowd = 1,
                     .dense = density(v, c)};
    if (slots == VERDICT_NONE)
        hold_places(&t);
    else
        crowd(&t, slots);
    if (overfull(&t, slots != VERDICT_NONE))
        return INFINITY;
    double cycles = inside(&t, slots, true);
    for (unsigned i = 0; i < v->part_count && slots != VERDICT_NONE; i++)
        if (v->parts[i].lever == slots)
            cycles += v->parts[i].cycles * growth(&t, &v->parts[i]);
    return cycles;
}

double verdict_cycles(const struct verdict *v, bool rays)
{
    double cycles = 0;
    for (unsigned i = 0; i < v->part_count; i++)
        cycles +=
            part_of_rays(v, &v->parts[i]) == rays ? v->parts[i].cycles : 0;
    return cycles;
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
    for (unsigned i = 0; i < STEPS; i++) {
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

/* Harts that have no more work wait for those that have: as long as these still
 * take, which do then what all did before. */
static double speedup(const struct verdict *v, const struct change *c)
{
    double busy = verdict_cycles(v, false) / speed_of(v, c, VERDICT_NONE) +
                  verdict_cycles(v, true) / speed_of_rays(v, c);
    return v->busy / busy;
}

/* Share of the time in which a place is saturated that is seldom used else; 0:
 * it is used more evenly, or it is one of several links, which send at the pace
 * of what is at their other end. */
static double phase(const struct lever *l)
{
    bool counts = l->row->sort == LIMIT_RATE && !l->row->room_links;
    double share = counts ? l->crowded : 0;
    if (share <= 0 || share < QUEUED * l->used)
        return 0;
    return share < 1 ? share : 1;
}

/* Hart-cycles of waiting for a lever: of all but rays, or, as what waits for
 * slots waits for what is inside of them, of rays. */
static double waiting_for(const struct verdict *v, unsigned lever, bool rays)
{
    double at = 0, inside = 0;
    for (unsigned i = 0; i < v->part_count; i++) {
        const struct part *p = &v->parts[i];
        if (rays ? p->slots == VERDICT_NONE : part_of_rays(v, p))
            continue;
        inside += p->cycles;
        at += p->lever == lever ? p->cycles : 0;
    }
    return rays && inside > 0 ? at / inside * verdict_cycles(v, true) : at;
}

/* How many times as fast those are that wait for a saturated place. */
static double speed_of_waiting(const struct verdict *v, const struct change *c)
{
    double rays = waiting_for(v, c->lever, true),
           rest = waiting_for(v, c->lever, false);
    if (rays + rest <= 0)
        return 1;
    return (rays + rest) /
           (rays / speed_of_rays(v, c) + rest / speed_of(v, c, VERDICT_NONE));
}

/* The gain of more slots at most. While they are not all taken, harts have no
 * more rays to hand over, or a treelet has none left. They end one after the
 * other, so nearly as long before there are too few to fill the slots that are
 * more. */
static double fewer_harts(const struct verdict *v, const struct change *c)
{
    const struct change saturated = {.lever = c->lever, .saturated = true};
    double full = v->levers[c->lever].full,
           shorter = 1 / speed_of_rays(v, &saturated);
    double few = full < 0.5 ? full : 1 - full,
           mean = shorter < 1 ? log(1 / shorter) / (1 / shorter - 1) : 1;
    return 1 / ((full - few) * shorter + few * mean + 1 - full);
}

/* A place that is saturated in a share of the time, and seldom used else, is no
 * queue of that mean use: in that time the gain is that of a saturated one. */
double verdict_speedup(const struct verdict *v, const struct change *c)
{
    double gain = speedup(v, c);
    if (c->lever != VERDICT_NONE && v->levers[c->lever].row->insides &&
        v->levers[c->lever].full > 0) {
        double most = fewer_harts(v, c);
        return gain < most ? gain : most;
    }
    double share = c->lever == VERDICT_NONE ? 0 : phase(&v->levers[c->lever]);
    if (share <= 0)
        return gain;
    const struct change saturated = {.lever = c->lever, .saturated = true};
    double phases = 1 / (share / speed_of_waiting(v, &saturated) + 1 - share);
    return phases > gain ? phases : gain;
}
