/*
 * RT core: the fixed-function traversal unit of a TM.
 *
 * Takes a ray a cycle from the thread processors (round robin) into one of
 * max_rays slots. Rays that can go on stand in one FIFO, first come first
 * served; each cycle up to `ops` of them pop their short stack, or restart by
 * their trail (Laine 2010), and ask for what comes next: the sectors of a node
 * or of a leaf's triangles, through the cache queue of their slot (slot mod
 * number of queues), one sector a cycle and queue. When all have come, the node
 * enters the box pipeline, the leaf the triangle pipeline, triangle by
 * triangle; at its end the ray's state is brought up to date and it joins the
 * FIFO again. A finished ray's hit record is returned, one a cycle.
 *
 * What a step does to a ray is runtime/include/corbel/traverse.h, the same
 * code that programs run. The scene is read-only and read in place; what
 * travels is timing.
 *
 * Ports: ray / hit (pairs, one per thread processor), mem / data (pairs, one
 * per cache queue).
 *
 * Sources: S. Laine, Restart Trail for Stackless BVH Traversal, HPG 2010; the
 * organisation follows the published description of Arches (HPG 2025, 4.4).
 */
#ifndef SIM_RTCORE_H
#define SIM_RTCORE_H

#include "sim/core/unit.h"

#define RTCORE_STACK_MAX 448 /* as deep as any tree needs */

#define RTCORE_PARAMS(X)                                                       \
    X(max_rays, 64, 1, 1024, "rays", "rays in flight")                         \
    X(stack, 8, 1, RTCORE_STACK_MAX, "entries", "short stack of a ray")        \
    X(ops, 2, 1, 16, "per cycle", "rays that leave the scheduler")             \
    X(box_latency, 6, 1, 1000, "cycles", "box pipeline")                       \
    X(box_rate, 2, 1, 16, "per cycle", "nodes that enter the box pipeline")    \
    X(tri_latency, 11, 1, 1000, "cycles", "triangle pipeline")                 \
    X(tri_rate, 2, 1, 16, "per cycle", "triangles that enter the pipeline")

#define RTCORE_STATS(X)                                                        \
    X(rays, "rays", "rays taken")                                              \
    X(hits, "rays", "rays that hit something")                                 \
    X(nodes, "nodes", "nodes tested")                                          \
    X(leaves, "leaves", "leaves tested")                                       \
    X(triangles, "triangles", "triangles tested")                              \
    X(restarts, "restarts", "restarts from the root")                          \
    X(requests, "requests", "sectors asked for")                               \
    X(ray_cycles, "ray-cycles", "slots taken, summed over cycles")

#define RTCORE_BUCKETS(X)                                                      \
    X(testing, "cycles", "a node or triangle entered or left a pipeline")      \
    X(fetching, "cycles", "no test; a ray moved or a sector was asked for")    \
    X(waiting, "cycles", "all rays waited for memory or pipelines")            \
    X(idle, "cycles", "no ray in flight")

struct rtcore_params {
    RTCORE_PARAMS(PARAM_FIELD)
};

struct rtcore_stats {
    RTCORE_STATS(STAT_FIELD)
    RTCORE_BUCKETS(STAT_FIELD)
};

#endif
