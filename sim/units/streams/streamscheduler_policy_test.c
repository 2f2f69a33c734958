/*
 * The stream scheduler's policy alone: which segments become candidates, are
 * fetched, read and retired, in which order, as a script has it.
 */
#include "sim/units/streams/streamscheduler_bench.h"

/* ---- a tree 0 -> {1, 2}, 1 -> {3}, and five rays, of which one is dead ----
 */

static const uint32_t small_tree[] = {2, 1, 0, 0};

/* Plays the story up to the bucket B, which is read. */
static struct toy *begin_small(enum policy_order order,
                               enum policy_weight weight, uint32_t limit)
{
    struct toy *t = toy_new(order, weight, 1, limit);
    toy_start(t, small_tree, 4);
    for (int i = 0; i < 4; i++)
        item(t, 0, 0);
    settle(t);
    roots_seen(t);
    settle(t);
    assert_int_equal(t->segments[0].opened, 2);
    load_expecting(t, 'A');
    item(t, 1, 0);
    item(t, 2, 1);
    item(t, 2, 0);
    item(t, 1, 0);
    item(t, 2, 1);
    assert_int_equal(t->segments[1].weight, 65536);
    assert_int_equal(t->segments[2].weight, 65536);
    settle(t);
    expect_said(t, ""); /* B can be read */
    load_expecting(t, 'B');
    return t;
}

static void end_small(struct toy *t, const char *order)
{
    complete(t, 0);
    complete(t, 0);
    for (const char *name = order; *name; name++) {
        load_expecting(t, *name);
        if (*name == 'D')
            item(t, 3, 0);
        complete(t, t->last);
    }
    assert_true(policy_is_done(&t->p));
    assert_int_equal(load(t), POLICY_NONE);
    assert_int_equal(t->written, 5);
    assert_int_equal(t->fetched, 4);
    assert_int_equal(t->retired, 4);
    assert_int_equal(t->single, 3);
    free(t);
}

static void depth_first_by_any_weight(void **state)
{
    for (int weight = 0; weight < POLICY_WEIGHT_COUNT; weight++) {
        struct toy *t = begin_small(POLICY_ORDER_dfs, weight, 8);
        expect_said(t, "[0,1] [0,1,3] [0,1,3,2]");
        end_small(t, "DEC");
    }
}

/* The children of 1 wait behind 2, whose bucket C can be read. */
static void breadth_first(void **state)
{
    struct toy *t = begin_small(POLICY_ORDER_bfs, POLICY_WEIGHT_total, 8);
    expect_said(t, "[0,1] [0,1,2]");
    end_small(t, "DCE");
}

/* With room for one candidate the next comes when it has retired. */
static void one_candidate_at_a_time(void **state)
{
    struct toy *t = begin_small(POLICY_ORDER_dfs, POLICY_WEIGHT_total, 1);
    expect_said(t, "");
    complete(t, 0);
    complete(t, 0);
    expect_said(t, "[1]");
    load_expecting(t, 'D');
    item(t, 3, 0);
    complete(t, 1);
    load_expecting(t, 'E');
    complete(t, 3);
    load_expecting(t, 'C');
    complete(t, 2);
    expect_said(t, "[3] [2]");
    assert_true(policy_is_done(&t->p));
    free(t);
}

/* ---- parts ---- */

static const uint32_t star[] = {3, 0, 0, 0};

static unsigned hint_of(char digit)
{
    const char *digits = "0123456789abcdef";
    return digit == 'x' ? 255u : (unsigned)(strchr(digits, digit) - digits);
}

/* Three children: rays with the hints given; x: more than counts. */
static void expect_order(enum policy_weight weight, const char *hints,
                         const char *said)
{
    struct toy *t = toy_new(POLICY_ORDER_dfs, weight, 100, 8);
    toy_start(t, star, 4);
    item(t, 0, 0);
    for (uint32_t child = 1; *hints; hints++)
        if (*hints == ' ')
            child++;
        else
            item(t, child, hint_of(*hints));
    roots_seen(t);
    settle(t);
    expect_said(t, said);
    free(t);
}

static void the_heaviest_child_goes_first(void **state)
{
    /* 2^14, 2^15 and 2^14 + 2^13 + 2^13 in all. */
    expect_order(POLICY_WEIGHT_total, "1 0 122", "[0,2] [0,2,3] [0,2,3,1]");
    expect_order(POLICY_WEIGHT_average, "1 0 122", "[0,2] [0,2,1] [0,2,1,3]");
    expect_order(POLICY_WEIGHT_none, "1 0 122", "[0,1] [0,1,2] [0,1,2,3]");
    /* Averages are not rounded: 3/2, 5/3 and 1. */
    expect_order(POLICY_WEIGHT_average, "ef eef f", "[0,2] [0,2,1] [0,2,1,3]");
    expect_order(POLICY_WEIGHT_total, "x f e", "[0,3] [0,3,1] [0,3,1,2]");
    expect_order(POLICY_WEIGHT_average, " f ", "[0,2] [0,2,1] [0,2,1,3]");
}

/* 0 -> {1, 2}, 1 -> {3}, 3 -> {4}; no ray leaves the root. */
static const uint32_t chain[] = {2, 1, 0, 1, 0};

static void end_of_the_root(enum policy_order order, const char *said)
{
    struct toy *t = toy_new(order, POLICY_WEIGHT_total, 1, 8);
    toy_start(t, chain, 5);
    item(t, 0, 0);
    roots_seen(t);
    settle(t);
    load_expecting(t, 'A');
    assert_false(policy_is_done(&t->p));
    *t->said = 0;
    complete(t, 0);
    expect_said(t, said);
    assert_true(policy_is_done(&t->p));
    assert_int_equal(t->fetched, 1);
    free(t);
}

/* Breadth first, what is below a segment without rays is left out as soon as
 * its parent is finished. */
static void subtrees_without_rays(void **state)
{
    struct toy *t = toy_new(POLICY_ORDER_bfs, POLICY_WEIGHT_total, 1, 1);
    toy_start(t, chain, 5);
    item(t, 0, 0);
    roots_seen(t);
    settle(t);
    load_expecting(t, 'A');
    complete(t, 0);
    expect_said(t, "[1] [2]");
    assert_true(policy_is_done(&t->p));
    free(t);
    /* With room for more they became candidates before it was. */
    end_of_the_root(POLICY_ORDER_bfs, "");
    end_of_the_root(POLICY_ORDER_dfs, "");
}

/* It is not done before all roots are seen, nor while a segment waits. */
static void when_it_is_done(void **state)
{
    struct toy *t = toy_new(POLICY_ORDER_dfs, POLICY_WEIGHT_total, 1, 1);
    toy_start(t, small_tree, 4);
    settle(t);
    assert_false(policy_is_done(&t->p));
    policy_roots_seen(&t->p); /* there are none */
    do {
        assert_false(policy_is_done(&t->p));
        assert_true(cycle(t));
    } while (t->retired < 4);
    assert_true(policy_is_done(&t->p));
    free(t);
    t = toy_new(POLICY_ORDER_dfs, POLICY_WEIGHT_total, 1, 1);
    toy_start(t, small_tree, 0); /* no scene */
    assert_false(policy_is_done(&t->p));
    roots_seen(t);
    assert_false(cycle(t));
    assert_true(policy_is_done(&t->p));
    free(t);
}

/* Three segments with two buckets each. */
static struct toy *three_with_buckets(uint32_t low_water, uint32_t limit)
{
    struct toy *t =
        toy_new(POLICY_ORDER_bfs, POLICY_WEIGHT_total, low_water, limit);
    toy_start(t, star, 4);
    item(t, 0, 0);
    for (uint32_t child = 1; child <= 3; child++)
        for (unsigned i = 0; i < 2 * FULL; i++)
            item(t, child, 0);
    roots_seen(t);
    return t;
}

/* A TM that has got a bucket of a segment gets its next one; else the first
 * candidate's is read. Buckets A to F are of 1, 2 and 3, G of 0. */
static void one_stays_with_its_segment(void **state)
{
    struct toy *t = three_with_buckets(100, 8);
    settle(t);
    load_expecting(t, 'G');
    t->last = 2;
    load_expecting(t, 'C');
    load_expecting(t, 'D');
    load_expecting(t, 'A');
    t->last = 3;
    load_expecting(t, 'E');
    t->last = POLICY_NONE;
    load_expecting(t, 'B');
    load_expecting(t, 'F');
    assert_int_equal(load(t), POLICY_NONE);
    free(t);
}

static void few_buckets_bring_more_candidates(void **state)
{
    static const char *const said[] = {"", "[0,1]", "[0,1]", "[0,1] [0,1,2]"};
    for (uint32_t low_water = 1; low_water <= 4; low_water++) {
        struct toy *t = three_with_buckets(low_water, 8);
        settle(t); /* 1 bucket, 3 or 5 */
        expect_said(t, said[low_water - 1]);
        free(t);
    }
}

/* As many fetches at a time as allowed, of candidates with rays. */
static void fetches_are_limited(void **state)
{
    struct toy *t = three_with_buckets(100, 8);
    t->p.fetches = 2;
    while (policy_activate(&t->p))
        ;
    for (uint32_t s = 0; s < 2; s++) {
        assert_int_equal(policy_to_fetch(&t->p), s);
        policy_fetch(&t->p, s);
    }
    assert_int_equal(policy_to_fetch(&t->p), POLICY_NONE);
    assert_int_equal(policy_to_read(&t->p, POLICY_NONE), POLICY_NONE);
    policy_fetched(&t->p, 1);
    assert_int_equal(policy_to_read(&t->p, POLICY_NONE), 1);
    assert_int_equal(policy_to_fetch(&t->p), 2);
    t->p.limit = 2; /* of segments that are there, too */
    assert_int_equal(policy_to_fetch(&t->p), POLICY_NONE);
    free(t);
}

/* 2 became a candidate last, and is finished while a bucket of 1 waits. */
static void children_are_in_order_before_their_parent_goes(void **state)
{
    struct toy *t = toy_new(POLICY_ORDER_dfs, POLICY_WEIGHT_none, 1, 8);
    toy_start(t, star, 4);
    item(t, 0, 0);
    roots_seen(t);
    cycle(t);
    assert_int_equal(load(t), 0);
    assert_true(policy_activate(&t->p) && policy_activate(&t->p));
    expect_said(t, "");
    for (unsigned i = 0; i < FULL; i++)
        item(t, 1, 0);
    complete(t, 0);
    assert_true(t->is_retired[0] && !t->is_retired[2]);
    assert_int_equal(load(t), 1);
    settle(t);
    assert_true(t->is_retired[2]);
    free(t);
}

static void unknown_segments(void **state)
{
    struct toy *t = three_with_buckets(100, 8);
    settle(t);
    assert_false(policy_expects(&t->p, 0));
    assert_true(policy_expects(&t->p, 3));
    assert_false(policy_expects(&t->p, 4));
    assert_false(policy_complete(&t->p, 0));
    assert_false(policy_complete(&t->p, 4));
    load_expecting(t, 'G');
    complete(t, 0);
    assert_false(policy_complete(&t->p, 0));
    assert_false(policy_expects(&t->p, 3));
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_first_by_any_weight),
        cmocka_unit_test(breadth_first),
        cmocka_unit_test(one_candidate_at_a_time),
        cmocka_unit_test(the_heaviest_child_goes_first),
        cmocka_unit_test(subtrees_without_rays),
        cmocka_unit_test(when_it_is_done),
        cmocka_unit_test(one_stays_with_its_segment),
        cmocka_unit_test(few_buckets_bring_more_candidates),
        cmocka_unit_test(fetches_are_limited),
        cmocka_unit_test(unknown_segments),
        cmocka_unit_test(children_are_in_order_before_their_parent_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
