/*
 * The cache's choices: sectors, prefetch, victims by tree, write policies,
 * fences, atomics, bypass, widths, why loads miss, snapshots, faults.
 */
#include "sim/units/bench.h"
#include "sim/units/cache.h"
#include "sim/units/check.h"
#include "sim/units/units.h"
#include <stdlib.h>

#define FAR 50u /* latency of the memory below */
#define LATENCY 10u
#define HIT (2 * LINK + LATENCY)
#define MISS (HIT + 2 * LINK + FAR)
#define CONSTANT (BENCH_READ_ONLY + 0x80)

static const char *expected; /* of a scenario that has no place for it */

/* A setting of a cache; the list ends with one without a name. */
struct setting {
    const char *name;
    int64_t value;
};

/* What a cache is asked: one letter, an address, a value or option. */
struct step {
    char op; /* l load, s store, a amoadd, f fence, w flush, c clean block,
                x flush block, b bypassing load, t bypassing store, r lr,
                q sc */
    uint64_t addr, value;
};

/* A cache with these settings is asked this, a step every `every` cycles, and
 * asks the memory that. */
struct story {
    struct setting settings[10];
    struct step steps[16];
    const char *below;
    struct setting stats[8];  /* at the end */
    struct setting values[8]; /* of the answers, by number of the step */
    struct setting words[4];  /* of the memory image at the end; name: "" */
    unsigned every;           /* 0: 200 */
};

static struct msg step_msg(const struct step *s)
{
    static const uint8_t ops[128] = {
        ['l'] = MEM_READ,   ['b'] = MEM_READ,       ['s'] = MEM_WRITE,
        ['t'] = MEM_WRITE,  ['a'] = MEM_ATOMIC,     ['r'] = MEM_ATOMIC,
        ['q'] = MEM_ATOMIC, ['f'] = MEM_INVALIDATE, ['w'] = MEM_FLUSH,
        ['c'] = MEM_BLOCK,  ['x'] = MEM_BLOCK,
    };
    struct msg m = {.op = ops[(int)s->op],
                    .addr = s->addr,
                    .size = 8,
                    .value = s->value,
                    .from = 1};
    if (s->op == 'b' || s->op == 't')
        m.flags = 1;
    if (m.op == MEM_ATOMIC)
        m.aux = s->op == 'a' ? ISA_AMOADD : s->op == 'r' ? ISA_LR : ISA_SC;
    if (m.op == MEM_BLOCK) {
        m.size = 64;
        m.aux = s->op == 'c' ? BLOCK_CLEAN : BLOCK_FLUSH;
    }
    return m;
}

static void build_story(struct bench *b)
{
    const struct story *t = b->scenario->with;
    struct unit *c = bench_unit(b, "cache", "cache");
    bench_set(b, c, "size", 512);
    bench_set(b, c, "ways", 4);
    bench_set(b, c, "latency", LATENCY);
    for (const struct setting *s = t->settings; s->name; s++)
        bench_set(b, c, s->name, s->value);
    struct driver *d = bench_driver(b, c, "cpu", "reply");
    bench_below(b, c, "mem", "fill", FAR);
    for (unsigned i = 0; i < 64; i++)
        *bench_word(b, 8 * i) = 100 + i;
    unsigned at = 0, every = t->every ? t->every : 200;
    for (const struct step *s = t->steps; s->op; s++, at += every)
        driver_ask(d, at, step_msg(s), NULL);
}

static void check_story(struct bench *b)
{
    const struct story *t = b->scenario->with;
    const struct driver *d = b->drivers[0];
    assert_int_equal(driver_unanswered(d), 0);
    if (t->below)
        below_expect(b->belows[0], t->below);
    for (const struct setting *s = t->stats; s->name; s++)
        if (bench_stat(b->units[0], s->name) != (uint64_t)s->value)
            fail_msg("%s: %llu, expected %lld", s->name,
                     (unsigned long long)bench_stat(b->units[0], s->name),
                     (long long)s->value);
    for (const struct setting *s = t->values; s->name; s++)
        assert_int_equal(driver_value(d, (unsigned)atoi(s->name)), s->value);
    for (const struct setting *s = t->words; s->name; s++)
        assert_int_equal(*bench_word(b, strtoull(s->name, NULL, 16)), s->value);
}

static void play(struct story t)
{
    bench_test_with(build_story, check_story, &t);
}

/* ---- granules ---- */

static void a_sector_is_valid_when_all_of_it_has_come(void **state)
{
    play(
        (struct story){.settings = {{"sector", 64}},
                       .steps = {{'l', 0x48}, {'l', 0x60}, {'l', 0x20}},
                       .below = "r40 r60 r0 r20",
                       .stats = {{"hits", 1}, {"misses_read", 2}, {"fills", 4}},
                       .values = {{"0", 109}, {"1", 112}, {"2", 104}}});
}

static void a_miss_fetches_its_fill_and_waits_for_its_sector(void **state)
{
    play((struct story){
        .settings = {{"fill", 64}},
        .steps = {{'l', 0x68}, {'l', 0x40}, {'l', 0}},
        .below = "r60 r40 r0 r20",
        .stats = {{"hits", 1}, {"misses_read", 2}, {"prefetches", 0}}});
    /* The neighbour is on its way already when it is asked for. */
    play((struct story){.settings = {{"fill", 128}},
                        .steps = {{'l', 0x68}, {'l', 0x40}},
                        .below = "r60 r0 r20 r40",
                        .stats = {{"half_misses", 1}},
                        .every = 1});
}

static void a_line_may_have_eight_pieces(void **state)
{
    play((struct story){
        .settings = {{"line", 256}, {"size", 1024}, {"fill", 256}},
        .steps = {{'l', 0xe8}, {'l', 0x100}, {'l', 8}},
        .stats = {{"fills", 16}, {"hits", 1}, {"misses_read", 2}},
        .values = {{"0", 129}, {"1", 132}, {"2", 101}}});
}

/* ---- prefetch ---- */

static void a_block_prefetch_fetches_the_rest_of_the_line(void **state)
{
    play((struct story){
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
    play((struct story){.settings = {{"prefetch", 1}},
                        .steps = {{'l', 0x48}, {'l', 0x60}},
                        .stats = {{"half_misses", 1},
                                  {"prefetches", 3},
                                  {"prefetch_useful", 1}},
                        .every = LATENCY + 2});
}

static void or_of_the_next_line_too(void **state)
{
    play((struct story){
        .settings = {{"prefetch", 2}},
        .steps = {{'l', 0x48}, {'l', 0xe0}},
        .below = "r40 r0 r20 r60 r80 ra0 rc0 re0",
        .stats = {{"prefetches", 7}, {"prefetch_useful", 1}, {"hits", 1}}});
}

static void it_is_dropped_where_an_mshr_is_missing(void **state)
{
    play((struct story){.settings = {{"prefetch", 1}, {"mshrs", 2}},
                        .steps = {{'l', 0x48}},
                        .below = "r40 r0",
                        .stats = {{"prefetches", 1}, {"prefetch_dropped", 2}}});
}

/* ---- victims ---- */

/* Lines 0 to 3 fill the ways, then line 4 takes the victim's. */
static void the_tree_points_away_from_what_was_used(void **state)
{
    play((struct story){.settings = {{"replacement", 3}},
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
    play((struct story){.settings = {{"replacement", 3}},
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
    for (int64_t replacement = 0; replacement < 4; replacement++)
        play((struct story){
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
    driver_load(d, at += 200, 0);
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

/* ---- copies that write back ---- */

static void a_copy_that_writes_back_keeps_the_bytes_until_eviction(void **state)
{
    play((struct story){
        .settings = {{"write", 2}, {"allocate", 2}, {"ways", 1}, {"size", 128}},
        .steps = {{'s', 0x48, 7}, {'l', 0x48}, {'l', 0x80}, {'l', 0x48}},
        .below = "u40 r80 r40",
        .stats = {{"writebacks", 1}, {"hits", 1}, {"evictions", 2}},
        .values = {{"1", 7}, {"3", 7}},
        .words = {{"48", 7}, {"40", 108}}});
}

static void what_was_written_is_merged_with_what_is_fetched(void **state)
{
    play((struct story){
        .settings = {{"write", 2}, {"allocate", 2}},
        .steps = {{'s', 0x48, 7}, {'l', 0x50}, {'l', 0x48}, {'f'}, {'l', 0x48}},
        .below = "r40 u40 r40",
        .values = {{"1", 110}, {"2", 7}, {"4", 7}},
        .words = {{"48", 7}, {"50", 110}}});
}

static void without_allocation_a_store_that_misses_goes_below(void **state)
{
    play((struct story){
        .settings = {{"write", 2}},
        .steps = {{'s', 0x48, 7}, {'l', 0x48}, {'s', 0x50, 8}, {'f'}},
        .below = "w48 r40 u40",
        .words = {{"48", 7}, {"50", 8}}});
}

static void a_copy_that_writes_through_may_allocate(void **state)
{
    play((struct story){
        .settings = {{"allocate", 2}},
        .steps = {{'s', 0x48, 7}, {'l', 0x48}, {'l', 0x50}, {'s', 0x50, 9}},
        .below = "w48 r40 w50",
        .stats = {{"hits", 1}},
        .values = {{"1", 7}, {"2", 110}},
        .words = {{"48", 7}, {"50", 9}}});
}

static void what_stays_dirty_is_in_memory_at_the_end(void **state)
{
    play((struct story){.settings = {{"write", 2}, {"allocate", 2}},
                        .steps = {{'s', 0x48, 7}, {'s', 0x100, 8}},
                        .below = "",
                        .words = {{"48", 7}, {"100", 8}, {"50", 110}}});
}

/* ---- fences ---- */

static void a_flush_keeps_what_it_writes_back(void **state)
{
    play((struct story){.settings = {{"write", 2}, {"allocate", 2}},
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
    play((struct story){
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
    play((struct story){
        .settings = {{"write", 2}, {"allocate", 2}},
        .steps = {{'s', 0x48, 7}, {'c', 0x40}, {'l', 0x48}, {'s', 0x88, 1}},
        .below = "u40 c40",
        .stats = {{"hits", 1}},
        .values = {{"2", 7}}});
    play((struct story){
        .settings = {{"write", 2}, {"allocate", 2}},
        .steps = {{'s', 0x48, 7}, {'x', 0x40}, {'l', 0x48}, {'l', 0}},
        .below = "u40 c40 r40 r0",
        .values = {{"2", 7}}});
    play((struct story){
        .settings = {{"owner", 1}},
        .steps = {{'s', 0x48, 7}, {'c', 0x40}, {'x', 0x40}, {'l', 0x48}},
        .below = "b40 f40",
        .values = {{"3", 7}}});
}

/* ---- the owner's policies ---- */

static void an_owner_that_writes_through_writes_the_bytes_at_once(void **state)
{
    play((struct story){
        .settings = {{"owner", 1}, {"write", 1}},
        .steps = {{'s', 0x48, 7}, {'l', 0x48}, {'a', 0x60, 1}, {'r', 0x60}},
        .below = "b48 f60 b60",
        .stats = {{"hits", 1}, {"writebacks", 2}}});
}

static void an_owner_without_allocation_keeps_no_store_that_misses(void **state)
{
    play((struct story){
        .settings = {{"owner", 1}, {"allocate", 1}, {"ways", 1}, {"size", 128}},
        .steps = {{'s', 0x48, 7}, {'l', 0x48}, {'s', 0x50, 8}, {'l', 0x80}},
        .below = "b48 f40 b40 f80"});
}

static void an_owner_is_flushed_but_has_nothing_to_forget(void **state)
{
    play((struct story){
        .settings = {{"owner", 1}},
        .steps = {{'s', 0x48, 7}, {'f'}, {'l', 0x48}, {'w'}, {'l', 0x48}},
        .below = "b40",
        .stats = {{"hits", 2}}});
}

/* ---- atomics ---- */

static void atomics_here_are_performed_in_the_copy(void **state)
{
    play((struct story){
        .settings = {{"write", 2}, {"atomics", 1}},
        .steps = {{'a', 0x48, 1}, {'a', 0x48, 2}, {'l', 0x48}, {'f'}},
        .below = "r40 u40",
        .values = {{"0", 109}, {"1", 110}, {"2", 112}},
        .words = {{"48", 112}}});
    play((struct story){.settings = {{"atomics", 1}, {"updates", 8}},
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
    play(t);
    t.settings[2] = (struct setting){"write", 2};
    play(t);
}

static void reservations_are_kept_where_atomics_are(void **state)
{
    play((struct story){
        .settings = {{"write", 2}, {"atomics", 1}},
        .steps = {{'r', 0x48}, {'q', 0x48, 5}, {'q', 0x48, 6}, {'l', 0x48}},
        .values = {{"0", 109}, {"1", 0}, {"2", 1}, {"3", 5}}});
}

static void an_atomic_below_takes_what_is_dirty_along(void **state)
{
    play((struct story){.settings = {{"write", 2}, {"allocate", 2}},
                        .steps = {{'s', 0x48, 7}, {'a', 0x48, 1}, {'l', 0x48}},
                        .below = "u40 a48 r40",
                        .values = {{"1", 7}, {"2", 8}}});
}

/* ---- bypass ---- */

static void a_load_that_bypasses_leaves_no_copy(void **state)
{
    play((struct story){
        .steps = {{'b', 0x48}, {'b', 0x48}, {'l', 0x48}, {'b', 0x48}},
        .below = "r48 r48 r40",
        .stats = {{"bypassed", 2}, {"misses_read", 1}, {"hits", 1}},
        .values = {{"0", 109}, {"1", 109}, {"3", 109}}});
    play((struct story){
        .settings = {{"owner", 1}},
        .steps = {{'b', 0x48}, {'b', 0x48}, {'l', 0x48}, {'b', 0x48}},
        .below = "f40 f40 f40",
        .stats = {{"bypassed", 2}, {"misses_read", 1}, {"hits", 1}},
        .values = {{"0", 109}, {"1", 109}, {"3", 109}}});
}

static void a_load_that_bypasses_is_not_overtaken_by_a_store(void **state)
{
    play((struct story){.settings = {{"owner", 1}},
                        .steps = {{'b', 0x48}, {'s', 0x48, 7}},
                        .values = {{"0", 109}},
                        .words = {{"48", 7}},
                        .every = 1});
}

static void a_store_that_bypasses_takes_no_line(void **state)
{
    play((struct story){
        .settings = {{"write", 2}, {"allocate", 2}},
        .steps = {{'t', 0x48, 7}, {'s', 0x48, 8}, {'t', 0x48, 9}, {'f'}},
        .below = "w48 u40",
        .words = {{"48", 9}}});
    play((struct story){.settings = {{"owner", 1}},
                        .steps = {{'t', 0x48, 7}, {'l', 0x48}},
                        .below = "b48 f40",
                        .values = {{"1", 7}}});
}

/* ---- where it was found ---- */

static void build_depth(struct bench *b)
{
    const bool *bypass = b->scenario->with;
    struct unit *l1 = bench_unit(b, "cache", "l1");
    struct unit *l2 = bench_unit(b, "cache", "l2");
    bench_set(b, l2, "owner", 1);
    bench_link(b, l1, "mem", l2, "cpu", 8);
    bench_link(b, l2, "reply", l1, "fill", 0);
    bench_below(b, l2, "mem", "fill", FAR);
    struct driver *d = bench_driver(b, l1, "cpu", "reply");
    struct driver *e = bench_driver(b, l2, "cpu", "reply");
    struct msg m = {.op = MEM_READ, .addr = 0x40, .size = 8, .flags = *bypass};
    driver_ask(d, 0, m, NULL);
    driver_ask(d, 1, m, NULL);
    driver_load(d, 400, 0x40);
    driver_load(e, 600, 0x80);
    driver_load(d, 800, 0x80);
}

static void check_depth(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    assert_int_equal(driver_answer(d, 0)->msg.flags, 2);
    assert_int_equal(driver_answer(d, 1)->msg.flags, 2 | MEM_JOINED);
    assert_int_equal(driver_answer(d, 2)->msg.flags,
                     *(const bool *)b->scenario->with ? 1 : 0);
    assert_int_equal(driver_answer(b->drivers[1], 0)->msg.flags, 1);
    assert_int_equal(driver_answer(d, 3)->msg.flags, 1);
}

static void answers_say_how_deep_they_come_from(void **state)
{
    bench_test_with(build_depth, check_depth, &(bool){false});
    bench_test_with(build_depth, check_depth, &(bool){true});
}

/* ---- why loads miss ---- */

static void misses_are_classified(void **state)
{
    struct story t = {
        .settings = {{"classify", 1}, {"ways", 1}, {"size", 512}},
        /* lines 0 and 4 share a set of four; 1, 2, 3, 5 do not */
        .steps = {{'l', 0},
                  {'l', 0x200},
                  {'l', 0}, /* conflict */
                  {'l', 0x80},
                  {'l', 0x100},
                  {'l', 0x180},
                  {'l', 0x280}, /* evicts 0x80, in the shadow 0x200 and 0 */
                  {'l', 0x200}, /* capacity */
                  {'f'},
                  {'l', 0x200}, /* coherence */
                  {'l', 0x220}},
        .stats = {{"miss_compulsory", 7},
                  {"miss_conflict", 1},
                  {"miss_capacity", 1},
                  {"miss_coherence", 1},
                  {"misses_read", 10}}};
    play(t);
    t.settings[0].value = 0;
    for (unsigned i = 0; i < 4; i++)
        t.stats[i].value = 0;
    play(t);
}

/* ---- widths ---- */

#define MANY 60u

/* As fast as it can: hits (reply), misses (mem, fill). */
static void build_width(struct bench *b)
{
    const struct story *t = b->scenario->with;
    build_story(b);
    for (unsigned i = 0; i < MANY; i++)
        driver_load(b->drivers[0], 1000, t->steps[0].addr + 8 * i);
}

/* The answers come at the rate of `every` / 10 cycles. */
static void check_width(struct bench *b)
{
    const struct story *t = b->scenario->with;
    const struct driver *d = b->drivers[0];
    uint64_t first = driver_answer(d, 5)->at, last = driver_answer(d, MANY)->at;
    assert_int_equal(driver_unanswered(d), 0);
    assert_in_range(last - first, (MANY - 5) * t->every / 10 - 1,
                    (MANY - 5) * t->every / 10 + 1);
}

static void a_reply_port_carries_its_width(void **state)
{
    /* 8 + 8 bytes at 4 a cycle: 4 cycles an answer. */
    struct story t = {
        .settings = {{"reply_width", 4}, {"fill", 128}},
        .steps = {{'l', 0}, {'l', 0x80}, {'l', 0x100}, {'l', 0x180}},
        .every = 40};
    bench_test_with(build_width, check_width, &t);
    t.settings[0].value = 10;
    t.every = 16;
    bench_test_with(build_width, check_width, &t);
}

#define CROWD 200u

static void build_crowd(struct bench *b)
{
    build_story(b);
    for (unsigned i = 0; i < CROWD; i++)
        driver_load(b->drivers[0], 1000, 8 * (i % MANY));
}

/* One hit a cycle, one answer in four: after 85 cycles 64 answers wait, and
 * each of the other loads stands for three cycles. */
static void check_crowd(struct bench *b)
{
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
    assert_in_range(bench_stat(b->units[0], "stall_reply"),
                    3 * (CROWD - 85) - 5, 3 * (CROWD - 85) + 5);
}

static void a_bank_stands_while_64_answers_wait(void **state)
{
    struct story t = {
        .settings = {{"reply_width", 4}, {"fill", 128}},
        .steps = {{'l', 0}, {'l', 0x80}, {'l', 0x100}, {'l', 0x180}}};
    bench_test_with(build_crowd, check_crowd, &t);
}

static void check_rate(struct bench *b)
{
    const struct below *m = b->belows[0];
    uint64_t first = m->seen[4].at, last = m->seen[14].at;
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
    assert_int_equal(last - first, 10 * 8);
}

static void a_port_below_carries_its_width(void **state)
{
    /* Stores of 8 + 8 bytes at 2 a cycle. */
    struct story t = {.settings = {{"mem_width", 2}}, .every = 1};
    for (unsigned i = 0; i < 15; i++)
        t.steps[i] = (struct step){'s', 8 * i, i};
    bench_test_with(build_story, check_rate, &t);
}

static void check_fill_rate(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    for (unsigned i = 1; i < 4; i++)
        assert_int_equal(driver_answer(d, i)->at - driver_answer(d, i - 1)->at,
                         10);
}

static void a_port_from_below_carries_its_width(void **state)
{
    /* Sectors of 8 + 32 bytes at 4 a cycle. */
    struct story t = {
        .settings = {{"fill_width", 4}},
        .steps = {{'l', 0}, {'l', 0x80}, {'l', 0x100}, {'l', 0x180}},
        .every = 1};
    bench_test_with(build_story, check_fill_rate, &t);
}

/* ---- what is noted for the check of memory ---- */

static struct check_log logs[4];

static void build_notes(struct bench *b)
{
    for (unsigned i = 0; i < 4; i++)
        logs[i].count = 0;
    b->machine.check_logs = logs;
    build_story(b);
}

/* The notes of the cache's tile, e.g. "p48=7 o48=7": p performed, u updated,
 * o old, s store, d dropped. */
static void check_notes(struct bench *b)
{
    static const char letters[] = {[CHECK_STORE] = 's',
                                   [CHECK_PERFORMED] = 'p',
                                   [CHECK_UPDATED] = 'u',
                                   [CHECK_OLD] = 'o',
                                   [CHECK_DROPPED] = 'd'};
    const struct check_log *log = &logs[b->units[0]->tile->id];
    char text[256] = "";
    for (unsigned i = 0; i < log->count; i++) {
        const struct check_record *r = &log->records[i];
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "%s%c%llx=%llu", at ? " " : "",
                 letters[r->kind], (unsigned long long)r->addr,
                 (unsigned long long)r->value);
    }
    check_story(b);
    assert_string_equal(text, expected);
}

static void play_notes(const char *notes, struct story t)
{
    expected = notes;
    bench_test_with(build_notes, check_notes, &t);
}

static void what_is_performed_is_noted(void **state)
{
    play_notes("p48=7 o48=7 p48=8",
               (struct story){.settings = {{"owner", 1}},
                              .steps = {{'s', 0x48, 7}, {'a', 0x48, 1}}});
    play_notes("d40=0 d0=0",
               (struct story){.steps = {{'l', 0x48}, {'a', 0x48, 1}, {'f'}}});
    play_notes("o48=109 s48=110 u48=110",
               (struct story){.settings = {{"write", 2}, {"atomics", 1}},
                              .steps = {{'a', 0x48, 1}}});
    for (unsigned i = 0; i < 4; i++) {
        free(logs[i].records);
        logs[i] = (struct check_log){0};
    }
}

/* ---- snapshots ---- */

/* What a cache holds after some loads, as text. */
static char *saved;
static size_t saved_size;

static void check_saved(struct bench *b)
{
    free(saved);
    FILE *out = open_memstream(&saved, &saved_size);
    cache_save(b->units[0], out);
    fclose(out);
}

static bool load_saved(struct bench *b, uint64_t now,
                       const struct service_request *request)
{
    struct error e;
    FILE *in = fmemopen(saved, saved_size, "r");
    if (!cache_load(b->units[0], in, &e))
        fail_msg("%s", e.text);
    fclose(in);
    return true;
}

/* The same cache, warm: the script begins with the service that loads. */
static void build_warm(struct bench *b)
{
    build_story(b);
    struct driver *d = b->drivers[0];
    struct ask first = {.at = 0, .service = true};
    for (unsigned i = 0; i < d->count; i++)
        d->asks[i].at += 50;
    driver_service(d, 0);
    memmove(d->asks + 1, d->asks, (d->count - 1) * sizeof *d->asks);
    d->asks[0] = first;
    for (unsigned i = 1; i < d->count; i++)
        d->asks[i].msg.tag = i;
}

static void check_warm(struct bench *b)
{
    const struct story *t = b->scenario->with;
    below_expect(b->belows[0], t->below);
    assert_int_equal(driver_value(b->drivers[0], 1), 109);
}

static void a_cache_may_begin_warm(void **state)
{
    for (int64_t policy = 0; policy < 4; policy += 3) {
        struct story cold = {.settings = {{"replacement", policy}},
                             .steps = {{'l', 0x48},
                                       {'l', 0x80},
                                       {'l', 0x100},
                                       {'l', CONSTANT},
                                       {'l', 0x48}}};
        bench_test_with(build_story, check_saved, &cold);
        /* What is there hits; a new line takes the place of 0x80 (lru). */
        struct story warm = {.settings = {{"replacement", policy}},
                             .steps = {{'l', 0x48},
                                       {'l', CONSTANT},
                                       {'l', 0x200},
                                       {'l', 0x48},
                                       {'l', 0x60}},
                             .below = "r200 r60"};
        bench_play(&(struct scenario){.build = build_warm,
                                      .check = check_warm,
                                      .serve = load_saved,
                                      .with = &warm});
    }
}

/* The text of a snapshot with one word changed is refused. */
static const char *change_from, *change_to;

static bool load_changed(struct bench *b, uint64_t now,
                         const struct service_request *request)
{
    struct error e;
    char *text = malloc(saved_size + 64);
    assert_non_null(text);
    const char *at = strstr(saved, change_from);
    assert_non_null(at);
    size_t before = (size_t)(at - saved);
    memcpy(text, saved, before);
    strcpy(text + before, change_to);
    strcat(text, at + strlen(change_from));
    FILE *in = fmemopen(text, strlen(text), "r");
    assert_false(cache_load(b->units[0], in, &e));
    if (!strstr(e.text, expected))
        fail_msg("'%s' does not say '%s'", e.text, expected);
    fclose(in);
    free(text);
    return true;
}

static void check_nothing(struct bench *b)
{
}

static void expect_refused(const char *from, const char *to, const char *text)
{
    struct story t = {.steps = {{'l', 0x48}}};
    change_from = from;
    change_to = to;
    expected = text;
    bench_test_with(build_story, check_saved, &t);
    bench_play(&(struct scenario){.build = build_warm,
                                  .check = check_nothing,
                                  .serve = load_changed,
                                  .with = &t});
}

static void a_snapshot_that_does_not_fit_is_refused_by_name(void **state)
{
    expect_refused("ways 4", "ways 8",
                   "cache: ways is 8 in the snapshot, 4 in this chip");
    expect_refused("cache cache", "cache l1", "of cache l1, expected cache");
    expect_refused("line 0 0 0", "line 0 9 0", "does not fit this cache");
    expect_refused("line 0 0 0 0", "line 0 0 0 500000", "does not fit");
    expect_refused("end\n", "", "ends within cache cache");
    expect_refused("line 0 0", "lime 0 0", "is no line");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sector_is_valid_when_all_of_it_has_come),
        cmocka_unit_test(a_miss_fetches_its_fill_and_waits_for_its_sector),
        cmocka_unit_test(a_line_may_have_eight_pieces),
        cmocka_unit_test(a_block_prefetch_fetches_the_rest_of_the_line),
        cmocka_unit_test(or_of_the_next_line_too),
        cmocka_unit_test(it_is_dropped_where_an_mshr_is_missing),
        cmocka_unit_test(the_tree_points_away_from_what_was_used),
        cmocka_unit_test(ways_need_not_be_a_power_of_two),
        cmocka_unit_test(a_tree_over_128_ways_has_all_levels),
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
        cmocka_unit_test(answers_say_how_deep_they_come_from),
        cmocka_unit_test(misses_are_classified),
        cmocka_unit_test(a_reply_port_carries_its_width),
        cmocka_unit_test(a_bank_stands_while_64_answers_wait),
        cmocka_unit_test(a_port_below_carries_its_width),
        cmocka_unit_test(a_port_from_below_carries_its_width),
        cmocka_unit_test(what_is_performed_is_noted),
        cmocka_unit_test(a_cache_may_begin_warm),
        cmocka_unit_test(a_snapshot_that_does_not_fit_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
