/*
 * A core of another instruction set, of two registers and a few instructions,
 * is run by the same host: all that it takes is its struct core_kind.
 */
#include "runtime/include/corbel/linux.h"
#include "sim/core/unit.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/program_memory.h"
#include "sim/host/run/programs.h"
#include "sim/host/run/toy_core.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static const struct unit_kind *const kinds[] = {&toy_kind, NULL};

/* ---- the host around it ---- */

struct fixture {
    struct host host;
    struct options options;
    struct toy *toy;
    struct hart hart;
    unsigned first_hart;
};

static void begin(struct fixture *f, const char *code)
{
    struct error e;
    struct host *host = &f->host;
    *f = (struct fixture){.options = {.quiet = true, .max_cycles = 10000}};
    f->options.engine.threads = 1;
    host->options = &f->options;
    host->clock_mhz = 1000;
    host->programs.all[0] = (struct program){
        .core = &toy_core, .path = "toy.elf", .entry = CODE, .xlen = 64};
    host->programs.count = 1;
    host->programs.first = &host->programs.all[0];
    host->machine.profile.xlen = 64;
    assert_true(memory_reserve(&host->machine, MEMORY_END, &e));
    memcpy(machine_at(&host->machine, CODE), code, strlen(code));
    host->chip = chip_new(kinds, &host->machine);
    struct tile *tile = chip_tile(host->chip, "t");
    assert_non_null(chip_unit(host->chip, tile, "toy", "core0", NULL, &e));
    if (!chip_finish(host->chip, &e))
        fail_msg("%s", e.text);
    f->toy = (struct toy *)chip_unit_at(host->chip, 0);
    host->harts = host->machine.hart_count;
    host->machine.harts = &f->hart;
    host->first_hart = &f->first_hart;
    cores_assign(host);
    assert_true(programs_load(host, &e));
    cores_reset(host);
}

static void run(struct fixture *f)
{
    struct error e;
    if (!timing_run(&f->host, &e))
        fail_msg("%s", e.text);
}

static void end(struct fixture *f)
{
    engine_free(f->host.engine);
    chip_free(f->host.chip);
    memory_release(&f->host.machine);
}

#define SAY_EXIT "\x02\x01\x01\x03" /* copy, increment, increment, call */

static void a_program_starts_and_ends_by_a_call(void **state)
{
    struct fixture f;
    begin(&f, SAY_EXIT);
    assert_int_equal(hart_pc(&f.hart), CODE);
    f.toy->r0 = LINUX_exit;
    run(&f);
    assert_int_equal(f.host.ended.how, ENDING_EXIT);
    assert_int_equal(f.host.ended.status, LINUX_exit + 2);
    assert_int_equal(f.toy->executed, 3);
    end(&f);
}

static void an_answer_is_in_the_result_and_the_hart_goes_on(void **state)
{
    struct fixture f;
    begin(&f, "\x03\x01\x09");
    f.toy->r1 = LINUX_getpid;
    run(&f);
    assert_int_equal(f.host.ended.how, ENDING_FAULT);
    assert_int_equal(f.toy->r0, 2); /* the pid, 1, incremented */
    end(&f);
}

static void a_fault_is_told_in_the_words_of_the_core(void **state)
{
    struct fixture f;
    begin(&f, "\x01\x09");
    run(&f);
    assert_int_equal(f.host.ended.how, ENDING_FAULT);
    assert_int_equal(f.host.ended.status, STATUS_FAULT);
    assert_non_null(strstr(f.host.ended.why, "fault: hart 0"));
    assert_non_null(strstr(f.host.ended.why, "pc 0x20001"));
    assert_non_null(strstr(f.host.ended.why, "toy has no instruction 9"));
    end(&f);
}

static void registers_are_read_and_written_by_name(void **state)
{
    struct fixture f;
    unsigned number = 0;
    begin(&f, SAY_EXIT);
    const struct core_kind *core = core_of(&f.hart);
    assert_true(core_register(core, "r1", &number));
    assert_true(core->write(f.hart.core, f.hart.slot, number, 77));
    assert_int_equal(core->read(f.hart.core, f.hart.slot, number), 77);
    assert_int_equal(abi_call_number(&f.hart), 77);
    assert_int_equal(abi_stack(&f.hart), 0); /* it has no stack pointer */
    assert_false(core_register(core, "a0", &number));
    assert_true(core_register(core, "pc", &number));
    assert_int_equal(number, CORE_PC);
    end(&f);
}

/* Looks at the hart, steps it twice, and has it go on. */
struct look {
    unsigned stops;
    uint64_t pc, r0_before, r0_after;
    char text[20];
};

static bool look_and_step(void *context, struct host *host, struct hart *hart)
{
    struct look *l = context;
    const struct core_kind *core = core_of(hart);
    l->stops++;
    l->pc = hart_pc(hart);
    l->r0_before = core->read(hart->core, hart->slot, R0);
    core->disassemble(hart->core, l->pc, l->text, sizeof l->text);
    assert_int_equal(core->step(hart->core, hart->slot), CORE_STEPPED);
    l->r0_after = core->read(hart->core, hart->slot, R0);
    host_resume(host, hart);
    return true;
}

static void a_breakpoint_stops_a_hart_which_is_stepped_over_it(void **state)
{
    struct fixture f;
    struct look look = {0};
    const struct debugger debugger = {&look, look_and_step};
    begin(&f, SAY_EXIT);
    f.host.debugger = &debugger;
    f.toy->r0 = LINUX_exit;
    assert_true(core_of(&f.hart)->breakpoint(f.hart.core, CODE + 2, true));
    run(&f);
    assert_int_equal(look.stops, 1);
    assert_int_equal(look.pc, CODE + 2);
    assert_string_equal(look.text, "increment");
    assert_int_equal(look.r0_before, LINUX_exit + 1);
    assert_int_equal(look.r0_after, LINUX_exit + 2);
    assert_int_equal(f.host.ended.how, ENDING_EXIT);
    assert_int_equal(f.host.ended.status, LINUX_exit + 2);
    end(&f);
}

static void a_hart_is_parked_and_started_by_a_launch(void **state)
{
    struct fixture f;
    begin(&f, SAY_EXIT);
    launch_park(&f.host, &f.hart);
    assert_int_equal(f.hart.state, HART_PARKED);
    assert_int_equal(f.toy->pauses, 1);
    host_start(&f.host, &f.hart);
    assert_int_equal(f.hart.state, HART_RUNNING);
    end(&f);
}

/* HTIF's words are those of one program, the first that has tohost. */
static void the_program_with_tohost_is_answered(void **state)
{
    enum { DATA = CODE + 0x1000, TOHOST = DATA, FROMHOST = DATA + 8 };
    const uint64_t command = 0x0200ull << 48; /* to a device there is not */
    struct fixture f;
    struct error e;
    uint64_t answer = 0;
    struct symbol symbols[] = {{.address = TOHOST, .name = "tohost"},
                               {.address = FROMHOST, .name = "fromhost"}};
    struct core_segment data = {.address = DATA, .memory_bytes = 16};
    const struct program second = {.path = "second.elf",
                                   .entry = DATA,
                                   .segments = &data,
                                   .segment_count = 1,
                                   .symbols = symbols,
                                   .symbol_count = 2};
    begin(&f, SAY_EXIT);
    if (!program_place(&second, &f.host.machine, &e))
        fail_msg("%s", e.text);
    f.hart.event = HART_TOHOST;
    f.hart.fault = (struct isa_effect){
        .address = TOHOST, .value = command, .size = sizeof command};
    assert_true(host_serve(&f.host, &f.hart));
    memcpy(&answer, machine_at(&f.host.machine, FROMHOST), sizeof answer);
    assert_int_equal(answer, command);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_starts_and_ends_by_a_call),
        cmocka_unit_test(an_answer_is_in_the_result_and_the_hart_goes_on),
        cmocka_unit_test(a_fault_is_told_in_the_words_of_the_core),
        cmocka_unit_test(registers_are_read_and_written_by_name),
        cmocka_unit_test(a_breakpoint_stops_a_hart_which_is_stepped_over_it),
        cmocka_unit_test(a_hart_is_parked_and_started_by_a_launch),
        cmocka_unit_test(the_program_with_tohost_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
