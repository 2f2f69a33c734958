/* isa_execute_lanes: the loops of lanes_loop.h for both XLENs, by a table. */
#include "sim/isa/lanes.h"
#include "sim/isa/custom.h"
#include "sim/isa/rows.h"

/* The lane does not execute the instruction. */
static inline void fault(struct isa_lanes *l, unsigned lane, uint32_t cause,
                         uint64_t tval)
{
    l->faulted |= 1ull << lane;
    l->cause = cause;
    l->at[lane] = tval;
}

/* sc and the other atomics count as stores, lr as a load. */
static inline uint32_t misaligned_cause(enum isa_access access)
{
    return access == ISA_LR ? ISA_CAUSE_LOAD_MISALIGNED
                            : ISA_CAUSE_STORE_MISALIGNED;
}

/* How many of the low bits are set without a gap: lanes lie side by side. */
static inline unsigned run_of(uint64_t mask)
{
    return ~mask ? (unsigned)__builtin_ctzll(~mask) : 64;
}

static enum isa_outcome lanes_illegal(struct isa_lanes *l,
                                      const struct isa_insn *insn)
{
    for (uint64_t m = l->mask; m; m &= m - 1)
        fault(l, (unsigned)__builtin_ctzll(m), ISA_CAUSE_ILLEGAL, insn->raw);
    return ISA_DONE;
}

#undef PC
#undef CSR
#undef BRANCH

#define XLEN 64
#include "sim/isa/lanes_loop.h"
#undef XLEN
#define XLEN 32
#include "sim/isa/lanes_loop.h"
#undef XLEN

typedef enum isa_outcome loop(struct isa_lanes *, const struct isa_insn *);

static loop *const loops[2 * OP_ROWS] = {
    [OP_illegal] = lanes_illegal,
    [OP_ROWS + OP_illegal] = lanes_illegal,
#define RV(id, ...)                                                            \
    [OP_##id] = lanes64_##id, [OP_ROWS + OP_##id] = lanes32_##id,
#include "sim/isa/rv.def"
#define XTRAV(id, ...)                                                         \
    [OP_custom_##id] = lanes64_custom_##id,                                    \
    [OP_ROWS + OP_custom_##id] = lanes32_custom_##id,
#include "sdk/isa/xtrav.def"
#undef XTRAV
};

enum isa_outcome isa_execute_lanes(struct isa_lanes *l,
                                   const struct isa_insn *insn)
{
    l->jumped = l->faulted = 0;
    return loops[insn->op](l, insn);
}
