/*
 * For tests of scenes with instances: random models, rays at them, what a
 * program answers to questions, and the same hits by loops over everything.
 */
#ifndef SCENE_WALK_BENCH_H
#define SCENE_WALK_BENCH_H

#include "model.h"

#include <corbel/place.h>
#include <corbel/walk.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline float bench_uniform(float low, float high)
{
    return low + (high - low) * (float)rand() / (float)RAND_MAX;
}

static inline bool bench_coin(void)
{
    return rand() % 2;
}

static inline void bench_faces(struct mesh *mesh, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t corner[3];
        float centre[3];
        const float size = i % 5 == 0 ? 1 : .2f;
        for (int k = 0; k < 3; k++)
            centre[k] = bench_uniform(-1, 1);
        for (int c = 0; c < 3; c++) {
            float point[3];
            for (int k = 0; k < 3; k++)
                point[k] = centre[k] + size * bench_uniform(-1, 1);
            corner[c] = mesh_add_vertex(mesh, point);
        }
        mesh_add_face(mesh, corner[0], corner[1], corner[2]);
    }
}

/* A grid in a plane: shared edges, a flat box. */
static inline void bench_grid(struct mesh *mesh, uint32_t n)
{
    const uint32_t first = mesh->vertices;
    for (uint32_t i = 0; i < (n + 1) * (n + 1); i++)
        mesh_add_vertex(mesh,
                        (float[]){2 * (float)(i % (n + 1)) / (float)n - 1, 0,
                                  2 * (float)(i / (n + 1)) / (float)n - 1});
    for (uint32_t i = 0; i < n * n; i++) {
        const uint32_t a = first + i / n * (n + 1) + i % n;
        mesh_add_face(mesh, a, a + 1, a + n + 2);
        mesh_add_face(mesh, a, a + n + 2, a + n + 1);
    }
}

static inline void bench_boxes(struct model *model, int count)
{
    for (int i = 0; i < count; i++) {
        struct corbel_box box;
        for (int k = 0; k < 3; k++) {
            box.min[k] = bench_uniform(-1, 1);
            box.max[k] = box.min[k] + bench_uniform(0, .5f);
        }
        if (i % 11 == 10)
            box.min[1] = NAN; /* not there */
        model_add_box(model, &box);
    }
}

/* A rotation by three angles, times scales of `ratio` at most to each other, of
 * either handedness, sometimes sheared. */
static inline void bench_matrix(float m[3][4], float scale, float ratio)
{
    static const int plane[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    memset(m, 0, 12 * sizeof(float));
    for (int i = 0; i < 3; i++)
        m[i][i] =
            scale * powf(ratio, bench_uniform(0, 1)) * (bench_coin() ? 1 : -1);
    if (bench_coin())
        m[0][1] = scale * bench_uniform(-1, 1);
    for (int r = 0; r < 3 && rand() % 4; r++) {
        const float angle = bench_uniform(0, 6.2831853f);
        const int p = plane[r][0], q = plane[r][1];
        for (int k = 0; k < 3; k++) {
            const float a = m[p][k], b = m[q][k];
            m[p][k] = cosf(angle) * a - sinf(angle) * b;
            m[q][k] = sinf(angle) * a + cosf(angle) * b;
        }
    }
}

/* Four lower trees: faces of two geometries, a grid, nothing, boxes of two. */
static inline void bench_trees(struct model *model)
{
    model_begin(model, CORBEL_TREE_INSTANCES);
    model_add_tree(model, CORBEL_TREE_TRIANGLES);
    model_add_geometry(model, CORBEL_GEOMETRY_OPAQUE, 0);
    bench_faces(&model->mesh, 40);
    model_add_geometry(model, 0, 1);
    bench_faces(&model->mesh, 40);
    model_add_tree(model, CORBEL_TREE_TRIANGLES);
    model_add_geometry(model, 0, 5);
    bench_grid(&model->mesh, 5);
    model_add_tree(model, CORBEL_TREE_TRIANGLES);
    model_add_geometry(model, CORBEL_GEOMETRY_OPAQUE, 0);
    model_add_tree(model, CORBEL_TREE_BOXES);
    model_add_geometry(model, CORBEL_GEOMETRY_OPAQUE, 2);
    bench_boxes(model, 20);
    model_add_geometry(model, 0, 3);
    bench_boxes(model, 20);
}

/* Within `radius`; every seventh is there twice. */
static inline void bench_instances(struct model *model, uint32_t count,
                                   float radius)
{
    for (uint32_t i = 0; i < count; i++) {
        struct model_instance instance = {.tree = 1 + (uint32_t)rand() % 4,
                                          .custom = 1000 + i,
                                          .record = 10 * i,
                                          .mask = (uint8_t)(rand() % 256),
                                          .flags = (uint8_t)(rand() % 16)};
        const float scale = radius * powf(10, bench_uniform(-3, 0));
        bench_matrix(instance.transform, scale, rand() % 3 ? 1 : 30);
        for (int k = 0; k < 3; k++)
            instance.transform[k][3] = bench_uniform(-radius, radius);
        if ((instance.flags & 12) == 12)
            instance.flags &= 3;
        model_add_instance(model, &instance);
        if (i % 7 == 6)
            model_add_instance(model, &instance);
    }
}

/* A point of an instance of the scene, as it stands in the world. */
static inline void bench_target(const struct corbel_scene *scene,
                                float target[3])
{
    const uint32_t number = (uint32_t)rand() % scene->instances;
    const struct corbel_placement *p = corbel_scene_placement(scene, number);
    const struct corbel_tree *tree = corbel_scene_tree(scene, p->tree);
    float point[3] = {0, 0, 0};
    if (tree->kind == CORBEL_TREE_TRIANGLES && rand() % 4) {
        const struct corbel_geometry *g =
            corbel_scene_geometry(scene, tree->first_geometry);
        struct corbel_triangle t;
        if (g->count > 0) {
            corbel_scene_triangle(scene, g->first + (uint32_t)rand() % g->count,
                                  &t);
            const float a = bench_coin() ? 0 : bench_uniform(0, 1);
            for (int k = 0; k < 3; k++)
                point[k] = t.v[0][k] + a * (t.v[1][k] - t.v[0][k]);
        }
    } else {
        for (int k = 0; k < 3; k++)
            point[k] = bench_uniform(-1, 1);
    }
    for (int i = 0; i < 3; i++)
        target[i] = p->transform[i][0] * point[0] +
                    p->transform[i][1] * point[1] +
                    p->transform[i][2] * point[2] + p->transform[i][3];
}

/* From inside, outside or far away at something. */
static inline struct corbel_ray bench_ray(const struct corbel_scene *scene,
                                          float radius)
{
    static const float reach[] = {.5f, 1, 3, 20, 500};
    const float from = radius * reach[rand() % 5];
    struct corbel_ray ray = {.tmin = 0, .tmax = INFINITY};
    float target[3];
    bench_target(scene, target);
    for (int k = 0; k < 3; k++) {
        ray.o[k] = bench_uniform(-from, from);
        ray.d[k] = target[k] - ray.o[k];
    }
    if (rand() % 4 == 0) { /* along an axis */
        const int axis = rand() % 3;
        for (int k = 0; k < 3; k++) {
            if (k != axis)
                ray.o[k] = target[k];
            ray.d[k] = k == axis ? (bench_coin() ? 1 : -1) : 0;
        }
    }
    if (rand() % 5 == 0)
        ray.tmax = bench_uniform(.5f, 2);
    return ray;
}

/* ---- the program ---- */

/* Is a triangle there? By what a program knows of it, and nothing else. */
static inline bool bench_there(const struct corbel_hit *hit, uint32_t instance)
{
    return (hit->index * 7 + instance * 3 + (hit->b1 > .3f)) % 3 != 0;
}

/* Where a ray meets the sphere that fills most of a box, farther than tmin. */
static inline bool bench_sphere(const struct corbel_ray *ray,
                                const struct corbel_box *box, float *t)
{
    double radius = INFINITY, a = 0, b = 0, c = 0;
    for (int k = 0; k < 3; k++) {
        const double half = ((double)box->max[k] - box->min[k]) / 2;
        const double o = ray->o[k] - ((double)box->max[k] + box->min[k]) / 2;
        radius = fmin(radius, half * .9);
        a += (double)ray->d[k] * ray->d[k];
        b += o * ray->d[k];
        c += o * o;
    }
    const double d = b * b - a * (c - radius * radius);
    if (!(d > 0))
        return false;
    *t = (float)((-b - sqrt(d)) / a);
    return *t >= ray->tmin;
}

/* Boxes by their numbers, from the model. */
static inline void bench_answer(struct corbel_walk *w,
                                const struct corbel_scene *scene,
                                const struct corbel_box *boxes)
{
    struct corbel_long_hit found;
    struct corbel_ray ray;
    float t;
    corbel_walk_candidate(w, scene, &found);
    if (corbel_walk_event(w) == CORBEL_EVENT_TRIANGLE) {
        const struct corbel_hit hit = {found.t, found.b1, found.b2,
                                       found.index};
        if (bench_there(&hit, found.instance))
            corbel_walk_accept(w);
        return;
    }
    corbel_walk_object_ray(w, &ray);
    if (bench_sphere(&ray, &boxes[found.index], &t))
        corbel_walk_report(w, t, .25f, .5f);
}

static inline void bench_walk(const struct corbel_scene *scene,
                              const struct corbel_ray *ray, unsigned flags,
                              unsigned mask, unsigned stack,
                              const struct corbel_box *boxes,
                              struct corbel_long_hit *hit)
{
    const struct corbel_traversal_setup setup = {stack, stack % 2};
    struct corbel_walk w;
    corbel_walk_start(&w, scene, ray, flags, mask, &setup);
    while (corbel_walk_next(&w, scene) >= CORBEL_EVENT_TRIANGLE)
        bench_answer(&w, scene, boxes);
    corbel_walk_hit(&w, scene, hit);
}

/* ---- the same by loops: rules written down again, from the documents ---- */

struct bench_loop {
    const struct corbel_scene *scene;
    const struct corbel_box *boxes;
    unsigned flags, mask;
    struct corbel_long_hit best;
};

/* Does an opaque or non-opaque thing count, and is it opaque? */
static inline bool bench_counts(unsigned flags, unsigned instance, bool opaque,
                                bool *counts_as)
{
    if (instance & 4)
        opaque = true;
    if (instance & 8)
        opaque = false;
    if (flags & 1)
        opaque = true;
    if (flags & 2)
        opaque = false;
    *counts_as = opaque;
    return !(opaque && flags & 64) && !(!opaque && flags & 128);
}

static inline void bench_better(struct bench_loop *l, uint32_t instance,
                                const struct corbel_hit *hit, uint32_t kind)
{
    const struct corbel_long_hit *b = &l->best;
    if (hit->t > b->t || (hit->t == b->t && instance > b->instance) ||
        (hit->t == b->t && instance == b->instance && hit->index >= b->index))
        return;
    corbel_long_hit_of(l->scene, hit, instance, kind, &l->best);
}

/* Does the ray see the front? By the normal, as a second opinion, unless it is
 * seen so nearly edge-on, or from so far away, that rounding decides. */
static inline bool bench_front(const struct corbel_ray *ray,
                               const struct corbel_triangle *triangle)
{
    const float(*v)[3] = triangle->v;
    double n = 0, terms = 0, reach = 0, edge = 0, length = 0;
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        const double a = (double)v[1][p] - v[0][p];
        const double b = (double)v[2][q] - v[0][q];
        const double c = (double)v[1][q] - v[0][q];
        const double d = (double)v[2][p] - v[0][p];
        n += (a * b - c * d) * ray->d[k];
        terms += (fabs(a * b) + fabs(c * d)) * fabs((double)ray->d[k]);
        edge = fmax(edge, fmax(fabs(a), fabs(d)));
        length = fmax(length, fabs((double)ray->d[k]));
        for (int i = 0; i < 3; i++)
            reach = fmax(reach, fabs((double)v[i][k] - ray->o[k]));
    }
    if (fabs(n) > 1e-3 * terms + 1e-5 * reach * edge * length)
        return n < 0;
    return corbel_triangle_culled(ray, triangle, CORBEL_CULL_FRONT);
}

static inline void bench_loop_face(struct bench_loop *l,
                                   const struct corbel_ray *ray,
                                   uint32_t instance, unsigned its, bool opaque,
                                   uint32_t face)
{
    struct corbel_hit hit = {ray->tmax, 0, 0, CORBEL_MISS};
    struct corbel_triangle triangle;
    bool is;
    corbel_scene_triangle(l->scene, face, &triangle);
    if (l->flags & 256 || !bench_counts(l->flags, its, opaque, &is) ||
        !corbel_triangle_test(ray, &triangle, face, &hit))
        return;
    const bool front = bench_front(ray, &triangle) != !!(its & 2);
    if (!(its & 1) && l->flags & (front ? 32 : 16))
        return;
    if (is || bench_there(&hit, instance))
        bench_better(l, instance, &hit,
                     front ? CORBEL_HIT_FRONT : CORBEL_HIT_BACK);
}

static inline void bench_loop_box(struct bench_loop *l,
                                  const struct corbel_ray *ray,
                                  uint32_t instance, unsigned its, bool opaque,
                                  uint32_t number)
{
    struct corbel_hit hit = {0, .25f, .5f, number};
    bool is;
    if (l->flags & 512 || isnan(l->boxes[number].min[1]) ||
        !bench_counts(l->flags, its, opaque, &is) ||
        !bench_sphere(ray, &l->boxes[number], &hit.t) || hit.t > ray->tmax)
        return;
    bench_better(l, instance, &hit, CORBEL_HIT_BOX);
}

static inline void bench_loop_tree(struct bench_loop *l,
                                   const struct corbel_ray *ray,
                                   uint32_t number, uint32_t instance,
                                   unsigned its)
{
    const struct corbel_tree *tree = corbel_scene_tree(l->scene, number);
    for (uint32_t i = 0; i < tree->geometries; i++) {
        const struct corbel_geometry *g =
            corbel_scene_geometry(l->scene, tree->first_geometry + i);
        for (uint32_t k = g->first; k < g->first + g->count; k++)
            (tree->kind == CORBEL_TREE_BOXES
                 ? bench_loop_box
                 : bench_loop_face)(l, ray, instance, its, g->flags & 1, k);
    }
}

static inline void bench_loops(const struct corbel_scene *scene,
                               const struct corbel_ray *ray, unsigned flags,
                               unsigned mask, const struct corbel_box *boxes,
                               struct corbel_long_hit *hit)
{
    struct bench_loop l = {scene, boxes, flags, mask, {0}};
    l.best.t = ray->tmax;
    l.best.instance = l.best.index = CORBEL_MISS;
    for (uint32_t i = 0; i < scene->instances; i++) {
        const struct corbel_placement *p = corbel_scene_placement(scene, i);
        const struct corbel_instance *at = corbel_scene_line(scene, p->line);
        struct corbel_ray object, inverse;
        corbel_instance_ray(at, ray, &object);
        if (at->mask & mask && corbel_ray_invert(&object, &inverse))
            bench_loop_tree(&l, &object, p->tree, i, at->flags);
    }
    *hit = l.best;
}

#endif
