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

#include <corbel/intersect.h>
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

#ifdef __riscv
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
#else
/*
 * The same for all slots at once, without branches that a host would
 * mispredict. A byte, then a lane, for each child: is it a node, and how many
 * nodes are in front of it?
 */
static inline unsigned corbel_cwbvh7_refs(const void *node,
                                          unsigned grain_units, uint32_t *ref)
{
    const struct corbel_cwbvh7 *n = (const struct corbel_cwbvh7 *)node;
    const uint64_t each = UINT64_C(0x0101010101010101);
    const uint64_t bits = n->nodes * each & UINT64_C(0x8040201008040201);
    const uint64_t is_node = (bits + 0x7f * each) >> 7 & each;
    const uint64_t before = is_node * each << 8;
    const corbel_bytes zero = {0};
    const corbel_shorts lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const corbel_shorts nodes =
        (corbel_shorts)CORBEL_ZIP_BYTES(corbel_low_bytes(before), zero);
    const corbel_shorts mask = (corbel_shorts)CORBEL_ZIP_BYTES(
        corbel_low_bytes(is_node * 0xff), corbel_low_bytes(is_node * 0xff));
    const corbel_shorts units =
        (nodes * (CORBEL_CWBVH7_BYTES / CORBEL_REF_UNIT) & mask) |
        ((lane - nodes) * (uint16_t)grain_units & ~mask);
    const uint32_t leaf_base = corbel_ref_leaf(n->leaf_base, 1);
    const uint32_t apart = leaf_base ^ n->node_base;
    const corbel_words masks[2] = {
        (corbel_words)CORBEL_ZIP_SHORTS(mask, mask),
        (corbel_words)CORBEL_ZIP_SHORTS_HIGH(mask, mask),
    };
    const corbel_words refs[2] = {
        (leaf_base ^ (apart & masks[0])) +
            (corbel_words)CORBEL_ZIP_SHORTS(units, zero),
        (leaf_base ^ (apart & masks[1])) +
            (corbel_words)CORBEL_ZIP_SHORTS_HIGH(units, zero),
    };
    __builtin_memcpy(ref, refs, sizeof refs);
    return (unsigned)__builtin_ctz(~(unsigned)n->used);
}
#endif

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

/* The planes of child i and what follows them; nothing follows the last's. */
static inline corbel_bytes corbel_cwbvh7_child(const struct corbel_cwbvh7 *n,
                                               unsigned i)
{
    uint64_t bytes;
    if (i == 6) {
        __builtin_memcpy(&bytes, (const uint8_t *)(n + 1) - 8, 8);
        bytes >>= 16;
    } else {
        __builtin_memcpy(&bytes, &n->child[i], 8);
    }
    return corbel_low_bytes(bytes);
}

/*
 * The planes side by side: min x and y, min z and max x, max y and z of all
 * children, with zeros for an eighth. Rows become columns in three rounds.
 */
static inline void corbel_cwbvh7_columns(const struct corbel_cwbvh7 *n,
                                         corbel_bytes columns[3])
{
#define CHILD(i) corbel_cwbvh7_child(n, i)
    const corbel_bytes none = {0};
    const corbel_bytes c01 = CORBEL_ZIP_BYTES(CHILD(0), CHILD(1));
    const corbel_bytes c23 = CORBEL_ZIP_BYTES(CHILD(2), CHILD(3));
    const corbel_bytes c45 = CORBEL_ZIP_BYTES(CHILD(4), CHILD(5));
    const corbel_bytes c67 = CORBEL_ZIP_BYTES(CHILD(6), none);
#undef CHILD
    const corbel_shorts low03 = CORBEL_ZIP_SHORTS(c01, c23);
    const corbel_shorts low47 = CORBEL_ZIP_SHORTS(c45, c67);
    const corbel_shorts high03 = CORBEL_ZIP_SHORTS_HIGH(c01, c23);
    const corbel_shorts high47 = CORBEL_ZIP_SHORTS_HIGH(c45, c67);
    columns[0] = (corbel_bytes)CORBEL_ZIP_WORDS(low03, low47);
    columns[1] = (corbel_bytes)CORBEL_ZIP_WORDS_HIGH(low03, low47);
    columns[2] = (corbel_bytes)CORBEL_ZIP_WORDS(high03, high47);
}

static inline void corbel_cwbvh7_axis(const struct corbel_cwbvh7 *n, int axis,
                                      corbel_bytes min, corbel_bytes max,
                                      struct corbel_boxes *boxes)
{
    const float anchor = corbel_cwbvh7_anchor(n->grid[axis]);
    const float scale = corbel_cwbvh_scale((uint8_t)n->grid[axis]);
    corbel_cwbvh_planes(anchor, scale, min, boxes->min[axis]);
    corbel_cwbvh_planes(anchor, scale, max, boxes->max[axis]);
}

static inline void corbel_cwbvh7_boxes(const void *node,
                                       struct corbel_boxes *boxes)
{
    const struct corbel_cwbvh7 *n = (const struct corbel_cwbvh7 *)node;
    const corbel_bytes zero = {0};
    corbel_bytes columns[3];
    corbel_cwbvh7_columns(n, columns);
#define FIRST(i) CORBEL_ZIP_BYTES(columns[i], zero)
#define SECOND(i) CORBEL_ZIP_BYTES_HIGH(columns[i], zero)
    corbel_cwbvh7_axis(n, 0, FIRST(0), SECOND(1), boxes);
    corbel_cwbvh7_axis(n, 1, SECOND(0), FIRST(2), boxes);
    corbel_cwbvh7_axis(n, 2, FIRST(1), SECOND(2), boxes);
#undef FIRST
#undef SECOND
}

#ifndef __riscv
/* The planes of an axis, in 16 bits, as distances along the ray. */
static inline __attribute__((always_inline)) void
corbel_cwbvh7_distances(corbel_bytes planes, float anchor, float scale, float o,
                        float inv, corbel_wide_floats *distance)
{
    const corbel_wide_ints wide =
        __builtin_convertvector((corbel_shorts)planes, corbel_wide_ints);
    const corbel_wide_floats steps =
        __builtin_convertvector(wide, corbel_wide_floats);
    *distance = (anchor + steps * scale - o) * inv;
}

/* corbel_slab() of an axis of all children, planes in 16 bits. */
static inline __attribute__((always_inline)) void
corbel_cwbvh7_slab(const struct corbel_cwbvh7 *n, int axis,
                   const struct corbel_ray *ray_inv, corbel_bytes min,
                   corbel_bytes max, corbel_wide_floats *entry,
                   corbel_wide_floats *exit)
{
    const float anchor = corbel_cwbvh7_anchor(n->grid[axis]);
    const float scale = corbel_cwbvh_scale((uint8_t)n->grid[axis]);
    const float o = ray_inv->o[axis], inv = ray_inv->d[axis];
    const corbel_floats down = {inv, inv, inv, inv};
    const corbel_bytes apart = (min ^ max) & (corbel_bytes)(down < 0);
    corbel_wide_floats first, last;
    corbel_cwbvh7_distances(min ^ apart, anchor, scale, o, inv, &first);
    corbel_cwbvh7_distances(max ^ apart, anchor, scale, o, inv, &last);
    corbel_wide_max(entry, &first);
    corbel_wide_min(exit, &last);
}

/* The lanes that corbel_slab_result() takes for hits, as bits. */
static inline __attribute__((always_inline)) unsigned
corbel_cwbvh7_hits(const corbel_wide_floats *entry,
                   const corbel_wide_floats *exit, float tmax)
{
    const int32_t all = INT32_MAX;
    const corbel_wide_ints sign = {all, all, all, all, all, all, all, all};
    const corbel_wide_floats size =
        (corbel_wide_floats)((corbel_wide_ints)*exit & sign);
    const corbel_wide_ints hits =
        (*entry <= *exit + size * CORBEL_SLAB_PAD) & (*entry < tmax);
    corbel_ints half[2];
    __builtin_memcpy(half, &hits, sizeof half);
    return corbel_lanes_bits(half[0], half[1]);
}

/*
 * corbel_box_test() of all slots at once: which are entered before tmax, as
 * bits, and where those are. The same bits as by corbel_cwbvh7_boxes() and
 * corbel_boxes_test(), without boxes in memory.
 */
static inline __attribute__((always_inline)) unsigned
corbel_cwbvh7_test(const void *node, const struct corbel_ray *ray_inv,
                   float entries[8])
{
    const struct corbel_cwbvh7 *n = (const struct corbel_cwbvh7 *)node;
    const float tmin = ray_inv->tmin, inf = __builtin_inff();
    const corbel_bytes zero = {0};
    corbel_bytes columns[3];
    corbel_wide_floats entry = {tmin, tmin, tmin, tmin, tmin, tmin, tmin, tmin};
    corbel_wide_floats exit = {inf, inf, inf, inf, inf, inf, inf, inf};
    corbel_cwbvh7_columns(n, columns);
#define FIRST(i) CORBEL_ZIP_BYTES(columns[i], zero)
#define SECOND(i) CORBEL_ZIP_BYTES_HIGH(columns[i], zero)
    corbel_cwbvh7_slab(n, 0, ray_inv, FIRST(0), SECOND(1), &entry, &exit);
    corbel_cwbvh7_slab(n, 1, ray_inv, SECOND(0), FIRST(2), &entry, &exit);
    corbel_cwbvh7_slab(n, 2, ray_inv, FIRST(1), SECOND(2), &entry, &exit);
#undef FIRST
#undef SECOND
    __builtin_memcpy(entries, &entry, sizeof entry);
    return corbel_cwbvh7_hits(&entry, &exit, ray_inv->tmax);
}
#endif

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
