/*
 * One step per row, step<XLEN>_<id>, for the XLEN that is defined where this is
 * included (execute.c, once for each). All a step may do besides its meaning
 * is advance pc and instret: it is the inner loop of every simulation.
 */
#define PASTE3(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE3(a, b, c)
#define NAME(id) PASTE(step, XLEN, _##id)

#define ADVANCE(target, outcome)                                               \
    do {                                                                       \
        hart->pc = UNSIGNED(target);                                           \
        hart->instret++;                                                       \
        return outcome;                                                        \
    } while (0)
#define LEAVE(outcome) ADVANCE(PC + LEN, outcome)
/* Without compressed instructions jumps go to multiples of 4 only. */
#define CHECK_JUMP(to)                                                         \
    if ((to)&hart->misaligned)                                                 \
    return fault(effect, ISA_CAUSE_FETCH_MISALIGNED, UNSIGNED(to))
#define JUMP(target)                                                           \
    do {                                                                       \
        uint64_t jump_to = (target);                                           \
        CHECK_JUMP(jump_to);                                                   \
        ADVANCE(jump_to, ISA_DONE);                                            \
    } while (0)
#define CALL(target)                                                           \
    do {                                                                       \
        uint64_t jump_to = (target);                                           \
        CHECK_JUMP(jump_to);                                                   \
        RD(PC + LEN);                                                          \
        ADVANCE(jump_to, ISA_DONE);                                            \
    } while (0)
#define STOP(outcome) return (outcome)
#define ILLEGAL return fault(effect, ISA_CAUSE_ILLEGAL, insn->raw)

/* strchr of a literal folds away: only rows with a rounding mode look at it. */
#define STEP(id, operands, has, ...)                                           \
    static enum isa_outcome NAME(id)(struct isa_hart * hart,                   \
                                     const struct isa_insn *insn,              \
                                     struct isa_effect *effect)                \
    {                                                                          \
        BEGIN_ROW(operands, has);                                              \
        __VA_ARGS__;                                                           \
        LEAVE(ISA_DONE);                                                       \
    }

/* The address half of loads, stores and atomics. */
#define ACCESS(kind, type, operand)                                            \
    effect->address = UNSIGNED(X1 + IMM);                                      \
    effect->access = kind;                                                     \
    effect->size = sizeof(type);                                               \
    effect->value = operand;                                                   \
    LEAVE(ISA_ACCESS)

#define ATOMIC_ACCESS(kind, type)                                              \
    if (X1 % sizeof(type))                                                     \
        return fault(effect, misaligned_cause(kind), UNSIGNED(X1));            \
    ACCESS(kind, type, (u##type)X2)

#define BLOCK(kind)                                                            \
    effect->address = UNSIGNED(X1);                                            \
    effect->access = kind;                                                     \
    LEAVE(ISA_BLOCK)

#define RV(id, name, match, mask, operands, cls, ext, ...)                     \
    STEP(id, operands, HAS_##ext, __VA_ARGS__)
#define RV_LOAD(id, name, match, mask, operands, ext, type)                    \
    STEP(id, operands, HAS_##ext, ACCESS(ISA_LOAD, type, 0))
#define RV_FLOAD RV_LOAD
#define RV_STORE(id, name, match, mask, operands, ext, type)                   \
    STEP(id, operands, HAS_##ext, ACCESS(ISA_STORE, type, (type)X2))
#define RV_FSTORE(id, name, match, mask, operands, ext, type)                  \
    STEP(id, operands, HAS_##ext, ACCESS(ISA_STORE, type, (type)F2))
#define RV_AMO(id, name, match, mask, operands, ext, type, kind)               \
    STEP(id, operands, HAS_##ext, ATOMIC_ACCESS(kind, type))
#define RV_CBO(id, name, match, mask, operands, ext, kind)                     \
    STEP(id, operands, HAS_##ext, BLOCK(kind))
#include "sim/isa/rv.def"

#define XTRAV(id, name, match, mask, operands, shape, meaning)                 \
    STEP(custom_##id, operands, HAS_##shape, CUSTOM_##shape(id))
#include "sdk/isa/xtrav.def"
#undef XTRAV

#undef PASTE3
#undef PASTE
#undef NAME
#undef ADVANCE
#undef LEAVE
#undef CHECK_JUMP
#undef JUMP
#undef CALL
#undef STOP
#undef ILLEGAL
#undef STEP
#undef ACCESS
#undef ATOMIC_ACCESS
#undef BLOCK
