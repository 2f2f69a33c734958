/*
 * The part of the traversal that tests boxes and triangles, once for each way
 * of testing. Included by traverse.h and traverse_isect.h, with
 *
 *   CORBEL_TRAVERSE_NAME(name)  the names of the functions made here
 *   CORBEL_TRAVERSE_BOX         as corbel_box_test()
 *   CORBEL_TRAVERSE_TRIANGLE    as corbel_triangle_test(), result unused
 *   CORBEL_TRAVERSE_BATCH       1: boxes of wide nodes by corbel_boxes_test()
 *
 * which are undefined again at the end. No include guard: included twice.
 */
#ifdef __cplusplus
extern "C" {
#endif

/* Tests one child. */
static inline void
CORBEL_TRAVERSE_NAME(traversal_child)(const struct corbel_traversal *t,
                                      struct corbel_box *box, uint32_t ref,
                                      struct corbel_traversal_order *order)
{
    if (CORBEL_TRAVERSAL_WIDENED(t))
        for (int axis = 0; axis < 3; axis++)
            corbel_traversal_widen(t->widen, &box->min[axis], &box->max[axis]);
    float entry = CORBEL_TRAVERSE_BOX(&t->ray_inv, box);
    if (entry < t->ray_inv.tmax)
        corbel_traversal_insert(order, ref, entry);
}

/*
 * Tests the children of a node one by one, given the two readers of its format.
 * Always inlined, so that what all children share (a compressed node's grid)
 * is read once: a switch for each child took a picture in cwbvh6 on trax from
 * 389 to 413 thousand cycles, from 35.0 to 39.7 million instructions.
 */
static inline __attribute__((always_inline)) void CORBEL_TRAVERSE_NAME(
    traversal_children)(const struct corbel_traversal *t, const void *node,
                        unsigned (*refs_of)(const void *, unsigned, uint32_t *),
                        void (*box_of)(const void *, unsigned,
                                       struct corbel_box *),
                        struct corbel_traversal_order *order)
{
    uint32_t ref[CORBEL_WIDTH_MAX];
    const unsigned count = refs_of(node, t->grain_units, ref);
    for (unsigned i = 0; i < count; i++) {
        struct corbel_box box;
        box_of(node, i, &box);
        CORBEL_TRAVERSE_NAME(traversal_child)(t, &box, ref[i], order);
    }
}

static inline void
CORBEL_TRAVERSE_NAME(traversal_order_any)(const struct corbel_traversal *t,
                                          const void *node,
                                          struct corbel_traversal_order *order)
{
    order->count = 0;
    switch (t->format) {
#define X(id, name, ...)                                                       \
    case id:                                                                   \
        CORBEL_TRAVERSE_NAME(traversal_children)                               \
        (t, node, corbel_##name##_refs, corbel_##name##_box, order);           \
        break;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
}

static inline void
CORBEL_TRAVERSE_NAME(traversal_step_node)(struct corbel_traversal *t,
                                          const void *node)
{
    struct corbel_traversal_order order;
    if (CORBEL_TRAVERSE_BATCH && corbel_traversal_step_batch(t, node)) {
        CORBEL_TRAVERSAL_COUNT(t, nodes, 1);
        return;
    }
    CORBEL_TRAVERSE_NAME(traversal_order_any)(t, node, &order);
    CORBEL_TRAVERSAL_COUNT(t, nodes, 1);
    corbel_traversal_descend(t, &order);
}

static inline void
CORBEL_TRAVERSE_NAME(traversal_triangle)(struct corbel_traversal *t,
                                         const struct corbel_triangle *triangle,
                                         uint32_t index)
{
    if (t->flags & (CORBEL_CULL_BACK | CORBEL_CULL_FRONT) &&
        corbel_triangle_culled(&t->ray, triangle, t->flags))
        return;
    CORBEL_TRAVERSE_TRIANGLE(&t->ray, triangle, index, &t->hit);
}

/* All of a leaf whose format has them in place. */
static inline void
CORBEL_TRAVERSE_NAME(traversal_blocks)(struct corbel_traversal *t,
                                       const void *leaf, unsigned count)
{
    const struct corbel_block128 *block = (const struct corbel_block128 *)leaf;
    for (unsigned i = 0; count > 0; count--) {
        CORBEL_TRAVERSE_NAME(traversal_triangle)
        (t, &block->triangle[i], block->index[i]);
        if (++i == CORBEL_BLOCK128_TRIANGLES)
            block++, i = 0;
    }
}

/* Tests a leaf's triangles. False: it only said where they are. */
static inline bool
CORBEL_TRAVERSE_NAME(traversal_test_leaf)(struct corbel_traversal *t,
                                          const struct corbel_scene *scene)
{
    const void *leaf = corbel_traversal_at(t, scene);
    const unsigned count = corbel_traversal_triangles(t, scene);
    if (corbel_leaf_apart(t->leaf_format) && !t->apart) {
        t->apart = true;
        return false;
    }
    if (CORBEL_TRAVERSE_BATCH && t->leaf_format == CORBEL_LEAVES_block128)
        CORBEL_TRAVERSE_NAME(traversal_blocks)(t, leaf, count);
    else
        for (unsigned i = 0; i < count; i++) {
            struct corbel_triangle triangle;
            uint32_t index =
                corbel_leaf_triangle(t->leaf_format, scene, leaf, i, &triangle);
            CORBEL_TRAVERSE_NAME(traversal_triangle)(t, &triangle, index);
        }
    CORBEL_TRAVERSAL_COUNT(t, leaves, 1);
    CORBEL_TRAVERSAL_COUNT(t, triangles, count);
    return true;
}

static inline void
CORBEL_TRAVERSE_NAME(traversal_step_leaf)(struct corbel_traversal *t,
                                          const struct corbel_scene *scene)
{
    if (CORBEL_TRAVERSE_NAME(traversal_test_leaf)(t, scene))
        corbel_traversal_leaf_done(t);
}

/* Tests what the last corbel_traversal_fetch() named. */
static inline void
CORBEL_TRAVERSE_NAME(traversal_step)(struct corbel_traversal *t,
                                     const struct corbel_scene *scene)
{
    if (corbel_ref_is_leaf(t->ref))
        CORBEL_TRAVERSE_NAME(traversal_step_leaf)(t, scene);
    else
        CORBEL_TRAVERSE_NAME(traversal_step_node)
    (t, corbel_traversal_at(t, scene));
}

/* A whole traversal; flags: CORBEL_CLOSEST, CORBEL_ANY .. */
static inline void
CORBEL_TRAVERSE_NAME(traverse_by)(const struct corbel_traversal_setup *setup,
                                  const struct corbel_scene *scene,
                                  const struct corbel_ray *ray, unsigned flags,
                                  struct corbel_hit *hit)
{
    struct corbel_traversal t;
    corbel_traversal_start(&t, scene, ray, flags, setup);
    while (t.ref != CORBEL_REF_NONE)
        CORBEL_TRAVERSE_NAME(traversal_step)(&t, scene);
    corbel_traversal_result(&t, hit);
}

/* The same with the deepest stack and culling when popped. */
static inline void
CORBEL_TRAVERSE_NAME(traverse)(const struct corbel_scene *scene,
                               const struct corbel_ray *ray, unsigned flags,
                               struct corbel_hit *hit)
{
    const struct corbel_traversal_setup setup = {CORBEL_STACK_MAX, true};
    CORBEL_TRAVERSE_NAME(traverse_by)(&setup, scene, ray, flags, hit);
}

#ifdef __cplusplus
}
#endif

#undef CORBEL_TRAVERSE_BATCH
#undef CORBEL_TRAVERSE_NAME
#undef CORBEL_TRAVERSE_BOX
#undef CORBEL_TRAVERSE_TRIANGLE
