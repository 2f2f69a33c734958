/*
 * The traversal of a scene by one ray: used whole by programs on target and
 * natively, and step by step by the simulator's RT core, so that all find the
 * same hit by the same sequence of fetches.
 *
 * Depth first, near child first (children ordered by the distance at which
 * the ray enters their boxes, equal ones by slot). Siblings wait on a short
 * stack; when it is full the oldest entry is forgotten, and when it runs empty
 * after that, the traversal restarts at the root along a trail that says for
 * each level how many children are finished (Laine: Restart Trail for
 * Stackless BVH Traversal, HPG 2010). That works since entry distances do not
 * depend on tmax and a nearer hit only cuts the far end of an order. Any stack
 * size visits the same leaves in the same order.
 *
 * The closest hit depends on the ray and the triangles alone: a subtree is
 * culled only if the ray enters its box behind the hit, at equal distance the
 * smaller triangle index wins. Which hit CORBEL_ANY reports depends on the
 * tree; whether there is one does not.
 *
 * Stepwise use:
 *   corbel_traversal_start(&t, scene, &ray, flags, &setup);
 *   while (corbel_traversal_fetch(&t, scene, &fetch))
 *       corbel_traversal_step(&t, scene);
 *   corbel_traversal_result(&t, &hit);
 *
 * Before the include, CORBEL_STACK_MAX (1 .. CORBEL_STACK_DEEPEST) may be
 * defined, and CORBEL_TRAVERSAL_COUNTERS as 0 or 1. A program that wants the
 * box and triangle instructions includes corbel/traverse_isect.h as well.
 */
#ifndef CORBEL_TRAVERSE_H
#define CORBEL_TRAVERSE_H

#include <corbel/intersect.h>
#include <corbel/scene.h>
#include <corbel/traverse_stack.h>

#ifdef __cplusplus
extern "C" {
#endif

#if CORBEL_TRAVERSAL_COUNTERS
#define CORBEL_TRAVERSAL_COUNT(t, counter, by) ((t)->counts.counter += (by))
#else
#define CORBEL_TRAVERSAL_COUNT(t, counter, by) ((void)0)
#endif

/* How a traversal is done; none of it changes hits. */
struct corbel_traversal_setup {
    unsigned stack; /* entries, taken as 1 .. CORBEL_STACK_MAX */
    bool pop_cull;  /* entries behind the hit are dropped when popped; false:
                       they are fetched, and only then found to be behind */
};

/* Entries that no traversal of a scene exceeds. */
static inline unsigned corbel_stack_full(const struct corbel_scene *scene)
{
    unsigned siblings = corbel_node_width(scene->format) - 1;
    return scene->max_depth * siblings + 1;
}

enum {
    CORBEL_FETCH_NODE,
    CORBEL_FETCH_LEAF,
    CORBEL_FETCH_VERTICES, /* of a leaf that has them elsewhere */
    CORBEL_FETCH_INSTANCE, /* its first 64 bytes (corbel/walk.h) */
};

/* What a traversal reads next: pieces of memory of the same size. */
struct corbel_fetch {
    uint32_t kind;   /* CORBEL_FETCH_NODE, _LEAF, _VERTICES */
    uint32_t bytes;  /* of a piece */
    uint32_t pieces; /* 1 for nodes and leaves */
    uint64_t offset[CORBEL_FETCH_PIECES]; /* bytes from the scene's header */
};

/*
 * What the boxes must grow by for a ray that starts outside the scene's
 * bounds, where errors exceed the tree's own padding; 0 inside.
 */
static inline float corbel_traversal_widening(const struct corbel_box *bounds,
                                              const float o[3])
{
    float extent = 0, reach = 0;
    for (int i = 0; i < 3; i++) {
        float e = bounds->max[i] - bounds->min[i];
        float a = __builtin_fabsf(bounds->min[i] - o[i]);
        float b = __builtin_fabsf(bounds->max[i] - o[i]);
        extent = e > extent ? e : extent;
        reach = a > reach ? a : reach;
        reach = b > reach ? b : reach;
    }
    return reach > extent ? reach * CORBEL_TREE_PAD : 0;
}

/* flags: CORBEL_CLOSEST, CORBEL_ANY, .. (corbel/types.h). */
static inline void
corbel_traversal_start(struct corbel_traversal *t,
                       const struct corbel_scene *scene,
                       const struct corbel_ray *ray, unsigned flags,
                       const struct corbel_traversal_setup *setup)
{
    unsigned most =
        setup->stack < CORBEL_STACK_MAX ? setup->stack : CORBEL_STACK_MAX;
    t->ray = *ray;
    t->hit.t = ray->tmax;
    t->hit.b1 = t->hit.b2 = 0;
    t->hit.index = CORBEL_MISS;
    t->root = scene->root;
    t->ref = corbel_ray_invert(ray, &t->ray_inv) ? t->root : CORBEL_REF_NONE;
    t->ray_inv.tmax = corbel_float_after(ray->tmax);
    t->widen = corbel_traversal_widening(&scene->bounds, ray->o);
    t->format = (uint8_t)scene->format;
    t->leaf_format = (uint8_t)scene->leaf_format;
    t->grain_units =
        (uint8_t)(corbel_leaf_grain(scene->leaf_format) / CORBEL_REF_UNIT);
    t->flags = (uint8_t)flags;
    t->depth = t->resume = 0;
    t->dropped = t->apart = false;
    t->pop_cull = setup->pop_cull;
    corbel_traversal_clear(t, most < 1 ? 1 : most);
#if CORBEL_TRAVERSAL_COUNTERS
    t->counts = (struct corbel_counts){0, 0, 0, 0};
#endif
}

/* The traversal that was just started begins, and restarts, at another node
 * than the scene's root. */
static inline void corbel_traversal_enter(struct corbel_traversal *t,
                                          uint32_t root)
{
    t->root = root;
    t->ref = t->ref == CORBEL_REF_NONE ? CORBEL_REF_NONE : root;
}

/* The leaf or node that is read or tested next. */
static inline const void *corbel_traversal_at(const struct corbel_traversal *t,
                                              const struct corbel_scene *scene)
{
    return corbel_scene_at(scene, corbel_ref_offset(t->ref));
}

/* Triangles of the leaf that is tested next. */
static inline unsigned
corbel_traversal_triangles(const struct corbel_traversal *t,
                           const struct corbel_scene *scene)
{
    return corbel_leaf_count(t->leaf_format, corbel_traversal_at(t, scene),
                             corbel_ref_grains(t->ref));
}

/* Bytes of a node or leaf, without vertices that are elsewhere. */
static inline uint32_t corbel_traversal_bytes(const struct corbel_traversal *t,
                                              uint32_t ref)
{
    return corbel_ref_is_leaf(ref)
               ? corbel_ref_grains(ref) * t->grain_units * CORBEL_REF_UNIT
               : corbel_node_bytes(t->format);
}

/* What memory is read next. False: the traversal is finished, the hit final. */
static inline bool corbel_traversal_fetch(const struct corbel_traversal *t,
                                          const struct corbel_scene *scene,
                                          struct corbel_fetch *fetch)
{
    if (t->ref == CORBEL_REF_NONE)
        return false;
    fetch->pieces = 1;
    fetch->offset[0] = corbel_ref_offset(t->ref);
    if (t->apart) {
        fetch->kind = CORBEL_FETCH_VERTICES;
        fetch->bytes = 3 * sizeof(float);
        fetch->pieces = corbel_leaf_vertices(
            t->leaf_format, scene, corbel_traversal_at(t, scene),
            corbel_traversal_triangles(t, scene), fetch->offset);
    } else {
        fetch->kind =
            corbel_ref_is_leaf(t->ref) ? CORBEL_FETCH_LEAF : CORBEL_FETCH_NODE;
        fetch->bytes = corbel_traversal_bytes(t, t->ref);
    }
    return true;
}

/* The closest hit so far; a miss has index CORBEL_MISS and the ray's tmax. */
static inline const struct corbel_hit *
corbel_traversal_hit(const struct corbel_traversal *t)
{
    return &t->hit;
}

/*
 * What the ray is answered: its hit, or with CORBEL_COUNTS what was done for it
 * (zeros without CORBEL_TRAVERSAL_COUNTERS).
 */
static inline void corbel_traversal_result(const struct corbel_traversal *t,
                                           struct corbel_hit *result)
{
    *result = t->hit;
    if (t->flags & CORBEL_COUNTS) {
#if CORBEL_TRAVERSAL_COUNTERS
        __builtin_memcpy(result, &t->counts, sizeof *result);
#else
        __builtin_memset(result, 0, sizeof *result);
#endif
    }
}

/*
 * Begins again at the root, with the trail set to the child after the one that
 * is finished now.
 */
static inline void corbel_traversal_restart(struct corbel_traversal *t)
{
    if (t->depth == 0) {
        t->ref = CORBEL_REF_NONE;
        return;
    }
    corbel_traversal_finish(t, t->depth - 1u);
    t->resume = t->depth;
    t->dropped = false;
    t->depth = 0;
    t->ref = t->root;
    CORBEL_TRAVERSAL_COUNT(t, restarts, 1);
}

/* What was at t->ref is finished: goes to the nearest thing that waits. */
static inline void corbel_traversal_pop(struct corbel_traversal *t)
{
    t->resume = 0;
    while (t->held > 0) {
        struct corbel_stack_entry next = corbel_traversal_take(t);
        if (!t->pop_cull || next.entry < t->ray_inv.tmax) {
            t->ref = next.ref;
            return;
        }
    }
    if (t->dropped)
        corbel_traversal_restart(t);
    else
        t->ref = CORBEL_REF_NONE;
}

static inline void corbel_traversal_insert(struct corbel_traversal_order *order,
                                           uint32_t ref, float entry)
{
    unsigned i = order->count++;
    for (; i > 0 && order->child[i - 1].entry > entry; i--)
        order->child[i] = order->child[i - 1];
    order->child[i].ref = ref;
    order->child[i].entry = entry;
}

/* Goes to the nearest child that is not finished; the farther ones wait. */
static inline CORBEL_NOT_INLINED void
corbel_traversal_descend(struct corbel_traversal *t,
                         const struct corbel_traversal_order *order)
{
    unsigned next =
        t->depth < t->resume ? corbel_traversal_finished(t, t->depth) : 0;
    if (next >= order->count) {
        corbel_traversal_pop(t);
        return;
    }
    corbel_traversal_leave(t, order, next);
    t->depth++;
    t->ref = order->child[next].ref;
}

/*
 * Grows one axis of a box for a ray that starts far away; at least by what
 * rounding of the sums may take off again.
 */
static inline void corbel_traversal_widen(float by, float *min, float *max)
{
    *min -= by + __builtin_fabsf(*min) * 0x1p-22f;
    *max += by + __builtin_fabsf(*max) * 0x1p-22f;
}

/* Which of a node's boxes the ray enters, as bits, and where. */
static inline unsigned
corbel_traversal_test_boxes(const struct corbel_traversal *t, const void *node,
                            unsigned count, float entry[8])
{
    struct corbel_boxes boxes;
    corbel_node_boxes(t->format, node, &boxes);
    if (CORBEL_TRAVERSAL_WIDENED(t))
        for (int axis = 0; axis < 3; axis++)
            for (unsigned i = 0; i < count; i++)
                corbel_traversal_widen(t->widen, &boxes.min[axis][i],
                                       &boxes.max[axis][i]);
    corbel_boxes_test(&t->ray_inv, &boxes, entry);
    return corbel_lanes_below(entry, t->ray_inv.tmax);
}

/* Tests all children of a node at once, of any format. */
static __attribute__((noinline, unused)) void
corbel_traversal_order_boxes(const struct corbel_traversal *t, const void *node,
                             struct corbel_traversal_order *order)
{
    uint32_t ref[8];
    float entry[8];
    const unsigned count =
        corbel_node_refs(t->format, node, t->grain_units, ref);
    unsigned entered = corbel_traversal_test_boxes(t, node, count, entry);
    order->count = 0;
    for (entered &= (1u << count) - 1; entered; entered &= entered - 1) {
        const int i = __builtin_ctz(entered);
        corbel_traversal_insert(order, ref[i], entry[i]);
    }
}

#ifndef __riscv
/* All children that the ray enters. */
static inline void corbel_traversal_order_cwbvh7(
    const struct corbel_traversal *t, const void *node, unsigned entered,
    const float entry[8], struct corbel_traversal_order *order)
{
    order->count = 0;
    for (; entered; entered &= entered - 1) {
        const unsigned i = (unsigned)__builtin_ctz(entered);
        const uint32_t ref = corbel_cwbvh7_ref(node, t->grain_units, i);
        corbel_traversal_insert(order, ref, entry[i]);
    }
}

/* The two children that the ray enters, ordered without a branch. */
static inline void
corbel_traversal_order_two(const struct corbel_traversal *t, const void *node,
                           unsigned entered, const float entry[8],
                           struct corbel_traversal_order *order)
{
    const unsigned i = (unsigned)__builtin_ctz(entered);
    const unsigned k = 31 - (unsigned)__builtin_clz(entered);
    const bool swapped = entry[i] > entry[k];
    order->count = 2;
    order->child[swapped].ref = corbel_cwbvh7_ref(node, t->grain_units, i);
    order->child[swapped].entry = entry[i];
    order->child[!swapped].ref = corbel_cwbvh7_ref(node, t->grain_units, k);
    order->child[!swapped].entry = entry[k];
}

/* In the format that hosts read most, for rays that are not widened. Mostly two
 * children are entered at most, and no restart is under way. */
static inline void corbel_traversal_step_cwbvh7(struct corbel_traversal *t,
                                                const void *node)
{
    float entry[8];
    struct corbel_traversal_order order;
    const unsigned entered = corbel_cwbvh7_test(node, &t->ray_inv, entry);
    const unsigned others = entered & (entered - 1);
    if (t->depth < t->resume || others & (others - 1)) {
        corbel_traversal_order_cwbvh7(t, node, entered, entry, &order);
        corbel_traversal_descend(t, &order);
    } else if (others) {
        corbel_traversal_order_two(t, node, entered, entry, &order);
        corbel_traversal_leave(t, &order, 0);
        t->depth++;
        t->ref = order.child[0].ref;
    } else if (entered) {
        *corbel_traversal_mark(t, t->depth) = 0;
        t->depth++;
        t->ref = corbel_cwbvh7_ref(node, t->grain_units,
                                   (unsigned)__builtin_ctz(entered));
    } else {
        corbel_traversal_pop(t);
    }
}
#endif

/* A whole step of a node. False: too few children for that. */
static inline bool corbel_traversal_step_batch(struct corbel_traversal *t,
                                               const void *node)
{
    struct corbel_traversal_order order;
#ifndef __riscv
    if (__builtin_expect(t->format == CORBEL_NODES_cwbvh7 &&
                             !CORBEL_TRAVERSAL_WIDENED(t),
                         1)) {
        corbel_traversal_step_cwbvh7(t, node);
        return true;
    }
#endif
    if (corbel_node_width(t->format) <= 2)
        return false;
    corbel_traversal_order_boxes(t, node, &order);
    corbel_traversal_descend(t, &order);
    return true;
}

/* A leaf was tested. */
static inline void corbel_traversal_leaf_done(struct corbel_traversal *t)
{
    t->apart = false;
    t->ray_inv.tmax = corbel_float_after(t->hit.t);
    if (t->flags & CORBEL_ANY && t->hit.index != CORBEL_MISS)
        t->ref = CORBEL_REF_NONE;
    else
        corbel_traversal_pop(t);
}

#ifdef __cplusplus
}
#endif

/* Wide nodes at once where the processor has vectors. */
#ifdef __riscv
#define CORBEL_TRAVERSE_BATCH 0
#else
#define CORBEL_TRAVERSE_BATCH 1
#endif
#define CORBEL_TRAVERSE_NAME(name) corbel_##name
#define CORBEL_TRAVERSE_BOX corbel_box_test
#define CORBEL_TRAVERSE_TRIANGLE corbel_triangle_test
#include <corbel/traverse_template.h>

#endif
