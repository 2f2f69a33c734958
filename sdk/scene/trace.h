/*
 * Hit records: made by tracing a scene natively, compared with others. A file
 * of them holds for each pixel, row by row from the bottom one, a uint32
 * triangle index and a float32 distance, little-endian; a miss has index
 * 0xffffffff and distance -1.
 */
#ifndef SCENE_TRACE_H
#define SCENE_TRACE_H

#include <corbel/rays.h>
#include <corbel/scene.h>
#include <stdint.h>

struct hit_record {
    uint32_t index;
    float distance;
};

struct view {
    double eye[3], look[3], fov; /* fov: vertical, degrees */
    unsigned width, height;
    unsigned stack_entries;
};

/*
 * One ray a pixel, by the camera convention of samples/common/camera.h. Prints
 * what was hit and counted; writes the records if hits is not NULL.
 */
void trace_view(const struct corbel_scene *scene, const struct view *view,
                const char *hits);

/* Traces a buffer of rays; prints what was hit, counted and read. */
void trace_rays(const struct corbel_scene *scene,
                const struct corbel_rays *rays, unsigned stack_entries);

/*
 * True if two files of records agree: the same hits and misses, distances
 * within 1e-5 relative. Triangles may differ at equal distance. Prints the
 * first differences and a summary. .xz and .gz are decompressed.
 */
bool hits_compare(const char *a, const char *b);

#endif
