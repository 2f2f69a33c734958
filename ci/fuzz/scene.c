/*
 * Scenes whose hash is right: what the verifier takes can be traversed, by
 * stacks of any size and by ray streams, without a read outside of it.
 */
#include "ci/fuzz/fuzz.h"
#include "sdk/scene/mutate.h"
#include <corbel/traverse_moves.h>
#include <corbel/verify.h>
#include <corbel/walk.h>
#include <math.h>

/* Every traversal of a tree of a few KiB takes fewer steps. */
#define STEPS_MAX 10000000u

static void limit(unsigned *steps)
{
    if (++*steps == STEPS_MAX)
        abort();
}

static uint32_t by_stack(const struct corbel_scene *scene,
                         const struct corbel_ray *ray, unsigned entries)
{
    const struct corbel_traversal_setup setup = {entries, true};
    struct corbel_traversal t;
    struct corbel_fetch fetch;
    unsigned steps = 0;
    corbel_traversal_start(&t, scene, ray, CORBEL_CLOSEST, &setup);
    while (corbel_traversal_fetch(&t, scene, &fetch)) {
        corbel_traversal_step(&t, scene);
        limit(&steps);
    }
    return corbel_traversal_hit(&t)->index;
}

static uint32_t by_moves(const struct corbel_scene *scene,
                         const struct corbel_ray *ray,
                         enum corbel_move_policy policy)
{
    struct corbel_moving moving;
    unsigned steps = 0;
    corbel_moving_start(&moving, scene, ray);
    while (moving.state != CORBEL_MOVE_OVER) {
        struct corbel_traversal t;
        struct corbel_move move;
        corbel_move_begin(&move, &t, scene, &moving);
        while (t.ref != CORBEL_REF_NONE && !(t.ref & CORBEL_REF_TREELET)) {
            corbel_move_step(&move, &t, scene, policy);
            limit(&steps);
        }
        corbel_move_end(&move, &t, &moving);
        limit(&steps);
    }
    return moving.hit.index;
}

/* Rays whose origins lie around the box of the scene, towards its centre. */
static struct corbel_ray ray_at(const struct corbel_scene *scene, unsigned i)
{
    struct corbel_ray ray = {.tmax = INFINITY};
    for (unsigned k = 0; k < 3; k++) {
        const float min = scene->bounds.min[k], max = scene->bounds.max[k];
        ray.o[k] = i >> k & 1 ? max + 1 : min - 1;
        ray.d[k] = (min + max) / 2 - ray.o[k];
    }
    return ray;
}

/* Which triangle is hit may depend on the way if boxes do not hold what is
 * below them, but it is one of the scene's. */
static void check(const struct corbel_scene *scene, uint32_t hit)
{
    if (hit != CORBEL_MISS && hit >= scene->triangles)
        abort();
}

/* Through instances; of what the program is asked about, half is there. */
static uint32_t by_walk(const struct corbel_scene *scene,
                        const struct corbel_ray *ray, unsigned entries)
{
    const struct corbel_traversal_setup setup = {entries, true};
    struct corbel_long_hit hit;
    struct corbel_walk w;
    struct corbel_fetch fetch;
    unsigned steps = 0;
    corbel_walk_start(&w, scene, ray, 0, 0xFF, &setup);
    do {
        corbel_walk_resume(&w, scene);
        while (corbel_walk_fetch(&w, scene, &fetch)) {
            corbel_walk_step(&w, scene);
            limit(&steps);
        }
        if (steps % 2)
            corbel_walk_accept(&w);
        limit(&steps);
    } while (corbel_walk_event(&w) >= CORBEL_EVENT_TRIANGLE);
    corbel_walk_hit(&w, scene, &hit);
    return hit.index;
}

static void trace(const struct corbel_scene *scene)
{
    const bool moves =
        scene->treelets > 0 && scene->max_depth <= CORBEL_MOVE_LEVELS;
    for (unsigned i = 0; i < 8; i++) {
        const struct corbel_ray ray = ray_at(scene, i);
        check(scene, by_stack(scene, &ray, corbel_stack_full(scene)));
        check(scene, by_stack(scene, &ray, 2));
        check(scene, by_walk(scene, &ray, 2));
        for (unsigned p = CORBEL_BY_PARENTS; moves && p <= CORBEL_BY_CLIMBS;
             p++)
            check(scene, by_moves(scene, &ray, (enum corbel_move_policy)p));
    }
}

/* The copy is aligned as scenes are; its memory ends where the bytes do. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[CORBEL_WHY];
    struct corbel_scene *scene;
    if (posix_memalign((void **)&scene, 64, size + 1))
        return 0;
    memcpy(scene, data, size);
    if (size >= sizeof *scene)
        mutate_seal(scene, size);
    if (corbel_scene_verify(scene, size, why))
        trace(scene);
    free(scene);
    return 0;
}
