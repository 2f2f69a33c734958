/*
 * What a message keeps of its way, in a build that is made for it: with STALLS
 * as 1 (sim-run --stalls) each request to memory carries how many cycles it has
 * spent where, and its answer brings that back. The engine notes when a message
 * enters a link and when it can leave it; which places there are, only units
 * know (sim/units/common/trip_legs.h). Nothing of the model depends on it, and
 * in other builds nothing of it is compiled in.
 */
#ifndef SIM_TRIP_H
#define SIM_TRIP_H

#include <stdint.h>

#ifndef STALLS
#define STALLS 0
#endif

#define TRIP_LEGS 40 /* places, at most */

/* Cycles are the low 32 bits. */
struct trip {
    uint32_t begun;         /* the request was sent */
    uint32_t since;         /* all cycles before are in legs */
    uint32_t left, arrives; /* entered its last link; can be popped from it */
    uint8_t client;         /* 0: its legs are not asked for */
    uint8_t at, level, served;
    uint32_t work; /* whose request it is (sim/units/common/work_costs.h) */
    uint32_t legs[TRIP_LEGS];
};

#if STALLS
#define TRIP_FIELD struct trip trip;
/* A message enters a link in a cycle. */
#define TRIP_LEAVES(m, cycle, latency)                                         \
    ((m)->trip.left = (uint32_t)(cycle),                                       \
     (m)->trip.arrives = (uint32_t)((cycle) + (latency)))
#define TRIP_COPY(to, from) ((to)->trip = (from)->trip)
/* How long messages have waited at each input port of a tile, where links are
 * watched (link_stats.h). */
#define TRIP_WATCH(t)                                                          \
    ((t)->waits = (t)->link_counts                                             \
                      ? chip_alloc((t)->chip, (t)->inport_count + 1u,          \
                                   sizeof *(t)->waits)                         \
                      : NULL)
#define TRIP_TAKEN(t, in, index)                                               \
    ((t)->waits ? (t)->waits[(in) - (t)->inports] +=                           \
                  (uint32_t)(t)->now - (t)->pool[index].trip.arrives           \
                : 0)
#define TRIP_WAITED(t, in) ((t)->waits[(in) - (t)->inports])
#else
#define TRIP_FIELD
#define TRIP_LEAVES(m, cycle, latency) ((void)0)
#define TRIP_COPY(to, from) ((void)0)
#define TRIP_WATCH(t) ((void)0)
#define TRIP_TAKEN(t, in, index) ((void)0)
#define TRIP_WAITED(t, in) 0
#endif

#endif
