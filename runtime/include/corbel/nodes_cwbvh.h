/*
 * Node formats cwbvh6 and cwbvh8: up to six children in 64 bytes, up to eight
 * in 80 (after Ylitie, Karras, Laine: Efficient Incoherent Ray Traversal on
 * GPUs Through Compressed Wide BVHs, HPG 2017). Each plane of a child's box is
 * 8 bits on a grid of the node's own:
 *
 *   plane = anchor + q 2^(exponent - 127)      for each axis
 *
 * q 2^(..) is exact and the sum rounds once; the writer verifies with the
 * reader's functions that the decoded box contains the real one.
 *
 * Children that are nodes lie side by side from node_base, leaves from
 * leaf_base, both in slot order, so four bits a child say the rest.
 */
#ifndef CORBEL_NODES_CWBVH_H
#define CORBEL_NODES_CWBVH_H

#include <corbel/boxes.h>
#include <corbel/refs.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_CWBVH_NODE 15u /* kind of a child that is a node */

/* What both have in front of their planes. */
struct corbel_cwbvh {
    float anchor[3];
    uint32_t node_base, leaf_base; /* as in corbel/refs.h */
    uint8_t exponent[3];           /* 1 .. 254 */
    uint8_t reserved;
    uint32_t kinds; /* bits 4 i + 3 .. 4 i of child i: 0 none (the last child
                       was i - 1), 1 .. 8 leaf of as many grains, 15 node */
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_cwbvh) == 28, "cwbvh head");

static inline unsigned corbel_cwbvh_refs(const struct corbel_cwbvh *n,
                                         unsigned node_units,
                                         unsigned grain_units, uint32_t *ref)
{
    uint32_t next_node = n->node_base, next_leaf = n->leaf_base;
    unsigned count = 0;
    for (uint32_t kinds = n->kinds; kinds != 0; kinds >>= 4) {
        uint32_t kind = kinds & 15;
        if (kind == CORBEL_CWBVH_NODE) {
            ref[count++] = next_node;
            next_node += node_units;
        } else {
            ref[count++] = corbel_ref_leaf(next_leaf, kind);
            next_leaf += kind * grain_units;
        }
    }
    return count;
}

/* What is wrong with the exponent of a grid, NULL: nothing. */
static inline const char *corbel_cwbvh_exponent_flaw(uint32_t exponent)
{
    return exponent - 1 < 254 ? NULL
                              : "has a grid of no exponent from 1 to 254";
}

/* What is wrong with a node of `slots` slots, NULL: nothing. */
static inline const char *corbel_cwbvh_flaw(const struct corbel_cwbvh *n,
                                            unsigned slots)
{
    const char *flaw = NULL;
    unsigned count = 0;
    for (uint32_t kinds = n->kinds; kinds != 0; kinds >>= 4, count++) {
        const uint32_t kind = kinds & 15;
        if (kind == 0)
            return "has a child after an empty slot";
        if (kind > CORBEL_GRAINS_MAX && kind != CORBEL_CWBVH_NODE)
            return "has a child of a kind that does not exist";
    }
    if (count > slots)
        return "has more children than slots";
    for (int axis = 0; axis < 3 && !flaw; axis++)
        flaw = corbel_cwbvh_exponent_flaw(n->exponent[axis]);
    return flaw;
}

/* 2^(exponent - 127) */
static inline float corbel_cwbvh_scale(uint8_t exponent)
{
    union {
        uint32_t u;
        float f;
    } x;
    x.u = (uint32_t)exponent << 23;
    return x.f;
}

static inline float corbel_cwbvh_plane(float anchor, float scale, uint8_t q)
{
    return anchor + (float)q * scale;
}

/* Eight bytes, each followed by a zero. */
static inline corbel_bytes corbel_cwbvh_widened(uint64_t q)
{
    const corbel_bytes zero = {0};
    return CORBEL_ZIP_BYTES(corbel_low_bytes(q), zero);
}

/* One side of the boxes of all slots; the unused ones are at the anchor. */
static inline void corbel_cwbvh_planes(float anchor, float scale,
                                       corbel_bytes q, float plane[8])
{
    const corbel_bytes zero = {0};
    corbel_ints low = (corbel_ints)CORBEL_ZIP_SHORTS(q, zero);
    corbel_ints high = (corbel_ints)CORBEL_ZIP_SHORTS_HIGH(q, zero);
    corbel_floats planes[2] = {
        anchor + __builtin_convertvector(low, corbel_floats) * scale,
        anchor + __builtin_convertvector(high, corbel_floats) * scale,
    };
    __builtin_memcpy(plane, planes, sizeof planes);
}

/* n bytes, 4 .. 8, as the low ones of a word. */
static inline uint64_t corbel_cwbvh_word(const uint8_t *q, unsigned n)
{
    uint32_t low, high = 0;
    __builtin_memcpy(&low, q, 4);
    __builtin_memcpy(&high, q + 4, n - 4);
    return low | (uint64_t)high << 32;
}

/* Largest grid index whose plane is not above low; false: none. */
static inline bool corbel_cwbvh_down(float anchor, float scale, float low,
                                     uint8_t *q)
{
    double steps = __builtin_floor(((double)low - anchor) / scale);
    int i = steps > 255 ? 255 : steps < 0 ? 0 : (int)steps;
    while (i > 0 && corbel_cwbvh_plane(anchor, scale, (uint8_t)i) > low)
        i--;
    *q = (uint8_t)i;
    return corbel_cwbvh_plane(anchor, scale, *q) <= low;
}

/* Smallest grid index whose plane is not below high; false: none. */
static inline bool corbel_cwbvh_up(float anchor, float scale, float high,
                                   uint8_t *q)
{
    double steps = __builtin_ceil(((double)high - anchor) / scale);
    int i = steps > 255 ? 255 : steps < 0 ? 0 : (int)steps;
    while (i < 255 && corbel_cwbvh_plane(anchor, scale, (uint8_t)i) < high)
        i++;
    *q = (uint8_t)i;
    return corbel_cwbvh_plane(anchor, scale, *q) >= high;
}

/* The planes min[i], max[i] of one axis on a given grid; false: none fit. */
static inline bool corbel_cwbvh_fits(const struct corbel_node_children *c,
                                     int axis, float anchor, uint8_t exponent,
                                     uint8_t *min, uint8_t *max)
{
    const float scale = corbel_cwbvh_scale(exponent);
    for (unsigned i = 0; i < c->count; i++) {
        const struct corbel_box *box = &c->box[i];
        if (!corbel_cwbvh_down(anchor, scale, box->min[axis], &min[i]) ||
            !corbel_cwbvh_up(anchor, scale, box->max[axis], &max[i]))
            return false;
    }
    return true;
}

/*
 * One axis of all children on the finest grid from the anchor, which is not
 * above any of them, that reaches around them. Returns its exponent; 255:
 * there is none.
 */
static inline uint8_t
corbel_cwbvh_quantise(const struct corbel_node_children *c, int axis,
                      float anchor, uint8_t *min, uint8_t *max)
{
    float high = anchor;
    for (unsigned i = 0; i < c->count; i++)
        high = c->box[i].max[axis] > high ? c->box[i].max[axis] : high;
    int exponent;
    (void)__builtin_frexp(((double)high - anchor) / 255, &exponent);
    exponent = exponent + 126 < 1 ? 1 : exponent + 126;
    while (exponent < 255 &&
           !corbel_cwbvh_fits(c, axis, anchor, (uint8_t)exponent, min, max))
        exponent++;
    return (uint8_t)exponent;
}

static inline float corbel_cwbvh_lowest(const struct corbel_node_children *c,
                                        int axis)
{
    float low = c->box[0].min[axis];
    for (unsigned i = 1; i < c->count; i++)
        low = c->box[i].min[axis] < low ? c->box[i].min[axis] : low;
    return low;
}

/* All but the planes. */
static inline void corbel_cwbvh_link(const struct corbel_node_children *c,
                                     struct corbel_cwbvh *n)
{
    for (unsigned i = c->count; i-- > 0;) {
        uint32_t ref = c->ref[i];
        uint32_t kind = CORBEL_CWBVH_NODE;
        if (corbel_ref_is_leaf(ref)) {
            n->leaf_base = corbel_ref_unit(ref);
            kind = corbel_ref_grains(ref);
        } else {
            n->node_base = ref;
        }
        n->kinds |= kind << 4 * i;
    }
}

/* A format of width n. */
#define CORBEL_CWBVH(n, bytes)                                                 \
    struct corbel_cwbvh##n {                                                   \
        struct corbel_cwbvh head;                                              \
        uint8_t min[3][n];                                                     \
        uint8_t max[3][n];                                                     \
    };                                                                         \
    CORBEL_STATIC_ASSERT(sizeof(struct corbel_cwbvh##n) <= bytes, "node");     \
                                                                               \
    static inline unsigned corbel_cwbvh##n##_refs(                             \
        const void *node, unsigned grain_units, uint32_t *ref)                 \
    {                                                                          \
        return corbel_cwbvh_refs((const struct corbel_cwbvh *)node,            \
                                 bytes / CORBEL_REF_UNIT, grain_units, ref);   \
    }                                                                          \
                                                                               \
    static inline const char *corbel_cwbvh##n##_flaw(const void *node)         \
    {                                                                          \
        return corbel_cwbvh_flaw((const struct corbel_cwbvh *)node, n);        \
    }                                                                          \
                                                                               \
    static inline void corbel_cwbvh##n##_box(const void *node, unsigned i,     \
                                             struct corbel_box *box)           \
    {                                                                          \
        const struct corbel_cwbvh##n *b =                                      \
            (const struct corbel_cwbvh##n *)node;                              \
        for (int axis = 0; axis < 3; axis++) {                                 \
            float anchor = b->head.anchor[axis];                               \
            float scale = corbel_cwbvh_scale(b->head.exponent[axis]);          \
            box->min[axis] =                                                   \
                corbel_cwbvh_plane(anchor, scale, b->min[axis][i]);            \
            box->max[axis] =                                                   \
                corbel_cwbvh_plane(anchor, scale, b->max[axis][i]);            \
        }                                                                      \
    }                                                                          \
                                                                               \
    static inline void corbel_cwbvh##n##_boxes(const void *node,               \
                                               struct corbel_boxes *boxes)     \
    {                                                                          \
        const struct corbel_cwbvh##n *b =                                      \
            (const struct corbel_cwbvh##n *)node;                              \
        for (int axis = 0; axis < 3; axis++) {                                 \
            float anchor = b->head.anchor[axis];                               \
            float scale = corbel_cwbvh_scale(b->head.exponent[axis]);          \
            corbel_cwbvh_planes(                                               \
                anchor, scale,                                                 \
                corbel_cwbvh_widened(corbel_cwbvh_word(b->min[axis], n)),      \
                boxes->min[axis]);                                             \
            corbel_cwbvh_planes(                                               \
                anchor, scale,                                                 \
                corbel_cwbvh_widened(corbel_cwbvh_word(b->max[axis], n)),      \
                boxes->max[axis]);                                             \
        }                                                                      \
    }                                                                          \
                                                                               \
    static inline bool corbel_cwbvh##n##_encode(                               \
        const struct corbel_node_children *c, void *node)                      \
    {                                                                          \
        struct corbel_cwbvh##n *b = (struct corbel_cwbvh##n *)node;            \
        bool fits = true;                                                      \
        corbel_cwbvh_link(c, &b->head);                                        \
        for (int axis = 0; axis < 3; axis++) {                                 \
            float anchor = corbel_cwbvh_lowest(c, axis);                       \
            b->head.anchor[axis] = anchor;                                     \
            b->head.exponent[axis] = corbel_cwbvh_quantise(                    \
                c, axis, anchor, b->min[axis], b->max[axis]);                  \
            fits = fits && b->head.exponent[axis] < 255;                       \
        }                                                                      \
        return fits;                                                           \
    }

CORBEL_CWBVH(6, 64)
CORBEL_CWBVH(8, 80)

#undef CORBEL_CWBVH

#ifdef __cplusplus
}
#endif
#endif
