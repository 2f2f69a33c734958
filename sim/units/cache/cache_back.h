/*
 * The back of a cache: the queue to the level below with the write-backs that
 * are not answered yet, the port where answers come from there, and the answers
 * that wait for a reply port of limited width.
 */
#ifndef SIM_CACHE_BACK_H
#define SIM_CACHE_BACK_H

#include "sim/core/unit.h"
#include "sim/units/common/address_map.h"
#include "sim/units/common/machine.h"
#include "sim/units/common/msg_list.h"
#include "sim/units/common/ring.h"

#define REPLIES 64 /* that wait for their port before the banks stand still */

/* A message to a level below. */
struct queued {
    struct outport *to;
    struct msg msg; /* MSG_PAYLOAD: the tile's payload */
};

struct queue {
    struct queued *entries;
    struct ring order;
    uint64_t busy; /* port: in bytes since cycle 0, at its width */
};

/* How an address chooses a link below. */
enum route {
    ROUTE_ALONE,   /* there is one */
    ROUTE_STRIPES, /* slices in turn, 2^n of them */
    ROUTE_OTHER,   /* cache_route */
};

struct back {
    struct queue below;
    struct address_map map; /* towards the slices below */
    struct range treelets;  /* that are read in a scene buffer; end 0: none */
    uint8_t route;          /* enum route */
    const uint64_t *fill;   /* links with answers */
    uint64_t fill_busy;     /* as queue.busy */
    uint16_t fill_words;    /* of the mask */
    uint16_t next_fill;     /* round robin */
    uint16_t mem_width, fill_width, reply_width; /* bytes a cycle, 0: any */
    uint16_t header;                             /* bytes of a message */
    bool queues; /* answers share a width, and wait for their port */
    struct msg_list replies; /* that wait, with their port in `when` */
    uint64_t reply_busy;     /* as queue.busy */
    struct msg relay;        /* answer to something passed on, to be sent up */
    uint32_t writes;         /* write-backs that a request may bring about */
    uint32_t need;           /* messages below, with those */
    uint32_t updates_limit;
    uint32_t updates_used;     /* write-backs of a copy, not answered yet */
    uint32_t updates_promised; /* to atomics that wait for their sector */
    uint32_t in_era[2]; /* of updates: begun before the fence, or after */
};

static inline uint32_t queue_free(const struct queue *q)
{
    return q->order.room - q->order.count;
}

/*
 * Adds a message, which the caller writes in place: a host waits long for a
 * copy of what was just written field by field.
 */
static inline struct msg *queue_add(struct queue *q, struct outport *to)
{
    struct queued *new = &q->entries[ring_add(&q->order)];
    new->to = to;
    return &new->msg;
}

#endif
