/*
 * What the program changes below --fs behind a checkpoint FILE, noted in
 * FILE.undo before it is done: names that are made, moved and removed, and of
 * files that are written to what was in them. A process that is killed leaves
 * it; the run that goes on from FILE takes all of it back first, so that it
 * finds the folder as it was when it was saved. The file is also the lock of
 * FILE, which belongs to one run at a time.
 */
#ifndef SIM_HOST_STATE_UNDO_H
#define SIM_HOST_STATE_UNDO_H

#include "sim/core/error.h"
#include <stdbool.h>
#include <stdint.h>

struct host;
struct undo;

/* Locks the file, which is made if need be. NULL: another run has it, or it
 * cannot be made; the error says which. */
struct undo *undo_lock(const char *checkpoint, struct error *error);
/* The file stays if it has something to be taken back. NULL does nothing. */
void undo_release(struct undo *u);

/* The checkpoint has just been written, or gone on from: what comes is noted.
 */
void undo_start(struct undo *u, struct host *host);
/* What was noted behind the checkpoint is taken back, the last first; how much.
 * Nothing, if that was another checkpoint, or another --fs. */
unsigned undo_take_back(struct undo *u, struct host *host);

/* Calls of the program that may change names or files (room.c), before they are
 * made; then undo_after, with whether they have done it. */
void undo_before_open(struct host *host, int64_t at, const char *path,
                      int flags);
void undo_before_removal(struct host *host, int64_t at, const char *path);
void undo_before_mkdir(struct host *host, int64_t at, const char *path);
void undo_before_rename(struct host *host, int64_t from_at, const char *from,
                        int64_t to_at, const char *to);
void undo_after(struct host *host, bool done);
/* The program has opened this; writing there need not be noted again. */
void undo_opened(struct host *host, int64_t number, int flags);

#endif
