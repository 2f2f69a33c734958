/*
 * The box and the triangle pipelines. Both are a queue, a number of equal
 * pipelines that begin an initiation each `interval` cycles, and a FIFO of
 * what is under way; what differs is how many initiations a ray needs.
 */
#include "sim/core/newer_hosts.h"
#include "sim/units/rtcore/rtcore_fetch.h"
#include "sim/units/rtcore/rtcore_items.h"

static void pipeline_new(struct pipeline *p, struct rtcore *r)
{
    struct chip *chip = r->unit.chip;
    fifo_new(&p->queue, r);
    p->mask = p->queue.mask;
    p->due = CYCLE_NEVER;
    p->stages = chip_alloc(chip, p->mask + 1u, sizeof *p->stages);
    p->free_at = chip_alloc(chip, p->pipes, sizeof *p->free_at);
}

void pipes_new(struct rtcore *r)
{
    const struct rtcore_params *params = &r->params;
    r->boxes = (struct pipeline){
        .pipes = (uint32_t)params->box_pipes,
        .latency = (uint32_t)params->box_latency,
        .interval = (uint32_t)params->box_interval,
        .width = (uint8_t)params->box_width,
    };
    r->triangles = (struct pipeline){
        .pipes = (uint32_t)params->tri_pipes,
        .latency = (uint32_t)params->tri_latency,
        .interval = (uint32_t)params->tri_interval,
        .width = (uint8_t)params->tri_width,
    };
    pipeline_new(&r->boxes, r);
    pipeline_new(&r->triangles, r);
}

/* ---- steps ---- */

/* A step tests the boxes of a node, or the triangles of a leaf, and decides
 * what the ray reads next. */

/* Boxes and triangles are tested in vectors: newer hosts need a sixth fewer
 * instructions. */
static FOR_NEWER_HOSTS void pipes_step_leaf(const struct rtcore *r,
                                            struct ray *ray)
{
    corbel_traversal_step_leaf(&ray->traversal, rtcore_scene(r, ray));
}

static FOR_NEWER_HOSTS void pipes_step_node(const struct rtcore *r,
                                            struct ray *ray)
{
    struct corbel_traversal *t = &ray->traversal;
    corbel_traversal_step_node(t, corbel_traversal_at(t, rtcore_scene(r, ray)));
}

/* ---- entry ---- */

/* Initiations for `tests` tests, width of them in one; 0: all. */
static uint32_t initiations(uint32_t tests, uint32_t width)
{
    return width && width < tests ? (tests + width - 1) / width : 1;
}

/* A node takes what its format may hold, however many children it has. */
static inline uint32_t begin_node(struct rtcore *r, uint32_t slot,
                                  const struct ray *ray)
{
    uint32_t width = r->boxes.width;
    uint32_t boxes = corbel_node_width(ray->traversal.format);
    r->stats.nodes++;
    r->stats.boxes += boxes;
    work_note(r->machine, &r->unit, WORK_nodes, r->askers[slot].work, 1);
    return width ? initiations(boxes, width) : 1;
}

static inline uint32_t begin_leaf(struct rtcore *r, uint32_t slot,
                                  const struct ray *ray)
{
    const struct corbel_scene *scene = rtcore_scene(r, ray);
    const struct corbel_traversal *t = &ray->traversal;
    uint32_t count =
        corbel_leaf_count(scene->leaf_format, corbel_traversal_at(t, scene),
                          corbel_ref_grains(t->ref));
    r->stats.leaves++;
    r->stats.triangles += count;
    work_note(r->machine, &r->unit, WORK_triangles, r->askers[slot].work,
              count);
    return initiations(count, r->triangles.width);
}

/* The states of rays that wait for pipelines, and of those in them. */
static inline enum ray_state waiting(const struct rtcore *r,
                                     const struct pipeline *p)
{
    return p == &r->boxes ? STATE_ray_box_queue : STATE_ray_tri_queue;
}

static inline enum ray_state testing(const struct rtcore *r,
                                     const struct pipeline *p)
{
    return p == &r->boxes ? STATE_ray_box : STATE_ray_tri;
}

/* The ray's test begins. Returns how many initiations it needs. */
static inline __attribute__((always_inline)) uint32_t
begin(struct rtcore *r, struct pipeline *p, uint32_t slot, enum ray_state from,
      uint64_t now)
{
    const struct ray *ray = rtcore_ray(r, slot);
    rtcore_move(r, &r->slots[slot], from, testing(r, p), now);
    r->tested = true;
    return p == &r->boxes ? begin_node(r, slot, ray) : begin_leaf(r, slot, ray);
}

/* Begins as many initiations as there are free pipelines, of which there is at
 * least one. Returns how many are left. */
static inline uint32_t initiate(struct pipeline *p, uint32_t left, uint64_t now)
{
    uint32_t next = p->next, before = left;
    do {
        p->free_at[next] = now + p->interval;
        next++;
        next &= -(uint32_t)(next != p->pipes);
    } while (--left && p->free_at[next] <= now);
    p->next = next;
    p->initiations += before - left;
    return left;
}

/*
 * The host's lines that the ray's step will read: of its fetch and of the ray,
 * of which a leaf's step reads one more. Nothing of them is read here.
 */
static inline void warm(const struct rtcore *r, const struct pipeline *p,
                        uint32_t slot)
{
    const struct corbel_traversal *t = &rtcore_ray(r, slot)->traversal;
    const uint8_t *fetch = r->memory + r->slots[slot].first;
    host_prefetch(&t->ray_inv);
    host_prefetch(t->stack);
    host_prefetch(fetch);
    if (p == &r->triangles) {
        host_prefetch(&t->ray);
        host_prefetch(fetch + 64);
    }
}

/* The step may be the ray's last one: its hart will go on. */
static inline void warm_hart(const struct rtcore *r, uint32_t slot)
{
    if (r->slots[slot].last)
        rtcore_hint_hit(r, slot, 0);
}

/* After its last initiation the ray is under way; the unit runs when it leaves.
 */
static inline void end(struct rtcore *r, struct pipeline *p, uint32_t slot,
                       uint64_t now)
{
    uint64_t exit = now + p->latency;
    p->stages[(p->head + p->count++) & p->mask] =
        (struct stage){(uint16_t)exit, (uint16_t)slot};
    p->due = exit < p->due ? exit : p->due;
    unit_wake(&r->unit, exit);
}

void pipe_warm(const struct rtcore *r, const struct pipeline *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        warm(r, p, p->stages[(p->head + i) & p->mask].slot);
}

static inline void enter(struct rtcore *r, struct pipeline *p, uint64_t now)
{
    while (fifo_any(&p->queue) && p->free_at[p->next] <= now) {
        uint32_t slot = fifo_first(&p->queue);
        r->tested = true;
        if (!p->left)
            p->left = begin(r, p, slot, waiting(r, p), now);
        p->left = initiate(p, p->left, now);
        if (p->left)
            return;
        fifo_drop(&p->queue, true);
        r->standing--;
        end(r, p, slot, now);
    }
}

void pipes_enter(struct rtcore *r, uint64_t now)
{
    enter(r, &r->boxes, now);
    enter(r, &r->triangles, now);
}

/* A ray joins a queue. It may have to wait for a pipeline, or take several
 * initiations. */
static inline __attribute__((always_inline)) void
join(struct rtcore *r, struct pipeline *p, uint32_t slot, uint64_t now)
{
    if (fifo_any(&p->queue) || p->free_at[p->next] > now) {
        rtcore_move(r, &r->slots[slot], STATE_ray_memory, waiting(r, p), now);
    } else {
        uint32_t tests = begin(r, p, slot, STATE_ray_memory, now);
        p->left = initiate(p, tests, now);
        if (!p->left) {
            end(r, p, slot, now);
            return;
        }
    }
    fifo_push(&p->queue, slot);
    r->standing++;
}

static __attribute__((noinline)) void join_boxes(struct rtcore *r,
                                                 uint32_t slot, uint64_t now)
{
    join(r, &r->boxes, slot, now);
}

/* A node joins the box pipelines. Mostly one is free, and the node needs it
 * once. */
static inline void join_node(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct pipeline *p = &r->boxes;
    warm(r, p, slot);
    warm_hart(r, slot);
    if (fifo_any(&p->queue) || p->free_at[p->next] > now || p->width) {
        join_boxes(r, slot, now);
        return;
    }
    begin(r, p, slot, STATE_ray_memory, now);
    initiate(p, 1, now);
    end(r, p, slot, now);
}

/* A leaf, or its vertices, joins the triangle pipelines. A leaf that only says
 * where its vertices are needs no pipeline: the ray is ready to read them. */
static __attribute__((noinline)) void join_leaf(struct rtcore *r, uint32_t slot,
                                                uint64_t now)
{
    struct ray *ray = rtcore_ray(r, slot);
    if (r->slots[slot].kind == FETCH_STACK_READ) {
        rtcore_ready(r, slot, STATE_ray_memory, now);
        return;
    }
    if (r->slots[slot].kind == CORBEL_FETCH_LEAF &&
        corbel_leaf_apart(rtcore_scene(r, ray)->leaf_format)) {
        ray->traversal.apart = true;
        rtcore_ready(r, slot, STATE_ray_memory, now);
        return;
    }
    warm(r, &r->triangles, slot);
    warm_hart(r, slot);
    join(r, &r->triangles, slot, now);
}

void pipes_join(struct rtcore *r, uint32_t slot, uint64_t now)
{
    if (__builtin_expect(r->slots[slot].refused, 0))
        rtcore_finish(r, slot, STATE_ray_memory, now);
    else if (r->slots[slot].kind == CORBEL_FETCH_NODE)
        join_node(r, slot, now);
    else
        join_leaf(r, slot, now);
}

/* ---- exit ---- */

/* A step either goes down a level, leaving siblings, or up. */
static void step_ahead(struct rtcore *r, uint32_t slot)
{
    struct ray *ray = rtcore_ray(r, slot);
    unsigned depth = ray->traversal.depth;
    pipes_step_node(r, ray);
    if (ray->traversal.depth == depth + 1)
        fetch_ahead(r, slot);
}

static __attribute__((noinline)) void
step_special(struct rtcore *r, const struct pipeline *p, uint32_t slot)
{
    if (r->items && r->items->moves)
        items_step(r, slot);
    else if (p == &r->triangles)
        pipes_step_leaf(r, rtcore_ray(r, slot));
    else
        step_ahead(r, slot);
    if (r->stacks)
        stacks_step(r, slot);
}

static inline void step(struct rtcore *r, const struct pipeline *p,
                        uint32_t slot)
{
    struct ray *ray = rtcore_ray(r, slot);
    struct ray_slot *s = &r->slots[slot];
    const uint16_t before = ray->traversal.held;
    if (__builtin_expect(r->special, 0))
        step_special(r, p, slot);
    else if (p == &r->triangles)
        pipes_step_leaf(r, ray);
    else
        pipes_step_node(r, ray);
    uint16_t held = ray->traversal.held, deepest = s->deepest;
    s->deepest = held > deepest ? held : deepest;
    /* A step either pushes or pops. */
    r->stats.stack_pushes += held > before ? (uint16_t)(held - before) : 0;
    r->stats.stack_pops += held < before ? (uint16_t)(before - held) : 0;
    s->last = !held;
}

/* The slot of the stage that is due. Whether it is the last one cannot be
 * predicted, so the host chooses without a branch. */
static inline uint32_t leave_first(struct pipeline *p)
{
    uint32_t slot = p->stages[p->head & p->mask].slot;
    uint16_t next = (uint16_t)(p->head + 1), count = (uint16_t)(p->count - 1);
    uint16_t after = (uint16_t)(p->stages[next & p->mask].exit - p->due);
    p->due = choose_if(count > 0, p->due + after, CYCLE_NEVER);
    p->head = (uint16_t)(next & -(unsigned)(count > 0));
    p->count = count;
    return slot;
}

/*
 * A ray whose step has ended. If no other is ready it goes on in the same
 * cycle, as the scheduler would choose it; after a node, as mostly, without a
 * call.
 */
static inline void left(struct rtcore *r, uint32_t slot, enum ray_state from,
                        uint64_t now)
{
    if (r->ready.by || r->ready.count || !r->ops_left) {
        rtcore_ready(r, slot, from, now);
        return;
    }
    r->ops_left--;
    r->worked = true;
    bool begun = from == STATE_ray_box ? fetch_begin_here(r, slot, from, now)
                                       : fetch_begin(r, slot, from, now);
    if (!begun)
        rtcore_finish(r, slot, from, now);
}

static inline __attribute__((always_inline)) void
leave(struct rtcore *r, struct pipeline *p, uint64_t now)
{
    do {
        uint32_t slot = leave_first(p);
        step(r, p, slot);
        left(r, slot, testing(r, p), now);
    } while (p->due <= now);
    r->tested = true;
}

void pipe_leave_boxes(struct rtcore *r, uint64_t now)
{
    leave(r, &r->boxes, now);
}

void pipe_leave_triangles(struct rtcore *r, uint64_t now)
{
    leave(r, &r->triangles, now);
}
