/*
 * The thread processor with real neighbours: harts that share work and memory,
 * ask for services, and fault.
 */
#include "sim/units/tp/tp_bench.h"

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
