/*
 * Every device gives its banks the time that they need (jedec.h), under random
 * traffic and every policy. dram_test.c checks the rules that there are; this
 * one that there are enough.
 */
#include "sim/dram/dram.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/dram/jedec.h"

#define REQUESTS 2500

/* ---- traffic ---- */

static void note(void *context, uint64_t clock, enum dram_command command,
                 const struct dram_address *at, uint64_t tag)
{
    struct run *r = context;
    if (r->count == r->room) {
        r->room = r->room ? 2 * r->room : 4096;
        r->log = realloc(r->log, r->room * sizeof *r->log);
        assert_non_null(r->log);
    }
    r->log[r->count++] = (struct issued){(int64_t)clock, (uint8_t)command, *at};
}

static uint64_t random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state ^ *state >> 29) * 0xbf58476d1ce4e5b9u >> 16;
}

/* Few rows in all banks, so that hits, misses and conflicts all come; dense
 * and sparse stretches; mostly reads, then mostly writes. */
static void send_traffic(struct dram *m, const struct dram_device *d,
                         uint64_t seed)
{
    uint64_t state = 0, near = UINT64_C(1) << 17;
    struct dram_done done;
    for (unsigned i = 0; i < REQUESTS; i++) {
        bool write = random_number(&seed) % 100 < (i / 100 % 2 ? 80 : 15);
        uint64_t address =
            random_number(&seed) % (near / d->transaction) * d->transaction;
        if (i / 50 % 3 == 2)
            state += random_number(&seed) % 60;
        dram_run(m, state);
        while (!dram_offer(m, state, write, address, i))
            dram_run(m, ++state);
        while (dram_pop(m, &done))
            continue;
    }
    dram_run(m, state + 20000);
}

/* NULL: the device cannot do this. */
static struct run *run_new(const struct dram_device *d,
                           const struct dram_policy *policy, uint64_t seed)
{
    struct error error;
    struct dram_options o = {.device = d, .policy = *policy, .channels = 1};
    if (!dram_policy_check(policy, d, &error))
        return NULL;
    struct run *r = calloc(1, sizeof *r);
    struct dram *m = dram_new(&o, &error);
    if (!m)
        fail_msg("%s: %s", d->name, error.text);
    r->device = d;
    r->t = times_of(d);
    dram_on_command(m, note, r);
    send_traffic(m, d, seed);
    dram_free(m);
    check_all(r);
    return r;
}

static void run_free(struct run *r)
{
    free(r->log);
    free(r);
}

/* ---- the tests ---- */

static struct dram_policy policy_number(unsigned i)
{
    struct dram_policy p = dram_policy_of(i % 3);
    p.row_policy = i / 3 % 3;
    p.refresh = i / 9 % 2 ? DRAM_REFRESH_BANK : DRAM_REFRESH_ALL;
    p.cap = 1 + i % 2;
    p.timeout = 30;
    return p;
}
#define POLICIES 18

static unsigned check_device(const char *name)
{
    struct error error;
    struct dram_device *d = dram_device_new(name, &error);
    unsigned broken = 0;
    assert_non_null(d);
    for (unsigned i = 0; i < POLICIES; i++) {
        struct dram_policy p = policy_number(i);
        struct run *r = run_new(d, &p, i + 1);
        if (!r)
            continue;
        assert_true(r->count > REQUESTS);
        broken += r->broken;
        run_free(r);
    }
    dram_device_free(d);
    return broken;
}

static void every_device_gives_its_banks_their_time(void **state)
{
    unsigned broken = 0;
    for (const char *const *name = dram_device_names(); *name; name++)
        broken += check_device(*name);
    assert_int_equal(broken, 0);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!known[i].seen)
            fail_msg("%s no longer has %s", known[i].device, known[i].rule);
}

static void leave_out_added(struct dram_device *d)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < d->rule_count; i++)
        if (!d->rules[i].added)
            d->rules[kept++] = d->rules[i];
    assert_true(kept < d->rule_count);
    d->rule_count = kept;
}

static void a_rule_that_is_forgotten_is_missed(void **state)
{
    static const char *const names[] = {"hbm2-2000", "lpddr5-5500",
                                        "ddr5-6400"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct error error;
        struct dram_device *d = dram_device_new(names[i], &error);
        struct dram_policy p = dram_policy_of(DRAM_RAMULATOR21);
        p.row_policy = DRAM_CLOSED;
        p.refresh = DRAM_REFRESH_BANK;
        p.cap = 1;
        leave_out_added(d);
        struct run *r = run_new(d, &p, 1);
        assert_true(r->broken > 0);
        run_free(r);
        dram_device_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_device_gives_its_banks_their_time),
        cmocka_unit_test(a_rule_that_is_forgotten_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
