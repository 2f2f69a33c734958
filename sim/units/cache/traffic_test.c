/*
 * Random traffic through whole memory systems: clients, one or two levels of
 * copies, a crossbar, owners, memory. Shape, sizes and policies of a system
 * and all that its clients do come from a seed. Each client knows what its
 * answers may be:
 *
 *   private words  written by one client only, byte by byte: a load gets what
 *                  the program order says, exactly
 *   shared words   one writer, versions count up: a reader never goes back,
 *                  never gets what was not asked yet, and gets at least what
 *                  was published before it last dropped its copies
 *   counters       atomic additions: no old value twice, the sum is right
 *   locks          lr, sc of one more: successes are neither lost nor doubled
 *   constants      read-only memory
 *
 * Words of all kinds lie mixed in the same sectors. In the end everything is
 * drained, each request answered once, and memory is what was written.
 *
 * TRAFFIC_SEED=N runs one seed.
 */
#include "ci/tests/runs.h"
#include "sim/units/cache/cache_replacement.h"
#include "sim/units/cache/traffic_bench.h"
#include <stdlib.h>

/* ---- systems ---- */

#define REPLACEMENT(name) REPLACE_##name,
#define REPLACEMENTS CACHE_REPLACEMENTS(REPLACEMENT, REPLACEMENT)
enum { REPLACEMENTS };

/* Parameters of a cache that are drawn independently of each other. */
struct choice {
    const char *name;
    int64_t values[16];
    unsigned count;
};

static const struct choice choices[] = {
    {"latency", {1, 3, 10}, 3},
    {"targets", {1, 2, 8}, 3},
    {"misses", {1, 1, 2}, 3},
    {"pass", {1, 2, 16}, 3},
    {"updates", {8, 8, 64}, 3},
    {"replacement", {REPLACEMENTS}, CHOICE_COUNT(CACHE_REPLACEMENTS)},
    {"prefetch", {0, 0, 1, 2}, 4},
    {"classify", {0, 1}, 2},
    {"header", {0, 8}, 2},
    {"mem_width", {0, 0, 8, 32}, 4},
    {"fill_width", {0, 0, 8, 32}, 4},
    {"reply_width", {0, 0, 8, 64}, 4},
    {"write", {0, 1, 2, 2}, 4},
    {"allocate", {0, 1, 2}, 3},
    {"hold", {0, 10, 1000}, 3},
};

/* A power of two from `from` to `to`, which are such. */
static int64_t power_between(uint64_t *random, int64_t from, int64_t to)
{
    while (from < to && below_n(random, 2))
        from *= 2;
    return from;
}

static void set_sizes(struct bench *b, struct unit *c, uint64_t *random,
                      int64_t line)
{
    int64_t sector = power_between(random, 32, line);
    int64_t fill = power_between(random, sector, line);
    int64_t sets = power_between(random, 1, 16), ways = 1 + below_n(random, 4);
    int64_t pieces = fill / sector;
    bench_set(b, c, "line", line);
    bench_set(b, c, "sector", sector);
    bench_set(b, c, "fill", fill);
    bench_set(b, c, "ways", ways);
    bench_set(b, c, "size", line * ways * sets);
    bench_set(b, c, "banks", power_between(random, 1, sets));
    bench_set(b, c, "mshrs", pieces + below_n(random, 4));
}

static struct unit *make_cache(struct bench *b, const char *name,
                               uint64_t *random, bool owner)
{
    const struct setup *s = b->scenario->with;
    struct unit *c = bench_unit(b, "cache", name);
    set_sizes(b, c, random, owner ? s->line : power_between(random, 32, 256));
    for (unsigned i = 0; i < TABLE_COUNT(choices); i++) {
        const struct choice *ch = &choices[i];
        bench_set(b, c, ch->name, ch->values[below_n(random, ch->count)]);
    }
    bench_set(b, c, "owner", owner);
    bench_set(b, c, "map_parts", s->parts);
    bench_set(b, c, "map_slices", s->slices);
    bench_set(b, c, "map_stride", 256);
    bench_set(b, c, "map_hash", s->hash);
    bench_set(b, c, "fault", s->fault);
    bench_set(b, c, "fault_at", s->fault_at);
    return c;
}

static void both(struct bench *b, struct unit *above, struct unit *below)
{
    bench_link(b, above, "mem", below, "cpu", 1 + above->id % 3);
    bench_link(b, below, "reply", above, "fill", 0);
}

static void make_owners(struct bench *b, uint64_t *random,
                        struct unit *const *above, unsigned count)
{
    const struct setup *s = b->scenario->with;
    char name[32];
    for (unsigned p = 0; p < s->parts; p++) {
        snprintf(name, sizeof name, "memory%u", p);
        struct unit *memory = bench_unit(b, "memory", name);
        bench_set(b, memory, "latency", 1 + below_n(random, 40));
        bench_set(b, memory, "queue", 1 + below_n(random, 8));
        for (unsigned i = 0; i < s->slices; i++) {
            snprintf(name, sizeof name, "l2.%u.%u", p, i);
            struct unit *slice = make_cache(b, name, random, true);
            for (unsigned k = 0; k < count; k++)
                both(b, above[k], slice);
            both(b, slice, memory);
        }
    }
}

static void make_client(struct bench *b, struct unit *l1, unsigned number)
{
    const struct setup *s = b->scenario->with;
    char name[32];
    snprintf(name, sizeof name, "client%u", number);
    struct client *c = (struct client *)bench_unit(b, "client", name);
    c->setup = s;
    c->number = number;
    c->random = s->seed * 1000003 + number;
    c->kind = traffic_choose(c);
    bench_link(b, c, "out", l1, "cpu", 1 + number % 4);
    bench_link(b, l1, "reply", c, "in", 0);
}

static void build(struct bench *b)
{
    const struct setup *s = b->scenario->with;
    uint64_t random = s->seed;
    struct unit *l1[CLIENTS], *middle;
    char name[32];
    for (unsigned i = 0; i < CONSTANTS; i++)
        *bench_word(b, BENCH_READ_ONLY + 8 * i) = constant(i);
    for (unsigned i = 0; i < s->l1s; i++) {
        snprintf(name, sizeof name, "l1.%u", i);
        l1[i] = make_cache(b, name, &random, false);
        bench_set(b, l1[i], "atomics", s->atomics_here);
        for (unsigned k = 0; k < s->clients_each; k++)
            make_client(b, l1[i], i * s->clients_each + k);
    }
    if (!s->middle) {
        make_owners(b, &random, l1, s->l1s);
        return;
    }
    middle = make_cache(b, "middle", &random, false);
    for (unsigned i = 0; i < s->l1s; i++)
        both(b, l1[i], middle);
    make_owners(b, &random, &middle, 1);
}

/* ---- runs ---- */

static struct setup draw(uint64_t seed)
{
    uint64_t random = seed * 7919 + 1;
    struct setup s = {.seed = seed, .fault_at = 1};
    s.l1s = 1 + below_n(&random, 3);
    s.clients_each = 1 + below_n(&random, 3);
    s.clients = s.l1s * s.clients_each;
    s.slices = 1u << below_n(&random, 3);
    s.parts = 1 + below_n(&random, 3);
    s.middle = !below_n(&random, 3);
    s.line = 32 << below_n(&random, 4);
    s.hash = below_n(&random, 2);
    s.atomics_here = !below_n(&random, 4);
    s.bypasses = below_n(&random, 2);
    s.pace = 1u << below_n(&random, 6);
    s.words = 16u << below_n(&random, 5);
    return s;
}

static void expect_nothing(struct bench *b)
{
    const struct setup *s = b->scenario->with;
    struct finding f = traffic_examine(b);
    if (f.what)
        fail_msg("TRAFFIC_SEED=%llu: violation %d: %s",
                 (unsigned long long)s->seed, f.what, f.text);
}

static void play(const struct setup *s, void (*check)(struct bench *b))
{
    bench_play(&(struct scenario){.build = build,
                                  .check = check,
                                  .with = s,
                                  .toy = &traffic_client_kind});
}

static void random_traffic_is_served_as_memory_does(void **state)
{
    const char *seed_given = getenv("TRAFFIC_SEED");
    uint64_t first = seed_given ? strtoull(seed_given, NULL, 0) : 0;
    uint64_t runs = seed_given ? 1 : test_runs(150);
    for (uint64_t seed = first; seed < first + runs; seed++) {
        struct setup s = draw(seed);
        play(&s, expect_nothing);
    }
}

/* ---- these checks find faults ---- */

enum { NO_FAULT_MADE, FLIP, LOST_STORE, STALE, SWAP, LOST_ANSWER };

#define FAULTY_RUNS 40u

static unsigned findings[NOT_DRAINED + 1];

static void count_finding(struct bench *b)
{
    findings[traffic_examine(b).what]++;
}

/* At least `least` of the usual number of runs with the fault are found wrong,
 * in these ways only. */
static void expect_findings(int64_t fault, unsigned least, unsigned ways)
{
    const unsigned seeds = test_runs(FAULTY_RUNS);
    memset(findings, 0, sizeof findings);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        struct setup s = draw(seed);
        s.fault = fault;
        s.fault_at = fault == SWAP || fault == STALE ? 1 : 25;
        bench_play(&(struct scenario){.build = build,
                                      .check = count_finding,
                                      .with = &s,
                                      .toy = &traffic_client_kind,
                                      .limit = 50000});
    }
    unsigned runs = 0, wrong = 0;
    for (unsigned what = NOTHING; what <= NOT_DRAINED; what++) {
        runs += findings[what];
        wrong += what && ways >> what & 1 ? findings[what] : 0;
        if (what && !(ways >> what & 1) && findings[what])
            fail_msg("fault %d: %u times violation %u", (int)fault,
                     findings[what], what);
    }
    print_message("fault %d: found in %u of %u runs\n", (int)fault, wrong,
                  runs);
    assert_true(wrong >= least * seeds / FAULTY_RUNS);
}

#define WAY(what) (1u << (what))
#define WRONG_VALUE                                                            \
    (WAY(WRONG_PRIVATE) | WAY(WRONG_CONSTANT) | WAY(UNKNOWN_VERSION) |         \
     WAY(WENT_BACK) | WAY(TOO_OLD) | WAY(WRONG_COUNT) | WAY(WRONG_LOCK))

static void a_flipped_bit_is_found(void **state)
{
    expect_findings(FLIP, 250, WRONG_VALUE | WAY(WRONG_IMAGE));
}

static void a_lost_store_is_found(void **state)
{
    expect_findings(LOST_STORE, 250, WRONG_VALUE | WAY(WRONG_IMAGE));
}

static void an_ignored_invalidation_is_found(void **state)
{
    expect_findings(STALE, 4, WAY(TOO_OLD));
}

static void a_swapped_answer_is_found(void **state)
{
    expect_findings(SWAP, 100, WRONG_VALUE | WAY(WRONG_IMAGE));
}

static void a_lost_answer_is_found(void **state)
{
    expect_findings(LOST_ANSWER, 300, WAY(LOST) | WAY(WRONG_IMAGE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic_is_served_as_memory_does),
        cmocka_unit_test(a_flipped_bit_is_found),
        cmocka_unit_test(a_lost_store_is_found),
        cmocka_unit_test(an_ignored_invalidation_is_found),
        cmocka_unit_test(a_swapped_answer_is_found),
        cmocka_unit_test(a_lost_answer_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
