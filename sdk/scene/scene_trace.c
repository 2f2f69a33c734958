/* Traces views of a scene and buffers of rays; see trace.h. */
#include "scene_trace.h"

#include "embree.h"
#include "sdk/common/file.h"
#include "sdk/common/report.h"

#include <corbel/camera.h>
#include <corbel/traverse.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Through the centre of a pixel, as kernels trace it. */
static struct corbel_ray pixel_ray(const struct corbel_camera *camera,
                                   unsigned x, unsigned y)
{
    struct corbel_ray ray;
    corbel_camera_ray(camera, (float)x + 0.5f, (float)y + 0.5f, &ray);
    return ray;
}

/*
 * Kinds of fetches (corbel/traverse.h), and the unit in which memory is read.
 */
#define FETCH_KINDS 3
#define SECTOR 32 /* bytes */

/* Sums over all rays that were traced. */
struct counts {
    uint64_t rays, hits, nodes, leaves, triangles, restarts;
    uint64_t bytes[FETCH_KINDS], sectors[FETCH_KINDS]; /* by kind of fetch */
    double distance;
};

/* Sectors that a fetch touches, each counted once. */
static unsigned count_sectors(const struct corbel_fetch *fetch)
{
    uint64_t seen[2 * CORBEL_FETCH_PIECES + CORBEL_LEAF_BYTES_MAX / SECTOR];
    unsigned count = 0;
    for (uint32_t i = 0; i < fetch->pieces; i++) {
        uint64_t last = (fetch->offset[i] + fetch->bytes - 1) / SECTOR;
        for (uint64_t s = fetch->offset[i] / SECTOR; s <= last; s++) {
            unsigned k = 0;
            while (k < count && seen[k] != s)
                k++;
            seen[k] = s;
            count += k == count;
        }
    }
    return count;
}

/* Traces a ray step by step, so that what each step fetches can be counted. */
static struct corbel_hit trace_ray(const struct corbel_scene *scene,
                                   const struct corbel_ray *ray,
                                   unsigned stack_entries, struct counts *sum)
{
    const struct corbel_traversal_setup setup = {
        stack_entries > 0 ? stack_entries : corbel_stack_full(scene), true};
    struct corbel_traversal t;
    struct corbel_fetch fetch;
    corbel_traversal_start(&t, scene, ray, CORBEL_CLOSEST, &setup);
    while (corbel_traversal_fetch(&t, scene, &fetch)) {
        sum->bytes[fetch.kind] += (uint64_t)fetch.pieces * fetch.bytes;
        sum->sectors[fetch.kind] += count_sectors(&fetch);
        corbel_traversal_step(&t, scene);
    }
    sum->rays++;
    sum->nodes += t.counts.nodes;
    sum->leaves += t.counts.leaves;
    sum->triangles += t.counts.triangles;
    sum->restarts += t.counts.restarts;
    const struct corbel_hit *hit = corbel_traversal_hit(&t);
    if (hit->index != CORBEL_MISS) {
        sum->hits++;
        sum->distance += hit->t;
    }
    return *hit;
}

/* What a ray reads on average, if nothing is cached. */
static void print_fetches(const struct counts *sum)
{
    static const char *const kind[FETCH_KINDS] = {"nodes", "leaves",
                                                  "vertices"};
    uint64_t bytes = 0, sectors = 0;
    const double rays = (double)sum->rays;
    for (int i = 0; i < FETCH_KINDS; i++) {
        bytes += sum->bytes[i];
        sectors += sum->sectors[i];
    }
    printf("read per ray: %.1f bytes in %.2f sectors", (double)bytes / rays,
           (double)sectors / rays);
    for (int i = 0; i < FETCH_KINDS; i++)
        printf("%s %s %.1f in %.2f", i == 0 ? ":" : ",", kind[i],
               (double)sum->bytes[i] / rays, (double)sum->sectors[i] / rays);
    printf("\n");
}

/* seconds: of the host, spent on tracing. */
static void print_counts(const struct counts *sum, double seconds)
{
    const double rays = (double)sum->rays;
    printf("rays %" PRIu64 ", hits %" PRIu64 " (%.2f %%), mean distance %g\n",
           sum->rays, sum->hits, 100 * (double)sum->hits / rays,
           sum->hits > 0 ? sum->distance / (double)sum->hits : 0);
    printf("per ray: %.2f nodes, %.2f leaves, %.2f triangles, %.3f restarts\n",
           (double)sum->nodes / rays, (double)sum->leaves / rays,
           (double)sum->triangles / rays, (double)sum->restarts / rays);
    print_fetches(sum);
    printf("%.3f s, %.3f Mrays/s\n", seconds, rays / seconds * 1e-6);
}

/* Seconds of a clock that is never set. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Writes `count` records of `size` bytes, as they lie in memory. */
static void write_records(const char *path, const void *records, size_t size,
                          size_t count)
{
    struct whole output;
    output_open(&output, path);
    fwrite(records, size, count, output.file);
    output_close(&output);
}

/* By Corbel's own traversal, on one thread. */
static void trace_all(const struct corbel_scene *scene,
                      const struct corbel_rays *rays, unsigned stack_entries,
                      struct corbel_hit *hits)
{
    const struct corbel_ray *ray = corbel_rays_first(rays);
    struct counts sum = {0};
    const double start = now();
    for (uint32_t i = 0; i < rays->count; i++)
        hits[i] = trace_ray(scene, &ray[i], stack_entries, &sum);
    print_counts(&sum, now() - start);
}

/* Records are full ones, one for each ray of the buffer. */
void trace_rays(const struct corbel_scene *scene,
                const struct corbel_rays *rays, const struct tracer *by,
                const char *path)
{
    struct corbel_hit *hits = allocate(rays->count, sizeof *hits);
    if (by->embree)
        embree_trace(scene, corbel_rays_first(rays), rays->count, by->quality,
                     hits);
    else
        trace_all(scene, rays, by->stack_entries, hits);
    if (path != NULL)
        write_records(path, hits, sizeof *hits, rays->count);
    free(hits);
}

/* Records are short ones, row by row from the bottom. */
void trace_view(const struct corbel_scene *scene, const struct view *view,
                const char *hits)
{
    const size_t pixels = (size_t)view->width * view->height;
    struct hit_record *record = allocate(pixels, sizeof *record);
    struct counts sum = {0};
    struct corbel_camera camera;
    if (!corbel_camera_init(&camera, view->eye, view->look, view->fov,
                            view->width, view->height))
        fail(STATUS_USAGE, "--eye and --look are the same point");
    const double start = now();
    for (size_t i = 0; i < pixels; i++) {
        struct corbel_ray ray = pixel_ray(&camera, (unsigned)(i % view->width),
                                          (unsigned)(i / view->width));
        const struct corbel_hit hit =
            trace_ray(scene, &ray, view->stack_entries, &sum);
        record[i] = (struct hit_record){hit.index,
                                        hit.index == CORBEL_MISS ? -1 : hit.t};
    }
    print_counts(&sum, now() - start);
    if (hits != NULL)
        write_records(hits, record, sizeof *record, pixels);
    free(record);
}
