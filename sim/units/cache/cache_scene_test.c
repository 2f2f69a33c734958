/*
 * A copy with a scene buffer beside the way to memory: what lies in the
 * treelets that were bound when the kernel began is read there.
 */
#include "sim/core/memory_role.h"
#include "sim/units/cache/cache_bench.h"

#define START 0x102000u
#define END 0x104000u
#define BEGUN 400u /* the kernel has */

static bool launch(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    engine_launch(b->engine);
    return true;
}

static void play(void (*build)(struct bench *), void (*check)(struct bench *))
{
    bench_play(
        &(struct scenario){.build = build, .check = check, .serve = launch});
}

/* below 0 is memory, below 1 the scene buffer. */
static struct driver *streaming_cache(struct bench *b)
{
    bench_below(b, small_cache(b, 8), "scene", "fill", FAR / 2);
    b->machine.treelets = (struct range){START, END};
    for (uint64_t at = START - 64; at < END + 64; at += 8)
        *bench_word(b, at) = 5 * at;
    return b->drivers[0];
}

static const uint64_t addresses[] = {START,      END - 32, START + 512,
                                     START - 32, END,      0x40};

static void build_loads(struct bench *b)
{
    struct driver *d = streaming_cache(b);
    driver_load(d, 0, START + 0x40); /* by main(), from memory */
    driver_service(d, 150);
    for (unsigned i = 0; i < TABLE_COUNT(addresses); i++)
        driver_load(d, BEGUN + 200 * i, addresses[i]);
    struct msg bypassing = {
        .op = MEM_READ, .addr = END - 64, .size = 8, .flags = MEM_BYPASS};
    driver_ask(d, BEGUN + 2000, bypassing, NULL);
    driver_store(d, BEGUN + 2200, 0x80, 1);
}

static void check_loads(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    below_expect(b->belows[0], "r102040 r101fe0 r104000 r40 w80");
    below_expect(b->belows[1], "r102000 r103fe0 r102200 r103fc0");
    for (unsigned i = 0; i + 1 < TABLE_COUNT(addresses); i++)
        assert_int_equal(driver_value(d, 2 + i), 5 * addresses[i]);
    assert_int_equal(driver_took(d, 2), HIT + 2 * LINK + FAR / 2);
    assert_int_equal(driver_unanswered(d), 0);
    const struct unit *u = b->units[0];
    assert_int_equal(memory_links(u), 2);
    assert_ptr_equal(memory_next(u, START), b->belows[1]);
    assert_ptr_equal(memory_next(u, END), b->belows[0]);
    assert_int_equal(memory_level(u), 1);
}

static void treelets_are_read_in_the_scene_buffer(void **state)
{
    play(build_loads, check_loads);
}

static void build_refused(struct bench *b)
{
    struct driver *d = streaming_cache(b);
    b->belows[1]->refused = START + 0x40;
    driver_service(d, 0);
    driver_load(d, BEGUN, START + 0x48);
    driver_load(d, BEGUN + 200, START + 0x60);
}

static void check_refused(struct bench *b)
{
    const struct msg *m = &driver_answer(b->drivers[0], 1)->msg;
    assert_int_equal(m->op, MEM_FAULT);
    assert_int_equal(m->value, b->belows[1]->unit.id);
    assert_int_equal(driver_value(b->drivers[0], 2), 5 * (START + 0x60));
}

static void what_it_does_not_hold_is_a_fault(void **state)
{
    play(build_refused, check_refused);
}

static void an_owner_has_no_scene_buffer(void **state)
{
    expect_not_built(
        "cache", &(struct built){
                     .param = "owner",
                     .value = 1,
                     .links = {{"cpu", "cache", "mem", false},
                               {"reply", "cache", "fill", true},
                               {"mem", "memory", "cpu", true},
                               {"scene", "memory", "cpu", true}},
                     .error = "a scene link, but an owner reads all itself"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(treelets_are_read_in_the_scene_buffer),
        cmocka_unit_test(what_it_does_not_hold_is_a_fault),
        cmocka_unit_test(an_owner_has_no_scene_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
