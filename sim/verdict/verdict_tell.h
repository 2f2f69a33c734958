/*
 * A verdict in words, for the summary of a run, and as JSON, for stats.json:
 * docs/reference/verdict.md explains both.
 */
#ifndef SIM_VERDICT_TELL_H
#define SIM_VERDICT_TELL_H

#include "sim/verdict/verdict.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* A few lines, each with a label. */
void verdict_print(FILE *out, const struct verdict *v);

/* Adds "verdict": the same lines, and all numbers behind them. */
void verdict_add(cJSON *to, const struct verdict *v);

#endif
