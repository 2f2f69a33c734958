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

static inline const char *corbel_cwbvh7_flaw(const void *node)
{
    const struct corbel_cwbvh7 *n = (const struct corbel_cwbvh7 *)node;
    const char *flaw = NULL;
    if (n->used & (n->used + 1))
        return "has a child after an empty slot";
    if (n->used >> 7)
        return "has more children than slots";
    if (n->nodes & ~n->used)
        return "has a node in an empty slot";
    for (int axis = 0; axis < 3 && !flaw; axis++)
        flaw = corbel_cwbvh_exponent_flaw(n->grid[axis] & 0xff);
    return flaw;
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
/* Four planes of a child. */
static inline uint32_t corbel_cwbvh7_planes_of(const struct corbel_cwbvh7 *n,
                                               unsigned child, unsigned first)
{
    uint32_t planes;
    __builtin_memcpy(&planes, (const uint8_t *)&n->child[child] + first, 4);
    return planes;
}

/* Those of all children, with zeros for an eighth. */
static inline __attribute__((always_inline)) void
corbel_cwbvh7_lanes(const struct corbel_cwbvh7 *n, unsigned first,
                    corbel_wide_words *lanes)
{
#define CHILD(i) corbel_cwbvh7_planes_of(n, i, first)
    const corbel_wide_words planes = {CHILD(0), CHILD(1), CHILD(2), CHILD(3),
                                      CHILD(4), CHILD(5), CHILD(6), 0};
#undef CHILD
    *lanes = planes;
}

/*
 * The planes of all children that a ray meets first, and those that it meets
 * last: bytes x, y and z of each lane. Which are which, is changed at once for
 * all axes along which the ray goes down.
 */
static inline __attribute__((always_inline)) void
corbel_cwbvh7_sides(const struct corbel_cwbvh7 *n,
                    const struct corbel_ray *ray_inv, corbel_wide_words *first,
                    corbel_wide_words *last)
{
    static const uint32_t downs[] = {0,        0xff,     0xff00,   0xffff,
                                     0xff0000, 0xff00ff, 0xffff00, 0xffffff};
    corbel_ints inv;
    corbel_wide_words min, max; /* min x, y, z, max x; max x, y, z */
    __builtin_memcpy(&inv, ray_inv->d, sizeof inv);
    const uint32_t down = downs[corbel_lanes_signs(inv) & 7];
    corbel_cwbvh7_lanes(n, 0, &min);
    corbel_cwbvh7_lanes(n, 2, &max);
    max >>= 8;
    const corbel_wide_words apart = (min ^ max) & down;
    *first = min ^ apart;
    *last = max ^ apart;
}

/* corbel_slab() of an axis of all children; the planes, at a bit of the lanes,
 * are counted in steps from the anchor. */
static inline __attribute__((always_inline)) void
corbel_cwbvh7_slab(float anchor, float scale, float o, float inv,
                   const corbel_wide_words *first,
                   const corbel_wide_words *last, int bit,
                   corbel_wide_floats *entry, corbel_wide_floats *exit)
{
    const corbel_wide_ints first_steps =
        (corbel_wide_ints)(*first >> bit & 0xff);
    const corbel_wide_ints last_steps = (corbel_wide_ints)(*last >> bit & 0xff);
    const corbel_wide_floats near =
        __builtin_convertvector(first_steps, corbel_wide_floats);
    const corbel_wide_floats far =
        __builtin_convertvector(last_steps, corbel_wide_floats);
    const corbel_wide_floats in = (anchor + near * scale - o) * inv;
    const corbel_wide_floats out = (anchor + far * scale - o) * inv;
    corbel_wide_max(entry, &in);
    corbel_wide_min(exit, &out);
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
 * corbel_box_test() of all children at once: which are entered before tmax, as
 * bits, and where those are. The same bits as by corbel_cwbvh7_boxes() and
 * corbel_boxes_test(), without boxes in memory.
 */
static inline __attribute__((always_inline)) unsigned
corbel_cwbvh7_test(const void *node, const struct corbel_ray *ray_inv,
                   float entries[8])
{
    const struct corbel_cwbvh7 *n = (const struct corbel_cwbvh7 *)node;
    const float *const o = ray_inv->o, *const inv = ray_inv->d;
    const float tmin = ray_inv->tmin, inf = __builtin_inff();
    corbel_wide_words first, last;
    corbel_wide_floats entry = {tmin, tmin, tmin, tmin, tmin, tmin, tmin, tmin};
    corbel_wide_floats exit = {inf, inf, inf, inf, inf, inf, inf, inf};
    corbel_words grid;
    __builtin_memcpy(&grid, n->grid, sizeof grid);
    /* shifts: for masks a host needs numbers that it has to load */
    const corbel_floats anchor = (corbel_floats)(grid >> 8 << 8);
    const corbel_floats scale = (corbel_floats)(grid << 24 >> 1);
    corbel_cwbvh7_sides(n, ray_inv, &first, &last);
    corbel_cwbvh7_slab(anchor[0], scale[0], o[0], inv[0], &first, &last, 0,
                       &entry, &exit);
    corbel_cwbvh7_slab(anchor[1], scale[1], o[1], inv[1], &first, &last, 8,
                       &entry, &exit);
    corbel_cwbvh7_slab(anchor[2], scale[2], o[2], inv[2], &first, &last, 16,
                       &entry, &exit);
    __builtin_memcpy(entries, &entry, sizeof entry);
    /* of the slots before the first one that has no child */
    return corbel_cwbvh7_hits(&entry, &exit, ray_inv->tmax) &
           (n->used ^ (n->used + 1u)) >> 1;
}

/* The reference of child i, as corbel_cwbvh7_refs() has it; what it is, no
 * host can predict. */
static inline uint32_t corbel_cwbvh7_ref(const void *node, unsigned grain_units,
                                         unsigned i)
{
    const struct corbel_cwbvh7 *n = (const struct corbel_cwbvh7 *)node;
    const unsigned step = CORBEL_CWBVH7_BYTES / CORBEL_REF_UNIT;
    const unsigned before = n->nodes & ((1u << i) - 1);
    const unsigned nodes = (unsigned)__builtin_popcount(before);
    const uint32_t node_ref = n->node_base + nodes * step;
    const uint32_t leaf_ref =
        corbel_ref_leaf(n->leaf_base + (i - nodes) * grain_units, 1);
    return leaf_ref ^ ((leaf_ref ^ node_ref) & -(uint32_t)(n->nodes >> i & 1));
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

/* The grid of an axis and the planes of all children on it; false: there is no
 * grid that fits. */
static inline bool corbel_cwbvh7_quantise(const struct corbel_node_children *c,
                                          int axis, uint32_t *grid,
                                          uint8_t *min, uint8_t *max)
{
    const float anchor = corbel_cwbvh7_below(corbel_cwbvh_lowest(c, axis));
    const uint8_t exponent = corbel_cwbvh_quantise(c, axis, anchor, min, max);
    __builtin_memcpy(grid, &anchor, sizeof anchor);
    *grid |= exponent;
    return exponent < 255;
}

static inline bool corbel_cwbvh7_planes(const struct corbel_node_children *c,
                                        int axis, struct corbel_cwbvh7 *n)
{
    uint8_t min[8] = {255, 255, 255, 255, 255, 255, 255, 255}, max[8] = {0};
    const bool fits = corbel_cwbvh7_quantise(c, axis, &n->grid[axis], min, max);
    for (unsigned i = 0; i < 7; i++) {
        n->child[i].min[axis] = min[i];
        n->child[i].max[axis] = max[i];
    }
    return fits;
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
