/*
 * Properties of the DRAM controller, for every device and every policy, with
 * random traffic: what is accepted is done, once; every command keeps every
 * rule of the device; queues hold what they may; refreshes come. The rules are
 * checked by brute force against the list of commands, independently of the
 * controller's own bookkeeping, and tests show that the check can fail.
 */
#include "sim/dram/dram.h"
#include "sim/dram/stats.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define REQUESTS 260
#define MOST_COMMANDS 20000
#define PATIENCE 400000 /* clocks until the last request must be done */

/* ---- a run and what is seen of it ---- */

struct issued {
    uint64_t clock, tag;
    uint8_t command;
    struct dram_address at;
};

struct request {
    uint64_t offer, address, accept;
    bool write, accepted;
    unsigned times_done;
    struct dram_done done;
};

struct run {
    const struct dram_device *device;
    struct dram_options options;
    struct request requests[REQUESTS];
    struct issued *log;
    unsigned count;
    uint64_t end; /* clock at which all was done */
    struct dram_stats stats;
    char problem[256];
};

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ *state >> 29;
    return x * 0xbf58476d1ce4e5b9u >> 16;
}

/* Dense and sparse stretches, near and far addresses, repetitions. */
static void make_traffic(struct run *r, uint64_t seed)
{
    uint64_t bytes = dram_device_bytes(r->device) * r->options.channels;
    uint64_t offer = 0, address = 0, size = r->device->transaction;
    for (unsigned i = 0; i < REQUESTS; i++) {
        struct request *q = &r->requests[i];
        uint64_t dice = next_random(&seed) % 100;
        if (dice < 35)
            address = next_random(&seed) % (bytes / size) * size;
        else if (dice < 75)
            address = (address + size) % bytes;
        else if (i > 8)
            address = r->requests[i - 1 - dice % 8].address;
        offer += i / 40 % 3 == 2 ? next_random(&seed) % 700 : dice % 2;
        *q = (struct request){.offer = offer,
                              .address = address,
                              .write = next_random(&seed) % 100 <
                                       (i / 60 % 2 ? 70u : 20u)};
    }
}

static void note_command(void *context, uint64_t clock,
                         enum dram_command command,
                         const struct dram_address *at, uint64_t tag)
{
    struct run *r = context;
    assert_true(r->count < MOST_COMMANDS);
    r->log[r->count++] = (struct issued){clock, tag, (uint8_t)command, *at};
}

static unsigned collect(struct run *r, struct dram *m)
{
    struct dram_done done;
    unsigned count = 0;
    while (dram_pop(m, &done)) {
        assert_true(done.tag < REQUESTS);
        r->requests[done.tag].done = done;
        r->requests[done.tag].times_done++;
        if (done.done > r->end)
            r->end = done.done;
        count++;
    }
    return count;
}

/* The next state in which something is to be done. */
static uint64_t next_state(const struct run *r, const struct dram *m,
                           uint64_t state, unsigned offered, bool refused,
                           bool every_clock)
{
    if (every_clock)
        return state + 1;
    uint64_t next = dram_next(m);
    assert_true(next > state);
    if (offered < REQUESTS && !refused) {
        uint64_t offer = r->requests[offered].offer;
        offer = offer > state + 1 ? offer : state + 1;
        next = offer < next ? offer : next;
    }
    return next;
}

static void run_traffic(struct run *r, struct dram *m, bool every_clock)
{
    uint64_t state = 0;
    for (unsigned offered = 0, left = REQUESTS; left;) {
        struct request *q = &r->requests[offered];
        bool refused = false;
        if (offered < REQUESTS && q->offer <= state) {
            q->accepted = dram_offer(m, state, q->write, q->address, offered);
            q->accept = state;
            refused = !q->accepted;
            offered += q->accepted;
        }
        left -= collect(r, m);
        if (state > PATIENCE) {
            snprintf(r->problem, sizeof r->problem, "%u requests starve", left);
            return;
        }
        state = next_state(r, m, state, offered, refused, every_clock);
        dram_run(m, state);
        left -= collect(r, m);
    }
    dram_run(m, r->end);
    assert_int_equal(dram_pending(m), 0);
}

static struct run *run_new(const struct dram_device *device,
                           const struct dram_policy *policy, uint32_t channels,
                           uint64_t seed, bool every_clock)
{
    struct error error = {{0}};
    struct run *r = calloc(1, sizeof *r);
    r->device = device;
    r->log = calloc(MOST_COMMANDS, sizeof *r->log);
    r->options = (struct dram_options){
        .device = device, .policy = *policy, .channels = channels};
    make_traffic(r, seed);
    struct dram *m = dram_new(&r->options, &error);
    if (!m)
        fail_msg("%s: %s", device->name, error.text);
    dram_on_command(m, note_command, r);
    run_traffic(r, m, every_clock);
    dram_statistics(m, r->end, &r->stats);
    dram_free(m);
    return r;
}

static void run_free(struct run *r)
{
    free(r->log);
    free(r);
}

/* ---- the oracle ---- */

static bool same(uint32_t a, uint32_t b)
{
    return a == b || a == UINT32_MAX || b == UINT32_MAX;
}

static bool above_same(const struct issued *a, const struct issued *b,
                       unsigned level)
{
    for (unsigned l = 0; l < level; l++)
        if (!same(a->at.at[l], b->at.at[l]))
            return false;
    return true;
}

static bool rule_is_about(const struct dram_rule *rule,
                          const struct issued *before, const struct issued *now)
{
    uint32_t a = before->at.at[rule->level], b = now->at.at[rule->level];
    if (!above_same(before, now, rule->level))
        return false;
    return rule->sibling ? !same(a, b) : same(a, b);
}

/* Clocks by which the command comes too early; 0: it keeps the rule. */
static uint64_t too_early(const struct run *r, unsigned index,
                          const struct dram_rule *rule)
{
    const struct issued *now = &r->log[index];
    unsigned seen = 0, window = rule->window > 1 ? rule->window : 1;
    for (unsigned i = index; i-- > 0;) {
        const struct issued *before = &r->log[i];
        uint64_t allowed = before->clock + (uint64_t)rule->cycles;
        if (allowed <= now->clock)
            return 0; /* and so for all that are older */
        if (before->command == rule->preceding &&
            rule_is_about(rule, before, now) && ++seen == window)
            return allowed - now->clock;
    }
    return 0;
}

static bool rules_kept(struct run *r, const struct dram_device *device)
{
    for (unsigned i = 0; i < r->count; i++)
        for (unsigned k = 0; k < device->rule_count; k++) {
            const struct dram_rule *rule = &device->rules[k];
            if (rule->following != r->log[i].command)
                continue;
            uint64_t early = too_early(r, i, rule);
            if (!early)
                continue;
            snprintf(r->problem, sizeof r->problem,
                     "clock %llu: %s %llu too early after %s, level %u",
                     (unsigned long long)r->log[i].clock,
                     device->command_name[rule->following],
                     (unsigned long long)early,
                     device->command_name[rule->preceding], rule->level);
            return false;
        }
    return true;
}

/* Banks as the commands leave them. */
struct bank {
    bool open, activating;
    uint32_t row;
};

static struct bank *bank_at(const struct run *r, struct bank *banks,
                            const struct dram_address *at)
{
    uint64_t i = at->at[DRAM_CHANNEL];
    for (unsigned l = DRAM_PSEUDO; l <= DRAM_BANK; l++)
        i = i * r->device->units[l] + at->at[l];
    return &banks[i];
}

/* Is a bank of the target open? And closes all of them. */
static bool close_target(const struct run *r, struct bank *banks,
                         const struct dram_address *target, bool close)
{
    const uint32_t *units = r->device->units;
    uint32_t count = units[1] * units[2] * units[3] * units[4];
    bool open = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at[] = {0, i / units[4] / units[3] / units[2],
                         i / units[4] / units[3] % units[2],
                         i / units[4] % units[3], i % units[4]};
        bool in = true;
        for (unsigned l = DRAM_PSEUDO; l <= DRAM_BANK; l++)
            in = in && same(at[l], target->at[l]);
        struct bank *b = &banks[target->at[DRAM_CHANNEL] * count + i];
        open = open || (in && (b->open || b->activating));
        if (in && close)
            b->open = false;
    }
    return open;
}

static const char *apply(const struct run *r, struct bank *banks,
                         const struct issued *c)
{
    bool two_steps = r->device->act2_within > 0;
    bool refresh = c->command == DRAM_REFAB || c->command == DRAM_REFPB ||
                   c->command == DRAM_REFSB;
    if (refresh)
        return close_target(r, banks, &c->at, false) ? "refresh of open bank"
                                                     : NULL;
    if (c->command == DRAM_PREA || c->command == DRAM_PRE) {
        close_target(r, banks, &c->at, true);
        return NULL;
    }
    struct bank *b = bank_at(r, banks, &c->at);
    if (c->command == DRAM_ACT) {
        bool was = b->open || b->activating;
        *b = (struct bank){!two_steps, two_steps, c->at.at[DRAM_ROW]};
        return was ? "ACT of open bank" : NULL;
    }
    if (b->row != c->at.at[DRAM_ROW])
        return "command for another row";
    if (c->command == DRAM_ACT2) {
        bool was = b->activating;
        *b = (struct bank){true, false, b->row};
        return was ? NULL : "ACT2 without ACT1";
    }
    if (!b->open)
        return "access to closed bank";
    b->open = c->command != DRAM_RDA && c->command != DRAM_WRA;
    return NULL;
}

static bool rows_right(struct run *r)
{
    struct bank *banks = calloc(r->options.channels, 256 * sizeof(struct bank));
    const char *wrong = NULL;
    for (unsigned i = 0; i < r->count && !wrong; i++) {
        wrong = apply(r, banks, &r->log[i]);
        if (wrong)
            snprintf(r->problem, sizeof r->problem, "clock %llu: %s",
                     (unsigned long long)r->log[i].clock, wrong);
    }
    free(banks);
    return !wrong;
}

static bool is_access(const struct issued *c)
{
    return c->command == DRAM_RD || c->command == DRAM_RDA ||
           c->command == DRAM_WR || c->command == DRAM_WRA;
}

/* One command in a clock, or one of each kind; in order of time. */
static bool bus_kept(struct run *r)
{
    bool dual =
        r->device->dual_bus && r->options.policy.rules == DRAM_RAMULATOR21;
    for (unsigned i = 1; i < r->count; i++) {
        const struct issued *c = &r->log[i];
        for (unsigned k = i; k-- > 0 && r->log[k].clock >= c->clock;) {
            const struct issued *b = &r->log[k];
            if (b->clock == c->clock &&
                (b->at.at[DRAM_CHANNEL] != c->at.at[DRAM_CHANNEL] ||
                 (dual && is_access(b) && !is_access(c))))
                continue;
            snprintf(r->problem, sizeof r->problem,
                     "clock %llu: commands %u and %u in one",
                     (unsigned long long)c->clock, b->command, c->command);
            return false;
        }
    }
    return true;
}

/* LPDDR5: ACT2 in time, accesses only with the data clock in step. */
static bool steps_kept(struct run *r)
{
    const struct dram_device *d = r->device;
    uint64_t until[64] = {0}, activated[64] = {0}, synchronised[64] = {0};
    for (unsigned i = 0; d->act2_within && i < r->count; i++) {
        const struct issued *c = &r->log[i];
        uint32_t ch = c->at.at[DRAM_CHANNEL];
        bool reads = c->command == DRAM_RD || c->command == DRAM_RDA;
        if (c->command == DRAM_ACT)
            activated[ch] = c->clock;
        if (c->command == DRAM_CAS_RD || c->command == DRAM_CAS_WR)
            synchronised[ch] = c->clock;
        bool late = c->command == DRAM_ACT2 &&
                    c->clock > activated[ch] + d->act2_within;
        bool out = is_access(c) && c->clock >= until[ch] &&
                   synchronised[ch] + 1 != c->clock;
        if (late || out) {
            snprintf(r->problem, sizeof r->problem, "clock %llu: %s",
                     (unsigned long long)c->clock,
                     late ? "late ACT2" : "data clock out of step");
            return false;
        }
        uint64_t end = c->clock + d->clock_sync_burst +
                       (reads ? d->read_latency : d->write_latency);
        if (is_access(c) && end > until[ch])
            until[ch] = end;
    }
    return true;
}

static bool latency_right(const struct run *r, const struct request *q)
{
    const struct dram_done *d = &q->done;
    if (d->outcome == DRAM_MERGED)
        return q->write && !d->issue && d->done == q->accept;
    if (d->outcome == DRAM_FORWARDED)
        return !q->write && !d->issue && d->done > q->accept;
    if (d->issue <= q->accept)
        return false;
    return q->write ? d->done == d->issue
                    : d->done >= d->issue + r->device->read_latency;
}

static bool all_done_once(struct run *r)
{
    for (unsigned i = 0; i < REQUESTS; i++) {
        const struct request *q = &r->requests[i];
        if (q->accepted && q->times_done == 1 && q->done.accept == q->accept &&
            q->done.write == q->write && latency_right(r, q))
            continue;
        snprintf(r->problem, sizeof r->problem,
                 "request %u: accepted %d, done %u times, in %llu", i,
                 q->accepted, q->times_done, (unsigned long long)q->done.done);
        return false;
    }
    return true;
}

/* A request leaves its queue with its ACT or access. */
static bool queues_kept(struct run *r)
{
    const struct dram_policy *p = &r->options.policy;
    uint64_t left[REQUESTS];
    memset(left, 0xff, sizeof left);
    for (unsigned i = r->count; i-- > 0;) {
        const struct issued *c = &r->log[i];
        if (c->tag < REQUESTS && (is_access(c) || c->command == DRAM_ACT))
            left[c->tag] = c->clock;
    }
    for (unsigned i = 0; i < REQUESTS; i++) {
        uint32_t queued[2] = {0}, ch = r->requests[i].done.channel;
        for (unsigned k = 0; k <= i; k++)
            if (r->requests[k].done.channel == ch &&
                r->requests[k].done.issue && left[k] > r->requests[i].accept)
                queued[r->requests[k].write]++;
        if (queued[0] > p->read_queue || queued[1] > p->write_queue) {
            snprintf(r->problem, sizeof r->problem,
                     "state %llu: %u reads and %u writes queued",
                     (unsigned long long)r->requests[i].accept, queued[0],
                     queued[1]);
            return false;
        }
    }
    return true;
}

/* In a channel, in so many clocks. */
static uint64_t refreshes_due(const struct dram_device *d, unsigned refresh,
                              uint64_t clocks)
{
    uint32_t scopes = 1;
    for (unsigned l = DRAM_PSEUDO; l <= d->refresh_scope; l++)
        scopes *= d->units[l];
    if (refresh == DRAM_REFRESH_OFF)
        return 0;
    if (refresh == DRAM_REFRESH_ALL)
        return clocks / d->refresh_interval * scopes;
    uint32_t banks = d->units[DRAM_BANK];
    if (d->has[DRAM_REFPB])
        for (unsigned l = d->refresh_scope + 1u; l < DRAM_BANK; l++)
            banks *= d->units[l];
    uint32_t interval = d->bank_refresh_interval ? d->bank_refresh_interval
                                                 : d->refresh_interval / banks;
    return clocks / interval * scopes;
}

/* All that are due, but those that are being prepared at the end. */
static bool refreshed(struct run *r)
{
    uint64_t due = refreshes_due(r->device, r->options.policy.refresh, r->end) *
                   r->options.channels;
    uint64_t done = 0;
    for (unsigned i = 0; i < r->count; i++)
        done += r->log[i].command == DRAM_REFAB ||
                r->log[i].command == DRAM_REFPB ||
                r->log[i].command == DRAM_REFSB;
    uint64_t late = due / 20 + 8u * r->options.channels;
    if (done <= due && done + late >= due)
        return true;
    snprintf(r->problem, sizeof r->problem, "%llu refreshes of %llu",
             (unsigned long long)done, (unsigned long long)due);
    return false;
}

static bool all_well(struct run *r)
{
    return !r->problem[0] && all_done_once(r) && rules_kept(r, r->device) &&
           rows_right(r) && bus_kept(r) && steps_kept(r) && queues_kept(r) &&
           refreshed(r);
}

/* ---- every device, every policy ---- */

static bool usable(const struct dram_policy *p, const struct dram_device *d)
{
    struct error error;
    return dram_policy_check(p, d, &error);
}

static struct dram_policy policy_number(unsigned i)
{
    struct dram_policy p = dram_policy_of(i % 3);
    p.scheduler = i / 3 % 2;
    p.row_policy = i / 6 % 3;
    p.refresh = i / 18 % 3;
    p.cap = 1 + i % 5;
    p.timeout = 30 + 40 * (i % 4);
    if (i % 7 == 3) {
        p.read_queue = 5;
        p.write_queue = 4;
    }
    return p;
}
#define POLICIES 54

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

static struct run *usual_run(struct dram_device **device, unsigned policy)
{
    struct error error;
    *device = dram_device_new("ddr4-3200", &error);
    struct dram_policy p = policy_number(policy);
    struct run *r = run_new(*device, &p, 1, 7, false);
    assert_true(all_well(r));
    return r;
}

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
        cmocka_unit_test(every_device_keeps_its_rules_under_every_policy),
        cmocka_unit_test(running_by_events_equals_running_by_clocks),
        cmocka_unit_test(a_rule_that_takes_longer_is_seen_to_be_broken),
        cmocka_unit_test(lost_and_doubled_requests_are_seen),
        cmocka_unit_test(a_missing_command_is_seen),
        cmocka_unit_test(missing_refreshes_and_full_queues_are_seen),
        cmocka_unit_test(an_idle_row_is_closed_after_the_timeout),
        cmocka_unit_test(row_hits_hold_a_younger_conflict_back_if_told_so),
        cmocka_unit_test(the_closed_policy_closes_after_the_cap),
        cmocka_unit_test(a_bank_refresh_leaves_other_banks_alone),
        cmocka_unit_test(refreshes_keep_up_under_full_load),
        cmocka_unit_test(reads_alone_never_turn_to_writes),
        cmocka_unit_test(statistics_agree_with_what_happened),
        cmocka_unit_test(a_full_queue_is_counted_until_a_request_leaves),
        cmocka_unit_test(impossible_options_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
