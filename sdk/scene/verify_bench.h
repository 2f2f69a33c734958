/*
 * For tests of the verifier of scenes: scenes of random triangles in each pair
 * of formats.
 */
#ifndef SCENE_VERIFY_BENCH_H
#define SCENE_VERIFY_BENCH_H

#include "info.h"
#include "mutate.h"
#include "sdk/common/report.h"
#include "sdk/mesh/mesh.h"
#include "tree.h"

#include <corbel/rays.h>
#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST
#include <corbel/traverse.h>
#include <corbel/verify.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FORMAT_MAX 255u /* ids fit into a byte */

static inline float uniform(float low, float high)
{
    return low + (high - low) * (float)rand() / (float)RAND_MAX;
}

/* Triangles in clusters, so that vertices are close and trees are deep. */
static inline void make_mesh(struct mesh *mesh, unsigned triangles)
{
    *mesh = (struct mesh){0};
    for (unsigned i = 0; i < triangles; i++) {
        const float size = i % 3 ? 0.1f : 1, place = (float)(i % 7);
        uint32_t vertex[3];
        for (int k = 0; k < 3; k++)
            vertex[k] = mesh_add_vertex(
                mesh, (float[]){place + uniform(-size, size),
                                uniform(-size, size), uniform(-size, size)});
        mesh_add_face(mesh, vertex[0], vertex[1], vertex[2]);
        if (i % 8 == 0)
            mesh_add_face(mesh, vertex[0], vertex[1], vertex[1]);
    }
}

/* Makes vertices and boxes larger by a power of two. */
static inline void scale_tree(struct mesh *mesh, struct tree *tree, float by)
{
    for (uint32_t i = 0; i < mesh->vertices; i++)
        for (int k = 0; k < 3; k++)
            mesh->vertex[i][k] *= by;
    for (uint32_t i = 0; i < tree->count; i++)
        for (int k = 0; k < 3; k++) {
            tree->node[i].box.min[k] *= by;
            tree->node[i].box.max[k] *= by;
        }
}

/* 0 triangles: one that has no area. The tree is that of the scale 1. */
static inline struct corbel_scene *make_scaled(const struct layout *layout,
                                               unsigned triangles, float scale)
{
    struct mesh mesh;
    struct tree tree;
    srand(7);
    make_mesh(&mesh, triangles);
    if (triangles == 0) {
        mesh_add_vertex(&mesh, (float[]){1, 2, 3});
        mesh_add_face(&mesh, 0, 0, 0);
    }
    tree_build(&mesh, QUALITY_MEDIUM, &tree);
    scale_tree(&mesh, &tree, scale);
    struct corbel_scene *scene =
        scene_encode(&mesh, &tree, layout, QUALITY_MEDIUM);
    tree_free(&tree);
    mesh_free(&mesh);
    return scene;
}

/* treelet: bytes of one, 0: the tree is in one piece. */
static inline struct corbel_scene *
make_treelets(uint32_t nodes, uint32_t leaves, unsigned limit,
              unsigned triangles, uint32_t treelet)
{
    const struct layout layout = {nodes, leaves, limit, treelet};
    return make_scaled(&layout, triangles, 1);
}

static inline struct corbel_scene *
make_scene(uint32_t nodes, uint32_t leaves, unsigned limit, unsigned triangles)
{
    return make_treelets(nodes, leaves, limit, triangles, 0);
}

/* Can nodes refer to leaves of more than one triangle? */
static inline bool formats_fit(uint32_t nodes, uint32_t leaves)
{
    return corbel_node_grains(nodes) == CORBEL_GRAINS_MAX ||
           leaves == CORBEL_LEAVES_block128;
}

static inline void for_each_pair(void (*test)(uint32_t nodes, uint32_t leaves))
{
    for (uint32_t nodes = 1; nodes <= FORMAT_MAX; nodes++)
        for (uint32_t leaves = 1; leaves <= FORMAT_MAX; leaves++)
            if (corbel_node_width(nodes) && corbel_leaf_grain(leaves) &&
                formats_fit(nodes, leaves))
                test(nodes, leaves);
}

/* ---- two scenes ---- */

/* Nodes and leaves below two references are the same, slot by slot, wherever
 * they lie. */
static inline void compare_below(const struct corbel_scene *a, uint32_t ref_a,
                                 const struct corbel_scene *b, uint32_t ref_b)
{
    struct corbel_node_children c, d;
    const void *at_a = corbel_scene_at(a, corbel_ref_offset(ref_a));
    const void *at_b = corbel_scene_at(b, corbel_ref_offset(ref_b));
    const uint32_t grain = corbel_leaf_grain(a->leaf_format);
    assert_int_equal(corbel_ref_is_leaf(ref_a), corbel_ref_is_leaf(ref_b));
    if (corbel_ref_is_leaf(ref_a)) {
        assert_int_equal(corbel_ref_grains(ref_a), corbel_ref_grains(ref_b));
        assert_memory_equal(at_a, at_b, corbel_ref_grains(ref_a) * grain);
        return;
    }
    corbel_node_decode(a->format, at_a, grain / CORBEL_REF_UNIT, &c);
    corbel_node_decode(b->format, at_b, grain / CORBEL_REF_UNIT, &d);
    assert_int_equal(c.count, d.count);
    for (unsigned i = 0; i < c.count; i++) {
        assert_memory_equal(&c.box[i], &d.box[i], sizeof c.box[i]);
        compare_below(a, c.ref[i], b, d.ref[i]);
    }
}

/* ---- one fault at a time ---- */

static inline void assert_good(const struct corbel_scene *scene)
{
    char why[CORBEL_WHY] = "";
    if (!corbel_scene_verify(scene, scene->bytes, why) ||
        !info_verify(scene, why))
        fail_msg("%s, %s: %s", corbel_node_name(scene->format),
                 corbel_leaf_name(scene->leaf_format), why);
}

static inline void assert_refused(struct corbel_scene *scene, size_t bytes,
                                  const char *because)
{
    char why[CORBEL_WHY] = "accepted";
    mutate_seal(scene, bytes);
    if (corbel_scene_verify(scene, bytes, why) || !strstr(why, because))
        fail_msg("%s, %s: '%s', expected '%s'", corbel_node_name(scene->format),
                 corbel_leaf_name(scene->leaf_format), why, because);
}

/* The statement, then a refusal with these words, then all as before. */
#define REFUSED(because, ...)                                                  \
    do {                                                                       \
        memcpy(scene, good, good->bytes);                                      \
        __VA_ARGS__;                                                           \
        assert_refused(scene, good->bytes, because);                           \
    } while (0)

#endif
