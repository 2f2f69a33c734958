/*
 * local<XLEN>(): as functional_loop.h, for what isa_run_local may execute and
 * for the XLEN defined where this is included (local.c, once for each). All
 * that a row does not do here, it leaves to isa_execute: goto stopped, before
 * anything has changed.
 *
 * State: insn points into the text, pc is its address where rows jump; left
 * counts the instructions still allowed, with the current one.
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
#define PC (local->start + 2 * (uint64_t)(insn - local->text))

#define EXECUTE                                                                \
    do {                                                                       \
        if (!(classes >> insn->cls & 1) ||                                     \
            pending & (insn->reads | insn->writes))                            \
            goto stopped;                                                      \
        goto *labels[insn->op];                                                \
    } while (0)
#define COUNT_CLASS of_class[insn->cls]++
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
        if (pc - local->start >= local->bytes)                                 \
            goto left_text;                                                    \
        insn = &local->text[(pc - local->start) / 2];                          \
        if (!left)                                                             \
            goto stopped;                                                      \
        EXECUTE;                                                               \
    } while (0)
/* Without compressed instructions jumps go to multiples of 4 only. */
#define CHECK_JUMP                                                             \
    if (__builtin_expect((pc & hart->misaligned) != 0, 0))                     \
    goto stopped
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
#define STOP(outcome) goto stopped
#define ILLEGAL goto stopped
#define LEAVE(outcome) goto stopped

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
    COUNT;                                                                     \
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

/* Scratch memory is the last bytes of the address space. */
#define SCRATCH_AT(type)                                                       \
    uint64_t depth = UNSIGNED(0 - (X1 + IMM));                                 \
    if (depth > local->scratch_bytes || depth < sizeof(type))                  \
        goto stopped;                                                          \
    uint8_t *at = local->scratch + (local->scratch_bytes - depth);             \
    local->accesses++;                                                         \
    local->accessed = at
#define LOAD_BODY(type, write)                                                 \
    SCRATCH_AT(type);                                                          \
    type value;                                                                \
    memcpy(&value, at, sizeof value);                                          \
    write
#define STORE_BODY(type, operand)                                              \
    SCRATCH_AT(type);                                                          \
    type value = (type)(operand);                                              \
    memcpy(at, &value, sizeof value)

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
    uint64_t *const of_class = local->of_class;
    uint64_t left = limit, counted = limit, pc;
    const struct isa_insn *const end = &local->text[local->bytes / 2];
    EXECUTE;

stopped: /* before the current instruction */
    pc = UNSIGNED(PC);
left_text:
    hart->pc = pc;
    COUNT;
    return limit - left;

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
#define RV_AMO(id, ...) L_##id : goto stopped;
#define RV_CBO(id, ...) L_##id : goto stopped;
#include "sim/isa/rv.def"
#define XTRAV(id, name, match, mask, operands, shape, meaning)                 \
    BODY(custom_##id, operands, HAS_##shape, CUSTOM_##shape(id))
#include "sdk/isa/xtrav.def"
#undef XTRAV
}

#undef PASTE2
#undef PASTE
#undef EXECUTE
#undef COUNT_CLASS
#undef ADVANCE
#undef GO
#undef CHECK_JUMP
#undef JUMP
#undef CALL
#undef STOP
#undef ILLEGAL
#undef LEAVE
#undef COUNT
#undef BODY
#undef SCRATCH_AT
#undef LOAD_BODY
#undef STORE_BODY
#pragma pop_macro("CSR")
#pragma pop_macro("PC")
#pragma GCC diagnostic pop
