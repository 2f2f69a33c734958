/*
 * Rays that move from treelet to treelet: the trail of a small tree step by
 * step, and the hits of whole scenes, which are those of a plain traversal.
 */
#include "sdk/mesh/mesh.h"
#include "tree.h"

#include <corbel/traverse_moves.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a tree of three nodes, in one treelet or in two ---- */

#define NODES 4096u /* where treelets begin, and how long they are */
#define TREELET 1024u
#define UNIT(place) ((NODES + (place)) / CORBEL_REF_UNIT)
/* Five leaves, whose triangles no ray meets. */
#define LEAF(slot) corbel_ref_leaf(UNIT(640 + 64 * (slot)), 1)

struct small {
    _Alignas(64) unsigned char bytes[NODES + 2 * TREELET];
};

static struct corbel_scene *header(struct small *s)
{
    return (struct corbel_scene *)(void *)s->bytes;
}

/* The ray goes along x: it enters boxes at `from`, and none beside it. */
static struct corbel_box box(float from, float to, bool beside)
{
    const float y = beside ? 8 : -1;
    return (struct corbel_box){{from, y, -1}, {to, y + 2, 1}};
}

static void put_node(struct small *s, uint32_t place, uint32_t parent,
                     const struct corbel_node_children *children)
{
    struct corbel_node_children c = *children;
    c.parent = parent;
    assert_true(
        corbel_node_encode(CORBEL_NODES_bvh5, &c, s->bytes + NODES + place));
}

/* Five leaves beside the ray. */
static struct corbel_node_children leaves(void)
{
    struct corbel_node_children c = {.count = 5};
    for (unsigned i = 0; i < 5; i++) {
        c.ref[i] = LEAF(i);
        c.box[i] = box(1, 2, true);
    }
    return c;
}

/*
 * Of the root's children the ray enters the third, then the fifth; of the
 * third's the first and the fourth, which are leaves; none of the fifth's. far:
 * where the fifth lies.
 */
static void make_small(struct small *s, uint32_t far)
{
    memset(s, 0, sizeof *s);
    *header(s) = (struct corbel_scene){.format = CORBEL_NODES_bvh5,
                                       .leaf_format = CORBEL_LEAVES_plain,
                                       .nodes_offset = NODES,
                                       .leaves_offset = NODES,
                                       .root = UNIT(0),
                                       .bounds = {{0, -1, -1}, {9, 9, 1}},
                                       .max_depth = 3,
                                       .treelets = 2,
                                       .treelet_bytes = TREELET};
    struct corbel_node_children root = leaves(), third = leaves();
    const struct corbel_node_children fifth = leaves();
    const uint32_t away = far >= TREELET ? CORBEL_REF_TREELET : 0;
    root.ref[2] = UNIT(160);
    root.box[2] = box(1, 3, false);
    root.ref[4] = UNIT(far) | away;
    root.box[4] = box(5, 6, false);
    third.box[0] = box(1, 2, false);
    third.box[3] = box(2, 3, false);
    put_node(s, 0, CORBEL_REF_NONE, &root);
    put_node(s, 160, UNIT(0), &third);
    put_node(s, far, UNIT(0) | away, &fifth);
}

static void expect_step(struct corbel_move *m, struct corbel_traversal *t,
                        const struct small *s, uint32_t ref, uint64_t trail,
                        enum corbel_move_state state)
{
    corbel_move_step(m, t, (const struct corbel_scene *)(const void *)s->bytes,
                     CORBEL_BY_PARENTS);
    assert_int_equal(t->ref, ref);
    assert_int_equal(m->trail, trail);
    assert_int_equal(m->state, state);
}

/* A ray at the root, which goes down to the third child and comes back. */
static void begin_small(struct corbel_move *m, struct corbel_traversal *t,
                        struct small *s, struct corbel_moving *moving)
{
    const struct corbel_ray ray = {{0, 0, 0}, 0, {1, 0, 0}, 100};
    corbel_moving_start(moving, header(s), &ray);
    corbel_move_begin(m, t, header(s), moving);
    expect_step(m, t, s, UNIT(160), 8 + 2, CORBEL_MOVE_DOWN);
    expect_step(m, t, s, LEAF(0), 8 * (8 + 2), CORBEL_MOVE_DOWN);
    expect_step(m, t, s, LEAF(3), 8 * (8 + 2) + 3, CORBEL_MOVE_DOWN);
    expect_step(m, t, s, UNIT(0), 8 + 2, CORBEL_MOVE_UP);
}

static void a_trail_leads_down_and_up(void **state)
{
    struct small s;
    struct corbel_move m;
    struct corbel_traversal t;
    struct corbel_moving moving;
    make_small(&s, 320);
    begin_small(&m, &t, &s, &moving);
    expect_step(&m, &t, &s, UNIT(320), 8 + 4, CORBEL_MOVE_DOWN);
    expect_step(&m, &t, &s, UNIT(0), 8 + 4, CORBEL_MOVE_UP);
    expect_step(&m, &t, &s, CORBEL_REF_NONE, 1, CORBEL_MOVE_OVER);
    assert_int_equal(t.hit.index, CORBEL_MISS);
}

static void a_trail_leads_to_another_treelet_and_back(void **state)
{
    struct small s;
    struct corbel_move m;
    struct corbel_traversal t;
    struct corbel_moving moving;
    make_small(&s, TREELET);
    begin_small(&m, &t, &s, &moving);
    expect_step(&m, &t, &s, UNIT(TREELET) | CORBEL_REF_TREELET, 8 + 4,
                CORBEL_MOVE_DOWN);
    corbel_move_end(&m, &t, &moving);
    assert_int_equal(moving.node, UNIT(TREELET));
    corbel_move_begin(&m, &t, header(&s), &moving);
    expect_step(&m, &t, &s, UNIT(0) | CORBEL_REF_TREELET, 8 + 4,
                CORBEL_MOVE_UP);
    corbel_move_end(&m, &t, &moving);
    assert_int_equal(moving.node, UNIT(0));
    assert_int_equal(moving.state, CORBEL_MOVE_UP);
    corbel_move_begin(&m, &t, header(&s), &moving);
    expect_step(&m, &t, &s, CORBEL_REF_NONE, 1, CORBEL_MOVE_OVER);
}

/* ---- whole scenes ---- */

static float uniform(float low, float high)
{
    return low + (high - low) * (float)rand() / (float)RAND_MAX;
}

static struct corbel_scene *make_scene(uint32_t nodes, uint32_t treelet_bytes)
{
    struct mesh mesh = {0};
    struct tree tree;
    for (unsigned i = 0; i < 900; i++) {
        const float size = i % 16 ? .06f : 1;
        uint32_t v[3];
        float place[3], corner[3];
        for (int k = 0; k < 3; k++)
            place[k] = uniform(-1, 1);
        for (int n = 0; n < 3; n++) {
            for (int k = 0; k < 3; k++)
                corner[k] = place[k] + uniform(-size, size);
            v[n] = mesh_add_vertex(&mesh, corner);
        }
        mesh_add_face(&mesh, v[0], v[1], v[2]);
        if (i % 32 == 0) /* twice the same: equal distances */
            mesh_add_face(&mesh, v[0], v[1], v[2]);
    }
    tree_build(&mesh, QUALITY_MEDIUM, &tree);
    struct corbel_scene *scene = scene_encode(
        &mesh, &tree,
        &(struct layout){nodes, CORBEL_LEAVES_plain, 2, treelet_bytes},
        QUALITY_MEDIUM);
    tree_free(&tree);
    mesh_free(&mesh);
    return scene;
}

/* Moves until it is over. Returns how often it has left a treelet. */
static unsigned trace(const struct corbel_scene *scene,
                      struct corbel_moving *moving,
                      enum corbel_move_policy policy)
{
    struct corbel_move m;
    struct corbel_traversal t;
    for (unsigned crossings = 0;; crossings++) {
        corbel_move_begin(&m, &t, scene, moving);
        while (t.ref != CORBEL_REF_NONE && !corbel_ref_is_treelet(t.ref))
            corbel_move_step(&m, &t, scene, policy);
        corbel_move_end(&m, &t, moving);
        if (moving->state == CORBEL_MOVE_OVER)
            return crossings;
    }
}

static unsigned compare(const struct corbel_scene *scene,
                        enum corbel_move_policy policy)
{
    unsigned crossings = 0, hits = 0;
    for (unsigned i = 0; i < 300; i++) {
        struct corbel_ray ray = {.tmax = i % 7 ? INFINITY : .8f};
        struct corbel_hit hit;
        struct corbel_moving moving;
        for (int k = 0; k < 3; k++) {
            ray.o[k] = uniform(-2, 2);
            ray.d[k] = i % 50 ? uniform(-1, 1) - ray.o[k] : 0;
        }
        corbel_traverse(scene, &ray, CORBEL_CLOSEST, &hit);
        corbel_moving_start(&moving, scene, &ray);
        crossings += trace(scene, &moving, policy);
        assert_memory_equal(&moving.hit, &hit, sizeof hit);
        hits += hit.index != CORBEL_MISS;
    }
    assert_in_range(hits, 100, 290);
    return crossings;
}

static void hits_are_those_of_plain_traversal(void **state)
{
    static const struct {
        uint32_t nodes;
        enum corbel_move_policy policy;
    } cases[] = {{CORBEL_NODES_bvh2, CORBEL_BY_PARENTS},
                 {CORBEL_NODES_bvh7, CORBEL_BY_PARENTS},
                 {CORBEL_NODES_cwbvh5t, CORBEL_BY_PARENTS},
                 {CORBEL_NODES_cwbvh6t, CORBEL_BY_RESTARTS},
                 {CORBEL_NODES_bvh8, CORBEL_BY_RESTARTS},
                 {CORBEL_NODES_cwbvh6t, CORBEL_BY_CLIMBS},
                 {CORBEL_NODES_bvh4, CORBEL_BY_CLIMBS}};
    srand(5);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t bytes = 1024; bytes <= 1 << 20; bytes *= 32) {
            struct corbel_scene *scene = make_scene(cases[i].nodes, bytes);
            unsigned crossings = compare(scene, cases[i].policy);
            assert_int_equal(crossings > 0, scene->treelets > 1);
            free(scene);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trail_leads_down_and_up),
        cmocka_unit_test(a_trail_leads_to_another_treelet_and_back),
        cmocka_unit_test(hits_are_those_of_plain_traversal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
