/* What a hart did wrong, in words: whatever its core, from the kind of fault
 * that it says, with what the host knows of the program's memory. */
#include "runtime/include/corbel/abi.h"
#include "sim/core/unit.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/program_memory.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static struct core_fault fault;
static uint64_t stack, back;

static void say_fault(const struct unit *core, unsigned slot,
                      struct core_fault *f)
{
    *f = fault;
}

static uint64_t say_pc(const struct unit *core, unsigned slot)
{
    return 0x11110;
}

enum { STACK = CORE_PC + 1, BACK };

static uint64_t read_register(const struct unit *core, unsigned slot,
                              unsigned number)
{
    return number == STACK ? stack : back;
}

static const struct core_abi abi = {.stack = STACK, .return_address = BACK};
static const char *const registers[] = {"pc", "stack", "back", NULL};
static const struct core_kind core = {.registers = registers,
                                      .abi = &abi,
                                      .fault = say_fault,
                                      .pc = say_pc,
                                      .read = read_register};
static const char *reason;
static const struct unit_kind kind = {.name = "toy", .core = &core};
static struct unit unit = {.kind = &kind, .name = "part0.l2"};

static void say_why(const struct unit *u, uint64_t address, char *text,
                    size_t size)
{
    snprintf(text, size, "it is %s", address % 2 ? "odd" : "even");
}

static const struct unit_kind talker = {.name = "toy", .refusal = say_why};
static struct unit talking = {.kind = &talker, .name = "part1.l2"};
static struct hart harts[2] = {{.core = &unit}, {.core = &unit, .slot = 1}};

static const char *told(enum core_fault_kind what, uint64_t address,
                        const struct unit *by)
{
    static struct host host;
    host = (struct host){
        .now = 77,
        .machine = {.harts = harts,
                    .hart_count = 2,
                    .ram_start = 0x10000,
                    .ram_end = 0x4000000,
                    .scratch_bytes = 4096,
                    .profile.xlen = 64},
        .layout.stack_guard = 0x2000000,
    };
    fault = (struct core_fault){
        .kind = what, .address = address, .by = by, .why = reason};
    snprintf(fault.text, sizeof fault.text, "in the core's words");
    assert_false(fault_report(&host, &harts[1]));
    assert_int_equal(host.ended.how, ENDING_FAULT);
    assert_int_equal(host.ended.status, STATUS_FAULT);
    return host.ended.why;
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("%s: expected %s", text, part);
}

static void a_fault_tells_hart_cycle_and_place(void **state)
{
    stack = 0x1000000;
    expect(told(CORE_FAULT_OTHER, 0, NULL),
           "fault: hart 1, cycle 77, pc 0x11110");
    expect(told(CORE_FAULT_OTHER, 0, NULL), "in the core's words");
}

static void accesses_tell_why_the_place_is_wrong(void **state)
{
    stack = 0x1000000;
    expect(told(CORE_FAULT_LOAD, 0x9000000, NULL),
           "load at 0x9000000, which is outside of memory");
    expect(told(CORE_FAULT_STORE, 0x20000, NULL),
           "store at 0x20000, which is read-only");
    expect(told(CORE_FAULT_LOAD, 0x20000, &unit),
           "load at 0x20000, which part0.l2 refuses");
    expect(told(CORE_FAULT_STORE, 0x20001, &talking),
           "store at 0x20001, which part1.l2 refuses: it is odd");
}

static void a_reason_that_is_known_is_told(void **state)
{
    reason = "of no use";
    expect(told(CORE_FAULT_STORE, 0x20000, NULL),
           "store at 0x20000: of no use");
    reason = NULL;
}

static void stacks_that_overflow_are_told_as_such(void **state)
{
    stack = 0x2000100;
    expect(told(CORE_FAULT_STORE, 0x2000010, NULL),
           "stack overflow at 0x2000010: its stack has 16777216 bytes");
    stack = UINT64_MAX - 5000;
    expect(
        told(CORE_FAULT_STORE, UINT64_MAX - 5000, NULL),
        "its kernel stack has 4096 bytes, -s tp.scratch=BYTES gives it more");
}

static void a_wild_jump_tells_where_it_may_have_come_from(void **state)
{
    back = 0x12340;
    expect(told(CORE_FAULT_JUMP, 0x8, NULL),
           "jump to 0x8, which is no code; back 0x12340");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_tells_hart_cycle_and_place),
        cmocka_unit_test(accesses_tell_why_the_place_is_wrong),
        cmocka_unit_test(a_reason_that_is_known_is_told),
        cmocka_unit_test(stacks_that_overflow_are_told_as_such),
        cmocka_unit_test(a_wild_jump_tells_where_it_may_have_come_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
