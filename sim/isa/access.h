/*
 * Loads and stores in a row: what isa_execute does with one, in parts, for a
 * caller that works out many at a time and may leave off before any of them.
 */
#ifndef SIM_ISA_ACCESS_H
#define SIM_ISA_ACCESS_H

#include "sim/isa/csr.h"

/* The access of each isa_insn.op; bytes 0: neither a load nor a store. */
struct isa_access_form {
    uint8_t bytes;
    bool store, floating; /* of or to an f register */
    bool unused;          /* 4 bytes: found by a shift */
};
extern const struct isa_access_form isa_access_forms[];

/* May it be executed? floats: isa_fp_enabled. */
static inline bool isa_access_allowed(const struct isa_access_form *form,
                                      bool floats)
{
    return (form->bytes > 0) & (form->floating <= floats);
}

static inline uint64_t isa_access_address(const struct isa_hart *hart,
                                          const struct isa_insn *insn)
{
    uint64_t address = hart->x[insn->rs1] + (uint64_t)(int64_t)insn->imm;
    return hart->xlen == 32 ? (uint32_t)address : address;
}

/* The value of a store: its low bytes count. */
static inline uint64_t isa_access_value(const struct isa_hart *hart,
                                        const struct isa_insn *insn,
                                        const struct isa_access_form *form)
{
    uint64_t value = (form->floating ? hart->f : hart->x)[insn->rs2];
    return value & (UINT64_MAX >> (64 - 8 * form->bytes));
}

/* The instruction behind it: an entry of the text stands for 2 bytes. */
static inline const struct isa_insn *isa_after(const struct isa_insn *insn)
{
    return (const struct isa_insn *)((const char *)insn +
                                     insn->len * (sizeof *insn / 2));
}

/* `count` instructions have executed; pc: of the next one. */
static inline void isa_accessed(struct isa_hart *hart, uint64_t pc,
                                uint64_t count)
{
    hart->pc = hart->xlen == 32 ? (uint32_t)pc : pc;
    hart->instret += count;
}

#endif
