/*
 * RT core: the fixed-function traversal unit of a TM.
 *
 * Takes a ray a cycle from the thread processors (round robin) into one of
 * max_rays slots. Each cycle the scheduler lets up to `ops` rays go on: each
 * names what it reads next (a node, a leaf, the vertices of a leaf), which is
 * asked for through the cache queue of its slot (slot mod number of queues),
 * one sector a cycle and queue. When all have come, the node waits for the box
 * pipelines, the leaf for the triangle pipelines; at their end the ray's state
 * is brought up to date and it is ready again. A finished ray's result is
 * returned, one a cycle.
 *
 * What a step does to a ray is runtime/include/corbel/traverse.h, the same
 * code that programs run. The scene is read-only and read in place; what
 * travels is timing. A ray keeps to the scene that was bound when it came.
 *
 * Rays of one instruction of a warp come together (rtcore_warps.h): a warp may
 * have to find a place of its own, and its results may return together.
 *
 * On a streaming chip it traces items (sim/units/common/stream.h) instead of
 * rays of thread processors: each through one treelet, as the TM's staging
 * buffer hands them out. With policy copy an item is copied to all treelets
 * below that its ray enters (Dual Streaming); with the others a ray exists once
 * and moves, by parents or by restarts (corbel/traverse_moves.h), as in STRaTA.
 *
 * Ports: ray / hit (pairs, one per thread processor) or item / work (a pair),
 * mem / data (pairs, one per cache queue). docs/reference/rtcore.md has the
 * whole model.
 *
 * Sources: S. Laine, Restart Trail for Stackless BVH Traversal, HPG 2010; the
 * organisation follows the published description of Arches (HPG 2025, 4.4).
 */
#ifndef SIM_RTCORE_H
#define SIM_RTCORE_H

#include "sim/core/gauge.h"
#include "sim/core/unit.h"
#include "sim/units/common/trip_legs.h"
#include "sim/units/rtcore/rtcore_schedule.h"
#include "sim/units/rtcore/rtcore_warps.h"
#include <corbel/scene.h>

/* The names of all formats, and how many there are. */
#define RTCORE_NODE_CHOICE(id, name, ...) "|" #name
#define RTCORE_LEAF_CHOICE(id, name, grain, apart, meaning) "|" #name
#define RTCORE_NODE_ONE(id, name, ...) +1
#define RTCORE_LEAF_ONE(id, name, grain, apart, meaning) +1
#define RTCORE_NODE_CHOICES "=any" CORBEL_NODE_FORMATS(RTCORE_NODE_CHOICE)
#define RTCORE_LEAF_CHOICES "=any" CORBEL_LEAF_FORMATS(RTCORE_LEAF_CHOICE)
#define RTCORE_NODE_COUNT (0 CORBEL_NODE_FORMATS(RTCORE_NODE_ONE))
#define RTCORE_LEAF_COUNT (0 CORBEL_LEAF_FORMATS(RTCORE_LEAF_ONE))

#define RTCORE_PARAMS(X)                                                       \
    X(max_rays, 64, 1, 1024, "rays", "rays in flight")                         \
    X(stack, 8, 0, CORBEL_STACK_DEEPEST, "entries",                            \
      "short stack of a ray; 0: as deep as the scene needs")                   \
    X(stack_traffic, 0, 0, 1, "=off|on",                                       \
      "entries beyond the short stack: forgotten, or kept in memory")          \
    X(pop_cull, 1, 0, 1, "flag", "1: entries behind the hit are not fetched")  \
    X(schedule, 0, CHOICE_RANGE(RTCORE_SCHEDULES),                             \
      CHOICE_NAMES(RTCORE_SCHEDULES),                                          \
      "which ready ray goes on: first come, first taken, next slot, last "     \
      "one; of the warp first taken, of the last one's warp")                  \
    X(places, 0, CHOICE_RANGE(RTCORE_PLACES), CHOICE_NAMES(RTCORE_PLACES),     \
      "what a slot is for: a ray; or its warp has to find one of max_warps, "  \
      "too")                                                                   \
    X(max_warps, 4, 1, 1024, "warps", "in flight (places)")                    \
    X(answers, 0, CHOICE_RANGE(RTCORE_ANSWERS), CHOICE_NAMES(RTCORE_ANSWERS),  \
      "results return ray by ray, or when their warp's last ray has finished") \
    X(ops, 2, 1, 16, "per cycle", "rays that leave the scheduler", PARAM_SAFE) \
    X(drain, 0, 0, 1, "flag", "1: new rays only when the core is empty",       \
      PARAM_SAFE)                                                              \
    X(prefetch, 0, 0, 7, "children", "fetched ahead besides the nearest one")  \
    X(box_latency, 6, 1, 1000, "cycles", "from the last initiation on")        \
    X(box_interval, 1, 1, 1000, "cycles", "between initiations of a pipeline") \
    X(box_width, 0, 0, 8, "boxes", "tested per initiation; 0: a whole node")   \
    X(box_pipes, 2, 1, 64, "pipelines", "for the boxes of nodes")              \
    X(tri_latency, 11, 1, 1000, "cycles", "from the last initiation on")       \
    X(tri_interval, 1, 1, 1000, "cycles", "between initiations of a pipeline") \
    X(tri_width, 1, 0, 8, "triangles", "per initiation; 0: a whole leaf")      \
    X(tri_pipes, 2, 1, 64, "pipelines", "for the triangles of leaves")         \
    X(policy, 0, 0, 3, "=copy|parents|restarts|climbs",                        \
      "items: copied to treelets below, or moved, and how they find back up")  \
    X(early, 0, 0, 1, "flag",                                                  \
      "items: the record is read first, what is behind its hit left out")      \
    X(nodes, 0, 0, RTCORE_NODE_COUNT, RTCORE_NODE_CHOICES,                     \
      "the format of nodes that it reads")                                     \
    X(triangles, 0, 0, RTCORE_LEAF_COUNT, RTCORE_LEAF_CHOICES,                 \
      "the format of leaves that it reads")

#define RTCORE_STATS(X)                                                        \
    X(rays, "rays", "rays taken, of items those that are roots")               \
    X(items, "items", "taken: rays come to a treelet")                         \
    X(hits, "rays", "hits returned; of an item, sent to the ray's record")     \
    X(nodes, "nodes", "nodes tested")                                          \
    X(leaves, "leaves", "leaves tested")                                       \
    X(triangles, "triangles", "triangles tested")                              \
    X(boxes, "boxes", "of nodes tested, as many as their format may hold")     \
    X(stack_pushes, "entries",                                                 \
      "put on stacks; those that one forgot count when its ray has ended")     \
    X(stack_pops, "entries", "taken from stacks")                              \
    X(restarts, "restarts", "restarts from the root")                          \
    X(box_initiations, "initiations", "of box pipelines")                      \
    X(tri_initiations, "initiations", "of triangle pipelines")                 \
    X(requests, "requests", "sectors asked for")                               \
    X(sectors, "sectors", "of all pieces of fetches, equal ones not merged")   \
    X(stack_writes, "requests", "of these: entries of stacks moved to memory") \
    X(stack_reads, "requests", "of these: entries that came back")             \
    X(prefetches, "requests", "sectors asked for ahead")                       \
    X(prefetches_dropped, "requests", "not asked for ahead: the queue full")   \
    X(traced, "rays", "left their slots; of items each time in a treelet")     \
    X(latency, "cycles", "in a slot, of traced rays")                          \
    X(ray_cycles, "ray-cycles", "slots taken, summed over cycles")             \
    X(children, "items", "rays that went on as items of other treelets")       \
    X(climbs, "items", "of these to a treelet above")                          \
    X(revisits, "nodes", "tested again by the same ray, of items that move")   \
    X(records, "records", "asked for before an item was traced")               \
    X(warps, "warps", "of which rays were taken, where warps matter")          \
    X(warp_waits, "ray-cycles",                                                \
      "from the end of these rays to that of their warp's last one")           \
    X(item_cycles, "slot-cycles", "in which a slot waited for an item")        \
    X(stack_max, "entries", "most entries held, summed over traced rays")

/* The edges by which finished rays are counted by the most entries that their
 * stacks held. */
#define RTCORE_DEEPEST_EDGES                                                   \
    0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384,       \
        CORBEL_STACK_DEEPEST + 1
enum { /* one less than edges */
       RTCORE_DEEPEST_RANGES =
           sizeof((const int64_t[]){RTCORE_DEEPEST_EDGES}) / sizeof(int64_t) - 1
};

/* Where a ray is; ray_cycles is the sum. */
#define RTCORE_STATES(X)                                                       \
    X(ray_record, "ray-cycles", "waited for their record")                     \
    X(ray_child, "ray-cycles", "waited until the item of a treelet was sent")  \
    X(ray_ready, "ray-cycles", "waited for the scheduler")                     \
    X(ray_request, "ray-cycles", "waited for their cache queue")               \
    X(ray_memory, "ray-cycles", "waited for sectors, all asked for")           \
    X(ray_box_queue, "ray-cycles", "waited for the box pipelines")             \
    X(ray_box, "ray-cycles", "in the box pipelines")                           \
    X(ray_tri_queue, "ray-cycles", "waited for the triangle pipelines")        \
    X(ray_tri, "ray-cycles", "in the triangle pipelines")                      \
    X(ray_finished, "ray-cycles", "waited for the hit port")

#define RTCORE_BUCKETS(X)                                                      \
    X(testing, BUSY, "cycles",                                                 \
      "a node or triangle entered or left a pipeline")                         \
    X(fetching, BUSY, "cycles",                                                \
      "no test; a ray moved or a sector was asked for")                        \
    X(waiting, WAITS, "cycles", "all rays waited for memory or pipelines")     \
    X(idle, IDLE, "cycles", "no ray in flight")

struct rtcore_params {
    RTCORE_PARAMS(PARAM_FIELD)
};

#define RTCORE_TRIPS(X)                                                        \
    X(read, COUNTER(ray_memory), "sectors that rays wait for")                 \
    X(ahead, 0, "sectors asked for ahead")
enum { RTCORE_TRIPS(TRIP_NUMBER) RTCORE_TRIP_COUNT };

struct rtcore_stats {
    RTCORE_STATS(STAT_FIELD)
    uint64_t deepest[RTCORE_DEEPEST_RANGES];
    RTCORE_STATES(STAT_FIELD)
    TRIP_STATS(RTCORE_TRIP_COUNT)
    GAUGE_FIELD(slots)
    OBSERVED_FIELD(ports_crowded)
    RTCORE_BUCKETS(BUCKET_FIELD)
};

#endif
