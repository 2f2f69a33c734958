/*
 * The commit log (--log-commits): to stderr, or into the file of --log as the
 * run goes on.
 *
 * Functional runs hand over each record as it is made. Cycle-level runs leave
 * them with the thread processors until all instructions of the chip issued
 * before them are complete: the order is by cycle of issue, then hart, so that
 * the log depends on nothing but the run.
 */
#ifndef SIM_HOST_OBSERVE_COMMIT_LOG_H
#define SIM_HOST_OBSERVE_COMMIT_LOG_H

#include "sim/isa/commit.h"

struct commits;
struct host;

/* NULL: no log is kept. */
struct commits *commits_of(const struct host *host);

/* One line. */
void commits_add(struct commits *commits, uint32_t hart,
                 const struct isa_commit *commit);

/* Writes out what is in the log so far. False: it cannot, the run is over. */
bool commits_written(struct host *host);

#endif
