/*
 * What the loops of threaded code share (functional_loop.h, local_loop.h). Each
 * row of the table stands behind a label of its own and ends with a jump to the
 * label of the next instruction.
 *
 * A loop keeps left, the instructions still allowed, and counted, what left was
 * when the hart's counters were right. Besides STOP, ILLEGAL and LEAVE it
 * defines
 *   PC              address of insn
 *   ADVANCE, GO     on to the next instruction, to the one at pc
 *   BAD_JUMP        no instruction may lie at pc
 *   COUNT_BEFORE    COUNT, as before the current instruction
 *   LOAD_AT(type), STORE_AT(type)   declare `at`, where the bytes are
 * and includes threaded_rows.h at the end of its function.
 */
#ifndef SIM_ISA_THREADED_H
#define SIM_ISA_THREADED_H

#include "sim/isa/custom.h"
#include "sim/isa/rows.h"

#undef PC
#undef CSR

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)

/* Without compressed instructions jumps go to multiples of 4 only. */
#define CHECK_JUMP                                                             \
    if (__builtin_expect((pc & hart->misaligned) != 0, 0))                     \
    BAD_JUMP
#define JUMP(to)                                                               \
    do {                                                                       \
        pc = UNSIGNED(to);                                                     \
        CHECK_JUMP;                                                            \
        GO;                                                                    \
    } while (0)
#define CALL(to)                                                               \
    do {                                                                       \
        pc = UNSIGNED(to);                                                     \
        CHECK_JUMP;                                                            \
        RD(PC + LEN);                                                          \
        GO;                                                                    \
    } while (0)

/* The loop counts instructions in left only: COUNT books them in the hart's
 * counters, before anything reads these. */
#define COUNT                                                                  \
    do {                                                                       \
        hart->instret += counted - left;                                       \
        hart->cycle += counted - left;                                         \
        counted = left;                                                        \
    } while (0)
/* A CSR access sees the instructions before it. */
#define CSR(op, operand, writes)                                               \
    uint64_t old;                                                              \
    COUNT_BEFORE;                                                              \
    if (!isa_csr(hart, (unsigned)insn->imm, op, operand, writes, &old))        \
        ILLEGAL;                                                               \
    RD(old)

#define BODY(id, operands, has, ...)                                           \
    L_##id:                                                                    \
    {                                                                          \
        const unsigned row_reads = ROW_READS(operands);                        \
        (void)row_reads;                                                       \
        BEGIN_ROW(operands, has);                                              \
        __VA_ARGS__;                                                           \
        ADVANCE;                                                               \
    }
#define LOAD_BODY(type, write)                                                 \
    LOAD_AT(type);                                                             \
    type value;                                                                \
    memcpy(&value, at, sizeof value);                                          \
    write
#define STORE_BODY(type, operand)                                              \
    STORE_AT(type);                                                            \
    type value = (type)(operand);                                              \
    memcpy(at, &value, sizeof value)

#endif
