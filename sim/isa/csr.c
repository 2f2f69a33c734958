/*
 * One switch reads, one writes. A field that the machine does not have reads
 * as its only legal value and ignores writes, as the privileged manual allows.
 */
#include "sim/isa/csr.h"

enum csr_number {
    FFLAGS = 0x001,
    FRM = 0x002,
    FCSR = 0x003,
    MSTATUS = 0x300,
    MISA = 0x301,
    MIE = 0x304,
    MTVEC = 0x305,
    MSCRATCH = 0x340,
    MEPC = 0x341,
    MCAUSE = 0x342,
    MTVAL = 0x343,
    MIP = 0x344,
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
    MVENDORID = 0xf11,
    MARCHID = 0xf12,
    MIMPID = 0xf13,
    MHARTID = 0xf14,
    MCONFIGPTR = 0xf15,
};

static uint64_t misa(const struct isa_hart *hart)
{
    static const uint8_t letters[] = {ISA_EXT_m, ISA_EXT_a, ISA_EXT_f,
                                      ISA_EXT_d, ISA_EXT_c};
    uint64_t value = 1 << ('I' - 'A');
    for (size_t i = 0; i < sizeof letters; i++)
        if (isa_has(hart->extensions, letters[i]))
            value |= 1ull << (*isa_extension_name(letters[i]) - 'a');
    return value | (hart->xlen == 64 ? 2ull << 62 : 1ull << 30);
}

static uint64_t mstatus(const struct isa_hart *hart)
{
    uint64_t value = hart->mstatus ^ MSTATUS_RESET;
    uint64_t dirty = 1ull << (hart->xlen - 1);
    return value & MSTATUS_FS ? value | dirty : value;
}

/* Floating-point state is either off or dirty. */
static void write_mstatus(struct isa_hart *hart, uint64_t value)
{
    uint64_t kept = (value & (MSTATUS_MIE | MSTATUS_MPIE)) | MSTATUS_MPP;
    if (value & MSTATUS_FS)
        kept |= MSTATUS_FS;
    hart->mstatus = kept ^ MSTATUS_RESET;
}

static bool is_floating(unsigned number)
{
    return number >= FFLAGS && number <= FCSR;
}

static bool is_counter(unsigned number)
{
    return (number >= CYCLE && number <= INSTRET) ||
           (number >= CYCLEH && number <= INSTRETH);
}

enum isa_extension isa_csr_missing(unsigned number,
                                   const struct isa_profile *profile)
{
    enum isa_extension needed = is_floating(number)  ? ISA_EXT_f
                                : is_counter(number) ? ISA_EXT_zicntr
                                                     : ISA_EXT_i;
    bool there = needed == ISA_EXT_i || isa_has(profile->extensions, needed);
    return there ? ISA_EXT_i : needed;
}

static bool read_high_half(const struct isa_hart *hart, unsigned number,
                           uint64_t *value)
{
    switch (number) {
    case CYCLEH:
    case TIMEH:
    case MCYCLEH:
        *value = hart->cycle >> 32;
        return hart->xlen == 32;
    case INSTRETH:
    case MINSTRETH:
        *value = hart->instret >> 32;
        return hart->xlen == 32;
    default:
        return false;
    }
}

/* clang-format off */
static bool read_csr(const struct isa_hart *hart, unsigned number, uint64_t *value)
{
    switch (number) {
    case FFLAGS: *value = hart->fflags; break;
    case FRM: *value = hart->frm; break;
    case FCSR: *value = (uint64_t)hart->frm << 5 | hart->fflags; break;
    case MSTATUS: *value = mstatus(hart); break;
    case MISA: *value = misa(hart); break;
    case MIE: *value = hart->mie; break;
    case MTVEC: *value = hart->mtvec; break;
    case MSCRATCH: *value = hart->mscratch; break;
    case MEPC: *value = hart->mepc; break;
    case MCAUSE: *value = hart->mcause; break;
    case MTVAL: *value = hart->mtval; break;
    case MIP: *value = hart->mip; break;
    case CYCLE: case TIME: case MCYCLE: *value = hart->cycle; break;
    case INSTRET: case MINSTRET: *value = hart->instret; break;
    case MVENDORID: case MARCHID: case MIMPID: case MCONFIGPTR: *value = 0; break;
    case MHARTID: *value = hart->id; break;
    default: return read_high_half(hart, number, value);
    }
    return !is_floating(number) || isa_fp_enabled(hart);
}

static void write_csr(struct isa_hart *hart, unsigned number, uint64_t value)
{
    enum { INTERRUPTS = 0x888 }; /* machine software, timer, external */
    switch (number) {
    case FFLAGS: hart->fflags = value & 0x1f; break;
    case FRM: hart->frm = value & 7; break;
    case FCSR: hart->fflags = value & 0x1f; hart->frm = value >> 5 & 7; break;
    case MSTATUS: write_mstatus(hart, value); break;
    case MIE: hart->mie = value & INTERRUPTS; break;
    case MTVEC: hart->mtvec = value & ~2ull; break;
    case MSCRATCH: hart->mscratch = value; break;
    case MEPC: hart->mepc = value & ~(1ull | hart->misaligned); break;
    case MCAUSE: hart->mcause = value; break;
    case MTVAL: hart->mtval = value; break;
    default: break; /* misa, mip, counters: writes change nothing */
    }
}
/* clang-format on */

bool isa_csr(struct isa_hart *hart, unsigned number, enum isa_csr_op op,
             uint64_t operand, bool writes, uint64_t *old)
{
    struct isa_profile profile = {hart->extensions, hart->xlen};
    bool read_only = number >> 10 == 3;
    if (isa_csr_missing(number, &profile) != ISA_EXT_i)
        return false;
    if ((writes && read_only) || !read_csr(hart, number, old))
        return false;
    if (!writes)
        return true;
    uint64_t value = op == CSR_WRITE ? operand
                     : op == CSR_SET ? *old | operand
                                     : *old & ~operand;
    write_csr(hart, number, value);
    return true;
}

uint64_t isa_mret(struct isa_hart *hart)
{
    uint64_t status = mstatus(hart) & ~MSTATUS_MIE;
    if (status & MSTATUS_MPIE)
        status |= MSTATUS_MIE;
    write_mstatus(hart, status | MSTATUS_MPIE);
    return hart->mepc;
}

bool isa_trap(struct isa_hart *hart, uint64_t cause, uint64_t tval)
{
    if (!hart->mtvec)
        return false;
    uint64_t status = mstatus(hart) & ~MSTATUS_MPIE;
    if (status & MSTATUS_MIE)
        status |= MSTATUS_MPIE;
    write_mstatus(hart, status & ~MSTATUS_MIE);
    hart->mepc = hart->pc;
    hart->mcause = cause;
    hart->mtval = tval;
    hart->pc = hart->mtvec & ~3ull;
    if (hart->xlen == 32)
        hart->pc = (uint32_t)hart->pc;
    return true;
}
