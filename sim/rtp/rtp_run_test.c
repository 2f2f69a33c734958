/* Threads without timing, and instructions as text. */
#include "sim/rtp/rtp_decode.h"
#include "sim/rtp/rtp_disassemble.h"
#include "sim/rtp/rtp_float.h"
#include "sim/rtp/rtp_run.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define NO_OPERATION 0x34000000u
#define FIN 0xec000000u
#define TRACE 0xe8000000u

static struct rtp_insn code[RTP_CODE_WORDS];
static uint32_t local[RTP_THREADS * RTP_LOCAL_BYTES / 4];
static struct rtp_scene scene;
static const struct rtp_rules rules = {.const_words = 8192};

static struct rtp_run program(const uint32_t *words, unsigned count)
{
    static uint32_t constants[8192] = {[1] = 42};
    for (unsigned i = 0; i < RTP_CODE_WORDS; i++)
        code[i] = rtp_decode(i < count ? words[i] : 0x10000000);
    return (struct rtp_run){.rules = &rules,
                            .tests = &rules,
                            .code = code,
                            .code_words = count,
                            .constants = constants,
                            .scene = &scene,
                            .local = local,
                            .most = 1000};
}

static void a_thread_has_its_pixel_and_stack(void **unused)
{
    const uint32_t words[] = {0xf03d0008, /* s_store_4byte R1,R29,#8 */
                              FIN};
    struct rtp_run r = program(words, 2);
    assert_int_equal(rtp_run_thread(&r, 3, 77), RTP_ENDED);
    assert_int_equal(local[3 * RTP_LOCAL_BYTES / 4 + 2], 77);
    assert_int_equal(r.state.s[RTP_STACK], 0x80030000);
    assert_int_equal(r.executed, 2);
}

static void constants_are_read(void **unused)
{
    const uint32_t words[] = {0x80402000, /* s_write_high R2,R0,#0x2000 */
                              0xb0620004, /* s_load_4byte R3,R2,#4 */
                              FIN};
    struct rtp_run r = program(words, 3);
    assert_int_equal(rtp_run_thread(&r, 0, 0), RTP_ENDED);
    assert_int_equal(r.state.s[3], 42);
}

static void a_ray_hits_from_the_front_only(void **unused)
{
    const uint32_t words[] = {0x80403f80, /* s_write_high R2,R0,#0x3f80 */
                              0x9de20002, /* v_get_from_s RV15,R2,#2 */
                              TRACE, FIN};
    struct rtp_rules both = rules;
    struct rtp_run r = program(words, 4);
    scene.count = 1;
    scene.triangles[0] =
        (struct rtp_triangle){{{-1, -1, 2}, {3, -1, 2}, {-1, 3, 2}}, 9};
    assert_int_equal(rtp_run_thread(&r, 0, 0), RTP_ENDED);
    assert_int_equal(r.state.v[RTP_ORIGIN][3], 0);
    both.two_sided = true;
    r.tests = &both;
    assert_int_equal(rtp_run_thread(&r, 0, 0), RTP_ENDED);
    assert_int_equal(r.state.v[RTP_ORIGIN][3], 9);
    assert_true(rtp_float(r.state.v[RTP_ORIGIN][2]) == 2);
}

static void what_does_not_end_well_is_said(void **unused)
{
    const uint32_t words[] = {NO_OPERATION, 0xd800fff8}; /* jmp to 0 */
    struct rtp_run r = program(words, 2);
    assert_int_equal(rtp_run_thread(&r, 0, 0), RTP_TOO_LONG);
    assert_int_equal(r.executed, 1000);
    const uint32_t illegal[] = {NO_OPERATION, 0x10000000};
    for (unsigned strict = 0; strict < 2; strict++) {
        r = program(illegal, 2);
        r.strict = strict;
        assert_int_equal(rtp_run_thread(&r, 0, 0), RTP_ILLEGAL);
        assert_int_equal(r.state.pc, 4);
        assert_string_equal(r.complaint, "");
    }
    const uint32_t hangs[] = {NO_OPERATION, 0xdc000000}; /* ret R0 */
    r = program(hangs, 2);
    assert_int_equal(rtp_run_thread(&r, 0, 0), RTP_STUCK);
    assert_int_equal(r.state.pc, 4);
}

/* Behind the program are zeros, which are instructions, and the pc wraps. */
static void a_thread_that_leaves_the_program_is_stopped(void **unused)
{
    static const struct {
        uint32_t words[2], pc;
    } rows[] = {
        {{NO_OPERATION, NO_OPERATION}, 8},
        {{NO_OPERATION, 0xd8000000}, 8},          /* jmp behind itself */
        {{NO_OPERATION, 0xd8001000}, 0x1008},     /* far */
        {{NO_OPERATION, 0xd800fff4}, 0xfffffffc}, /* before the program */
        {{0x80403456, 0xdc020000}, 0x34560000},   /* ret R2 */
        {{0x80400001, 0xdc020000}, 0x10000},      /* 0, if it wrapped */
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rtp_run r = program(rows[i].words, 2);
        assert_int_equal(rtp_run_thread(&r, 0, 0), RTP_ILLEGAL);
        assert_int_equal(r.state.pc, rows[i].pc);
        assert_string_equal(
            r.complaint, "the program, of 2 instructions, is left without fin");
    }
}

/* jmp to 6, that is to 4, as the hardware takes no notice of the low bits. */
static void strict_threads_go_to_whole_words_only(void **unused)
{
    const uint32_t words[] = {0xd8000002, FIN};
    struct rtp_run r = program(words, 2);
    assert_int_equal(rtp_run_thread(&r, 0, 0), RTP_ENDED);
    r = program(words, 2);
    r.strict = true;
    assert_int_equal(rtp_run_thread(&r, 0, 0), RTP_ILLEGAL);
    assert_int_equal(r.state.pc, 6);
    assert_string_equal(
        r.complaint,
        "is gone to at address 0x00000006: expected a multiple of 4");
}

static void text_is_that_of_the_assembler(void **unused)
{
    static const struct {
        uint32_t word;
        const char *text;
    } rows[] = {
        {0x60641000, "ii_add R3,R4,R2"},
        {0xfcbb0000, "v_store_16byte RV5,R27,#0"},
        {0xb062fffc, "s_load_4byte R3,R2,#-4"},
        {0x80402000, "s_write_high R2,R0,#0x2000"},
        {0x9de20002, "v_get_from_s RV15,R2,#2"},
        {0xd800fff8, "jmp 0xfc"},
        {FIN, "fin"},
        {0x10000000, ".word 0x10000000"},
    };
    char text[RTP_TEXT];
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        rtp_disassemble(rows[i].word, 0x100, text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_has_its_pixel_and_stack),
        cmocka_unit_test(constants_are_read),
        cmocka_unit_test(a_ray_hits_from_the_front_only),
        cmocka_unit_test(what_does_not_end_well_is_said),
        cmocka_unit_test(a_thread_that_leaves_the_program_is_stopped),
        cmocka_unit_test(strict_threads_go_to_whole_words_only),
        cmocka_unit_test(text_is_that_of_the_assembler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
