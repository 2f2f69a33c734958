/*
 * The interface of isa_execute: how accesses, fences, hints and cache-block
 * operations are handed over, and how an access is undone.
 */
#include "sim/isa/tests/alone.h"

static void accesses_are_described(void **unused)
{
    static const struct {
        enum isa_op op;
        enum isa_access access;
        unsigned size;
        uint64_t address, value;
    } cases[] = {
        {OP_lh, ISA_LOAD, 2, 0x2005, 0},
        {OP_fld, ISA_LOAD, 8, 0x2005, 0},
        {OP_lr_w, ISA_LR, 4, 0x2000, 0xf5f6f7f8},
        {OP_sc_d, ISA_SC, 8, 0x2000, 0xf1f2f3f4f5f6f7f8},
        {OP_amoor_w, ISA_AMOOR, 4, 0x2000, 0xf5f6f7f8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_hart hart = new_hart(64);
        struct isa_effect effect;
        hart.x[1] = 0x2000;
        hart.x[2] = 0xf1f2f3f4f5f6f7f8;
        assert_int_equal(execute(&hart, word_of_row(cases[i].op, 5), &effect),
                         ISA_ACCESS);
        assert_int_equal(effect.access, cases[i].access);
        assert_int_equal(effect.size, cases[i].size);
        assert_int_equal(effect.address, cases[i].address);
        if (effect.access != ISA_LR)
            assert_int_equal(effect.value, cases[i].value);
        assert_int_equal(hart.pc, 0x1004);
    }
}

/* The parts of access.h against isa_execute. */
static void check_parts(unsigned xlen, enum isa_op op)
{
    struct isa_hart hart = new_hart(xlen), whole;
    struct isa_effect effect = {0};
    struct isa_insn insn;
    hart.x[1] = xlen == 32 ? MIN32 : MIN64;
    hart.x[2] = xlen == 32 ? 0xfffffffff5f6f7f8 : 0xf1f2f3f4f5f6f7f8;
    hart.f[2] = 0xe1e2e3e4e5e6e7e8;
    isa_decode(word_of_row(op, 5), profile_of(xlen), &insn);
    whole = hart;
    bool access = isa_execute(&whole, &insn, &effect) == ISA_ACCESS &&
                  effect.access <= ISA_STORE;
    const struct isa_access_form *form = &isa_access_forms[insn.op];
    assert_int_equal(isa_access_allowed(form, isa_fp_enabled(&hart)), access);
    if (!access)
        return;
    assert_int_equal(form->bytes, effect.size);
    assert_int_equal(form->store, effect.access == ISA_STORE);
    assert_int_equal(isa_access_address(&hart, &insn), effect.address);
    if (form->store)
        assert_int_equal(isa_access_value(&hart, &insn, form), effect.value);
    assert_ptr_equal(isa_after(&insn), &insn + insn.len / 2);
    isa_accessed(&hart, hart.pc + insn.len, 1);
    assert_memory_equal(&hart, &whole, sizeof hart);
}

static void loads_and_stores_have_parts(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (unsigned op = OP_illegal + 1; op < OP_ROWS; op++)
            if (!isa_rows[op].xlen || isa_rows[op].xlen == xlen)
                check_parts(xlen, op);
}

static void floating_accesses_may_be_off(void **unused)
{
    struct isa_hart hart = new_hart(64);
    hart.mstatus &= ~MSTATUS_FS;
    bool floats = isa_fp_enabled(&hart);
    assert_true(isa_access_allowed(&isa_access_forms[OP_lw], floats));
    assert_false(isa_access_allowed(&isa_access_forms[OP_flw], floats));
    assert_false(isa_access_allowed(&isa_access_forms[OP_fsd], floats));
}

static void fences_are_outcomes_of_their_own(void **unused)
{
    struct isa_hart hart = new_hart(64);
    struct isa_effect effect;
    assert_int_equal(execute(&hart, 0x0ff0000f, &effect), ISA_FENCE);
    assert_int_equal(execute(&hart, 0x8330000f, &effect), ISA_FENCE);
    assert_int_equal(execute(&hart, 0x0000100f, &effect), ISA_FENCE_I);
    assert_int_equal(hart.pc, 0x100c);
}

static void a_refused_access_is_undone(void **unused)
{
    struct isa_hart hart = new_hart(64), before = hart;
    struct isa_effect effect;
    struct isa_insn insn;
    isa_decode(0x4108, profile_of(64), &insn); /* c.lw a0,0(a0) */
    assert_int_equal(isa_execute(&hart, &insn, &effect), ISA_ACCESS);
    isa_access_failed(&hart, &insn);
    assert_memory_equal(&hart, &before, sizeof hart);
}

static void atomics_compute_what_memory_will_hold(void **unused)
{
    assert_int_equal(isa_amo(ISA_AMOADD, 4, 0xffffffff, 2), 1);
    assert_int_equal(isa_amo(ISA_AMOADD, 8, ONES, 2), 1);
    assert_int_equal(isa_amo(ISA_AMOSWAP, 4, 5, 0x1ffffffff), 0xffffffff);
    assert_int_equal(isa_amo(ISA_AMOXOR, 8, 6, 3), 5);
    assert_int_equal(isa_amo(ISA_AMOAND, 8, 6, 3), 2);
    assert_int_equal(isa_amo(ISA_AMOOR, 8, 6, 3), 7);
    assert_int_equal(isa_amo(ISA_AMOMIN, 4, 0x80000000, 1), 0x80000000);
    assert_int_equal(isa_amo(ISA_AMOMAX, 4, 0x80000000, 1), 1);
    assert_int_equal(isa_amo(ISA_AMOMINU, 4, 0x80000000, 1), 1);
    assert_int_equal(isa_amo(ISA_AMOMAXU, 4, 0x80000000, 1), 0x80000000);
    assert_int_equal(isa_amo(ISA_AMOMIN, 8, MIN64, 1), MIN64);
    assert_int_equal(isa_amo(ISA_AMOMAXU, 8, MIN64, 1), MIN64);
}

static void hints_do_nothing(void **unused)
{
    static const uint32_t hints[] = {
        0x0005,     /* c.nop 1 */
        0x0501,     /* c.addi a0,0 */
        0x4005,     /* c.li zero,1 */
        0x6005,     /* c.lui zero,1 */
        0x8006,     /* c.mv zero,ra */
        0x9006,     /* c.add zero,ra */
        0x900a,     /* c.ntl.p1 */
        0x00500033, /* ntl.all */
        0x0006,     /* c.slli zero,1 */
        0x0502,     /* c.slli64 a0 */
        0x0100000f, /* pause */
        0x00002013, /* slti zero,zero,0 */
        0xfff0000f, /* fence, reserved mode */
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        struct isa_hart hart = new_hart(64), before = hart;
        struct isa_effect effect;
        enum isa_outcome outcome = execute(&hart, hints[i], &effect);
        assert_true(outcome == ISA_DONE || outcome == ISA_FENCE ||
                    outcome == ISA_HINT);
        assert_memory_equal(hart.x, before.x, sizeof hart.x);
    }
}

static void hints_about_locality_are_told(void **unused)
{
    static const struct {
        uint32_t word;
        unsigned hint;
    } words[] = {
        {0x00200033, ISA_NTL_P1}, {0x00300033, ISA_NTL_PALL},
        {0x00400033, ISA_NTL_S1}, {0x00500033, ISA_NTL_ALL},
        {0x900a, ISA_NTL_P1},     {0x900e, ISA_NTL_PALL},
        {0x9012, ISA_NTL_S1},     {0x9016, ISA_NTL_ALL},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct isa_hart hart = new_hart(64);
        struct isa_effect effect;
        struct isa_insn insn;
        isa_decode(words[i].word, profile_of(64), &insn);
        assert_int_equal(insn.rs2, words[i].hint);
        assert_int_equal(isa_execute(&hart, &insn, &effect), ISA_HINT);
        assert_int_equal(hart.instret, 1);
    }
}

static void blocks_are_told(void **unused)
{
    for (unsigned kind = ISA_BLOCK_INVAL; kind <= ISA_BLOCK_FLUSH; kind++) {
        struct isa_hart hart = new_hart(64);
        struct isa_effect effect;
        hart.x[10] = 0x12345;
        uint32_t word = 0x0005200f | kind << 20; /* (a0) */
        assert_int_equal(execute(&hart, word, &effect), ISA_BLOCK);
        assert_int_equal(effect.address, 0x12345);
        assert_int_equal(effect.access, kind);
        assert_int_equal(hart.instret, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_are_described),
        cmocka_unit_test(loads_and_stores_have_parts),
        cmocka_unit_test(floating_accesses_may_be_off),
        cmocka_unit_test(fences_are_outcomes_of_their_own),
        cmocka_unit_test(a_refused_access_is_undone),
        cmocka_unit_test(atomics_compute_what_memory_will_hold),
        cmocka_unit_test(hints_do_nothing),
        cmocka_unit_test(hints_about_locality_are_told),
        cmocka_unit_test(blocks_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
