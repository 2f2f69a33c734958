/*
 * What jumps, branches, fences, traps and CSR instructions do, on both XLENs.
 */
#include "sim/isa/tests/rows_bench.h"

/* ---- jumps ---- */

static void upper_immediates_and_jumps(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct both *both = start(xlen);
        struct isa_hart *hart = &both->step.hart;
        execute(both, 0x800001b7); /* lui gp,0x80000 */
        assert_int_equal(hart->x[3], MIN32);
        execute(both, 0x00001197); /* auipc gp,0x1 */
        assert_int_equal(hart->x[3], BOTH_CODE + 0x1004);
        execute(both, 0xfffff197); /* auipc gp,0xfffff */
        assert_int_equal(hart->x[3], BOTH_CODE - 0x1000 + 8);
        execute(both, 0xff9ff1ef); /* jal gp,.-8 */
        assert_int_equal(hart->x[3], BOTH_CODE + 16);
        assert_int_equal(hart->pc, BOTH_CODE + 4);
        hart->x[1] = 0x2001;
        execute(both, 0x004080e7); /* jalr ra,4(ra): old ra, bit 0 off */
        assert_int_equal(hart->pc, 0x2004);
        assert_int_equal(hart->x[1], BOTH_CODE + 8);
        hart->pc = BOTH_CODE + 2;
        execute(both, 0x9082); /* c.jalr ra: link after 2 bytes */
        assert_int_equal(hart->pc, BOTH_CODE + 8);
        assert_int_equal(hart->x[1], BOTH_CODE + 4);
        both_end(both);
    }
}

static void addresses_of_rv32_wrap(void **unused)
{
    struct both *both = start(32);
    struct isa_hart *hart = &both->step.hart;
    hart->x[1] = MIN32;
    assert_int_equal(execute(both, word_of_row(OP_lw, 0xfff)), ISA_STOP_FAULT);
    assert_int_equal(both->step.effect.address, 0x7fffffff);
    hart->x[1] = ONES;
    assert_int_equal(execute(both, 0x001080e7), ISA_STOP_LIMIT); /* jalr */
    assert_int_equal(hart->pc, 0);
    both_end(both);
    struct isa_hart alone;
    struct isa_profile profile = {ISA_ALL_EXTENSIONS, 32};
    struct isa_insn nop;
    struct isa_effect effect;
    isa_hart_reset(&alone, &profile, 0, 0xfffffffc);
    isa_decode(0x00000013, &profile, &nop);
    assert_int_equal(isa_execute(&alone, &nop, &effect), ISA_DONE);
    assert_int_equal(alone.pc, 0);
}

static bool taken(unsigned xlen, enum isa_op op, uint64_t a, uint64_t b)
{
    struct both *both = start(xlen);
    both->step.hart.x[1] = reg(xlen, a);
    both->step.hart.x[2] = reg(xlen, b);
    uint32_t word = isa_rows[op].match | 1u << 15 | 2u << 20 | 0x800; /* +16 */
    assert_int_equal(execute(both, word), ISA_STOP_LIMIT);
    uint64_t pc = both->step.hart.pc;
    both_end(both);
    assert_true(pc == BOTH_CODE + 4 || pc == BOTH_CODE + 16);
    return pc == BOTH_CODE + 16;
}

static void branches(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        uint64_t min = xlen == 32 ? MIN32 : MIN64;
        assert_true(taken(xlen, OP_beq, 3, 3));
        assert_false(taken(xlen, OP_beq, 3, 4));
        assert_true(taken(xlen, OP_bne, 3, 4));
        assert_false(taken(xlen, OP_bne, min, min));
        assert_true(taken(xlen, OP_blt, ONES, 0));
        assert_true(taken(xlen, OP_blt, min, ONES));
        assert_false(taken(xlen, OP_blt, 0, 0));
        assert_true(taken(xlen, OP_bge, 0, 0));
        assert_false(taken(xlen, OP_bge, ONES, 0));
        assert_false(taken(xlen, OP_bltu, ONES, 0));
        assert_true(taken(xlen, OP_bltu, 0, ONES));
        assert_true(taken(xlen, OP_bltu, min - 1, min));
        assert_true(taken(xlen, OP_bgeu, ONES, 0));
        assert_false(taken(xlen, OP_bgeu, 1, min));
    }
}

/* ---- system ---- */

static void fences_and_traps(void **unused)
{
    static const struct {
        uint32_t word;
        enum isa_stop stop;
    } cases[] = {
        {0x00000073, ISA_STOP_ECALL},  /* ecall */
        {0x00100073, ISA_STOP_EBREAK}, /* ebreak */
        {0x00009002, ISA_STOP_EBREAK}, /* c.ebreak */
        {0x10500073, ISA_STOP_LIMIT},  /* wfi */
        {0x0ff0000f, ISA_STOP_LIMIT},  /* fence */
        {0x8330000f, ISA_STOP_LIMIT},  /* fence.tso */
        {0xfff0000f, ISA_STOP_LIMIT},  /* fence, reserved mode */
        {0x0010808f, ISA_STOP_LIMIT},  /* fence, reserved registers */
        {0x0000100f, ISA_STOP_LIMIT},  /* fence.i */
        {0x0010908f, ISA_STOP_LIMIT},  /* fence.i, reserved registers */
    };
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct both *both = start(xlen);
            bool done = cases[i].stop == ISA_STOP_LIMIT;
            if (execute(both, cases[i].word) != cases[i].stop)
                fail_msg("rv%u %#x", xlen, cases[i].word);
            assert_int_equal(both->step.hart.pc, BOTH_CODE + (done ? 4 : 0));
            assert_int_equal(both->step.hart.instret, done);
            both_end(both);
        }
}

static void mret_goes_to_mepc(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct both *both = start(xlen);
        both->step.hart.mepc = 0x2002;
        assert_int_equal(execute(both, 0x30200073), ISA_STOP_LIMIT);
        assert_int_equal(both->step.hart.pc, 0x2002);
        both_end(both);
    }
}

static void the_six_csr_instructions(void **unused)
{
    static const struct {
        enum isa_op op;
        unsigned rs1;
        uint64_t result; /* of 0xf0f0, with 0xff00 in x1 */
    } cases[] = {
        {OP_csrrw, 1, 0xff00}, {OP_csrrs, 1, 0xfff0},  {OP_csrrc, 1, 0x00f0},
        {OP_csrrwi, 21, 21},   {OP_csrrsi, 3, 0xf0f3}, {OP_csrrci, 16, 0xf0e0},
    };
    enum { MSCRATCH = 0x340 };
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct both *both = start(xlen);
            both->step.hart.mscratch = 0xf0f0;
            both->step.hart.x[1] = 0xff00;
            execute(both, isa_rows[cases[i].op].match | MSCRATCH << 20 |
                              cases[i].rs1 << 15 | 3 << 7);
            assert_int_equal(both->step.hart.x[3], 0xf0f0);
            assert_int_equal(both->step.hart.mscratch, cases[i].result);
            /* rd and rs1 may be the same. */
            execute(both, 0x340090f3); /* csrrw ra,mscratch,ra */
            assert_int_equal(both->step.hart.x[1], cases[i].result);
            assert_int_equal(both->step.hart.mscratch, 0xff00);
            both_end(both);
        }
}

static void no_row_is_without_a_test(void **unused)
{
    assert_all_tested(CONTROL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upper_immediates_and_jumps),
        cmocka_unit_test(addresses_of_rv32_wrap),
        cmocka_unit_test(branches),
        cmocka_unit_test(fences_and_traps),
        cmocka_unit_test(mret_goes_to_mepc),
        cmocka_unit_test(the_six_csr_instructions),
        cmocka_unit_test(no_row_is_without_a_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
