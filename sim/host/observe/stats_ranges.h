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

/* NULL: there are none. */
struct windows *windows_of(const struct host *host);

#endif
