/*
 * The part of the walk that tests boxes and triangles, once for each way of
 * testing. Included by walk.h and walk_isect.h, with
 *
 *   CORBEL_WALK_NAME(name)  the names of the functions made here
 *   CORBEL_WALK_NODE        as corbel_traversal_step_node()
 *   CORBEL_WALK_BOX         as corbel_box_test()
 *   CORBEL_WALK_TRIANGLE    as corbel_triangle_test(), result unused
 *
 * which are undefined again at the end. No include guard: included twice.
 */
#ifdef __cplusplus
extern "C" {
#endif

/* Tests a triangle of a leaf. False: it is hit, nearer than all else, and seen
 * from a side that counts, but the program has to say whether it is there. */
static inline bool
CORBEL_WALK_NAME(triangle)(struct corbel_walk *w,
                           const struct corbel_triangle *triangle,
                           uint32_t word, unsigned left)
{
    struct corbel_traversal *t = &w->t;
    /* A weight below 0 tells that the test has not found anything. */
    struct corbel_hit hit = {t->hit.t, -1, 0, corbel_walk_rank(w)};
    const bool opaque = corbel_walk_opaque(w, word);
    if (corbel_walk_culls(w, opaque))
        return true;
    CORBEL_WALK_TRIANGLE(&t->ray, triangle, word & CORBEL_INDEX_NUMBER, &hit);
    if (!(hit.b1 >= 0))
        return true;
    const bool front =
        corbel_triangle_culled(&t->ray, triangle, CORBEL_CULL_FRONT) !=
        !!(w->here & CORBEL_WALK_FLIP);
    if (w->here & (front ? CORBEL_RAY_CULL_FRONT : CORBEL_RAY_CULL_BACK))
        return true;
    const enum corbel_hit_kind kind =
        front ? CORBEL_HIT_FRONT : CORBEL_HIT_BACK;
    if (!opaque) {
        w->found_opaque = false;
        corbel_walk_ask(w, CORBEL_EVENT_TRIANGLE, &hit, kind, left);
        return false;
    }
    if (word & CORBEL_INDEX_NON_OPAQUE && w->flags & CORBEL_WALK_PLAIN)
        CORBEL_WALK_COUNT(w, plain_triangles);
    corbel_walk_commit(w, &hit, kind);
    return true;
}

static inline void
CORBEL_WALK_NAME(step_triangles)(struct corbel_walk *w,
                                 const struct corbel_scene *scene)
{
    struct corbel_traversal *t = &w->t;
    const void *leaf = corbel_traversal_at(t, scene);
    const unsigned count = corbel_traversal_triangles(t, scene);
    if (corbel_leaf_apart(t->leaf_format) && !t->apart) {
        t->apart = true;
        return;
    }
    CORBEL_TRAVERSAL_COUNT(t, leaves, 1);
    while (w->next < count && t->ref != CORBEL_REF_NONE) {
        struct corbel_triangle triangle;
        const uint32_t word = corbel_leaf_triangle(t->leaf_format, scene, leaf,
                                                   w->next, &triangle);
        w->next++;
        CORBEL_TRAVERSAL_COUNT(t, triangles, 1);
        if (!CORBEL_WALK_NAME(triangle)(w, &triangle, word, count - w->next))
            return;
    }
    corbel_walk_leaf_done(w, scene);
}

/* Where a ray enters the box of a primitive, which grows by as much as those
 * above it: what a ray meets in truth is never left out. */
static inline float CORBEL_WALK_NAME(box)(const struct corbel_traversal *t,
                                          struct corbel_box box)
{
    for (int axis = 0; axis < 3; axis++)
        corbel_traversal_widen(t->widen, &box.min[axis], &box.max[axis]);
    return CORBEL_WALK_BOX(&t->ray_inv, &box);
}

static inline void
CORBEL_WALK_NAME(step_boxes)(struct corbel_walk *w,
                             const struct corbel_scene *scene)
{
    struct corbel_traversal *t = &w->t;
    const struct corbel_box_leaf *leaf =
        (const struct corbel_box_leaf *)corbel_traversal_at(t, scene);
    const unsigned count = corbel_ref_grains(t->ref);
    CORBEL_TRAVERSAL_COUNT(t, leaves, 1);
    while (w->next < count) {
        const struct corbel_box_leaf *box = &leaf[w->next++];
        const bool opaque = corbel_walk_opaque(w, box->index);
        struct corbel_hit found = {0, 0, 0, box->index & CORBEL_INDEX_NUMBER};
        if (corbel_walk_culls(w, opaque))
            continue;
        CORBEL_WALK_COUNT(w, boxes);
        found.t = CORBEL_WALK_NAME(box)(t, box->box);
        if (found.t < t->ray_inv.tmax) {
            w->found_opaque = opaque;
            corbel_walk_ask(w, CORBEL_EVENT_BOX, &found, CORBEL_HIT_BOX,
                            count - w->next);
            return;
        }
    }
    corbel_walk_leaf_done(w, scene);
}

/* Tests what the last corbel_walk_fetch() named. */
static inline void CORBEL_WALK_NAME(step)(struct corbel_walk *w,
                                          const struct corbel_scene *scene)
{
    if (!corbel_ref_is_leaf(w->t.ref)) {
        CORBEL_WALK_NODE(&w->t, corbel_traversal_at(&w->t, scene));
        corbel_walk_moved(w, scene);
    } else if (w->kind == CORBEL_TREE_INSTANCES) {
        corbel_walk_enter(w, scene);
    } else if (w->kind == CORBEL_TREE_BOXES) {
        CORBEL_WALK_NAME(step_boxes)(w, scene);
    } else {
        CORBEL_WALK_NAME(step_triangles)(w, scene);
    }
}

/* The ray's next event; the open question, if there is one, was answered. */
static inline enum corbel_event
CORBEL_WALK_NAME(next)(struct corbel_walk *w, const struct corbel_scene *scene)
{
    corbel_walk_resume(w, scene);
    while (!w->asks && w->t.ref != CORBEL_REF_NONE)
        CORBEL_WALK_NAME(step)(w, scene);
    return corbel_walk_event(w);
}

/* What trav.traceray answers: a whole walk without questions. */
static inline void
CORBEL_WALK_NAME(trace_by)(const struct corbel_traversal_setup *setup,
                           const struct corbel_scene *scene,
                           const struct corbel_ray *ray, unsigned flags,
                           struct corbel_hit *hit)
{
    struct corbel_walk w;
    corbel_walk_start(&w, scene, ray, corbel_walk_plain(flags), 0xFF, setup);
    CORBEL_WALK_NAME(next)(&w, scene);
    w.t.flags = flags & (CORBEL_FLAGS - 1);
    corbel_traversal_result(&w.t, hit);
}

#ifdef __cplusplus
}
#endif

#undef CORBEL_WALK_NAME
#undef CORBEL_WALK_NODE
#undef CORBEL_WALK_BOX
#undef CORBEL_WALK_TRIANGLE
