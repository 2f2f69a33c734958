/*
 * What a cache fetches and what goes for it: sectors and fills, prefetches, and
 * the line that each policy replaces.
 */
#include "sim/units/cache/cache_bench.h"

/* ---- granules ---- */

static void a_sector_is_valid_when_all_of_it_has_come(void **state)
{
    play_story(
        (struct story){.settings = {{"sector", 64}},
                       .steps = {{'l', 0x48}, {'l', 0x60}, {'l', 0x20}},
                       .below = "r40 r60 r0 r20",
                       .stats = {{"hits", 1}, {"misses_read", 2}, {"fills", 4}},
                       .values = {{"0", 109}, {"1", 112}, {"2", 104}}});
}

static void a_miss_fetches_its_fill_and_waits_for_its_sector(void **state)
{
    play_story((struct story){
        .settings = {{"fill", 64}},
        .steps = {{'l', 0x68}, {'l', 0x40}, {'l', 0}},
        .below = "r60 r40 r0 r20",
        .stats = {{"hits", 1}, {"misses_read", 2}, {"prefetches", 0}}});
    /* The neighbour is on its way already when it is asked for. */
    play_story((struct story){.settings = {{"fill", 128}},
                              .steps = {{'l', 0x68}, {'l', 0x40}},
                              .below = "r60 r0 r20 r40",
                              .stats = {{"joined", 1}},
                              .every = 1});
}

static void a_line_may_have_eight_pieces(void **state)
{
    play_story((struct story){
        .settings = {{"line", 256}, {"size", 1024}, {"fill", 256}},
        .steps = {{'l', 0xe8}, {'l', 0x100}, {'l', 8}},
        .stats = {{"fills", 16}, {"hits", 1}, {"misses_read", 2}},
        .values = {{"0", 129}, {"1", 132}, {"2", 101}}});
}

/* ---- prefetch ---- */

static void a_block_prefetch_fetches_the_rest_of_the_line(void **state)
{
    play_story((struct story){
        .settings = {{"prefetch", 1}, {"ways", 1}, {"size", 128}},
        .steps = {{'l', 0x48}, {'l', 0x60}, {'l', 0x60}, {'l', 0x80}},
        .below = "r40 r0 r20 r60 r80 ra0 rc0 re0",
        .stats = {{"prefetches", 6},
                  {"prefetch_useful", 1},
                  {"prefetch_useless", 2},
                  {"misses_read", 2},
                  {"hits", 2}}});
    /* Used while it is on its way, by a load that came after it was asked for.
     */
    play_story((struct story){
        .settings = {{"prefetch", 1}},
        .steps = {{'l', 0x48}, {'l', 0x60}},
        .stats = {{"joined", 1}, {"prefetches", 3}, {"prefetch_useful", 1}},
        .every = LATENCY + 2});
}

static void or_of_the_next_line_too(void **state)
{
    play_story((struct story){
        .settings = {{"prefetch", 2}},
        .steps = {{'l', 0x48}, {'l', 0xe0}},
        .below = "r40 r0 r20 r60 r80 ra0 rc0 re0",
        .stats = {{"prefetches", 7}, {"prefetch_useful", 1}, {"hits", 1}}});
}

static void it_is_dropped_where_an_mshr_is_missing(void **state)
{
    play_story(
        (struct story){.settings = {{"prefetch", 1}, {"mshrs", 2}},
                       .steps = {{'l', 0x48}},
                       .below = "r40 r0",
                       .stats = {{"prefetches", 1}, {"prefetch_dropped", 2}}});
}

/* ---- victims ---- */

enum { LRU, FIFO, RANDOM };

/* Loads of the lines 0 to 4 of a set of four ways, one after the other. */
static void build_victims(struct bench *b)
{
    struct unit *c = small_cache(b, 4);
    bench_set(b, c, "replacement", *(const int *)b->scenario->with);
    for (const char *line = "012304015"; *line; line++) {
        unsigned n = b->drivers[0]->count;
        driver_load(b->drivers[0], 100 * n, 128u * (unsigned)(*line - '0'));
    }
}

static void check_lru(struct bench *b)
{
    below_expect(b->belows[0], "r0 r80 r100 r180 r200 r80 r280");
    assert_stat(b->units[0], "evictions", 3);
}

static void check_fifo(struct bench *b)
{
    below_expect(b->belows[0], "r0 r80 r100 r180 r200 r0 r80 r280");
    assert_stat(b->units[0], "evictions", 4);
}

static void the_victim_is_the_line_not_used_for_longest(void **state)
{
    bench_test_with(build_victims, check_lru, &(int){LRU});
}

/*
 * All lines of a set, once more in another order, half as many new ones; then
 * those that were used last, which are still there.
 */
static void build_many_ways(struct bench *b)
{
    unsigned ways = *(const unsigned *)b->scenario->with, n = 0;
    struct driver *d;
    small_cache(b, ways);
    d = b->drivers[0];
    for (unsigned i = 0; i < ways; i++)
        driver_load(d, 100 * n++, 128 * i);
    for (unsigned i = 0; i < ways; i++)
        driver_load(d, 100 * n++, 128 * ((5 * i + 3) % ways));
    for (unsigned i = 0; i < ways / 2; i++)
        driver_load(d, 100 * n++, 128 * (ways + i));
    for (unsigned i = ways / 2; i < ways; i++)
        driver_load(d, 100 * n++, 128 * ((5 * i + 3) % ways));
}

static void check_many_ways(struct bench *b)
{
    unsigned ways = *(const unsigned *)b->scenario->with;
    assert_stat(b->units[0], "evictions", ways / 2);
    assert_stat(b->units[0], "hits", ways + (ways - ways / 2));
}

static void however_many_ways_there_are(void **state)
{
    static const unsigned ways[] = {2, 4, 7, 8, 16, 24, 32, 64};
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
        bench_test_with(build_many_ways, check_many_ways, &ways[i]);
}

static void or_the_one_that_came_first(void **state)
{
    bench_test_with(build_victims, check_fifo, &(int){FIFO});
}

#define ROUNDS 100

/* Five lines in turn, in four ways: lru would never hit. */
static void build_random_victims(struct bench *b)
{
    struct unit *c = small_cache(b, 4);
    bench_set(b, c, "replacement", RANDOM);
    for (unsigned i = 0; i < 5 * ROUNDS; i++)
        driver_load(b->drivers[0], 100 * i, 128 * (i % 5));
}

static void check_random_victims(struct bench *b)
{
    uint64_t hits = bench_stat(b->units[0], "hits");
    assert_in_range(hits, 2 * ROUNDS, 4 * ROUNDS);
    assert_stat(b->units[0], "misses_read", 5 * ROUNDS - hits);
    assert_stat(b->units[0], "evictions", 5 * ROUNDS - hits - 4);
}

static void or_any(void **state)
{
    bench_test(build_random_victims, check_random_victims);
}

static void build_filling(struct bench *b)
{
    small_cache(b, 2);
    for (unsigned i = 0; i < 3; i++)
        driver_load(b->drivers[0], i, 128 * i);
}

static void check_filling(struct bench *b)
{
    for (unsigned i = 0; i < 3; i++)
        driver_answer(b->drivers[0], i);
    assert_int_equal(below_most(b->belows[0]), 2);
    /* The third load stands from the cycle in which it reached the bank's end
     * until the first line was there and answered. */
    assert_stat(b->units[0], "stall_way", 2 * LINK + FAR - 2);
    assert_stat(b->units[0], "evictions", 1);
}

static void but_never_a_line_that_is_being_filled(void **state)
{
    bench_test(build_filling, check_filling);
}

/* Lines 0 to 3 fill the ways, then line 4 takes the victim's. */
static void the_tree_points_away_from_what_was_used(void **state)
{
    play_story(
        (struct story){.settings = {{"replacement", 3}},
                       .steps = {{'l', 0},
                                 {'l', 0x80},
                                 {'l', 0x100},
                                 {'l', 0x180},
                                 {'l', 0},
                                 {'l', 0x200},
                                 {'l', 0x280}},
                       /* 0 used: the victim is in the other half, the one
                        * not used last: 2. Then 4 was used there: 1. */
                       .stats = {{"evictions", 2}, {"hits", 1}},
                       .below = "r0 r80 r100 r180 r200 r280"});
    play_story((struct story){.settings = {{"replacement", 3}},
                              .steps = {{'l', 0},
                                        {'l', 0x80},
                                        {'l', 0x100},
                                        {'l', 0x180},
                                        {'l', 0},
                                        {'l', 0x200},
                                        {'l', 0x280},
                                        {'l', 0},
                                        {'l', 0x180},
                                        {'l', 0x100}},
                              .below = "r0 r80 r100 r180 r200 r280 r100"});
}

static void ways_need_not_be_a_power_of_two(void **state)
{
    for (int64_t replacement = 0;
         replacement < CHOICE_COUNT(CACHE_REPLACEMENTS); replacement++)
        play_story((struct story){
            .settings = {{"replacement", replacement},
                         {"ways", 3},
                         {"size", 384}},
            .steps = {{'l', 0}, {'l', 0x80}, {'l', 0x100}, {'l', 0x180}},
            .stats = {{"evictions", 1}, {"misses_read", 4}}});
}

/* 128 lines, line 0 again, then 64 others: each of the 64 pairs of ways loses
 * the one that was not used last. */
static void build_wide_tree(struct bench *b)
{
    struct unit *c = bench_unit(b, "cache", "cache");
    bench_set(b, c, "size", 128 * 32);
    bench_set(b, c, "line", 32);
    bench_set(b, c, "ways", 128);
    bench_set(b, c, "replacement", 3);
    bench_set(b, c, "latency", LATENCY);
    struct driver *d = bench_driver(b, c, "cpu", "reply");
    bench_below(b, c, "mem", "fill", FAR);
    unsigned at = 0;
    for (uint64_t line = 0; line < 128; line++)
        driver_load(d, at += 200, 32 * line);
    driver_load(d, at += 200, 0);
    for (uint64_t line = 128; line < 192; line++)
        driver_load(d, at += 200, 32 * line);
    driver_load(d, at + 200, 0);
}

static void check_wide_tree(struct bench *b)
{
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
    assert_stat(b->units[0], "hits", 2); /* both of line 0 */
    assert_stat(b->units[0], "evictions", 64);
}

static void a_tree_over_128_ways_has_all_levels(void **state)
{
    bench_test_with(build_wide_tree, check_wide_tree, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_victim_is_the_line_not_used_for_longest),
        cmocka_unit_test(however_many_ways_there_are),
        cmocka_unit_test(or_the_one_that_came_first),
        cmocka_unit_test(or_any),
        cmocka_unit_test(but_never_a_line_that_is_being_filled),
        cmocka_unit_test(a_sector_is_valid_when_all_of_it_has_come),
        cmocka_unit_test(a_miss_fetches_its_fill_and_waits_for_its_sector),
        cmocka_unit_test(a_line_may_have_eight_pieces),
        cmocka_unit_test(a_block_prefetch_fetches_the_rest_of_the_line),
        cmocka_unit_test(or_of_the_next_line_too),
        cmocka_unit_test(it_is_dropped_where_an_mshr_is_missing),
        cmocka_unit_test(the_tree_points_away_from_what_was_used),
        cmocka_unit_test(ways_need_not_be_a_power_of_two),
        cmocka_unit_test(a_tree_over_128_ways_has_all_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
