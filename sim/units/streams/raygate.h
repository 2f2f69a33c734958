/*
 * The ray gate of a TM: on the way of rays that move (STRaTA) between those
 * that trace them, thread processors or an RT core, and the chip's ray store.
 *
 * It takes a request of a thread processor, round robin, and a message of the
 * RT core in a cycle, as long as less than `queue` of them wait, and sends one
 * to the ray store: a finished ray first, then a ray, a request for a ray, a
 * request for a finished one. What the store answers goes to the asker;
 * thread processors are answered in the order of their requests, those for
 * finished rays by priority.
 *
 * With an RT core all rays of thread processors are new. One that is dead (tmax
 * < tmin) goes to the store as finished, a miss. Without one, thread processors
 * get such rays as any other, and a ray that they send is a new one if it has
 * no trail.
 *
 * An access that was refused to a ray, or a ray that the store has no place
 * for, is a fault of all thread processors that wait for an answer, or of the
 * next that asks for something.
 *
 * Ports: op / done (pairs, one per thread processor, by served_words.h; for
 * trav.lwr, swr, lhr), item / work (a pair to an RT core, or none), store / ray
 * to the ray store. Messages: stream.h.
 */
#ifndef SIM_RAYGATE_H
#define SIM_RAYGATE_H

#include "sim/core/unit.h"

#define RAYGATE_PARAMS(X)                                                      \
    X(queue, 16, 2, 4096, "messages", "that wait to be sent to the ray store")

#define RAYGATE_STATS(X)                                                       \
    X(finished, "rays", "finished rays sent to the ray store")                 \
    X(dead, "rays", "of them that were dead from the start")                   \
    X(stores, "rays", "rays sent to be traced, or traced on")                  \
    X(loads, "requests", "for rays")                                           \
    X(hit_loads, "requests", "for finished rays")                              \
    X(rays, "rays", "handed out to be traced")                                 \
    X(hits, "rays", "finished ones handed out")

#define RAYGATE_BUCKETS(X)                                                     \
    X(busy, BUSY, "cycles", "something was taken or sent")                     \
    X(blocked, FULL, "cycles", "the link to the ray store had no room")        \
    X(waiting, WAITS, "cycles", "thread processors waited for rays")           \
    X(idle, IDLE, "cycles", "nothing to do")

struct raygate_params {
    RAYGATE_PARAMS(PARAM_FIELD)
};

struct raygate_stats {
    RAYGATE_STATS(STAT_FIELD)
    RAYGATE_BUCKETS(BUCKET_FIELD)
};

#endif
