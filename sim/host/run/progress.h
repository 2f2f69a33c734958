/*
 * How far a run is: what is said of it on the status line and by --serve. It
 * knows no clock and no terminal; its callers tell what they saw of the run.
 */
#ifndef SIM_HOST_RUN_PROGRESS_H
#define SIM_HOST_RUN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum phase {
    PHASE_LOAD,   /* files are read, the chip is built */
    PHASE_RUN,    /* a program that launches no kernels */
    PHASE_MAIN,   /* main() on one hart */
    PHASE_LAUNCH, /* a kernel waits until all harts are parked */
    PHASE_KERNEL,
    PHASE_REGION, /* of interest */
    PHASE_DRAIN,  /* a kernel has handed out all work, or ends */
    PHASE_WRITE,  /* the run is over, its files are written */
};

enum { KERNEL_NAME = 64 }; /* bytes of a kernel's name, with its end */

/* What is seen of a run at a time. It leads nowhere: the server of --serve
 * looks at it while the run goes on. */
struct sighting {
    double seconds; /* of a clock that never goes back */
    uint64_t now;   /* cycles; instructions of a functional run */
    enum phase phase;
    unsigned region; /* the number of the open region, from 1 on; 0: none */
    char kernel[KERNEL_NAME]; /* its name, "": unknown */
    uint64_t part;     /* grows with each kernel, and each announcement */
    uint64_t total;    /* pieces of work announced, 0: unknown */
    uint64_t finished; /* of these */
};

/* Zeroed before the first look. */
struct progress {
    struct sighting last;
    double part_began;      /* seconds; of the part of the last sighting */
    uint64_t part_finished; /* pieces that were finished then */
    struct {
        double seconds;
        uint64_t now;
    } recent[2]; /* two earlier sightings, which the rate is measured from */
    unsigned looks;
};

void progress_look(struct progress *p, const struct sighting *s);

/* "load", "region 2", "kernel trace", ...: one line without control characters.
 */
void progress_phase(const struct progress *p, char *text, size_t size);
/* Cycles or instructions a second, of the last seconds; 0: unknown. */
double progress_rate(const struct progress *p);
/* The share of the work that is finished, rounded down to 1/1000, so it is 1
 * only when all is. Negative: unknown. */
double progress_share(const struct progress *p);
/* Seconds until the work is finished, at the speed of the part so far.
 * Negative: unknown. */
double progress_left(const struct progress *p);

/* What the status line says: phase, cycle, rate, share, time left, as far as
 * they are known. what: "cycle" or "instruction". */
void progress_line(const struct progress *p, const char *what, char *text,
                   size_t size);

#endif
