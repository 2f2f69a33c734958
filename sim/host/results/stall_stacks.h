/*
 * Where requests to memory have spent their cycles, of kinds of units that know
 * (struct trip_row): in stats.json, and in a line for people. There is nothing
 * of it but in builds with STALLS.
 */
#ifndef SIM_HOST_RESULTS_STALL_STACKS_H
#define SIM_HOST_RESULTS_STALL_STACKS_H

#include "sim/host/results/group_totals.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* Adds "trips" to the JSON of a group if its units know any. values: of the
 * group, as kind_value_row numbers them. */
void stacks_add(cJSON *to, const struct measured *t, unsigned group,
                const uint64_t *values);

/* A line for each kind of request of a group that harts or rays wait for, its
 * legs by the names of the groups that they are at. of: what its label
 * begins with, of at most 12 characters. */
void stacks_print(FILE *out, const char *of, const struct measured *t,
                  unsigned group, const uint64_t *values);

#endif
