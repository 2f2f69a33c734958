/* TLBs: what they hold, in which order accesses leave, two levels. */
#include "sim/units/paging/paging_bench.h"

#define ON_DEMAND SETTINGS({"hardware_prefetch", 0})

/* A walk that finds its page. */
#define WALK_TIME (JUDGED + RETURNED)

/* ---- what it holds ---- */

static void least_recent(struct bench *b)
{
    static const unsigned pages[] = {1, 2, 1, 3, 1, 2};
    for (unsigned i = 0; i < 6; i++)
        load_at(b->drivers[0], 5000ull * i, pages[i] * PAGE);
}

static void check_least_recent(struct bench *b)
{
    static const unsigned took[] = {FAULT_TIME, FAULT_TIME, HIT_TIME,
                                    FAULT_TIME, HIT_TIME,   WALK_TIME};
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(driver_took(b->drivers[0], i + 1), took[i]);
    assert_stat(b->units[TLB], "replaced", 2);
    assert_stat(b->units[TLB], "inserted", 4);
    assert_stat(b->units[TLB], "returned", 1); /* 2 */
    assert_stat(b->units[TLB], "touches", 2);  /* hits that change the order */
    assert_stat(b->units[GMMU], "touches", 2);
}

static void the_least_recently_used_page_goes(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .tlb = SETTINGS({"tlb_size", 2}),
                                 .gmmu = ON_DEMAND,
                                 .script = least_recent,
                                 .check = check_least_recent,
                                 .parts = ALL});
}

/* 40 pages by way of a hash of 64 slots, all of them held, some shot down. */
static void many(struct bench *b)
{
    for (unsigned i = 0; i < 80; i++)
        load_at(b->drivers[0], 3000ull * i,
                i % 40 * 64ull * PAGE % (4 * MB) + i % 40 / 16 * PAGE);
}

static void check_many(struct bench *b)
{
    for (unsigned i = 41; i <= 80; i++)
        assert_int_equal(driver_took(b->drivers[0], i), HIT_TIME);
    assert_stat(b->units[TLB], "inserted", 40);
}

static void it_holds_as_many_as_it_says(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .tlb = SETTINGS({"tlb_size", 40}),
                                 .gmmu = ON_DEMAND,
                                 .script = many,
                                 .check = check_many,
                                 .parts = ALL});
}

/* ---- what passes ---- */

static void outside(struct bench *b)
{
    struct driver *d = b->drivers[0];
    load_at(d, 0, 0x8000);
    driver_atomic(d, BEGIN + 1, 0x8010, ISA_AMOADD, 5);
    driver_invalidate(d, BEGIN + 2);
    load_at(d, 100, 2 * MB - 8);
    load_at(d, 5000, 2 * MB + 65536);
}

static void check_outside(struct bench *b)
{
    static const unsigned took[] = {HIT_TIME, HIT_TIME, HIT_TIME, FAULT_TIME,
                                    HIT_TIME};
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(driver_took(b->drivers[0], i + 1), took[i]);
    assert_stat(b->units[TLB], "bypassed", 4);
    assert_stat(b->units[TLB], "accesses", 1);
}

static void what_is_not_managed_passes(void **state)
{
    paging_test(
        &(struct paging){.tlbs = 1,
                         .gmmu = ON_DEMAND,
                         .script = outside,
                         .check = check_outside,
                         .parts = {2 * MB - 65536, 65536, 2 * MB, 65536}});
}

static void sectors(struct bench *b)
{
    struct payload p;
    memset(p.bytes, 0x5a, sizeof p.bytes);
    struct msg m = {.op = MEM_WRITE, .addr = 0x4020, .size = SECTOR};
    driver_ask(b->drivers[0], BEGIN, m, &p);
    m.op = MEM_READ;
    driver_ask(b->drivers[0], BEGIN + 1, m, NULL);
}

static void check_sectors(struct bench *b)
{
    const struct answer *a = driver_answer(b->drivers[0], 2);
    for (unsigned i = 0; i < SECTOR; i++)
        assert_int_equal(a->payload.bytes[i], 0x5a);
    below_expect(b->belows[0], "w4020 r4020");
}

static void payloads_wait_with_their_accesses(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .gmmu = ON_DEMAND,
                                 .script = sectors,
                                 .check = check_sectors,
                                 .parts = ALL});
}

/* ---- order ---- */

/* Driver 1 stores and loads the word. The store walks while the page that
 * driver 0 waits for lands; the load comes when the TLB holds the page, but
 * not before the store has been answered. */
static void overtaking(struct bench *b)
{
    bench_driver(b, b->units[TLB], "cpu", "reply");
    bench_below(b, b->units[TLB], "mem", "fill", BELOW);
    load_at(b->drivers[0], 0, 0x7000);
    driver_store(b->drivers[1], BEGIN + LANDED + 5, 0x7008, 77);
    load_at(b->drivers[1], JUDGED + LANDED, 0x7008);
    load_at(b->drivers[1], JUDGED + LANDED, 0x7100);
    load_at(b->drivers[1], JUDGED + LANDED, 0x70f0);
}

static void check_overtaking(struct bench *b)
{
    assert_int_equal(driver_value(b->drivers[1], 1), 77);
    below_expect(b->belows[1], "r7100 w7008 r7008 r70f0");
    assert_stat(b->units[GMMU], "page_hits", 1);
    assert_stat(b->units[TLB], "misses", 2);
    assert_stat(b->units[TLB], "hits", 3);
    /* What is not of that block does pass it. */
    assert_int_equal(driver_took(b->drivers[1], 2), HIT_TIME);
}

static void no_access_passes_one_that_waits_for_the_page(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .gmmu = ON_DEMAND,
                                 .script = overtaking,
                                 .check = check_overtaking,
                                 .parts = ALL});
}

static void others(struct bench *b)
{
    load_at(b->drivers[0], 0, 0x7000);
    load_at(b->drivers[0], 5000, 0x8000);
    load_at(b->drivers[0], 5001, 0x7008); /* it need not wait */
}

static void check_others(struct bench *b)
{
    assert_int_equal(driver_took(b->drivers[0], 3), HIT_TIME);
    assert_int_equal(driver_took(b->drivers[0], 2), FAULT_TIME);
    assert_stat(b->units[TLB], "hits", 1);
}

static void others_go_on(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .gmmu = ON_DEMAND,
                                 .script = others,
                                 .check = check_others,
                                 .parts = ALL});
}

static void crowd(struct bench *b)
{
    for (unsigned i = 0; i < 3; i++)
        load_at(b->drivers[0], 0, i * PAGE);
}

/* Each is taken when the one before has left: the cycle after its answer, one
 * LINK from the GMMU. */
static void check_crowd(struct bench *b)
{
    const uint64_t turn = JUDGED + LANDED + 1;
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(driver_answer(b->drivers[0], i + 1)->at,
                         BEGIN + i * turn + FAULT_TIME);
}

static void no_more_wait_than_there_is_room_for(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .tlb = SETTINGS({"misses", 1}),
                                 .gmmu = ON_DEMAND,
                                 .script = crowd,
                                 .check = check_crowd,
                                 .parts = ALL});
}

/* ---- accesses of one instruction ---- */

static void load_grouped(struct driver *d, uint64_t at, uint64_t address,
                         uint8_t flags)
{
    struct msg m = {.op = MEM_READ,
                    .addr = address,
                    .size = 4,
                    .flags = flags | MEM_GROUPED};
    driver_ask(d, BEGIN + at, m, NULL);
}

/* Two of page 7 by two links, and one of page 8; when they are there, page 7
 * once more. Last a store that waits, and loads that may not pass it by going
 * with the instruction's first one. */
static void together(struct bench *b)
{
    struct driver **d = b->drivers;
    bench_driver(b, b->units[TLB], "cpu", "reply");
    bench_below(b, b->units[TLB], "mem", "fill", BELOW);
    load_grouped(d[0], 0, 0x7000, 0);
    load_grouped(d[1], 0, 0x7400, MEM_FOLLOWS);
    load_grouped(d[0], 1, 0x8000, 0);
    load_grouped(d[0], 20000, 0x7000, 0);
    load_grouped(d[1], 20001, 0x7400, MEM_FOLLOWS);
    load_grouped(d[0], 30000, 0x9000, 0);
    driver_store(d[1], BEGIN + 30010, 0x9408, 77);
    load_grouped(d[1], 30011, 0x9408, MEM_FOLLOWS);
    load_grouped(d[1], 30012, 0x9800, MEM_FOLLOWS);
}

static void check_together(struct bench *b)
{
    struct driver **d = b->drivers;
    assert_int_equal(driver_took(d[0], 1), FAULT_TIME);
    assert_int_equal(driver_took(d[1], 0), FAULT_TIME);
    assert_int_equal(driver_took(d[1], 1), HIT_TIME);
    assert_int_equal(driver_value(d[1], 3), 77);
    /* Pages 7, 8 and 9, the store's and that of the load behind it. */
    assert_stat(b->units[GMMU], "walks", 5);
    assert_stat(b->units[TLB], "accesses", 5);
    assert_stat(b->units[TLB], "misses", 4);
    assert_stat(b->units[TLB], "followed", 4);
    below_expect(b->belows[1], "r7400 r7400 w9408 r9408 r9800");
}

static void accesses_of_an_instruction_share_look_ups(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .gmmu = ON_DEMAND,
                                 .script = together,
                                 .check = check_together,
                                 .parts = ALL});
}

/* ---- what the GMMU hears ---- */

static void writes(struct bench *b)
{
    struct driver *d = b->drivers[0];
    for (unsigned i = 0; i < 512; i++)
        load_at(d, 3000ull * i, i * PAGE);
    driver_store(d, BEGIN + 3000ull * 512, 0x0, 1); /* a hit; page 1 is older */
    driver_store(d, BEGIN + 3000ull * 513, 0x8, 1);
    load_at(d, 3000ull * 514, 3 * MB);
    driver_store(d, BEGIN + 3000ull * 515, 0x2000, 1);
    for (unsigned i = 3; i < 512; i++)
        load_at(d, 3000ull * (513 + i), i * PAGE);
    load_at(d, 3000ull * 1026, 3 * MB + PAGE); /* 0 leaves */
}

static void check_writes(struct bench *b)
{
    assert_stat(b->units[GMMU], "evicted_clean", 1);
    assert_stat(b->units[GMMU], "evicted_dirty", 1);
    assert_stat(b->units[GMMU], "dropped", 1);
    assert_stat(b->units[PCIE], "writes", 1);
}

static void writes_that_hit_make_pages_dirty(void **state)
{
    paging_test(&(struct paging){
        .tlbs = 1,
        .gmmu = SETTINGS({"hardware_prefetch", 0}, {"eviction_policy", 5},
                         {"invalidate_clean", 1}, {"gddr_size", 2 * MB}),
        .script = writes,
        .check = check_writes,
        .parts = ALL});
}

/* Each page is told of once, also where it takes the place of one that was. */
static void two_written(struct bench *b)
{
    struct driver *d = b->drivers[0];
    for (unsigned i = 0; i < 2; i++) {
        load_at(d, 15000ull * i, PAGE * (1 + i));
        driver_store(d, BEGIN + 15000ull * i + 5000, PAGE * (1 + i), 1);
        driver_store(d, BEGIN + 15000ull * i + 10000, PAGE * (1 + i) + 8, 1);
    }
}

static void check_two_written(struct bench *b)
{
    assert_stat(b->units[TLB], "hits", 4);
    assert_stat(b->units[GMMU], "touches", 2);
}

static void a_page_is_told_to_be_dirty_once(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .tlb = SETTINGS({"tlb_size", 1}),
                                 .gmmu = ON_DEMAND,
                                 .script = two_written,
                                 .check = check_two_written,
                                 .parts = ALL});
}

/* ---- two levels ---- */

static void make_levels(struct bench *b, bool map)
{
    struct unit *gmmu = bench_unit(b, "gmmu", "gmmu");
    struct unit *pcie = bench_unit(b, "pcie", "pcie");
    struct unit *big = bench_unit(b, "tlb", "big");
    bench_set(b, gmmu, "hardware_prefetch", 0);
    bench_set(b, gmmu, "tlb_shootdown", 1);
    bench_set(b, gmmu, "shootdown_on", map);
    bench_link(b, gmmu, "pcie", pcie, "ask", 4);
    bench_link(b, pcie, "done", gmmu, "done", 0);
    bench_link(b, big, "walk", gmmu, "walk", DEPTH);
    bench_link(b, gmmu, "back", big, "back", 0);
    for (unsigned i = 0; i < 2; i++) {
        struct unit *tlb = bench_unit(b, "tlb", i ? "one" : "zero");
        bench_set(b, tlb, "tlb_size", 1);
        bench_driver(b, tlb, "cpu", "reply");
        bench_below(b, tlb, "mem", "fill", BELOW);
        bench_link(b, tlb, "walk", big, "lookup", DEPTH);
        bench_link(b, big, "found", tlb, "back", 0);
    }
    driver_service(b->drivers[0], 0);
}

static void build_levels(struct bench *b)
{
    make_levels(b, false);
    load_at(b->drivers[0], 0, 0x1000);
    load_at(b->drivers[0], 5000, 0x2000);
    load_at(b->drivers[0], 10000, 0x1000);
    load_at(b->drivers[1], 15000, 0x2008);
    driver_store(b->drivers[1], BEGIN + 20000, 0x2008, 3);
    load_at(b->drivers[1], 25000, 0x2010);
}

static void check_levels(struct bench *b)
{
    const uint64_t more = 2 * LINK; /* by way of the second level */
    assert_int_equal(driver_took(b->drivers[0], 1), FAULT_TIME + more);
    assert_int_equal(driver_took(b->drivers[0], 2), FAULT_TIME + more);
    assert_int_equal(driver_took(b->drivers[0], 3), HIT_TIME + more);
    assert_int_equal(driver_took(b->drivers[1], 0), HIT_TIME + more);
    assert_int_equal(driver_took(b->drivers[1], 1), HIT_TIME);
    assert_int_equal(driver_took(b->drivers[1], 2), HIT_TIME);
    assert_stat(b->units[2], "accesses", 4);
    assert_stat(b->units[2], "hits", 2);
    assert_stat(b->units[GMMU], "walks", 2);
    assert_stat(b->units[GMMU], "touches", 2 + 1); /* moved; written */
}

static void a_second_level_answers_what_it_holds(void **state)
{
    static const struct paging p = {.parts = ALL};
    bench_play(&(const struct scenario){.build = build_levels,
                                        .check = check_levels,
                                        .serve = paging_serve,
                                        .with = &p});
}

/* The page of driver 1 has all TLBs forget, the first level by way of the
 * second. */
static void build_flushed(struct bench *b)
{
    make_levels(b, true);
    load_at(b->drivers[0], 0, 0x1000);
    load_at(b->drivers[0], 5000, 0x1008);
    load_at(b->drivers[1], 10000, 0x2000);
    load_at(b->drivers[0], 15000, 0x1010);
}

static void check_flushed(struct bench *b)
{
    assert_int_equal(driver_took(b->drivers[0], 2), HIT_TIME);
    assert_int_equal(driver_took(b->drivers[0], 3), WALK_TIME + 2 * LINK);
    for (unsigned i = 2; i < 5; i++)
        assert_stat(b->units[i], "flushes", 2);
}

static void shootdowns_reach_all_levels(void **state)
{
    static const struct paging p = {.parts = ALL};
    bench_play(&(const struct scenario){.build = build_flushed,
                                        .check = check_flushed,
                                        .serve = paging_serve,
                                        .with = &p});
}

/* ---- refused ---- */

static void links_come_in_pairs(void **state)
{
    static const struct built cases[] = {
        {.links = {{"cpu", "tp", "mem", false},
                   {"walk", "gmmu", "walk", true},
                   {"back", "gmmu", "back", false}},
         .error = "1 cpu, 0 mem, 0 fill, 0 reply, 0 lookup, 0 found, 1 walk, 1 "
                  "back links; pairs are expected, one of walk and back"},
        {.links = {{"walk", "gmmu", "walk", true},
                   {"back", "gmmu", "back", false}},
         .error = "0 cpu, 0 mem, 0 fill, 0 reply, 0 lookup, 0 found, 1 walk, 1 "
                  "back links; pairs are expected, one of walk and back"},
        {.param = "map_line",
         .value = 96,
         .links = {{"cpu", "tp", "mem", false},
                   {"mem", "cache", "cpu", true},
                   {"walk", "gmmu", "walk", true},
                   {"back", "gmmu", "back", false}},
         .error = "map_stride and map_line are powers of two"},
    };
    for (unsigned i = 0; i < TABLE_COUNT(cases); i++)
        expect_not_built("tlb", &cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_recently_used_page_goes),
        cmocka_unit_test(it_holds_as_many_as_it_says),
        cmocka_unit_test(what_is_not_managed_passes),
        cmocka_unit_test(payloads_wait_with_their_accesses),
        cmocka_unit_test(no_access_passes_one_that_waits_for_the_page),
        cmocka_unit_test(others_go_on),
        cmocka_unit_test(accesses_of_an_instruction_share_look_ups),
        cmocka_unit_test(no_more_wait_than_there_is_room_for),
        cmocka_unit_test(writes_that_hit_make_pages_dirty),
        cmocka_unit_test(a_second_level_answers_what_it_holds),
        cmocka_unit_test(a_page_is_told_to_be_dirty_once),
        cmocka_unit_test(shootdowns_reach_all_levels),
        cmocka_unit_test(links_come_in_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
