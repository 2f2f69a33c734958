/*
 * What loads, stores, atomics and cache-block operations ask of the memory,
 * what becomes of its answers, and how they fault, on both XLENs.
 */
#include "sim/isa/tests/rows_bench.h"

static void loads_extend_and_box(void **unused)
{
    static const struct {
        enum isa_op op;
        uint64_t result;
    } cases[] = {
        {OP_lb, 0xfffffffffffffff8},  {OP_lbu, 0xf8},
        {OP_lh, 0xfffffffffffff7f8},  {OP_lhu, 0xf7f8},
        {OP_lw, 0xfffffffff5f6f7f8},  {OP_lwu, 0xf5f6f7f8},
        {OP_ld, 0xf1f2f3f4f5f6f7f8},  {OP_flw, BOX(0xf5f6f7f8)},
        {OP_fld, 0xf1f2f3f4f5f6f7f8},
    };
    static const uint64_t stored = 0xf1f2f3f4f5f6f7f8;
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (!has_row(xlen, cases[i].op))
                continue;
            struct both *both = start(xlen);
            both->step.hart.x[1] = BOTH_DATA + 3; /* misaligned, offset -2 */
            memcpy(both->step.bytes + BOTH_DATA + 1, &stored, sizeof stored);
            assert_int_equal(execute(both, word_of_row(cases[i].op, 0xffe)),
                             ISA_STOP_LIMIT);
            bool floating = cases[i].op == OP_flw || cases[i].op == OP_fld;
            assert_int_equal(floating ? both->step.hart.f[3]
                                      : both->step.hart.x[3],
                             cases[i].result);
            both_end(both);
        }
}

static void stores_write_their_bytes_only(void **unused)
{
    static const struct {
        enum isa_op op;
        uint64_t memory; /* that held 0x1111111111111111 */
    } cases[] = {
        {OP_sb, 0x11111111111111f8},  {OP_sh, 0x111111111111f7f8},
        {OP_sw, 0x11111111f5f6f7f8},  {OP_sd, 0xf1f2f3f4f5f6f7f8},
        {OP_fsw, 0x11111111e5e6e7e8}, {OP_fsd, 0xe1e2e3e4e5e6e7e8},
    };
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (!has_row(xlen, cases[i].op))
                continue;
            struct both *both = start(xlen);
            uint64_t memory;
            both->step.hart.x[1] = BOTH_DATA + 2;
            both->step.hart.x[2] = reg(xlen, 0xf1f2f3f4f5f6f7f8);
            both->step.hart.f[2] = 0xe1e2e3e4e5e6e7e8;
            memset(both->step.bytes + BOTH_DATA, 0x11, 16);
            uint32_t word = isa_rows[cases[i].op].match | 1u << 15 | 2u << 20 |
                            0x7fu << 25 | 0x1fu << 7; /* offset -1 */
            assert_int_equal(execute(both, word), ISA_STOP_LIMIT);
            memcpy(&memory, both->step.bytes + BOTH_DATA + 1, sizeof memory);
            assert_int_equal(memory, cases[i].memory);
            assert_int_equal(both->step.bytes[BOTH_DATA], 0x11);
            both_end(both);
        }
}

/* Old words of memory are sign-extended; the register's upper half is not
 * looked at. */
static void atomics(void **unused)
{
    static const struct {
        enum isa_op op;
        uint64_t old, operand, memory;
    } cases[] = {
        {OP_amoswap_w, 0x80000000, 0x7fffffff, 0x7fffffff},
        {OP_amoadd_w, 0xffffffff, 2, 1},
        {OP_amoxor_w, 0xff00ff00, ONES, 0x00ff00ff},
        {OP_amoand_w, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
        {OP_amoor_w, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
        {OP_amomin_w, 0x80000000, 1, 0x80000000},
        {OP_amomin_w, 1, MIN32, 0x80000000},
        {OP_amomax_w, 0x80000000, 1, 1},
        {OP_amominu_w, 0x80000000, 1, 1},
        {OP_amomaxu_w, 0x80000000, 1, 0x80000000},
        {OP_amomaxu_w, 1, ONES, 0xffffffff},
        {OP_amoswap_d, ONES, 5, 5},
        {OP_amoadd_d, ONES, 2, 1},
        {OP_amoxor_d, MIN64, ONES, INT64_MAX},
        {OP_amoand_d, MIN64 | 7, MIN64 | 8, MIN64},
        {OP_amoor_d, MIN64, 1, MIN64 | 1},
        {OP_amomin_d, MIN64, 1, MIN64},
        {OP_amomax_d, MIN64, 1, 1},
        {OP_amominu_d, MIN64, 1, 1},
        {OP_amomaxu_d, MIN64, 1, MIN64},
        {OP_lr_w, 0x80000000, 0, 0x80000000},
        {OP_lr_d, MIN64, 0, MIN64},
    };
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            enum isa_op op = cases[i].op;
            if (!has_row(xlen, op))
                continue;
            struct both *both = start(xlen);
            bool word = !isa_rows[op].xlen;
            uint64_t memory = cases[i].old;
            both->step.hart.x[1] = BOTH_DATA;
            both->step.hart.x[2] = cases[i].operand;
            memcpy(both->step.bytes + BOTH_DATA, &memory, sizeof memory);
            if (execute(both, word_of_row(op, 0)) != ISA_STOP_LIMIT)
                fail_msg("%s stops", isa_rows[op].name);
            memcpy(&memory, both->step.bytes + BOTH_DATA, sizeof memory);
            if (memory != cases[i].memory)
                fail_msg("rv%u %s leaves %#llx", xlen, isa_rows[op].name,
                         (unsigned long long)memory);
            assert_int_equal(both->step.hart.x[3],
                             word ? reg(32, cases[i].old) : cases[i].old);
            both_end(both);
        }
}

static void sc_needs_lr(void **unused)
{
    static const enum isa_op pairs[][2] = {{OP_lr_w, OP_sc_w},
                                           {OP_lr_d, OP_sc_d}};
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < 2 && has_row(xlen, pairs[i][0]); i++) {
            struct both *both = start(xlen);
            struct isa_hart *hart = &both->step.hart;
            hart->x[1] = BOTH_DATA;
            hart->x[2] = 77;
            execute(both, word_of_row(pairs[i][1], 0));
            assert_int_equal(hart->x[3], 1);
            assert_int_equal(both->step.bytes[BOTH_DATA], 0);
            execute(both, word_of_row(pairs[i][0], 0));
            execute(both, word_of_row(pairs[i][1], 0));
            assert_int_equal(hart->x[3], 0);
            assert_int_equal(both->step.bytes[BOTH_DATA], 77);
            hart->x[2] = 78; /* an sc ends the reservation */
            execute(both, word_of_row(pairs[i][1], 0));
            assert_int_equal(hart->x[3], 1);
            assert_int_equal(both->step.bytes[BOTH_DATA], 77);
            both_end(both);
        }
}

static void misaligned_atomics_fault(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (int op = OP_illegal + 1; op < OP_ROWS; op++) {
            const struct isa_row *row = &isa_rows[op];
            if (row->cls != ISA_CLASS_amo || !has_row(xlen, (enum isa_op)op))
                continue;
            struct both *both = start(xlen);
            bool word = !row->xlen, lr = op == OP_lr_w || op == OP_lr_d;
            both->step.hart.x[1] = BOTH_DATA + (word ? 2 : 4);
            assert_int_equal(execute(both, word_of_row((enum isa_op)op, 0)),
                             ISA_STOP_FAULT);
            assert_int_equal(both->step.effect.cause,
                             lr ? ISA_CAUSE_LOAD_MISALIGNED
                                : ISA_CAUSE_STORE_MISALIGNED);
            assert_int_equal(both->step.effect.tval, both->step.hart.x[1]);
            assert_int_equal(both->step.hart.pc, BOTH_CODE);
            both_end(both);
        }
}

static void blocks_are_managed_where_memory_is(void **unused)
{
    static const enum isa_op ops[] = {OP_cbo_inval, OP_cbo_clean, OP_cbo_flush};
    static const struct {
        uint64_t address;
        bool there;
    } cases[] = {{BOTH_DATA, true},      {BOTH_DATA + 37, true},
                 {BOTH_END - 1, true},   {BOTH_END, false},
                 {BOTH_CODE - 1, false}, {ONES, false}};
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < 3 * sizeof cases / sizeof *cases; i++) {
            struct both *both = start(xlen);
            uint64_t address = cases[i / 3].address;
            bool there = cases[i / 3].there;
            both->step.hart.x[1] = address;
            assert_int_equal(execute(both, word_of_row(ops[i % 3], 0)),
                             there ? ISA_STOP_LIMIT : ISA_STOP_FAULT);
            assert_int_equal(both->step.hart.pc, BOTH_CODE + (there ? 4 : 0));
            assert_int_equal(both->step.hart.instret, there);
            if (!there) {
                assert_int_equal(both->step.effect.cause,
                                 ISA_CAUSE_STORE_FAULT);
                assert_int_equal(both->step.effect.tval,
                                 xlen == 32 ? (uint32_t)address : address);
            }
            both_end(both);
        }
}

static void no_row_is_without_a_test(void **unused)
{
    assert_all_tested(MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_extend_and_box),
        cmocka_unit_test(stores_write_their_bytes_only),
        cmocka_unit_test(atomics),
        cmocka_unit_test(sc_needs_lr),
        cmocka_unit_test(misaligned_atomics_fault),
        cmocka_unit_test(blocks_are_managed_where_memory_is),
        cmocka_unit_test(no_row_is_without_a_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
