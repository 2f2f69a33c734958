/*
 * The thread processor, by small programs that read the cycle counter: when
 * instructions issue, how harts share the core, its ports and other units.
 */
#include "sim/units/tp/tp_bench.h"

/* ---- issue ---- */

static void check_alu(struct bench *b)
{
    assert_int_equal(x(b, 0, 5), 8);
    assert_int_equal(x(b, 0, 6), 0);
    assert_int_equal(x(b, 0, 7), 9);
    /* The ecall issues in cycle 10, the hart is found drained in the next. */
    assert_int_equal(ended(b, 0), 11);
    assert_stat(b->units[0], "instructions", 11);
    assert_stat(b->units[0], "issued", 11);
    assert_stat(b->units[0], "issue_alu", 10);
    assert_stat(b->units[0], "service", b->cycles - 11);
}

static void dependent_instructions_issue_one_a_cycle(void **state)
{
    play(check_alu,
         &(struct program){1,
                           {{0}},
                           {RDCYCLE(6), ADDI(5, 5, 1), ADDI(5, 5, 1),
                            ADDI(5, 5, 1), ADDI(5, 5, 1), ADDI(5, 5, 1),
                            ADDI(5, 5, 1), ADDI(5, 5, 1), ADDI(5, 5, 1),
                            RDCYCLE(7), ECALL}});
}

static void build_silent(struct bench *b)
{
    build(b);
    b->belows[0]->closed_until = CYCLE_NEVER;
}

/* The load, those after it, and no more. */
static void check_last(struct bench *b)
{
    const struct program *p = b->scenario->with;
    uint64_t issued = 0;
    while (p->words[issued] != ADDI(6, 5, 1))
        issued++;
    assert_int_equal(b->stop, ENGINE_DEADLOCK);
    assert_stat(b->units[0], "issued", issued);
    assert_true(b->cycles >= issued);
}

/* They are worked out before, and when the run ends must not depend on it. */
static void a_run_lasts_until_the_last_instruction(void **state)
{
    for (unsigned others = 0; others < 40; others++) {
        struct program p = {1, {{0}}, {LD(5, 0x100, 0)}};
        for (unsigned i = 0; i < others; i++)
            p.words[1 + i] = NOP;
        p.words[1 + others] = ADDI(6, 5, 1);
        play_on(build_silent, check_last, &p);
    }
}

static void check_latency(struct bench *b)
{
    assert_int_equal(x(b, 0, 8) - x(b, 0, 7), 9);  /* it is used */
    assert_int_equal(x(b, 0, 9) - x(b, 0, 8), 9);  /* it is overwritten */
    assert_int_equal(x(b, 0, 12) - x(b, 0, 9), 9); /* others come between */
    assert_stat(b->units[0], "wait_result", 6 + 6 + 4);
    assert_stat(b->units[0], "registers_read", 4 + 3 * 2 + 3 + 2);
    assert_stat(b->units[0], "registers_written", 4 + 3 + 3 + 2);
}

static void a_result_may_be_used_latency_cycles_later(void **state)
{
    play(check_latency,
         &(struct program){1,
                           {{"imul_latency", 7}},
                           {RDCYCLE(7), MUL(5, 0, 0), ADDI(6, 5, 1), RDCYCLE(8),
                            MUL(5, 0, 0), ADDI(5, 0, 2), RDCYCLE(9),
                            MUL(5, 0, 0), NOP, NOP, ADDI(6, 5, 1), RDCYCLE(12),
                            ECALL}});
}

/* ---- harts ---- */

static void check_greedy(struct bench *b)
{
    for (unsigned hart = 0; hart < 3; hart++) {
        assert_int_equal(x(b, hart, 7), 5 * hart);
        assert_int_equal(x(b, hart, 8), 5 * hart + 3);
    }
    assert_stat(b->units[0], "issued", 15);
    assert_stat(b->units[0], "arbitration", 5 + 10);
}

static void the_core_stays_with_a_hart_that_can_issue(void **state)
{
    play(
        check_greedy,
        &(struct program){3, {{0}}, {RDCYCLE(7), NOP, NOP, RDCYCLE(8), ECALL}});
}

/*
 * A load and its use, twice. While hart 0 waits, hart 1 issues its load, and
 * so on: two instructions each, then three, whose answers come in time.
 */
static void check_turns(struct bench *b)
{
    for (unsigned hart = 0; hart < 4; hart++) {
        assert_int_equal(x(b, hart, 7), 2 * hart);
        assert_int_equal(x(b, hart, 8), 3 * hart + ROUND_TRIP + 2);
        assert_int_equal(ended(b, hart), 3 * hart + 2 * ROUND_TRIP + 5);
    }
    assert_stat(b->units[0], "registers_read", 4 * 6);
    assert_stat(b->units[0], "registers_written", 4 * 6);
}

static void harts_take_turns_when_they_wait(void **state)
{
    play(check_turns, &(struct program){
                          4,
                          {{0}},
                          {RDCYCLE(7), LD(5, 0x100, 0), ADDI(6, 5, 1),
                           RDCYCLE(8), LD(5, 0x100, 0), ADDI(6, 5, 1), ECALL}});
}

/* Hart 0 waits for a load meanwhile; only with short turns it goes on soon. */
static void check_spinning(struct bench *b)
{
    const struct program *p = b->scenario->with;
    assert_int_equal(x(b, 1, 7), 200);
    assert_stat(b->units[0], "instructions", 5 + 2 + 2 * 200 + 1);
    if (p->settings[0].value == 20)
        assert_in_range(ended(b, 0), ROUND_TRIP, ROUND_TRIP + 30);
    else
        assert_true(ended(b, 0) > ended(b, 1));
}

static void a_hart_that_spins_loses_its_turn(void **state)
{
    static const int64_t turns[] = {20, 1000};
    for (unsigned i = 0; i < TABLE_COUNT(turns); i++)
        play(check_spinning,
             &(struct program){2,
                               {{"turn", turns[i]}},
                               {ADDI(9, 0, 200), BNE(10, 0, 4), LD(5, 0x100, 0),
                                ADDI(6, 5, 1), ECALL, ADDI(7, 7, 1),
                                BNE(7, 9, -1), ECALL}});
}

/* Hart 0 waits; hart 1 counts for long and is not interrupted. */
static void check_uninterrupted(struct bench *b)
{
    assert_int_equal(x(b, 1, 7), 3);
    assert_int_equal(x(b, 1, 8), 3 + 2 + 2 * 100);
    assert_int_equal(x(b, 0, 8), x(b, 1, 8) + 2 + 1);
    assert_stat(b->units[0], "wait_memory", ROUND_TRIP - 1);
}

static void a_hart_that_waited_waits_for_its_turn(void **state)
{
    play(check_uninterrupted,
         &(struct program){2,
                           {{0}},
                           {BNE(10, 0, 5), /* hart 1 */
                            LD(5, 0x100, 0), ADDI(6, 5, 1), RDCYCLE(8), ECALL,
                            RDCYCLE(7), ADDI(9, 0, 100), ADDI(9, 9, -1),
                            BNE(9, 0, -1), RDCYCLE(8), ECALL}});
}

/* ---- ports ---- */

static void build_closed(struct bench *b)
{
    build(b);
    b->belows[0]->closed_until = 400;
}

#define ON_THE_LINK(b) (DEPTH + ((b)->together ? LINK - 1 : 2 * LINK))

/* Hart 0 stores 40 words; hart 1 only counts. */
static void check_port(struct bench *b)
{
    unsigned early = 0;
    assert_int_equal(b->belows[0]->count, 40 + 1); /* and a write-back */
    for (unsigned i = 0; i < 40; i++)
        early += b->belows[0]->seen[i].msg.addr == 0x200 + 8 * i;
    assert_int_equal(early, 40);
    assert_true(x(b, 1, 8) < 150);
    /* From the first store without room to the first credit. */
    uint64_t full = bench_stat(b->units[0], "full_memory");
    assert_in_range(full, 400 - ON_THE_LINK(b) * 3 - 60, 400);
    assert_true(ended(b, 0) > 400 + FAR);
}

static void a_full_port_stops_only_who_needs_it(void **state)
{
    play_on(build_closed, check_port,
            &(struct program){2,
                              {{0}},
                              {BNE(10, 0, 7), /* hart 1 */
                               ADDI(5, 0, 0x200), ADDI(6, 0, 0x200 + 8 * 40),
                               SD(6, 0, 5), ADDI(5, 5, 8), BNE(5, 6, -2), ECALL,
                               ADDI(9, 0, 20), ADDI(9, 9, -1), BNE(9, 0, -1),
                               RDCYCLE(8), ECALL}});
}

/* Many harts that store at a port that lets one through in a while. */
static void build_narrow(struct bench *b)
{
    struct unit *tp = build_core(b);
    struct unit *c = bench_unit(b, "cache", "l1");
    bench_set(b, c, "latency", 1);
    bench_set(b, c, "pass", 1);
    bench_link(b, tp, "mem", c, "cpu", 1);
    bench_link(b, c, "reply", tp, "data", 0);
    bench_below(b, c, "mem", "fill", 7);
}

static void check_narrow(struct bench *b)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (unsigned hart = 0; hart < 16; hart++) {
        assert_int_equal(*bench_word(b, 0x200 + 8 * hart), 1);
        first = ended(b, hart) < first ? ended(b, hart) : first;
        last = ended(b, hart) > last ? ended(b, hart) : last;
    }
    assert_true(bench_stat(b->units[0], "full_memory") > 1000);
    assert_true(last < first + first / 4); /* no hart is starved */
}

static void harts_take_turns_at_a_full_port(void **state)
{
    play_on(
        build_narrow, check_narrow,
        &(struct program){16,
                          {{0}},
                          {SLLI(4, 10, 3), ADDI(4, 4, 0x200), ADDI(9, 0, 80),
                           SD(9, 0, 4), ADDI(9, 9, -1), BNE(9, 0, -2), ECALL}});
}

/* ---- units ---- */

static void build_sfu(struct bench *b)
{
    struct unit *tp = build_core(b);
    bench_below(b, tp, "mem", "data", FAR);
    struct unit *sfu = bench_unit(b, "sfu", "sfu");
    bench_set(b, sfu, "latency", 12);
    bench_set(b, sfu, "interval", 4);
    bench_link(b, tp, "op", sfu, "op", 2);
    bench_link(b, sfu, "done", tp, "done", 0);
}

static void check_sfu(struct bench *b)
{
    uint64_t alone = 2 * LINK + 12 - 1;
    assert_int_equal(x(b, 0, 8) - x(b, 0, 7), 1 + alone + 1);
    assert_int_equal(x(b, 0, 9) - x(b, 0, 8), 2 + alone + 4);
    assert_stat(b->units[0], "wait_sfu", alone - 1 + (alone + 4 - 2));
    assert_stat(b->units[1], "operations", 3);
}

/* One division, then two of which the second starts `interval` later. */
static void an_instruction_may_use_a_shared_unit(void **state)
{
    play_on(build_sfu, check_sfu,
            &(struct program){1,
                              {{"fdiv_unit", 1}},
                              {RDCYCLE(7), FDIV(1, 0, 0), FMV_X_W(5, 1),
                               RDCYCLE(8), FDIV(1, 0, 0), FDIV(2, 0, 0),
                               FMV_X_W(5, 2), RDCYCLE(9), ECALL}});
}

/* Cycles in buckets full_..., all of them but one. */
static void assert_full_only(struct bench *b, const char *of, uint64_t cycles)
{
    static const char *const others[] = {"full_memory", "full_rtcore",
                                         "full_index",  "full_sfu",
                                         "full_stream", "full_fetch"};
    for (unsigned i = 0; i < TABLE_COUNT(others); i++)
        assert_stat(b->units[0], others[i], strcmp(others[i], of) ? 0 : cycles);
}

#define SLOW 100 /* cycles between two operations */

static void build_slow_sfu(struct bench *b)
{
    build_sfu(b);
    bench_set(b, b->units[1], "interval", SLOW);
}

/* Of 16 divisions those that find room issue one a cycle. The others have to
 * wait for the unit to take one; the last of them issues when it has taken as
 * many as had no room, the first of these LINK cycles after it was sent. A
 * credit between tiles takes LINK cycles as well, one within a tile none. */
static void check_slow_sfu(struct bench *b)
{
    unsigned room = b->together ? 2 + LINK - 1 : 2 + 2 * LINK;
    uint64_t last = LINK + (15 - room) * SLOW + (b->together ? 0 : LINK);
    assert_full_only(b, "full_sfu", last - 15);
}

static void cycles_at_a_full_port_are_booked_by_the_unit_behind_it(void **state)
{
    play_on(build_slow_sfu, check_slow_sfu,
            &(struct program){1,
                              {{"fdiv_unit", 1}},
                              {FDIV(1, 0, 0), FDIV(2, 0, 0), FDIV(3, 0, 0),
                               FDIV(4, 0, 0), FDIV(5, 0, 0), FDIV(6, 0, 0),
                               FDIV(7, 0, 0), FDIV(8, 0, 0), FDIV(9, 0, 0),
                               FDIV(10, 0, 0), FDIV(11, 0, 0), FDIV(12, 0, 0),
                               FDIV(13, 0, 0), FDIV(14, 0, 0), FDIV(15, 0, 0),
                               FDIV(16, 0, 0), ECALL}});
}

static void build_rtcore(struct bench *b)
{
    struct unit *tp = build_core(b);
    struct unit *r = bench_unit(b, "rtcore", "rtcore");
    bench_below(b, tp, "mem", "data", FAR);
    bench_below(b, r, "mem", "data", FAR);
    bench_link(b, tp, "ray", r, "ray", 2);
    bench_link(b, r, "hit", tp, "hit", 0);
    open_empty_scene(b);
}

static void check_rtcore(struct bench *b)
{
    assert_int_equal(x(b, 0, 6), 0x700);
    assert_int_equal(x(b, 0, 7), UINT64_MAX); /* CORBEL_MISS */
    assert_stat(b->units[0], "rays", 1);
    assert_stat(b->units[1], "rays", 1);
    assert_stat(b->units[0], "wait_rtcore", 2 * LINK - 1);
}

/* tmax is the ray's eighth word; a miss returns it. */
static void a_ray_goes_to_the_rt_core_and_its_hit_comes_back(void **state)
{
    play_on(
        build_rtcore, check_rtcore,
        &(struct program){1,
                          {{0}},
                          {ADDI(5, 0, 0x700), FMV_W_X(7, 5), TRACERAY(20, 0, 0),
                           FMV_X_W(6, 20), FMV_X_W(7, 23), ECALL}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependent_instructions_issue_one_a_cycle),
        cmocka_unit_test(a_run_lasts_until_the_last_instruction),
        cmocka_unit_test(a_result_may_be_used_latency_cycles_later),
        cmocka_unit_test(the_core_stays_with_a_hart_that_can_issue),
        cmocka_unit_test(harts_take_turns_when_they_wait),
        cmocka_unit_test(a_hart_that_spins_loses_its_turn),
        cmocka_unit_test(a_hart_that_waited_waits_for_its_turn),
        cmocka_unit_test(a_full_port_stops_only_who_needs_it),
        cmocka_unit_test(harts_take_turns_at_a_full_port),
        cmocka_unit_test(an_instruction_may_use_a_shared_unit),
        cmocka_unit_test(
            cycles_at_a_full_port_are_booked_by_the_unit_behind_it),
        cmocka_unit_test(a_ray_goes_to_the_rt_core_and_its_hit_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
