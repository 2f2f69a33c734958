/*
 * ISA strings, and what a hart without an extension refuses: each row of the
 * table is tried without its own.
 */
#include "sim/isa/tests/both.h"

#include <stdio.h>

#define BIT(extension) (1u << ISA_EXT_##extension)
#define GENERAL (BIT(m) | BIT(a) | BIT(f) | BIT(d) | BIT(zicsr) | BIT(zifencei))

static void texts_that_are_isas(void **unused)
{
    static const struct {
        const char *text;
        unsigned xlen;
        uint32_t extensions;
    } cases[] = {
        {"rv32i", 32, 0},
        {"rv64i", 64, 0},
        {"RV64I", 64, 0},
        {"rv64g", 64, GENERAL},
        {"rv64gc", 64, GENERAL | BIT(c)},
        {"rv32imafdc_zicsr_zifencei", 32, GENERAL | BIT(c)},
        {"RV32IMAFDCZicsr_Zifencei", 32, GENERAL | BIT(c)},
        {"rv64imac", 64, BIT(m) | BIT(a) | BIT(c)},
        {"rv64icam", 64, BIT(m) | BIT(a) | BIT(c)},
        {"rv64immm_zba_zba", 64, BIT(m) | BIT(zba)},
        {"rv64i_m_a", 64, BIT(m) | BIT(a)},
        {"rv32i2p1_m2p0_zicsr2p0", 32, BIT(m) | BIT(zicsr)},
        {"rv32i2p1m2zba1p0_zbb1", 32, BIT(m) | BIT(zba) | BIT(zbb)},
        {"rv64i_zbb_zba_xtrav", 64, BIT(zba) | BIT(zbb) | BIT(xtrav)},
        {"rv64i_xtrav1p0", 64, BIT(xtrav)},
        /* what an extension needs comes with it */
        {"rv32if", 32, BIT(f) | BIT(zicsr)},
        {"rv32id", 32, BIT(d) | BIT(f) | BIT(zicsr)},
        {"rv64i_zicntr", 64, BIT(zicntr) | BIT(zicsr)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_profile profile;
        char problem[100] = "";
        if (!isa_profile_parse(cases[i].text, &profile, problem,
                               sizeof problem))
            fail_msg("%s: %s", cases[i].text, problem);
        if (profile.xlen != cases[i].xlen ||
            profile.extensions != cases[i].extensions)
            fail_msg("%s: rv%u, %#x", cases[i].text, profile.xlen,
                     profile.extensions);
    }
}

static void texts_that_are_not(void **unused)
{
    static const struct {
        const char *text, *problem;
    } cases[] = {
        {"", "an ISA begins with rv32 or rv64, not: "},
        {"rv", "an ISA begins with rv32 or rv64, not: rv"},
        {"rv128i", "an ISA begins with rv32 or rv64, not: rv128i"},
        {"x86", "an ISA begins with rv32 or rv64, not: x86"},
        {"rv64", "i or g expected after rv32 or rv64: rv64"},
        {"rv64e", "i or g expected after rv32 or rv64: rv64e"},
        {"rv64_i", "i or g expected after rv32 or rv64: rv64_i"},
        {"rv64imv", "no extension that is known here begins at: v"},
        {"rv64ig", "no extension that is known here begins at: g"},
        {"rv64gi", "no extension that is known here begins at: i"},
        {"rv64im_", "no extension that is known here begins at: _"},
        {"rv64i__m", "no extension that is known here begins at: _m"},
        {"rv64ip1", "no extension that is known here begins at: p1"},
        {"rv64i2p", "no extension that is known here begins at: p"},
        {"rv64i2p1p0", "no extension that is known here begins at: p0"},
        {"rv64i_zbc", "no extension that is known here begins at: zbc"},
        {"rv64i_z", "no extension that is known here begins at: z"},
        {"rv64i_zbazbb", "no extension that is known here begins at: zbazbb"},
        {"rv64i_zbax", "no extension that is known here begins at: zbax"},
        {"rv64i m", "no extension that is known here begins at:  m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_profile profile;
        char problem[100] = "";
        assert_false(isa_profile_parse(cases[i].text, &profile, problem,
                                       sizeof problem));
        assert_string_equal(problem, cases[i].problem);
    }
}

/* Every set of extensions that is complete comes back from its text. */
static void texts_come_back(void **unused)
{
    for (uint32_t set = 0; set <= ISA_ALL_EXTENSIONS; set++) {
        struct isa_profile profile = {set, set % 3 ? 64 : 32}, again;
        char text[120], problem[100];
        int length = isa_profile_text(&profile, text, sizeof text);
        assert_int_equal(length, strlen(text));
        assert_true(isa_profile_parse(text, &again, problem, sizeof problem));
        assert_int_equal(again.xlen, profile.xlen);
        bool complete = isa_profile_check(&profile, problem, sizeof problem);
        assert_int_equal(again.extensions == set, complete);
        assert_true(isa_profile_check(&again, problem, sizeof problem));
    }
}

static void texts_are_in_the_manuals_order(void **unused)
{
    struct isa_profile profile = {ISA_ALL_EXTENSIONS, 64};
    char text[120], small[8];
    isa_profile_text(&profile, text, sizeof text);
    assert_string_equal(
        text, "rv64imafdc_zicbom_zicntr_zicsr_zifencei_zba_zbb_xtrav");
    assert_int_equal(isa_profile_text(&profile, small, sizeof small),
                     strlen(text));
    assert_string_equal(small, "rv64ima");
}

static void what_is_needed_is_checked(void **unused)
{
    static const struct {
        uint32_t extensions;
        const char *problem;
    } cases[] = {
        {BIT(f), "extension f needs zicsr"},
        {BIT(d) | BIT(zicsr), "extension d needs f"},
        {BIT(zicntr), "extension zicntr needs zicsr"},
    };
    char problem[100];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_profile profile = {cases[i].extensions, 64};
        assert_false(isa_profile_check(&profile, problem, sizeof problem));
        assert_string_equal(problem, cases[i].problem);
    }
    struct isa_profile all = {ISA_ALL_EXTENSIONS, 32};
    assert_true(isa_profile_check(&all, problem, sizeof problem));
}

static void names_of_extensions(void **unused)
{
    assert_string_equal(isa_extension_name(ISA_EXT_m), "m");
    assert_string_equal(isa_extension_name(ISA_EXT_zicntr), "zicntr");
    assert_string_equal(isa_extension_name(ISA_EXT_i), "i");
}

/* ---- rows of extensions ---- */

/* Refused by the decoder, illegal for both executors, and the name is right. */
static void assert_refused(uint32_t word, const struct isa_profile *profile,
                           enum isa_extension missing)
{
    struct isa_insn insn;
    assert_false(isa_decode(word, profile, &insn));
    assert_int_equal(insn.reads | insn.writes, 0);
    if (isa_missing(word, profile) != missing)
        fail_msg("%#x needs %s, not %s", word, isa_extension_name(missing),
                 isa_extension_name(isa_missing(word, profile)));
    struct both *both = both_start(profile);
    assert_int_equal(both_step(both, word), ISA_STOP_FAULT);
    assert_int_equal(both->step.effect.cause, ISA_CAUSE_ILLEGAL);
    assert_int_equal(both->step.effect.tval,
                     insn.len == 2 ? word & 0xffff : word);
    both_end(both);
}

static void each_row_needs_its_extension(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (int op = OP_illegal + 1; op < OP_ROWS; op++) {
            const struct isa_row *row = &isa_rows[op];
            uint32_t word = word_of_row((enum isa_op)op, 0);
            struct isa_profile all = {ISA_ALL_EXTENSIONS, (uint8_t)xlen};
            struct isa_insn insn;
            if (row->xlen && row->xlen != xlen)
                continue;
            assert_true(isa_decode(word, &all, &insn));
            assert_int_equal(isa_missing(word, &all), ISA_EXT_i);
            if (row->extension == ISA_EXT_i)
                continue;
            struct isa_profile without = all;
            without.extensions &= ~(1u << row->extension);
            assert_refused(word, &without, (enum isa_extension)row->extension);
        }
}

static void the_base_needs_no_extension(void **unused)
{
    static const uint32_t words[] = {0x00000013, 0x0000006f, 0x00000073,
                                     0x30200073, 0x10500073, 0x0000000f};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct isa_profile base = {0, 64};
        struct isa_insn insn;
        assert_true(isa_decode(words[i], &base, &insn));
    }
}

static void compressed_words_need_c_and_what_they_mean(void **unused)
{
    enum { C_NOP = 0x0001, C_FLD = 0x2108, C_FLW = 0x6548 };
    struct isa_profile rv32 = {ISA_ALL_EXTENSIONS & ~BIT(c), 32};
    assert_refused(C_NOP, &rv32, ISA_EXT_c);
    assert_refused(C_FLD, &rv32, ISA_EXT_c);
    rv32.extensions = ISA_ALL_EXTENSIONS & ~BIT(d);
    assert_refused(C_FLD, &rv32, ISA_EXT_d);
    rv32.extensions = BIT(c) | BIT(zicsr);
    assert_refused(C_FLW, &rv32, ISA_EXT_f);
    assert_refused(0x0010200f, &rv32, ISA_EXT_zicbom); /* cbo.clean (zero) */
    assert_refused(0x0000, &rv32, ISA_EXT_i);
    rv32.extensions = 0;
    assert_refused(0x0000, &rv32, ISA_EXT_i);
}

static void custom_rows_on_floats_need_f(void **unused)
{
    struct isa_profile profile = {BIT(xtrav) | BIT(zicsr), 64};
    struct isa_insn insn;
    assert_refused(0x0000898b, &profile, ISA_EXT_f);      /* trav.boxisect */
    assert_refused(0x00155e0b, &profile, ISA_EXT_f);      /* trav.traceray */
    assert_true(isa_decode(0x0000018b, &profile, &insn)); /* trav.fchthrd */
}

static void other_xlens_and_reserved_words_lack_nothing(void **unused)
{
    struct isa_profile base = {0, 32};
    assert_refused(0x00003003, &base, ISA_EXT_i); /* ld */
    assert_refused(0x0200003b, &base, ISA_EXT_i); /* mulw */
    assert_refused(0xffffffff, &base, ISA_EXT_i);
    assert_refused(0x02001013, &base, ISA_EXT_i); /* slli by 32 */
    base.extensions = BIT(zicsr);
    assert_refused(0x00005053, &base, ISA_EXT_i); /* reserved rounding */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_that_are_isas),
        cmocka_unit_test(texts_that_are_not),
        cmocka_unit_test(texts_come_back),
        cmocka_unit_test(texts_are_in_the_manuals_order),
        cmocka_unit_test(what_is_needed_is_checked),
        cmocka_unit_test(names_of_extensions),
        cmocka_unit_test(each_row_needs_its_extension),
        cmocka_unit_test(the_base_needs_no_extension),
        cmocka_unit_test(compressed_words_need_c_and_what_they_mean),
        cmocka_unit_test(custom_rows_on_floats_need_f),
        cmocka_unit_test(other_xlens_and_reserved_words_lack_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
