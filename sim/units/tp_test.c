/*
 * The thread processor, by small programs that read the cycle counter: when
 * instructions issue, what a hart waits for, how harts share the core.
 */
#include "runtime/include/corbel/scene.h"
#include "sim/units/check.h"
#include "sim/units/tp_bench.h"
#include <stdlib.h>

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

/* ---- memory ---- */

static void check_load(struct bench *b)
{
    assert_int_equal(x(b, 0, 6), 0xa7a6a5a4a3a2a1a0 + 1);
    /* Others go on: the second time stamp; the third waited. */
    assert_int_equal(x(b, 0, 8) - x(b, 0, 7), 2);
    assert_int_equal(x(b, 0, 9) - x(b, 0, 7), 1 + ROUND_TRIP + 1);
    assert_stat(b->units[0], "wait_memory", ROUND_TRIP - 2);
    assert_stat(b->units[0], "memory", 1);
    below_expect(b->belows[0], "r100");
}

static void the_consumer_of_a_load_waits_for_it(void **state)
{
    play(check_load, &(struct program){1,
                                       {{0}},
                                       {RDCYCLE(7), LD(5, 0x100, 0), RDCYCLE(8),
                                        ADDI(6, 5, 1), RDCYCLE(9), ECALL}});
}

static void check_extension(struct bench *b)
{
    assert_int_equal(x(b, 0, 5), 0xffffffffa3a2a1a0);
    assert_int_equal(x(b, 0, 6), 0xa1a0);
}

static void loads_are_extended(void **state)
{
    play(check_extension,
         &(struct program){
             1, {{0}}, {LW(5, 0x100, 0), LHU(6, 0x100, 0), ECALL}});
}

/* Loads of 8 bytes at 0x101 .. 0x11f into x1 .. x31. */
static void check_misaligned(struct bench *b)
{
    unsigned requests = 0;
    for (unsigned i = 1; i < 32; i++) {
        uint64_t expected;
        memcpy(&expected, machine_at(&b->machine, 0x100 + i), 8);
        assert_int_equal(x(b, 0, i), expected);
        requests += i % SECTOR + 8 > SECTOR ? 2 : 1;
    }
    assert_int_equal(b->belows[0]->count, requests);
    for (unsigned i = 0; i < requests; i++) {
        const struct msg *m = &b->belows[0]->seen[i].msg;
        assert_true(m->addr % SECTOR + m->size <= SECTOR);
    }
    assert_stat(b->units[0], "memory", 31);
}

static void a_load_over_two_sectors_has_the_right_bytes(void **state)
{
    struct program p = {.harts = 1};
    for (unsigned i = 1; i < 32; i++)
        p.words[i - 1] = LD(i, 0x100 + (int)i, 0);
    p.words[31] = ECALL;
    play(check_misaligned, &p);
}

static void check_misaligned_store(struct bench *b)
{
    static const uint8_t expected[] = {0xbb, 0x55, 0x05, 0, 0,
                                       0,    0,    0,    0, 0xc4};
    assert_memory_equal(machine_at(&b->machine, 0x11b), expected, 10);
    below_expect(b->belows[0], "w11c w120 r11c r120 s0");
    assert_int_equal(x(b, 0, 6), 0x555);
}

static void so_has_a_store(void **state)
{
    play(check_misaligned_store,
         &(struct program){
             1,
             {{0}},
             {ADDI(5, 0, 0x555), SD(5, 0x11c, 0), LD(6, 0x11c, 0), ECALL}});
}

/* One instruction stores at distances of 13: some over two sectors. */
static void check_odd_stores(struct bench *b)
{
    for (unsigned i = 0; i < 20; i++) {
        uint64_t stored;
        memcpy(&stored, machine_at(&b->machine, 0x201 + 13 * i), 8);
        assert_int_equal(stored, i + 1);
    }
    assert_int_equal(x(b, 0, 6), 20);
}

static void no_answer_is_taken_for_that_of_another_access(void **state)
{
    play(check_odd_stores,
         &(struct program){1,
                           {{0}},
                           {ADDI(4, 0, 0x201), ADDI(5, 5, 1), SD(5, 0, 4),
                            LD(6, 0, 4), ADDI(4, 4, 13), ADDI(9, 0, 20),
                            BNE(5, 9, -5), ECALL}});
}

/* The fence's message takes its cycle, though the loads of the other hart, one
 * a cycle, were worked out before. */
static void check_between(struct bench *b)
{
    below_expect(b->belows[0],
                 "w200 r100 r104 r108 r10c r110 r114 i0 r118 r11c");
}

static void what_is_sent_ahead_lets_others_come_between(void **state)
{
    play(check_between,
         &(struct program){
             2,
             {{0}},
             {BNE(10, 0, 4), SD(5, 0x200, 0), FENCE, ECALL, ADDI(5, 0, 13),
              ADDI(5, 5, -1), BNE(5, 0, -1), LW(11, 0x100, 0), LW(12, 0x104, 0),
              LW(13, 0x108, 0), LW(14, 0x10c, 0), LW(15, 0x110, 0),
              LW(16, 0x114, 0), LW(17, 0x118, 0), LW(18, 0x11c, 0), ECALL}});
}

static void check_fence(struct bench *b)
{
    const struct seen *seen = b->belows[0]->seen;
    below_expect(b->belows[0], "w200 w208 i0 r200");
    /* Two stores, a fence: it waits for the second, then for the L1. */
    assert_int_equal(seen[2].at - seen[1].at, ROUND_TRIP);
    assert_int_equal(x(b, 0, 7), 2 * ROUND_TRIP + 1);
    assert_stat(b->units[0], "drain", 2 * ROUND_TRIP - 2 + ROUND_TRIP - 2);
    assert_int_equal(x(b, 0, 6), 0);
}

static void a_fence_waits_for_stores_then_drops_copies(void **state)
{
    play(check_fence,
         &(struct program){1,
                           {{0}},
                           {SD(5, 0x200, 0), SD(5, 0x208, 0), FENCE, RDCYCLE(7),
                            LD(6, 0x200, 0), ECALL}});
}

static void check_order(struct bench *b)
{
    below_expect(b->belows[0], "w200 r200 a200 r200 s0");
    assert_int_equal(x(b, 0, 6), 5);
    assert_int_equal(x(b, 0, 7), 5);
    assert_int_equal(x(b, 0, 8), 10);
}

static void accesses_go_out_in_program_order(void **state)
{
    play(check_order,
         &(struct program){1,
                           {{0}},
                           {ADDI(5, 0, 5), ADDI(4, 0, 0x200), SD(5, 0, 4),
                            LD(6, 0, 4), AMOADD(7, 5, 4), LD(8, 0, 4), ECALL}});
}

static void build_served(struct bench *b)
{
    static const uint8_t served[] = {0, 1, 2, MEM_JOINED | 1};
    build(b);
    b->belows[0]->served =
        served[((const struct program *)b->scenario->with)->settings[0].value -
               1];
}

static void check_served(struct bench *b)
{
    static const char *const names[] = {"loads_first", "loads_second",
                                        "loads_memory", "loads_joined"};
    const struct program *p = b->scenario->with;
    for (unsigned i = 0; i < TABLE_COUNT(names); i++)
        assert_stat(b->units[0], names[i],
                    i + 1 == p->settings[0].value ? 3 : 0);
}

/* A load, a load in two parts, a store, an atomic; `turn` is the case. */
static void loads_are_counted_by_where_they_were_served(void **state)
{
    for (int which = 1; which <= 4; which++)
        play_on(build_served, check_served,
                &(struct program){1,
                                  {{"turn", which}},
                                  {LD(5, 0x100, 0), LD(6, 0x11c, 0),
                                   ADDI(7, 0, 0x208), SD(5, 0x200, 0),
                                   AMOADD(5, 7, 7), ECALL}});
}

#define TILES 8

static void build_logged(struct bench *b)
{
    b->machine.check_memory = true;
    b->machine.check_logs = calloc(TILES, sizeof *b->machine.check_logs);
    build(b);
    b->belows[0]->served = 2;
}

static void check_record(const struct check_record *r,
                         const struct check_record *expected)
{
    assert_int_equal(r->kind, expected->kind);
    assert_int_equal(r->cycle, expected->cycle);
    assert_int_equal(r->issued, expected->issued);
    assert_int_equal(r->pc, expected->pc);
    assert_int_equal(r->addr, expected->addr);
    assert_int_equal(r->size, expected->size);
    assert_int_equal(r->value, expected->value);
    assert_int_equal(r->served, expected->kind == CHECK_LOAD ? 2 : 0);
    assert_int_equal(r->hart, 0);
}

#define STORE_NOTE(at, insn, address, bytes, data)                             \
    {                                                                          \
        .kind = CHECK_STORE, .cycle = (at), .pc = BENCH_TEXT + 4 * (insn),     \
        .addr = (address), .size = (bytes), .value = (data)                    \
    }
#define LOAD_NOTE(at, insn, address, bytes, data)                              \
    {                                                                          \
        .kind = CHECK_LOAD, .cycle = (at) + ROUND_TRIP, .issued = (at),        \
        .pc = BENCH_TEXT + 4 * (insn), .addr = (address), .size = (bytes),     \
        .value = (data)                                                        \
    }

static void check_log(struct bench *b)
{
    const uint64_t trip = ROUND_TRIP;
    const struct check_record expected[] = {
        STORE_NOTE(2, 2, 0x200, 4, 0x5a5),
        LOAD_NOTE(1, 1, 0x100, 8, 0xa7a6a5a4a3a2a1a0),
        LOAD_NOTE(3, 3, 0x106, 2, 0xa7a6),
        STORE_NOTE(3 + trip, 5, 0x21c, 4, 0xa3a2a1a0),
        STORE_NOTE(3 + 2 * trip, 5, 0x220, 4, 0xa7a6a5a4),
        LOAD_NOTE(4 + 3 * trip, 6, 0x21e, 2, 0xa3a2),
        LOAD_NOTE(4 + 4 * trip, 6, 0x220, 2, 0xa5a4),
    };
    unsigned count = 0;
    for (unsigned tile = 0; tile < TILES; tile++) {
        struct check_log *log = &b->machine.check_logs[tile];
        for (unsigned i = 0; i < log->count; i++) {
            assert_true(count < TABLE_COUNT(expected));
            check_record(&log->records[i], &expected[count++]);
        }
        free(log->records);
    }
    assert_int_equal(count, TABLE_COUNT(expected));
    free(b->machine.check_logs);
}

/* Loads, one to x0; a store and a load in two parts; an atomic. */
static void loads_and_stores_are_noted_for_the_check_of_memory(void **state)
{
    play_on(build_logged, check_log,
            &(struct program){1,
                              {{0}},
                              {ADDI(11, 0, 0x5a5), LD(5, 0x100, 0),
                               SW(11, 0x200, 0), LHU(0, 0x106, 0),
                               ADDI(6, 5, 0), SD(6, 0x21c, 0), LW(7, 0x21e, 0),
                               ADDI(8, 0, 0x300), AMOADD(7, 8, 8), ECALL}});
}

#define RL (1u << 25)
#define AQ (1u << 26)

static void check_ordered(struct bench *b)
{
    const struct seen *seen = b->belows[0]->seen;
    /* A store, an atomic that releases, one that acquires, a load. */
    below_expect(b->belows[0], "w200 i0 a208 a208 i0 r200");
    assert_true(seen[2].at >= seen[0].at + ROUND_TRIP);
    assert_true(seen[5].at >= seen[3].at + ROUND_TRIP);
    assert_true(seen[3].at < seen[2].at + ROUND_TRIP);
    assert_int_equal(x(b, 0, 6), 0);
    assert_int_equal(x(b, 0, 7), 5);
    assert_int_equal(x(b, 0, 8), 5);
}

static void atomics_are_ordered_as_they_say(void **state)
{
    play(check_ordered,
         &(struct program){1,
                           {{0}},
                           {ADDI(5, 0, 5), ADDI(4, 0, 0x200), SD(5, 0, 4),
                            ADDI(9, 0, 0x208), AMOADD(6, 5, 9) | RL,
                            AMOADD(7, 0, 9) | AQ, LD(8, 0, 4), ECALL}});
}

/* ---- what programs say to caches ---- */

static void check_blocks(struct bench *b)
{
    const struct seen *seen = b->belows[0]->seen;
    below_expect(b->belows[0], "w248 c240 c240 c280 i0");
    for (unsigned i = 1; i < 4; i++)
        assert_int_equal(seen[i].msg.size, 64);
    assert_int_equal(seen[1].msg.aux, BLOCK_CLEAN);
    assert_int_equal(seen[2].msg.aux, BLOCK_INVAL);
    assert_int_equal(seen[3].msg.aux, BLOCK_FLUSH);
    /* They do not wait for each other; the fence waits for the last. */
    assert_int_equal(seen[3].at - seen[0].at, 4);
    assert_int_equal(seen[4].at - seen[3].at, ROUND_TRIP);
    assert_stat(b->units[0], "blocks", 3);
    assert_stat(b->units[0], "memory", 1);
}

static void blocks_are_managed_and_awaited_like_stores(void **state)
{
    play(check_blocks,
         &(struct program){1,
                           {{0}},
                           {ADDI(4, 0, 0x27f), SD(5, 0x248, 0), CBO_CLEAN(4),
                            CBO_INVAL(4), ADDI(4, 4, 1), CBO_FLUSH(4),
                            ADDI(4, 0, -8), CBO_CLEAN(4), /* scratch */
                            FENCE, ECALL}});
}

/* Levels that each request bypasses, as digits. */
static void expect_bypass(const struct bench *b, const char *levels)
{
    char text[64] = "";
    const struct below *m = b->belows[0];
    for (unsigned i = 0; i < m->count && i < sizeof text - 1; i++)
        text[i] = (char)('0' + (m->seen[i].msg.flags & MEM_BYPASS));
    assert_string_equal(text, levels);
}

static void check_hints(struct bench *b)
{
    below_expect(b->belows[0],
                 "r100 r100 r108 w200 r100 a208 r11c r120 r110 s0");
    expect_bypass(b, "3010021100");
}

static void a_hint_concerns_the_next_instruction_only(void **state)
{
    play(check_hints, &(struct program){
                          1,
                          {{0}},
                          {NTL_ALL, LD(5, 0x100, 0), LD(5, 0x100, 0), NTL_P1,
                           LD(5, 0x108, 0), NTL_S1, NOP, SD(0, 0x200, 0),
                           NTL_ALL, LD(5, -8, 0), LD(5, 0x100, 0),
                           ADDI(4, 0, 0x208), NTL_S1, AMOADD(5, 4, 4), NTL_PALL,
                           LD(5, 0x11c, 0), LD(5, 0x110, 0), ECALL}});
}

static void check_bypass(struct bench *b)
{
    below_expect(b->belows[0], "r100 w200 r100 w200 a208 s0");
    expect_bypass(b, "123300");
}

static void a_core_may_bypass_caches(void **state)
{
    play(check_bypass,
         &(struct program){1,
                           {{"load_bypass", 1}, {"store_bypass", 2}},
                           {LD(5, 0x100, 0), SD(0, 0x200, 0), NTL_ALL,
                            LD(5, 0x100, 0), NTL_ALL, SD(0, 0x200, 0),
                            ADDI(4, 0, 0x208), AMOADD(5, 4, 4), ECALL}});
}

static void check_scratch(struct bench *b)
{
    assert_int_equal(b->belows[0]->count, 0);
    for (unsigned hart = 0; hart < 3; hart++) {
        assert_int_equal(x(b, hart, 5), hart);
        assert_int_equal(x(b, hart, 6), 0);
    }
    assert_stat(b->units[0], "scratch", 3 * 3);
    assert_stat(b->units[0], "memory", 0);
    assert_stat(b->units[0], "wait_result", 3 * 2);
}

/* a0 holds the number of the hart. */
static void scratch_memory_is_private_and_near(void **state)
{
    play(check_scratch,
         &(struct program){3,
                           {{"scratch_latency", 4}},
                           {SD(10, -8, 0), LD(5, -8, 0), LD(6, -16, 0), NOP,
                            ADDI(6, 6, 0), ECALL}});
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
}

static void harts_take_turns_when_they_wait(void **state)
{
    play(check_turns, &(struct program){
                          4,
                          {{0}},
                          {RDCYCLE(7), LD(5, 0x100, 0), ADDI(6, 5, 1),
                           RDCYCLE(8), LD(5, 0x100, 0), ADDI(6, 5, 1), ECALL}});
}

/* Hart 0 waits; hart 1 counts for long and is not interrupted. */
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
    uint64_t full = bench_stat(b->units[0], "port_full");
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
    assert_true(bench_stat(b->units[0], "port_full") > 1000);
    assert_true(last < first + first / 4); /* nobody is starved */
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

static void build_rtcore(struct bench *b)
{
    static const struct corbel_scene nothing; /* no root: no hit */
    struct unit *tp = build_core(b);
    struct unit *r = bench_unit(b, "rtcore", "rtcore");
    bench_below(b, tp, "mem", "data", FAR);
    bench_below(b, r, "mem", "data", FAR);
    bench_link(b, tp, "ray", r, "ray", 2);
    bench_link(b, r, "hit", tp, "hit", 0);
    b->machine.scene = &nothing;
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

/* ---- a small machine ---- */

/* Two cores with 8 harts each, a scheduler, an L1, an owner, memory. */
static void build_machine(struct bench *b)
{
    const struct program *p = b->scenario->with;
    struct unit *tp[] = {build_core(b), bench_unit(b, "tp", "tp1")};
    struct unit *s = bench_unit(b, "scheduler", "scheduler");
    struct unit *w = bench_unit(b, "workcounter", "counter");
    struct unit *l1 = bench_unit(b, "cache", "l1");
    struct unit *l2 = bench_unit(b, "cache", "l2");
    struct unit *memory = bench_unit(b, "memory", "memory");
    bench_set(b, tp[1], "harts", p->harts);
    bench_set(b, s, "block", 4);
    bench_set(b, l2, "owner", 1);
    for (unsigned i = 0; i < 2; i++) {
        bench_link(b, tp[i], "mem", l1, "cpu", 2);
        bench_link(b, l1, "reply", tp[i], "data", 0);
        bench_link(b, tp[i], "next", s, "next", 2);
        bench_link(b, s, "index", tp[i], "index", 0);
    }
    bench_link(b, s, "ask", w, "ask", 1);
    bench_link(b, w, "block", s, "block", 0);
    bench_link(b, l1, "mem", l2, "cpu", 4);
    bench_link(b, l2, "reply", l1, "fill", 0);
    bench_link(b, l2, "mem", memory, "cpu", 4);
    bench_link(b, memory, "reply", l2, "fill", 0);
}

#define ITEMS 400u

static void check_machine(struct bench *b)
{
    for (unsigned i = 0; i < ITEMS; i++)
        assert_int_equal(*bench_word(b, 0x1000 + 8 * i), 1);
    assert_int_equal(*bench_word(b, 0x1000 + 8 * ITEMS), 0);
    assert_int_equal(*bench_word(b, 0x400), ITEMS * (ITEMS - 1) / 2);
    assert_int_equal(b->service_count, 16);
    for (unsigned i = 0; i < 2; i++)
        assert_true(bench_stat(b->units[i], "wait_index") > 0);
}

/* Until there are no more: the index's word + 1, the sum + the index. */
static void every_work_item_is_done_once(void **state)
{
    play_on(build_machine, check_machine,
            &(struct program){8,
                              {{0}},
                              {ADDI(11, 0, 1), SLLI(12, 11, 12),
                               ADDI(13, 0, ITEMS), ADDI(14, 0, 0x400),
                               FCHTHRD(5), BGEU(5, 13, 6), SLLI(6, 5, 3),
                               r_type(0x33, 6, 6, 12), AMOADD(0, 11, 6),
                               AMOADD(7, 5, 14), BNE(11, 0, -6), ECALL}});
}

static void build_owner(struct bench *b)
{
    struct unit *tp = build_core(b);
    struct unit *c = bench_unit(b, "cache", "owner");
    bench_set(b, c, "owner", 1);
    bench_link(b, tp, "mem", c, "cpu", 4);
    bench_link(b, c, "reply", tp, "data", 0);
    bench_below(b, c, "mem", "fill", 7);
}

static void check_sc(struct bench *b)
{
    assert_int_equal(*bench_word(b, 0x200), 4 * 10);
    assert_int_equal(x(b, 0, 7), 1); /* an sc without lr */
    /* It did not even go out. */
    assert_stat(b->units[1], "atomics", bench_stat(b->units[0], "memory") - 4);
}

/* Harts that add 1 by lr and sc until that succeeds, ten times. */
static void harts_add_by_lr_and_sc(void **state)
{
    play_on(
        build_owner, check_sc,
        &(struct program){4,
                          {{0}},
                          {ADDI(4, 0, 0x200), ADDI(9, 0, 10), SC(7, 9, 4),
                           LR(5, 4), ADDI(5, 5, 1), SC(6, 5, 4), BNE(6, 0, -3),
                           ADDI(9, 9, -1), BNE(9, 0, -5), ECALL}});
}

static void check_own_store(struct bench *b)
{
    assert_int_equal(x(b, 0, 5), 0); /* its own store in between: success */
    assert_int_equal(x(b, 0, 6), 1); /* used up */
    assert_int_equal(x(b, 0, 7), 1); /* scratch memory, no reservation */
    assert_int_equal(x(b, 0, 8), 0);
    assert_int_equal(x(b, 0, 11), 0);
    assert_int_equal(x(b, 0, 12), 9);
}

static void reservations_are_the_same_in_scratch_and_memory(void **state)
{
    play_on(build_owner, check_own_store,
            &(struct program){1,
                              {{0}},
                              {ADDI(4, 0, 0x200), ADDI(9, 0, 9), LR(5, 4),
                               SD(9, 8, 4), SC(5, 9, 4), SC(6, 9, 4),
                               ADDI(4, 0, -64), SC(7, 9, 4), LD(8, 0, 4),
                               LR(11, 4), SC(11, 9, 4), LD(12, 0, 4), ECALL}});
}

/* ---- services and faults ---- */

/* The first service is done at once: the hart goes on behind the ecall. */
static bool resume(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    struct hart *h = &b->machine.harts[request->tag];
    if (h->event == HART_ECALL && h->isa.x[17] == 0) {
        h->isa.pc += 4;
        h->isa.x[10] = 77;
        tp_resume(request->unit, (unsigned)request->tag, now);
    }
    return true;
}

static void check_service(struct bench *b)
{
    /* The store, then the ecall in cycle 1: asked for when the store's answer
     * is there, and then that of the write-back. */
    assert_int_equal(b->service_count, 2);
    assert_int_equal(b->services[0].cycle, 2 * ROUND_TRIP);
    assert_int_equal(x(b, 0, 10), 77);
    below_expect(b->belows[0], "w200 s0 i0 r200");
    assert_int_equal(x(b, 0, 6), 0);
    assert_int_equal(b->machine.harts[0].event, HART_ECALL);
    uint64_t issued = bench_stat(b->units[0], "issued");
    assert_int_equal(issued, 5);
}

static void an_ecall_waits_for_accesses_and_the_hart_goes_on_after(void **state)
{
    static const struct program p = {.harts = 1};
    struct program q = p;
    const uint32_t words[] = {SD(5, 0x200, 0), ECALL, LD(6, 0x200, 0),
                              ADDI(17, 6, 1), ECALL};
    memcpy(q.words, words, sizeof words);
    bench_play(&(struct scenario){
        .build = build, .check = check_service, .serve = resume, .with = &q});
}

/* The L1 keeps what is stored. */
static void build_write_back(struct bench *b)
{
    enum { BACK = 2, YES = 2, HERE = 1 };
    struct unit *tp = build_core(b);
    struct unit *l1 = bench_unit(b, "cache", "l1");
    struct unit *l2 = bench_unit(b, "cache", "l2");
    bench_set(b, l1, "write", BACK);
    bench_set(b, l1, "allocate", YES);
    bench_set(b, l1, "atomics", HERE);
    bench_set(b, l2, "owner", 1);
    bench_link(b, tp, "mem", l1, "cpu", 4);
    bench_link(b, l1, "reply", tp, "data", 0);
    bench_link(b, l1, "mem", l2, "cpu", 4);
    bench_link(b, l2, "reply", l1, "fill", 0);
    bench_below(b, l2, "mem", "fill", 7);
}

/* Two sectors are dirty; the second service has nothing to wait for. */
static void check_written_back(struct bench *b)
{
    assert_stat(b->units[1], "writebacks", 2);
    assert_stat(b->units[2], "updates", 2);
    assert_int_equal(*bench_word(b, 0x200), 5);
    assert_int_equal(*bench_word(b, 0x220), 5);
    assert_true(ended(b, 0) > 2 * 20 + 4 * LINK);
}

static void what_a_hart_stored_is_in_memory_when_it_is_served(void **state)
{
    static const uint32_t ways_to_end[] = {ECALL, FENCE, FENCE_W_W, FENCE_I};
    for (unsigned i = 0; i < TABLE_COUNT(ways_to_end); i++)
        play_on(build_write_back, check_written_back,
                &(struct program){1,
                                  {{0}},
                                  {ADDI(5, 0, 5), SD(5, 0x200, 0),
                                   SD(5, 0x220, 0), ways_to_end[i], ECALL}});
    play_on(
        build_write_back, check_written_back,
        &(struct program){1,
                          {{0}},
                          {ADDI(5, 0, 5), ADDI(4, 0, 0x200), AMOADD(6, 5, 4),
                           ADDI(4, 4, 0x20), AMOADD(6, 5, 4), ECALL}});
}

struct expected_fault {
    struct program program;
    uint32_t cause;
    unsigned at; /* instruction */
    uint64_t value;
};

static void check_fault(struct bench *b)
{
    const struct expected_fault *f = b->scenario->with;
    const struct hart *h = &b->machine.harts[0];
    assert_int_equal(b->service_count, 1);
    assert_int_equal(h->event, HART_FAULT);
    assert_int_equal(h->fault.cause, f->cause);
    assert_int_equal(h->fault.tval, f->value);
    assert_int_equal(h->isa.pc, BENCH_TEXT + 4 * f->at);
}

static void faults_stop_the_hart_at_the_instruction(void **state)
{
    const struct expected_fault faults[] = {
        {{1, {{0}}, {NOP, LD(5, -2048, 0)}}, 5, 1, -2048ull},
        {{1, {{0}}, {NOP, SD(5, -2048, 0)}}, 7, 1, -2048ull},
        {{1, {{0}}, {ADDI(5, 0, 1), SLLI(5, 5, 20), SW(0, 8, 5)}},
         7,
         2,
         BENCH_READ_ONLY + 8},
        {{1, {{0}}, {NOP, NOP, 0xffffffff}}, 2, 2, 0xffffffff},
        {{1, {{0}}, {FCHTHRD(5)}}, 2, 0, FCHTHRD(5)},
        {{1, {{0}}, {BNE(10, 10, 8), BGEU(0, 0, 100)}},
         1,
         101,
         BENCH_TEXT + 404},
        {{1, {{0}}, {ADDI(5, 0, 4), AMOADD(6, 6, 5)}}, 6, 1, 4},
        {{1, {{0}}, {ADDI(5, 0, -2048), CBO_CLEAN(5)}}, 7, 1, -2048ull},
    };
    for (unsigned i = 0; i < TABLE_COUNT(faults); i++) {
        struct expected_fault f = faults[i];
        f.program.settings[0] = (struct setting){"scratch", 1024};
        bench_play(&(struct scenario){
            .build = build, .check = check_fault, .serve = serve, .with = &f});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependent_instructions_issue_one_a_cycle),
        cmocka_unit_test(a_run_lasts_until_the_last_instruction),
        cmocka_unit_test(a_result_may_be_used_latency_cycles_later),
        cmocka_unit_test(the_consumer_of_a_load_waits_for_it),
        cmocka_unit_test(loads_are_extended),
        cmocka_unit_test(a_load_over_two_sectors_has_the_right_bytes),
        cmocka_unit_test(so_has_a_store),
        cmocka_unit_test(no_answer_is_taken_for_that_of_another_access),
        cmocka_unit_test(what_is_sent_ahead_lets_others_come_between),
        cmocka_unit_test(a_fence_waits_for_stores_then_drops_copies),
        cmocka_unit_test(accesses_go_out_in_program_order),
        cmocka_unit_test(loads_are_counted_by_where_they_were_served),
        cmocka_unit_test(loads_and_stores_are_noted_for_the_check_of_memory),
        cmocka_unit_test(atomics_are_ordered_as_they_say),
        cmocka_unit_test(blocks_are_managed_and_awaited_like_stores),
        cmocka_unit_test(a_hint_concerns_the_next_instruction_only),
        cmocka_unit_test(a_core_may_bypass_caches),
        cmocka_unit_test(scratch_memory_is_private_and_near),
        cmocka_unit_test(the_core_stays_with_a_hart_that_can_issue),
        cmocka_unit_test(harts_take_turns_when_they_wait),
        cmocka_unit_test(a_hart_that_spins_loses_its_turn),
        cmocka_unit_test(a_hart_that_waited_waits_for_its_turn),
        cmocka_unit_test(a_full_port_stops_only_who_needs_it),
        cmocka_unit_test(harts_take_turns_at_a_full_port),
        cmocka_unit_test(an_instruction_may_use_a_shared_unit),
        cmocka_unit_test(a_ray_goes_to_the_rt_core_and_its_hit_comes_back),
        cmocka_unit_test(every_work_item_is_done_once),
        cmocka_unit_test(harts_add_by_lr_and_sc),
        cmocka_unit_test(reservations_are_the_same_in_scratch_and_memory),
        cmocka_unit_test(
            an_ecall_waits_for_accesses_and_the_hart_goes_on_after),
        cmocka_unit_test(what_a_hart_stored_is_in_memory_when_it_is_served),
        cmocka_unit_test(faults_stop_the_hart_at_the_instruction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
