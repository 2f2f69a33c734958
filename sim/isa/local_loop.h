/*
 * local<XLEN>(): as functional_loop.h, for what isa_run_local may execute and
 * for the XLEN defined where this is included (local.c, once for each). All
 * that a row does not do here, it leaves to isa_execute: goto stopped, before
 * anything has changed.
 *
 * State: insn points into the text, pc is its address where rows jump; left
 * counts the instructions still allowed, with the current one.
 */

/* Jumping through a table of labels is an extension of GNU C. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

#define PC (local->start + 2 * (uint64_t)(insn - local->text))

#define EXECUTE                                                                \
    do {                                                                       \
        if (!(classes >> insn->cls & 1) ||                                     \
            pending & (insn->reads | insn->writes))                            \
            goto stopped;                                                      \
        goto *labels[insn->op];                                                \
    } while (0)
#define COUNT_CLASS (of_class[row_reads][insn->cls]++)
/* An entry stands for 2 bytes. */
#define ADVANCE                                                                \
    do {                                                                       \
        COUNT_CLASS;                                                           \
        left--;                                                                \
        insn = (const struct isa_insn *)((const char *)insn +                  \
                                         insn->len * (sizeof *insn / 2));      \
        if (!left || insn >= end)                                              \
            goto stopped;                                                      \
        EXECUTE;                                                               \
    } while (0)
#define GO                                                                     \
    do {                                                                       \
        COUNT_CLASS;                                                           \
        left--;                                                                \
        if (pc - local->start >= local->bytes) {                               \
            insn = NULL;                                                       \
            goto gone;                                                         \
        }                                                                      \
        insn = &local->text[(pc - local->start) / 2];                          \
        if (!left)                                                             \
            goto stopped;                                                      \
        EXECUTE;                                                               \
    } while (0)
#define BAD_JUMP goto stopped
#define STOP(outcome) goto stopped
#define ILLEGAL goto stopped
#define LEAVE(outcome) goto stopped

/* left counts the current one. */
#define COUNT_BEFORE COUNT

/* Scratch memory is the last bytes of the address space. */
#define SCRATCH_AT(type)                                                       \
    uint64_t depth = UNSIGNED(0 - (X1 + IMM));                                 \
    if (depth > local->scratch_bytes || depth < sizeof(type))                  \
        goto stopped;                                                          \
    local->accesses++;                                                         \
    local->accessed = local->scratch_bytes - depth;                            \
    uint8_t *at = local->scratch + local->accessed
#define LOAD_AT SCRATCH_AT
#define STORE_AT SCRATCH_AT

static uint64_t PASTE(local, XLEN)(struct isa_hart *hart,
                                   struct isa_local *local,
                                   const struct isa_insn *insn, uint64_t limit)
{
    static const void *const labels[2 * OP_ROWS] = {
        [OP_illegal] = &&stopped,
        [OP_ROWS + OP_illegal] = &&stopped,
#define RV(id, ...) [OP_##id] = &&L_##id, [OP_ROWS + OP_##id] = &&L_##id,
#include "sim/isa/rv.def"
#define XTRAV(id, ...)                                                         \
    [OP_custom_##id] = &&L_custom_##id,                                        \
    [OP_ROWS + OP_custom_##id] = &&L_custom_##id,
#include "sdk/isa/xtrav.def"
#undef XTRAV
    };
    const uint64_t pending = local->pending;
    const uint32_t classes = local->classes;
    uint16_t(*const of_class)[ISA_CLASS_COUNT] = local->of_class;
    uint64_t left = limit, counted = limit, pc;
    const struct isa_insn *const end = &local->text[local->bytes / 2];
    EXECUTE;

stopped: /* before the current instruction */
    pc = UNSIGNED(PC);
    insn = insn < end ? insn : NULL;
gone: /* to pc */
    local->next = insn;
    hart->pc = pc;
    COUNT;
    return limit - left;

#define RV_AMO(id, ...) L_##id : goto stopped;
#define RV_CBO(id, ...) L_##id : goto stopped;
#include "sim/isa/threaded_rows.h"
}
#pragma GCC diagnostic pop
