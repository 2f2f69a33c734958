/*
 * Makes a verdict of the statistics of a run: parts of its time, and how much
 * of what its kinds of units list as limits (sim/core/limit.h) was used.
 */
#ifndef SIM_HOST_VERDICT_VERDICT_GATHER_H
#define SIM_HOST_VERDICT_VERDICT_GATHER_H

#include "sim/host/results/group_totals.h"
#include "sim/host/verdict/verdict.h"

/* values: one of the arrays of struct totals, which have grown in
 * `cycles`. False: no core has run, so there is nothing to say. */
bool verdict_gather(struct verdict *v, const struct chip *chip,
                    const struct totals *t, const uint64_t *values,
                    uint64_t cycles);

#endif
