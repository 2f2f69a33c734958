/* Zero-copy, smart runtime, what a program asks for, and what is refused. */
#include "sim/uvm/fixture.h"

static struct uvm_options with(enum uvm_dma dma)
{
    struct uvm_options o = uvm_options_default(2 * MB);
    o.prefetch = o.prefetch_oversub = UVM_PREFETCH_sl;
    o.evict = UVM_EVICT_sl;
    o.dma = dma;
    o.threshold = 8;
    return o;
}

/* Fills memory and evicts once. */
static void oversubscribe(struct fixture *f, uint64_t from)
{
    for (uint64_t leaf = 0; leaf <= 32; leaf++)
        for (unsigned i = 0; i < 10; i++)
            fixture_read(f, from + leaf * UVM_LEAF);
    assert_true(uvm_oversubscribed(f->u));
    f->text[0] = 0;
}

/* Reads of a page until one migrates. */
static unsigned reads_to_migrate(struct fixture *f, uint32_t page)
{
    for (unsigned i = 1; i < 1000; i++)
        if (uvm_request(f->u, page, false) != UVM_DMA)
            return i;
    return 0;
}

static void reads_migrate_from_the_threshold_on(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_ALWAYS), 6 * MB);
    for (uint32_t page = 0; page < 7; page++) /* of one leaf */
        assert_int_equal(uvm_request(f.u, page, false), UVM_DMA);
    assert_int_equal(uvm_request(f.u, 9, false), UVM_FAULT);
    assert_int_equal(uvm_request(f.u, 20, true), UVM_FAULT);
    assert_int_equal(f.stats.dma_reads, 7);
    assert_int_equal(f.stats.migrated_by_read, 1);
    assert_int_equal(f.stats.migrated_by_write, 1);
    fixture_close(&f);
}

static void zero_copy_may_begin_with_over_subscription(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_OVERSUB), 6 * MB);
    assert_int_equal(uvm_request(f.u, 0, false), UVM_FAULT);
    uvm_turn(f.u, uvm_take_faults(f.u, 1));
    oversubscribe(&f, 0);
    assert_int_equal(reads_to_migrate(&f, 1024), 8);
    fixture_close(&f);
}

static void adaptive_weighs_occupancy_and_round_trips(void **state)
{
    struct fixture f;
    struct uvm_options o = with(UVM_ADAPTIVE);
    o.penalty = 2;
    fixture_open(&f, o, 8 * MB);
    assert_int_equal(uvm_request(f.u, 0, false), UVM_FAULT); /* T = 1 */
    uvm_turn(f.u, uvm_take_faults(f.u, 1));
    fixture_land(&f);
    for (uint64_t leaf = 1; leaf < 16; leaf++)
        for (unsigned i = 0; i < 8; i++)
            fixture_read(&f, leaf * UVM_LEAF);
    assert_int_equal(reads_to_migrate(&f, 1024), 5); /* 1 + 8 / 2 */
    uvm_turn(f.u, uvm_take_faults(f.u, 1));
    fixture_land(&f);
    oversubscribe(&f, 4 * MB);
    /* Leaves of the first root have made one round trip a write-back. */
    struct uvm_transfer t;
    uint64_t trips = f.stats.d2h_transfers;
    assert_true(trips >= 1);
    assert_int_equal(reads_to_migrate(&f, 20 * 16), 8 * 2 * (trips + 1));
    assert_false(uvm_next_write(f.u, &t));
    fixture_close(&f);
}

/* ---- smart runtime ---- */

static struct uvm_options smart(void)
{
    struct uvm_options o = with(UVM_DMA_OFF);
    o.smart = true;
    return o;
}

static void patterns_are_seen(void **state)
{
    struct fixture f;
    struct error error;
    fixture_open(&f, smart(), 1 * MB);
    for (uint64_t i = 1; i < 4; i++)
        assert_true(uvm_allocate(f.u, i * 4 * MB, 1 * MB, &error));
    assert_int_equal(uvm_pattern(f.u, 0), UVM_PATTERN_NONE);
    for (uint64_t leaf = 0; leaf < 4; leaf++) {
        fixture_read(&f, leaf * UVM_LEAF);
        fixture_read(&f, 4 * MB + (4 - leaf) * UVM_LEAF);
        fixture_read(&f, 8 * MB + leaf * UVM_LEAF);
    }
    assert_int_equal(uvm_pattern(f.u, 0), UVM_PATTERN_LINEAR);
    assert_int_equal(uvm_pattern(f.u, 1), UVM_PATTERN_RANDOM);
    uvm_kernel(f.u);
    fixture_read(&f, 5 * UVM_LEAF);
    fixture_read(&f, 8 * MB + 8 * UVM_LEAF);
    fixture_read(&f, 8 * MB + 7 * UVM_LEAF);
    assert_int_equal(uvm_pattern(f.u, 0), UVM_PATTERN_LINEAR);
    assert_int_equal(uvm_pattern(f.u, 2), UVM_PATTERN_MIXED);
    /* A block that comes again is used again. */
    uvm_evict_tree(f.u, uvm_page(f.u, 0));
    fixture_write(&f);
    uvm_kernel(f.u);
    fixture_read(&f, 0);
    assert_int_equal(uvm_pattern(f.u, 0), UVM_PATTERN_LINEAR_REUSE);
    assert_int_equal(uvm_pattern(f.u, 3), UVM_PATTERN_NONE);
    fixture_close(&f);
}

/* Zero-copy only where something jumps about. */
static void patterns_choose_the_policy(void **state)
{
    for (unsigned jumps = 0; jumps < 2; jumps++) {
        struct fixture f;
        fixture_open(&f, smart(), 6 * MB);
        for (uint64_t leaf = 0; leaf < 33; leaf++)
            fixture_read(&f, (jumps ? leaf * 29 % 64 : leaf) * UVM_LEAF);
        f.text[0] = 0;
        unsigned reads = reads_to_migrate(&f, 1500);
        assert_int_equal(reads, jumps ? 8 : 1);
        fixture_close(&f);
    }
}

/* ---- the user ---- */

static void a_prefetch_comes_in_chunks(void **state)
{
    struct fixture f;
    struct error error;
    struct uvm_options o = with(UVM_DMA_OFF);
    o.device_bytes = 8 * MB;
    fixture_open(&f, o, 6 * MB);
    fixture_read(&f, 0x30000); /* resident: 30000 to 3ffff */
    f.text[0] = 0;
    assert_true(uvm_user_prefetch(f.u, 0x28123, 3 * MB, &error));
    assert_int_equal(uvm_request(f.u, 0x28, false), UVM_PENDING);
    assert_int_equal(uvm_request(f.u, 0x27, false), UVM_FAULT);
    assert_int_equal(f.stats.user_misses, 1);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(uvm_user_waits(f.u), i < 4);
        uvm_user_progress(f.u);
        fixture_check(&f);
        assert_false(uvm_user_waits(f.u));
        uvm_user_progress(f.u); /* one is under way */
        fixture_land(&f);
    }
    /* To the resident leaf, to the end of the root, to the end of the range. */
    fixture_said(&f, "28000:32 40000:1792 200000:1188");
    assert_int_equal(f.stats.user_bytes, (32 + 1792 + 1188) * KB);
    assert_int_equal(uvm_request(f.u, 0x41, false), UVM_HIT);
    assert_int_equal(uvm_request(f.u, 0x41, false), UVM_HIT);
    assert_int_equal(f.stats.user_hits, 1);
    fixture_close(&f);
}

/* All allocations; each transfer is noted. */
static void synchronise(struct fixture *f)
{
    struct uvm_curve curve = uvm_curve_default(CLOCK);
    uint64_t left;
    for (unsigned n = 0; uvm_synchronise(f->u, n, &left); n++)
        for (unsigned i = 0; left; i++) {
            uint64_t bytes = uvm_home_bytes(i, left);
            fixture_note(f, "%" PRIu64, bytes / KB);
            f->cycles += uvm_curve_cycles(&curve, bytes);
            left -= bytes;
        }
}

static void synchronise_sends_home_what_was_written(void **state)
{
    for (unsigned keep = 0; keep < 2; keep++) {
        struct fixture f;
        struct uvm_options o = with(UVM_DMA_OFF);
        o.device_bytes = 8 * MB;
        o.sync_keep = keep;
        fixture_open(&f, o, 4 * MB);
        for (uint64_t at = 0; at < 4 * MB; at += UVM_PAGE) {
            if (!uvm_resident(f.u, uvm_page(f.u, at)))
                fixture_read(&f, at);
            uvm_touch(f.u, uvm_page(f.u, at), at < 2 * MB + 16 * KB);
            f.text[0] = 0;
        }
        f.cycles = 0;
        synchronise(&f);
        fixture_said(&f, "4 60 4 60 4 124 4 252 4 508 4 1020 4 12");
        assert_int_equal(f.cycles, 260453 + 2605 + 3086);
        assert_int_equal(uvm_resident_pages(f.u), keep ? 1024 : 0);
        synchronise(&f);
        fixture_said(&f, "");
        fixture_check(&f);
        fixture_close(&f);
    }
}

static void after_synchronise_accesses_are_counted_anew(void **state)
{
    for (unsigned keep = 0; keep < 2; keep++) {
        struct fixture f;
        struct uvm_options o = with(UVM_ALWAYS);
        o.sync_keep = keep;
        fixture_open(&f, o, 2 * MB);
        assert_int_equal(reads_to_migrate(&f, 0), 8);
        synchronise(&f);
        assert_int_equal(reads_to_migrate(&f, 1), keep ? 1 : 8);
        fixture_close(&f);
    }
}

/* So zero-copy that begins with over-subscription, by option or because smart
 * runtime chose it, begins anew. */
static void after_synchronise_memory_has_not_been_too_small(void **state)
{
    for (unsigned keep = 0; keep < 2; keep++)
        for (unsigned chosen = 0; chosen < 2; chosen++) {
            struct fixture f;
            struct uvm_options o = with(chosen ? UVM_DMA_OFF : UVM_OVERSUB);
            o.smart = chosen;
            o.sync_keep = keep;
            fixture_open(&f, o, 6 * MB);
            for (uint64_t leaf = 0; leaf < 34; leaf++)
                for (unsigned i = 0; i < 10; i++)
                    fixture_read(&f, leaf * 29 % 64 * UVM_LEAF);
            assert_true(uvm_oversubscribed(f.u));
            assert_int_not_equal(uvm_pattern(f.u, 0), UVM_PATTERN_NONE);
            while (uvm_write_waits(f.u))
                fixture_write(&f);
            synchronise(&f);
            assert_int_equal(uvm_oversubscribed(f.u), keep);
            assert_int_equal(uvm_pattern(f.u, 0) == UVM_PATTERN_NONE, !keep);
            assert_int_equal(reads_to_migrate(&f, 1024), keep ? 8 : 1);
            uint64_t thrash = f.stats.page_thrash;
            uvm_turn(f.u, uvm_take_faults(f.u, 1));
            fixture_land(&f);
            for (uint64_t i = 0; i < 200; i++) /* the first ones have gone */
                fixture_read(&f, i / 10 * 29 % 64 * UVM_LEAF);
            assert_int_equal(f.stats.page_thrash > thrash, keep);
            fixture_close(&f);
        }
}

/* ---- refused ---- */

static void allocations_are_found_and_do_not_meet(void **state)
{
    struct fixture f;
    struct error error;
    fixture_open(&f, with(UVM_DMA_OFF), 0);
    assert_true(uvm_allocate(f.u, 16 * MB, 2 * MB + 1, &error));
    assert_true(uvm_allocate(f.u, 0, 1, &error));
    assert_true(uvm_allocate(f.u, 14 * MB, 2 * MB, &error));
    assert_false(uvm_allocate(f.u, 18 * MB, 1, &error));
    assert_non_null(strstr(error.text, "meets that at 0x1000000"));
    assert_false(uvm_allocate(f.u, 15 * MB, 4 * MB, &error));
    assert_false(uvm_allocate(f.u, 0x8000, 1, &error));
    assert_non_null(strstr(error.text, "a multiple of 64 KB"));
    assert_false(uvm_allocate(f.u, 1 * MB, 0, &error));
    assert_false(uvm_allocate(f.u, 1ull << 44, 1, &error));
    assert_non_null(strstr(error.text, "not within the 2^44 bytes"));
    assert_false(uvm_allocate(f.u, 0x10000, UINT64_MAX, &error));
    static const uint64_t at[] = {0,       0xffff,  14 * MB,
                                  16 * MB, 18 * MB, 18 * MB + 0xffff};
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(uvm_address(f.u, uvm_page(f.u, at[i])),
                         at[i] & ~0xfffull);
    static const uint64_t no[] = {0x10000, 14 * MB - 1, 18 * MB + 0x10000,
                                  UINT64_MAX};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(uvm_page(f.u, no[i]), UVM_NONE);
    fixture_close(&f);
}

static void options_and_ranges_are_checked(void **state)
{
    struct fixture f;
    struct error error;
    struct uvm_options o = with(UVM_DMA_OFF);
    o.device_bytes = 2 * MB - 4096;
    assert_false(uvm_options_check(&o, &error));
    assert_non_null(strstr(error.text, "2 MB (one root)"));
    o.device_bytes = 2 * MB + 1;
    assert_false(uvm_options_check(&o, &error));
    o = with(UVM_DMA_OFF);
    o.page_bytes = 65536;
    assert_false(uvm_options_check(&o, &error));
    assert_non_null(strstr(error.text, "4096 or 2097152"));
    o.page_bytes = UVM_ROOT;
    assert_false(uvm_options_check(&o, &error)); /* evicts leaves */
    fixture_open(&f, with(UVM_DMA_OFF), 1 * MB);
    assert_true(uvm_allocate(f.u, 2 * MB, 1 * MB, &error));
    assert_true(uvm_user_prefetch(f.u, 9 * MB, 0, &error));
    assert_false(uvm_user_prefetch(f.u, 9 * MB, 1, &error));
    assert_non_null(strstr(error.text, "not within one managed allocation"));
    assert_false(uvm_user_prefetch(f.u, 0, 1 * MB + 1, &error));
    assert_false(uvm_user_prefetch(f.u, 0, 3 * MB, &error));
    assert_false(uvm_user_prefetch(f.u, 0, UINT64_MAX, &error));
    unsigned taken = 0;
    while (taken < 1000 && uvm_user_prefetch(f.u, 0, 1, &error))
        taken++;
    assert_int_equal(taken, 64);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_migrate_from_the_threshold_on),
        cmocka_unit_test(zero_copy_may_begin_with_over_subscription),
        cmocka_unit_test(after_synchronise_accesses_are_counted_anew),
        cmocka_unit_test(after_synchronise_memory_has_not_been_too_small),
        cmocka_unit_test(adaptive_weighs_occupancy_and_round_trips),
        cmocka_unit_test(patterns_are_seen),
        cmocka_unit_test(patterns_choose_the_policy),
        cmocka_unit_test(a_prefetch_comes_in_chunks),
        cmocka_unit_test(synchronise_sends_home_what_was_written),
        cmocka_unit_test(allocations_are_found_and_do_not_meet),
        cmocka_unit_test(options_and_ranges_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
