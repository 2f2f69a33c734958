#include "sim/rtp/rtp_decode.h"
#include <stddef.h>

#define RTP(id, opcode, operands, class, ex, mem, meaning)                     \
    [opcode] = {#id, operands, meaning, RTP_##class, ex, mem},
const struct rtp_row rtp_rows[64] = {
#include "sdk/isa/rtp.def"
};

#define RTP_OPERAND(letter, type, shift, bits, use)                            \
    {letter, RTP_TYPE_##type, shift, bits, RTP_USE_##use},
static const struct rtp_operand operands[] = {
#include "sdk/isa/rtp.def"
};

const struct rtp_operand *rtp_operand(char letter)
{
    for (unsigned i = 0; i < sizeof operands / sizeof *operands; i++)
        if (operands[i].letter == letter)
            return &operands[i];
    return NULL;
}

int32_t rtp_field(const struct rtp_operand *o, uint32_t word)
{
    uint32_t value = word >> o->shift & ((1u << o->bits) - 1);
    bool extended = o->type == RTP_TYPE_SIGNED || o->type == RTP_TYPE_TARGET;
    return extended && value >> (o->bits - 1)
               ? (int32_t)(value | ~0u << o->bits)
               : (int32_t)value;
}

/* Registers for which no instruction waits: constants, and its own address. */
#define FIXED (RTP_SCALAR_BIT(0) | RTP_SCALAR_BIT(RTP_OWN) | RTP_VECTOR_BIT(0))

static void add_operand(struct rtp_insn *insn, const struct rtp_operand *o,
                        uint32_t word)
{
    int32_t value = rtp_field(o, word);
    if (o->use == RTP_USE_VALUE) {
        insn->imm = value;
        return;
    }
    rtp_set bit = o->type == RTP_TYPE_VECTOR ? RTP_VECTOR_BIT(value)
                                             : RTP_SCALAR_BIT(value);
    if (o->use != RTP_USE_READ)
        insn->writes |= bit & ~FIXED;
    if (o->use != RTP_USE_WRITTEN)
        insn->reads |= bit & ~FIXED;
}

struct rtp_insn rtp_decode(uint32_t word)
{
    const struct rtp_row *row = &rtp_rows[word >> 26];
    struct rtp_insn insn = {
        .opcode = (uint8_t)(word >> 26),
        .class = row->class,
        .d = word >> 21 & 31,
        .a = word >> 16 & 31,
        .b = word >> 11 & 31,
        .ex = row->ex,
        .mem = row->mem,
    };
    for (const char *c = row->operands; c && *c; c++)
        if (*c != ',')
            add_operand(&insn, rtp_operand(*c), word);
    if (insn.class == RTP_TRACE)
        insn.reads = RTP_VECTOR_BIT(RTP_ORIGIN) | RTP_VECTOR_BIT(RTP_DIRECTION);
    return insn;
}
