/*
 * Treelets: a scene's tree cut into parts of equal size, so that hardware can
 * work on all rays of one part at a time, or hold one part close by.
 *
 * Treelet s is treelet_bytes of memory from nodes_offset + s * treelet_bytes:
 * its nodes one after the other, node 0 its root, then at a multiple of the
 * grain from its start its leaves. Every node and leaf of the scene lies in one
 * treelet; nodes_offset and leaves_offset are the same. References within a
 * treelet are as ever; one to the root of another treelet has
 * CORBEL_REF_TREELET set. A traversal that ignores that bit finds the same
 * hits.
 *
 * Treelets are a tree themselves: breadth first, treelet 0 the root, parents
 * before children, the children of one side by side. A scene with treelets has
 * at least treelet 0 with a root node, which has no children if nothing can be
 * hit. docs/reference/treelets.md says how the tree is cut.
 */
#ifndef CORBEL_TREELETS_H
#define CORBEL_TREELETS_H

#include <corbel/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_TREELET_NONE UINT32_MAX
#define CORBEL_TREELET_PAGES 8u

/* What is known of a treelet. */
struct corbel_treelet {
    uint32_t first_child; /* treelet; 0: no children */
    uint32_t children;
    uint32_t subtree; /* treelets below, with this one */
    uint32_t depth;   /* treelets above: 0 of treelet 0 */
    uint32_t nodes;   /* at least 1 */
    uint32_t bytes;   /* from its start to the end of its last node or leaf */
    uint32_t parent;  /* treelet; CORBEL_TREELET_NONE of treelet 0 */
    uint32_t level;   /* nodes above its root node in the whole tree */

    /* How likely a ray that meets the scene's box touches each page, an eighth
     * of the treelet: the median, over the places for nodes in the page, of
     * the node's box area in parts of the root's, 0 where no node begins. */
    float page_area[CORBEL_TREELET_PAGES];
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_treelet) == CORBEL_TREELET_HEADER,
                     "treelet header");

static inline const struct corbel_treelet *
corbel_scene_treelet(const struct corbel_scene *scene, uint32_t treelet)
{
    return (const struct corbel_treelet *)corbel_scene_at(
               scene, scene->treelets_offset) +
           treelet;
}

/* Byte offset from the scene's header where a treelet begins. */
static inline uint64_t corbel_treelet_offset(const struct corbel_scene *scene,
                                             uint32_t treelet)
{
    return scene->nodes_offset + (uint64_t)treelet * scene->treelet_bytes;
}

/* Reference of a treelet's root node, without CORBEL_REF_TREELET. */
static inline uint32_t corbel_treelet_root(const struct corbel_scene *scene,
                                           uint32_t treelet)
{
    return (uint32_t)(corbel_treelet_offset(scene, treelet) / CORBEL_REF_UNIT);
}

/* The treelet that a node or leaf lies in. The scene has treelets. */
static inline uint32_t corbel_treelet_of(const struct corbel_scene *scene,
                                         uint32_t ref)
{
    return (uint32_t)((corbel_ref_offset(ref) - scene->nodes_offset) /
                      scene->treelet_bytes);
}

/* Bytes from a treelet's start to its first leaf. */
static inline uint32_t corbel_treelet_leaves(const struct corbel_scene *scene,
                                             uint32_t nodes)
{
    const uint32_t grain = corbel_leaf_grain(scene->leaf_format);
    return (nodes * corbel_node_bytes(scene->format) + grain - 1) / grain *
           grain;
}

/* Bytes that a treelet of these nodes and grains takes. */
static inline uint64_t corbel_treelet_bytes(const struct corbel_scene *scene,
                                            uint32_t nodes, uint64_t grains)
{
    return grains > 0 ? corbel_treelet_leaves(scene, nodes) +
                            grains * corbel_leaf_grain(scene->leaf_format)
                      : (uint64_t)nodes * corbel_node_bytes(scene->format);
}

#ifdef __cplusplus
}
#endif
#endif
