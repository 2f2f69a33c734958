/*
 * --interval: how much statistics have grown from one border to the next, in
 * intervals.csv by group, and with --interval-level unit in unit-intervals.csv
 * by entry (entries.h). Both are read while they grow (rows.h).
 */
#ifndef SIM_HOST_INTERVALS_H
#define SIM_HOST_INTERVALS_H

#include "sim/core/error.h"
#include <stdbool.h>

struct host;
struct intervals;
struct outcome;

/* Begins the files that the command line asks for, if any. False: one cannot be
 * written. */
bool intervals_open(struct host *host, struct error *error);
/* The files have their names from now on. */
bool intervals_show(struct host *host, struct error *error);
/* A border at host->now, all accounts closed. */
void intervals_add(struct host *host);
/* The last rows, for the cycles since the last border, unless the run ended at
 * it; the files are complete. */
bool output_intervals(struct host *host, const struct outcome *outcome,
                      struct error *error);
/* Saves or loads what has been told so far (sim/core/state.h). */
struct state;
void intervals_state(struct host *host, struct state *s);
void intervals_free(struct intervals *intervals);

#endif
