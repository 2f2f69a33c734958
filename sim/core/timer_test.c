/* A unit that sleeps long costs nothing, and sleeps exactly as long. */
#include "sim/core/unit.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define LONG 100000
#define WAKES 64

/* How a sleeper asks for its next cycle. */
enum { BY_RETURN, BY_WAKE, AGAIN_AND_AGAIN };

struct sleeper {
    struct unit unit;
    int way;
    uint64_t next, last; /* it sleeps till then; and asks for no more */
    unsigned sends;
    uint64_t at[WAKES]; /* the cycles in which it sent */
};

static struct sleeper *sleeper_at(const struct chip *chip, unsigned i)
{
    return (struct sleeper *)chip_unit_at(chip, i);
}

static void note(struct sleeper *s, uint64_t now)
{
    assert_true(s->sends < WAKES);
    s->at[s->sends++] = now;
    if (now >= s->next)
        s->next += LONG;
}

static uint64_t sleeper_send(struct unit *u, uint64_t now)
{
    struct sleeper *s = (struct sleeper *)u;
    note(s, now);
    if (s->next > s->last)
        return CYCLE_NEVER;
    if (s->way == BY_RETURN)
        return s->next;
    unit_wake(u, s->next);
    if (s->way == BY_WAKE || now % LONG >= 30)
        return CYCLE_NEVER;
    unit_wake(u, s->next + LONG); /* later than another */
    return now + 1;
}

static const struct unit_kind sleeper_kind = {
    .name = "sleeper",
    .size = sizeof(struct sleeper),
    .params = offsetof(struct sleeper, way),
    .stats = offsetof(struct sleeper, at),
    .send = sleeper_send,
};
static const struct unit_kind *const kinds[] = {&sleeper_kind, NULL};

/* Two tiles with a sleeper for each way to ask. */
static struct chip *sleepers(uint64_t last)
{
    struct error e;
    struct chip *chip = chip_new(kinds, NULL);
    for (int i = 0; i < 2; i++) {
        struct tile *tile = chip_tile(chip, i ? "b" : "a");
        for (int way = BY_RETURN; way <= AGAIN_AND_AGAIN; way++) {
            char name[16];
            snprintf(name, sizeof name, "s%d.%d", i, way);
            struct sleeper *s = (struct sleeper *)chip_unit(
                chip, tile, "sleeper", name, NULL, &e);
            s->way = way;
            s->next = LONG + (uint64_t)(i * 777 + way * 33);
            s->last = last;
        }
    }
    assert_true(chip_finish(chip, &e));
    return chip;
}

static void count_profile(void *context, uint64_t from, const uint64_t *tile_ns,
                          uint64_t between_ns)
{
    ++*(unsigned *)context;
}

/* Returns the number of epochs of which the engine told, every seventh. */
static unsigned run(struct chip *chip, struct engine_options options)
{
    unsigned told = 0;
    struct engine_hooks hooks = {.context = &told, .profile = count_profile};
    struct engine *engine = engine_new(chip, &options, &hooks);
    assert_int_equal(engine_run(engine, 1u << 30, 0), ENGINE_DEADLOCK);
    engine_free(engine);
    return told;
}

static void a_sleeper_runs_in_the_cycles_that_it_asked_for_alone(void **state)
{
    (void)state;
    struct chip *chip = sleepers(3 * LONG);
    run(chip, (struct engine_options){.threads = 1});
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        const struct sleeper *s = sleeper_at(chip, i);
        if (s->way == AGAIN_AND_AGAIN)
            continue;
        uint64_t first = s->next % LONG;
        assert_int_equal(s->sends, first ? 3 : 4);
        for (unsigned n = 1; n < s->sends; n++)
            assert_int_equal(s->at[n], n * LONG + first);
    }
    chip_free(chip);
}

static void a_wake_up_before_another_does_not_cancel_it(void **state)
{
    (void)state;
    struct chip *chip = sleepers(LONG + 100);
    run(chip, (struct engine_options){.threads = 1});
    const struct sleeper *s = sleeper_at(chip, AGAIN_AND_AGAIN);
    uint64_t first = LONG + AGAIN_AND_AGAIN * 33;
    assert_int_equal(s->at[s->sends - 2], first);
    assert_int_equal(s->at[s->sends - 1], first + LONG);
    chip_free(chip);
}

static void the_clock_jumps_over_a_sleep(void **state)
{
    (void)state;
    struct chip *chip = sleepers(3 * LONG);
    /* 3 LONG cycles are 18,750 epochs, of which the engine tells of 2,678. */
    assert_in_range(run(chip, (struct engine_options){.threads = 1}), 0, 10);
    chip_free(chip);
}

static void two_threads_sleep_alike(void **state)
{
    (void)state;
    struct chip *one = sleepers(3 * LONG), *two = sleepers(3 * LONG);
    run(one, (struct engine_options){.threads = 1});
    run(two, (struct engine_options){.threads = 2, .reverse_order = true});
    for (unsigned i = 0; i < chip_unit_count(one); i++) {
        const struct sleeper *a = sleeper_at(one, i), *b = sleeper_at(two, i);
        assert_int_equal(a->sends, b->sends);
        assert_memory_equal(a->at, b->at, sizeof a->at);
    }
    chip_free(one);
    chip_free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sleeper_runs_in_the_cycles_that_it_asked_for_alone),
        cmocka_unit_test(a_wake_up_before_another_does_not_cancel_it),
        cmocka_unit_test(the_clock_jumps_over_a_sleep),
        cmocka_unit_test(two_threads_sleep_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
