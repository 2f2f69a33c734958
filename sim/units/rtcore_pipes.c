/*
 * The box and the triangle pipelines. Both are a queue, a number of equal
 * pipelines that begin an initiation each `interval` cycles, and a FIFO of
 * what is under way; what differs is how many initiations a ray needs.
 */
#include "sim/units/rtcore_private.h"

static void pipeline_new(struct pipeline *p, struct rtcore *r)
{
    struct chip *chip = r->unit.chip;
    fifo_new(&p->queue, r);
    p->mask = p->queue.mask;
    p->stages = chip_alloc(chip, p->mask + 1u, sizeof *p->stages);
    p->free_at = chip_alloc(chip, p->pipes, sizeof *p->free_at);
}

void pipes_new(struct rtcore *r)
{
    const struct rtcore_params *p = &r->params;
    r->boxes = (struct pipeline){
        .pipes = (uint32_t)p->box_pipes,
        .latency = (uint32_t)p->box_latency,
        .interval = (uint32_t)p->box_interval,
        .waiting = STATE_ray_box_queue,
        .testing = STATE_ray_box,
    };
    r->triangles = (struct pipeline){
        .pipes = (uint32_t)p->tri_pipes,
        .latency = (uint32_t)p->tri_latency,
        .interval = (uint32_t)p->tri_interval,
        .waiting = STATE_ray_tri_queue,
        .testing = STATE_ray_tri,
    };
    pipeline_new(&r->boxes, r);
    pipeline_new(&r->triangles, r);
}

/* ---- entry ---- */

/* Initiations for so many tests, width of them in one; 0: all. */
static uint32_t initiations(uint32_t tests, int64_t width)
{
    uint32_t w = (uint32_t)width;
    return w && w < tests ? (tests + w - 1) / w : 1;
}

/* A node takes what its format may hold, however many children it has. */
static uint32_t begin_node(struct rtcore *r, const struct ray_slot *s)
{
    r->stats.nodes++;
    return r->params.box_width
               ? initiations(corbel_node_width(s->traversal.format),
                             r->params.box_width)
               : 1;
}

static uint32_t begin_leaf(struct rtcore *r, const struct ray_slot *s)
{
    uint32_t count = corbel_traversal_triangles(&s->traversal, s->scene);
    r->stats.leaves++;
    r->stats.triangles += count;
    return initiations(count, r->params.tri_width);
}

static void begin(struct rtcore *r, struct pipeline *p, uint64_t now)
{
    struct ray_slot *s = &r->rays[fifo_first(&p->queue)];
    p->left = p == &r->boxes ? begin_node(r, s) : begin_leaf(r, s);
    rtcore_move(r, s, p->testing, now);
}

/* The ray leaves the queue with its last initiation. */
static void end(struct pipeline *p, uint64_t now)
{
    p->stages[(p->head + p->count++) & p->mask] =
        (struct stage){now + p->latency, fifo_pop(&p->queue)};
}

/* The result is the number of initiations. */
static uint32_t enter(struct rtcore *r, struct pipeline *p, uint64_t now)
{
    uint32_t count = 0;
    for (; p->queue.count && p->free_at[p->next] <= now; count++) {
        if (!p->left)
            begin(r, p, now);
        p->free_at[p->next] = now + p->interval;
        p->next = p->next + 1 == p->pipes ? 0 : p->next + 1;
        if (--p->left == 0)
            end(p, now);
    }
    if (count)
        r->tested = true;
    return count;
}

void pipes_enter(struct rtcore *r, uint64_t now)
{
    r->stats.box_initiations += enter(r, &r->boxes, now);
    r->stats.tri_initiations += enter(r, &r->triangles, now);
}

/* ---- exit ---- */

void pipes_step(struct ray_slot *s)
{
    corbel_traversal_step(&s->traversal, s->scene);
}

/* A step either goes down a level, leaving siblings, or up. */
static void step(struct rtcore *r, uint32_t slot)
{
    struct ray_slot *s = &r->rays[slot];
    unsigned depth = s->traversal.depth;
    pipes_step(s);
    if (s->traversal.held > s->deepest)
        s->deepest = s->traversal.held;
    if (r->params.prefetch && s->traversal.depth == depth + 1)
        fetch_ahead(r, slot);
}

static void leave(struct rtcore *r, struct pipeline *p, uint64_t now)
{
    while (p->count && p->stages[p->head & p->mask].exit <= now) {
        uint32_t slot = p->stages[p->head++ & p->mask].slot;
        p->count--;
        step(r, slot);
        rtcore_ready(r, slot, now);
        r->tested = true;
    }
}

void pipes_leave(struct rtcore *r, uint64_t now)
{
    leave(r, &r->boxes, now);
    leave(r, &r->triangles, now);
}

/* ---- time ---- */

static uint64_t next_of(const struct pipeline *p)
{
    uint64_t next = p->count ? p->stages[p->head & p->mask].exit : CYCLE_NEVER;
    return p->queue.count && p->free_at[p->next] < next ? p->free_at[p->next]
                                                        : next;
}

uint64_t pipes_next(const struct rtcore *r)
{
    uint64_t box = next_of(&r->boxes), triangle = next_of(&r->triangles);
    return box < triangle ? box : triangle;
}
