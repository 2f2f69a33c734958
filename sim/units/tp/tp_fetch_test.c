/*
 * Instruction fetch of the thread processor: what is fetched when, and what
 * waiting for it costs. The second memory of each bench has the code.
 */
#include "sim/units/tp/tp_bench.h"

/* From asking for a sector to the cycle in which its code can issue. */
#define TRIP ((uint64_t)ROUND_TRIP)

static void build_fetching(struct bench *b)
{
    build(b);
    bench_below(b, b->units[0], "fetch", "code", FAR);
}

static void play_fetching(void (*check)(struct bench *b),
                          const struct program *p)
{
    play_on(build_fetching, check, p);
}

/* ---- straight on ---- */

static void check_straight(struct bench *b)
{
    below_expect(b->belows[1], "r80000 r80020 r80040");
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(b->belows[1]->seen[i].msg.size, SECTOR);
    assert_int_equal(x(b, 0, 5), TRIP);
    assert_int_equal(x(b, 0, 6), TRIP + 8 + TRIP);
    assert_int_equal(x(b, 0, 7), TRIP + 2 * (8 + TRIP));
    assert_stat(b->units[0], "fetches", 3);
    assert_stat(b->units[0], "wait_fetch", 3 * TRIP);
    assert_stat(b->units[0], "issued", 18);
}

static void each_sector_costs_its_latency(void **state)
{
    play_fetching(check_straight,
                  &(struct program){1,
                                    {{"fetch_buffer", 2}},
                                    {RDCYCLE(5), NOP, NOP, NOP, NOP, NOP, NOP,
                                     NOP, RDCYCLE(6), NOP, NOP, NOP, NOP, NOP,
                                     NOP, NOP, RDCYCLE(7), ECALL}});
}

/* The second is asked for with the first, and comes a cycle later; those after
 * it when the hart enters the one before, 8 instructions ahead. */
static void check_ahead(struct bench *b)
{
    below_expect(b->belows[1], "r80000 r80020 r80040 r80060");
    assert_int_equal(x(b, 0, 5), TRIP);
    assert_int_equal(x(b, 0, 6), TRIP + 8);
    assert_int_equal(x(b, 0, 7), TRIP + 8 + TRIP);
    assert_stat(b->units[0], "fetches_ahead", 3);
    assert_stat(b->units[0], "wait_fetch", TRIP + (TRIP - 8));
}

static void fetching_ahead_hides_it(void **state)
{
    play_fetching(check_ahead,
                  &(struct program){1,
                                    {{"fetch_buffer", 3}, {"fetch_ahead", 1}},
                                    {RDCYCLE(5), NOP, NOP, NOP, NOP, NOP, NOP,
                                     NOP, RDCYCLE(6), NOP, NOP, NOP, NOP, NOP,
                                     NOP, NOP, RDCYCLE(7), ECALL}});
}

/* ---- loops and branches ---- */

static void check_loop(struct bench *b)
{
    below_expect(b->belows[1], "r80000 r80020");
    assert_int_equal(x(b, 0, 9), 0);
    /* Issue without a break once the second sector is there. */
    assert_int_equal(x(b, 0, 6) - x(b, 0, 5), 1 + 100 * 12 + TRIP);
    assert_stat(b->units[0], "wait_fetch", 2 * TRIP);
}

/* The loop has instructions 2 to 13. */
static void a_loop_that_fits_is_fetched_once(void **state)
{
    play_fetching(
        check_loop,
        &(struct program){1,
                          {{"fetch_buffer", 2}},
                          {ADDI(9, 0, 100), RDCYCLE(5), NOP, NOP, NOP, NOP, NOP,
                           NOP, NOP, NOP, NOP, NOP, ADDI(9, 9, -1),
                           BNE(9, 0, -11), RDCYCLE(6), ECALL}});
}

static void check_big_loop(struct bench *b)
{
    assert_stat(b->units[0], "fetches", 3 * 10 + 1);
    assert_stat(b->units[0], "wait_fetch", (3 * 10 + 1) * TRIP);
}

/* Three sectors in a buffer for two: the one needed next has always gone. */
static void a_loop_that_does_not_fit_is_fetched_each_time(void **state)
{
    play_fetching(check_big_loop, &(struct program){1,
                                                    {{"fetch_buffer", 2}},
                                                    {ADDI(9, 0, 10),
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     NOP,
                                                     ADDI(9, 9, -1),
                                                     BNE(9, 0, -22),
                                                     ECALL}});
}

static void check_branch(struct bench *b)
{
    below_expect(b->belows[1], "r80000 r80060");
    assert_int_equal(x(b, 0, 6) - x(b, 0, 5), 2 + TRIP);
}

static void a_taken_branch_fetches_where_it_goes(void **state)
{
    struct program p = {1, {{"fetch_buffer", 4}}, {0}};
    p.words[0] = RDCYCLE(5);
    p.words[1] = BGEU(0, 0, 3 * 8 - 1);
    p.words[24] = RDCYCLE(6);
    p.words[25] = ECALL;
    play_fetching(check_branch, &p);
}

/* ---- instructions in two sectors ---- */

/* Code of 2- and 4-byte instructions, one behind the other. */
static void decode_packed(struct bench *b, unsigned count)
{
    const struct program *p = b->scenario->with;
    for (unsigned i = 0, half = 0; i < count; i++) {
        struct isa_insn *insn = &b->text[half];
        isa_decode(p->words[i], &b->machine.profile, insn);
        half += insn->len / 2u;
    }
}

static void build_straddling(struct bench *b)
{
    build_fetching(b);
    decode_packed(b, 12);
}

#define C_NOP 0x0001u

static void check_straddling(struct bench *b)
{
    below_expect(b->belows[1], "r80000 r80020");
    assert_int_equal(x(b, 0, 5), TRIP + 1);
    /* Seven more of the first sector, then one that has to wait. */
    assert_int_equal(x(b, 0, 6), TRIP + 8 + TRIP + 8 * 3);
    assert_stat(b->units[0], "issued", 8 + 9 * 3 + 1);
}

/* The eighth instruction begins at byte 30; a loop around it. */
static void an_instruction_in_two_sectors_needs_both(void **state)
{
    play_on(build_straddling, check_straddling,
            &(struct program){1,
                              {{"fetch_buffer", 2}},
                              {C_NOP, RDCYCLE(5), ADDI(9, 0, 9), NOP, NOP, NOP,
                               NOP, NOP, RDCYCLE(6), ADDI(9, 9, -1),
                               BNE(9, 0, -2), ECALL}});
}

/* ---- harts ---- */

static void check_two(struct bench *b)
{
    below_expect(b->belows[1], "r80000 r80000 r80020 r80020");
    /* Both wait from cycle 0; the second's answer comes a cycle later, and its
     * turn when the first waits again. */
    assert_int_equal(x(b, 0, 5), TRIP);
    assert_int_equal(x(b, 1, 5), TRIP + 8);
    assert_int_equal(x(b, 0, 6), TRIP + 8 + TRIP);
    assert_int_equal(x(b, 1, 6), TRIP + 16 + TRIP);
    assert_stat(b->units[0], "wait_fetch", TRIP + TRIP + 1 + 2 * TRIP);
    assert_stat(b->units[0], "arbitration", 7);
}

static void while_a_hart_waits_for_code_another_issues(void **state)
{
    play_fetching(check_two,
                  &(struct program){2,
                                    {{"fetch_buffer", 2}},
                                    {RDCYCLE(5), NOP, NOP, NOP, NOP, NOP, NOP,
                                     NOP, RDCYCLE(6), ECALL}});
}

static void build_cached(struct bench *b)
{
    build(b);
    struct unit *c = bench_unit(b, "cache", "icache");
    bench_set(b, c, "latency", 2);
    bench_link(b, b->units[0], "fetch", c, "cpu", 2);
    bench_link(b, c, "reply", b->units[0], "code", 0);
    bench_below(b, c, "mem", "fill", FAR);
}

static void check_cached(struct bench *b)
{
    below_expect(b->belows[1], "r80000 r80020");
    assert_stat(b->units[0], "fetches", 4 * 2);
    assert_stat(b->units[1], "misses_read", 2);
    for (unsigned hart = 0; hart < 4; hart++)
        assert_int_equal(x(b, hart, 6), hart);
}

static void harts_share_an_instruction_cache(void **state)
{
    play_on(build_cached, check_cached,
            &(struct program){4,
                              {{"fetch_buffer", 2}},
                              {NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP,
                               ADDI(6, 10, 0), ECALL}});
}

/* ---- fence.i, full ports, data that is late ---- */

static void check_fence_i(struct bench *b)
{
    below_expect(b->belows[0], "i0");
    below_expect(b->belows[1], "r80000 i0 r80000");
    /* Both invalidations are answered, then the code is fetched again. */
    assert_int_equal(x(b, 0, 6) - x(b, 0, 5), 2 + 2 * (TRIP + 20));
    assert_int_equal(ended(b, 0), x(b, 0, 6) + 2);
}

/* The instruction cache is slower than the L1. */
static void build_slow(struct bench *b)
{
    build(b);
    bench_below(b, b->units[0], "fetch", "code", FAR + 20);
}

static void a_fence_i_empties_buffer_and_cache(void **state)
{
    play_on(build_slow, check_fence_i,
            &(struct program){1,
                              {{"fetch_buffer", 2}},
                              {RDCYCLE(5), FENCE_I, RDCYCLE(6), ECALL}});
}

static void check_fence(struct bench *b)
{
    below_expect(b->belows[1], "r80000");
}

static void a_fence_does_not(void **state)
{
    play_fetching(check_fence,
                  &(struct program){1, {{"fetch_buffer", 2}}, {FENCE, ECALL}});
}

static void build_closed(struct bench *b)
{
    build_fetching(b);
    b->belows[1]->closed_until = 400;
}

static void check_closed(struct bench *b)
{
    for (unsigned hart = 0; hart < 40; hart++)
        assert_int_equal(x(b, hart, 6), hart);
    assert_true(bench_stat(b->units[0], "full_fetch") > 3000);
    assert_int_equal(b->belows[1]->count, 40);
}

static void harts_wait_for_room_in_the_fetch_port(void **state)
{
    play_on(build_closed, check_closed,
            &(struct program){
                40, {{"fetch_buffer", 2}}, {ADDI(6, 10, 0), NOP, ECALL}});
}

static void check_late(struct bench *b)
{
    /* The use of the load is fetched while the load is under way. */
    assert_int_equal(x(b, 0, 6) - x(b, 0, 5), 3 + TRIP);
    assert_stat(b->units[0], "wait_fetch", 2 * TRIP);
    assert_stat(b->units[0], "wait_memory", 0);
}

static void code_is_fetched_while_data_comes(void **state)
{
    play_fetching(
        check_late,
        &(struct program){1,
                          {{"fetch_buffer", 2}},
                          {NOP, NOP, NOP, NOP, NOP, NOP, RDCYCLE(5),
                           LD(7, 0x100, 0), ADDI(8, 7, 0), RDCYCLE(6), ECALL}});
}

static void build_near(struct bench *b)
{
    const struct program *p = b->scenario->with;
    build(b);
    bench_below(b, b->units[0], "fetch", "code",
                (unsigned)p->settings[2].value);
}

static void check_in_time(struct bench *b)
{
    assert_int_equal(x(b, 0, 8), 0xa7a6a5a4a3a2a1a1);
    /* It is never sooner than the load. */
    assert_int_equal(x(b, 0, 6) - x(b, 0, 5), 2 + TRIP);
}

/* The use of the load is in the next sector, which comes in the cycle before it
 * could issue, in that cycle, and later. `turn` is the latency of code. */
static void code_that_comes_meanwhile_does_not_hide_the_load(void **state)
{
    struct program p = {1, {{"fetch_buffer", 3}, {"fetch_ahead", 1}}, {0}};
    for (unsigned i = 0; i < 18; i++)
        p.words[i] = NOP;
    p.words[14] = RDCYCLE(5);
    p.words[15] = LD(7, 0x100, 0);
    p.words[16] = ADDI(8, 7, 1);
    p.words[17] = RDCYCLE(6);
    p.words[18] = ECALL;
    for (int64_t latency = 1; latency < 8; latency++) {
        p.settings[2] = (struct setting){"turn", latency};
        play_on(build_near, check_in_time, &p);
    }
}

/* ---- any program ---- */

/*
 * Nested loops over six sectors with a load, on harts that take short turns.
 * bench_play compares runs with and without working ahead; all end with the
 * registers of a run without fetch.
 */
static void check_results(struct bench *b)
{
    for (unsigned hart = 0; hart < 3; hart++) {
        assert_int_equal(x(b, hart, 11), 7 * 5 * 3);
        assert_int_equal(x(b, hart, 12), 7 * 5);
        assert_int_equal(x(b, hart, 6), 0xa7a6a5a4a3a2a1a0);
    }
}

static void results_do_not_depend_on_fetch(void **state)
{
    static const struct {
        int64_t room, ahead;
    } buffers[] = {{0, 0}, {2, 0}, {3, 0}, {3, 1}, {4, 1}, {5, 3}, {8, 2}};
    struct program p = {.harts = 3};
    for (unsigned i = 0; i < TABLE_COUNT(p.words); i++)
        p.words[i] = NOP;
    p.words[0] = ADDI(7, 0, 7);
    p.words[3] = ADDI(8, 0, 5);    /* outer loop: 3 .. 45 */
    p.words[10] = ADDI(12, 12, 1); /* middle: 10 .. 40 */
    p.words[12] = ADDI(9, 0, 3);
    p.words[20] = ADDI(11, 11, 1); /* inner: 20 .. 29 */
    p.words[21] = LD(6, 0x100, 0);
    p.words[28] = ADDI(9, 9, -1);
    p.words[29] = BNE(9, 0, -9);
    p.words[39] = ADDI(8, 8, -1);
    p.words[40] = BNE(8, 0, -30);
    p.words[44] = ADDI(7, 7, -1);
    p.words[45] = BNE(7, 0, -42);
    p.words[46] = ECALL;
    for (unsigned i = 0; i < TABLE_COUNT(buffers); i++) {
        p.settings[0] = (struct setting){"fetch_buffer", buffers[i].room};
        p.settings[1] = (struct setting){"fetch_ahead", buffers[i].ahead};
        p.settings[2] = (struct setting){"turn", 1 + 6 * (int64_t)i};
        play_on(build_cached, check_results, &p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sector_costs_its_latency),
        cmocka_unit_test(fetching_ahead_hides_it),
        cmocka_unit_test(a_loop_that_fits_is_fetched_once),
        cmocka_unit_test(a_loop_that_does_not_fit_is_fetched_each_time),
        cmocka_unit_test(a_taken_branch_fetches_where_it_goes),
        cmocka_unit_test(an_instruction_in_two_sectors_needs_both),
        cmocka_unit_test(while_a_hart_waits_for_code_another_issues),
        cmocka_unit_test(harts_share_an_instruction_cache),
        cmocka_unit_test(a_fence_i_empties_buffer_and_cache),
        cmocka_unit_test(a_fence_does_not),
        cmocka_unit_test(harts_wait_for_room_in_the_fetch_port),
        cmocka_unit_test(code_is_fetched_while_data_comes),
        cmocka_unit_test(code_that_comes_meanwhile_does_not_hide_the_load),
        cmocka_unit_test(results_do_not_depend_on_fetch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
