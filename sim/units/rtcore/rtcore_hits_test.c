/*
 * The RT core finds what corbel_traverse finds, by the same steps, whatever its
 * stack, scheduler and formats and the order in which its memory answers.
 */
#include "sim/units/rtcore/rtcore_bench.h"
#include "sim/units/rtcore/rtcore_schedule.h"

static const unsigned stacks[] = {1, 2, 4, 8, 0};

/* Each stack with another scheduler, and all pairs over the formats. */
static void play_stacks(uint32_t nodes, uint32_t leaves)
{
    struct view v = make_view(nodes, leaves);
    for (unsigned i = 0; i < TABLE_COUNT(stacks); i++) {
        v.stack = stacks[i];
        v.set[0] = (struct setting){
            "schedule", (i + nodes + leaves) % CHOICE_COUNT(RTCORE_SCHEDULES)};
        bench_test_with(build_view, check_view, &v);
    }
    free_view(&v);
}

static void hits_and_steps_are_those_of_the_library(void **state)
{
    uint32_t nodes = 1, leaves = 1;
    for (; corbel_node_width(nodes); nodes++)
        play_stacks(nodes, CORBEL_LEAVES_plain);
    for (; corbel_leaf_grain(leaves); leaves++)
        play_stacks(CORBEL_NODES_cwbvh6, leaves);
    assert_true(nodes > 3 && leaves > 1);
}

static void any_scheduler_with_any_stack_will_do(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh4, CORBEL_LEAVES_plain);
    for (unsigned i = 0; i < TABLE_COUNT(stacks); i++)
        for (int64_t schedule = 0; schedule < CHOICE_COUNT(RTCORE_SCHEDULES);
             schedule++) {
            v.stack = stacks[i];
            v.set[0] = (struct setting){"schedule", schedule};
            v.set[1] = (struct setting){"pop_cull", schedule % 2};
            bench_test_with(build_view, check_view, &v);
        }
    free_view(&v);
}

static void any_number_of_rays_in_flight_will_do(void **state)
{
    static const unsigned rays[] = {1, 2, 7, 1024};
    struct view v = make_view(CORBEL_NODES_bvh2, CORBEL_LEAVES_plain);
    for (unsigned i = 0; i < TABLE_COUNT(rays); i++)
        for (int64_t variant = 0; variant < 4; variant++) {
            v.max_rays = rays[i];
            v.set[0] = (struct setting){"schedule", variant};
            v.set[1] = (struct setting){"drain", variant & 1};
            bench_test_with(build_view, check_view, &v);
        }
    free_view(&v);
}

static void entries_behind_the_hit_cost_nodes_and_change_no_hit(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh6, CORBEL_LEAVES_plain);
    uint64_t with = trace_all(&v).nodes;
    v.set[0] = (struct setting){"pop_cull", 0};
    assert_true(trace_all(&v).nodes > with);
    bench_test_with(build_view, check_view, &v);
    free_view(&v);
}

/* ---- ahead ---- */

static void check_ahead(struct bench *b)
{
    const struct view *v = b->scenario->with;
    const struct unit *r = b->units[0];
    struct sums expected = trace_all(v);
    uint64_t sum = 0;
    check_view(b);
    for (unsigned q = 0; q < v->queues; q++)
        for (unsigned i = 0; i < b->belows[q]->count; i++) {
            const struct msg *m = &b->belows[q]->seen[i].msg;
            sum += m->tag == NONE ? m->addr : 0;
        }
    assert_true(expected.ahead > RAYS);
    assert_int_equal(bench_stat(r, "prefetches") +
                         bench_stat(r, "prefetches_dropped"),
                     expected.ahead);
    if (!bench_stat(r, "prefetches_dropped"))
        assert_int_equal(sum, expected.ahead_sum);
}

static void children_after_the_nearest_are_fetched_ahead(void **state)
{
    static const uint32_t formats[] = {CORBEL_NODES_bvh2, CORBEL_NODES_bvh8};
    for (unsigned i = 0; i < TABLE_COUNT(formats); i++) {
        struct view v = make_view(formats[i], CORBEL_LEAVES_plain);
        v.stack = 0;
        for (int64_t children = 1; children <= 7; children += 3) {
            v.set[0] = (struct setting){"prefetch", children};
            bench_test_with(build_view, check_ahead, &v);
        }
        free_view(&v);
    }
}

static void short_stacks_prefetch_what_they_keep(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh6, CORBEL_LEAVES_plain);
    v.set[0] = (struct setting){"prefetch", 7};
    for (unsigned i = 0; i < TABLE_COUNT(stacks); i++) {
        v.stack = stacks[i];
        bench_test_with(build_view, check_ahead, &v);
    }
    free_view(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_and_steps_are_those_of_the_library),
        cmocka_unit_test(any_scheduler_with_any_stack_will_do),
        cmocka_unit_test(any_number_of_rays_in_flight_will_do),
        cmocka_unit_test(entries_behind_the_hit_cost_nodes_and_change_no_hit),
        cmocka_unit_test(children_after_the_nearest_are_fetched_ahead),
        cmocka_unit_test(short_stacks_prefetch_what_they_keep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
