/*
 * Traversals of rays that move from treelet to treelet and take all that they
 * know along in 64 bytes, as STRaTA does: used by programs and by the
 * simulator's RT cores, so that both find the same hit by the same moves.
 *
 * A moving ray exists once. It goes down and up the tree; where the next node
 * lies in another treelet, it is at that treelet's queue until a hart or
 * RT core takes it. Two ways to find back up:
 *
 *   by parents   no stack. The trail has for each level the slot of the child
 *                that was entered, 3 bits under a leading 1 (0: the ray has
 *                not been anywhere), and a node has the reference of its
 *                parent. Nodes are read again on the way up.
 *   by restarts  a stack of what waits in this treelet; the trail counts for
 *                each level the children that are finished, 3 bits,
 *                CORBEL_MOVE_LAST: only the farthest one is left. Leaving a
 *                treelet forgets the stack; where nothing waits any more, the
 *                ray starts again at the root, along the trail.
 *
 * Children are ordered by the distance at which the ray enters them, equal ones
 * by slot; a nearer hit only cuts the far end of an order, so it is the same
 * each time. Levels are CORBEL_MOVE_LEVELS at most, which a program has to
 * look at (corbel_scene.max_depth).
 *
 * Sources: D. Kopta et al., Memory Considerations for Low Energy Ray Tracing,
 * CGF 34(1), 2015; S. Laine, Restart Trail for Stackless BVH Traversal, HPG
 * 2010; the layout follows the public code of Arches.
 */
#ifndef CORBEL_TRAVERSE_MOVES_H
#define CORBEL_TRAVERSE_MOVES_H

#include <corbel/traverse.h>
#include <corbel/treelets.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_MOVE_LEVELS 21u
#define CORBEL_MOVE_LAST 7u

/* What a ray is about to do at its node. */
enum corbel_move_state {
    CORBEL_MOVE_DOWN = 1, /* to enter the nearest child, or, by restarts, the
                             one that the trail says */
    CORBEL_MOVE_UP = 2,   /* by parents: to go on behind the child that it comes
                             from */
    CORBEL_MOVE_OVER = 4, /* nothing: its hit is final */
};

/* A ray as it travels. */
struct corbel_moving {
    struct corbel_ray ray;
    struct corbel_hit hit; /* so far */
    uint32_t node;         /* where it goes on, without CORBEL_REF_TREELET */
    uint8_t state;         /* enum corbel_move_state */
    uint8_t level;         /* by restarts: of the node */
    uint16_t reserved;
    uint64_t trail;
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_moving) == 64, "a ray of 16 words");
CORBEL_STATIC_ASSERT(offsetof(struct corbel_moving, hit) == 32, "two halves");

/* What is known of it besides the traversal (ray, hit, t->ref) while it is in
 * a treelet. */
struct corbel_move {
    uint64_t trail;
    uint32_t node; /* by parents: of the leaf that is tested */
    uint8_t state, level;
    /* By restarts: what waits in this treelet, the nearest on top. */
    uint16_t held;
    struct {
        uint32_t ref;
        float entry;
        bool last; /* the farthest child of its node */
    } stack[CORBEL_MOVE_LEVELS * (CORBEL_WIDTH_MAX - 1) + 1];
};

/* A ray of the scene that has not been anywhere. */
static inline void corbel_moving_start(struct corbel_moving *moving,
                                       const struct corbel_scene *scene,
                                       const struct corbel_ray *ray)
{
    moving->ray = *ray;
    moving->hit.t = ray->tmax;
    moving->hit.b1 = moving->hit.b2 = 0;
    moving->hit.index = CORBEL_MISS;
    moving->node = scene->root;
    moving->state = CORBEL_MOVE_DOWN;
    moving->level = 0;
    moving->reserved = 0;
    moving->trail = 0;
}

/* The traversal goes on with a ray that has come to its treelet. */
static inline void corbel_move_begin(struct corbel_move *m,
                                     struct corbel_traversal *t,
                                     const struct corbel_scene *scene,
                                     const struct corbel_moving *moving)
{
    const struct corbel_traversal_setup setup = {1, true};
    corbel_traversal_start(t, scene, &moving->ray, CORBEL_CLOSEST, &setup);
    t->hit = moving->hit;
    t->ray_inv.tmax = corbel_float_after(t->hit.t);
    t->ref = t->ref == CORBEL_REF_NONE ? CORBEL_REF_NONE : moving->node;
    m->trail = moving->trail;
    m->state =
        t->ref == CORBEL_REF_NONE ? (uint8_t)CORBEL_MOVE_OVER : moving->state;
    m->node = moving->node;
    m->level = moving->level;
    m->held = 0;
}

/* The ray as it leaves: t->ref leads to another treelet, or it is over. */
static inline void corbel_move_end(const struct corbel_move *m,
                                   const struct corbel_traversal *t,
                                   struct corbel_moving *moving)
{
    moving->ray = t->ray;
    moving->hit = t->hit;
    moving->node = t->ref & ~CORBEL_REF_TREELET;
    moving->state = m->state;
    moving->level = m->level;
    moving->reserved = 0;
    moving->trail = m->trail;
}

static inline void corbel_move_finish(struct corbel_move *m,
                                      struct corbel_traversal *t)
{
    m->state = CORBEL_MOVE_OVER;
    t->ref = CORBEL_REF_NONE;
}

/* The children that the ray enters: one by one in a program, for a short stack,
 * all at once on a host. */
static inline void corbel_move_order(const struct corbel_traversal *t,
                                     const void *node,
                                     struct corbel_traversal_order *order)
{
#ifdef __riscv
    corbel_traversal_order_any(t, node, order);
#else
    corbel_traversal_order_boxes(t, node, order);
#endif
}

/* ---- by parents ---- */

/* The slot of a child of the node, which has it. */
static inline unsigned corbel_move_slot(const struct corbel_traversal *t,
                                        const void *node, uint32_t ref)
{
    uint32_t refs[CORBEL_WIDTH_MAX];
    unsigned slot = corbel_node_refs(t->format, node, t->grain_units, refs);
    while (slot > 0 && refs[--slot] != ref)
        ;
    return slot;
}

/* The place in the order of the child that the trail names last, and one more;
 * its count, if a hit has cut it off. */
static inline unsigned
corbel_move_behind(const struct corbel_move *m,
                   const struct corbel_traversal *t, const void *node,
                   const struct corbel_traversal_order *order)
{
    uint32_t refs[CORBEL_WIDTH_MAX];
    unsigned next = 0;
    corbel_node_refs(t->format, node, t->grain_units, refs);
    while (next < order->count && order->child[next].ref != refs[m->trail & 7])
        next++;
    return next < order->count ? next + 1 : next;
}

static inline void corbel_move_up(struct corbel_move *m,
                                  struct corbel_traversal *t, const void *node)
{
    m->state = CORBEL_MOVE_UP;
    t->ref = corbel_node_parent(t->format, node);
    if (m->trail == 1)
        corbel_move_finish(m, t);
}

/* At the node `at`, which is t->ref or, behind a leaf, m->node. */
static inline void corbel_move_by_parents(struct corbel_move *m,
                                          struct corbel_traversal *t,
                                          const void *node, uint32_t at)
{
    struct corbel_traversal_order order;
    const bool up = m->state == CORBEL_MOVE_UP;
    if (!m->trail)
        m->trail = 1; /* it is at the root for the first time */
    corbel_move_order(t, node, &order);
    const unsigned next = up ? corbel_move_behind(m, t, node, &order) : 0;
    if (up)
        m->trail >>= 3;
    if (next >= order.count) {
        corbel_move_up(m, t, node);
        return;
    }
    m->trail = m->trail << 3 | corbel_move_slot(t, node, order.child[next].ref);
    m->state = CORBEL_MOVE_DOWN;
    m->node = at;
    t->ref = order.child[next].ref;
}

/* ---- by restarts ---- */

static inline unsigned corbel_move_finished(const struct corbel_move *m,
                                            unsigned level)
{
    return m->trail >> 3 * level & 7;
}

static inline void corbel_move_note(struct corbel_move *m, unsigned level,
                                    unsigned finished)
{
    m->trail &= ~((uint64_t)7 << 3 * level);
    m->trail |= (uint64_t)finished << 3 * level;
}

/* The deepest level above the ray's with a child left; UINT32_MAX: none. */
static inline unsigned corbel_move_pending(const struct corbel_move *m)
{
    unsigned level = m->level;
    while (level > 0)
        if (corbel_move_finished(m, --level) < CORBEL_MOVE_LAST)
            return level;
    return UINT32_MAX;
}

/* The trail says that a child more is finished at the level, and nothing of
 * those below. */
static inline void corbel_move_advance(struct corbel_move *m, unsigned level)
{
    m->trail += (uint64_t)1 << 3 * level;
    m->trail &= ((uint64_t)1 << 3 * (level + 1)) - 1;
}

/*
 * Where a restart begins: at the root of the scene, or, if the scene's treelets
 * are asked (climb), of the nearest treelet above whose root is not below the
 * level that goes on.
 */
static inline void corbel_move_restart(struct corbel_move *m,
                                       struct corbel_traversal *t,
                                       const struct corbel_scene *scene,
                                       unsigned pending, uint32_t treelet,
                                       bool climb)
{
    const struct corbel_treelet *at = corbel_scene_treelet(scene, treelet);
    while (treelet > 0 && (!climb || at->level > pending)) {
        treelet = at->parent;
        at = corbel_scene_treelet(scene, treelet);
    }
    m->level = (uint8_t)at->level;
    t->ref = corbel_treelet_root(scene, treelet) | CORBEL_REF_TREELET;
    CORBEL_TRAVERSAL_COUNT(t, restarts, 1);
}

/* What was at t->ref is finished: what waits is next, or a restart. */
static inline void corbel_move_pop(struct corbel_move *m,
                                   struct corbel_traversal *t,
                                   const struct corbel_scene *scene,
                                   uint32_t treelet, bool climb)
{
    for (;;) {
        const unsigned pending = corbel_move_pending(m);
        if (pending == UINT32_MAX) {
            corbel_move_finish(m, t);
            return;
        }
        corbel_move_advance(m, pending);
        if (m->held == 0) {
            corbel_move_restart(m, t, scene, pending, treelet, climb);
            return;
        }
        m->held--;
        m->level = (uint8_t)(pending + 1);
        if (m->stack[m->held].last)
            corbel_move_note(m, pending, CORBEL_MOVE_LAST);
        t->ref = m->stack[m->held].ref;
        if (m->stack[m->held].entry < t->ray_inv.tmax)
            return;
    }
}

/* Children from `first` on wait, but for the nearest, which is entered. */
static inline void corbel_move_enter(struct corbel_move *m,
                                     struct corbel_traversal *t,
                                     const struct corbel_traversal_order *order,
                                     unsigned first)
{
    for (unsigned i = order->count - 1; i > first; i--) {
        m->stack[m->held].ref = order->child[i].ref;
        m->stack[m->held].entry = order->child[i].entry;
        m->stack[m->held].last = i == order->count - 1;
        m->held++;
    }
    corbel_move_note(m, m->level,
                     first == order->count - 1 ? CORBEL_MOVE_LAST : first);
    m->level++;
    t->ref = order->child[first].ref;
}

static inline void corbel_move_by_restarts(struct corbel_move *m,
                                           struct corbel_traversal *t,
                                           const struct corbel_scene *scene,
                                           const void *node, bool climb)
{
    struct corbel_traversal_order order;
    const uint32_t treelet = corbel_treelet_of(scene, t->ref);
    const unsigned finished = corbel_move_finished(m, m->level);
    corbel_move_order(t, node, &order);
    unsigned first = finished;
    if (finished == CORBEL_MOVE_LAST && order.count > 0)
        first = order.count - 1;
    if (first >= order.count)
        corbel_move_pop(m, t, scene, treelet, climb);
    else
        corbel_move_enter(m, t, &order, first);
}

/* ---- steps ---- */

/* How rays find back up. */
enum corbel_move_policy {
    CORBEL_BY_PARENTS,
    CORBEL_BY_RESTARTS, /* from the root */
    CORBEL_BY_CLIMBS,   /* from an ancestor */
};

/* Is `ref`, where the ray goes on, a node that it has tested before? By parents
 * it comes back from a child; by restarts the trail says at this level or below
 * that something is finished. */
static inline bool corbel_move_again(const struct corbel_move *m, uint32_t ref,
                                     enum corbel_move_policy policy)
{
    if (corbel_ref_is_leaf(ref))
        return false;
    if (policy == CORBEL_BY_PARENTS)
        return m->state == CORBEL_MOVE_UP;
    return m->trail >> 3 * m->level != 0;
}

/* Tests what t->ref leads to, a node or a leaf of the ray's treelet, and names
 * what is next: CORBEL_REF_NONE: the ray is over; with CORBEL_REF_TREELET: it
 * leaves the treelet (corbel_move_end). */
static inline void corbel_move_step(struct corbel_move *m,
                                    struct corbel_traversal *t,
                                    const struct corbel_scene *scene,
                                    enum corbel_move_policy policy)
{
    const void *at = corbel_traversal_at(t, scene);
    const bool by_parents = policy == CORBEL_BY_PARENTS;
    const bool climb = policy == CORBEL_BY_CLIMBS;
    if (!corbel_ref_is_leaf(t->ref)) {
        CORBEL_TRAVERSAL_COUNT(t, nodes, 1);
        if (by_parents)
            corbel_move_by_parents(m, t, at, t->ref);
        else
            corbel_move_by_restarts(m, t, scene, at, climb);
        return;
    }
    const uint32_t treelet = corbel_treelet_of(scene, t->ref);
    if (!corbel_traversal_test_leaf(t, scene))
        return;
    t->apart = false;
    t->ray_inv.tmax = corbel_float_after(t->hit.t);
    if (by_parents) {
        m->state = CORBEL_MOVE_UP;
        corbel_move_by_parents(
            m, t, corbel_scene_at(scene, corbel_ref_offset(m->node)), m->node);
    } else {
        corbel_move_pop(m, t, scene, treelet, climb);
    }
}

#ifdef __cplusplus
}
#endif
#endif
