/*
 * The cache: its timing to the cycle, what it fetches, whom it replaces, and
 * that it keeps what was stored, first step by step, then under random
 * traffic.
 */
#include "sim/units/bench.h"
#include "sim/units/units.h"
#include <stdlib.h>

#define FAR 50u /* latency of the memory below */
#define LATENCY 10u

/* From asking to the answer, where nobody is in the way. */
#define HIT (2 * LINK + LATENCY)
#define MISS (HIT + 2 * LINK + FAR)

/* A cache of one set of `ways` lines, of 128 bytes, with one client. */
static struct unit *small_cache(struct bench *b, int64_t ways)
{
    struct unit *c = bench_unit(b, "cache", "cache");
    bench_set(b, c, "size", 128 * ways);
    bench_set(b, c, "ways", ways);
    bench_set(b, c, "latency", LATENCY);
    bench_driver(b, c, "cpu", "reply");
    bench_below(b, c, "mem", "fill", FAR);
    return c;
}

/* The same, of four sets in four banks. */
static struct unit *banked_cache(struct bench *b, int64_t ways)
{
    struct unit *c = small_cache(b, ways);
    bench_set(b, c, "size", 4 * 128 * ways);
    bench_set(b, c, "banks", 4);
    return c;
}

static struct unit *small_owner(struct bench *b, int64_t ways)
{
    struct unit *c = small_cache(b, ways);
    bench_set(b, c, "owner", 1);
    return c;
}

/* ---- timing ---- */

static void build_hit(struct bench *b)
{
    small_cache(b, 4);
    *bench_word(b, 0x40) = 77;
    driver_load(b->drivers[0], 0, 0x40);
    driver_load(b->drivers[0], 200, 0x40);
}

static void check_hit(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    assert_int_equal(driver_took(d, 0), MISS);
    assert_int_equal(driver_took(d, 1), HIT);
    assert_int_equal(driver_value(d, 0), 77);
    assert_int_equal(driver_value(d, 1), 77);
    assert_stat(b->units[0], "hits", 1);
    assert_stat(b->units[0], "misses_read", 1);
    assert_stat(b->units[0], "reads", 2);
    /* Taken, looked up, answered; taken, looked up with the answer. */
    assert_stat(b->units[0], "busy", 3 + 2);
    assert_stat(b->units[0], "waiting", MISS - 2 * LINK - 2 + LATENCY - 1);
}

static void a_hit_answers_latency_cycles_after_its_bank_took_it(void **state)
{
    bench_test(build_hit, check_hit);
}

static void build_sectors(struct bench *b)
{
    small_cache(b, 4);
    driver_load(b->drivers[0], 0, 0x48);
    driver_load(b->drivers[0], 200, 0x60);
    driver_load(b->drivers[0], 400, 0x58);
}

static void check_sectors(struct bench *b)
{
    below_expect(b->belows[0], "r40 r60");
    assert_int_equal(b->belows[0]->seen[0].msg.size, SECTOR);
    assert_int_equal(driver_took(b->drivers[0], 1), MISS);
    assert_int_equal(driver_took(b->drivers[0], 2), HIT);
    assert_stat(b->units[0], "fills", 2);
    assert_stat(b->units[0], "evictions", 0);
}

static void a_miss_fetches_only_its_sector(void **state)
{
    bench_test(build_sectors, check_sectors);
}

static void build_half_misses(struct bench *b)
{
    small_cache(b, 4);
    for (unsigned i = 0; i < 4; i++) {
        *bench_word(b, 0x40 + 8 * i) = i;
        driver_load(b->drivers[0], 10 * i, 0x40 + 8 * i);
    }
}

static void check_half_misses(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    below_expect(b->belows[0], "r40");
    assert_stat(b->units[0], "half_misses", 3);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(driver_value(d, i), i);
        assert_int_equal(driver_answer(d, i)->at, MISS + i);
    }
}

static void a_miss_to_a_sector_on_its_way_waits_for_it(void **state)
{
    bench_test(build_half_misses, check_half_misses);
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
    /* Looked up in vain from the cycle when it reached the bank's end until
     * the first line was there and answered. */
    assert_stat(b->units[0], "stall_way", 2 * LINK + FAR - 2);
    assert_stat(b->units[0], "evictions", 1);
}

static void but_never_a_line_that_is_being_filled(void **state)
{
    bench_test(build_filling, check_filling);
}

/* ---- banks ---- */

#define CLIENTS 8u
#define EACH 150u
#define WARM 300u

/* Clients that all ask for what is there, as fast as they can. */
static void build_banks(struct bench *b)
{
    unsigned lines = *(const unsigned *)b->scenario->with;
    struct unit *c = banked_cache(b, 4);
    for (unsigned i = 0; i < 4; i++)
        driver_load(b->drivers[0], 0, 128 * i);
    for (unsigned n = 1; n <= CLIENTS; n++) {
        struct driver *d = bench_driver(b, c, "cpu", "reply");
        for (unsigned i = 0; i < EACH; i++)
            driver_load(d, WARM, 128 * (n % lines));
    }
}

/* Every client is served every `turn` cycles. */
static void check_turns(struct bench *b, unsigned turn)
{
    for (unsigned n = 1; n <= CLIENTS; n++) {
        const struct driver *d = b->drivers[n];
        assert_int_equal(driver_unanswered(d), 0);
        assert_in_range(d->answers[0].at, WARM + HIT, WARM + HIT + turn - 1);
        for (unsigned i = 1; i < EACH; i++)
            assert_int_equal(d->answers[i].at - d->answers[i - 1].at, turn);
    }
    assert_stat(b->units[0], "hits", CLIENTS * EACH);
}

static void check_one_bank(struct bench *b)
{
    check_turns(b, CLIENTS);
    /* All but one wait, in the last round ever fewer. */
    assert_stat(b->units[0], "conflicts",
                (CLIENTS - 1) * (CLIENTS * EACH - CLIENTS) +
                    CLIENTS * (CLIENTS - 1) / 2);
}

static void check_four_banks(struct bench *b)
{
    check_turns(b, CLIENTS / 4);
}

static void a_bank_takes_a_request_a_cycle_from_each_in_turn(void **state)
{
    bench_test_with(build_banks, check_one_bank, &(unsigned){1});
}

static void four_banks_take_four(void **state)
{
    bench_test_with(build_banks, check_four_banks, &(unsigned){4});
}

static void build_unequal(struct bench *b)
{
    build_banks(b);
    struct driver *late = bench_driver(b, b->units[0], "cpu", "reply");
    for (unsigned i = 0; i < 20; i++)
        driver_load(late, WARM + 40 * i, 0);
}

static void check_unequal(struct bench *b)
{
    const struct driver *late = b->drivers[CLIENTS + 1];
    for (unsigned i = 0; i < 20; i++)
        assert_in_range(driver_took(late, i), HIT, HIT + CLIENTS);
}

static void who_asks_rarely_waits_a_round_at_most(void **state)
{
    bench_test_with(build_unequal, check_unequal, &(unsigned){1});
}

/* ---- limits ---- */

static void build_mshrs(struct bench *b)
{
    struct unit *c = small_cache(b, 16);
    bench_set(b, c, "mshrs", 2);
    for (unsigned i = 0; i < 16; i++)
        driver_load(b->drivers[0], 0, 128 * i);
}

static void check_mshrs(struct bench *b)
{
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
    assert_int_equal(below_most(b->belows[0]), 2);
    assert_true(bench_stat(b->units[0], "stall_mshr") > 6 * FAR);
}

static void no_more_sectors_are_fetched_than_there_are_mshrs(void **state)
{
    bench_test(build_mshrs, check_mshrs);
}

static void build_targets(struct bench *b)
{
    struct unit *c = small_cache(b, 4);
    bench_set(b, c, "targets", 2);
    for (unsigned i = 0; i < 5; i++)
        driver_load(b->drivers[0], 0, 0);
}

static void check_targets(struct bench *b)
{
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
    below_expect(b->belows[0], "r0");
    assert_stat(b->units[0], "half_misses", 4);
    /* The third stands at the bank's end until the first is answered. */
    assert_stat(b->units[0], "stall_target", 2 * LINK + FAR - 2);
}

static void no_more_requests_wait_for_a_sector_than_targets(void **state)
{
    bench_test(build_targets, check_targets);
}

/* The second load finds no target; from the invalidation on it must not join
 * what is on its way. */
static void build_target_of_old(struct bench *b)
{
    struct unit *c = banked_cache(b, 4);
    bench_set(b, c, "targets", 1);
    driver_load(b->drivers[0], 0, 128);
    driver_load(b->drivers[0], 0, 128);
    driver_invalidate(bench_driver(b, c, "cpu", "reply"), 20);
}

static void check_target_of_old(struct bench *b)
{
    below_expect(b->belows[0], "r80 r80");
    assert_stat(b->units[0], "stall_target", 19);
    assert_stat(b->units[0], "stall_order", 2 * LINK + FAR - 1 - 19);
}

static void who_waits_for_a_target_is_told_of_an_invalidation(void **state)
{
    bench_test(build_target_of_old, check_target_of_old);
}

/* A miss in each of four banks, each with a hit behind it. */
static void build_misses(struct bench *b)
{
    struct unit *c = banked_cache(b, 8);
    bench_set(b, c, "misses", *(const int *)b->scenario->with);
    for (unsigned i = 0; i < 4; i++)
        driver_load(b->drivers[0], 0, 128 * i);
    for (unsigned i = 0; i < 4; i++) {
        struct driver *d = bench_driver(b, c, "cpu", "reply");
        driver_load(d, WARM, 128 * (4 + i));
        driver_load(d, WARM, 128 * i);
    }
}

static void check_one_miss(struct bench *b)
{
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(driver_took(b->drivers[1 + i], 0), MISS + i);
        assert_int_equal(driver_took(b->drivers[1 + i], 1), HIT + i);
    }
}

static void check_four_misses(struct bench *b)
{
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(driver_took(b->drivers[1 + i], 0), MISS + i);
        assert_int_equal(driver_took(b->drivers[1 + i], 1), HIT);
    }
}

static void one_miss_is_noted_in_a_cycle(void **state)
{
    bench_test_with(build_misses, check_one_miss, &(int){1});
}

static void or_as_many_as_misses_says(void **state)
{
    bench_test_with(build_misses, check_four_misses, &(int){4});
}

static void build_miss_turns(struct bench *b)
{
    struct unit *c = banked_cache(b, 32);
    for (unsigned i = 0; i < 4; i++) {
        struct driver *d = bench_driver(b, c, "cpu", "reply");
        for (unsigned k = 0; k < 8; k++)
            driver_load(d, 0, 128 * (4 * k + i));
    }
}

static void check_miss_turns(struct bench *b)
{
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(b->belows[0]->seen[i].msg.addr, 128 * i);
}

static void banks_miss_in_turn(void **state)
{
    bench_test(build_miss_turns, check_miss_turns);
}

/* Bank 0 has missed: of four that miss in a cycle it comes last. */
static void build_arrivals(struct bench *b)
{
    struct unit *c = banked_cache(b, 8);
    bench_set(b, c, "misses", 4);
    driver_load(b->drivers[0], 0, 0);
    for (unsigned i = 0; i < 4; i++) {
        struct driver *d = bench_driver(b, c, "cpu", "reply");
        driver_load(d, WARM, 128 * (4 + i));
    }
}

static void check_arrivals(struct bench *b)
{
    below_expect(b->belows[0], "r0 r280 r300 r380 r200");
}

static void also_where_nobody_stands(void **state)
{
    bench_test(build_arrivals, check_arrivals);
}

static void build_pass(struct bench *b)
{
    struct unit *c = small_cache(b, 4);
    bench_set(b, c, "pass", 5);
    for (unsigned i = 0; i < 40; i++)
        driver_store(b->drivers[0], 0, 8 * i, i + 1);
}

static void check_pass(struct bench *b)
{
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
    assert_int_equal(below_most(b->belows[0]), 5);
    assert_true(bench_stat(b->units[0], "stall_below") > FAR);
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(*bench_word(b, 8 * i), i + 1);
}

static void no_more_stores_are_under_way_than_pass(void **state)
{
    bench_test(build_pass, check_pass);
}

static void build_closed(struct bench *b)
{
    small_cache(b, 4);
    b->belows[0]->closed_until = 1000;
    for (unsigned i = 0; i < 200; i++)
        driver_store(b->drivers[0], 0, 8 * i, i + 1);
}

/* Those asked early stand in the queue, the bank and the two links. */
static void check_closed(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    unsigned early = 0;
    assert_int_equal(driver_unanswered(d), 0);
    for (unsigned i = 0; i < 200; i++)
        early += d->asks[i].sent < 1000;
    unsigned on_a_link = DEPTH + (b->together ? LINK - 1 : 2 * LINK);
    assert_int_equal(early, 64 + LATENCY + 1 + 2 * on_a_link);
    assert_true(bench_stat(b->units[0], "stall_below") > 800);
    assert_int_equal(b->belows[0]->count, 200);
}

static void a_full_queue_stops_the_bank_until_it_has_room(void **state)
{
    bench_test(build_closed, check_closed);
}

/* ---- copies ---- */

static void build_through(struct bench *b)
{
    struct driver *d;
    small_cache(b, 4);
    d = b->drivers[0];
    *bench_word(b, 0x40) = 5;
    driver_load(d, 0, 0x40);
    driver_store(d, 200, 0x40, 6);
    driver_load(d, 201, 0x40);
    driver_atomic(d, 400, 0x40, ISA_AMOADD, 10);
    driver_load(d, 401, 0x40);
}

static void check_through(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    below_expect(b->belows[0], "r40 w40 a40 r40");
    assert_int_equal(driver_value(d, 0), 5);
    assert_int_equal(driver_answer(d, 1)->msg.op, MEM_DONE);
    assert_int_equal(driver_took(d, 1), MISS);
    assert_int_equal(driver_value(d, 2), 6);
    assert_int_equal(driver_took(d, 2), HIT);
    assert_int_equal(driver_answer(d, 3)->msg.op, MEM_OLD);
    assert_int_equal(driver_value(d, 3), 6);
    assert_int_equal(driver_value(d, 4), 16);
    assert_int_equal(*bench_word(b, 0x40), 16);
}

static void a_store_updates_the_copy_and_an_atomic_drops_it(void **state)
{
    bench_test(build_through, check_through);
}

static void build_no_allocation(struct bench *b)
{
    small_cache(b, 4);
    driver_store(b->drivers[0], 0, 0x40, 6);
    driver_load(b->drivers[0], 200, 0x40);
}

static void check_no_allocation(struct bench *b)
{
    below_expect(b->belows[0], "w40 r40");
    assert_int_equal(driver_value(b->drivers[0], 1), 6);
}

static void a_store_that_misses_makes_no_copy(void **state)
{
    bench_test(build_no_allocation, check_no_allocation);
}

/* with: is it an atomic? */
static void build_stale(struct bench *b)
{
    struct driver *d;
    small_cache(b, 4);
    d = b->drivers[0];
    *bench_word(b, 0x40) = 5;
    driver_load(d, 0, 0x40);
    if (*(const bool *)b->scenario->with)
        driver_atomic(d, 1, 0x40, ISA_AMOSWAP, 6);
    else
        driver_store(d, 1, 0x40, 6);
    driver_load(d, 2, 0x40);
    driver_load(d, 400, 0x40);
}

static void check_stale(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    bool atomic = *(const bool *)b->scenario->with;
    below_expect(b->belows[0], atomic ? "r40 a40 r40" : "r40 w40 r40");
    assert_int_equal(driver_value(d, 0), 5);
    assert_int_equal(driver_value(d, 2), 6);
    assert_int_equal(driver_value(d, 3), 6);
    assert_int_equal(driver_took(d, 3), HIT);
}

static void a_store_to_a_sector_on_its_way_is_not_lost(void **state)
{
    bench_test_with(build_stale, check_stale, &(bool){false});
    bench_test_with(build_stale, check_stale, &(bool){true});
}

#define CONSTANT (BENCH_READ_ONLY + 0x80)

/* Another client of the memory stores between the loads. */
static void build_invalidate(struct bench *b)
{
    struct driver *d;
    small_cache(b, 4);
    d = b->drivers[0];
    *bench_word(b, 0x40) = 1;
    *bench_word(b, CONSTANT) = 9;
    driver_load(d, 0, 0x40);
    driver_load(d, 0, CONSTANT);
    driver_load(d, 200, 0x40);
    driver_invalidate(d, 300);
    driver_load(d, 301, 0x40);
    driver_load(d, 301, CONSTANT);
    struct driver *other = bench_driver(b, &b->belows[0]->unit, "in", "out");
    driver_store(other, 150, 0x40, 2);
}

static void check_invalidate(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    below_expect(b->belows[0], "r40 r100080 w40 r40");
    assert_int_equal(driver_value(d, 1), 9);
    assert_int_equal(driver_value(d, 2), 1);
    assert_int_equal(driver_answer(d, 3)->msg.op, MEM_DONE);
    assert_int_equal(driver_took(d, 3), HIT);
    assert_int_equal(driver_value(d, 4), 2);
    assert_int_equal(driver_value(d, 5), 9);
    assert_int_equal(driver_took(d, 5), HIT);
}

static void invalidation_drops_copies_of_writable_data_only(void **state)
{
    bench_test(build_invalidate, check_invalidate);
}

/* The invalidation comes while the sector is on its way. */
static void build_invalidate_early(struct bench *b)
{
    struct driver *d;
    small_cache(b, 4);
    d = b->drivers[0];
    driver_load(d, 0, 0x40);
    driver_invalidate(d, 20);
    driver_load(d, 21, 0x40);
    struct driver *other = bench_driver(b, &b->belows[0]->unit, "in", "out");
    driver_store(other, 30, 0x40, 2);
}

static void check_invalidate_early(struct bench *b)
{
    below_expect(b->belows[0], "r40 w40 r40");
    assert_int_equal(driver_value(b->drivers[0], 0), 0);
    assert_int_equal(driver_value(b->drivers[0], 2), 2);
}

static void nor_is_a_sector_kept_that_was_asked_for_before_it(void **state)
{
    bench_test(build_invalidate_early, check_invalidate_early);
}

static void build_ignored(struct bench *b)
{
    build_invalidate(b);
    bench_set(b, b->units[0], "fault", 3);
}

static void check_ignored(struct bench *b)
{
    assert_int_equal(driver_answer(b->drivers[0], 3)->msg.op, MEM_DONE);
    assert_int_equal(driver_value(b->drivers[0], 4), 1);
}

static void unless_the_fault_says_that_it_is_ignored(void **state)
{
    bench_test(build_ignored, check_ignored);
}

static bool launch(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    engine_launch(b->engine);
    return true;
}

static void build_launch(struct bench *b)
{
    small_cache(b, 4);
    driver_load(b->drivers[0], 0, 0x40);
    driver_load(b->drivers[0], 0, CONSTANT);
    driver_service(b->drivers[0], 150);
    driver_load(b->drivers[0], 300, 0x40);
    driver_load(b->drivers[0], 300, CONSTANT);
}

static void check_launch(struct bench *b)
{
    below_expect(b->belows[0], "r40 r100080 r40");
}

static void so_does_the_start_of_a_kernel(void **state)
{
    bench_play(&(struct scenario){
        .build = build_launch, .check = check_launch, .serve = launch});
}

/* ---- the owner ---- */

static void build_allocate(struct bench *b)
{
    struct driver *d;
    small_owner(b, 4);
    d = b->drivers[0];
    *bench_word(b, 0x48) = 4;
    driver_store(d, 0, 0x40, 3);
    driver_load(d, 100, 0x40);
    driver_load(d, 200, 0x48);
    for (unsigned i = 0; i < 4; i++)
        driver_store(d, 400, 0x80 + 8 * i, 10 + i);
    for (unsigned i = 0; i < 4; i++)
        driver_load(d, 500, 0x80 + 8 * i);
}

static void check_allocate(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    below_expect(b->belows[0], "f40");
    assert_int_equal(driver_took(d, 0), HIT);
    assert_int_equal(driver_value(d, 1), 3);
    assert_int_equal(driver_took(d, 1), HIT);
    assert_int_equal(driver_value(d, 2), 4);
    assert_int_equal(driver_took(d, 2), MISS);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(driver_value(d, 7 + i), 10 + i);
}

static void the_owner_fetches_only_bytes_that_were_not_written(void **state)
{
    bench_test(build_allocate, check_allocate);
}

static void build_partial(struct bench *b)
{
    struct driver *d;
    small_owner(b, 4);
    d = b->drivers[0];
    *bench_word(b, 0x40) = 0x1111111111111111;
    driver_ask(
        d, 0,
        (struct msg){.op = MEM_WRITE, .addr = 0x42, .size = 2, .value = 0x2222},
        NULL);
    driver_ask(d, 100, (struct msg){.op = MEM_READ, .addr = 0x43, .size = 1},
               NULL);
    driver_load(d, 200, 0x40);
}

static void check_partial(struct bench *b)
{
    below_expect(b->belows[0], "f40");
    assert_int_equal(driver_value(b->drivers[0], 1), 0x22);
    assert_int_equal(driver_took(b->drivers[0], 1), HIT);
    assert_int_equal(driver_value(b->drivers[0], 2), 0x1111111122221111);
}

static void bytes_written_before_a_fetch_are_kept(void **state)
{
    bench_test(build_partial, check_partial);
}

static void build_write_back(struct bench *b)
{
    struct driver *d;
    small_owner(b, 1);
    d = b->drivers[0];
    driver_store(d, 0, 0, 1);
    driver_store(d, 0, 8, 1);
    driver_store(d, 0, 0x40, 1);
    driver_load(d, 100, 0x60);
    driver_load(d, 300, 0x80); /* evicts the three sectors */
    driver_load(d, 500, 0x100);
    driver_atomic(d, 700, 0x108, ISA_AMOADD, 2);
    driver_load(d, 900, 0);
    driver_atomic(d, 1100, 0x180, ISA_AMOADD, 2); /* waits for the sector */
    driver_load(d, 1300, 0);
}

static void check_write_back(struct bench *b)
{
    below_expect(b->belows[0], "f60 b0 b40 f80 f100 b100 f0 f180 b180 f0");
    assert_stat(b->units[0], "writebacks", 4);
    assert_stat(b->units[0], "evictions", 5);
    assert_int_equal(driver_value(b->drivers[0], 7), 1);
    assert_int_equal(*bench_word(b, 0x108), 2);
}

static void an_eviction_writes_back_each_dirty_sector_once(void **state)
{
    bench_test(build_write_back, check_write_back);
}

/* A load that waits for a sector hands over all of it by value. */
static void build_sector(struct bench *b)
{
    small_owner(b, 4);
    struct msg m = {.op = MEM_READ, .size = SECTOR, .addr = 0x40};
    *bench_word(b, 0x58) = 12;
    driver_ask(b->drivers[0], 0, m, NULL);
    m.addr = CONSTANT;
    driver_ask(b->drivers[0], 0, m, NULL);
}

static void check_sector(struct bench *b)
{
    const struct answer *a = driver_answer(b->drivers[0], 0);
    assert_true(a->msg.flags & MSG_PAYLOAD);
    assert_int_equal(a->payload.bytes[24], 12);
    assert_false(driver_answer(b->drivers[0], 1)->msg.flags & MSG_PAYLOAD);
}

static void whole_sectors_travel_by_value_if_they_are_writable(void **state)
{
    bench_test(build_sector, check_sector);
}

/* ---- slices ---- */

#define STRIDE 1024u
#define PARTS 3u
#define SLICES 2u

/* The memories open when each has fetches to answer. */
static void build_slices(struct bench *b)
{
    struct unit *c = small_cache(b, 64);
    bench_set(b, c, "map_stride", STRIDE);
    bench_set(b, c, "map_parts", PARTS);
    bench_set(b, c, "map_slices", SLICES);
    for (unsigned i = 1; i < PARTS * SLICES; i++)
        bench_below(b, c, "mem", "fill", FAR);
    for (unsigned i = 0; i < PARTS * SLICES; i++)
        b->belows[i]->closed_until = WARM;
    for (unsigned i = 0; i < 48; i++)
        driver_load(b->drivers[0], 0, 128 * i);
}

static unsigned slice_of(uint64_t addr)
{
    uint64_t stripe = addr / STRIDE;
    uint64_t line = (stripe / PARTS * STRIDE + addr % STRIDE) / 128;
    return (unsigned)(stripe % PARTS * SLICES + line % SLICES);
}

static void check_slices(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    unsigned requests = 0;
    for (unsigned n = 0; n < PARTS * SLICES; n++)
        for (unsigned i = 0; i < b->belows[n]->count; i++, requests++)
            assert_int_equal(slice_of(b->belows[n]->seen[i].msg.addr), n);
    assert_int_equal(requests, 48);
    assert_int_equal(driver_unanswered(d), 0);
    for (unsigned i = 0; i < 48; i++)
        assert_int_equal(slice_of(d->answers[i].msg.addr),
                         i % (PARTS * SLICES));
}

static void fetches_go_to_their_slice_and_are_taken_in_turn(void **state)
{
    bench_test(build_slices, check_slices);
}

/* One of two partitions: the lines that come here fill all of its sets. */
static void build_sets(struct bench *b)
{
    struct unit *c = small_owner(b, 1);
    bench_set(b, c, "size", 8 * 128);
    bench_set(b, c, "map_stride", 128);
    bench_set(b, c, "map_parts", 2);
    for (unsigned i = 0; i < 16; i++)
        driver_load(b->drivers[0], 100 * i, 256 * (i % 8));
}

static void check_sets(struct bench *b)
{
    assert_stat(b->units[0], "misses_read", 8);
    assert_stat(b->units[0], "hits", 8);
}

static void an_owner_uses_all_its_sets(void **state)
{
    bench_test(build_sets, check_sets);
}

/* ---- lr and sc ---- */

/* A story of two harts, a and b: what happens every 100 cycles. Without turns:
 * an lr does not wait. */
struct story {
    const char *steps; /* "a:lr X" as "alX"; l lr, s sc, w store, m amoadd */
    const char *ends;  /* for each step: 0 sc stored, 1 it failed, . any */
};

static void build_story(struct bench *b)
{
    const struct story *s = b->scenario->with;
    struct unit *c = small_owner(b, 4);
    bench_set(b, c, "hold", 0);
    bench_driver(b, c, "cpu", "reply");
    unsigned number = 0;
    for (const char *at = s->steps; *at; at += 3, number++) {
        struct driver *d = b->drivers[at[0] - 'a'];
        uint64_t when = 100 * (number + 1), addr = at[2] == 'X' ? 0x40 : 0x80;
        if (at[1] == 'w')
            driver_store(d, when, addr + 8, 50 + number);
        else
            driver_atomic(d, when, addr,
                          at[1] == 'l'   ? ISA_LR
                          : at[1] == 's' ? ISA_SC
                                         : ISA_AMOADD,
                          10 + number);
    }
}

static void check_story(struct bench *b)
{
    const struct story *s = b->scenario->with;
    unsigned next[2] = {0}, number = 0;
    uint64_t stored = 0;
    for (const char *at = s->steps; *at; at += 3, number++) {
        unsigned hart = (unsigned)(at[0] - 'a');
        uint64_t value = driver_value(b->drivers[hart], next[hart]++);
        if (s->ends[number] != '.')
            assert_int_equal(value, s->ends[number] - '0');
        if (s->ends[number] == '0' && at[2] == 'X')
            stored = 10 + number;
        if (at[1] == 'm' && at[2] == 'X')
            stored += 10 + number;
    }
    assert_int_equal(*bench_word(b, 0x40), stored);
}

static void play_story(const char *steps, const char *ends)
{
    struct story s = {steps, ends};
    bench_test_with(build_story, check_story, &s);
}

static void sc_after_lr_stores(void **state)
{
    play_story("alXasX", ".0");
    play_story("alXblYasXbsY", "..00");
    play_story("alXbwYasX", "..0");
}

static void sc_without_lr_fails(void **state)
{
    play_story("asX", "1");
    play_story("alXbsX", ".1");
    play_story("alXasXasX", ".01");
}

static void a_reservation_is_lost_by_the_store_of_another(void **state)
{
    play_story("alXbwXasX", "..1");
    play_story("alXbmXasX", "..1");
    play_story("alXblXbsXasX", "..01");
    play_story("alXblXasXbsX", "..01");
}

static void a_reservation_is_lost_by_an_lr_elsewhere(void **state)
{
    play_story("alXalYasX", "..1");
    play_story("alXalYasY", "..0");
}

/* ---- random traffic ---- */

/*
 * Harts behind two L1s behind one owner. Each hart stores growing numbers to
 * words of its own, loads these and the words of others, and adds to common
 * counters. All words lie in few lines, so that everything meets.
 */
#define HARTS 6u
#define WORDS 4u /* of each hart */
#define COUNTERS 2u
#define OPERATIONS 250u

struct traffic {
    unsigned seed;
    unsigned levels; /* caches on the way to memory; 0: 2 */
    enum below_fault fault;
    const char *where, *what; /* a fault made on purpose in a cache */
    unsigned when;
    bool bare; /* harts right at the memory: where faults are tried */
    bool one;  /* all harts at one L1, which performs the atomics */
    bool expect_wrong;
    bool count_wrong; /* runs in which something was, in `found` */
};

static unsigned found;

/* Words of different harts share sectors. */
static uint64_t word_of(unsigned hart, unsigned word)
{
    return 8 * (word * HARTS + hart);
}

static uint64_t counter(unsigned n)
{
    return word_of(0, WORDS) + 8 + 48 * n;
}

static unsigned pick(unsigned *random, unsigned below)
{
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 10) % below;
}

/* A fence, a flush, or an operation on the block around the word. */
static struct msg upkeep(uint64_t address, unsigned *random)
{
    switch (pick(random, 4)) {
    case 0:
        return (struct msg){.op = MEM_FLUSH};
    case 1:
        return (struct msg){.op = MEM_BLOCK,
                            .addr = address / 64 * 64,
                            .size = 64,
                            .aux = (uint8_t)pick(random, 3)};
    default:
        return (struct msg){.op = MEM_INVALIDATE};
    }
}

static void pass_by(struct msg *m, unsigned *random)
{
    if (m->op == MEM_READ || m->op == MEM_WRITE)
        m->flags = (uint8_t)(1 + pick(random, 3));
}

static void script(struct driver *d, unsigned hart, unsigned *random)
{
    uint64_t at = 0;
    unsigned whose;
    for (unsigned i = 0; i < OPERATIONS; i++) {
        uint64_t mine = word_of(hart, pick(random, WORDS));
        at += pick(random, 4) ? 0 : pick(random, 60);
        switch (pick(random, 8)) {
        case 0:
        case 1:
            driver_store(d, at, mine, i + 1);
            break;
        case 2:
            driver_atomic(d, at, counter(pick(random, COUNTERS)), ISA_AMOADD,
                          1);
            break;
        case 3:
            driver_atomic(d, at, mine, ISA_AMOSWAP, i + 1);
            break;
        case 4:
            if (pick(random, 6) == 0)
                driver_ask(d, at, upkeep(mine, random), NULL);
            break;
        case 5:
            whose = pick(random, HARTS);
            driver_load(d, at, word_of(whose, pick(random, WORDS)));
            break;
        default:
            driver_load(d, at, mine);
        }
        if (d->count && pick(random, 6) == 0)
            pass_by(&d->asks[d->count - 1].msg, random);
    }
}

static struct unit *traffic_l1(struct bench *b, const char *name,
                               unsigned *random)
{
    struct unit *c = bench_unit(b, "cache", name);
    bench_set(b, c, "line", 64 << pick(random, 2));
    bench_set(b, c, "ways", 1 << pick(random, 2));
    bench_set(b, c, "size", 512);
    bench_set(b, c, "banks", 1 << pick(random, 2));
    bench_set(b, c, "latency", 1 + pick(random, 8));
    bench_set(b, c, "mshrs", 1 + pick(random, 6));
    bench_set(b, c, "targets", 1 + pick(random, 4));
    bench_set(b, c, "pass", 1 + pick(random, 10));
    bench_set(b, c, "replacement", pick(random, 4));
    bench_set(b, c, "sector", 32 << pick(random, 2));
    bench_set(b, c, "fill", 64);
    bench_set(b, c, "mshrs", 2 + pick(random, 6));
    bench_set(b, c, "prefetch", pick(random, 3));
    bench_set(b, c, "write", pick(random, 3));
    bench_set(b, c, "allocate", pick(random, 3));
    bench_set(b, c, "updates", 8 + pick(random, 8));
    bench_set(b, c, "reply_width", 8 * pick(random, 3));
    bench_set(b, c, "mem_width", 16 * pick(random, 3));
    bench_set(b, c, "fill_width", 16 * pick(random, 3));
    bench_set(b, c, "classify", pick(random, 2));
    return c;
}

static void join(struct bench *b, struct unit *above, struct unit *below,
                 unsigned *random)
{
    bench_link(b, above, "mem", below, "cpu", 1 + pick(random, 8));
    bench_link(b, below, "reply", above, "fill", 0);
}

static void make_fault(struct bench *b, struct unit *u, const struct traffic *t)
{
    struct error e;
    if (!chip_set_text(b->chip, u, "fault", t->what, &e))
        fail_msg("%s", e.text);
    bench_set(b, u, "fault_at", t->when);
}

static void build_caches(struct bench *b, unsigned *random)
{
    const struct traffic *t = b->scenario->with;
    struct unit *owner = bench_unit(b, "cache", "owner");
    bench_set(b, owner, "owner", 1);
    bench_set(b, owner, "size", 256);
    bench_set(b, owner, "ways", 2);
    bench_set(b, owner, "latency", 1 + pick(random, 12));
    bench_set(b, owner, "mshrs", 1 + pick(random, 4));
    bench_set(b, owner, "write", pick(random, 3));
    bench_set(b, owner, "allocate", pick(random, 3));
    struct unit *l1[] = {traffic_l1(b, "l1a", random),
                         traffic_l1(b, "l1b", random)};
    for (unsigned i = 0; i < 2; i++) {
        struct unit *below = owner;
        if (t->levels > 2) {
            below = traffic_l1(b, i ? "l2b" : "l2a", random);
            join(b, below, owner, random);
        }
        join(b, l1[i], below, random);
    }
    struct unit *memory = bench_unit(b, "memory", "memory");
    bench_set(b, memory, "latency", 1 + pick(random, 100));
    bench_set(b, memory, "bandwidth", 5000 + pick(random, 40000));
    bench_link(b, owner, "mem", memory, "cpu", 4);
    bench_link(b, memory, "reply", owner, "fill", 0);
    for (unsigned hart = 0; hart < HARTS; hart++)
        script(bench_driver(b, l1[t->one ? 0 : hart % 2], "cpu", "reply"), hart,
               random);
    if (t->one) {
        bench_driver(b, l1[1], "cpu", "reply");
        bench_set(b, l1[0], "atomics", 1);
    }
    for (unsigned i = 0; t->what && i < b->unit_count; i++)
        if (!strcmp(b->units[i]->name, t->where))
            make_fault(b, b->units[i], t);
}

/* Six harts in turn at one port of an ideal memory. */
static void build_bare(struct bench *b, unsigned *random)
{
    const struct traffic *t = b->scenario->with;
    struct unit *anchor = bench_unit(b, "cache", "unused");
    struct below *m = bench_below(b, anchor, "mem", "fill", 5);
    bench_driver(b, anchor, "cpu", "reply");
    b->driver_count = 0;
    m->fault = t->fault;
    m->faulty = 100;
    for (unsigned hart = 0; hart < HARTS; hart++)
        script(bench_driver(b, &m->unit, "in", "out"), hart, random);
}

static void build_traffic(struct bench *b)
{
    const struct traffic *t = b->scenario->with;
    unsigned random = t->seed;
    if (t->bare)
        build_bare(b, &random);
    else
        build_caches(b, &random);
}

/* The hart's own words, as its program must see them. */
static unsigned wrong_values(const struct driver *d, unsigned hart,
                             uint64_t *expected)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < d->count; i++) {
        const struct msg *m = &d->asks[i].msg;
        const struct answer *a = NULL;
        for (unsigned k = 0; k < d->answered && !a; k++)
            a = d->answers[k].msg.tag == i ? &d->answers[k] : NULL;
        if (!a || m->op == MEM_INVALIDATE || m->op == MEM_FLUSH ||
            m->op == MEM_BLOCK)
            continue;
        for (unsigned w = 0; w < WORDS; w++) {
            if (m->addr != word_of(hart, w))
                continue;
            wrong += m->op != MEM_WRITE && a->msg.value != expected[w];
            if (m->op != MEM_READ)
                expected[w] = m->value;
        }
    }
    return wrong;
}

/* Others' words: they only grow, and a hart never sees an older one again. */
static unsigned steps_back(const struct driver *d)
{
    uint64_t last[64] = {0};
    unsigned wrong = 0;
    for (unsigned i = 0; i < d->count; i++) {
        const struct msg *m = &d->asks[i].msg;
        if (m->op != MEM_READ)
            continue;
        for (unsigned k = 0; k < d->answered; k++) {
            const struct msg *a = &d->answers[k].msg;
            if (a->tag != i)
                continue;
            wrong += a->value < last[m->addr / 8 % 64];
            last[m->addr / 8 % 64] = a->value;
        }
    }
    return wrong;
}

/* Each value of a counter was seen by exactly one who added 1. */
static unsigned wrong_counts(struct bench *b, uint64_t addr)
{
    static unsigned times[HARTS * OPERATIONS + 1];
    unsigned adds = 0, wrong = 0;
    memset(times, 0, sizeof times);
    for (unsigned n = 0; n < b->driver_count; n++) {
        const struct driver *d = b->drivers[n];
        for (unsigned k = 0; k < d->answered; k++) {
            const struct answer *a = &d->answers[k];
            if (d->asks[a->msg.tag].msg.addr == addr &&
                a->msg.value <= HARTS * OPERATIONS)
                times[a->msg.value]++;
        }
        for (unsigned i = 0; i < d->count; i++)
            adds += d->asks[i].msg.addr == addr;
    }
    for (unsigned v = 0; v < adds; v++)
        wrong += times[v] != 1;
    return wrong + (*bench_word(b, addr) != adds);
}

/* Every load is counted once, every miss has one class where they have. */
static void check_counts(struct bench *b)
{
    for (unsigned i = 0; i < b->unit_count; i++) {
        const struct unit *u = b->units[i];
        if (u->kind != &cache_kind)
            continue;
        uint64_t misses = bench_stat(u, "misses_read");
        assert_stat(u, "reads",
                    bench_stat(u, "hits") + bench_stat(u, "half_misses") +
                        misses + bench_stat(u, "bypassed"));
        uint64_t classes =
            bench_stat(u, "miss_compulsory") + bench_stat(u, "miss_capacity") +
            bench_stat(u, "miss_conflict") + bench_stat(u, "miss_coherence");
        if (classes)
            assert_int_equal(classes, misses);
        assert_in_range(bench_stat(u, "prefetch_useful") +
                            bench_stat(u, "prefetch_useless"),
                        0, bench_stat(u, "prefetches"));
    }
}

static void check_traffic(struct bench *b)
{
    const struct traffic *t = b->scenario->with;
    unsigned wrong = 0;
    for (unsigned hart = 0; hart < HARTS; hart++) {
        const struct driver *d = b->drivers[hart];
        uint64_t expected[WORDS] = {0};
        wrong += driver_unanswered(d);
        wrong += wrong_values(d, hart, expected);
        wrong += steps_back(d);
        for (unsigned w = 0; w < WORDS; w++)
            wrong += *bench_word(b, word_of(hart, w)) != expected[w];
    }
    for (unsigned n = 0; n < COUNTERS; n++)
        wrong += wrong_counts(b, counter(n));
    check_counts(b);
    found += t->count_wrong && wrong;
    if (t->count_wrong)
        return;
    if (wrong && !t->expect_wrong)
        print_message("seed %u\n", t->seed); /* to play it alone */
    if (t->expect_wrong)
        assert_int_not_equal(wrong, 0);
    else
        assert_int_equal(wrong, 0);
}

static void play_traffic(struct traffic t)
{
    /* Whoever waits for a lost answer may try again for ever. */
    bench_play(&(struct scenario){.build = build_traffic,
                                  .check = check_traffic,
                                  .with = &t,
                                  .limit = t.count_wrong ? 100000 : 0});
}

static void harts_see_their_own_stores_and_nothing_is_lost(void **state)
{
    for (unsigned seed = 1; seed <= 60; seed++)
        play_traffic((struct traffic){.seed = seed});
}

static void nor_with_caches_between_them(void **state)
{
    for (unsigned seed = 100; seed <= 160; seed++)
        play_traffic((struct traffic){.seed = seed, .levels = 3});
}

static void nor_where_the_copy_performs_atomics(void **state)
{
    for (unsigned seed = 200; seed <= 240; seed++)
        play_traffic((struct traffic){
            .seed = seed, .one = true, .levels = 2 + seed % 2});
}

/* A fault that befalls one event, another in each of thirty runs. */
static void expect_found(const char *what, const char *where)
{
    found = 0;
    for (unsigned seed = 1; seed <= 30; seed++)
        play_traffic((struct traffic){.seed = seed,
                                      .where = where,
                                      .what = what,
                                      .when = 4 * seed,
                                      .count_wrong = true});
    if (!found)
        fail_msg("%s in %s is never found", what, where);
}

/* Not all are: some change nothing that anybody looks at. */
static void faults_of_caches_are_found(void **state)
{
    expect_found("flip", "l1a");
    expect_found("flip", "owner");
    expect_found("lost_store", "l1a");
    expect_found("lost_store", "owner");
    expect_found("swap", "l1a");
    expect_found("lost_answer", "l1a");
    expect_found("lost_answer", "owner");
}

static void these_checks_find_faults(void **state)
{
    for (unsigned seed = 1; seed <= 3; seed++) {
        struct traffic t = {.seed = seed, .bare = true};
        play_traffic(t);
        t.expect_wrong = true;
        for (t.fault = DROPPED; t.fault <= OLD_VALUE; t.fault++)
            play_traffic(t);
    }
}

/* ---- what a description may not say ---- */

static void expect_error(const char *settings, const char *text)
{
    struct error e;
    struct bench b = {0};
    const struct unit_kind *const kinds[] = {&cache_kind, NULL};
    b.chip = chip_new(kinds, &b.machine);
    struct tile *tile = chip_tile(b.chip, "t");
    struct unit *u = chip_unit(b.chip, tile, "cache", "cache", NULL, &e);
    char *list = strdup(settings);
    for (char *s = strtok(list, " "); s; s = strtok(NULL, " ")) {
        char setting[64];
        snprintf(setting, sizeof setting, "cache.%s", s);
        assert_true(chip_override(b.chip, setting, &e));
    }
    free(list);
    assert_true(chip_link(b.chip, u, "reply", u, "cpu", 1, 0, &e));
    assert_true(chip_link(b.chip, u, "mem", u, "fill", 1, 0, &e));
    assert_false(chip_finish(b.chip, &e));
    if (!strstr(e.text, text))
        fail_msg("'%s' does not say '%s'", e.text, text);
    chip_free(b.chip);
}

static void impossible_caches_are_errors(void **state)
{
    expect_error("size=1000", "size: 1000 bytes are no power of two");
    expect_error("size=49152 ways=4", "size: 49152 bytes are no power of two");
    expect_error("ways=0", "ways");
    expect_error("line=96", "line: 96 is no power of two");
    expect_error("sector=48", "sector: 48 is no power of two");
    expect_error("sector=256", "sector: 256 bytes are more than a line (128)");
    expect_error("sector=64 fill=32",
                 "fill: 32 bytes are less than a sector (64)");
    expect_error("fill=256", "fill: 256 bytes are more than a line (128)");
    expect_error("banks=3", "banks: 3 is no power of two");
    expect_error("size=1024 ways=4 banks=4",
                 "banks: 4 are more than the sets (2)");
    expect_error("size=1073741824 ways=1 line=32",
                 "size: 33554432 lines are more than 16777215");
    expect_error("mshrs=4096 targets=64", "targets: mshrs (4096) x targets");
    expect_error("mshrs=2 fill=128", "mshrs: 2, but a miss fetches 4 sectors");
    expect_error("owner=owner atomics=here", "atomics: here is a choice");
    expect_error("map_stride=3000", "map_stride: 3000 is no power of two");
    expect_error("map_stride=64", "map_stride: 64 is less than the stripe");
    expect_error("map_line=96", "map_line: 96 is no power of two");
    expect_error("owner=owner map_line=64",
                 "map_line: 64 is less than a line (128)");
    expect_error("owner=copy", "owner: none of 8 caches below is one");
}

/* A copy before two owners of four slices. */
static void expect_map_error(const char *slices, const char *setting,
                             const char *text)
{
    struct error e;
    struct bench b = {0};
    const struct unit_kind *const kinds[] = {&cache_kind, NULL};
    b.chip = chip_new(kinds, &b.machine);
    struct tile *tile = chip_tile(b.chip, "t");
    struct unit *l1 = chip_unit(b.chip, tile, "cache", "l1", NULL, &e);
    assert_true(chip_override(b.chip, slices, &e));
    assert_true(chip_override(b.chip, setting, &e));
    assert_true(chip_override(b.chip, "l1.map_slices=2", &e));
    assert_true(chip_link(b.chip, l1, "reply", l1, "cpu", 1, 0, &e));
    for (unsigned i = 0; i < 2; i++) {
        struct unit *l2 =
            chip_unit(b.chip, tile, "cache", i ? "b" : "a", "l2", &e);
        assert_true(chip_set(b.chip, l2, "owner", 1, &e));
        assert_true(chip_link(b.chip, l1, "mem", l2, "cpu", 1, 1, &e));
        assert_true(chip_link(b.chip, l2, "reply", l1, "fill", 1, 0, &e));
        assert_true(chip_link(b.chip, l2, "mem", l2, "fill", 1, 0, &e));
    }
    assert_false(chip_finish(b.chip, &e));
    if (!strstr(e.text, text))
        fail_msg("'%s' does not say '%s'", e.text, text);
    chip_free(b.chip);
}

static void sender_and_owner_have_one_map(void **state)
{
    expect_map_error("l2.map_slices=4", "l2.line=128",
                     "map_slices: 2 here, 4 at a below");
    expect_map_error("l2.map_slices=2", "l2.map_hash=xor",
                     "map_hash: 0 here, 1 at a below");
    expect_map_error("l2.map_slices=2", "l1.map_line=256",
                     "map_line: 256 here, 128 at a below");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_answers_latency_cycles_after_its_bank_took_it),
        cmocka_unit_test(a_miss_fetches_only_its_sector),
        cmocka_unit_test(a_miss_to_a_sector_on_its_way_waits_for_it),
        cmocka_unit_test(the_victim_is_the_line_not_used_for_longest),
        cmocka_unit_test(however_many_ways_there_are),
        cmocka_unit_test(or_the_one_that_came_first),
        cmocka_unit_test(or_any),
        cmocka_unit_test(but_never_a_line_that_is_being_filled),
        cmocka_unit_test(a_bank_takes_a_request_a_cycle_from_each_in_turn),
        cmocka_unit_test(four_banks_take_four),
        cmocka_unit_test(who_asks_rarely_waits_a_round_at_most),
        cmocka_unit_test(no_more_sectors_are_fetched_than_there_are_mshrs),
        cmocka_unit_test(no_more_requests_wait_for_a_sector_than_targets),
        cmocka_unit_test(who_waits_for_a_target_is_told_of_an_invalidation),
        cmocka_unit_test(one_miss_is_noted_in_a_cycle),
        cmocka_unit_test(or_as_many_as_misses_says),
        cmocka_unit_test(banks_miss_in_turn),
        cmocka_unit_test(also_where_nobody_stands),
        cmocka_unit_test(no_more_stores_are_under_way_than_pass),
        cmocka_unit_test(a_full_queue_stops_the_bank_until_it_has_room),
        cmocka_unit_test(a_store_updates_the_copy_and_an_atomic_drops_it),
        cmocka_unit_test(a_store_that_misses_makes_no_copy),
        cmocka_unit_test(a_store_to_a_sector_on_its_way_is_not_lost),
        cmocka_unit_test(invalidation_drops_copies_of_writable_data_only),
        cmocka_unit_test(nor_is_a_sector_kept_that_was_asked_for_before_it),
        cmocka_unit_test(so_does_the_start_of_a_kernel),
        cmocka_unit_test(unless_the_fault_says_that_it_is_ignored),
        cmocka_unit_test(the_owner_fetches_only_bytes_that_were_not_written),
        cmocka_unit_test(bytes_written_before_a_fetch_are_kept),
        cmocka_unit_test(an_eviction_writes_back_each_dirty_sector_once),
        cmocka_unit_test(whole_sectors_travel_by_value_if_they_are_writable),
        cmocka_unit_test(fetches_go_to_their_slice_and_are_taken_in_turn),
        cmocka_unit_test(an_owner_uses_all_its_sets),
        cmocka_unit_test(sc_after_lr_stores),
        cmocka_unit_test(sc_without_lr_fails),
        cmocka_unit_test(a_reservation_is_lost_by_the_store_of_another),
        cmocka_unit_test(a_reservation_is_lost_by_an_lr_elsewhere),
        cmocka_unit_test(harts_see_their_own_stores_and_nothing_is_lost),
        cmocka_unit_test(nor_with_caches_between_them),
        cmocka_unit_test(nor_where_the_copy_performs_atomics),
        cmocka_unit_test(these_checks_find_faults),
        cmocka_unit_test(faults_of_caches_are_found),
        cmocka_unit_test(impossible_caches_are_errors),
        cmocka_unit_test(sender_and_owner_have_one_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
