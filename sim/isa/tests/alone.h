/*
 * For tests of decoding and of isa_execute: a hart with all extensions and no
 * memory, which executes words.
 */
#ifndef SIM_ISA_TESTS_ALONE_H
#define SIM_ISA_TESTS_ALONE_H

#include "sim/isa/access.h"
#include "sim/isa/tests/both.h"

#define ONES UINT64_MAX
#define MIN64 0x8000000000000000u
#define MIN32 0xffffffff80000000u

/* Everything. */
static const struct isa_profile *profile_of(unsigned xlen)
{
    static const struct isa_profile profiles[] = {{ISA_ALL_EXTENSIONS, 32},
                                                  {ISA_ALL_EXTENSIONS, 64}};
    return &profiles[xlen == 64];
}

static inline struct isa_hart new_hart(unsigned xlen)
{
    struct isa_hart hart;
    isa_hart_reset(&hart, profile_of(xlen), 7, 0x1000);
    return hart;
}

static inline enum isa_outcome execute(struct isa_hart *hart, uint32_t word,
                                       struct isa_effect *effect)
{
    struct isa_insn insn;
    struct isa_profile profile = {hart->extensions, hart->xlen};
    isa_decode(word, &profile, &insn);
    return isa_execute(hart, &insn, effect);
}

#endif
