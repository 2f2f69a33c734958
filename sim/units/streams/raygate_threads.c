/* Requests of thread processors to the ray gate, and their answers. */
#include "sim/isa/isa.h"
#include "sim/units/common/served_words.h"
#include "sim/units/common/stream.h"
#include "sim/units/streams/raygate_private.h"
#include <corbel/streams.h>
#include <corbel/traverse_moves.h>

static uint32_t treelet_of(const struct raygate *g, uint32_t ref)
{
    const struct corbel_scene *scene = g->machine->scene;
    return scene && scene->treelets ? corbel_treelet_of(scene, ref) : 0;
}

/* Has the ray not been anywhere? One that has gone down has a trail. */
static bool is_new(const struct raygate *g, const struct corbel_stored_ray *ray)
{
    return g->unit.links[WORK] || (corbel_ray_state(ray) == CORBEL_RAY_DOWN &&
                                   !ray->trail[0] && !ray->trail[1]);
}

/* What travels of a ray in registers. For an RT core it starts at the root,
 * whatever the registers say. */
static struct corbel_moving moving_of(const struct raygate *g,
                                      const struct corbel_stored_ray *ray)
{
    struct corbel_moving moving = {.ray = ray->ray,
                                   .hit = ray->hit,
                                   .node = ray->ref,
                                   .state = (uint8_t)corbel_ray_state(ray)};
    memcpy(&moving.trail, ray->trail, sizeof moving.trail);
    if (g->unit.links[WORK] && g->machine->scene)
        corbel_moving_start(&moving, g->machine->scene, &ray->ray);
    return moving;
}

static struct outgoing *queue_finished(struct raygate *g,
                                       const struct corbel_hit *hit)
{
    struct outgoing *o = raygate_queue(g, FINISHED);
    o->msg.op = STREAM_OVER;
    memcpy(o->half[0].bytes, hit, sizeof *hit);
    return o;
}

static struct outgoing *queue_ray(struct raygate *g,
                                  const struct corbel_stored_ray *ray)
{
    struct outgoing *o = raygate_queue(g, RAYS);
    struct corbel_moving moving = moving_of(g, ray);
    o->msg.op = STREAM_RAY;
    o->msg.tag = treelet_of(g, moving.node);
    memcpy(o->half[0].bytes, &moving.ray, sizeof moving.ray);
    memcpy(o->half[1].bytes, &moving.hit, sizeof o->half[1].bytes);
    return o;
}

static struct outgoing *queue_end(struct raygate *g)
{
    struct outgoing *o = raygate_queue(g, RAYS);
    o->msg.op = STREAM_END;
    return o;
}

/* A ray that a thread processor sends. A dead one is a miss. */
static struct outgoing *queue_stored(struct raygate *g,
                                     const struct corbel_stored_ray *ray)
{
    bool over = corbel_ray_state(ray) == CORBEL_RAY_OVER;
    bool fresh = is_new(g, ray);
    bool dead = !over && g->unit.links[WORK] && ray->ray.tmax < ray->ray.tmin;
    struct corbel_hit hit = over ? ray->hit : moving_of(g, ray).hit;
    struct outgoing *o;
    if (ray->word == CORBEL_RAY_END)
        return queue_end(g);
    o = over || dead ? queue_finished(g, &hit) : queue_ray(g, ray);
    o->msg.addr = corbel_ray_id(ray);
    o->msg.aux = fresh ? STREAM_NEW : STREAM_BACK;
    g->stats.dead += dead;
    return o;
}

static void take_store(struct raygate *g, struct inport *in, uint32_t port)
{
    uint32_t words[sizeof(struct corbel_stored_ray) / 4], first;
    unsigned count = sizeof words / 4;
    struct corbel_stored_ray ray;
    struct msg m = link_pop(in), rest = link_pop(in);
    words_take(&g->unit, &m, words, count, &first);
    words_take(&g->unit, &rest, words, count, &first);
    memcpy(&ray, words, sizeof ray);
    struct outgoing *o = queue_stored(g, &ray);
    o->port = port;
    o->tag = m.tag;
}

/* A request for a ray or a finished one; it waits for its answer. */
static void take_load(struct raygate *g, struct inport *in, uint32_t port)
{
    uint32_t index = link_take(in);
    struct msg *m = unit_msg(&g->unit, index);
    bool hit = m->op == ISA_CLASS_lhr;
    uint8_t priority = m->value & 1;
    struct outgoing *o = raygate_queue(g, hit ? HIT_LOADS : LOADS);
    o->msg.op = hit ? STREAM_HIT_LOAD : STREAM_LOAD;
    o->msg.from = THREADS;
    o->msg.aux = hit ? priority : 0;
    m->when = port;
    msg_list_add(&g->unit, hit ? &g->hit_loads[priority] : &g->loads, index);
}

void threads_take(struct raygate *g, uint32_t port)
{
    struct inport *in = &g->unit.in[OP][port];
    g->next_port = port_after(port, g->unit.links[OP]);
    if (link_peek(in)->op == ISA_CLASS_swr)
        take_store(g, in, port);
    else
        take_load(g, in, port);
}

/* ---- answers ---- */

static void answer(struct raygate *g, const struct msg *request,
                   const uint32_t *words, unsigned count)
{
    struct msg m = {.tag = request->tag};
    words_push(&g->unit.out[DONE][request->when], &m, words, count);
}

/* A ray in registers, for the thread processor that has waited longest. */
static void give_thread(struct raygate *g, const struct corbel_stored_ray *ray)
{
    uint32_t words[sizeof *ray / 4];
    struct msg request = msg_list_next(&g->unit, &g->loads);
    memcpy(words, ray, sizeof words);
    answer(g, &request, words, sizeof words / 4);
}

void threads_give_ray(struct raygate *g)
{
    const struct msg *m = &g->answer;
    struct corbel_moving moving;
    struct corbel_stored_ray ray;
    static_assert(sizeof moving == sizeof g->half, "two payloads");
    memcpy(&moving, g->half, sizeof moving);
    ray.ray = moving.ray;
    ray.hit = moving.hit;
    ray.ref = moving.node;
    ray.word = corbel_ray_word((uint32_t)m->addr, moving.state);
    memcpy(ray.trail, &moving.trail, sizeof ray.trail);
    give_thread(g, &ray);
}

void threads_give_hit(struct raygate *g)
{
    const struct msg *m = &g->answer;
    struct msg request = msg_list_next(&g->unit, &g->hit_loads[m->aux > 0]);
    uint32_t words[sizeof(struct corbel_ray_end) / 4];
    memcpy(words, g->half[0].bytes, sizeof(struct corbel_hit));
    words[sizeof(struct corbel_hit) / 4] = (uint32_t)m->addr;
    answer(g, &request, words, sizeof words / 4);
    g->stats.hits++;
}

void threads_give_end(struct raygate *g)
{
    const struct corbel_stored_ray end = {.word = CORBEL_RAY_END};
    give_thread(g, &end);
}

static void tell_refused(struct raygate *g, struct msg_list *waiting)
{
    struct msg m = {.op = MEM_FAULT,
                    .aux = g->refusal.aux,
                    .addr = g->refusal.addr,
                    .value = g->refusal.value};
    while (waiting->count) {
        struct msg request = msg_list_next(&g->unit, waiting);
        m.tag = request.tag;
        link_push(&g->unit.out[DONE][request.when], &m);
    }
}

void threads_refuse(struct raygate *g)
{
    tell_refused(g, &g->loads);
    tell_refused(g, &g->hit_loads[0]);
    tell_refused(g, &g->hit_loads[1]);
}
