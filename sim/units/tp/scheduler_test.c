/*
 * Thread schedulers and the work counter: every index is handed out once, a
 * kernel's start begins at 0 whatever of the last one is still under way.
 */
#include "sim/units/common/bench.h"
#include <stdlib.h>

#define TMS 3u
#define CORES 4u /* of each TM */
#define HALF 300u
#define FAR 20u /* from a scheduler to the work counter */

static void build_schedulers(struct bench *b, unsigned tms, unsigned cores)
{
    struct unit *counter = bench_unit(b, "workcounter", "counter");
    for (unsigned t = 0; t < tms; t++) {
        char name[24];
        snprintf(name, sizeof name, "scheduler%u", t);
        struct unit *s = bench_unit(b, "scheduler", name);
        bench_set(b, s, "block", *(const int *)b->scenario->with);
        bench_far_link(b, s, "ask", counter, "ask", FAR, 2);
        bench_far_link(b, counter, "block", s, "block", FAR, 0);
        for (unsigned i = 0; i < cores; i++)
            bench_driver(b, s, "next", "index");
    }
}

static void ask(struct driver *d, uint64_t at)
{
    driver_ask(d, at, (struct msg){0}, NULL);
}

/* TMs of unequal speed. */
static uint64_t when(unsigned driver, unsigned i)
{
    return i * (1 + driver / CORES) + driver;
}

static uint64_t asks_of(unsigned driver)
{
    return driver % CORES == 3 ? HALF / 3 : HALF;
}

static void build_indices(struct bench *b)
{
    build_schedulers(b, TMS, CORES);
    for (unsigned n = 0; n < TMS * CORES; n++)
        for (unsigned i = 0; i < asks_of(n); i++)
            ask(b->drivers[n], when(n, i));
}

/* Marks indices of the answers from `first` on; fails if one comes twice. */
static unsigned count_indices(struct bench *b, const unsigned *first,
                              uint8_t *seen, uint64_t room)
{
    unsigned count = 0;
    for (unsigned n = 0; n < b->driver_count; n++)
        for (unsigned i = first[n]; i < b->drivers[n]->answered; i++) {
            uint64_t index = b->drivers[n]->answers[i].msg.value;
            assert_true(index < room);
            if (seen[index]++)
                fail_msg("index %d was handed out twice", (int)index);
            count++;
        }
    return count;
}

/* A scheduler keeps at most two blocks: no larger hole at the end. */
static void check_indices(struct bench *b)
{
    uint64_t block = (uint64_t) * (const int *)b->scenario->with;
    uint64_t asked = TMS * (CORES - 1) * HALF + TMS * (HALF / 3);
    uint64_t room = asked + 2 * TMS * block;
    uint8_t *seen = calloc(room, 1);
    unsigned first[TMS * CORES] = {0};
    for (unsigned n = 0; n < TMS * CORES; n++)
        assert_int_equal(driver_unanswered(b->drivers[n]), 0);
    assert_int_equal(count_indices(b, first, seen, room), asked);
    free(seen);
    uint64_t handed = 0;
    for (unsigned t = 0; t < TMS; t++)
        handed += bench_stat(b->units[1 + t], "handed");
    assert_int_equal(handed, asked);
}

static void each_index_is_handed_out_once(void **state)
{
    static const int blocks[] = {1, 4, 32, 1000};
    for (unsigned i = 0; i < TABLE_COUNT(blocks); i++)
        bench_test_with(build_indices, check_indices, &blocks[i]);
}

/* ---- timing ---- */

static void build_turns(struct bench *b)
{
    build_schedulers(b, 1, 4);
    ask(b->drivers[0], 0); /* fetches the first block */
    for (unsigned n = 0; n < 4; n++)
        for (unsigned i = 0; i < 20; i++)
            ask(b->drivers[n], 200);
}

static void check_turns(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    assert_int_equal(driver_took(d, 0), 2 * LINK + 2 * FAR);
    for (unsigned n = 0; n < 4; n++)
        for (unsigned i = 0; i < 20; i++) {
            /* Whose turn was last is last. */
            unsigned turn = 4 * i + (n + 3) % 4;
            const struct answer *a = &b->drivers[n]->answers[i + (n == 0)];
            assert_int_equal(a->at, 200 + 2 * LINK + turn);
            assert_int_equal(a->msg.value, 1 + turn);
        }
    assert_stat(b->units[1], "starved", 2 * FAR);
    assert_stat(b->units[1], "busy", 81);
}

static void one_a_cycle_goes_to_each_core_in_turn(void **state)
{
    bench_test_with(build_turns, check_turns, &(int){1000});
}

static void build_ahead(struct bench *b)
{
    build_schedulers(b, 1, 1);
    ask(b->drivers[0], 0);
    for (unsigned i = 1; i < 400; i++)
        ask(b->drivers[0], 200 + 2 * i);
}

/* After the first a block of 32 lasts longer than it takes to fetch one. */
static void check_ahead(struct bench *b)
{
    assert_stat(b->units[1], "starved", 2 * FAR);
    assert_stat(b->units[1], "blocks", 400 / 32 + 2);
    for (unsigned i = 0; i < 400; i++)
        assert_int_equal(driver_value(b->drivers[0], i), i);
}

static void the_next_block_is_fetched_ahead(void **state)
{
    bench_test_with(build_ahead, check_ahead, &(int){32});
}

/* ---- kernels ---- */

static bool launch(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    engine_launch(b->engine);
    return true;
}

/*
 * One index for each TM; the blocks asked for ahead are on their way when the
 * next kernel starts, `with` cycles later. Then one of the TMs works alone.
 */
struct restart {
    int block;
    unsigned after;
};

#define SECOND 500u

static void build_restart(struct bench *b)
{
    const struct restart *r = b->scenario->with;
    build_schedulers(b, 2, 1);
    uint64_t done = 2 * LINK + 2 * FAR + 1;
    ask(b->drivers[0], 0);
    ask(b->drivers[1], 0);
    driver_service(b->drivers[0], done + r->after);
    for (unsigned i = 0; i < 20; i++)
        ask(b->drivers[0], SECOND + i);
    ask(b->drivers[1], SECOND + 200);
}

static void check_restart(struct bench *b)
{
    uint8_t seen[64] = {0};
    const unsigned first[] = {1, 1};
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
    assert_int_equal(driver_unanswered(b->drivers[1]), 0);
    assert_int_equal(count_indices(b, first, seen, 64), 21);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(b->drivers[0]->answers[1 + i].msg.value, i);
}

static void play_restart(unsigned after)
{
    struct restart r = {4, after};
    bench_play(&(struct scenario){.build = build_restart,
                                  .check = check_restart,
                                  .serve = launch,
                                  .with = &r});
}

static void a_kernel_starts_at_0_and_drops_blocks_of_the_last(void **state)
{
    for (unsigned after = 0; after <= 3 * FAR; after += 5)
        play_restart(after);
}

/* ---- warps ---- */

static unsigned lanes_of(unsigned driver, unsigned i)
{
    return 1 + (driver * 7 + i * 5) % 64;
}

static void build_warps(struct bench *b)
{
    build_schedulers(b, TMS, CORES);
    for (unsigned n = 0; n < TMS * CORES; n++)
        for (unsigned i = 0; i < HALF; i++)
            driver_ask(b->drivers[n], when(n, i),
                       (struct msg){.size = (uint8_t)lanes_of(n, i)}, NULL);
}

/* Each answer is the first of as many indices as the request has lanes. */
static void check_warps(struct bench *b)
{
    uint64_t room = (uint64_t)TMS * CORES * HALF * 64, handed = 0, last = 0;
    uint8_t *seen = calloc(room, 1);
    for (unsigned n = 0; n < TMS * CORES; n++) {
        assert_int_equal(driver_unanswered(b->drivers[n]), 0);
        for (unsigned i = 0; i < HALF; i++)
            for (unsigned k = 0; k < lanes_of(n, i); k++, handed++) {
                uint64_t index = driver_value(b->drivers[n], i) + k;
                assert_true(index < room);
                assert_int_equal(seen[index]++, 0);
                last = index > last ? index : last;
            }
    }
    free(seen);
    assert_int_equal(last, handed - 1); /* none is left out */
}

static void lanes_of_a_warp_get_consecutive_indices(void **state)
{
    bench_test_with(build_warps, check_warps, &(int){4});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_index_is_handed_out_once),
        cmocka_unit_test(one_a_cycle_goes_to_each_core_in_turn),
        cmocka_unit_test(the_next_block_is_fetched_ahead),
        cmocka_unit_test(a_kernel_starts_at_0_and_drops_blocks_of_the_last),
        cmocka_unit_test(lanes_of_a_warp_get_consecutive_indices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
