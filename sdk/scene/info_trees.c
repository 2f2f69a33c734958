/* Describes and verifies scenes of several trees; see info.h. */
#include "info.h"

#include "sdk/common/report.h"

#include <corbel/place.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const kind_name[] = {"triangles", "boxes", "instances"};

/* Faces or boxes of geometries that are not opaque. */
static uint64_t count_non_opaque(const struct corbel_scene *s)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < s->geometries; i++) {
        const struct corbel_geometry *g = corbel_scene_geometry(s, i);
        if (!(g->flags & CORBEL_GEOMETRY_OPAQUE))
            count += g->count;
    }
    return count;
}

/* Bytes of nodes and instances that a ray may read before it enters one. */
static uint64_t upper_bytes(const struct corbel_scene *s)
{
    return (uint64_t)corbel_scene_tree(s, 0)->nodes *
               corbel_node_bytes(s->format) +
           (uint64_t)s->instances * sizeof(struct corbel_instance);
}

void info_trees_text(const struct corbel_scene *s)
{
    const struct corbel_tree *tree = corbel_scene_tree(s, 0);
    printf("trees       %u, the first one of %s, %u nodes, depth %u\n",
           s->trees, kind_name[tree->kind], tree->nodes, tree->max_depth);
    printf("instances   %u, %llu bytes with the nodes above\n", s->instances,
           (unsigned long long)upper_bytes(s));
    printf("geometries  %u, %llu faces and boxes are not opaque\n",
           s->geometries, (unsigned long long)count_non_opaque(s));
    printf("boxes       %u in leaves\n", s->boxes);
    printf("textures    %llu bytes, with their corners\n", 64ull * s->extras);
}

void info_trees_json(const struct corbel_scene *s)
{
    printf("\"trees\": %u, \"first_tree\": \"%s\", \"upper_nodes\": %u, "
           "\"upper_bytes\": %llu, ",
           s->trees, kind_name[corbel_scene_tree(s, 0)->kind],
           corbel_scene_tree(s, 0)->nodes, (unsigned long long)upper_bytes(s));
    printf("\"instances\": %u, \"geometries\": %u, \"non_opaque\": %llu, "
           "\"boxes\": %u, \"texture_bytes\": %llu, ",
           s->instances, s->geometries, (unsigned long long)count_non_opaque(s),
           s->boxes, 64ull * s->extras);
}

/* NaNs are in no box. */
static bool contains(const struct corbel_box *box,
                     const struct corbel_box *inner)
{
    for (int i = 0; i < 3; i++)
        if (!(box->min[i] <= inner->min[i] && box->max[i] >= inner->max[i]))
            return false;
    return true;
}

static double upper_extent(const struct corbel_scene *scene)
{
    return CORBEL_INSTANCES_NEAR *
           corbel_box_extent(&corbel_scene_tree(scene, 0)->bounds);
}

/* The box holds an instance, padded as its place asks for, and the upper tree
 * grows by enough for rays from far away. */
static const char *instance_flaw(const struct corbel_scene *scene,
                                 const struct corbel_instance *instance,
                                 const struct corbel_box *box)
{
    struct corbel_instance_frame frame;
    struct corbel_box its;
    const struct corbel_tree *upper = corbel_scene_tree(scene, 0);
    const uint32_t tree = corbel_scene_placement(scene, instance->number)->tree;
    if (!corbel_instance_box(instance, &corbel_scene_tree(scene, tree)->bounds,
                             &its, &frame))
        return "is of an instance whose transform has no inverse";
    if (!contains(&upper->bounds, &its))
        return "is of an instance that the upper tree's bounds do not hold";
    if (upper->extent > upper_extent(scene) ||
        upper->widen < corbel_instances_widen(frame.norm * frame.inverse_norm))
        return "is of an instance for which the upper tree grows too little";
    corbel_instance_pad(&frame, instance->reach, upper_extent(scene), &its);
    return box == NULL || contains(box, &its)
               ? NULL
               : "is of an instance that its box does not hold";
}

static const char *boxes_flaw(const struct corbel_box_leaf *leaf,
                              unsigned count, const struct corbel_box *box)
{
    for (unsigned i = 0; box != NULL && i < count; i++)
        if (!contains(box, &leaf[i].box))
            return "has a box that the node's box does not hold";
    return NULL;
}

/* box: NULL, it is the root. */
static void walk_tree_leaf(struct info_walk *walk,
                           const struct corbel_tree *tree, uint32_t ref,
                           const struct corbel_box *box)
{
    const void *leaf = corbel_scene_at(walk->scene, corbel_ref_offset(ref));
    const char *what;
    if (tree->kind == CORBEL_TREE_TRIANGLES) {
        info_walk_leaf(walk, ref, box);
        return;
    }
    what = tree->kind == CORBEL_TREE_BOXES
               ? boxes_flaw(leaf, corbel_ref_grains(ref), box)
               : instance_flaw(walk->scene, leaf, box);
    if (what != NULL)
        info_fault(walk, CORBEL_PART_LEAF, 0, corbel_ref_offset(ref), what);
}

static void walk_tree(struct info_walk *walk, const struct corbel_tree *tree)
{
    const struct corbel_scene *scene = walk->scene;
    if (corbel_ref_is_leaf(tree->root))
        walk_tree_leaf(walk, tree, tree->root, NULL);
    for (uint32_t i = 0; i < tree->nodes; i++) {
        struct corbel_node_children c;
        const uint64_t at = corbel_node_offset(scene, tree->first_node + i);
        corbel_node_decode(
            scene->format, corbel_scene_at(scene, at),
            corbel_tree_grain(scene, tree->kind) / CORBEL_REF_UNIT, &c);
        for (unsigned k = 0; k < c.count; k++)
            if (corbel_ref_is_leaf(c.ref[k]))
                walk_tree_leaf(walk, tree, c.ref[k], &c.box[k]);
    }
}

void info_walk_trees(struct info_walk *walk)
{
    for (uint32_t i = 0; i < walk->scene->trees; i++)
        walk_tree(walk, corbel_scene_tree(walk->scene, i));
}
