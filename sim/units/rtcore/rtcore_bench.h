/*
 * For tests of the RT core: a scene and rays, a core between thread processors
 * and a memory that play them, the same steps done here by the library, and
 * checks of hits and counters against these.
 */
#ifndef SIM_RTCORE_BENCH_H
#define SIM_RTCORE_BENCH_H

#include "sim/units/common/bench.h"
#include <corbel/scene.h>

#define RAYS 96u
#define CORES 3u  /* thread processors */
#define QUEUES 2u /* of the L1, usually */

#define SCENE_ADDRESS (BENCH_READ_ONLY + 0x1000)

#define SETTINGS 16 /* of an RT core, with the end of their list */

/* What rays do and what that takes, by the same steps done here. */
struct sums {
    uint64_t nodes, leaves, triangles, restarts, hits;
    uint64_t requests, sectors, stack_max, stack_pushes, stack_pops;
    uint64_t ahead, ahead_sum;                          /* see count_ahead */
    uint64_t ray_request, ray_memory, ray_box, ray_tri; /* of rays alone */
    uint64_t box_initiations, tri_initiations;
};

/* What a test is played with. */
struct view {
    const struct corbel_scene *scene;
    struct corbel_ray ray[RAYS];
    uint8_t flags[RAYS];
    unsigned warp; /* rays of a core that come together, 0: each alone */
    unsigned stack, max_rays;
    struct setting set[SETTINGS];
    uint64_t closed_until; /* of the memory */
    unsigned queues;
    unsigned latency, spread; /* of the memory at port q: latency + q spread */
    /* Tests of the slowest part: where rays wait, and how long it is busy. */
    const char *state;
    uint64_t (*busy)(const struct view *v, const struct sums *sums);
};

/* What the view sets, or else `otherwise`. */
int64_t setting(const struct view *v, const char *name, int64_t otherwise);

/* A view of rays and a scene in these formats; free_view() when done. */
struct view make_view(uint32_t nodes, uint32_t leaves);
/* The same of a scene with treelets of treelet_bytes, 0: without. */
struct view make_treelet_view(uint32_t nodes, uint32_t leaves,
                              uint32_t treelet_bytes);
void free_view(struct view *v);

/* ---- a scenario that is made `with` a view ---- */

/* An RT core and its memories, asked for all rays. */
void build_view(struct bench *b);
/* The scene lies in the machine's memory, and is bound. */
void view_scene(struct bench *b, const struct view *v);
const struct answer *answer_of(const struct bench *b, unsigned ray);
/* Hits, counters, states of rays and requests are right. */
void check_view(struct bench *b);

/* ---- the same done here ---- */

/* Adds all steps of a ray; the sums of all rays. */
void trace(const struct view *v, unsigned ray, struct sums *sums);
struct sums trace_all(const struct view *v);

#endif
