/*
 * What single policies of the DRAM controller do, what its statistics count,
 * and options that make no sense.
 */
#include "sim/dram/dram_oracle.h"

/* ---- single policies ---- */

struct bench {
    struct run run; /* for its log only */
    struct dram_device *device;
    struct dram *dram;
};

static struct bench *bench_new(const char *device,
                               const struct dram_policy *policy)
{
    struct error error = {{0}};
    struct bench *b = calloc(1, sizeof *b);
    b->device = dram_device_new(device, &error);
    b->run.log = calloc(MOST_COMMANDS, sizeof *b->run.log);
    struct dram_options o = {
        .device = b->device, .policy = *policy, .channels = 1};
    b->dram = dram_new(&o, &error);
    assert_non_null(b->dram);
    dram_on_command(b->dram, note_command, &b->run);
    return b;
}

static void bench_free(struct bench *b)
{
    dram_free(b->dram);
    dram_device_free(b->device);
    free(b->run.log);
    free(b);
}

static const struct issued *find(const struct bench *b,
                                 enum dram_command command, uint64_t tag)
{
    for (unsigned i = 0; i < b->run.count; i++)
        if (b->run.log[i].command == command && b->run.log[i].tag == tag)
            return &b->run.log[i];
    return NULL;
}

/* DDR4: 64 bytes x 128 columns x 16 banks are a row of each. */
#define ROW_BYTES (UINT64_C(64) * 128 * 16)

static void an_idle_row_is_closed_after_the_timeout(void **state)
{
    struct dram_policy p = dram_policy_of(DRAM_RAMULATOR21);
    p.refresh = DRAM_REFRESH_OFF;
    p.row_policy = DRAM_TIMEOUT;
    p.timeout = 300;
    struct bench *b = bench_new("ddr4-3200", &p);
    dram_offer(b->dram, 0, false, 0, 1);
    dram_run(b->dram, 200);
    dram_offer(b->dram, 200, false, 64, 2);
    dram_run(b->dram, 2000);
    const struct issued *close = find(b, DRAM_PRE, UINT64_MAX);
    assert_non_null(close);
    assert_int_equal(close->clock, 201 + 300);
    assert_int_equal(dram_next(b->dram), DRAM_NEVER);
    bench_free(b);
}

static void row_hits_hold_a_younger_conflict_back_if_told_so(void **state)
{
    uint64_t closed[2];
    for (unsigned scheduler = 0; scheduler < 2; scheduler++) {
        struct dram_policy p = dram_policy_of(DRAM_RAMULATOR21);
        p.scheduler = (uint8_t)scheduler;
        struct bench *b = bench_new("gddr6-14000", &p);
        uint64_t row = (uint64_t)b->device->columns * b->device->transaction *
                       b->device->units[DRAM_GROUP] *
                       b->device->units[DRAM_BANK];
        for (unsigned i = 0; i < 30; i++)
            dram_offer(b->dram, 0, false, i * b->device->transaction, i);
        dram_offer(b->dram, 0, false, row, 30);
        dram_run(b->dram, 2000);
        closed[scheduler] = find(b, DRAM_PRE, 30)->clock;
        uint64_t last = find(b, DRAM_RD, 29)->clock;
        if (scheduler == DRAM_ROW_HIT)
            assert_true(closed[scheduler] > last);
        bench_free(b);
    }
    assert_true(closed[DRAM_FIRST_READY] <= closed[DRAM_ROW_HIT]);
}

static void the_closed_policy_closes_after_the_cap(void **state)
{
    for (unsigned rules = 0; rules < 3; rules++) {
        struct dram_policy p = dram_policy_of(rules);
        p.refresh = DRAM_REFRESH_OFF;
        p.row_policy = DRAM_CLOSED;
        p.cap = 3;
        struct bench *b = bench_new("ddr4-3200", &p);
        for (unsigned i = 0; i < 3; i++)
            dram_offer(b->dram, 0, false, 64 * i, i);
        dram_run(b->dram, 1000);
        assert_non_null(find(b, DRAM_PRE, UINT64_MAX));
        bench_free(b);
    }
}

/* Random traffic that keeps the queues full; what is counted of it. */
static struct dram_stats full_load(const char *device, unsigned refresh,
                                   uint64_t clocks)
{
    struct dram_policy p = dram_policy_of(DRAM_RAMULATOR21);
    p.refresh = (uint8_t)refresh;
    struct bench *b = bench_new(device, &p);
    uint64_t size = dram_device_bytes(b->device), seed = 3, tag = 0;
    struct dram_done done;
    for (uint64_t clock = 0; clock < clocks; clock++) {
        uint64_t x = next_random(&seed);
        tag += dram_offer(b->dram, clock, x % 10 < 3, x % size, tag);
        dram_run(b->dram, clock + 1);
        b->run.count = 0;
        while (dram_pop(b->dram, &done))
            ;
    }
    struct dram_stats stats;
    dram_statistics(b->dram, clocks, &stats);
    bench_free(b);
    return stats;
}

static void a_bank_refresh_leaves_other_banks_alone(void **state)
{
    struct dram_stats all = full_load("lpddr5-6400", DRAM_REFRESH_ALL, 40000);
    struct dram_stats bank = full_load("lpddr5-6400", DRAM_REFRESH_BANK, 40000);
    assert_true(bank.data_busy > all.data_busy);
}

static void refreshes_keep_up_under_full_load(void **state)
{
    const uint64_t clocks = 60000;
    for (const char *const *name = dram_device_names(); *name; name++)
        for (unsigned refresh = 0; refresh < DRAM_REFRESH_OFF; refresh++) {
            struct error error;
            struct dram_device *d = dram_device_new(*name, &error);
            struct dram_policy p = dram_policy_of(DRAM_RAMULATOR21);
            p.refresh = (uint8_t)refresh;
            uint64_t due = refreshes_due(d, refresh, clocks);
            if (usable(&p, d)) {
                uint64_t done = full_load(*name, refresh, clocks).refreshes;
                if (done > due || done + due / 50 + 4 < due)
                    fail_msg("%s: %llu refreshes of %llu", *name,
                             (unsigned long long)done, (unsigned long long)due);
            }
            dram_device_free(d);
        }
}

/* Levels that a command does not name are UINT32_MAX: all of them. */
static bool reaches(const struct dram_address *at,
                    const uint32_t bank[DRAM_LEVELS])
{
    for (unsigned l = DRAM_PSEUDO; l <= DRAM_BANK; l++)
        if (!same(at->at[l], bank[l]))
            return false;
    return true;
}

/* Each bank, by the commands that reach it, in a channel that is idle. */
static void check_bank(const struct bench *b, const char *name,
                       const uint32_t bank[DRAM_LEVELS], unsigned intervals)
{
    uint64_t trefi = b->device->refresh_interval, last = 0;
    unsigned times = 0;
    for (unsigned i = 0; i < b->run.count; i++) {
        const struct issued *c = &b->run.log[i];
        if ((c->command != DRAM_REFAB && c->command != DRAM_REFPB &&
             c->command != DRAM_REFSB) ||
            !reaches(&c->at, bank))
            continue;
        if (times && (c->clock - last > trefi + trefi / 20 ||
                      c->clock - last + trefi / 20 < trefi))
            fail_msg("%s: a bank is refreshed after %llu clocks, tREFI is %llu",
                     name, (unsigned long long)(c->clock - last),
                     (unsigned long long)trefi);
        last = c->clock;
        times++;
    }
    if (times + 1 < intervals || times > intervals)
        fail_msg("%s: a bank is refreshed %u times in %u tREFI", name, times,
                 intervals);
}

static void check_banks(const struct bench *b, const char *name,
                        unsigned intervals)
{
    const struct dram_device *d = b->device;
    uint32_t bank[DRAM_LEVELS] = {0}, banks = 1;
    for (unsigned l = DRAM_PSEUDO; l <= DRAM_BANK; l++)
        banks *= d->units[l];
    for (uint32_t n = 0; n < banks; n++) {
        uint32_t rest = n;
        for (unsigned l = DRAM_BANK; l >= DRAM_PSEUDO; l--) {
            bank[l] = rest % d->units[l];
            rest /= d->units[l];
        }
        check_bank(b, name, bank, intervals);
    }
}

static void each_bank_is_refreshed_once_in_trefi(void **state)
{
    const unsigned intervals = 6;
    unsigned seen[DRAM_REFRESH_OFF] = {0};
    for (const char *const *name = dram_device_names(); *name; name++)
        for (unsigned refresh = 0; refresh < DRAM_REFRESH_OFF; refresh++) {
            struct error error;
            struct dram_device *d = dram_device_new(*name, &error);
            struct dram_policy p = dram_policy_of(DRAM_RAMULATOR21);
            p.refresh = (uint8_t)refresh;
            if (usable(&p, d)) {
                struct bench *b = bench_new(*name, &p);
                dram_run(b->dram, (uint64_t)intervals * d->refresh_interval +
                                      d->refresh_interval / 20);
                check_banks(b, *name, intervals);
                bench_free(b);
                seen[refresh]++;
            }
            dram_device_free(d);
        }
    assert_true(seen[DRAM_REFRESH_ALL] > 20 && seen[DRAM_REFRESH_BANK] > 12);
}

/* ---- statistics ---- */

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void check_percentiles(const struct run *r)
{
    uint64_t latency[REQUESTS], sum = 0;
    unsigned reads = 0;
    for (unsigned i = 0; i < REQUESTS; i++)
        if (!r->requests[i].write) {
            const struct dram_done *d = &r->requests[i].done;
            latency[reads++] = d->done - d->accept;
            sum += d->done - d->accept;
        }
    qsort(latency, reads, sizeof *latency, by_value);
    for (unsigned p = 50; p <= 1000; p += 50) {
        uint64_t exact = latency[(reads * p + 999) / 1000 - 1];
        uint64_t told = dram_stats_percentile(&r->stats, p);
        assert_true(told >= exact && told <= exact + exact / 100);
    }
    assert_int_equal(r->stats.read_latency_sum, sum);
    assert_int_equal(r->stats.read_latency_max, latency[reads - 1]);
}

/* Times that a write leaves the queues and the request before it was none. A
 * request leaves with the first command for it. */
static unsigned turns_to_writes(const struct run *r)
{
    bool left[REQUESTS] = {0}, wrote = false;
    unsigned turns = 0;
    for (unsigned i = 0; i < r->count; i++) {
        uint64_t tag = r->log[i].tag;
        if (tag >= REQUESTS || left[tag] || r->log[i].command == DRAM_PRE)
            continue;
        left[tag] = true;
        turns += r->requests[tag].write && !wrote;
        wrote = r->requests[tag].write;
    }
    return turns;
}

static void reads_alone_never_turn_to_writes(void **state)
{
    const struct dram_policy p = dram_policy_of(DRAM_RAMULATOR21);
    struct bench *b = bench_new("ddr4-3200", &p);
    struct dram_stats s;
    for (uint64_t i = 0; i < 20; i++) {
        assert_true(dram_offer(b->dram, 200 * i, false, ROW_BYTES * i, i));
        dram_run(b->dram, 200 * (i + 1));
    }
    dram_statistics(b->dram, 4000, &s);
    assert_int_equal(s.commands[DRAM_RD], 20);
    assert_int_equal(s.write_drains, 0);
    bench_free(b);
}

static void statistics_agree_with_what_happened(void **state)
{
    struct dram_device *d;
    struct run *r = usual_run(&d, 2);
    const struct dram_stats *s = &r->stats;
    uint64_t commands[DRAM_COMMAND_COUNT] = {0}, writes = 0;
    for (unsigned i = 0; i < r->count; i++)
        commands[r->log[i].command]++;
    for (unsigned i = 0; i < REQUESTS; i++)
        writes += r->requests[i].write;
    assert_memory_equal(commands, s->commands, sizeof commands);
    assert_int_equal(s->write_hits + s->write_misses + s->write_conflicts +
                         s->write_merged,
                     writes);
    assert_int_equal(s->read_hits + s->read_misses + s->read_conflicts +
                         s->read_forwarded,
                     REQUESTS - writes);
    assert_int_equal(s->bytes_read, 64 * commands[DRAM_RD]);
    assert_int_equal(s->data_busy, 4 * (commands[DRAM_RD] + commands[DRAM_WR]));
    assert_int_equal(s->refresh_busy, d->refresh_cycles * commands[DRAM_REFAB]);
    assert_true(s->write_drains > 1);
    assert_int_equal(s->write_drains, turns_to_writes(r));
    check_percentiles(r);
    run_free(r);
    dram_device_free(d);
}

/* Clocks in which one bank at least was open, by the log: RDA and WRA, with
 * which banks close themselves, are not in it. */
static uint64_t open_clocks(const struct run *r)
{
    const uint32_t *units = r->device->units;
    unsigned banks = units[DRAM_GROUP] * units[DRAM_BANK], open = 0;
    uint64_t since = 0, sum = 0;
    bool rows[64] = {false};
    for (unsigned i = 0; i < r->count; i++) {
        const struct issued *one = &r->log[i];
        const uint32_t *at = one->at.at;
        bool all = one->command == DRAM_PREA;
        if (one->command == DRAM_ACT)
            since = open ? since : one->clock;
        else if (one->command != DRAM_PRE && !all)
            continue;
        for (unsigned b = 0; b < banks; b++) {
            if (!all && b != at[DRAM_GROUP] * units[DRAM_BANK] + at[DRAM_BANK])
                continue;
            open += (one->command == DRAM_ACT) - rows[b];
            rows[b] = one->command == DRAM_ACT;
        }
        if (one->command != DRAM_ACT && !open)
            sum += one->clock - since;
    }
    return sum + (open ? r->end - since : 0);
}

static void clocks_of_a_rank_are_those_with_and_without_open_banks(void **state)
{
    static const char *const devices[] = {"ddr4-3200", "gddr6-14000"};
    for (unsigned i = 0; i < 2; i++) {
        struct dram_policy p = dram_policy_of(DRAM_RAMULATOR21);
        p.row_policy = DRAM_TIMEOUT;
        p.timeout = 60;
        struct bench *b = bench_new(devices[i], &p);
        struct run *r = &b->run;
        struct dram_stats s;
        r->device = b->device;
        for (uint64_t n = 0; n < 40; n++) {
            dram_offer(b->dram, 200 * n, n % 3, ROW_BYTES * (n * 7 % 5), n);
            dram_run(b->dram, 200 * (n + 1));
        }
        r->end = 200 * UINT64_C(40) + 50;
        dram_run(b->dram, r->end);
        dram_statistics(b->dram, r->end, &s);
        uint32_t ranks =
            b->device->units[DRAM_PSEUDO] * b->device->units[DRAM_RANK];
        assert_int_equal(s.rank_open + s.rank_closed, r->end * ranks);
        assert_true(s.rank_open > 0 && s.rank_closed > r->end / 10);
        if (ranks == 1)
            assert_int_equal(s.rank_open, open_clocks(r));
        bench_free(b);
    }
}

static void a_full_queue_is_counted_until_a_request_leaves(void **state)
{
    struct dram_policy p = dram_policy_of(DRAM_RAMULATOR21);
    p.refresh = DRAM_REFRESH_OFF;
    p.read_queue = 1;
    struct bench *b = bench_new("ddr4-3200", &p);
    struct dram_stats s;
    assert_true(dram_offer(b->dram, 5, false, 0, 0)); /* ACT in clock 6 */
    assert_false(dram_offer(b->dram, 5, false, ROW_BYTES, 1));
    dram_statistics(b->dram, 5, &s);
    assert_int_equal(s.read_queue_full, 0);
    dram_run(b->dram, 6);
    assert_true(dram_offer(b->dram, 6, false, ROW_BYTES, 1));
    dram_statistics(b->dram, 16, &s);
    assert_int_equal(s.read_queue_full, 1 + 10);
    bench_free(b);
}

/* ---- options that make no sense ---- */

struct bad_option {
    const char *name;
    struct dram_policy policy;
    uint32_t channels;
};

static void impossible_options_are_named(void **state)
{
    struct error error;
    struct dram_device *d = dram_device_new("ddr4-3200", &error);
    const struct dram_policy good = dram_policy_of(DRAM_RAMULATOR21);
    struct bad_option bad[] = {
        {"read_queue", good, 1},   {"write_queue", good, 1},
        {"active_queue", good, 1}, {"channels", good, 0},
        {"channels", good, 3},     {"write_low", good, 1},
        {"write_high", good, 1},   {"cap", good, 1},
        {"timeout", good, 1},      {"REFpb", good, 1},
        {"scheduler", good, 1},
    };
    bad[0].policy.read_queue = 0;
    bad[1].policy.write_queue = 0;
    bad[2].policy.active_queue = 1 << 20;
    bad[5].policy.write_low = 900;
    bad[6].policy.write_high = 1001;
    bad[7].policy.row_policy = DRAM_CLOSED;
    bad[7].policy.cap = 0;
    bad[8].policy.row_policy = DRAM_TIMEOUT;
    bad[8].policy.timeout = 0;
    bad[9].policy.refresh = DRAM_REFRESH_BANK;
    bad[10].policy.scheduler = 9;
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct dram_options o = {
            .device = d, .policy = bad[i].policy, .channels = bad[i].channels};
        error.text[0] = 0;
        assert_null(dram_new(&o, &error));
        if (!strstr(error.text, bad[i].name))
            fail_msg("\"%s\" does not name %s", error.text, bad[i].name);
    }
    dram_device_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_idle_row_is_closed_after_the_timeout),
        cmocka_unit_test(row_hits_hold_a_younger_conflict_back_if_told_so),
        cmocka_unit_test(the_closed_policy_closes_after_the_cap),
        cmocka_unit_test(a_bank_refresh_leaves_other_banks_alone),
        cmocka_unit_test(refreshes_keep_up_under_full_load),
        cmocka_unit_test(each_bank_is_refreshed_once_in_trefi),
        cmocka_unit_test(reads_alone_never_turn_to_writes),
        cmocka_unit_test(statistics_agree_with_what_happened),
        cmocka_unit_test(
            clocks_of_a_rank_are_those_with_and_without_open_banks),
        cmocka_unit_test(a_full_queue_is_counted_until_a_request_leaves),
        cmocka_unit_test(impossible_options_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
