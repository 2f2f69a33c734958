/*
 * The thread processor and memory: loads, stores, atomics and fences, what is
 * noted for the check of memory, and what programs say to caches.
 */
#include "sim/units/common/check_log.h"
#include "sim/units/tp/tp_bench.h"
#include <stdlib.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
