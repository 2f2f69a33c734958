/* The tables of rtp, out of rtp.def, and the text of operands. */
#include "sysdep.h"

#include "libiberty.h"
#include "opcode/rtp.h"
#include "safe-ctype.h"

static const struct rtp_operand operands[] = {
#define RTP_OPERAND(letter, type, shift, bits, use)                            \
    {letter, RTP_##type, shift, bits},
#include "opcode/rtp.def"
};

enum {
#define RTP(id, opcode, operands, class, ex, mem, meaning) row_##id,
#include "opcode/rtp.def"
};

const struct rtp_insn rtp_insns[] = {
#define RTP(id, opcode, operands, class, ex, mem, meaning)                     \
    {#id, opcode, operands, RTP_##class},
#include "opcode/rtp.def"
    {NULL, 0, NULL, 0},
};

const struct rtp_alias rtp_aliases[] = {
#define RTP_ALIAS(name, id) {name, &rtp_insns[row_##id]},
#include "opcode/rtp.def"
    {NULL, NULL},
};

const struct rtp_pseudo rtp_pseudos[] = {
#define RTP_PSEUDO(name, operands, rule, expansion)                            \
    {name, operands, RTP_##rule, expansion},
#include "opcode/rtp.def"
    {NULL, NULL, 0, NULL},
};

const struct rtp_operand *rtp_operand(char letter)
{
    const struct rtp_operand *o = operands;

    while (o->letter != letter)
        o++;
    return o;
}

/* A switch: two rows with one opcode do not compile. */
const struct rtp_insn *rtp_decode(uint32_t word)
{
    switch (word >> 26) {
#define RTP(id, opcode, operands, class, ex, mem, meaning)                     \
    case opcode:                                                               \
        return &rtp_insns[row_##id];
#include "opcode/rtp.def"
    }
    return NULL;
}

int rtp_register_number(const char **text, const struct rtp_operand *row)
{
    const char *s = *text;
    int number = 0;

    if (TOUPPER(*s++) != 'R')
        return -1;
    if (row->type == RTP_VECTOR ? TOUPPER(*s++) != 'V' : 0)
        return -1;
    if (row->type == RTP_SCALAR && TOUPPER(*s) == 'S')
        s++;
    if (!ISDIGIT(*s))
        return -1;
    while (ISDIGIT(*s) && number < 100)
        number = 10 * number + *s++ - '0';
    if (number >= 1 << row->bits || ISALNUM(*s) || *s == '_')
        return -1;
    *text = s;
    return number;
}

char *rtp_usage(const char *name, const char *operands)
{
    char *text = concat(name, *operands ? " " : "", (char *)NULL);

    for (const char *o = operands; *o; o++) {
        char part[16] = ",";
        const struct rtp_operand *row = *o == ',' ? NULL : rtp_operand(*o);
        if (row && row->type == RTP_TARGET)
            strcpy(part, "label");
        else if (row && row->shift == 0)
            strcpy(part, row->bits < 16 ? "#lane" : "#immediate");
        else if (row)
            sprintf(part, row->type == RTP_VECTOR ? "RV%c" : "R%c",
                    "bad"[(row->shift - 11) / 5]);
        text = reconcat(text, text, part, (char *)NULL);
    }
    return text;
}
