#include "sim/rtp/rtp_disassemble.h"
#include "sim/rtp/rtp_decode.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add(char *text, size_t size, const char *format, ...)
{
    size_t at = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + at, size - at, format, arguments);
    va_end(arguments);
}

static void add_operand(char *text, size_t size, const struct rtp_operand *o,
                        uint32_t word, uint32_t address)
{
    int32_t value = rtp_field(o, word);
    switch ((enum rtp_operand_type)o->type) {
    case RTP_TYPE_SCALAR:
        add(text, size, "R%d", value);
        break;
    case RTP_TYPE_VECTOR:
        add(text, size, "RV%d", value);
        break;
    case RTP_TYPE_SIGNED:
        add(text, size, "#%d", value);
        break;
    case RTP_TYPE_UNSIGNED:
        add(text, size, o->bits < 16 ? "#%u" : "#0x%x", (unsigned)value);
        break;
    case RTP_TYPE_TARGET:
        add(text, size, "0x%x", address + 4 + (uint32_t)value);
        break;
    }
}

void rtp_disassemble(uint32_t word, uint32_t address, char *text, size_t size)
{
    const struct rtp_row *row = &rtp_rows[word >> 26];
    *text = '\0';
    if (!row->name) {
        add(text, size, ".word 0x%08x", word);
        return;
    }
    add(text, size, *row->operands ? "%s " : "%s", row->name);
    for (const char *c = row->operands; *c; c++)
        if (*c == ',')
            add(text, size, ",");
        else
            add_operand(text, size, rtp_operand(*c), word, address);
}
