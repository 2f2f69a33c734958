/*
 * Checkpoints of a run: all that decides how it goes on, in one file, from
 * which another process with the same command line goes on as if nothing had
 * been (docs/guides/checkpoints.md). One of a run without timing has nothing of
 * the chip, and a timed run on any that has as many harts goes on from there.
 */
#ifndef SIM_HOST_STATE_CHECKPOINT_H
#define SIM_HOST_STATE_CHECKPOINT_H

#include "sim/host/host.h"

/* Can one be saved? False: the error says why not. Before the first cycle. */
bool checkpoint_possible(struct host *host, struct error *error);
/* Writes one of a timed run whose tiles all stand still, in engine_hooks.save
 * and after engine_run, or of one without timing before the call that is held
 * (roi.h). If that fails, a line says so, and the status of the run will. */
void checkpoint_write(struct host *host);
/* What cannot be written on the way does not end the run, whose status tells of
 * it. */
void checkpoint_complain(struct host *host, const struct error *error);
/* Loads one into a machine at reset, whose engine has been made. False: the
 * error says what of it differs; the machine is not to be used. */
bool checkpoint_load(struct host *host, const char *path, struct error *error);

/* What both move to and from the file. */
void checkpoint_state(struct host *host, struct state *s);

/* The run begins: --checkpoint and --resume are told of as far as one should
 * know. */
void checkpoint_begin(struct host *host);
/* What the program has changed behind the file of --resume is taken back,
 * before it is loaded. */
void checkpoint_take_back(struct host *host);

/* The command line of the run that wrote it: what a run that goes on needs of
 * it, and whether it was one without timing. False: the error says what is
 * wrong with the file. */
bool checkpoint_command(const char *path, struct words *words, bool *untimed,
                        struct error *error);

/* The host's own part of it; what only a timed run has of it; what in one is
 * the chip's, of one without timing. */
void host_state(struct host *host, struct state *s);
void host_state_timed(struct host *host, struct state *s);
void host_state_harts(struct host *host, struct state *s);
/* Behind memory: the scene in it that is traversed. */
void host_state_scene(struct host *host, struct state *s);
/* A pointer to a hart. */
void state_hart(struct host *host, struct state *s, struct hart **hart);
/* What must be the same in the run that goes on, as lines of text, for free().
 * untimed: from a run without timing. */
char *checkpoint_identity(const struct host *host, bool untimed);

#endif
