/*
 * Makes a verdict of the statistics of a run: parts of its time, and how much
 * of what its kinds of units list as limits (sim/core/limit.h) was used.
 */
#ifndef SIM_VERDICT_GATHER_H
#define SIM_VERDICT_GATHER_H

#include "sim/verdict/measured.h"
#include "sim/verdict/verdict.h"

/* values: of all groups, which have grown in `cycles`. For free(); NULL: no
 * core has run, so there is nothing to say. */
struct verdict *verdict_gather(const struct measured *t, const uint64_t *values,
                               uint64_t cycles);

#endif
