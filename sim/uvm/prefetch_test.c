/*
 * What comes with a fault: the examples of the specification, turn by turn, and
 * a trace of real faults. Block: 64 KB.
 */
#include "sim/uvm/fixture.h"

#define BLOCK (64 * KB)

static struct uvm_options with(enum uvm_prefetch how)
{
    struct uvm_options o = uvm_options_default(64 * MB);
    o.prefetch = how;
    return o;
}

/* One turn for the first byte of each block (-1 ends them). */
static void touch(struct fixture *f, const int *blocks)
{
    for (; *blocks >= 0; blocks++)
        fixture_read(f, (uint64_t)*blocks * BLOCK);
}
#define TOUCH(f, ...) touch(f, (const int[]){__VA_ARGS__, -1})

static void same_turn(struct fixture *f, uint64_t a, uint64_t b)
{
    fixture_turn(f, 2, (const uint64_t[]){a, b});
    fixture_land(f);
}

static void report_figure_2(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_PREFETCH_tbn), 512 * KB);
    TOUCH(&f, 1, 3, 5, 7);
    fixture_said(&f, "10000:4* 11000:60 30000:4* 31000:60 "
                     "50000:4* 51000:60 70000:4* 71000:60");
    TOUCH(&f, 0);
    fixture_said(&f, "0:4* 1000:60 20000:64 40000:64 60000:64");
    assert_int_equal(f.cycles, 80331);
    assert_int_equal(f.stats.far_faults, 5);
    assert_int_equal(f.stats.h2d_transfers, 13);
    assert_int_equal(f.stats.h2d_bytes, 512 * KB);
    fixture_close(&f);

    fixture_open(&f, with(UVM_PREFETCH_tbn), 512 * KB);
    TOUCH(&f, 1, 3);
    f.text[0] = 0;
    TOUCH(&f, 0);
    fixture_said(&f, "0:4* 1000:60 20000:64");
    TOUCH(&f, 4);
    fixture_said(&f, "40000:4* 41000:252");
    assert_int_equal(f.cycles, 74565);
    assert_int_equal(f.stats.far_faults, 4);
    fixture_close(&f);
}

static void micro_benchmarks(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_PREFETCH_tbn), 2 * MB);
    TOUCH(&f, 0, 1, 2, 4, 8, 16);
    fixture_said(&f, "0:4* 1000:60 10000:4* 11000:60 20000:4* 21000:124 "
                     "40000:4* 41000:252 80000:4* 81000:508 100000:4* "
                     "101000:1020");
    assert_int_equal(f.cycles, 260453);
    fixture_close(&f);

    fixture_open(&f, with(UVM_PREFETCH_tbn), 2 * MB);
    TOUCH(&f, 1, 3, 0, 4, 8, 16);
    fixture_said(&f, "10000:4* 11000:60 30000:4* 31000:60 0:4* 1000:60 "
                     "20000:64 40000:4* 41000:252 80000:4* 81000:508 "
                     "100000:4* 101000:1020");
    assert_int_equal(f.cycles, 261700);
    fixture_close(&f);

    fixture_open(&f, with(UVM_PREFETCH_tbn), 2 * MB);
    TOUCH(&f, 1, 3, 5, 7, 0, 8, 16);
    assert_int_equal(f.cycles, 267466);
    assert_int_equal(f.stats.far_faults, 7);
    fixture_close(&f);
}

static void no_transfer_crosses_a_root(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_PREFETCH_tbn), 2 * MB + 192 * KB);
    TOUCH(&f, 0, 1, 2, 4, 8, 16);
    f.text[0] = 0;
    TOUCH(&f, 32, 33, 34);
    fixture_said(&f, "200000:4* 201000:60 210000:4* 211000:60 220000:4* "
                     "221000:124");
    assert_int_equal(f.cycles, 300443);
    assert_int_equal(f.stats.h2d_bytes, 2304 * KB);
    fixture_close(&f);

    fixture_open(&f, with(UVM_PREFETCH_tbn), 6 * MB);
    for (int root = 0; root < 96; root += 32)
        TOUCH(&f, root, root + 1, root + 2, root + 4, root + 8, root + 16);
    assert_int_equal(f.stats.far_faults, 18);
    assert_int_equal(f.stats.h2d_bytes, 6 * MB);
    assert_int_equal(f.cycles, 3 * 260453);
    fixture_close(&f);
}

static void a_transfer_ends_after_a_faulty_page(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_PREFETCH_sl), 512 * KB);
    fixture_read(&f, 0x5000);
    fixture_read(&f, 0x1f000);
    fixture_said(&f, "0:24* 6000:40 10000:64*");
    fixture_close(&f);

    fixture_open(&f, with(UVM_PREFETCH_sl), 512 * KB);
    same_turn(&f, 0x9000, 0x3000);
    fixture_said(&f, "0:16* 4000:24* a000:24");
    fixture_close(&f);
}

static void half_a_node_is_not_enough(void **state)
{
    struct fixture f;
    for (int how = 0; how < 2; how++) {
        fixture_open(&f, with(how ? UVM_PREFETCH_sl : UVM_PREFETCH_tbn),
                     512 * KB);
        same_turn(&f, 0x0, 0x20000);
        fixture_said(&f, "0:4* 1000:60 20000:4* 21000:60");
        fixture_close(&f);
    }
    fixture_open(&f, with(UVM_PREFETCH_tbn), 512 * KB);
    fixture_turn(&f, 3, (const uint64_t[]){0x20000, 0x0, 0x10000});
    fixture_land(&f);
    fixture_said(&f, "0:4* 1000:64* 11000:64* 21000:124");
    fixture_close(&f);
}

/* 12 MB, page by page. */
static void scan(enum uvm_prefetch how, uint64_t faults, uint64_t cycles)
{
    struct fixture f;
    fixture_open(&f, with(how), 12 * MB);
    for (uint64_t at = 0; at < 12 * MB; at += UVM_PAGE) {
        uint64_t before = f.stats.far_faults;
        if (!uvm_resident(f.u, uvm_page(f.u, at)))
            fixture_read(&f, at);
        f.text[0] = 0;
        assert_in_range(f.stats.far_faults, before, before + 1);
    }
    if (how == UVM_PREFETCH_random)
        assert_in_range(f.stats.far_faults, 3072 * 60 / 100, 3072 * 75 / 100);
    else
        assert_int_equal(f.stats.far_faults, faults);
    assert_int_equal(f.cycles, cycles);
    assert_int_equal(f.stats.h2d_bytes, 12 * MB);
    assert_int_equal(f.stats.page_validates, 3072);
    fixture_close(&f);
}

static void a_scan_has_the_faults_and_cycles_derived(void **state)
{
    scan(UVM_PREFETCH_none, 3072, 8002560);
    scan(UVM_PREFETCH_sl, 192, 2082240);
    scan(UVM_PREFETCH_tbn, 36, 1562718);
    scan(UVM_PREFETCH_random, 0, 8002560);
}

/* Faults of a program that UVMSmart published, and its first transfers. */
static void the_published_trace_has_its_transfers(void **state)
{
    static const uint64_t trace[] = {
        0xa000,   0x16000,  0x22000,  0x800000, 0x810000, 0x820000,
        0x400000, 0x410000, 0x420000, 0x42000,  0x840000, 0x440000,
        0x82000,  0x880000, 0x480000, 0x102000, 0x900000, 0x500000,
        0x202000, 0xa00000, 0x210000, 0x600000, 0xa10000, 0x222000,
        0x612000, 0xa20000, 0x240000, 0x620000, 0xa40000, 0x640000,
        0x282000, 0xa80000, 0x680000, 0x300000, 0xb00000, 0x700000};
    static const unsigned pairs[] = {
        44, 20,  28, 36,  12,  116,  4,   60,   4,   60,   4,   124, 4,
        60, 4,   60, 4,   124, 12,   244, 4,    252, 4,    252, 12,  500,
        4,  508, 4,  508, 12,  1012, 4,   1020, 4,   1020, 12,  52};
    struct fixture f;
    char expected[4096] = "";
    fixture_open(&f, with(UVM_PREFETCH_tbn), 12 * MB);
    for (unsigned i = 0; i < 36; i++) {
        fixture_read(&f, trace[i]);
        if (i >= sizeof pairs / sizeof *pairs / 2)
            continue;
        unsigned a = pairs[2 * i], b = pairs[2 * i + 1];
        unsigned first = (unsigned)trace[i] + 4096 - a * KB;
        snprintf(expected, sizeof expected, "%x:%u* %x:%u", first, a,
                 first + a * KB, b);
        fixture_said(&f, expected);
    }
    assert_int_equal(f.stats.far_faults, 36);
    assert_int_equal(f.stats.turns, 36);
    assert_int_equal(f.stats.h2d_bytes, 12 * MB);
    assert_int_equal(f.cycles, 1557783);
    fixture_close(&f);
}

/* ---- the far-fault MSHR ---- */

static void a_page_under_way_is_waited_for(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_PREFETCH_sl), 512 * KB);
    assert_int_equal(uvm_request(f.u, 1, false), UVM_FAULT);
    assert_int_equal(uvm_request(f.u, 1, true), UVM_PENDING);
    uvm_turn(f.u, uvm_take_faults(f.u, 256));
    assert_int_equal(uvm_request(f.u, 15, false), UVM_PENDING);
    assert_int_equal(uvm_request(f.u, 16, false), UVM_FAULT);
    assert_int_equal(f.stats.far_faults, 2);
    assert_int_equal(f.stats.far_faults_pending, 2);
    uvm_waiters(f.u, 15)->first = 7;
    fixture_land(&f);
    assert_int_equal(uvm_request(f.u, 15, false), UVM_HIT);
    assert_int_equal(uvm_waiters(f.u, 15)->first, 7);
    assert_int_equal(f.stats.prefetched, 14);
    uvm_touch(f.u, 3, false);
    uvm_touch(f.u, 3, false);
    assert_int_equal(f.stats.prefetch_used, 1);
    fixture_close(&f);
}

static void faults_are_taken_in_order(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_PREFETCH_none), 512 * KB);
    for (uint32_t page = 6; page < 100; page += 16)
        uvm_request(f.u, page, false);
    struct uvm_batch a = uvm_take_faults(f.u, 2), b = uvm_take_faults(f.u, 1);
    assert_int_equal(a.count, 2);
    assert_int_equal(a.first, 6);
    assert_int_equal(b.first, 38);
    uvm_turn(f.u, a);
    uvm_turn(f.u, b);
    fixture_land(&f);
    fixture_said(&f, "6000:4* 16000:4* 26000:4*");
    uvm_turn(f.u, uvm_take_faults(f.u, UINT32_MAX));
    fixture_land(&f);
    fixture_said(&f, "36000:4* 46000:4* 56000:4*");
    assert_int_equal(uvm_take_faults(f.u, 9).count, 0);
    fixture_close(&f);
}

/* A channel that faults occupy has an entry before each transfer with one. */
static void a_fault_has_an_entry_before_its_transfer(void **state)
{
    struct fixture f;
    struct uvm_options o = with(UVM_PREFETCH_sl);
    struct uvm_transfer t;
    o.fault_entries = true;
    fixture_open(&f, o, 512 * KB);
    fixture_turn(&f, 2, (const uint64_t[]){0x3000, 0x20000});
    static const enum uvm_kind kinds[] = {UVM_FAULT_ENTRY, UVM_MIGRATION,
                                          UVM_MIGRATION,   UVM_FAULT_ENTRY,
                                          UVM_MIGRATION,   UVM_MIGRATION};
    for (unsigned i = 0; i < 6; i++) {
        assert_true(uvm_next_read(f.u, &t));
        assert_int_equal(t.kind, kinds[i]);
        uvm_landed(f.u, &t);
    }
    assert_false(uvm_next_read(f.u, &t));
    assert_int_equal(f.stats.h2d_transfers, 4);
    fixture_close(&f);
}

static void pages_of_2_mb_come_whole(void **state)
{
    struct fixture f;
    struct uvm_options o = with(UVM_PREFETCH_tbn);
    o.page_bytes = UVM_ROOT;
    fixture_open(&f, o, 2 * MB + 192 * KB);
    fixture_read(&f, 0x123456);
    fixture_read(&f, 0x200001);
    fixture_read(&f, 0x1);
    fixture_said(&f, "0:2048* 200000:256*");
    fixture_close(&f);
}

/* ---- pages without contents ---- */

static void open_blank(struct fixture *f, enum uvm_prefetch how, bool maps)
{
    struct uvm_options o = with(how);
    o.first_write_no_copy = maps;
    fixture_open(f, o, 512 * KB);
    uvm_blank(f->u);
}

static void write(struct fixture *f, uint64_t address)
{
    uvm_request(f->u, uvm_page(f->u, address), true);
}

static void blank_pages_are_mapped_when_first_written(void **state)
{
    struct fixture f;
    for (unsigned maps = 0; maps < 2; maps++) {
        open_blank(&f, UVM_PREFETCH_sl, maps);
        write(&f, 0x3000);
        fixture_turn(&f, 0, NULL);
        fixture_land(&f);
        fixture_said(&f, maps ? "0:16*- 4000:48-" : "0:16* 4000:48");
        assert_int_equal(f.stats.mapped, maps ? 16 : 0);
        assert_int_equal(f.stats.page_validates, 16);
        assert_int_equal(f.stats.h2d_transfers, maps ? 0 : 2);
        assert_int_equal(f.stats.h2d_bytes, maps ? 0 : 64 * KB);
        assert_int_equal(uvm_resident_pages(f.u), 16);
        fixture_read(&f, 0x13000); /* what is read is copied */
        fixture_said(&f, "10000:16* 14000:48");
        fixture_close(&f);
    }
    open_blank(&f, UVM_PREFETCH_random, true);
    for (unsigned i = 0; i < 8; i++)
        write(&f, i * 0x1000);
    fixture_turn(&f, 0, NULL);
    fixture_land(&f);
    assert_true(f.stats.mapped > 8);
    assert_int_equal(f.stats.mapped, f.stats.page_validates);
    fixture_close(&f);
}

/* Block 1 has been on the device, and is with the host again. */
static void what_has_contents_is_copied_beside_them(void **state)
{
    struct fixture f;
    uint64_t bytes;
    open_blank(&f, UVM_PREFETCH_tbn, true);
    fixture_read(&f, BLOCK);
    assert_true(uvm_synchronise(f.u, 0, &bytes));
    f.text[0] = 0;
    write(&f, 0);
    write(&f, 2 * BLOCK);
    fixture_turn(&f, 1, (const uint64_t[]){BLOCK});
    fixture_land(&f);
    fixture_said(&f, "0:4*- 1000:60- 10000:4* 11000:60 20000:4*- 21000:124-");
    assert_int_equal(f.stats.mapped, 48);
    fixture_read(&f, 4 * BLOCK + 0x1000); /* no first write is in this turn */
    fixture_said(&f, "40000:8* 42000:248");
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(report_figure_2),
        cmocka_unit_test(micro_benchmarks),
        cmocka_unit_test(no_transfer_crosses_a_root),
        cmocka_unit_test(a_transfer_ends_after_a_faulty_page),
        cmocka_unit_test(half_a_node_is_not_enough),
        cmocka_unit_test(a_scan_has_the_faults_and_cycles_derived),
        cmocka_unit_test(the_published_trace_has_its_transfers),
        cmocka_unit_test(a_page_under_way_is_waited_for),
        cmocka_unit_test(faults_are_taken_in_order),
        cmocka_unit_test(a_fault_has_an_entry_before_its_transfer),
        cmocka_unit_test(pages_of_2_mb_come_whole),
        cmocka_unit_test(blank_pages_are_mapped_when_first_written),
        cmocka_unit_test(what_has_contents_is_copied_beside_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
