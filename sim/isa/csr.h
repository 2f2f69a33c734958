/*
 * Control and status registers, private to sim/isa. Machine mode only, no
 * interrupts are ever taken. The rows are in csr.def.
 */
#ifndef SIM_ISA_CSR_H
#define SIM_ISA_CSR_H

#include "sim/isa/isa.h"

enum isa_csr_op { CSR_WRITE, CSR_SET, CSR_CLEAR };

#define MSTATUS_MIE 0x0008ull
#define MSTATUS_MPIE 0x0080ull
#define MSTATUS_MPP 0x1800ull
#define MSTATUS_FS 0x6000ull

/*
 * One CSR instruction: *old is what was read; writes tells whether it writes
 * (csrrs and csrrc with x0 do not). False: illegal instruction.
 */
bool isa_csr(struct isa_hart *hart, unsigned number, enum isa_csr_op op,
             uint64_t operand, bool writes, uint64_t *old);

/* The extension that a CSR lacks; ISA_EXT_i: none, or there is no such CSR. */
enum isa_extension isa_csr_missing(unsigned number,
                                   const struct isa_profile *profile);

/* "mstatus", ..., whether this machine has it or not; returns the length. */
int isa_csr_name(unsigned number, char *text, size_t size);

/* Leaves a trap handler; returns where to. */
uint64_t isa_mret(struct isa_hart *hart);

static inline bool isa_fp_enabled(const struct isa_hart *hart)
{
    return hart->mstatus & MSTATUS_FS;
}

#endif
