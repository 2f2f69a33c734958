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

#include "sim/core/error.h"
#include "sim/isa/commit.h"

struct chip;
struct commits;

/* NULL: the file cannot be opened. path NULL: stderr. */
struct commits *commits_open(const char *path, const struct chip *chip,
                             uint32_t harts, struct error *error);
/* The run begins: what an earlier one has left in the file goes. */
void commits_begin(struct commits *commits);
void commits_close(struct commits *commits);

/* How large the log is if it is a file, 0: it is none; and its name. */
uint64_t commits_bytes(const struct commits *commits, const char **path);

/* One line. */
void commits_add(struct commits *commits, uint32_t hart,
                 const struct isa_commit *commit);

/* Whatever the processors have that is due; all tiles stand still. */
void commits_collect(struct commits *commits);

/* At the end of a run: each hart up to its first instruction under way. */
void commits_end(struct commits *commits);

#endif
