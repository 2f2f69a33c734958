/* The disassembler of rtp: one instruction a word, as its operands' rows say.
 */
#include "sysdep.h"

#include "disassemble.h"
#include "opcode/rtp.h"

static int sext16(uint32_t word)
{
    return (int16_t)word;
}

static uint32_t field(uint32_t word, const struct rtp_operand *o)
{
    return word >> o->shift & ((1u << o->bits) - 1);
}

static void print_operand(bfd_vma address, uint32_t word,
                          const struct rtp_operand *o, disassemble_info *info)
{
    uint32_t value = field(word, o);

    switch (o->type) {
    case RTP_SCALAR:
        info->fprintf_func(info->stream, "R%u", value);
        break;
    case RTP_VECTOR:
        info->fprintf_func(info->stream, "RV%u", value);
        break;
    case RTP_SIGNED:
        info->fprintf_func(info->stream, "#%d", sext16(value));
        break;
    case RTP_UNSIGNED:
        info->fprintf_func(info->stream, o->bits < 16 ? "#%u" : "#0x%x", value);
        break;
    case RTP_TARGET:
        info->target = (uint32_t)(address + 4 + sext16(value));
        info->print_address_func(info->target, info);
        break;
    }
}

static enum dis_insn_type type_of(enum rtp_class class)
{
    switch (class) {
    case RTP_BRANCH:
        return dis_condbranch;
    case RTP_JUMP:
    case RTP_RETURN:
        return dis_branch;
    case RTP_LOAD:
    case RTP_STORE:
        return dis_dref;
    default:
        return dis_nonbranch;
    }
}

static void print_word(bfd_vma address, uint32_t word, disassemble_info *info)
{
    const struct rtp_insn *insn = rtp_decode(word);

    if (!insn) {
        info->insn_type = dis_noninsn;
        info->fprintf_func(info->stream, ".word 0x%08x", word);
        return;
    }
    info->insn_type = type_of(insn->class);
    info->fprintf_func(info->stream, "%s", insn->name);
    if (*insn->operands)
        info->fprintf_func(info->stream, " ");
    for (const char *o = insn->operands; *o; o++) {
        if (*o == ',')
            info->fprintf_func(info->stream, ",");
        else
            print_operand(address, word, rtp_operand(*o), info);
    }
}

int print_insn_rtp(bfd_vma address, disassemble_info *info)
{
    bfd_byte bytes[4];
    int status = info->read_memory_func(address, bytes, 4, info);

    if (status != 0) {
        info->memory_error_func(status, address, info);
        return -1;
    }
    info->bytes_per_line = 4;
    info->bytes_per_chunk = 4;
    info->insn_info_valid = 1;
    info->branch_delay_insns = 0;
    info->data_size = 0;
    info->target = 0;
    info->target2 = 0;
    print_word(address, bfd_getl32(bytes), info);
    return 4;
}
