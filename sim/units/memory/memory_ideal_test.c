/*
 * Main memory: latency to the cycle, bandwidth to the byte, its bus shared in
 * turn.
 */
#include "sim/units/common/bench.h"

#define LATENCY 90u

static struct unit *memory(struct bench *b, int64_t bandwidth, unsigned clients)
{
    struct unit *m = bench_unit(b, "memory", "memory");
    bench_set(b, m, "latency", LATENCY);
    bench_set(b, m, "bandwidth", bandwidth);
    for (unsigned i = 0; i < clients; i++)
        bench_driver(b, m, "cpu", "reply");
    return m;
}

static void fill(struct driver *d, uint64_t at, uint64_t addr)
{
    struct msg m = {.op = MEM_FILL, .addr = addr, .size = SECTOR};
    driver_ask(d, at, m, NULL);
}

static void write_back(struct driver *d, uint64_t at, uint64_t addr)
{
    struct msg m = {.op = MEM_WRITEBACK, .addr = addr, .size = SECTOR};
    driver_ask(d, at, m, NULL);
}

/* ---- latency ---- */

static void build_latency(struct bench *b)
{
    memory(b, 32000, 1);
    for (unsigned i = 0; i < 10; i++)
        fill(b->drivers[0], 37 * i, 64 * i);
}

static void check_latency(struct bench *b)
{
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(driver_took(b->drivers[0], i), LATENCY + 2 * LINK);
        assert_int_equal(driver_answer(b->drivers[0], i)->msg.op, MEM_DATA);
        assert_int_equal(driver_answer(b->drivers[0], i)->msg.addr, 64 * i);
    }
    assert_stat(b->units[0], "reads", 10);
    assert_stat(b->units[0], "busy", 10);
    assert_stat(b->units[0], "waiting", 9 * 37 + LATENCY - 10);
}

static void an_answer_comes_latency_cycles_after_the_request(void **state)
{
    bench_test(build_latency, check_latency);
}

/* ---- bandwidth ---- */

#define CLIENTS 4u
#define EACH 2500u
#define REQUESTS ((uint64_t)CLIENTS * EACH)

static void build_bandwidth(struct bench *b)
{
    memory(b, *(const int *)b->scenario->with, CLIENTS);
    for (unsigned n = 0; n < CLIENTS; n++)
        for (unsigned i = 0; i < EACH; i++)
            fill(b->drivers[n], 0, SECTOR * i);
}

/*
 * Request n begins when the bus is free: in the cycle that contains the time
 * 32000 n / bandwidth, whichever client it is of.
 */
static void check_bandwidth(struct bench *b)
{
    uint64_t rate = (uint64_t) * (const int *)b->scenario->with;
    unsigned next[CLIENTS] = {0};
    for (uint64_t n = 0; n < REQUESTS; n++) {
        uint64_t at = 32000 * n / rate + LATENCY + 2 * LINK;
        unsigned client = 0;
        while (client < CLIENTS &&
               b->drivers[client]->answers[next[client]].at != at)
            client++;
        if (client == CLIENTS)
            fail_msg("request %d: no answer at %d", (int)n, (int)at);
        next[client] += next[client] + 1 < EACH;
    }
    assert_stat(b->units[0], "bytes", REQUESTS * SECTOR);
}

/* After any number of answers all clients have as many, but for one. */
static void check_fair(struct bench *b)
{
    for (unsigned i = 0; i + 1 < EACH; i++)
        for (unsigned n = 1; n < CLIENTS; n++) {
            const struct driver *d = b->drivers[n], *e = b->drivers[n - 1];
            assert_true(d->answers[i].at < e->answers[i + 1].at);
            assert_true(e->answers[i].at < d->answers[i + 1].at);
        }
}

static void check_saturated(struct bench *b)
{
    for (unsigned n = 0; n < CLIENTS; n++)
        assert_int_equal(driver_unanswered(b->drivers[n]), 0);
    check_bandwidth(b);
    check_fair(b);
}

static void the_bus_carries_exactly_its_bandwidth(void **state)
{
    static const int rates[] = {7000, 32000, 31999, 45333, 96000};
    for (unsigned i = 0; i < TABLE_COUNT(rates); i++)
        bench_test_with(build_bandwidth, check_saturated, &rates[i]);
}

/* ---- sharing ---- */

static void build_late(struct bench *b)
{
    memory(b, 16000, 3);
    for (unsigned i = 0; i < 500; i++) {
        fill(b->drivers[0], 0, SECTOR * i);
        fill(b->drivers[1], 0, SECTOR * i);
    }
    for (unsigned i = 0; i < 10; i++)
        fill(b->drivers[2], 200 + 100 * i, SECTOR * i);
}

/* The queue before the bus is first come first served: 64 entries. */
static void check_late(struct bench *b)
{
    uint64_t least = LATENCY + 2 * LINK;
    for (unsigned i = 0; i < 10; i++)
        assert_in_range(driver_took(b->drivers[2], i), least,
                        least + 2 * (64 + 3));
}

static void who_asks_rarely_is_not_starved(void **state)
{
    bench_test(build_late, check_late);
}

static void build_queue(struct bench *b)
{
    struct unit *m = memory(b, 1000, 1);
    bench_set(b, m, "queue", 3);
    for (unsigned i = 0; i < 60; i++)
        fill(b->drivers[0], 0, SECTOR * i);
}

/* The bus begins on one in 32 cycles; the rest waits in queue and link. */
static void check_queue(struct bench *b)
{
    unsigned early = 0;
    for (unsigned i = 0; i < 60; i++)
        early += b->drivers[0]->asks[i].sent < 32;
    unsigned on_the_link = DEPTH + (b->together ? LINK - 1 : 2 * LINK);
    assert_int_equal(early, 1 + 3 + on_the_link);
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
}

static void no_more_requests_wait_than_the_queue_holds(void **state)
{
    bench_test(build_queue, check_queue);
}

static void build_writes(struct bench *b)
{
    memory(b, 32000, 1);
    for (unsigned i = 0; i < 100; i++)
        write_back(b->drivers[0], 0, SECTOR * i);
    fill(b->drivers[0], 0, 0);
}

static void check_writes(struct bench *b)
{
    assert_int_equal(b->drivers[0]->answered, 1);
    assert_int_equal(b->drivers[0]->answers[0].at, 100 + LATENCY + 2 * LINK);
    assert_stat(b->units[0], "writes", 100);
    assert_stat(b->units[0], "reads", 1);
    assert_stat(b->units[0], "busy", 101);
}

static void write_backs_take_the_bus_and_have_no_answer(void **state)
{
    bench_test(build_writes, check_writes);
}

static void build_waiting(struct bench *b)
{
    memory(b, 32000, 1);
    fill(b->drivers[0], 0, 0);
}

static void check_explained(struct bench *b)
{
    assert_explained(b->units[0], "memory: 1 requests, 1 of them on the bus\n");
}

static void check_quiet(struct bench *b)
{
    assert_explained(b->units[0], "");
}

static void a_request_under_way_is_explained(void **state)
{
    bench_play(&(struct scenario){.build = build_waiting,
                                  .check = check_explained,
                                  .limit = LINK + LATENCY});
    bench_test(build_waiting, check_quiet);
}

static void each_request_port_has_an_answer_port(void **state)
{
    expect_not_built("memory",
                     &(struct built){.links = {{"cpu", "cache", "mem", false}},
                                     .error = "1 cpu links but 0 reply links"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_comes_latency_cycles_after_the_request),
        cmocka_unit_test(the_bus_carries_exactly_its_bandwidth),
        cmocka_unit_test(who_asks_rarely_is_not_starved),
        cmocka_unit_test(no_more_requests_wait_than_the_queue_holds),
        cmocka_unit_test(write_backs_take_the_bus_and_have_no_answer),
        cmocka_unit_test(a_request_under_way_is_explained),
        cmocka_unit_test(each_request_port_has_an_answer_port),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
