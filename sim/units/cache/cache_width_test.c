/*
 * Ports of some width: answers, requests below and what comes from there take
 * as many cycles as their bytes need.
 */
#include "sim/units/cache/cache_bench.h"

/* ---- widths ---- */

#define MANY 60u

/* The client asks as fast as it can: hits (reply), misses (mem, fill). */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reply_port_carries_its_width),
        cmocka_unit_test(a_bank_stands_while_64_answers_wait),
        cmocka_unit_test(a_port_below_carries_its_width),
        cmocka_unit_test(a_port_from_below_carries_its_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
