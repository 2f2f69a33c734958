/*
 * When a cache answers: hits and misses to the cycle, banks that take turns,
 * and requests that wait because something is used up.
 */
#include "sim/units/cache/cache_bench.h"

/* A small cache of four sets, in four banks. */
static struct unit *banked_cache(struct bench *b, int64_t ways)
{
    struct unit *c = small_cache(b, ways);
    bench_set(b, c, "size", 4 * 128 * ways);
    bench_set(b, c, "banks", 4);
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
    assert_stat(b->units[0], "bytes_read", 2 * sizeof(uint64_t));
    assert_stat(b->units[0], "bytes_written", 0);
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
    assert_stat(b->units[0], "joined", 3);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(driver_value(d, i), i);
        assert_int_equal(driver_answer(d, i)->at, MISS + i);
    }
}

static void a_miss_to_a_sector_on_its_way_waits_for_it(void **state)
{
    bench_test(build_half_misses, check_half_misses);
}

/* ---- banks ---- */

#define CLIENTS 8u
#define EACH 150u

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
    /* All but one wait; in the last round one fewer each cycle. */
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
    assert_stat(b->units[0], "joined", 4);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_answers_latency_cycles_after_its_bank_took_it),
        cmocka_unit_test(a_miss_fetches_only_its_sector),
        cmocka_unit_test(a_miss_to_a_sector_on_its_way_waits_for_it),
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
