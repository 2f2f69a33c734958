/*
 * What a cache tells of its requests: how deep an answer comes from, why loads
 * miss, and what is noted for the check of memory.
 */
#include "sim/units/cache/cache_bench.h"
#include "sim/units/common/check_log.h"
#include <stdlib.h>

static const char *expected; /* notes */

/* ---- where it was found ---- */

static void build_depth(struct bench *b)
{
    const bool *bypass = b->scenario->with;
    struct unit *l1 = bench_unit(b, "cache", "l1");
    struct unit *l2 = bench_unit(b, "cache", "l2");
    bench_set(b, l2, "owner", 1);
    bench_link(b, l1, "mem", l2, "cpu", 8);
    bench_link(b, l2, "reply", l1, "fill", 0);
    bench_below(b, l2, "mem", "fill", FAR);
    struct driver *d = bench_driver(b, l1, "cpu", "reply");
    struct driver *e = bench_driver(b, l2, "cpu", "reply");
    struct msg m = {.op = MEM_READ, .addr = 0x40, .size = 8, .flags = *bypass};
    driver_ask(d, 0, m, NULL);
    driver_ask(d, 1, m, NULL);
    driver_load(d, 400, 0x40);
    driver_load(e, 600, 0x80);
    driver_load(d, 800, 0x80);
}

static void check_depth(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    assert_int_equal(driver_answer(d, 0)->msg.flags, 2);
    assert_int_equal(driver_answer(d, 1)->msg.flags, 2 | MEM_JOINED);
    assert_int_equal(driver_answer(d, 2)->msg.flags,
                     *(const bool *)b->scenario->with ? 1 : 0);
    assert_int_equal(driver_answer(b->drivers[1], 0)->msg.flags, 1);
    assert_int_equal(driver_answer(d, 3)->msg.flags, 1);
}

static void answers_say_how_deep_they_come_from(void **state)
{
    bench_test_with(build_depth, check_depth, &(bool){false});
    bench_test_with(build_depth, check_depth, &(bool){true});
}

/* ---- why loads miss ---- */

static void misses_are_classified(void **state)
{
    struct story t = {
        .settings = {{"classify", 1}, {"ways", 1}, {"size", 512}},
        /* lines 0 and 4 share a set of four; 1, 2, 3, 5 do not */
        .steps = {{'l', 0},
                  {'l', 0x200},
                  {'l', 0}, /* conflict */
                  {'l', 0x80},
                  {'l', 0x100},
                  {'l', 0x180},
                  {'l', 0x280}, /* evicts 0x80, in the shadow 0x200 and 0 */
                  {'l', 0x200}, /* capacity */
                  {'f'},
                  {'l', 0x200}, /* coherence */
                  {'l', 0x220}},
        .stats = {{"miss_compulsory", 7},
                  {"miss_conflict", 1},
                  {"miss_capacity", 1},
                  {"miss_coherence", 1},
                  {"misses_read", 10}}};
    play_story(t);
    t.settings[0].value = 0;
    for (unsigned i = 0; i < 4; i++)
        t.stats[i].value = 0;
    play_story(t);
}

/* ---- what is noted for the check of memory ---- */

static struct check_log logs[4];

static void build_notes(struct bench *b)
{
    for (unsigned i = 0; i < 4; i++)
        logs[i].count = 0;
    b->machine.check_logs = logs;
    build_story(b);
}

/* The notes of the cache's tile, e.g. "p48=7 o48=7": p performed, u updated,
 * o old, s store, d dropped. */
static void check_notes(struct bench *b)
{
    static const char letters[] = {[CHECK_STORE] = 's',
                                   [CHECK_PERFORMED] = 'p',
                                   [CHECK_UPDATED] = 'u',
                                   [CHECK_OLD] = 'o',
                                   [CHECK_DROPPED] = 'd'};
    const struct check_log *log = &logs[unit_tile_number(b->units[0])];
    char text[256] = "";
    for (unsigned i = 0; i < log->count; i++) {
        const struct check_record *r = &log->records[i];
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "%s%c%llx=%llu", at ? " " : "",
                 letters[r->kind], (unsigned long long)r->addr,
                 (unsigned long long)r->value);
    }
    check_story(b);
    assert_string_equal(text, expected);
}

static void play_notes(const char *notes, struct story t)
{
    expected = notes;
    bench_test_with(build_notes, check_notes, &t);
}

static void what_is_performed_is_noted(void **state)
{
    play_notes("p48=7 o48=7 p48=8",
               (struct story){.settings = {{"owner", 1}},
                              .steps = {{'s', 0x48, 7}, {'a', 0x48, 1}}});
    play_notes("d40=0 d0=0",
               (struct story){.steps = {{'l', 0x48}, {'a', 0x48, 1}, {'f'}}});
    play_notes("o48=109 s48=110 u48=110",
               (struct story){.settings = {{"write", 2}, {"atomics", 1}},
                              .steps = {{'a', 0x48, 1}}});
    for (unsigned i = 0; i < 4; i++) {
        free(logs[i].records);
        logs[i] = (struct check_log){0};
    }
}

/* ---- what it waits for ---- */

static void build_waiting(struct bench *b)
{
    small_cache(b, 4);
    driver_load(b->drivers[0], 0, 0x40);
    driver_store(b->drivers[0], 0, 0x200, 1);
}

static void check_waiting(struct bench *b)
{
    assert_explained(b->units[0],
                     "cache: 1 sectors being fetched, 1 requests passed on, 0 "
                     "write-backs not answered, 0 lr waiting for their turn, 0 "
                     "messages waiting for nothing\n");
}

static void check_quiet(struct bench *b)
{
    assert_explained(b->units[0], "");
}

static void what_is_under_way_is_explained(void **state)
{
    bench_play(&(struct scenario){.build = build_waiting,
                                  .check = check_waiting,
                                  .limit = LINK + LATENCY + 10});
    bench_test(build_waiting, check_quiet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_say_how_deep_they_come_from),
        cmocka_unit_test(misses_are_classified),
        cmocka_unit_test(what_is_performed_is_noted),
        cmocka_unit_test(what_is_under_way_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
