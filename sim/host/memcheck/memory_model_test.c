/*
 * The check of memory on records made by hand: what a correct machine leaves
 * passes, each kind of wrong value is found. memory_toy_test.c has records of a
 * machine.
 */
#include "sim/host/memcheck/memory_model_bench.h"

static void memory_that_nobody_writes_is_the_image(void **state)
{
    EXPECT(GOOD, load(1, 9, 0, 0x10, 0x13121110, 4));
    EXPECT(MODEL_LOADED, load(1, 9, 0, 0x10, 0x13121111, 4));
    assert_int_equal(found.expected, 0x13121110);
    EXPECT(GOOD, load(1, 9, 0, 0x15, 0x1817161500 >> 8, 4));
}

static void a_hart_sees_its_store_at_once(void **state)
{
    EXPECT(GOOD, store(1, 0, 0x10, 0xaa, 1), load(2, 5, 0, 0x10, 0x11aa, 2));
    EXPECT(MODEL_LOADED, store(1, 0, 0x10, 0xaa, 1),
           load(2, 5, 0, 0x10, 0x1110, 2));
    assert_int_equal(found.expected, 0x11aa);
    assert_int_equal(found.writer, 0);
    assert_int_equal(found.written, 1);
}

static void a_hart_never_sees_behind_its_store(void **state)
{
    struct check_record first = store(1, 0, 0x10, 0xaa, 1);
    struct check_record done = performed(9, 0, 0x10, 0xaa, 1);
    EXPECT(GOOD, first, done, load(20, 25, 0, 0x10, 0xaa, 1));
    EXPECT(MODEL_LOADED, first, done, load(20, 25, 0, 0x10, 0x10, 1));
    /* performed by others before it: gone for the hart, not for its cache */
    EXPECT(MODEL_LOADED, store(1, 2, 0x10, 0xbb, 1), first,
           performed(8, 2, 0x10, 0xbb, 1), done,
           load(20, 25, 0, 0x10, 0xbb, 1));
    EXPECT(GOOD, store(1, 2, 0x10, 0xbb, 1), first,
           performed(8, 2, 0x10, 0xbb, 1), done,
           load(20, 25, 1, 0x10, 0xbb, 1));
    /* performed by others after it */
    EXPECT(GOOD, store(1, 2, 0x10, 0xbb, 1), first, done,
           performed(10, 2, 0x10, 0xbb, 1), load(20, 25, 0, 0x10, 0xbb, 1));
}

static void a_hart_never_sees_its_later_store(void **state)
{
    EXPECT(MODEL_LOADED, store(3, 0, 0x10, 0xaa, 1),
           load(2, 9, 0, 0x10, 0xaa, 1));
    EXPECT(MODEL_LOADED, store(3, 0, 0x10, 0xaa, 1),
           performed(8, 0, 0x10, 0xaa, 1), load(2, 9, 0, 0x10, 0xaa, 1));
    EXPECT(GOOD, store(3, 0, 0x10, 0xaa, 1), performed(8, 0, 0x10, 0xaa, 1),
           load(2, 9, 1, 0x10, 0xaa, 1));
}

static void harts_of_one_cache_see_what_is_not_performed(void **state)
{
    EXPECT(GOOD, store(1, 0, 0x10, 0xaa, 1), load(2, 5, 1, 0x10, 0xaa, 1));
    EXPECT(GOOD, store(1, 0, 0x10, 0xaa, 1), load(2, 5, 1, 0x10, 0x10, 1));
    EXPECT(MODEL_LOADED, store(1, 0, 0x10, 0xaa, 1),
           load(2, 5, 2, 0x10, 0xaa, 1));
}

static void other_caches_see_it_performed_and_may_be_late(void **state)
{
    struct check_record first = store(1, 0, 0x10, 0xaa, 1);
    struct check_record done = performed(9, 0, 0x10, 0xaa, 1);
    EXPECT(GOOD, first, done, load(2, 15, 2, 0x10, 0xaa, 1));
    EXPECT(GOOD, first, done, load(900, 915, 2, 0x10, 0x10, 1));
    EXPECT(MODEL_LOADED, first, done, drop(20, 1),
           load(21, 30, 2, 0x10, 0x10, 1));
    EXPECT(GOOD, first, done, drop(20, 1), load(21, 30, 2, 0x10, 0xaa, 1));
    /* of the other cache, too early, and after the load was issued */
    EXPECT(GOOD, first, done, drop(20, 0), load(21, 30, 2, 0x10, 0x10, 1));
    EXPECT(GOOD, first, drop(8, 1), done, load(21, 30, 2, 0x10, 0x10, 1));
    EXPECT(GOOD, first, done, drop(20, 1), load(19, 30, 2, 0x10, 0x10, 1));
}

static void all_that_was_there_in_the_window_may_be_seen(void **state)
{
    struct check_record a = store(1, 0, 0x10, 0xaa, 1),
                        b = store(2, 0, 0x10, 0xbb, 1),
                        c = store(3, 0, 0x10, 0xcc, 1),
                        pa = performed(11, 0, 0x10, 0xaa, 1),
                        pb = performed(12, 0, 0x10, 0xbb, 1),
                        pc = performed(13, 0, 0x10, 0xcc, 1);
    EXPECT(GOOD, a, b, c, pa, pb, pc, load(20, 30, 3, 0x10, 0xbb, 1));
    EXPECT(GOOD, a, b, c, pa, pb, drop(12, 1), pc,
           load(20, 30, 3, 0x10, 0xbb, 1));
    EXPECT(MODEL_LOADED, a, b, c, pa, pb, drop(12, 1), pc,
           load(20, 30, 3, 0x10, 0xaa, 1));
    EXPECT(MODEL_LOADED, a, b, c, pa, pb, pc, load(20, 30, 3, 0x10, 0xdd, 1));
}

static void an_access_may_lie_in_two_words(void **state)
{
    struct check_record s = store(1, 0, 0x14, 0x8877665544332211, 8);
    struct check_record p = performed(9, 0, 0x14, 0x8877665544332211, 8);
    EXPECT(GOOD, s, p, drop(10, 1), load(11, 20, 2, 0x16, 0x66554433, 4));
    EXPECT(MODEL_LOADED, s, p, drop(10, 1),
           load(11, 20, 2, 0x16, 0x66554432, 4));
    EXPECT(GOOD, s, p, drop(10, 1),
           load(11, 20, 2, 0x18, 0x1f1e1d1c88776655, 8));
    EXPECT(MODEL_WROTE, s, p, performed(9, 0, 0x18, 0, 1));
}

static void the_owner_writes_what_was_stored_in_its_order(void **state)
{
    struct check_record a = store(1, 0, 0x10, 0xaa, 1),
                        b = store(2, 0, 0x10, 0xbb, 1);
    EXPECT(MODEL_WROTE, performed(9, 0, 0x10, 0xaa, 1));
    EXPECT(MODEL_WROTE, a, performed(9, 1, 0x10, 0xaa, 1));
    EXPECT(MODEL_LOST_STORE, a, performed(9, 0, 0x10, 0xab, 1));
    EXPECT(MODEL_LOST_STORE, a, b, performed(9, 0, 0x10, 0xbb, 1));
    assert_int_equal(found.record.value, 0xaa);
    assert_int_equal(found.record.cycle, 1);
}

static void atomics_are_exact(void **state)
{
    struct check_record a = amo(9, 0, 0x10, 0xaa, 4);
    EXPECT(GOOD, old(9, 0, 0x10, 0x13121110, 4), a, old(10, 2, 0x10, 0xaa, 4));
    EXPECT(MODEL_OLD, old(9, 0, 0x10, 0x13121110, 4), a,
           old(10, 2, 0x10, 0x13121110, 4));
    assert_int_equal(found.expected, 0xaa);
    /* the hart's own hides what is older once it is known to be earlier */
    EXPECT(MODEL_LOADED, a, load(10, 20, 0, 0x10, 0x13121110, 4));
    EXPECT(GOOD, a, load(8, 20, 0, 0x10, 0xaa, 4));
    EXPECT(GOOD, a, load(8, 20, 0, 0x10, 0x13121110, 4));
    EXPECT(GOOD, a, load(10, 20, 1, 0x10, 0x13121110, 4));
}

static void a_write_back_holds_the_last_store(void **state)
{
    struct check_record a = store(1, 0, 0x10, 0xaa, 1),
                        b = store(2, 1, 0x10, 0xbb, 1),
                        u = updated(30, 0, 0x10, 0xbb, 1);
    EXPECT(GOOD, a, b, u, drop(31, 1), load(40, 50, 2, 0x10, 0xbb, 1));
    EXPECT(MODEL_LOADED, a, b, u, drop(31, 1), load(40, 50, 2, 0x10, 0x10, 1));
    EXPECT(MODEL_LOADED, a, b, u, drop(31, 1), load(40, 50, 2, 0x10, 0xaa, 1));
    EXPECT(GOOD, a, b, u, load(40, 50, 0, 0x10, 0xaa, 1)); /* still may come */
    EXPECT(MODEL_WROTE, a, b, updated(30, 0, 0x10, 0xbc, 1));
    EXPECT(MODEL_WROTE, a, b, updated(30, 0, 0x10, 0x11bb, 3));
    /* overwritten by its own hart: gone for good, but for loads under way */
    b = store(2, 0, 0x10, 0xbb, 1);
    EXPECT(MODEL_LOADED, a, b, u, load(40, 50, 0, 0x10, 0xaa, 1));
    EXPECT(GOOD, a, b, u, load(29, 50, 1, 0x10, 0xaa, 1));
    EXPECT(MODEL_LOADED, a, b, u, load(40, 50, 1, 0x10, 0xaa, 1));
    EXPECT(GOOD, a, b, u, load(40, 50, 0, 0x10, 0xbb, 1));
    EXPECT(MODEL_LOADED, a, b, u, load(40, 50, 0, 0x10, 0x10, 1));
}

/* Then it is not known whose was written back. */
static void stores_of_one_value_in_two_caches(void **state)
{
    struct check_record a = store(1, 0, 0x10, 0xaa, 1),
                        b = store(2, 2, 0x10, 0xaa, 1),
                        u = updated(30, 0, 0x10, 0xaa, 1),
                        c = store(31, 3, 0x10, 0xcc, 1),
                        v = updated(40, 0, 0x10, 0xcc, 1);
    EXPECT(GOOD, a, b, u, c, v, load(50, 60, 0, 0x10, 0xaa, 1));
    EXPECT(GOOD, a, b, u, c, v, load(50, 60, 0, 0x10, 0xcc, 1));
    EXPECT(GOOD, a, b, u, c, v, updated(50, 0, 0x10, 0xaa, 1));
    EXPECT(MODEL_LOADED, a, b, u, c, v, load(50, 60, 0, 0x10, 0x10, 1));
}

/* The write-back was on its way already when the second one was issued. */
static void a_store_that_a_write_back_seems_to_hold(void **state)
{
    struct check_record a = store(1, 0, 0x10, 0xaa, 1),
                        b = store(20, 0, 0x10, 0xaa, 1),
                        u = updated(30, 0, 0x10, 0xaa, 1);
    EXPECT(GOOD, a, b, u, performed(40, 0, 0x10, 0xaa, 1));
    EXPECT(GOOD, a, b, u, updated(90, 0, 0x10, 0xaa, 1));
    EXPECT(MODEL_WROTE, a, b, u, performed(40, 0, 0x10, 0xaa, 1),
           performed(41, 0, 0x10, 0xaa, 1));
    /* or it was taken along: then the next one is still to come */
    EXPECT(GOOD, a, b, u, store(50, 0, 0x10, 0xaa, 1),
           performed(60, 0, 0x10, 0xaa, 1), store(70, 0, 0x10, 0xbb, 1),
           performed(80, 0, 0x10, 0xbb, 1));
    EXPECT(MODEL_LOST_STORE, a, b, u, store(50, 0, 0x10, 0xcc, 1),
           store(70, 0, 0x10, 0xbb, 1), performed(80, 0, 0x10, 0xbb, 1));
}

/* The word stays dirty, and is written back after all. */
static void a_cache_shows_the_host_what_is_dirty(void **state)
{
    struct check_record a = store(1, 0, 0x10, 0xaa, 1),
                        s = updated(30, 0, 0x10, 0xaa, 1),
                        u = updated(40, 0, 0x10, 0xaa, 1);
    s.unit = 0;
    EXPECT(GOOD, a, s, s, load(50, 60, 0, 0x10, 0xaa, 1));
    EXPECT(GOOD, a, s, s, u, load(50, 60, 2, 0x10, 0xaa, 1));
    EXPECT(MODEL_LOADED, a, s, load(50, 60, 0, 0x10, 0x10, 1));
    s.unit = 1;
    EXPECT(MODEL_WROTE, a, s);
}

/* They are performed in the copy, with a value as old as a load's. */
static void atomics_in_a_cache_with_copies(void **state)
{
    struct check_record o = old(9, 0, 0x10, 0x10, 1),
                        a = store(9, 0, 0x10, 0xaa, 1);
    o.unit = a.unit = 0;
    EXPECT(GOOD, o, a, load(20, 30, 1, 0x10, 0xaa, 1));
    EXPECT(GOOD, o, a, updated(40, 0, 0x10, 0xaa, 1));
    EXPECT(MODEL_LOADED, o, a, load(20, 30, 2, 0x10, 0xaa, 1));
    o.value = 0x11;
    EXPECT(MODEL_OLD, o);
}

/* Hart 1's store may reach the cache before hart 0's older one. */
static void stores_of_two_harts_reach_the_cache_in_any_order(void **state)
{
    struct check_record a = store(1, 0, 0x10, 0xaa, 1),
                        b = store(2, 1, 0x10, 0xbb, 1),
                        u = updated(30, 0, 0x10, 0xaa, 1);
    EXPECT(GOOD, a, b, u, load(40, 50, 1, 0x10, 0xaa, 1));
    EXPECT(GOOD, a, b, u, load(40, 50, 1, 0x10, 0xbb, 1));
    EXPECT(GOOD, a, b, u, load(40, 50, 0, 0x10, 0xbb, 1));
    EXPECT(MODEL_LOADED, a, b, u, load(40, 50, 1, 0x10, 0x10, 1));
    EXPECT(GOOD, a, b, u, updated(60, 0, 0x10, 0xbb, 1),
           load(70, 80, 1, 0x10, 0xbb, 1));
}

static void a_write_back_of_bytes_of_many_stores(void **state)
{
    EXPECT(GOOD, store(1, 0, 0x10, 0xaaaa, 2), store(2, 1, 0x11, 0xbbbb, 2),
           store(3, 2, 0x14, 0xcc, 1), updated(30, 0, 0x10, 0xbbbbaa, 7),
           performed(31, 2, 0x14, 0xcc, 1), drop(40, 0), drop(40, 1),
           load(41, 50, 3, 0x10, 0x1615cc13bbbbaa | 0x17ull << 56, 8));
}

/* Of stores of one value the wrong one may be taken for the one performed; the
 * hart's later store tells that the other was, too. */
static void a_later_store_tells_that_one_was_performed(void **state)
{
    struct check_record stores[] = {
        store(1, 0, 0x10, 0xaa, 1), store(2, 0, 0x10, 0xbb, 1),
        store(3, 0, 0x10, 0xaa, 1), store(20, 0, 0x10, 0xbb, 1)};
    struct check_record u = updated(20, 0, 0x10, 0xaa, 1),
                        p = performed(30, 0, 0x10, 0xbb, 1),
                        last = store(40, 0, 0x10, 0xcc, 1),
                        q = performed(50, 0, 0x10, 0xcc, 1);
    EXPECT(GOOD, stores[0], stores[1], stores[2], stores[3], u, p, last, q,
           load(41, 55, 0, 0x10, 0xcc, 1));
    EXPECT(MODEL_LOADED, stores[0], stores[1], stores[2], stores[3], u, p, last,
           q, load(41, 55, 0, 0x10, 0xbb, 1));
}

static void a_store_that_vanishes_is_missed(void **state)
{
    struct check_record s = store(5, 1, 0x10, 0xaa, 1);
    struct check_record p = performed(9, 1, 0x10, 0xaa, 1);
    struct memory_model *m = start(0);
    assert_true(model_drained(m, 1, &found));
    model_take(m, &s, &found);
    assert_true(model_drained(m, 0, &found));
    assert_false(model_drained(m, 1, &found));
    assert_int_equal(found.fault, MODEL_LOST_STORE);
    assert_int_equal(found.record.addr, 0x10);
    assert_true(model_take(m, &p, &found));
    assert_true(model_drained(m, 1, &found));
    model_free(m);
}

static void what_the_host_writes_counts(void **state)
{
    static const uint8_t data[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct memory_model *m = start(0);
    struct check_record now = load(11, 20, 0, 0x15, 0x0403, 2);
    struct check_record late = load(11, 20, 0, 0x15, 0x1615, 2);
    struct check_record dropped = drop(10, 0);
    uint32_t writer;
    uint64_t cycle;
    model_host_write(m, 10, 0x13, data, sizeof data);
    assert_memory_equal(memory + 0x13, data, sizeof data);
    assert_int_equal(memory[0x12], 0x12);
    assert_true(model_take(m, &now, &found));
    assert_true(model_take(m, &late, &found));
    assert_true(model_take(m, &dropped, &found));
    assert_true(model_take(m, &now, &found));
    assert_false(model_take(m, &late, &found));
    model_writer(m, 0x14, &writer, &cycle);
    assert_int_equal(writer, MODEL_HOST);
    assert_int_equal(cycle, 10);
    model_free(m);
}

/* What a cache fetched from one below is as old as that one's copies. */
static void caches_below_make_the_window_longer(void **state)
{
    static const uint32_t first[HARTS] = {0, 0, 1, 1};
    static const uint8_t below[9] = {0, 0, 1, 0, 0, 1, 0, 0, 0};
    struct check_record s = store(1, 0, 0x10, 0xaa, 1);
    struct check_record p = performed(9, 0, 0x10, 0xaa, 1);
    struct check_record l = load(90, 99, 2, 0x10, 0x10, 1);
    struct check_record early = load(2, 7, 2, 0x10, 0xaa, 1);
    struct check_record drops[3] = {drop(20, 1), drop(30, 2), drop(40, 1)};
    memset(memory, 0x10, BYTES);
    struct memory_model *m =
        model_new(&(struct model_config){.memory = memory,
                                         .harts = HARTS,
                                         .caches = 3,
                                         .first_cache = first,
                                         .below = below});
    assert_true(model_take(m, &s, &found));
    assert_true(model_take(m, &early, &found)); /* by the cache below */
    assert_true(model_take(m, &p, &found));
    assert_true(model_take(m, &drops[0], &found));
    assert_true(model_take(m, &drops[1], &found));
    assert_true(model_take(m, &l, &found));
    assert_true(model_take(m, &drops[2], &found));
    assert_false(model_take(m, &l, &found));
    model_free(m);
}

/* Hart 0's store was overwritten in its cache by hart 1's, long ago. */
static void what_hid_a_store_may_be_forgotten(void **state)
{
    struct memory_model *m = start_with(16, 10);
    struct check_record records[40] = {
        store(1, 0, 0x10, 0xaa, 1), store(2, 1, 0x10, 0xbb, 1),
        updated(30, 0, 0x10, 0xbb, 1), drop(40, 0), drop(40, 1)};
    for (unsigned i = 5; i < 40; i++)
        records[i] = store(1000 + i, 3, 0x100 + i, 1, 1);
    for (unsigned i = 0; i < 40; i++)
        assert_true(model_take(m, &records[i], &found));
    struct check_record l = load(2000, 2010, 0, 0x10, 0xbb, 1);
    assert_true(model_take(m, &l, &found));
    assert_int_equal(model_counts(m).undecided, 0);
    model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_nobody_writes_is_the_image),
        cmocka_unit_test(a_hart_sees_its_store_at_once),
        cmocka_unit_test(a_hart_never_sees_behind_its_store),
        cmocka_unit_test(a_hart_never_sees_its_later_store),
        cmocka_unit_test(harts_of_one_cache_see_what_is_not_performed),
        cmocka_unit_test(other_caches_see_it_performed_and_may_be_late),
        cmocka_unit_test(all_that_was_there_in_the_window_may_be_seen),
        cmocka_unit_test(an_access_may_lie_in_two_words),
        cmocka_unit_test(the_owner_writes_what_was_stored_in_its_order),
        cmocka_unit_test(atomics_are_exact),
        cmocka_unit_test(a_write_back_holds_the_last_store),
        cmocka_unit_test(stores_of_two_harts_reach_the_cache_in_any_order),
        cmocka_unit_test(a_write_back_of_bytes_of_many_stores),
        cmocka_unit_test(stores_of_one_value_in_two_caches),
        cmocka_unit_test(a_store_that_a_write_back_seems_to_hold),
        cmocka_unit_test(a_cache_shows_the_host_what_is_dirty),
        cmocka_unit_test(atomics_in_a_cache_with_copies),
        cmocka_unit_test(a_later_store_tells_that_one_was_performed),
        cmocka_unit_test(a_store_that_vanishes_is_missed),
        cmocka_unit_test(what_the_host_writes_counts),
        cmocka_unit_test(caches_below_make_the_window_longer),
        cmocka_unit_test(what_hid_a_store_may_be_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
