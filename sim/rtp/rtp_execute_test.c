/* Instructions: results, flags, accesses, where they go on. */
#include "sim/rtp/rtp_decode.h"
#include "sim/rtp/rtp_execute.h"
#include "sim/rtp/rtp_float.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define PC 0x100u

static const struct rtp_rules plain = {.const_words = 8192};

static uint32_t word(unsigned opcode, unsigned d, unsigned a, unsigned rest)
{
    return opcode << 26 | d << 21 | a << 16 | rest;
}

static struct rtp_effect run(const struct rtp_rules *rules, struct rtp_state *s,
                             uint32_t w)
{
    struct rtp_insn insn = rtp_decode(w);
    struct rtp_effect effect;
    s->pc = PC;
    rtp_execute(rules, s, &insn, &effect);
    return effect;
}

/* R3 = R1 op R2 */
static uint32_t scalar(const struct rtp_rules *rules, unsigned opcode,
                       uint32_t a, uint32_t b)
{
    struct rtp_state s = {.s = {[1] = a, [2] = b}};
    run(rules, &s, word(opcode, 3, 1, 2 << 11));
    return s.s[3];
}

static unsigned flags(const struct rtp_rules *rules, unsigned opcode,
                      uint32_t a, uint32_t b)
{
    struct rtp_state s = {.s = {[1] = a, [2] = b}, .flags = 1};
    run(rules, &s, word(opcode, 0, 1, 2 << 11));
    return s.flags;
}

static void integers_wrap_and_divide_as_riscv(void **unused)
{
    assert_int_equal(scalar(&plain, RTP_OP_ii_add, UINT32_MAX, 2), 1);
    assert_int_equal(scalar(&plain, RTP_OP_ii_mul, 0x10001, 0x10001), 0x20001);
    assert_int_equal(scalar(&plain, RTP_OP_ii_div, (uint32_t)-7, 2),
                     (uint32_t)-3);
    assert_int_equal(scalar(&plain, RTP_OP_ii_div, 7, 0), UINT32_MAX);
    assert_int_equal(scalar(&plain, RTP_OP_ii_div, 0x80000000, UINT32_MAX),
                     0x80000000);
}

static void floats_round_once_and_have_one_nan(void **unused)
{
    const uint32_t infinity = 0x7f800000, tiny = 1;
    const struct rtp_rules ftz = {.const_words = 8192, .ftz = true};
    assert_int_equal(scalar(&plain, RTP_OP_ff_sub, infinity, infinity),
                     0x7fc00000);
    assert_int_equal(scalar(&plain, RTP_OP_ff_add, 0xffc00001, 0), 0x7fc00000);
    assert_int_equal(scalar(&plain, RTP_OP_ff_add, tiny, tiny), 2);
    assert_int_equal(scalar(&ftz, RTP_OP_ff_add, tiny, tiny), 0);
    assert_int_equal(scalar(&plain, RTP_OP_ff_div, 0x3f800000, 0x40400000),
                     0x3eaaaaab);
    assert_int_equal(scalar(&plain, RTP_OP_s_sqrt, 0xc0800000, 0), 0x40000000);
}

static void conversions_round_to_even_and_to_zero(void **unused)
{
    struct rtp_rules quirk = plain;
    quirk.quirks = 1u << RTP_QUIRK_ftoi_zero;
    assert_int_equal(scalar(&plain, RTP_OP_s_itof, 0x1000001, 0), 0x4b800000);
    assert_int_equal(scalar(&plain, RTP_OP_s_ftoi, 0xbfc00000, 0),
                     (uint32_t)-1);
    assert_int_equal(scalar(&plain, RTP_OP_s_ftoi, 0x7fc00000, 0), 0x7fffffff);
    assert_int_equal(scalar(&plain, RTP_OP_s_ftoi, 0xff800000, 0), 0x80000000);
    assert_int_equal(scalar(&quirk, RTP_OP_s_ftoi, 0xbfc00000, 0), 0);
}

static void comparisons_set_flags(void **unused)
{
    struct rtp_rules quirk = plain;
    quirk.quirks = 1u << RTP_QUIRK_cmp_min;
    assert_int_equal(flags(&plain, RTP_OP_cmp_i, 5, 5), RTP_ZERO);
    assert_int_equal(flags(&plain, RTP_OP_cmp_i, 5, 0x80000000), RTP_POSITIVE);
    assert_int_equal(flags(&quirk, RTP_OP_cmp_i, 5, 0x80000000), RTP_NEGATIVE);
    assert_int_equal(flags(&plain, RTP_OP_cmp_f, 0x80000000, 0), RTP_NEGATIVE);
    assert_int_equal(flags(&plain, RTP_OP_cmp_f, 0x7fc00000, 0), RTP_POSITIVE);
    assert_int_equal(flags(&plain, RTP_OP_cmp_v, 1, 2), 1);
}

static void branches_follow_flags(void **unused)
{
    static const struct {
        unsigned opcode;
        bool zero, positive, negative;
    } rows[] = {{RTP_OP_be, 1, 0, 0}, {RTP_OP_bne, 0, 1, 1},
                {RTP_OP_bl, 0, 0, 1}, {RTP_OP_bge, 1, 1, 0},
                {RTP_OP_bg, 0, 1, 0}, {RTP_OP_ble, 1, 0, 1}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(rtp_taken(rows[i].opcode, RTP_ZERO), rows[i].zero);
        assert_int_equal(rtp_taken(rows[i].opcode, RTP_POSITIVE),
                         rows[i].positive);
        assert_int_equal(rtp_taken(rows[i].opcode, RTP_NEGATIVE),
                         rows[i].negative);
    }
    struct rtp_state s = {.s = {[30] = 0x40}};
    assert_int_equal(run(&plain, &s, word(RTP_OP_jmp, 0, 0, 0xfff8)).next,
                     PC + 4 - 8);
    assert_int_equal(run(&plain, &s, word(RTP_OP_ret, 0, 30, 0)).next, 0x40);
    assert_int_equal(s.pc, 0x40);
}

static void fixed_registers_stay(void **unused)
{
    struct rtp_state s = {.s = {[1] = 7}, .v = {[1] = {1, 2, 3, 4}}};
    run(&plain, &s, word(RTP_OP_ii_add, 0, 1, 1 << 11));
    run(&plain, &s, word(RTP_OP_vv_add, 0, 1, 1 << 11));
    assert_int_equal(s.s[0], 0);
    assert_int_equal(s.v[0][0], 0);
    run(&plain, &s, word(RTP_OP_ii_addi, 2, RTP_OWN, 4));
    assert_int_equal(s.s[2], PC + 8);
}

static void halves_and_lanes_keep_the_rest(void **unused)
{
    struct rtp_state s = {.s = {[1] = 0x11112222}, .v = {[3] = {1, 2, 3, 4}}};
    run(&plain, &s, word(RTP_OP_s_write_high, 2, 1, 0x9999));
    assert_int_equal(s.s[2], 0x99992222);
    run(&plain, &s, word(RTP_OP_s_write_low, 2, 1, 0x9999));
    assert_int_equal(s.s[2], 0x11119999);
    run(&plain, &s, word(RTP_OP_v_get_from_s, 3, 1, 2));
    assert_int_equal(s.v[3][2], 0x11112222);
    assert_int_equal(s.v[3][3], 4);
}

static void accesses_have_address_and_data(void **unused)
{
    struct rtp_state s = {.s = {[1] = 0x80000010, [2] = 9},
                          .v = {[2] = {1, 2, 3, 4}}};
    struct rtp_effect e =
        run(&plain, &s, word(RTP_OP_v_store_16byte, 2, 1, 0xfffc));
    assert_int_equal(e.address, 0x8000000c);
    assert_int_equal(e.words, 4);
    assert_int_equal(e.data[3], 4);
    e = run(&plain, &s, word(RTP_OP_s_load_4byte, 2, 1, 0));
    assert_int_equal(e.words, 1);
    assert_int_equal(s.s[2], 9);
    const uint32_t data[4] = {5};
    struct rtp_insn load = rtp_decode(word(RTP_OP_s_load_4byte, 2, 1, 0));
    rtp_write_load(&s, &load, data);
    assert_int_equal(s.s[2], 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_wrap_and_divide_as_riscv),
        cmocka_unit_test(floats_round_once_and_have_one_nan),
        cmocka_unit_test(conversions_round_to_even_and_to_zero),
        cmocka_unit_test(comparisons_set_flags),
        cmocka_unit_test(branches_follow_flags),
        cmocka_unit_test(fixed_registers_stay),
        cmocka_unit_test(halves_and_lanes_keep_the_rest),
        cmocka_unit_test(accesses_have_address_and_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
