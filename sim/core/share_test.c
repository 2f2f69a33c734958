/* Tiles on threads: none has much more than it must, and few tiles move. */
#include "sim/core/share.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
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

static uint64_t load(const struct shares *s, unsigned thread)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->tiles; i++)
        sum += s->owner[i] == thread ? s->weights[i] : 0;
    return sum;
}

static uint64_t most(const struct shares *s)
{
    uint64_t found = 0;
    for (unsigned n = 0; n < s->threads; n++)
        found = load(s, n) > found ? load(s, n) : found;
    return found;
}

/* The best share's load, found by trying all shares. */
static uint64_t least_most(struct shares *s, unsigned tile)
{
    uint64_t best = UINT64_MAX;
    if (tile == s->tiles)
        return most(s);
    for (s->owner[tile] = 0; s->owner[tile] < s->threads; s->owner[tile]++) {
        uint64_t found = least_most(s, tile + 1);
        best = found < best ? found : best;
    }
    return best;
}

/* Random weights; those of others than are shared now. */
static void draw(struct shares *s, uint64_t *random, uint64_t range)
{
    for (unsigned i = 0; i < s->tiles; i++)
        s->weights[i] = next_random(random) % range;
}

#define SHARES(name, tile_count, thread_count)                                 \
    uint64_t name##_weights[TILES] = {0}, name##_loads[TILES];                 \
    unsigned name##_owner[TILES];                                              \
    struct shares name = {tile_count, thread_count, name##_weights,            \
                          name##_owner, name##_loads}

/* The heaviest first is within a third of the best (R. L. Graham, Bounds on
 * multiprocessing timing anomalies, 1969). */
static void first_shares_are_nearly_the_best(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    for (unsigned i = 0; i < 300; i++) {
        SHARES(s, 1 + (unsigned)(next_random(&random) % 8),
               1 + (unsigned)(next_random(&random) % THREADS));
        draw(&s, &random, i % 2 ? 4 : 100000);
        share_first(&s);
        uint64_t found = most(&s);
        assert_int_equal(share_most(&s), found);
        assert_true(3 * found <= 4 * least_most(&s, 0));
    }
}

/* The higher load of two threads after a tile moves, and another one back. */
static uint64_t load_after(struct shares *s, unsigned tile, unsigned to,
                           unsigned against)
{
    unsigned from = s->owner[tile];
    s->owner[tile] = to;
    if (against < s->tiles)
        s->owner[against] = from;
    uint64_t here = load(s, from), there = load(s, to);
    s->owner[tile] = from;
    if (against < s->tiles)
        s->owner[against] = to;
    return here > there ? here : there;
}

/* Nothing that takes 4 % off the thread that has most is left to be done. */
static void check_no_move_helps(struct shares *s)
{
    uint64_t before = most(s), enough = before - before / 25;
    unsigned longest = 0;
    while (load(s, longest) < before)
        longest++;
    for (unsigned i = 0; i < s->tiles; i++) {
        if (s->owner[i] != longest)
            continue;
        for (unsigned n = 0; n < s->threads; n++)
            if (n != longest)
                assert_true(load_after(s, i, n, s->tiles) >= enough);
        for (unsigned k = 0; k < s->tiles; k++)
            if (s->owner[k] != longest)
                assert_true(load_after(s, i, s->owner[k], k) >= enough);
    }
}

static void tiles_move_until_no_move_helps(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    for (unsigned i = 0; i < 3000; i++) {
        SHARES(s, 1 + (unsigned)(next_random(&random) % TILES),
               1 + (unsigned)(next_random(&random) % THREADS));
        draw(&s, &random, 100000);
        share_first(&s);
        draw(&s, &random, i % 2 ? 4 : 100000);
        uint64_t before = most(&s);
        bool moved = share_again(&s);
        assert_true(moved ? most(&s) <= before : most(&s) == before);
        check_no_move_helps(&s);
        assert_false(share_again(&s)); /* it would have gone on */
    }
}

static void more_threads_than_tiles_or_no_work_are_no_trouble(void **state)
{
    (void)state;
    SHARES(s, 3, 6);
    share_first(&s);
    assert_false(share_again(&s));
    assert_int_equal(share_most(&s), 0);
    memcpy(s.weights, (uint64_t[]){5, 1, 7}, 3 * sizeof *s.weights);
    share_first(&s);
    assert_int_equal(share_most(&s), 7);
    assert_int_equal(share_all(&s), 13);
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
        cmocka_unit_test(first_shares_are_nearly_the_best),
        cmocka_unit_test(tiles_move_until_no_move_helps),
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
