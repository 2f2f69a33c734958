/*
 * Toys around the stream scheduler, all of one kind: staging buffers whose
 * items lead to items of child segments, as a hash says, so that it is known
 * which there are in all, or that do what a script says; a scene buffer; a hit
 * updater.
 */
#ifndef SIM_STREAMSCHEDULER_CLIENT_BENCH_H
#define SIM_STREAMSCHEDULER_CLIENT_BENCH_H

#include "sim/units/common/bench.h"
#include "sim/units/common/stream.h"
#include "sim/units/common/toy_bench.h"
#include <corbel/treelets.h>
#include <stdlib.h>

#define TOY_SEGMENTS 40u
#define TOY_RECORDS 0x12340u /* address of ray 0's */
#define TOY_TREELET 512u

enum role { STAGER, SCENE_BUFFER, UPDATER };

struct outgoing {
    uint64_t at;
    struct msg msg;
    bool carries;
    bool service; /* asks the host instead */
    bool stale;   /* of the kernel before */
    struct payload payload;
};

/* What a run is made of. */
struct toy_run {
    uint32_t tms, rays, segments;
    uint32_t children; /* at most, of a segment */
    uint32_t dead;     /* one item in `dead` is; 0: none */
    uint32_t pace;     /* of a staging buffer: cycles between messages */
    uint32_t ahead;    /* buckets that it asks for */
    uint32_t slots;    /* of the scene buffer; 0: there is none */
    uint32_t slow;     /* cycles in which it takes a command; 0: any number */
    bool fetch_fails;
    uint32_t partitions, banks, bucket, depth, jobs;
    bool by_segment; /* bank_by */
    uint32_t order, weight, low_water, active;
    bool on_chip, reads_first;
    const uint32_t *tree; /* children of each segment; NULL: by a hash */
    bool scripted;        /* items are not traced, and no bucket asked for */
    bool no_scene;
};

struct toy {
    struct unit unit;
    struct toy_stats stats;
    enum role role;
    const struct toy_run *run;
    struct outgoing *out;
    uint32_t count, next;
    uint64_t ready; /* sends nothing before */
    /* a staging buffer */
    uint32_t number, left, segment; /* items of the bucket that comes */
    uint32_t live, ends;
    uint8_t kernel;
    bool halted; /* until the next kernel */
    bool refused;
    struct msg refusal;
    char said[200];            /* segment and rays of each bucket, in order */
    uint64_t head_at, last_at; /* of the last one */
    /* a scene buffer: segments that it has, or had */
    bool here[TOY_SEGMENTS], was_here[TOY_SEGMENTS];
    uint32_t held;
    uint64_t takes; /* nothing before */
    /* a hit updater */
    uint32_t flushes;
};

enum { TOY_IN, TOY_OUT };
static const struct port_row toy_ports[] = {
    [TOY_IN] = {"in", false, 1, "to the toy"},
    [TOY_OUT] = {"out", true, 1, "from the toy"},
};

/* ---- what items there are ---- */

static inline uint32_t toy_hash(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t x = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u + c;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(x >> 33);
}

static inline bool toy_is_dead(const struct toy_run *r, uint32_t ray,
                               uint32_t segment)
{
    return r->dead && toy_hash(ray, segment, 1) % r->dead == 0;
}

static inline bool toy_enters(uint32_t ray, uint32_t child)
{
    return toy_hash(ray, child, 2) % 2 == 0;
}

/* Children of a segment, in a tree numbered breadth first. */
static inline uint32_t toy_children(const struct toy_run *r, uint32_t segment,
                                    uint32_t first)
{
    if (r->tree)
        return r->tree[segment];
    uint32_t count = toy_hash(segment, r->segments, 3) % (r->children + 1);
    if (!segment)
        count = r->children;
    return count < r->segments - first ? count : r->segments - first;
}

/* A scene of nothing but treelets, at the end of the machine's memory. */
static inline const struct corbel_scene *toy_scene(struct machine *m,
                                                   const struct toy_run *r)
{
    m->scene_address = BENCH_READ_ONLY;
    struct corbel_scene *scene = (void *)machine_at(m, m->scene_address);
    struct corbel_treelet *t = (void *)(scene + 1);
    *scene = (struct corbel_scene){.treelets = r->segments,
                                   .treelet_bytes = TOY_TREELET,
                                   .treelets_offset = sizeof *scene,
                                   .nodes_offset = 8192};
    for (uint32_t s = 0, next = 1; s < r->segments; s++) {
        t[s].first_child = next;
        t[s].children = toy_children(r, s, next);
        next += t[s].children;
    }
    return m->scene = scene;
}

/* ---- sending ---- */

static inline void toy_queue(struct toy *t, uint64_t at, struct msg m,
                             const struct payload *payload)
{
    struct outgoing o = {.at = at, .msg = m, .carries = payload};
    if (payload)
        o.payload = *payload;
    t->out = toy_grow(t->out, t->count, sizeof o);
    t->out[t->count++] = o;
}

static inline void toy_ray(struct toy *t, uint64_t at, uint32_t ray,
                           uint32_t segment, uint8_t hint, bool dead)
{
    struct corbel_ray r = {
        .o = {(float)ray}, .d = {(float)segment}, .tmax = dead ? -1 : 1};
    struct payload payload;
    memcpy(payload.bytes, &r, sizeof r);
    toy_queue(t, at,
              (struct msg){
                  .op = STREAM_ITEM, .addr = ray, .tag = segment, .aux = hint},
              &payload);
}

static inline void toy_item(struct toy *t, uint64_t at, uint32_t ray,
                            uint32_t segment, uint8_t hint)
{
    toy_ray(t, at, ray, segment, hint, toy_is_dead(t->run, ray, segment));
}

static inline void toy_simple(struct toy *t, uint64_t at, enum stream_op op,
                              uint32_t tag)
{
    toy_queue(t, at,
              (struct msg){.op = (uint8_t)op,
                           .tag = tag,
                           .addr = op == STREAM_ROOTS ? TOY_RECORDS : 0},
              NULL);
}

/* What a staging buffer does of its own: its part of the roots, and loads. The
 * last one says how many roots there are. */
static inline void toy_begin(struct toy *t)
{
    const struct toy_run *r = t->run;
    for (uint32_t i = 0; i < r->ahead; i++)
        toy_simple(t, 0, STREAM_LOAD, 0);
    for (uint32_t ray = t->number; ray < r->rays; ray += r->tms)
        toy_item(t, 0, ray, 0, 0);
    if (t->number == r->tms - 1)
        toy_simple(t, 0, STREAM_ROOTS, r->rays);
}

/* ---- receiving ---- */

static inline void toy_trace(struct toy *t, uint32_t ray)
{
    const struct corbel_scene *scene =
        ((const struct machine *)chip_context(t->unit.chip))->scene;
    const struct corbel_treelet *treelet =
        corbel_scene_treelet(scene, t->segment);
    uint8_t hint = 0;
    for (uint32_t i = 0; i < treelet->children; i++)
        if (toy_enters(ray, treelet->first_child + i))
            toy_item(t, 0, ray, treelet->first_child + i, hint++);
}

__attribute__((format(printf, 2, 3))) static inline void
toy_say(struct toy *t, const char *format, ...)
{
    size_t length = strlen(t->said);
    va_list values;
    va_start(values, format);
    vsnprintf(t->said + length, sizeof t->said - length, format, values);
    va_end(values);
}

static inline void toy_take_item(struct toy *t, const struct msg *m,
                                 uint64_t now)
{
    const struct payload payload = msg_payload(&t->unit, m);
    struct corbel_ray ray = stream_ray(payload.bytes);
    assert_int_equal(m->tag, t->segment);
    assert_true(ray.o[0] == (float)m->addr && ray.d[0] == (float)m->tag);
    assert_false(toy_is_dead(t->run, (uint32_t)m->addr, m->tag));
    assert_true(t->left > 0);
    t->live++;
    t->last_at = now;
    t->left--;
    toy_say(t, t->left ? "%u," : "%u ", (uint32_t)m->addr);
    t->stats.hash += toy_hash((uint32_t)m->addr, m->tag, 4);
    if (t->run->scripted)
        return;
    toy_trace(t, (uint32_t)m->addr);
    if (t->left)
        return;
    toy_simple(t, 0, STREAM_COMPLETE, t->segment);
    toy_simple(t, 0, STREAM_LOAD, 0);
}

static inline void toy_take_head(struct toy *t, const struct msg *m,
                                 uint64_t now)
{
    assert_int_equal(t->left, 0);
    assert_int_equal(m->addr, TOY_RECORDS);
    t->left = (uint32_t)m->value;
    t->segment = m->tag;
    t->head_at = now;
    toy_say(t, "%u:", m->tag);
}

static inline void toy_fetch(struct toy *t, uint32_t segment, uint64_t now)
{
    assert_false(t->was_here[segment]);
    t->here[segment] = t->was_here[segment] = true;
    assert_true(++t->held <= t->run->slots);
    if (t->run->fetch_fails)
        toy_queue(
            t, now + 20,
            (struct msg){.op = MEM_FAULT, .addr = 0x777, .value = t->unit.id},
            NULL);
    else
        toy_simple(t, now + 20, STREAM_FETCHED, segment);
}

static inline void toy_take(struct toy *t, const struct msg *m, uint64_t now)
{
    switch (m->op) {
    case STREAM_BUCKET:
        toy_take_head(t, m, now);
        break;
    case STREAM_ITEM:
        toy_take_item(t, m, now);
        break;
    case STREAM_FETCH:
        toy_fetch(t, m->tag, now);
        break;
    case STREAM_RETIRE:
        assert_true(t->here[m->tag]);
        t->here[m->tag] = false;
        t->held--;
        break;
    case MEM_FAULT:
        t->refused = true;
        t->refusal = *m;
        break;
    default:
        t->ends += m->op == STREAM_END;
        t->flushes += m->op == STREAM_FLUSH;
    }
}

/* The scene buffer has taken a command a short time ago. */
static inline bool toy_is_busy(struct toy *t, uint64_t now)
{
    if (t->role != SCENE_BUFFER || !t->run->slow)
        return false;
    bool busy = now < t->takes;
    if (!busy)
        t->takes = now + t->run->slow;
    unit_wake(&t->unit, t->takes);
    return busy;
}

static inline void toy_receive(struct unit *u, uint64_t now)
{
    struct toy *t = (struct toy *)u;
    while (*unit_pending(u, TOY_IN) && !toy_is_busy(t, now)) {
        const struct msg m = link_pop(&u->in[TOY_IN][0]);
        if (m.size == t->kernel)
            toy_take(t, &m, now);
        else if (m.flags & MSG_PAYLOAD)
            msg_payload(u, &m);
    }
}

static inline uint64_t toy_send(struct unit *u, uint64_t now)
{
    struct toy *t = (struct toy *)u;
    if (t->next == t->count)
        return CYCLE_NEVER;
    if (t->halted)
        return now + 1;
    struct outgoing *o = &t->out[t->next];
    uint64_t at = o->at > t->ready ? o->at : t->ready;
    if (at > now)
        return at;
    t->halted = o->service;
    o->msg.size = (uint8_t)(t->kernel - o->stale);
    if (o->service)
        unit_request_service(u, now, 0);
    else if (!link_ready(&u->out[TOY_OUT][0]))
        return CYCLE_NEVER;
    else
        link_push_full(&u->out[TOY_OUT][0], &o->msg,
                       o->carries ? &o->payload : NULL);
    t->next++;
    t->ready = now + (t->run->pace ? t->run->pace : 1);
    return t->ready;
}

static inline bool toy_build(struct unit *u, struct error *error)
{
    return true;
}

static inline void toy_launch(struct unit *u, uint64_t now)
{
    struct toy *t = (struct toy *)u;
    t->kernel++;
    t->left = 0;
    t->halted = false;
}

static inline void toy_destroy(struct unit *u)
{
    free(((struct toy *)u)->out);
}

static const struct stat_row toy_rows[] = {
    {"hash", "", "of all items", offsetof(struct toy_stats, hash)}};

static const struct unit_kind toy_kind = {
    .name = "toy",
    .meaning = "a neighbour of the stream scheduler",
    .size = sizeof(struct toy),
    .stats = offsetof(struct toy, stats),
    .stat_rows = toy_rows,
    .stat_count = 1,
    .port_rows = toy_ports,
    .port_count = TABLE_COUNT(toy_ports),
    .build = toy_build,
    .receive = toy_receive,
    .send = toy_send,
    .launch = toy_launch,
    .destroy = toy_destroy,
};

/* ---- a chip of them ---- */

static inline struct toy *toy_new(struct bench *b, const char *name,
                                  enum role role, struct unit *scheduler,
                                  const char *to, const char *from)
{
    const struct toy_run *r = b->scenario->with;
    struct toy *t = (struct toy *)bench_unit(b, "toy", name);
    t->role = role;
    t->run = r;
    if (to)
        bench_link(b, t, "out", scheduler, to, r->depth);
    if (from)
        bench_link(b, scheduler, from, t, "in",
                   role == SCENE_BUFFER ? r->depth : 0);
    return t;
}

static inline struct unit *scheduler_new(struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    struct unit *u = bench_unit(b, "streamscheduler", "streams");
    bench_set(b, u, "banks", r->banks);
    bench_set(b, u, "bank_by", r->by_segment);
    bench_set(b, u, "bucket", r->bucket);
    bench_set(b, u, "jobs", r->jobs);
    bench_set(b, u, "bank_queue", r->depth);
    bench_set(b, u, "order", r->order);
    bench_set(b, u, "weight", r->weight);
    bench_set(b, u, "low_water", r->low_water);
    bench_set(b, u, "active", r->active);
    bench_set(b, u, "on_chip", r->on_chip);
    bench_set(b, u, "channel_order", r->reads_first);
    bench_set(b, u, "segments", TOY_SEGMENTS);
    bench_set(b, u, "heap", 1);
    bench_set(b, u, "heap_base", 0x200000);
    bench_set(b, u, "scene_buffer",
              r->slots ? (int64_t)r->slots * TOY_TREELET : TOY_TREELET);
    return u;
}

/* The scheduler is unit 0, then come the staging buffers, then a hit updater,
 * then, if there is one, the scene buffer. */
static inline struct unit *toy_chip(struct bench *b,
                                    void (*begin)(struct toy *))
{
    const struct toy_run *r = b->scenario->with;
    struct unit *u = scheduler_new(b);
    if (!r->no_scene)
        toy_scene(&b->machine, r);
    for (uint32_t i = 0; i < r->tms; i++) {
        char name[20];
        snprintf(name, sizeof name, "stager%u", i);
        struct toy *t = toy_new(b, name, STAGER, u, "tm", "bucket");
        t->number = i;
        begin(t);
    }
    toy_new(b, "updater", UPDATER, u, NULL, "flush");
    if (r->slots)
        toy_new(b, "scenes", SCENE_BUFFER, u, "complete", "command");
    for (uint32_t i = 0; i < r->partitions; i++)
        bench_below(b, u, "mem", "data", 30);
    return u;
}

/* ---- one TM, bank and partition, and a script ---- */

static const struct toy_run small = {.tms = 1,
                                     .segments = 4,
                                     .tree = (const uint32_t[]){2, 1, 0, 0},
                                     .partitions = 1,
                                     .banks = 1,
                                     .bucket = 128,
                                     .depth = 2,
                                     .jobs = 2,
                                     .low_water = 1,
                                     .active = 8,
                                     .scripted = true};

static inline struct toy *stager(const struct bench *b)
{
    return (struct toy *)b->units[1];
}

static inline void play_script(const struct toy_run *r,
                               void (*build)(struct bench *),
                               void (*check)(struct bench *))
{
    bench_play(&(struct scenario){
        .build = build, .check = check, .with = r, .toy = &toy_kind});
}

#endif
