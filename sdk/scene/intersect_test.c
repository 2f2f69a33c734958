/* Ray/box and ray/triangle tests on hard and absurd input. */
#include <corbel/semantics.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct corbel_ray ray_of(float ox, float oy, float oz, float dx,
                                float dy, float dz)
{
    return (struct corbel_ray){{ox, oy, oz}, 0, {dx, dy, dz}, INFINITY};
}

static const struct corbel_box unit_box = {{0, 0, 0}, {1, 1, 1}};

/* Where the box test says that a ray enters; INFINITY: a miss. */
static float entry_of(struct corbel_ray ray, const struct corbel_box *box)
{
    struct corbel_ray inverse;
    assert_true(corbel_ray_invert(&ray, &inverse));
    return corbel_box_test(&inverse, box);
}

static bool hits(struct corbel_ray ray, const struct corbel_triangle *triangle,
                 struct corbel_hit *hit)
{
    *hit = (struct corbel_hit){.t = ray.tmax, .index = CORBEL_MISS};
    return corbel_triangle_test(&ray, triangle, 7, hit);
}

static float uniform(float low, float high)
{
    return low + (high - low) * (float)rand() / (float)RAND_MAX;
}

static void a_box_is_entered_at_its_near_face(void **state)
{
    assert_float_equal(entry_of(ray_of(-1, .5f, .5f, 1, 0, 0), &unit_box), 1,
                       0);
    assert_float_equal(entry_of(ray_of(3, .5f, .5f, -2, 0, 0), &unit_box), 1,
                       0);
    assert_float_equal(entry_of(ray_of(.5f, .5f, .5f, 1, 2, 3), &unit_box), 0,
                       0);
}

static void a_box_behind_or_beside_is_missed(void **state)
{
    assert_true(isinf(entry_of(ray_of(2, .5f, .5f, 1, 0, 0), &unit_box)));
    assert_true(isinf(entry_of(ray_of(-1, 1.01f, .5f, 1, 0, 0), &unit_box)));
    assert_true(isinf(entry_of(ray_of(-1, -1, .5f, 1, 0.1f, 0), &unit_box)));
}

static void a_ray_within_a_face_meets_the_box(void **state)
{
    for (int zeros = 0; zeros < 4; zeros++) {
        float y = zeros & 1 ? -0.0f : 0.0f, z = zeros & 2 ? -0.0f : 0.0f;
        assert_float_equal(entry_of(ray_of(-1, 0, 0, 1, y, z), &unit_box), 1,
                           0);
        assert_float_equal(entry_of(ray_of(-1, 1, 1, 1, y, z), &unit_box), 1,
                           0);
    }
}

static void a_flat_box_is_met(void **state)
{
    const struct corbel_box flat = {{0, .3f, 0}, {1, .3f, 1}};
    for (int i = 0; i < 10000; i++) {
        float x = uniform(0.01f, .99f), z = uniform(0.01f, .99f);
        float oy = uniform(1, 100), ox = uniform(-50, 50);
        assert_false(
            isinf(entry_of(ray_of(ox, oy, z, x - ox, .3f - oy, 0), &flat)));
    }
}

static void infinite_reciprocals_and_nans_never_lose_a_box(void **state)
{
    struct corbel_ray inverse = ray_of(0, .5f, .5f, INFINITY, 1, INFINITY);
    assert_false(isinf(corbel_sem_boxisect(&inverse, &unit_box)));
    inverse = ray_of(1, 1, -1, -INFINITY, -INFINITY, 1);
    assert_false(isinf(corbel_sem_boxisect(&inverse, &unit_box)));
    inverse = ray_of(.5f, .5f, .5f, NAN, NAN, NAN);
    assert_float_equal(corbel_sem_boxisect(&inverse, &unit_box), 0, 0);
}

static void a_box_at_tmax_counts_as_missed(void **state)
{
    struct corbel_ray ray = ray_of(-1, .5f, .5f, 1, 0, 0), inverse;
    ray.tmax = 1;
    corbel_ray_invert(&ray, &inverse);
    assert_float_equal(corbel_box_test(&inverse, &unit_box), 1, 0);
    inverse.tmax = corbel_float_after(1);
    assert_true(corbel_box_test(&inverse, &unit_box) < inverse.tmax);
}

static void the_float_after_is_the_next_one(void **state)
{
    const float values[] = {0, 1, 1e-45f, 0x1p-126f, 3e38f, -1, -1e-45f, 1e30f};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_true(corbel_float_after(values[i]) ==
                    nextafterf(values[i], INFINITY));
    assert_true(corbel_float_after(-0.0f) > 0);
    assert_true(isinf(corbel_float_after(INFINITY)));
}

static void a_ray_without_direction_or_with_nan_is_not_valid(void **state)
{
    struct corbel_ray inverse,
        bad[] = {
            ray_of(0, 0, 0, 0, 0, 0),      ray_of(0, 0, 0, NAN, 1, 0),
            ray_of(0, 0, 0, 1, NAN, 0),    ray_of(0, 0, 0, INFINITY, 1, 0),
            ray_of(NAN, 0, 0, 1, 0, 0),    ray_of(0, INFINITY, 0, 1, 0, 0),
            ray_of(0, 0, 0, 1e-30f, 0, 0), ray_of(0, 0, 0, 1e30f, 0, 0),
        };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(corbel_ray_invert(&bad[i], &inverse));
    struct corbel_ray empty = ray_of(0, 0, 0, 1, 0, 0);
    empty.tmin = 2;
    empty.tmax = 1;
    assert_false(corbel_ray_invert(&empty, &inverse));
}

static const struct corbel_triangle plain = {{{0, 0, 5}, {2, 0, 5}, {0, 2, 5}}};

static void a_triangle_is_hit_from_both_sides(void **state)
{
    struct corbel_hit hit;
    assert_true(hits(ray_of(.5f, 1, 0, 0, 0, 1), &plain, &hit));
    assert_float_equal(hit.t, 5, 0);
    assert_float_equal(hit.b1, .25f, 0);
    assert_float_equal(hit.b2, .5f, 0);
    assert_int_equal(hit.index, 7);
    assert_true(hits(ray_of(.5f, 1, 10, 0, 0, -1), &plain, &hit));
    assert_float_equal(hit.b1, .25f, 0);
    assert_false(hits(ray_of(1.5f, 1, 0, 0, 0, 1), &plain, &hit));
    assert_false(hits(ray_of(.5f, 1, 0, 0, 0, -1), &plain, &hit));
    assert_false(hits(ray_of(0, 0, 5, 1, 1, 0), &plain, &hit));
}

static void a_hit_lies_between_tmin_and_tmax_inclusive(void **state)
{
    struct corbel_ray ray = ray_of(.5f, .5f, 0, 0, 0, 1);
    struct corbel_hit hit;
    ray.tmin = ray.tmax = 5;
    assert_true(hits(ray, &plain, &hit));
    ray.tmax = nextafterf(5, 0);
    ray.tmin = 0;
    assert_false(hits(ray, &plain, &hit));
    ray.tmin = nextafterf(5, 9);
    ray.tmax = 9;
    assert_false(hits(ray, &plain, &hit));
}

static void of_equal_hits_the_smaller_index_stays(void **state)
{
    const struct corbel_ray ray = ray_of(.5f, .5f, 0, 0, 0, 1);
    for (unsigned first = 0; first < 2; first++) {
        struct corbel_hit hit = {.t = INFINITY, .index = CORBEL_MISS};
        corbel_triangle_test(&ray, &plain, first, &hit);
        bool closer = corbel_triangle_test(&ray, &plain, 1 - first, &hit);
        assert_int_equal(hit.index, 0);
        assert_int_equal(closer, first == 1);
    }
}

static void triangles_without_area_are_not_hit(void **state)
{
    const struct corbel_triangle bad[] = {
        {{{0, 0, 5}, {0, 0, 5}, {0, 0, 5}}},
        {{{0, 0, 5}, {1, 1, 5}, {1, 1, 5}}},
        {{{NAN, 0, 5}, {2, 0, 5}, {0, 2, 5}}},
        {{{-INFINITY, 0, 5}, {INFINITY, 0, 5}, {0, INFINITY, 5}}},
    };
    struct corbel_hit hit;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(hits(ray_of(0, 0, 0, 0, 0, 1), &bad[i], &hit));
}

static void nothing_is_hit_by_a_ray_of_nans(void **state)
{
    struct corbel_hit hit;
    for (int i = 0; i < 8; i++) {
        float values[8] = {.2f, .2f, 0, 0, 0, 0, 1, 9};
        struct corbel_ray ray;
        values[i] = NAN;
        memcpy(&ray, values, sizeof ray);
        assert_false(hits(ray, &plain, &hit));
    }
}

static void huge_and_tiny_triangles_are_hit(void **state)
{
    for (int exponent = -60; exponent <= 60; exponent += 2) {
        const float s = ldexpf(1, exponent);
        const struct corbel_triangle scaled = {
            {{0, 0, 5 * s}, {2 * s, 0, 5 * s}, {0, 2 * s, 5 * s}}};
        struct corbel_hit hit;
        assert_true(hits(ray_of(.5f * s, s, 0, 0, 0, 1), &scaled, &hit));
        assert_float_equal(hit.t, 5 * s, 0);
        assert_false(hits(ray_of(1.5f * s, s, 0, 0, 0, 1), &scaled, &hit));
    }
}

static void random_point(float scale, float point[3])
{
    for (int i = 0; i < 3; i++)
        point[i] = uniform(-scale, scale);
}

/*
 * A fan of triangles around an apex covers a disc: a ray at the apex, at a
 * spoke or between must hit at least one of them.
 */
static void no_ray_slips_between_triangles_that_share_an_edge(void **state)
{
    enum { SPOKES = 7 };
    for (int i = 0; i < 100000; i++) {
        float apex[3], rim[SPOKES][3], eye[3], aim[3];
        random_point(1, apex);
        random_point(10, eye);
        eye[2] = 20;
        for (int k = 0; k < SPOKES; k++) {
            const double angle = 6.2831853 * k / SPOKES;
            rim[k][0] = apex[0] + (float)cos(angle);
            rim[k][1] = apex[1] + (float)sin(angle);
            rim[k][2] = apex[2] + uniform(-.1f, .1f);
        }
        const float along = i % 3 == 0 ? 0 : uniform(0, .8f);
        const float *spoke = rim[i % SPOKES];
        for (int k = 0; k < 3; k++)
            aim[k] = apex[k] + along * (spoke[k] - apex[k]) - eye[k];
        struct corbel_hit hit = {.t = INFINITY, .index = CORBEL_MISS};
        struct corbel_ray ray =
            ray_of(eye[0], eye[1], eye[2], aim[0], aim[1], aim[2]);
        for (unsigned k = 0; k < SPOKES; k++) {
            struct corbel_triangle triangle;
            memcpy(triangle.v[0], apex, sizeof apex);
            memcpy(triangle.v[1], rim[k], sizeof apex);
            memcpy(triangle.v[2], rim[(k + 1) % SPOKES], sizeof apex);
            corbel_triangle_test(&ray, &triangle, k, &hit);
        }
        assert_int_not_equal(hit.index, CORBEL_MISS);
    }
}

/* A ray and a triangle that it mostly hits, in lengths near 1. */
static struct corbel_ray random_pair(struct corbel_triangle *triangle)
{
    struct corbel_ray ray = {.tmin = uniform(-1, .5f), .tmax = uniform(1, 4)};
    float aim[3];
    random_point(5, ray.o);
    random_point(1, aim);
    for (int k = 0; k < 3; k++)
        random_point(3, triangle->v[k]);
    for (int i = 0; i < 3; i++)
        ray.d[i] = rand() % 8 ? aim[i] - ray.o[i] : 0;
    return ray;
}

/* All lengths of the triangle times 2^length, the direction times
 * 2^direction; so distances are times 2^(length - direction). */
static void scale_pair(struct corbel_ray *ray, struct corbel_triangle *triangle,
                       int length, int direction)
{
    for (int i = 0; i < 3; i++) {
        ray->o[i] = ldexpf(ray->o[i], length);
        ray->d[i] = ldexpf(ray->d[i], direction);
    }
    for (int i = 0; i < 9; i++)
        triangle->v[i / 3][i % 3] = ldexpf(triangle->v[i / 3][i % 3], length);
    ray->tmin = ldexpf(ray->tmin, length - direction);
    ray->tmax = ldexpf(ray->tmax, length - direction);
}

/* Powers of two change no bit but the distance's exponent. */
static void hits_do_not_depend_on_units(void **state)
{
    int hit_count = 0;
    for (int i = 0; i < 200000; i++) {
        struct corbel_triangle triangle;
        struct corbel_ray ray = random_pair(&triangle);
        struct corbel_hit near, far;
        const int length = rand() % 116 - 60, direction = rand() % 116 - 58;
        const unsigned cull = rand() % 2 ? CORBEL_CULL_BACK : CORBEL_CULL_FRONT;
        const bool hit = hits(ray, &triangle, &near);
        const bool culled = corbel_triangle_culled(&ray, &triangle, cull);
        scale_pair(&ray, &triangle, length, direction);
        assert_int_equal(hits(ray, &triangle, &far), hit);
        near.t = ldexpf(near.t, length - direction);
        assert_memory_equal(&near, &far, sizeof near);
        assert_int_equal(corbel_triangle_culled(&ray, &triangle, cull), culled);
        hit_count += hit;
    }
    assert_true(hit_count > 10000);
}

/* Determinant of three vectors. */
static long double volume(const long double a[3], const long double b[3],
                          const long double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) +
           a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* What a ray hits, without bounds of the exponent. False: too close to an edge,
 * or edge-on. */
static bool reference(const struct corbel_ray *ray,
                      const struct corbel_triangle *triangle, bool *hit,
                      long double *t)
{
    long double v[3][3], d[3], u[3], length = 0, reach = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = ray->d[k];
        length = fmaxl(length, fabsl(d[k]));
        for (int n = 0; n < 3; n++) {
            v[n][k] = (long double)triangle->v[n][k] - ray->o[k];
            reach = fmaxl(reach, fabsl(v[n][k]));
        }
    }
    for (int n = 0; n < 3; n++)
        u[n] = volume(d, v[(n + 1) % 3], v[(n + 2) % 3]);
    const long double sum = u[0] + u[1] + u[2];
    const long double least = fminl(fminl(u[0] / sum, u[1] / sum), u[2] / sum);
    *t = volume(v[0], v[1], v[2]) / sum;
    *hit = least > 0 && *t >= ray->tmin && *t <= ray->tmax;
    return fabsl(least) > 1e-4L && fabsl(sum) > 1e-2L * length * reach * reach;
}

static void scale_any(struct corbel_ray *ray, struct corbel_triangle *triangle)
{
    const float length = ldexpf(uniform(1, 2), rand() % 116 - 60);
    const float direction = ldexpf(uniform(1, 2), rand() % 114 - 58);
    for (int i = 0; i < 3; i++) {
        ray->o[i] *= length;
        ray->d[i] *= direction;
    }
    for (int i = 0; i < 9; i++)
        triangle->v[i / 3][i % 3] *= length;
}

static void hits_agree_with_long_double(void **state)
{
    int hit_count = 0;
    for (int i = 0; i < 200000; i++) {
        struct corbel_triangle triangle;
        struct corbel_ray ray = random_pair(&triangle);
        struct corbel_hit hit;
        bool expected;
        long double t;
        ray.tmin = 0;
        ray.tmax = INFINITY;
        if (i % 2) /* of any length, not by powers of two */
            scale_any(&ray, &triangle);
        if (!reference(&ray, &triangle, &expected, &t))
            continue;
        assert_int_equal(hits(ray, &triangle, &hit), expected);
        hit_count += expected;
        if (expected)
            assert_true(fabsl(hit.t / t - 1) < 2e-3L);
    }
    assert_true(hit_count > 1000);
}

/* Lengths below all normal numbers, directions near the largest: a miss or a
 * hit, never a distance that is none. */
static void absurd_lengths_give_no_absurd_distances(void **state)
{
    for (int i = 0; i < 200000; i++) {
        struct corbel_triangle triangle;
        struct corbel_ray ray = random_pair(&triangle);
        struct corbel_hit hit;
        ray.tmin = 0;
        ray.tmax = INFINITY;
        for (int k = 0; k < 9; k++)
            triangle.v[k / 3][k % 3] *= ldexpf(1, rand() % 207 - 149);
        for (int k = 0; k < 3; k++) {
            ray.o[k] *= ldexpf(1, rand() % 207 - 149);
            ray.d[k] *= ldexpf(1, rand() % 273 - 149);
        }
        if (hits(ray, &triangle, &hit)) {
            assert_true(hit.t >= 0 && isfinite(hit.t));
            assert_true(hit.b1 >= 0 && hit.b1 <= 1 + 1e-6f);
            assert_true(hit.b2 >= 0 && hit.b2 <= 1 + 1e-6f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_entered_at_its_near_face),
        cmocka_unit_test(a_box_behind_or_beside_is_missed),
        cmocka_unit_test(a_ray_within_a_face_meets_the_box),
        cmocka_unit_test(a_flat_box_is_met),
        cmocka_unit_test(infinite_reciprocals_and_nans_never_lose_a_box),
        cmocka_unit_test(a_box_at_tmax_counts_as_missed),
        cmocka_unit_test(the_float_after_is_the_next_one),
        cmocka_unit_test(a_ray_without_direction_or_with_nan_is_not_valid),
        cmocka_unit_test(a_triangle_is_hit_from_both_sides),
        cmocka_unit_test(a_hit_lies_between_tmin_and_tmax_inclusive),
        cmocka_unit_test(of_equal_hits_the_smaller_index_stays),
        cmocka_unit_test(triangles_without_area_are_not_hit),
        cmocka_unit_test(nothing_is_hit_by_a_ray_of_nans),
        cmocka_unit_test(huge_and_tiny_triangles_are_hit),
        cmocka_unit_test(no_ray_slips_between_triangles_that_share_an_edge),
        cmocka_unit_test(hits_do_not_depend_on_units),
        cmocka_unit_test(hits_agree_with_long_double),
        cmocka_unit_test(absurd_lengths_give_no_absurd_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
