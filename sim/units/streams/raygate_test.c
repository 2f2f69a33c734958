/*
 * A ray gate between two thread processors or an RT core and a ray store, which
 * are toys: what becomes of instructions, in which order messages leave, who
 * gets what comes back.
 */
#include "sim/isa/isa.h"
#include "sim/units/common/served_words.h"
#include "sim/units/streams/raystore_client_bench.h"
#include <corbel/streams.h>
#include <corbel/traverse_moves.h>

#define THREADS 0xFFFFFu
#define ROOT (8192u / CORBEL_REF_UNIT)
#define PER_TREELET (TOY_TREELET / CORBEL_REF_UNIT)

/* Units by number: the gate, the ray store, thread processors, an RT core. */
enum { GATE, STORE, CORE, CORE_1, RT_CORE };

static const struct toy_run quick = {.tms = 1};

static struct toy *new_toy(struct bench *b, const char *name, const char *to,
                           const char *from, unsigned depth)
{
    struct toy *t = (struct toy *)bench_unit(b, "toy", name);
    t->run = &quick;
    bench_link(b, t, "out", b->units[GATE], to, 8);
    bench_link(b, b->units[GATE], from, t, "in", depth);
    return t;
}

static void chip(struct bench *b, bool rtcore)
{
    bench_unit(b, "raygate", "gate");
    toy_scene(&b->machine);
    ((struct corbel_scene *)(void *)machine_at(&b->machine, BENCH_READ_ONLY))
        ->root = ROOT;
    new_toy(b, "store", "ray", "store", 2);
    new_toy(b, "core0", "op", "done", 0);
    new_toy(b, "core1", "op", "done", 0);
    if (rtcore)
        new_toy(b, "rtcore", "item", "work", 0);
}

static struct toy *toy_of(const struct bench *b, unsigned unit)
{
    return (struct toy *)b->units[unit];
}

static void play(void (*build)(struct bench *b), void (*check)(struct bench *b))
{
    bench_play(
        &(struct scenario){.build = build, .check = check, .toy = &toy_kind});
}

/* The i-th message that a toy has got. */
static const struct incoming *got(const struct bench *b, unsigned unit,
                                  uint32_t i, uint8_t op)
{
    assert_true(i < toy_of(b, unit)->taken);
    assert_int_equal(toy_of(b, unit)->in[i].msg.op, op);
    return &toy_of(b, unit)->in[i];
}

/* ---- instructions ---- */

static struct corbel_stored_ray ray_of(uint32_t id, uint32_t state,
                                       uint32_t trail)
{
    return (struct corbel_stored_ray){
        .ray = {{1, 2, (float)id}, 0, {0, 1, 0}, 9},
        .hit = {9, 0, 0, CORBEL_MISS},
        .ref = ROOT + 3 * PER_TREELET + 1,
        .word = corbel_ray_word(id, state),
        .trail = {trail, 0}};
}

static void swr(struct bench *b, unsigned core, uint64_t at,
                const struct corbel_stored_ray *ray, uint32_t tag)
{
    struct outgoing o = {.at = at,
                         .msg = {.op = ISA_CLASS_swr, .tag = tag},
                         .carries = true,
                         .pair = true};
    memcpy(o.half, ray, sizeof *ray);
    toy_queue(toy_of(b, core), o);
}

static void load(struct bench *b, unsigned core, uint64_t at, uint8_t op,
                 uint32_t tag, uint32_t priority)
{
    toy_queue(toy_of(b, core),
              (struct outgoing){
                  .at = at, .msg = {.op = op, .tag = tag, .value = priority}});
}

/* What the ray store answers, or an RT core sends. */
static void say(struct bench *b, unsigned unit, uint64_t at, struct msg m,
                const void *halves)
{
    struct outgoing o = {
        .at = at, .msg = m, .carries = halves, .pair = m.op == STREAM_RAY};
    if (halves)
        memcpy(o.half, halves, m.op == STREAM_RAY ? 64 : 32);
    toy_queue(toy_of(b, unit), o);
}

/* ---- rays of thread processors ---- */

static void build_stored(struct bench *b)
{
    chip(b, false);
    struct corbel_stored_ray rays[] = {
        ray_of(5, CORBEL_RAY_DOWN, 0), ray_of(6, CORBEL_RAY_UP, 9),
        ray_of(7, CORBEL_RAY_OVER, 1), ray_of(8, CORBEL_RAY_DOWN, 9)};
    rays[0].ray.tmax = -1; /* dead or not */
    for (uint32_t i = 0; i < 4; i++)
        swr(b, CORE, 100 * i, &rays[i], 70 + i);
}

static void check_ray(const struct bench *b, uint32_t at, uint32_t id,
                      uint8_t aux)
{
    const struct incoming *i = got(b, STORE, at, STREAM_RAY);
    const struct incoming *state = got(b, STORE, at + 1, STREAM_STATE);
    assert_int_equal(i->msg.addr, id);
    assert_int_equal(i->msg.tag, 3);
    assert_int_equal(i->msg.aux, aux);
    assert_int_equal(state->at, i->at);
    assert_int_equal(state->msg.addr, id);
    assert_true(stream_ray(i->payload.bytes).o[2] == (float)id);
    assert_true(stream_hit(state->payload.bytes).t == 9);
}

static void check_over(const struct bench *b, uint32_t at, uint32_t id,
                       uint8_t aux)
{
    const struct incoming *i = got(b, STORE, at, STREAM_OVER);
    assert_int_equal(i->msg.addr, id);
    assert_int_equal(i->msg.aux, aux);
    assert_int_equal(stream_hit(i->payload.bytes).index, CORBEL_MISS);
}

static void check_stored(struct bench *b)
{
    check_ray(b, 0, 5, STREAM_NEW);
    check_ray(b, 2, 6, STREAM_BACK);
    check_over(b, 4, 7, STREAM_BACK);
    check_ray(b, 5, 8, STREAM_BACK);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(got(b, CORE, i, 0)->msg.tag, 70 + i);
        assert_int_equal(got(b, CORE, i, 0)->at, 100 * i + 2 * LINK);
    }
    assert_stat(b->units[GATE], "dead", 0);
    assert_stat(b->units[GATE], "stores", 3);
    assert_stat(b->units[GATE], "finished", 1);
}

static void rays_are_stored(void **state)
{
    play(build_stored, check_stored);
}

/* ---- rays for thread processors ---- */

static void moving_of(struct corbel_moving *moving, uint32_t id)
{
    struct corbel_stored_ray ray = ray_of(id, 0, 0);
    *moving = (struct corbel_moving){.ray = ray.ray,
                                     .hit = ray.hit,
                                     .node = ray.ref,
                                     .state = CORBEL_MOVE_UP,
                                     .trail = UINT64_C(0x123456789)};
}

static void build_loaded(struct bench *b)
{
    struct corbel_moving moving;
    chip(b, false);
    load(b, CORE, 0, ISA_CLASS_lwr, 1, 0);
    load(b, CORE_1, 1, ISA_CLASS_lwr, 2, 0);
    for (uint32_t id = 50; id < 52; id++) {
        moving_of(&moving, id);
        say(b, STORE, id,
            (struct msg){.op = STREAM_RAY, .addr = id, .from = THREADS},
            &moving);
    }
}

static void check_loaded(struct bench *b)
{
    for (uint32_t core = 0; core < 2; core++) {
        struct corbel_stored_ray ray, expected = ray_of(50 + core, 2, 0);
        expected.trail[0] = 0x23456789;
        expected.trail[1] = 1;
        assert_int_equal(got(b, STORE, core, STREAM_LOAD)->msg.from, THREADS);
        for (uint32_t i = 0; i < 2; i++) {
            const struct incoming *in = got(b, CORE + core, i, 0);
            assert_int_equal(in->msg.tag, 1 + core);
            assert_int_equal(in->msg.aux, i);
            memcpy((char *)&ray + 32 * i, in->payload.bytes, 32);
        }
        assert_memory_equal(&ray, &expected, sizeof ray);
    }
}

static void rays_go_to_who_has_asked(void **state)
{
    play(build_loaded, check_loaded);
}

/* A link with room for one message brings the state later. */
static void build_halves(struct bench *b)
{
    struct corbel_moving moving;
    struct outgoing first = {
        .at = 50, .msg = {.op = STREAM_RAY, .from = 4}, .carries = true};
    struct outgoing second = {
        .at = 55, .msg = {.op = STREAM_STATE, .from = 4}, .carries = true};
    chip(b, true);
    load(b, CORE, 0, ISA_CLASS_lhr, 1, 0);
    moving_of(&moving, 7);
    memcpy(first.half, &moving.ray, sizeof moving.ray);
    memcpy(second.half, &moving.hit, sizeof second.half[0]);
    toy_queue(toy_of(b, STORE), first);
    toy_queue(toy_of(b, STORE), second);
}

static void check_halves(struct bench *b)
{
    const struct incoming *ray = got(b, RT_CORE, 1, STREAM_RAY);
    const struct incoming *state = got(b, RT_CORE, 2, STREAM_STATE);
    assert_int_equal(ray->at, 55 + 2 * LINK);
    assert_int_equal(state->at, ray->at);
    assert_true(stream_ray(ray->payload.bytes).o[2] == 7);
    assert_true(stream_hit(state->payload.bytes).t == 9);
}

static void the_halves_of_a_ray_may_come_apart(void **state)
{
    play(build_halves, check_halves);
}

static void build_hits(struct bench *b)
{
    const struct corbel_hit hits[2] = {{3, 0.5F, 0.25F, 17}};
    chip(b, false);
    load(b, CORE, 0, ISA_CLASS_lhr, 1, 1);
    load(b, CORE_1, 1, ISA_CLASS_lhr, 2, 0);
    load(b, CORE_1, 2, ISA_CLASS_lhr, 3, 1);
    say(b, STORE, 50, (struct msg){.op = STREAM_HIT, .addr = 90}, hits);
    say(b, STORE, 51, (struct msg){.op = STREAM_HIT, .addr = 91, .aux = 1},
        hits);
}

static void check_hits(struct bench *b)
{
    uint32_t words[5];
    assert_int_equal(got(b, STORE, 0, STREAM_HIT_LOAD)->msg.aux, 1);
    assert_int_equal(got(b, STORE, 1, STREAM_HIT_LOAD)->msg.aux, 0);
    assert_int_equal(got(b, CORE_1, 0, 0)->msg.tag, 2);
    assert_int_equal(got(b, CORE, 0, 0)->msg.tag, 1);
    memcpy(words, got(b, CORE, 0, 0)->payload.bytes, sizeof words);
    assert_int_equal(words[3], 17);
    assert_int_equal(words[4], 91);
    assert_explained(
        b->units[GATE],
        "gate: thread processors wait for 0 rays and 1 finished ones\n");
}

static void hits_go_by_priority(void **state)
{
    play(build_hits, check_hits);
}

static void build_end(struct bench *b)
{
    struct corbel_stored_ray end = {.word = CORBEL_RAY_END};
    chip(b, false);
    load(b, CORE_1, 0, ISA_CLASS_lwr, 2, 0);
    swr(b, CORE, 20, &end, 9);
    say(b, STORE, 50, (struct msg){.op = STREAM_END, .from = THREADS}, NULL);
}

static void check_end(struct bench *b)
{
    uint32_t words[8];
    got(b, STORE, 1, STREAM_END);
    assert_int_equal(got(b, CORE, 0, 0)->msg.tag, 9);
    memcpy(words, got(b, CORE_1, 1, 0)->payload.bytes, sizeof words);
    assert_int_equal(words[5], CORBEL_RAY_END);
    assert_explained(b->units[GATE], "");
}

static void the_end_goes_both_ways(void **state)
{
    play(build_end, check_end);
}

/* ---- an RT core ---- */

static void build_rtcore(struct bench *b)
{
    struct corbel_stored_ray ray = ray_of(5, CORBEL_RAY_UP, 77);
    chip(b, true);
    swr(b, CORE, 10, &ray, 1);
    say(b, RT_CORE, 20, (struct msg){.op = STREAM_LOAD, .from = 4}, NULL);
    say(b, STORE, 60,
        (struct msg){.op = STREAM_RAY, .addr = 5, .tag = 2, .from = 4}, &ray);
    say(b, RT_CORE, 90,
        (struct msg){.op = STREAM_RAY, .addr = 5, .tag = 6, .from = 4}, &ray);
    say(b, RT_CORE, 91, (struct msg){.op = STREAM_OVER, .addr = 5}, &ray.hit);
    ray = ray_of(8, CORBEL_RAY_DOWN, 0);
    ray.ray.tmax = -1;
    ray.hit.index = 3;
    swr(b, CORE, 120, &ray, 1);
    ray = ray_of(9, CORBEL_RAY_OVER, 0);
    swr(b, CORE, 140, &ray, 1);
}

/* A ray that is sent starts at the root, whatever the registers say. */
static void check_rtcore(struct bench *b)
{
    struct corbel_moving moving;
    const struct incoming *i = got(b, STORE, 0, STREAM_RAY);
    assert_int_equal(i->msg.tag, 0);
    assert_int_equal(i->msg.aux, STREAM_NEW);
    memcpy(&moving.hit, got(b, STORE, 1, STREAM_STATE)->payload.bytes, 32);
    assert_int_equal(moving.node, ROOT);
    assert_int_equal(moving.state, CORBEL_MOVE_DOWN);
    assert_int_equal(moving.trail, 0);

    assert_int_equal(got(b, RT_CORE, 0, STREAM_BEGIN)->at, 10 + 2 * LINK);
    assert_int_equal(got(b, STORE, 2, STREAM_LOAD)->msg.from, 4);
    i = got(b, RT_CORE, 1, STREAM_RAY);
    assert_true(i->msg.from == 4 && i->msg.tag == 2 && i->msg.addr == 5);
    assert_int_equal(got(b, RT_CORE, 2, STREAM_STATE)->at, i->at);
    assert_int_equal(toy_of(b, RT_CORE)->taken, 3);

    i = got(b, STORE, 3, STREAM_RAY);
    assert_true(i->msg.tag == 6 && i->msg.aux == STREAM_BACK);
    got(b, STORE, 4, STREAM_STATE);
    check_over(b, 5, 5, STREAM_BACK);
    check_over(b, 6, 8, STREAM_NEW);
    check_over(b, 7, 9, STREAM_NEW);
    assert_stat(b->units[GATE], "dead", 1);
}

static void an_rt_core_gets_rays_and_sends_them_on(void **state)
{
    play(build_rtcore, check_rtcore);
}

/* Each cycle two messages come and one leaves. */
static void build_order(struct bench *b)
{
    struct corbel_stored_ray ray = ray_of(5, CORBEL_RAY_DOWN, 0);
    chip(b, true);
    for (uint32_t i = 0; i < 3; i++)
        load(b, CORE, 10, ISA_CLASS_lhr, i, 0);
    say(b, RT_CORE, 10, (struct msg){.op = STREAM_LOAD, .from = 4}, NULL);
    say(b, RT_CORE, 10, (struct msg){.op = STREAM_LOAD, .from = 5}, NULL);
    say(b, RT_CORE, 10, (struct msg){.op = STREAM_RAY, .from = 6}, &ray);
    say(b, RT_CORE, 10, (struct msg){.op = STREAM_OVER, .from = 7}, &ray);
    swr(b, CORE_1, 12, &ray, 0);
}

static void check_order(struct bench *b)
{
    static const uint8_t ops[] = {
        STREAM_LOAD, STREAM_LOAD,  STREAM_RAY,      STREAM_STATE,   STREAM_OVER,
        STREAM_RAY,  STREAM_STATE, STREAM_HIT_LOAD, STREAM_HIT_LOAD};
    for (uint32_t i = 0; i < TABLE_COUNT(ops); i++)
        got(b, STORE, i, ops[i]);
}

static void finished_rays_go_first_and_requests_for_them_last(void **state)
{
    play(build_order, check_order);
}

/* ---- no room ---- */

/* The first core's requests fill the link, and those of both that come later
 * wait in the gate. */
static void build_full(struct bench *b)
{
    chip(b, false);
    const struct corbel_stored_ray ray = ray_of(5, CORBEL_RAY_OVER, 1);
    toy_of(b, STORE)->closed_until = 500;
    for (uint32_t i = 0; i < 8; i++)
        swr(b, CORE, i, &ray, i);
    for (uint32_t i = 0; i < 8; i++)
        load(b, i % 2 ? CORE : CORE_1, 100, ISA_CLASS_lhr, 8 + i, 0);
}

static void check_full(struct bench *b)
{
    assert_int_equal(toy_of(b, STORE)->taken, 8 + 8);
    assert_stat(b->units[GATE], "hit_loads", 8);
    assert_true(bench_stat(b->units[GATE], "blocked") > 300);
}

static void requests_are_taken_while_the_store_has_no_room(void **state)
{
    play(build_full, check_full);
}

/* ---- refused ---- */

static void build_refused(struct bench *b)
{
    chip(b, true);
    load(b, CORE, 0, ISA_CLASS_lhr, 1, 0);
    say(b, RT_CORE, 50,
        (struct msg){
            .op = MEM_FAULT, .aux = MEM_READ, .addr = 0x1234, .value = 3},
        NULL);
    load(b, CORE_1, 100, ISA_CLASS_lhr, 2, 1);
    say(b, STORE, 200, (struct msg){.op = STREAM_HIT}, &b->machine);
}

static void check_refused(struct bench *b)
{
    for (uint32_t core = 0; core < 2; core++) {
        const struct incoming *i = got(b, CORE + core, 0, MEM_FAULT);
        assert_int_equal(i->msg.tag, 1 + core);
        assert_int_equal(i->msg.addr, 0x1234);
        assert_int_equal(i->msg.value, 3);
        assert_int_equal(toy_of(b, CORE + core)->taken, 1);
    }
}

static void a_refusal_is_told_to_who_waits_and_who_asks(void **state)
{
    play(build_refused, check_refused);
}

/* ---- kernels ---- */

static bool launch(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    engine_launch(b->engine);
    return true;
}

/* A thread processor waits; answers to the last kernel's requests come. */
static void build_kernels(struct bench *b)
{
    const struct corbel_hit hits[2] = {{3, 0.5F, 0.25F, 17}};
    chip(b, true);
    load(b, CORE, 0, ISA_CLASS_lhr, 1, 0);
    struct driver *d = bench_driver(b, b->units[GATE], "op", "done");
    driver_service(d, 50);
    load(b, CORE, 200, ISA_CLASS_lhr, 2, 0);
    say(b, STORE, 250, (struct msg){.op = STREAM_HIT, .addr = 90}, hits);
    say(b, STORE, 251, (struct msg){.op = STREAM_HIT, .addr = 91, .size = 1},
        hits);
}

static void check_kernels(struct bench *b)
{
    uint32_t words[5];
    assert_int_equal(toy_of(b, CORE)->taken, 1);
    memcpy(words, got(b, CORE, 0, 0)->payload.bytes, sizeof words);
    assert_int_equal(words[4], 91);
    assert_int_equal(got(b, CORE, 0, 0)->msg.tag, 2);
    got(b, RT_CORE, 0, STREAM_BEGIN);
    assert_int_equal(got(b, RT_CORE, 1, STREAM_BEGIN)->msg.size, 1);
}

static void a_kernel_starts_anew(void **state)
{
    bench_play(&(struct scenario){.build = build_kernels,
                                  .check = check_kernels,
                                  .serve = launch,
                                  .toy = &toy_kind});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_are_stored),
        cmocka_unit_test(rays_go_to_who_has_asked),
        cmocka_unit_test(the_halves_of_a_ray_may_come_apart),
        cmocka_unit_test(hits_go_by_priority),
        cmocka_unit_test(the_end_goes_both_ways),
        cmocka_unit_test(an_rt_core_gets_rays_and_sends_them_on),
        cmocka_unit_test(finished_rays_go_first_and_requests_for_them_last),
        cmocka_unit_test(requests_are_taken_while_the_store_has_no_room),
        cmocka_unit_test(a_refusal_is_told_to_who_waits_and_who_asks),
        cmocka_unit_test(a_kernel_starts_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
