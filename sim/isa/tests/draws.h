/*
 * What tests of executors draw at random: words of rows, and harts whose
 * registers are weighted to extremes. The numbers follow from random_state.
 */
#ifndef SIM_ISA_TESTS_DRAWS_H
#define SIM_ISA_TESTS_DRAWS_H

#include "sim/isa/csr.h"
#include "sim/isa/tests/both.h"

static uint64_t random_state;

/* xorshift64*: the same numbers everywhere */
static inline uint64_t random_bits(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545f4914f6cdd1dull;
}

static inline unsigned random_below(unsigned limit)
{
    return (unsigned)(random_bits() >> 33) % limit;
}

static inline bool one_in(unsigned n)
{
    return random_below(n) == 0;
}

static inline uint64_t random_integer(unsigned xlen)
{
    static const uint64_t special[] = {
        0,          1,         2,          UINT64_MAX, INT64_MAX,
        1ull << 63, INT32_MAX, UINT32_MAX, 1ull << 31, 0xffffffff80000000u};
    uint64_t value = random_bits();
    if (one_in(2))
        value = special[random_below(sizeof special / sizeof *special)];
    else if (one_in(2))
        value = BOTH_DATA + value % 256; /* an address */
    return xlen == 64 ? value : (uint64_t)(int64_t)(int32_t)value;
}

static inline uint64_t random_float(void)
{
    static const uint32_t singles[] = {
        0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
        0x7fc00000, 0x7f800001, 0xffc12345, 0x00000001, 0x807fffff, 0x00800000,
        0x7f7fffff, 0x4f000000, 0xcf000000, 0x4b000001};
    uint64_t value = random_bits();
    uint32_t single = singles[random_below(sizeof singles / sizeof *singles)];
    switch (random_below(4)) {
    case 0:
        return 0xffffffff00000000u | single;
    case 1:
        return 0xffffffff00000000u | (uint32_t)value;
    case 2: /* the like as a double */
        return (uint64_t)(single >> 29) << 61 | (uint64_t)(single & 0x1fffffff)
                                                    << 29;
    default:
        return value;
    }
}

/* CSRs that there are, often enough. */
static inline uint32_t random_csr(void)
{
    static const uint16_t some[] = {0x001, 0x002, 0x003, 0x300, 0x301, 0x304,
                                    0x305, 0x340, 0x341, 0x342, 0x3b0, 0xb00,
                                    0xb02, 0xb80, 0xb82, 0xc00, 0xc01, 0xc02};
    return one_in(4) ? random_below(4096)
                     : some[random_below(sizeof some / sizeof *some)];
}

static inline uint32_t random_word(enum isa_op op)
{
    const struct isa_row *row = &isa_rows[op];
    uint32_t fields = (uint32_t)random_bits();
    if (strchr(row->operands, 'E'))
        fields = (fields & 0xfffff) | random_csr() << 20;
    if (strchr(row->operands, 'm') && !one_in(4))
        fields |= 0x7000; /* dynamic rounding */
    return row->match | (fields & ~row->mask);
}

/* Registers and floating-point state; pc, counters and traps stay. */
static inline void random_registers(struct isa_hart *hart)
{
    for (unsigned i = 1; i < 32; i++)
        hart->x[i] = random_integer(hart->xlen);
    for (unsigned i = 0; i < 32; i++)
        hart->f[i] = random_float();
    hart->frm = (uint8_t)random_below(one_in(4) ? 8 : 5);
    hart->fflags = (uint8_t)random_below(32);
    hart->mstatus = MSTATUS_MPP | (one_in(8) ? 0 : MSTATUS_FS);
}

static inline bool has_row(unsigned xlen, enum isa_op op)
{
    return !isa_rows[op].xlen || isa_rows[op].xlen == xlen;
}

#endif
