/* The special function unit: latency, interval, whose turn it is. */
#include "sim/units/common/bench.h"

#define CLIENTS 5u
#define EACH 60u

struct shape {
    unsigned latency, interval;
};

static void build_sfu(struct bench *b, unsigned clients)
{
    const struct shape *s = b->scenario->with;
    struct unit *u = bench_unit(b, "sfu", "sfu");
    bench_set(b, u, "latency", s->latency);
    bench_set(b, u, "interval", s->interval);
    for (unsigned i = 0; i < clients; i++)
        bench_driver(b, u, "op", "done");
}

/* An operation taken in a cycle ends in time for one `latency` later, for a
 * client one cycle away. */
static uint64_t least(const struct shape *s)
{
    return 2 * LINK + s->latency - 1;
}

static void build_alone(struct bench *b)
{
    build_sfu(b, 1);
    for (unsigned i = 0; i < 20; i++)
        driver_ask(b->drivers[0], 50 * i, (struct msg){0}, NULL);
}

static void check_alone(struct bench *b)
{
    const struct shape *s = b->scenario->with;
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(driver_took(b->drivers[0], i), least(s));
    assert_stat(b->units[0], "operations", 20);
    assert_stat(b->units[0], "conflicts", 0);
    assert_stat(b->units[0], "busy", 20 * s->latency);
}

static void build_busy(struct bench *b)
{
    build_sfu(b, CLIENTS);
    for (unsigned n = 0; n < CLIENTS; n++)
        for (unsigned i = 0; i < EACH; i++)
            driver_ask(b->drivers[n], 0, (struct msg){0}, NULL);
}

/* Operations start every `interval` cycles, of each client in turn. */
static void check_busy(struct bench *b)
{
    const struct shape *s = b->scenario->with;
    for (unsigned n = 0; n < CLIENTS; n++) {
        assert_int_equal(driver_unanswered(b->drivers[n]), 0);
        for (unsigned i = 0; i < EACH; i++)
            assert_int_equal(driver_answer(b->drivers[n], i)->at,
                             least(s) +
                                 (uint64_t)s->interval * (i * CLIENTS + n));
    }
    assert_stat(b->units[0], "conflicts",
                (uint64_t)s->interval * (CLIENTS * EACH - 1));
}

static const struct shape shapes[] = {{1, 1}, {4, 1}, {20, 3}, {6, 6}, {2, 9}};

static void an_operation_takes_its_latency(void **state)
{
    for (unsigned i = 0; i < TABLE_COUNT(shapes); i++)
        bench_test_with(build_alone, check_alone, &shapes[i]);
}

static void operations_start_every_interval_and_in_turn(void **state)
{
    for (unsigned i = 0; i < TABLE_COUNT(shapes); i++)
        bench_test_with(build_busy, check_busy, &shapes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_operation_takes_its_latency),
        cmocka_unit_test(operations_start_every_interval_and_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
