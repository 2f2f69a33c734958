/*
 * What limits the work of a kind of unit: its parameters that could be doubled
 * or halved, with the counters that tell how much of each is used, and where
 * waiting for it, or the time in it, is counted. sim/verdict/verdict.h
 * makes of these what a run is told about itself, so a kind that lists its
 * limits beside its counters takes part in that.
 */
#ifndef SIM_LIMIT_H
#define SIM_LIMIT_H

#include "sim/core/stat.h"

enum limit_sort {
    LIMIT_RATE,    /* uses at a time; what finds none free waits in a queue */
    LIMIT_PLACES,  /* that what is inside of the unit takes, until it leaves */
    LIMIT_LATENCY, /* cycles, which nothing else can use */
    LIMIT_SIZE,    /* of a cache, in bytes */
    LIMIT_PROGRAM, /* what the program has the unit do: used is the share of it
                      that would do, if the program were another */
};

/* Terms are COUNTER(member), parameters names of the kind's. */
struct limit_row {
    const char *name; /* for people: "banks" */
    const char
        *param;   /* to be doubled, a latency halved; NULL: there is none */
    bool inverse; /* it is to be halved, as cycles of a use are */
    enum limit_sort sort;
    /* Used is the sum of used times the parameter each, over the sum of under
     * (none: the cycles of all units) times room, which is a parameter, or the
     * number of links at the output row whose number + 1 is room_links, or 1.
     * full counts the cycles in which no place was free. */
    uint32_t used[FIGURE_TERMS], under[FIGURE_TERMS];
    /* Cycles besides in which other work of the unit keeps it from being used.
     */
    uint32_t also[FIGURE_TERMS];
    uint32_t full;
    /* Of what waits for it the part that twice as many would help, as the
     * counters say; of LIMIT_SIZE, of the misses those that it would not have.
     * None: half, of LIMIT_SIZE nothing. rays: the same of what rays ask for.
     */
    uint32_t part[FIGURE_TERMS], of[FIGURE_TERMS];
    uint32_t rays_part[FIGURE_TERMS], rays_of[FIGURE_TERMS];
    uint32_t reads[FIGURE_TERMS]; /* of LIMIT_SIZE: hits and misses; of
                                     LIMIT_PROGRAM: what has waited as `waits`
                                     says, before its requests had left */
    const char *each, *room;
    unsigned room_links;
    /* Where this parameter, bytes a cycle, is not 0: used is the sum of carried
     * over the cycles of all units times it, and not known if there is none. */
    const char *width;
    uint32_t carried[FIGURE_TERMS];
    /* Cycles of all units in which it was used and something waited for it. */
    uint32_t crowded;
    unsigned port; /* number + 1 of the row of ports that it is at; 0: none */
    /* Cycles of waiting for it, or in it, that the unit counts by itself. */
    uint32_t waits[FIGURE_TERMS];
    /* Legs of requests to memory (sim/units/common/trip_legs.h, a bit each)
     * that are likewise; of a cache as if it were the first one. */
    uint64_t legs;
    /* Legs, as above, of waiting for several things: each row that names one
     * has its share of it, by cycles. Of held, those in which the units lacked
     * what the row is of, the sum of holds; of taken, those that it was used.
     */
    uint64_t held, taken;
    uint32_t holds[FIGURE_TERMS];
    /* At the ports of a unit instead, where they are counted: cycles of those
     * that are first there, by what they wait for; of RT cores, or other
     * caches, and of all others. */
    uint32_t waited[FIGURE_TERMS], rays_waited[FIGURE_TERMS];
    /* Cycles of those of units that pass on what others ask, or of RT cores. */
    uint32_t heads;
    /* Cycles of all units in which something of what is held up waited: it is
     * used in its share of these. It lasts as long as fetches of the cache do,
     * and half as much of it remains if one of these parameters is doubled. */
    uint32_t blocks;
    const char *eased[2];
    /* What it sends waits at the port of the next unit on the way to memory:
     * when that has no room, what waits here waits for what is waited for
     * there. */
    bool passes;
    /* Harts that wait for such units, in buckets wait_KIND and full_KIND, wait
     * in the latencies of their rows, used times each, and for the waits of the
     * others. */
    /* LIMIT_PLACES: `insides` counters side by side divide the cycles of what
     * is inside. Those that others wait are buckets wait_KIND and full_KIND. */
    uint32_t inside, insides;
    uint32_t active[FIGURE_TERMS]; /* cycles in which a unit has any of these */
    /* Cycles in which places are empty that have asked for work; and of a
     * latency: each use of it brings work to such a place. */
    uint32_t empty[FIGURE_TERMS];
    bool items;
    /* LIMIT_PROGRAM: what would have to be, in words. It is about the requests
     * of the unit to memory, else about its instructions. */
    const char *change;
    bool requests;
    /* The uses are work, by what people call it, for the roofline; or the
     * counters are the bytes that main memory has moved meanwhile. */
    const char *work;
    uint32_t bytes[FIGURE_TERMS];
};

#endif
