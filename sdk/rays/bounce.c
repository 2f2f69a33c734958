/* Follows the path of each pixel; see bounce.h. */
#include "bounce.h"

#include "sdk/common/report.h"

#include <corbel/math.h>
#include <corbel/traverse.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/*
 * The unit normal of a triangle, (v0 - v2) x (v1 - v2); in double precision,
 * where the cross product of any triangle with an area is not 0.
 */
static void triangle_normal(const struct corbel_scene *scene, uint32_t index,
                            float normal[3])
{
    struct corbel_triangle t;
    double a[3], b[3], n[3], square = 0;
    corbel_scene_triangle(scene, index, &t);
    for (int i = 0; i < 3; i++) {
        a[i] = (double)t.v[0][i] - t.v[2][i];
        b[i] = (double)t.v[1][i] - t.v[2][i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = a[j] * b[k] - a[k] * b[j];
        square = square + n[i] * n[i];
    }
    double length = sqrt(square);
    for (int i = 0; i < 3; i++)
        normal[i] = (float)(n[i] / length);
}

/* Turns the normal round if it points the way that the ray goes. */
static void turn_against(const float direction[3], float normal[3])
{
    float along = normal[0] * direction[0] + normal[1] * direction[1] +
                  normal[2] * direction[2];
    for (int i = 0; i < 3 && along > 0; i++)
        normal[i] = -normal[i];
}

/*
 * Two random numbers in [0, 1) to a direction around the unit normal, its
 * density proportional to the cosine of the angle between them: the normal
 * plus a point of the unit sphere, normalised.
 */
static void cosine_direction(float a, float b, const float normal[3],
                             float direction[3])
{
    float x, y, z = 1 - 2 * a, r = sqrtf(1 - z * z), square = 0;
    corbel_sincos_turns(b, &y, &x);
    const float sphere[3] = {r * x, r * y, z};
    for (int i = 0; i < 3; i++) {
        direction[i] = normal[i] + sphere[i];
        square = square + direction[i] * direction[i];
    }
    float length = sqrtf(square);
    for (int i = 0; i < 3; i++)
        direction[i] = square > 0x1p-20f ? direction[i] / length : normal[i];
}

/* The ray goes on from where it hit. bounce: 1 for the first. */
static void bounce_off(const struct bounce *b, uint32_t pixel, unsigned bounce,
                       const struct corbel_hit *hit, struct corbel_ray *ray)
{
    const struct corbel_rays *header = b->header;
    float normal[3];
    triangle_normal(b->scene, hit->index, normal);
    if (header->normals == CORBEL_NORMALS_FACING)
        turn_against(ray->d, normal);
    for (int i = 0; i < 3; i++)
        ray->o[i] = ray->o[i] + hit->t * ray->d[i];
    cosine_direction(corbel_random_float(pixel, header->seed, 2 * bounce),
                     corbel_random_float(pixel, header->seed, 2 * bounce + 1),
                     normal, ray->d);
    ray->tmin = header->tmin;
    ray->tmax = header->tmax;
}

/* A path that leaves the scene ends: the ray is dead, which its tmax says.
 * Bounces are counted by the header's kind: 0, 1 or 2 of them. */
void bounce_ray(const struct bounce *b, uint32_t pixel, struct corbel_ray *ray)
{
    const struct corbel_rays *header = b->header;
    struct corbel_hit hit;
    corbel_camera_ray(&b->camera, (float)(pixel % header->width) + 0.5f,
                      (float)(pixel / header->width) + 0.5f, ray);
    ray->tmin = header->kind == CORBEL_RAYS_PRIMARY ? header->tmin : 0;
    ray->tmax = header->tmax;
    for (unsigned bounce = 1; bounce <= header->kind; bounce++) {
        corbel_traverse(b->scene, ray, CORBEL_CLOSEST, &hit);
        if (hit.index == CORBEL_MISS) {
            ray->tmin = header->tmin;
            ray->tmax = CORBEL_RAYS_DEAD_TMAX;
            return;
        }
        bounce_off(b, pixel, bounce, &hit, ray);
    }
}

/* Threads take pieces of the picture. */
struct work {
    const struct bounce *bounce;
    struct corbel_ray *rays;
    _Atomic uint32_t next, dead;
};

enum { PIECE = 1024 };

/* A thread's part: pieces until none is left. Rays depend on their pixel alone,
 * so it does not matter which thread makes them. */
static void *work_off(void *argument)
{
    struct work *work = argument;
    const uint32_t count = work->bounce->header->count;
    uint32_t i, dead = 0;
    while ((i = atomic_fetch_add(&work->next, PIECE)) < count)
        for (uint32_t end = count - i < PIECE ? count : i + PIECE; i < end;
             i++) {
            bounce_ray(work->bounce, i, &work->rays[i]);
            dead += corbel_ray_is_dead(&work->rays[i]);
        }
    atomic_fetch_add(&work->dead, dead);
    return NULL;
}

/* The calling thread is one of them. */
uint32_t bounce_all(const struct bounce *bounce, unsigned threads,
                    struct corbel_ray *rays)
{
    struct work work = {.bounce = bounce, .rays = rays};
    pthread_t *thread = allocate(threads, sizeof *thread);
    for (unsigned i = 1; i < threads; i++)
        if (pthread_create(&thread[i], NULL, work_off, &work) != 0)
            fail(STATUS_OUTPUT, "cannot start a thread");
    work_off(&work);
    for (unsigned i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    return work.dead;
}
