/*
 * Node formats cwbvh6t and cwbvh5t: compressed nodes of 64 bytes for scenes
 * with treelets (corbel/treelets.h). Planes are those of cwbvh6 on the grid of
 * cwbvh7, whose anchor has 24 bits. That leaves room for a third base: the
 * roots of other treelets among the children lie one stride after the other in
 * slot order, as treelets do. cwbvh5t has a child less and its parent instead.
 */
#ifndef CORBEL_NODES_CWBVHT_H
#define CORBEL_NODES_CWBVHT_H

#include <corbel/nodes_cwbvh.h>
#include <corbel/nodes_cwbvh7.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_CWBVH_TREELET 14u /* kind of a child: root of a treelet */
#define CORBEL_CWBVHT_BYTES 64
#define CORBEL_CWBVHT_UNITS (CORBEL_CWBVHT_BYTES / CORBEL_REF_UNIT)
#define CORBEL_CWBVHT_BASE 0x03FFFFFFu   /* of nodes and of treelets */
#define CORBEL_CWBVHT_STRIDE 0x0003FFFFu /* of treelets */

/*
 * What both have in front of their planes. The kinds of children, four bits
 * each as in cwbvh6, are where words have room: 0, 1, 2 in bits 31 .. 20 of
 * stride, 3, 4, 5 in bits 31 .. 28 of nodes, leaves and treelets.
 */
struct corbel_cwbvht {
    uint32_t grid[3];  /* as in cwbvh7 */
    uint32_t nodes;    /* bits 25 .. 0: offset / 64 of the first node */
    uint32_t leaves;   /* bits 27 .. 0: offset / 16 of the first leaf */
    uint32_t treelets; /* bits 25 .. 0: offset / 64 of the first treelet */
    uint32_t stride;   /* bits 17 .. 0: from one to the next, / 64, - 1 */
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_cwbvht) == 28, "cwbvht head");

/* Four bits for each child, the first in the low ones. */
static inline uint32_t corbel_cwbvht_kinds(const struct corbel_cwbvht *n)
{
    return n->stride >> 20 | n->nodes >> 28 << 12 | n->leaves >> 28 << 16 |
           n->treelets >> 28 << 20;
}

static inline unsigned corbel_cwbvht_refs(const struct corbel_cwbvht *n,
                                          unsigned grain_units, uint32_t *ref)
{
    uint32_t node = (n->nodes & CORBEL_CWBVHT_BASE) * CORBEL_CWBVHT_UNITS;
    uint32_t leaf = n->leaves & CORBEL_REF_UNITS_MAX;
    uint32_t treelet = (n->treelets & CORBEL_CWBVHT_BASE) * CORBEL_CWBVHT_UNITS;
    unsigned count = 0;
    for (uint32_t kinds = corbel_cwbvht_kinds(n); kinds != 0; kinds >>= 4) {
        const uint32_t kind = kinds & 15;
        if (kind == CORBEL_CWBVH_NODE) {
            ref[count++] = node;
            node += CORBEL_CWBVHT_UNITS;
        } else if (kind == CORBEL_CWBVH_TREELET) {
            ref[count++] = CORBEL_REF_TREELET | treelet;
            treelet +=
                ((n->stride & CORBEL_CWBVHT_STRIDE) + 1) * CORBEL_CWBVHT_UNITS;
        } else {
            ref[count++] = corbel_ref_leaf(leaf, kind);
            leaf += kind * grain_units;
        }
    }
    return count;
}

/* What is wrong with a node of `slots` slots, NULL: nothing. */
static inline const char *corbel_cwbvht_flaw(const struct corbel_cwbvht *n,
                                             unsigned slots)
{
    const char *flaw = NULL;
    unsigned count = 0;
    for (uint32_t kinds = corbel_cwbvht_kinds(n); kinds; kinds >>= 4, count++) {
        const uint32_t kind = kinds & 15;
        if (kind == 0)
            return "has a child after an empty slot";
        if (kind > CORBEL_GRAINS_MAX && kind < CORBEL_CWBVH_TREELET)
            return "has a child of a kind that does not exist";
    }
    if (count > slots)
        return "has more children than slots";
    for (int axis = 0; axis < 3 && !flaw; axis++)
        flaw = corbel_cwbvh_exponent_flaw(n->grid[axis] & 0xff);
    return flaw;
}

/* From one treelet among the children to the next, in units; 0: there is one at
 * most. */
static inline uint32_t
corbel_cwbvht_distance(const struct corbel_node_children *c)
{
    uint32_t first = CORBEL_REF_NONE;
    for (unsigned i = 0; i < c->count; i++) {
        if (!corbel_ref_is_treelet(c->ref[i]))
            continue;
        if (first != CORBEL_REF_NONE)
            return c->ref[i] - first;
        first = c->ref[i];
    }
    return 0;
}

/* All but planes and grid. */
static inline void corbel_cwbvht_link(const struct corbel_node_children *c,
                                      struct corbel_cwbvht *n)
{
    const uint32_t distance = corbel_cwbvht_distance(c) / CORBEL_CWBVHT_UNITS;
    uint32_t kinds = 0;
    for (unsigned i = c->count; i-- > 0;) {
        const uint32_t ref = c->ref[i], unit = corbel_ref_unit(ref);
        uint32_t kind = CORBEL_CWBVH_NODE;
        if (corbel_ref_is_leaf(ref)) {
            n->leaves = unit;
            kind = corbel_ref_grains(ref);
        } else if (corbel_ref_is_treelet(ref)) {
            n->treelets = unit / CORBEL_CWBVHT_UNITS;
            kind = CORBEL_CWBVH_TREELET;
        } else {
            n->nodes = unit / CORBEL_CWBVHT_UNITS;
        }
        kinds |= kind << 4 * i;
    }
    n->stride = (distance ? distance - 1 : 0) | kinds << 20;
    n->nodes |= (kinds >> 12 & 15) << 28;
    n->leaves |= (kinds >> 16 & 15) << 28;
    n->treelets |= (kinds >> 20 & 15) << 28;
}

/* A format of width n; what it has behind its planes. */
#define CORBEL_CWBVHT(n, behind)                                               \
    struct corbel_cwbvh##n##t {                                                \
        struct corbel_cwbvht head;                                             \
        uint8_t min[3][n];                                                     \
        uint8_t max[3][n];                                                     \
        behind                                                                 \
    };                                                                         \
    CORBEL_STATIC_ASSERT(                                                      \
        sizeof(struct corbel_cwbvh##n##t) == CORBEL_CWBVHT_BYTES, "node");     \
                                                                               \
    static inline unsigned corbel_cwbvh##n##t_refs(                            \
        const void *node, unsigned grain_units, uint32_t *ref)                 \
    {                                                                          \
        return corbel_cwbvht_refs((const struct corbel_cwbvht *)node,          \
                                  grain_units, ref);                           \
    }                                                                          \
                                                                               \
    static inline const char *corbel_cwbvh##n##t_flaw(const void *node)        \
    {                                                                          \
        return corbel_cwbvht_flaw((const struct corbel_cwbvht *)node, n);      \
    }                                                                          \
                                                                               \
    static inline void corbel_cwbvh##n##t_box(const void *node, unsigned i,    \
                                              struct corbel_box *box)          \
    {                                                                          \
        const struct corbel_cwbvh##n##t *b =                                   \
            (const struct corbel_cwbvh##n##t *)node;                           \
        for (int axis = 0; axis < 3; axis++) {                                 \
            float anchor = corbel_cwbvh7_anchor(b->head.grid[axis]);           \
            float scale = corbel_cwbvh_scale((uint8_t)b->head.grid[axis]);     \
            box->min[axis] =                                                   \
                corbel_cwbvh_plane(anchor, scale, b->min[axis][i]);            \
            box->max[axis] =                                                   \
                corbel_cwbvh_plane(anchor, scale, b->max[axis][i]);            \
        }                                                                      \
    }                                                                          \
                                                                               \
    static inline void corbel_cwbvh##n##t_boxes(const void *node,              \
                                                struct corbel_boxes *boxes)    \
    {                                                                          \
        const struct corbel_cwbvh##n##t *b =                                   \
            (const struct corbel_cwbvh##n##t *)node;                           \
        for (int axis = 0; axis < 3; axis++) {                                 \
            float anchor = corbel_cwbvh7_anchor(b->head.grid[axis]);           \
            float scale = corbel_cwbvh_scale((uint8_t)b->head.grid[axis]);     \
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
    static inline bool corbel_cwbvh##n##t_encode(                              \
        const struct corbel_node_children *c, void *node)                      \
    {                                                                          \
        struct corbel_cwbvh##n##t *b = (struct corbel_cwbvh##n##t *)node;      \
        bool fits = true;                                                      \
        corbel_cwbvht_link(c, &b->head);                                       \
        for (int axis = 0; axis < 3; axis++)                                   \
            fits = corbel_cwbvh7_quantise(c, axis, &b->head.grid[axis],        \
                                          b->min[axis], b->max[axis]) &&       \
                   fits;                                                       \
        return fits;                                                           \
    }

CORBEL_CWBVHT(6, )
CORBEL_CWBVHT(5, uint8_t zero[2]; uint32_t parent;)

#undef CORBEL_CWBVHT

#ifdef __cplusplus
}
#endif
#endif
