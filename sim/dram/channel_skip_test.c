/*
 * Idle time that is passed over ends as if it had been run: the same counters,
 * and the same completions of what comes afterwards.
 */
#include "sim/dram/dram.h"
#include "sim/dram/stats.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define REQUESTS 24

struct outcome {
    struct dram_stats stats[2]; /* after the pause, at the end */
    uint64_t done[2 * REQUESTS];
    unsigned count;
    uint64_t state;
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Offers some at once, and runs till all are done. */
static void serve(struct dram *m, struct outcome *o, uint64_t seed)
{
    struct dram_done done;
    unsigned end = o->count + REQUESTS, offered = o->count;
    while (o->count < end) {
        uint64_t address = (offered * 7919 + seed) % 1000 * 4096 * seed;
        if (offered < end &&
            dram_offer(m, o->state, offered % 3 == 0, address, offered))
            offered++;
        o->state = later(offered < end ? 0 : dram_next(m), o->state + 1);
        dram_run(m, o->state);
        while (dram_pop(m, &done)) {
            o->done[done.tag] = done.done;
            o->count++;
        }
    }
}

static struct outcome pause_for(const struct dram_options *options,
                                uint64_t clocks, bool skips)
{
    struct error error;
    struct outcome o = {.state = 0};
    struct dram *m = dram_new(options, &error);
    assert_non_null(m);
    serve(m, &o, 3);
    o.state += clocks;
    if (skips)
        dram_skip(m, o.state);
    dram_run(m, o.state);
    dram_statistics(m, o.state, &o.stats[0]);
    serve(m, &o, 5);
    dram_statistics(m, o.state, &o.stats[1]);
    dram_free(m);
    return o;
}

static void compare(const char *name, const struct dram_policy *policy)
{
    struct error error;
    struct dram_device *device = dram_device_new(name, &error);
    assert_non_null(device);
    struct dram_options options = {
        .device = device, .policy = *policy, .channels = 2};
    uint64_t period = 70000;
    bool good = dram_policy_check(policy, device, &error);
    for (uint64_t i = 0; good && i < 4; i++) {
        static const uint64_t pauses[] = {1, 17, 33, 90};
        uint64_t clocks = pauses[i] * period + i * 12345;
        struct outcome run = pause_for(&options, clocks, false);
        struct outcome skipped = pause_for(&options, clocks, true);
        assert_memory_equal(&run, &skipped, sizeof run);
    }
    dram_device_free(device);
}

static void a_pause_that_is_skipped_is_as_if_it_were_run(void **state)
{
    (void)state;
    static const char *const devices[] = {
        "ddr4-3200", "ddr4-3200-2rank", "ddr5-4800",         "gddr6-14000",
        "hbm2-2000", "lpddr5-6400",     "gddr6-14000-arches"};
    for (unsigned i = 0; i < sizeof devices / sizeof *devices; i++)
        for (unsigned k = 0; k < 3 * 3 * 3; k++) {
            struct dram_policy p = dram_policy_of(k % 3);
            p.row_policy = k / 3 % 3;
            p.refresh = k / 9;
            compare(devices[i], &p);
        }
}

/* 10^18 clocks: centuries of refreshes. */
static void however_long_it_is(void **state)
{
    (void)state;
    struct error error;
    struct dram_device *device = dram_device_new("ddr4-3200", &error);
    struct dram_options options = {.device = device,
                                   .policy = dram_policy_of(DRAM_RAMULATOR21),
                                   .channels = 1};
    uint64_t clocks = 1000000000000000000;
    struct outcome o = pause_for(&options, clocks, true);
    uint64_t due = clocks / device->refresh_interval;
    assert_in_range(o.stats[0].refreshes, due - 1, due + 2);
    assert_in_range(o.done[REQUESTS], clocks, clocks + 100000);
    dram_device_free(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pause_that_is_skipped_is_as_if_it_were_run),
        cmocka_unit_test(however_long_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
