/*
 * The traversal of one treelet by the ray of a work item, for programs on chips
 * with ray streams (corbel/streams.h): that of traverse.h, with the treelet's
 * root as the root. Where it comes to the root of another treelet it goes on
 * with what is left of this one, and remembers that there is more to do:
 *
 *     struct corbel_treelet_rest rest;
 *     corbel_treelet_traverse(scene, &item, &hit, &rest);
 *     if (hit.index != CORBEL_MISS)
 *         corbel_hit_store(&hit, &records[item.id]);
 *     corbel_treelet_send(scene, &item, hit.t, &rest);
 *
 * An item is sent for every other treelet that the ray enters before the hit,
 * at the same distance too; so the closest of the hits that are stored for a
 * ray is that of a traversal of the whole tree, bit for bit, in whatever order
 * items are worked on. Their hints count in the order in which they were come
 * to.
 *
 * Before the include, CORBEL_STACK_MAX may be defined (traverse.h), and
 * CORBEL_TREELET_REST.
 */
#ifndef CORBEL_TRAVERSE_TREELET_H
#define CORBEL_TRAVERSE_TREELET_H

#include <corbel/streams.h>
#include <corbel/traverse.h>
#include <corbel/treelets.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Treelets that are remembered. If there are more, the items of the first ones
 * are sent during the traversal, when the hit may still be far away. */
#ifndef CORBEL_TREELET_REST
#define CORBEL_TREELET_REST 12
#endif

struct corbel_treelet_rest {
    unsigned count;
    uint32_t sent; /* items, for hints */
    struct corbel_stack_entry root[CORBEL_TREELET_REST];
};

/* Sends the item of a treelet, unless the ray enters it behind the distance t.
 */
static inline void corbel_treelet_send_one(
    const struct corbel_scene *scene, const struct corbel_item *item, float t,
    const struct corbel_stack_entry *root, struct corbel_treelet_rest *rest)
{
    struct corbel_item child = *item;
    const uint32_t hint = rest->sent < 255 ? rest->sent : 255;
    if (root->entry > t)
        return;
    child.ray.tmax = t < item->ray.tmax ? t : item->ray.tmax;
    child.word = corbel_item_word(corbel_treelet_of(scene, root->ref), hint);
    corbel_stream_push(&child);
    rest->sent++;
}

/* Sends the items of all treelets that are remembered. t: the closest hit that
 * is known. */
static inline void corbel_treelet_send(const struct corbel_scene *scene,
                                       const struct corbel_item *item, float t,
                                       struct corbel_treelet_rest *rest)
{
    for (unsigned i = 0; i < rest->count; i++)
        corbel_treelet_send_one(scene, item, t, &rest->root[i], rest);
    rest->count = 0;
}

/* As corbel_traversal_pop(), and tells the distance at which the ray enters
 * what comes next. */
static inline void corbel_treelet_pop(struct corbel_traversal *t, float *entry)
{
    t->resume = 0;
    while (t->held > 0) {
        const struct corbel_stack_entry next = corbel_traversal_take(t);
        if (next.entry < t->ray_inv.tmax) {
            t->ref = next.ref;
            *entry = next.entry;
            return;
        }
    }
    t->ref = CORBEL_REF_NONE;
    if (t->dropped)
        corbel_traversal_restart(t);
}

/* As corbel_traversal_step_node(), likewise. */
static inline void corbel_treelet_node(struct corbel_traversal *t,
                                       const struct corbel_scene *scene,
                                       float *entry)
{
    struct corbel_traversal_order order;
    corbel_traversal_order_any(t, corbel_traversal_at(t, scene), &order);
    CORBEL_TRAVERSAL_COUNT(t, nodes, 1);
    const unsigned next =
        t->depth < t->resume ? corbel_traversal_finished(t, t->depth) : 0;
    if (next >= order.count) {
        corbel_treelet_pop(t, entry);
        return;
    }
    corbel_traversal_leave(t, &order, next);
    t->depth++;
    t->ref = order.child[next].ref;
    *entry = order.child[next].entry;
}

/* As corbel_traversal_step_leaf(), likewise: it finds an empty stack, so that
 * nothing is taken from it. */
static inline void corbel_treelet_leaf(struct corbel_traversal *t,
                                       const struct corbel_scene *scene,
                                       float *entry)
{
    const uint16_t held = t->held;
    const bool dropped = t->dropped;
    t->held = 0;
    t->dropped = false;
    while (t->ref != CORBEL_REF_NONE)
        corbel_traversal_step_leaf(t, scene);
    t->held = held;
    t->dropped = dropped;
    corbel_treelet_pop(t, entry);
}

/* The treelet of an item. hit: the closest in it up to the ray's tmax, or a
 * miss with that. */
static inline void corbel_treelet_traverse(const struct corbel_scene *scene,
                                           const struct corbel_item *item,
                                           struct corbel_hit *hit,
                                           struct corbel_treelet_rest *rest)
{
    const struct corbel_traversal_setup setup = {CORBEL_STACK_MAX, true};
    struct corbel_traversal t;
    float entry = item->ray.tmin;
    rest->count = rest->sent = 0;
    corbel_traversal_start(&t, scene, &item->ray, CORBEL_CLOSEST, &setup);
    t.root = corbel_treelet_root(scene, corbel_item_segment(item));
    if (t.ref != CORBEL_REF_NONE)
        t.ref = t.root;
    while (t.ref != CORBEL_REF_NONE)
        if (corbel_ref_is_leaf(t.ref)) {
            corbel_treelet_leaf(&t, scene, &entry);
        } else if (t.ref & CORBEL_REF_TREELET) {
            if (rest->count == CORBEL_TREELET_REST)
                corbel_treelet_send(scene, item, t.hit.t, rest);
            rest->root[rest->count++] =
                (struct corbel_stack_entry){t.ref, entry};
            corbel_treelet_pop(&t, &entry);
        } else {
            corbel_treelet_node(&t, scene, &entry);
        }
    corbel_traversal_result(&t, hit);
}

#ifdef __cplusplus
}
#endif
#endif
