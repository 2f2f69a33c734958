/*
 * stats.json of --outdir, and stats.txt, which is made of it.
 * docs/reference/statistics.md has their fields.
 */
#ifndef SIM_HOST_RESULTS_STATS_JSON_H
#define SIM_HOST_RESULTS_STATS_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

struct host;

/* Statistics up to host->now, all accounts closed; of a functional run those
 * that need no timing. The caller frees what is returned. */
cJSON *stats_json(struct host *host);

/* The same numbers in the form of gem5: one block for the run, one for its
 * regions of interest together, one for each window. stats: of a timed run;
 * units: each of them, or groups only. */
void stats_text(FILE *out, const cJSON *stats, bool units);

#endif
