/*
 * Predictions of hand-made runs, worked out on paper: latencies, queues, slots,
 * caches, more TMs. Uses are chosen so that g(U) = U / (1 - U) is simple.
 */
#include "sim/host/verdict.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

enum { RATE, LATENCY, PLACES, SIZE };

static const struct limit_row rows[] = {
    [RATE] = {.name = "banks", .param = "banks"},
    [LATENCY] = {.name = "latency", .param = "latency", .sort = LIMIT_LATENCY},
    [PLACES] = {.name = "slots", .param = "places", .sort = LIMIT_PLACES},
    [SIZE] = {.name = "size", .param = "size", .sort = LIMIT_SIZE},
};

/* A run with one lever of each kind, by the number of its row, and no part. */
static struct verdict run(double rate_used, double slots_used)
{
    struct verdict v = {.cycles = 1000, .lever_count = 4, .slots = PLACES};
    for (unsigned i = 0; i < 4; i++)
        v.levers[i] = (struct lever){
            .group = "toy", .row = &rows[i], .value = 8, .used = -1};
    for (unsigned inside = 0; inside < 2; inside++) {
        v.levers[RATE].load[inside] = rate_used;
        v.levers[PLACES].load[inside] = slots_used;
    }
    return v;
}

static struct part *add(struct verdict *v, double cycles, unsigned lever)
{
    struct part *p = &v->parts[v->part_count++];
    *p = (struct part){
        .group = "toy", .name = "part", .cycles = cycles, .lever = lever};
    v->busy += cycles;
    v->all = v->busy;
    return p;
}

static double doubled(const struct verdict *v, unsigned lever)
{
    return verdict_speedup(v, &(struct change){.lever = lever});
}

static void assert_near(double is, double expected)
{
    if (fabs(is - expected) > 1e-6)
        fail_msg("%.9g, expected %.9g", is, expected);
}

static void half_a_latency_takes_half_its_cycles(void **state)
{
    struct verdict v = run(0, 0);
    add(&v, 60, LATENCY);
    add(&v, 40, VERDICT_NONE);
    assert_near(doubled(&v, LATENCY), 100. / 70);
    assert_near(doubled(&v, RATE), 1);
}

/* 50 + 50 g(s / 4) / g(1 / 2) = 100 / s at s = 4 / 3, where g is 1 / 2. */
static void a_queue_shrinks_with_what_its_place_is_used(void **state)
{
    struct verdict v = run(0.5, 0);
    add(&v, 50, RATE);
    add(&v, 50, VERDICT_NONE);
    assert_near(doubled(&v, RATE), 4. / 3);
}

/* 60 g(s / 4) / g(1 / 2) + 24 (g(s / 4) + 2 / 3) + 20 = 104 / s at s = 4 / 3:
 * of the other's queue of 1 only g(1 / 4) = 1 / 3 is of what it is used. */
static void a_place_that_is_used_most_paces_others(void **state)
{
    struct verdict v = run(0.5, 0);
    unsigned other = v.lever_count++;
    v.levers[other] = (struct lever){
        .group = "toy", .row = &rows[RATE], .used = 0.25, .load = {0.5, 0.5}};
    v.levers[RATE].used = 0.5;
    add(&v, 60, RATE);
    add(&v, 24, other);
    add(&v, 20, VERDICT_NONE);
    assert_near(doubled(&v, RATE), 4. / 3);
    v.levers[RATE].used = 0.4;
    assert_true(doubled(&v, RATE) < 1.25);
}

/* The same place, whose counters tell nothing, by a queue of 1. */
static void a_queue_tells_the_use_of_its_place(void **state)
{
    struct verdict v = run(load_of(-1, 1), 0);
    add(&v, 50, RATE);
    add(&v, 50, VERDICT_NONE);
    assert_near(doubled(&v, RATE), 4. / 3);
}

/* Without the queue it would be 100 / 60; the place allows 1 / 0.8 at most. */
static void another_place_bounds_the_gain(void **state)
{
    struct verdict v = run(0.8, 0);
    add(&v, 80, LATENCY);
    add(&v, 20, RATE);
    double gain = doubled(&v, LATENCY);
    assert_true(gain > 1 && gain < 1.25);
    double length = 0.8 * gain / (1 - 0.8 * gain);
    assert_near(40 + 20 * length / 4, 100 / gain);
}

/* As with a queue, and what is inside stays as long. */
static void harts_wait_for_slots_as_in_a_queue(void **state)
{
    struct verdict v = run(0, 0.5);
    add(&v, 50, PLACES);
    add(&v, 50, VERDICT_NONE)->inside = true;
    assert_near(doubled(&v, PLACES), 4. / 3);
}

/* Rays stay 3 / 4 as long: 30 + 60 g(s 0.9 3 / 4) / 9 = 100 / s. */
static void shorter_stays_free_slots(void **state)
{
    struct verdict v = run(0, 0.9);
    add(&v, 60, PLACES);
    add(&v, 20, LATENCY)->inside = true;
    add(&v, 20, VERDICT_NONE)->inside = true;
    double gain = doubled(&v, LATENCY), use = 0.9 * gain * 30 / 40;
    assert_true(gain > 1.2 && gain < 4. / 3 / 0.9);
    assert_near(30 + 60 * use / (1 - use) / 9, 100 / gain);
}

/* 50 / 2 of rays, and 50 of others, whose place is full. */
static void what_rays_wait_for_does_not_slow_other_work(void **state)
{
    struct verdict v = run(0.97, 0);
    add(&v, 50, LATENCY)->inside = true;
    add(&v, 50, RATE);
    assert_near(doubled(&v, LATENCY), 100. / 75);
}

static void a_larger_cache_misses_less_of_what_it_had(void **state)
{
    struct verdict v = run(0, 0);
    v.levers[SIZE].avoidable = 0.5;
    add(&v, 50, VERDICT_NONE)->beyond = 1u << SIZE;
    add(&v, 50, VERDICT_NONE);
    assert_near(doubled(&v, SIZE), 100 / (50 + 50 * (0.5 + 0.5 * sqrt(0.5))));
}

/* 2 (100 / s - 25) = 75. */
static void more_tms_shorten_all_but_what_is_idle_at_the_end(void **state)
{
    struct verdict v = run(0, 0);
    add(&v, 75, VERDICT_NONE);
    v.all = 100;
    assert_near(verdict_speedup(
                    &v, &(struct change){.lever = VERDICT_NONE, .tms = true}),
                1.6);
}

/* A place that all TMs share is used by more of them. */
static void more_tms_queue_before_what_they_share(void **state)
{
    struct verdict v = run(0.5, 0);
    add(&v, 50, RATE);
    add(&v, 50, VERDICT_NONE);
    const struct change tms = {.lever = VERDICT_NONE, .tms = true};
    double shared = verdict_speedup(&v, &tms);
    assert_near(50 + 50 * (shared / 2) / (1 - shared / 2), 200 / shared);
    v.levers[RATE].of_cores = true;
    assert_near(verdict_speedup(&v, &tms), 2);
}

/* 50 + 50 once for each hart, in a queue that is as long as there are harts in
 * a TM: 200 / s is 2 50 + 50, or 4 50 + 50. */
static void bursts_are_as_long_for_each_hart(void **state)
{
    struct verdict v = run(0.5, 0);
    v.levers[RATE].of_cores = true;
    v.levers[RATE].burst = 1;
    add(&v, 50, RATE);
    add(&v, 50, VERDICT_NONE);
    const struct change tms = {.lever = VERDICT_NONE, .tms = true},
                        harts = {.lever = VERDICT_NONE, .harts = true};
    assert_near(verdict_speedup(&v, &tms), 200. / 150);
    assert_near(verdict_speedup(&v, &harts), 200. / 250);
    assert_near(doubled(&v, RATE), 100. / 75);
}

static void the_largest_gain_comes_first(void **state)
{
    struct verdict v = run(0.5, 0);
    struct prediction list[VERDICT_LEVERS + 2];
    add(&v, 60, LATENCY);
    add(&v, 10, RATE);
    add(&v, 30, VERDICT_NONE);
    unsigned count = verdict_predict(&v, list);
    assert_int_equal(count, 6);
    assert_true(list[0].change.tms || list[0].change.harts);
    assert_int_equal(list[2].change.lever, LATENCY);
    assert_int_equal(list[3].change.lever, RATE);
    v.levers[LATENCY].value = 1; /* cannot be halved */
    assert_int_equal(verdict_predict(&v, list), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_latency_takes_half_its_cycles),
        cmocka_unit_test(a_queue_shrinks_with_what_its_place_is_used),
        cmocka_unit_test(a_place_that_is_used_most_paces_others),
        cmocka_unit_test(a_queue_tells_the_use_of_its_place),
        cmocka_unit_test(another_place_bounds_the_gain),
        cmocka_unit_test(harts_wait_for_slots_as_in_a_queue),
        cmocka_unit_test(shorter_stays_free_slots),
        cmocka_unit_test(what_rays_wait_for_does_not_slow_other_work),
        cmocka_unit_test(a_larger_cache_misses_less_of_what_it_had),
        cmocka_unit_test(more_tms_shorten_all_but_what_is_idle_at_the_end),
        cmocka_unit_test(more_tms_queue_before_what_they_share),
        cmocka_unit_test(bursts_are_as_long_for_each_hart),
        cmocka_unit_test(the_largest_gain_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
