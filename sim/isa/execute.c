/*
 * Execution, one instruction at a time: an indirect call through the table of
 * steps. The steps themselves are made by execute.h from the rows.
 */
#include "sim/isa/access.h"
#include "sim/isa/custom.h"
#include "sim/isa/rows.h"

/* pc stays where it is: an exception is taken at its instruction. */
static enum isa_outcome fault(struct isa_effect *effect, uint32_t cause,
                              uint64_t tval)
{
    effect->cause = cause;
    effect->tval = tval;
    return ISA_FAULT;
}

/* sc and the other atomics count as stores, lr as a load. */
static uint32_t misaligned_cause(enum isa_access access)
{
    return access == ISA_LR ? ISA_CAUSE_LOAD_MISALIGNED
                            : ISA_CAUSE_STORE_MISALIGNED;
}

static enum isa_outcome step_illegal(struct isa_hart *hart,
                                     const struct isa_insn *insn,
                                     struct isa_effect *effect)
{
    return fault(effect, ISA_CAUSE_ILLEGAL, insn->raw);
}

#define XLEN 64
#include "sim/isa/execute.h"
#undef XLEN
#define XLEN 32
#include "sim/isa/execute.h"
#undef XLEN

/* One instruction on a hart; effect as isa_execute has it. */
typedef enum isa_outcome step(struct isa_hart *, const struct isa_insn *,
                              struct isa_effect *);

static step *const steps[2 * OP_ROWS] = {
    [OP_illegal] = step_illegal,
    [OP_ROWS + OP_illegal] = step_illegal,
#define RV(id, ...) [OP_##id] = step64_##id, [OP_ROWS + OP_##id] = step32_##id,
#include "sim/isa/rv.def"
#define XTRAV(id, ...)                                                         \
    [OP_custom_##id] = step64_custom_##id,                                     \
    [OP_ROWS + OP_custom_##id] = step32_custom_##id,
#include "sdk/isa/xtrav.def"
#undef XTRAV
};

enum isa_outcome isa_execute(struct isa_hart *hart, const struct isa_insn *insn,
                             struct isa_effect *effect)
{
    return steps[insn->op](hart, insn, effect);
}

const struct isa_load_form isa_load_forms[2 * OP_ROWS] = {
#define FORM(id, ...)                                                          \
    [OP_##id] = {__VA_ARGS__}, [OP_ROWS + OP_##id] = {__VA_ARGS__},
#define SHIFT(type) 64 - 8 * sizeof(type)
#define RV(id, ...)
#define RV_LOAD(id, name, match, mask, operands, ext, type)                    \
    FORM(id, SHIFT(type), (type)-1 > 0, false, false)
#define RV_FLOAD(id, name, match, mask, operands, ext, type)                   \
    FORM(id, SHIFT(type), true, true, sizeof(type) == 4)
#define RV_STORE(...)
#define RV_FSTORE(...)
#define RV_AMO(id, name, match, mask, operands, ext, type, kind)               \
    RV_LOAD(id, name, match, mask, operands, ext, type)
#include "sim/isa/rv.def"
};

const struct isa_access_form isa_access_forms[2 * OP_ROWS] = {
#define RV(id, ...)
#define RV_LOAD(id, name, match, mask, operands, ext, type)                    \
    FORM(id, sizeof(type), false, false)
#define RV_FLOAD(id, name, match, mask, operands, ext, type)                   \
    FORM(id, sizeof(type), false, true)
#define RV_STORE(id, name, match, mask, operands, ext, type)                   \
    FORM(id, sizeof(type), true, false)
#define RV_FSTORE(id, name, match, mask, operands, ext, type)                  \
    FORM(id, sizeof(type), true, true)
#define RV_AMO(...)
#include "sim/isa/rv.def"
};

/* pc and instret go back by one instruction; on RV32 an address has 32 bits. */
void isa_access_failed(struct isa_hart *hart, const struct isa_insn *insn)
{
    hart->pc -= insn->len;
    if (hart->xlen == 32)
        hart->pc = (uint32_t)hart->pc;
    hart->instret--;
}

/* What an atomic stores, from the old value and the operand of rs2. */
static uint64_t combine(enum isa_access access, int64_t old, int64_t operand)
{
    switch (access) {
    case ISA_AMOADD:
        return (uint64_t)old + (uint64_t)operand;
    case ISA_AMOXOR:
        return (uint64_t)(old ^ operand);
    case ISA_AMOAND:
        return (uint64_t)(old & operand);
    case ISA_AMOOR:
        return (uint64_t)(old | operand);
    case ISA_AMOMIN:
        return (uint64_t)(old < operand ? old : operand);
    case ISA_AMOMAX:
        return (uint64_t)(old > operand ? old : operand);
    case ISA_AMOMINU:
        return (uint64_t)old < (uint64_t)operand ? (uint64_t)old
                                                 : (uint64_t)operand;
    case ISA_AMOMAXU:
        return (uint64_t)old > (uint64_t)operand ? (uint64_t)old
                                                 : (uint64_t)operand;
    default:
        return (uint64_t)operand; /* swap */
    }
}

uint64_t isa_amo(enum isa_access access, unsigned size, uint64_t old,
                 uint64_t operand)
{
    if (size == 8)
        return combine(access, (int64_t)old, (int64_t)operand);
    /* Sign extension keeps the order of signed and unsigned values alike. */
    return (uint32_t)combine(access, (int32_t)old, (int32_t)operand);
}
