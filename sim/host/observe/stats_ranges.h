/*
 * --stats-range: how much statistics have grown from one cycle to another, for
 * the chip's groups and units.
 */
#ifndef SIM_HOST_OBSERVE_STATS_RANGES_H
#define SIM_HOST_OBSERVE_STATS_RANGES_H

#include "sim/host/options.h"

struct host;

/* Cycles are multiples of E; those of a region or a kernel become known in the
 * run, and are CYCLE_NEVER until then. Values of groups and units, as in
 * totals.h and entries.h: of a window that has begun, those at that time; of
 * one that has ended, how much they have grown. */
struct window {
    const struct cycle_range *range; /* as asked for */
    uint64_t begin, end;
    bool begun, ended;
    uint64_t *groups, *units;
};

struct windows {
    struct window *list; /* in the order of the command line */
    unsigned count;
};

/* The run begins: those of the command line, from cycle 0 on where they say so.
 * NULL: there are none. */
struct windows *windows_new(const struct host *host);
void windows_free(struct windows *windows);
/* The next cycle in which one begins or ends, CYCLE_NEVER: there is none. */
uint64_t windows_next(const struct host *host);
/* host->now has come, all accounts closed: what is due begins or ends. */
void windows_look(struct host *host);
/* All tiles stand still, and a region of interest begins or ends, or a kernel,
 * of which number: so do windows that are of it, and traces. */
void windows_border(struct host *host, enum range_of of, uint64_t number,
                    bool begin);
/* Saves or loads those that have begun (sim/core/state.h). */
struct state;
void windows_state(struct host *host, struct state *s);
/* The run is over: what is open ends here. Says so, and which have never begun.
 */
void windows_end(struct host *host);

#endif
