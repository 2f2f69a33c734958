/*
 * Accesses that the memory refuses (MEM_FAULT): the hart that made them faults,
 * with the unit and the address, whatever it did meanwhile.
 */
#include "sim/units/tp/tp_bench.h"

/* What is refused, of which of the core's ports, and the fault that follows. */
struct refused {
    struct program program;
    uint64_t address; /* of the sector that is refused */
    unsigned below;   /* which memory of the bench refuses it */
    uint32_t cause;
    uint64_t value;
    uint8_t as; /* the access that the unit says it was */
};

/* Memories behind all three ports: data, code, rays. */
static void build_refusing(struct bench *b)
{
    const struct refused *r = b->scenario->with;
    build(b);
    bench_below(b, b->units[0], "fetch", "code", FAR);
    bench_below(b, b->units[0], "ray", "hit", FAR);
    b->belows[r->below]->refused = r->address;
    b->belows[r->below]->refused_as = r->as;
    open_empty_scene(b);
}

static void check_refused(struct bench *b)
{
    const struct refused *r = b->scenario->with;
    const struct hart *h = &b->machine.harts[0];
    assert_int_equal(b->service_count, 1);
    assert_int_equal(h->event, HART_FAULT);
    assert_int_equal(h->fault.cause, r->cause);
    assert_int_equal(h->fault.tval, r->value);
    assert_ptr_equal(h->refused_by, &b->belows[r->below]->unit);
}

static void play_refused(const struct refused *all, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bench_play(&(struct scenario){.build = build_refusing,
                                      .check = check_refused,
                                      .serve = serve,
                                      .with = &all[i]});
}

#define AT_200 0x200, 0

static void a_refused_access_is_a_fault_of_its_hart(void **state)
{
    const struct refused all[] = {
        {{1, {{0}}, {LD(5, 0x208, 0), NOP, ADDI(6, 5, 1), ECALL}},
         AT_200,
         5,
         0x208},
        {{1, {{0}}, {LD(5, 0x208, 0), ECALL}}, AT_200, 5, 0x208},
        {{1, {{0}}, {SD(5, 0x208, 0), FENCE, ECALL}}, AT_200, 7, 0x208},
        {{1, {{0}}, {ADDI(4, 0, 0x208), AMOADD(6, 5, 4), ECALL}},
         AT_200,
         7,
         0x208},
        /* others under way, and the port full */
        {{1,
          {{0}},
          {LD(5, 0x208, 0), LD(6, 0x100, 0), LD(7, 0x218, 0), LD(8, 0x120, 0),
           SD(5, 0x140, 0), LD(9, 0x160, 0), ECALL}},
         AT_200,
         5,
         0x208},
        /* each part of an access over two sectors */
        {{1, {{0}}, {LD(5, 0x1fc, 0), ADDI(6, 5, 1), ECALL}}, AT_200, 5, 0x200},
        {{1, {{0}}, {SD(5, 0x21d, 0), ADDI(6, 5, 1), ECALL}}, AT_200, 7, 0x21d},
    };
    play_refused(all, TABLE_COUNT(all));
}

static void refused_code_is_a_fault_where_it_is_needed(void **state)
{
    const struct refused all[] = {
        {{1,
          {{"fetch_buffer", 4}, {"fetch_ahead", 2}},
          {NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, ECALL}},
         BENCH_TEXT + SECTOR,
         1,
         1,
         BENCH_TEXT + SECTOR},
    };
    play_refused(all, TABLE_COUNT(all));
}

static void check_unneeded(struct bench *b)
{
    assert_int_equal(b->service_count, 1);
    assert_int_equal(b->machine.harts[0].event, HART_ECALL);
}

/* The next sector is asked for ahead, and refused, but not executed. */
static void refused_code_that_is_not_needed_is_no_fault(void **state)
{
    const struct refused r = {
        {1, {{"fetch_buffer", 4}, {"fetch_ahead", 2}}, {NOP, NOP, NOP, ECALL}},
        BENCH_TEXT + SECTOR,
        1,
        0,
        0};
    bench_play(&(struct scenario){.build = build_refusing,
                                  .check = check_unneeded,
                                  .serve = serve,
                                  .with = &r});
}

/* A ray whose scene the memory refuses. */
static void a_refused_ray_is_a_fault_of_its_hart(void **state)
{
    const struct refused all[] = {
        {{1, {{0}}, {TRACERAY(20, 0, 32), FMV_X_W(6, 20), ECALL}},
         32,
         2,
         5,
         32},
        {{1, {{0}}, {TRACERAY(20, 0, 32), ECALL}}, 32, 2, 5, 32},
        {{1, {{0}}, {TRACERAY(20, 0, 32), ECALL}}, 32, 2, 7, 32, MEM_WRITE},
    };
    play_refused(all, TABLE_COUNT(all));
}

/* ---- what no unit serves ---- */

struct lacking {
    struct program program;
    bool links[2]; /* has the core an RT core? */
    const char *text;
};

static void build_lacking(struct bench *b)
{
    const struct lacking *l = b->scenario->with;
    for (unsigned i = 0; i < 2; i++) {
        struct unit *tp = bench_unit(b, "tp", i ? "one" : "zero");
        bench_below(b, tp, "mem", "data", FAR);
        if (l->links[i])
            bench_below(b, tp, "ray", "hit", FAR);
    }
    bench_program(b, l->program.words, 1);
    open_empty_scene(b);
}

static void check_lacking(struct bench *b)
{
    const struct lacking *l = b->scenario->with;
    struct isa_insn insn;
    char text[100] = "";
    isa_decode(TRACERAY(20, 0, 0), &b->machine.profile, &insn);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(tp_lacks(b->units[i], &insn), !l->links[i]);
        if (l->links[i])
            continue;
        assert_true(tp_lacks_text(b->units[i], &insn, text, sizeof text));
        assert_string_equal(text, l->text);
    }
}

static void a_core_knows_whether_others_are_linked(void **state)
{
    static const char others[] =
        "this core has no RT core, others of the chip have";
    static const struct lacking all[] = {
        {{.words = {ECALL}}, {true, false}, others},
        {{.words = {ECALL}}, {false, true}, others},
        {{.words = {ECALL}}, {false, false}, "the chip has no RT core"},
    };
    for (unsigned i = 0; i < TABLE_COUNT(all); i++)
        bench_play(&(struct scenario){.build = build_lacking,
                                      .check = check_lacking,
                                      .serve = serve,
                                      .with = &all[i]});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_access_is_a_fault_of_its_hart),
        cmocka_unit_test(refused_code_is_a_fault_where_it_is_needed),
        cmocka_unit_test(refused_code_that_is_not_needed_is_no_fault),
        cmocka_unit_test(a_refused_ray_is_a_fault_of_its_hart),
        cmocka_unit_test(a_core_knows_whether_others_are_linked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
