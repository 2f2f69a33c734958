/*
 * Decoding: find the row, fill in the fields that its operand letters name,
 * derive the register masks from the same letters. A compressed instruction
 * becomes its base instruction with a length of 2.
 */
#include "sim/isa/csr.h"
#include "sim/isa/rows.h"
#include "sim/isa/served.h"

#include <pthread.h>
#include <string.h>

/* Extension column of rv.def: extension and the XLEN that has it, 0: both. */
#define EXTENSION_I ISA_EXT_i, 0
#define EXTENSION_I64 ISA_EXT_i, 64
#define EXTENSION_M ISA_EXT_m, 0
#define EXTENSION_M64 ISA_EXT_m, 64
#define EXTENSION_A ISA_EXT_a, 0
#define EXTENSION_A64 ISA_EXT_a, 64
#define EXTENSION_F ISA_EXT_f, 0
#define EXTENSION_F64 ISA_EXT_f, 64
#define EXTENSION_D ISA_EXT_d, 0
#define EXTENSION_D64 ISA_EXT_d, 64
#define EXTENSION_Zicbom ISA_EXT_zicbom, 0
#define EXTENSION_Zicsr ISA_EXT_zicsr, 0
#define EXTENSION_Zifencei ISA_EXT_zifencei, 0
#define EXTENSION_Zba ISA_EXT_zba, 0
#define EXTENSION_Zba64 ISA_EXT_zba, 64
#define EXTENSION_Zbb ISA_EXT_zbb, 0
#define EXTENSION_Zbb64 ISA_EXT_zbb, 64
#define EXTENSION_Zbb32 ISA_EXT_zbb, 32

#define ROW(name, operands, match, mask, cls, shape, extension, xlen)          \
    {                                                                          \
        name, operands, match, mask, cls, xlen, extension, shape               \
    }
/* One more level, so that EXTENSION_ becomes two arguments. */
#define ROW_OF(...) ROW(__VA_ARGS__)

const struct isa_row isa_rows[OP_ROWS] = {
    [OP_illegal] = {"", "", 1, 0, ISA_CLASS_system, 0, ISA_EXT_i, SHAPE_base},
#define RV(id, name, match, mask, operands, cls, extension, ...)               \
    [OP_##id] = ROW_OF(name, operands, match, mask, ISA_CLASS_##cls,           \
                       SHAPE_base, EXTENSION_##extension),
#include "sim/isa/rv.def"
#define XTRAV(id, name, match, mask, operands, shape, meaning)                 \
    [OP_custom_##id] = ROW_OF(name, operands, match, mask, ISA_CLASS_##id,     \
                              SHAPE_##shape, ISA_EXT_xtrav, 0),
#include "sdk/isa/xtrav.def"
#undef XTRAV
};

/* The rows once for each XLEN. */
const uint8_t isa_reads_of[2 * OP_ROWS] = {
#define RV(id, name, match, mask, operands, ...)                               \
    [OP_##id] = ROW_READS(operands), [OP_ROWS + OP_##id] = ROW_READS(operands),
#include "sim/isa/rv.def"
#define XTRAV(id, name, match, mask, operands, ...)                            \
    [OP_custom_##id] = ROW_READS(operands),                                    \
    [OP_ROWS + OP_custom_##id] = ROW_READS(operands),
#include "sdk/isa/xtrav.def"
#undef XTRAV
};

/* Registers that custom rows read and write beside their operands, by shape. */
static const struct {
    uint64_t reads, writes;
} shapes[] = {
    [SHAPE_base] = {0, 0},
#define XTRAV_SHAPE(shape, result, parameters, reads, writes)                  \
    [SHAPE_##shape] = {reads, writes},
#include "sdk/isa/shapes.def"
#undef XTRAV_SHAPE
};

/* Rows of rvc.def: which word, where its fields lie, and which base instruction
 * it stands for. xlen 0: both. */
static const struct compressed_row {
    struct isa_form form;
    const char *fields;
    uint16_t match, mask;
    uint16_t base; /* enum isa_op */
    uint8_t xlen;
} compressed_rows[] = {
    {{"", ""}, "", 1, 0, OP_illegal, 0}, /* matches nothing */
#define RVC(name, match, mask, base, fields, operands, xlen)                   \
    {{name, operands}, fields, match, mask, OP_##base, xlen},
#include "sim/isa/rvc.def"
#undef RVC
};

/* Bits high..low of word. */
static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((2u << (high - low)) - 1);
}

/*
 * Rows in lists by bits that all their masks have: a word's major opcode, the
 * function and the quadrant of a compressed instruction. A list is in the
 * order of the table and ends with row 0.
 */
enum { LISTS = 32 };
enum { COMPRESSED_ROWS = sizeof compressed_rows / sizeof *compressed_rows };
static uint16_t first_row[LISTS], next_row[OP_ROWS];
static uint16_t first_compressed[LISTS], next_compressed[COMPRESSED_ROWS];
static pthread_once_t rows_listed = PTHREAD_ONCE_INIT;

/* The major opcode without its two low bits, which are 1 in all 32-bit
 * instructions. */
static uint32_t list_of(uint32_t w)
{
    return bits(w, 6, 2);
}

static uint32_t compressed_list_of(uint32_t w)
{
    return bits(w, 15, 13) << 2 | bits(w, 1, 0);
}

#define RVC(name, match, mask, ...)                                            \
    _Static_assert(((mask)&0xe003) == 0xe003, "in one list");
#include "sim/isa/rvc.def"
#undef RVC

/*
 * Goes through the table backwards and puts each row before its list's first
 * one, so that a list has the order of the table: the first row that matches
 * counts.
 */
static void list_rows(void)
{
    for (uint16_t row = OP_ROWS - 1; row > 0; row--) {
        uint16_t *first = &first_row[list_of(isa_rows[row].match)];
        next_row[row] = *first;
        *first = row;
    }
    for (uint16_t row = COMPRESSED_ROWS - 1; row > 0; row--) {
        uint32_t list = compressed_list_of(compressed_rows[row].match);
        next_compressed[row] = first_compressed[list];
        first_compressed[list] = row;
    }
}

/* The low width bits as a signed number. */
static int32_t sign_extend(uint32_t value, unsigned width)
{
    return (int32_t)(value << (32 - width)) >> (32 - width);
}

/* B-type: the bits of the immediate are scattered so that most lie where those
 * of an S-type do (unprivileged manual, "Immediate Encoding Variants"). */
static int32_t branch_offset(uint32_t w)
{
    return sign_extend(bits(w, 31, 31) << 12 | bits(w, 7, 7) << 11 |
                           bits(w, 30, 25) << 5 | bits(w, 11, 8) << 1,
                       13);
}

/* J-type, likewise close to a U-type. */
static int32_t jal_offset(uint32_t w)
{
    return sign_extend(bits(w, 31, 31) << 20 | bits(w, 19, 12) << 12 |
                           bits(w, 20, 20) << 11 | bits(w, 30, 21) << 1,
                       21);
}

/* clang-format off */
static void fill_field(char letter, uint32_t w, struct isa_insn *insn)
{
    switch (letter) {
    case 'd': case 'D': insn->rd = bits(w, 11, 7); break;
    case 's': case 'S': case 'Z': insn->rs1 = bits(w, 19, 15); break;
    case 't': case 'T': insn->rs2 = bits(w, 24, 20); break;
    case 'R': insn->rs3 = bits(w, 31, 27); break;
    case 'j': case 'o': insn->imm = sign_extend(bits(w, 31, 20), 12); break;
    case 'E': insn->imm = (int32_t)bits(w, 31, 20); break;
    case 'q': insn->imm = sign_extend(bits(w, 31, 25) << 5 | bits(w, 11, 7), 12); break;
    case 'u': insn->imm = (int32_t)(w & 0xfffff000); break;
    case 'p': insn->imm = branch_offset(w); break;
    case 'a': insn->imm = jal_offset(w); break;
    case '>': insn->imm = (int32_t)bits(w, 25, 20); break;
    case '<': insn->imm = (int32_t)bits(w, 24, 20); break;
    case 'm': insn->imm = (int32_t)bits(w, 14, 12); break;
    }
}
/* clang-format on */

/* Format CB: c.beqz and c.bnez. */
static int32_t compressed_branch_offset(uint32_t w)
{
    return sign_extend(bits(w, 12, 12) << 8 | bits(w, 6, 5) << 6 |
                           bits(w, 2, 2) << 5 | bits(w, 11, 10) << 3 |
                           bits(w, 4, 3) << 1,
                       9);
}

/* Format CJ: c.j and c.jal. */
static int32_t compressed_jump_offset(uint32_t w)
{
    return sign_extend(bits(w, 12, 12) << 11 | bits(w, 8, 8) << 10 |
                           bits(w, 10, 9) << 8 | bits(w, 6, 6) << 7 |
                           bits(w, 7, 7) << 6 | bits(w, 2, 2) << 5 |
                           bits(w, 11, 11) << 4 | bits(w, 5, 3) << 1,
                       12);
}

/* c.addi16sp: a multiple of 16. */
static int32_t compressed_stack_step(uint32_t w)
{
    return sign_extend(bits(w, 12, 12) << 9 | bits(w, 4, 3) << 7 |
                           bits(w, 5, 5) << 6 | bits(w, 2, 2) << 5 |
                           bits(w, 6, 6) << 4,
                       10);
}

/* clang-format off */
static int32_t compressed_immediate(char letter, uint32_t w)
{
    uint32_t six = bits(w, 12, 12) << 5 | bits(w, 6, 2);
    switch (letter) {
    case 'i': return sign_extend(six, 6);
    case '>': return (int32_t)six;
    case 'u': return (int32_t)((uint32_t)sign_extend(six, 6) << 12);
    case '4': return (int32_t)(bits(w, 10, 7) << 6 | bits(w, 12, 11) << 4 | bits(w, 5, 5) << 3 | bits(w, 6, 6) << 2);
    case '6': return compressed_stack_step(w);
    case 'k': return (int32_t)(bits(w, 5, 5) << 6 | bits(w, 12, 10) << 3 | bits(w, 6, 6) << 2);
    case 'l': return (int32_t)(bits(w, 6, 5) << 6 | bits(w, 12, 10) << 3);
    case 'm': return (int32_t)(bits(w, 3, 2) << 6 | bits(w, 12, 12) << 5 | bits(w, 6, 4) << 2);
    case 'n': return (int32_t)(bits(w, 4, 2) << 6 | bits(w, 12, 12) << 5 | bits(w, 6, 5) << 3);
    case 'M': return (int32_t)(bits(w, 8, 7) << 6 | bits(w, 12, 9) << 2);
    case 'N': return (int32_t)(bits(w, 9, 7) << 6 | bits(w, 12, 10) << 3);
    case 'p': return compressed_branch_offset(w);
    default: return compressed_jump_offset(w);
    }
}
/* clang-format on */

/* clang-format off */
static void fill_compressed_field(char letter, uint32_t w, struct isa_insn *insn)
{
    enum { RA = 1, SP = 2 };
    switch (letter) {
    case 'd': insn->rd = bits(w, 11, 7); break;
    case 's': insn->rs1 = bits(w, 11, 7); break;
    case 'b': insn->rd = insn->rs1 = bits(w, 11, 7); break;
    case 't': insn->rs2 = bits(w, 6, 2); break;
    case 'f': insn->rs1 = 8 + bits(w, 9, 7); break;
    case 'c': insn->rd = insn->rs1 = 8 + bits(w, 9, 7); break;
    case 'g': insn->rd = 8 + bits(w, 4, 2); break;
    case 'h': insn->rs2 = 8 + bits(w, 4, 2); break;
    case 'Q': insn->rs1 = SP; break;
    case 'S': insn->rd = insn->rs1 = SP; break;
    case 'R': insn->rd = RA; break;
    default: insn->imm = compressed_immediate(letter, w);
    }
}
/* clang-format on */

/* Finds the row and fills the fields of the base instruction. A field that the
 * row does not name stays 0, which is x0. */
static enum isa_op match_compressed(uint32_t w, unsigned xlen,
                                    struct isa_insn *insn,
                                    struct isa_form *form)
{
    unsigned number = first_compressed[compressed_list_of(w)];
    const struct compressed_row *row = &compressed_rows[number];
    while (number &&
           ((w & row->mask) != row->match || (row->xlen && row->xlen != xlen)))
        row = &compressed_rows[number = next_compressed[number]];
    if (!number)
        return OP_illegal;
    for (const char *field = row->fields; *field; field++)
        fill_compressed_field(*field, w, insn);
    *form = row->form;
    return row->base;
}

enum isa_op isa_match(uint32_t word, unsigned xlen, struct isa_insn *insn,
                      struct isa_form *form)
{
    pthread_once(&rows_listed, list_rows);
    *insn = (struct isa_insn){.raw = word, .len = 4};
    if ((word & 3) != 3) {
        insn->len = 2;
        insn->raw = word & 0xffff;
        return insn->op = match_compressed(insn->raw, xlen, insn, form);
    }
    unsigned number = first_row[list_of(word)];
    const struct isa_row *row = &isa_rows[number];
    while (number && ((word & row->mask) != row->match ||
                      (row->xlen && row->xlen != xlen)))
        row = &isa_rows[number = next_row[number]];
    if (!number)
        return OP_illegal;
    for (const char *letter = row->operands; *letter; letter++)
        fill_field(*letter, word, insn);
    *form = (struct isa_form){row->name, row->operands};
    return insn->op = (enum isa_op)number;
}

/* Operand values that the row's mask does not exclude. */
static bool operands_legal(const struct isa_row *row,
                           const struct isa_insn *insn, unsigned xlen)
{
    const struct isa_served *served = isa_served(row->cls);
    uint64_t registers;
    if (served && !(isa_group_registers(served->sends, insn, &registers) &&
                    isa_group_registers(served->receives, insn, &registers)))
        return false;
    if (strchr(row->operands, 'm') && (insn->imm == 5 || insn->imm == 6))
        return false; /* reserved rounding modes */
    return xlen == 64 || !strchr(row->operands, '>') || insn->imm < 32;
}

/* x0 is no register that could be waited for, so it has no bit. */
static uint64_t x_bit(unsigned n)
{
    return n ? 1ull << n : 0;
}

/* count registers from first on, in the upper half of a mask. */
static uint64_t f_bits(unsigned first, unsigned count)
{
    return ((1ull << count) - 1) << (32 + first);
}

/* A destination is always the first operand. */
uint64_t isa_writes(unsigned op, unsigned rd)
{
    const struct isa_row *row = &isa_rows[op % OP_ROWS];
    const struct isa_served *served = isa_served(row->cls);
    uint64_t implicit = shapes[row->shape].writes;
    if (served) {
        const struct isa_insn insn = {.rd = (uint8_t)rd};
        isa_group_registers(served->receives, &insn, &implicit);
        return implicit;
    }
    if (*row->operands == 'd')
        return implicit | x_bit(rd);
    if (*row->operands == 'D')
        return implicit | f_bits(rd, 1);
    return implicit;
}

static uint8_t registers_of(const struct isa_group *group)
{
    uint8_t sum = 0;
    for (; group->file != ISA_GROUP_NONE; group++)
        sum = (uint8_t)(sum + group->registers);
    return sum;
}

static struct isa_operands row_operands(const struct isa_row *row, unsigned op)
{
    const struct isa_served *served = isa_served(row->cls);
    if (served)
        return (struct isa_operands){registers_of(served->sends),
                                     registers_of(served->receives)};
    int reads = __builtin_popcountll(shapes[row->shape].reads);
    int writes = __builtin_popcountll(shapes[row->shape].writes);
    writes += *row->operands == 'd' || *row->operands == 'D';
    return (struct isa_operands){(uint8_t)(isa_reads_of[op] + reads),
                                 (uint8_t)writes};
}

struct isa_operands isa_operands(unsigned cls, unsigned reads)
{
    for (unsigned op = OP_illegal + 1; op < OP_ROWS; op++)
        if (isa_rows[op].cls == cls && isa_reads_of[op] == reads)
            return row_operands(&isa_rows[op], op);
    return (struct isa_operands){0, 0}; /* there is no such instruction */
}

/* clang-format off */
static void fill_masks(const struct isa_row *row, struct isa_insn *insn)
{
    const struct isa_served *served = isa_served(row->cls);
    insn->reads = shapes[row->shape].reads;
    insn->writes = isa_writes((unsigned)(row - isa_rows), insn->rd);
    if (served) {
        isa_group_registers(served->sends, insn, &insn->reads);
        return;
    }
    for (const char *letter = row->operands; *letter; letter++)
        switch (*letter) {
        case 's': insn->reads |= x_bit(insn->rs1); break;
        case 't': insn->reads |= x_bit(insn->rs2); break;
        case 'S': insn->reads |= f_bits(insn->rs1, 1); break;
        case 'T': insn->reads |= f_bits(insn->rs2, 1); break;
        case 'R': insn->reads |= f_bits(insn->rs3, 1); break;
        }
}
/* clang-format on */

/* Those that the word needs and the profile lacks, as bits. */
static uint32_t lacking(const struct isa_profile *profile, enum isa_op op,
                        const struct isa_insn *insn)
{
    enum isa_extension needed = isa_rows[op].extension;
    uint32_t bits = needed == ISA_EXT_i ? 0 : 1u << needed;
    if (insn->len == 2)
        bits |= 1u << ISA_EXT_c;
    if (strpbrk(isa_rows[op].operands, "DSTR"))
        bits |= 1u << ISA_EXT_f; /* custom rows too */
    return bits & ~profile->extensions;
}

bool isa_decode(uint32_t word, const struct isa_profile *profile,
                struct isa_insn *out)
{
    struct isa_form form;
    unsigned xlen = profile->xlen;
    enum isa_op op = isa_match(word, xlen, out, &form);
    const struct isa_row *row = &isa_rows[op];
    if (op == OP_illegal || !operands_legal(row, out, xlen) ||
        lacking(profile, op, out)) {
        *out = (struct isa_insn){.raw = out->raw,
                                 .len = out->len,
                                 .op = OP_illegal,
                                 .cls = ISA_CLASS_system};
        return false;
    }
    out->cls = row->cls;
    out->op = (uint16_t)(op + (xlen == 32 ? OP_ROWS : 0));
    fill_masks(row, out);
    return true;
}

enum isa_extension isa_missing(uint32_t word, const struct isa_profile *profile)
{
    struct isa_form form;
    struct isa_insn insn;
    enum isa_op op = isa_match(word, profile->xlen, &insn, &form);
    if (op == OP_illegal ||
        !operands_legal(&isa_rows[op], &insn, profile->xlen))
        return ISA_EXT_i;
    uint32_t bits = lacking(profile, op, &insn);
    if (bits)
        return (enum isa_extension)__builtin_ctz(bits);
    return strchr(isa_rows[op].operands, 'E')
               ? isa_csr_missing((unsigned)insn.imm, profile)
               : ISA_EXT_i;
}

const char *isa_class_name(enum isa_class cls)
{
    static const char *const names[ISA_CLASS_COUNT] = {
#define X(name, meaning) [ISA_CLASS_##name] = #name,
        ISA_CLASSES(X)
#undef X
#define XTRAV(id, ...) [ISA_CLASS_##id] = #id,
#include "sdk/isa/xtrav.def"
#undef XTRAV
    };
    return cls < ISA_CLASS_COUNT ? names[cls] : "?";
}
