/*
 * Node format bvh2: two children with their boxes in binary32, 64 bytes.
 * A node always has both children.
 */
#ifndef CORBEL_NODES_BVH2_H
#define CORBEL_NODES_BVH2_H

#include <corbel/boxes.h>
#include <corbel/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct corbel_bvh2 {
    struct corbel_box box[2];
    uint32_t ref[2];
    uint32_t reserved[2];
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_bvh2) == 64, "bvh2 node");

static inline unsigned corbel_bvh2_refs(const void *node, uint32_t *ref)
{
    const struct corbel_bvh2 *n = (const struct corbel_bvh2 *)node;
    ref[0] = n->ref[0];
    ref[1] = n->ref[1];
    return 2;
}

static inline void corbel_bvh2_box(const void *node, unsigned i,
                                   struct corbel_box *box)
{
    *box = ((const struct corbel_bvh2 *)node)->box[i];
}

static inline void corbel_bvh2_boxes(const void *node,
                                     struct corbel_boxes *boxes)
{
    const struct corbel_bvh2 *n = (const struct corbel_bvh2 *)node;
    for (int i = 0; i < 2; i++)
        for (int axis = 0; axis < 3; axis++) {
            boxes->min[axis][i] = n->box[i].min[axis];
            boxes->max[axis][i] = n->box[i].max[axis];
        }
}

#ifdef __cplusplus
}
#endif
#endif
