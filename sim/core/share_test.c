/* Tiles on threads: in order, and no other split has a shorter longest one. */
#include "sim/core/share.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define TILES 9
#define THREADS 4

static uint64_t next_random(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

/* By trying all. */
static uint64_t least_most(const uint64_t *weights, unsigned tiles,
                           unsigned threads)
{
    uint64_t sum = 0, best = UINT64_MAX;
    if (threads == 1) {
        for (unsigned i = 0; i < tiles; i++)
            sum += weights[i];
        return sum;
    }
    for (unsigned first = 0; first <= tiles; first++) {
        uint64_t rest = least_most(weights + first, tiles - first, threads - 1);
        uint64_t most = sum > rest ? sum : rest;
        best = most < best ? most : best;
        sum += first < tiles ? weights[first] : 0;
    }
    return best;
}

static void check_split(const uint64_t *weights, unsigned tiles,
                        unsigned threads)
{
    unsigned end[2 * TILES];
    share_split(weights, tiles, threads, end);
    for (unsigned n = 1; n < threads; n++)
        assert_true(end[n - 1] <= end[n]);
    assert_int_equal(end[threads - 1], tiles);
    assert_int_equal(share_most(weights, threads, end),
                     least_most(weights, tiles, threads));
}

static void no_split_is_better(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    for (unsigned i = 0; i < 3000; i++) {
        uint64_t weights[TILES];
        unsigned tiles = 1 + (unsigned)(next_random(&random) % TILES);
        for (unsigned k = 0; k < tiles; k++)
            weights[k] = next_random(&random) % (i % 2 ? 4 : 100000);
        check_split(weights, tiles,
                    1 + (unsigned)(next_random(&random) % THREADS));
    }
}

static void more_threads_than_tiles_or_no_work_are_no_trouble(void **state)
{
    (void)state;
    static const uint64_t nothing[TILES], some[] = {5, 1, 7};
    check_split(nothing, TILES, THREADS);
    check_split(some, 3, 6);
    check_split(some, 1, 1);
}

static void a_weight_follows_the_time_of_an_epoch(void **state)
{
    (void)state;
    uint64_t weight = 0;
    for (unsigned i = 0; i < 60; i++)
        share_weigh(&weight, &(uint64_t){5000}, 1);
    assert_in_range(share_time(weight), 4900, 5000);
    for (unsigned i = 0; i < 60; i++)
        share_weigh(&weight, &(uint64_t){0}, 1);
    assert_in_range(share_time(weight), 0, 10);
}

static void when_a_kernel_begins_weights_are_those_of_now(void **state)
{
    (void)state;
    static const uint64_t before[] = {3000, 50, 50, 50};
    static const uint64_t now[] = {30000, 30000, 40000, 50};
    uint64_t weights[4] = {0};
    for (unsigned i = 0; i < 60; i++)
        share_weigh(weights, before, 4);
    assert_false(share_weigh(weights, before, 4));
    assert_true(share_weigh(weights, now, 4));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(share_time(weights[i]), now[i]);
}

static void losing_the_core_once_is_not_taken_for_work(void **state)
{
    (void)state;
    static const uint64_t usual[] = {5000, 5000, 5000, 5000};
    static const uint64_t lost[] = {5000, 4000000, 5000, 4000000};
    uint64_t weights[4] = {0};
    for (unsigned i = 0; i < 60; i++)
        share_weigh(weights, usual, 4);
    assert_false(share_weigh(weights, lost, 4)); /* two threads did */
    assert_in_range(share_time(weights[0]), 4900, 5000);
    assert_in_range(share_time(weights[1]), 5000, 12000);
    assert_in_range(share_time(weights[3]), 5000, 12000);
}

/* Several threads save 25 us of 50. */
static void decide(struct share_mode *m, uint64_t wall)
{
    share_decide(m, wall, 50000, 25000, 300);
}

static void one_thread_goes_on_alone_if_others_save_less_than_barriers(void **s)
{
    (void)s;
    struct share_mode m;
    share_mode_init(&m);
    assert_true(m.alone);
    share_decide(&m, 50000, 50000, 49000, 300);
    assert_true(m.alone);
    share_decide(&m, 50000, 50000, 48000, 300);
    assert_false(m.alone);
    share_decide(&m, 48500, 50000, 49000, 300);
    assert_false(m.alone);
    share_decide(&m, 48500, 50000, 49500, 300);
    assert_true(m.alone);
    share_decide(&m, 0, 0, 0, 300);
    assert_true(m.alone);
}

static void several_threads_that_are_slower_are_tried_less_and_less(void **s)
{
    (void)s;
    struct share_mode m;
    share_mode_init(&m);
    for (unsigned wait = 1; wait < 300; wait *= 4) {
        decide(&m, 50000);
        assert_false(m.alone);
        decide(&m, 60000);
        for (unsigned i = 0; i < (wait < 64 ? wait : 64); i++) {
            assert_true(m.alone);
            decide(&m, 50000);
        }
        assert_true(m.alone);
    }
}

static void on_a_busy_host_several_threads_may_take_as_long_as_one(void **s)
{
    (void)s;
    struct share_mode m;
    share_mode_init(&m);
    decide(&m, 50000);
    decide(&m, 60000);
    assert_true(m.alone);
    decide(&m, 100000); /* one has half of a processor: seen twice */
    decide(&m, 100000);
    assert_false(m.alone);
    decide(&m, 90000);
    assert_false(m.alone);
    for (unsigned i = 0; i < 50; i++)
        decide(&m, 30000);
    assert_false(m.alone);
    decide(&m, 60000);
    assert_true(m.alone);
}

/* A kernel begins, of which the weights do not know yet. */
static void more_work_than_before_says_nothing_of_the_host(void **s)
{
    (void)s;
    struct share_mode m;
    share_mode_init(&m);
    share_decide(&m, 90000, 3000, 1500, 300);
    assert_false(m.alone);
    share_decide(&m, 40000, 30000, 15000, 300);
    assert_true(m.alone);
}

static void a_crowded_host_is_forgotten_when_several_threads_have_paid(void **s)
{
    (void)s;
    struct share_mode m;
    share_mode_init(&m);
    for (unsigned wait = 1; wait <= 4; wait *= 2) {
        share_put_off(&m);
        assert_int_equal(m.rest, wait);
    }
    m.rest = 0;
    decide(&m, 50000);
    decide(&m, 30000);
    assert_false(m.alone);
    share_put_off(&m);
    assert_int_equal(m.rest, 1);
}

/* What is slow when it begins is seldom the host: memory is touched first. */
static void after_a_kernel_has_begun_failures_count_anew(void **s)
{
    (void)s;
    struct share_mode m;
    share_mode_init(&m);
    for (unsigned kernel = 0; kernel < 2; kernel++) {
        share_begin(&m, 50000, 30000, 300);
        assert_false(m.alone);
        decide(&m, 60000);
        assert_true(m.alone);
        assert_int_equal(m.rest, 1);
    }
    m.rest = 0;
    decide(&m, 50000);
    decide(&m, 60000);
    assert_int_equal(m.rest, 4);
}

static void several_threads_may_lose_ten_epochs_of_one(void **s)
{
    (void)s;
    struct share_mode m;
    share_mode_init(&m);
    assert_false(share_lost(&m, 1000000, 5, 40000)); /* one is alone */
    decide(&m, 50000);
    assert_false(m.alone);
    assert_false(share_lost(&m, 600000, 5, 40000));
    assert_true(share_lost(&m, 600001, 5, 40000));
}

static void on_a_crowded_host_several_threads_are_hardly_ever_tried(void **s)
{
    (void)s;
    struct share_mode m;
    share_mode_init(&m);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned wait = 1; wait <= 64; wait *= 2) {
            decide(&m, 50000);
            assert_false(m.alone);
            share_put_off(&m);
            for (unsigned i = 0; i < wait; i++) {
                assert_true(m.alone);
                decide(&m, 50000);
            }
            assert_true(m.alone);
        }
        decide(&m, 50000);
        share_put_off(&m);
        assert_false(m.alone);
        share_decide(&m, 48500, 50000, 49500, 300); /* no failure */
        assert_true(m.alone);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_split_is_better),
        cmocka_unit_test(more_threads_than_tiles_or_no_work_are_no_trouble),
        cmocka_unit_test(a_weight_follows_the_time_of_an_epoch),
        cmocka_unit_test(when_a_kernel_begins_weights_are_those_of_now),
        cmocka_unit_test(losing_the_core_once_is_not_taken_for_work),
        cmocka_unit_test(
            one_thread_goes_on_alone_if_others_save_less_than_barriers),
        cmocka_unit_test(
            several_threads_that_are_slower_are_tried_less_and_less),
        cmocka_unit_test(
            on_a_busy_host_several_threads_may_take_as_long_as_one),
        cmocka_unit_test(more_work_than_before_says_nothing_of_the_host),
        cmocka_unit_test(
            a_crowded_host_is_forgotten_when_several_threads_have_paid),
        cmocka_unit_test(after_a_kernel_has_begun_failures_count_anew),
        cmocka_unit_test(several_threads_may_lose_ten_epochs_of_one),
        cmocka_unit_test(
            on_a_crowded_host_several_threads_are_hardly_ever_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
