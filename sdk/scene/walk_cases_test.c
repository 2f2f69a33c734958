/*
 * Small cases of which the answer is known: every legal combination of flags,
 * and what the descriptions of public conformance tests ask for.
 */
#include "walk_bench.h"

#include <corbel/verify.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct layout layout = {CORBEL_NODES_cwbvh6, CORBEL_LEAVES_plain,
                                     4};

static float as_it_is[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

static struct corbel_scene *finish(struct model *model)
{
    char why[CORBEL_WHY];
    struct corbel_scene *scene = model_encode(model, &layout, QUALITY_MEDIUM);
    if (!corbel_scene_verify(scene, scene->bytes, why))
        fail_msg("%s", why);
    model_free(model);
    return scene;
}

static void place(struct model *model, uint32_t tree, float m[3][4],
                  uint8_t mask, uint8_t flags)
{
    struct model_instance instance = {
        .tree = tree, .mask = mask, .flags = flags, .custom = 7, .record = 40};
    memcpy(instance.transform, m, sizeof instance.transform);
    model_add_instance(model, &instance);
}

/* Seen from z > 0 its corners are counter-clockwise: that is its front. */
static void add_triangle(struct mesh *mesh, float z)
{
    const uint32_t a = mesh_add_vertex(mesh, (float[]){-1, -1, z});
    mesh_add_vertex(mesh, (float[]){1, -1, z});
    mesh_add_vertex(mesh, (float[]){0, 1, z});
    mesh_add_face(mesh, a, a + 1, a + 2);
}

static struct corbel_ray down(float tmax)
{
    return (struct corbel_ray){{0, 0, 4}, 0, {0, 0, -1}, tmax};
}

static const struct corbel_traversal_setup setup = {CORBEL_STACK_MAX, true};

/* The first event of a ray. */
static enum corbel_event first(struct corbel_walk *w,
                               const struct corbel_scene *scene,
                               const struct corbel_ray *ray, unsigned flags,
                               unsigned mask)
{
    corbel_walk_start(w, scene, ray, flags, mask, &setup);
    return corbel_walk_next(w, scene);
}

/* ---- the flag matrix ---- */

/* At most one of each group, as Vulkan and DXR have it. */
static bool legal(unsigned flags)
{
    return __builtin_popcount(flags & (1 | 2 | 64 | 128)) <= 1 &&
           __builtin_popcount(flags & (16 | 32 | 256)) <= 1 &&
           (flags & (256 | 512)) != (256 | 512);
}

struct row {
    unsigned flags, instance, mask;
    bool opaque, front, box;
};

/* What comes first, read off the rules, one after the other. */
static enum corbel_event table(const struct row *r)
{
    bool opaque = r->opaque, front = r->front;
    if ((r->mask & 0x0F) == 0)
        return CORBEL_EVENT_MISS;
    if (r->flags & (r->box ? 512 : 256))
        return CORBEL_EVENT_MISS;
    opaque = r->instance & 4 ? true : r->instance & 8 ? false : opaque;
    opaque = r->flags & 1 ? true : r->flags & 2 ? false : opaque;
    if (r->flags & (opaque ? 64 : 128))
        return CORBEL_EVENT_MISS;
    if (r->box)
        return CORBEL_EVENT_BOX;
    if (r->instance & 2)
        front = !front;
    if (!(r->instance & 1) && r->flags & (front ? 32 : 16))
        return CORBEL_EVENT_MISS;
    return opaque ? CORBEL_EVENT_HIT : CORBEL_EVENT_TRIANGLE;
}

static struct corbel_scene *one_thing(const struct row *r)
{
    struct model model = {0};
    const struct corbel_box box = {{-1, -1, -1}, {1, 1, 1}};
    model_begin(&model, CORBEL_TREE_INSTANCES);
    model_add_tree(&model, r->box ? CORBEL_TREE_BOXES : CORBEL_TREE_TRIANGLES);
    model_add_geometry(&model, r->opaque, 0);
    if (r->box)
        model_add_box(&model, &box);
    else
        add_triangle(&model.mesh, 0);
    place(&model, 1, as_it_is, 0x0F, (uint8_t)r->instance);
    return finish(&model);
}

/* All flags of rays for one thing; returns how many. */
static unsigned all_rays(struct row r)
{
    static const unsigned masks[] = {0xFF, 0x08, 0xF0, 0};
    struct corbel_scene *scene = one_thing(&r);
    unsigned count = 0;
    for (r.flags = 0; r.flags < CORBEL_RAY_FLAGS; r.flags++)
        for (int i = 0; i < 8 && legal(r.flags); i++, count++) {
            struct corbel_ray ray = down(INFINITY);
            struct corbel_walk w;
            r.mask = masks[i % 4];
            r.front = i < 4;
            ray.o[2] *= r.front ? 1 : -1;
            ray.d[2] *= r.front ? 1 : -1;
            const enum corbel_event event =
                first(&w, scene, &ray, r.flags, r.mask);
            if (event != table(&r))
                fail_msg("flags %u instance %u mask %u opaque %d front %d box "
                         "%d: event %d",
                         r.flags, r.instance, r.mask, r.opaque, r.front, r.box,
                         event);
        }
    free(scene);
    return count;
}

static void flags_do_what_the_table_says(void **state)
{
    unsigned count = 0;
    for (unsigned instance = 0; instance < 12; instance++)
        for (unsigned thing = 0; thing < 4; thing++)
            count += all_rays((struct row){
                .instance = instance, .opaque = thing & 1, .box = thing & 2});
    print_message("%u combinations\n", count);
    assert_true(count > 50000);
}

/* ---- cases of public conformance groups ---- */

/* Directions of any length, instances of any scale: t is in units of the
 * world's direction. */
static void distances_are_in_units_of_the_direction(void **state)
{
    for (int i = 0; i < 12; i++) {
        const float scale = ldexpf(1, i - 6), length = ldexpf(1, 5 - i);
        float m[3][4] = {{0, scale, 0, 0}, {-scale, 0, 0, 0}, {0, 0, scale, 0}};
        struct model model = {0};
        struct corbel_walk w;
        struct corbel_ray ray = down(INFINITY);
        model_begin(&model, CORBEL_TREE_INSTANCES);
        model_add_tree(&model, CORBEL_TREE_TRIANGLES);
        model_add_geometry(&model, CORBEL_GEOMETRY_OPAQUE, 0);
        add_triangle(&model.mesh, 0);
        place(&model, 1, m, 0xFF, 0);
        struct corbel_scene *scene = finish(&model);
        ray.d[2] *= length;
        assert_int_equal(first(&w, scene, &ray, 0, 0xFF), CORBEL_EVENT_HIT);
        assert_true(w.t.hit.t == 4 / length);
        ray.tmax = 3.999f / length;
        assert_int_equal(first(&w, scene, &ray, 0, 0xFF), CORBEL_EVENT_MISS);
        free(scene);
    }
}

static struct corbel_scene *unit_box(float m[3][4])
{
    struct model model = {0};
    const struct corbel_box box = {{-1, -1, -1}, {1, 1, 1}};
    model_begin(&model, CORBEL_TREE_INSTANCES);
    model_add_tree(&model, CORBEL_TREE_BOXES);
    model_add_geometry(&model, 0, 0);
    model_add_box(&model, &box);
    place(&model, 1, m, 0xFF, 0);
    return finish(&model);
}

/* From inside, along an edge, from outside, past it, short of it. */
static void a_box_is_asked_about_wherever_the_ray_meets_it(void **state)
{
    struct corbel_walk w;
    struct corbel_scene *scene = unit_box(as_it_is);
    struct corbel_ray ray = {{0, 0, 0}, 0, {1, 0, 0}, .25f};
    assert_int_equal(first(&w, scene, &ray, 0, 1), CORBEL_EVENT_BOX);
    ray = (struct corbel_ray){{-3, 1, 1}, 0, {1, 0, 0}, INFINITY};
    assert_int_equal(first(&w, scene, &ray, 0, 1), CORBEL_EVENT_BOX);
    ray.o[1] = 1.01f;
    assert_int_equal(first(&w, scene, &ray, 0, 1), CORBEL_EVENT_MISS);
    ray = (struct corbel_ray){{-3, 0, 0}, 0, {1, 0, 0}, 1.9f};
    assert_int_equal(first(&w, scene, &ray, 0, 1), CORBEL_EVENT_MISS);
    ray.tmax = 2;
    assert_int_equal(first(&w, scene, &ray, 0, 1), CORBEL_EVENT_BOX);
    assert_false(corbel_walk_report(&w, 2.1f, 0, 0)); /* behind tmax */
    assert_false(corbel_walk_report(&w, NAN, 0, 0));
    assert_true(corbel_walk_report(&w, 2, 0, 0));
    assert_int_equal(corbel_walk_next(&w, scene), CORBEL_EVENT_HIT);
    ray.tmin = 4.1f;
    ray.tmax = INFINITY;
    assert_int_equal(first(&w, scene, &ray, 0, 1), CORBEL_EVENT_MISS);
    free(scene);
}

/* Attributes are those of the accepted primitive of three that overlap. */
static void attributes_are_those_of_the_nearest(void **state)
{
    static const float at[] = {.5f, .3f, .7f};
    struct model model = {0};
    const struct corbel_box box = {{-1, -1, -1}, {1, 1, 1}};
    struct corbel_ray ray = {{0, 0, 0}, 0, {0, 0, 1}, 1};
    struct corbel_long_hit hit;
    struct corbel_walk w;
    model_begin(&model, CORBEL_TREE_INSTANCES);
    model_add_tree(&model, CORBEL_TREE_BOXES);
    for (uint32_t i = 0; i < 3; i++) {
        model_add_geometry(&model, CORBEL_GEOMETRY_OPAQUE, i);
        model_add_box(&model, &box);
    }
    place(&model, 1, as_it_is, 0xFF, 0);
    struct corbel_scene *scene = finish(&model);
    corbel_walk_start(&w, scene, &ray, 0, 1, &setup);
    while (corbel_walk_next(&w, scene) == CORBEL_EVENT_BOX) {
        corbel_walk_candidate(&w, scene, &hit);
        corbel_walk_report(&w, at[hit.index], (float)hit.index, -1);
    }
    corbel_walk_hit(&w, scene, &hit);
    assert_true(hit.t == .3f && hit.b1 == 1 && hit.b2 == -1);
    assert_int_equal(hit.geometry, 1);
    assert_int_equal(hit.primitive, 0);
    assert_int_equal(hit.record, 41);
    assert_int_equal(hit.custom, 7);
    free(scene);
}

/* Three triangles behind each other, none of them opaque. */
static struct corbel_scene *three_sheets(void)
{
    struct model model = {0};
    model_begin(&model, CORBEL_TREE_INSTANCES);
    model_add_tree(&model, CORBEL_TREE_TRIANGLES);
    model_add_geometry(&model, 0, 0);
    for (int i = 0; i < 3; i++)
        add_triangle(&model.mesh, (float)-i);
    place(&model, 1, as_it_is, 0xFF, 0);
    return finish(&model);
}

/* Ignored: as if it were not there. Stopped: what was accepted before. */
static void a_program_ignores_accepts_and_stops(void **state)
{
    struct corbel_scene *scene = three_sheets();
    const struct corbel_ray ray = down(INFINITY);
    struct corbel_walk w;
    unsigned asked = 0;
    corbel_walk_start(&w, scene, &ray, 0, 1, &setup);
    while (corbel_walk_next(&w, scene) == CORBEL_EVENT_TRIANGLE)
        asked++;
    assert_int_equal(asked, 3);
    assert_int_equal(corbel_walk_event(&w), CORBEL_EVENT_MISS);
    assert_int_equal(w.counts.ignored, 3);
    assert_int_equal(first(&w, scene, &ray, CORBEL_RAY_FIRST, 1),
                     CORBEL_EVENT_TRIANGLE);
    corbel_walk_accept(&w);
    assert_int_equal(corbel_walk_next(&w, scene), CORBEL_EVENT_HIT);
    first(&w, scene, &ray, 0, 1);
    corbel_walk_stop(&w);
    assert_int_equal(corbel_walk_next(&w, scene), CORBEL_EVENT_MISS);
    first(&w, scene, &ray, 0, 1);
    corbel_walk_accept(&w);
    corbel_walk_stop(&w);
    assert_int_equal(corbel_walk_next(&w, scene), CORBEL_EVENT_HIT);
    free(scene);
}

/* Nothing to be hit: no instances, a tree of nothing, boxes that are not there,
 * an instance of mask 0. */
static void nothing_is_a_miss(void **state)
{
    const struct corbel_box none = {{NAN, 0, 0}, {1, 1, 1}};
    const struct corbel_ray ray = down(INFINITY);
    for (int i = 0; i < 4; i++) {
        struct model model = {0};
        struct corbel_walk w;
        model_begin(&model, CORBEL_TREE_INSTANCES);
        model_add_tree(&model,
                       i == 2 ? CORBEL_TREE_BOXES : CORBEL_TREE_TRIANGLES);
        model_add_geometry(&model, 0, 0);
        if (i == 2)
            model_add_box(&model, &none);
        if (i == 3)
            add_triangle(&model.mesh, 0);
        if (i > 0)
            place(&model, 1, as_it_is, i == 3 ? 0 : 0xFF, 0);
        struct corbel_scene *scene = finish(&model);
        assert_int_equal(first(&w, scene, &ray, 0, 0xFF), CORBEL_EVENT_MISS);
        assert_int_equal(w.hit_instance, CORBEL_MISS);
        free(scene);
    }
}

/* Facing is decided where the object is: a mirror does not turn it. */
static void a_mirror_does_not_turn_faces(void **state)
{
    for (int i = 0; i < 8; i++) {
        const float x = i & 1 ? -1 : 1, y = i & 2 ? -1 : 1;
        float m[3][4] = {{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, 1, 0}};
        const bool flip = i & 4;
        struct model model = {0};
        const struct corbel_ray ray = down(INFINITY);
        struct corbel_walk w;
        model_begin(&model, CORBEL_TREE_INSTANCES);
        model_add_tree(&model, CORBEL_TREE_TRIANGLES);
        model_add_geometry(&model, CORBEL_GEOMETRY_OPAQUE, 0);
        add_triangle(&model.mesh, 0);
        place(&model, 1, m, 1, flip ? CORBEL_INSTANCE_FLIP : 0);
        struct corbel_scene *scene = finish(&model);
        first(&w, scene, &ray, 0, 1);
        assert_int_equal(w.hit_kind, flip ? CORBEL_HIT_BACK : CORBEL_HIT_FRONT);
        assert_int_equal(first(&w, scene, &ray, flip ? 32 : 16, 1),
                         CORBEL_EVENT_HIT);
        free(scene);
    }
}

/* What trav.traceray answers: all is opaque, boxes are not there, both are
 * counted, masks of 0 alone keep a ray out. */
static void a_plain_ray_asks_nothing(void **state)
{
    struct model model = {0};
    const struct corbel_box box = {{-1, -1, 1}, {1, 1, 2}};
    const struct corbel_ray ray = down(INFINITY);
    struct corbel_walk w;
    struct corbel_hit hit;
    model_begin(&model, CORBEL_TREE_INSTANCES);
    model_add_tree(&model, CORBEL_TREE_TRIANGLES);
    model_add_geometry(&model, 0, 0);
    add_triangle(&model.mesh, 0);
    model_add_tree(&model, CORBEL_TREE_BOXES);
    model_add_geometry(&model, 0, 0);
    model_add_box(&model, &box);
    place(&model, 1, as_it_is, 0x80, CORBEL_INSTANCE_NON_OPAQUE);
    place(&model, 2, as_it_is, 0x80, 0);
    struct corbel_scene *scene = finish(&model);
    assert_int_equal(first(&w, scene, &ray, corbel_walk_plain(0), 0xFF),
                     CORBEL_EVENT_HIT);
    assert_int_equal(w.counts.plain_triangles, 1);
    assert_int_equal(w.counts.plain_boxes, 1);
    corbel_walk_trace_by(&setup, scene, &ray, CORBEL_CLOSEST, &hit);
    assert_true(hit.t == 4 && hit.index == 0);
    corbel_walk_trace_by(&setup, scene, &ray, CORBEL_CULL_FRONT, &hit);
    assert_int_equal(hit.index, CORBEL_MISS);
    free(scene);
}

/* A scene of one tree with geometries, and one of version 2. */
static void one_tree_needs_no_instance(void **state)
{
    struct model model = {0};
    const struct corbel_ray ray = down(INFINITY);
    struct corbel_long_hit hit;
    struct corbel_walk w;
    model_begin(&model, CORBEL_TREE_TRIANGLES);
    model_add_geometry(&model, CORBEL_GEOMETRY_OPAQUE, 3);
    add_triangle(&model.mesh, -1);
    model_add_geometry(&model, 0, 4);
    add_triangle(&model.mesh, 0);
    struct corbel_scene *scene = finish(&model);
    assert_int_equal(first(&w, scene, &ray, 0, 1), CORBEL_EVENT_TRIANGLE);
    corbel_walk_candidate(&w, scene, &hit);
    assert_int_equal(hit.geometry, 1);
    assert_int_equal(hit.record, 4);
    assert_int_equal(corbel_walk_next(&w, scene), CORBEL_EVENT_HIT);
    corbel_walk_hit(&w, scene, &hit);
    assert_int_equal(hit.geometry, 0);
    assert_int_equal(hit.instance, 0);
    free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_do_what_the_table_says),
        cmocka_unit_test(distances_are_in_units_of_the_direction),
        cmocka_unit_test(a_box_is_asked_about_wherever_the_ray_meets_it),
        cmocka_unit_test(attributes_are_those_of_the_nearest),
        cmocka_unit_test(a_program_ignores_accepts_and_stops),
        cmocka_unit_test(nothing_is_a_miss),
        cmocka_unit_test(a_mirror_does_not_turn_faces),
        cmocka_unit_test(a_plain_ray_asks_nothing),
        cmocka_unit_test(one_tree_needs_no_instance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
