/*
 * Paging to the cycle: walks, faults, landings, shootdowns, and the order of
 * work in one cycle. The service of the first driver has tag 0.
 */
#include "sim/units/paging/paging_bench.h"

/* ---- times ---- */

static void one_fault(struct bench *b)
{
    load_at(b->drivers[0], 0, 0x12340);
    load_at(b->drivers[0], 100000, 0x12348);
    load_at(b->drivers[0], 200000, 0x12ff8);
}

static void check_one_fault(struct bench *b)
{
    uint64_t more = (uint64_t)bench_param(b->units[GMMU], "fault_mode");
    uint64_t fault = more == 1   ? FAULT + LINK /* an entry, then told */
                     : more == 2 ? FAULT
                                 : 0;
    assert_int_equal(driver_took(b->drivers[0], 1), FAULT_TIME + fault);
    assert_int_equal(driver_took(b->drivers[0], 2), HIT_TIME);
    assert_int_equal(driver_took(b->drivers[0], 3), HIT_TIME);
    assert_stat(b->units[GMMU], "walks", 1);
    assert_stat(b->units[GMMU], "far_faults", 1);
    assert_stat(b->units[GMMU], "report_cycles", more ? 0 : FAULT);
    assert_stat(b->units[PCIE], "read_bytes", PAGE);
    assert_stat(b->units[PCIE], "read_cycles", PAGE_CYCLES);
    assert_stat(b->units[PCIE], "fault_cycles", more == 1 ? FAULT : 0);
    assert_stat(b->units[TLB], "accesses", 3);
    assert_stat(b->units[TLB], "hits", 2);
    assert_stat(b->units[TLB], "misses", 1);
    assert_stat(b->units[TLB], "line_accesses", 2);
    assert_stat(b->units[TLB], "line_hits", 1);
}

static void a_fault_takes_its_walk_and_its_transfer(void **state)
{
    for (unsigned mode = 0; mode < 3; mode++)
        paging_test(&(struct paging){
            .tlbs = 1,
            .gmmu = SETTINGS({"hardware_prefetch", 0}, {"fault_mode", mode}),
            .script = one_fault,
            .check = check_one_fault,
            .parts = ALL});
}

/* ---- the order of work in a cycle ---- */

/* The second TLB's walk ends one cycle before the page lands, or in it. */
static void landing(struct bench *b)
{
    uint64_t walk_ends_with_it = LANDED;
    load_at(b->drivers[0], 0, 0x12340);
    load_at(b->drivers[1], walk_ends_with_it - 1, 0x12348);
    load_at(b->drivers[2], walk_ends_with_it, 0x12350);
}

static void check_landing(struct bench *b)
{
    assert_stat(b->units[GMMU], "far_faults", 1);
    assert_stat(b->units[GMMU], "far_faults_pending", 1);
    assert_stat(b->units[GMMU], "page_hits", 1);
    assert_stat(b->units[GMMU], "replays", 2);
    assert_stat(b->units[GMMU], "fault_wait", LANDED + 1);
    assert_int_equal(driver_took(b->drivers[1], 0), JUDGED + 1 + RETURNED);
    assert_int_equal(driver_took(b->drivers[2], 0), JUDGED + RETURNED);
}

static void pages_land_before_walks_are_judged(void **state)
{
    paging_test(&(struct paging){.tlbs = 3,
                                 .gmmu = SETTINGS({"hardware_prefetch", 0}),
                                 .script = landing,
                                 .check = check_landing,
                                 .parts = ALL});
}

/* Faults of one cycle are a turn: in the order of pages, not of TLBs. */
static void same_cycle(struct bench *b)
{
    load_at(b->drivers[0], 0, 0x9000);
    load_at(b->drivers[1], 0, 0x3000);
    load_at(b->drivers[2], 0, 0x3800);
    load_at(b->drivers[3], 1, 0x0);
}

/* 16 KB to 0x3fff, 24 KB to 0x9fff, 24 KB. The page at 0 came with the first
 * one, though its fault is of the next turn. */
static void check_same_cycle(struct bench *b)
{
    const uint64_t first = JUDGED + 1 + LINK + 3430;
    assert_stat(b->units[GMMU], "turns", 1);
    assert_stat(b->units[GMMU], "far_faults", 2);
    assert_stat(b->units[GMMU], "far_faults_pending", 2);
    assert_stat(b->units[GMMU], "h2d_transfers", 3);
    assert_stat(b->units[GMMU], "h2d_bytes", 65536);
    assert_int_equal(driver_took(b->drivers[1], 0), first + RETURNED);
    assert_int_equal(driver_took(b->drivers[2], 0), first + RETURNED);
    assert_int_equal(driver_took(b->drivers[3], 0), first - 1 + RETURNED);
    /* The next transfer is told in the cycle in which this one has ended. */
    uint64_t cycles = bench_stat(b->units[PCIE], "read_cycles");
    assert_int_equal(driver_took(b->drivers[0], 1),
                     first + LINK + (cycles - 3430) / 2 + RETURNED);
}

static void faults_of_one_cycle_are_a_turn(void **state)
{
    paging_test(&(struct paging){.tlbs = 4,
                                 .gmmu = SETTINGS({"hardware_prefetch", 2}),
                                 .script = same_cycle,
                                 .check = check_same_cycle,
                                 .parts = ALL});
}

/* Memory of 512 pages that is full. */
static void full(struct bench *b)
{
    for (unsigned i = 0; i <= 512; i++)
        load_at(b->drivers[0], 3000ull * i, i * PAGE);
    load_at(b->drivers[0], 3000ull * 514, 0);
    load_at(b->drivers[0], 3000ull * 515, 3 * PAGE);
}

/* The victim, the write-back and the transfer are chosen in one cycle, so that
 * a fault takes as long as one without eviction. */
static void check_full(struct bench *b)
{
    for (unsigned i = 1; i <= 514; i++)
        assert_int_equal(driver_took(b->drivers[0], i), FAULT_TIME);
    assert_int_equal(driver_took(b->drivers[0], 515), HIT_TIME);
    assert_stat(b->units[GMMU], "victims", 2);
    assert_stat(b->units[GMMU], "page_thrash", 1);
    assert_stat(b->units[GMMU], "shootdowns", 2);
    assert_stat(b->units[TLB], "shot_down", 2);
    assert_stat(b->units[PCIE], "write_bytes", 2 * PAGE);
    assert_stat(b->units[PCIE], "write_cycles", 2 * PAGE_CYCLES);
    assert_stat(b->units[PCIE], "both", 2 * PAGE_CYCLES);
}

static void a_victim_leaves_in_the_cycle_of_its_choice(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .gmmu = SETTINGS({"hardware_prefetch", 0},
                                                  {"eviction_policy", 5},
                                                  {"gddr_size", 2 * MB}),
                                 .script = full,
                                 .check = check_full,
                                 .parts = ALL});
}

/* ---- micro-benchmarks, one fault after the other ---- */

static void p1(struct bench *b)
{
    static const unsigned blocks[] = {0, 1, 2, 4, 8, 16};
    for (unsigned i = 0; i < 6; i++)
        load_at(b->drivers[0], 150000ull * i, blocks[i] * 65536ull);
}

static void check_p1(struct bench *b)
{
    assert_stat(b->units[GMMU], "far_faults", 6);
    assert_stat(b->units[GMMU], "h2d_transfers", 12);
    assert_stat(b->units[GMMU], "h2d_bytes", 2 * MB);
    assert_stat(b->units[PCIE], "read_cycles", 260453);
    assert_stat(b->units[PCIE], "read_cycles_1", 6 * PAGE_CYCLES);
    for (unsigned i = 1; i <= 6; i++)
        assert_int_equal(driver_took(b->drivers[0], i), FAULT_TIME);
}

static void p1_has_its_transfers(void **state)
{
    paging_test(&(struct paging){
        .tlbs = 1, .script = p1, .check = check_p1, .parts = ALL});
}

/* ---- shootdown ---- */

static void two_pages(struct bench *b)
{
    load_at(b->drivers[0], 0, 0x1000);
    load_at(b->drivers[0], 5000, 0x2000);
    load_at(b->drivers[0], 10000, 0x1008);
}

static void check_two_pages(struct bench *b)
{
    bool full = bench_param(b->units[GMMU], "tlb_shootdown") == 1;
    bool map = bench_param(b->units[GMMU], "shootdown_on") != 0;
    bool lost = full && map;
    uint64_t late =
        map ? (uint64_t)bench_param(b->units[GMMU], "shootdown_latency") : 0;
    assert_int_equal(driver_took(b->drivers[0], 1), FAULT_TIME + late);
    assert_int_equal(driver_took(b->drivers[0], 3),
                     lost ? JUDGED + RETURNED : HIT_TIME);
    assert_stat(b->units[TLB], "flushes", lost ? 2 : 0);
    assert_stat(b->units[TLB], "shot_down", lost ? 1 : 0);
    assert_stat(b->units[GMMU], "page_hits", lost);
}

static void all_of_a_tlb_may_be_shot_down(void **state)
{
    for (unsigned full = 0; full < 2; full++)
        for (unsigned on = 0; on < 3; on++)
            paging_test(&(struct paging){
                .tlbs = 1,
                .gmmu =
                    SETTINGS({"hardware_prefetch", 0}, {"tlb_shootdown", full},
                             {"shootdown_on", on}, {"shootdown_latency", 77}),
                .script = two_pages,
                .check = check_two_pages,
                .parts = ALL});
}

/* ---- reads without migration ---- */

static void reads(struct bench *b)
{
    for (unsigned i = 0; i < 9; i++)
        load_at(b->drivers[0], 5000 * i, 0x1000 + 8 * i);
}

static void check_reads(struct bench *b)
{
    for (unsigned i = 1; i < 8; i++)
        assert_int_equal(driver_took(b->drivers[0], i),
                         JUDGED + 1 + LINK + 200 + RETURNED);
    assert_int_equal(driver_took(b->drivers[0], 8), FAULT_TIME);
    assert_int_equal(driver_took(b->drivers[0], 9), HIT_TIME);
    assert_stat(b->units[PCIE], "dma_reads", 7);
    assert_stat(b->units[TLB], "direct", 7);
    assert_stat(b->units[TLB], "inserted", 1);
}

static void reads_before_the_threshold_migrate_nothing(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .gmmu = SETTINGS({"hardware_prefetch", 0},
                                                  {"enable_dma", 2},
                                                  {"migrate_threshold", 8}),
                                 .script = reads,
                                 .check = check_reads,
                                 .parts = ALL});
}

/* ---- what comes first ---- */

/* A store brings 16 KB and 48 KB; a read without migration comes between. */
static void between(struct bench *b)
{
    driver_store(b->drivers[0], BEGIN, 0x3000, 1);
    load_at(b->drivers[1], 10, 0x20000);
}

static void check_between(struct bench *b)
{
    const uint64_t first = JUDGED + 1 + LINK + 3430;
    assert_int_equal(driver_took(b->drivers[0], 1), first + RETURNED);
    assert_int_equal(driver_took(b->drivers[1], 0),
                     first + LINK + 200 + RETURNED - 10);
    assert_stat(b->units[PCIE], "reads", 2);
    assert_stat(b->units[PCIE], "read_bytes", 65536);
    assert_stat(b->units[PCIE], "dma_reads", 1);
}

static void reads_without_migration_jump_the_queue(void **state)
{
    paging_test(&(struct paging){
        .tlbs = 2,
        .gmmu = SETTINGS({"hardware_prefetch", 2}, {"enable_dma", 2}),
        .script = between,
        .check = check_between,
        .parts = ALL});
}

static void two_faults(struct bench *b)
{
    load_at(b->drivers[0], 0, 0x3000);
    load_at(b->drivers[1], 0, 0x9000);
}

static void check_two_faults(struct bench *b)
{
    bool in_turn = bench_param(b->units[GMMU], "fault_batch") == 1 &&
                   bench_param(b->units[GMMU], "fault_contexts") == 1;
    const uint64_t first = FAULT_TIME + FAULT;
    assert_int_equal(driver_took(b->drivers[0], 1), first);
    assert_int_equal(driver_took(b->drivers[1], 0),
                     first + (in_turn ? FAULT : LINK + PAGE_CYCLES));
    assert_stat(b->units[GMMU], "turns",
                bench_param(b->units[GMMU], "fault_batch") == 1 ? 2 : 1);
}

static void handlers_take_faults_in_batches(void **state)
{
    for (unsigned contexts = 1; contexts <= 2; contexts++)
        for (unsigned batch = 1; batch <= 2; batch++)
            paging_test(&(struct paging){
                .tlbs = 2,
                .gmmu = SETTINGS({"hardware_prefetch", 0}, {"fault_mode", 2},
                                 {"fault_contexts", contexts},
                                 {"fault_batch", batch}),
                .script = two_faults,
                .check = check_two_faults,
                .parts = ALL});
}

/* ---- pages without contents ---- */

static void first_writes(struct bench *b)
{
    driver_store(b->drivers[0], BEGIN, 0x12340, 1);
    load_at(b->drivers[0], 100000, 0x13340);
    driver_store(b->drivers[0], BEGIN + 200000, 0x13348, 1);
}

/* A cycle in place of the transfer's. */
static void check_first_writes(struct bench *b)
{
    const uint64_t mode = (uint64_t)bench_param(b->units[GMMU], "fault_mode");
    const uint64_t fault = mode == 1 ? FAULT + LINK : mode == 2 ? FAULT : 0;
    const uint64_t late =
        (uint64_t)bench_param(b->units[GMMU], "shootdown_latency");
    assert_int_equal(driver_took(b->drivers[0], 1),
                     JUDGED + 1 + 1 + late + RETURNED + fault);
    assert_int_equal(driver_took(b->drivers[0], 2), FAULT_TIME + fault + late);
    assert_int_equal(driver_took(b->drivers[0], 3), HIT_TIME);
    assert_stat(b->units[GMMU], "far_faults", 2);
    assert_stat(b->units[GMMU], "mapped", 1);
    assert_stat(b->units[GMMU], "page_validates", 2);
    assert_stat(b->units[PCIE], "reads", 1);
    assert_stat(b->units[PCIE], "read_bytes", PAGE);
}

static void a_first_write_needs_no_copy(void **state)
{
    for (unsigned mode = 0; mode < 3; mode++)
        for (unsigned late = 0; late < 100; late += 77)
            paging_test(&(struct paging){
                .tlbs = 1,
                .gmmu =
                    SETTINGS({"hardware_prefetch", 0}, {"fault_mode", mode},
                             {"first_write_no_copy", 1}, {"shootdown_on", 1},
                             {"shootdown_latency", late}),
                .script = first_writes,
                .check = check_first_writes,
                .parts = {0, 4 * MB, .blank = true}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_takes_its_walk_and_its_transfer),
        cmocka_unit_test(pages_land_before_walks_are_judged),
        cmocka_unit_test(faults_of_one_cycle_are_a_turn),
        cmocka_unit_test(a_victim_leaves_in_the_cycle_of_its_choice),
        cmocka_unit_test(p1_has_its_transfers),
        cmocka_unit_test(all_of_a_tlb_may_be_shot_down),
        cmocka_unit_test(reads_before_the_threshold_migrate_nothing),
        cmocka_unit_test(reads_without_migration_jump_the_queue),
        cmocka_unit_test(handlers_take_faults_in_batches),
        cmocka_unit_test(a_first_write_needs_no_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
