/*
 * Traces the picture of a scene of instances three ways: by the walk in
 * software, by the walk with the instructions for boxes and triangles, and by
 * trav.traceray. Prints a sum over each one's records, and what was hit.
 */
#include <corbel/corbel.h>
#include <corbel/walk_isect.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct corbel_traversal_setup setup = {6, true};

static uint64_t add(uint64_t sum, const void *record, size_t bytes)
{
    return corbel_hash(record, bytes, sum);
}

/* The program says by the texture whether a leaf is there. */
static unsigned trace(const struct corbel_scene *scene,
                      const struct corbel_ray *ray, bool isect,
                      struct corbel_long_hit *hit)
{
    struct corbel_walk w;
    unsigned asked = 0;
    corbel_walk_start(&w, scene, ray, 0, 0xFF, &setup);
    while ((isect ? corbel_walk_next_isect : corbel_walk_next)(&w, scene) ==
           CORBEL_EVENT_TRIANGLE) {
        asked++;
        corbel_walk_candidate(&w, scene, hit);
        if (corbel_hit_there(scene, hit))
            corbel_walk_accept(&w);
    }
    corbel_walk_hit(&w, scene, hit);
    return asked;
}

int main(int argc, char **argv)
{
    const struct corbel_scene *scene = corbel_scene_open(argv[1]);
    const int side = argc > 2 ? atoi(argv[2]) : 32;
    uint64_t sum[3] = {0};
    unsigned hits = 0, asked = 0, plain = 0;
    if (!scene)
        return 1;
    for (int i = 0; i < side * side; i++) {
        struct corbel_ray ray = {{0, 0, 0}, 0, {0, 0, 0}, 1e30f};
        struct corbel_long_hit hit;
        struct corbel_hit closest;
        memcpy(ray.o, scene->eye, sizeof ray.o);
        for (int k = 0; k < 3; k++)
            ray.d[k] = scene->look[k] - scene->eye[k];
        ray.d[0] += (float)(i % side - side / 2) * 2 * ray.d[2] / (float)side;
        ray.d[1] += (float)(i / side - side / 2) * ray.d[2] / (float)side;
        asked += trace(scene, &ray, false, &hit);
        hits += hit.kind != CORBEL_HIT_NONE;
        sum[0] = add(sum[0], &hit, sizeof hit);
        trace(scene, &ray, true, &hit);
        sum[1] = add(sum[1], &hit, sizeof hit);
        corbel_trace(&ray, CORBEL_CLOSEST, &closest);
        plain += closest.index != CORBEL_MISS;
        sum[2] = add(sum[2], &closest, sizeof closest);
    }
    printf("%u hits, %u asked, %u plain hits\n", hits, asked, plain);
    printf("%s %08lx%08lx\n", sum[0] == sum[1] ? "same" : "different",
           (unsigned long)(sum[0] >> 32), (unsigned long)(uint32_t)sum[0]);
    printf("%08lx%08lx\n", (unsigned long)(sum[2] >> 32),
           (unsigned long)(uint32_t)sum[2]);
    return 0;
}
