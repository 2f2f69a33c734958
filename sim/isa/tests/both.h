/*
 * Two harts that must never differ: one executes by isa_execute, one in the
 * loop of isa_run, each with a memory of its own. A test that goes through
 * both_step() tests both.
 */
#ifndef SIM_ISA_TESTS_BOTH_H
#define SIM_ISA_TESTS_BOTH_H

#include "sim/isa/functional.h"
#include "sim/isa/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BOTH_CODE = 0x1000, BOTH_DATA = 0x3000, BOTH_END = 0x4000 };

/* The word of a row with rd = 3, rs1 = 1, rs2 = 2, rs3 = 4. */
static inline uint32_t word_of_row(enum isa_op op, uint32_t imm)
{
    const struct isa_row *row = &isa_rows[op];
    uint32_t fields = 3u << 7 | 1u << 15 | 2u << 20 | 4u << 27;
    if (strpbrk(row->operands, "jo><"))
        fields = 3u << 7 | 1u << 15 | imm << 20;
    if (strchr(row->operands, 'm'))
        fields |= imm << 12;
    return row->match | (fields & ~row->mask);
}

/* One executor with its hart and memory. */
struct side {
    uint8_t bytes[BOTH_END];
    struct isa_memory memory;
    struct isa_code *code;
    struct isa_hart hart;
    struct isa_effect effect;
    struct isa_insn unit;
};

struct both {
    struct side step, loop;
};

/* Hart 7 at the beginning of the code, all memory 0. */
static inline void side_start(struct side *side,
                              const struct isa_profile *profile)
{
    assert_true(
        isa_memory_init(&side->memory, side->bytes, BOTH_CODE, BOTH_END, 8));
    side->code = isa_code_create(&side->memory, profile);
    assert_non_null(side->code);
    isa_hart_reset(&side->hart, profile, 7, BOTH_CODE);
}

static inline struct both *both_start(const struct isa_profile *profile)
{
    struct both *both = calloc(1, sizeof *both);
    assert_non_null(both);
    side_start(&both->step, profile);
    side_start(&both->loop, profile);
    return both;
}

static inline void both_end(struct both *both)
{
    isa_code_free(both->step.code);
    isa_code_free(both->loop.code);
    isa_memory_free(&both->step.memory);
    isa_memory_free(&both->loop.memory);
    free(both);
}

/* Makes the hart of the loop what the test made of the other. */
static inline void both_copy(struct both *both)
{
    memcpy(&both->loop.hart, &both->step.hart, sizeof both->step.hart);
    memcpy(both->loop.bytes, both->step.bytes, sizeof both->step.bytes);
}

/* Harts and memories must agree bit for bit, and so must the fault if there is
 * one. */
static inline void both_compare(const struct both *both, enum isa_stop stop,
                                uint32_t word)
{
    const struct side *a = &both->step, *b = &both->loop;
    if (memcmp(&a->hart, &b->hart, sizeof a->hart) ||
        memcmp(a->bytes, b->bytes, sizeof a->bytes))
        fail_msg("rv%u %#x: isa_execute and isa_run differ", a->hart.xlen,
                 word);
    if (stop != ISA_STOP_FAULT)
        return;
    assert_int_equal(a->effect.cause, b->effect.cause);
    assert_int_equal(a->effect.tval, b->effect.tval);
}

/* Puts an instruction where the hart is, and forgets what was decoded there. */
static inline void side_put(struct side *side, uint32_t word)
{
    memcpy(side->bytes + side->hart.pc, &word, sizeof word);
    isa_code_flush(side->code);
}

/* Executes word at the pc by both and compares all that they changed. */
static inline enum isa_stop both_step(struct both *both, uint32_t word)
{
    struct side *a = &both->step, *b = &both->loop;
    struct isa_commit commit;
    both_copy(both);
    side_put(a, word);
    side_put(b, word);
    enum isa_stop stop = isa_run_logged(&a->hart, a->code, &a->memory,
                                        &a->effect, &a->unit, &commit);
    assert_int_equal(
        isa_run(&b->hart, b->code, &b->memory, 1, &b->effect, &b->unit), stop);
    both_compare(both, stop, word);
    return stop;
}

#endif
