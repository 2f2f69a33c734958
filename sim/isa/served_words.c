/* Words of served instructions, from registers and to them. */
#include "sim/isa/served.h"

/* The first register of a group: fixed, or as an operand says. */
static unsigned first_of(const struct isa_group *group,
                         const struct isa_insn *insn)
{
    switch (group->at) {
    case ISA_AT_RD:
        return insn->rd;
    case ISA_AT_RS1:
        return insn->rs1;
    case ISA_AT_RS2:
        return insn->rs2;
    case ISA_AT_RS3:
        return insn->rs3;
    default:
        return group->at;
    }
}

/* x0 is left out, since nothing waits for it. */
bool isa_group_registers(const struct isa_group *groups,
                         const struct isa_insn *insn, uint64_t *registers)
{
    const uint64_t x0 = 1;
    *registers = 0;
    for (; groups->file; groups++) {
        unsigned first = first_of(groups, insn);
        uint64_t bits = ((1ull << groups->registers) - 1) << first;
        if (first + groups->registers > 32)
            return false;
        *registers |= groups->file == ISA_GROUP_F ? bits << 32 : bits & ~x0;
    }
    return true;
}

/*
 * A group X sends two words for each register, the low one first; W and F one.
 */
void isa_served_send(const struct isa_served *row, const struct isa_hart *hart,
                     const struct isa_insn *insn,
                     uint32_t words[ISA_SERVED_WORDS])
{
    for (const struct isa_group *g = row->sends; g->file; g++) {
        const uint64_t *from = g->file == ISA_GROUP_F ? hart->f : hart->x;
        from += first_of(g, insn);
        for (unsigned i = 0; i < g->registers; i++) {
            *words++ = (uint32_t)from[i];
            if (g->file == ISA_GROUP_X)
                *words++ = (uint32_t)(from[i] >> 32);
        }
    }
}

/* The register's value after its n-th word, as registers are kept. */
static uint64_t with_word(const struct isa_hart *hart, uint8_t file,
                          uint64_t value, unsigned n, uint32_t word)
{
    const uint64_t nan_box = (uint64_t)UINT32_MAX << 32;
    if (file == ISA_GROUP_F)
        return nan_box | word;
    if (hart->xlen == 32)
        return n ? value : (uint64_t)(int32_t)word;
    return n ? (uint32_t)value | (uint64_t)word << 32 : word;
}

/* An answer may come in parts; at counts all words of the row, first and count
 * say which of them are here. */
void isa_served_receive(const struct isa_served *row, struct isa_hart *hart,
                        unsigned rd, const uint32_t *words, unsigned first,
                        unsigned count)
{
    const struct isa_insn insn = {.rd = (uint8_t)rd};
    unsigned at = 0;
    for (const struct isa_group *g = row->receives; g->file; g++) {
        uint64_t *to = g->file == ISA_GROUP_F ? hart->f : hart->x;
        unsigned each = g->file == ISA_GROUP_X ? 2 : 1;
        to += first_of(g, &insn);
        for (unsigned i = 0; i < g->registers * each; i++, at++)
            if (at - first < count)
                to[i / each] = with_word(hart, g->file, to[i / each], i % each,
                                         words[at - first]);
    }
    hart->x[0] = 0;
}
