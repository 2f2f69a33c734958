/*
 * Contents of a cache, saved as text and loaded into the same cache, or refused
 * by another one.
 */
#include "sim/core/memory_role.h"
#include "sim/units/cache/cache_bench.h"
#include <stdlib.h>

static const char *expected; /* text of an error */

/* What a cache holds after some loads, as text. */
static char *saved;
static size_t saved_size;

static void check_saved(struct bench *b)
{
    free(saved);
    FILE *out = open_memstream(&saved, &saved_size);
    cache_save(b->units[0], out);
    fclose(out);
}

static bool load_saved(struct bench *b, uint64_t now,
                       const struct service_request *request)
{
    struct error e;
    FILE *in = fmemopen(saved, saved_size, "r");
    if (!cache_load(b->units[0], in, &e))
        fail_msg("%s", e.text);
    fclose(in);
    return true;
}

/* The same cache, warm: the script begins with the service that loads. */
static void build_warm(struct bench *b)
{
    build_story(b);
    struct driver *d = b->drivers[0];
    struct ask first = {.at = 0, .service = true};
    for (unsigned i = 0; i < d->count; i++)
        d->asks[i].at += 50;
    driver_service(d, 0);
    memmove(d->asks + 1, d->asks, (d->count - 1) * sizeof *d->asks);
    d->asks[0] = first;
    for (unsigned i = 1; i < d->count; i++)
        d->asks[i].msg.tag = i;
}

static void check_warm(struct bench *b)
{
    const struct story *t = b->scenario->with;
    below_expect(b->belows[0], t->below);
    assert_int_equal(driver_value(b->drivers[0], 1), 109);
}

static void a_cache_may_begin_warm(void **state)
{
    for (int64_t policy = 0; policy < 4; policy += 3) {
        struct story cold = {.settings = {{"replacement", policy}},
                             .steps = {{'l', 0x48},
                                       {'l', 0x80},
                                       {'l', 0x100},
                                       {'l', CONSTANT},
                                       {'l', 0x48}}};
        bench_test_with(build_story, check_saved, &cold);
        /* What is there hits; a new line takes the place of 0x80 (lru). */
        struct story warm = {.settings = {{"replacement", policy}},
                             .steps = {{'l', 0x48},
                                       {'l', CONSTANT},
                                       {'l', 0x200},
                                       {'l', 0x48},
                                       {'l', 0x60}},
                             .below = "r200 r60"};
        bench_play(&(struct scenario){.build = build_warm,
                                      .check = check_warm,
                                      .serve = load_saved,
                                      .with = &warm});
    }
}

static bool load_and_empty(struct bench *b, uint64_t now,
                           const struct service_request *request)
{
    load_saved(b, now, request);
    b->units[0]->kind->memory->empty(b->units[0]);
    check_saved(b);
    assert_null(strstr(saved, "\nline "));
    return true;
}

static void check_empty(struct bench *b)
{
    const struct story *t = b->scenario->with;
    below_expect(b->belows[0], t->below);
}

static void an_emptied_cache_holds_nothing(void **state)
{
    struct story full = {.settings = {{"replacement", 3}},
                         .steps = {{'l', 0x48}, {'s', 0x80, 7}, {'l', 0x100}}};
    bench_test_with(build_story, check_saved, &full);
    assert_non_null(strstr(saved, "\nline "));
    struct story empty = {.settings = {{"replacement", 3}},
                          .steps = {{'l', 0x48}, {'l', 0x80}, {'l', 0x48}},
                          .below = "r40 r80"};
    bench_play(&(struct scenario){.build = build_warm,
                                  .check = check_empty,
                                  .serve = load_and_empty,
                                  .with = &empty});
}

/* The text of a snapshot with one word changed is refused. */
static const char *change_from, *change_to;

static bool load_changed(struct bench *b, uint64_t now,
                         const struct service_request *request)
{
    struct error e;
    char *text = malloc(saved_size + 64);
    assert_non_null(text);
    const char *at = strstr(saved, change_from);
    assert_non_null(at);
    size_t before = (size_t)(at - saved);
    memcpy(text, saved, before);
    strcpy(text + before, change_to);
    strcat(text, at + strlen(change_from));
    FILE *in = fmemopen(text, strlen(text), "r");
    assert_false(cache_load(b->units[0], in, &e));
    if (!strstr(e.text, expected))
        fail_msg("'%s' does not say '%s'", e.text, expected);
    fclose(in);
    free(text);
    return true;
}

/* load_changed, which judges what is said, was called. */
static void check_asked(struct bench *b)
{
    assert_int_equal(b->service_count, 1);
}

static void expect_refused(const char *from, const char *to, const char *text)
{
    struct story t = {.steps = {{'l', 0x48}}};
    change_from = from;
    change_to = to;
    expected = text;
    bench_test_with(build_story, check_saved, &t);
    bench_play(&(struct scenario){.build = build_warm,
                                  .check = check_asked,
                                  .serve = load_changed,
                                  .with = &t});
}

static void a_snapshot_that_does_not_fit_is_refused_by_name(void **state)
{
    expect_refused("ways 4", "ways 8",
                   "cache: ways is 8 in the snapshot, 4 in this chip");
    expect_refused("cache cache", "cache l1", "of cache l1, expected cache");
    expect_refused("line 0 0 0", "line 0 9 0", "does not fit this cache");
    expect_refused("line 0 0 0 0", "line 0 0 0 500000", "does not fit");
    expect_refused("end\n", "", "ends within cache cache");
    expect_refused("end\n", "line 0 0 0 0 1 0\nend\n", "taken already");
    expect_refused("end\n", "line 0 1 0 0 1 1\nend\n", "taken already");
    expect_refused("line 0 0", "lime 0 0", "is no line");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cache_may_begin_warm),
        cmocka_unit_test(an_emptied_cache_holds_nothing),
        cmocka_unit_test(a_snapshot_that_does_not_fit_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
