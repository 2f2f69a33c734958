/*
 * Checkpoints of a run: all that decides how it goes on, in one file, from
 * which another process with the same command line goes on as if nothing had
 * been (docs/checkpoints.md).
 */
#ifndef SIM_CHECKPOINT_H
#define SIM_CHECKPOINT_H

#include "sim/host/host.h"

/* Can one be saved? False: the error says why not. Before the first cycle. */
bool checkpoint_possible(const struct host *host, struct error *error);
/* Writes one of a timed run whose tiles all stand still: in engine_hooks.save
 * and after engine_run. */
bool checkpoint_save(struct host *host, const char *path, struct error *error);
/* Loads one into a machine at reset, whose engine has been made. False: the
 * error says what of it differs; the machine is not to be used. */
bool checkpoint_load(struct host *host, const char *path, struct error *error);

/* What both move to and from the file. */
void checkpoint_state(struct host *host, struct state *s);

/* The command line of the run that wrote it: what a run that goes on needs of
 * it. False: the error says what is wrong with the file. */
bool checkpoint_command(const char *path, struct words *words,
                        struct error *error);

/* The host's own part of it; a pointer to a hart. */
void host_state(struct host *host, struct state *s);
/* Behind memory: the scene in it that is traversed. */
void host_state_scene(struct host *host, struct state *s);
void state_hart(struct host *host, struct state *s, struct hart **hart);
/* What must be the same in the run that goes on, as lines of text, for
 * free(). */
char *checkpoint_identity(const struct host *host);

#endif
