/*
 * Which segments a stream scheduler works on, and in which order: the state of
 * each segment of a kernel, the candidates and those that wait to become one.
 * There are no links, cycles or bytes here; buckets are numbers.
 *
 * Segments form a tree; items of a segment are only made by its parent's. So
 * when the parent is finished, and what is left of the segment's items has been
 * written, all of its buckets are known, and when these are finished, so is the
 * segment. Candidates are the segments whose buckets are read; they become
 * candidates breadth first, or depth first with the heaviest child first.
 *
 * In a cycle of the scheduler's centre: note what has come (policy_roots_seen,
 * policy_open, policy_complete, policy_fetched), then fetch, retire, activate
 * and read, each at most once.
 */
#ifndef SIM_STREAMSCHEDULER_POLICY_H
#define SIM_STREAMSCHEDULER_POLICY_H

#include "sim/units/common/number_list.h"
#include <stdbool.h>
#include <stdint.h>

#define POLICY_NONE UINT32_MAX

/* An order is a file streamscheduler_order_NAME.c with its row. */
#define STREAM_ORDERS(FIRST, X)                                                \
    FIRST(bfs)                                                                 \
    X(dfs)                                                                     \
    /* the end of the list: new ones come here */
/* Of children, depth first; equal ones: the lower number first. */
#define STREAM_WEIGHTS(FIRST, X) FIRST(total) X(average) X(none)
#define POLICY_ORDER_ID(name) POLICY_ORDER_##name,
#define POLICY_WEIGHT_ID(name) POLICY_WEIGHT_##name,
enum policy_order {
    STREAM_ORDERS(POLICY_ORDER_ID, POLICY_ORDER_ID) POLICY_ORDER_COUNT
};
enum policy_weight {
    STREAM_WEIGHTS(POLICY_WEIGHT_ID, POLICY_WEIGHT_ID) POLICY_WEIGHT_COUNT
};

struct policy_segment {
    uint32_t first_child, children; /* numbers of its children: consecutive */
    uint32_t opened, finished;      /* its buckets */
    uint32_t out;                   /* those read and not finished */
    struct number_list written;     /* those to be read */
    uint32_t rays;
    uint64_t weight; /* of these, by their hints */
    bool parent_finished;
    bool candidate;
    bool ordered; /* its children wait to become candidates */
    bool fetch_asked, fetched;
};

struct policy {
    /* set by the owner, with the arrays: [segments], [segments], [limit],
     * [buckets] */
    enum policy_order order;
    enum policy_weight weight;
    uint32_t low_water; /* fewer buckets to be read: one more candidate */
    uint32_t limit;     /* of candidates, and of segments fetched */
    uint32_t fetches;   /* under way at a time, at most */
    struct policy_segment *segments;
    uint32_t *waiting;    /* segments first .. last - 1 of the array */
    uint32_t *candidates; /* in the order in which they became one */
    uint32_t *next;       /* [bucket]: behind it in its segment's FIFO */

    uint32_t count; /* segments of the scene */
    uint32_t waiting_first, waiting_last;
    uint32_t candidate_count;
    uint32_t last_activated;
    uint32_t active;   /* candidates that are, or are being, fetched */
    uint32_t fetching; /* of them */
    uint32_t ready;    /* buckets of candidates to be read */
    bool roots_seen;
};

/* A kernel starts: segment 0, if there is one, is the only candidate. Each of
 * the scene's segments is then described, in any order. */
void policy_start(struct policy *p, uint32_t count);
void policy_describe(struct policy *p, uint32_t segment, uint32_t first_child,
                     uint32_t children);

/* May items of the segment still come? */
static inline bool policy_expects(const struct policy *p, uint32_t segment)
{
    return segment < p->count && !p->segments[segment].parent_finished;
}

/* An item that is not dead has come; its bucket is new. */
void policy_item(struct policy *p, uint32_t segment, unsigned hint);
void policy_open(struct policy *p, uint32_t segment);
/* A bucket can be read. */
void policy_written(struct policy *p, uint32_t segment, uint32_t bucket);
/* All root items have come: what is left of segment 0 is to be written. */
void policy_roots_seen(struct policy *p);
/* A bucket's items are traced. False: none of the segment's buckets is. */
bool policy_complete(struct policy *p, uint32_t segment);

/* A segment to be fetched, or POLICY_NONE; it is, and it is there. */
uint32_t policy_to_fetch(const struct policy *p);
void policy_fetch(struct policy *p, uint32_t segment);
void policy_fetched(struct policy *p, uint32_t segment);

/* A candidate that is finished, or POLICY_NONE; it is one no more, and what is
 * left of its children is to be written. */
uint32_t policy_to_retire(const struct policy *p);
void policy_retire(struct policy *p, uint32_t segment);

/* Makes a segment a candidate if there is need and room. True: something has
 * changed. */
bool policy_activate(struct policy *p);

/* The segment whose bucket is read next for a TM that has last got one of
 * segment `last` (POLICY_NONE: of none), or POLICY_NONE; and its oldest bucket,
 * which is taken by policy_read. */
uint32_t policy_to_read(const struct policy *p, uint32_t last);
uint32_t policy_read(struct policy *p, uint32_t segment);

/* Nothing is left to do in this kernel. */
static inline bool policy_is_done(const struct policy *p)
{
    return p->roots_seen && !p->candidate_count &&
           p->waiting_first == p->waiting_last;
}

/* ---- orders ---- */

struct stream_order {
    /* A segment's children wait from now on, in the array `waiting`. */
    void (*put)(struct policy *p, const struct policy_segment *s);
    /* Takes the one of them that becomes a candidate next; there is one. */
    uint32_t (*take)(struct policy *p);
};

#define STREAM_ORDER(name) extern const struct stream_order stream_order_##name;
STREAM_ORDERS(STREAM_ORDER, STREAM_ORDER)

#endif
