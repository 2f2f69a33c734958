/*
 * Builds a tree of wide nodes over boxes, one box a leaf: the upper tree of
 * instances, and trees of a program's own primitives. The same code serves the
 * converter, native programs and kernels on target; it allocates nothing, and
 * its tree depends on the boxes alone.
 *
 * From the top: of a node's parts the largest is cut in two until there are as
 * many as the node has slots. A cut is the best of CORBEL_BOXTREE_BINS by the
 * surface area heuristic on the axis along which the middles lie farthest
 * apart; deep down, and where middles coincide, it halves the number.
 */
#ifndef CORBEL_BOXTREE_H
#define CORBEL_BOXTREE_H

#include <corbel/scene.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_BOXTREE_BINS 16
#define CORBEL_BOXTREE_LEVELS 12 /* of nodes that are cut by area */
/* Parts that wait: at most width - 1 for each level, of which there are at most
 * 12, and 31 that halve. */
#define CORBEL_BOXTREE_WAITING (45 * CORBEL_WIDTH_MAX)

/* Boxes order[first] .. order[first + count - 1]. */
struct corbel_boxtree_part {
    uint32_t first, count;
    uint32_t node;  /* number of the node that it becomes */
    uint32_t depth; /* of that, the root's is 1 */
    struct corbel_box box;
};

struct corbel_boxtree {
    /* given */
    const struct corbel_box *box; /* none has a NaN */
    uint32_t *order;              /* numbers of `count` boxes; it is permuted */
    uint32_t *leaf; /* room for as many: which box has which leaf */
    uint32_t count;
    uint32_t format;      /* of nodes */
    unsigned grain_units; /* of a leaf, in CORBEL_REF_UNIT */
    void *base;           /* what references count from; NULL: nothing is
                             written, nodes and leaves are counted */
    uint64_t nodes_offset, leaves_offset;

    /* made */
    uint32_t root, nodes, max_depth;
    uint32_t leaves;
    bool refused; /* a node cannot be written in this format */
    struct corbel_boxtree_part waiting[CORBEL_BOXTREE_WAITING];
};

static inline struct corbel_box corbel_box_none(void)
{
    const float inf = __builtin_inff();
    const struct corbel_box box = {{inf, inf, inf}, {-inf, -inf, -inf}};
    return box;
}

static inline void corbel_box_add(struct corbel_box *box,
                                  const struct corbel_box *other)
{
    for (int i = 0; i < 3; i++) {
        if (other->min[i] < box->min[i])
            box->min[i] = other->min[i];
        if (other->max[i] > box->max[i])
            box->max[i] = other->max[i];
    }
}

/* Half the surface, of lengths in a unit that keeps it in binary32. */
static inline float corbel_box_area(const struct corbel_box *box, float unit)
{
    const float x = (box->max[0] - box->min[0]) * unit;
    const float y = (box->max[1] - box->min[1]) * unit;
    const float z = (box->max[2] - box->min[2]) * unit;
    return x * y + y * z + z * x;
}

/* The middle of a box on an axis; halves, as a sum could overflow. */
static inline float corbel_box_middle(const struct corbel_box *box, int axis)
{
    return box->min[axis] * 0.5f + box->max[axis] * 0.5f;
}

/* The length in which its longest side is 1. */
static inline float corbel_box_unit(const struct corbel_box *box)
{
    float extent = 0;
    for (int i = 0; i < 3; i++)
        if (box->max[i] - box->min[i] > extent)
            extent = box->max[i] - box->min[i];
    return extent > 0x1p-120f ? 1 / extent : 0x1p120f;
}

static inline void corbel_boxtree_bound(const struct corbel_boxtree *b,
                                        struct corbel_boxtree_part *part)
{
    part->box = corbel_box_none();
    for (uint32_t i = 0; i < part->count; i++)
        corbel_box_add(&part->box, &b->box[b->order[part->first + i]]);
}

/* A cut of a part: on which axis, and where the bins of the middles lie. */
struct corbel_boxtree_cut {
    int axis;
    float low, scale; /* bin = (middle - low) scale */
    unsigned last;    /* bin of the first half */
};

static inline unsigned corbel_boxtree_bin(const struct corbel_boxtree_cut *cut,
                                          const struct corbel_box *box)
{
    const float at =
        (corbel_box_middle(box, cut->axis) - cut->low) * cut->scale;
    return at < CORBEL_BOXTREE_BINS - 1 ? (unsigned)at
                                        : CORBEL_BOXTREE_BINS - 1;
}

/* Where the middles lie. False: all at one place. */
static inline bool corbel_boxtree_axis(const struct corbel_boxtree *b,
                                       const struct corbel_boxtree_part *part,
                                       struct corbel_boxtree_cut *cut)
{
    float length = 0;
    for (int axis = 0; axis < 3; axis++) {
        float low = __builtin_inff(), high = -low;
        for (uint32_t i = 0; i < part->count; i++) {
            const float at =
                corbel_box_middle(&b->box[b->order[part->first + i]], axis);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (high - low > length) {
            length = high - low;
            cut->axis = axis;
            cut->low = low;
        }
    }
    cut->scale = CORBEL_BOXTREE_BINS / length;
    return length > 0 && cut->scale < __builtin_inff();
}

/* What is in the bins up to each one, from the left or from the right. */
struct corbel_boxtree_bins {
    struct corbel_box box[CORBEL_BOXTREE_BINS];
    uint32_t count[CORBEL_BOXTREE_BINS];
};

/* The bin of the least cost; false: nothing can be cut off. */
static inline bool corbel_boxtree_best(const struct corbel_boxtree_bins *bins,
                                       float unit,
                                       struct corbel_boxtree_cut *cut)
{
    float right[CORBEL_BOXTREE_BINS], best = __builtin_inff();
    struct corbel_box box = corbel_box_none();
    uint32_t count = 0;
    bool found = false;
    for (unsigned i = CORBEL_BOXTREE_BINS - 1; i > 0; i--) {
        corbel_box_add(&box, &bins->box[i]);
        count += bins->count[i];
        right[i - 1] =
            count > 0 ? (float)count * corbel_box_area(&box, unit) : -1;
    }
    box = corbel_box_none();
    count = 0;
    for (unsigned i = 0; i + 1 < CORBEL_BOXTREE_BINS; i++) {
        corbel_box_add(&box, &bins->box[i]);
        count += bins->count[i];
        if (count == 0 || right[i] < 0)
            continue;
        const float cost =
            (float)count * corbel_box_area(&box, unit) + right[i];
        if (cost < best) {
            best = cost;
            cut->last = i;
            found = true;
        }
    }
    return found;
}

/* Chooses a cut by area; false: there is none. */
static inline bool corbel_boxtree_choose(const struct corbel_boxtree *b,
                                         const struct corbel_boxtree_part *part,
                                         struct corbel_boxtree_cut *cut)
{
    struct corbel_boxtree_bins bins;
    if (part->depth > CORBEL_BOXTREE_LEVELS ||
        !corbel_boxtree_axis(b, part, cut))
        return false;
    for (unsigned i = 0; i < CORBEL_BOXTREE_BINS; i++) {
        bins.box[i] = corbel_box_none();
        bins.count[i] = 0;
    }
    for (uint32_t i = 0; i < part->count; i++) {
        const struct corbel_box *box = &b->box[b->order[part->first + i]];
        const unsigned bin = corbel_boxtree_bin(cut, box);
        corbel_box_add(&bins.box[bin], box);
        bins.count[bin]++;
    }
    return corbel_boxtree_best(&bins, corbel_box_unit(&part->box), cut);
}

/* Brings the boxes of the first half to the front; how many they are. */
static inline uint32_t
corbel_boxtree_divide(const struct corbel_boxtree *b,
                      const struct corbel_boxtree_part *part)
{
    struct corbel_boxtree_cut cut = {0, 0, 0, 0};
    uint32_t *order = b->order + part->first, left = 0;
    if (!corbel_boxtree_choose(b, part, &cut))
        return part->count / 2;
    for (uint32_t i = 0; i < part->count; i++)
        if (corbel_boxtree_bin(&cut, &b->box[order[i]]) <= cut.last) {
            const uint32_t number = order[i];
            order[i] = order[left];
            order[left++] = number;
        }
    return left;
}

/* Cuts a part, which has more than one box, in two. */
static inline void corbel_boxtree_split(const struct corbel_boxtree *b,
                                        struct corbel_boxtree_part *part,
                                        struct corbel_boxtree_part *other)
{
    const uint32_t left = corbel_boxtree_divide(b, part);
    *other = *part;
    other->first += left;
    other->count -= left;
    part->count = left;
    corbel_boxtree_bound(b, part);
    corbel_boxtree_bound(b, other);
}

/* The parts of a node; the result is how many. */
static inline unsigned
corbel_boxtree_parts(const struct corbel_boxtree *b,
                     const struct corbel_boxtree_part *node,
                     struct corbel_boxtree_part part[CORBEL_WIDTH_MAX])
{
    const float unit = corbel_box_unit(&node->box);
    unsigned parts = 1;
    part[0] = *node;
    while (parts < corbel_node_width(b->format)) {
        float largest = -1;
        unsigned chosen = 0;
        for (unsigned i = 0; i < parts; i++) {
            const float area = corbel_box_area(&part[i].box, unit);
            if (part[i].count > 1 && area > largest) {
                largest = area;
                chosen = i;
            }
        }
        if (largest < 0)
            break;
        corbel_boxtree_split(b, &part[chosen], &part[parts++]);
    }
    return parts;
}

/* Writes a node; its children that are nodes get places side by side, and wait.
 * Returns how many wait now. */
static inline unsigned
corbel_boxtree_node(struct corbel_boxtree *b,
                    const struct corbel_boxtree_part *node, unsigned waits)
{
    struct corbel_boxtree_part part[CORBEL_WIDTH_MAX];
    struct corbel_node_children c;
    const uint64_t bytes = corbel_node_bytes(b->format);
    __builtin_memset(&c, 0, sizeof c);
    c.count = corbel_boxtree_parts(b, node, part);
    b->max_depth = node->depth > b->max_depth ? node->depth : b->max_depth;
    for (unsigned i = 0; i < c.count; i++) {
        c.box[i] = part[i].box;
        if (part[i].count == 1) {
            const uint64_t at = b->leaves_offset / CORBEL_REF_UNIT +
                                (uint64_t)b->leaves * b->grain_units;
            c.ref[i] = corbel_ref_leaf((uint32_t)at, 1);
            b->leaf[b->leaves++] = b->order[part[i].first];
            continue;
        }
        part[i].node = b->nodes++;
        part[i].depth = node->depth + 1;
        c.ref[i] = (uint32_t)((b->nodes_offset + part[i].node * bytes) /
                              CORBEL_REF_UNIT);
        b->waiting[waits++] = part[i];
    }
    if (b->base) {
        void *at = (char *)b->base + b->nodes_offset + node->node * bytes;
        __builtin_memset(at, 0, bytes);
        b->refused |= !corbel_node_encode(b->format, &c, at);
    }
    return waits;
}

/* Makes the tree. */
static inline void corbel_boxtree_build(struct corbel_boxtree *b)
{
    struct corbel_boxtree_part all = {0, b->count, 0, 1, corbel_box_none()};
    unsigned waits = 0;
    b->nodes = b->leaves = b->max_depth = 0;
    b->root = CORBEL_REF_NONE;
    b->refused = false;
    if (b->count == 1) {
        b->root =
            corbel_ref_leaf((uint32_t)(b->leaves_offset / CORBEL_REF_UNIT), 1);
        b->leaf[b->leaves++] = b->order[0];
    }
    if (b->count <= 1)
        return;
    corbel_boxtree_bound(b, &all);
    b->root = (uint32_t)(b->nodes_offset / CORBEL_REF_UNIT);
    b->nodes = 1;
    b->waiting[waits++] = all;
    while (waits > 0) {
        const struct corbel_boxtree_part node = b->waiting[--waits];
        waits = corbel_boxtree_node(b, &node, waits);
    }
}

#ifdef __cplusplus
}
#endif
#endif
