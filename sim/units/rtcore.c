#include "sim/core/memory_role.h"
#include "sim/units/rtcore_private.h"
#include "sim/units/units.h"
#include <corbel/scene.h>
#include <string.h>

static const struct port_row ports[] = {
    [RAY] = {"ray", false, 256, "rays of the thread processors"},
    [DATA] = {"data", false, 32, "answers of the L1, in mem's order"},
    [HIT] = {"hit", true, 256, "hit records, in ray's order"},
    [MEM] = {"mem", true, 32, "requests to the L1, one link per cache queue"},
};

/* ---- construction ---- */

void fifo_new(struct fifo *f, struct rtcore *r)
{
    uint32_t room = 1;
    while (room < r->params.max_rays)
        room *= 2;
    f->mask = (uint16_t)(room - 1);
    f->slots = chip_alloc(r->unit.chip, room, sizeof *f->slots);
}

static bool check_ports(const struct unit *u, struct error *error)
{
    if (!u->links[RAY] || u->links[RAY] != u->links[HIT])
        return error_set(error, "%u ray links but %u hit links", u->links[RAY],
                         u->links[HIT]);
    if (!u->links[MEM] || u->links[MEM] != u->links[DATA])
        return error_set(error, "%u mem links but %u data links", u->links[MEM],
                         u->links[DATA]);
    return true;
}

/* Whole lines. Without a limit of its stack a ray may need all that there is.
 */
static uint32_t ray_bytes(const struct rtcore_params *p)
{
    int64_t entries = p->stack ? p->stack : CORBEL_STACK_MAX;
    size_t used = offsetof(struct ray, traversal) +
                  CORBEL_TRAVERSAL_USED((size_t)entries, p->pop_cull);
    return (uint32_t)(used + 63) / 64 * 64;
}

static bool build(struct unit *u, struct error *error)
{
    struct rtcore *r = (struct rtcore *)u;
    uint32_t slots = (uint32_t)r->params.max_rays;
    if (!check_ports(u, error))
        return false;
    r->machine = chip_context(u->chip);
    r->memory = r->machine->memory;
    r->ops = (uint8_t)r->params.ops;
    r->drain = (uint8_t)r->params.drain;
    r->prefetch = (uint8_t)r->params.prefetch;
    r->far = r->params.box_latency >= WHEEL || r->params.tri_latency >= WHEEL;
    r->ray_words = (uint8_t)((u->links[RAY] + 63u) / 64);
    r->data = u->in[DATA];
    r->slots = chip_alloc(u->chip, slots, sizeof *r->slots);
    r->askers = chip_alloc(u->chip, slots, sizeof *r->askers);
    r->refusals = chip_alloc(u->chip, slots, sizeof *r->refusals);
    r->ray_bytes = ray_bytes(&r->params);
    r->rays = chip_alloc(u->chip, slots, r->ray_bytes);
    r->sectors = chip_alloc(u->chip, slots, sizeof *r->sectors);
    for (uint32_t i = 0; i < slots; i++) {
        r->slots[i].first = i + 1 < slots ? i + 1 : NO_SLOT;
        r->slots[i].state = STATES;
        r->slots[i].queue = (uint8_t)(i % u->links[MEM]);
    }
    r->missing = chip_alloc(u->chip, slots, sizeof *r->missing);
    fifo_new(&r->finished, r);
    ready_new(&r->ready, r);
    fetch_new(r);
    pipes_new(r);
    return true;
}

/* ---- scenes ---- */

/* The format of a choice's number, 0: any. */
static uint32_t chosen_nodes(int64_t choice)
{
#define X(id, name, bytes, width, grains, meaning) id,
    static const uint32_t formats[] = {0, CORBEL_NODE_FORMATS(X)};
#undef X
    return formats[choice];
}

static uint32_t chosen_triangles(int64_t choice)
{
#define X(id, name, grain, apart, meaning) id,
    static const uint32_t formats[] = {0, CORBEL_LEAF_FORMATS(X)};
#undef X
    return formats[choice];
}

/* option: of corbel-scene convert. */
static bool wrong_format(struct error *error, const char *what,
                         const char *option, const char *has,
                         const char *wanted)
{
    return error_set(error,
                     "%s %s, the RT cores of this chip read %s: convert it "
                     "with corbel-scene convert %s %s",
                     what, has, wanted, option, wanted);
}

bool rtcore_reads(const struct unit *u, const struct corbel_scene *scene,
                  struct error *error)
{
    const struct rtcore *r = (const struct rtcore *)u;
    uint32_t nodes = chosen_nodes(r->params.nodes);
    uint32_t triangles = chosen_triangles(r->params.triangles);
    if (nodes && nodes != scene->format)
        return wrong_format(error, "nodes", "--nodes",
                            corbel_node_name(scene->format),
                            corbel_node_name(nodes));
    if (triangles && triangles != scene->leaf_format)
        return wrong_format(error, "triangles", "--leaves",
                            corbel_leaf_name(scene->leaf_format),
                            corbel_leaf_name(triangles));
    return true;
}

/* How it traverses the scene. */
static void setup_of(const struct rtcore *r, const struct corbel_scene *scene,
                     struct corbel_traversal_setup *setup)
{
    const struct rtcore_params *p = &r->params;
    setup->stack = p->stack ? (unsigned)p->stack : corbel_stack_full(scene);
    setup->pop_cull = p->pop_cull;
}

static void *state(struct unit *u)
{
    struct rtcore *r = (struct rtcore *)u;
    r->untimed.scene = r->machine->scene;
    setup_of(r, r->untimed.scene, &r->untimed.setup);
    return &r->untimed;
}

/* ---- receive ---- */

static void start(struct rtcore *r, struct ray *taken,
                  const struct payload *payload, unsigned flags)
{
    struct corbel_ray ray;
    struct corbel_traversal_setup setup;
    memcpy(&ray, payload->bytes, sizeof ray);
    taken->scene = r->machine->scene;
    setup_of(r, taken->scene, &setup);
    corbel_traversal_start(&taken->traversal, taken->scene, &ray, flags,
                           &setup);
}

/* Do all rays in flight and this one have the same scene? */
static void note_scene(struct rtcore *r)
{
    if (!r->in_flight)
        fetch_scene(r, &r->scene, r->machine->scene);
    else if (r->scene.host != r->machine->scene)
        r->scene.host = NULL;
}

/* A slot is taken, its ray ready. */
static void occupy(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct ray_slot *s = &r->slots[slot];
    r->free_slot = (uint16_t)s->first;
    note_scene(r);
    r->batch = r->in_flight ? r->batch + 1 : 1;
    r->stats.idle += r->in_flight ? 0 : now - r->idle_from;
    r->in_flight++;
    r->stats.rays++;
    rtcore_ray(r, slot)->taken = now;
    s->deepest = 0;
    s->last = s->refused = false;
    s->state = STATE_ray_ready;
    r->between[s->state] -= now;
    ready_add(&r->ready, slot, now);
    r->standing++;
    r->worked = true;
}

/* Not inlined: most cycles take none. */
static __attribute__((noinline)) void take_ray(struct rtcore *r, uint64_t now)
{
    struct unit *u = &r->unit;
    int port = mask_next(unit_pending(u, RAY), r->ray_words, r->next_port);
    const struct msg *m = link_read(&u->in[RAY][port]);
    struct payload p = msg_payload(u, m);
    uint32_t slot = r->free_slot;
    r->next_port = port_after((uint32_t)port, u->links[RAY]);
    r->askers[slot] = (struct asker){.tag = m->tag, .port = (uint16_t)port};
    start(r, rtcore_ray(r, slot), &p, (unsigned)m->addr);
    occupy(r, slot, now);
}

static bool rays_waiting(struct rtcore *r)
{
    return mask_any(unit_pending(&r->unit, RAY), r->ray_words);
}

static void rtcore_receive(struct unit *u, uint64_t now)
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
}

/* ---- send ---- */

static void schedule(struct rtcore *r, uint64_t now)
{
    for (unsigned n = r->ops_left; n && r->ready.count; n--) {
        r->standing--;
        rtcore_go_on(r, ready_take(&r->ready), STATE_ray_ready, now);
    }
}

/* Where the ranges of RTCORE_DEEPEST begin, and where the last one ends. */
static const int64_t deepest_from[] = {0,
                                       1,
                                       2,
                                       3,
                                       4,
                                       6,
                                       8,
                                       12,
                                       16,
                                       24,
                                       32,
                                       48,
                                       64,
                                       96,
                                       128,
                                       192,
                                       256,
                                       384,
                                       CORBEL_STACK_DEEPEST + 1};

/* The row of the most entries that a ray's stack held. */
static uint64_t *deepest_row(struct rtcore_stats *stats, unsigned entries)
{
    uint64_t *const rows[] = {
#define X(name, unit, meaning) &stats->name,
        RTCORE_DEEPEST(X)
#undef X
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    _Static_assert(sizeof deepest_from / sizeof *deepest_from == ROWS + 1,
                   "a row each");
    unsigned row = ROWS - 1;
    while (deepest_from[row] > entries)
        row--;
    return rows[row];
}

static void count_ray(struct rtcore *r, uint32_t slot, uint64_t now)
{
    const struct ray *ray = rtcore_ray(r, slot);
    unsigned deepest = r->slots[slot].deepest;
    struct rtcore_stats *stats = &r->stats;
    const struct corbel_hit *hit = corbel_traversal_hit(&ray->traversal);
    stats->hits += hit->index != CORBEL_MISS;
    stats->restarts += ray->traversal.counts.restarts;
    stats->latency += now - ray->taken;
    stats->stack_max += deepest;
    ++*deepest_row(stats, deepest);
}

static void vacate(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct ray_slot *s = &r->slots[slot];
    s->first = r->free_slot;
    r->free_slot = (uint16_t)slot;
    r->between[s->state] += now;
    s->state = STATES;
    r->in_flight--;
    r->idle_from = now + 1;
    r->worked = true;
}

/* The ray's hit, or that the memory has refused what it needs. */
static void push_result(const struct rtcore *r, struct outport *o,
                        uint32_t slot)
{
    struct msg m = {.tag = r->askers[slot].tag};
    struct payload p = {{0}};
    struct corbel_hit result;
    if (r->slots[slot].refused) {
        m.op = MEM_FAULT;
        m.aux = MEM_READ;
        m.addr = r->refusals[slot].address;
        m.value = r->refusals[slot].unit;
        link_push(o, &m);
        return;
    }
    corbel_traversal_result(&rtcore_ray(r, slot)->traversal, &result);
    memcpy(p.bytes, &result, sizeof result);
    link_push_full(o, &m, &p);
}

static void return_hit(struct rtcore *r, uint64_t now)
{
    uint32_t slot = fifo_first(&r->finished);
    struct outport *o = &r->unit.out[HIT][r->askers[slot].port];
    r->returning = false;
    if (!link_ready(o))
        return;
    push_result(r, o, slot);
    count_ray(r, slot, now);
    fifo_drop(&r->finished, true);
    r->standing--;
    vacate(r, slot, now);
    r->returning = fifo_any(&r->finished);
}

/* Rays that wait, in the order of their way. */
static __attribute__((noinline)) void move_standing(struct rtcore *r,
                                                    uint64_t now)
{
    pipes_enter(r, now);
    schedule(r, now);
    if (fifo_any(&r->finished))
        return_hit(r, now);
}

uint64_t rtcore_next_standing(const struct rtcore *r, uint64_t now)
{
    uint64_t box = pipe_free(&r->boxes), triangle = pipe_free(&r->triangles);
    if (r->returning || r->ready.count)
        return now + 1;
    return box < triangle ? box : triangle;
}

/* Rays go on. Not inlined: in many cycles sectors are asked for, or nothing is
 * done. */
static __attribute__((noinline)) void move_all(struct rtcore *r, uint64_t now)
{
    r->ops_left = r->ops;
    pipes_leave(r, now);
    if (r->standing)
        move_standing(r, now);
}

static uint64_t rtcore_send(struct unit *u, uint64_t now)
{
    struct rtcore *r = (struct rtcore *)u;
    r->asking |= r->resumes;
    r->resumes = 0;
    if (r->standing || pipes_exit(r) <= now)
        move_all(r, now);
    return r->asking ? fetch_ask_all(r, now) : rtcore_end(r, now);
}

static void rtcore_prepare(const struct unit *u, uint64_t end)
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
static void rtcore_prepare_rays(const struct unit *u, uint64_t end)
{
    const struct rtcore *r = (const struct rtcore *)u;
    (void)end;
    if (!r->in_flight)
        return;
    pipe_warm(r, &r->boxes);
    pipe_warm(r, &r->triangles);
}

/* Rays by state, and slots that are free. */
static void count_states(const struct rtcore *r, uint32_t inside[STATES + 1])
{
    memset(inside, 0, (STATES + 1) * sizeof *inside);
    for (int64_t i = 0; i < r->params.max_rays; i++)
        inside[r->slots[i].state]++;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct rtcore *r = (struct rtcore *)u;
    struct rtcore_stats *stats = &r->stats;
    uint32_t inside[STATES + 1];
    count_states(r, inside);
    stats->box_initiations = r->boxes.initiations;
    stats->tri_initiations = r->triangles.initiations;
    stats->ray_cycles = 0;
#define X(name, unit, meaning)                                                 \
    stats->name = r->between[STATE_##name] + inside[STATE_##name] * now;       \
    stats->ray_cycles += stats->name;
    RTCORE_STATES(X)
#undef X
    if (!r->in_flight) {
        stats->idle += now - r->idle_from;
        r->idle_from = now;
    }
    stats->fetching = r->active - stats->testing;
    stats->waiting = now - stats->idle - r->active;
}

static void explain(const struct unit *u, FILE *out)
{
    const struct rtcore *r = (const struct rtcore *)u;
    uint32_t inside[STATES + 1];
    if (!r->in_flight)
        return;
    count_states(r, inside);
    fprintf(out, "%s: %u rays in flight", u->name, r->in_flight);
#define X(name, unit, meaning)                                                 \
    if (inside[STATE_##name])                                                  \
        fprintf(out, ", %u %s", inside[STATE_##name], meaning);
    RTCORE_STATES(X)
#undef X
    fprintf(out, "\n");
}

#define PARAM_STRUCT struct rtcore_params
#define STAT_STRUCT struct rtcore_stats
static const struct param param_rows[] = {RTCORE_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {RTCORE_STATS(STAT_ROW)
                                                RTCORE_STATES(STAT_ROW)};
static const struct stat_row bucket_rows[] = {RTCORE_BUCKETS(STAT_ROW)};

#define DEEPEST RANGES(deepest_0, deepest_from), .scale = 1
static const struct figure_row figures[] = {
    {.name = "in_flight",
     .over = {COUNTER(ray_cycles)},
     .under = {COUNTER(testing), COUNTER(fetching), COUNTER(waiting),
               COUNTER(idle)},
     .said = "%.1f rays in flight",
     .scale = 1},
    {.name = "latency_mean",
     .over = {COUNTER(latency)},
     .under = {COUNTER(rays)},
     .said = "%.0f cycles a ray",
     .scale = 1},
    {.name = "nodes_per_ray",
     .over = {COUNTER(nodes)},
     .under = {COUNTER(rays)},
     .said = "%.1f nodes",
     .scale = 1},
    {.name = "leaves_per_ray",
     .over = {COUNTER(leaves)},
     .under = {COUNTER(rays)},
     .scale = 1},
    {.name = "triangles_per_ray",
     .over = {COUNTER(triangles)},
     .under = {COUNTER(rays)},
     .said = "%.1f tri",
     .scale = 1},
    {.name = "restarts_per_ray",
     .over = {COUNTER(restarts)},
     .under = {COUNTER(rays)},
     .scale = 1},
    {.name = "stack_mean",
     .over = {COUNTER(stack_max)},
     .under = {COUNTER(rays)},
     .scale = 1},
    {.name = "share_ready",
     .over = {COUNTER(ray_ready)},
     .under = {COUNTER(ray_cycles)},
     .scale = 1},
    {.name = "share_request",
     .over = {COUNTER(ray_request)},
     .under = {COUNTER(ray_cycles)},
     .said = "%.0f %% of it at cache queues",
     .scale = 100},
    {.name = "share_memory",
     .over = {COUNTER(ray_memory)},
     .under = {COUNTER(ray_cycles)},
     .said = "%.0f %% at memory",
     .scale = 100},
    {.name = "share_box",
     .over = {COUNTER(ray_box_queue), COUNTER(ray_box)},
     .under = {COUNTER(ray_cycles)},
     .said = "%.0f %% at boxes",
     .scale = 100},
    {.name = "share_tri",
     .over = {COUNTER(ray_tri_queue), COUNTER(ray_tri)},
     .under = {COUNTER(ray_cycles)},
     .said = "%.0f %% at triangles",
     .scale = 100},
    {.name = "share_finished",
     .over = {COUNTER(ray_finished)},
     .under = {COUNTER(ray_cycles)},
     .scale = 1},
    {.name = "stack_p50", DEEPEST, .per_mille = 500},
    {.name = "stack_p99", DEEPEST, .per_mille = 990},
};

static const struct unit_hints rtcore_hints = {
    .prepare = {rtcore_prepare, rtcore_prepare_rays},
};
static const struct memory_role role = {.next = MEM};

const struct unit_kind rtcore_kind = {
    .name = "rtcore",
    .meaning = "fixed-function traversal unit",
    .size = sizeof(struct rtcore),
    .params = offsetof(struct rtcore, params),
    .stats = offsetof(struct rtcore, stats),
    UNIT_TABLES,
    .memory = &role,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = build,
    .receive = rtcore_receive,
    .send = rtcore_send,
    .hints = &rtcore_hints,
    .state = state,
    .close = close_account,
    .explain = explain,
};
