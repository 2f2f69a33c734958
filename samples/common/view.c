/* Opens the scene, sets up the camera and traces rays; see view.h. */

/*
 * Entries of a software traversal's stack. A short one, so that a kernel fits
 * into 1 KiB: the traversal restarts where it was too short.
 */
#define CORBEL_STACK_MAX 8

#include "view.h"

#include <corbel/traverse.h>
#include <corbel/traverse_isect.h>

#include <errno.h>
#include <math.h>
#include <string.h>

static const struct corbel_scene *open_scene(const struct options *options)
{
    const struct corbel_scene *scene = corbel_scene_open(options->scene);
    if (!scene)
        options_die(options, options->scene,
                    errno == EINVAL ? "not a usable scene, expected a .scene "
                                      "file of corbel-scene"
                                    : strerror(errno));
    return scene;
}

void view_open(struct view *view, const struct options *options)
{
    const struct corbel_scene *scene = open_scene(options);
    double eye[3], look[3];
    double fov = options->has_fov ? options->fov : (double)scene->fov;
    view->scene = scene;
    view->traversal = options->traversal;
    view->longest = 0;
    view->shortest = INFINITY;
    for (int i = 0; i < 3; i++) {
        float side = scene->bounds.max[i] - scene->bounds.min[i];
        view->longest = side > view->longest ? side : view->longest;
        view->shortest = side < view->shortest ? side : view->shortest;
        eye[i] = options->has_eye ? options->eye[i] : (double)scene->eye[i];
        look[i] = options->has_look ? options->look[i] : (double)scene->look[i];
    }
    if (!corbel_camera_init(&view->camera, eye, look, fov, options->width,
                            options->height))
        options_die(options, "the camera looks at the point where it is",
                    "expected --eye and --look to differ");
}

void view_trace_isect(const struct corbel_scene *scene,
                      const struct corbel_ray *ray, unsigned flags,
                      struct corbel_hit *hit)
{
    corbel_traverse_isect(scene, ray, flags, hit);
}

void view_trace_software(const struct corbel_scene *scene,
                         const struct corbel_ray *ray, unsigned flags,
                         struct corbel_hit *hit)
{
    corbel_traverse(scene, ray, flags, hit);
}

void view_normal(const struct view *view, const struct corbel_ray *ray,
                 const struct corbel_hit *hit, float normal[3])
{
    struct corbel_triangle t;
    float a[3], b[3], square = 0, facing = 0;
    corbel_scene_triangle(view->scene, hit->index, &t);
    for (int i = 0; i < 3; i++) {
        a[i] = t.v[1][i] - t.v[0][i];
        b[i] = t.v[2][i] - t.v[0][i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = a[j] * b[k] - a[k] * b[j];
        square = square + normal[i] * normal[i];
        facing = facing + normal[i] * ray->d[i];
    }
    float scale = (facing > 0 ? -1.0f : 1.0f) / sqrtf(square);
    for (int i = 0; i < 3; i++)
        normal[i] = normal[i] * scale;
}
