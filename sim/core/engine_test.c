/*
 * The engine's promises, on toy units: results depend on nothing but the chip.
 */
#include "sim/core/toys.h"
#include <setjmp.h>
#include <stdarg.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static void compare_ways_to_run(const struct toys *toys)
{
    struct outcome first =
        toys_run(toys, (struct engine_options){.threads = 1}, 1u << 30);
    assert_int_equal(first.stop, ENGINE_DEADLOCK);
    assert_int_equal(first.buckets, first.cycle * TILES * EACH);
    for (unsigned i = 1; i < 2 * 2 * 3 * 4 * 4; i++) {
        static const unsigned epochs[] = {0, 1, 3, 9}, threads[] = {1, 2, 3, 7};
        static const enum engine_schedule schedules[] = {
            SCHEDULE_MEASURED, SCHEDULE_FIXED, SCHEDULE_DYNAMIC};
        struct outcome o = toys_run(toys,
                                    (struct engine_options){
                                        .no_skip = i & 1,
                                        .reverse_order = i >> 1 & 1,
                                        .schedule = schedules[i / 4 % 3],
                                        .epoch = epochs[i / 12 % 4],
                                        .threads = threads[i / 48],
                                    },
                                    1u << 30);
        assert_int_equal(o.hash, first.hash);
        assert_int_equal(o.cycle, first.cycle);
    }
}

static void results_do_not_depend_on_how_it_runs(void **state)
{
    (void)state;
    compare_ways_to_run(&toys_usual);
    compare_ways_to_run(&toys_two_sides);
}

/* The sides run in turn, on one thread. */
static void two_sides_run_longer_than_the_epoch(void **state)
{
    (void)state;
    static const unsigned asked[] = {0, 0, 7, 9, 14}, got[] = {14, 7, 7, 9, 14};
    for (unsigned i = 0; i < 5; i++) {
        struct chip *chip = toy_chip(&toys_two_sides);
        struct toy_server host = {0};
        struct engine_hooks hooks = {.context = &host, .service = toy_serve};
        struct engine_options options = {.threads = i == 1 ? 2 : 1,
                                         .epoch = asked[i]};
        struct engine *engine = engine_new(chip, &options, &hooks);
        assert_int_equal(chip_epoch(chip), 7);
        assert_int_equal(chip_longest_epoch(chip), 14);
        assert_int_equal(engine_epoch(engine), got[i]);
        engine_free(engine);
        chip_free(chip);
    }
}

/* Wherever a run stops, which is between turns or not, it goes on. */
static void stops_change_nothing(void **state)
{
    (void)state;
    struct outcome whole = toys_run(
        &toys_two_sides, (struct engine_options){.threads = 1}, 1u << 30);
    for (unsigned step = 1; step < 40; step += 3) {
        struct chip *chip = toy_chip(&toys_two_sides);
        struct toy_server host = {0};
        struct engine_hooks hooks = {.context = &host, .service = toy_serve};
        struct engine_options options = {.threads = 1 + step % 2};
        struct engine *engine = engine_new(chip, &options, &hooks);
        enum engine_stop stop = ENGINE_LIMIT;
        for (uint64_t limit = step; stop == ENGINE_LIMIT; limit += step)
            stop = engine_run(engine, limit, 0);
        struct outcome o = toy_outcome(chip, engine_cycle(engine), &host, stop);
        assert_int_equal(o.hash, whole.hash);
        assert_int_equal(o.cycle, whole.cycle);
        engine_free(engine);
        chip_free(chip);
    }
}

enum { INTERVAL = 14 };

/* Stops the run each few cycles. */
struct stopper {
    struct toy_server host; /* first: services get it */
    uint64_t every, next;
    uint64_t borders; /* the sum of their cycles */
};

static void border(void *context, uint64_t now)
{
    struct stopper *s = context;
    s->borders += now;
}

static bool stop_at(void *context, uint64_t now)
{
    struct stopper *s = context;
    if (now < s->next)
        return true;
    s->next = now + s->every;
    return false;
}

/* By turns it is watched cycle by cycle, in epochs, and not at all up to a
 * limit. */
static enum engine_stop run_in_pieces(struct engine *engine,
                                      const struct engine_hooks *hooks,
                                      struct stopper *s)
{
    enum engine_stop stop = ENGINE_LIMIT;
    for (unsigned i = 0; stop == ENGINE_STOPPED || stop == ENGINE_LIMIT; i++) {
        struct engine_hooks now = *hooks;
        uint64_t limit = CYCLE_NEVER;
        s->next = engine_cycle(engine) + s->every;
        if (i % 3 == 2) {
            now.still = NULL;
            limit = s->next;
        }
        engine_listen(engine, &now, i % 3 == 0);
        stop = engine_run(engine, limit, INTERVAL);
        if (stop == ENGINE_STOPPED)
            assert_true(engine_cycle(engine) >= s->next - s->every);
    }
    return stop;
}

static void a_hook_that_stops_and_changes_changes_nothing(void **state)
{
    (void)state;
    struct outcome whole = toys_run(
        &toys_two_sides, (struct engine_options){.threads = 1}, 1u << 30);
    for (unsigned every = 1; every < 40; every += 3) {
        struct chip *chip = toy_chip(&toys_two_sides);
        struct stopper s = {.every = every};
        struct engine_hooks hooks = {.context = &s,
                                     .service = toy_serve,
                                     .interval = border,
                                     .still = stop_at};
        struct engine_options options = {.threads = 1 + every % 2};
        struct engine *engine = engine_new(chip, &options, &hooks);
        enum engine_stop stop = run_in_pieces(engine, &hooks, &s);
        struct outcome o =
            toy_outcome(chip, engine_cycle(engine), &s.host, stop);
        const uint64_t borders = o.cycle / INTERVAL;
        assert_int_equal(o.stop, ENGINE_DEADLOCK);
        assert_int_equal(o.hash, whole.hash);
        assert_int_equal(o.cycle, whole.cycle);
        assert_int_equal(s.borders, INTERVAL * borders * (borders + 1) / 2);
        engine_free(engine);
        chip_free(chip);
    }
}

static void a_limit_stops_at_its_cycle(void **state)
{
    (void)state;
    struct outcome o =
        toys_run(&toys_usual, (struct engine_options){.threads = 1}, 123);
    struct outcome p = toys_run(
        &toys_usual,
        (struct engine_options){.threads = 2, .no_skip = true, .epoch = 1},
        123);
    assert_int_equal(o.stop, ENGINE_LIMIT);
    assert_int_equal(o.cycle, 123);
    assert_int_equal(o.hash, p.hash);
}

/* A watcher that ends the run at its fourth look. */
struct watcher {
    struct toy_server host; /* first: services get it */
    uint64_t looks[8];
    unsigned count;
};

static bool look(void *context, uint64_t now)
{
    struct watcher *w = context;
    w->looks[w->count++] = now;
    return w->count < 4;
}

static struct outcome run_watched(struct engine_options options)
{
    struct watcher w = {0};
    struct engine_hooks hooks = {
        .context = &w, .service = toy_serve, .watch = look};
    struct chip *chip = toy_chip(&toys_usual);
    options.watch = 100; /* the grid is 14 */
    struct engine *engine = engine_new(chip, &options, &hooks);
    enum engine_stop stop = engine_run(engine, 1u << 30, 0);
    struct outcome o = toy_outcome(chip, engine_cycle(engine), &w.host, stop);
    engine_free(engine);
    chip_free(chip);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(w.looks[i], (i + 1) * 112);
    return o;
}

static void a_watcher_looks_in_the_same_cycles_with_all_options(void **state)
{
    (void)state;
    struct outcome one = run_watched((struct engine_options){.threads = 1});
    assert_int_equal(one.stop, ENGINE_STOPPED);
    assert_int_equal(one.cycle, 448);
    for (unsigned i = 1; i < 8; i++) {
        struct outcome o = run_watched((struct engine_options){
            .threads = 1 + (i & 1), .no_skip = i & 2, .epoch = i & 4 ? 1 : 0});
        assert_int_equal(o.hash, one.hash);
        assert_int_equal(o.cycle, one.cycle);
    }
}

/* Services that take long: units sleep until an alarm. */
struct sleepers {
    struct toy_server host; /* first: services get it */
    struct engine *engine;
    struct service_request asleep[256]; /* cycle: when it is to wake */
    unsigned count, alarms;
};

static bool serve_later(void *context, uint64_t now,
                        const struct service_request *request)
{
    struct sleepers *s = context;
    struct service_request *r = &s->asleep[s->count++];
    *r = *request;
    r->cycle = now + 1 + (request->tag + request->unit->id) % 5 * 333;
    engine_alarm(s->engine, r->cycle);
    return true;
}

static bool wake_sleepers(void *context, uint64_t now)
{
    struct sleepers *s = context;
    unsigned kept = 0;
    s->alarms++;
    for (unsigned i = 0; i < s->count; i++) {
        if (s->asleep[i].cycle <= now)
            toy_serve(context, now, &s->asleep[i]);
        else
            s->asleep[kept++] = s->asleep[i];
    }
    assert_true(kept < s->count);
    s->count = kept;
    for (unsigned i = 0; i < kept; i++)
        engine_alarm(s->engine, s->asleep[i].cycle);
    return true;
}

static struct outcome run_sleepers(struct engine_options options)
{
    struct sleepers s = {0};
    struct engine_hooks hooks = {
        .context = &s, .service = serve_later, .alarm = wake_sleepers};
    struct chip *chip = toy_chip(&toys_usual);
    s.engine = engine_new(chip, &options, &hooks);
    enum engine_stop stop = engine_run(s.engine, CYCLE_NEVER, 0);
    struct outcome o = toy_outcome(chip, engine_cycle(s.engine), &s.host, stop);
    assert_true(s.alarms > 3);
    assert_int_equal(s.count, 0);
    engine_free(s.engine);
    chip_free(chip);
    return o;
}

static void alarms_come_in_the_same_cycle_with_all_options(void **state)
{
    (void)state;
    static const struct engine_options options[] = {
        {.threads = 1, .epoch = 1},
        {.threads = 2},
        {.threads = 2, .schedule = SCHEDULE_DYNAMIC},
        {.threads = 1, .no_skip = true},
        {.threads = 1, .reverse_order = true},
    };
    struct outcome o = run_sleepers((struct engine_options){.threads = 1});
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct outcome p = run_sleepers(options[i]);
        assert_int_equal(o.hash, p.hash);
        assert_int_equal(o.cycle, p.cycle);
        assert_int_equal(o.stop, p.stop);
    }
}

/* Where the alarm came, and how often. */
struct rung {
    uint64_t at;
    unsigned count;
};

static bool end_there(void *context, uint64_t now)
{
    struct rung *r = context;
    r->at = now;
    r->count++;
    return false;
}

static void an_alarm_may_be_set_before_the_run_and_end_it(void **state)
{
    (void)state;
    enum { DUE = 5000 };
    static const struct engine_options options[] = {
        {.threads = 1}, {.threads = 2, .no_skip = true}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct chip *chip = chip_new((const struct unit_kind *[]){NULL}, NULL);
        struct error error;
        struct rung rung = {0};
        struct engine_hooks hooks = {.context = &rung, .alarm = end_there};
        chip_tile(chip, "alone");
        assert_true(chip_finish(chip, &error));
        struct engine *e = engine_new(chip, &options[i], &hooks);
        engine_alarm(e, DUE);
        assert_int_equal(engine_run(e, CYCLE_NEVER, 0), ENGINE_STOPPED);
        assert_int_equal(rung.count, 1);
        assert_int_equal(rung.at, engine_cycle(e));
        assert_true(rung.at >= DUE && rung.at < DUE + chip_grid(chip));
        engine_free(e);
        chip_free(chip);
    }
}

static void the_epoch_is_the_least_latency_between_tiles(void **state)
{
    (void)state;
    struct chip *chip = toy_chip(&toys_usual);
    assert_int_equal(chip_epoch(chip), 7);
    assert_int_equal(chip_longest_epoch(chip), 7); /* all are linked to all */
    chip_free(chip);
}

static void all_messages_arrive(void **state)
{
    (void)state;
    struct chip *chip = toy_chip(&toys_usual);
    struct toy_server host = {0};
    struct engine_hooks hooks = {.context = &host, .service = toy_serve};
    struct engine_options options = {.threads = 1};
    struct engine *engine = engine_new(chip, &options, &hooks);
    engine_run(engine, 1u << 30, 0);
    uint64_t sent = 0, got = 0;
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        const struct toy *t = (const struct toy *)chip_unit_at(chip, i);
        sent += t->stats.sent;
        got += t->stats.got;
        assert_int_equal(t->left, 0);
    }
    assert_int_equal(sent, got);
    assert_true(sent >= 200 * TILES * EACH);
    engine_free(engine);
    chip_free(chip);
}

/* ---- one tile ---- */

/* More than its first words hold. */
#define RING (64 * 6 + 7)

static struct chip *ring_chip(void)
{
    struct error e;
    struct chip *chip = chip_new(toy_kinds, NULL);
    struct tile *tile = chip_tile(chip, "ring");
    struct unit *units[RING];
    for (int i = 0; i < RING; i++) {
        char name[16];
        snprintf(name, sizeof name, "toy%d", i);
        units[i] = chip_unit(chip, tile, "toy", name, NULL, &e);
        assert_true(chip_set(chip, units[i], "seed", i, &e));
        assert_true(chip_set(chip, units[i], "messages", 50, &e));
    }
    for (int i = 0; i < RING; i++)
        assert_true(chip_link(chip, units[i], "out", units[(i + 1) % RING],
                              "in", 1 + (unsigned)i % 3, 1, &e));
    assert_true(chip_finish(chip, &e));
    return chip;
}

static void all_units_of_a_large_tile_run(void **state)
{
    (void)state;
    struct engine_options options = {.threads = 1};
    struct outcome first = toys_run_chip(ring_chip(), options, 1u << 30);
    assert_int_equal(first.stop, ENGINE_DEADLOCK);
    assert_int_equal(first.buckets, first.cycle * RING);
    for (unsigned i = 1; i < 4; i++) {
        options.no_skip = i & 1;
        options.reverse_order = i >> 1;
        struct outcome o = toys_run_chip(ring_chip(), options, 1u << 30);
        assert_int_equal(o.hash, first.hash);
        assert_int_equal(o.cycle, first.cycle);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_do_not_depend_on_how_it_runs),
        cmocka_unit_test(two_sides_run_longer_than_the_epoch),
        cmocka_unit_test(stops_change_nothing),
        cmocka_unit_test(a_hook_that_stops_and_changes_changes_nothing),
        cmocka_unit_test(a_limit_stops_at_its_cycle),
        cmocka_unit_test(a_watcher_looks_in_the_same_cycles_with_all_options),
        cmocka_unit_test(alarms_come_in_the_same_cycle_with_all_options),
        cmocka_unit_test(an_alarm_may_be_set_before_the_run_and_end_it),
        cmocka_unit_test(the_epoch_is_the_least_latency_between_tiles),
        cmocka_unit_test(all_messages_arrive),
        cmocka_unit_test(all_units_of_a_large_tile_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
