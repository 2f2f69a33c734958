/*
 * Predictions of hand-made runs, worked out on paper: latencies, queues,
 * bursts, slots, caches, more TMs.
 */
#include "sim/verdict/verdict.h"
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
    [PLACES] = {.name = "slots",
                .param = "places",
                .sort = LIMIT_PLACES,
                .insides = 1},
    [SIZE] = {.name = "size", .param = "size", .sort = LIMIT_SIZE},
};

static struct lever lever(const struct limit_row *row, double use)
{
    return (struct lever){.group = "toy",
                          .row = row,
                          .value = 8,
                          .used = use,
                          .servers = 1,
                          .eases = {0.5, 0.5},
                          .halves = true,
                          .use = {use, use},
                          .steady = {1, 1}};
}

/* A run with one lever of each kind, by the number of its row, and no part. */
static struct verdict run(double rate_used, double slots_used)
{
    struct verdict v = {.cycles = 1000, .lever_count = 4};
    const double used[] = {
        [RATE] = rate_used, [PLACES] = slots_used, [SIZE] = 0};
    for (unsigned i = 0; i < 4; i++)
        v.levers[i] = lever(&rows[i], used[i]);
    return v;
}

static struct part *add(struct verdict *v, double cycles, unsigned of)
{
    struct part *p = &v->parts[v->part_count++];
    *p = (struct part){.group = "toy",
                       .name = "part",
                       .cycles = cycles,
                       .lever = of,
                       .slots = VERDICT_NONE};
    v->busy += cycles;
    v->all = v->busy;
    return p;
}

/* The wait before `servers` servers whose use is `use`, in what they take for
 * each. */
static double waits(double use, double servers)
{
    return queue_at(use, servers) / (use * servers);
}

static double doubled(const struct verdict *v, unsigned of)
{
    return verdict_speedup(v, &(struct change){.lever = of});
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

static void servers_make_shorter_queues(void **state)
{
    assert_near(queue_at(0.5, 1), 0.5);
    assert_near(queue_at(0.8, 1), 3.2);
    assert_near(queue_at(0.5, 7), 0.125);
}

/* Twice as many servers, which are used half as much. */
static void a_queue_shrinks_with_what_its_place_is_used(void **state)
{
    struct verdict v = run(0.5, 0);
    add(&v, 50, RATE);
    add(&v, 50, VERDICT_NONE);
    double gain = doubled(&v, RATE);
    assert_true(gain > 1.5 && gain < 2);
    assert_near(50 + 50 * waits(gain / 4, 2) / waits(0.5, 1), 100 / gain);
}

/* Half of the queue is as long at any pace, and half as long with twice the
 * places. */
static void bursts_queue_at_any_pace(void **state)
{
    struct verdict v = run(0.5, 0);
    v.levers[RATE].steady[0] = 0.5;
    add(&v, 50, RATE);
    add(&v, 50, LATENCY);
    double gain = doubled(&v, LATENCY);
    assert_near(25 + 25 + 25 * waits(gain / 2, 1) / waits(0.5, 1), 100 / gain);
    gain = doubled(&v, RATE);
    assert_near(50 + 12.5 + 25 * waits(gain / 4, 2) / waits(0.5, 1),
                100 / gain);
}

/* Only a part of what waits would go to the other places. */
static void what_more_places_do_not_help_stays(void **state)
{
    struct verdict v = run(0.5, 0);
    v.levers[RATE].steady[0] = 0;
    v.levers[RATE].eases[0] = 0.25;
    v.levers[RATE].halves = false;
    add(&v, 50, RATE);
    add(&v, 50, VERDICT_NONE);
    assert_near(doubled(&v, RATE), 100 / 87.5);
}

/* A place whose counters tell nothing, by a queue of 1. */
static void a_queue_tells_the_use_of_its_place(void **state)
{
    assert_near(use_of(-1, 1), 0.5);
    assert_near(use_of(0.25, 1), 0.25);
    assert_near(use_of(1, 1), 0.98);
}

/* Without the queue it would be 100 / 60; the place allows 1 / 0.8 at most. */
static void another_place_bounds_the_gain(void **state)
{
    struct verdict v = run(0.8, 0);
    add(&v, 80, LATENCY);
    add(&v, 20, RATE);
    double gain = doubled(&v, LATENCY);
    assert_true(gain > 1 && gain < 1.25);
    assert_near(40 + 20 * waits(0.8 * gain, 1) / 4, 100 / gain);
}

/* Harts wait as in a queue, and what is inside stays as long. */
static void harts_wait_for_slots_as_in_a_queue(void **state)
{
    struct verdict v = run(0, 0.5);
    add(&v, 50, PLACES);
    add(&v, 50, VERDICT_NONE)->slots = PLACES;
    double gain = doubled(&v, PLACES);
    assert_near(50 + 50 * waits(gain / 4, 2) / waits(0.5, 1), 100 / gain);
}

/* Rays stay 3 / 4 as long, and as much shorter is each turn for a slot. */
static void shorter_stays_free_slots(void **state)
{
    struct verdict v = run(0, 0.9);
    add(&v, 60, PLACES);
    add(&v, 20, LATENCY)->slots = PLACES;
    add(&v, 20, VERDICT_NONE)->slots = PLACES;
    double gain = doubled(&v, LATENCY);
    assert_true(gain > 1.2 && gain < 4. / 3 / 0.9);
    assert_near(30 + 60 * 0.75 * waits(0.9 * gain * 0.75, 1) / 9, 100 / gain);
}

/* Places of a cache are taken as long as what is beyond it takes, which is half
 * as long: so is the wait for them, and its queue is shorter. */
static void fetches_hold_what_they_take(void **state)
{
    static const struct limit_row mshrs = {.name = "MSHRs",
                                           .sort = LIMIT_PLACES};
    struct verdict v = run(0, 0);
    unsigned held = v.lever_count++;
    v.levers[held] = lever(&mshrs, 0.8);
    v.levers[held].level = 1;
    add(&v, 60, held);
    lever_set_add(&add(&v, 40, LATENCY)->beyond, held);
    double gain = doubled(&v, LATENCY);
    assert_near(20 + 60 * 0.5 * waits(0.8 * gain * 0.5, 1) / waits(0.8, 1),
                100 / gain);
}

/* 50 / 2 of rays, and 50 of others, whose place is full. */
static void what_rays_wait_for_does_not_slow_other_work(void **state)
{
    struct verdict v = run(0.97, 0);
    add(&v, 50, LATENCY)->slots = PLACES;
    add(&v, 50, RATE);
    assert_near(doubled(&v, LATENCY), 100. / 75);
}

static void a_larger_cache_misses_less_of_what_it_had(void **state)
{
    struct verdict v = run(0, 0);
    struct part *near = add(&v, 50, VERDICT_NONE);
    lever_set_add(&near->beyond, SIZE);
    lever_set_add(&near->near, SIZE);
    lever_set_add(&add(&v, 20, VERDICT_NONE)->beyond, SIZE);
    add(&v, 30, VERDICT_NONE);
    v.levers[SIZE].eases_near = 0.5;
    v.levers[SIZE].eases_far = 0.25;
    assert_near(doubled(&v, SIZE), 100. / (25 + 15 + 30));
}

/* Harts that are idle wait for the others. */
static void what_is_idle_lasts_as_long_as_what_is_not(void **state)
{
    struct verdict v = run(0, 0);
    add(&v, 75, VERDICT_NONE);
    v.all = 100;
    assert_near(verdict_speedup(
                    &v, &(struct change){.lever = VERDICT_NONE, .tms = true}),
                2);
}

/* Twice the slots hold more rays, whose bursts are as much longer: of what is
 * inside, 30 + 20 c with c = s (30 + 20 c) / 50. */
static void more_rays_in_flight_make_longer_bursts(void **state)
{
    struct verdict v = run(0.1, 0.5);
    v.levers[RATE].steady[1] = 0;
    add(&v, 50, PLACES);
    add(&v, 30, VERDICT_NONE)->slots = PLACES;
    add(&v, 20, RATE)->slots = PLACES;
    double gain = doubled(&v, PLACES), longer = 0.6 / (1 - 0.4 * gain);
    double slots = waits(gain / 4 * longer, 2) / waits(0.5, 1) * longer;
    assert_true(gain > 1.1 && longer > 1.1);
    assert_true(fabs(50 * longer + 50 * slots - 100 / gain) < 0.5);
}

/* Nothing waits for it yet, but it is taken 4 / 5 of the time. */
static void places_without_a_queue_bound_the_gain(void **state)
{
    static const struct limit_row mshrs = {.name = "MSHRs",
                                           .sort = LIMIT_PLACES};
    struct verdict v = run(0, 0);
    add(&v, 100, LATENCY);
    assert_near(doubled(&v, LATENCY), 2);
    v.levers[v.lever_count++] = lever(&mshrs, 0.8);
    assert_near(doubled(&v, LATENCY), 1.25);
}

/* Half as long, it holds up half as many, at the same pace. */
static void what_a_fetch_holds_up_waits_for_the_rest_of_it(void **state)
{
    static const struct limit_row targets = {.name = "targets", .blocks = 1};
    struct verdict v = run(0, 0);
    unsigned held = v.lever_count++;
    v.levers[held] = lever(&targets, 0.1);
    v.levers[held].level = 1;
    v.levers[held].steady[0] = 0;
    add(&v, 20, VERDICT_NONE);
    add(&v, 40, held);
    lever_set_add(&add(&v, 40, LATENCY)->beyond, held);
    double gain = doubled(&v, LATENCY);
    assert_near(20 + 20 + 40 * 0.25 * gain, 100 / gain);
}

/* Nine in ten would go to other banks, but the port is used half of the time in
 * which its first message waits. */
static void a_burst_leaves_no_faster_than_its_port_sends(void **state)
{
    static const struct limit_row ports = {.name = "ports", .passes = true};
    struct verdict v = run(0.2, 0);
    unsigned port = v.lever_count++;
    v.levers[port] = lever(&ports, 0.4);
    v.levers[port].ahead = 0.8;
    v.levers[RATE].level = 1;
    v.levers[RATE].steady[1] = 0;
    v.levers[RATE].eases[1] = 0.9;
    add(&v, 50, RATE)->slots = PLACES;
    add(&v, 50, VERDICT_NONE)->slots = PLACES;
    assert_near(doubled(&v, RATE), 100. / 75);
}

/* Of the 0.8 of the time that it is held, what is at the other end takes half,
 * for half as long. */
static void a_port_is_held_up_only_by_what_waits(void **state)
{
    static const struct limit_row ports = {.name = "ports", .passes = true};
    struct verdict v = run(0, 0);
    unsigned port = v.lever_count++;
    v.levers[port] = lever(&ports, 0.4);
    v.levers[port].own = 0.4;
    v.levers[port].ahead = 0.8;
    add(&v, 50, port);
    lever_set_add(&add(&v, 50, LATENCY)->beyond, port);
    double gain = doubled(&v, LATENCY), held = (0.4 + 0.4 * 0.5) / 0.8;
    assert_near(25 + 50 * held * waits(0.8 * gain * held, 1) / waits(0.8, 1),
                100 / gain);
}

/* Harts hand over rays for all slots 0.7 of the time, for twice as many 0.4. */
static void too_few_harts_bound_the_gain_of_more_slots(void **state)
{
    struct verdict v = run(0, 0.9);
    const struct change more = {.lever = PLACES, .saturated = true};
    add(&v, 80, PLACES);
    add(&v, 20, VERDICT_NONE)->slots = PLACES;
    double full = verdict_speedup(&v, &more), unbound = doubled(&v, PLACES);
    v.levers[PLACES].full = 0.7;
    double gain = doubled(&v, PLACES);
    assert_true(gain < unbound);
    assert_near(0.4 / full + 0.3 * log(full) / (full - 1) + 0.3, 1 / gain);
    /* Of streams, too, a treelet has rays for all slots so long. */
    v.levers[PLACES].streams = true;
    assert_near(doubled(&v, PLACES), gain);
}

/* Used half of the time, with a queue: rays are twice as fast then, and do not
 * wait for what others do. */
static void a_saturated_place_gains_for_what_waits_for_it(void **state)
{
    struct verdict v = run(0.5, 0);
    v.levers[RATE].crowded = 0.5;
    add(&v, 30, RATE)->slots = PLACES;
    add(&v, 70, VERDICT_NONE);
    double gain = doubled(&v, RATE);
    assert_true(gain > 1.3 && gain < 4. / 3 + 0.01);
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
    v.levers[RATE].steady[0] = 0;
    add(&v, 50, RATE);
    add(&v, 50, VERDICT_NONE);
    const struct change tms = {.lever = VERDICT_NONE, .tms = true},
                        harts = {.lever = VERDICT_NONE, .harts = true};
    assert_near(verdict_speedup(&v, &tms), 200. / 150);
    assert_near(verdict_speedup(&v, &harts), 200. / 250);
    assert_near(doubled(&v, RATE), 100. / 75);
}

static void the_largest_gain_comes_first_a_larger_chip_last(void **state)
{
    struct verdict v = run(0.5, 0);
    struct prediction list[VERDICT_LEVERS + 2];
    add(&v, 60, LATENCY);
    add(&v, 10, RATE);
    add(&v, 30, VERDICT_NONE);
    unsigned count = verdict_predict(&v, list);
    assert_int_equal(count, 6);
    assert_int_equal(list[0].change.lever, LATENCY);
    assert_int_equal(list[1].change.lever, RATE);
    assert_int_equal(list[4].change.lever, VERDICT_NONE);
    assert_int_equal(list[5].change.lever, VERDICT_NONE);
    v.levers[LATENCY].value = 1; /* cannot be halved */
    v.levers[RATE].refused = true;
    assert_int_equal(verdict_predict(&v, list), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_latency_takes_half_its_cycles),
        cmocka_unit_test(servers_make_shorter_queues),
        cmocka_unit_test(a_queue_shrinks_with_what_its_place_is_used),
        cmocka_unit_test(bursts_queue_at_any_pace),
        cmocka_unit_test(what_more_places_do_not_help_stays),
        cmocka_unit_test(a_queue_tells_the_use_of_its_place),
        cmocka_unit_test(another_place_bounds_the_gain),
        cmocka_unit_test(harts_wait_for_slots_as_in_a_queue),
        cmocka_unit_test(shorter_stays_free_slots),
        cmocka_unit_test(fetches_hold_what_they_take),
        cmocka_unit_test(what_rays_wait_for_does_not_slow_other_work),
        cmocka_unit_test(a_larger_cache_misses_less_of_what_it_had),
        cmocka_unit_test(what_is_idle_lasts_as_long_as_what_is_not),
        cmocka_unit_test(more_rays_in_flight_make_longer_bursts),
        cmocka_unit_test(places_without_a_queue_bound_the_gain),
        cmocka_unit_test(what_a_fetch_holds_up_waits_for_the_rest_of_it),
        cmocka_unit_test(a_burst_leaves_no_faster_than_its_port_sends),
        cmocka_unit_test(a_port_is_held_up_only_by_what_waits),
        cmocka_unit_test(too_few_harts_bound_the_gain_of_more_slots),
        cmocka_unit_test(a_saturated_place_gains_for_what_waits_for_it),
        cmocka_unit_test(more_tms_queue_before_what_they_share),
        cmocka_unit_test(bursts_are_as_long_for_each_hart),
        cmocka_unit_test(the_largest_gain_comes_first_a_larger_chip_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
