/*
 * A mark finds all tiles standing still, none of which has worked ahead, with
 * all accounts closed; and no result changes.
 */
#include "sim/core/toys.h"
#include <setjmp.h>
#include <stdarg.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

struct marker {
    struct toy_server host; /* first: services get it */
    const struct chip *chip;
    struct engine *engine;
    uint64_t step;     /* cycles from one mark to what is asked for next */
    uint64_t asked;    /* the cycle of the next one, CYCLE_NEVER: none */
    uint64_t promised; /* how far tiles might work ahead at that time */
    bool late;         /* asked for by hooks.progress: not where, but soon */
    unsigned count;
};

static void ask(struct marker *m, uint64_t cycle)
{
    m->asked = cycle;
    engine_mark(m->engine, cycle);
}

static uint64_t rounded(const struct marker *m, uint64_t cycle)
{
    uint64_t epoch = chip_epoch(m->chip);
    return (cycle + epoch - 1) / epoch * epoch;
}

static uint64_t furthest(const struct chip *chip)
{
    uint64_t horizon = 0;
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        const struct tile *t = chip_unit_at(chip, i)->tile;
        horizon = t->horizon > horizon ? t->horizon : horizon;
    }
    return horizon;
}

static void mark(void *context, uint64_t now)
{
    struct marker *m = context;
    assert_in_range(furthest(m->chip), 0, now);
    assert_in_range(m->promised, 0, now);
    if (!m->late)
        assert_int_equal(now, rounded(m, m->asked));
    m->asked = CYCLE_NEVER;
    m->count++;
    if (!m->late)
        ask(m, now + m->step);
}

/* Called after the first turn, and then some ten times a second: the watcher
 * below asks as well. */
static void progress(void *context, uint64_t now)
{
    struct marker *m = context;
    if (!m->late || m->asked != CYCLE_NEVER)
        return;
    m->promised = furthest(m->chip);
    ask(m, now);
}

static bool watch(void *context, uint64_t now)
{
    progress(context, now);
    return true;
}

static void run(const struct toys *toys, struct engine_options options,
                uint64_t step, bool late)
{
    struct outcome expected =
        toys_run(toys, (struct engine_options){.threads = 1}, 1u << 30);
    struct chip *chip = toy_chip(toys);
    struct marker m = {
        .chip = chip, .step = step, .late = late, .asked = CYCLE_NEVER};
    struct engine_hooks hooks = {.context = &m,
                                 .service = toy_serve,
                                 .mark = mark,
                                 .watch = watch,
                                 .progress = progress};
    m.engine = engine_new(chip, &options, &hooks);
    if (!late)
        ask(&m, step);
    enum engine_stop stop = engine_run(m.engine, 1u << 30, 0);
    struct outcome o = toy_outcome(chip, engine_cycle(m.engine), &m.host, stop);
    assert_int_equal(o.hash, expected.hash);
    assert_int_equal(o.cycle, expected.cycle);
    assert_int_equal(o.buckets, expected.buckets);
    assert_int_equal(o.stop, expected.stop);
    assert_int_not_equal(m.count, 0);
    engine_free(m.engine);
    chip_free(chip);
}

static void run_all(bool late)
{
    static const struct toys *const toys[] = {&toys_usual, &toys_two_sides};
    for (unsigned i = 0; i < 2; i++)
        for (uint64_t step = 1; step < 100; step += 11) {
            uint64_t watch_each = late ? step : 0;
            run(toys[i],
                (struct engine_options){.threads = 1, .watch = watch_each},
                step, late);
            run(toys[i],
                (struct engine_options){.threads = 2, .watch = watch_each},
                step, late);
            run(toys[i],
                (struct engine_options){
                    .threads = 1, .epoch = 1, .watch = watch_each},
                step, late);
            run(toys[i],
                (struct engine_options){
                    .threads = 2, .no_skip = true, .watch = watch_each},
                step, late);
        }
}

static void a_mark_is_where_it_was_asked_for(void **state)
{
    (void)state;
    run_all(false);
}

static void a_mark_for_now_is_where_nobody_is_ahead(void **state)
{
    (void)state;
    run_all(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_is_where_it_was_asked_for),
        cmocka_unit_test(a_mark_for_now_is_where_nobody_is_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
