/*
 * Executes one instruction for many harts that stand at it, the lanes of a
 * warp, in one loop over them. It does to a lane's registers what isa_execute
 * does; but pc, instret and what instructions want from outside the core stay
 * with the caller, who knows them for all lanes at once.
 */
#ifndef SIM_ISA_LANES_H
#define SIM_ISA_LANES_H

#include "sim/isa/isa.h"

#define ISA_LANES 64

struct isa_lanes {
    void *harts;   /* struct isa_hart of lane 0 */
    size_t stride; /* bytes from one to the next */
    uint64_t mask; /* lanes that execute the instruction */
    uint64_t pc;   /* of the instruction */
    /* What they did. */
    uint64_t jumped;  /* lanes that go on at `at`, not behind it */
    uint64_t faulted; /* lanes that did nothing: cause, and mtval in `at` */
    uint32_t cause;
    uint8_t access, size;      /* ISA_ACCESS, ISA_BLOCK: as in isa_effect */
    uint64_t at[ISA_LANES];    /* by lane; ISA_ACCESS, ISA_BLOCK: the address */
    uint64_t value[ISA_LANES]; /* ISA_ACCESS: as in isa_effect */
};

/* Nothing has happened: the lanes have to execute it one by one (isa_execute),
 * as it reads or changes what the caller keeps for them. */
#define ISA_LANES_ALONE ((enum isa_outcome) - 1)

static inline struct isa_hart *isa_lane(const struct isa_lanes *l,
                                        unsigned lane)
{
    return (struct isa_hart *)((char *)l->harts + lane * l->stride);
}

/*
 * What the lanes did that did not fault: ISA_DONE, ISA_ACCESS, ISA_BLOCK,
 * ISA_UNIT, ISA_FENCE, ISA_FENCE_I, ISA_HINT or ISA_LANES_ALONE. The mask is
 * not 0.
 */
enum isa_outcome isa_execute_lanes(struct isa_lanes *l,
                                   const struct isa_insn *insn);

#endif
