/*
 * The staging buffer: items, their ends, hits and records, in the order that
 * the units of streams rely on (stager_bench.h).
 */
#include "sim/units/streams/stager_bench.h"

static const struct story usual = {
    .cores = 4,
    .harts = 4,
    .bucket = 56,
    .rays = 300,
    .depth = 8,
    .keepers = 2,
    .work = 50,
    .keep = 60,
    .clerk = 30,
};

static void play(struct story s)
{
    for (s.seed = 1; s.seed <= 2; s.seed++)
        story_play(&s, story_check);
}

/* ---- thread processors work on items ---- */

static void all_items_are_worked_on_and_all_hits_kept(void **state)
{
    play(usual);
}

static void buckets_of_any_size_are_complete_once(void **state)
{
    struct story s = usual;
    s.rays = 100;
    for (s.bucket = 1; s.bucket <= 227; s.bucket += 113)
        play(s);
}

static void a_ray_and_none(void **state)
{
    struct story s = usual;
    for (s.rays = 0; s.rays <= 1; s.rays++)
        play(s);
}

static void links_of_depth_1_block_nothing(void **state)
{
    struct story s = usual;
    s.depth = 1;
    s.rays = 120;
    s.work = 1;
    play(s);
    s.keep = 1;
    s.clerk = 0;
    play(s);
}

static void hits_that_take_long_hold_back_ends_of_buckets(void **state)
{
    struct story s = usual;
    s.bucket = 3;
    s.rays = 60;
    s.work = 4;
    s.keep = 500;
    play(s);
}

/* ---- an RT core does ---- */

static void an_rt_core_works_on_items_in_their_place(void **state)
{
    struct story s = usual;
    s.rtcore = 32;
    play(s);
    s.early = 1;
    play(s);
    s.depth = 1;
    s.bucket = 5;
    s.rays = 100;
    play(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_items_are_worked_on_and_all_hits_kept),
        cmocka_unit_test(buckets_of_any_size_are_complete_once),
        cmocka_unit_test(a_ray_and_none),
        cmocka_unit_test(links_of_depth_1_block_nothing),
        cmocka_unit_test(hits_that_take_long_hold_back_ends_of_buckets),
        cmocka_unit_test(an_rt_core_works_on_items_in_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
