/*
 * run<XLEN>(): one function that holds the meaning of every row behind a label
 * of its own, for the XLEN defined where this is included (functional.c, once
 * for each). It is as long as the instruction set; to add to it, add a row.
 *
 * State: entry (called insn where rows are expanded) points into page; left
 * counts the instructions still allowed, the current one taken off.
 */
#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)

/* Jumping through a table of labels is an extension of GNU C. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

#pragma push_macro("PC")
#pragma push_macro("CSR")
#undef PC
#undef CSR
#define PC (page->address + 2 * (uint64_t)(insn - page->entries))

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
/* Without compressed instructions jumps go to multiples of 4 only. */
#define CHECK_JUMP                                                             \
    if (__builtin_expect((pc & hart->misaligned) != 0, 0))                     \
    FAULT(ISA_CAUSE_FETCH_MISALIGNED, pc)
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

/* Counters are kept in left; whoever looks at them has to be told. */
#define COUNT                                                                  \
    do {                                                                       \
        hart->instret += counted - left;                                       \
        hart->cycle += counted - left;                                         \
        counted = left;                                                        \
    } while (0)
/* A CSR access sees the instructions before it. */
#define CSR(op, operand, writes)                                               \
    uint64_t old;                                                              \
    left++;                                                                    \
    COUNT;                                                                     \
    left--;                                                                    \
    if (!isa_csr(hart, (unsigned)insn->imm, op, operand, writes, &old))        \
        ILLEGAL;                                                               \
    RD(old)

#define BODY(id, operands, has, ...)                                           \
    L_##id:                                                                    \
    {                                                                          \
        unsigned rm =                                                          \
            __builtin_strchr(operands, 'm') ? rounding_mode(hart, insn) : 0;   \
        if (!(has) || rm > FP_RMM)                                             \
            ILLEGAL;                                                           \
        __VA_ARGS__;                                                           \
        ADVANCE;                                                               \
    }

#define LOAD_BODY(type, write)                                                 \
    uint64_t address = UNSIGNED(X1 + IMM);                                     \
    const uint8_t *at = load_at(memory, XLEN, address, sizeof(type));          \
    if (!at)                                                                   \
        FAULT(ISA_CAUSE_LOAD_FAULT, address);                                  \
    type value;                                                                \
    memcpy(&value, at, sizeof value);                                          \
    write
#define STORE_BODY(type, operand)                                              \
    uint64_t address = UNSIGNED(X1 + IMM);                                     \
    uint8_t *at = store_at(memory, hart, XLEN, address, sizeof(type));         \
    if (!at)                                                                   \
        FAULT(ISA_CAUSE_STORE_FAULT, address);                                 \
    type value = (type)(operand);                                              \
    memcpy(at, &value, sizeof value)
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

jump: /* to pc, in a page that is not the current one */
    if (!in_memory(memory, pc, 2)) {
        COUNT;
        hart->pc = pc;
        return left ? fault(hart, effect, pc, ISA_CAUSE_FETCH_FAULT, pc)
                    : ISA_STOP_LIMIT;
    }
    page = find_page(code, pc);
    insn = &page->entries[pc % (1 << PAGE_BITS) / 2];
    NEXT;

page_end:
    left++;
    pc = PC;
    goto jump;

empty:
    if (decode_entry(memory, &code->profile, PC, insn, &missing))
        EXECUTE;
    FAULT(ISA_CAUSE_FETCH_FAULT, missing);

illegal:
    ILLEGAL;

limit_reached:
    COUNT;
    hart->pc = PC;
    return ISA_STOP_LIMIT;

stopped: /* before the current instruction */
    left++;
    COUNT;
    hart->pc = PC;
    return stop;

leave_ISA_FENCE:
leave_ISA_HINT:
    ADVANCE;

leave_ISA_FENCE_I:
    pc = UNSIGNED(PC + LEN);
    isa_code_flush(code);
    goto jump;

leave_ISA_UNIT:
    COUNT;
    *unit = *insn;
    hart->pc = UNSIGNED(PC + LEN);
    return ISA_STOP_UNIT;

#define RV(id, name, match, mask, operands, cls, ext, ...)                     \
    BODY(id, operands, HAS_##ext, __VA_ARGS__)
#define RV_LOAD(id, name, match, mask, operands, ext, type)                    \
    BODY(id, operands, HAS_##ext, LOAD_BODY(type, RD((int64_t)value)))
#define RV_FLOAD(id, name, match, mask, operands, ext, type)                   \
    BODY(                                                                      \
        id, operands, HAS_##ext,                                               \
        LOAD_BODY(type, FD(sizeof value == 4 ? box((uint32_t)value) : value)))
#define RV_STORE(id, name, match, mask, operands, ext, type)                   \
    BODY(id, operands, HAS_##ext, STORE_BODY(type, X2))
#define RV_FSTORE(id, name, match, mask, operands, ext, type)                  \
    BODY(id, operands, HAS_##ext, STORE_BODY(type, F2))
#define RV_AMO(id, name, match, mask, operands, ext, type, access)             \
    BODY(id, operands, HAS_##ext, AMO_BODY(type, access))
#define RV_CBO(id, name, match, mask, operands, ext, kind)                     \
    BODY(id, operands, HAS_##ext, BLOCK_BODY)
#include "sim/isa/rv.def"
#define XTRAV(id, name, match, mask, operands, shape, meaning)                 \
    BODY(custom_##id, operands, HAS_##shape, CUSTOM_##shape(id))
#include "sdk/isa/xtrav.def"
#undef XTRAV
}

#undef PASTE2
#undef PASTE
#undef EXECUTE
#undef NEXT
#undef ADVANCE
#undef JUMP
#undef STOP
#undef FAULT
#undef ILLEGAL
#undef LEAVE
#undef COUNT
#undef BODY
#undef LOAD_BODY
#undef STORE_BODY
#undef AMO_BODY
#undef BLOCK_BODY
#pragma pop_macro("CSR")
#pragma pop_macro("PC")
#pragma GCC diagnostic pop
