/*
 * What rows of integers compute, on operands chosen from the manual: 0, -1,
 * extremes, shifts by as many bits as there are, on both XLENs.
 */
#include "sim/isa/tests/rows_bench.h"

/* x1 op x2 (or immediate, in column b) = x3. */
struct integer_case {
    enum isa_op op;
    uint64_t a, b, result;
};

static void check_integer(unsigned xlen, const struct integer_case *c)
{
    struct both *both = start(xlen);
    struct isa_hart *hart = &both->step.hart;
    hart->x[1] = c->a;
    hart->x[2] = c->b;
    enum isa_stop stop =
        execute(both, word_of_row(c->op, (uint32_t)c->b & 0xfff));
    if (stop != ISA_STOP_LIMIT || hart->x[3] != c->result)
        fail_msg("rv%u %s %#llx, %#llx: %#llx instead of %#llx", xlen,
                 isa_rows[c->op].name, (unsigned long long)c->a,
                 (unsigned long long)c->b, (unsigned long long)hart->x[3],
                 (unsigned long long)c->result);
    assert_int_equal(hart->pc, BOTH_CODE + 4);
    assert_int_equal(hart->instret, 1);
    both_end(both);
}

static const struct integer_case of_rv64[] = {
    {OP_addi, ONES, 1, 0},
    {OP_addi, 5, 0xfff, 4},
    {OP_slti, ONES, 0, 1},
    {OP_sltiu, ONES, 0, 0},
    {OP_sltiu, 5, 0xfff, 1},
    {OP_xori, 5, 0xfff, ~5ull},
    {OP_ori, 0x10, 0x0f, 0x1f},
    {OP_andi, 0x1234, 0xf0, 0x30},
    {OP_slli, 1, 63, MIN64},
    {OP_srli, ONES, 63, 1},
    {OP_srai, MIN64, 63, ONES},
    {OP_add, ONES, 2, 1},
    {OP_sub, 0, 1, ONES},
    {OP_sll, 1, 65, 2},
    {OP_slt, MIN64, 0, 1},
    {OP_sltu, MIN64, 0, 0},
    {OP_xor, 6, 3, 5},
    {OP_srl, MIN64, 63, 1},
    {OP_sra, MIN64, 127, ONES},
    {OP_or, 6, 3, 7},
    {OP_and, 6, 3, 2},
    {OP_addiw, 0x7fffffff, 1, MIN32},
    {OP_slliw, 1, 31, MIN32},
    {OP_srliw, ONES, 1, 0x7fffffff},
    {OP_sraiw, 0x80000000, 4, 0xfffffffff8000000},
    {OP_addw, 0x7fffffff, 1, MIN32},
    {OP_subw, 0x100000000, 1, ONES},
    {OP_sllw, 1, 63, MIN32},
    {OP_srlw, ONES, 32, ONES},
    {OP_sraw, 0x80000000, 31, ONES},
    {OP_mul, MIN64, 3, MIN64},
    {OP_mulh, ONES, ONES, 0},
    {OP_mulh, MIN64, MIN64, 0x4000000000000000},
    {OP_mulhu, ONES, ONES, ONES - 1},
    {OP_mulhsu, ONES, ONES, ONES},
    {OP_div, 7, ONES - 1, ONES - 2},
    {OP_div, 7, 0, ONES},
    {OP_div, MIN64, ONES, MIN64},
    {OP_divu, 7, 0, ONES},
    {OP_divu, ONES, 2, INT64_MAX},
    {OP_rem, ONES - 6, 2, ONES},
    {OP_rem, 7, 0, 7},
    {OP_rem, MIN64, ONES, 0},
    {OP_remu, 7, 0, 7},
    {OP_mulw, 0x10000, 0x8000, MIN32},
    {OP_divw, 0x80000000, ONES, MIN32},
    {OP_divw, 1, 0x100000000, ONES},
    {OP_divuw, 0xffffffff, 1, ONES},
    {OP_divuw, 1, 0, ONES},
    {OP_remw, 0x80000000, ONES, 0},
    {OP_remw, 0x180000000, 0, MIN32},
    {OP_remuw, 0xffffffff, 0, ONES},
    {OP_sh1add, 3, 4, 10},
    {OP_sh2add, 3, 4, 16},
    {OP_sh3add, 3, 4, 28},
    {OP_add_uw, ONES, 1, 0x100000000},
    {OP_sh1add_uw, ONES, 0, 0x1fffffffe},
    {OP_sh2add_uw, ONES, 0, 0x3fffffffc},
    {OP_sh3add_uw, ONES, 0, 0x7fffffff8},
    {OP_slli_uw, ONES, 32, 0xffffffff00000000},
    {OP_andn, 7, 2, 5},
    {OP_orn, 1, ~6ull, 7},
    {OP_xnor, 5, 5, ONES},
    {OP_clz, 1, 0, 63},
    {OP_clz, 0, 0, 64},
    {OP_ctz, MIN64, 0, 63},
    {OP_ctz, 0, 0, 64},
    {OP_cpop, ONES, 0, 64},
    {OP_clzw, 0x100000001, 0, 31},
    {OP_ctzw, MIN64, 0, 32},
    {OP_cpopw, ONES, 0, 32},
    {OP_min, ONES, 1, ONES},
    {OP_minu, ONES, 1, 1},
    {OP_max, ONES, 1, 1},
    {OP_maxu, ONES, 1, ONES},
    {OP_sext_b, 0x180, 0, 0xffffffffffffff80},
    {OP_sext_h, 0x18000, 0, 0xffffffffffff8000},
    {OP_zext_h, ONES, 0, 0xffff},
    {OP_rol, MIN64, 1, 1},
    {OP_rol, 5, 64, 5},
    {OP_ror, 1, 1, MIN64},
    {OP_rori, 1, 63, 2},
    {OP_rolw, 0x80000000, 1, 1},
    {OP_rorw, 1, 1, MIN32},
    {OP_roriw, 1, 1, MIN32},
    {OP_orc_b, 0x0100800000100001, 0, 0xff00ff0000ff00ff},
    {OP_rev8, 0x0102030405060708, 0, 0x0807060504030201},

    {OP_slti, MIN64, 0x800, 1},
    {OP_slti, 0x800, 0x7ff, 0},
    {OP_sltiu, ONES, 0xfff, 0},
    {OP_sltiu, 0, 1, 1},
    {OP_slt, 0, MIN64, 0},
    {OP_sltu, 0, MIN64, 1},
    {OP_sll, 1, 63, MIN64},
    {OP_srl, ONES, 64, ONES},
    {OP_sra, MIN64, 64, MIN64},
    {OP_addiw, 0xffffffff, 1, 0},
    {OP_sraiw, 0x7fffffff, 31, 0},
    {OP_mulh, ONES, 1, ONES},
    {OP_mulhsu, 1, ONES, 0},
    {OP_mulhu, MIN64, 2, 1},
    {OP_div, ONES, ONES, 1},
    {OP_div, 0, 0, ONES},
    {OP_divu, MIN64, ONES, 0},
    {OP_rem, ONES - 6, ONES - 1, ONES},
    {OP_rem, MIN64, 0, MIN64},
    {OP_remu, ONES, 10, 5},
    {OP_divw, 7, 0, ONES},
    {OP_divuw, ONES, 2, 0x7fffffff},
    {OP_remw, 7, ONES - 2, 1},
    {OP_remuw, ONES, 10, 5},
    {OP_ctzw, MIN32, 0, 31},
    {OP_clzw, 0, 0, 32},
    {OP_cpop, 0, 0, 0},
    {OP_sext_b, 0x7f, 0, 0x7f},
    {OP_rol, 1, 63, MIN64},
    {OP_ror, 5, 64, 5},
    {OP_rori, 5, 0, 5},
    {OP_rolw, ONES, 0, ONES},
    {OP_rorw, 0x80000000, 0, MIN32},
    {OP_orc_b, 0, 0, 0},
};

static const struct integer_case of_rv32[] = {
    {OP_addi, 0x7fffffff, 1, MIN32},
    {OP_slli, 1, 31, MIN32},
    {OP_srli, ONES, 31, 1},
    {OP_srai, MIN32, 31, ONES},
    {OP_add, 0x7fffffff, 1, MIN32},
    {OP_sub, MIN32, 1, 0x7fffffff},
    {OP_sll, 1, 63, MIN32},
    {OP_srl, ONES, 32, ONES},
    {OP_sra, MIN32, 4, 0xfffffffff8000000},
    {OP_slt, MIN32, 0, 1},
    {OP_sltu, MIN32, 0x7fffffff, 0},
    {OP_mul, 0x10000, 0x8000, MIN32},
    {OP_mulh, MIN32, MIN32, 0x40000000},
    {OP_mulhu, ONES, ONES, ONES - 1},
    {OP_mulhsu, ONES, ONES, ONES},
    {OP_div, MIN32, ONES, MIN32},
    {OP_div, 3, 0, ONES},
    {OP_divu, ONES, 2, 0x7fffffff},
    {OP_divu, 3, 0, ONES},
    {OP_rem, MIN32, ONES, 0},
    {OP_remu, ONES, 0, ONES},
    {OP_remu, ONES, 16, 15},
    {OP_clz, 1, 0, 31},
    {OP_clz, 0, 0, 32},
    {OP_ctz, 0, 0, 32},
    {OP_cpop, ONES, 0, 32},
    {OP_rol, MIN32, 1, 1},
    {OP_ror, 1, 1, MIN32},
    {OP_zext_h32, ONES, 0, 0xffff},
    {OP_orc_b, 0x00100001, 0, 0x00ff00ff},
    {OP_rev8_32, 0x01020304, 0, 0x04030201},
    {OP_rev8_32, 0x010203f4, 0, 0xfffffffff4030201},

    {OP_addi, 0, 0xfff, ONES},
    {OP_slti, MIN32, 0x800, 1},
    {OP_slti, 0, 0xfff, 0},
    {OP_sltiu, 0x7fffffff, 0xfff, 1},
    {OP_sltiu, ONES, 0xfff, 0},
    {OP_xori, 0x7fffffff, 0xfff, MIN32},
    {OP_ori, MIN32, 1, MIN32 | 1},
    {OP_andi, ONES, 0x800, 0xfffffffffffff800},
    {OP_xor, MIN32, ONES, 0x7fffffff},
    {OP_or, MIN32, 1, MIN32 | 1},
    {OP_and, MIN32, 0x7fffffff, 0},
    {OP_sltu, 0, MIN32, 1},
    {OP_mulhu, MIN32, 2, 1},
    {OP_mulhsu, MIN32, MIN32, 0xffffffffc0000000},
    {OP_mul, ONES, ONES, 1},
    {OP_divu, MIN32, 3, 0x2aaaaaaa},
    {OP_rem, 7, 0, 7},
    {OP_sh1add, MIN32, 1, 1},
    {OP_sh2add, 0x20000000, 0, MIN32},
    {OP_sh3add, 3, 4, 28},
    {OP_andn, ONES, 0x7fffffff, MIN32},
    {OP_orn, 0, 0x7fffffff, MIN32},
    {OP_xnor, 0x7fffffff, 0, MIN32},
    {OP_min, MIN32, 1, MIN32},
    {OP_minu, MIN32, 1, 1},
    {OP_max, MIN32, 1, 1},
    {OP_maxu, MIN32, 1, MIN32},
    {OP_sext_b, 0x80, 0, 0xffffffffffffff80},
    {OP_sext_h, 0x8000, 0, 0xffffffffffff8000},
    {OP_ctz, MIN32, 0, 31},
    {OP_rori, 1, 1, MIN32},
    {OP_rol, 5, 32, 5},
    {OP_ror, 5, 32, 5},
    {OP_clz, ONES, 0, 0},
};

static void integer_instructions(void **unused)
{
    for (size_t i = 0; i < sizeof of_rv64 / sizeof *of_rv64; i++)
        check_integer(64, &of_rv64[i]);
    for (size_t i = 0; i < sizeof of_rv32 / sizeof *of_rv32; i++)
        check_integer(32, &of_rv32[i]);
}

static void x0_stays_zero(void **unused)
{
    static const uint32_t words[] = {
        0x00500013, /* li zero,5 */
        0x0000a003, /* lw zero,0(ra) */
        0x0020a02f, /* amoadd.w zero,sp,(ra) */
        0xf1402073, /* csrr zero,mhartid */
        0x0040006f, /* jal zero,.+4 */
        0xc0000053, /* fcvt.w.s zero,ft0 */
    };
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            struct both *both = start(xlen);
            both->step.hart.x[1] = BOTH_DATA;
            memset(both->step.bytes + BOTH_DATA, 0x55, 8);
            assert_int_equal(execute(both, words[i]), ISA_STOP_LIMIT);
            assert_int_equal(both->step.hart.x[0], 0);
            both_end(both);
        }
}

static void hints_only_advance(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (unsigned rs2 = 0; rs2 < 32; rs2++) {
            struct both *both = start(xlen);
            struct isa_hart *hart = &both->step.hart;
            for (unsigned i = 1; i < 32; i++)
                hart->x[i] = i;
            execute(both, 0x00000033 | rs2 << 20);
            if (rs2)
                execute(both, 0x9002 | rs2 << 2); /* c.add zero,... */
            assert_int_equal(hart->pc, BOTH_CODE + (rs2 ? 6 : 4));
            for (unsigned i = 0; i < 32; i++)
                assert_int_equal(hart->x[i], i);
            both_end(both);
        }
}

static void no_row_is_without_a_test(void **unused)
{
    assert_all_tested(INTEGERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_instructions),
        cmocka_unit_test(x0_stays_zero),
        cmocka_unit_test(hints_only_advance),
        cmocka_unit_test(no_row_is_without_a_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
