/*
 * Figures that are computed from a group's counters when they are written:
 * ratios, rates, and percentiles of what was counted by ranges. Counters are
 * sums of integers; only here do they become fractions.
 */
#ifndef SIM_DERIVED_H
#define SIM_DERIVED_H

#include "sim/core/error.h"
#include "sim/host/totals.h"
#include <cjson/cJSON.h>

/*
 * Adds "derived" to the JSON of a group if there is anything for its kind.
 * seconds: simulated time in which the values have grown.
 */
void derived_add(cJSON *to, const struct group *group, const uint64_t *values,
                 double seconds);

/* A line for people with what matters most of it, if there is anything. of:
 * what its label begins with, of at most 12 characters. */
void derived_print(FILE *out, const char *of, const struct group *group,
                   const uint64_t *values, double seconds);

#endif
