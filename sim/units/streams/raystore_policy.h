/*
 * The queues of a ray store: one for each treelet, of the rays that wait to go
 * on there, and one of finished rays; and which treelet a TM takes rays of.
 * There are no links, cycles or bytes here; rays are numbers of places.
 *
 * A TM works in one treelet at a time, and stays there while rays wait in it.
 * Else it gets another one by a policy, a row of RAYSTORE_POLICIES; which ray
 * of a treelet goes first is an order, a row of RAYSTORE_ORDERS. Each is a
 * file, raystore_policy_NAME.c and raystore_order_NAME.c.
 */
#ifndef SIM_RAYSTORE_POLICY_H
#define SIM_RAYSTORE_POLICY_H

#include "sim/units/common/number_list.h"
#include <stdbool.h>
#include <stdint.h>

/* No place, no treelet. */
#define QUEUES_NONE UINT32_MAX

#define RAYSTORE_ORDERS(FIRST, X)                                              \
    FIRST(lifo)                                                                \
    X(fifo)                                                                    \
    /* the end of the list: new ones come here */
#define RAYSTORE_POLICIES(FIRST, X)                                            \
    FIRST(idle_first)                                                          \
    X(batch)                                                                   \
    /* the end of the list: new ones come here */
#define QUEUES_ORDER_ID(name) QUEUES_ORDER_##name,
#define QUEUES_POLICY_ID(name) QUEUES_POLICY_##name,
enum queues_order {
    RAYSTORE_ORDERS(QUEUES_ORDER_ID, QUEUES_ORDER_ID) QUEUES_ORDER_COUNT
};
enum queues_policy {
    RAYSTORE_POLICIES(QUEUES_POLICY_ID, QUEUES_POLICY_ID) QUEUES_POLICY_COUNT
};

struct ray_queue {
    struct number_list rays; /* that wait */
    uint32_t tms;            /* that work in the treelet */
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

    uint32_t treelets;        /* of the scene */
    uint32_t fresh;           /* from here on places were never used */
    struct number_list freed; /* that were given up */
    uint32_t held;            /* places taken */
    uint32_t busy_tms;        /* with `busy` rays out, or more */
    struct number_list over;  /* finished rays */
    uint64_t switches;        /* of TMs to another treelet */
};

/* A kernel starts, on a scene of `treelets`: no rays. */
void queues_start(struct ray_queues *q, uint32_t treelets);

/* A ray for a treelet of the scene, and one that is finished. They return its
 * place, or QUEUES_NONE: all are taken. */
uint32_t queues_put(struct ray_queues *q, uint32_t treelet);
uint32_t queues_put_over(struct ray_queues *q);

/* The TM gives back a ray that it was given, to whatever queue; nothing happens
 * if none is out. */
void queues_back(struct ray_queues *q, uint32_t tm);

/* A ray for a TM that wants `wanted`, 1 or more; and any that is finished.
 * QUEUES_NONE: there is none now. The place is free from then on. */
uint32_t queues_take(struct ray_queues *q, uint32_t tm, uint32_t wanted);
uint32_t queues_take_over(struct ray_queues *q);
/* Does a TM get another treelet only if it wants a batch of rays? */
bool queues_batch(const struct ray_queues *q);

/* ---- policies ---- */

struct raystore_order {
    /* Puts a place into a queue, whose first one is taken first. */
    void (*put)(uint32_t *next, struct number_list *rays, uint32_t place);
};

struct raystore_policy {
    bool shares;  /* TMs may choose a treelet in which others work */
    bool batches; /* only with `batch` rays wanted they get another one */
    /* Another treelet for the TM, which wants `wanted` rays; QUEUES_NONE. */
    uint32_t (*choose)(const struct ray_queues *q, uint32_t tm,
                       uint32_t wanted);
};

#define RAYSTORE_ORDER(name)                                                   \
    extern const struct raystore_order raystore_order_##name;
#define RAYSTORE_POLICY(name)                                                  \
    extern const struct raystore_policy raystore_policy_##name;
RAYSTORE_ORDERS(RAYSTORE_ORDER, RAYSTORE_ORDER)
RAYSTORE_POLICIES(RAYSTORE_POLICY, RAYSTORE_POLICY)

/* For policies: the first treelet from a number on that a TM may choose, or
 * QUEUES_NONE. */
uint32_t queues_lowest_open(const struct ray_queues *q, uint32_t from);

#endif
