/*
 * --check-memory: every load's value is compared with what a functional memory
 * allows (memory_model.h); the first that differs ends the run and is told
 * with its unit, cycle and path through the chip.
 *
 * The units leave records in logs of their tiles (sim/units/check.h), which
 * are taken whenever all tiles stand still at a multiple of the chip's grid:
 * what is found, and when the run ends, depends on the run alone.
 *
 * host->check is NULL without the option; then all of these do nothing.
 */
#ifndef SIM_HOST_CHECK_H
#define SIM_HOST_CHECK_H

#include "sim/core/error.h"
#include <stdbool.h>
#include <stdint.h>

struct check;
struct hart;
struct host;

/* The logs, before the units are built; the rest, with the program in memory
 * and the chip built. */
void check_open(struct host *host);
bool check_begin(struct host *host, struct error *error);
void check_free(struct check *check);

/* What the units have done before host->now. False: the run is over. */
bool check_records(struct host *host);

/* A hart asks for a service: all its accesses have ended. False: over. */
bool check_drained(struct host *host, const struct hart *hart);

/* A kernel starts: caches drop their copies. */
void check_launched(struct host *host);

/* The host has written memory (or, which is ignored, scratch) at `at`. */
void check_written(struct host *host, const uint8_t *at, uint64_t bytes);

/* The host has filled memory that no hart has read yet, and none may write: it
 * needs no history. */
void check_placed(struct host *host, const uint8_t *at, uint64_t bytes);

/* The run has ended: what is left, and memory as a whole. */
void check_end(struct host *host);

/* A line for the summary. */
void check_summary(const struct host *host);

#endif
