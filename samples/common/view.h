/*
 * What is looked at and how: the scene, the camera of the command line or of
 * the scene, and who traces rays. A kernel calls view_trace() and gets the same
 * hit from each of the three traversals.
 */
#ifndef SAMPLES_VIEW_H
#define SAMPLES_VIEW_H

#include <corbel/camera.h>
#include <corbel/corbel.h>
#include <corbel/scene.h>

#include "options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct view {
    const struct corbel_scene *scene;
    struct corbel_camera camera;
    enum traversal traversal;
    float longest, shortest; /* sides of the scene's bounds */
};

/* Opens the scene and sets up the camera. Ends the program on failure. */
void view_open(struct view *view, const struct options *options);

/* The two software traversals, each a function of its own: their frames do
   not add up. */
void view_trace_isect(const struct corbel_scene *scene,
                      const struct corbel_ray *ray, unsigned flags,
                      struct corbel_hit *hit);
void view_trace_software(const struct corbel_scene *scene,
                         const struct corbel_ray *ray, unsigned flags,
                         struct corbel_hit *hit);

static inline void view_trace(const struct view *view,
                              const struct corbel_ray *ray, unsigned flags,
                              struct corbel_hit *hit)
{
    if (view->traversal == TRAVERSAL_RTCORE)
        corbel_trace(ray, flags, hit);
    else if (view->traversal == TRAVERSAL_ISECT)
        view_trace_isect(view->scene, ray, flags, hit);
    else
        view_trace_software(view->scene, ray, flags, hit);
}

/*
 * The unit normal of a triangle that was hit, on the side that the ray came
 * from.
 */
void view_normal(const struct view *view, const struct corbel_ray *ray,
                 const struct corbel_hit *hit, float normal[3]);

/*
 * Puts the ray's origin where it hit, a little above the surface, so that rays
 * that start there do not hit the same surface again. The caller sets the new
 * direction.
 */
static inline void view_move_to_hit(struct corbel_ray *ray,
                                    const struct corbel_hit *hit,
                                    const float normal[3])
{
    float p[3], reach = 0;
    for (int i = 0; i < 3; i++) {
        p[i] = ray->o[i] + hit->t * ray->d[i];
        float a = __builtin_fabsf(p[i]) + __builtin_fabsf(ray->o[i]);
        reach = a > reach ? a : reach;
    }
    for (int i = 0; i < 3; i++)
        ray->o[i] = p[i] + reach * 0x1p-16f * normal[i];
}

#ifdef __cplusplus
}
#endif
#endif
