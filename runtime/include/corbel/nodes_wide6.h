/*
 * Node format bvh6: up to six children with their boxes in binary32, plane by
 * plane, 192 bytes. Children fill the slots from 0; the reference in an unused
 * slot is 0.
 */
#ifndef CORBEL_NODES_WIDE6_H
#define CORBEL_NODES_WIDE6_H

#include <corbel/boxes.h>
#include <corbel/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct corbel_bvh6 {
    uint32_t ref[6];
    float min[3][6];
    float max[3][6];
    uint32_t reserved[6];
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_bvh6) == 192, "bvh6 node");

static inline unsigned corbel_bvh6_refs(const void *node, uint32_t *ref)
{
    const struct corbel_bvh6 *n = (const struct corbel_bvh6 *)node;
    unsigned count = 0;
    while (count < 6 && n->ref[count] != 0) {
        ref[count] = n->ref[count];
        count++;
    }
    return count;
}

static inline void corbel_bvh6_box(const void *node, unsigned i,
                                   struct corbel_box *box)
{
    const struct corbel_bvh6 *n = (const struct corbel_bvh6 *)node;
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = n->min[axis][i];
        box->max[axis] = n->max[axis][i];
    }
}

static inline void corbel_bvh6_boxes(const void *node,
                                     struct corbel_boxes *boxes)
{
    const struct corbel_bvh6 *n = (const struct corbel_bvh6 *)node;
    for (int axis = 0; axis < 3; axis++) {
        __builtin_memcpy(boxes->min[axis], n->min[axis], sizeof n->min[axis]);
        __builtin_memcpy(boxes->max[axis], n->max[axis], sizeof n->max[axis]);
    }
}

#ifdef __cplusplus
}
#endif
#endif
