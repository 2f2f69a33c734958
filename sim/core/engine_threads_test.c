/*
 * The engine on several host threads, on a host of simulated times: it does
 * what its policy says (policy_test.c), waits for no thread that it need not,
 * and results stay those of one thread.
 */
#include "sim/core/toys.h"
#include <setjmp.h>
#include <stdarg.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

struct toy_host {
    struct toy_server host; /* first: services get it */
    const struct chip *chip;
    const struct engine *engine;
    uint64_t cycle_ns; /* that a cycle takes, on any thread */
    bool busy;
    bool (*looks)(
        const struct toy_host *h); /* for this, when all stand still */
    unsigned seen, several; /* times that it was so, and that several ran */
};

static uint64_t toy_ns(void *context)
{
    const struct toy_host *h = context;
    return h->chip ? chip_unit_at(h->chip, 0)->tile->now * h->cycle_ns : 0;
}

static uint64_t toy_tile_ns(void *context)
{
    (void)context;
    return toy_burned_ns;
}

static bool toy_is_busy(void *context, unsigned threads, unsigned awake)
{
    const struct toy_host *h = context;
    assert_in_range(threads, 2, TILES);
    assert_in_range(awake, 1, threads);
    return h->busy;
}

static bool look(void *context, uint64_t now)
{
    struct toy_host *h = context;
    /* A look may stop the run: no tile has gone further. */
    for (unsigned i = 0; i < chip_unit_count(h->chip); i++)
        assert_true(chip_unit_at(h->chip, i)->tile->horizon <= now);
    h->several += !engine_is_alone(h->engine);
    h->seen += h->looks(h);
    return true;
}

/* On two threads, stopping each `step` cycles. Results are those of one thread
 * that does not stop. */
static void watch(struct toy_host *h, const struct toys *toys, uint64_t step)
{
    struct chip *chip = toy_chip(toys);
    struct engine_host host = {.context = h,
                               .ns = toy_ns,
                               .tile_ns = toy_tile_ns,
                               .is_busy = toy_is_busy};
    struct engine_options options = {
        .threads = 2, .no_skip = toys->busy, .host = &host};
    struct engine_hooks hooks = {
        .context = h, .service = toy_serve, .still = look};
    struct engine *engine = engine_new(chip, &options, &hooks);
    h->chip = chip;
    h->engine = engine;
    enum engine_stop stop = ENGINE_LIMIT;
    for (uint64_t limit = step; stop == ENGINE_LIMIT; limit += step)
        stop = engine_run(engine, limit, 0);
    struct outcome o = toy_outcome(chip, engine_cycle(engine), &h->host, stop);
    options = (struct engine_options){.threads = 1};
    struct outcome expected = toys_run(toys, options, 1u << 30);
    assert_int_equal(o.stop, ENGINE_DEADLOCK);
    assert_int_equal(o.hash, expected.hash);
    assert_int_equal(o.cycle, expected.cycle);
    engine_free(engine);
    chip_free(chip);
}

static const struct toys uneven = {
    .burn = {40000, 10000, 10000, 10000, 10000},
    .messages = {200, 200, 200, 200, 200},
    .busy = true,
};
static const struct toys even = {
    .burn = {10000, 10000, 10000, 10000, 10000},
    .messages = {200, 200, 200, 200, 200},
    .busy = true,
};

static bool has_one_tile(const struct toy_host *h)
{
    return !engine_is_alone(h->engine) && engine_share(h->engine, 1) == 1;
}

static void a_thread_has_fewer_tiles_that_take_longer(void **state)
{
    (void)state;
    struct toy_host h = {.cycle_ns = 1, .looks = has_one_tile};
    watch(&h, &uneven, 700);
    assert_int_not_equal(h.seen, 0);
    assert_in_range(h.seen, h.several - 1, h.several); /* and no other share */
}

/* On a chip with two sides the third tile waits, on another thread, until it is
 * an epoch behind the first one: threads that met after each epoch would never
 * get there. */
static void a_thread_waits_only_for_what_could_send_to_it(void **state)
{
    (void)state;
    static const struct toys toys = {.wait = {0, 0, 1},
                                     .messages = {100, 100, 100, 100, 100},
                                     .sides = true};
    struct engine_options options = {.threads = 5, .schedule = SCHEDULE_FIXED};
    struct outcome expected =
        toys_run(&toys, (struct engine_options){.threads = 1}, 1u << 30);
    atomic_store(&toys_ahead, 0);
    struct outcome o = toys_run(&toys, options, 1u << 30);
    assert_int_not_equal(atomic_load(&toys_ahead), 0);
    assert_int_equal(o.hash, expected.hash);
    assert_int_equal(o.cycle, expected.cycle);
}

static bool is_alone(const struct toy_host *h)
{
    return engine_is_alone(h->engine);
}

static void one_thread_goes_on_alone_where_two_do_not_pay(void **state)
{
    (void)state;
    static const struct toys toys = {.burn = {100, 100, 100, 100, 100},
                                     .messages = {800}};
    struct toy_host h = {.cycle_ns = 1, .looks = is_alone};
    watch(&h, &toys, 1u << 30);
    assert_int_not_equal(h.seen, 0);
    assert_int_equal(h.several, 0);
}

/* An epoch of 7 cycles takes longer than all tiles one after the other. */
static void two_threads_that_take_longer_than_one_give_up(void **state)
{
    (void)state;
    struct toy_host h = {.cycle_ns = 100000, .looks = is_alone};
    watch(&h, &even, 1u << 30);
    assert_int_not_equal(h.several, 0);
    assert_true(h.seen > h.several);
}

/* Several threads are tried only after they would have paid many times. */
static void a_host_with_other_work_is_left_to_it(void **state)
{
    (void)state;
    struct toy_host idle = {.cycle_ns = 1, .looks = is_alone};
    struct toy_host busy = {.cycle_ns = 1, .busy = true, .looks = is_alone};
    watch(&idle, &even, 1u << 30);
    watch(&busy, &even, 1u << 30);
    assert_true(busy.several < idle.several / 2);
}

/* Tiles that next to nothing happens in, so that threads are as far apart as
 * they ever are, and take each other's; in no time, so that several go on. */
static void threads_that_take_tiles_of_others_get_to_the_end(void **state)
{
    (void)state;
    struct toy_host h = {.cycle_ns = 0};
    struct engine_host host = {.context = &h,
                               .ns = toy_ns,
                               .tile_ns = toy_tile_ns,
                               .is_busy = toy_is_busy};
    for (int sides = 0; sides < 2; sides++) {
        struct toys toys = {.burn = {40000, 10000, 20000, 10000, 10000},
                            .messages = {6000, 6000, 6000, 6000, 6000},
                            .sides = sides};
        struct outcome expected =
            toys_run(&toys, (struct engine_options){.threads = 1}, 1u << 30);
        for (unsigned threads = 2; threads <= TILES; threads++) {
            struct engine_options options = {.threads = threads, .host = &host};
            struct outcome o = toys_run(&toys, options, 1u << 30);
            assert_int_equal(o.hash, expected.hash);
            assert_int_equal(o.cycle, expected.cycle);
        }
    }
}

struct pieces {
    const void *wanted;
    unsigned found;
};

static void look_into(void *context, void *at, size_t bytes)
{
    struct pieces *p = context;
    const char *begin = at, *wanted = p->wanted;
    p->found += wanted >= begin && wanted < begin + bytes;
}

static void memory_of_tiles_is_that_of_their_thread(void **state)
{
    (void)state;
    struct chip *chip = toy_chip(&even);
    struct engine_options options = {.threads = 2, .schedule = SCHEDULE_FIXED};
    struct engine *engine =
        engine_new(chip, &options, &(struct engine_hooks){.context = NULL});
    unsigned of_thread[2] = {0};
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        unsigned before = of_thread[0] + of_thread[1];
        for (unsigned n = 0; n < 2; n++) {
            struct pieces p = {.wanted = chip_unit_at(chip, i)};
            engine_memory(engine, n, look_into, &p);
            of_thread[n] += p.found;
        }
        assert_int_equal(of_thread[0] + of_thread[1], before + 1);
    }
    for (unsigned n = 0; n < 2; n++)
        assert_int_equal(of_thread[n], EACH * engine_share(engine, n));
    engine_free(engine);
    chip_free(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_has_fewer_tiles_that_take_longer),
        cmocka_unit_test(a_thread_waits_only_for_what_could_send_to_it),
        cmocka_unit_test(threads_that_take_tiles_of_others_get_to_the_end),
        cmocka_unit_test(memory_of_tiles_is_that_of_their_thread),
        cmocka_unit_test(one_thread_goes_on_alone_where_two_do_not_pay),
        cmocka_unit_test(two_threads_that_take_longer_than_one_give_up),
        cmocka_unit_test(a_host_with_other_work_is_left_to_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
