/* Words of instructions that a unit serves, for shapes that no row has yet. */
#include "sim/isa/served.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define NAN_BOX 0xffffffff00000000u

static struct isa_hart new_hart(uint8_t xlen)
{
    struct isa_hart hart = {.xlen = xlen};
    for (unsigned i = 0; i < 32; i++) {
        hart.x[i] = i ? 0x1111111100000000u + i : 0;
        hart.f[i] = NAN_BOX | (0x400 + i);
    }
    return hart;
}

static void a_ray_and_an_address_are_sent(void **unused)
{
    const struct isa_served row = {.sends = {{ISA_GROUP_F, ISA_AT_RS1, 8},
                                             {ISA_GROUP_X, ISA_AT_RS2, 1},
                                             {ISA_GROUP_W, 7, 1}},
                                   .sent = 11};
    const struct isa_insn insn = {.rs1 = 24, .rs2 = 9};
    struct isa_hart hart = new_hart(64);
    uint32_t words[ISA_SERVED_WORDS] = {0};
    uint64_t registers;
    isa_served_send(&row, &hart, &insn, words);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(words[i], 0x400 + 24 + i);
    assert_int_equal(words[8], 9);
    assert_int_equal(words[9], 0x11111111);
    assert_int_equal(words[10], 7);
    assert_int_equal(words[11], 0);
    assert_true(isa_group_registers(row.sends, &insn, &registers));
    assert_int_equal(registers, 0xffull << 56 | 1 << 9 | 1 << 7);
}

static void groups_end_with_the_registers(void **unused)
{
    const struct isa_group eight[] = {{ISA_GROUP_F, ISA_AT_RS1, 8}, {0}};
    uint64_t registers;
    for (uint8_t rs1 = 0; rs1 < 32; rs1++) {
        const struct isa_insn insn = {.rs1 = rs1};
        assert_int_equal(isa_group_registers(eight, &insn, &registers),
                         rs1 <= 24);
    }
}

/* In two messages, of 8 words and of 5. */
static void a_record_is_received_in_parts(void **unused)
{
    const struct isa_served row = {
        .receives = {{ISA_GROUP_F, ISA_AT_RD, 11}, {ISA_GROUP_X, 10, 1}},
        .received = 13};
    struct isa_hart hart = new_hart(64);
    uint32_t words[13];
    for (unsigned i = 0; i < 13; i++)
        words[i] = 0x900 + i;
    isa_served_receive(&row, &hart, 3, words, 0, 8);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(hart.f[i], NAN_BOX | (i >= 3 && i < 11 ? 0x900 + i - 3
                                                                : 0x400 + i));
    assert_int_equal(hart.x[10], 0x111111110000000au);
    isa_served_receive(&row, &hart, 3, words + 8, 8, 5);
    for (unsigned i = 3; i < 14; i++)
        assert_int_equal(hart.f[i], NAN_BOX | (0x900 + i - 3));
    assert_int_equal(hart.f[14], NAN_BOX | 0x40e);
    assert_int_equal(hart.x[10], 0x90c0000090bull);
}

static void integers_are_kept_as_the_width_asks(void **unused)
{
    const struct isa_served row = {.receives = {{ISA_GROUP_W, ISA_AT_RD, 1}},
                                   .received = 1};
    const struct isa_served wide = {.receives = {{ISA_GROUP_X, ISA_AT_RD, 1}},
                                    .received = 2};
    const uint32_t words[2] = {0x80000001, 0x12};
    struct isa_hart narrow = new_hart(32), hart = new_hart(64);
    isa_served_receive(&row, &hart, 5, words, 0, 1);
    assert_int_equal(hart.x[5], 0x80000001);
    isa_served_receive(&wide, &hart, 5, words, 0, 2);
    assert_int_equal(hart.x[5], 0x1280000001);
    isa_served_receive(&row, &narrow, 5, words, 0, 1);
    assert_int_equal(narrow.x[5], 0xffffffff80000001u);
    isa_served_receive(&wide, &narrow, 5, words, 0, 2);
    assert_int_equal(narrow.x[5], 0xffffffff80000001u);
    isa_served_receive(&row, &hart, 0, words, 0, 1);
    assert_int_equal(hart.x[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_and_an_address_are_sent),
        cmocka_unit_test(groups_end_with_the_registers),
        cmocka_unit_test(a_record_is_received_in_parts),
        cmocka_unit_test(integers_are_kept_as_the_width_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
