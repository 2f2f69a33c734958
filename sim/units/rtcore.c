#include "sim/units/rtcore.h"
#define CORBEL_STACK_MAX RTCORE_STACK_MAX
#include "sim/units/machine.h"
#include "sim/units/mem.h"
#include "sim/units/units.h"
#include <corbel/scene.h>
#include <corbel/traverse.h>
#include <string.h>

enum { RAY, DATA, HIT, MEM };

static const struct port_row ports[] = {
    [RAY] = {"ray", false, 256, "rays of the thread processors"},
    [DATA] = {"data", false, 32, "answers of the L1, in mem's order"},
    [HIT] = {"hit", true, 256, "hit records, in ray's order"},
    [MEM] = {"mem", true, 32, "requests to the L1, one link per cache queue"},
};

struct ray_slot {
    struct corbel_traversal traversal;
    struct corbel_fetch fetch;
    uint32_t port, tag;
    uint32_t missing; /* sectors that have not come */
    uint32_t next_free;
};

/* FIFO of slot numbers; room is a power of two. */
struct fifo {
    uint16_t *slots;
    uint32_t mask, head, count;
};

struct stage {
    uint64_t exit;
    uint32_t slot;
};

/* A pipeline's entries in the order of entry. */
struct pipeline {
    struct stage *stages;
    uint32_t mask, head, count;
};

/* The fetches of one cache queue; the first has `sent` sectors asked for. */
struct fetch_queue {
    struct fifo slots;
    uint32_t sent;
};

struct rtcore {
    struct unit unit;
    struct rtcore_params params;
    struct rtcore_stats stats;
    struct account account;
    struct machine *machine;
    struct ray_slot *rays;
    uint32_t free_slot, in_flight;
    uint64_t occupied_since;
    struct fifo ready, boxes, leaves, finished;
    uint32_t triangles_left; /* of the first leaf, to enter the pipeline */
    struct pipeline box_pipe, tri_pipe;
    struct fetch_queue *queues;
    uint32_t next_port;
    bool leftover;       /* sectors wait at the ports */
    bool rays_waiting;   /* rays wait at the ports */
    bool tested, worked; /* in this cycle, for the account */
};

/* ---- FIFOs and pipelines ---- */

static void fifo_new(struct fifo *f, struct chip *chip, uint32_t room)
{
    f->mask = room - 1;
    f->slots = chip_alloc(chip, room, sizeof *f->slots);
}

static void fifo_push(struct fifo *f, uint32_t slot)
{
    f->slots[(f->head + f->count++) & f->mask] = (uint16_t)slot;
}

static uint32_t fifo_first(const struct fifo *f)
{
    return f->slots[f->head & f->mask];
}

static uint32_t fifo_pop(struct fifo *f)
{
    f->count--;
    return f->slots[f->head++ & f->mask];
}

static void pipe_new(struct pipeline *p, struct chip *chip, uint32_t room)
{
    p->mask = room - 1;
    p->stages = chip_alloc(chip, room, sizeof *p->stages);
}

static void pipe_enter(struct pipeline *p, uint32_t slot, uint64_t exit)
{
    p->stages[(p->head + p->count++) & p->mask] = (struct stage){exit, slot};
}

static const struct stage *pipe_first(const struct pipeline *p)
{
    return &p->stages[p->head & p->mask];
}

/* ---- construction ---- */

static uint32_t power_of_two_above(uint32_t n)
{
    uint32_t p = 1;
    while (p < n)
        p *= 2;
    return p;
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

static bool build(struct unit *u, struct error *error)
{
    struct rtcore *r = (struct rtcore *)u;
    uint32_t slots = (uint32_t)r->params.max_rays;
    uint32_t room = power_of_two_above(slots);
    if (!check_ports(u, error))
        return false;
    r->machine = chip_context(u->chip);
    r->rays = chip_alloc(u->chip, slots, sizeof *r->rays);
    r->queues = chip_alloc(u->chip, u->links[MEM], sizeof *r->queues);
    fifo_new(&r->ready, u->chip, room);
    fifo_new(&r->boxes, u->chip, room);
    fifo_new(&r->leaves, u->chip, room);
    fifo_new(&r->finished, u->chip, room);
    pipe_new(&r->box_pipe, u->chip, room);
    pipe_new(&r->tri_pipe, u->chip, room);
    for (unsigned q = 0; q < u->links[MEM]; q++)
        fifo_new(&r->queues[q].slots, u->chip, room);
    for (uint32_t i = 0; i < slots; i++)
        r->rays[i].next_free = i + 1 < slots ? i + 1 : NONE;
    r->account.bucket = &r->stats.idle;
    return true;
}

/* ---- receive ---- */

static void count_occupancy(struct rtcore *r, uint64_t now)
{
    r->stats.ray_cycles += r->in_flight * (now - r->occupied_since);
    r->occupied_since = now;
}

static void take_ray(struct rtcore *r, uint64_t now)
{
    struct unit *u = &r->unit;
    uint32_t links = u->links[RAY];
    const uint64_t *pending = unit_pending(u, RAY);
    int port = r->free_slot == NONE
                   ? -1
                   : mask_next(pending, (links + 63) / 64, r->next_port);
    if (port < 0)
        return;
    struct msg m = link_pop(&u->in[RAY][port]);
    struct payload p = msg_payload(u, &m);
    uint32_t slot = r->free_slot;
    struct ray_slot *s = &r->rays[slot];
    struct corbel_ray ray;
    memcpy(&ray, p.bytes, sizeof ray);
    r->free_slot = s->next_free;
    r->next_port = ((uint32_t)port + 1) % links;
    count_occupancy(r, now);
    r->in_flight++;
    r->stats.rays++;
    s->port = (uint32_t)port;
    s->tag = m.tag;
    const struct corbel_traversal_setup setup = {(unsigned)r->params.stack,
                                                 true};
    corbel_traversal_start(&s->traversal, r->machine->scene, &ray,
                           (unsigned)m.addr, &setup);
    fifo_push(&r->ready, slot);
    r->worked = true;
}

static void take_sector(struct rtcore *r, uint32_t slot)
{
    struct ray_slot *s = &r->rays[slot];
    if (--s->missing)
        return;
    fifo_push(s->fetch.kind == CORBEL_FETCH_NODE ? &r->boxes : &r->leaves,
              slot);
}

static void take_sectors(struct rtcore *r)
{
    struct unit *u = &r->unit;
    for (uint64_t m = *unit_pending(u, DATA); m; m &= m - 1) {
        struct msg data = link_pop(&u->in[DATA][__builtin_ctzll(m)]);
        take_sector(r, data.tag);
    }
}

static void rtcore_receive(struct unit *u, uint64_t now)
{
    struct rtcore *r = (struct rtcore *)u;
    take_ray(r, now);
    take_sectors(r);
    r->leftover = *unit_pending(u, DATA);
    r->rays_waiting =
        mask_any(unit_pending(u, RAY), (u->links[RAY] + 63u) / 64);
}

/* ---- send ---- */

/* A ray at the end of a pipeline is brought up to date and may go on. */
static void leave_pipeline(struct rtcore *r, struct pipeline *p, uint64_t now)
{
    while (p->count && pipe_first(p)->exit <= now) {
        uint32_t slot = pipe_first(p)->slot;
        struct ray_slot *s = &r->rays[slot];
        corbel_traversal_step(&s->traversal, r->machine->scene);
        p->head++;
        p->count--;
        fifo_push(&r->ready, slot);
        r->tested = true;
    }
}

static void enter_boxes(struct rtcore *r, uint64_t now)
{
    for (int64_t n = 0; n < r->params.box_rate && r->boxes.count; n++) {
        pipe_enter(&r->box_pipe, fifo_pop(&r->boxes),
                   now + (uint64_t)r->params.box_latency);
        r->stats.nodes++;
        r->tested = true;
    }
}

/* The triangles of a leaf enter one after the other. */
static void enter_triangles(struct rtcore *r, uint64_t now)
{
    for (int64_t n = 0; n < r->params.tri_rate && r->leaves.count; n++) {
        if (!r->triangles_left) {
            r->triangles_left = corbel_traversal_triangles(
                &r->rays[fifo_first(&r->leaves)].traversal, r->machine->scene);
            r->stats.leaves++;
        }
        r->stats.triangles++;
        r->tested = true;
        if (--r->triangles_left == 0)
            pipe_enter(&r->tri_pipe, fifo_pop(&r->leaves),
                       now + (uint64_t)r->params.tri_latency);
    }
}

static void prefetch(const uint8_t *at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 64)
        __builtin_prefetch(at + i);
}

static uint32_t sectors_of(const struct corbel_fetch *f)
{
    uint64_t last = (f->offset[0] + f->bytes - 1) / SECTOR;
    return (uint32_t)(last - f->offset[0] / SECTOR + 1);
}

/* Rays leave the scheduler: with a fetch, or finished. */
static void schedule(struct rtcore *r)
{
    for (int64_t n = 0; n < r->params.ops && r->ready.count; n++) {
        uint32_t slot = fifo_pop(&r->ready);
        struct ray_slot *s = &r->rays[slot];
        r->worked = true;
        if (!corbel_traversal_fetch(&s->traversal, r->machine->scene,
                                    &s->fetch)) {
            fifo_push(&r->finished, slot);
            continue;
        }
        s->missing = sectors_of(&s->fetch);
        fifo_push(&r->queues[slot % r->unit.links[MEM]].slots, slot);
        prefetch(machine_at(r->machine,
                            r->machine->scene_address + s->fetch.offset[0]),
                 s->fetch.bytes);
    }
}

static void ask(struct rtcore *r, uint32_t q)
{
    struct fetch_queue *queue = &r->queues[q];
    if (!queue->slots.count || !link_ready(&r->unit.out[MEM][q]))
        return;
    uint32_t slot = fifo_first(&queue->slots);
    const struct corbel_fetch *f = &r->rays[slot].fetch;
    struct msg m = {
        .op = MEM_READ,
        .addr = r->machine->scene_address +
                (f->offset[0] / SECTOR + queue->sent) * SECTOR,
        .size = SECTOR,
        .tag = slot,
    };
    link_push(&r->unit.out[MEM][q], &m);
    r->stats.requests++;
    r->worked = true;
    if (++queue->sent == sectors_of(f)) {
        queue->sent = 0;
        fifo_pop(&queue->slots);
    }
}

static void count_ray(struct rtcore *r, const struct ray_slot *s)
{
    const struct corbel_hit *hit = corbel_traversal_hit(&s->traversal);
    r->stats.hits += hit->index != CORBEL_MISS;
    r->stats.restarts += s->traversal.counts.restarts;
}

static void finish(struct rtcore *r, uint64_t now)
{
    if (!r->finished.count)
        return;
    uint32_t slot = fifo_first(&r->finished);
    struct ray_slot *s = &r->rays[slot];
    struct outport *o = &r->unit.out[HIT][s->port];
    if (!link_ready(o))
        return;
    struct msg m = {.tag = s->tag};
    struct payload p = {{0}};
    struct corbel_hit result;
    corbel_traversal_result(&s->traversal, &result);
    memcpy(p.bytes, &result, sizeof result);
    link_push_full(o, &m, &p);
    count_ray(r, s);
    fifo_pop(&r->finished);
    s->next_free = r->free_slot;
    r->free_slot = slot;
    count_occupancy(r, now);
    r->in_flight--;
    r->worked = true;
}

static uint64_t next_work(const struct rtcore *r, uint64_t now)
{
    bool may_enter = r->rays_waiting && r->free_slot != NONE;
    if (may_enter || r->leftover || r->ready.count || r->boxes.count ||
        r->leaves.count || r->finished.count)
        return now + 1;
    for (unsigned q = 0; q < r->unit.links[MEM]; q++)
        if (r->queues[q].slots.count)
            return now + 1;
    uint64_t next = CYCLE_NEVER;
    if (r->box_pipe.count)
        next = pipe_first(&r->box_pipe)->exit;
    if (r->tri_pipe.count && pipe_first(&r->tri_pipe)->exit < next)
        next = pipe_first(&r->tri_pipe)->exit;
    return next;
}

static void book(struct rtcore *r, uint64_t now)
{
    uint64_t *rest = r->in_flight ? &r->stats.waiting : &r->stats.idle;
    account_tick(&r->account, now,
                 r->tested   ? &r->stats.testing
                 : r->worked ? &r->stats.fetching
                             : rest,
                 rest);
    r->tested = r->worked = false;
}

static uint64_t rtcore_send(struct unit *u, uint64_t now)
{
    struct rtcore *r = (struct rtcore *)u;
    leave_pipeline(r, &r->box_pipe, now);
    leave_pipeline(r, &r->tri_pipe, now);
    enter_boxes(r, now);
    enter_triangles(r, now);
    schedule(r);
    for (unsigned q = 0; q < u->links[MEM]; q++)
        ask(r, q);
    finish(r, now);
    book(r, now);
    return next_work(r, now);
}

static void close_account(struct unit *u, uint64_t now)
{
    struct rtcore *r = (struct rtcore *)u;
    count_occupancy(r, now);
    account_switch(&r->account, now, r->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct rtcore *r = (const struct rtcore *)u;
    if (r->in_flight)
        fprintf(out,
                "%s: %u rays in flight, %u ready, %u nodes and %u leaves at "
                "the pipelines, %u finished\n",
                u->name, r->in_flight, r->ready.count, r->boxes.count,
                r->leaves.count, r->finished.count);
}

#define PARAM_STRUCT struct rtcore_params
#define STAT_STRUCT struct rtcore_stats
static const struct param param_rows[] = {RTCORE_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {RTCORE_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {RTCORE_BUCKETS(STAT_ROW)};

const struct unit_kind rtcore_kind = {
    .name = "rtcore",
    .meaning = "fixed-function traversal unit",
    .size = sizeof(struct rtcore),
    .params = offsetof(struct rtcore, params),
    .stats = offsetof(struct rtcore, stats),
    UNIT_TABLES,
    .build = build,
    .receive = rtcore_receive,
    .send = rtcore_send,
    .close = close_account,
    .explain = explain,
};
