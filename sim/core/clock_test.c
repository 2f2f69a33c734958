/* Clock ratios: no tick is lost or counted twice, however far one counts. */
#include "sim/core/clock.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static const uint64_t clocks[][2] = {
    /* other, core, kHz */
    {1750000, 1515000},
    {1600000, 1515000},
    {1000000, 1515000},
    {2000000, 1000000},
    {1000000, 1000000},
    {7, 1},
    {1, 7},
    {999999, 1000000},
    {1000001, 1000000},
    {19999999, 1},
    {1, 20000000},
    {1750000, 1515001},
};
#define CLOCKS (sizeof clocks / sizeof *clocks)

/* A cycle from all orders of magnitude below 2^38, by a fixed sequence. */
static uint64_t some_cycle(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 26 >> (*state >> 6 & 31);
}

static void a_tick_lies_in_the_first_cycle_that_counts_it(void **state)
{
    uint64_t seed = 1;
    for (unsigned i = 0; i < CLOCKS; i++) {
        struct clock_ratio r = clock_ratio_of(clocks[i][0], clocks[i][1]);
        for (unsigned n = 0; n < 20000; n++) {
            uint64_t tick = tick_of(&r, some_cycle(&seed) % (1ull << 39)) + 1;
            uint64_t cycle = cycle_of(&r, tick);
            assert_true(tick_of(&r, cycle) >= tick);
            assert_true(cycle && tick_of(&r, cycle - 1) < tick);
        }
    }
}

static void
the_last_cycle_not_after_a_tick_comes_before_the_next_tick(void **state)
{
    uint64_t seed = 2;
    for (unsigned i = 0; i < CLOCKS; i++) {
        struct clock_ratio r = clock_ratio_of(clocks[i][0], clocks[i][1]);
        for (unsigned n = 0; n < 20000; n++) {
            uint64_t tick = tick_of(&r, some_cycle(&seed));
            uint64_t last = ((tick + 1) * r.den - 1) / r.num;
            assert_int_equal(cycle_of(&r, tick + 1), last + 1);
        }
    }
}

/* The count is that of the exact quotient: less than one tick behind it, and
 * equal wherever the clocks meet. */
static void clocks_do_not_drift(void **state)
{
    uint64_t seed = 3;
    for (unsigned i = 0; i < CLOCKS; i++) {
        uint64_t khz = clocks[i][0], core = clocks[i][1];
        struct clock_ratio r = clock_ratio_of(khz, core);
        for (unsigned n = 0; n < 20000; n++) {
            uint64_t cycle = some_cycle(&seed), tick = tick_of(&r, cycle);
            __extension__ typedef unsigned __int128 wide;
            wide ahead = (wide)cycle * khz - (wide)tick * core;
            assert_true(ahead < core);
        }
        for (uint64_t n = 0; n < 1000; n++)
            assert_int_equal(tick_of(&r, n * r.den), n * r.num);
    }
}

/* Cycle by cycle: all ticks, in order, each in one cycle. */
static void every_tick_falls_into_one_cycle(void **state)
{
    struct clock_ratio r = clock_ratio_of(1750000, 1515000);
    uint64_t seen = 0;
    assert_int_equal(r.num, 350);
    assert_int_equal(r.den, 303);
    for (uint64_t cycle = 1; cycle < 100000; cycle++)
        for (; seen < tick_of(&r, cycle); seen++)
            assert_int_equal(cycle_of(&r, seen + 1), cycle);
    assert_int_equal(seen, 99999u * 350 / 303);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tick_lies_in_the_first_cycle_that_counts_it),
        cmocka_unit_test(
            the_last_cycle_not_after_a_tick_comes_before_the_next_tick),
        cmocka_unit_test(clocks_do_not_drift),
        cmocka_unit_test(every_tick_falls_into_one_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
