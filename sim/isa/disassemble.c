/*
 * Text of instructions as objdump prints it. Everything is printed by operand
 * letters from the decoded fields; names and letters come from the row, from
 * the compressed form, or from the first pseudo-instruction that fits.
 */
#include "sim/isa/csr.h"
#include "sim/isa/rows.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Where the next character goes, and how many would have been written if there
 * were room for all of them, as snprintf counts. */
struct text {
    char *at;
    size_t left;
    int length;
};

/* Pseudo-instructions, in the order in which they are tried. */
static const struct alias {
    const char *name, *operands;
    uint32_t match, mask;
    enum { ANY, SAME } condition;
    uint8_t xlen;
} aliases[] = {
#define ALIAS(name, match, mask, operands, condition, xlen)                    \
    {name, operands, match, mask, condition, xlen},
#include "sim/isa/alias.def"
#undef ALIAS
};

static const char x_names[32][5] = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

static const char f_names[32][5] = {
    "ft0", "ft1", "ft2",  "ft3",  "ft4", "ft5", "ft6",  "ft7",
    "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
    "fa6", "fa7", "fs2",  "fs3",  "fs4", "fs5", "fs6",  "fs7",
    "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

/* A run of CSRs with numbered names, or a single one. */
static const struct csr_names {
    uint16_t first, count;
    const char *name;
    unsigned number;
} csr_names[] = {
#define CSR_NAMES(first, count, name, number) {first, count, name, number},
#include "sim/isa/csr.def"
#undef CSR_NAMES
};

static void print(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    size_t room = text->left ? text->left - 1 : 0;
    size_t written = (size_t)n < room ? (size_t)n : room;
    text->at += written;
    text->left -= written;
    text->length += n;
}

int isa_csr_name(unsigned number, char *text, size_t size)
{
    for (size_t i = 0; i < sizeof csr_names / sizeof *csr_names; i++) {
        const struct csr_names *names = &csr_names[i];
        unsigned offset = number - names->first;
        if (offset < names->count)
            return snprintf(text, size, names->name, names->number + offset);
    }
    return snprintf(text, size, "0x%x", number);
}

static void print_csr(struct text *text, unsigned csr)
{
    char name[24];
    isa_csr_name(csr, name, sizeof name);
    print(text, "%s", name);
}

/* The accesses that a fence orders: input, output, reads, writes. */
static void print_fence_set(struct text *text, unsigned set)
{
    if (!set)
        print(text, "unknown");
    for (int i = 0; i < 4; i++)
        if (set & (8u >> i))
            print(text, "%c", "iorw"[i]);
}

static void print_rounding(struct text *text, unsigned rm)
{
    static const char names[][8] = {"rne", "rtz",     "rdn",     "rup",
                                    "rmm", "unknown", "unknown", "dyn"};
    print(text, "%s", names[rm]);
}

/* Where a branch or jump goes, from pc. */
static uint64_t target(const struct isa_insn *insn, unsigned xlen, uint64_t pc)
{
    uint64_t to = pc + (uint64_t)(int64_t)insn->imm;
    return xlen == 32 ? (uint32_t)to : to;
}

/* clang-format off */
static void print_operand(struct text *text, char letter, const struct isa_insn *insn, unsigned xlen, uint64_t pc)
{
    switch (letter) {
    case 'd': print(text, "%s", x_names[insn->rd]); break;
    case 's': print(text, "%s", x_names[insn->rs1]); break;
    case 't': print(text, "%s", x_names[insn->rs2]); break;
    case 'D': print(text, "%s", f_names[insn->rd]); break;
    case 'S': print(text, "%s", f_names[insn->rs1]); break;
    case 'T': print(text, "%s", f_names[insn->rs2]); break;
    case 'R': print(text, "%s", f_names[insn->rs3]); break;
    case 'j': case 'o': case 'q': print(text, "%" PRId32, insn->imm); break;
    case '>': case '<': print(text, "0x%" PRIx32, (uint32_t)insn->imm); break;
    case 'u': print(text, "0x%" PRIx32, (uint32_t)insn->imm >> 12); break;
    case 'p': case 'a': print(text, "0x%" PRIx64, target(insn, xlen, pc)); break;
    case 'E': print_csr(text, (unsigned)insn->imm); break;
    case 'Z': print(text, "%u", insn->rs1); break;
    case 'P': print_fence_set(text, insn->raw >> 24 & 15); break;
    case 'Q': print_fence_set(text, insn->raw >> 20 & 15); break;
    case 'm': print_rounding(text, (unsigned)insn->imm); break;
    default: print(text, "%c", letter); break;
    }
}
/* clang-format on */

/* SAME: both sources are one register, as in fmv.s, which is fsgnj.s. */
static const struct alias *find_alias(const struct isa_insn *insn,
                                      unsigned xlen)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        const struct alias *a = &aliases[i];
        if ((insn->raw & a->mask) == a->match &&
            (!a->xlen || a->xlen == xlen) &&
            (a->condition == ANY || insn->rs1 == insn->rs2))
            return a;
    }
    return NULL;
}

/* Atomics carry their ordering bits in the name. */
static const char *ordering(const struct isa_insn *insn)
{
    static const char suffixes[][6] = {"", ".rl", ".aq", ".aqrl"};
    return isa_rows[insn->op].cls == ISA_CLASS_amo
               ? suffixes[insn->raw >> 25 & 3]
               : "";
}

/* objdump leaves out the rounding mode where it is dynamic. */
static bool ends(const char *operands, const struct isa_insn *insn)
{
    return !*operands ||
           (operands[0] == ',' && operands[1] == 'm' && insn->imm == 7);
}

int isa_disassemble(uint32_t word, unsigned xlen, uint64_t pc, char *text,
                    size_t size)
{
    struct text out = {text, size, 0};
    struct isa_insn insn;
    struct isa_form form = {"", ""};
    isa_match(word, xlen, &insn, &form);
    const struct alias *alias = insn.len == 4 ? find_alias(&insn, xlen) : NULL;
    if (alias)
        form = (struct isa_form){alias->name, alias->operands};
    if (alias && insn.op == OP_illegal) { /* no row has filled these in */
        insn.rs1 = word >> 15 & 31;
        insn.rs2 = word >> 20 & 31;
    }
    if (!*form.name) {
        print(&out, ".%ubyte 0x%" PRIx32, insn.len, insn.raw);
        return out.length;
    }
    print(&out, "%s%s%s", form.name, ordering(&insn),
          *form.operands ? " " : "");
    for (const char *letter = form.operands; !ends(letter, &insn); letter++)
        print_operand(&out, *letter, &insn, xlen, pc);
    return out.length;
}
