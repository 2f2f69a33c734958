/*
 * What the files of the ray gate share:
 *
 *   raygate.c          messages, what it is to the engine
 *   raygate_threads.c  requests of thread processors, and their answers
 */
#ifndef SIM_RAYGATE_PRIVATE_H
#define SIM_RAYGATE_PRIVATE_H

#include "sim/units/common/machine.h"
#include "sim/units/common/msg_list.h"
#include "sim/units/common/number_list.h"
#include "sim/units/streams/raygate.h"

enum { OP, ITEM, RAY, DONE, WORK, STORE }; /* ports */

/* In the order in which they are sent. */
enum kind { FINISHED, RAYS, LOADS, HIT_LOADS, KIND_COUNT };

/* A ray is asked for by a slot of the RT core, or this: thread processors. */
#define THREADS 0xFFFFFu

/* What waits to be sent. */
struct outgoing {
    struct msg msg;
    struct payload half[2]; /* of a ray; a finished one has the first */
    uint32_t port, tag;     /* of the answer to its sending; port NONE: none */
};

struct raygate {
    struct unit unit;
    struct raygate_params params;
    struct raygate_stats stats;
    struct account account;
    struct machine *machine;
    struct outgoing *out;
    uint32_t *next;          /* of each place of `out`: what is behind it */
    struct number_list free; /* of these places */
    struct number_list queues[KIND_COUNT];
    uint32_t queued;                     /* in all of these */
    struct msg_list loads, hit_loads[2]; /* of thread processors: when: port */
    uint32_t next_port;
    uint8_t kernel;
    uint64_t launches;
    bool begins, begun; /* the kernel uses streams, from this cycle on */
    bool blocked;       /* the link to the ray store has no room */
    bool worked;
    bool leftover;   /* requests wait at the ports */
    bool unanswered; /* and messages of the ray store */
    bool halved;     /* a ray of the ray store has come, its state has not */
    bool answered;   /* in this cycle, by the ray store: */
    struct msg answer;
    struct payload half[2];
    bool refused; /* what cannot be served, in this kernel: */
    struct msg refusal;
};

/* A place at the end of a queue; there is one. */
struct outgoing *raygate_queue(struct raygate *g, enum kind kind);

/* ---- raygate_threads.c ---- */

/* Takes the request of a thread processor. */
void threads_take(struct raygate *g, uint32_t port);
/* The ray, the hit, or the end, that the ray store has answered with. */
void threads_give_ray(struct raygate *g);
void threads_give_hit(struct raygate *g);
void threads_give_end(struct raygate *g);
/* Refuses all thread processors that wait. */
void threads_refuse(struct raygate *g);
/* Does any wait? */
static inline bool threads_wait(const struct raygate *g)
{
    return g->loads.count || g->hit_loads[0].count || g->hit_loads[1].count;
}

#endif
