/*
 * How full something is, in builds with STALLS (trip.h): a unit notes the level
 * at the end of each cycle in which it may have changed, and when its account
 * is closed. In other builds nothing of it is compiled in.
 *
 * Rows NAME_used (level, summed over cycles), NAME_room (what it could have
 * been, likewise), NAME_full (cycles in which nothing more had room) and
 * NAME_most (the highest level so far; of several units their sum).
 */
#ifndef SIM_GAUGE_H
#define SIM_GAUGE_H

#include "sim/core/stat.h"
#include "sim/core/trip.h"

/* Within a struct of statistics, which no unit copies. */
struct gauge {
    uint64_t used, room, full, most;
    uint64_t since, level; /* the cycles before are booked; it is that since */
};

/* From now on the level is that; limit: the highest there can be, always. */
static inline void gauge_note(struct gauge *g, uint64_t level, uint64_t limit,
                              uint64_t now)
{
    uint64_t cycles = now - g->since;
    g->used += cycles * g->level;
    g->room += cycles * limit;
    g->full += g->level >= limit ? cycles : 0;
    g->most = level > g->most ? level : g->most;
    g->level = level;
    g->since = now;
}

/* Counters of such builds alone: a field, its row, what is added to it, and it
 * as a term of a table, which other builds do not have. */
#if STALLS
#define OBSERVED_FIELD(name) uint64_t name;
#define OBSERVED_ROW(name, unit, meaning)                                      \
    {#name, unit, meaning, offsetof(STAT_STRUCT, name), true},
#define OBSERVED_ADD(counter, by) ((void)((counter) += (by)))
#define OBSERVED(member) COUNTER(member)
#else
#define OBSERVED_FIELD(name)
#define OBSERVED_ROW(name, unit, meaning)
#define OBSERVED_ADD(counter, by) ((void)(by))
#define OBSERVED(member) 0
#endif

#if STALLS
#define GAUGE_FIELD(name) struct gauge name;
#define GAUGE_NOTE(g, level, limit, now) gauge_note(g, level, limit, now)
#define GAUGE_ROW(name, part, unit, meaning)                                   \
    {#name "_" #part, unit, meaning, offsetof(STAT_STRUCT, name.part), true},
#define GAUGE_ROWS(name, what)                                                 \
    GAUGE_ROW(name, used, "entry-cycles", what " in use, summed over cycles")  \
    GAUGE_ROW(name, room, "entry-cycles", what " that there are, likewise")    \
    GAUGE_ROW(name, full, "cycles", "all " what " were in use")                \
    GAUGE_ROW(name, most, "entries", "the most " what " in use at a time")
#define GAUGE_FIGURE(gauge, words)                                             \
    {.name = #gauge "_occupancy",                                              \
     .over = {COUNTER(gauge.used)},                                            \
     .under = {COUNTER(gauge.room)},                                           \
     .said = words,                                                            \
     .scale = 100},
#else
#define GAUGE_FIELD(name)
#define GAUGE_NOTE(g, level, limit, now) ((void)0)
#define GAUGE_ROWS(name, what)
#define GAUGE_FIGURE(gauge, words)
#endif

#endif
