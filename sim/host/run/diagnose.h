/*
 * Where harts are, in words: those in one place and state together.
 */
#ifndef SIM_HOST_RUN_DIAGNOSE_H
#define SIM_HOST_RUN_DIAGNOSE_H

#include "sim/host/host.h"

/* "running", "parked, waiting for a kernel", ... */
const char *diagnose_state(const struct hart *hart);

/* Calls tell with a line for each place that harts are in, at most `lines`, and
 * one that says how many more there are. */
void diagnose_places(struct host *host, unsigned lines,
                     void (*tell)(void *context, const char *line),
                     void *context);

#endif
