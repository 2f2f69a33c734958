/*
 * Items that move (STRaTA): a ray exists once, and all that is known of it
 * travels with it as two messages, 64 bytes. What it does in a treelet is
 * corbel/traverse_moves.h.
 */
#include "sim/units/rtcore/rtcore_items.h"
#include <corbel/traverse_moves.h>

void moves_new(struct rtcore *r)
{
    r->items->moves =
        chip_alloc(r->unit.chip, r->slot_count, sizeof *r->items->moves);
    r->special = true;
}

static enum corbel_move_policy policy_of(const struct rtcore *r)
{
    return (enum corbel_move_policy)(r->items->policy - 1);
}

bool moves_read(const struct rtcore *r, const struct corbel_scene *scene,
                struct error *error)
{
    if (scene->max_depth > CORBEL_MOVE_LEVELS)
        return error_set(error,
                         "%u levels of nodes, the RT cores of this chip go "
                         "down %u: convert it with wider nodes",
                         scene->max_depth, CORBEL_MOVE_LEVELS);
    if (policy_of(r) == CORBEL_BY_PARENTS &&
        !corbel_node_has_parent(scene->format))
        return error_set(error,
                         "nodes %s without references to their parents, which "
                         "the RT cores of this chip follow: convert it with "
                         "corbel-scene convert --nodes bvh6",
                         corbel_node_name(scene->format));
    return true;
}

static void begin(struct rtcore *r, uint32_t slot,
                  const struct corbel_moving *moving)
{
    struct ray *taken = rtcore_ray(r, slot);
    taken->scene = r->machine->scene;
    corbel_move_begin(&r->items->moves[slot], &taken->traversal, taken->scene,
                      moving);
}

/* Has it not been anywhere? */
static bool is_root(const struct rtcore *r, const struct corbel_moving *moving)
{
    return !moving->trail && moving->node == r->machine->scene->root;
}

void moves_take(struct rtcore *r, const struct msg *m, uint64_t now)
{
    struct payload p = msg_payload(&r->unit, m);
    struct corbel_moving moving;
    if (m->op == STREAM_RAY) {
        r->items->arriving = stream_ray(p.bytes);
        return;
    }
    moving.ray = r->items->arriving;
    memcpy(&moving.hit, p.bytes, sizeof p.bytes);
    items_taken(r, m, is_root(r, &moving), now);
    begin(r, m->from, &moving);
    rtcore_occupy(r, m->from, STATE_ray_record, now);
    rtcore_ready(r, m->from, STATE_ray_record, now);
}

void items_step(struct rtcore *r, uint32_t slot)
{
    struct ray *ray = rtcore_ray(r, slot);
    r->stats.revisits += corbel_move_again(&r->items->moves[slot],
                                           ray->traversal.ref, policy_of(r));
    corbel_move_step(&r->items->moves[slot], &ray->traversal, ray->scene,
                     policy_of(r));
    ray->traversal.held = r->items->moves[slot].held;
}

void moves_send(struct rtcore *r, uint32_t slot)
{
    const struct ray *ray = rtcore_ray(r, slot);
    struct corbel_moving moving;
    struct payload first, second;
    struct msg m = items_message(r, slot, STREAM_RAY);
    corbel_move_end(&r->items->moves[slot], &ray->traversal, &moving);
    m.tag = corbel_treelet_of(ray->scene, moving.node);
    r->stats.children++;
    r->stats.climbs += m.tag < r->items->of[slot].segment;
    memcpy(first.bytes, &moving.ray, sizeof first.bytes);
    memcpy(second.bytes, &moving.hit, sizeof second.bytes);
    link_push_full(&r->unit.out[ITEM][0], &m, &first);
    m.op = STREAM_STATE;
    link_push_full(&r->unit.out[ITEM][0], &m, &second);
}
