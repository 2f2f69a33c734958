/*
 * A ray store among TMs that play kernels: each ray is at one place at a time
 * and ends once, with what has travelled with it, under all policies.
 */
#include "sim/units/streams/raystore_client_bench.h"

static void build(struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    toy_chip(b);
    for (uint32_t i = 0; i < r->tms; i++)
        toy_begin(toy_at(b, i));
}

static uint64_t crossings_of(const struct toy_run *r)
{
    uint64_t all = 0;
    for (uint32_t ray = 0; ray < r->rays; ray++)
        for (uint32_t crossings = 0; !toy_is_over(ray, crossings); crossings++)
            all++;
    return all;
}

static void check_hits(const struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    uint8_t *seen = calloc(r->rays, 1);
    uint64_t hits = 0;
    for (uint32_t tm = 0; tm < r->tms; tm++)
        for (uint32_t i = 0; i < toy_at(b, tm)->taken; i++) {
            const struct incoming *in = &toy_at(b, tm)->in[i];
            assert_true(in->msg.op != MEM_FAULT);
            if (in->msg.op != STREAM_HIT)
                continue;
            struct payload hit = toy_half((uint32_t)in->msg.addr, 0, 1);
            assert_memory_equal(&in->payload, &hit, sizeof hit);
            assert_int_equal(seen[in->msg.addr]++, 0);
            hits++;
        }
    assert_int_equal(hits, r->rays);
    free(seen);
}

static void check_counts(const struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    const struct unit *u = b->units[0];
    uint64_t crossings = crossings_of(r);
    assert_stat(u, "roots", r->rays);
    assert_stat(u, "crossings", crossings);
    assert_stat(u, "finished", r->rays);
    assert_stat(u, "rays", r->rays + crossings);
    assert_stat(u, "hits", r->rays);
    assert_stat(u, "bytes_written", 64 * (2 * r->rays + crossings));
    assert_stat(u, "bytes_read", 64 * (2 * r->rays + crossings));
    assert_true(bench_stat(u, "held_max") <= (uint64_t)r->live * r->tms);
}

/* All slots wait for rays at the end. */
static void check_rest(const struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    char text[120];
    snprintf(text, sizeof text,
             "rays: %u requests wait, 0 rays for treelets and 0 finished ones "
             "are there\n",
             r->tms * r->slots);
    assert_explained(b->units[0], text);
}

static void check(struct bench *b)
{
    assert_int_equal(b->stop, ENGINE_DEADLOCK); /* nothing more to do */
    check_hits(b);
    check_counts(b);
    check_rest(b);
}

static void play(const struct toy_run *r)
{
    bench_play(&(struct scenario){
        .build = build, .check = check, .with = r, .toy = &toy_kind});
}

static const struct toy_run ordinary = {.tms = 4,
                                        .rays = 150,
                                        .live = 9,
                                        .slots = 5,
                                        .banks = 2,
                                        .latency = 10,
                                        .depth = 4,
                                        .batch = 3,
                                        .busy = 4};

static void rays_end_under_all_policies(void **state)
{
    for (uint32_t i = 0; i < 4; i++) {
        struct toy_run r = ordinary;
        r.policy = i / 2;
        r.order = i % 2;
        play(&r);
    }
}

static void one_ray_at_a_time(void **state)
{
    struct toy_run r = ordinary;
    r.live = r.slots = r.batch = 1;
    r.tms = 2;
    for (r.policy = 0; r.policy < 2; r.policy++)
        play(&r);
    r.rays = 1;
    r.policy = 0;
    play(&r);
}

static void small_links_and_slow_tms(void **state)
{
    struct toy_run r = ordinary;
    r.depth = 2;
    r.latency = 1;
    r.busy = 1;
    for (r.banks = 1; r.banks < 9; r.banks *= 2)
        play(&r);
    r.pace = 7;
    play(&r);
}

/* At random, whatever the sizes are. */
static void any_sizes(void **state)
{
    for (uint32_t i = 0; i < 12; i++) {
        struct toy_run r = {.tms = 1 + toy_hash(i, 0, 9) % 6,
                            .rays = toy_hash(i, 1, 9) % 120,
                            .live = 1 + toy_hash(i, 2, 9) % 12,
                            .slots = 1 + toy_hash(i, 3, 9) % 12,
                            .pace = toy_hash(i, 4, 9) % 4,
                            .banks = 1 + toy_hash(i, 5, 9) % 8,
                            .latency = 1 + toy_hash(i, 6, 9) % 120,
                            .depth = 2 + toy_hash(i, 7, 9) % 3,
                            .order = i % 2,
                            .policy = i / 2 % 2,
                            .busy = 1 + toy_hash(i, 8, 9) % 6};
        r.batch = 1 + toy_hash(i, 9, 9) % r.slots;
        play(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_end_under_all_policies),
        cmocka_unit_test(one_ray_at_a_time),
        cmocka_unit_test(small_links_and_slow_tms),
        cmocka_unit_test(any_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
