/*
 * Tiles on host threads within an epoch: each runs once, and a thread that is
 * done takes tiles of another, the one which that comes to last first. Threads
 * are played by turns of the test, so nothing here depends on the host.
 */
#include "sim/core/deal.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define TILES 12

static struct deal new_deal(enum engine_schedule schedule, unsigned threads)
{
    struct deal d;
    deal_init(&d, schedule, threads, TILES);
    return d;
}

/* The thread takes these tiles next. */
static void expect_tiles(struct deal *d, unsigned thread, const unsigned *tiles,
                         unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(deal_take(d, thread), tiles[i]);
}

#define EXPECT(d, thread, ...)                                                 \
    do {                                                                       \
        const unsigned tiles[] = {__VA_ARGS__};                                \
        expect_tiles(d, thread, tiles, sizeof tiles / sizeof *tiles);          \
    } while (0)

static void a_thread_goes_there_and_back(void **state)
{
    (void)state;
    const unsigned shares[] = {3, TILES};
    struct deal d = new_deal(SCHEDULE_FIXED, 2);
    deal_tiles(&d, shares, false);
    EXPECT(&d, 0, 0, 1, 2, DEAL_OVER);
    EXPECT(&d, 1, 3, 4);
    deal_tiles(&d, shares, true);
    EXPECT(&d, 0, 2, 1, 0, DEAL_OVER);
    EXPECT(&d, 1, 11, 10);
    deal_free(&d);
}

/* Thread 0 is slow: thread 1 takes its tiles from the other end, but for the
 * one that it takes next. */
static void a_thread_helps_the_one_that_takes_longer(void **state)
{
    (void)state;
    const unsigned shares[] = {5, 7};
    struct deal d = new_deal(SCHEDULE_MEASURED, 2);
    deal_tiles(&d, shares, false);
    EXPECT(&d, 0, 0);
    EXPECT(&d, 1, 5, 6, 4, 3, 2, DEAL_OVER);
    EXPECT(&d, 0, 1, DEAL_OVER);
    deal_tiles(&d, shares, true);
    EXPECT(&d, 0, 4);
    EXPECT(&d, 1, 6, 5, 0, 1, 2, DEAL_OVER);
    EXPECT(&d, 0, 3, DEAL_OVER);
    deal_free(&d);
}

static void threads_keep_to_their_tiles_where_shares_are_fixed(void **state)
{
    (void)state;
    const unsigned shares[] = {11, TILES};
    struct deal d = new_deal(SCHEDULE_FIXED, 2);
    deal_tiles(&d, shares, false);
    EXPECT(&d, 1, 11, DEAL_OVER);
    deal_free(&d);
}

/* Of threads 0 to 3 and 4 to 5. */
static void four_threads_help_each_other(void **state)
{
    (void)state;
    const unsigned shares[] = {0, 2, 4, 6, 9, TILES};
    struct deal d = new_deal(SCHEDULE_MEASURED, 6);
    deal_tiles(&d, shares, false);
    EXPECT(&d, 0, 1, 3, 5, DEAL_OVER);
    EXPECT(&d, 4, 6, 7, 8, 11, 10, DEAL_OVER);
    EXPECT(&d, 5, 9, DEAL_OVER);
    deal_free(&d);
}

static void whoever_is_free_takes_the_next(void **state)
{
    (void)state;
    const unsigned shares[] = {1, TILES};
    struct deal d = new_deal(SCHEDULE_DYNAMIC, 2);
    for (unsigned epoch = 0; epoch < 2; epoch++) {
        deal_tiles(&d, shares, epoch);
        for (unsigned i = 0; i < TILES; i++)
            assert_int_equal(deal_take(&d, i % 3 == 0), i);
        EXPECT(&d, 0, DEAL_OVER);
        EXPECT(&d, 1, DEAL_OVER);
    }
    deal_free(&d);
}

/* Takes as threads in a random order, until no thread gets any. */
static void take_all(struct deal *d, unsigned *times, uint64_t *random)
{
    unsigned done = 0; /* threads, by bit */
    while (done != (1u << d->threads) - 1) {
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        unsigned thread = (unsigned)(*random >> 33) % d->threads;
        unsigned tile = deal_take(d, thread);
        if (tile == DEAL_OVER)
            done |= 1u << thread;
        else
            times[tile]++;
    }
}

static void each_tile_runs_once_in_any_order_of_threads(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (unsigned i = 0; i < 3000; i++) {
        static const unsigned shares[] = {1, 1, 5, 9, TILES};
        unsigned times[TILES] = {0};
        struct deal d = new_deal((enum engine_schedule)(i % 3), 5);
        deal_tiles(&d, shares, i & 1);
        take_all(&d, times, &random);
        for (unsigned t = 0; t < TILES; t++)
            assert_int_equal(times[t], 1);
        deal_free(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_goes_there_and_back),
        cmocka_unit_test(a_thread_helps_the_one_that_takes_longer),
        cmocka_unit_test(threads_keep_to_their_tiles_where_shares_are_fixed),
        cmocka_unit_test(four_threads_help_each_other),
        cmocka_unit_test(whoever_is_free_takes_the_next),
        cmocka_unit_test(each_tile_runs_once_in_any_order_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
