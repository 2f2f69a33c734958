/*
 * The hit updater: which hit a record keeps, what is fetched and written back,
 * what waits for what; random hits and loads before a memory that answers in
 * any order.
 */
#include "sim/units/common/bench.h"
#include "sim/units/common/stream.h"
#include <float.h>
#include <stdlib.h>

#define RECORDS 0x1000u
#define MOST 64u /* asks of a client */
#define FILL 40u /* cycles that main memory takes */

static uint64_t record(unsigned number)
{
    return RECORDS + 16 * number;
}

static struct corbel_hit in_memory(struct bench *b, unsigned number)
{
    struct corbel_hit hit;
    memcpy(&hit, machine_at(&b->machine, record(number)), sizeof hit);
    return hit;
}

static void put(struct bench *b, unsigned number, float t, uint32_t index)
{
    struct corbel_hit hit = {.t = t, .index = index};
    memcpy(machine_at(&b->machine, record(number)), &hit, sizeof hit);
}

static void put_misses(struct bench *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        put(b, i, FLT_MAX, CORBEL_MISS);
}

static unsigned store_at(struct driver *d, uint64_t at, uint64_t address,
                         float t, uint32_t index)
{
    struct payload p = {{0}};
    struct corbel_hit hit = {.t = t, .index = index};
    memcpy(p.bytes, &hit, sizeof hit);
    return driver_ask(
        d, at, (struct msg){.op = STREAM_HIT_STORE, .addr = address}, &p);
}

static unsigned store(struct driver *d, uint64_t at, unsigned number, float t)
{
    return store_at(d, at, record(number), t, number);
}

static unsigned load(struct driver *d, uint64_t at, unsigned number)
{
    return driver_ask(
        d, at, (struct msg){.op = STREAM_HIT_LOAD, .addr = record(number)},
        NULL);
}

static struct corbel_hit got(const struct driver *d, unsigned tag)
{
    const struct answer *a = driver_answer(d, tag);
    assert_int_equal(a->msg.op, STREAM_HIT);
    return stream_hit(a->payload.bytes);
}

static void assert_stored(const struct driver *d, unsigned tag, uint64_t took)
{
    assert_int_equal(driver_answer(d, tag)->msg.op, STREAM_STORED);
    assert_int_equal(driver_took(d, tag), took);
}

/* An updater of `records` records in sets of `ways`. */
static struct unit *updater(struct bench *b, unsigned records, unsigned ways)
{
    struct unit *u = bench_unit(b, "hitupdater", "hitupdater");
    bench_set(b, u, "records", records);
    bench_set(b, u, "ways", ways);
    return u;
}

/* An updater with a client and a memory that takes FILL cycles. */
static struct driver *simple(struct bench *b, unsigned records, unsigned ways)
{
    struct unit *u = updater(b, records, ways);
    bench_below(b, u, "mem", "data", FILL);
    put_misses(b, MOST);
    return bench_driver(b, u, "hit", "record");
}

static void flush_at(struct bench *b, uint64_t at, uint8_t kernel)
{
    struct driver *d = (struct driver *)bench_unit(b, "driver", "scheduler");
    b->drivers[b->driver_count++] = d;
    bench_link(b, d, "out", b->units[0], "flush", 1);
    driver_ask(d, at, (struct msg){.op = STREAM_FLUSH, .size = kernel}, NULL);
}

/* ---- one set of two ways ---- */

static void build_example(struct bench *b)
{
    struct driver *d = simple(b, 2, 2);
    put(b, 8, 1, 8);
    store(d, 0, 7, 5);
    store(d, 1, 7, 3);
    load(d, 2, 7);
    store(d, 100, 7, 4);
    store(d, 101, 8, 2);
    store(d, 102, 9, 1);
    store(d, 103, 10, 1);
    load(d, 104, 8);
}

static void check_example(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    const struct unit *u = b->units[0];
    below_expect(b->belows[0], "f1060 f1080 b1060 f1080 f10a0 b1080 f1080");
    assert_true(got(d, 2).t == 3);
    assert_int_equal(driver_took(d, 2), 4 * LINK + FILL - 2);
    for (unsigned tag = 0; tag < 6; tag++)
        if (tag != 2)
            assert_stored(d, tag, 2 * LINK);
    /* 10 waits for 8, whose fetch began two cycles before it came. */
    assert_stored(d, 6, 4 * LINK + FILL - 2);
    assert_true(got(d, 7).t == 1);
    assert_true(in_memory(b, 7).t == 3);
    assert_stat(u, "stalls", 2);
    assert_stat(u, "evicted", 2); /* 9, too */
    assert_stat(u, "misses", 5);
    assert_stat(u, "merges", 2);
    assert_stat(u, "hits", 1);
    assert_stat(u, "closer", 4);
    assert_stat(u, "bytes_read", 5 * 16);
    assert_stat(u, "bytes_written", 2 * 16);
}

static void a_set_of_two_ways_as_the_streams_have_it(void **state)
{
    bench_test(build_example, check_example);
}

/* ---- the closer one ---- */

static const struct {
    float t, other_t;
    uint32_t index, other_index;
    bool replaced;
} rules[] = {
    {1, 2, 5, 5, false}, {2, 1, 5, 5, true},   {1, 1, 5, 4, true},
    {1, 1, 5, 5, false}, {1, 1, 5, 6, false},  {2, 1, 1, 9, true},
    {1, 2, 9, 1, false}, {1, 1, ~0u, 7, true}, {0, -0.0f, 4, 3, true},
};

static void build_rules(struct bench *b)
{
    struct driver *d = simple(b, 64, 4);
    for (unsigned i = 0; i < TABLE_COUNT(rules); i++) {
        store_at(d, 0, record(i), rules[i].t, rules[i].index);
        store_at(d, 0, record(i), rules[i].other_t, rules[i].other_index);
        load(d, 200, i);
    }
}

static void check_rules(struct bench *b)
{
    for (unsigned i = 0; i < TABLE_COUNT(rules); i++) {
        struct corbel_hit hit = got(b->drivers[0], 3 * i + 2);
        uint32_t index =
            rules[i].replaced ? rules[i].other_index : rules[i].index;
        assert_int_equal(hit.index, index);
        assert_int_equal(in_memory(b, i).index, index);
    }
}

static void at_equal_distance_the_smaller_index_stays(void **state)
{
    bench_test(build_rules, check_rules);
}

/* ---- where records lie ---- */

/* In partition 0 of two, stripes of four records: all of its records have a
 * set of their own. */
static const unsigned its_own[] = {0, 1, 2, 3, 8, 9, 10, 11};

static void build_sets(struct bench *b)
{
    struct driver *d = simple(b, 8, 1);
    bench_set(b, b->units[0], "map_parts", 2);
    bench_set(b, b->units[0], "map_stride", 64);
    for (unsigned i = 0; i < 16; i++)
        load(d, 100 * (i / 8), its_own[i % 8]);
}

static void check_sets(struct bench *b)
{
    assert_stat(b->units[0], "misses", 8);
    assert_stat(b->units[0], "hits", 8);
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
}

static void sets_are_chosen_by_the_number_of_the_record(void **state)
{
    bench_test(build_sets, check_sets);
}

static const uint64_t nowhere[] = {
    RECORDS + 4,     RECORDS + 8,  RECORDS + 64, /* the other partition */
    BENCH_READ_ONLY, BENCH_MEMORY, 1ull << 40,
};

static void build_refused(struct bench *b)
{
    build_sets(b);
    for (unsigned i = 0; i < TABLE_COUNT(nowhere); i++) {
        struct msg m = {.op = STREAM_HIT_LOAD, .addr = nowhere[i]};
        driver_ask(b->drivers[0], 200, m, NULL);
        store_at(b->drivers[0], 200, nowhere[i], 1, 1);
    }
}

static const char *const why[TABLE_COUNT(nowhere)] = {
    "hit records lie at multiples of 16",
    "hit records lie at multiples of 16",
    "a hit record of another memory partition",
    "a hit record in what programs may not write",
    "a hit record outside of memory",
    "a hit record outside of memory",
};

static void check_refused(struct bench *b)
{
    const struct unit *u = b->units[0];
    char text[100];
    for (unsigned i = 0; i < TABLE_COUNT(nowhere); i++) {
        u->kind->refusal(u, nowhere[i], text, sizeof text);
        assert_string_equal(text, why[i]);
    }
    for (unsigned i = 0; i < TABLE_COUNT(nowhere); i++)
        for (unsigned k = 0; k < 2; k++) {
            const struct answer *a =
                driver_answer(b->drivers[0], 16 + 2 * i + k);
            assert_int_equal(a->msg.op, MEM_FAULT);
            assert_int_equal(a->msg.addr, nowhere[i]);
            assert_int_equal(a->msg.value, b->units[0]->id);
            assert_int_equal(a->msg.aux, k ? MEM_WRITE : MEM_READ);
        }
    check_sets(b);
    assert_stat(b->units[0], "refused", 2 * TABLE_COUNT(nowhere));
    assert_true(in_memory(b, 4).t == FLT_MAX);
}

static void what_is_no_record_of_the_partition_is_refused(void **state)
{
    bench_test(build_refused, check_refused);
}

static void build_memory_refuses(struct bench *b)
{
    struct driver *d = simple(b, 8, 1);
    b->belows[0]->refused = record(2);
    b->belows[0]->refused_until = 50;
    load(d, 0, 2);
    load(d, 1, 2);
    load(d, 100, 2);
}

static void check_memory_refuses(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    for (unsigned tag = 0; tag < 2; tag++) {
        assert_int_equal(driver_answer(d, tag)->msg.op, MEM_FAULT);
        assert_int_equal(driver_value(d, tag), b->belows[0]->unit.id);
    }
    assert_true(got(d, 2).t == FLT_MAX);
    assert_stat(b->units[0], "misses", 2);
}

static void a_fetch_that_memory_refuses_fails_all_that_wait(void **state)
{
    bench_test(build_memory_refuses, check_memory_refuses);
}

/* ---- time ---- */

static void build_rate(struct bench *b)
{
    struct driver *d = simple(b, 64, 8);
    struct driver *e = bench_driver(b, b->units[0], "hit", "record");
    for (unsigned i = 0; i < 8; i++)
        load(d, 0, i);
    for (unsigned i = 0; i < 20; i++) {
        load(d, 100, i % 8);
        store(e, 100, i % 8, 1);
    }
}

/* One a cycle, in turn. */
static void check_rate(struct bench *b)
{
    for (unsigned i = 0; i < 20; i++) {
        const struct answer *e = driver_answer(b->drivers[1], i);
        const struct answer *d = driver_answer(b->drivers[0], 8 + i);
        assert_int_equal(e->at, 100 + 2 * LINK + 2 * i);
        assert_int_equal(d->at, 100 + 2 * LINK + 2 * i + 1);
        assert_true(got(b->drivers[0], 8 + i).t == 1);
    }
    assert_stat(b->units[0], "fetching", 2 * LINK + FILL - 8);
}

static void a_request_is_taken_each_cycle_in_turn(void **state)
{
    bench_test(build_rate, check_rate);
}

static void build_blocked(struct bench *b)
{
    struct driver *d = simple(b, 4, 1);
    struct driver *e = bench_driver(b, b->units[0], "hit", "record");
    load(d, 0, 1);
    load(d, 1, 0);
    load(d, 80, 4);
    load(d, 81, 0); /* waits for 4, of its set */
    load(e, 82, 1); /* that is there, and waits behind it */
}

static void check_blocked(struct bench *b)
{
    assert_int_equal(driver_took(b->drivers[1], 0), 4 * LINK + FILL - 1);
    assert_stat(b->units[0], "stalled", 2 * LINK + FILL - 2);
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
}

static void a_request_without_a_place_blocks_all_others(void **state)
{
    bench_test(build_blocked, check_blocked);
}

/* ---- write-backs ---- */

static void build_flush(struct bench *b)
{
    struct driver *d = simple(b, 16, 4);
    for (unsigned i = 0; i < 8; i += 2)
        store(d, 0, i, 1);
    load(d, 0, 9);
    store(d, 100, 11, 1); /* is being fetched when the flush comes */
    flush_at(b, 10, 1);   /* of another kernel */
    driver_ask(b->drivers[1], 105, (struct msg){.op = STREAM_FLUSH}, NULL);
}

static void check_flush(struct bench *b)
{
    below_expect(b->belows[0], "f1000 f1020 f1040 f1060 f1080 f10a0 "
                               "b1000 b1040 b1020 b1060 b10a0");
    assert_stat(b->units[0], "flushed", 5);
    assert_stat(b->units[0], "bytes_written", 5 * 16);
    assert_true(b->belows[0]->seen[6].at >= 105 + 2 * LINK);
}

static void a_flush_writes_all_that_is_dirty_or_will_be(void **state)
{
    bench_test(build_flush, check_flush);
}

static bool launch(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    put(b, 1, FLT_MAX, CORBEL_MISS);
    engine_launch(b->engine);
    return true;
}

/* A fetch that goes on when the next kernel begins is of use to that. */
static void build_launch(struct bench *b)
{
    struct driver *d = simple(b, 16, 4);
    store(d, 0, 1, 1);
    load(d, 95, 2);
    driver_service(d, 100);
    load(d, 200, 1);
    load(d, 200, 2);
    flush_at(b, 300, 1);
}

static void check_launch(struct bench *b)
{
    below_expect(b->belows[0], "f1000 f1020 b1000 f1000");
    assert_stat(b->units[0], "bytes_written", 16);
    assert_stat(b->units[0], "flushed", 1);
    assert_true(got(b->drivers[0], 3).t == FLT_MAX);
    assert_true(got(b->drivers[0], 1).t == FLT_MAX);
    assert_stat(b->units[0], "hits", 1);
}

static void a_kernel_begins_with_an_empty_cache(void **state)
{
    bench_play(&(struct scenario){
        .build = build_launch, .check = check_launch, .serve = launch});
}

/* A kernel begins before the last one's records are written back, of which only
 * some can wait for the memory; the cache is empty all the same. */
static void build_late_flush(struct bench *b)
{
    struct driver *d = simple(b, 16, 4);
    bench_set(b, b->units[0], "fetches", 2);
    for (unsigned i = 0; i < 8; i++)
        store(d, 60 * i, i, 1);
    driver_service(d, 600);
    load(d, 1000, 7);
    store(d, 1000, 2, 0.5f);
    flush_at(b, 1500, 1);
}

static void check_late_flush(struct bench *b)
{
    assert_stat(b->units[0], "bytes_written", 9 * 16);
    assert_stat(b->units[0], "misses", 10);
    assert_explained(b->units[0], "");
}

static void what_a_kernel_leaves_dirty_is_written_in_the_next(void **state)
{
    bench_play(&(struct scenario){
        .build = build_late_flush, .check = check_late_flush, .serve = launch});
}

static void build_silent(struct bench *b)
{
    struct driver *d = simple(b, 4, 1);
    b->belows[0]->closed_until = 1u << 23;
    load(d, 0, 0);
    load(d, 0, 4);
}

static void check_silent(struct bench *b)
{
    assert_explained(b->units[0], "hitupdater: 1 records are being fetched, a "
                                  "request waits for its place\n");
}

static void it_says_what_it_waits_for(void **state)
{
    bench_play(&(struct scenario){
        .build = build_silent, .check = check_silent, .limit = 500});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_of_two_ways_as_the_streams_have_it),
        cmocka_unit_test(at_equal_distance_the_smaller_index_stays),
        cmocka_unit_test(sets_are_chosen_by_the_number_of_the_record),
        cmocka_unit_test(what_is_no_record_of_the_partition_is_refused),
        cmocka_unit_test(a_fetch_that_memory_refuses_fails_all_that_wait),
        cmocka_unit_test(a_request_is_taken_each_cycle_in_turn),
        cmocka_unit_test(a_request_without_a_place_blocks_all_others),
        cmocka_unit_test(a_flush_writes_all_that_is_dirty_or_will_be),
        cmocka_unit_test(a_kernel_begins_with_an_empty_cache),
        cmocka_unit_test(what_a_kernel_leaves_dirty_is_written_in_the_next),
        cmocka_unit_test(it_says_what_it_waits_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
