/*
 * Toys around a ray store that stand for TMs, and around a ray gate. They send
 * what a script says and keep what comes; or, at a ray store, they play the
 * part of a kernel and of an RT core: rays cross treelets as a hash says, so
 * that it is known how often in all.
 */
#ifndef SIM_RAYSTORE_CLIENT_BENCH_H
#define SIM_RAYSTORE_CLIENT_BENCH_H

#include "sim/units/common/bench.h"
#include "sim/units/common/stream.h"
#include "sim/units/common/toy_bench.h"
#include <corbel/treelets.h>
#include <stdlib.h>

#define TOY_TREELETS 70u
#define TOY_TREELET 512u

/* What a run is made of. */
struct toy_run {
    uint32_t tms, rays;
    uint32_t live;  /* rays under way at a time, of each TM */
    uint32_t slots; /* of each TM, for rays to be traced */
    uint32_t pace;  /* cycles between two messages of a TM */
    uint32_t banks, latency, depth;
    uint32_t order, policy, batch, busy;
};

struct outgoing {
    uint64_t at;
    struct msg msg;
    bool carries, pair;
    struct payload half[2];
};

struct incoming {
    uint64_t at;
    struct msg msg;
    struct payload payload;
};

struct toy {
    struct unit unit;
    struct toy_stats stats;
    const struct toy_run *run;
    struct outgoing *out;
    uint32_t count, next;
    struct incoming *in;
    uint32_t taken;
    uint64_t ready;        /* sends nothing before */
    uint64_t closed_until; /* takes nothing before */
    /* one that plays a part */
    bool plays;
    uint32_t number;
    uint32_t next_root; /* the next ray of its own */
};

enum { TOY_IN, TOY_OUT };
static const struct port_row toy_ports[] = {
    [TOY_IN] = {"in", false, 1, "to the toy"},
    [TOY_OUT] = {"out", true, 1, "from the toy"},
};

/* ---- rays ---- */

static inline uint32_t toy_hash(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t x = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u + c;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(x >> 33);
}

/* Is the ray finished after `crossings` crossings? */
static inline bool toy_is_over(uint32_t ray, uint32_t crossings)
{
    return toy_hash(ray, crossings, 1) % 4 == 0;
}

/* A few treelets have most rays. */
static inline uint32_t toy_treelet(uint32_t ray, uint32_t crossings)
{
    uint32_t hash = toy_hash(ray, crossings, 2);
    return !crossings ? 0 : hash % 3 ? hash / 3 % 5 : hash / 3 % TOY_TREELETS;
}

/* The two halves of what travels. */
static inline struct payload toy_half(uint32_t ray, uint32_t crossings,
                                      unsigned half)
{
    struct payload p;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t word =
            half ? toy_hash(ray, crossings, 3 + i) : (i == 0 ? ray : crossings);
        memcpy(p.bytes + 4 * i, &word, 4);
    }
    return p;
}

/* A scene of nothing but treelets, at the end of the machine's memory. */
static inline void toy_scene(struct machine *m)
{
    m->scene_address = BENCH_READ_ONLY;
    struct corbel_scene *scene = (void *)machine_at(m, m->scene_address);
    *scene = (struct corbel_scene){.treelets = TOY_TREELETS,
                                   .treelet_bytes = TOY_TREELET,
                                   .nodes_offset = 8192};
    m->scene = scene;
}

/* ---- sending ---- */

static inline void toy_queue(struct toy *t, struct outgoing o)
{
    t->out = toy_grow(t->out, t->count, sizeof o);
    t->out[t->count++] = o;
}

static inline void toy_ray(struct toy *t, uint64_t at, uint32_t ray,
                           uint32_t crossings, uint32_t treelet)
{
    toy_queue(t, (struct outgoing){
                     .at = at,
                     .msg = {.op = STREAM_RAY,
                             .addr = ray,
                             .tag = treelet,
                             .aux = crossings ? STREAM_BACK : STREAM_NEW},
                     .carries = true,
                     .pair = true,
                     .half = {toy_half(ray, crossings, 0),
                              toy_half(ray, crossings, 1)}});
}

static inline void toy_over(struct toy *t, uint64_t at, uint32_t ray,
                            uint8_t aux)
{
    toy_queue(t, (struct outgoing){
                     .at = at,
                     .msg = {.op = STREAM_OVER, .addr = ray, .aux = aux},
                     .carries = true,
                     .half = {toy_half(ray, 0, 1)}});
}

static inline void toy_load(struct toy *t, uint64_t at, uint32_t slot)
{
    toy_queue(t, (struct outgoing){.at = at,
                                   .msg = {.op = STREAM_LOAD, .from = slot}});
}

static inline void toy_hit_load(struct toy *t, uint64_t at, uint32_t tag,
                                uint8_t priority)
{
    toy_queue(t,
              (struct outgoing){
                  .at = at,
                  .msg = {.op = STREAM_HIT_LOAD, .tag = tag, .aux = priority}});
}

static inline void toy_end(struct toy *t, uint64_t at)
{
    toy_queue(t, (struct outgoing){.at = at, .msg = {.op = STREAM_END}});
}

/* ---- playing ---- */

/* A kernel sends as many of its rays as may live, then one for each hit. */
static inline void toy_root(struct toy *t)
{
    if (t->next_root >= t->run->rays)
        return;
    toy_ray(t, 0, t->next_root, 0, 0);
    t->next_root += t->run->tms;
    toy_hit_load(t, 0, 0, t->next_root >= t->run->rays);
}

static inline void toy_begin(struct toy *t)
{
    t->plays = true;
    t->next_root = t->number;
    for (uint32_t slot = 0; slot < t->run->slots; slot++)
        toy_load(t, 0, slot);
    for (uint32_t i = 0; i < t->run->live; i++)
        toy_root(t);
}

static inline void toy_trace(struct toy *t, const struct incoming *i)
{
    uint32_t words[2], ray = (uint32_t)i->msg.addr;
    memcpy(words, i->payload.bytes, sizeof words);
    assert_int_equal(words[0], ray);
    assert_int_equal(i->msg.tag, toy_treelet(ray, words[1]));
    if (toy_is_over(ray, words[1]))
        toy_over(t, i->at + ray % 7, ray, STREAM_BACK);
    else
        toy_ray(t, i->at + ray % 5, ray, words[1] + 1,
                toy_treelet(ray, words[1] + 1));
    toy_load(t, 0, i->msg.from);
}

/* Behind its ray. */
static inline void toy_check_state(const struct incoming *i)
{
    const struct incoming *ray = i - 1;
    uint32_t words[2];
    assert_int_equal(ray->msg.op, STREAM_RAY);
    assert_int_equal(ray->at, i->at);
    assert_true(ray->msg.addr == i->msg.addr && ray->msg.tag == i->msg.tag &&
                ray->msg.from == i->msg.from);
    memcpy(words, ray->payload.bytes, sizeof words);
    struct payload expected = toy_half(words[0], words[1], 1);
    assert_memory_equal(&i->payload, &expected, sizeof expected);
}

static inline void toy_play(struct toy *t, const struct incoming *i)
{
    if (i->msg.op == STREAM_RAY)
        toy_trace(t, i);
    else if (i->msg.op == STREAM_STATE)
        toy_check_state(i);
    else if (i->msg.op == STREAM_HIT)
        toy_root(t);
}

/* ---- the toy ---- */

static inline void toy_receive(struct unit *u, uint64_t now)
{
    struct toy *t = (struct toy *)u;
    while (now >= t->closed_until && *unit_pending(u, TOY_IN)) {
        struct incoming i = {.at = now, .msg = link_pop(&u->in[TOY_IN][0])};
        if (i.msg.flags & MSG_PAYLOAD)
            i.payload = msg_payload(u, &i.msg);
        t->in = toy_grow(t->in, t->taken, sizeof i);
        t->in[t->taken++] = i;
        t->stats.hash += toy_hash((uint32_t)now, i.msg.addr, i.msg.op);
        if (t->plays)
            toy_play(t, &t->in[t->taken - 1]);
    }
}

static inline uint64_t toy_send_next(struct toy *t, uint64_t now)
{
    struct unit *u = &t->unit;
    struct outport *o = &u->out[TOY_OUT][0];
    if (t->next == t->count)
        return CYCLE_NEVER;
    struct outgoing *next = &t->out[t->next];
    uint64_t at = next->at > t->ready ? next->at : t->ready;
    if (at > now)
        return at;
    if (!link_ready_for(o, 2))
        return CYCLE_NEVER;
    struct msg m = next->msg;
    link_push_full(o, &m, next->carries ? &next->half[0] : NULL);
    if (m.op == STREAM_RAY)
        m.op = STREAM_STATE;
    else
        m.aux = 1; /* by served_words.h */
    if (next->pair)
        link_push_full(o, &m, &next->half[1]);
    t->next++;
    t->ready = now + (t->run->pace ? t->run->pace : 1);
    return t->ready;
}

static inline uint64_t toy_send(struct unit *u, uint64_t now)
{
    struct toy *t = (struct toy *)u;
    uint64_t next = toy_send_next(t, now);
    return now < t->closed_until && t->closed_until < next ? t->closed_until
                                                           : next;
}

static inline bool toy_build(struct unit *u, struct error *error)
{
    return true;
}

static inline void toy_destroy(struct unit *u)
{
    free(((struct toy *)u)->out);
    free(((struct toy *)u)->in);
}

static const struct stat_row toy_rows[] = {
    {"hash", "", "of all messages", offsetof(struct toy_stats, hash)}};

static const struct unit_kind toy_kind = {
    .name = "toy",
    .meaning = "a TM at the ray store",
    .size = sizeof(struct toy),
    .stats = offsetof(struct toy, stats),
    .stat_rows = toy_rows,
    .stat_count = 1,
    .port_rows = toy_ports,
    .port_count = TABLE_COUNT(toy_ports),
    .build = toy_build,
    .receive = toy_receive,
    .send = toy_send,
    .destroy = toy_destroy,
};

/* ---- a chip of them ---- */

/* The ray store is unit 0, TM i is unit 1 + i. */
static inline struct toy *toy_at(const struct bench *b, uint32_t tm)
{
    return (struct toy *)b->units[1 + tm];
}

static inline void toy_chip(struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    struct unit *u = bench_unit(b, "raystore", "rays");
    const struct setting settings[] = {
        {"bytes", 64 * (int64_t)r->live * r->tms},
        {"banks", r->banks},
        {"latency", r->latency},
        {"order", r->order},
        {"policy", r->policy},
        {"batch", r->batch},
        {"busy", r->busy},
        {"treelets", TOY_TREELETS},
        {0}};
    bench_set_all(u, settings);
    toy_scene(&b->machine);
    for (uint32_t i = 0; i < r->tms; i++) {
        char name[20];
        snprintf(name, sizeof name, "tm%u", i);
        struct toy *t = (struct toy *)bench_unit(b, "toy", name);
        t->run = r;
        t->number = i;
        bench_link(b, t, "out", u, "tm", r->depth);
        bench_link(b, u, "ray", t, "in", 0);
    }
}

#endif
