/*
 * Control and status registers, each in both executors: which there are, what
 * each keeps of what is written, what the counters read after writes, and what
 * extensions they need. Traps: trap_test.c.
 */
#include "sim/isa/tests/csr_bench.h"

#include <stdio.h>

/* ---- which there are ---- */

/* Ranges of addresses that each XLEN has, in order. */
static const struct {
    unsigned first, last, xlens;
} present[] = {
    {0x001, 0x003, 96}, {0x300, 0x301, 96}, {0x304, 0x305, 96},
    {0x310, 0x310, 32}, {0x320, 0x320, 96}, {0x323, 0x33f, 96},
    {0x340, 0x344, 96}, {0x3a0, 0x3a0, 96}, {0x3a1, 0x3a1, 32},
    {0x3a2, 0x3a2, 96}, {0x3a3, 0x3a3, 32}, {0x3a4, 0x3a4, 96},
    {0x3a5, 0x3a5, 32}, {0x3a6, 0x3a6, 96}, {0x3a7, 0x3a7, 32},
    {0x3a8, 0x3a8, 96}, {0x3a9, 0x3a9, 32}, {0x3aa, 0x3aa, 96},
    {0x3ab, 0x3ab, 32}, {0x3ac, 0x3ac, 96}, {0x3ad, 0x3ad, 32},
    {0x3ae, 0x3ae, 96}, {0x3af, 0x3af, 32}, {0x3b0, 0x3ef, 96},
    {0x7a0, 0x7a5, 96}, {0x7a8, 0x7a8, 96}, {0xb00, 0xb00, 96},
    {0xb02, 0xb1f, 96}, {0xb80, 0xb80, 32}, {0xb82, 0xb9f, 32},
    {0xc00, 0xc02, 96}, {0xc80, 0xc82, 32}, {0xf11, 0xf15, 96},
};

static bool is_present(unsigned csr, unsigned xlen)
{
    for (size_t i = 0; i < sizeof present / sizeof *present; i++)
        if (csr >= present[i].first && csr <= present[i].last)
            return present[i].xlens & xlen;
    return false;
}

static void assert_illegal(const struct both *both, uint32_t word)
{
    assert_int_equal(both->step.effect.cause, ISA_CAUSE_ILLEGAL);
    assert_int_equal(both->step.effect.tval, word);
}

static void all_others_are_illegal(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct both *both = start(ISA_ALL_EXTENSIONS, xlen);
        for (unsigned csr = 0; csr < 4096; csr++) {
            char name[24];
            isa_csr_name(csr, name, sizeof name);
            bool expected = is_present(csr, xlen);
            if (can_read(both, csr) != expected)
                fail_msg("rv%u: reading csr %#x (%s)", xlen, csr, name);
            if (expected)
                assert_int_not_equal(name[0], '0');
            else
                assert_illegal(both, csr_word(CSRRS, csr, 3, 0));
        }
        both_end(both);
    }
}

static void what_the_address_calls_read_only_cannot_be_written(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct both *both = start(ISA_ALL_EXTENSIONS, xlen);
        for (unsigned csr = 0; csr < 4096; csr++)
            if (can_write(both, csr, 0) !=
                (is_present(csr, xlen) && csr < 0xc00))
                fail_msg("rv%u: writing csr %#x", xlen, csr);
        both_end(both);
    }
}

/* Whether it writes is told by the register's number, not by its value. */
static void set_and_clear_with_x0_only_read(void **unused)
{
    struct both *both = start(ISA_ALL_EXTENSIONS, 64);
    both->step.hart.x[1] = 0;
    for (unsigned op = CSRRS; op <= CSRRC; op++) {
        assert_int_equal(step(both, csr_word(op, CYCLE, 3, 0)), ISA_STOP_LIMIT);
        assert_int_equal(step(both, csr_word(op + 4, CYCLE, 3, 0)),
                         ISA_STOP_LIMIT);
        assert_int_equal(step(both, csr_word(op, CYCLE, 3, 1)), ISA_STOP_FAULT);
        assert_illegal(both, csr_word(op, CYCLE, 3, 1));
    }
    assert_int_equal(step(both, csr_word(CSRRW, CYCLE, 3, 0)), ISA_STOP_FAULT);
    assert_int_equal(step(both, csr_word(CSRRWI, CYCLE, 3, 0)), ISA_STOP_FAULT);
    both_end(both);
}

/* ---- what they keep ---- */

static const struct {
    unsigned csr, xlens;
    uint64_t written, read; /* rv32: sign-extended */
} kept[] = {
    {FFLAGS, 96, ONES, 0x1f},
    {FRM, 96, ONES, 7},
    {FCSR, 96, ONES, 0xff},
    {FCSR, 96, 0xa5, 0xa5},
    {MSTATUS, 64, ONES, 0x8000000000007888},
    {MSTATUS, 32, ONES, 0xffffffff80007888},
    {MSTATUS, 96, 0, 0x1800},                  /* MPP: machine mode only */
    {MSTATUS, 64, 0x2000, 0x8000000000007800}, /* FS: dirty if not off */
    {MSTATUS, 96, 0x0888, 0x1888},
    {MSTATUSH, 32, ONES, 0},
    {MISA, 64, 0, 0x800000000080112d},
    {MISA, 32, 0, 0x4080112d},
    {MIE, 96, ONES, 0x888},
    {MIP, 96, ONES, 0},
    {MTVEC, 96, 0x4000, 0x4000},
    {MTVEC, 96, 0x4001, 0x4001}, /* vectored */
    {MTVEC, 96, 0x4002, 0x4000},
    {MTVEC, 96, 0x4003, 0x4001},
    {MSCRATCH, 96, ONES, ONES},
    {MEPC, 96, ONES, ONES - 1},
    {MCAUSE, 96, ONES, ONES},
    {MTVAL, 96, 0x12345679, 0x12345679},
    {PMPCFG0, 96, ONES, 0},
    {PMPADDR0, 64, ONES, 0x003fffffffffffff},
    {PMPADDR0, 32, ONES, ONES},
    {PMPADDR0 + 15, 96, 0x1234, 0x1234},
    {PMPADDR0 + 16, 96, ONES, 0},
    {PMPADDR0 + 63, 96, ONES, 0},
    {TSELECT, 96, 1, 0},
    {TDATA1, 96, ONES, 0},
    {TDATA1 + 1, 96, ONES, 0},
    {TDATA1 + 2, 96, ONES, 0},
    {TINFO, 96, ONES, 1},
    {0x320, 96, ONES, 0}, /* mcountinhibit */
    {0x323, 96, ONES, 0}, /* mhpmevent3 */
    {0x33f, 96, ONES, 0}, /* mhpmevent31 */
    {0xb03, 96, ONES, 0}, /* mhpmcounter3 */
    {0xb1f, 96, ONES, 0}, /* mhpmcounter31 */
    {0xb83, 32, ONES, 0}, /* mhpmcounter3h */
    {0x7a5, 96, ONES, 0}, /* tcontrol */
    {0x7a8, 96, ONES, 0}, /* mcontext */
};

static void fields_keep_what_is_legal(void **unused)
{
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
            if (!(kept[i].xlens & xlen))
                continue;
            struct both *both = start(ISA_ALL_EXTENSIONS, xlen);
            write_csr(both, kept[i].csr, kept[i].written);
            uint64_t read = read_csr(both, kept[i].csr);
            if (read != kept[i].read)
                fail_msg("rv%u: csr %#x keeps %#llx of %#llx", xlen,
                         kept[i].csr, (unsigned long long)read,
                         (unsigned long long)kept[i].written);
            both_end(both);
        }
}

static void halves_of_fcsr(void **unused)
{
    struct both *both = start(ISA_ALL_EXTENSIONS, 64);
    write_csr(both, FRM, 3);
    write_csr(both, FFLAGS, 0x11);
    assert_int_equal(read_csr(both, FCSR), 0x71);
    write_csr(both, FCSR, 0x4e);
    assert_int_equal(read_csr(both, FRM), 2);
    assert_int_equal(read_csr(both, FFLAGS), 0xe);
    both_end(both);
}

static void harts_have_numbers(void **unused)
{
    struct both *both = start(ISA_ALL_EXTENSIONS, 64);
    assert_int_equal(read_csr(both, MHARTID), 7);
    both_end(both);
}

/* ---- counters ---- */

static void a_written_counter_is_what_the_next_instruction_reads(void **unused)
{
    static const unsigned counters[] = {MCYCLE, MINSTRET};
    static const unsigned shadows[] = {CYCLE, INSTRET};
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (unsigned i = 0; i < 2; i++) {
            struct both *both = start(ISA_ALL_EXTENSIONS, xlen);
            step(both, NOP);
            assert_int_equal(read_csr(both, counters[i]), 1);
            write_csr(both, counters[i], 1000);
            assert_int_equal(read_csr(both, counters[i]), 1000);
            assert_int_equal(read_csr(both, shadows[i]), 1001);
            step(both, NOP);
            assert_int_equal(read_csr(both, counters[i]), 1003);
            /* read and written at once */
            both->step.hart.x[1] = 5;
            step(both, csr_word(CSRRW, counters[i], 3, 1));
            assert_int_equal(both->step.hart.x[3], 1004);
            assert_int_equal(read_csr(both, counters[i]), 5);
            both_end(both);
        }
}

/* The host's own counts go on, and so does time. */
static void writes_to_counters_are_the_programs_own(void **unused)
{
    struct both *both = start(ISA_ALL_EXTENSIONS, 64);
    both->step.hart.cycle = 100;
    write_csr(both, MCYCLE, ONES);
    write_csr(both, MINSTRET, ONES);
    assert_int_equal(read_csr(both, TIME), 102);
    assert_int_equal(read_csr(both, CYCLE), 1);
    assert_int_equal(read_csr(both, INSTRET), 1);
    assert_int_equal(both->step.hart.cycle, 105);
    assert_int_equal(both->step.hart.instret, 5);
    both->step.hart.cycle += 10; /* a clock beside the instructions */
    assert_int_equal(read_csr(both, MCYCLE), 13);
    both_end(both);
}

static void halves_of_counters_are_written_apart(void **unused)
{
    static const unsigned low[] = {MCYCLE, MINSTRET};
    static const unsigned high[] = {MCYCLEH, MINSTRETH};
    for (unsigned i = 0; i < 2; i++) {
        struct both *both = start(ISA_ALL_EXTENSIONS, 32);
        write_csr(both, high[i], 0x12);
        write_csr(both, low[i], 0x80000000);
        assert_int_equal(read_csr(both, low[i]), 0xffffffff80000000);
        assert_int_equal(read_csr(both, high[i]), 0x12);
        /* A write to the upper half is not counted either. */
        write_csr(both, low[i], ONES);
        write_csr(both, high[i], ONES);
        assert_int_equal(read_csr(both, low[i]), ONES);
        assert_int_equal(read_csr(both, high[i]), 0);
        assert_int_equal(read_csr(both, low[i]), 1);
        both_end(both);
    }
}

static void counters_of_rv32_have_two_halves(void **unused)
{
    struct both *both = start(ISA_ALL_EXTENSIONS, 32);
    both->step.hart.cycle = 0x1289abcdef;
    both->step.hart.instret = 0x3400000000;
    assert_int_equal(read_csr(both, CYCLE), 0xffffffff89abcdef);
    assert_int_equal(read_csr(both, CYCLEH), 0x12);
    assert_int_equal(read_csr(both, TIME), 0xffffffff89abcdf1);
    assert_int_equal(read_csr(both, TIMEH), 0x12);
    assert_int_equal(read_csr(both, INSTRET), 4);
    assert_int_equal(read_csr(both, INSTRETH), 0x34);
    both_end(both);
}

/* Within one run the loop keeps its counts elsewhere. */
static void counters_are_right_in_the_middle_of_a_run(void **unused)
{
    static const uint32_t code[] = {
        NOP,        0xb0209073, /* csrw minstret,ra */
        0xb02021f3,             /* csrr gp,minstret */
        NOP,        0xc0202273, /* rdinstret tp */
        0xb0009073,             /* csrw mcycle,ra */
        0xc00022f3,             /* rdcycle t0 */
        0xc0102373,             /* rdtime t1 */
        ECALL,
    };
    struct both *both = start(ISA_ALL_EXTENSIONS, 64);
    struct side *side = &both->loop;
    memcpy(side->bytes + BOTH_CODE, code, sizeof code);
    side->hart.x[1] = 1000;
    assert_int_equal(isa_run(&side->hart, side->code, &side->memory, 100,
                             &side->effect, &side->unit),
                     ISA_STOP_ECALL);
    assert_int_equal(side->hart.x[3], 1000);
    assert_int_equal(side->hart.x[4], 1002);
    assert_int_equal(side->hart.x[5], 1000);
    assert_int_equal(side->hart.x[6], 7);
    assert_int_equal(side->hart.instret, 8);
    both_end(both);
}

static void records_show_what_counters_read_next(void **unused)
{
    static const unsigned counters[] = {MCYCLE, MINSTRET};
    for (unsigned i = 0; i < 2; i++) {
        struct both *both = start(ISA_ALL_EXTENSIONS, 64);
        struct side *side = &both->step;
        struct isa_commit commit;
        side->hart.x[1] = 1000;
        side_put(side, csr_word(CSRRW, counters[i], 0, 1));
        isa_run_logged(&side->hart, side->code, &side->memory, &side->effect,
                       &side->unit, &commit);
        assert_true(commit.items & ISA_COMMIT_CSR);
        assert_int_equal(commit.csr_value, 1000);
        both_end(both);
    }
}

/* ---- extensions ---- */

static void floating_point_can_be_off(void **unused)
{
    struct both *both = start(ISA_ALL_EXTENSIONS, 64);
    enum { FADD_S = 0x00000053, FLW = 0x00002007, FSW = 0x00002027 };
    both->step.hart.x[1] = 0x6000;
    step(both, csr_word(CSRRC, MSTATUS, 0, 1));
    for (unsigned csr = FFLAGS; csr <= FCSR; csr++)
        assert_false(can_read(both, csr));
    static const uint32_t words[] = {FADD_S, FLW, FSW, 0x02000053 /* fadd.d */,
                                     0x0000018b | 1u << 15 /* boxisect */};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_int_equal(step(both, words[i]), ISA_STOP_FAULT);
        assert_illegal(both, words[i]);
    }
    both->step.hart.x[1] = 0x2000; /* initial */
    step(both, csr_word(CSRRS, MSTATUS, 0, 1));
    assert_int_equal(step(both, FADD_S), ISA_STOP_LIMIT);
    assert_true(can_read(both, FCSR));
    both_end(both);
}

static void harts_without_f_have_none_of_its_state(void **unused)
{
    struct both *both = start(BASE_EXTENSIONS, 64);
    assert_int_equal(read_csr(both, MSTATUS), 0x1800);
    write_csr(both, MSTATUS, ONES);
    assert_int_equal(read_csr(both, MSTATUS), 0x1888);
    for (unsigned csr = FFLAGS; csr <= FCSR; csr++)
        assert_false(can_read(both, csr));
    both_end(both);
}

static void harts_without_zicntr_have_the_machines_counters(void **unused)
{
    struct both *both = start(BASE_EXTENSIONS, 32);
    for (unsigned n = 0; n < 3; n++) {
        assert_false(can_read(both, CYCLE + n));
        assert_false(can_read(both, CYCLEH + n));
    }
    assert_true(can_read(both, MCYCLE));
    assert_true(can_read(both, MINSTRETH));
    both_end(both);
}

static void misa_tells_the_extensions(void **unused)
{
    static const struct {
        const char *isa;
        uint64_t misa;
    } cases[] = {
        {"rv32i_zicsr", 0x40000100},
        {"rv64ima_zicsr", 0x8000000000001101},
        {"rv64gc", 0x800000000000112d},
        {"rv32imafc_zba_zbb", 0x40001125},
        {"rv64i_zicsr_xtrav", 0x8000000000800100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_profile profile;
        char problem[80];
        assert_true(
            isa_profile_parse(cases[i].isa, &profile, problem, sizeof problem));
        struct both *both = both_start(&profile);
        assert_int_equal(read_csr(both, MISA), cases[i].misa);
        both_end(both);
    }
}

static void what_csrs_lack_is_named(void **unused)
{
    static const struct isa_profile rv32 = {BASE_EXTENSIONS, 32};
    static const struct isa_profile rv64 = {BASE_EXTENSIONS, 64};
    static const struct isa_profile all = {ISA_ALL_EXTENSIONS, 32};
    assert_int_equal(isa_csr_missing(FCSR, &rv64), ISA_EXT_f);
    assert_int_equal(isa_csr_missing(TIME, &rv64), ISA_EXT_zicntr);
    assert_int_equal(isa_csr_missing(TIMEH, &rv32), ISA_EXT_zicntr);
    assert_int_equal(isa_csr_missing(TIMEH, &rv64), ISA_EXT_i);
    assert_int_equal(isa_csr_missing(0x180, &rv64), ISA_EXT_i); /* satp */
    assert_int_equal(isa_csr_missing(MSTATUS, &rv64), ISA_EXT_i);
    assert_int_equal(isa_csr_missing(FCSR, &all), ISA_EXT_i);
    assert_int_equal(isa_missing(csr_word(CSRRS, FCSR, 3, 0), &rv64),
                     ISA_EXT_f);
    assert_int_equal(isa_missing(csr_word(CSRRS, CYCLE, 3, 0), &rv64),
                     ISA_EXT_zicntr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_others_are_illegal),
        cmocka_unit_test(what_the_address_calls_read_only_cannot_be_written),
        cmocka_unit_test(set_and_clear_with_x0_only_read),
        cmocka_unit_test(fields_keep_what_is_legal),
        cmocka_unit_test(halves_of_fcsr),
        cmocka_unit_test(harts_have_numbers),
        cmocka_unit_test(a_written_counter_is_what_the_next_instruction_reads),
        cmocka_unit_test(writes_to_counters_are_the_programs_own),
        cmocka_unit_test(halves_of_counters_are_written_apart),
        cmocka_unit_test(counters_of_rv32_have_two_halves),
        cmocka_unit_test(counters_are_right_in_the_middle_of_a_run),
        cmocka_unit_test(records_show_what_counters_read_next),
        cmocka_unit_test(floating_point_can_be_off),
        cmocka_unit_test(harts_without_f_have_none_of_its_state),
        cmocka_unit_test(harts_without_zicntr_have_the_machines_counters),
        cmocka_unit_test(misa_tells_the_extensions),
        cmocka_unit_test(what_csrs_lack_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
