/*
 * CSRs from the rows of csr.def: a byte for each address says which row it is
 * of, one switch over the rows reads and writes. A field that the machine
 * does not have reads as its only legal value and ignores writes, as the
 * privileged manual allows.
 */
#include "sim/isa/csr.h"

enum {
    CSR_ADDRESSES = 4096,
    FFLAGS_BITS = 0x1f,
    FRM_BITS = 7,
    INTERRUPTS = 0x888, /* machine software, timer, external */
};

enum row {
    ROW_none,
#define CSR_NAMES(...)
#define CSR_ROW(id, ...) ROW_##id,
#include "sim/isa/csr.def"
};

enum where { ANY, RV32, EVEN };

static const struct {
    uint16_t first;
    uint8_t extension; /* enum isa_extension */
    uint8_t where;
} rows[] = {
#define CSR_NAMES(...)
#define CSR_ROW(id, first, count, name, number, extension, where, ...)         \
    [ROW_##id] = {first, ISA_EXT_##extension, where},
#include "sim/isa/csr.def"
};

/* Ranges of elements are an extension of GNU C. */
__extension__ static const uint8_t row_at[CSR_ADDRESSES] = {
#define CSR_NAMES(...)
#define CSR_ROW(id, first, count, ...) [first... first + count - 1] = ROW_##id,
#include "sim/isa/csr.def"
};

/* ---- what the rows say ---- */

/* Extensions of several letters have no bit, but X for custom ones. */
static uint64_t misa(const struct isa_hart *hart)
{
    uint64_t value = hart->xlen == 64 ? 2ull << 62 : 1ull << 30;
    value |= 1 << ('i' - 'a');
#define X(name, needs, meaning)                                                \
    if (sizeof #name == 2 || *#name == 'x')                                    \
        value |= (uint64_t)isa_has(hart->extensions, ISA_EXT_##name)           \
                 << (*#name - 'a');
    ISA_EXTENSIONS(X)
#undef X
    return value;
}

static uint64_t mstatus(const struct isa_hart *hart)
{
    uint64_t dirty = 1ull << (hart->xlen - 1);
    return hart->mstatus & MSTATUS_FS ? hart->mstatus | dirty : hart->mstatus;
}

/* Floating-point state is either off or dirty, and off if there is none. */
static void write_mstatus(struct isa_hart *hart, uint64_t value)
{
    hart->mstatus = (value & (MSTATUS_MIE | MSTATUS_MPIE)) | MSTATUS_MPP;
    if (value & MSTATUS_FS && isa_has(hart->extensions, ISA_EXT_f))
        hart->mstatus |= MSTATUS_FS;
}

#define READ_ONLY (void)value

/* Regions are 4 bytes or more in an address space of 34 or 56 bits. */
#define PMP_ADDRESS_BITS(hart)                                                 \
    ((hart)->xlen == 32 ? UINT32_MAX : UINT64_MAX >> 10)

/*
 * A counter is the simulator's own and what programs added to it by writing.
 * What is written is what the next instruction reads: the write itself is not
 * counted.
 */
#define CYCLE (hart->cycle + hart->cycle_offset)
#define INSTRET (hart->instret + hart->instret_offset)
#define SET_CYCLE(to) hart->cycle_offset = (to) - (hart->cycle + 1)
#define SET_INSTRET(to) hart->instret_offset = (to) - (hart->instret + 1)
#define LOW_HALF(of)                                                           \
    (hart->xlen == 64 ? value : (of) >> 32 << 32 | (uint32_t)value)
#define HIGH_HALF(of) (value << 32 | (uint32_t)(of))

#define INDEX (number - rows[row_at[number]].first)

/* ---- access ---- */

static uint64_t combine(enum isa_csr_op op, uint64_t old, uint64_t operand)
{
    switch (op) {
    case CSR_SET:
        return old | operand;
    case CSR_CLEAR:
        return old & ~operand;
    default:
        return operand;
    }
}

/* Returns what was read. */
static uint64_t access_row(struct isa_hart *hart, unsigned number,
                           enum isa_csr_op op, uint64_t operand, bool writes)
{
    uint64_t old, value;
    switch ((enum row)row_at[number]) {
#define CSR_NAMES(...)
#define CSR_ROW(id, first, count, name, from, extension, where, read, write)   \
    case ROW_##id:                                                             \
        old = (read);                                                          \
        value = combine(op, old, operand);                                     \
        if (writes)                                                            \
            write;                                                             \
        return old;
#include "sim/isa/csr.def"
    default:
        return 0;
    }
}

/* Whether there is such a CSR on this XLEN, whatever its extension. */
static bool exists(unsigned number, unsigned xlen)
{
    enum row row = (enum row)row_at[number];
    return row != ROW_none && (xlen == 32 || rows[row].where == ANY ||
                               (rows[row].where == EVEN && number % 2 == 0));
}

enum isa_extension isa_csr_missing(unsigned number,
                                   const struct isa_profile *profile)
{
    enum isa_extension needed =
        (enum isa_extension)rows[row_at[number]].extension;
    bool missing =
        exists(number, profile->xlen) && !isa_has(profile->extensions, needed);
    return missing ? needed : ISA_EXT_i;
}

static bool accessible(const struct isa_hart *hart, unsigned number)
{
    enum isa_extension needed =
        (enum isa_extension)rows[row_at[number]].extension;
    return exists(number, hart->xlen) && isa_has(hart->extensions, needed) &&
           (needed != ISA_EXT_f || isa_fp_enabled(hart));
}

bool isa_csr(struct isa_hart *hart, unsigned number, enum isa_csr_op op,
             uint64_t operand, bool writes, uint64_t *old)
{
    bool read_only = number >> 10 == 3;
    if ((writes && read_only) || !accessible(hart, number))
        return false;
    *old = access_row(hart, number, op, operand, writes);
    return true;
}

/* ---- traps ---- */

uint64_t isa_mret(struct isa_hart *hart)
{
    uint64_t status = hart->mstatus & ~MSTATUS_MIE;
    if (status & MSTATUS_MPIE)
        status |= MSTATUS_MIE;
    hart->mstatus = status | MSTATUS_MPIE;
    return hart->mepc;
}

/* Exceptions go to the base in both modes of mtvec. */
bool isa_trap(struct isa_hart *hart, uint64_t cause, uint64_t tval)
{
    if (!hart->mtvec)
        return false;
    uint64_t status = hart->mstatus & ~(MSTATUS_MPIE | MSTATUS_MIE);
    if (hart->mstatus & MSTATUS_MIE)
        status |= MSTATUS_MPIE;
    hart->mstatus = status;
    hart->mepc = hart->pc;
    hart->mcause = cause;
    hart->mtval = tval;
    hart->pc = hart->mtvec & ~3ull;
    if (hart->xlen == 32)
        hart->pc = (uint32_t)hart->pc;
    return true;
}

/* A copy of the hart reads it, so that nothing changes; those of floating point
 * are there whether they are enabled or not. */
bool isa_csr_read(const struct isa_hart *hart, unsigned number, char *name,
                  size_t size, uint64_t *value)
{
    enum { LAST_OF_F = 0x003 };
    struct isa_hart copy = *hart;
    if (number <= LAST_OF_F)
        copy.mstatus |= MSTATUS_FS;
    if (!isa_csr(&copy, number, CSR_SET, 0, false, value))
        return false;
    isa_csr_name(number, name, size);
    return true;
}

bool isa_csr_write(struct isa_hart *hart, unsigned number, uint64_t value)
{
    uint64_t old;
    return isa_csr(hart, number, CSR_WRITE, value, true, &old);
}
