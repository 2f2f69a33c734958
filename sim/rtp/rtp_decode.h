/* Words to instructions. */
#ifndef SIM_RTP_DECODE_H
#define SIM_RTP_DECODE_H

#include "sim/rtp/rtp.h"

struct rtp_insn rtp_decode(uint32_t word);

/* An operand of an instruction: a row of RTP_OPERAND in sdk/isa/rtp.def. */
enum rtp_operand_type {
    RTP_TYPE_SCALAR,
    RTP_TYPE_VECTOR,
    RTP_TYPE_SIGNED,
    RTP_TYPE_UNSIGNED,
    RTP_TYPE_TARGET,
};
enum rtp_operand_use {
    RTP_USE_READ,
    RTP_USE_WRITTEN,
    RTP_USE_LANE,
    RTP_USE_VALUE,
};
struct rtp_operand {
    char letter;
    uint8_t type, shift, bits, use;
};

/* The row of an opcode; name is NULL where no instruction has it. */
struct rtp_row {
    const char *name, *operands, *meaning;
    uint8_t class, ex, mem;
};
extern const struct rtp_row rtp_rows[64];

/* The row of a letter in rtp_row.operands. */
const struct rtp_operand *rtp_operand(char letter);
/* Its field's value, extended. */
int32_t rtp_field(const struct rtp_operand *o, uint32_t word);

#endif
