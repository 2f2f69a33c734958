/*
 * Buffers of rays: what a path tracer's paths do at their first, second or
 * third segment, one path for each pixel.
 */
#ifndef RAYS_BOUNCE_H
#define RAYS_BOUNCE_H

#include <corbel/camera.h>
#include <corbel/rays.h>
#include <corbel/scene.h>

struct bounce {
    const struct corbel_scene *scene;
    const struct corbel_rays *header; /* width .. tmax are set */
    struct corbel_camera camera;
};

/*
 * The ray of one pixel, as the header's kind wants it; dead if its path left
 * the scene. Depends on nothing but the arguments.
 */
void bounce_ray(const struct bounce *bounce, uint32_t pixel,
                struct corbel_ray *ray);

/* Traces all rays by `threads` threads (at least 1). Returns how many are dead.
 */
uint32_t bounce_all(const struct bounce *bounce, unsigned threads,
                    struct corbel_ray *rays);

#endif
