/*
 * The ways of requests to memory through a chip: which groups of units the legs
 * of their trips are at (sim/units/common/trip_legs.h), and what these legs are
 * called.
 */
#ifndef SIM_HOST_VERDICT_TRIP_WAYS_H
#define SIM_HOST_VERDICT_TRIP_WAYS_H

#include "sim/host/results/group_totals.h"
#include "sim/units/common/trip_legs.h"

enum { NOWHERE = 1 << 16 }; /* no group */

/* The way of a group's requests: groups of caches by their distance, and of
 * what is behind them. */
struct way {
    unsigned cache[TRIP_THIRD + 1], end;
};
struct way ways_of(const struct chip *chip, const struct totals *t,
                   unsigned group);

/* The first unit of a group, for all: those of a group are alike. */
const struct unit *ways_unit(const struct chip *chip, const struct totals *t,
                             unsigned group);

/* Where a leg is: at a group of units, NOWHERE: at none that is known. as: the
 * leg, of a cache as if it were the first one; level: of that cache, else 0. */
struct place {
    unsigned group, as, level;
};
struct place ways_place(const struct way *way, unsigned served, unsigned leg);

/* The name of a leg in files. */
const char *ways_leg(unsigned leg);

/* What people call a leg: "l2 pipeline". size: of text, 64 or more. */
void ways_name(const struct totals *t, const struct way *way, unsigned served,
               unsigned leg, char *text, size_t size);

#endif
