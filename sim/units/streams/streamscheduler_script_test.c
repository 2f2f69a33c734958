/*
 * The stream scheduler, of one bank and one partition, with a TM that does what
 * a script says: order, times, kernels.
 */
#include "sim/units/streams/streamscheduler_client_bench.h"

/* ---- a tree 0 -> {1, 2}, 1 -> {3}, buckets of three ---- */

static void send_roots(struct toy *t, uint64_t at)
{
    toy_simple(t, at, STREAM_ROOTS, 5);
    for (uint32_t ray = 0; ray < 5; ray++)
        toy_ray(t, at, ray, 0, 0, ray == 4);
}

/* What has been traced, then the next bucket is asked for. */
static void next(struct toy *t, uint64_t at, uint32_t finished)
{
    toy_simple(t, at, STREAM_COMPLETE, finished);
    toy_simple(t, at + 500, STREAM_LOAD, 0);
}

static void trace_root(struct toy *t)
{
    send_roots(t, 0);
    toy_simple(t, 500, STREAM_LOAD, 0);
    toy_item(t, 1000, 0, 1, 0);
    toy_item(t, 1000, 0, 2, 1);
    toy_item(t, 1000, 1, 2, 0);
    toy_item(t, 1000, 2, 1, 0);
    toy_item(t, 1000, 2, 2, 1);
    toy_simple(t, 1500, STREAM_LOAD, 0);
    toy_simple(t, 2000, STREAM_COMPLETE, 0);
    next(t, 2000, 0);
    toy_item(t, 3000, 0, 3, 0);
    next(t, 3000, 1);
}

static void depth_first(struct toy *t)
{
    trace_root(t);
    next(t, 4000, 3);
    next(t, 5000, 2);
    toy_simple(t, 6000, STREAM_LOAD, 0);
}

static void breadth_first(struct toy *t)
{
    trace_root(t);
    next(t, 4000, 2);
    next(t, 5000, 3);
    toy_simple(t, 6000, STREAM_LOAD, 0);
}

static void build_example(struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    toy_chip(b, r->order ? depth_first : breadth_first);
}

static void check_example(struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    const struct unit *u = b->units[0];
    const char *said = r->order ? "0:0,1,2 0:3 1:0,2 3:0 2:0,1,2 "
                                : "0:0,1,2 0:3 1:0,2 2:0,1,2 3:0 ";
    assert_string_equal(stager(b)->said, said);
    assert_int_equal(stager(b)->ends, 2);
    assert_stat(u, "items", 11);
    assert_stat(u, "dead", 1);
    assert_stat(u, "dead_roots", 1);
    assert_stat(u, "live_roots", 4);
    assert_stat(u, "written_roots", 2);
    assert_stat(u, "retired", 5);
    assert_stat(u, "bytes_written", 5 * 128);
    assert_stat(u, "bytes_read", 5 * 128);
    assert_stat(u, "fetched", 4);
    assert_stat(u, "single", 3);
    assert_stat(u, "culled", 0);
}

static void the_order_is_that_of_the_policy(void **state)
{
    struct toy_run r = small;
    play_script(&r, build_example, check_example);
    r.order = 1;
    for (r.weight = 0; r.weight <= 2; r.weight++)
        play_script(&r, build_example, check_example);
}

/* A TM has four requests that are not answered, at most: the fifth waits. */
static void five_buckets(struct toy *t)
{
    for (uint32_t ray = 0; ray < 15; ray++)
        toy_item(t, 0, ray, 0, 0);
    toy_simple(t, 0, STREAM_ROOTS, 15);
    for (int i = 0; i < 5; i++)
        toy_simple(t, 100, STREAM_LOAD, 0);
}

static void build_five(struct bench *b)
{
    toy_chip(b, five_buckets);
}

static void check_five(struct bench *b)
{
    assert_string_equal(stager(b)->said, "0:0,1,2 0:3,4,5 0:6,7,8 0:9,10,11 "
                                         "0:12,13,14 ");
}

static void a_tm_gets_buckets_in_order(void **state)
{
    play_script(&small, build_five, check_five);
}

/* Two at a bank: 0 sends rays 0 and 2, 1 sends 1 and 3. */
static void take_turns(struct toy *t)
{
    toy_item(t, 0, t->number, 0, 0);
    toy_item(t, 0, t->number + 2, 0, 0);
    if (t->number)
        return;
    toy_simple(t, 0, STREAM_ROOTS, 4);
    toy_simple(t, 100, STREAM_LOAD, 0);
}

static void build_turns(struct bench *b)
{
    toy_chip(b, take_turns);
}

static void check_turns(struct bench *b)
{
    assert_string_equal(stager(b)->said, "0:0,1,2 ");
}

static void tms_of_a_bank_take_turns(void **state)
{
    struct toy_run r = small;
    r.tms = 2;
    play_script(&r, build_turns, check_turns);
}

/* ---- times ---- */

/* One ray in a bucket of 2048 bytes: a TM has it when the last bytes come. */
static void one_ray(struct toy *t)
{
    toy_simple(t, 0, STREAM_ROOTS, 1);
    toy_item(t, 0, 7, 0, 0);
    toy_simple(t, 500, STREAM_LOAD, 0);
}

static void build_one_ray(struct bench *b)
{
    toy_chip(b, one_ray);
}

static void check_one_ray(struct bench *b)
{
    const struct toy *t = stager(b);
    /* There, to the channel in the same cycle, to the TM in the next one. */
    assert_int_equal(t->head_at, 500 + LINK + 1 + LINK);
    assert_int_equal(t->last_at - t->head_at, 2048 / 64 - 1);
    assert_string_equal(t->said, "0:7 ");
}

static void buckets_travel_64_bytes_a_cycle(void **state)
{
    struct toy_run r = small;
    r.bucket = 2048;
    r.on_chip = true;
    play_script(&r, build_one_ray, check_one_ray);
}

/* Four TMs and banks, one ray each: four buckets of 128 cycles are written, and
 * the first is asked for then. */
static void four_buckets(struct toy *t)
{
    toy_item(t, 0, t->number, 0, 0);
    if (t->number)
        return;
    toy_simple(t, 0, STREAM_ROOTS, 4);
    toy_simple(t, 40, STREAM_LOAD, 0);
}

static void build_four_buckets(struct bench *b)
{
    toy_chip(b, four_buckets);
}

static void check_four_buckets(struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    uint64_t head = stager(b)->head_at;
    assert_in_range(head, r->reads_first ? 128 : 4 * 128,
                    r->reads_first ? 150 : 4 * 128 + 22);
}

static void reads_wait_for_writes_or_not(void **state)
{
    struct toy_run r = small;
    r.tms = r.banks = 4;
    r.bucket = 8192;
    r.on_chip = true;
    r.jobs = 8;
    r.partitions = 1;
    play_script(&r, build_four_buckets, check_four_buckets);
    r.reads_first = true;
    play_script(&r, build_four_buckets, check_four_buckets);
}

/* ---- commands that wait ---- */

/* All segments below 0 are finished at once, and nothing happens then. */
static void finish_together(struct toy *t)
{
    toy_simple(t, 0, STREAM_ROOTS, 1);
    toy_item(t, 0, 1, 0, 0);
    toy_simple(t, 0, STREAM_LOAD, 0);
    for (uint32_t segment = 1; segment <= 8; segment++)
        toy_item(t, 500, segment, segment, 0);
    toy_simple(t, 1000, STREAM_COMPLETE, 0);
    for (uint32_t segment = 1; segment <= 9; segment++)
        toy_simple(t, 2000 + 200 * segment, STREAM_LOAD, 0);
    for (uint32_t segment = 1; segment <= 8; segment++)
        toy_simple(t, 5000, STREAM_COMPLETE, segment);
}

static void build_slow(struct bench *b)
{
    toy_chip(b, finish_together);
}

static void check_slow(struct bench *b)
{
    assert_string_equal(stager(b)->said,
                        "0:1 1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8 ");
    assert_int_equal(stager(b)->ends, 1);
}

static void a_command_without_room_is_sent_later(void **state)
{
    struct toy_run r = small;
    r.tree = (const uint32_t[]){8, 0, 0, 0, 0, 0, 0, 0, 0};
    r.segments = r.slots = r.active = 9;
    r.depth = 1;
    r.slow = 50;
    play_script(&r, build_slow, check_slow);
}

/* ---- kernels ---- */

static bool launch(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    engine_launch(b->engine);
    return true;
}

static void stale(struct toy *t)
{
    t->out[t->count - 1].stale = true;
}

/* A kernel ends, after `rays` cycles, while buckets are on their way,
 * open or asked for; messages of it come late. The next one begins anew. */
static void two_kernels(struct toy *t)
{
    uint64_t end = t->run->rays;
    for (uint32_t ray = 10; ray < 21; ray++)
        toy_item(t, 0, ray, 0, 0);
    toy_simple(t, 0, STREAM_ROOTS, 100);
    toy_simple(t, 0, STREAM_LOAD, 0);
    toy_simple(t, end, STREAM_LOAD, 0);
    toy_queue(t, end, (struct msg){0}, NULL);
    t->out[t->count - 1].service = true;
    toy_simple(t, end, STREAM_LOAD, 0);
    stale(t);
    toy_item(t, end, 8, 0, 0);
    stale(t);
    toy_simple(t, end, STREAM_ROOTS, 2);
    toy_item(t, end, 5, 0, 0);
    toy_item(t, end, 6, 0, 0);
    toy_simple(t, end, STREAM_LOAD, 0);
}

static void build_kernels(struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    toy_chip(b, two_kernels);
    b->belows[0]->closed_until = r->dead; /* what is written waits */
}

static void check_kernels(struct bench *b)
{
    const char *last = strstr(stager(b)->said, "0:5,6 ");
    assert_non_null(last);
    assert_string_equal(last, "0:5,6 ");
    assert_int_equal(stager(b)->kernel, 1);
    assert_explained(b->units[0],
                     "streams: 0 requests for a bucket wait; segment 0: 0 of 1 "
                     "buckets traced, 1 at TMs, 0 to be read, 0 not written\n");
}

static void a_kernel_begins_anew(void **state)
{
    struct toy_run r = small;
    for (r.rays = 20; r.rays < 200; r.rays += 4)
        for (r.dead = 0; r.dead < 200; r.dead += 190)
            bench_play(&(struct scenario){.build = build_kernels,
                                          .check = check_kernels,
                                          .serve = launch,
                                          .with = &r,
                                          .toy = &toy_kind});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_that_of_the_policy),
        cmocka_unit_test(a_tm_gets_buckets_in_order),
        cmocka_unit_test(tms_of_a_bank_take_turns),
        cmocka_unit_test(buckets_travel_64_bytes_a_cycle),
        cmocka_unit_test(reads_wait_for_writes_or_not),
        cmocka_unit_test(a_command_without_room_is_sent_later),
        cmocka_unit_test(a_kernel_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
