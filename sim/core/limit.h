/*
 * What limits the work of a kind of unit: its parameters that could be doubled
 * or halved, with the counters that tell how much of each is used, and where
 * waiting for it, or the time in it, is counted. sim/host/verdict.h makes of
 * these what a run is told about itself, so a kind that lists its limits beside
 * its counters takes part in that.
 */
#ifndef SIM_LIMIT_H
#define SIM_LIMIT_H

#include "sim/core/stat.h"

enum limit_sort {
    LIMIT_RATE,    /* uses at a time; what finds none free waits in a queue */
    LIMIT_PLACES,  /* that what is inside of the unit takes, until it leaves */
    LIMIT_LATENCY, /* cycles, which nobody can use otherwise */
    LIMIT_SIZE,    /* of a cache, in bytes */
};

/* Terms are COUNTER(member), parameters names of the kind's. */
struct limit_row {
    const char *name; /* for people: "banks" */
    const char
        *param; /* to be doubled, a latency halved; NULL: there is none */
    enum limit_sort sort;
    /* Used is the sum of used times the parameter each, over the sum of under
     * (none: the cycles of all units) times room, which is a parameter, or the
     * number of links at the output row whose number + 1 is room_links, or 1.
     * Of LIMIT_SIZE: lines that were replaced, the bytes of a line, and of all;
     * and as part and of the requests that it had, and all. */
    uint32_t used[FIGURE_TERMS], under[FIGURE_TERMS];
    const char *each, *room;
    unsigned room_links;
    /* Where this parameter, bytes a cycle, is not 0: used is the sum of carried
     * over the cycles of all units times it, and not known if there is none. */
    const char *width;
    uint32_t carried[FIGURE_TERMS];
    unsigned port; /* number + 1 of the row of ports that it is at; 0: none */
    /* Cycles of waiting for it, or in it, that the unit counts by itself. */
    uint32_t waits[FIGURE_TERMS];
    /* Legs of requests to memory (sim/units/trips.h, a bit each) that are
     * likewise; of a cache as if it were the first one. Of these the part that
     * some of the counters of have, if there are any; where several rows name a
     * leg, each gets its part of what those before it have left. */
    uint64_t legs;
    uint32_t part[FIGURE_TERMS], of[FIGURE_TERMS];
    /* Legs of the unit's own requests that also lengthen its queue, as what is
     * sent waits in the link that it leads to. */
    uint64_t sent;
    /* Legs before it, of a cache as above, whose waits are for it, too, when
     * there was no room for more in a notable part of the cycles: COUNTER of
     * these. Of a port with width: when that is not 0. */
    uint32_t full;
    uint64_t before;
    /* LIMIT_PLACES: so many counters side by side divide the cycles of what is
     * inside. Those that others wait are buckets wait_KIND and full_KIND. */
    uint32_t inside, insides;
    /* The uses are work, by what people call it, for the roofline; or the
     * counters are the bytes that main memory has moved meanwhile. */
    const char *work;
    uint32_t bytes[FIGURE_TERMS];
};

#endif
