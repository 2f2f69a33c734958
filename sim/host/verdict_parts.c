/*
 * Divides the cycles of harts into parts. Buckets wait_X and full_X belong
 * together. Where X is a kind of unit with places inside, what waits is divided
 * by what happens there; where requests to memory of the hart are known by
 * legs, by these, full_X being before the first one's port. All else stays as
 * it is, a part of its own.
 */
#include "sim/host/verdict_private.h"
#include <string.h>

static const char *const leg_names[LEGS] = {
#define NAME(name, ...) #name,
    TRIP_LEGS_OF(NAME, )
#undef NAME
};

/* Hart-cycles in which nothing was to be done. */
static bool idle_bucket(const char *name)
{
    static const char *const names[] = {"parked", "joining", "idle"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* ---- parts ---- */

static void add_part(struct gather *g, struct part part)
{
    struct verdict *v = g->v;
    if (part.cycles <= 0)
        return;
    v->busy += part.cycles;
    if (v->part_count < VERDICT_PARTS)
        v->parts[v->part_count++] = part;
}

/* Legs that a row names, where its lever is. */
static uint64_t legs_of(const struct lever *l, uint64_t named)
{
    uint64_t legs = 0;
    for (unsigned leg = 0; leg < LEGS; leg++) {
        if (!(named >> leg & 1))
            continue;
        bool there = leg < LEG_second_way;
        bool back = leg >= LEG_first_fill && leg <= LEG_first_home;
        unsigned at = there && l->level  ? trip_there(leg, l->level)
                      : back && l->level ? trip_back(leg, l->level)
                                         : leg;
        if (l->level || !(there || back))
            legs |= UINT64_C(1) << at;
    }
    return legs;
}

/* Legs in and behind the queue of a cache to below, which come from misses. */
static uint64_t legs_behind(unsigned level)
{
    unsigned from = trip_there(LEG_first_below, level),
             to = trip_back(LEG_first_fill, level);
    return ((UINT64_C(1) << (to + 1)) - 1) & ~((UINT64_C(1) << from) - 1);
}

static uint64_t beyond_of(const struct gather *g, unsigned leg)
{
    uint64_t beyond = 0;
    for (unsigned i = 0; i < g->v->lever_count; i++) {
        const struct lever *l = &g->v->levers[i];
        if (l->row->sort == LIMIT_SIZE && l->level &&
            legs_behind(l->level) >> leg & 1)
            beyond |= UINT64_C(1) << i;
    }
    return beyond;
}

/* The share of a leg that is for a lever, of what others have left. */
static double claim_of(const struct gather *g, unsigned lever, unsigned leg)
{
    const struct lever *l = &g->v->levers[lever];
    const struct limit_row *r = l->row;
    if (g->backed[lever] && legs_of(l, r->before) >> leg & 1)
        return 1;
    if (!(legs_of(l, r->legs) >> leg & 1))
        return 0;
    double of = r->of[0] ? gather_sum(g, g->of_lever[lever], r->of) : 0;
    if (!r->of[0])
        return 1;
    return of > 0 ? gather_sum(g, g->of_lever[lever], r->part) / of : 0;
}

/* Calls for each lever that a leg is for, with its share, those first that hold
 * up others; at last for none, with the rest. */
typedef void claim_fn(struct gather *g, void *context, unsigned lever,
                      double share);

static void each_claim(struct gather *g, unsigned leg, claim_fn *tell,
                       void *context)
{
    double left = 1;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < g->v->lever_count; i++) {
            double share =
                g->backed[i] == !pass ? left * claim_of(g, i, leg) : 0;
            if (share > 0)
                tell(g, context, i, share);
            left -= share;
        }
    if (left > 0)
        tell(g, context, VERDICT_NONE, left);
}

static void claim_part(struct gather *g, void *context, unsigned lever,
                       double share)
{
    struct part part = *(const struct part *)context;
    part.lever = lever;
    part.cycles *= share;
    add_part(g, part);
}

static void add_leg(struct gather *g, struct part part, unsigned leg)
{
    part.name = leg_names[leg];
    part.beyond = beyond_of(g, leg);
    each_claim(g, leg, claim_part, &part);
}

/* The cycles of a kind of request of a group, by leg. */
struct legs {
    double cycles, legs[LEGS];
};

static struct legs sum_legs(const struct gather *g, unsigned group,
                            unsigned trip)
{
    const struct unit_kind *kind = g->t->groups[group].kind;
    const uint64_t *at = gather_values(g, group) +
                         kind_value_of(kind, 1 + (uint32_t)kind->trips) +
                         (size_t)trip * SERVED * (LEGS + 2);
    struct legs sum = {0};
    for (unsigned served = 0; served < SERVED; served++, at += LEGS + 2) {
        sum.cycles += (double)at[1];
        for (unsigned leg = 0; leg < LEGS; leg++)
            sum.legs[leg] += (double)at[2 + leg];
    }
    return sum;
}

/* Divides what somebody waited by the legs of the requests waited for. False:
 * nobody knows them. counter: as in struct trip_row. */
static bool add_legs(struct gather *g, unsigned group, uint32_t counter,
                     struct part part)
{
    const struct unit_kind *kind = g->t->groups[group].kind;
    for (unsigned trip = 0; trip < kind->trip_count; trip++) {
        if (kind->trip_rows[trip].waits != counter)
            continue;
        struct legs sum = sum_legs(g, group, trip);
        double cycles = part.cycles;
        part.request = kind->trip_rows[trip].name;
        for (unsigned leg = 0; leg < LEGS && sum.cycles > 0; leg++) {
            part.cycles = cycles * sum.legs[leg] / sum.cycles;
            add_leg(g, part, leg);
        }
        return sum.cycles > 0;
    }
    return false;
}

/* What a lever's uses go on to may be held up by another one, which then holds
 * up this one, too. Returns which, mostly itself. */
static unsigned holder_of(const struct gather *g, unsigned lever)
{
    uint64_t sent = g->v->levers[lever].row->sent;
    for (unsigned i = 0; i < g->v->lever_count; i++)
        if (g->backed[i] &&
            legs_of(&g->v->levers[i], g->v->levers[i].row->before) & sent)
            return i;
    return lever;
}

/* The lever for which a counter of a group counts the waiting. */
static unsigned lever_of(const struct gather *g, unsigned group,
                         uint32_t counter)
{
    for (unsigned i = 0; i < g->v->lever_count; i++)
        for (unsigned w = 0; w < FIGURE_TERMS; w++)
            if (g->of_lever[i] == group && counter &&
                g->v->levers[i].row->waits[w] == counter)
                return holder_of(g, i);
    return VERDICT_NONE;
}

/* A counter of a group as a part, or parts. */
static void add_counter(struct gather *g, unsigned group, uint32_t counter,
                        struct part part)
{
    const struct unit_kind *kind = g->t->groups[group].kind;
    if (add_legs(g, group, counter, part))
        return;
    part.name = kind_value_row(kind, kind_value_of(kind, counter))->name;
    part.lever = lever_of(g, group, counter);
    add_part(g, part);
}

/* Harts wait for a unit with places: for one of these, or inside. */
static void add_inside(struct gather *g, unsigned slots, double cycles)
{
    unsigned group = g->of_lever[slots];
    const struct group *of = &g->t->groups[group];
    const struct limit_row *r = g->v->levers[slots].row;
    unsigned first = kind_value_of(of->kind, r->inside);
    double inside = 0;
    for (unsigned i = 0; i < r->insides; i++)
        inside += (double)gather_values(g, group)[first + i];
    double share = inside > cycles ? cycles / inside : 1;
    const uint32_t rays[FIGURE_TERMS] = {of->kind->told[TOLD_RAYS]};
    g->v->slots = slots;
    g->v->rays = gather_sum(g, group, rays);
    for (unsigned i = 0; i < r->insides; i++)
        add_counter(
            g, group, r->inside + i * (uint32_t)sizeof(uint64_t),
            (struct part){.group = of->name,
                          .inside = true,
                          .lever = VERDICT_NONE,
                          .cycles = (double)gather_values(g, group)[first + i] *
                                    share});
    add_part(g, (struct part){.group = of->name,
                              .name = r->name,
                              .lever = slots,
                              .cycles = cycles - inside * share});
}

/* The LIMIT_PLACES lever of a kind of this name that has anything inside. */
static unsigned slots_named(const struct gather *g, const char *name)
{
    for (unsigned i = 0; i < g->v->lever_count; i++)
        if (g->v->levers[i].row->sort == LIMIT_PLACES &&
            g->v->levers[i].used > 0 &&
            !strcmp(g->t->groups[g->of_lever[i]].kind->name, name))
            return i;
    return VERDICT_NONE;
}

/* The other bucket of a pair, wait_X and full_X; NULL: it has none. */
static const struct stat_row *partner(const struct unit_kind *kind,
                                      const char *prefix, const char *name)
{
    for (unsigned b = 0; b < kind->bucket_count; b++) {
        const char *other = kind->bucket_rows[b].name;
        if (!strncmp(other, prefix, 5) && !strcmp(other + 5, name + 5))
            return &kind->bucket_rows[b];
    }
    return NULL;
}

static double bucket_of(const struct gather *g, unsigned group,
                        const struct stat_row *row)
{
    const struct unit_kind *kind = g->t->groups[group].kind;
    return row ? (double)gather_values(
                     g, group)[kind_value_of(kind, 1 + (uint32_t)row->offset)]
               : 0;
}

/* The name of the requests that are waited for by a bucket; NULL: none. */
static const char *asked_by(const struct unit_kind *kind,
                            const struct stat_row *wait)
{
    for (unsigned i = 0; wait && i < kind->trip_count; i++)
        if (kind->trip_rows[i].waits == 1 + (uint32_t)wait->offset)
            return kind->trip_rows[i].name;
    return NULL;
}

/* A bucket of harts. Of a pair with places, wait_X stands for both. */
static void add_bucket(struct gather *g, unsigned group,
                       const struct stat_row *row)
{
    const struct group *of = &g->t->groups[group];
    bool full = !strncmp(row->name, "full_", 5);
    const struct stat_row *other =
        full || !strncmp(row->name, "wait_", 5)
            ? partner(of->kind, full ? "wait_" : "full_", row->name)
            : NULL;
    unsigned slots = other ? slots_named(g, row->name + 5) : VERDICT_NONE;
    struct part part = {.group = of->name,
                        .name = row->name,
                        .lever = VERDICT_NONE,
                        .cycles = bucket_of(g, group, row)};
    if (slots != VERDICT_NONE) {
        if (!full)
            add_inside(g, slots, part.cycles + bucket_of(g, group, other));
    } else if (full && asked_by(of->kind, other)) {
        part.request = asked_by(of->kind, other);
        add_leg(g, part, LEG_first_port);
    } else {
        add_counter(g, group, 1 + (uint32_t)row->offset, part);
    }
}

static void add_harts(struct gather *g, unsigned group)
{
    const struct group *of = &g->t->groups[group];
    for (unsigned b = 0; b < of->kind->bucket_count; b++) {
        const struct stat_row *row = &of->kind->bucket_rows[b];
        g->v->all += bucket_of(g, group, row);
        if (!idle_bucket(row->name))
            add_bucket(g, group, row);
    }
}

void gather_parts(struct gather *g)
{
    for (unsigned i = 0; i < g->t->group_count; i++)
        if (g->t->groups[i].kind->core)
            add_harts(g, i);
}

/* ---- queues ---- */

/* Cycles of waiting for a lever; inside: by rays that have a slot. */
static void add_wait(struct gather *g, unsigned lever, double cycles,
                     bool inside)
{
    const struct limit_row *r = g->v->levers[lever].row;
    unsigned group = g->of_lever[lever];
    double time = (double)g->t->groups[group].units * (double)g->v->cycles;
    if (r->sort == LIMIT_RATE)
        g->queues[lever][inside] +=
            cycles / (time * gather_servers(gather_unit(g, group), r));
}

/* A leg of requests, and whether rays wait for them. */
struct wait {
    double cycles;
    bool inside;
};

static void claim_wait(struct gather *g, void *context, unsigned lever,
                       double share)
{
    const struct wait *w = context;
    if (lever != VERDICT_NONE)
        add_wait(g, lever, w->cycles * share, w->inside);
}

/* Rays are in the units whose slots they take. */
static bool has_rays(const struct gather *g, unsigned group)
{
    return g->v->slots != VERDICT_NONE && g->of_lever[g->v->slots] == group;
}

/* All requests wait in the queues, also those for which nobody does. */
static void add_trip(struct gather *g, unsigned group, unsigned trip)
{
    struct legs sum = sum_legs(g, group, trip);
    g->v->legs = true;
    for (unsigned leg = 0; leg < LEGS; leg++) {
        struct wait wait = {sum.legs[leg], has_rays(g, group)};
        each_claim(g, leg, claim_wait, &wait);
        for (unsigned i = 0; i < g->v->lever_count; i++)
            if (g->of_lever[i] == group &&
                g->v->levers[i].row->sent >> leg & 1 && holder_of(g, i) == i)
                add_wait(g, i, wait.cycles, wait.inside);
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
        struct lever *l = &v->levers[i];
        unsigned group = g->of_lever[i];
        add_wait(g, holder_of(g, i), gather_sum(g, group, l->row->waits),
                 has_rays(g, group));
    }
    for (unsigned i = 0; i < v->lever_count; i++) {
        struct lever *l = &v->levers[i];
        l->queue = g->queues[i][0] + g->queues[i][1];
        for (unsigned inside = 0; inside < 2; inside++) {
            double time = verdict_cycles(v, inside) / v->busy;
            l->load[inside] =
                load_of(l->used, time > 0 ? g->queues[i][inside] / time : 0);
        }
        double steady = l->used > 0 ? l->used / (1 - l->used) : 0;
        if (l->used > 0 && l->used < 1 && steady < g->queues[i][0])
            l->burst = 1 - steady / g->queues[i][0];
    }
}
