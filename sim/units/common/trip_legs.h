/*
 * Where the time of requests to memory goes, leg by leg, in builds with STALLS
 * (sim/core/trip.h). A request takes its trip along: each unit that holds it
 * books the cycles up to now in the leg that has just ended, and the answer
 * brings the sum of all to the asker, which adds it to its statistics by the
 * level that has served it. All cycles of a request, from sending it to taking
 * its answer, are in exactly one leg.
 *
 * A request that waits for a fetch of a cache has a trip of its own, and so has
 * the fetch, which is a request to the level below. When the fetch has come,
 * the last cycles of its trip are those in which the request waited: it gets
 * the legs that they fell into, its first ones to none if it joined late.
 *
 * In other builds these functions do nothing. docs/guides/observing.md explains
 * the legs.
 */
#ifndef SIM_TRIP_LEGS_H
#define SIM_TRIP_LEGS_H

#include "sim/core/unit.h"
#include "sim/units/common/legs.h"
#include "sim/units/common/machine.h"
#include "sim/units/common/mem.h"
#include "sim/units/common/request_log.h"

_Static_assert(LEGS <= TRIP_LEGS, "sim/core/trip.h: TRIP_LEGS");

/* Of one kind of request of a unit: how many were answered, the cycles from
 * sending them to taking their answers, and where these were. */
struct trip_stats {
    uint64_t requests[SERVED], cycles[SERVED], legs[SERVED][LEGS];
};

/*
 * A kind of unit lists its requests as X(name, waits, meaning), what struct
 * trip_row says of them (sim/core/stat.h). TRIP_NUMBER makes an enum of them,
 * TRIP_STATS a field of the struct of statistics, TRIP_ROWS rows NAME_SERVED_
 * requests, _cycles and _LEG of it, TRIP_KINDS and TRIP_TABLE what the kind
 * says.
 */
#define TRIP_NUMBER(name, ...) TRIP_##name,

#if STALLS

#define TRIP_STATS(kinds) struct trip_stats trips[kinds];
#define TRIP_KINDS(list)                                                       \
    static const struct trip_row trip_rows[] = {list(TRIP_KIND)};
#define TRIP_KIND(name, waits, meaning) {#name, meaning, waits},
#define TRIP_TABLE                                                             \
    .trip_rows = trip_rows, .trip_count = TABLE_COUNT(trip_rows),              \
    .trips = offsetof(STAT_STRUCT, trips)
#define TRIP_ROWS(name, waits, meaning)                                        \
    TRIP_SERVED_BY(TRIP_ROWS_OF, #name, TRIP_##name)
#define TRIP_ROWS_OF(by, who, name, kind)                                      \
    TRIP_ROW(name "_" #by "_requests", "requests", "answered, served by " who, \
             trips[kind].requests[SERVED_##by])                                \
    TRIP_ROW(name "_" #by "_cycles", "request-cycles",                         \
             "from sending to answer, served by " who,                         \
             trips[kind].cycles[SERVED_##by])                                  \
    TRIP_LEGS_OF(TRIP_LEG_ROW, name, kind, by)
#define TRIP_LEG_ROW(leg, what, name, kind, by)                                \
    TRIP_ROW(name "_" #by "_" #leg, "request-cycles", what,                    \
             trips[kind].legs[SERVED_##by][LEG_##leg])
#define TRIP_ROW(text, unit, meaning, member)                                  \
    {text, unit, meaning, offsetof(STAT_STRUCT, member), true, true},
#define TRIP_END(u, stats, m, now) trip_end(u, (stats)->trips, m, now)

/* Trips of fetches that have come, which a struct keeps by number. */
#define TRIPS_KEPT struct trip *kept;
#define TRIPS_KEPT_STATE(of) STATE_POINTER(of.kept),
#define TRIP_ROOM(of, chip, count)                                             \
    ((of)->kept = chip_alloc(chip, count, sizeof *(of)->kept))
#define TRIP_KEEP(of, number, m) ((of)->kept[number] = (m)->trip)
#define TRIP_JOIN(of, number, m) trip_join(m, &(of)->kept[number])

/* A request of a kind is sent in a cycle. */
static inline void trip_begin(struct msg *m, unsigned kind, uint64_t cycle)
{
    uint32_t now = (uint32_t)cycle;
    m->trip = (struct trip){.begun = now,
                            .since = now,
                            .left = now,
                            .arrives = now,
                            .client = (uint8_t)(kind + 1)};
}

static inline void trip_book(struct trip *t, unsigned leg, uint64_t cycle)
{
    t->legs[leg] += (uint32_t)cycle - t->since;
    t->since = (uint32_t)cycle;
}

/* The leg of what it waits in before it leaves downwards. */
static inline unsigned trip_below(const struct trip *t)
{
    return t->at == TRIP_ASKER ? (unsigned)LEG_other
                               : trip_there(LEG_first_below, t->at);
}

/* A cache takes a request from its port. */
static inline void trip_enter(struct msg *m, uint64_t now)
{
    struct trip *t = &m->trip;
    unsigned level = t->at < TRIP_THIRD ? t->at + 1u : TRIP_THIRD;
    if (!t->client)
        return;
    trip_book(t, trip_below(t), t->left);
    trip_book(t, trip_there(LEG_first_way, level), t->arrives);
    trip_book(t, trip_there(LEG_first_port, level), now);
    t->at = t->level = (uint8_t)level;
}

/* The request has come to the end of its bank, which looks it up, again and
 * again while something is lacking. */
static inline void trip_bank(struct msg *m, uint64_t now)
{
    if (m->trip.client)
        trip_book(&m->trip, trip_there(LEG_first_bank, m->trip.at), now);
}

static inline void trip_look_up(struct msg *m, uint64_t now)
{
    if (m->trip.client)
        trip_book(&m->trip, trip_there(LEG_first_stall, m->trip.at), now);
}

/* A cache asks below for what a request needs. */
static inline void trip_fetch(struct msg *fetch, const struct msg *m,
                              uint64_t now)
{
    trip_begin(fetch, 0, now);
    fetch->trip.work = m->trip.work;
    fetch->trip.at = fetch->trip.level =
        m->trip.at ? m->trip.at : (uint8_t)TRIP_FIRST;
}

/* An answer comes to a cache, or to the asker of a request, by a link. */
static inline void trip_return(struct trip *t, uint64_t now)
{
    bool memory = t->at == TRIP_MEMORY;
    unsigned to = memory ? t->level : t->at - 1u;
    trip_book(t, memory ? LEG_memory_reply : trip_back(LEG_first_reply, t->at),
              t->left);
    trip_book(t, memory ? LEG_memory_home : trip_back(LEG_first_home, t->at),
              t->arrives);
    trip_book(t, to ? trip_back(LEG_first_fill, to) : LEG_taken, now);
    t->at = (uint8_t)to;
}

static inline void trip_from_below(struct msg *m, uint64_t now)
{
    if (m->trip.client && m->trip.at)
        trip_return(&m->trip, now);
}

/* The request's trip goes on as that of another message: its answer, or what is
 * passed on for it. */
static inline void trip_goes_on(struct msg *as, const struct msg *m)
{
    as->trip = m->trip;
}

static inline unsigned trip_served(const struct trip *t)
{
    return t->served ? t->served - 1u : t->level - 1u;
}

/* What a request has waited for has come with the trip of its fetch. It may
 * have joined after that, while others were answered. */
static inline void trip_join(struct msg *m, const struct trip *fetch)
{
    struct trip *t = &m->trip;
    uint32_t left = fetch->since - t->since;
    t->level = fetch->level;
    t->served = (uint8_t)(trip_served(fetch) + 1);
    if ((int32_t)left <= 0)
        return;
    for (unsigned leg = LEGS; leg-- > 0 && left;) {
        uint32_t part = fetch->legs[leg] < left ? fetch->legs[leg] : left;
        t->legs[leg] += part;
        left -= part;
    }
    t->legs[LEG_other] += left;
    t->since = fetch->since;
}

/* A TLB sends a request or an answer on. */
static inline void trip_translated(struct msg *m, uint64_t now)
{
    struct trip *t = &m->trip;
    if (!t->client)
        return;
    if (m->op < MEM_DATA)
        trip_book(t, trip_below(t), t->left);
    else
        trip_book(t,
                  t->at == TRIP_MEMORY ? (unsigned)LEG_memory_reply
                                       : trip_back(LEG_first_reply, t->at),
                  t->left);
    trip_book(t, LEG_translation, now);
}

/* Something behind all caches takes a request from its port. */
static inline void trip_last(struct msg *m, enum trip_served by, uint64_t now)
{
    struct trip *t = &m->trip;
    if (!t->client)
        return;
    trip_book(t, trip_below(t), t->left);
    trip_book(t, LEG_memory_way, t->arrives);
    trip_book(t, LEG_memory_port, now);
    t->at = TRIP_MEMORY;
    t->served = (uint8_t)(by + 1);
}

/* The message was in the leg until `cycle`; an earlier one adds no cycles. */
static inline void trip_until(struct msg *m, enum trip_leg leg, uint64_t cycle)
{
    if (m->trip.client && (int32_t)((uint32_t)cycle - m->trip.since) > 0)
        trip_book(&m->trip, leg, cycle);
}

/* Its asker takes the answer. */
static inline void trip_end(const struct unit *u, struct trip_stats *stats,
                            const struct msg *m, uint64_t now)
{
    struct trip t = m->trip;
    if (!t.client || !t.at)
        return;
    trip_return(&t, now);
    unsigned served = trip_served(&t);
    struct trip_stats *s = &stats[t.client - 1];
    s->requests[served]++;
    s->cycles[served] += (uint32_t)now - t.begun;
    for (unsigned leg = 0; leg < LEGS; leg++)
        s->legs[served][leg] += t.legs[leg];
    const struct machine *machine = chip_context(u->chip);
    if (machine->request_logs)
        request_log_add(&machine->request_logs[unit_tile_number(u)], u, m, &t,
                        (uint8_t)served, (uint32_t)now - t.begun);
}

#else

#define TRIP_STATS(kinds)
#define TRIP_KINDS(list)
#define TRIP_TABLE .trip_rows = NULL
#define TRIP_ROWS(name, waits, meaning)
#define TRIP_END(u, stats, m, now) ((void)0)
#define TRIPS_KEPT
#define TRIPS_KEPT_STATE(of)
#define TRIP_ROOM(of, chip, count) ((void)0)
#define TRIP_KEEP(of, number, m) ((void)0)
#define TRIP_JOIN(of, number, m) ((void)0)
#define trip_begin(m, kind, cycle) ((void)0)
#define trip_enter(m, now) ((void)0)
#define trip_bank(m, now) ((void)0)
#define trip_look_up(m, now) ((void)0)
#define trip_fetch(fetch, m, now) ((void)0)
#define trip_from_below(m, now) ((void)0)
#define trip_goes_on(as, m) ((void)0)
#define trip_translated(m, now) ((void)0)
#define trip_last(m, by, now) ((void)0)
#define trip_until(m, leg, cycle) ((void)0)

#endif

#endif
