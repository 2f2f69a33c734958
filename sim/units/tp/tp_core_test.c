/*
 * The core interface of the thread processor (core_kind.h), as the host uses
 * it: registers by number, breakpoints, single steps, how a hart goes on.
 */
#include "sim/core/core_kind.h"
#include "sim/units/common/program_text.h"
#include "sim/units/tp/tp_bench.h"

#define AT(insn) (BENCH_TEXT + 4 * (insn))

/* Numbers of registers, by core_kind.registers. */
static unsigned number_of(const char *name)
{
    unsigned number = 0;
    while (tp_core.registers[number] && strcmp(tp_core.registers[number], name))
        number++;
    assert_non_null(tp_core.registers[number]);
    return number;
}

static uint64_t read_register(const struct bench *b, const char *name)
{
    return tp_core.read(b->units[0], 0, number_of(name));
}

/* The program lies in memory as well, as breakpoints and steps need it. */
static void build_loaded(struct bench *b)
{
    const struct program *p = b->scenario->with;
    struct machine *m = &b->machine;
    build(b);
    memcpy(machine_at(m, BENCH_TEXT), p->words, sizeof p->words);
    m->executable[0] = m->text_range;
    m->executable_count = 1;
    tp_core.loaded(b->units[0]);
}

static void play_loaded(void (*build_it)(struct bench *b),
                        void (*check)(struct bench *b),
                        bool (*host)(struct bench *b, uint64_t now,
                                     const struct service_request *request),
                        const struct program *p)
{
    bench_play(&(struct scenario){
        .build = build_it, .check = check, .serve = host, .with = p});
}

/* ---- breakpoints ---- */

static void build_breakpoint(struct bench *b)
{
    build_loaded(b);
    struct unit *tp = b->units[0];
    assert_false(tp_core.breakpoint(tp, BENCH_TEXT - 4, true));
    assert_false(tp_core.breakpoint(tp, b->machine.text_range.end, true));
    assert_false(tp_core.breakpoint(tp, AT(0) + 1, true));
    assert_true(tp_core.breakpoint(tp, AT(1), true));
    assert_true(tp_core.breakpoint(tp, AT(1), false));
    assert_true(tp_core.breakpoint(tp, AT(2), true));
}

/* At the breakpoint: a step over it, and on. */
static bool step_over(struct bench *b, uint64_t now,
                      const struct service_request *request)
{
    struct hart *h = &b->machine.harts[0];
    if (h->event != HART_EBREAK)
        return true;
    assert_int_equal(tp_core.pc(request->unit, 0), AT(2));
    assert_int_equal(read_register(b, "t0"), 2);
    assert_int_equal(tp_core.step(request->unit, 0), CORE_STEPPED);
    assert_int_equal(tp_core.pc(request->unit, 0), AT(3));
    tp_core.resume(request->unit, 0, now);
    return true;
}

static void check_stepped_over(struct bench *b)
{
    assert_int_equal(b->service_count, 2);
    assert_int_equal(b->machine.harts[0].event, HART_ECALL);
    assert_int_equal(read_register(b, "t0"), 4);
    machine_shared_free(&b->machine);
}

static void a_hart_stops_before_a_breakpoint_and_steps_over_it(void **state)
{
    play_loaded(build_breakpoint, check_stepped_over, step_over,
                &(struct program){1,
                                  {{0}},
                                  {ADDI(5, 5, 1), ADDI(5, 5, 1), ADDI(5, 5, 1),
                                   ADDI(5, 5, 1), ECALL}});
}

/* ---- steps ---- */

static void expect_step(struct bench *b, enum core_step step, unsigned insn)
{
    assert_int_equal(tp_core.step(b->units[0], 0), step);
    assert_int_equal(tp_core.pc(b->units[0], 0), AT(insn));
}

/* The run is over; the program is stepped through once more. */
static void check_steps(struct bench *b)
{
    struct unit *tp = b->units[0];
    struct hart *h = &b->machine.harts[0];
    uint64_t cycle = h->isa.cycle, requests = b->belows[0]->count;
    assert_true(tp_core.write(tp, 0, CORE_PC, AT(1)));
    *bench_word(b, 0x200) = 0;
    uint64_t before = tp_core.instructions(tp, 0);
    expect_step(b, CORE_STEPPED, 2);
    assert_int_equal(*bench_word(b, 0x200), 7);
    expect_step(b, CORE_STEPPED, 3);
    assert_int_equal(read_register(b, "t1"), 7);
    expect_step(b, CORE_STEPPED, 5); /* a branch */
    expect_step(b, CORE_UNIT, 5);
    assert_int_equal(tp_core.instructions(tp, 0) - before, 3);
    assert_true(tp_core.write(tp, 0, CORE_PC, AT(6)));
    expect_step(b, CORE_SERVICE, 6);
    assert_int_equal(h->event, HART_ECALL);
    expect_step(b, CORE_SERVICE, 6);
    assert_true(tp_core.write(tp, 0, CORE_PC, AT(7)));
    expect_step(b, CORE_SERVICE, 7);
    assert_int_equal(h->event, HART_FAULT);
    /* In no simulated time, and by no cache. */
    assert_int_equal(h->isa.cycle, cycle);
    assert_int_equal(b->belows[0]->count, requests);
    machine_shared_free(&b->machine);
}

static void a_step_is_one_instruction_in_no_time(void **state)
{
    play_loaded(
        build_loaded, check_steps, serve,
        &(struct program){1,
                          {{0}},
                          {ADDI(5, 0, 7), SD(5, 0x200, 0), LD(6, 0x200, 0),
                           BNE(5, 0, 2), NOP, FCHTHRD(7), ECALL, 0xffffffff}});
}

/* ---- registers ---- */

static void check_registers(struct bench *b)
{
    struct unit *tp = b->units[0];
    assert_int_equal(tp_core.harts(tp), 1);
    assert_int_equal(number_of("pc"), CORE_PC);
    assert_true(tp_core.write(tp, 0, number_of("a0"), 0x123456789));
    assert_int_equal(x(b, 0, 10), 0x123456789);
    assert_true(tp_core.write(tp, 0, number_of("ft11"), 5));
    assert_int_equal(b->machine.harts[0].isa.f[31], 5);
    assert_false(tp_core.write(tp, 0, number_of("zero"), 5));
    assert_int_equal(read_register(b, "zero"), 0);
    tp_core.reset(tp, 0, AT(1));
    assert_int_equal(tp_core.pc(tp, 0), AT(1));
    assert_int_equal(read_register(b, "s1"), 0);
    machine_shared_free(&b->machine);
}

static void registers_are_read_and_written_by_number(void **state)
{
    play_loaded(build_loaded, check_registers, serve,
                &(struct program){1, {{0}}, {ADDI(9, 0, 3), ECALL}});
}

/* ---- going on ---- */

/* The parameter turn, which changes nothing here, says how the hart goes on. */
enum { STARTS = 100, RESUMES };

static bool go_on(struct bench *b, uint64_t now,
                  const struct service_request *request)
{
    struct hart *h = &b->machine.harts[0];
    const struct program *p = b->scenario->with;
    if (h->isa.pc != AT(1))
        return true;
    h->isa.pc = AT(2);
    if (p->settings[0].value == RESUMES)
        tp_core.resume(request->unit, 0, now);
    else
        tp_core.start(request->unit, 0, now);
    return true;
}

static void check_gone_on(struct bench *b)
{
    const struct program *p = b->scenario->with;
    bool resumed = p->settings[0].value == RESUMES;
    below_expect(b->belows[0], resumed ? "r100 i0 r200" : "r100 r200");
    assert_int_equal(read_register(b, "t1"), 0);
    machine_shared_free(&b->machine);
}

static void resume_drops_copies_and_start_does_not(void **state)
{
    for (int how = STARTS; how <= RESUMES; how++)
        play_loaded(build_loaded, check_gone_on, go_on,
                    &(struct program){
                        1,
                        {{"turn", how}},
                        {LD(5, 0x100, 0), ECALL, LD(6, 0x200, 0), ECALL}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hart_stops_before_a_breakpoint_and_steps_over_it),
        cmocka_unit_test(a_step_is_one_instruction_in_no_time),
        cmocka_unit_test(registers_are_read_and_written_by_number),
        cmocka_unit_test(resume_drops_copies_and_start_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
