/*
 * What rows of floating point compute and which flags they raise, on operands
 * chosen from the manual: NaNs, infinities, roundings at ties, limits of
 * conversions, on both XLENs.
 */
#include "sim/isa/tests/rows_bench.h"

/* f1 op f2 (op f4) = f3, or x3 where the row writes an integer. */
struct float_case {
    enum isa_op op;
    unsigned rm;
    uint64_t a, b, c, result;
    unsigned flags;
};

enum { NX = 1, UF = 2, OF = 4, DZ = 8, NV = 16 };

#define S1 BOX(0x3f800000)
#define S2 BOX(0x40000000)
#define S3 BOX(0x40400000)
#define NAN_S BOX(0x7fc00000)

static const struct float_case float_cases[] = {
    {OP_fadd_s, 0, S1, S2, 0, S3, 0},
    {OP_fadd_s, 0, S1, BOX(0x33800000), 0, S1, NX},
    {OP_fadd_s, 3, S1, BOX(0x33800000), 0, BOX(0x3f800001), NX},
    {OP_fadd_s, 4, S1, BOX(0x33800000), 0, BOX(0x3f800001), NX},
    {OP_fadd_s, 0, 0x3f800000, S1, 0, NAN_S, 0}, /* not boxed: NaN */
    {OP_fadd_s, 0, BOX(0x7f800001), S1, 0, NAN_S, NV},
    {OP_fsub_s, 0, S3, S2, 0, S1, 0},
    {OP_fsub_s, 2, S3, S3, 0, BOX(0x80000000), 0},
    {OP_fmul_s, 0, S2, S2, 0, BOX(0x40800000), 0},
    {OP_fmul_s, 0, BOX(0x7f7fffff), S2, 0, BOX(0x7f800000), OF | NX},
    {OP_fmul_s, 1, BOX(0x7f7fffff), S2, 0, BOX(0x7f7fffff), OF | NX},
    {OP_fmul_s, 0, BOX(0x00800001), BOX(0x3f000000), 0, BOX(0x00400000),
     UF | NX},
    {OP_fmul_s, 0, BOX(0x00800000), BOX(0x3f000000), 0, BOX(0x00400000), 0},
    {OP_fdiv_s, 0, S1, BOX(0), 0, BOX(0x7f800000), DZ},
    {OP_fdiv_s, 0, BOX(0), BOX(0), 0, NAN_S, NV},
    {OP_fdiv_s, 0, S1, S3, 0, BOX(0x3eaaaaab), NX},
    {OP_fsqrt_s, 0, BOX(0x40800000), 0, 0, S2, 0},
    {OP_fsqrt_s, 0, BOX(0xbf800000), 0, 0, NAN_S, NV},
    {OP_fmadd_s, 0, S2, S2, S1, BOX(0x40a00000), 0},
    {OP_fmsub_s, 0, S2, S2, S1, S3, 0},
    {OP_fnmsub_s, 0, S2, S2, S1, BOX(0xc0400000), 0},
    {OP_fnmadd_s, 0, S2, S2, S1, BOX(0xc0a00000), 0},
    {OP_fmadd_s, 0, BOX(0), BOX(0x7f800000), NAN_S, NAN_S, NV},
    {OP_fsgnj_s, 0, S1, BOX(0x80000000), 0, BOX(0xbf800000), 0},
    {OP_fsgnjn_s, 0, S1, BOX(0x80000000), 0, S1, 0},
    {OP_fsgnjx_s, 0, BOX(0xbf800000), BOX(0x80000000), 0, S1, 0},
    {OP_fmin_s, 0, S1, S2, 0, S1, 0},
    {OP_fmax_s, 0, S1, S2, 0, S2, 0},
    {OP_feq_s, 0, S1, S1, 0, 1, 0},
    {OP_flt_s, 0, S1, S2, 0, 1, 0},
    {OP_fle_s, 0, S2, S1, 0, 0, 0},
    {OP_fclass_s, 0, S1, 0, 0, 1 << 6, 0},
    {OP_fcvt_w_s, 1, BOX(0xc0200000), 0, 0, ONES - 1, NX},
    {OP_fcvt_wu_s, 0, BOX(0x4f7fffff), 0, 0, 0xffffffffffffff00, 0},
    {OP_fcvt_l_s, 0, BOX(0x5f000000), 0, 0, INT64_MAX, NV},
    {OP_fcvt_lu_s, 0, BOX(0xbf800000), 0, 0, 0, NV},
    {OP_fmv_x_w, 0, BOX(0x80000000), 0, 0, MIN32, 0},
    {OP_fmv_x_w, 0, 0x1280000000, 0, 0, MIN32, 0}, /* raw bits */
    {OP_fadd_d, 0, 0x3ff0000000000000, 0x4000000000000000, 0,
     0x4008000000000000, 0},
    {OP_fsub_d, 0, 0x4008000000000000, 0x4000000000000000, 0,
     0x3ff0000000000000, 0},
    {OP_fmul_d, 0, 0x0010000000000000, 0x3fe0000000000000, 0,
     0x0008000000000000, 0},
    {OP_fdiv_d, 0, 0x3ff0000000000000, 0x4008000000000000, 0,
     0x3fd5555555555555, NX},
    {OP_fsqrt_d, 0, 0x4000000000000000, 0, 0, 0x3ff6a09e667f3bcd, NX},
    {OP_fmadd_d, 0, 0x4000000000000000, 0x4000000000000000, 0x3ff0000000000000,
     0x4014000000000000, 0},
    {OP_fmsub_d, 0, 0x4000000000000000, 0x4000000000000000, 0x3ff0000000000000,
     0x4008000000000000, 0},
    {OP_fnmsub_d, 0, 0x4000000000000000, 0x4000000000000000, 0x3ff0000000000000,
     0xc008000000000000, 0},
    {OP_fnmadd_d, 0, 0x4000000000000000, 0x4000000000000000, 0x3ff0000000000000,
     0xc014000000000000, 0},
    {OP_fsgnj_d, 0, 1, MIN64, 0, MIN64 | 1, 0},
    {OP_fsgnjn_d, 0, 1, MIN64, 0, 1, 0},
    {OP_fsgnjx_d, 0, MIN64, MIN64, 0, 0, 0},
    {OP_fmin_d, 0, MIN64, 0, 0, MIN64, 0},
    {OP_fmax_d, 0, MIN64, 0, 0, 0, 0},
    {OP_feq_d, 0, MIN64, 0, 0, 1, 0},
    {OP_flt_d, 0, MIN64, 0, 0, 0, 0},
    {OP_fle_d, 0, 0x7ff8000000000000, 0, 0, 0, NV},
    {OP_fclass_d, 0, MIN64, 0, 0, 1 << 3, 0},
    {OP_fcvt_s_d, 0, 0x3ff0000010000000, 0, 0, S1, NX},
    {OP_fcvt_d_s, 0, S3, 0, 0, 0x4008000000000000, 0},
    {OP_fcvt_w_d, 0, 0x4004000000000000, 0, 0, 2, NX},
    {OP_fcvt_wu_d, 0, 0x41efffffffe00000, 0, 0, ONES, 0},
    {OP_fcvt_l_d, 0, 0xc3e0000000000000, 0, 0, MIN64, 0},
    {OP_fcvt_lu_d, 0, 0x43efffffffffffff, 0, 0, 0xfffffffffffff800, 0},
    {OP_fmv_x_d, 0, 0x123456789abcdef0, 0, 0, 0x123456789abcdef0, 0},

    /* NaNs: quiet ones pass, signaling ones raise invalid */
    {OP_feq_s, 0, NAN_S, S1, 0, 0, 0},
    {OP_feq_s, 0, BOX(0x7f800001), S1, 0, 0, NV},
    {OP_flt_s, 0, NAN_S, S1, 0, 0, NV},
    {OP_fle_s, 0, S1, NAN_S, 0, 0, NV},
    {OP_fmin_s, 0, NAN_S, S1, 0, S1, 0},
    {OP_fmax_s, 0, S1, BOX(0xffc00001), 0, S1, 0},
    {OP_fmin_s, 0, BOX(0x7f800001), S1, 0, S1, NV},
    {OP_fmax_s, 0, NAN_S, NAN_S, 0, NAN_S, 0},
    {OP_fmin_s, 0, BOX(0), BOX(0x80000000), 0, BOX(0x80000000), 0},
    {OP_fmax_s, 0, BOX(0x80000000), BOX(0), 0, BOX(0), 0},
    {OP_fmin_s, 0, 0x3f800000, S2, 0, S2, 0}, /* not boxed */
    {OP_fsgnj_s, 0, 0x3f800000, BOX(0x80000000), 0, BOX(0xffc00000), 0},
    {OP_fclass_s, 0, 0, 0, 0, 1 << 9, 0},
    {OP_fclass_s, 0, BOX(0xff800000), 0, 0, 1 << 0, 0},
    {OP_fclass_s, 0, BOX(0x80000001), 0, 0, 1 << 2, 0},
    {OP_fclass_s, 0, BOX(0x7f800001), 0, 0, 1 << 8, 0},
    {OP_fclass_d, 0, 0x7ff0000000000000, 0, 0, 1 << 7, 0},
    {OP_fclass_d, 0, 1, 0, 0, 1 << 5, 0},
    {OP_fclass_d, 0, 0x7ff8000000000000, 0, 0, 1 << 9, 0},
    {OP_fadd_s, 0, BOX(0x7f800000), BOX(0xff800000), 0, NAN_S, NV},
    {OP_fsub_s, 0, BOX(0x7f800000), BOX(0x7f800000), 0, NAN_S, NV},
    {OP_fmul_s, 0, BOX(0), BOX(0xff800000), 0, NAN_S, NV},
    {OP_fdiv_s, 0, BOX(0xbf800000), BOX(0), 0, BOX(0xff800000), DZ},
    {OP_fsqrt_s, 0, BOX(0x80000000), 0, 0, BOX(0x80000000), 0},
    {OP_fmadd_s, 0, S2, NAN_S, BOX(0x7f800001), NAN_S, NV},
    {OP_fadd_d, 0, 0x7ff0000000000001, 0, 0, 0x7ff8000000000000, NV},
    {OP_fdiv_d, 0, 0x3ff0000000000000, 0, 0, 0x7ff0000000000000, DZ},
    {OP_fsqrt_d, 0, 0xbff0000000000000, 0, 0, 0x7ff8000000000000, NV},
    {OP_feq_d, 0, 0x7ff8000000000000, 0, 0, 0, 0},
    {OP_flt_d, 0, 0x7ff8000000000000, 0, 0, 0, NV},
    {OP_fmin_d, 0, 0x7ff0000000000001, 1, 0, 1, NV},
    /* roundings, at ties and at the limits */
    {OP_fadd_s, 1, S1, BOX(0x33c00000), 0, S1, NX},
    {OP_fadd_s, 2, BOX(0xbf800000), BOX(0xb3800000), 0, BOX(0xbf800001), NX},
    {OP_fadd_d, 4, 0x3ff0000000000000, 0x3ca0000000000000, 0,
     0x3ff0000000000001, NX},
    {OP_fadd_d, 0, 0x3ff0000000000000, 0x3ca0000000000000, 0,
     0x3ff0000000000000, NX},
    {OP_fmul_s, 3, BOX(0xff7fffff), S2, 0, BOX(0xff7fffff), OF | NX},
    {OP_fmul_d, 2, 0x7fefffffffffffff, 0x4000000000000000, 0,
     0x7fefffffffffffff, OF | NX},
    {OP_fmul_s, 3, BOX(1), BOX(0x3f000000), 0, BOX(1), UF | NX},
    {OP_fmul_s, 0, BOX(1), BOX(0x3f000000), 0, BOX(0), UF | NX},
    /* tiny only before rounding: no underflow */
    {OP_fmul_s, 0, BOX(0x3f7fffff), BOX(0x00800001), 0, BOX(0x00800000), NX},
    {OP_fcvt_s_d, 0, 0x3ff0000010000000, 0, 0, S1, NX},
    {OP_fcvt_s_d, 3, 0x3ff0000010000000, 0, 0, BOX(0x3f800001), NX},
    {OP_fcvt_s_d, 0, 0x7fefffffffffffff, 0, 0, BOX(0x7f800000), OF | NX},
    {OP_fcvt_s_d, 0, 0x7ff0000000000001, 0, 0, NAN_S, NV},
    {OP_fcvt_s_d, 0, 0x36a0000000000000, 0, 0, BOX(1), 0},
    {OP_fcvt_d_s, 0, BOX(0xffc12345), 0, 0, 0x7ff8000000000000, 0},
    {OP_fcvt_d_s, 0, BOX(1), 0, 0, 0x36a0000000000000, 0},
    /* conversions at their limits */
    {OP_fcvt_w_s, 0, NAN_S, 0, 0, INT32_MAX, NV},
    {OP_fcvt_w_s, 0, BOX(0xff800000), 0, 0, MIN32, NV},
    {OP_fcvt_w_s, 0, BOX(0xcf000000), 0, 0, MIN32, 0},
    {OP_fcvt_w_s, 0, BOX(0x4f000000), 0, 0, INT32_MAX, NV},
    {OP_fcvt_wu_s, 0, NAN_S, 0, 0, ONES, NV},
    {OP_fcvt_wu_s, 1, BOX(0xbf7fffff), 0, 0, 0, NX},
    {OP_fcvt_wu_s, 0, BOX(0xbf800000), 0, 0, 0, NV},
    {OP_fcvt_l_s, 0, BOX(0xdf000000), 0, 0, MIN64, 0},
    {OP_fcvt_l_s, 0, NAN_S, 0, 0, INT64_MAX, NV},
    {OP_fcvt_lu_s, 0, BOX(0x7f800000), 0, 0, ONES, NV},
    {OP_fcvt_w_d, 4, 0x4004000000000000, 0, 0, 3, NX},
    {OP_fcvt_w_d, 2, 0xc1e0000000000001, 0, 0, MIN32, NV},
    {OP_fcvt_w_d, 1, 0xc1e00000001fffff, 0, 0, MIN32, NX},
    {OP_fcvt_wu_d, 0, 0x41efffffffffffff, 0, 0, ONES, NV},
    {OP_fcvt_l_d, 0, 0x43e0000000000000, 0, 0, INT64_MAX, NV},
    {OP_fcvt_lu_d, 0, 0xbff0000000000000, 0, 0, 0, NV},
    {OP_fcvt_lu_d, 2, 0xbfe0000000000000, 0, 0, 0, NV},
};

static void check_float(unsigned xlen, const struct float_case *c)
{
    struct both *both = start(xlen);
    struct isa_hart *hart = &both->step.hart;
    hart->f[1] = c->a;
    hart->f[2] = c->b;
    hart->f[4] = c->c;
    assert_int_equal(execute(both, word_of_row(c->op, c->rm)), ISA_STOP_LIMIT);
    bool integer = isa_rows[c->op].operands[0] == 'd';
    uint64_t result = integer ? hart->x[3] : hart->f[3];
    if (result != c->result || hart->fflags != c->flags)
        fail_msg("rv%u %s, %#llx, %#llx, %#llx, rounding %u: %#llx flags %#x "
                 "instead of %#llx flags %#x",
                 xlen, isa_rows[c->op].name, (unsigned long long)c->a,
                 (unsigned long long)c->b, (unsigned long long)c->c, c->rm,
                 (unsigned long long)result, hart->fflags,
                 (unsigned long long)c->result, c->flags);
    both_end(both);
}

static void floating_point(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof float_cases / sizeof *float_cases; i++)
            if (has_row(xlen, float_cases[i].op))
                check_float(xlen, &float_cases[i]);
}

static void integers_to_floating_point(void **unused)
{
    static const struct {
        enum isa_op op;
        unsigned rm;
        uint64_t a, result;
        unsigned flags;
    } cases[] = {
        {OP_fcvt_s_w, 0, 0x1ffffffff, BOX(0xbf800000), 0},
        {OP_fcvt_s_w, 0, MIN32, BOX(0xcf000000), 0},
        {OP_fcvt_s_w, 0, INT32_MAX, BOX(0x4f000000), NX},
        {OP_fcvt_s_w, 1, INT32_MAX, BOX(0x4effffff), NX},
        {OP_fcvt_s_w, 2, 0, BOX(0), 0},
        {OP_fcvt_s_wu, 0, ONES, BOX(0x4f800000), NX},
        {OP_fcvt_s_wu, 1, ONES, BOX(0x4f7fffff), NX},
        {OP_fcvt_s_l, 0, MIN64, BOX(0xdf000000), 0},
        {OP_fcvt_s_l, 0, INT64_MAX, BOX(0x5f000000), NX},
        {OP_fcvt_s_lu, 0, MIN64, BOX(0x5f000000), 0},
        {OP_fcvt_s_lu, 0, ONES, BOX(0x5f800000), NX},
        {OP_fcvt_d_w, 0, ONES, 0xbff0000000000000, 0},
        {OP_fcvt_d_w, 0, MIN32, 0xc1e0000000000000, 0},
        {OP_fcvt_d_wu, 0, ONES, 0x41efffffffe00000, 0},
        {OP_fcvt_d_l, 0, ONES, 0xbff0000000000000, 0},
        {OP_fcvt_d_l, 1, INT64_MAX, 0x43dfffffffffffff, NX},
        {OP_fcvt_d_lu, 0, ONES, 0x43f0000000000000, NX},
        {OP_fmv_w_x, 0, 0x123456789, BOX(0x23456789), 0},
        {OP_fmv_d_x, 0, 0x123456789, 0x123456789, 0},
    };
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (!has_row(xlen, cases[i].op))
                continue;
            struct both *both = start(xlen);
            both->step.hart.x[1] = reg(xlen, cases[i].a);
            execute(both, word_of_row(cases[i].op, cases[i].rm));
            if (both->step.hart.f[3] != cases[i].result)
                fail_msg("rv%u %s %#llx", xlen, isa_rows[cases[i].op].name,
                         (unsigned long long)cases[i].a);
            assert_int_equal(both->step.hart.fflags, cases[i].flags);
            both_end(both);
        }
}

static void flags_accumulate(void **unused)
{
    struct both *both = start(64);
    both->step.hart.f[1] = S1;
    both->step.hart.f[2] = BOX(0);
    both->step.hart.fflags = NV;
    execute(both, word_of_row(OP_fdiv_s, 0));
    assert_int_equal(both->step.hart.fflags, NV | DZ);
    both_end(both);
}

static void the_dynamic_rounding_mode_is_frm(void **unused)
{
    struct both *both = start(64);
    struct isa_hart *hart = &both->step.hart;
    hart->f[1] = S1;
    hart->f[2] = BOX(0x33000000);
    hart->frm = 3;
    assert_int_equal(execute(both, word_of_row(OP_fadd_s, 7)), ISA_STOP_LIMIT);
    assert_int_equal(hart->f[3], BOX(0x3f800001));
    for (hart->frm = 5; hart->frm <= 7; hart->frm++) {
        assert_int_equal(execute(both, word_of_row(OP_fadd_s, 7)),
                         ISA_STOP_FAULT);
        assert_int_equal(both->step.effect.cause, ISA_CAUSE_ILLEGAL);
        assert_int_equal(both->step.effect.tval, word_of_row(OP_fadd_s, 7));
    }
    hart->frm = 5; /* of no matter where the rounding mode is static */
    assert_int_equal(execute(both, word_of_row(OP_fadd_s, 0)), ISA_STOP_LIMIT);
    for (unsigned rm = 5; rm <= 6; rm++) {
        assert_int_equal(execute(both, word_of_row(OP_fadd_s, rm)),
                         ISA_STOP_FAULT);
        assert_int_equal(execute(both, word_of_row(OP_fcvt_d_s, rm)),
                         ISA_STOP_FAULT);
    }
    both_end(both);
}

static void no_row_is_without_a_test(void **unused)
{
    assert_all_tested(FLOATS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floating_point),
        cmocka_unit_test(integers_to_floating_point),
        cmocka_unit_test(flags_accumulate),
        cmocka_unit_test(the_dynamic_rounding_mode_is_frm),
        cmocka_unit_test(no_row_is_without_a_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
