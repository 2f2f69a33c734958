/*
 * One loop over lanes per row, lanes<XLEN>_<id>, for the XLEN that is defined
 * where this is included (lanes.c, once for each). Lanes that lie side by side
 * are one run, in which the hart's place is advanced and nothing else is
 * computed. The instruction is copied, as what a lane writes could be part of
 * it for all that the compiler knows.
 *
 * A row that leaves the lane's step early says `continue`.
 */
#define PASTE3(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE3(a, b, c)
#define NAME(id) PASTE(lanes, XLEN, _##id)

#define PC pc
#define LANE_FAULT(cause, tval)                                                \
    {                                                                          \
        fault(l, lane, cause, tval);                                           \
        continue;                                                              \
    }
#define ILLEGAL LANE_FAULT(ISA_CAUSE_ILLEGAL, insn->raw)
/* All lanes that the row is legal for leave alike. */
#define LEAVE(how)                                                             \
    {                                                                          \
        left = (how);                                                          \
        continue;                                                              \
    }
#define STOP(outcome) return ISA_LANES_ALONE
#define CSR(...) return ISA_LANES_ALONE
/* Without compressed instructions jumps go to multiples of 4 only. */
#define CHECK_JUMP(to)                                                         \
    if ((to)&hart->misaligned)                                                 \
    LANE_FAULT(ISA_CAUSE_FETCH_MISALIGNED, UNSIGNED(to))
#define JUMP(target)                                                           \
    {                                                                          \
        uint64_t jump_to = (target);                                           \
        CHECK_JUMP(jump_to);                                                   \
        l->at[lane] = UNSIGNED(jump_to);                                       \
        jumped |= 1ull << lane;                                                \
        continue;                                                              \
    }
#define CALL(target)                                                           \
    {                                                                          \
        uint64_t jump_to = (target);                                           \
        CHECK_JUMP(jump_to);                                                   \
        l->at[lane] = UNSIGNED(jump_to);                                       \
        jumped |= 1ull << lane;                                                \
        RD(PC + LEN);                                                          \
        continue;                                                              \
    }
#define BRANCH(condition)                                                      \
    if (condition)                                                             \
    JUMP(PC + IMM)

/* strchr of a literal folds away: only rows with a rounding mode look at it. */
#define STEP(id, operands, has, outcome, ...)                                  \
    static enum isa_outcome NAME(id)(struct isa_lanes * l,                     \
                                     const struct isa_insn *given)             \
    {                                                                          \
        const struct isa_insn copy = *given, *insn = &copy;                    \
        const uint64_t pc = l->pc;                                             \
        const size_t stride = l->stride;                                       \
        uint64_t jumped = 0;                                                   \
        enum isa_outcome left = outcome;                                       \
        (void)pc;                                                              \
        for (uint64_t rest = l->mask; rest;) {                                 \
            unsigned lane = (unsigned)__builtin_ctzll(rest);                   \
            const unsigned end = lane + run_of(rest >> lane);                  \
            struct isa_hart *hart = isa_lane(l, lane);                         \
            rest = end < 64 ? rest & ~0ull << end : 0;                         \
            for (; lane < end;                                                 \
                 lane++, hart = (struct isa_hart *)((char *)hart + stride)) {  \
                BEGIN_ROW(operands, has);                                      \
                __VA_ARGS__;                                                   \
            }                                                                  \
        }                                                                      \
        l->jumped = jumped;                                                    \
        return left;                                                           \
    }

#define ACCESS(kind, type, operand)                                            \
    l->access = kind;                                                          \
    l->size = sizeof(type);                                                    \
    l->at[lane] = UNSIGNED(X1 + IMM);                                          \
    l->value[lane] = operand

#define ATOMIC_ACCESS(kind, type)                                              \
    if (X1 % sizeof(type))                                                     \
        LANE_FAULT(misaligned_cause(kind), UNSIGNED(X1));                      \
    ACCESS(kind, type, (u##type)X2)

#define BLOCK(kind)                                                            \
    l->access = kind;                                                          \
    l->at[lane] = UNSIGNED(X1)

#define RV(id, name, match, mask, operands, cls, ext, ...)                     \
    STEP(id, operands, HAS_##ext, ISA_DONE, __VA_ARGS__)
#define RV_LOAD(id, name, match, mask, operands, ext, type)                    \
    STEP(id, operands, HAS_##ext, ISA_ACCESS, ACCESS(ISA_LOAD, type, 0))
#define RV_FLOAD RV_LOAD
#define RV_STORE(id, name, match, mask, operands, ext, type)                   \
    STEP(id, operands, HAS_##ext, ISA_ACCESS, ACCESS(ISA_STORE, type, (type)X2))
#define RV_FSTORE(id, name, match, mask, operands, ext, type)                  \
    STEP(id, operands, HAS_##ext, ISA_ACCESS, ACCESS(ISA_STORE, type, (type)F2))
#define RV_AMO(id, name, match, mask, operands, ext, type, kind)               \
    STEP(id, operands, HAS_##ext, ISA_ACCESS, ATOMIC_ACCESS(kind, type))
#define RV_CBO(id, name, match, mask, operands, ext, kind)                     \
    STEP(id, operands, HAS_##ext, ISA_BLOCK, BLOCK(kind))
#include "sim/isa/rv.def"

#define XTRAV(id, name, match, mask, operands, shape, meaning)                 \
    STEP(custom_##id, operands, HAS_##shape, ISA_DONE, CUSTOM_##shape(id))
#include "sdk/isa/xtrav.def"
#undef XTRAV

#undef PASTE3
#undef PASTE
#undef NAME
#undef PC
#undef LANE_FAULT
#undef ILLEGAL
#undef LEAVE
#undef STOP
#undef CSR
#undef CHECK_JUMP
#undef JUMP
#undef CALL
#undef BRANCH
#undef STEP
#undef ACCESS
#undef ATOMIC_ACCESS
#undef BLOCK
