/*
 * The stream scheduler, of one bank and one partition, with a TM that does what
 * a script says: order, times, kernels, and what it refuses.
 */
#include "sim/units/streamscheduler_client_bench.h"

static const struct toy_run small = {.tms = 1,
                                     .segments = 4,
                                     .tree = (const uint32_t[]){2, 1, 0, 0},
                                     .partitions = 1,
                                     .banks = 1,
                                     .bucket = 128,
                                     .depth = 2,
                                     .jobs = 2,
                                     .low_water = 1,
                                     .active = 8,
                                     .scripted = true};

static struct toy *stager(const struct bench *b)
{
    return (struct toy *)b->units[1];
}

static void play(const struct toy_run *r, void (*build)(struct bench *),
                 void (*check)(struct bench *))
{
    bench_play(&(struct scenario){
        .build = build, .check = check, .with = r, .toy = &toy_kind});
}

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
    play(&r, build_example, check_example);
    r.order = 1;
    for (r.weight = 0; r.weight <= 2; r.weight++)
        play(&r, build_example, check_example);
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
    play(&small, build_five, check_five);
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
    play(&r, build_turns, check_turns);
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
    play(&r, build_one_ray, check_one_ray);
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
    play(&r, build_four_buckets, check_four_buckets);
    r.reads_first = true;
    play(&r, build_four_buckets, check_four_buckets);
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

/* A kernel ends, after so many cycles (rays), while buckets are on their way,
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

/* ---- what it waits for ---- */

static void no_count(struct toy *t)
{
    toy_item(t, 0, 1, 0, 0);
    toy_simple(t, 0, STREAM_LOAD, 0);
}

static void build_no_count(struct bench *b)
{
    toy_chip(b, no_count);
}

static void check_no_count(struct bench *b)
{
    assert_int_equal(b->stop, ENGINE_DEADLOCK);
    assert_explained(b->units[0],
                     "streams: 1 requests for a bucket wait; nobody has said "
                     "how many roots there are; segment 0: 0 of 1 buckets "
                     "traced, 0 at TMs, 0 to be read, 1 not written, its "
                     "parent is not finished\n");
}

static void too_few_roots(struct toy *t)
{
    toy_simple(t, 0, STREAM_ROOTS, 2);
    no_count(t);
}

static void build_too_few(struct bench *b)
{
    toy_chip(b, too_few_roots);
}

static void check_too_few(struct bench *b)
{
    assert_explained(
        b->units[0],
        "streams: 1 requests for a bucket wait; 1 of 2 roots have "
        "come; segment 0: 0 of 1 buckets traced, 0 at TMs, 0 to be "
        "read, 1 not written, its parent is not finished\n");
}

static void it_says_what_it_waits_for(void **state)
{
    play(&small, build_no_count, check_no_count);
    play(&small, build_too_few, check_too_few);
}

/* ---- what is refused ---- */

static void unknown_segment(struct toy *t)
{
    toy_item(t, 0, 1, 4, 0);
    toy_simple(t, 500, STREAM_LOAD, 0);
}

static void late_root(struct toy *t)
{
    toy_simple(t, 0, STREAM_ROOTS, 1);
    toy_item(t, 0, 1, 0, 0);
    toy_item(t, 100, 2, 0, 0);
    toy_simple(t, 500, STREAM_LOAD, 0);
}

static void nothing_to_complete(struct toy *t)
{
    toy_simple(t, 0, STREAM_LOAD, 0);
    toy_simple(t, 0, STREAM_COMPLETE, 3);
}

/* 128 buckets of 227. */
static void full_heap(struct toy *t)
{
    for (uint32_t ray = 0; ray < 128 * 227 + 1; ray++)
        toy_item(t, 0, ray, 0, 0);
    toy_simple(t, 0, STREAM_LOAD, 0);
}

struct refused {
    struct toy_run run; /* first: what the bench is told */
    void (*begin)(struct toy *);
    uint64_t address;
};

static void build_refused(struct bench *b)
{
    const struct refused *r = b->scenario->with;
    toy_chip(b, r->begin);
}

static void check_refused(struct bench *b)
{
    const struct refused *r = b->scenario->with;
    const struct toy *t = stager(b);
    assert_true(t->refused);
    assert_int_equal(t->refusal.addr, r->address);
    assert_int_equal(t->refusal.value, b->units[0]->id);
    assert_int_equal(t->refusal.aux, MEM_READ);
    assert_string_equal(t->said, "");
}

static void play_refused(void (*begin)(struct toy *), uint64_t address,
                         uint32_t bucket, bool no_scene)
{
    struct refused r = {small, begin, address};
    r.run.bucket = bucket;
    r.run.no_scene = no_scene;
    bench_play(&(struct scenario){.build = build_refused,
                                  .check = check_refused,
                                  .with = &r,
                                  .toy = &toy_kind});
}

#define TREELETS (BENCH_READ_ONLY + 8192u)

static void faults_are_told_to_all_that_wait(void **state)
{
    play_refused(unknown_segment, TREELETS + 4 * TOY_TREELET, 128, false);
    play_refused(unknown_segment, 0, 128, true);
    play_refused(late_root, TREELETS, 128, false);
    play_refused(nothing_to_complete, TREELETS + 3 * TOY_TREELET, 128, false);
    play_refused(full_heap, 0x300000, 8192, false);
}

/* ---- building ---- */

#define TM_LINK                                                                \
    {                                                                          \
        "tm", "tp", "op", false                                                \
    }
#define TM_LINKS                                                               \
    TM_LINK,                                                                   \
    {                                                                          \
        "bucket", "tp", "done", true                                           \
    }
#define MEM_LINKS                                                              \
    {"mem", "memory", "cpu", true},                                            \
    {                                                                          \
        "data", "cache", "mem", false                                          \
    }

static void what_cannot_be_built(void **state)
{
    static const struct built all[] = {
        {.links = {TM_LINK}, .error = "1 tm links but 0 bucket links"},
        {.links = {TM_LINKS, {"mem", "memory", "cpu", true}},
         .error = "1 mem links but 0 data links"},
        {.links = {TM_LINKS, {"command", "memory", "cpu", true}},
         .error = "1 command links but 0 complete links"},
        {.links = {TM_LINKS}, .error = "no mem link, and on_chip is 0"},
        {"bucket", 1000, {TM_LINKS}, "bucket: 1000 is no power of two"},
        {"stride",
         1024,
         {TM_LINKS},
         "stride: 1024 is no power of two, or less than a bucket"},
    };
    for (unsigned i = 0; i < TABLE_COUNT(all); i++)
        expect_not_built("streamscheduler", &all[i]);
}

/* ---- scenes ---- */

static void nothing(struct toy *t)
{
}

static void build_scenes(struct bench *b)
{
    toy_chip(b, nothing);
}

static void expect_read(const struct bench *b, uint32_t treelets,
                        uint32_t bytes, const char *why)
{
    const struct corbel_scene scene = {.treelets = treelets,
                                       .treelet_bytes = bytes};
    struct error e = {""};
    const struct unit *u = b->units[0];
    assert_int_equal(u->kind->reads(u, &scene, &e), !why);
    assert_string_equal(e.text, why ? why : "");
}

static void check_scenes(struct bench *b)
{
    expect_read(b, 0, 0, NULL);
    expect_read(b, 40, 1024, NULL);
    expect_read(b, 41, 1024,
                "41 treelets, the stream scheduler has room for 40: -s "
                "streamscheduler.segments=41");
    expect_read(b, 40, 2048,
                "treelets of 2048 bytes, the scene buffer has 1024");
}

static void scenes_that_are_too_large(void **state)
{
    struct toy_run r = small;
    r.active = 0;
    r.slots = 2;
    play(&r, build_scenes, check_scenes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_that_of_the_policy),
        cmocka_unit_test(a_tm_gets_buckets_in_order),
        cmocka_unit_test(tms_of_a_bank_take_turns),
        cmocka_unit_test(buckets_travel_64_bytes_a_cycle),
        cmocka_unit_test(reads_wait_for_writes_or_not),
        cmocka_unit_test(a_kernel_begins_anew),
        cmocka_unit_test(it_says_what_it_waits_for),
        cmocka_unit_test(faults_are_told_to_all_that_wait),
        cmocka_unit_test(what_cannot_be_built),
        cmocka_unit_test(scenes_that_are_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
