/*
 * --timing roi: what lies outside of regions of interest is executed without
 * timing, while the chip stands still. A stretch of that is as long as it would
 * be if each of its harts executed an instruction a cycle; for the chip the
 * harts are in a call for so long.
 *
 * --functional with --checkpoint executes a program likewise up to what would
 * be timed, and saves it there: a timed run goes on from the file as from the
 * end of its first stretch.
 */
#ifndef SIM_HOST_RUN_ROI_TIMING_H
#define SIM_HOST_RUN_ROI_TIMING_H

#include "sim/core/error.h"
#include <stdbool.h>
#include <stdint.h>

struct hart;
struct host;
struct state;

struct roi {
    bool launches; /* no call of corbel_roi_begin is linked into the program:
                      its kernels are what is timed */
    bool untimed;  /* a stretch is being executed */
    bool kept;     /* a hart goes on, after services, without timing */
    struct hart *held;     /* its call begins what is timed, NULL: none does */
    uint64_t clock;        /* cycle to which the last stretch has come */
    uint64_t instructions; /* of all stretches */
    bool told_begin, told_end; /* notes that are told once */
    bool timed;                /* something was */
};

/* The program is known. False: it cannot be run so, by an error about the
 * option. */
bool roi_open(struct host *host, struct error *error);

/* Before the engine runs: what comes before anything that is timed. False: the
 * run is over. */
bool roi_run(struct host *host);

/* A hart of a timed run could go on, its call answered. True: it does so
 * without timing, when roi_go_on is called. */
bool roi_keeps(struct host *host);

/* Services or alarms of a cycle are done. False: the run is over. */
bool roi_go_on(struct host *host);

/* An alarm: the call that was held may be due. False: the run is over. */
bool roi_alarm(struct host *host);

/* In a stretch, the hart asks for service. True: that begins what is timed, and
 * waits. */
bool roi_holds(struct host *host, struct hart *hart);

/* A run without timing has come to its end, or to the call that is held. True:
 * it is saved there, and over. */
bool roi_saves(struct host *host);
/* The same in checkpoints; of a run without timing they are loaded into a timed
 * one, which then goes on with the call. False: the chip has no room for
 * managed memory. */
void roi_state(struct host *host, struct state *s);
bool roi_resume(struct host *host, struct error *error);

/* The run is over: says so if nothing was timed, or saved. */
void roi_end(struct host *host);
/* Were instructions of a timed run executed without it? */
bool roi_tells(const struct host *host);

/* A region or a kernel begins. False: a region cannot, as the program is
 * executed without timing. With --roi-caches cold the caches are emptied. */
bool roi_region(struct host *host);
void roi_kernel(struct host *host);

#endif
