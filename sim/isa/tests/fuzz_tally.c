/*
 * Counts what programs were made of: see fuzz_tally.h.
 */
#include "sim/isa/tests/fuzz_tally.h"

#include <string.h>

/* The rounding mode, the ordering bits of an atomic, or 0. */
static unsigned variant_of(const struct isa_row *row, uint32_t word)
{
    if (strchr(row->operands, 'm'))
        return word >> 12 & 7;
    return row->cls == ISA_CLASS_amo ? word >> 25 & 3 : 0;
}

/* Rounding modes 0 to 4 and 7, four orderings, or the one variant there is. */
static uint8_t all_variants(const struct isa_row *row)
{
    enum { MODES = 0x9f, ORDERINGS = 0x0f, ONE = 1 };
    if (strchr(row->operands, 'm'))
        return MODES;
    return row->cls == ISA_CLASS_amo ? ORDERINGS : ONE;
}

void tally_words(struct tally *tally, const struct program *p)
{
    struct isa_profile profile = {ISA_ALL_EXTENSIONS, (uint8_t)p->xlen};
    unsigned width = p->xlen / 64;
    for (size_t i = 0; i < p->slot_count; i++) {
        uint32_t word = p->slots[i].word;
        struct isa_insn insn;
        isa_decode(word, &profile, &insn);
        const struct isa_row *row = &isa_rows[insn.op % OP_ROWS];
        if (insn.len == 2)
            tally->compressed[width][word & 0xffff] = true;
        else
            tally->variants[width][row - isa_rows] |=
                (uint8_t)(1u << variant_of(row, word));
    }
}

bool tally_complete(const struct tally *tally, unsigned xlen)
{
    bool complete = true;
    for (unsigned op = 0; op < OP_ROWS; op++) {
        const struct isa_row *row = &isa_rows[op];
        uint8_t seen = tally->variants[xlen / 64][op];
        if (!row_generated(op, xlen) || seen == all_variants(row))
            continue;
        fprintf(stderr, "rv%u: %s was not generated in all variants (0x%x)\n",
                xlen, row->name, seen);
        complete = false;
    }
    return complete;
}

void tally_add(struct tally *sum, const struct tally *part)
{
    sum->programs += part->programs;
    sum->timed += part->timed;
    sum->instructions += part->instructions;
    sum->failures += part->failures;
    for (unsigned w = 0; w < WIDTHS; w++) {
        for (unsigned op = 0; op < OP_ROWS; op++)
            sum->variants[w][op] |= part->variants[w][op];
        for (unsigned i = 0; i < 1 << 16; i++)
            sum->compressed[w][i] |= part->compressed[w][i];
    }
}

unsigned tally_compressed(const struct tally *tally, unsigned width)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < 1 << 16; i++)
        seen += tally->compressed[width][i];
    return seen;
}
