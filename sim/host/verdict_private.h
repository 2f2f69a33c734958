/*
 * The insides of verdict_gather: levers and the roofline are measured in
 * verdict_gather.c, those of links in verdict_links.c, the cycles of harts
 * divided into parts in verdict_parts.c.
 */
#ifndef SIM_VERDICT_PRIVATE_H
#define SIM_VERDICT_PRIVATE_H

#include "sim/core/unit.h"
#include "sim/host/links.h"
#include "sim/host/verdict_gather.h"
#include "sim/units/trips.h"

struct gather {
    struct verdict *v;
    const struct chip *chip;
    const struct totals *t;
    const uint64_t *values;
    unsigned level[VERDICT_LEVERS];    /* of caches, by group; 0: no cache */
    unsigned of_lever[VERDICT_LEVERS]; /* groups of levers */
    double queues[VERDICT_LEVERS][2];  /* as queue, of others and of rays */
    bool backed[VERDICT_LEVERS]; /* levers that hold up what is before them */
};

/* ---- verdict_gather.c ---- */
const struct unit *gather_unit(const struct gather *g, unsigned group);
const uint64_t *gather_values(const struct gather *g, unsigned group);
/* Of FIGURE_TERMS counters, or as many as there are before a 0. */
double gather_sum(const struct gather *g, unsigned group,
                  const uint32_t *counters);
/* How many uses of a lever there can be at a time, in one unit. */
double gather_servers(const struct unit *u, const struct limit_row *row);

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

/* ---- verdict_parts.c ---- */
/* The queues of all levers, by the legs of all requests, and by what units
 * count. The parts are known. */
void gather_queues(struct gather *g);
/* The parts of the cycles of all harts. */
void gather_parts(struct gather *g);

#endif
