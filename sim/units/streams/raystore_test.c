/*
 * A ray store: when requests take effect, in which order answers leave, how
 * rays that no more may come end the waiting, what is refused.
 */
#include "sim/units/streams/raystore_client_bench.h"

#define LATENCY 20u
#define THERE (LINK + LATENCY) /* from sending to taking effect */

static const struct toy_run two = {.tms = 2,
                                   .live = 4,
                                   .banks = 2,
                                   .latency = LATENCY,
                                   .depth = 4,
                                   .batch = 2,
                                   .busy = 4};

static void play(void (*build)(struct bench *b), void (*check)(struct bench *b),
                 const struct toy_run *r)
{
    bench_play(&(struct scenario){
        .build = build, .check = check, .with = r, .toy = &toy_kind});
}

/* The i-th message that a TM has got. */
static const struct msg *got(const struct bench *b, uint32_t tm, uint32_t i,
                             uint8_t op)
{
    assert_true(i < toy_at(b, tm)->taken);
    assert_int_equal(toy_at(b, tm)->in[i].msg.op, op);
    return &toy_at(b, tm)->in[i].msg;
}

static void expect_at(const struct bench *b, uint32_t tm, uint32_t i,
                      uint64_t at)
{
    assert_int_equal(toy_at(b, tm)->in[i].at, at);
}

/* ---- time ---- */

static void build_times(struct bench *b)
{
    toy_chip(b);
    toy_ray(toy_at(b, 0), 0, 5, 0, 3);
    toy_load(toy_at(b, 1), 10, 77);
    toy_load(toy_at(b, 0), 100, 78);
    toy_ray(toy_at(b, 1), 200, 6, 0, 3);
}

static void check_times(struct bench *b)
{
    const struct msg *m = got(b, 1, 0, STREAM_RAY);
    assert_int_equal(m->addr, 5);
    assert_int_equal(m->tag, 3);
    assert_int_equal(m->from, 77);
    got(b, 1, 1, STREAM_STATE);
    expect_at(b, 1, 0, 10 + THERE + LINK);
    /* 1 works in 3 */
    assert_int_equal(toy_at(b, 0)->taken, 0);
    assert_stat(b->units[0], "tm_cycles", b->cycles - 100 - THERE);
    assert_stat(b->units[0], "busy", 8); /* four taken, four took effect */
}

static void requests_take_effect_after_the_latency(void **state)
{
    play(build_times, check_times, &two);
}

/* One bank: a request and an answer in a cycle, in turn. */
static void build_bank(struct bench *b)
{
    toy_chip(b);
    for (uint32_t i = 0; i < 4; i++)
        toy_ray(toy_at(b, 0), i, i, 0, 3);
    for (uint32_t tm = 0; tm < 2; tm++)
        for (uint32_t i = 0; i < 2; i++)
            toy_load(toy_at(b, tm), 100, i);
}

static void check_bank(struct bench *b)
{
    for (uint32_t tm = 0; tm < 2; tm++)
        for (uint32_t i = 0; i < 2; i++) {
            got(b, tm, 2 * i, STREAM_RAY);
            /* Whose turn was last is last. */
            expect_at(b, tm, 2 * i, 100 + THERE + LINK + 2 * i + !tm);
        }
    assert_stat(b->units[0], "switches", 2);
    assert_stat(b->units[0], "writes", 4);
    assert_stat(b->units[0], "reads", 4);
}

static void a_bank_serves_its_tms_in_turn(void **state)
{
    struct toy_run r = two;
    r.banks = 1;
    r.policy = 1; /* both in one treelet */
    r.batch = r.busy = 1;
    play(build_bank, check_bank, &r);
}

/* ---- order ---- */

static void build_priorities(struct bench *b)
{
    struct toy *t;
    toy_chip(b);
    t = toy_at(b, 0);
    toy_load(t, 0, 9);
    toy_hit_load(t, 0, 1, 1);
    toy_hit_load(t, 0, 2, 0);
    toy_hit_load(t, 0, 3, 1);
    toy_hit_load(t, 0, 4, 0);
    t = toy_at(b, 1);
    toy_over(t, 50, 10, STREAM_NEW);
    toy_over(t, 51, 11, STREAM_NEW);
    toy_over(t, 52, 12, STREAM_NEW);
    toy_ray(t, 53, 13, 0, 1);
    toy_over(t, 54, 14, STREAM_NEW);
}

static void check_priorities(struct bench *b)
{
    static const uint32_t tags[] = {2, 4, 1};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(got(b, 0, i, STREAM_HIT)->tag, tags[i]);
        assert_int_equal(got(b, 0, i, STREAM_HIT)->addr, 10 + i);
    }
    got(b, 0, 3, STREAM_RAY);
    assert_int_equal(got(b, 0, 5, STREAM_HIT)->tag, 3);
    assert_explained(b->units[0], "");
    assert_stat(b->units[0], "finished", 4);
}

static void hits_go_by_priority(void **state)
{
    play(build_priorities, check_priorities, &two);
}

/* A ray and a hit for the same bank in the same cycle. */
static void build_hit_first(struct bench *b)
{
    toy_chip(b);
    toy_load(toy_at(b, 0), 0, 9);
    toy_hit_load(toy_at(b, 0), 1, 1, 1);
    toy_ray(toy_at(b, 0), 100, 11, 0, 1);
    toy_over(toy_at(b, 1), 100, 10, STREAM_NEW);
}

static void check_hit_first(struct bench *b)
{
    got(b, 0, 0, STREAM_HIT);
    expect_at(b, 0, 0, 100 + THERE + LINK);
    got(b, 0, 1, STREAM_RAY);
    expect_at(b, 0, 1, 100 + THERE + LINK + 1);
}

static void hits_go_before_rays(void **state)
{
    play(build_hit_first, check_hit_first, &two);
}

/* ---- the end ---- */

static void build_end(struct bench *b)
{
    toy_chip(b);
    toy_ray(toy_at(b, 0), 0, 5, 0, 3);
    toy_load(toy_at(b, 0), 1, 0);
    toy_load(toy_at(b, 0), 2, 1);
    toy_load(toy_at(b, 1), 2, 0);
    toy_hit_load(toy_at(b, 1), 2, 0, 0);
    toy_end(toy_at(b, 0), 100);
    toy_load(toy_at(b, 1), 300, 3);
}

static void check_end(struct bench *b)
{
    assert_int_equal(toy_at(b, 0)->taken, 3);
    assert_int_equal(got(b, 0, 2, STREAM_END)->from, 1);
    assert_int_equal(toy_at(b, 1)->taken, 2);
    expect_at(b, 1, 0, 100 + THERE + LINK);
    assert_int_equal(got(b, 1, 1, STREAM_END)->from, 3);
    assert_stat(b->units[0], "ends", 3);
}

static void the_end_answers_all_that_wait_for_rays(void **state)
{
    play(build_end, check_end, &two);
}

/* ---- waiting ---- */

/* A ray waits, and so does a TM that wants fewer than a batch. */
static void build_batch(struct bench *b)
{
    toy_chip(b);
    toy_ray(toy_at(b, 0), 0, 1, 0, 3);
    toy_load(toy_at(b, 1), 0, 0);
}

static void check_batch(struct bench *b)
{
    assert_int_equal(toy_at(b, 1)->taken, 0);
    assert_explained(
        b->units[0],
        "rays: 1 requests wait, 1 rays for treelets and 0 finished ones are "
        "there; TM 1 wants 1 rays, another treelet's it gets from 2 on "
        "(parameter batch)\n");
}

static void a_batch_that_nobody_wants_is_told(void **state)
{
    struct toy_run r = two;
    r.policy = 1;
    play(build_batch, check_batch, &r);
}

/* ---- refused ---- */

static void build_refused(struct bench *b)
{
    toy_chip(b);
    toy_ray(toy_at(b, 0), 0, 1, 0, TOY_TREELETS);
    for (uint32_t i = 0; i < 8; i++)
        toy_ray(toy_at(b, 1), i, 2 + i, 0, 3);
    toy_over(toy_at(b, 1), 9, 10, STREAM_NEW);
    toy_ray(toy_at(b, 0), 50, 11, 0, 3);
}

static void expect_why(const struct bench *b, uint64_t address,
                       const char *expected)
{
    char text[200] = "";
    const struct unit *u = b->units[0];
    u->kind->refusal(u, address, text, sizeof text);
    assert_string_equal(text, expected);
}

static void check_refused(struct bench *b)
{
    const struct msg *m = got(b, 0, 0, MEM_FAULT);
    uint64_t treelets = BENCH_READ_ONLY + 8192;
    assert_int_equal(m->addr, treelets + TOY_TREELETS * TOY_TREELET);
    assert_int_equal(m->value, b->units[0]->id);
    assert_int_equal(m->aux, MEM_WRITE);
    assert_int_equal(got(b, 0, 1, MEM_FAULT)->addr, treelets + 3 * TOY_TREELET);
    got(b, 1, 0, MEM_FAULT);
    expect_why(b, m->addr, "a ray of treelet 70, the scene has 70");
    expect_why(b, treelets,
               "no room for another ray in 512 bytes: -s chip.buffer=BYTES "
               "gives more, or the program sends fewer (--buffer)");
    assert_stat(b->units[0], "roots", 8);
    assert_stat(b->units[0], "finished", 0);
    assert_stat(b->units[0], "held_max", 8);
}

static void rays_without_a_place_are_refused(void **state)
{
    play(build_refused, check_refused, &two);
}

static void expect_read(const struct bench *b, uint32_t treelets,
                        const char *why)
{
    const struct corbel_scene scene = {.treelets = treelets};
    struct error e = {""};
    const struct unit *u = b->units[0];
    assert_int_equal(u->kind->reads(u, &scene, &e), !why);
    assert_string_equal(e.text, why ? why : "");
}

static void check_scenes(struct bench *b)
{
    expect_read(b, TOY_TREELETS, NULL);
    expect_read(b, 71,
                "71 treelets, the ray store has room for 70: -s "
                "raystore.treelets=71");
    expect_read(b, 1 << 24,
                "16777216 treelets, the ray store has room for 70: convert it "
                "with larger treelets");
}

static void scenes_with_too_many_treelets_are_refused(void **state)
{
    play(toy_chip, check_scenes, &two);
}

/* ---- kernels ---- */

static bool launch(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    engine_launch(b->engine);
    return true;
}

static void finish(struct driver *d, uint64_t at, uint32_t ray, uint8_t kernel)
{
    struct payload p = toy_half(ray, 0, 1);
    driver_ask(d, at,
               (struct msg){.op = STREAM_OVER, .addr = ray, .size = kernel},
               &p);
}

/* A finished ray, and requests that are there, on their way and still to come
 * when the next kernel starts. */
static void build_kernels(struct bench *b)
{
    struct unit *u = bench_unit(b, "raystore", "rays");
    struct driver *d = bench_driver(b, u, "tm", "ray");
    toy_scene(&b->machine);
    bench_set(b, u, "latency", LATENCY);
    bench_set(b, u, "bytes", 64);
    finish(d, 1, 1, 0);
    driver_service(d, 50);
    for (unsigned i = 0; i < 200; i++)
        driver_ask(d, 51 + i, (struct msg){.op = STREAM_LOAD}, NULL);
    finish(d, 299, 2, 0);
    driver_ask(d, 300, (struct msg){.op = STREAM_HIT_LOAD, .size = 1}, NULL);
    finish(d, 400, 3, 1);
}

static void check_kernels(struct bench *b)
{
    assert_int_equal(b->drivers[0]->answered, 1);
    const struct answer *a = &b->drivers[0]->answers[0];
    assert_int_equal(a->msg.op, STREAM_HIT);
    assert_int_equal(a->msg.addr, 3);
    assert_stat(b->units[0], "hits", 1);
    assert_explained(b->units[0], "");
}

static void a_kernel_starts_without_what_was_there(void **state)
{
    bench_play(&(struct scenario){
        .build = build_kernels, .check = check_kernels, .serve = launch});
}

/* ---- building ---- */

static void what_does_not_fit_is_not_built(void **state)
{
    static const struct built chips[] = {
        {.error = "0 tm links but 0 ray links"},
    };
    for (unsigned i = 0; i < TABLE_COUNT(chips); i++)
        expect_not_built("raystore", &chips[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_take_effect_after_the_latency),
        cmocka_unit_test(a_bank_serves_its_tms_in_turn),
        cmocka_unit_test(hits_go_by_priority),
        cmocka_unit_test(hits_go_before_rays),
        cmocka_unit_test(the_end_answers_all_that_wait_for_rays),
        cmocka_unit_test(a_batch_that_nobody_wants_is_told),
        cmocka_unit_test(rays_without_a_place_are_refused),
        cmocka_unit_test(scenes_with_too_many_treelets_are_refused),
        cmocka_unit_test(a_kernel_starts_without_what_was_there),
        cmocka_unit_test(what_does_not_fit_is_not_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
