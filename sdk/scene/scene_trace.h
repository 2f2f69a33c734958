/*
 * Hit records: made by tracing a scene natively, by Corbel or by Embree, and
 * compared (compare.c). Those of a view are short: for each pixel, row by row
 * from the bottom one, a uint32 triangle index and a float32 distance,
 * little-endian; a miss has index 0xffffffff and distance -1. Those of a buffer
 * of rays are full: a struct corbel_hit each, as the RT cores write them.
 */
#ifndef SCENE_TRACE_H
#define SCENE_TRACE_H

/* The full stack of any scene: nothing is restarted. */
#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST

#include "tree.h"

#include <corbel/rays.h>
#include <corbel/scene.h>
#include <stdbool.h>
#include <stdint.h>

/* A short record. */
struct hit_record {
    uint32_t index;
    float distance;
};

/*
 * A picture of a scene: camera, pixels, and the stack entries of a traversal.
 */
struct view {
    double eye[3], look[3], fov; /* fov: vertical, degrees */
    unsigned width, height;
    unsigned stack_entries; /* 0: full */
};

/* What traces a buffer of rays. */
struct tracer {
    bool embree;
    enum quality quality;   /* of Embree's tree */
    unsigned stack_entries; /* of Corbel's traversal, 0: full */
};

/*
 * One ray a pixel, by the camera convention of corbel/camera.h. Prints
 * what was hit and counted; writes the records if hits is not NULL.
 */
void trace_view(const struct corbel_scene *scene, const struct view *view,
                const char *hits);

/*
 * Traces a buffer of rays; prints what was hit, counted and read, but for
 * Embree. Writes the records if hits is not NULL.
 */
void trace_rays(const struct corbel_scene *scene,
                const struct corbel_rays *rays, const struct tracer *by,
                const char *hits);

/*
 * True if two files of records agree: the same hits and misses, distances
 * within 1e-5 relative. Triangles may differ at equal distance. Prints the
 * first differences and a summary. .xz and .gz are decompressed. Full records
 * are found to be the same, or refused.
 */
bool hits_compare(const char *a, const char *b);

/*
 * The same of files of full records, of rays in the scene: at most `limit` may
 * differ. Two hits are equal if the distances, and the points that the
 * barycentric coordinates say, are within 1e-5 of the distance and 1e-6 of the
 * scene's largest extent; of another triangle that is a tie: a shared edge, or
 * triangles in each other. The same triangle within 1e-4 extents is a grazing
 * hit. Prints how many there are of each, docs/reference/exactness.md says why.
 */
bool hits_compare_full(const struct corbel_scene *scene, const char *a,
                       const char *b, unsigned limit);

#endif
