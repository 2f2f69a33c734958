/* What the host asks a GMMU for, by services; what is refused. */
#include "runtime/include/corbel/managed.h"
#include "sim/units/paging/paging_bench.h"

#define PARTS                                                                  \
    {                                                                          \
        MB, MB, 3 * MB, 65536                                                  \
    }

static void refused(bool done, const struct error *e, const char *text)
{
    assert_false(done);
    if (!strstr(e->text, text))
        fail_msg("'%s' says nothing of '%s'", e->text, text);
}

static void expect_refusals(struct unit *gmmu, uint64_t now)
{
    const struct paging_role *role = gmmu->kind->paging;
    struct error e;
    refused(gmmu_add(gmmu, now, MB + 65536, 4096, false, &e), &e,
            "meets that at");
    refused(gmmu_add(gmmu, now, 5, 4096, false, &e), &e, "a multiple of 64 KB");
    refused(gmmu_add(gmmu, now, 0, 1ull << 45, false, &e), &e, "2^44");
    refused(role->prefetch(gmmu, now, 0, 4096, &e), &e,
            "not within one managed allocation");
}

/* Services by their tags: 0 allocates, 1 prefetches, a later one synchronises;
 * at the end of that the GMMU asks for one. */
static bool serve(struct bench *b, uint64_t now,
                  const struct service_request *request)
{
    struct error e;
    struct unit *gmmu = b->units[GMMU];
    const struct paging_role *role = gmmu->kind->paging;
    if (request->unit == gmmu) {
        assert_int_equal(bench_stat(gmmu, "syncs"), 1);
    } else if (request->tag == 0) {
        paging_serve(b, now, request);
        expect_refusals(gmmu, now);
    } else if (request->tag == 1) {
        assert_true(role->prefetch(gmmu, now, MB + 0x3123, 0x9000, &e));
    } else {
        assert_int_equal(bench_stat(gmmu, "syncs"), 0);
        assert_true(role->synchronise(gmmu, now));
    }
    return true;
}

/* 3000 to cfff, 40 KB, are fetched; after device synchronise they are gone. */
static void script(struct bench *b)
{
    struct driver *d = b->drivers[0];
    driver_service(d, BEGIN);
    load_at(d, 100, MB + 0x5000);              /* waits for all of the chunk */
    driver_store(d, BEGIN + 20000, 0x8000, 1); /* it is not managed */
    driver_service(d, BEGIN + 30000);
    load_at(d, 60000, MB + 0x5000);
}

static void check(struct bench *b)
{
    assert_stat(b->units[GMMU], "user_bytes", 40960);
    assert_stat(b->units[GMMU], "user_misses", 1);
    assert_stat(b->units[GMMU], "far_faults", 1); /* after synchronise */
    assert_stat(b->units[GMMU], "syncs", 1);
    assert_stat(b->units[GMMU], "sync_bytes", 0);
    assert_stat(b->units[TLB], "flushes", 1);
    assert_int_equal(driver_took(b->drivers[0], 5), FAULT_TIME);
}

static void prefetch_and_synchronise(void **state)
{
    static const struct setting on_demand[] = {{"hardware_prefetch", 0}, {0}};
    static const struct paging p = {.gmmu = on_demand,
                                    .tlbs = 1,
                                    .script = script,
                                    .check = check,
                                    .parts = PARTS};
    bench_play(&(const struct scenario){.build = paging_build,
                                        .check = paging_check,
                                        .serve = serve,
                                        .with = &p});
}

/* ---- times and transfers of what a program asks for ---- */

/* Two roots and a tree of 256 KB: three chunks, one after the other. Then 257
 * pages are written. */
static void ask_for_all(struct bench *b)
{
    struct driver *d = b->drivers[0];
    driver_service(d, BEGIN);
    for (unsigned i = 0; i < 256; i++)
        driver_store(d, BEGIN + 600000 + 10 * i, i * PAGE, 1);
    driver_store(d, BEGIN + 610000, MB, 1);
    driver_service(d, BEGIN + 620000);
}

static bool serve_all(struct bench *b, uint64_t now,
                      const struct service_request *request)
{
    struct unit *gmmu = b->units[GMMU];
    struct corbel_managed_stats stats = {.faults = 3, .transfers_in = 4};
    const struct paging_role *role = gmmu->kind->paging;
    struct error e;
    if (request->unit == gmmu) {
        role->sum(gmmu, &stats);
        assert_int_equal(stats.faults, 3);
        assert_int_equal(stats.transfers_in, 4 + 3);
        assert_int_equal(stats.bytes_in, 4 * MB + 0x40000);
        assert_int_equal(stats.transfers_out, 10 + 1);
        assert_int_equal(stats.bytes_out, MB + PAGE);
        assert_int_equal(stats.remote_reads, 0);
    } else if (request->tag == 0) {
        return paging_serve(b, now, request);
    } else if (request->tag == 1) {
        assert_true(role->prefetch(gmmu, now, 0, 4 * MB + 0x40000, &e));
    } else {
        assert_true(role->synchronise(gmmu, now));
    }
    return true;
}

/* Home goes 1 MB in ten transfers, then 4 KB. */
static void check_all(struct bench *b)
{
    const uint64_t home = 260453 - 121089;
    assert_stat(b->units[GMMU], "far_faults", 0);
    assert_stat(b->units[GMMU], "user_bytes", 4 * MB + 0x40000);
    assert_stat(b->units[GMMU], "user_prefetches", 1);
    assert_stat(b->units[GMMU], "user_cycles", 2 * 242080 + 31193);
    assert_in_range(bench_stat(b->units[GMMU], "user_wait"), 2 * 242080 + 31193,
                    2 * 242080 + 31193 + 30);
    assert_stat(b->units[GMMU], "sync_transfers", 11);
    assert_stat(b->units[PCIE], "reads", 3);
    assert_stat(b->units[PCIE], "read_cycles", 2 * 242080 + 31193);
    assert_stat(b->units[PCIE], "writes", 11);
    assert_stat(b->units[PCIE], "write_cycles", home);
    assert_stat(b->units[PCIE], "home_bytes", MB + PAGE);
    uint64_t cycles = bench_stat(b->units[GMMU], "sync_cycles");
    assert_in_range(cycles, home, home + 20);
    assert_int_equal(bench_stat(b->units[GMMU], "syncs"), 1);
}

static void prefetch_and_synchronise_take_their_times(void **state)
{
    static const struct paging p = {.tlbs = 1,
                                    .script = ask_for_all,
                                    .check = check_all,
                                    .parts = {0, 4 * MB + 0x40000, 0, 0}};
    bench_play(&(const struct scenario){.build = paging_build,
                                        .check = paging_check,
                                        .serve = serve_all,
                                        .limit = 1u << 21,
                                        .with = &p});
}

/* ---- memory by what is managed ---- */

static void scan(struct bench *b)
{
    for (unsigned i = 0; i < 1024; i++)
        load_at(b->drivers[0], 3000ull * i, i * PAGE);
}

/* A scan of 4 MB with room for three quarters of it. */
static void check_scan(struct bench *b)
{
    assert_stat(b->units[GMMU], "victims", 256);
    assert_stat(b->units[GMMU], "far_faults", 1024);
}

static void memory_may_be_a_share_of_what_is_managed(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .gmmu = SETTINGS({"hardware_prefetch", 0},
                                                  {"eviction_policy", 5},
                                                  {"gddr_percent", 75}),
                                 .script = scan,
                                 .check = check_scan,
                                 .parts = {0, 4 * MB, 0, 0}});
}

/* ---- refused ---- */

#define LINKS                                                                  \
    {                                                                          \
        {"walk", "tlb", "walk", false}, {"back", "tlb", "back", true},         \
            {"pcie", "pcie", "ask", true}, {"done", "pcie", "done", false},    \
    }

static void impossible_memories_are_refused(void **state)
{
    static const struct built cases[] = {
        {.links = {{"mem", "memory", "cpu", true},
                   {"data", "memory", "reply", false}},
         .param = "map_parts",
         .value = 2,
         .error = "1 mem and 1 data links, expected none or map_parts = 2"},
        {.param = "map_stride",
         .value = 96,
         .error = "map_stride: 96 is no power of two"},
        {.error = "0 walk, 0 back, 0 pcie and 0 done links; pairs are "
                  "expected, and one to PCIe"},
        {.param = "gddr_size",
         .value = MB,
         .links = LINKS,
         .error = "device memory of 1048576 bytes; whole pages of 2 MB (one "
                  "root) to 8 TB are expected"},
        {.param = "unmanaged",
         .value = 1 << 30,
         .links = LINKS,
         .error = "1073741824 bytes of device memory are wanted for good; 0 of "
                  "262144 pages are taken, and 512 have to be left"},
    };
    for (unsigned i = 0; i < TABLE_COUNT(cases); i++)
        expect_not_built("gmmu", &cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefetch_and_synchronise),
        cmocka_unit_test(prefetch_and_synchronise_take_their_times),
        cmocka_unit_test(memory_may_be_a_share_of_what_is_managed),
        cmocka_unit_test(impossible_memories_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
