/*
 * Divides the cycles of harts into parts. Buckets of one target belong
 * together: waits for it, and for room in the port that leads there. Where the
 * target is a kind of unit with places inside, what waits is divided by what
 * happens there; where requests to memory of the hart are known by legs, by
 * these, waits for room being before the first one's port. All else stays as it
 * is, a part of its own.
 */
#include "sim/verdict/verdict_private.h"
#include <stdio.h>
#include <string.h>

/* Where work comes without end, of what places and what is inside of them take
 * together: enough for twice the places to have work. */
#define BACKLOG 0.9

/* ---- parts ---- */

static void name_part(struct part *part, const char *name)
{
    snprintf(part->name, sizeof part->name, "%s", name);
}

static void add_part(struct gather *g, struct part part)
{
    verdict_add_part(g->v, &part);
}

/* Legs in and behind the queue of a cache to below, which come from misses. */
static uint64_t legs_behind(unsigned level)
{
    unsigned from = trip_there(LEG_first_below, level),
             to = trip_back(LEG_first_fill, level);
    return ((UINT64_C(1) << (to + 1)) - 1) & ~((UINT64_C(1) << from) - 1);
}

/* Does a lever last as long as a leg of a group's requests? A fetch of a cache
 * does as what is behind it, a port that leads on as what is waited for at the
 * other end. */
static bool lasts(const struct gather *g, unsigned lever, unsigned asker,
                  unsigned served, unsigned leg)
{
    const struct limit_row *r = g->v->levers[lever].row;
    const unsigned *cache = g->ways[asker].cache;
    unsigned level = 0;
    for (unsigned i = 1; i <= TRIP_THIRD; i++)
        if (cache[i] == g->of_lever[lever])
            level = i;
    if (!level && g->of_lever[lever] != asker)
        return false;
    if (!r->passes)
        return level && (r->sort != LIMIT_RATE || r->blocks) &&
               legs_behind(level) >> leg & 1;
    struct place at = gather_place(g, asker, served, leg);
    bool last = level == TRIP_THIRD || cache[level + 1] == NOWHERE;
    return last ? at.as == LEG_memory_port
                : at.level == level + 1 && at.as == LEG_first_port;
}

/* Levers of caches whose misses, or fetches, a leg is of, or that last as long.
 */
static struct lever_set beyond_of(const struct gather *g, unsigned asker,
                                  unsigned served, unsigned leg)
{
    struct lever_set beyond = {{0}};
    for (unsigned i = 0; i < g->v->lever_count; i++)
        if (lasts(g, i, asker, served, leg))
            lever_set_add(&beyond, i);
    return beyond;
}

/* Of the levers `beyond`, those whose next level has served the request. */
static struct lever_set near_of(const struct gather *g, unsigned asker,
                                unsigned served, const struct lever_set *beyond)
{
    const unsigned *cache = g->ways[asker].cache;
    struct lever_set near = {{0}};
    for (unsigned i = 0; i < g->v->lever_count; i++)
        for (unsigned level = 1; level <= TRIP_THIRD; level++)
            if (lever_set_has(beyond, i) && cache[level] == g->of_lever[i] &&
                (served == SERVED_first + level || level == TRIP_THIRD ||
                 cache[level + 1] == NOWHERE))
                lever_set_add(&near, i);
    return near;
}

static void claim_part(struct gather *g, void *context, unsigned lever,
                       double share)
{
    struct part part = *(const struct part *)context;
    part.lever = lever;
    part.cycles *= share;
    add_part(g, part);
}

static void add_leg(struct gather *g, unsigned asker, unsigned served,
                    struct part part, unsigned leg)
{
    ways_name(g->t, &g->ways[asker], served, leg, part.name, sizeof part.name);
    part.beyond = beyond_of(g, asker, served, leg);
    part.near = near_of(g, asker, served, &part.beyond);
    gather_claims(g, asker, served, leg, claim_part, &part);
}

/* An access of several requests waits until the last of them has left, then for
 * that: a part of its cycles is of no request's. Returns the rest. */
static double add_leaving(struct gather *g, unsigned group, unsigned trip,
                          struct part part)
{
    double cycles = 0, requests = 0;
    for (unsigned served = 0; served < SERVED; served++) {
        struct legs of = gather_legs(g, group, trip, served);
        cycles += of.cycles;
        requests += of.requests;
    }
    for (unsigned i = 0; i < g->v->lever_count && cycles > 0; i++) {
        const struct limit_row *r = g->v->levers[i].row;
        if (g->of_lever[i] != group || r->sort != LIMIT_PROGRAM || !r->reads[0])
            continue;
        double left = gather_sum(g, group, r->waits),
               there = gather_sum(g, group, r->reads) * cycles / requests;
        double all = part.cycles;
        if (left <= 0)
            break;
        part.lever = i;
        part.cycles = all * left / (left + there);
        name_part(&part, "coalescer");
        add_part(g, part);
        return all - part.cycles;
    }
    return part.cycles;
}

/* Divides cycles of waiting by the legs of the requests waited for. False: the
 * legs are not known. counter: as in struct trip_row. */
static bool add_legs(struct gather *g, unsigned group, uint32_t counter,
                     struct part part)
{
    const struct unit_kind *kind = g->t->groups[group].kind;
    double cycles = part.cycles, all = 0;
    unsigned trip = 0;
    while (trip < kind->trip_count && kind->trip_rows[trip].waits != counter)
        trip++;
    if (trip == kind->trip_count)
        return false;
    part.request = kind->trip_rows[trip].name;
    for (unsigned served = 0; served < SERVED; served++)
        all += gather_legs(g, group, trip, served).cycles;
    if (all > 0)
        cycles = add_leaving(g, group, trip, part);
    for (unsigned served = 0; served < SERVED && all > 0; served++) {
        struct legs of = gather_legs(g, group, trip, served);
        for (unsigned leg = 0; leg < LEGS; leg++) {
            part.cycles = cycles * of.legs[leg] / all;
            if (part.cycles > 0)
                add_leg(g, group, served, part, leg);
        }
    }
    return all > 0;
}

/* The lever for which a counter of a group counts the waiting. */
static unsigned lever_of(const struct gather *g, unsigned group,
                         uint32_t counter)
{
    for (unsigned i = 0; i < g->v->lever_count; i++)
        for (unsigned w = 0; w < FIGURE_TERMS; w++)
            if (g->of_lever[i] == group && counter &&
                g->v->levers[i].row->waits[w] == counter)
                return i;
    return VERDICT_NONE;
}

/* A counter of a group as a part, or parts. */
static void add_counter(struct gather *g, unsigned group, uint32_t counter,
                        struct part part)
{
    const struct unit_kind *kind = g->t->groups[group].kind;
    if (add_legs(g, group, counter, part))
        return;
    unsigned lever = lever_of(g, group, counter);
    name_part(&part, kind_value_row(kind, kind_value_of(kind, counter))->name);
    part.lever = lever;
    if (lever == VERDICT_NONE)
        add_part(g, part);
    else
        gather_waits(g, lever, claim_part, &part);
}

/* A figure of a group, as the summary has it. */
static double figure(const struct gather *g, unsigned group, const char *name)
{
    const struct unit_kind *kind = g->t->groups[group].kind;
    for (unsigned i = 0; i < kind->figure_count; i++) {
        const struct figure_row *r = &kind->figure_rows[i];
        double under =
            strcmp(r->name, name) ? 0 : gather_sum(g, group, r->under);
        if (under > 0)
            return gather_sum(g, group, r->over) / under;
    }
    return 0;
}

/* Harts wait for a unit with places: so long for one of these, so long inside.
 */
static void add_inside(struct gather *g, unsigned slots, double waiting,
                       double staying)
{
    unsigned group = g->of_lever[slots];
    const struct group *of = &g->t->groups[group];
    const struct limit_row *r = g->v->levers[slots].row;
    unsigned first = kind_value_of(of->kind, r->inside);
    double inside = 0;
    for (unsigned i = 0; i < r->insides; i++)
        inside += (double)gather_values(g, group)[first + i];
    double share = inside > 0 ? staying / inside : 0;
    g->v->levers[slots].in_flight = figure(g, group, "in_flight");
    g->v->levers[slots].stay = figure(g, group, "latency_mean");
    for (unsigned i = 0; i < r->insides; i++)
        add_counter(
            g, group, r->inside + i * (uint32_t)sizeof(uint64_t),
            (struct part){.group = of->name,
                          .slots = slots,
                          .lever = VERDICT_NONE,
                          .cycles = (double)gather_values(g, group)[first + i] *
                                    share});
    struct part wait = (struct part){.group = of->name,
                                     .lever = slots,
                                     .slots = VERDICT_NONE,
                                     .cycles = waiting};
    name_part(&wait, r->name);
    add_part(g, wait);
}

/* Harts wait for rays that they hand to a unit: if that has more cycles of rays
 * than they wait, some of these are others'. */
static void add_rays(struct gather *g, unsigned slots, double cycles)
{
    unsigned group = g->of_lever[slots];
    const struct limit_row *r = g->v->levers[slots].row;
    unsigned first = kind_value_of(g->t->groups[group].kind, r->inside);
    double inside = 0;
    for (unsigned i = 0; i < r->insides; i++)
        inside += (double)gather_values(g, group)[first + i];
    inside = inside < cycles ? inside : cycles;
    add_inside(g, slots, cycles - inside, inside);
}

bool gather_has_rays(const struct gather *g, unsigned group)
{
    for (unsigned i = 0; i < g->v->lever_count; i++)
        if (g->of_lever[i] == group && g->v->levers[i].row->insides)
            return true;
    return false;
}

/* Does a core hand its work to these units itself, and wait for its answer? */
static unsigned led_to(const struct gather *g, unsigned from, const char *kind);

static bool cores_lead_to(const struct gather *g, unsigned group)
{
    for (unsigned i = 0; i < g->t->group_count; i++)
        if (g->t->groups[i].kind->core &&
            led_to(g, i, g->t->groups[group].kind->name) == group)
            return true;
    return false;
}

/* Cycles in which empty places wait for work that is on its way to them from a
 * unit: in its latency, which is a lever, and on the links to it and back. */
struct supply {
    unsigned lever; /* VERDICT_NONE: no unit is known that hands out work */
    double latency, links, rest;
};

static struct supply supply_of(const struct gather *g, unsigned slots)
{
    struct supply s = {.lever = VERDICT_NONE};
    double empty =
        gather_sum(g, g->of_lever[slots], g->v->levers[slots].row->empty);
    for (unsigned i = 0; i < g->v->lever_count; i++)
        if (g->v->levers[i].row->items)
            s.lever = i;
    if (s.lever == VERDICT_NONE || empty <= 0)
        return (struct supply){.lever = VERDICT_NONE};
    const struct limit_row *r = g->v->levers[s.lever].row;
    unsigned group = g->of_lever[s.lever];
    double uses = gather_sum(g, group, r->used),
           each = gather_param(g, group, r->each), links = 0;
    for (unsigned i = 0; i < g->t->link_count; i++) {
        const struct link_class *c = &g->t->links[i];
        const char *name = g->t->groups[group].name;
        if (!strcmp(c->from, name) || !strcmp(c->to, name))
            links += (double)c->latency;
    }
    double all = uses * (each + links), share = all > empty ? empty / all : 1;
    s.latency = uses * each * share;
    s.links = uses * links * share;
    s.rest = empty - s.latency - s.links;
    return s;
}

/* Places are taken while work is on its way to them. What else they wait for
 * lasts as long as it does. Returns the share of the cycles that is left for
 * what is inside of them. */
static double add_supply(struct gather *g, unsigned slots, struct supply s,
                         double cycles)
{
    unsigned group = g->of_lever[slots];
    struct lever *l = &g->v->levers[slots];
    double inside = gather_sum(g, group, l->row->used),
           all = inside + s.latency + s.links + s.rest;
    struct part part = {.group = g->t->groups[group].name,
                        .slots = slots,
                        .coming = true,
                        .lever = s.lever,
                        .cycles = cycles * s.latency / all};
    snprintf(part.name, sizeof part.name, "%s %s", g->v->levers[s.lever].group,
             g->v->levers[s.lever].row->name);
    add_part(g, part);
    part.lever = VERDICT_NONE;
    part.cycles = cycles * s.links / all;
    snprintf(part.name, sizeof part.name, "%s link",
             g->v->levers[s.lever].group);
    add_part(g, part);
    part.cycles = cycles * s.rest / all;
    name_part(&part, "no work");
    add_part(g, part);
    return inside / all;
}

/* Harts wait for work that goes to places by other ways, as rays of streams do:
 * while all places are taken, for more of them, as there always is more work,
 * and for what happens in them. While a unit has none, others have, as long as
 * these take. */
static bool add_streams(struct gather *g, struct part part)
{
    double cycles = part.cycles;
    for (unsigned i = 0; i < g->v->lever_count; i++) {
        struct lever *l = &g->v->levers[i];
        unsigned group = g->of_lever[i];
        if (!l->row->insides || l->used <= 0 || cores_lead_to(g, group))
            continue;
        double time = (double)g->t->groups[group].units * (double)g->v->cycles;
        double with = gather_sum(g, group, l->row->active) / time,
               full = l->full > 0 && with > 0 ? l->full / with : 0;
        l->streams = true;
        struct supply s = supply_of(g, i);
        double share = 1;
        if (s.lever != VERDICT_NONE) {
            double used = gather_sum(g, group, l->row->used);
            double all = used + s.latency + s.links + s.rest;
            /* So long at least all of them are taken. */
            double taken = 1 - l->servers * s.rest / all;
            l->full = l->full > taken ? l->full : taken;
            full = l->full;
            share = add_supply(g, i, s, cycles * (1 - full * BACKLOG));
        }
        add_inside(g, i, cycles * full * BACKLOG,
                   cycles * (1 - full * BACKLOG) * share);
        return true;
    }
    return false;
}

/* A group of a kind that units of another group lead to; NOWHERE: none. */
static unsigned led_to(const struct gather *g, unsigned from, const char *kind)
{
    const struct group_unit *u = gather_unit(g, from);
    for (unsigned i = 0; i < u->leads; i++)
        if (!strcmp(g->t->groups[u->leads_to[i]].kind->name, kind))
            return u->leads_to[i];
    return NOWHERE;
}

/* The places of a group that have anything inside. */
static unsigned slots_of(const struct gather *g, unsigned group)
{
    for (unsigned i = 0; i < g->v->lever_count; i++)
        if (g->of_lever[i] == group && g->v->levers[i].row->insides &&
            g->v->levers[i].used > 0)
            return i;
    return VERDICT_NONE;
}

/* Cycles in the latencies of a group of served units, or waits for it. */
static double served(const struct gather *g, unsigned lever)
{
    const struct limit_row *r = g->v->levers[lever].row;
    unsigned group = g->of_lever[lever];
    return r->sort == LIMIT_LATENCY
               ? gather_sum(g, group, r->used) * gather_param(g, group, r->each)
               : gather_sum(g, group, r->waits);
}

/* Harts wait for units of a kind that work for them: for their turn there, or
 * in them. False: the kind has no limits. */
static bool add_served(struct gather *g, const char *kind, struct part part)
{
    double all = 0, cycles = part.cycles;
    for (unsigned i = 0; i < g->v->lever_count; i++)
        if (!strcmp(g->t->groups[g->of_lever[i]].kind->name, kind))
            all += served(g, i);
    for (unsigned i = 0; i < g->v->lever_count && all > 0; i++)
        if (!strcmp(g->t->groups[g->of_lever[i]].kind->name, kind)) {
            part.lever = i;
            part.cycles = cycles * served(g, i) / all;
            add_part(g, part);
        }
    return all > 0;
}

/* The bucket of the other role of a pair: of waits for a target, the one for
 * room in the port that leads there, and the other way round; NULL: none. */
static const struct stat_row *partner(const struct unit_kind *kind,
                                      const struct stat_row *row)
{
    enum stat_role role = row->role == STAT_FULL ? STAT_WAITS : STAT_FULL;
    for (unsigned b = 0; row->target && b < kind->bucket_count; b++) {
        const struct stat_row *other = &kind->bucket_rows[b];
        if (other->role == role && other->target &&
            !strcmp(other->target, row->target))
            return other;
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

/* A bucket of harts. Of a pair with places, the one that waits stands for
 * both. */
static void add_bucket(struct gather *g, unsigned group,
                       const struct stat_row *row)
{
    const struct group *of = &g->t->groups[group];
    bool full = row->role == STAT_FULL;
    const struct stat_row *other = partner(of->kind, row);
    unsigned to = other ? led_to(g, group, row->target) : NOWHERE;
    unsigned slots = to != NOWHERE ? slots_of(g, to) : VERDICT_NONE;
    struct part part = {.group = of->name,
                        .lever = VERDICT_NONE,
                        .slots = VERDICT_NONE,
                        .cycles = bucket_of(g, group, row)};
    name_part(&part, row->name);
    if (slots != VERDICT_NONE) {
        if (!full)
            add_rays(g, slots, part.cycles + bucket_of(g, group, other));
    } else if (full && asked_by(of->kind, other)) {
        part.request = asked_by(of->kind, other);
        add_leg(g, group, SERVED_first, part, LEG_first_port);
    } else if (!(to != NOWHERE && add_served(g, row->target, part)) &&
               !(row->stream && add_streams(g, part))) {
        add_counter(g, group, 1 + (uint32_t)row->offset, part);
    }
}

static void add_harts(struct gather *g, unsigned group)
{
    const struct group *of = &g->t->groups[group];
    for (unsigned b = 0; b < of->kind->bucket_count; b++) {
        const struct stat_row *row = &of->kind->bucket_rows[b];
        g->v->all += bucket_of(g, group, row);
        if (row->role != STAT_IDLE)
            add_bucket(g, group, row);
    }
}

void gather_parts(struct gather *g)
{
    for (unsigned i = 0; i < g->t->group_count; i++)
        if (g->t->groups[i].kind->core)
            add_harts(g, i);
}
