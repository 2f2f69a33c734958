/*
 * Traps, and jumps that fault, in both executors.
 */
#include "sim/isa/tests/csr_bench.h"

/* ---- traps ---- */

static bool trap(struct both *both, uint64_t cause, uint64_t tval)
{
    both_copy(both);
    bool taken = isa_trap(&both->step.hart, cause, tval);
    assert_int_equal(isa_trap(&both->loop.hart, cause, tval), taken);
    both_compare(both, ISA_STOP_LIMIT, 0);
    return taken;
}

static void traps_enter_and_leave_the_handler(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct both *both = start(ISA_ALL_EXTENSIONS, xlen);
        assert_false(trap(both, ISA_CAUSE_ECALL_M, 0)); /* no handler */
        write_csr(both, MTVEC, 0x2000);
        write_csr(both, MSTATUS, 8);
        assert_int_equal(step(both, ECALL), ISA_STOP_ECALL);
        assert_int_equal(both->step.hart.pc, BOTH_CODE);
        assert_int_equal(both->step.hart.instret, 2);
        assert_true(trap(both, ISA_CAUSE_LOAD_FAULT, 0x1234));
        assert_int_equal(both->step.hart.pc, 0x2000);
        assert_int_equal(read_csr(both, MCAUSE), ISA_CAUSE_LOAD_FAULT);
        assert_int_equal(read_csr(both, MTVAL), 0x1234);
        assert_int_equal(read_csr(both, MEPC), BOTH_CODE);
        assert_int_equal(read_csr(both, MSTATUS) & 0x1888, 0x1880);
        write_csr(both, MEPC, 0x1100);
        assert_int_equal(step(both, MRET), ISA_STOP_LIMIT);
        assert_int_equal(both->step.hart.pc, 0x1100);
        assert_int_equal(read_csr(both, MSTATUS) & 0x1888, 0x1888);
        both_end(both);
    }
}

/* A trap in the handler loses MIE; mret always sets MPIE. */
static void traps_in_the_handler(void **unused)
{
    struct both *both = start(ISA_ALL_EXTENSIONS, 64);
    write_csr(both, MTVEC, 0x2000);
    write_csr(both, MSTATUS, 8);
    trap(both, 2, 0);
    trap(both, 2, 0);
    assert_int_equal(read_csr(both, MSTATUS) & 0x88, 0);
    step(both, MRET);
    assert_int_equal(read_csr(both, MSTATUS) & 0x88, 0x80);
    both_end(both);
}

static void exceptions_go_to_the_base_of_vectors(void **unused)
{
    struct both *both = start(ISA_ALL_EXTENSIONS, 64);
    write_csr(both, MTVEC, 0x2001);
    trap(both, ISA_CAUSE_ECALL_M, 0);
    assert_int_equal(both->step.hart.pc, 0x2000);
    both_end(both);
}

static void handlers_of_rv32_may_lie_in_the_upper_half(void **unused)
{
    struct both *both = start(ISA_ALL_EXTENSIONS, 32);
    write_csr(both, MTVEC, 0xffffffff80000100);
    write_csr(both, MEPC, 0xffffffff80000000);
    assert_int_equal(step(both, MRET), ISA_STOP_LIMIT);
    assert_int_equal(both->step.hart.pc, 0x80000000);
    trap(both, 2, 0);
    assert_int_equal(both->step.hart.pc, 0x80000100);
    assert_int_equal(read_csr(both, MEPC), 0xffffffff80000000);
    both_end(both);
}

/* ---- jumps without compressed instructions ---- */

enum {
    JAL_6 = 0x006001ef,     /* jal gp,.+6 */
    JALR = 0x000081e7,      /* jalr gp,0(ra) */
    JALR_SELF = 0x000080e7, /* jalr ra,0(ra) */
    BEQ_6 = 0x00000363,     /* beq zero,zero,.+6 */
    BNE_6 = 0x00001363,     /* bne zero,zero,.+6 */
    BEQ_8 = 0x00000463,
};

static void assert_misaligned(struct both *both, uint32_t word, uint64_t target)
{
    struct isa_hart before = both->step.hart;
    before.pc = BOTH_CODE;
    assert_int_equal(step(both, word), ISA_STOP_FAULT);
    assert_int_equal(both->step.effect.cause, ISA_CAUSE_FETCH_MISALIGNED);
    assert_int_equal(both->step.effect.tval, target);
    assert_int_equal(both->step.hart.pc, BOTH_CODE);
    assert_memory_equal(both->step.hart.x, before.x, sizeof before.x);
    assert_int_equal(both->step.hart.instret, before.instret);
}

static void misaligned_jumps_fault_at_the_jump(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct both *both =
            start(ISA_ALL_EXTENSIONS & ~(1u << ISA_EXT_c), xlen);
        both->step.hart.x[1] = 0x2002;
        assert_misaligned(both, JAL_6, BOTH_CODE + 6);
        assert_misaligned(both, JALR, 0x2002);
        assert_misaligned(both, JALR_SELF, 0x2002);
        assert_misaligned(both, BEQ_6, BOTH_CODE + 6);
        assert_int_equal(step(both, BNE_6), ISA_STOP_LIMIT); /* not taken */
        assert_int_equal(step(both, BEQ_8), ISA_STOP_LIMIT);
        assert_int_equal(both->step.hart.pc, BOTH_CODE + 8);
        both->step.hart.x[1] = 0x2001; /* bit 0 is ignored */
        assert_int_equal(step(both, JALR), ISA_STOP_LIMIT);
        assert_int_equal(both->step.hart.pc, 0x2000);
        assert_int_equal(both->step.hart.x[3], BOTH_CODE + 4);
        both_end(both);
    }
}

static void misaligned_targets_of_rv32_have_32_bits(void **unused)
{
    struct both *both = start(ISA_ALL_EXTENSIONS & ~(1u << ISA_EXT_c), 32);
    both->step.hart.x[1] = 0xffffffff80000002;
    assert_misaligned(both, JALR, 0x80000002);
    both_end(both);
}

static void mepc_without_c_is_a_multiple_of_4(void **unused)
{
    struct both *both = start(ISA_ALL_EXTENSIONS & ~(1u << ISA_EXT_c), 64);
    write_csr(both, MEPC, 0x2003);
    assert_int_equal(read_csr(both, MEPC), 0x2000);
    assert_int_equal(step(both, MRET), ISA_STOP_LIMIT);
    assert_int_equal(both->step.hart.pc, 0x2000);
    both_end(both);
}

static void with_c_jumps_go_to_halfwords(void **unused)
{
    struct both *both = start(ISA_ALL_EXTENSIONS, 64);
    assert_int_equal(step(both, JAL_6), ISA_STOP_LIMIT);
    assert_int_equal(both->step.hart.pc, BOTH_CODE + 6);
    assert_int_equal(step(both, BEQ_6), ISA_STOP_LIMIT);
    assert_int_equal(both->step.hart.pc, BOTH_CODE + 6);
    both->step.hart.x[1] = 0x2002;
    assert_int_equal(step(both, JALR), ISA_STOP_LIMIT);
    assert_int_equal(both->step.hart.pc, 0x2002);
    both_end(both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traps_enter_and_leave_the_handler),
        cmocka_unit_test(traps_in_the_handler),
        cmocka_unit_test(exceptions_go_to_the_base_of_vectors),
        cmocka_unit_test(handlers_of_rv32_may_lie_in_the_upper_half),
        cmocka_unit_test(misaligned_jumps_fault_at_the_jump),
        cmocka_unit_test(misaligned_targets_of_rv32_have_32_bits),
        cmocka_unit_test(mepc_without_c_is_a_multiple_of_4),
        cmocka_unit_test(with_c_jumps_go_to_halfwords),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
