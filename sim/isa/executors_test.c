/*
 * isa_execute, isa_run and isa_run_local leave the same behind: every row on
 * random operands, weighted to extremes, and straight programs of random rows,
 * whose counters the loop of isa_run keeps for itself.
 */
#include "sim/isa/local.h"
#include "sim/isa/tests/draws.h"

enum { PER_ROW = 60, PROGRAMS = 400, LENGTH = 64, SCRATCH = 128 };

static void random_hart(struct both *both)
{
    struct isa_hart *hart = &both->step.hart;
    random_registers(hart);
    hart->mepc = BOTH_CODE + 4 * random_below(64);
    hart->mtvec = 0;
    hart->instret = random_bits();
    hart->cycle = random_bits();
    hart->pc = BOTH_CODE + 4 * random_below(256);
    if (!hart->misaligned && one_in(2))
        hart->pc += 2;
    for (unsigned i = 0; i < 256; i++)
        both->step.bytes[BOTH_DATA + i] = (uint8_t)random_bits();
}

static void compare_rows(uint32_t extensions, unsigned xlen)
{
    struct isa_profile profile = {extensions, (uint8_t)xlen};
    struct both *both = both_start(&profile);
    for (int op = OP_illegal; op < OP_ROWS; op++)
        for (unsigned i = 0; i < PER_ROW && has_row(xlen, (enum isa_op)op);
             i++) {
            random_hart(both);
            if (both_step(both, random_word((enum isa_op)op)) == ISA_STOP_UNIT)
                assert_memory_equal(&both->step.unit, &both->loop.unit,
                                    sizeof both->step.unit);
        }
    both_end(both);
}

static void rows_agree(void **unused)
{
    random_state = 1;
    compare_rows(ISA_ALL_EXTENSIONS, 64);
    compare_rows(ISA_ALL_EXTENSIONS, 32);
    compare_rows(ISA_ALL_EXTENSIONS & ~(1u << ISA_EXT_c), 64);
    compare_rows(ISA_ALL_EXTENSIONS & ~(1u << ISA_EXT_c), 32);
}

/* All 2^16, but those of 4 bytes. */
static void compressed_words_agree(void **unused)
{
    random_state = 2;
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct isa_profile profile = {ISA_ALL_EXTENSIONS, (uint8_t)xlen};
        struct both *both = both_start(&profile);
        for (uint32_t word = 0; word < 0x10000; word += 1 + random_below(8)) {
            if ((word & 3) == 3)
                continue;
            random_hart(both);
            both_step(both, word);
        }
        both_end(both);
    }
}

/* A row that goes on with the next instruction, if it goes on. */
static enum isa_op random_row(unsigned xlen)
{
    for (;;) {
        enum isa_op op = (enum isa_op)random_below(OP_ROWS);
        unsigned cls = isa_rows[op].cls;
        if (has_row(xlen, op) && op != OP_illegal && cls != ISA_CLASS_branch &&
            cls != ISA_CLASS_jump && cls != ISA_CLASS_system)
            return op;
    }
}

static void put_program(struct both *both)
{
    unsigned xlen = both->step.hart.xlen;
    both->step.hart.pc = BOTH_CODE;
    for (unsigned i = 0; i < LENGTH; i++) {
        uint32_t word = random_word(random_row(xlen));
        memcpy(both->step.bytes + BOTH_CODE + 4 * i, &word, sizeof word);
    }
    both_copy(both);
    isa_code_flush(both->step.code);
    isa_code_flush(both->loop.code);
}

/* The loop takes limit at once, the other side one after the other. */
static enum isa_stop run_both(struct both *both, unsigned limit)
{
    struct side *a = &both->step, *b = &both->loop;
    struct isa_commit commit;
    enum isa_stop stop = ISA_STOP_LIMIT;
    for (unsigned i = 0; i < limit && stop == ISA_STOP_LIMIT; i++)
        stop = isa_run_logged(&a->hart, a->code, &a->memory, &a->effect,
                              &a->unit, &commit);
    assert_int_equal(
        isa_run(&b->hart, b->code, &b->memory, limit, &b->effect, &b->unit),
        stop);
    both_compare(both, stop, (uint32_t)a->hart.pc);
    return stop;
}

/* After a fault they go on behind the instruction. */
static void programs_agree(void **unused)
{
    random_state = 3;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct isa_profile profile = {ISA_ALL_EXTENSIONS, i % 2 ? 64 : 32};
        struct both *both = both_start(&profile);
        random_hart(both);
        both->step.hart.mstatus |= MSTATUS_FS;
        put_program(both);
        while (both->step.hart.pc < BOTH_CODE + 4 * LENGTH) {
            uint64_t left = BOTH_CODE + 4 * LENGTH - both->step.hart.pc;
            if (run_both(both, (unsigned)left / 4) == ISA_STOP_FAULT) {
                both->step.hart.pc += 4;
                both->loop.hart.pc += 4;
            }
        }
        both_end(both);
    }
}

/* What isa_run_local does, one step at a time. False: it is not local. */
static bool step_local(struct isa_hart *hart, const struct isa_insn *insn,
                       uint8_t *scratch)
{
    struct isa_effect e;
    uint64_t top = hart->xlen == 32 ? 1ull << 32 : 0, value = 0;
    enum isa_outcome outcome = isa_execute(hart, insn, &e);
    if (outcome == ISA_ACCESS && e.access <= ISA_STORE &&
        top - e.address <= SCRATCH && top - e.address >= e.size) {
        uint8_t *at = scratch + SCRATCH - (top - e.address);
        memcpy(e.access == ISA_LOAD ? (void *)&value : at,
               e.access == ISA_LOAD ? at : (void *)&e.value, e.size);
        if (e.access == ISA_LOAD)
            isa_load_done(hart, insn, value);
        outcome = ISA_DONE;
    }
    hart->cycle++;
    return outcome == ISA_DONE;
}

static void step_and_run_locally(struct isa_hart *start,
                                 const struct isa_insn *insn)
{
    struct isa_hart step = *start, loop = *start;
    uint8_t at_step[SCRATCH], at_loop[SCRATCH];
    uint16_t of_class[ISA_READS][ISA_CLASS_COUNT] = {{0}};
    struct isa_local local = {.text = insn,
                              .start = start->pc,
                              .bytes = 2,
                              .classes = UINT32_MAX,
                              .scratch_bytes = SCRATCH,
                              .scratch = at_loop,
                              .of_class = of_class};
    memset(at_step, 0xa5, SCRATCH);
    memset(at_loop, 0xa5, SCRATCH);
    uint64_t count = isa_run_local(&loop, &local, insn, 1);
    assert_int_equal(of_class[isa_reads_of[insn->op]][insn->cls], count);
    if (step_local(&step, insn, at_step)) {
        assert_int_equal(count, 1);
        assert_memory_equal(&step, &loop, sizeof step);
    } else {
        assert_int_equal(count, 0);
        assert_memory_equal(start, &loop, sizeof loop);
    }
    assert_memory_equal(at_step, at_loop, SCRATCH);
}

static void local_rows_agree(void **unused)
{
    random_state = 4;
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct isa_profile profile = {ISA_ALL_EXTENSIONS, (uint8_t)xlen};
        struct both *both = both_start(&profile);
        for (int op = OP_illegal; op < OP_ROWS; op++)
            for (unsigned i = 0; i < PER_ROW && has_row(xlen, (enum isa_op)op);
                 i++) {
                struct isa_insn insn;
                random_hart(both);
                for (unsigned x = 1; x < 32 && i % 2; x++)
                    both->step.hart.x[x] = 0 - (uint64_t)random_below(SCRATCH);
                isa_decode(random_word((enum isa_op)op), &profile, &insn);
                step_and_run_locally(&both->step.hart, &insn);
            }
        both_end(both);
    }
}

/* It stops where it should: registers, classes, the end of the text. */
static void local_runs_end(void **unused)
{
    const struct isa_profile profile = {ISA_ALL_EXTENSIONS, 64};
    const uint32_t words[] = {0x00100093, 0x00200113, 0x02208133, 0x00108193};
    struct isa_insn text[8] = {0};
    uint16_t of_class[ISA_READS][ISA_CLASS_COUNT] = {{0}};
    struct isa_hart hart;
    for (unsigned i = 0; i < 4; i++) /* li x1; li x2; mul x2; addi x3, x1 */
        assert_true(isa_decode(words[i], &profile, &text[2 * i]));
    const struct {
        uint64_t pending, bytes;
        uint32_t without;
        unsigned limit, runs;
    } cases[] = {
        {0, 16, 0, 9, 4},      {0, 16, 0, 3, 3},
        {0, 12, 0, 9, 3},      {1 << 2, 16, 0, 9, 1},
        {1 << 3, 16, 0, 9, 3}, {0, 16, 1u << ISA_CLASS_imul, 9, 2},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_local local = {.text = text,
                                  .start = 64,
                                  .bytes = cases[i].bytes,
                                  .pending = cases[i].pending,
                                  .classes = ~cases[i].without,
                                  .of_class = of_class};
        isa_hart_reset(&hart, &profile, 0, 64);
        uint64_t count = isa_run_local(&hart, &local, text, cases[i].limit);
        assert_int_equal(count, cases[i].runs);
        assert_int_equal(hart.pc, 64 + 4 * count);
        assert_int_equal(hart.instret, count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_agree),
        cmocka_unit_test(compressed_words_agree),
        cmocka_unit_test(programs_agree),
        cmocka_unit_test(local_rows_agree),
        cmocka_unit_test(local_runs_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
