/*
 * Where loads and stores of a thread processor have been, leg by leg, computed
 * by hand: through an L1 and an L2 to DRAM. The build has to be one with
 * STALLS.
 */
#include "sim/units/common/trip_legs.h"
#include "sim/units/memory/dram_partition_bench.h"
#include "sim/units/tp/tp_bench.h"

#if STALLS

#define FIRST 10u  /* latency of the L1 */
#define SECOND 20u /* of the L2 */

/* A core, its caches, and DRAM whose clock is that of the chip. */
static void build_chain(struct bench *b)
{
    static const struct text_setting ddr4[] = {
        {"device", "ddr4-3200"}, {"core_clock", "1600000"}, {"refresh", "off"},
        {"channels", "1"},       {"mapping", "RoBaRaCoCh"}, {NULL, NULL}};
    struct unit *tp = build_core(b);
    struct unit *l1 = bench_unit(b, "cache", "l1");
    struct unit *l2 = bench_unit(b, "cache", "l2");
    bench_set(b, l1, "latency", FIRST);
    bench_set(b, l2, "latency", SECOND);
    bench_set(b, l2, "owner", 1);
    struct unit *dram = memory(b, ddr4, 0);
    bench_link(b, tp, "mem", l1, "cpu", DEPTH);
    bench_link(b, l1, "reply", tp, "data", 0);
    bench_link(b, l1, "mem", l2, "cpu", DEPTH);
    bench_link(b, l2, "reply", l1, "fill", 0);
    bench_link(b, l2, "mem", dram, "cpu", DEPTH);
    bench_link(b, dram, "reply", l2, "fill", 0);
}

/* The same with one cache more, between the two. */
static void build_long_chain(struct bench *b)
{
    static const struct text_setting ddr4[] = {{"device", "ddr4-3200"},
                                               {"core_clock", "1600000"},
                                               {"refresh", "off"},
                                               {NULL, NULL}};
    struct unit *caches[3], *above = build_core(b);
    const char *out = "mem", *in = "data";
    for (unsigned i = 0; i < 3; i++) {
        char name[8];
        snprintf(name, sizeof name, "l%u", i + 1);
        caches[i] = bench_unit(b, "cache", name);
        bench_set(b, caches[i], "latency", FIRST + i);
        bench_set(b, caches[i], "owner", i == 2);
        bench_link(b, above, out, caches[i], "cpu", DEPTH);
        bench_link(b, caches[i], "reply", above, in, 0);
        above = caches[i];
        in = "fill";
    }
    struct unit *dram = memory(b, ddr4, 0);
    bench_link(b, above, out, dram, "cpu", DEPTH);
    bench_link(b, dram, "reply", above, in, 0);
}

/* The legs of requests NAME_SERVED, and their sum; all others are 0. */
static void assert_legs(struct bench *b, const char *of,
                        const struct setting *legs)
{
    const struct unit *tp = b->units[0];
    const struct unit_kind *k = unit_kind_of(tp);
    size_t length = strlen(of);
    uint64_t sum = 0;
    for (unsigned i = 0; i < k->stat_count; i++) {
        const char *name = k->stat_rows[i].name;
        if (strncmp(name, of, length) || !strcmp(name + length, "requests") ||
            !strcmp(name + length, "cycles"))
            continue;
        const struct setting *leg = legs;
        while (leg->name && strcmp(name + length, leg->name))
            leg++;
        if (bench_stat(tp, name) != (uint64_t)leg->value)
            fail_msg("%s: %d, not %d", name, (int)bench_stat(tp, name),
                     (int)leg->value);
        sum += (uint64_t)leg->value;
    }
    char cycles[64];
    snprintf(cycles, sizeof cycles, "%scycles", of);
    assert_stat(tp, cycles, sum);
}

static int64_t clocks(const char *parameter)
{
    struct error e;
    struct dram_device *d = dram_device_new("ddr4-3200", &e);
    int64_t value = strcmp(parameter, "read")
                        ? dram_device_parameter(d, parameter, -1)
                        : (int64_t)d->read_latency;
    dram_device_free(d);
    return value;
}

/*
 * One load finds its bank closed, one is answered by the L1, one finds another
 * row open, long after that was opened; one is answered by the L2, after a
 * fence, which has dropped the copy in the L1.
 */
static void check_loads(struct bench *b)
{
    assert_stat(b->units[0], "load_memory_requests", 2);
    assert_legs(
        b, "load_memory_",
        (struct setting[]){{"first_way", 2 * LINK},
                           {"first_bank", 2 * FIRST},
                           {"second_way", 2 * LINK},
                           {"second_bank", 2 * SECOND},
                           {"memory_way", 2 * LINK},
                           {"memory_front", 2 * FRONT},
                           {"memory_queue", 2 * 1},
                           {"memory_row", clocks("nRCD")},
                           {"memory_conflict", clocks("nRP") + clocks("nRCD")},
                           {"memory_bus", 2 * clocks("read")},
                           {"memory_back", 2 * BACK},
                           {"memory_home", 2 * LINK},
                           {"second_home", 2 * LINK},
                           {"first_home", 2 * LINK},
                           {NULL, 0}});
    assert_legs(b, "load_first_",
                (struct setting[]){{"first_way", LINK},
                                   {"first_bank", FIRST},
                                   {"first_home", LINK},
                                   {NULL, 0}});
    static const struct setting second[] = {{"first_way", LINK},
                                            {"first_bank", FIRST},
                                            {"second_way", LINK},
                                            {"second_bank", SECOND},
                                            {"second_home", LINK},
                                            {"first_home", LINK},
                                            {NULL, 0}};
    assert_legs(b, "load_second_", second);
    assert_legs(b, "store_second_", second);
    assert_stat(b->units[0], "load_third_requests", 0);
}

static void loads_spend_their_cycles_in_legs(void **state)
{
    play_on(build_chain, check_loads,
            &(struct program){1,
                              {{0}},
                              {LD(5, 0x100, 0), ADDI(5, 5, 0), LD(5, 0x108, 0),
                               ADDI(5, 5, 0), ADDI(6, 0, 1), SLLI(6, 6, 17),
                               LD(5, 0x100, 6), ADDI(5, 5, 0), SD(6, 0x100, 0),
                               FENCE, LD(5, 0x100, 0), ADDI(5, 5, 0), ECALL}});
}

/* A load from memory, and one that the owner has, as a fence has dropped the
 * copies. */
static void check_levels(struct bench *b)
{
    assert_stat(b->units[0], "load_memory_requests", 1);
    assert_legs(b, "load_memory_",
                (struct setting[]){{"first_way", LINK},
                                   {"first_bank", FIRST},
                                   {"second_way", LINK},
                                   {"second_bank", FIRST + 1},
                                   {"third_way", LINK},
                                   {"third_bank", FIRST + 2},
                                   {"memory_way", LINK},
                                   {"memory_front", FRONT},
                                   {"memory_queue", 1},
                                   {"memory_row", clocks("nRCD")},
                                   {"memory_bus", clocks("read")},
                                   {"memory_back", BACK},
                                   {"memory_home", LINK},
                                   {"third_home", LINK},
                                   {"second_home", LINK},
                                   {"first_home", LINK},
                                   {NULL, 0}});
    assert_stat(b->units[0], "load_third_requests", 1);
    assert_legs(b, "load_third_",
                (struct setting[]){{"first_way", LINK},
                                   {"first_bank", FIRST},
                                   {"second_way", LINK},
                                   {"second_bank", FIRST + 1},
                                   {"third_way", LINK},
                                   {"third_bank", FIRST + 2},
                                   {"third_home", LINK},
                                   {"second_home", LINK},
                                   {"first_home", LINK},
                                   {NULL, 0}});
}

static void each_level_of_caches_has_its_legs(void **state)
{
    play_on(build_long_chain, check_levels,
            &(struct program){1,
                              {{0}},
                              {LD(5, 0x100, 0), ADDI(5, 5, 0), FENCE,
                               LD(5, 0x100, 0), ADDI(5, 5, 0), ECALL}});
}

/* Both caches are asked, and keep nothing; the answer is captured in the L2. */
static void check_bypassing(struct bench *b)
{
    assert_stat(b->units[2], "bypassed", 1);
    assert_legs(b, "load_memory_",
                (struct setting[]){{"first_way", LINK},
                                   {"first_bank", FIRST},
                                   {"second_way", LINK},
                                   {"second_bank", SECOND},
                                   {"memory_way", LINK},
                                   {"memory_front", FRONT},
                                   {"memory_queue", 1},
                                   {"memory_row", clocks("nRCD")},
                                   {"memory_bus", clocks("read")},
                                   {"memory_back", BACK},
                                   {"memory_home", LINK},
                                   {"second_home", LINK},
                                   {"first_home", LINK},
                                   {NULL, 0}});
}

static void a_load_that_bypasses_caches_comes_through_them(void **state)
{
    play_on(build_chain, check_bypassing,
            &(struct program){1,
                              {{"load_bypass", 2}},
                              {LD(5, 0x100, 0), ADDI(5, 5, 0), ECALL}});
}

/* The second of two harts asks a cycle later for the same sector: it misses the
 * first cycle of the fetch, and is answered after the first. */
static void check_joined(struct bench *b)
{
    assert_stat(b->units[0], "load_memory_requests", 2);
    assert_stat(b->units[0], "loads_joined", 1);
    /* The MSHR is in use until the second is answered. */
    uint64_t fetch = 6 * LINK + SECOND + FRONT + 1 + (uint64_t)clocks("nRCD") +
                     (uint64_t)clocks("read") + BACK - 2 * LINK;
    assert_stat(b->units[1], "mshrs_used", fetch + 1);
    assert_stat(b->units[1], "mshrs_full", 0);
    assert_legs(b, "load_memory_",
                (struct setting[]){{"first_way", 2 * LINK},
                                   {"first_bank", 2 * FIRST},
                                   {"second_way", 2 * LINK - 1},
                                   {"second_bank", 2 * SECOND},
                                   {"memory_way", 2 * LINK},
                                   {"memory_front", 2 * FRONT},
                                   {"memory_queue", 2 * 1},
                                   {"memory_row", 2 * clocks("nRCD")},
                                   {"memory_bus", 2 * clocks("read")},
                                   {"memory_back", 2 * BACK},
                                   {"memory_home", 2 * LINK},
                                   {"second_home", 2 * LINK},
                                   {"first_reply", 1},
                                   {"first_home", 2 * LINK},
                                   {NULL, 0}});
}

static void a_load_that_joins_a_fetch_has_the_rest_of_its_legs(void **state)
{
    play_on(
        build_chain, check_joined,
        &(struct program){2, {{0}}, {LD(5, 0x100, 0), ADDI(5, 5, 0), ECALL}});
}

/* Loads of different lines, one a cycle, at an L1 with one MSHR: each waits for
 * all before it. */
static void build_narrow(struct bench *b)
{
    build_chain(b);
    bench_set(b, b->units[1], "mshrs", 1);
}

static void check_narrow(struct bench *b)
{
    const struct unit *tp = b->units[0];
    assert_stat(tp, "load_memory_requests", 4);
    assert_stat(tp, "load_memory_memory_row", (uint64_t)clocks("nRCD"));
    /* The first fetch takes as long as a load without its L1; the others find
     * the row open. */
    uint64_t open = 6 * LINK + SECOND + FRONT + 1 + (uint64_t)clocks("read") +
                    BACK - 2 * LINK;
    uint64_t first = open + (uint64_t)clocks("nRCD");
    /* Load i comes i cycles after the first, and stands until those before it
     * are answered; one that stands makes those behind it wait in the bank. */
    uint64_t stall = 0, end = first;
    for (uint64_t i = 1; i < 4; i++, end += open)
        stall += end - i;
    assert_stat(tp, "load_memory_first_stall", stall);
    assert_stat(b->units[1], "mshrs_used", end);
    assert_stat(b->units[1], "mshrs_full", end);
    assert_stat(b->units[1], "mshrs_most", 1);
    assert_stat(b->units[1], "mshrs_room", b->cycles);
    assert_stat(tp, "load_memory_other", 0);
}

static void a_load_without_an_mshr_stands_at_the_end_of_its_bank(void **state)
{
    play_on(
        build_narrow, check_narrow,
        &(struct program){1,
                          {{0}},
                          {LD(5, 0x100, 0), LD(6, 0x180, 0), LD(7, 0x200, 0),
                           LD(8, 0x280, 0), FENCE, ECALL}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_spend_their_cycles_in_legs),
        cmocka_unit_test(each_level_of_caches_has_its_legs),
        cmocka_unit_test(a_load_that_bypasses_caches_comes_through_them),
        cmocka_unit_test(a_load_that_joins_a_fetch_has_the_rest_of_its_legs),
        cmocka_unit_test(a_load_without_an_mshr_stands_at_the_end_of_its_bank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    puts("skip: legs are booked in builds with STALLS only "
         "(ci/tests/stalls.sh)");
    return 77;
}

#endif
