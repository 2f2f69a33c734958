/* What leaves, and in which order; write-backs that wait; memory that is full.
 */
#include "sim/uvm/fixture.h"

static struct uvm_options with(enum uvm_evict evict, enum uvm_prefetch how,
                               uint64_t device)
{
    struct uvm_options o = uvm_options_default(device);
    o.evict = evict;
    o.prefetch = o.prefetch_oversub = how;
    return o;
}

static void touch(struct fixture *f, uint64_t address, bool write)
{
    uvm_touch(f->u, uvm_page(f->u, address), write);
    fixture_check(f);
}

/* ---- the tree ---- */

static void less_than_half_of_a_node_leaves(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_EVICT_tbn, UVM_PREFETCH_sl, 2 * MB), 512 * KB);
    for (uint64_t leaf = 0; leaf < 8; leaf++)
        fixture_read(&f, leaf * UVM_LEAF);
    f.text[0] = 0;
    static const uint32_t victims[] = {1, 3, 4, 0};
    static const char *const expected[] = {"10000:64", "30000:64", "40000:64",
                                           "0:64 20000:64 50000:192"};
    for (unsigned i = 0; i < 4; i++) {
        uvm_evict_tree(f.u, victims[i] * 16);
        fixture_write(&f);
        fixture_said(&f, expected[i]);
    }
    assert_int_equal(uvm_resident_pages(f.u), 0);
    struct uvm_curve c = uvm_curve_default(CLOCK);
    assert_int_equal(uvm_curve_cycles(&c, 192 * KB), 23672);
    fixture_close(&f);
}

/* Roots leave by their newest leaf, and each from its oldest leaf on: its
 * write-backs are those of the published log. */
static void a_full_memory_empties_in_order(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_EVICT_tbn, UVM_PREFETCH_tbn, 4 * MB), 12 * MB);
    for (uint64_t at = 0; at < 4 * MB; at += UVM_LEAF)
        if (!uvm_resident(f.u, uvm_page(f.u, at)))
            fixture_read(&f, at);
        else
            touch(&f, at, false);
    touch(&f, 0x70000, false); /* the first root is newer now */
    f.text[0] = 0;
    for (uint64_t leaf = 0; leaf < 32; leaf++) {
        uint64_t address = 4 * MB + leaf * UVM_LEAF;
        if (!uvm_resident(f.u, uvm_page(f.u, address)))
            fixture_turn(&f, 1, &address);
        while (uvm_evict(f.u))
            ;
        struct uvm_transfer t;
        while (uvm_next_write(f.u, &t))
            fixture_note(&f, "%" PRIx64 ":%" PRIu64, uvm_address(f.u, t.page),
                         uvm_bytes(&t) / KB);
        while (uvm_next_read(f.u, &t))
            uvm_landed(f.u, &t);
        fixture_check(&f);
    }
    fixture_said(&f, "200000:64 210000:64 220000:128 240000:256 280000:512 "
                     "300000:1024");
    assert_int_equal(f.stats.d2h_bytes, 2 * MB);
    fixture_close(&f);
}

/* A root without its newest leaf is as old as the next newest. */
static void roots_are_ordered_by_what_they_still_have(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_EVICT_tbn, UVM_PREFETCH_sl, 6 * MB), 6 * MB);
    for (uint64_t leaf = 0; leaf < 96; leaf++)
        fixture_read(&f, leaf * UVM_LEAF);
    touch(&f, 5 * UVM_LEAF, false); /* the first root is the newest */
    uvm_evict_tree(f.u, 5 * 16);    /* and the oldest again */
    fixture_write(&f);
    fixture_close(&f);
}

/* ---- the others ---- */

static void the_oldest_page_leaves(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_EVICT_lru4k, UVM_PREFETCH_none, 2 * MB), 4 * MB);
    for (uint64_t page = 0; page < 512; page++)
        fixture_read(&f, page * UVM_PAGE);
    assert_false(uvm_evict(f.u));
    assert_false(uvm_oversubscribed(f.u));
    touch(&f, 0, false);
    f.text[0] = 0;
    fixture_read(&f, 3 * MB);
    fixture_said(&f, "1000:4 300000:4*");
    assert_true(uvm_oversubscribed(f.u));
    uvm_pin(f.u, 2);
    fixture_read(&f, 0x1000);
    fixture_said(&f, "3000:4 1000:4*");
    uvm_unpin(f.u, 2);
    fixture_read(&f, 0x3000);
    fixture_said(&f, "2000:4 3000:4*");
    assert_int_equal(f.stats.page_thrash, 2);
    assert_int_equal(uvm_resident_pages(f.u), 512);
    fixture_close(&f);
}

static void reserved_pages_stay(void **state)
{
    struct fixture f;
    struct uvm_options o = with(UVM_EVICT_lru4k, UVM_PREFETCH_none, 2 * MB);
    o.reserve = 25;
    fixture_open(&f, o, 4 * MB);
    for (uint64_t page = 0; page < 512; page++)
        fixture_read(&f, page * UVM_PAGE);
    f.text[0] = 0;
    fixture_read(&f, 3 * MB); /* a quarter of 512 are 128 */
    fixture_said(&f, "80000:4 300000:4*");
    touch(&f, 0, false); /* number 129 is among the first 128 now */
    fixture_read(&f, 3 * MB + UVM_PAGE);
    fixture_said(&f, "82000:4 301000:4*");
    fixture_close(&f);
}

static void a_page_at_random_leaves(void **state)
{
    struct fixture f;
    struct uvm_options o = with(UVM_EVICT_random, UVM_PREFETCH_none, 2 * MB);
    o.reserve = 50;
    fixture_open(&f, o, 6 * MB);
    for (uint64_t page = 0; page < 512; page++)
        fixture_read(&f, page * UVM_PAGE);
    uint64_t low = 0, sum = 0;
    for (unsigned i = 0; i < 256; i++) {
        uint64_t before = f.stats.victims;
        fixture_read(&f, 2 * MB + i * UVM_PAGE);
        assert_int_equal(f.stats.victims, before + 1);
        f.text[0] = 0;
    }
    for (uint32_t page = 0; page < 512; page++) {
        low += page < 128 && !uvm_resident(f.u, page);
        sum += !uvm_resident(f.u, page);
    }
    assert_int_equal(low, 0); /* never was one of them beyond the first half */
    assert_in_range(sum, 64, 256);
    fixture_close(&f);
}

static void a_leaf_leaves_alone(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_EVICT_sl, UVM_PREFETCH_sl, 2 * MB), 6 * MB);
    for (uint64_t leaf = 0; leaf < 32; leaf++)
        fixture_read(&f, leaf * UVM_LEAF);
    f.text[0] = 0;
    fixture_read(&f, 2 * MB);
    fixture_read(&f, 2 * MB + UVM_LEAF);
    fixture_said(&f, "0:64 200000:4* 201000:60 10000:64 210000:4* 211000:60");
    assert_int_equal(f.stats.victims, 2);
    fixture_close(&f);
}

/* A root that is half here leaves with what is here. */
static void a_root_leaves_with_its_resident_pages(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_EVICT_lru2m, UVM_PREFETCH_sl, 2 * MB), 6 * MB);
    fixture_read(&f, 0);
    fixture_read(&f, 3 * UVM_LEAF);
    for (uint64_t leaf = 0; leaf < 30; leaf++)
        fixture_read(&f, 2 * MB + leaf * UVM_LEAF);
    f.text[0] = 0;
    fixture_read(&f, 4 * MB);
    fixture_said(&f, "0:64 30000:64 400000:4* 401000:60");
    fixture_close(&f);
}

static void the_least_used_root_leaves(void **state)
{
    struct fixture f;
    fixture_open(&f, with(UVM_EVICT_lfu2m, UVM_PREFETCH_tbn, 6 * MB), 8 * MB);
    for (uint64_t at = 0; at < 6 * MB; at += UVM_LEAF)
        if (!uvm_resident(f.u, uvm_page(f.u, at)))
            fixture_read(&f, at);
    touch(&f, 0, false);
    touch(&f, 2 * MB, true); /* written: after the last, which was only read */
    touch(&f, 4 * MB, false);
    touch(&f, 0, false);
    f.text[0] = 0;
    fixture_read(&f, 6 * MB);
    fixture_said(&f, "400000:2048 600000:4* 601000:60");
    fixture_close(&f);
}

/* ---- write-backs ---- */

static void open_full(struct fixture *f, struct uvm_options options)
{
    fixture_open(f, options, 512 * KB);
    for (uint64_t leaf = 0; leaf < 8; leaf++)
        fixture_read(f, leaf * UVM_LEAF);
    f->text[0] = 0;
}

static void a_hit_gives_up_a_write_back_that_waits(void **state)
{
    struct fixture f;
    open_full(&f, with(UVM_EVICT_tbn, UVM_PREFETCH_sl, 2 * MB));
    uvm_evict_tree(f.u, 1 * 16);
    uvm_evict_tree(f.u, 3 * 16);
    uvm_evict_tree(f.u, 4 * 16);
    fixture_check(&f);
    touch(&f, 0x30123, false);
    assert_int_equal(f.stats.spared, 16);
    fixture_write(&f);
    fixture_said(&f, "10000:64 40000:64");
    assert_true(uvm_resident(f.u, 3 * 16));
    /* Once more, by a request; it is the last of the queue. */
    uvm_evict_tree(f.u, 0);
    assert_int_equal(uvm_request(f.u, 5, false), UVM_HIT);
    uvm_evict_tree(f.u, 5 * 16);
    fixture_write(&f);
    fixture_said(&f, "50000:64");
    /* The last one of several; another one comes behind. */
    uvm_evict_tree(f.u, 0);
    uvm_evict_tree(f.u, 6 * 16);
    touch(&f, 0x60000, true);
    uvm_evict_tree(f.u, 3 * 16);
    fixture_write(&f);
    fixture_said(&f, "0:64 20000:128 60000:128");
    fixture_close(&f);
}

static void what_was_only_read_may_be_dropped(void **state)
{
    struct fixture f;
    struct uvm_options o = with(UVM_EVICT_sl, UVM_PREFETCH_sl, 2 * MB);
    o.invalidate_clean = true;
    open_full(&f, o);
    touch(&f, UVM_LEAF + 5, true);
    uvm_evict_tree(f.u, 0);
    uvm_evict_tree(f.u, 16);
    fixture_write(&f);
    fixture_said(&f, "0:64- 10000:64");
    assert_int_equal(f.stats.dropped, 16);
    assert_int_equal(f.stats.evicted_dirty, 1);
    assert_int_equal(f.stats.evicted_clean, 31);
    assert_int_equal(f.stats.d2h_bytes, 64 * KB);
    fixture_close(&f);
}

static void a_buffer_is_kept_free(void **state)
{
    struct fixture f;
    struct uvm_options o = with(UVM_EVICT_lru4k, UVM_PREFETCH_none, 2 * MB);
    o.buffer = 50;
    fixture_open(&f, o, 4 * MB);
    for (uint64_t page = 0; page < 600; page++)
        fixture_read(&f, page * UVM_PAGE % (4 * MB));
    assert_int_equal(uvm_resident_pages(f.u), 256);
    fixture_close(&f);
}

/* A transfer starts when there is room for all of it. */
static void transfers_wait_for_room(void **state)
{
    struct fixture f;
    struct uvm_transfer t;
    fixture_open(&f, with(UVM_EVICT_sl, UVM_PREFETCH_sl, 2 * MB), 6 * MB);
    for (uint64_t leaf = 0; leaf < 32; leaf++)
        fixture_read(&f, leaf * UVM_LEAF);
    fixture_turn(&f, 1, (const uint64_t[]){3 * MB});
    assert_true(uvm_read_waits(f.u));
    assert_false(uvm_next_read(f.u, &t));
    assert_true(uvm_evict(f.u));
    assert_false(uvm_evict(f.u)); /* what is staged will be free */
    assert_false(uvm_next_read(f.u, &t));
    assert_true(uvm_next_write(f.u, &t));
    assert_true(uvm_next_read(f.u, &t));
    uvm_landed(f.u, &t);
    fixture_close(&f);
}

static void taken_memory_counts(void **state)
{
    struct fixture f;
    struct error error;
    fixture_open(&f, with(UVM_EVICT_lru4k, UVM_PREFETCH_none, 4 * MB), 8 * MB);
    assert_true(uvm_occupy(f.u, 2 * MB, &error));
    assert_false(uvm_occupy(f.u, 1, &error));
    assert_non_null(strstr(error.text, "512 have to be left"));
    for (uint64_t page = 0; page < 1000; page++)
        fixture_read(&f, page * UVM_PAGE);
    assert_int_equal(uvm_resident_pages(f.u), 512);
    fixture_close(&f);
}

/* ---- all together ---- */

/* Random reads and writes with each policy and prefetcher: what is kept in
 * several places agrees after each step, and memory never holds too much. */
static void counts_agree_whatever_happens(void **state)
{
    for (unsigned evict = 0; evict < UVM_EVICT_COUNT; evict++)
        for (unsigned how = 0; how < UVM_PREFETCH_COUNT; how++) {
            struct fixture f;
            struct uvm_options o = with(evict, how, 3 * MB);
            o.reserve = evict % 2 * 10;
            o.buffer = how % 2 * 5;
            fixture_open(&f, o, 5 * MB + 300 * KB);
            uint64_t random = 1 + evict * 4 + how;
            for (unsigned i = 0; i < 1500; i++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                uint64_t at = (random >> 33) % (5 * MB + 300 * KB);
                if (random >> 63)
                    uvm_request(f.u, uvm_page(f.u, at), true);
                fixture_read(&f, at);
                f.text[0] = 0;
            }
            assert_int_equal(f.stats.h2d_bytes,
                             f.stats.page_validates * UVM_PAGE);
            assert_true(f.stats.victims > 0);
            fixture_close(&f);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(less_than_half_of_a_node_leaves),
        cmocka_unit_test(a_full_memory_empties_in_order),
        cmocka_unit_test(roots_are_ordered_by_what_they_still_have),
        cmocka_unit_test(the_oldest_page_leaves),
        cmocka_unit_test(reserved_pages_stay),
        cmocka_unit_test(a_page_at_random_leaves),
        cmocka_unit_test(a_leaf_leaves_alone),
        cmocka_unit_test(a_root_leaves_with_its_resident_pages),
        cmocka_unit_test(the_least_used_root_leaves),
        cmocka_unit_test(a_hit_gives_up_a_write_back_that_waits),
        cmocka_unit_test(what_was_only_read_may_be_dropped),
        cmocka_unit_test(a_buffer_is_kept_free),
        cmocka_unit_test(transfers_wait_for_room),
        cmocka_unit_test(taken_memory_counts),
        cmocka_unit_test(counts_agree_whatever_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
