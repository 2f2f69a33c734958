/*
 * What the files of the ray store share:
 *
 *   raystore.c         requests, answers, what it is to the engine
 *   raystore_build.c   construction; the scenes that it has room for
 *   raystore_policy.c  queues, and the choice of treelets
 */
#ifndef SIM_RAYSTORE_PRIVATE_H
#define SIM_RAYSTORE_PRIVATE_H

#include "sim/units/common/machine.h"
#include "sim/units/common/msg_list.h"
#include "sim/units/common/ring.h"
#include "sim/units/streams/raystore.h"
#include "sim/units/streams/raystore_policy.h"

enum { TM, RAY }; /* ports */

/* What is kept of a ray: the payloads of its messages. */
struct stored {
    uint32_t ray, treelet; /* its number, and where it goes on */
    struct payload half[2];
};

/* A request that was taken: its message, and the other one of a pair. */
struct stage {
    uint64_t due;
    uint32_t msg, state, tm;
};

struct bank {
    uint32_t first_tm, tms;
    uint32_t next_taken, next_given; /* of them */
    struct msg_list hits[2];         /* requests for hits, by priority */
    uint32_t waiting;                /* requests, for hits and rays */
};

struct raystore {
    struct unit unit;
    struct raystore_params params;
    struct raystore_stats stats;
    struct account account;
    const struct machine *machine;
    struct ray_queues queues;
    struct stored *stored;  /* by place */
    struct msg_list *loads; /* by TM: requests for rays */
    struct bank *banks;
    uint32_t *bank_of; /* by TM */
    uint32_t bank_count, tm_count;
    uint32_t next_bank;
    struct stage *stages; /* in order of due */
    struct ring order;    /* of stages */
    uint32_t latency;
    uint8_t kernel;
    uint64_t launches;
    uint32_t waiting;     /* requests */
    uint32_t tms_waiting; /* that ask for rays */
    uint64_t tms_between; /* their cycles, as `between` has it */
    bool started;         /* the queues are those of this kernel's scene */
    bool ended;           /* no more rays come */
    bool changed;         /* something may be there for a TM that waits */
    bool worked, leftover;
};

bool raystore_build(struct unit *u, struct error *error);
/* Has it room for the scene's treelets? False: the error says what helps. */
bool raystore_reads(const struct unit *u, const struct corbel_scene *scene,
                    struct error *error);

#endif
