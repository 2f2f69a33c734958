/*
 * What the choices of a description make of stores, fences and atomics: write
 * back or through, with or without allocation, performed here or below, and
 * requests that bypass.
 */
#include "sim/units/cache/cache_bench.h"

/* ---- copies that write back ---- */

static void a_copy_that_writes_back_keeps_the_bytes_until_eviction(void **state)
{
    play_story((struct story){
        .settings = {{"write", 2}, {"allocate", 2}, {"ways", 1}, {"size", 128}},
        .steps = {{'s', 0x48, 7}, {'l', 0x48}, {'l', 0x80}, {'l', 0x48}},
        .below = "u40 r80 r40",
        .stats = {{"writebacks", 1}, {"hits", 1}, {"evictions", 2}},
        .values = {{"1", 7}, {"3", 7}},
        .words = {{"48", 7}, {"40", 108}}});
}

static void what_was_written_is_merged_with_what_is_fetched(void **state)
{
    play_story((struct story){
        .settings = {{"write", 2}, {"allocate", 2}},
        .steps = {{'s', 0x48, 7}, {'l', 0x50}, {'l', 0x48}, {'f'}, {'l', 0x48}},
        .below = "r40 u40 r40",
        .values = {{"1", 110}, {"2", 7}, {"4", 7}},
        .words = {{"48", 7}, {"50", 110}}});
}

static void without_allocation_a_store_that_misses_goes_below(void **state)
{
    play_story((struct story){
        .settings = {{"write", 2}},
        .steps = {{'s', 0x48, 7}, {'l', 0x48}, {'s', 0x50, 8}, {'f'}},
        .below = "w48 r40 u40",
        .words = {{"48", 7}, {"50", 8}}});
}

static void a_copy_that_writes_through_may_allocate(void **state)
{
    play_story((struct story){
        .settings = {{"allocate", 2}},
        .steps = {{'s', 0x48, 7}, {'l', 0x48}, {'l', 0x50}, {'s', 0x50, 9}},
        .below = "w48 r40 w50",
        .stats = {{"hits", 1}},
        .values = {{"1", 7}, {"2", 110}},
        .words = {{"48", 7}, {"50", 9}}});
}

static void what_stays_dirty_is_in_memory_at_the_end(void **state)
{
    play_story((struct story){.settings = {{"write", 2}, {"allocate", 2}},
                              .steps = {{'s', 0x48, 7}, {'s', 0x100, 8}},
                              .below = "",
                              .words = {{"48", 7}, {"100", 8}, {"50", 110}}});
}

/* ---- fences ---- */

static void a_flush_keeps_what_it_writes_back(void **state)
{
    play_story(
        (struct story){.settings = {{"write", 2}, {"allocate", 2}},
                       .steps = {{'s', 0x48, 7}, {'w'}, {'l', 0x48}, {'w'}},
                       .below = "u40",
                       .stats = {{"hits", 1}, {"writebacks", 1}}});
}

/* Two dirty lines: one update a cycle, answered after the second's way. */
static void check_fence(struct bench *b)
{
    check_story(b);
    assert_int_equal(driver_took(b->drivers[0], 2), HIT + 2 * LINK + FAR + 1);
    assert_int_equal(driver_took(b->drivers[0], 3), HIT);
}

static void a_fence_waits_until_all_updates_are_answered(void **state)
{
    struct story t = {
        .settings = {{"write", 2}, {"allocate", 2}},
        .steps = {{'s', 0x48, 7}, {'s', 0x100, 8}, {'f'}, {'f'}, {'l', 0x48}},
        .below = "u40 u100 r40",
        .values = {{"4", 7}}};
    bench_test_with(build_story, check_fence, &t);
}

static void a_second_fence_waits_for_the_first(void **state)
{
    play_story((struct story){
        .settings = {{"write", 2}, {"allocate", 2}},
        .steps = {{'s', 0x48, 7}, {'s', 0x100, 8}, {'f'}, {'f'}},
        .stats = {{"writebacks", 2}, {"stall_fence", 2 * LINK + FAR + 1}},
        .every = 1});
}

/* Two copies; another client of the memory stores between the loads. */
static void build_levels(struct bench *b)
{
    struct unit *l1 = bench_unit(b, "cache", "l1");
    struct unit *l2 = bench_unit(b, "cache", "l2");
    bench_link(b, l1, "mem", l2, "cpu", 8);
    bench_link(b, l2, "reply", l1, "fill", 0);
    bench_set(b, l1, "write", 2);
    bench_set(b, l2, "write", 2);
    bench_set(b, l1, "allocate", 2);
    bench_set(b, l2, "allocate", 2);
    struct below *m = bench_below(b, l2, "mem", "fill", FAR);
    struct driver *d = bench_driver(b, l1, "cpu", "reply");
    driver_load(d, 0, 0x48);
    driver_store(d, 200, 0x50, 5);
    driver_invalidate(d, 600);
    driver_load(d, 1200, 0x48);
    driver_load(d, 1400, 0x50);
    driver_store(bench_driver(b, &m->unit, "in", "out"), 300, 0x48, 7);
}

static void check_levels(struct bench *b)
{
    below_expect(b->belows[0], "r40 w48 u40 r40");
    assert_int_equal(driver_value(b->drivers[0], 0), 0);
    assert_int_equal(driver_value(b->drivers[0], 3), 7);
    assert_int_equal(driver_value(b->drivers[0], 4), 5);
    assert_int_equal(*bench_word(b, 0x48), 7);
}

static void a_fence_tells_the_copies_below(void **state)
{
    bench_test(build_levels, check_levels);
}

/* Another client of the L1 loads all the time while the fence is told on. */
static void build_refetch(struct bench *b)
{
    build_levels(b);
    struct driver *other = bench_driver(b, b->units[0], "cpu", "reply");
    for (uint64_t at = 600; at < 640; at++)
        driver_load(other, at, 0x48);
}

static void check_refetch(struct bench *b)
{
    assert_int_equal(driver_value(b->drivers[0], 3), 7);
}

static void what_is_fetched_before_they_know_is_not_kept(void **state)
{
    bench_test(build_refetch, check_refetch);
}

#define SLOW 40u /* from the owner to the copy that writes back */

/*
 * The owner has what a copy wrote back, and the newer bytes of another, but
 * the former does not know it yet when the host wants to look.
 */
static void build_overwritten(struct bench *b)
{
    struct unit *owner = bench_unit(b, "cache", "owner");
    struct unit *l1[2] = {bench_unit(b, "cache", "back"),
                          bench_unit(b, "cache", "through")};
    bench_set(b, owner, "owner", 1);
    bench_below(b, owner, "mem", "fill", FAR);
    for (unsigned i = 0; i < 2; i++) {
        bench_link(b, l1[i], "mem", owner, "cpu", 8);
        bench_far_link(b, owner, "reply", l1[i], "fill", i ? LINK : SLOW, 0);
        bench_driver(b, l1[i], "cpu", "reply");
    }
    bench_set(b, l1[0], "write", 2);
    bench_set(b, l1[0], "allocate", 2);
    driver_store(b->drivers[0], 0, 0x48, 1);
    struct msg flush = {.op = MEM_FLUSH};
    driver_ask(b->drivers[0], 200, flush, NULL);
    driver_store(b->drivers[1], 206, 0x48, 2);
    driver_service(b->drivers[1], 262);
}

static bool look(struct bench *b, uint64_t now,
                 const struct service_request *request)
{
    assert_int_equal(*bench_word(b, 0x48), 2);
    assert_int_equal(b->drivers[0]->answered, 1);
    return true;
}

static void check_overwritten(struct bench *b)
{
    assert_int_equal(b->service_count, 1);
    assert_int_equal(*bench_word(b, 0x48), 2);
}

static void what_the_owner_has_is_not_written_to_memory_again(void **state)
{
    bench_play(&(struct scenario){
        .build = build_overwritten, .check = check_overwritten, .serve = look});
}

/* ---- blocks ---- */

static void a_block_is_cleaned_or_flushed_at_every_level(void **state)
{
    play_story((struct story){
        .settings = {{"write", 2}, {"allocate", 2}},
        .steps = {{'s', 0x48, 7}, {'c', 0x40}, {'l', 0x48}, {'s', 0x88, 1}},
        .below = "u40 c40",
        .stats = {{"hits", 1}},
        .values = {{"2", 7}}});
    play_story((struct story){
        .settings = {{"write", 2}, {"allocate", 2}},
        .steps = {{'s', 0x48, 7}, {'x', 0x40}, {'l', 0x48}, {'l', 0}},
        .below = "u40 c40 r40 r0",
        .values = {{"2", 7}}});
    play_story((struct story){
        .settings = {{"owner", 1}},
        .steps = {{'s', 0x48, 7}, {'c', 0x40}, {'x', 0x40}, {'l', 0x48}},
        .below = "b40 f40",
        .values = {{"3", 7}}});
}

/* ---- the owner's policies ---- */

static void an_owner_that_writes_through_writes_the_bytes_at_once(void **state)
{
    play_story((struct story){
        .settings = {{"owner", 1}, {"write", 1}},
        .steps = {{'s', 0x48, 7}, {'l', 0x48}, {'a', 0x60, 1}, {'r', 0x60}},
        .below = "b48 f60 b60",
        .stats = {{"hits", 1}, {"writebacks", 2}}});
}

static void an_owner_without_allocation_keeps_no_store_that_misses(void **state)
{
    play_story((struct story){
        .settings = {{"owner", 1}, {"allocate", 1}, {"ways", 1}, {"size", 128}},
        .steps = {{'s', 0x48, 7}, {'l', 0x48}, {'s', 0x50, 8}, {'l', 0x80}},
        .below = "b48 f40 b40 f80"});
}

static void an_owner_is_flushed_but_has_nothing_to_forget(void **state)
{
    play_story((struct story){
        .settings = {{"owner", 1}},
        .steps = {{'s', 0x48, 7}, {'f'}, {'l', 0x48}, {'w'}, {'l', 0x48}},
        .below = "b40",
        .stats = {{"hits", 2}}});
}

/* ---- atomics ---- */

static void atomics_here_are_performed_in_the_copy(void **state)
{
    play_story((struct story){
        .settings = {{"write", 2}, {"atomics", 1}},
        .steps = {{'a', 0x48, 1}, {'a', 0x48, 2}, {'l', 0x48}, {'f'}},
        .below = "r40 u40",
        .values = {{"0", 109}, {"1", 110}, {"2", 112}},
        .words = {{"48", 112}}});
    play_story(
        (struct story){.settings = {{"atomics", 1}, {"updates", 8}},
                       .steps = {{'a', 0x48, 1}, {'a', 0x48, 2}, {'l', 0x48}},
                       .below = "r40 u40 u40",
                       .values = {{"0", 109}, {"1", 110}, {"2", 112}},
                       .words = {{"48", 112}}});
}

static void many_atomics_wait_for_one_sector(void **state)
{
    struct story t = {.settings = {{"atomics", 1}, {"updates", 8}},
                      .words = {{"48", 109 + 15}},
                      .every = 1};
    for (unsigned i = 0; i < 15; i++)
        t.steps[i] = (struct step){'a', 0x48, 1};
    play_story(t);
    t.settings[2] = (struct setting){"write", 2};
    play_story(t);
}

static void reservations_are_kept_where_atomics_are(void **state)
{
    play_story((struct story){
        .settings = {{"write", 2}, {"atomics", 1}},
        .steps = {{'r', 0x48}, {'q', 0x48, 5}, {'q', 0x48, 6}, {'l', 0x48}},
        .values = {{"0", 109}, {"1", 0}, {"2", 1}, {"3", 5}}});
}

static void an_atomic_below_takes_what_is_dirty_along(void **state)
{
    play_story(
        (struct story){.settings = {{"write", 2}, {"allocate", 2}},
                       .steps = {{'s', 0x48, 7}, {'a', 0x48, 1}, {'l', 0x48}},
                       .below = "u40 a48 r40",
                       .values = {{"1", 7}, {"2", 8}}});
}

/* ---- bypass ---- */

static void a_load_that_bypasses_leaves_no_copy(void **state)
{
    play_story((struct story){
        .steps = {{'b', 0x48}, {'b', 0x48}, {'l', 0x48}, {'b', 0x48}},
        .below = "r48 r48 r40",
        .stats = {{"bypassed", 2}, {"misses_read", 1}, {"hits", 1}},
        .values = {{"0", 109}, {"1", 109}, {"3", 109}}});
    play_story((struct story){
        .settings = {{"owner", 1}},
        .steps = {{'b', 0x48}, {'b', 0x48}, {'l', 0x48}, {'b', 0x48}},
        .below = "f40 f40 f40",
        .stats = {{"bypassed", 2}, {"misses_read", 1}, {"hits", 1}},
        .values = {{"0", 109}, {"1", 109}, {"3", 109}}});
}

static void a_load_that_bypasses_is_not_overtaken_by_a_store(void **state)
{
    play_story((struct story){.settings = {{"owner", 1}},
                              .steps = {{'b', 0x48}, {'s', 0x48, 7}},
                              .values = {{"0", 109}},
                              .words = {{"48", 7}},
                              .every = 1});
}

static void a_store_that_bypasses_takes_no_line(void **state)
{
    play_story((struct story){
        .settings = {{"write", 2}, {"allocate", 2}},
        .steps = {{'t', 0x48, 7}, {'s', 0x48, 8}, {'t', 0x48, 9}, {'f'}},
        .below = "w48 u40",
        .words = {{"48", 9}}});
    play_story((struct story){.settings = {{"owner", 1}},
                              .steps = {{'t', 0x48, 7}, {'l', 0x48}},
                              .below = "b48 f40",
                              .values = {{"1", 7}}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_copy_that_writes_back_keeps_the_bytes_until_eviction),
        cmocka_unit_test(what_was_written_is_merged_with_what_is_fetched),
        cmocka_unit_test(without_allocation_a_store_that_misses_goes_below),
        cmocka_unit_test(a_copy_that_writes_through_may_allocate),
        cmocka_unit_test(what_stays_dirty_is_in_memory_at_the_end),
        cmocka_unit_test(a_flush_keeps_what_it_writes_back),
        cmocka_unit_test(a_fence_waits_until_all_updates_are_answered),
        cmocka_unit_test(a_second_fence_waits_for_the_first),
        cmocka_unit_test(a_fence_tells_the_copies_below),
        cmocka_unit_test(what_is_fetched_before_they_know_is_not_kept),
        cmocka_unit_test(what_the_owner_has_is_not_written_to_memory_again),
        cmocka_unit_test(a_block_is_cleaned_or_flushed_at_every_level),
        cmocka_unit_test(an_owner_that_writes_through_writes_the_bytes_at_once),
        cmocka_unit_test(
            an_owner_without_allocation_keeps_no_store_that_misses),
        cmocka_unit_test(an_owner_is_flushed_but_has_nothing_to_forget),
        cmocka_unit_test(atomics_here_are_performed_in_the_copy),
        cmocka_unit_test(many_atomics_wait_for_one_sector),
        cmocka_unit_test(reservations_are_kept_where_atomics_are),
        cmocka_unit_test(an_atomic_below_takes_what_is_dirty_along),
        cmocka_unit_test(a_load_that_bypasses_leaves_no_copy),
        cmocka_unit_test(a_load_that_bypasses_is_not_overtaken_by_a_store),
        cmocka_unit_test(a_store_that_bypasses_takes_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
