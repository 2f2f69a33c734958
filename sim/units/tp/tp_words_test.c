/*
 * What a thread processor says: why it cannot be built, and what its harts wait
 * for.
 */
#include "sim/units/tp/tp_bench.h"

/* ---- build errors ---- */

#define MEMORY_LINKS                                                           \
    {"mem", "memory", "cpu", true},                                            \
    {                                                                          \
        "data", "memory", "reply", false                                       \
    }

static void what_is_missing_is_said_when_it_is_built(void **state)
{
    static const struct built all[] = {
        {.error = "no mem link"},
        {.links = {{"mem", "memory", "cpu", true}},
         .error = "1 mem links but 0 data links"},
        {.links = {MEMORY_LINKS, {"next", "scheduler", "next", true}},
         .error = "1 next links but 0 index links"},
        {.links = {MEMORY_LINKS, {"op", "sfu", "op", true}},
         .error = "1 op links but 0 done links"},
    };
    for (unsigned i = 0; i < TABLE_COUNT(all); i++)
        expect_not_built("tp", &all[i]);
}

static void parameters_that_do_not_fit_are_refused(void **state)
{
    static const struct built all[] = {
        {"fdiv_unit",
         1,
         {MEMORY_LINKS},
         "fdiv_unit: there are 0 op links, not 1"},
        {"fetch_buffer",
         4,
         {MEMORY_LINKS},
         "fetch_buffer: there is no fetch link"},
        {"fetch_buffer",
         1,
         {MEMORY_LINKS,
          {"fetch", "cache", "cpu", true},
          {"code", "cache", "reply", false}},
         "fetch_buffer: an instruction may lie in two sectors, 0 or at least 2 "
         "expected"},
    };
    for (unsigned i = 0; i < TABLE_COUNT(all); i++)
        expect_not_built("tp", &all[i]);
}

/* How long they take is their unit's affair. */
static void instructions_that_a_unit_serves_have_no_latency(void **state)
{
    static const char *const none[] = {"traceray_latency", "traceray_unit",
                                       "fchthrd_latency", "fchthrd_unit"};
    for (unsigned i = 0; i < TABLE_COUNT(none); i++)
        assert_null(
            param_find(tp_kind.param_rows, tp_kind.param_count, none[i]));
    assert_non_null(param_find(tp_kind.param_rows, tp_kind.param_count,
                               "boxisect_latency"));
}

/* ---- waiting ---- */

static void build_silent(struct bench *b)
{
    build(b);
    bench_below(b, b->units[0], "ray", "hit", FAR);
    for (unsigned i = 0; i < 2; i++)
        b->belows[i]->closed_until = CYCLE_NEVER;
    open_empty_scene(b);
}

struct waiting {
    struct program program;
    const char *said;
};

static void check_said(struct bench *b)
{
    assert_int_equal(b->stop, ENGINE_DEADLOCK);
    assert_explained(b->units[0],
                     ((const struct waiting *)b->scenario->with)->said);
}

static void it_says_what_its_harts_wait_for(void **state)
{
    const struct waiting all[] = {
        {{1, {{0}}, {LD(5, 0x100, 0), ADDI(6, 5, 1), ECALL}},
         "tp: hart 0 waits for a register from a load or an atomic, "
         "1 memory accesses under way\n"},
        {{1, {{0}}, {TRACERAY(20, 0, 32), FMV_X_W(6, 20), ECALL}},
         "tp: hart 0 waits for a register from the RT core, "
         "0 memory accesses under way\n"},
        {{1, {{0}}, {SD(5, 0x200, 0), SD(5, 0x208, 0), FENCE, ECALL}},
         "tp: hart 0 waits for its memory accesses to end, "
         "2 memory accesses under way\n"},
        {{1, {{0}}, {LD(5, 0x11c, 0), ECALL}},
         "tp: hart 0 waits for a misaligned access, "
         "1 memory accesses under way\n"},
    };
    for (unsigned i = 0; i < TABLE_COUNT(all); i++)
        bench_play(&(struct scenario){.build = build_silent,
                                      .check = check_said,
                                      .serve = serve,
                                      .with = &all[i]});
}

/* Of the stores of a loop as many are under way as the link holds. */
static void check_full(struct bench *b)
{
    char said[200];
    snprintf(said, sizeof said,
             "tp: hart 0 waits for room in port mem, %u memory accesses under "
             "way\n",
             (unsigned)bench_stat(b->units[0], "memory"));
    assert_int_equal(b->stop, ENGINE_DEADLOCK);
    assert_explained(b->units[0], said);
}

static void it_names_the_port_that_is_full(void **state)
{
    play_on(build_silent, check_full,
            &(struct program){
                1, {{0}}, {SD(5, 0x200, 0), BNE(5, 6, -1), BGEU(0, 0, -2)}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_said_when_it_is_built),
        cmocka_unit_test(parameters_that_do_not_fit_are_refused),
        cmocka_unit_test(instructions_that_a_unit_serves_have_no_latency),
        cmocka_unit_test(it_says_what_its_harts_wait_for),
        cmocka_unit_test(it_names_the_port_that_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
