/*
 * run<XLEN>(): one function that holds the meaning of every row behind a label
 * of its own, for the XLEN defined where this is included (functional.c, once
 * for each). It is as long as the instruction set; to add to it, add a row.
 *
 * State: entry (called insn where rows are expanded) points into page; left
 * counts the instructions still allowed, the current one taken off.
 */

/* Jumping through a table of labels is an extension of GNU C. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

#define PC (page->address + 2 * (uint64_t)(insn - page->entries))

/* The op of an entry is the index of its label, rows and markers alike. */
#define EXECUTE goto *labels[insn->op]
#define NEXT                                                                   \
    do {                                                                       \
        if (!left)                                                             \
            goto limit_reached;                                                \
        left--;                                                                \
        EXECUTE;                                                               \
    } while (0)
#define ADVANCE                                                                \
    do {                                                                       \
        insn += insn->len / 2;                                                 \
        NEXT;                                                                  \
    } while (0)
/* To pc, which may lie in another page. */
#define GO                                                                     \
    do {                                                                       \
        if (pc >> PAGE_BITS != page->address >> PAGE_BITS)                     \
            goto jump;                                                         \
        insn = &page->entries[pc % (1 << PAGE_BITS) / 2];                      \
        NEXT;                                                                  \
    } while (0)
#define BAD_JUMP FAULT(ISA_CAUSE_FETCH_MISALIGNED, pc)
#define STOP(outcome)                                                          \
    do {                                                                       \
        stop = (outcome) == ISA_ECALL ? ISA_STOP_ECALL : ISA_STOP_EBREAK;      \
        goto stopped;                                                          \
    } while (0)
#define FAULT(cause, tval)                                                     \
    do {                                                                       \
        stop = fault(hart, effect, PC, cause, tval);                           \
        goto stopped;                                                          \
    } while (0)
#define ILLEGAL FAULT(ISA_CAUSE_ILLEGAL, insn->raw)
#define LEAVE(outcome) goto PASTE(leave_, outcome)

/* As COUNT, without the current instruction, which left has taken off already.
 */
#define COUNT_BEFORE                                                           \
    do {                                                                       \
        left++;                                                                \
        COUNT;                                                                 \
        left--;                                                                \
    } while (0)

#define LOAD_AT(type)                                                          \
    uint64_t address = UNSIGNED(X1 + IMM);                                     \
    const uint8_t *at = load_at(memory, XLEN, address, sizeof(type));          \
    if (!at)                                                                   \
    FAULT(ISA_CAUSE_LOAD_FAULT,                                                \
          refused_at(memory, XLEN, address, sizeof(type), false))
#define STORE_AT(type)                                                         \
    uint64_t address = UNSIGNED(X1 + IMM);                                     \
    uint8_t *at = store_at(memory, hart, XLEN, address, sizeof(type));         \
    if (!at)                                                                   \
    FAULT(ISA_CAUSE_STORE_FAULT,                                               \
          refused_at(memory, XLEN, address, sizeof(type), true))
#define AMO_BODY(type, access)                                                 \
    uint64_t address = UNSIGNED(X1), value = X2;                               \
    bool is_load = (access) == ISA_LR;                                         \
    if (address % sizeof(type))                                                \
        FAULT(is_load ? ISA_CAUSE_LOAD_MISALIGNED                              \
                      : ISA_CAUSE_STORE_MISALIGNED,                            \
              address);                                                        \
    if (!atomic_access(hart, memory, access, address, sizeof(type), &value))   \
        FAULT(is_load ? ISA_CAUSE_LOAD_FAULT : ISA_CAUSE_STORE_FAULT,          \
              address);                                                        \
    RD((type)value)
/* There are no caches here. */
#define BLOCK_BODY                                                             \
    uint64_t address = UNSIGNED(X1);                                           \
    if (!load_at(memory, XLEN, address, 1))                                    \
    FAULT(ISA_CAUSE_STORE_FAULT, address)

static enum isa_stop PASTE(run, XLEN)(struct isa_hart *hart,
                                      struct isa_code *code,
                                      struct isa_memory *memory, uint64_t limit,
                                      struct isa_effect *effect,
                                      struct isa_insn *unit)
{
    enum { OFFSET = XLEN == 32 ? OP_ROWS : 0 };
    static const void *const labels[ENTRY_COUNT] = {
#define RV(id, ...) [OFFSET + OP_##id] = &&L_##id,
#include "sim/isa/rv.def"
#define XTRAV(id, ...) [OFFSET + OP_custom_##id] = &&L_custom_##id,
#include "sdk/isa/xtrav.def"
#undef XTRAV
        [ENTRY_EMPTY] = &&empty,
        [ENTRY_ILLEGAL] = &&illegal,
        [ENTRY_PAGE_END] = &&page_end,
    };
    uint64_t left = limit, counted = limit, pc = hart->pc;
    uint64_t missing = 0; /* address that an instruction could not be read at */
    struct isa_insn *insn = NULL;
    struct page *page = NULL;
    enum isa_stop stop;

#include "sim/isa/functional_exits.h"
#define RV_AMO(id, name, match, mask, operands, ext, type, access)             \
    BODY(id, operands, HAS_##ext, AMO_BODY(type, access))
#define RV_CBO(id, name, match, mask, operands, ext, kind)                     \
    BODY(id, operands, HAS_##ext, BLOCK_BODY)
#include "sim/isa/threaded_rows.h"
}
#pragma GCC diagnostic pop
