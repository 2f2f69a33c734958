/*
 * Toy units for tests of the engine: they send random messages to each other,
 * and keep a hash of everything they see and when.
 */
#ifndef SIM_TOYS_H
#define SIM_TOYS_H

#include "sim/core/unit.h"
#include <stdatomic.h>

#define TOY_PARAMS(X)                                                          \
    X(seed, 1, 0, 1 << 30, "", "of the random numbers")                        \
    X(messages, 200, 0, 1 << 30, "", "to send")                                \
    X(burn, 0, 0, 1 << 30, "ns", "simulated host time that it takes at times") \
    X(wait, 0, 0, 1, "0 or 1", "until the chip's first unit is an epoch ahead")
#define TOY_STATS(X)                                                           \
    X(hash, "", "of all that arrived")                                         \
    X(sent, "messages", "pushed")                                              \
    X(got, "messages", "popped")                                               \
    X(served, "services", "answers of the host")
#define TOY_BUCKETS(X)                                                         \
    X(busy, BUSY, "cycles", "popped or pushed")                                \
    X(blocked, FULL, "cycles", "had a message and no credit")                  \
    X(idle, IDLE, "cycles", "neither")

struct toy_params {
    TOY_PARAMS(PARAM_FIELD)
};
struct toy_stats {
    TOY_STATS(STAT_FIELD)
    TOY_BUCKETS(BUCKET_FIELD)
};
struct toy {
    struct unit unit;
    struct toy_params params;
    struct toy_stats stats;
    struct account account;
    uint64_t random;
    uint64_t next_send; /* CYCLE_NEVER: waits for a credit or for ever */
    uint64_t left;      /* messages to send */
    uint32_t out;       /* where the next one goes */
    bool blocked, worked, leftover;
    _Atomic uint64_t epoch; /* in which it last ran; CYCLE_NEVER: in none */
};

extern const struct unit_kind *const toy_kinds[];

/* ---- a chip of toys: 5 tiles of 3, each linked to all ---- */

#define TILES 5
#define EACH 3

/* What is special about each tile. */
struct toys {
    int64_t burn[TILES];     /* simulated host ns, of its first unit */
    int64_t wait[TILES];     /* 1: that waits for the first tile's */
    int64_t messages[TILES]; /* of each unit */
    bool busy;               /* all run in every cycle */
    bool sides;              /* odd tiles are linked to even ones only */
};
extern const struct toys toys_usual, toys_two_sides;

struct chip *toy_chip(const struct toys *toys);

/* ---- running it ---- */

struct toy_server {
    uint64_t hash;
};

/* hooks.service; context: a struct toy_server, or what begins with one. */
bool toy_serve(void *context, uint64_t now,
               const struct service_request *request);

struct outcome {
    uint64_t hash, cycle, buckets;
    enum engine_stop stop;
};

struct outcome toy_outcome(const struct chip *chip, uint64_t cycle,
                           const struct toy_server *host,
                           enum engine_stop stop);
/* Runs the chip up to the limit, and frees it. */
struct outcome toys_run_chip(struct chip *chip, struct engine_options options,
                             uint64_t limit);
struct outcome toys_run(const struct toys *toys, struct engine_options options,
                        uint64_t limit);

/* ---- toys on several host threads ---- */

/* What the tiles of this thread have taken, of the time that toys say. */
extern _Thread_local uint64_t toy_burned_ns;
/* How often a toy that waits has seen the first one an epoch ahead. */
extern atomic_uint toys_ahead;

#endif
