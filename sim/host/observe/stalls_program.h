/*
 * sim-run --stalls: the same program built with STALLS (sim/core/trip.h), which
 * lies beside sim-run, takes over.
 */
#ifndef SIM_HOST_OBSERVE_STALLS_PROGRAM_H
#define SIM_HOST_OBSERVE_STALLS_PROGRAM_H

#include "sim/core/error.h"
#include <stdbool.h>

#define OBSERVED_PROGRAM "sim-run-stalls"

/* In a build without STALLS, replaces this process by one of the other program,
 * with the same arguments; false, with an error: it cannot be run. In a build
 * with them it returns true. */
bool observed_take_over(char **argv, const char *option, struct error *error);

#endif
