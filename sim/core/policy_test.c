/*
 * Host policy on a host of simulated times: the test says what each tile takes,
 * what barriers and other work of the host cost, and looks at what is decided.
 */
#include "sim/core/policy.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define TILES 5
#define THREADS 2
#define BARRIER 300 /* ns */

struct simulation {
    struct policy policy;
    struct engine_host host;
    uint64_t tile_cost[TILES]; /* ns */
    uint64_t lost;             /* ns an epoch, where several threads run */
    uint64_t services; /* ns an epoch, which are no measure of threads */
    bool busy;         /* the host has other work */
    uint64_t now, tile_now;
    unsigned several, tries; /* epochs of several threads; begins of such */
};

static uint64_t simulated_ns(void *context)
{
    return ((struct simulation *)context)->now;
}

static uint64_t simulated_tile_ns(void *context)
{
    return ((struct simulation *)context)->tile_now;
}

static bool simulated_is_busy(void *context, unsigned threads, unsigned awake)
{
    assert_int_equal(threads, THREADS);
    assert_int_equal(awake, 1);
    return ((struct simulation *)context)->busy;
}

static void start(struct simulation *s, enum engine_schedule schedule,
                  bool profiles)
{
    static const uint64_t sizes[TILES] = {4, 1, 1, 1, 1};
    s->host = (struct engine_host){.context = s,
                                   .ns = simulated_ns,
                                   .tile_ns = simulated_tile_ns,
                                   .is_busy = simulated_is_busy};
    struct engine_options options = {
        .threads = THREADS, .schedule = schedule, .host = &s->host};
    policy_init(&s->policy, &options, sizes, TILES, profiles, BARRIER);
    policy_begin(&s->policy);
}

/* ns that an epoch takes, by what was decided. */
static uint64_t epoch_ns(const struct simulation *s)
{
    uint64_t sum[THREADS] = {0};
    for (unsigned i = 0; i < TILES; i++)
        sum[policy_is_alone(&s->policy) ? 0 : s->policy.shares.owner[i]] +=
            s->tile_cost[i];
    uint64_t most = sum[0] > sum[1] ? sum[0] : sum[1];
    return policy_is_alone(&s->policy) ? most : most + BARRIER + s->lost;
}

static void run_epoch(struct simulation *s)
{
    struct policy *p = &s->policy;
    bool alone = policy_is_alone(p);
    for (unsigned i = 0; p->timed && i < TILES; i++) {
        uint64_t since = policy_tile_ns(p);
        s->tile_now += s->tile_cost[i];
        policy_note_tile(p, i, since);
    }
    s->several += !alone;
    s->now += epoch_ns(s);
    uint64_t since = policy_pause(p);
    s->now += s->services;
    policy_resume(p, since);
    policy_next_turn(p, 1, 1);
    s->tries += alone && !policy_is_alone(p);
}

static void run_epochs(struct simulation *s, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        run_epoch(s);
}

static void run(struct simulation *s, unsigned epochs)
{
    start(s, SCHEDULE_MEASURED, false);
    run_epochs(s, epochs);
}

#define EVEN                                                                   \
    {                                                                          \
        10000, 10000, 10000, 10000, 10000                                      \
    }

static void one_thread_begins_and_several_follow_where_they_pay(void **state)
{
    (void)state;
    struct simulation s = {.tile_cost = EVEN};
    start(&s, SCHEDULE_MEASURED, false);
    assert_true(policy_is_alone(&s.policy));
    run_epochs(&s, 100);
    assert_false(policy_is_alone(&s.policy));
    assert_int_equal(s.tries, 1); /* and they go on */
    policy_free(&s.policy);
}

static void a_thread_has_fewer_tiles_that_take_longer(void **state)
{
    (void)state;
    struct simulation s = {.tile_cost = {40000, 10000, 10000, 10000, 10000}};
    run(&s, 100);
    assert_int_equal(policy_share(&s.policy, s.policy.shares.owner[0]), 1);
    s.tile_cost[0] = 10000;
    s.tile_cost[4] = 40000;
    run_epochs(&s, 600);
    assert_int_equal(policy_share(&s.policy, s.policy.shares.owner[4]), 1);
    policy_free(&s.policy);
}

/* Tiles come into a core's cache line by line: 2 % are not worth it. */
static void a_move_that_gains_little_is_not_made(void **state)
{
    (void)state;
    struct simulation s = {.tile_cost = {20000, 20000, 400, 20000, 20000}};
    run(&s, 100);
    unsigned changes = s.policy.changes, with = s.policy.shares.owner[2];
    for (unsigned i = 0; i < TILES; i++)
        s.tile_cost[i] -= i != 2 && s.policy.shares.owner[i] != with ? 400 : 0;
    run_epochs(&s, 600);
    assert_int_equal(s.policy.changes, changes);
    policy_free(&s.policy);
}

static void one_thread_goes_on_alone_where_barriers_cost_more(void **state)
{
    (void)state;
    struct simulation s = {.tile_cost = {100, 100, 100, 100, 100}};
    run(&s, 2000);
    assert_int_equal(s.several, 0);
    policy_free(&s.policy);
}

/* Each time after more epochs than the last. */
static void
threads_that_take_longer_than_one_are_tried_less_and_less(void **state)
{
    (void)state;
    struct simulation s = {.tile_cost = EVEN, .lost = 100000};
    run(&s, 2000);
    unsigned first = s.tries;
    assert_in_range(first, 2, 6);
    run_epochs(&s, 2000);
    assert_in_range(s.tries - first, 0, 1);
    assert_true(policy_is_alone(&s.policy));
    policy_free(&s.policy);
}

static void threads_that_lose_much_give_up_at_once(void **state)
{
    (void)state;
    struct simulation s = {.tile_cost = EVEN, .lost = 10000000};
    run(&s, 80);
    assert_int_equal(s.tries, 1);
    assert_in_range(s.several, 1, 2);
    policy_free(&s.policy);
}

static void a_host_with_other_work_is_left_to_it(void **state)
{
    (void)state;
    struct simulation idle = {.tile_cost = EVEN};
    struct simulation busy = {.tile_cost = EVEN, .busy = true};
    run(&idle, 2000);
    run(&busy, 2000);
    assert_true(idle.several > 1900);
    assert_int_equal(busy.several, 0);
    run_epochs(&busy, 12000); /* once it is seen what they do */
    assert_int_not_equal(busy.several, 0);
    policy_free(&idle.policy);
    policy_free(&busy.policy);
}

static void
when_a_kernel_begins_it_is_decided_anew_within_seven_epochs(void **state)
{
    (void)state;
    struct simulation s = {.tile_cost = {10, 10, 10, 10, 10}};
    run(&s, 1000);
    assert_int_equal(s.several, 0);
    for (unsigned i = 0; i < TILES; i++)
        s.tile_cost[i] = 10000;
    run_epochs(&s, 7);
    assert_false(policy_is_alone(&s.policy));
    policy_free(&s.policy);
}

static void what_threads_lost_before_a_kernel_is_forgotten(void **state)
{
    (void)state;
    struct simulation s = {.tile_cost = EVEN, .lost = 100000};
    run(&s, 2000);
    assert_true(policy_is_alone(&s.policy));
    for (unsigned i = 0; i < TILES; i++)
        s.tile_cost[i] = 100000;
    run_epochs(&s, 7);
    assert_false(policy_is_alone(&s.policy));
    policy_free(&s.policy);
}

/* A service takes as long as a hundred epochs; threads go on. */
static void services_are_no_measure_of_threads(void **state)
{
    (void)state;
    struct simulation s = {.tile_cost = EVEN, .services = 5000000};
    run(&s, 1000);
    assert_int_equal(s.tries, 1);
    assert_true(s.several > 900);
    policy_free(&s.policy);
}

static void other_schedules_decide_nothing(void **state)
{
    (void)state;
    static const enum engine_schedule schedules[] = {SCHEDULE_FIXED,
                                                     SCHEDULE_DYNAMIC};
    for (unsigned i = 0; i < 2; i++) {
        struct simulation s = {.tile_cost = EVEN, .lost = 100000};
        start(&s, schedules[i], false);
        run_epochs(&s, 200);
        assert_int_equal(s.several, 200);
        assert_int_equal(policy_share(&s.policy, 0), 1); /* by size */
        assert_int_equal(s.tile_now, 0);                 /* and none is timed */
        policy_free(&s.policy);
    }
}

static void tiles_are_timed_for_who_wants_to_know(void **state)
{
    (void)state;
    struct simulation s = {.tile_cost = EVEN};
    start(&s, SCHEDULE_FIXED, true);
    run_epochs(&s, 71);
    assert_int_equal(s.tile_now, 10 * TILES * 10000);
    assert_int_equal(s.policy.tile_ns[TILES - 1], 10000);
    policy_free(&s.policy);
}

/* A turn of several epochs says how long one of them takes. */
static void longer_turns_are_weighed_by_epoch(void **state)
{
    (void)state;
    struct simulation s = {.tile_cost = EVEN};
    start(&s, SCHEDULE_FIXED, true);
    for (unsigned turn = 0; turn < 8; turn++) {
        for (unsigned n = 0; n < 4 && s.policy.timed; n++) {
            uint64_t since = policy_tile_ns(&s.policy);
            s.tile_now += 10000;
            policy_note_tile(&s.policy, 1, since);
        }
        policy_next_turn(&s.policy, 4, 1);
    }
    assert_int_equal(s.policy.epochs, 32);
    assert_int_equal(s.policy.tile_ns[1], 10000);
    policy_free(&s.policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_begins_and_several_follow_where_they_pay),
        cmocka_unit_test(a_thread_has_fewer_tiles_that_take_longer),
        cmocka_unit_test(a_move_that_gains_little_is_not_made),
        cmocka_unit_test(one_thread_goes_on_alone_where_barriers_cost_more),
        cmocka_unit_test(
            threads_that_take_longer_than_one_are_tried_less_and_less),
        cmocka_unit_test(threads_that_lose_much_give_up_at_once),
        cmocka_unit_test(a_host_with_other_work_is_left_to_it),
        cmocka_unit_test(
            when_a_kernel_begins_it_is_decided_anew_within_seven_epochs),
        cmocka_unit_test(what_threads_lost_before_a_kernel_is_forgotten),
        cmocka_unit_test(services_are_no_measure_of_threads),
        cmocka_unit_test(other_schedules_decide_nothing),
        cmocka_unit_test(tiles_are_timed_for_who_wants_to_know),
        cmocka_unit_test(longer_turns_are_weighed_by_epoch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
