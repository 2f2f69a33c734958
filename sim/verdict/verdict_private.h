/*
 * The insides of verdict_gather: levers and the roofline are measured in
 * verdict_gather.c, those of links in verdict_links.c, the cycles of harts
 * divided into parts in verdict_parts.c.
 */
#ifndef SIM_VERDICT_PRIVATE_H
#define SIM_VERDICT_PRIVATE_H

#include "sim/core/limit.h"
#include "sim/verdict/trip_ways.h"
#include "sim/verdict/verdict_gather.h"

struct gather {
    struct verdict *v;
    const struct measured *t;
    const uint64_t *values;
    unsigned of_lever[VERDICT_LEVERS]; /* groups of levers */
    double queues[VERDICT_LEVERS][2];  /* as queue, of others and of rays */
    double translated; /* cycles of requests in TLBs and behind */
    /* By group. */
    struct way *ways; /* of the askers */
    unsigned *level;  /* of caches; 0: no cache */
    double *crowded;  /* share of the cycles, at most, in which a link to memory
                         has no room */
    double *ahead;    /* share of the cycles in which the first message of each
                         of these links waits at a cache */
};

/* ---- verdict_gather.c ---- */
const struct group_unit *gather_unit(const struct gather *g, unsigned group);
const uint64_t *gather_values(const struct gather *g, unsigned group);
/* Of FIGURE_TERMS counters, or as many as there are before a 0. */
double gather_sum(const struct gather *g, unsigned group,
                  const uint32_t *counters);
/* A parameter of a group's units; 1: it has none of that name. */
double gather_param(const struct gather *g, unsigned group, const char *name);
/* How many uses of a lever there can be at a time, in one unit. */
double gather_servers(const struct group_unit *u, const struct limit_row *row);

/* A lever of a group, which is to be measured; NULL: there are too many. */
struct lever *gather_lever(struct gather *g, unsigned group,
                           const struct limit_row *row);

/* ---- verdict_links.c ---- */
/* The only links at a row of ports of a group, by its number + 1; NULL: there
 * are several, or it is 0. */
const struct link_class *gather_links_at(const struct gather *g, unsigned group,
                                         unsigned port);
/* Levers of the links on the way to memory, and of those that are watched. */
void gather_links(struct gather *g);

/* ---- verdict_ways.c ---- */
/* The ways of all groups. */
void gather_ways(struct gather *g);
/* How crowded the links of all groups are. Ways are known. */
void gather_crowds(struct gather *g);

/* The legs of a kind of request of a group, by the level that served them. */
struct legs {
    double requests, cycles, legs[LEGS];
};
struct legs gather_legs(const struct gather *g, unsigned group, unsigned trip,
                        unsigned served);

/* Where a leg of a group's requests is. */
struct place gather_place(const struct gather *g, unsigned asker,
                          unsigned served, unsigned leg);

/* Calls for each lever that a leg is spent in, or waits for, with its share;
 * VERDICT_NONE: with the rest. */
typedef void claim_fn(struct gather *g, void *context, unsigned lever,
                      double share);
void gather_claims(struct gather *g, unsigned asker, unsigned served,
                   unsigned leg, claim_fn *tell, void *context);
/* The same of what waits for a lever of a group by what that counts itself. */
void gather_waits(struct gather *g, unsigned lever, claim_fn *tell,
                  void *context);

/* ---- verdict_queues.c ---- */
/* The queues of all levers, by the legs of all requests, and by what units
 * count. The parts are known. */
void gather_queues(struct gather *g);

/* ---- verdict_parts.c ---- */
/* The parts of the cycles of all harts. */
void gather_parts(struct gather *g);
/* Rays are in the units of a group, whose slots they take. */
bool gather_has_rays(const struct gather *g, unsigned group);

#endif
