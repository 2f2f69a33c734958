/* What the host asks a GMMU for, by services; what is refused. */
#include "sim/units/paging_bench.h"

#define PARTS                                                                  \
    {                                                                          \
        MB, MB, 3 * MB, 65536                                                  \
    }
#define SETTINGS(...)                                                          \
    (const struct setting[])                                                   \
    {                                                                          \
        __VA_ARGS__,                                                           \
        {                                                                      \
            0                                                                  \
        }                                                                      \
    }

static void refused(bool done, const struct error *e, const char *text)
{
    assert_false(done);
    if (!strstr(e->text, text))
        fail_msg("'%s' says nothing of '%s'", e->text, text);
}

static void expect_refusals(struct machine *m, uint64_t now)
{
    struct error e;
    refused(managed_allocate(m, MB + 65536, 4096, &e), &e, "meets that at");
    refused(managed_allocate(m, 5, 4096, &e), &e, "a multiple of 64 KB");
    refused(managed_allocate(m, 0, 1ull << 45, &e), &e, "2^44");
    refused(managed_prefetch(m, now, 0, 4096, &e), &e,
            "not within one managed allocation");
}

/* Services by their tags: 0 allocates, the others are the test's. */
static bool serve(struct bench *b, uint64_t now,
                  const struct service_request *request)
{
    struct error e;
    struct machine *m = &b->machine;
    if (request->tag == 0) {
        paging_serve(b, now, request);
        expect_refusals(m, now);
        return true;
    }
    if (request->tag == 1)
        assert_true(managed_prefetch(m, now, MB + 0x3123, 0x9000, &e));
    if (request->tag == 4) {
        assert_true(managed_synchronised(m));
        assert_true(managed_synchronise(m, now, &e));
        assert_false(managed_synchronised(m));
        refused(managed_synchronise(m, now, &e), &e, "has not ended yet");
    }
    if (request->tag == 6)
        assert_true(managed_synchronised(m));
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
    driver_service(d, BEGIN + 70000);
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

/* ---- memory by what is managed ---- */

static void scan(struct bench *b)
{
    for (unsigned i = 0; i < 1024; i++)
        load_at(b->drivers[0], 3000ull * i, i * PAGE);
}

/* Of 4 MB three quarters. */
static void check_scan(struct bench *b)
{
    assert_stat(b->units[GMMU], "evictions", 256);
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

static void a_chip_without_a_gmmu_manages_nothing(void **state)
{
    struct machine m = {0};
    struct error e;
    refused(managed_allocate(&m, 0, 4096, &e), &e, "has no GMMU");
    refused(managed_prefetch(&m, 1, 0, 4096, &e), &e, "has no GMMU");
    refused(managed_synchronise(&m, 1, &e), &e, "has no GMMU");
    assert_true(managed_synchronised(&m));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefetch_and_synchronise),
        cmocka_unit_test(memory_may_be_a_share_of_what_is_managed),
        cmocka_unit_test(impossible_memories_are_refused),
        cmocka_unit_test(a_chip_without_a_gmmu_manages_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
