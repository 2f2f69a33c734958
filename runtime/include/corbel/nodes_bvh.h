/*
 * Node formats bvh2 .. bvh8: up to N children with their boxes in binary32,
 * plane by plane, in whole sectors of 32 bytes. Children fill the slots from
 * 0; the reference in an unused slot is 0.
 */
#ifndef CORBEL_NODES_BVH_H
#define CORBEL_NODES_BVH_H

#include <corbel/boxes.h>
#include <corbel/refs.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a node of n children. */
#define CORBEL_BVH_BYTES(n) ((28 * (n) + 31) / 32 * 32)

/* What is wrong with a node's references, NULL: nothing. */
static inline const char *corbel_bvh_flaw(const uint32_t *ref, unsigned n)
{
    unsigned used = 0, count = 0;
    for (unsigned i = 0; i < n; i++)
        used += ref[i] != CORBEL_REF_NONE;
    while (count < n && ref[count] != CORBEL_REF_NONE)
        count++;
    return used == count ? NULL : "has a child after an empty slot";
}

/* A format of width n: its node, the readers and the writer. */
#define CORBEL_BVH(n)                                                          \
    struct corbel_bvh##n {                                                     \
        uint32_t ref[n];                                                       \
        float min[3][n];                                                       \
        float max[3][n];                                                       \
    };                                                                         \
                                                                               \
    static inline unsigned corbel_bvh##n##_refs(                               \
        const void *node, unsigned grain_units, uint32_t *ref)                 \
    {                                                                          \
        const struct corbel_bvh##n *b = (const struct corbel_bvh##n *)node;    \
        unsigned count = 0;                                                    \
        (void)grain_units;                                                     \
        while (count < n && b->ref[count] != CORBEL_REF_NONE) {                \
            ref[count] = b->ref[count];                                        \
            count++;                                                           \
        }                                                                      \
        return count;                                                          \
    }                                                                          \
                                                                               \
    static inline void corbel_bvh##n##_box(const void *node, unsigned i,       \
                                           struct corbel_box *box)             \
    {                                                                          \
        const struct corbel_bvh##n *b = (const struct corbel_bvh##n *)node;    \
        for (int axis = 0; axis < 3; axis++) {                                 \
            box->min[axis] = b->min[axis][i];                                  \
            box->max[axis] = b->max[axis][i];                                  \
        }                                                                      \
    }                                                                          \
                                                                               \
    static inline void corbel_bvh##n##_boxes(const void *node,                 \
                                             struct corbel_boxes *boxes)       \
    {                                                                          \
        const struct corbel_bvh##n *b = (const struct corbel_bvh##n *)node;    \
        for (int axis = 0; axis < 3; axis++) {                                 \
            __builtin_memcpy(boxes->min[axis], b->min[axis],                   \
                             sizeof b->min[axis]);                             \
            __builtin_memcpy(boxes->max[axis], b->max[axis],                   \
                             sizeof b->max[axis]);                             \
        }                                                                      \
    }                                                                          \
                                                                               \
    static inline const char *corbel_bvh##n##_flaw(const void *node)           \
    {                                                                          \
        return corbel_bvh_flaw(((const struct corbel_bvh##n *)node)->ref, n);  \
    }                                                                          \
                                                                               \
    static inline bool corbel_bvh##n##_encode(                                 \
        const struct corbel_node_children *c, void *node)                      \
    {                                                                          \
        struct corbel_bvh##n *b = (struct corbel_bvh##n *)node;                \
        for (unsigned i = 0; i < c->count; i++) {                              \
            b->ref[i] = c->ref[i];                                             \
            for (int axis = 0; axis < 3; axis++) {                             \
                b->min[axis][i] = c->box[i].min[axis];                         \
                b->max[axis][i] = c->box[i].max[axis];                         \
            }                                                                  \
        }                                                                      \
        return true;                                                           \
    }

CORBEL_BVH(2)
CORBEL_BVH(3)
CORBEL_BVH(4)
CORBEL_BVH(5)
CORBEL_BVH(6)
CORBEL_BVH(7)
CORBEL_BVH(8)

#undef CORBEL_BVH

#ifdef __cplusplus
}
#endif
#endif
