/*
 * What a copy keeps of memory that is elsewhere, and what an owner keeps of its
 * own: stores, invalidations, kernels that begin, write-backs, slices.
 */
#include "sim/units/cache/cache_bench.h"

/* ---- copies ---- */

static void build_through(struct bench *b)
{
    struct driver *d;
    small_cache(b, 4);
    d = b->drivers[0];
    *bench_word(b, 0x40) = 5;
    driver_load(d, 0, 0x40);
    driver_store(d, 200, 0x40, 6);
    driver_load(d, 201, 0x40);
    driver_atomic(d, 400, 0x40, ISA_AMOADD, 10);
    driver_load(d, 401, 0x40);
}

static void check_through(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    below_expect(b->belows[0], "r40 w40 a40 r40");
    assert_int_equal(driver_value(d, 0), 5);
    assert_int_equal(driver_answer(d, 1)->msg.op, MEM_DONE);
    assert_int_equal(driver_took(d, 1), MISS);
    assert_int_equal(driver_value(d, 2), 6);
    assert_int_equal(driver_took(d, 2), HIT);
    assert_int_equal(driver_answer(d, 3)->msg.op, MEM_OLD);
    assert_int_equal(driver_value(d, 3), 6);
    assert_int_equal(driver_value(d, 4), 16);
    assert_int_equal(*bench_word(b, 0x40), 16);
}

static void a_store_updates_the_copy_and_an_atomic_drops_it(void **state)
{
    bench_test(build_through, check_through);
}

static void build_no_allocation(struct bench *b)
{
    small_cache(b, 4);
    driver_store(b->drivers[0], 0, 0x40, 6);
    driver_load(b->drivers[0], 200, 0x40);
}

static void check_no_allocation(struct bench *b)
{
    below_expect(b->belows[0], "w40 r40");
    assert_int_equal(driver_value(b->drivers[0], 1), 6);
}

static void a_store_that_misses_makes_no_copy(void **state)
{
    bench_test(build_no_allocation, check_no_allocation);
}

/* with: is it an atomic? */
static void build_stale(struct bench *b)
{
    struct driver *d;
    small_cache(b, 4);
    d = b->drivers[0];
    *bench_word(b, 0x40) = 5;
    driver_load(d, 0, 0x40);
    if (*(const bool *)b->scenario->with)
        driver_atomic(d, 1, 0x40, ISA_AMOSWAP, 6);
    else
        driver_store(d, 1, 0x40, 6);
    driver_load(d, 2, 0x40);
    driver_load(d, 400, 0x40);
}

static void check_stale(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    bool atomic = *(const bool *)b->scenario->with;
    below_expect(b->belows[0], atomic ? "r40 a40 r40" : "r40 w40 r40");
    assert_int_equal(driver_value(d, 0), 5);
    assert_int_equal(driver_value(d, 2), 6);
    assert_int_equal(driver_value(d, 3), 6);
    assert_int_equal(driver_took(d, 3), HIT);
}

static void a_store_to_a_sector_on_its_way_is_not_lost(void **state)
{
    bench_test_with(build_stale, check_stale, &(bool){false});
    bench_test_with(build_stale, check_stale, &(bool){true});
}

/* Another client of the memory stores between the loads. */
static void build_invalidate(struct bench *b)
{
    struct driver *d;
    small_cache(b, 4);
    d = b->drivers[0];
    *bench_word(b, 0x40) = 1;
    *bench_word(b, CONSTANT) = 9;
    driver_load(d, 0, 0x40);
    driver_load(d, 0, CONSTANT);
    driver_load(d, 200, 0x40);
    driver_invalidate(d, 300);
    driver_load(d, 301, 0x40);
    driver_load(d, 301, CONSTANT);
    struct driver *other = bench_driver(b, &b->belows[0]->unit, "in", "out");
    driver_store(other, 150, 0x40, 2);
}

static void check_invalidate(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    below_expect(b->belows[0], "r40 r100080 w40 r40");
    assert_int_equal(driver_value(d, 1), 9);
    assert_int_equal(driver_value(d, 2), 1);
    assert_int_equal(driver_answer(d, 3)->msg.op, MEM_DONE);
    assert_int_equal(driver_took(d, 3), HIT);
    assert_int_equal(driver_value(d, 4), 2);
    assert_int_equal(driver_value(d, 5), 9);
    assert_int_equal(driver_took(d, 5), HIT);
}

static void invalidation_drops_copies_of_writable_data_only(void **state)
{
    bench_test(build_invalidate, check_invalidate);
}

/* The invalidation comes while the sector is on its way. */
static void build_invalidate_early(struct bench *b)
{
    struct driver *d;
    small_cache(b, 4);
    d = b->drivers[0];
    driver_load(d, 0, 0x40);
    driver_invalidate(d, 20);
    driver_load(d, 21, 0x40);
    struct driver *other = bench_driver(b, &b->belows[0]->unit, "in", "out");
    driver_store(other, 30, 0x40, 2);
}

static void check_invalidate_early(struct bench *b)
{
    below_expect(b->belows[0], "r40 w40 r40");
    assert_int_equal(driver_value(b->drivers[0], 0), 0);
    assert_int_equal(driver_value(b->drivers[0], 2), 2);
}

static void nor_is_a_sector_kept_that_was_asked_for_before_it(void **state)
{
    bench_test(build_invalidate_early, check_invalidate_early);
}

static void build_ignored(struct bench *b)
{
    build_invalidate(b);
    bench_set(b, b->units[0], "fault", 3);
}

static void check_ignored(struct bench *b)
{
    assert_int_equal(driver_answer(b->drivers[0], 3)->msg.op, MEM_DONE);
    assert_int_equal(driver_value(b->drivers[0], 4), 1);
}

static void unless_the_fault_says_that_it_is_ignored(void **state)
{
    bench_test(build_ignored, check_ignored);
}

static bool launch(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    engine_launch(b->engine);
    return true;
}

static void build_launch(struct bench *b)
{
    small_cache(b, 4);
    driver_load(b->drivers[0], 0, 0x40);
    driver_load(b->drivers[0], 0, CONSTANT);
    driver_service(b->drivers[0], 150);
    driver_load(b->drivers[0], 300, 0x40);
    driver_load(b->drivers[0], 300, CONSTANT);
}

static void check_launch(struct bench *b)
{
    below_expect(b->belows[0], "r40 r100080 r40");
}

static void so_does_the_start_of_a_kernel(void **state)
{
    bench_play(&(struct scenario){
        .build = build_launch, .check = check_launch, .serve = launch});
}

/* ---- the owner ---- */

static void build_allocate(struct bench *b)
{
    struct driver *d;
    small_owner(b, 4);
    d = b->drivers[0];
    *bench_word(b, 0x48) = 4;
    driver_store(d, 0, 0x40, 3);
    driver_load(d, 100, 0x40);
    driver_load(d, 200, 0x48);
    for (unsigned i = 0; i < 4; i++)
        driver_store(d, 400, 0x80 + 8 * i, 10 + i);
    for (unsigned i = 0; i < 4; i++)
        driver_load(d, 500, 0x80 + 8 * i);
}

static void check_allocate(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    below_expect(b->belows[0], "f40");
    assert_int_equal(driver_took(d, 0), HIT);
    assert_int_equal(driver_value(d, 1), 3);
    assert_int_equal(driver_took(d, 1), HIT);
    assert_int_equal(driver_value(d, 2), 4);
    assert_int_equal(driver_took(d, 2), MISS);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(driver_value(d, 7 + i), 10 + i);
}

static void the_owner_fetches_only_bytes_that_were_not_written(void **state)
{
    bench_test(build_allocate, check_allocate);
}

static void build_partial(struct bench *b)
{
    struct driver *d;
    small_owner(b, 4);
    d = b->drivers[0];
    *bench_word(b, 0x40) = 0x1111111111111111;
    driver_ask(
        d, 0,
        (struct msg){.op = MEM_WRITE, .addr = 0x42, .size = 2, .value = 0x2222},
        NULL);
    driver_ask(d, 100, (struct msg){.op = MEM_READ, .addr = 0x43, .size = 1},
               NULL);
    driver_load(d, 200, 0x40);
}

static void check_partial(struct bench *b)
{
    below_expect(b->belows[0], "f40");
    assert_int_equal(driver_value(b->drivers[0], 1), 0x22);
    assert_int_equal(driver_took(b->drivers[0], 1), HIT);
    assert_int_equal(driver_value(b->drivers[0], 2), 0x1111111122221111);
}

static void bytes_written_before_a_fetch_are_kept(void **state)
{
    bench_test(build_partial, check_partial);
}

static void build_write_back(struct bench *b)
{
    struct driver *d;
    small_owner(b, 1);
    d = b->drivers[0];
    driver_store(d, 0, 0, 1);
    driver_store(d, 0, 8, 1);
    driver_store(d, 0, 0x40, 1);
    driver_load(d, 100, 0x60);
    driver_load(d, 300, 0x80); /* evicts the three sectors */
    driver_load(d, 500, 0x100);
    driver_atomic(d, 700, 0x108, ISA_AMOADD, 2);
    driver_load(d, 900, 0);
    driver_atomic(d, 1100, 0x180, ISA_AMOADD, 2); /* waits for the sector */
    driver_load(d, 1300, 0);
}

static void check_write_back(struct bench *b)
{
    below_expect(b->belows[0], "f60 b0 b40 f80 f100 b100 f0 f180 b180 f0");
    assert_stat(b->units[0], "writebacks", 4);
    assert_stat(b->units[0], "evictions", 5);
    assert_int_equal(driver_value(b->drivers[0], 7), 1);
    assert_int_equal(*bench_word(b, 0x108), 2);
}

static void an_eviction_writes_back_each_dirty_sector_once(void **state)
{
    bench_test(build_write_back, check_write_back);
}

/* A load that waits for a sector hands over all of it by value. */
static void build_sector(struct bench *b)
{
    small_owner(b, 4);
    struct msg m = {.op = MEM_READ, .size = SECTOR, .addr = 0x40};
    *bench_word(b, 0x58) = 12;
    driver_ask(b->drivers[0], 0, m, NULL);
    m.addr = CONSTANT;
    driver_ask(b->drivers[0], 0, m, NULL);
}

static void check_sector(struct bench *b)
{
    const struct answer *a = driver_answer(b->drivers[0], 0);
    assert_true(a->msg.flags & MSG_PAYLOAD);
    assert_int_equal(a->payload.bytes[24], 12);
    assert_false(driver_answer(b->drivers[0], 1)->msg.flags & MSG_PAYLOAD);
}

static void whole_sectors_travel_by_value_if_they_are_writable(void **state)
{
    bench_test(build_sector, check_sector);
}

/* ---- slices ---- */

#define STRIDE 1024u
#define PARTS 3u
#define SLICES 2u

/* The memories open when each has fetches to answer. */
static void build_slices(struct bench *b)
{
    struct unit *c = small_cache(b, 64);
    bench_set(b, c, "map_stride", STRIDE);
    bench_set(b, c, "map_parts", PARTS);
    bench_set(b, c, "map_slices", SLICES);
    for (unsigned i = 1; i < PARTS * SLICES; i++)
        bench_below(b, c, "mem", "fill", FAR);
    for (unsigned i = 0; i < PARTS * SLICES; i++)
        b->belows[i]->closed_until = WARM;
    for (unsigned i = 0; i < 48; i++)
        driver_load(b->drivers[0], 0, 128 * i);
}

static unsigned slice_of(uint64_t addr)
{
    uint64_t stripe = addr / STRIDE;
    uint64_t line = (stripe / PARTS * STRIDE + addr % STRIDE) / 128;
    return (unsigned)(stripe % PARTS * SLICES + line % SLICES);
}

static void check_slices(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    unsigned requests = 0;
    for (unsigned n = 0; n < PARTS * SLICES; n++)
        for (unsigned i = 0; i < b->belows[n]->count; i++, requests++)
            assert_int_equal(slice_of(b->belows[n]->seen[i].msg.addr), n);
    assert_int_equal(requests, 48);
    assert_int_equal(driver_unanswered(d), 0);
    for (unsigned i = 0; i < 48; i++)
        assert_int_equal(slice_of(d->answers[i].msg.addr),
                         i % (PARTS * SLICES));
}

static void fetches_go_to_their_slice_and_are_taken_in_turn(void **state)
{
    bench_test(build_slices, check_slices);
}

/* One of two partitions: the lines that come here fill all of its sets. */
static void build_sets(struct bench *b)
{
    struct unit *c = small_owner(b, 1);
    bench_set(b, c, "size", 8 * 128);
    bench_set(b, c, "map_stride", 128);
    bench_set(b, c, "map_parts", 2);
    for (unsigned i = 0; i < 16; i++)
        driver_load(b->drivers[0], 100 * i, 256 * (i % 8));
}

static void check_sets(struct bench *b)
{
    assert_stat(b->units[0], "misses_read", 8);
    assert_stat(b->units[0], "hits", 8);
}

static void an_owner_uses_all_its_sets(void **state)
{
    bench_test(build_sets, check_sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_updates_the_copy_and_an_atomic_drops_it),
        cmocka_unit_test(a_store_that_misses_makes_no_copy),
        cmocka_unit_test(a_store_to_a_sector_on_its_way_is_not_lost),
        cmocka_unit_test(invalidation_drops_copies_of_writable_data_only),
        cmocka_unit_test(nor_is_a_sector_kept_that_was_asked_for_before_it),
        cmocka_unit_test(so_does_the_start_of_a_kernel),
        cmocka_unit_test(unless_the_fault_says_that_it_is_ignored),
        cmocka_unit_test(the_owner_fetches_only_bytes_that_were_not_written),
        cmocka_unit_test(bytes_written_before_a_fetch_are_kept),
        cmocka_unit_test(an_eviction_writes_back_each_dirty_sector_once),
        cmocka_unit_test(whole_sectors_travel_by_value_if_they_are_writable),
        cmocka_unit_test(fetches_go_to_their_slice_and_are_taken_in_turn),
        cmocka_unit_test(an_owner_uses_all_its_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
