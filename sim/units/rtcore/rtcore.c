/*
 * The slots of the RT core and its cycles: a ray is taken into a free slot,
 * goes on when the scheduler says so, and its slot is free again when the
 * result has been returned.
 */
#include "sim/units/rtcore/rtcore_private.h"
#include <string.h>

void rtcore_setup(const struct rtcore *r, const struct corbel_scene *scene,
                  struct corbel_traversal_setup *setup)
{
    setup->stack = r->stack ? r->stack : corbel_stack_full(scene);
    setup->pop_cull = r->pop_cull;
}

void *rtcore_state(struct unit *u)
{
    struct rtcore *r = (struct rtcore *)u;
    r->untimed.scene = r->machine->scene;
    rtcore_setup(r, r->untimed.scene, &r->untimed.setup);
    return &r->untimed;
}

/* ---- receive ---- */

/* The traversal of a ray begins at the root of the scene. */
static void start(struct rtcore *r, struct ray *taken,
                  const struct payload *payload, unsigned flags)
{
    struct corbel_ray ray;
    struct corbel_traversal_setup setup;
    memcpy(&ray, payload->bytes, sizeof ray);
    taken->scene = r->machine->scene;
    rtcore_setup(r, taken->scene, &setup);
    corbel_traversal_start(&taken->traversal, taken->scene, &ray, flags,
                           &setup);
}

/* Do all rays in flight and this one have the same scene? */
static void note_scene(struct rtcore *r)
{
    if (r->items)
        return;
    if (!r->in_flight)
        fetch_scene(r, &r->scene, r->machine->scene);
    else if (r->scene.host != r->machine->scene)
        r->scene.host = NULL;
}

static inline void occupy(struct rtcore *r, uint32_t slot, enum ray_state state,
                          uint64_t now)
{
    struct ray_slot *s = &r->slots[slot];
    note_scene(r);
    r->batch = r->in_flight ? r->batch + 1 : 1;
    r->stats.idle += r->in_flight ? 0 : now - r->idle_from;
    r->in_flight++;
    GAUGE_NOTE(&r->stats.slots, r->in_flight, r->slot_count, now);
    rtcore_ray(r, slot)->taken = now;
    s->deepest = 0;
    s->last = s->refused = false;
    RTCORE_TRACE(r, s, state, now);
    s->state = (uint8_t)state;
    r->between[s->state] -= now;
    r->worked = true;
}

/* Takes a ray into a free slot, from the ports in turn (round robin). It is not
 * inlined, as no ray comes in most cycles. */
static __attribute__((noinline)) void take_ray(struct rtcore *r, uint64_t now)
{
    struct unit *u = &r->unit;
    int port =
        r->warps ? warps_port(r)
                 : mask_next(unit_pending(u, RAY), r->ray_words, r->next_port);
    if (port < 0)
        return;
    const struct msg *m = link_read(&u->in[RAY][port]);
    struct payload p = msg_payload(u, m);
    uint32_t slot = r->free_slot;
    CHECKED_ASSERT(slot < r->slot_count && r->in_flight < r->slot_count);
    r->free_slot = (uint16_t)r->slots[slot].first;
    r->next_port = port_after((uint32_t)port, u->links[RAY]);
    r->askers[slot] = (struct asker){.tag = m->tag, .port = (uint16_t)port};
    WORK_KEEP(&r->askers[slot], m);
    if (r->warps)
        warps_take(r, slot, (unsigned)port, m, now);
    if (r->stacks)
        stacks_begin(r, slot);
    start(r, rtcore_ray(r, slot), &p, (unsigned)m->addr);
    occupy(r, slot, STATE_ray_ready, now);
    r->stats.rays++;
    work_note(r->machine, u, WORK_rays, r->askers[slot].work, 1);
    ready_add(&r->ready, slot, rtcore_age(r, slot));
    r->standing++;
}

static bool rays_waiting(struct rtcore *r)
{
    return mask_any(unit_pending(&r->unit, RAY), r->ray_words);
}

void rtcore_receive(struct unit *u, uint64_t now)
{
    struct rtcore *r = (struct rtcore *)u;
    uint64_t answers = *unit_pending(u, DATA);
    r->leftover = 0;
    r->rays_waiting = rays_waiting(r);
    if (r->rays_waiting && rtcore_may_take(r)) {
        take_ray(r, now);
        r->rays_waiting = rays_waiting(r);
    }
    if (answers)
        fetch_take(r, answers, now);
    if (__builtin_expect(r->items != NULL, 0))
        items_take(r, now);
}

/* ---- send ---- */

/* Ready rays leave the scheduler, as many as the parameter `ops` lets. */
static void schedule(struct rtcore *r, uint64_t now)
{
    for (unsigned n = r->ops_left; n && r->ready.count; n--) {
        r->standing--;
        rtcore_go_on(r, ready_take(&r->ready), STATE_ray_ready, now);
    }
}

static inline void vacate(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct ray_slot *s = &r->slots[slot];
    s->first = r->free_slot;
    r->free_slot = (uint16_t)slot;
    RTCORE_TRACE(r, s, STATES, now);
    r->between[s->state] += now;
    s->state = STATES;
    CHECKED_ASSERT(r->in_flight);
    r->in_flight--;
    GAUGE_NOTE(&r->stats.slots, r->in_flight, r->slot_count, now);
    r->idle_from = now + 1;
    r->worked = true;
}

/* The ray's hit, or that the memory has refused what it needs. */
bool rtcore_result(const struct rtcore *r, uint32_t slot, struct msg *m,
                   struct payload *p)
{
    struct corbel_hit result;
    *m = (struct msg){.tag = r->askers[slot].tag};
    if (r->slots[slot].refused) {
        m->op = MEM_FAULT;
        m->aux = MEM_READ;
        m->addr = r->refusals[slot].address;
        m->value = r->refusals[slot].unit;
        return false;
    }
    corbel_traversal_result(&rtcore_ray(r, slot)->traversal, &result);
    *p = (struct payload){{0}};
    memcpy(p->bytes, &result, sizeof result);
    return true;
}

static void push_result(const struct rtcore *r, struct outport *o,
                        uint32_t slot)
{
    struct msg m;
    struct payload p;
    if (rtcore_result(r, slot, &m, &p))
        link_push_full(o, &m, &p);
    else
        link_push(o, &m);
}

/* The result that has waited longest returns, if its port has room. */
static void return_hit(struct rtcore *r, uint64_t now)
{
    uint32_t slot = fifo_first(&r->finished);
    struct outport *o = &r->unit.out[HIT][r->askers[slot].port];
    r->returning = false;
    if (!link_ready(o))
        return;
    push_result(r, o, slot);
    rtcore_count_ray(r, slot, now, true);
    fifo_drop(&r->finished, true);
    r->standing--;
    vacate(r, slot, now);
    if (r->warps)
        warps_leave(r, slot, now);
    r->returning = fifo_any(&r->finished);
}

void rtcore_occupy(struct rtcore *r, uint32_t slot, enum ray_state state,
                   uint64_t now)
{
    occupy(r, slot, state, now);
}

void rtcore_vacate(struct rtcore *r, uint32_t slot, uint64_t now)
{
    vacate(r, slot, now);
}

/* Do results of a warp return together? */
static bool together(const struct rtcore *r)
{
    return r->warps && r->warps->together;
}

static void return_finished(struct rtcore *r, uint64_t now)
{
    if (r->items)
        items_move(r, now);
    else if (together(r))
        warps_return(r, now);
    else
        return_hit(r, now);
}

/* Lets rays go on that wait: for pipelines, the scheduler and the hit port, in
 * this order. */
static __attribute__((noinline)) void move_standing(struct rtcore *r,
                                                    uint64_t now)
{
    pipes_enter(r, now);
    schedule(r, now);
    if (fifo_any(&r->finished) || r->items || together(r))
        return_finished(r, now);
}

uint64_t rtcore_next_standing(const struct rtcore *r, uint64_t now)
{
    uint64_t box = pipe_free(&r->boxes), triangle = pipe_free(&r->triangles);
    if (r->returning || r->ready.count)
        return now + 1;
    return box < triangle ? box : triangle;
}

/* Rays leave pipelines, and those that wait go on. It is not inlined: in many
 * cycles the core only asks for sectors. */
static __attribute__((noinline)) void move_all(struct rtcore *r, uint64_t now)
{
    r->ops_left = (uint8_t)r->params.ops;
    pipes_leave(r, now);
    if (r->standing)
        move_standing(r, now);
}

uint64_t rtcore_send(struct unit *u, uint64_t now)
{
    struct rtcore *r = (struct rtcore *)u;
    r->asking |= r->resumes;
    r->resumes = 0;
    if (r->standing || pipes_exit(r) <= now)
        move_all(r, now);
    return r->asking ? fetch_ask_all(r, now) : rtcore_end(r, now);
}

void rtcore_prepare(const struct unit *u, uint64_t end)
{
    const struct rtcore *r = (const struct rtcore *)u;
    if (!r->in_flight)
        return;
    (void)end;
    host_prefetch(r->missing);
    for (const char *at = (const char *)&r->asking;
         at < (const char *)&r->ready; at += 64)
        host_prefetch(at);
}

/* The rays of steps that were near when the core was last looked at are no
 * longer in the host's cache. */
void rtcore_prepare_rays(const struct unit *u, uint64_t end)
{
    const struct rtcore *r = (const struct rtcore *)u;
    (void)end;
    if (!r->in_flight)
        return;
    pipe_warm(r, &r->boxes);
    pipe_warm(r, &r->triangles);
}
