/*
 * The functional executor: that it stops where it should, protects what it
 * should, sees new code after fence.i, keeps reservations between harts. What
 * the rows compute is compared with isa_execute by ci/tests/isa-qemu.sh.
 */
#include "sim/isa/functional.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { START = 0x1000, END = 0x4000, DATA = 0x3000, HARTS = 2 };

enum { ECALL = 0x00000073, A0 = 10, A1 = 11 };

struct fixture {
    uint8_t bytes[END];
    struct isa_memory memory;
    struct isa_code *code;
    struct isa_hart harts[HARTS];
    struct isa_effect effect;
    struct isa_insn unit;
};

static int set_up_xlen(void **state, unsigned xlen)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_true(isa_memory_init(&f->memory, f->bytes, START, END, HARTS));
    struct isa_profile profile = {ISA_ALL_EXTENSIONS, (uint8_t)xlen};
    f->code = isa_code_create(&f->memory, &profile);
    assert_non_null(f->code);
    for (unsigned i = 0; i < HARTS; i++)
        isa_hart_reset(&f->harts[i], &profile, i, START);
    *state = f;
    return 0;
}

static int set_up(void **state)
{
    return set_up_xlen(state, 64);
}

static int set_up_rv32(void **state)
{
    return set_up_xlen(state, 32);
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    isa_code_free(f->code);
    isa_memory_free(&f->memory);
    free(f);
    return 0;
}

static void put_code(struct fixture *f, uint64_t address, const uint32_t *words,
                     size_t size)
{
    memcpy(f->bytes + address, words, size);
}

static enum isa_stop run(struct fixture *f, unsigned hart, uint64_t limit)
{
    return isa_run(&f->harts[hart], f->code, &f->memory, limit, &f->effect,
                   &f->unit);
}

static void it_stops_at_the_limit_and_goes_on(void **state)
{
    struct fixture *f = *state;
    const uint32_t loop[] = {0x00150513, 0xffdff06f}; /* addi a0,a0,1; j .-4 */
    put_code(f, START, loop, sizeof loop);
    assert_int_equal(run(f, 0, 7), ISA_STOP_LIMIT);
    assert_int_equal(f->harts[0].x[A0], 4);
    assert_int_equal(f->harts[0].pc, START + 4);
    assert_int_equal(f->harts[0].instret, 7);
    assert_int_equal(run(f, 0, 0), ISA_STOP_LIMIT);
    assert_int_equal(run(f, 0, 1), ISA_STOP_LIMIT);
    assert_int_equal(f->harts[0].pc, START);
    assert_int_equal(f->harts[0].instret, 8);
}

static void calls_stop_before_the_instruction(void **state)
{
    struct fixture *f = *state;
    const uint32_t code[] = {0x00500513, ECALL, 0x00100073};
    put_code(f, START, code, sizeof code);
    assert_int_equal(run(f, 0, 100), ISA_STOP_ECALL);
    assert_int_equal(f->harts[0].pc, START + 4);
    assert_int_equal(f->harts[0].instret, 1);
    f->harts[0].pc += 4;
    assert_int_equal(run(f, 0, 100), ISA_STOP_EBREAK);
    assert_int_equal(f->harts[0].pc, START + 8);
}

static void units_stop_after_the_instruction(void **state)
{
    struct fixture *f = *state;
    const uint32_t code[] = {0x0000050b, ECALL}; /* trav.fchthrd a0 */
    put_code(f, START, code, sizeof code);
    assert_int_equal(run(f, 0, 100), ISA_STOP_UNIT);
    assert_int_equal(f->unit.cls, ISA_CLASS_fchthrd);
    assert_int_equal(f->unit.rd, A0);
    assert_int_equal(f->harts[0].pc, START + 4);
    assert_int_equal(f->harts[0].instret, 1);
}

static void counters_are_right_within_a_run(void **state)
{
    struct fixture *f = *state;
    const uint32_t code[] = {0x00000013, 0x00000013,
                             0xc0202573,         /* rdinstret a0 */
                             0xc00025f3, ECALL}; /* rdcycle a1 */
    put_code(f, START, code, sizeof code);
    f->harts[0].cycle = 1000;
    run(f, 0, 100);
    assert_int_equal(f->harts[0].x[A0], 2);
    assert_int_equal(f->harts[0].x[A1], 1003);
    assert_int_equal(f->harts[0].instret, 4);
    assert_int_equal(f->harts[0].cycle, 1004);
}

/* The first byte at fault is `beyond` bytes behind the pointer. */
static void assert_fault_at(struct fixture *f, uint32_t word, uint64_t pointer,
                            uint32_t cause, uint64_t beyond)
{
    put_code(f, START, &word, sizeof word);
    isa_code_flush(f->code);
    f->harts[0].pc = START;
    f->harts[0].x[A1] = pointer;
    assert_int_equal(run(f, 0, 1), ISA_STOP_FAULT);
    assert_int_equal(f->effect.cause, cause);
    if (cause != ISA_CAUSE_ILLEGAL)
        assert_int_equal(f->effect.tval, pointer + beyond);
    assert_int_equal(f->harts[0].pc, START);
    assert_int_equal(f->harts[0].instret, 0);
}

static void assert_fault(struct fixture *f, uint32_t word, uint64_t pointer,
                         uint32_t cause)
{
    assert_fault_at(f, word, pointer, cause, 0);
}

static void accesses_outside_memory_fault(void **state)
{
    enum {
        LW = 0x0005a503,
        SW = 0x00a5a023,
        AMO = 0x00a5a52f,
        LR = 0x1005a52f
    };
    struct fixture *f = *state;
    assert_fault(f, LW, START - 4, ISA_CAUSE_LOAD_FAULT);
    assert_fault_at(f, LW, END - 3, ISA_CAUSE_LOAD_FAULT, 3);
    assert_fault_at(f, SW, END - 1, ISA_CAUSE_STORE_FAULT, 1);
    assert_fault(f, LW, UINT64_MAX - 1, ISA_CAUSE_LOAD_FAULT);
    assert_fault(f, SW, 0, ISA_CAUSE_STORE_FAULT);
    assert_fault(f, AMO, END, ISA_CAUSE_STORE_FAULT);
    assert_fault(f, LR, END, ISA_CAUSE_LOAD_FAULT);
    assert_fault(f, AMO, DATA + 2, ISA_CAUSE_STORE_MISALIGNED);
    assert_fault(f, 0xffffffff, 0, ISA_CAUSE_ILLEGAL);
}

static void stores_to_read_only_ranges_fault(void **state)
{
    enum { SD = 0x00a5b023, LD = 0x0005b503 };
    struct fixture *f = *state;
    const struct isa_range ranges[] = {{DATA + 16, DATA + 32}};
    f->memory.read_only = ranges;
    f->memory.read_only_count = 1;
    assert_fault_at(f, SD, DATA + 9, ISA_CAUSE_STORE_FAULT, 7);
    assert_fault(f, SD, DATA + 31, ISA_CAUSE_STORE_FAULT);
    const uint32_t code[] = {SD, 0x0185b503, ECALL}; /* ld a0,24(a1) */
    put_code(f, START, code, sizeof code);
    isa_code_flush(f->code);
    f->harts[0].x[A1] = DATA + 8;
    f->bytes[DATA + 32] = 9;
    assert_int_equal(run(f, 0, 10), ISA_STOP_ECALL);
    assert_int_equal(f->harts[0].x[A0], 9);
}

static void fetches_outside_memory_fault(void **state)
{
    struct fixture *f = *state;
    f->harts[0].pc = END;
    assert_int_equal(run(f, 0, 10), ISA_STOP_FAULT);
    assert_int_equal(f->effect.cause, ISA_CAUSE_FETCH_FAULT);
    assert_int_equal(f->effect.tval, END);
    f->bytes[END - 2] = 0x13; /* the first half of a 4-byte instruction */
    f->harts[0].pc = END - 2;
    assert_int_equal(run(f, 0, 10), ISA_STOP_FAULT);
    assert_int_equal(f->effect.tval, END);
    assert_int_equal(f->harts[0].pc, END - 2);
}

/* An instruction lies across the border of two pages of decoded code. */
static void code_runs_across_pages(void **state)
{
    struct fixture *f = *state;
    const uint32_t code[] = {0x00150513, 0x00150513, ECALL};
    put_code(f, 0x1ffe, code, sizeof code);
    f->harts[0].pc = 0x1ffe;
    assert_int_equal(run(f, 0, 10), ISA_STOP_ECALL);
    assert_int_equal(f->harts[0].x[A0], 2);
    assert_int_equal(f->harts[0].pc, 0x2006);
    const uint32_t aligned[] = {0x00150513, ECALL};
    put_code(f, 0x2ffc, aligned, sizeof aligned);
    f->harts[0].pc = 0x2ffc;
    assert_int_equal(run(f, 0, 10), ISA_STOP_ECALL);
    assert_int_equal(f->harts[0].pc, 0x3000);
}

static void the_scratch_window_is_the_end_of_the_address_space(void **state)
{
    struct fixture *f = *state;
    uint8_t scratch[64] = {0};
    const uint32_t code[] = {0xfea02c23, /* sw a0,-8(zero) */
                             0xff802583, /* lw a1,-8(zero) */
                             0xfc002603, /* lw a2,-64(zero) */
                             0xfbc02603, /* lw a2,-68(zero) */
                             ECALL};
    put_code(f, START, code, sizeof code);
    f->memory.scratch = scratch;
    f->memory.scratch_size = sizeof scratch;
    f->harts[0].x[A0] = 0x1234;
    assert_int_equal(run(f, 0, 10), ISA_STOP_FAULT);
    assert_int_equal(f->harts[0].pc, START + 12);
    assert_int_equal(f->effect.cause, ISA_CAUSE_LOAD_FAULT);
    assert_int_equal(f->harts[0].x[A1], 0x1234);
    assert_int_equal(scratch[56], 0x34);
}

static void new_code_is_seen_after_fence_i(void **state)
{
    struct fixture *fixture = *state;
    const uint32_t f[] = {0x00100513, 0x00008067}; /* li a0,1; ret */
    put_code(fixture, START + 4, f, sizeof f);
    const uint32_t call_patch_call[] = {0xfedff0ef, /* jal f */
                                        0x00b62023, /* sw a1,0(a2) */
                                        0x0000100f, /* fence.i */
                                        0xfe1ff0ef, /* jal f */
                                        ECALL};
    put_code(fixture, START + 24, call_patch_call, sizeof call_patch_call);
    fixture->harts[0].pc = START + 24;
    fixture->harts[0].x[A1] = 0x00200513; /* li a0,2 */
    fixture->harts[0].x[12] = START + 4;
    assert_int_equal(run(fixture, 0, 100), ISA_STOP_ECALL);
    assert_int_equal(fixture->harts[0].x[A0], 2);
}

/* lr a0,(a1); then, in another run, sc a0,a0,(a1). */
static uint64_t store_conditional(struct fixture *f, uint64_t other_store)
{
    enum { LR = 0x1005a52f, SC = 0x18a5a52f, SW = 0x00a5a023 };
    const uint32_t code[] = {LR, SC, SW};
    put_code(f, START, code, sizeof code);
    f->harts[0].pc = START;
    f->harts[0].x[A1] = DATA;
    assert_int_equal(run(f, 0, 1), ISA_STOP_LIMIT);
    f->harts[1].pc = START + 8;
    f->harts[1].x[A1] = other_store;
    assert_int_equal(run(f, 1, 1), ISA_STOP_LIMIT);
    assert_int_equal(run(f, 0, 1), ISA_STOP_LIMIT);
    return f->harts[0].x[A0];
}

static void stores_of_others_break_reservations(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(store_conditional(f, DATA + 32), 0);
    assert_int_equal(store_conditional(f, DATA + 28), 1);
    assert_int_equal(store_conditional(f, DATA - 2), 1);
    assert_int_equal(store_conditional(f, DATA - 4), 0);
    /* Without a reservation of its own, sc fails. */
    f->harts[0].pc = START + 4;
    assert_int_equal(run(f, 0, 1), ISA_STOP_LIMIT);
    assert_int_equal(f->harts[0].x[A0], 1);
}

static void addresses_of_rv32_have_32_bits(void **state)
{
    struct fixture *f = *state;
    uint8_t scratch[16] = {0};
    const uint32_t code[] = {0xffc02503, /* lw a0,-4(zero) */
                             0x80000637, /* lui a2,0x80000 */
                             0x00062603, /* lw a2,0(a2) */
                             ECALL};
    put_code(f, START, code, sizeof code);
    f->memory.scratch = scratch;
    f->memory.scratch_size = sizeof scratch;
    scratch[12] = 5;
    assert_int_equal(run(f, 0, 10), ISA_STOP_FAULT);
    assert_int_equal(f->harts[0].x[A0], 5);
    assert_int_equal(f->effect.tval, 0x80000000);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(it_stops_at_the_limit_and_goes_on),
        TEST(calls_stop_before_the_instruction),
        TEST(units_stop_after_the_instruction),
        TEST(counters_are_right_within_a_run),
        TEST(accesses_outside_memory_fault),
        TEST(stores_to_read_only_ranges_fault),
        TEST(fetches_outside_memory_fault),
        TEST(code_runs_across_pages),
        TEST(the_scratch_window_is_the_end_of_the_address_space),
        TEST(new_code_is_seen_after_fence_i),
        TEST(stores_of_others_break_reservations),
        cmocka_unit_test_setup_teardown(addresses_of_rv32_have_32_bits,
                                        set_up_rv32, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
