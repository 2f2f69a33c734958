/* Rays that come together: places of warps, results that return together. */
#include "sim/units/rtcore/rtcore_bench.h"

#define LANES 8u
#define OF_CORE (RAYS / CORES) /* rays, one after the other */
_Static_assert(OF_CORE % LANES == 0, "whole warps");

/* When the first and the last result of a warp return, its lanes being `lanes`
 * rays of a core in order. */
static void times_of(const struct bench *b, unsigned core, unsigned warp,
                     uint64_t *first, uint64_t *last)
{
    *first = UINT64_MAX;
    *last = 0;
    for (unsigned i = 0; i < LANES; i++) {
        uint64_t at = driver_answer(b->drivers[core], warp * LANES + i)->at;
        *first = at < *first ? at : *first;
        *last = at > *last ? at : *last;
    }
}

/* Warps of which a result returns between the first and last one of another. */
static unsigned mixed(const struct bench *b)
{
    unsigned count = 0;
    uint64_t first[RAYS / LANES], last[RAYS / LANES];
    for (unsigned i = 0; i < RAYS / LANES; i++)
        times_of(b, i % CORES, i / CORES, &first[i], &last[i]);
    for (unsigned i = 0; i < RAYS / LANES; i++)
        for (unsigned k = 0; k < RAYS / LANES; k++)
            count += i != k && first[k] > first[i] && first[k] < last[i];
    return count;
}

static void check_rays(struct bench *b)
{
    check_view(b);
    assert_true(mixed(b) > RAYS / LANES);
}

static void check_together(struct bench *b)
{
    check_view(b);
    assert_stat(b->units[0], "warps", RAYS / LANES);
    for (unsigned core = 0; core < CORES; core++)
        for (unsigned warp = 0; warp < OF_CORE / LANES; warp++) {
            uint64_t first, last;
            times_of(b, core, warp, &first, &last);
            assert_int_equal(last - first, LANES - 1);
        }
}

static void results_of_a_warp_return_together(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh6, CORBEL_LEAVES_plain);
    v.warp = LANES;
    v.max_rays = 64;
    bench_test_with(build_view, check_rays, &v);
    v.set[0] = (struct setting){"answers", 1};
    bench_test_with(build_view, check_together, &v);
    /* Fewer slots than a warp has rays: those that have finished hold none. */
    v.max_rays = LANES / 2;
    bench_test_with(build_view, check_together, &v);
    free_view(&v);
}

/* One after the other: no result of a warp returns amid another's. */
static void check_places(struct bench *b)
{
    check_view(b);
    assert_stat(b->units[0], "warps", RAYS / LANES);
    assert_int_equal(mixed(b), 0);
}

static void warps_find_places_one_by_one(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh6, CORBEL_LEAVES_plain);
    v.warp = LANES;
    v.max_rays = 64;
    v.set[0] = (struct setting){"places", 1};
    v.set[1] = (struct setting){"max_warps", RAYS};
    bench_test_with(build_view, check_rays, &v);
    v.set[1] = (struct setting){"max_warps", 1};
    bench_test_with(build_view, check_places, &v);
    v.max_rays = LANES / 2;
    bench_test_with(build_view, check_places, &v);
    free_view(&v);
}

/* What comes alone is a warp of one ray. */
static void check_alone(struct bench *b)
{
    check_view(b);
    assert_stat(b->units[0], "warps", RAYS);
    assert_stat(b->units[0], "warp_waits", 0);
    /* Two at a time: the one before the last has returned when one is taken. */
    for (unsigned i = 3; i < RAYS; i++)
        assert_true(answer_of(b, i)->at > answer_of(b, i - 3)->at);
}

static void a_ray_of_a_thread_processor_is_a_warp(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh6, CORBEL_LEAVES_plain);
    v.max_rays = 64;
    v.set[0] = (struct setting){"places", 1};
    v.set[1] = (struct setting){"max_warps", 1};
    bench_test_with(build_view, check_alone, &v);
    free_view(&v);
}

/* All policies together give all rays their hits. */
static void warps_go_on_by_any_schedule(void **state)
{
    struct view v = make_view(CORBEL_NODES_cwbvh6, CORBEL_LEAVES_plain);
    v.warp = LANES;
    v.max_rays = 16;
    v.set[0] = (struct setting){"places", 1};
    v.set[1] = (struct setting){"max_warps", 3};
    v.set[2] = (struct setting){"answers", 1};
    v.set[4] = (struct setting){"ops", 1};
    for (int64_t schedule = 0; schedule < 6; schedule++) {
        v.set[3] = (struct setting){"schedule", schedule};
        bench_test_with(build_view, check_together, &v);
    }
    free_view(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_of_a_warp_return_together),
        cmocka_unit_test(warps_find_places_one_by_one),
        cmocka_unit_test(a_ray_of_a_thread_processor_is_a_warp),
        cmocka_unit_test(warps_go_on_by_any_schedule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
