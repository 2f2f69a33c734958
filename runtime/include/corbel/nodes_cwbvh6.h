/*
 * Node format cwbvh6: up to six children in 64 bytes (after Ylitie, Karras,
 * Laine: Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide
 * BVHs, HPG 2017). Each plane of a child's box is 8 bits on a grid of the
 * node's own:
 *
 *   plane = anchor + q 2^(exponent - 127)      for each axis
 *
 * q 2^(..) is exact and the sum rounds once; whoever writes a node verifies
 * with these functions that the decoded box contains the real one.
 *
 * Children that are nodes lie side by side from node_base, leaves' blocks from
 * block_base, both in slot order, so four bits a child say the rest.
 */
#ifndef CORBEL_NODES_CWBVH6_H
#define CORBEL_NODES_CWBVH6_H

#include <corbel/boxes.h>
#include <corbel/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_CWBVH6_NODE 15u /* kind of a child that is a node */

struct corbel_cwbvh6 {
    float anchor[3];
    uint32_t node_base;  /* units of 64 bytes */
    uint32_t block_base; /* units of 64 bytes */
    uint8_t exponent[3]; /* 1 .. 254 */
    uint8_t reserved;
    uint32_t kinds; /* bits 4 i + 3 .. 4 i of child i: 0 none (the last child
                       was i - 1), 1 .. 8 leaf of as many triangles, 15 node */
    uint8_t min[3][6];
    uint8_t max[3][6];
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_cwbvh6) == 64, "cwbvh6 node");

static inline unsigned corbel_cwbvh6_refs(const void *node, uint32_t *ref)
{
    const struct corbel_cwbvh6 *n = (const struct corbel_cwbvh6 *)node;
    uint32_t next_node = n->node_base, next_block = n->block_base;
    uint32_t kinds = n->kinds;
    unsigned count = 0;
    for (; kinds != 0; kinds >>= 4) {
        uint32_t kind = kinds & 15;
        if (kind == CORBEL_CWBVH6_NODE) {
            ref[count++] = next_node++;
        } else { /* as corbel_ref_leaf() */
            ref[count++] = 0x80000000u | (kind - 1) << 28 | next_block;
            next_block += kind;
        }
    }
    return count;
}

/* 2^(exponent - 127) */
static inline float corbel_cwbvh6_scale(uint8_t exponent)
{
    union {
        uint32_t u;
        float f;
    } x;
    x.u = (uint32_t)exponent << 23;
    return x.f;
}

static inline float corbel_cwbvh6_plane(float anchor, float scale, uint8_t q)
{
    return anchor + (float)q * scale;
}

static inline void corbel_cwbvh6_box(const void *node, unsigned i,
                                     struct corbel_box *box)
{
    const struct corbel_cwbvh6 *n = (const struct corbel_cwbvh6 *)node;
    for (int axis = 0; axis < 3; axis++) {
        float anchor = n->anchor[axis];
        float scale = corbel_cwbvh6_scale(n->exponent[axis]);
        box->min[axis] = corbel_cwbvh6_plane(anchor, scale, n->min[axis][i]);
        box->max[axis] = corbel_cwbvh6_plane(anchor, scale, n->max[axis][i]);
    }
}

/* One side of the boxes of all slots; the unused ones are at the anchor. */
static inline void corbel_cwbvh6_planes(float anchor, float scale,
                                        const uint8_t q[6], float plane[8])
{
    /* One store of 8 bytes: two shorter ones would stall the vector load. */
    uint32_t low;
    uint16_t high;
    uint8_t padded[8];
    __builtin_memcpy(&low, q, 4);
    __builtin_memcpy(&high, q + 4, 2);
    uint64_t all = low | (uint64_t)high << 32;
    __builtin_memcpy(padded, &all, 8);
    for (int lane = 0; lane < 8; lane++)
        plane[lane] = corbel_cwbvh6_plane(anchor, scale, padded[lane]);
}

static inline void corbel_cwbvh6_boxes(const void *node,
                                       struct corbel_boxes *boxes)
{
    const struct corbel_cwbvh6 *n = (const struct corbel_cwbvh6 *)node;
    for (int axis = 0; axis < 3; axis++) {
        float scale = corbel_cwbvh6_scale(n->exponent[axis]);
        corbel_cwbvh6_planes(n->anchor[axis], scale, n->min[axis],
                             boxes->min[axis]);
        corbel_cwbvh6_planes(n->anchor[axis], scale, n->max[axis],
                             boxes->max[axis]);
    }
}

#ifdef __cplusplus
}
#endif
#endif
