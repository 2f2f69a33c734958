/* What assembler and disassembler know of the instructions of rtp: rows of
 * rtp.def, which explains the columns. */
#ifndef OPCODE_RTP_H
#define OPCODE_RTP_H

#include <stdbool.h>
#include <stdint.h>

enum rtp_type {
    RTP_SCALAR,
    RTP_VECTOR,
    RTP_SIGNED,
    RTP_UNSIGNED,
    RTP_TARGET,
};

struct rtp_operand {
    char letter;
    enum rtp_type type;
    unsigned shift, bits;
};

enum rtp_class {
    RTP_ARITH,
    RTP_REDUCE,
    RTP_COMPARE,
    RTP_LOAD,
    RTP_STORE,
    RTP_BRANCH,
    RTP_JUMP,
    RTP_RETURN,
    RTP_TRACE,
    RTP_FIN,
};

struct rtp_insn {
    const char *name;
    unsigned opcode;
    const char *operands;
    enum rtp_class class;
};

enum rtp_rule {
    RTP_ANY,
    RTP_DISTINCT,
};

struct rtp_pseudo {
    const char *name;
    const char *operands;
    enum rtp_rule rule;
    const char *expansion;
};

struct rtp_alias {
    const char *name;
    const struct rtp_insn *insn;
};

/* Each ends with a row whose name is NULL. */
extern const struct rtp_insn rtp_insns[];
extern const struct rtp_alias rtp_aliases[];
extern const struct rtp_pseudo rtp_pseudos[];

/* The row of a letter that a table names. */
const struct rtp_operand *rtp_operand(char letter);

/* The row of a word's opcode, or NULL. */
const struct rtp_insn *rtp_decode(uint32_t word);

/* The number of the register that *text begins with, if an operand of that row
 * may be it, otherwise -1. Moves *text behind it. */
int rtp_register_number(const char **text, const struct rtp_operand *row);

/* How an instruction is written, as "and Rd,Ra,Rb", in memory of its own. */
char *rtp_usage(const char *name, const char *operands);

#endif
