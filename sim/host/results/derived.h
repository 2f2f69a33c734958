/*
 * Figures that are computed from a group's counters when they are written:
 * ratios, rates, and percentiles of histograms. Counters are
 * sums of integers; only here do they become fractions.
 */
#ifndef SIM_HOST_RESULTS_DERIVED_H
#define SIM_HOST_RESULTS_DERIVED_H

#include "sim/core/error.h"
#include "sim/host/results/group_totals.h"
#include <cjson/cJSON.h>

/*
 * Adds "derived" to the JSON of a group if there is anything for its kind.
 * seconds: simulated time in which the values have grown.
 */
void derived_add(cJSON *to, const struct group *group, const uint64_t *values,
                 double seconds);

/*
 * How the figures of a kind are computed, by name: of ratios "over" and
 * "under", names of counters or buckets whose sums are divided (without "under"
 * by 10^9 seconds); of percentiles "per_mille" and "of", a histogram.
 */
cJSON *derived_schema(const struct unit_kind *kind);

/* A line for people with what matters most of it, if there is anything. of:
 * what its label begins with, of at most 12 characters. */
void derived_print(FILE *out, const char *of, const struct group *group,
                   const uint64_t *values, double seconds);

#endif
