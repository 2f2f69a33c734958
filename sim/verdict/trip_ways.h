/*
 * The ways of requests to memory through a chip: which groups of units the legs
 * of their trips are at (sim/units/common/legs.h), and what these legs are
 * called.
 */
#ifndef SIM_VERDICT_TRIP_WAYS_H
#define SIM_VERDICT_TRIP_WAYS_H

#include "sim/verdict/measured.h"

/* Where a leg is: at a group of units, NOWHERE: at none that is known. as: the
 * leg, of a cache as if it were the first one; level: of that cache, else 0. */
struct place {
    unsigned group, as, level;
};
struct place ways_place(const struct way *way, unsigned served, unsigned leg);

/* The name of a leg in files. */
const char *ways_leg(unsigned leg);

/* What people call a leg: "l2 pipeline". size: of text, 64 or more. */
void ways_name(const struct measured *t, const struct way *way, unsigned served,
               unsigned leg, char *text, size_t size);

#endif
