/*
 * --timing roi: what lies outside of regions of interest is executed without
 * timing, while the chip stands still. A stretch of that is as long as it would
 * be if each of its harts executed an instruction a cycle; for the chip the
 * harts are in a call for so long.
 */
#ifndef SIM_ROI_H
#define SIM_ROI_H

#include "sim/core/error.h"
#include <stdbool.h>
#include <stdint.h>

struct hart;
struct host;

struct roi {
    bool launches; /* no call of corbel_roi_begin is linked into the program:
                      its kernels are what is timed */
    bool untimed;  /* a stretch is being executed */
    bool kept;     /* a hart goes on, after services, without timing */
    struct hart *held; /* its call begins what is timed, NULL: nobody's does */
    uint64_t clock;    /* cycle to which the last stretch has come */
    uint64_t instructions;     /* of all stretches */
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

/* The run is over: says so if nothing was timed. */
void roi_end(struct host *host);

/* A region or a kernel begins. False: a region cannot, as the program is
 * executed without timing. With --roi-caches cold the caches are emptied. */
bool roi_region(struct host *host);
void roi_kernel(struct host *host);

#endif
