/*
 * Lines of the commit log, written down by hand from the format's description:
 * one instruction is executed, what memory returns is given.
 */
#include "sim/isa/commit.h"
#include "sim/isa/csr.h"
#include "sim/isa/functional.h"
#include "sim/isa/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

enum { A0 = 10, A1 = 11, A2 = 12, FA0 = 10 };

#define BOXED(bits) (0xffffffff00000000u | (bits))
#define ONE 0x3f800000u
#define THREE 0x40400000u

static const struct isa_profile rv64 = {ISA_ALL_EXTENSIONS, 64};
static const struct isa_profile rv32 = {ISA_ALL_EXTENSIONS, 32};
static const struct isa_profile rv32f = {
    ISA_ALL_EXTENSIONS & ~(1u << ISA_EXT_d), 32};

static struct isa_hart hart_of(const struct isa_profile *profile)
{
    struct isa_hart hart;
    isa_hart_reset(&hart, profile, 0, 0x80000000);
    return hart;
}

/* Executes word; memory: what loads and atomics get. */
static void record(struct isa_hart *hart, uint32_t word, uint64_t memory,
                   struct isa_commit *commit)
{
    struct isa_profile profile = {hart->extensions, hart->xlen};
    struct isa_insn insn;
    struct isa_effect effect;
    assert_true(isa_decode(word, &profile, &insn));
    isa_commit_begin(commit, hart, &insn);
    enum isa_outcome outcome = isa_execute(hart, &insn, &effect);
    if (isa_commit_executed(commit, hart, outcome, &effect) != ISA_COMMIT_WAITS)
        return;
    if (outcome == ISA_ACCESS)
        isa_load_done(hart, &insn, memory);
    isa_commit_finish(commit, hart, memory);
}

static void assert_line(struct isa_hart *hart, uint32_t word, uint64_t memory,
                        const char *expected)
{
    struct isa_commit commit;
    char line[ISA_COMMIT_LINE + 1];
    record(hart, word, memory, &commit);
    size_t length = isa_commit_line(&commit, hart->id, line);
    assert_true(length < ISA_COMMIT_LINE);
    assert_int_equal(line[length - 1], '\n');
    line[length - 1] = 0;
    assert_string_equal(line, expected);
}

static void integer_registers(void **state)
{
    struct isa_hart hart = hart_of(&rv64);
    hart.id = 3;
    assert_line(&hart, 0xfff00513, 0, /* li a0,-1 */
                "core   3: 3 0x0000000080000000 (0xfff00513) "
                "x10 0xffffffffffffffff");
    assert_line(&hart, 0x00700293, 0, /* li t0,7 */
                "core   3: 3 0x0000000080000004 (0x00700293) "
                "x5  0x0000000000000007");
    assert_line(&hart, 0x00000013, 0, /* nop: x0 is not shown */
                "core   3: 3 0x0000000080000008 (0x00000013)");
    assert_line(&hart, 0x008000ef, 0, /* jal ra,.+8 */
                "core   3: 3 0x000000008000000c (0x008000ef) "
                "x1  0x0000000080000010");
    hart.id = 12345;
    assert_line(&hart, 0x0ff0000f, 0, /* fence */
                "core12345: 3 0x0000000080000014 (0x0ff0000f)");
}

static void compressed_instructions_have_4_digits(void **state)
{
    struct isa_hart hart = hart_of(&rv64);
    assert_line(&hart, 0x4515, 0, /* c.li a0,5 */
                "core   0: 3 0x0000000080000000 (0x4515) "
                "x10 0x0000000000000005");
    assert_line(&hart, 0xdeadbeef << 16 | 0x8082, 0, /* c.jr ra */
                "core   0: 3 0x0000000080000002 (0x8082)");
}

static void rv32_has_8_digits(void **state)
{
    struct isa_hart hart = hart_of(&rv32);
    hart.x[A1] = 0xffffffff80001000; /* kept sign-extended */
    assert_line(&hart, 0xfff00513, 0,
                "core   0: 3 0x80000000 (0xfff00513) x10 0xffffffff");
    assert_line(&hart, 0xffc5a503, 0xcafef00d, /* lw a0,-4(a1) */
                "core   0: 3 0x80000004 (0xffc5a503) x10 0xcafef00d "
                "mem 0x80000ffc");
    assert_line(&hart, 0x0005b507, 0x4000000000000000, /* fld fa0,0(a1) */
                "core   0: 3 0x80000008 (0x0005b507) f10 0x4000000000000000 "
                "mem 0x80001000");
}

static void loads_and_stores(void **state)
{
    struct isa_hart hart = hart_of(&rv64);
    hart.x[A0] = 0x1122334455667788;
    hart.x[A1] = 0x2000;
    assert_line(&hart, 0x00b58023, 0, /* sb a1,0(a1) */
                "core   0: 3 0x0000000080000000 (0x00b58023) "
                "mem 0x0000000000002000 0x00");
    assert_line(&hart, 0x00a59123, 0, /* sh a0,2(a1) */
                "core   0: 3 0x0000000080000004 (0x00a59123) "
                "mem 0x0000000000002002 0x7788");
    assert_line(&hart, 0x00a5a223, 0, /* sw a0,4(a1) */
                "core   0: 3 0x0000000080000008 (0x00a5a223) "
                "mem 0x0000000000002004 0x55667788");
    assert_line(&hart, 0x00a5b423, 0, /* sd a0,8(a1) */
                "core   0: 3 0x000000008000000c (0x00a5b423) "
                "mem 0x0000000000002008 0x1122334455667788");
    assert_line(&hart, 0x00058603, 0x80, /* lb a2,0(a1) */
                "core   0: 3 0x0000000080000010 (0x00058603) "
                "x12 0xffffffffffffff80 mem 0x0000000000002000");
    assert_line(&hart, 0x0005a003, 5, /* lw zero,0(a1) */
                "core   0: 3 0x0000000080000014 (0x0005a003) "
                "mem 0x0000000000002000");
    assert_line(&hart, 0x0015a603, 6, /* misaligned: one access */
                "core   0: 3 0x0000000080000018 (0x0015a603) "
                "x12 0x0000000000000006 mem 0x0000000000002001");
}

static void atomics(void **state)
{
    struct isa_hart hart = hart_of(&rv64);
    hart.x[A0] = 5;
    hart.x[A1] = 0x2000;
    assert_line(&hart, 0x00a5a62f, 0x7fffffff, /* amoadd.w a2,a0,(a1) */
                "core   0: 3 0x0000000080000000 (0x00a5a62f) "
                "x12 0x000000007fffffff mem 0x0000000000002000 "
                "mem 0x0000000000002000 0x80000004");
    assert_line(&hart, 0x08a5b02f, 7, /* amoswap.d zero,a0,(a1) */
                "core   0: 3 0x0000000080000004 (0x08a5b02f) "
                "mem 0x0000000000002000 "
                "mem 0x0000000000002000 0x0000000000000005");
    assert_line(&hart, 0x1005a62f, 9, /* lr.w a2,(a1) */
                "core   0: 3 0x0000000080000008 (0x1005a62f) "
                "x12 0x0000000000000009 mem 0x0000000000002000");
    assert_line(&hart, 0x18a5a62f, 0, /* sc.w a2,a0,(a1), done */
                "core   0: 3 0x000000008000000c (0x18a5a62f) "
                "x12 0x0000000000000000 mem 0x0000000000002000 0x00000005");
    assert_line(&hart, 0x18a5a62f, 1, /* failed */
                "core   0: 3 0x0000000080000010 (0x18a5a62f) "
                "x12 0x0000000000000001");
    assert_line(&hart, 0x18a5a02f, 0, /* sc.w zero, done */
                "core   0: 3 0x0000000080000014 (0x18a5a02f) "
                "mem 0x0000000000002000 0x00000005");
}

static void flags_are_shown_whenever_raised(void **state)
{
    struct isa_hart hart = hart_of(&rv64);
    hart.f[0] = BOXED(0u);
    hart.f[1] = BOXED(ONE);
    hart.f[2] = BOXED(THREE);
    assert_line(&hart, 0x0020f553, 0, /* fadd.s fa0,ft1,ft2: exact */
                "core   0: 3 0x0000000080000000 (0x0020f553) "
                "f10 0xffffffff40800000");
    assert_line(&hart, 0x1820f553, 0, /* fdiv.s fa0,ft1,ft2: inexact */
                "core   0: 3 0x0000000080000004 (0x1820f553) "
                "c1_fflags 0x0000000000000001 f10 0xffffffff3eaaaaab");
    assert_line(&hart, 0x1820f553, 0, /* again: it was raised already */
                "core   0: 3 0x0000000080000008 (0x1820f553) "
                "c1_fflags 0x0000000000000001 f10 0xffffffff3eaaaaab");
    assert_line(&hart, 0x1800f553, 0, /* fdiv.s fa0,ft1,ft0: 1 / 0 */
                "core   0: 3 0x000000008000000c (0x1800f553) "
                "c1_fflags 0x0000000000000009 f10 0xffffffff7f800000");
    assert_line(&hart, 0x0020f553, 0,
                "core   0: 3 0x0000000080000010 (0x0020f553) "
                "f10 0xffffffff40800000");
    assert_int_equal(hart.fflags, 0x09);
    hart.f[1] = 0;                    /* not boxed: a NaN */
    assert_line(&hart, 0xa020a053, 0, /* feq.s zero,ft1,ft2: quiet */
                "core   0: 3 0x0000000080000014 (0xa020a053)");
    assert_line(&hart, 0xa0209053, 0, /* flt.s zero,ft1,ft2: invalid */
                "core   0: 3 0x0000000080000018 (0xa0209053) "
                "c1_fflags 0x0000000000000019");
}

static void without_d_floats_have_8_digits(void **state)
{
    struct isa_hart hart = hart_of(&rv32f);
    hart.f[1] = BOXED(ONE);
    hart.x[A1] = 0x2000;
    assert_line(&hart, 0x2010a553, 0, /* fsgnjx.s fa0,ft1,ft1 */
                "core   0: 3 0x80000000 (0x2010a553) f10 0x3f800000");
    assert_line(&hart, 0x0005a007, THREE, /* flw ft0,0(a1): f0 is shown */
                "core   0: 3 0x80000004 (0x0005a007) f0  0x40400000 "
                "mem 0x00002000");
}

static void csr_writes(void **state)
{
    struct isa_hart hart = hart_of(&rv64);
    hart.x[A0] = 0x1234;
    assert_line(&hart, 0x340515f3, 0, /* csrrw a1,mscratch,a0 */
                "core   0: 3 0x0000000080000000 (0x340515f3) "
                "x11 0x0000000000000000 c832_mscratch 0x0000000000001234");
    assert_line(&hart, 0x340025f3, 0, /* csrr a1,mscratch: no write */
                "core   0: 3 0x0000000080000004 (0x340025f3) "
                "x11 0x0000000000001234");
    assert_line(&hart, 0x34007073, 0, /* csrci mscratch,0: no write */
                "core   0: 3 0x0000000080000008 (0x34007073)");
    assert_line(&hart, 0x34051073, 0, /* csrw mscratch,a0 */
                "core   0: 3 0x000000008000000c (0x34051073) "
                "c832_mscratch 0x0000000000001234");
    assert_line(&hart, 0x30501073, 0, /* csrw mtvec,zero: is a write */
                "core   0: 3 0x0000000080000010 (0x30501073) "
                "c773_mtvec 0x0000000000000000");
    hart.x[A0] = 0x2002;
    assert_line(&hart, 0x305520f3, 0, /* csrrs ra,mtvec,a0: as written */
                "core   0: 3 0x0000000080000014 (0x305520f3) "
                "x1  0x0000000000000000 c773_mtvec 0x0000000000002000");
    assert_line(&hart, 0x30046073, 0, /* csrsi mstatus,8 */
                "core   0: 3 0x0000000080000018 (0x30046073) "
                "c768_mstatus 0x8000000000007808");
}

/* Keys: fflags 20, frm 36; x<n> 16 n, f<n> 16 n + 1. */
static void registers_come_in_the_order_of_their_keys(void **state)
{
    struct isa_hart hart = hart_of(&rv64);
    hart.x[A0] = 0xff43;
    assert_line(&hart, 0x003510f3, 0, /* fscsr ra,a0: 16 */
                "core   0: 3 0x0000000080000000 (0x003510f3) "
                "x1  0x0000000000000000 "
                "c1_fflags 0x0000000000000003 c2_frm 0x0000000000000002");
    assert_line(&hart, 0x00351173, 0, /* fscsr sp,a0: 32 */
                "core   0: 3 0x0000000080000004 (0x00351173) "
                "c1_fflags 0x0000000000000003 "
                "x2  0x0000000000000043 c2_frm 0x0000000000000002");
    assert_line(&hart, 0x003516f3, 0, /* fscsr a3,a0: 208 */
                "core   0: 3 0x0000000080000008 (0x003516f3) "
                "c1_fflags 0x0000000000000003 c2_frm 0x0000000000000002 "
                "x13 0x0000000000000043");
    assert_line(&hart, 0x00215073, 0, /* fsrmi 2 */
                "core   0: 3 0x000000008000000c (0x00215073) "
                "c2_frm 0x0000000000000002");
    assert_line(&hart, 0x00105073, 0, /* fsflagsi 0 */
                "core   0: 3 0x0000000080000010 (0x00105073) "
                "c1_fflags 0x0000000000000000");
    assert_int_equal(hart.fflags, 0);
    hart.f[1] = BOXED(ONE);
    hart.f[2] = BOXED(THREE);
    assert_line(&hart, 0x1820f053, 0, /* fdiv.s ft0,ft1,ft2: 1 */
                "core   0: 3 0x0000000080000014 (0x1820f053) "
                "f0  0xffffffff3eaaaaaa c1_fflags 0x0000000000000001");
}

static void mret_writes_mstatus(void **state)
{
    struct isa_hart hart = hart_of(&rv64), small = hart_of(&rv32);
    assert_line(&hart, 0x30200073, 0,
                "core   0: 3 0x0000000080000000 (0x30200073) "
                "c768_mstatus 0x8000000000007880");
    assert_int_equal(hart.pc, 0);
    assert_line(&small, 0x30200073, 0,
                "core   0: 3 0x80000000 (0x30200073) "
                "c768_mstatus 0x80007880 c784_mstatush 0x00000000");
}

static void traps_have_no_line(void **state)
{
    static const uint32_t words[] = {
        0x00000073, /* ecall */
        0x00100073, /* ebreak */
        0xf1451073, /* csrw mhartid,a0: illegal */
        0x0015a62f, /* amoadd.w a2,ra,(a1), misaligned */
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct isa_hart hart = hart_of(&rv64);
        struct isa_insn insn;
        struct isa_commit commit;
        struct isa_effect effect;
        hart.x[A1] = 1;
        hart.fflags = 0x15;
        assert_true(isa_decode(words[i], &rv64, &insn));
        isa_commit_begin(&commit, &hart, &insn);
        enum isa_outcome outcome = isa_execute(&hart, &insn, &effect);
        assert_int_equal(isa_commit_executed(&commit, &hart, outcome, &effect),
                         ISA_COMMIT_NONE);
        assert_int_equal(hart.fflags, 0x15);
    }
}

static void custom_instructions_show_all_that_they_write(void **state)
{
    struct isa_hart hart = hart_of(&rv64);
    for (unsigned i = 0; i < 4; i++)
        hart.f[FA0 + i] = BOXED(i);
    assert_line(&hart, 0x0000550b, 0, /* trav.traceray fa0,ft0 */
                "core   0: 3 0x0000000080000000 (0x0000550b) "
                "f10 0xffffffff00000000 f11 0xffffffff00000001 "
                "f12 0xffffffff00000002 f13 0xffffffff00000003");
    hart.x[A2] = 77;
    assert_line(&hart, 0x0000060b, 0, /* trav.fchthrd a2 */
                "core   0: 3 0x0000000080000004 (0x0000060b) "
                "x12 0x000000000000004d");
    for (unsigned i = 0; i < 16; i++)
        hart.f[16 + i] = BOXED(i);
    assert_line(&hart, 0x4000180b, 0, /* trav.lwr fa6 */
                "core   0: 3 0x0000000080000008 (0x4000180b) "
                "f16 0xffffffff00000000 f17 0xffffffff00000001 "
                "f18 0xffffffff00000002 f19 0xffffffff00000003 "
                "f20 0xffffffff00000004 f21 0xffffffff00000005 "
                "f22 0xffffffff00000006 f23 0xffffffff00000007 "
                "f24 0xffffffff00000008 f25 0xffffffff00000009 "
                "f26 0xffffffff0000000a f27 0xffffffff0000000b "
                "f28 0xffffffff0000000c f29 0xffffffff0000000d "
                "f30 0xffffffff0000000e f31 0xffffffff0000000f");
}

static void a_record_holds_all_registers_of_any_instruction(void **state)
{
    for (unsigned op = 0; op < OP_ROWS; op++)
        for (unsigned rd = 0; rd < 29; rd++)
            assert_true(__builtin_popcountll(isa_writes(op, rd)) <=
                        ISA_COMMIT_REGISTERS);
}

/* ---- the executor with records ---- */

enum { START = 0x1000, END = 0x4000 };

static enum isa_stop run_both(const uint32_t *code, size_t size, unsigned count)
{
    static uint8_t bytes[2][END];
    struct isa_hart harts[2];
    enum isa_stop stops[2];
    for (int logged = 0; logged < 2; logged++) {
        struct isa_memory memory;
        struct isa_effect effect;
        struct isa_insn unit;
        struct isa_commit commit;
        memset(bytes[logged], 0, END);
        memcpy(bytes[logged] + START, code, size);
        assert_true(isa_memory_init(&memory, bytes[logged], START, END, 1));
        struct isa_code *decoded = isa_code_create(&memory, &rv64);
        isa_hart_reset(&harts[logged], &rv64, 0, START);
        for (unsigned i = 0; i < count; i++)
            stops[logged] =
                logged ? isa_run_logged(&harts[logged], decoded, &memory,
                                        &effect, &unit, &commit)
                       : isa_run(&harts[logged], decoded, &memory, 1, &effect,
                                 &unit);
        isa_code_free(decoded);
        isa_memory_free(&memory);
    }
    assert_memory_equal(&harts[0], &harts[1], sizeof harts[0]);
    assert_memory_equal(bytes[0], bytes[1], END);
    assert_int_equal(stops[0], stops[1]);
    return stops[1];
}

static void logged_execution_is_like_any_other(void **state)
{
    static const uint32_t code[] = {
        0x000025b7, /* lui a1,2 */
        0x00700513, /* li a0,7 */
        0x1005a62f, /* lr.w a2,(a1) */
        0x18a5a62f, /* sc.w a2,a0,(a1) */
        0x18a5a6af, /* sc.w a3,a0,(a1): fails */
        0x00a5a02f, /* amoadd.w zero,a0,(a1) */
        0x0015a703, /* lw a4,1(a1) */
        0x00e5b823, /* sd a4,16(a1) */
        0xd00575d3, /* fcvt.s.w fa1,a0 */
        0x18b5f5d3, /* fdiv.s fa1,fa1,fa1 */
        0xc0202573, /* rdinstret a0 */
        0xc0002573, /* rdcycle a0 */
        0x0000100f, /* fence.i */
        0x0000060b, /* trav.fchthrd a2 */
        0x00000073, /* ecall */
    };
    enum { COUNT = sizeof code / sizeof *code };
    assert_int_equal(run_both(code, sizeof code, COUNT - 2), ISA_STOP_LIMIT);
    assert_int_equal(run_both(code, sizeof code, COUNT - 1), ISA_STOP_UNIT);
    assert_int_equal(run_both(code, sizeof code, COUNT), ISA_STOP_ECALL);
}

static void logged_execution_faults_like_any_other(void **state)
{
    static const uint32_t code[][2] = {
        {0x00003503}, /* ld a0,0(zero) */
        {0x00003023}, /* sd zero,0(zero) */
        {0x1000252f}, /* lr.w a0,(zero) */
        {0x0000252f}, /* amoadd.w a0,zero,(zero) */
        {0x00002067}, /* no instruction */
        {0x00000067}, /* jr zero, and then no memory */
        {0x00100073}, /* ebreak */
    };
    for (size_t i = 0; i < sizeof code / sizeof *code; i++)
        run_both(code[i], sizeof code[i], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_registers),
        cmocka_unit_test(compressed_instructions_have_4_digits),
        cmocka_unit_test(rv32_has_8_digits),
        cmocka_unit_test(loads_and_stores),
        cmocka_unit_test(atomics),
        cmocka_unit_test(flags_are_shown_whenever_raised),
        cmocka_unit_test(without_d_floats_have_8_digits),
        cmocka_unit_test(csr_writes),
        cmocka_unit_test(registers_come_in_the_order_of_their_keys),
        cmocka_unit_test(mret_writes_mstatus),
        cmocka_unit_test(traps_have_no_line),
        cmocka_unit_test(custom_instructions_show_all_that_they_write),
        cmocka_unit_test(a_record_holds_all_registers_of_any_instruction),
        cmocka_unit_test(logged_execution_is_like_any_other),
        cmocka_unit_test(logged_execution_faults_like_any_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
