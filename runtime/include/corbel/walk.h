/*
 * The way of a ray through a scene of one or two levels, with questions to the
 * program: the state machine that native programs, software on cores and the
 * simulator's RT cores share. Its stack, trail and boxes are those of
 * traverse.h; what is added is the instance that the ray is in, what of the
 * scene counts for it, and that it stops where the program is asked.
 *
 *   corbel_walk_start(&w, scene, &ray, flags, mask, &setup);
 *   while ((event = corbel_walk_next(&w, scene)) >= CORBEL_EVENT_TRIANGLE)
 *       if (event == CORBEL_EVENT_TRIANGLE && there(&w))
 *           corbel_walk_accept(&w);
 *   corbel_walk_hit(&w, scene, &hit);
 *
 * Step by step, corbel_walk_next() is
 *
 *   corbel_walk_resume(&w, scene);
 *   while (corbel_walk_fetch(&w, scene, &fetch))
 *       corbel_walk_step(&w, scene);
 *   corbel_walk_event(&w)
 *
 * Both levels share stack and trail: an instance at depth n becomes the root of
 * its tree at depth n, and the ray has left it when it comes to something at
 * that depth or above. So a restart passes through the instance again. The
 * world's ray is kept, and each instance makes its own from it.
 *
 * The hit is the least (t, instance, face or box) of what is opaque and of what
 * the program accepted. So it does not depend on the tree; which candidates the
 * program is asked about, and how often, does. A ray that goes on after a
 * question reads its leaf again.
 *
 * A scene of version 2 counts as one tree without instances; the instance of
 * all hits is 0 there, and all is opaque.
 */
#ifndef CORBEL_WALK_H
#define CORBEL_WALK_H

#include <corbel/traverse.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Beside the flags of a query (types.h): what trav.traceray does. All triangles
 * are opaque and boxes are not there; both are counted. */
#define CORBEL_WALK_PLAIN CORBEL_RAY_FLAGS

/* In an instance that exchanges front and back. */
#define CORBEL_WALK_FLIP (2 * CORBEL_WALK_PLAIN)

/* What a walk did beside its traversal. */
struct corbel_walk_counts {
    uint32_t instances; /* entered: the ray was transformed as often */
    uint32_t masked;    /* not entered, by the mask */
    uint32_t boxes;     /* of primitives, tested */
    uint32_t asked_triangles, asked_boxes;
    uint32_t accepted, ignored;
    uint32_t plain_triangles; /* that count as opaque, of a plain ray */
    uint32_t plain_boxes;     /* that are not there */
};

/* Fields are the walk's own. */
struct corbel_walk {
    struct corbel_traversal t; /* by the ray of the level that it is in */
    struct corbel_ray world;
    struct corbel_hit found;         /* candidate */
    uint32_t hit_instance, instance; /* of the hit; that the ray is in */
    uint16_t flags;                  /* of the ray, CORBEL_RAY_.. */
    uint16_t here;                   /* of the ray in its instance */
    uint8_t mask;
    uint8_t kind;  /* of the tree that it is in */
    uint8_t floor; /* depth of the root of that tree */
    bool below;    /* it is in an instance */
    uint8_t next;  /* of the leaf's triangles or boxes */
    uint8_t left;  /* of them, behind the one that is asked about */
    uint8_t asks;  /* CORBEL_EVENT_TRIANGLE, _BOX; 0: no question is open */
    uint8_t hit_kind, found_kind; /* enum corbel_hit_kind */
    bool found_opaque;
    bool answered; /* the candidate was accepted */
#if CORBEL_TRAVERSAL_COUNTERS
    struct corbel_walk_counts counts;
#endif
};

#if CORBEL_TRAVERSAL_COUNTERS
#define CORBEL_WALK_COUNT(w, counter) ((w)->counts.counter++)
#else
#define CORBEL_WALK_COUNT(w, counter) ((void)0)
#endif

/* What trav.traceray's flags are as those of a query. */
static inline unsigned corbel_walk_plain(unsigned flags)
{
    return CORBEL_WALK_PLAIN | CORBEL_RAY_OPAQUE |
           (flags & CORBEL_ANY ? CORBEL_RAY_FIRST : 0) |
           (flags & CORBEL_CULL_BACK ? CORBEL_RAY_CULL_BACK : 0) |
           (flags & CORBEL_CULL_FRONT ? CORBEL_RAY_CULL_FRONT : 0);
}

/* ---- begin ---- */

/* The tree of a kind is entered: its leaves are of that size. */
static inline void corbel_walk_in_tree(struct corbel_walk *w,
                                       const struct corbel_scene *scene,
                                       uint32_t kind)
{
    w->kind = (uint8_t)kind;
    w->t.grain_units =
        (uint8_t)(corbel_tree_grain(scene, kind) / CORBEL_REF_UNIT);
}

/* Is a tree of this kind passed by, whatever is in it? */
static inline bool corbel_walk_skips(const struct corbel_walk *w, unsigned kind)
{
    return kind == CORBEL_TREE_BOXES
               ? w->flags & (CORBEL_RAY_SKIP_BOXES | CORBEL_WALK_PLAIN)
               : w->flags & CORBEL_RAY_SKIP_TRIANGLES;
}

/* What an upper tree's boxes grow by, for a ray from far away. */
static inline float corbel_tree_widening(const struct corbel_tree *tree,
                                         const float o[3])
{
    float reach = 0;
    for (int i = 0; i < 3; i++) {
        const float a = __builtin_fabsf(tree->bounds.min[i] - o[i]);
        const float b = __builtin_fabsf(tree->bounds.max[i] - o[i]);
        reach = a > reach ? a : reach;
        reach = b > reach ? b : reach;
    }
    return reach > tree->extent ? reach * tree->widen : 0;
}

/* The first tree of a scene that has several. */
static inline void corbel_walk_enter_first(struct corbel_walk *w,
                                           const struct corbel_scene *scene)
{
    const struct corbel_tree *tree = corbel_scene_tree(scene, 0);
    corbel_traversal_widens(&w->t, corbel_tree_widening(tree, w->world.o));
    w->t.root = tree->root;
    w->t.ref = corbel_ray_invert(&w->world, &w->t.ray_inv) ? tree->root
                                                           : CORBEL_REF_NONE;
    w->t.ray_inv.tmax = corbel_float_after(w->world.tmax);
    corbel_walk_in_tree(w, scene, tree->kind);
}

/* flags: CORBEL_RAY_.., CORBEL_WALK_PLAIN; a ray of mask 0 enters no instance.
 */
static inline void corbel_walk_start(struct corbel_walk *w,
                                     const struct corbel_scene *scene,
                                     const struct corbel_ray *ray,
                                     unsigned flags, unsigned mask,
                                     const struct corbel_traversal_setup *setup)
{
    corbel_traversal_start(&w->t, scene, ray, CORBEL_CLOSEST, setup);
    w->world = *ray;
    w->found = w->t.hit;
    w->hit_instance = CORBEL_MISS;
    w->instance = 0;
    w->flags = w->here = (uint16_t)flags;
    w->mask = (uint8_t)mask;
    w->kind = CORBEL_TREE_TRIANGLES;
    w->floor = w->next = w->left = w->asks = 0;
    w->below = w->answered = w->found_opaque = false;
    w->hit_kind = w->found_kind = CORBEL_HIT_NONE;
#if CORBEL_TRAVERSAL_COUNTERS
    w->counts = (struct corbel_walk_counts){0, 0, 0, 0, 0, 0, 0, 0, 0};
#endif
    if (corbel_scene_has_trees(scene))
        corbel_walk_enter_first(w, scene);
    if (w->kind != CORBEL_TREE_INSTANCES && corbel_walk_skips(w, w->kind))
        w->t.ref = CORBEL_REF_NONE;
}

/* ---- instances ---- */

/* What the ray's flags say in an instance of these. */
static inline unsigned corbel_walk_flags_in(unsigned flags, unsigned instance)
{
    if (instance & CORBEL_INSTANCE_NO_CULL)
        flags &= ~(unsigned)(CORBEL_RAY_CULL_BACK | CORBEL_RAY_CULL_FRONT);
    if (instance & CORBEL_INSTANCE_FLIP)
        flags |= CORBEL_WALK_FLIP;
    if (flags & (CORBEL_RAY_OPAQUE | CORBEL_RAY_NON_OPAQUE))
        return flags;
    if (instance & CORBEL_INSTANCE_OPAQUE)
        flags |= CORBEL_RAY_OPAQUE;
    else if (instance & CORBEL_INSTANCE_NON_OPAQUE)
        flags |= CORBEL_RAY_NON_OPAQUE;
    return flags;
}

/* Is the instance passed by? */
static inline bool corbel_walk_passes(struct corbel_walk *w,
                                      const struct corbel_instance *instance)
{
    if (!(instance->mask & w->mask)) {
        CORBEL_WALK_COUNT(w, masked);
        return true;
    }
    if (instance->kind == CORBEL_TREE_BOXES && w->flags & CORBEL_WALK_PLAIN)
        CORBEL_WALK_COUNT(w, plain_boxes);
    return instance->root == CORBEL_REF_NONE ||
           corbel_walk_skips(w, instance->kind);
}

/* The ray is the world's again. */
static inline void corbel_walk_leave(struct corbel_walk *w,
                                     const struct corbel_scene *scene)
{
    struct corbel_traversal *t = &w->t;
    t->ray = w->world;
    corbel_ray_invert(&t->ray, &t->ray_inv);
    t->ray_inv.tmax = corbel_float_after(t->hit.t);
    corbel_traversal_widens(
        t, corbel_tree_widening(corbel_scene_tree(scene, 0), t->ray.o));
    corbel_walk_in_tree(w, scene, CORBEL_TREE_INSTANCES);
    w->below = false;
}

/* The ray goes from an instance's leaf to the root of its tree, if it may. */
static inline void corbel_walk_enter(struct corbel_walk *w,
                                     const struct corbel_scene *scene)
{
    struct corbel_traversal *t = &w->t;
    const struct corbel_instance *instance =
        (const struct corbel_instance *)corbel_traversal_at(t, scene);
    struct corbel_ray ray, inverse;
    if (corbel_walk_passes(w, instance)) {
        corbel_traversal_pop(t);
        return;
    }
    CORBEL_WALK_COUNT(w, instances);
    corbel_instance_ray(instance, &w->world, &ray);
    if (!corbel_ray_invert(&ray, &inverse)) {
        corbel_traversal_pop(t);
        return;
    }
    t->ray = ray;
    t->ray_inv = inverse;
    t->ray_inv.tmax = corbel_float_after(t->hit.t);
    corbel_traversal_widens(t, corbel_instance_widening(instance, ray.o));
    corbel_walk_in_tree(w, scene, instance->kind);
    w->instance = instance->number;
    w->here = (uint16_t)corbel_walk_flags_in(w->flags, instance->flags);
    w->floor = t->depth;
    w->below = true;
    t->ref = instance->root;
}

/* After what may have taken the ray elsewhere. */
static inline void corbel_walk_moved(struct corbel_walk *w,
                                     const struct corbel_scene *scene)
{
    if (w->below && w->t.ref != CORBEL_REF_NONE && w->t.depth <= w->floor)
        corbel_walk_leave(w, scene);
}

/* The leaf is finished. */
static inline void corbel_walk_leaf_done(struct corbel_walk *w,
                                         const struct corbel_scene *scene)
{
    w->next = 0;
    if (w->t.ref == CORBEL_REF_NONE)
        return;
    corbel_traversal_leaf_done(&w->t);
    corbel_walk_moved(w, scene);
}

/* ---- hits ---- */

/* Does a face or box of this word count as opaque here? */
static inline bool corbel_walk_opaque(const struct corbel_walk *w,
                                      uint32_t word)
{
    if (w->here & CORBEL_RAY_OPAQUE)
        return true;
    return !(w->here & CORBEL_RAY_NON_OPAQUE || word & CORBEL_INDEX_NON_OPAQUE);
}

/* Is it left out for that? */
static inline bool corbel_walk_culls(const struct corbel_walk *w, bool opaque)
{
    return w->here &
           (opaque ? CORBEL_RAY_CULL_OPAQUE : CORBEL_RAY_CULL_NON_OPAQUE);
}

/* At the hit's distance an index below this one comes before the hit. */
static inline uint32_t corbel_walk_rank(const struct corbel_walk *w)
{
    if (w->instance != w->hit_instance)
        return w->instance < w->hit_instance ? CORBEL_MISS : 0;
    return w->t.hit.index;
}

/* The candidate at t is the hit so far. */
static inline void corbel_walk_commit(struct corbel_walk *w,
                                      const struct corbel_hit *hit,
                                      enum corbel_hit_kind kind)
{
    w->t.hit = *hit;
    w->t.ray_inv.tmax = corbel_float_after(hit->t);
    w->hit_instance = w->instance;
    w->hit_kind = (uint8_t)kind;
    if (w->flags & CORBEL_RAY_FIRST)
        w->t.ref = CORBEL_REF_NONE;
}

/* The program is asked about the candidate at hand; left: of the leaf. */
static inline void corbel_walk_ask(struct corbel_walk *w,
                                   enum corbel_event event,
                                   const struct corbel_hit *found,
                                   enum corbel_hit_kind kind, unsigned left)
{
    w->found = *found;
    w->found_kind = (uint8_t)kind;
    w->asks = (uint8_t)event;
    w->left = (uint8_t)left;
    w->answered = false;
    w->t.apart = false;
    if (event == CORBEL_EVENT_TRIANGLE)
        CORBEL_WALK_COUNT(w, asked_triangles);
    else
        CORBEL_WALK_COUNT(w, asked_boxes);
}

/* ---- what a user of the walk calls ---- */

/* As corbel_traversal_fetch(). False: it has come to an event. */
static inline bool corbel_walk_fetch(const struct corbel_walk *w,
                                     const struct corbel_scene *scene,
                                     struct corbel_fetch *fetch)
{
    if (w->asks || !corbel_traversal_fetch(&w->t, scene, fetch))
        return false;
    if (w->kind == CORBEL_TREE_INSTANCES && corbel_ref_is_leaf(w->t.ref))
        fetch->kind = CORBEL_FETCH_INSTANCE;
    return true;
}

/* What the ray has come to, when nothing is to be fetched. */
static inline enum corbel_event corbel_walk_event(const struct corbel_walk *w)
{
    if (w->asks)
        return (enum corbel_event)w->asks;
    return w->hit_kind == CORBEL_HIT_NONE ? CORBEL_EVENT_MISS
                                          : CORBEL_EVENT_HIT;
}

/* The triangle that was asked about is there: it is the hit so far. */
static inline void corbel_walk_accept(struct corbel_walk *w)
{
    if (w->asks != CORBEL_EVENT_TRIANGLE || w->answered)
        return;
    w->answered = true;
    CORBEL_WALK_COUNT(w, accepted);
    corbel_walk_commit(w, &w->found, (enum corbel_hit_kind)w->found_kind);
}

/*
 * The primitive whose box was asked about is hit at t, which counts if it lies
 * within the ray and nothing is nearer: only then is the result true. May be
 * called again, of other hits of the primitive.
 */
static inline bool corbel_walk_report(struct corbel_walk *w, float t, float b1,
                                      float b2)
{
    const struct corbel_hit hit = {t, b1, b2, w->found.index};
    if (w->asks != CORBEL_EVENT_BOX ||
        !(t >= w->world.tmin && t <= w->world.tmax) ||
        !(t < w->t.hit.t ||
          (t == w->t.hit.t && hit.index < corbel_walk_rank(w))))
        return false;
    w->answered = true;
    CORBEL_WALK_COUNT(w, accepted);
    corbel_walk_commit(w, &hit, CORBEL_HIT_BOX);
    return true;
}

/* The ray ends here, with the hit so far. */
static inline void corbel_walk_stop(struct corbel_walk *w)
{
    w->t.ref = CORBEL_REF_NONE;
    w->asks = 0;
}

/* Goes on behind a question; one that was not answered is a no. */
static inline void corbel_walk_resume(struct corbel_walk *w,
                                      const struct corbel_scene *scene)
{
    if (!w->asks)
        return;
    if (!w->answered)
        CORBEL_WALK_COUNT(w, ignored);
    w->asks = 0;
    if (w->left == 0)
        corbel_walk_leaf_done(w, scene);
}

/* The ray as the object sees it that it is in, up to the hit so far. */
static inline void corbel_walk_object_ray(const struct corbel_walk *w,
                                          struct corbel_ray *ray)
{
    *ray = w->t.ray;
    ray->tmax = w->t.hit.t;
}

/* Does the candidate count as opaque? A box is asked about all the same. */
static inline bool corbel_walk_asks_opaque(const struct corbel_walk *w)
{
    return w->found_opaque;
}

/* All numbers of a hit that a ray found. */
static inline void corbel_long_hit_of(const struct corbel_scene *scene,
                                      const struct corbel_hit *hit,
                                      uint32_t instance, uint32_t kind,
                                      struct corbel_long_hit *record)
{
    const struct corbel_long_hit empty = {
        hit->t, hit->b1, hit->b2, 0, 0, instance, 0, 0, kind, hit->index};
    *record = empty;
    record->primitive = hit->index;
    if (kind == CORBEL_HIT_NONE) {
        record->instance = CORBEL_MISS;
        record->primitive = 0;
        return;
    }
    if (!corbel_scene_has_trees(scene))
        return;
    uint32_t number = 0;
    if (scene->instances > 0) {
        const struct corbel_placement *p =
            corbel_scene_placement(scene, instance);
        number = p->tree;
        record->custom = p->custom;
        record->record = p->record;
    }
    const struct corbel_tree *tree = corbel_scene_tree(scene, number);
    record->geometry = corbel_tree_geometry(scene, tree, hit->index);
    const struct corbel_geometry *g =
        corbel_scene_geometry(scene, tree->first_geometry + record->geometry);
    record->primitive = hit->index - g->first;
    record->record += g->record;
}

/* The hit so far, and what the program is asked about. */
static inline void corbel_walk_hit(const struct corbel_walk *w,
                                   const struct corbel_scene *scene,
                                   struct corbel_long_hit *hit)
{
    corbel_long_hit_of(scene, &w->t.hit, w->hit_instance, w->hit_kind, hit);
}

static inline void corbel_walk_candidate(const struct corbel_walk *w,
                                         const struct corbel_scene *scene,
                                         struct corbel_long_hit *hit)
{
    corbel_long_hit_of(scene, &w->found, w->instance, w->found_kind, hit);
}

/* A place on a texture, from its fraction of a side, which repeats. */
static inline uint32_t corbel_texel(float at, uint32_t side)
{
    const int32_t whole = at > -0x1p24f && at < 0x1p24f ? (int32_t)at : 0;
    float part = at - (float)whole;
    part = part < 0 ? part + 1 : part;
    const uint32_t texel = (uint32_t)(part * (float)side);
    return texel < side ? texel : side - 1;
}

/*
 * Is a triangle there where it was hit? As its geometry's texture of opacity
 * says, by the nearest texel; without one it is.
 */
static inline bool corbel_hit_there(const struct corbel_scene *scene,
                                    const struct corbel_long_hit *hit)
{
    const uint32_t number =
        scene->instances > 0
            ? corbel_scene_placement(scene, hit->instance)->tree
            : 0;
    const struct corbel_geometry *g = corbel_scene_geometry(
        scene,
        corbel_scene_tree(scene, number)->first_geometry + hit->geometry);
    if (g->texels_offset == 0 || g->corners_offset == 0)
        return true;
    const float(*corner)[2] = (const float(*)[2])corbel_scene_at(
        scene, g->corners_offset + (uint64_t)hit->primitive * 24);
    const float b0 = 1 - hit->b1 - hit->b2;
    const float u =
        b0 * corner[0][0] + hit->b1 * corner[1][0] + hit->b2 * corner[2][0];
    const float v =
        b0 * corner[0][1] + hit->b1 * corner[1][1] + hit->b2 * corner[2][1];
    const uint8_t *texel =
        (const uint8_t *)corbel_scene_at(scene, g->texels_offset);
    const uint32_t at =
        corbel_texel(v, g->height) * g->width + corbel_texel(u, g->width);
    return (float)texel[at] >= g->cutoff * 255;
}

#ifdef __cplusplus
}
#endif

#define CORBEL_WALK_NAME(name) corbel_walk_##name
#define CORBEL_WALK_NODE corbel_traversal_step_node
#define CORBEL_WALK_BOX corbel_box_test
#define CORBEL_WALK_TRIANGLE corbel_triangle_test
#include <corbel/walk_template.h>

#endif
