/*
 * What each piece of work of a kernel has cost, by its index, in builds with
 * STALLS (sim/core/trip.h): sim-run --cost-images. A hart works for the index
 * that it got last, until it gets another one or is parked; what it sends
 * carries that index, and so does what others send for it. A unit that counts
 * something of these rows in its statistics notes it here as well, so that all
 * indices and the rest sum to what the statistics say.
 *
 * A message's work is its index + 1; 0: it is for none.
 *
 * In other builds the functions of units do nothing.
 */
#ifndef SIM_WORK_COSTS_H
#define SIM_WORK_COSTS_H

#include "sim/core/unit.h"
#include "sim/units/common/machine.h"

/* X(name, unit, meaning): files and sums of the host bear the names. */
#define WORK_COSTS(X)                                                          \
    X(cycles, "hart-cycles", "from getting the index to getting the next")     \
    X(rays, "rays", "taken by RT cores")                                       \
    X(nodes, "nodes", "tested by RT cores")                                    \
    X(triangles, "triangles", "tested by RT cores")                            \
    X(first_misses, "requests", "loads that the first cache did not have")     \
    X(second_misses, "requests", "loads that the second cache did not have")   \
    X(third_misses, "requests", "loads that the third cache did not have")     \
    X(dram_bytes, "bytes", "over the buses of main memory")
#define WORK_NUMBER(name, ...) WORK_##name,
enum work_cost { WORK_COSTS(WORK_NUMBER) WORK_COST_COUNT };

/* Indices whose costs are allocated together, when one of them has some. */
#define WORK_PART 64u

/* What the units of one tile have noted. */
struct work_log {
    uint32_t count; /* indices whose costs are kept, from 0 on */
    uint64_t **parts[WORK_COST_COUNT]; /* [index / WORK_PART][its rest] */
    uint64_t rest[WORK_COST_COUNT];    /* of work for none, or another index */
};

/* For indices 0 .. count - 1, all costs 0. */
void work_log_begin(struct work_log *log, uint32_t count);
void work_log_end(struct work_log *log);
void work_log_add(struct work_log *log, enum work_cost cost, uint32_t work,
                  uint64_t amount);
/* The cost of an index; 0 if it is none that is kept. */
uint64_t work_log_cost(const struct work_log *log, enum work_cost cost,
                       uint32_t index);

#if STALLS

/* What a core knows of a hart. */
struct work_slot {
    uint32_t work;
    uint64_t from; /* its cycles before this one are noted */
};
#define WORK_SLOTS struct work_slot *works; /* by slot */
#define WORK_STATE STATE_POINTER(works),
#define WORK_SLOTS_NEW(of, chip, count)                                        \
    ((of)->works = chip_alloc(chip, count, sizeof *(of)->works))

/* A unit keeps for whom something is, that a message has brought. */
#define WORK_KEPT uint32_t work;
#define WORK_KEEP(to, m) ((to)->work = (m)->trip.work)
/* A message, whose trip has begun, is for the work. */
#define WORK_FOR(m, number) ((m)->trip.work = (number))

static inline void work_note(const struct machine *m, const struct unit *u,
                             enum work_cost cost, uint32_t work,
                             uint64_t amount)
{
    if (m->work_logs)
        work_log_add(&m->work_logs[unit_tile_number(u)], cost, work, amount);
}

/* A load misses in a cache, whose level its trip tells. */
static inline void work_missed(const struct machine *m, const struct unit *u,
                               const struct msg *load)
{
    unsigned level = load->trip.at ? load->trip.at - 1u : 0;
    work_note(m, u, (enum work_cost)(WORK_first_misses + level),
              load->trip.work, 1);
}

/* From now on the hart works for another index, or for none. */
static inline void work_goes_on(const struct machine *m, const struct unit *u,
                                struct work_slot *w, uint32_t work,
                                uint64_t now)
{
    work_note(m, u, WORK_cycles, w->work, now - w->from);
    *w = (struct work_slot){work, now};
}

#else

#define WORK_SLOTS
#define WORK_STATE
#define WORK_SLOTS_NEW(of, chip, count) ((void)0)
#define WORK_KEPT
#define WORK_KEEP(to, m) ((void)0)
#define WORK_FOR(m, number) ((void)0)
#define work_note(machine, u, cost, work, amount) ((void)0)
#define work_missed(machine, u, load) ((void)0)
#define work_goes_on(machine, u, slot, work, now) ((void)0)

#endif

#endif
