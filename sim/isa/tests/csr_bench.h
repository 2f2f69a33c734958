/*
 * For tests of CSRs and traps: their numbers, and single instructions that read
 * and write them, in both executors.
 */
#ifndef SIM_ISA_TESTS_CSR_BENCH_H
#define SIM_ISA_TESTS_CSR_BENCH_H

#include "sim/isa/csr.h"
#include "sim/isa/tests/both.h"

#define ONES UINT64_MAX
#define BASE_EXTENSIONS (1u << ISA_EXT_zicsr)

enum {
    FFLAGS = 0x001,
    FRM = 0x002,
    FCSR = 0x003,
    MSTATUS = 0x300,
    MISA = 0x301,
    MIE = 0x304,
    MTVEC = 0x305,
    MSTATUSH = 0x310,
    MSCRATCH = 0x340,
    MEPC = 0x341,
    MCAUSE = 0x342,
    MTVAL = 0x343,
    MIP = 0x344,
    PMPCFG0 = 0x3a0,
    PMPADDR0 = 0x3b0,
    TSELECT = 0x7a0,
    TDATA1 = 0x7a1,
    TINFO = 0x7a4,
    MCYCLE = 0xb00,
    MINSTRET = 0xb02,
    MCYCLEH = 0xb80,
    MINSTRETH = 0xb82,
    CYCLE = 0xc00,
    TIME = 0xc01,
    INSTRET = 0xc02,
    CYCLEH = 0xc80,
    TIMEH = 0xc81,
    INSTRETH = 0xc82,
    MHARTID = 0xf14,
};

enum { CSRRW = 1, CSRRS, CSRRC, CSRRWI = 5, CSRRSI, CSRRCI };
enum { NOP = 0x13, MRET = 0x30200073, ECALL = 0x73 };

static inline struct both *start(uint32_t extensions, unsigned xlen)
{
    struct isa_profile profile = {extensions, (uint8_t)xlen};
    return both_start(&profile);
}

static inline uint32_t csr_word(unsigned funct3, unsigned csr, unsigned rd,
                                unsigned rs1)
{
    return csr << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x73;
}

/* Next steps are at the start again: tests may make many. */
static inline enum isa_stop step(struct both *both, uint32_t word)
{
    both->step.hart.pc = BOTH_CODE;
    return both_step(both, word);
}

static inline bool can_read(struct both *both, unsigned csr)
{
    return step(both, csr_word(CSRRS, csr, 3, 0)) == ISA_STOP_LIMIT;
}

static inline uint64_t read_csr(struct both *both, unsigned csr)
{
    assert_true(can_read(both, csr));
    return both->step.hart.x[3];
}

static inline bool can_write(struct both *both, unsigned csr, uint64_t value)
{
    both->step.hart.x[1] = value;
    return step(both, csr_word(CSRRW, csr, 0, 1)) == ISA_STOP_LIMIT;
}

static inline void write_csr(struct both *both, unsigned csr, uint64_t value)
{
    assert_true(can_write(both, csr, value));
}

#endif
