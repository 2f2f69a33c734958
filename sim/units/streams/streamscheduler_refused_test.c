/*
 * What a stream scheduler says: what it waits for, what it refuses, what cannot
 * be built, and which scenes are too large for it.
 */
#include "sim/units/streams/streamscheduler_client_bench.h"

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
                     "streams: 1 requests for a bucket wait; no hart has said "
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
    play_script(&small, build_no_count, check_no_count);
    play_script(&small, build_too_few, check_too_few);
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

static void unknown_late(struct toy *t)
{
    toy_simple(t, 0, STREAM_ROOTS, 1);
    toy_item(t, 0, 1, 0, 0);
    toy_simple(t, 0, STREAM_LOAD, 0);
    toy_simple(t, 500, STREAM_COMPLETE, 0);
    toy_item(t, 1000, 1, 1, 0);
    toy_simple(t, 1500, STREAM_LOAD, 0);
}

static void two_counts(struct toy *t)
{
    toy_simple(t, 0, STREAM_ROOTS, 2);
    toy_simple(t, 0, STREAM_ROOTS, 2);
    toy_simple(t, 0, STREAM_LOAD, 0);
}

static void count_after_more(struct toy *t)
{
    toy_item(t, 0, 1, 0, 0);
    toy_item(t, 0, 2, 0, 0);
    toy_simple(t, 0, STREAM_ROOTS, 1);
    toy_simple(t, 0, STREAM_LOAD, 0);
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
    const char *text;
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
    char text[200] = "";
    const struct unit *u = b->units[0];
    u->kind->refusal(u, r->address, text, sizeof text);
    assert_string_equal(text, r->text);
}

static void play_refused(void (*begin)(struct toy *), uint64_t address,
                         uint32_t bucket, bool no_scene, const char *text)
{
    struct refused r = {small, begin, address, text};
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
    play_refused(unknown_segment, TREELETS + 4 * TOY_TREELET, 128, false,
                 "item of treelet 4, the scene has 4");
    play_refused(unknown_segment, 0, 128, true,
                 "item of treelet 4, the scene has 0");
    play_refused(late_root, TREELETS, 128, false,
                 "2 items of treelet 0, 1 were announced");
    play_refused(count_after_more, TREELETS, 128, false,
                 "2 items of treelet 0, 1 were announced");
    play_refused(two_counts, TREELETS, 128, false,
                 "how many items of treelet 0 there are is announced twice");
    play_refused(unknown_late, TREELETS + TOY_TREELET, 128, false,
                 "item of treelet 1, which gets no more items");
    play_refused(nothing_to_complete, TREELETS + 3 * TOY_TREELET, 128, false,
                 "end of a bucket of treelet 3, of which no TM has one");
    play_refused(full_heap, 0x300000, 8192, false,
                 "buckets take more than 1 MiB: -s streamscheduler.heap=MIB");
}

/* ---- what others refuse ---- */

static void check_not_fetched(struct bench *b)
{
    assert_true(stager(b)->refused);
    assert_int_equal(stager(b)->refusal.addr, 0x777);
    assert_int_equal(stager(b)->refusal.value, b->units[3]->id);
}

static void a_segment_that_cannot_be_fetched_is_a_fault(void **state)
{
    struct toy_run r = small;
    r.slots = 2;
    r.fetch_fails = true;
    play_script(&r, build_no_count, check_not_fetched);
}

/* ---- why a TM waits ---- */

static void late_count(struct toy *t)
{
    for (uint32_t ray = 0; ray < 3; ray++)
        toy_item(t, 0, ray, 0, 0);
    toy_simple(t, 0, STREAM_LOAD, 0);
    toy_simple(t, 1000, STREAM_ROOTS, 3);
}

static void build_late_count(struct bench *b)
{
    toy_chip(b, late_count);
}

static void check_late_count(struct bench *b)
{
    assert_true(bench_stat(b->units[0], "no_bucket") > 900);
    assert_stat(b->units[0], "not_fetched", 0);
}

static void before_the_count_there_is_no_bucket(void **state)
{
    play_script(&small, build_late_count, check_late_count);
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
    play_script(&r, build_scenes, check_scenes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_what_it_waits_for),
        cmocka_unit_test(faults_are_told_to_all_that_wait),
        cmocka_unit_test(a_segment_that_cannot_be_fetched_is_a_fault),
        cmocka_unit_test(before_the_count_there_is_no_bucket),
        cmocka_unit_test(what_cannot_be_built),
        cmocka_unit_test(scenes_that_are_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
