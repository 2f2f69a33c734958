/*
 * Node format cwbvh7: up to seven children in 64 bytes, the fields of the node
 * that the public code of Arches traverses (HE2CWBVH). As cwbvh6, with
 *
 * - a coarser anchor, the upper 24 bits of a binary32 below the children,
 *   which leaves room for the seventh child;
 * - leaves of one grain, so that one bit says what a child is;
 * - the planes child by child. An unused slot has min 255 and max 0.
 *
 * In Arches a second mask says which children have a place of their own,
 * since two may share one (a leaf cut into two boxes). Here every child has
 * its own place, and that byte has a bit for each child that there is.
 */
#ifndef CORBEL_NODES_CWBVH7_H
#define CORBEL_NODES_CWBVH7_H

#include <corbel/nodes_cwbvh.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_CWBVH7_BYTES 64

struct corbel_cwbvh7 {
    uint32_t node_base, leaf_base; /* as in corbel/refs.h */
    uint32_t grid[3]; /* bits 31 .. 8 of the anchor, bits 7 .. 0 exponent */
    uint8_t nodes;    /* bit i: child i is a node */
    uint8_t used;     /* bit i: there is a child i */
    struct {
        uint8_t min[3], max[3];
    } child[7];
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_cwbvh7) == CORBEL_CWBVH7_BYTES,
                     "cwbvh7");

static inline unsigned corbel_cwbvh7_refs(const void *node,
                                          unsigned grain_units, uint32_t *ref)
{
    const struct corbel_cwbvh7 *n = (const struct corbel_cwbvh7 *)node;
    uint32_t next_node = n->node_base, next_leaf = n->leaf_base;
    unsigned count = 0;
    for (; n->used >> count & 1; count++) {
        if (n->nodes >> count & 1) {
            ref[count] = next_node;
            next_node += CORBEL_CWBVH7_BYTES / CORBEL_REF_UNIT;
        } else {
            ref[count] = corbel_ref_leaf(next_leaf, 1);
            next_leaf += grain_units;
        }
    }
    return count;
}

static inline float corbel_cwbvh7_float(uint32_t bits)
{
    float f;
    __builtin_memcpy(&f, &bits, sizeof f);
    return f;
}

static inline float corbel_cwbvh7_anchor(uint32_t grid)
{
    return corbel_cwbvh7_float(grid & ~UINT32_C(0xff));
}

/* The largest anchor that is not above low. */
static inline float corbel_cwbvh7_below(float low)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &low, sizeof bits);
    if (low < 0) /* a larger magnitude is lower */
        bits += 0xff;
    return corbel_cwbvh7_anchor(bits);
}

static inline void corbel_cwbvh7_box(const void *node, unsigned i,
                                     struct corbel_box *box)
{
    const struct corbel_cwbvh7 *n = (const struct corbel_cwbvh7 *)node;
    for (int axis = 0; axis < 3; axis++) {
        float anchor = corbel_cwbvh7_anchor(n->grid[axis]);
        float scale = corbel_cwbvh_scale((uint8_t)n->grid[axis]);
        box->min[axis] =
            corbel_cwbvh_plane(anchor, scale, n->child[i].min[axis]);
        box->max[axis] =
            corbel_cwbvh_plane(anchor, scale, n->child[i].max[axis]);
    }
}

static inline void corbel_cwbvh7_boxes(const void *node,
                                       struct corbel_boxes *boxes)
{
    const struct corbel_cwbvh7 *n = (const struct corbel_cwbvh7 *)node;
    for (int axis = 0; axis < 3; axis++) {
        float anchor = corbel_cwbvh7_anchor(n->grid[axis]);
        float scale = corbel_cwbvh_scale((uint8_t)n->grid[axis]);
        uint64_t min = 0, max = 0;
        for (unsigned i = 0; i < 7; i++) {
            min |= (uint64_t)n->child[i].min[axis] << 8 * i;
            max |= (uint64_t)n->child[i].max[axis] << 8 * i;
        }
        corbel_cwbvh_planes(anchor, scale, min, boxes->min[axis]);
        corbel_cwbvh_planes(anchor, scale, max, boxes->max[axis]);
    }
}

static inline void corbel_cwbvh7_link(const struct corbel_node_children *c,
                                      struct corbel_cwbvh7 *n)
{
    for (unsigned i = c->count; i-- > 0;) {
        uint32_t ref = c->ref[i];
        n->used |= (uint8_t)(1u << i);
        if (corbel_ref_is_leaf(ref)) {
            n->leaf_base = corbel_ref_unit(ref);
        } else {
            n->node_base = ref;
            n->nodes |= (uint8_t)(1u << i);
        }
    }
}

/* The grid and the planes of an axis; false: there is no grid that fits. */
static inline bool corbel_cwbvh7_planes(const struct corbel_node_children *c,
                                        int axis, struct corbel_cwbvh7 *n)
{
    uint8_t min[8] = {255, 255, 255, 255, 255, 255, 255, 255}, max[8] = {0};
    float anchor = corbel_cwbvh7_below(corbel_cwbvh_lowest(c, axis));
    uint8_t exponent = corbel_cwbvh_quantise(c, axis, anchor, min, max);
    __builtin_memcpy(&n->grid[axis], &anchor, sizeof anchor);
    n->grid[axis] |= exponent;
    for (unsigned i = 0; i < 7; i++) {
        n->child[i].min[axis] = min[i];
        n->child[i].max[axis] = max[i];
    }
    return exponent < 255;
}

static inline bool corbel_cwbvh7_encode(const struct corbel_node_children *c,
                                        void *node)
{
    struct corbel_cwbvh7 *n = (struct corbel_cwbvh7 *)node;
    bool fits = true;
    corbel_cwbvh7_link(c, n);
    for (int axis = 0; axis < 3; axis++)
        fits = corbel_cwbvh7_planes(c, axis, n) && fits;
    return fits;
}

#ifdef __cplusplus
}
#endif
#endif
