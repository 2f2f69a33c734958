/*
 * Properties of the DRAM controller, for every device and every policy, with
 * random traffic: what is accepted is done, once; every command keeps every
 * rule of the device; queues hold what they may; refreshes come. The oracle
 * (dram_oracle.h) checks that, and tests show that it can fail.
 */
#include "sim/dram/dram_oracle.h"

/* ---- every device, every policy ---- */

static void check_device(const char *name, uint64_t *runs)
{
    struct error error;
    struct dram_device *d = dram_device_new(name, &error);
    assert_non_null(d);
    for (unsigned i = 0; i < POLICIES; i++) {
        struct dram_policy p = policy_number(i);
        if (!usable(&p, d))
            continue;
        struct run *r = run_new(d, &p, 1 + i % 2, i + 1, false);
        if (!all_well(r))
            fail_msg("%s, policy %u: %s", name, i, r->problem);
        run_free(r);
        ++*runs;
    }
    dram_device_free(d);
}

static void every_device_keeps_its_rules_under_every_policy(void **state)
{
    uint64_t runs = 0;
    for (const char *const *name = dram_device_names(); *name; name++)
        check_device(*name, &runs);
    print_message("%llu runs\n", (unsigned long long)runs);
    assert_true(runs > 500);
}

static void assert_same_command(const struct issued *a, const struct issued *b)
{
    assert_int_equal(a->clock, b->clock);
    assert_int_equal(a->tag, b->tag);
    assert_int_equal(a->command, b->command);
    assert_memory_equal(&a->at, &b->at, sizeof a->at);
}

static void assert_same_done(const struct dram_done *a,
                             const struct dram_done *b)
{
    assert_int_equal(a->tag, b->tag);
    assert_int_equal(a->accept, b->accept);
    assert_int_equal(a->issue, b->issue);
    assert_int_equal(a->done, b->done);
    assert_int_equal(a->channel, b->channel);
    assert_int_equal(a->write, b->write);
    assert_int_equal(a->outcome, b->outcome);
}

static void assert_same_runs(const struct run *a, const struct run *b)
{
    assert_int_equal(a->count, b->count);
    for (unsigned i = 0; i < a->count; i++)
        assert_same_command(&a->log[i], &b->log[i]);
    assert_memory_equal(&a->stats, &b->stats, sizeof a->stats);
    for (unsigned i = 0; i < REQUESTS; i++)
        assert_same_done(&a->requests[i].done, &b->requests[i].done);
}

static void running_by_events_equals_running_by_clocks(void **state)
{
    unsigned i = 0;
    for (const char *const *name = dram_device_names(); *name; name++) {
        struct error error;
        struct dram_device *d = dram_device_new(*name, &error);
        for (unsigned k = 0; k < 12; k++, i += 5) {
            struct dram_policy p = policy_number(i % POLICIES);
            if (!usable(&p, d))
                continue;
            struct run *events = run_new(d, &p, 1 + i % 2, i, false);
            struct run *clocks = run_new(d, &p, 1 + i % 2, i, true);
            assert_same_runs(events, clocks);
            run_free(events);
            run_free(clocks);
        }
        dram_device_free(d);
    }
}

/* ---- the oracle can fail ---- */

static void a_rule_that_takes_longer_is_seen_to_be_broken(void **state)
{
    struct dram_device *d;
    struct run *r = usual_run(&d, 0);
    unsigned seen = 0;
    for (unsigned i = 0; i < d->rule_count; i++) {
        d->rules[i].cycles += 40;
        seen += !rules_kept(r, d);
        d->rules[i].cycles -= 40;
    }
    assert_true(seen > d->rule_count / 3); /* the others never bind */
    run_free(r);
    dram_device_free(d);
}

static void lost_and_doubled_requests_are_seen(void **state)
{
    struct dram_device *d;
    struct run *r = usual_run(&d, 2);
    r->requests[17].times_done = 2;
    assert_false(all_done_once(r));
    r->requests[17].times_done = 0;
    assert_false(all_done_once(r));
    run_free(r);
    dram_device_free(d);
}

static void a_missing_command_is_seen(void **state)
{
    struct dram_device *d;
    for (unsigned command = 0; command < DRAM_COMMAND_COUNT; command++) {
        struct run *r = usual_run(&d, 0);
        unsigned i = 0;
        while (i < r->count && r->log[i].command != command)
            i++;
        if (i < r->count && (command == DRAM_ACT || command == DRAM_PRE)) {
            memmove(&r->log[i], &r->log[i + 1],
                    (--r->count - i) * sizeof *r->log);
            assert_false(rows_right(r));
        }
        run_free(r);
        dram_device_free(d);
    }
}

static void missing_refreshes_and_full_queues_are_seen(void **state)
{
    struct dram_device *d;
    struct run *r = usual_run(&d, 0);
    r->end *= 30;
    assert_false(refreshed(r));
    r->options.policy.read_queue = 8;
    assert_false(queues_kept(r));
    run_free(r);
    dram_device_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_device_keeps_its_rules_under_every_policy),
        cmocka_unit_test(running_by_events_equals_running_by_clocks),
        cmocka_unit_test(a_rule_that_takes_longer_is_seen_to_be_broken),
        cmocka_unit_test(lost_and_doubled_requests_are_seen),
        cmocka_unit_test(a_missing_command_is_seen),
        cmocka_unit_test(missing_refreshes_and_full_queues_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
