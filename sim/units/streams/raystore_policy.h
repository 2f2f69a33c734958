/*
 * The queues of a ray store: one for each treelet, of the rays that wait to go
 * on there, and one of finished rays; and which treelet a TM takes rays of.
 * There are no links, cycles or bytes here; rays are numbers of places.
 *
 * A TM works in one treelet at a time, and stays there while rays wait in it.
 * Else it chooses another one:
 *
 *   idle first  when none of its own rays is out any more. If a TM has `busy`
 *               rays out, the treelet with the longest queue of those in which
 *               such TMs work; if no ray waits there, or no TM has so many, the
 *               lowest-numbered one in which nobody works.
 *   batch       when it wants `batch` rays at least: the lowest-numbered
 *               treelet in which nobody works, or with `busy` rays for each TM
 *               that does.
 */
#ifndef SIM_RAYSTORE_POLICY_H
#define SIM_RAYSTORE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

/* No place, no treelet. */
#define QUEUES_NONE UINT32_MAX

enum queues_order { QUEUES_LIFO, QUEUES_FIFO };
enum queues_policy { QUEUES_IDLE_FIRST, QUEUES_BATCH };

struct ray_queue {
    uint32_t first, last, count; /* of rays that wait */
    uint32_t tms;                /* that work in the treelet */
};

struct ray_worker {
    uint32_t treelet; /* QUEUES_NONE: it has not begun */
    uint32_t out;     /* rays that it was given and has not given back */
};

struct ray_queues {
    /* set by the owner, with the arrays: [treelets], [treelets / 64], [tms],
     * [places] */
    enum queues_order order;
    enum queues_policy policy;
    uint32_t batch, busy;
    uint32_t tms, places;
    struct ray_queue *of;
    uint64_t *open; /* treelets that a TM may choose: a bit each */
    struct ray_worker *workers;
    uint32_t *next; /* [place]: behind it in its queue, or among free ones */

    uint32_t treelets;     /* of the scene */
    uint32_t fresh, free;  /* places never used, and those given up */
    uint32_t held;         /* places taken */
    uint32_t busy_tms;     /* with so many rays out */
    struct ray_queue over; /* finished rays */
    uint64_t switches;     /* of TMs to another treelet */
};

/* A kernel starts, on a scene of so many treelets: no rays. */
void queues_start(struct ray_queues *q, uint32_t treelets);

/* A ray for a treelet of the scene, and one that is finished. They return its
 * place, or QUEUES_NONE: all are taken. */
uint32_t queues_put(struct ray_queues *q, uint32_t treelet);
uint32_t queues_put_over(struct ray_queues *q);

/* The TM gives back a ray that it was given, to whatever queue; nothing happens
 * if none is out. */
void queues_back(struct ray_queues *q, uint32_t tm);

/* A ray for a TM that wants so many, 1 or more; and any that is finished.
 * QUEUES_NONE: there is none now. The place is free from then on. */
uint32_t queues_take(struct ray_queues *q, uint32_t tm, uint32_t wanted);
uint32_t queues_take_over(struct ray_queues *q);

#endif
