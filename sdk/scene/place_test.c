/*
 * The box of an instance holds all that the rounded ray of its object can hit:
 * for rays from near and far, for transforms of any legal condition. Without
 * the padding it does not.
 */
#include "walk_bench.h"

#include "ci/tests/runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define INSTANCES 400 /* as usual */
#define RAYS 200      /* of each */

/* The corners of a flat square, or anywhere, at some distance from 0. */
static void random_object(struct corbel_triangle object[2], bool flat)
{
    const float away = bench_coin() ? 0 : bench_uniform(-100, 100);
    float point[4][3];
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++)
            point[c][k] = flat
                              ? away + (k == 1 ? 0 : (float)(k ? c / 2 : c % 2))
                              : away + bench_uniform(-1, 1);
    for (int i = 0; i < 2; i++) {
        memcpy(object[i].v[0], point[0], sizeof point[0]);
        memcpy(object[i].v[1], point[i ? 3 : 1], sizeof point[0]);
        memcpy(object[i].v[2], point[i ? 2 : 3], sizeof point[0]);
    }
}

/* A legal instance; its bounds and reach are the object's. */
static struct corbel_box random_instance(struct corbel_instance *instance,
                                         const struct corbel_triangle object[2])
{
    struct corbel_box bounds = corbel_box_none();
    float transform[3][4];
    memset(instance, 0, sizeof *instance);
    do {
        bench_matrix(transform, powf(10, bench_uniform(-3, 3)),
                     powf(10, bench_uniform(0, 5)));
        for (int i = 0; i < 3; i++) { /* scaled again, behind the rotation */
            const float scale = powf(10, bench_uniform(0, 2));
            for (int k = 0; k < 3; k++)
                transform[i][k] *= scale;
        }
        for (int k = 0; k < 3; k++)
            transform[k][3] = bench_coin() ? 0 : bench_uniform(-1e3f, 1e3f);
    } while (!corbel_instance_place(instance, transform));
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) {
                const float x = object[i].v[c][k];
                bounds.min[k] = x < bounds.min[k] ? x : bounds.min[k];
                bounds.max[k] = x > bounds.max[k] ? x : bounds.max[k];
                instance->reach = fmaxf(instance->reach, fabsf(x));
            }
    return bounds;
}

/* At a corner or a point of an edge, or past it by about what rounding moves
 * the object's ray, from up to `far` lengths of the box. */
static struct corbel_ray ray_at(const struct corbel_instance *instance,
                                const struct corbel_triangle object[2],
                                const struct corbel_box *box, double condition,
                                float far)
{
    double inverse[3][3], m[3][3];
    const struct corbel_triangle *t = &object[rand() % 2];
    const float *a = t->v[rand() % 3], *b = t->v[rand() % 3];
    const float part = bench_coin() ? 0 : bench_uniform(0, 1);
    const float from = far * (float)corbel_box_extent(box);
    const float past = bench_coin() ? 0 : 0x1p-24f * (float)condition * from;
    struct corbel_ray ray = {.tmax = INFINITY};
    corbel_instance_matrix(instance, inverse, m);
    for (int i = 0; i < 3; i++) {
        double target = instance->origin[i];
        for (int k = 0; k < 3; k++)
            target += m[i][k] * (a[k] + part * ((double)b[k] - a[k]));
        target += bench_uniform(-past, past);
        ray.o[i] = bench_uniform(box->min[i] - from, box->max[i] + from);
        ray.d[i] = (float)(target - ray.o[i]);
        if (rand() % 8 == 0) {
            ray.o[i] = (float)target;
            ray.d[i] = 0;
        }
    }
    return ray;
}

static bool hits(const struct corbel_instance *instance,
                 const struct corbel_triangle object[2],
                 const struct corbel_ray *world)
{
    struct corbel_ray ray, inverse;
    struct corbel_hit hit = {world->tmax, 0, 0, CORBEL_MISS};
    corbel_instance_ray(instance, world, &ray);
    if (corbel_ray_invert(&ray, &inverse))
        for (uint32_t i = 0; i < 2; i++)
            corbel_triangle_test(&ray, &object[i], i, &hit);
    return hit.index != CORBEL_MISS;
}

static bool enters(const struct corbel_ray *world, struct corbel_box box,
                   float widen)
{
    struct corbel_ray inverse;
    if (!corbel_ray_invert(world, &inverse))
        return true;
    for (int k = 0; k < 3 && widen > 0; k++)
        corbel_traversal_widen(widen, &box.min[k], &box.max[k]);
    inverse.tmax = INFINITY;
    return corbel_box_test(&inverse, &box) < INFINITY;
}

struct seen {
    unsigned hit;
    unsigned unpadded, unwidened; /* lost by boxes without that */
};

/* The upper tree of this instance alone. */
static void try_instance(bool flat, struct seen *seen)
{
    struct corbel_triangle object[2];
    struct corbel_instance instance;
    struct corbel_instance_frame frame = {0};
    struct corbel_tree upper = {0};
    random_object(object, flat);
    const struct corbel_box bounds = random_instance(&instance, object);
    assert_true(corbel_instance_box(&instance, &bounds, &upper.bounds, &frame));
    const double near =
        CORBEL_INSTANCES_NEAR * corbel_box_extent(&upper.bounds);
    struct corbel_box padded = upper.bounds;
    corbel_instance_pad(&frame, instance.reach, near, &padded);
    upper.extent = corbel_round_down(near);
    upper.widen = corbel_instances_widen(frame.norm * frame.inverse_norm);
    const double condition = frame.norm * frame.inverse_norm;
    for (int i = 0; i < RAYS; i++) {
        static const float far[] = {.1f, 3, 10, 1e6f, 1e6f};
        const struct corbel_ray ray = ray_at(&instance, object, &upper.bounds,
                                             condition, far[rand() % 5]);
        if (!hits(&instance, object, &ray))
            continue;
        seen->hit++;
        seen->unpadded += !enters(&ray, upper.bounds, 0);
        seen->unwidened += !enters(&ray, padded, 0);
        if (!enters(&ray, padded, corbel_tree_widening(&upper, ray.o)))
            fail_msg("lost: condition %g, flat %d, %a %a %a to %a %a %a",
                     frame.norm * frame.inverse_norm, flat, ray.o[0], ray.o[1],
                     ray.o[2], ray.d[0], ray.d[1], ray.d[2]);
    }
}

static void no_hit_is_lost(void **state)
{
    struct seen seen = {0};
    srand(5);
    for (unsigned i = 0; i < test_runs(INSTANCES); i++)
        try_instance(i % 2, &seen);
    print_message("%u hits, %u would be lost without padding, %u without "
                  "widening\n",
                  seen.hit, seen.unpadded, seen.unwidened);
    assert_true(seen.unpadded > 0 && seen.unwidened > 0);
}

/* What cannot be placed is said to be so. */
static void what_has_no_inverse_is_refused(void **state)
{
    struct corbel_instance instance;
    float m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    assert_true(corbel_instance_place(&instance, m));
    m[2][2] = 0;
    assert_false(corbel_instance_place(&instance, m));
    m[2][2] = 0x1p-19f;
    assert_true(corbel_instance_place(&instance, m));
    m[2][2] = 0x1p-21f;
    assert_false(corbel_instance_place(&instance, m));
    m[2][2] = NAN;
    assert_false(corbel_instance_place(&instance, m));
    m[2][2] = 1;
    m[1][3] = INFINITY;
    assert_false(corbel_instance_place(&instance, m));
    m[1][3] = 0x1p41f;
    assert_false(corbel_instance_place(&instance, m));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_hit_is_lost),
        cmocka_unit_test(what_has_no_inverse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
