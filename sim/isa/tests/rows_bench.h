/*
 * For tests of what rows compute: instructions executed by both executors, on
 * either XLEN, and a record of the rows that were. The rows are divided among
 * test programs by part_of; the last test of each tells rows of its part that
 * no other test has executed. Custom instructions have their tests in
 * isa_test.c.
 */
#ifndef SIM_ISA_TESTS_ROWS_BENCH_H
#define SIM_ISA_TESTS_ROWS_BENCH_H

#include "sim/isa/csr.h"
#include "sim/isa/tests/both.h"

#include <stdio.h>

#define ONES UINT64_MAX
#define MIN64 0x8000000000000000u
#define MIN32 0xffffffff80000000u
#define BOX(v) (0xffffffff00000000u | (v))

/* Ops that a test has executed. */
static bool tested[2 * OP_ROWS];

static inline struct both *start(unsigned xlen)
{
    struct isa_profile profile = {ISA_ALL_EXTENSIONS, (uint8_t)xlen};
    return both_start(&profile);
}

static inline enum isa_stop execute(struct both *both, uint32_t word)
{
    struct isa_profile profile = {both->step.hart.extensions,
                                  both->step.hart.xlen};
    struct isa_insn insn;
    isa_decode(word, &profile, &insn);
    tested[insn.op] = true;
    return both_step(both, word);
}

static inline bool has_row(unsigned xlen, enum isa_op op)
{
    return !isa_rows[op].xlen || isa_rows[op].xlen == xlen;
}

/* As registers of this XLEN are kept. */
static inline uint64_t reg(unsigned xlen, uint64_t value)
{
    return xlen == 64 ? value : (uint64_t)(int64_t)(int32_t)value;
}

/* ---- which program tests a row ---- */

enum part {
    INTEGERS, /* rows_integer_test.c */
    CONTROL,  /* rows_control_test.c: jumps, branches, system, CSRs */
    MEMORY,   /* rows_memory_test.c */
    FLOATS,   /* rows_float_test.c */
};

/* Every row has a part: what is not named here is floating point. */
static inline enum part part_of(const struct isa_row *row)
{
    switch (row->cls) {
    case ISA_CLASS_imul:
    case ISA_CLASS_idiv:
        return INTEGERS;
    case ISA_CLASS_alu: /* lui, auipc and CSR instructions apart */
        return strpbrk(row->operands, "uE") ? CONTROL : INTEGERS;
    case ISA_CLASS_branch:
    case ISA_CLASS_jump:
    case ISA_CLASS_fence:
    case ISA_CLASS_system:
        return CONTROL;
    case ISA_CLASS_load:
    case ISA_CLASS_store:
    case ISA_CLASS_amo:
        return MEMORY;
    default:
        return FLOATS;
    }
}

/* Fails for a row of the part that no test of this program has executed. */
static inline void assert_all_tested(enum part part)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (int op = OP_illegal + 1; op < OP_ROWS; op++) {
            const struct isa_row *row = &isa_rows[op];
            bool here = has_row(xlen, (enum isa_op)op) &&
                        row->extension != ISA_EXT_xtrav && part_of(row) == part;
            if (here && !tested[op + (xlen == 32 ? OP_ROWS : 0)])
                fail_msg("rv%u: no test executes %s (match %#x)", xlen,
                         row->name, row->match);
        }
}

#endif
