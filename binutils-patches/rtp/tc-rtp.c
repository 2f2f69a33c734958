/* gas for rtp. A statement is split at its commas; the rows of rtp.def say
 * what each operand must be. Pseudo-instructions are assembled from the text
 * of their expansion. Whatever is wrong is said once, by as_bad(). */
#include "as.h"

#include <inttypes.h>

#include "dwarf2dbg.h"
#include "opcode/rtp.h"
#include "safe-ctype.h"
#include "subsegs.h"

const char comment_chars[] = "@";
const char line_comment_chars[] = "#";
const char line_separator_chars[] = ";";
const char EXP_CHARS[] = "eE";
const char FLT_CHARS[] = "fFdD";

const char *md_shortopts = "";
struct option md_longopts[] = {{NULL, no_argument, NULL, 0}};
size_t md_longopts_size = sizeof md_longopts;

/* .const and .triangles: like .text, for constants and triangles. */
static void section_of_data(int triangles)
{
    segT section;

    obj_elf_section_change_hook();
    section = subseg_new(triangles ? ".triangles" : ".const", 0);
    bfd_set_section_flags(section,
                          SEC_ALLOC | SEC_LOAD | SEC_READONLY | SEC_DATA);
    record_alignment(section, triangles ? 4 : 2);
    demand_empty_rest_of_line();
}

const pseudo_typeS md_pseudo_table[] = {
    {"half", cons, 2},
    {"word", cons, 4},
    {"const", section_of_data, 0},
    {"triangles", section_of_data, 1},
    {NULL, NULL, 0},
};

enum { most_operands = 4 };

/* An operand, read: bits of the word, and what is still to be put there. */
struct operand {
    uint32_t bits;
    bool open;
    bfd_reloc_code_real_type reloc;
    expressionS expression;
};

/* Where an operand stands, for messages. */
struct place {
    const char *name;
    int number;
};

void md_begin(void)
{
    bfd_set_arch_mach(stdoutput, TARGET_ARCH, bfd_mach_rtp);
}

static int count_of(const char *operands)
{
    return (strlen(operands) + 1) / 2;
}

/* ---- messages ---- */

static bool refuse(struct place at, const char *expected, const char *text)
{
    as_bad(_("operand %d of `%s': expected %s, not `%s'"), at.number, at.name,
           expected, text);
    return false;
}

/* What follows an operand. */
static bool ends(struct place at, const char *rest)
{
    while (ISSPACE(*rest))
        rest++;
    if (!*rest)
        return true;
    as_bad(_("junk after operand %d of `%s': `%s'"), at.number, at.name, rest);
    return false;
}

/* ---- operands ---- */

static bool read_register(struct place at, const struct rtp_operand *row,
                          const char *text, struct operand *o)
{
    const char *rest = text;
    int number = rtp_register_number(&rest, row);

    if (number < 0)
        return refuse(at,
                      row->type == RTP_VECTOR
                          ? "a vector register (RV0 to RV15)"
                          : "a scalar register (R0 to R31)",
                      text);
    o->bits = (uint32_t)number << row->shift;
    return ends(at, rest);
}

static bool read_expression(struct place at, const char *text,
                            struct operand *o)
{
    char *before = input_line_pointer;
    const char *rest;

    input_line_pointer = (char *)text;
    expression(&o->expression);
    rest = input_line_pointer;
    input_line_pointer = before;
    operatorT op = o->expression.X_op;
    if (op == O_illegal || op == O_absent || op == O_register || op == O_big)
        return refuse(at, "a number or a symbol", text);
    return ends(at, rest);
}

/* The bits of a value that is known, if it fits. */
static bool fits(struct place at, const struct rtp_operand *row, int64_t value,
                 uint32_t *bits)
{
    int64_t least = row->type == RTP_UNSIGNED ? 0 : -(1 << (row->bits - 1));
    int64_t most = least + (1 << row->bits) - 1;

    if (value < least || value > most) {
        as_bad(_("operand %d of `%s': %" PRId64 " is outside %" PRId64
                 " to %" PRId64),
               at.number, at.name, value, least, most);
        return false;
    }
    *bits = (uint32_t)value & ((1u << row->bits) - 1);
    return true;
}

/* %lo(...) and %hi(...): moves *text to the parenthesis. */
static bfd_reloc_code_real_type reloc_of(const struct rtp_operand *row,
                                         const char **text)
{
    if (row->type != RTP_UNSIGNED)
        return BFD_RELOC_RTP_S16;
    if (strncasecmp(*text, "%lo(", 4) != 0 &&
        strncasecmp(*text, "%hi(", 4) != 0)
        return BFD_RELOC_RTP_U16;
    *text += 3;
    return TOUPPER((*text)[-2]) == 'L' ? BFD_RELOC_LO16 : BFD_RELOC_HI16;
}

static bool read_immediate(struct place at, const struct rtp_operand *row,
                           const char *text, struct operand *o)
{
    const char *value = text + 1;

    if (*text != '#')
        return refuse(at, "an immediate (# and a value)", text);
    o->reloc = reloc_of(row, &value);
    if (!read_expression(at, value, o))
        return false;
    if (o->expression.X_op == O_constant) {
        int64_t number = o->expression.X_add_number;
        if (o->reloc == BFD_RELOC_LO16)
            number &= 0xffff;
        if (o->reloc == BFD_RELOC_HI16)
            number = number >> 16 & 0xffff;
        if (row->type == RTP_TARGET && number % 4 != 0)
            return refuse(at, "a multiple of 4", text);
        return fits(at, row, number, &o->bits);
    }
    if (row->bits < 16 || row->type == RTP_TARGET)
        return refuse(at, "a number that is known here", text);
    return o->open = true;
}

/* A label, or # and the field's value. */
static bool read_target(struct place at, const struct rtp_operand *row,
                        const char *text, struct operand *o)
{
    const char *rest = text;

    if (*text == '#')
        return read_immediate(at, row, text, o);
    if (rtp_register_number(&rest, rtp_operand('a')) >= 0)
        return refuse(at, "a label", text);
    o->open = true;
    o->reloc = BFD_RELOC_16_PCREL;
    return read_expression(at, text, o);
}

static bool read_operand(struct place at, char letter, const char *text,
                         struct operand *o)
{
    const struct rtp_operand *row = rtp_operand(letter);

    memset(o, 0, sizeof *o);
    if (!*text) {
        as_bad(_("missing operand %d of `%s'"), at.number, at.name);
        return false;
    }
    if (row->type == RTP_SCALAR || row->type == RTP_VECTOR)
        return read_register(at, row, text, o);
    if (row->type == RTP_TARGET)
        return read_target(at, row, text, o);
    return read_immediate(at, row, text, o);
}

static bool read_operands(const char *name, const char *letters, char **texts,
                          struct operand *operands)
{
    for (int i = 0; i < count_of(letters); i++)
        if (!read_operand((struct place){name, i + 1}, letters[2 * i], texts[i],
                          &operands[i]))
            return false;
    return true;
}

/* ---- instructions ---- */

/* The address of a section's first fragment is known to be a multiple of 4;
 * that of others is checked when it is known. */
static void check_section(void)
{
    unsigned offset = frag_now_fix() & 3;

    if (!(bfd_section_flags(now_seg) & SEC_CODE))
        as_bad(_("instruction in section %s, which is not for instructions"),
               bfd_section_name(now_seg));
    record_alignment(now_seg, 2);
    if (frag_now->has_code ? frag_now->insn_addr != offset
                           : frag_now == frchain_now->frch_root && offset) {
        as_bad(_("instruction address is not a multiple of 4"));
        return;
    }
    frag_now->has_code = 1;
    frag_now->insn_addr = offset;
}

void rtp_frag_check(fragS *frag)
{
    if (frag->has_code && (frag->fr_address + frag->insn_addr) % 4 != 0)
        as_bad_where(frag->fr_file, frag->fr_line,
                     _("instruction address is not a multiple of 4"));
}

static void assemble_insn(const struct rtp_insn *insn, const char *name,
                          char **texts)
{
    struct operand operands[most_operands];
    uint32_t word = (uint32_t)insn->opcode << 26;
    char *at;

    if (!read_operands(name, insn->operands, texts, operands))
        return;
    check_section();
    dwarf2_emit_insn(0);
    at = frag_more(4);
    for (int i = 0; i < count_of(insn->operands); i++) {
        struct operand *o = &operands[i];
        word |= o->bits;
        if (o->open)
            fix_new_exp(frag_now, at - frag_now->fr_literal, 4, &o->expression,
                        o->reloc == BFD_RELOC_16_PCREL, o->reloc);
    }
    md_number_to_chars(at, word, 4);
}

/* The expansion is wrong if a source is the destination, operand 1. */
static void check_distinct(const struct rtp_pseudo *pseudo,
                           const struct operand *operands)
{
    uint32_t destination = operands[0].bits >> rtp_operand('d')->shift;

    for (int i = 1; i < count_of(pseudo->operands); i++) {
        const struct rtp_operand *row = rtp_operand(pseudo->operands[2 * i]);
        if (row->type == RTP_SCALAR &&
            operands[i].bits >> row->shift == destination) {
            as_warn(_("`%s' writes R%u before it has read it: the destination "
                      "must be another register"),
                    pseudo->name, (unsigned)destination);
            return;
        }
    }
}

/* One statement of an expansion, with %1 and so on replaced. */
static char *expand(const char **from, char **texts)
{
    char *text = xstrdup("");

    for (; **from && **from != ';'; ++*from) {
        char one[2] = {**from, 0};
        const char *part = one;
        if (**from == '%')
            part = texts[*++*from - '1'];
        text = reconcat(text, text, part, (char *)NULL);
    }
    if (**from)
        ++*from;
    return text;
}

static void assemble_pseudo(const struct rtp_pseudo *pseudo, char **texts)
{
    struct operand operands[most_operands];

    if (!read_operands(pseudo->name, pseudo->operands, texts, operands))
        return;
    if (pseudo->rule == RTP_DISTINCT)
        check_distinct(pseudo, operands);
    for (const char *from = pseudo->expansion; *from;) {
        char *statement = expand(&from, texts);
        md_assemble(statement + strspn(statement, " "));
        free(statement);
    }
}

/* ---- statements ---- */

static const struct rtp_insn *insn_named(const char *name)
{
    for (const struct rtp_insn *insn = rtp_insns; insn->name; insn++)
        if (strcasecmp(insn->name, name) == 0)
            return insn;
    for (const struct rtp_alias *alias = rtp_aliases; alias->name; alias++)
        if (strcasecmp(alias->name, name) == 0)
            return alias->insn;
    return NULL;
}

static const struct rtp_pseudo *pseudo_named(const char *name)
{
    const struct rtp_pseudo *pseudo = rtp_pseudos;

    while (pseudo->name && strcasecmp(pseudo->name, name) != 0)
        pseudo++;
    return pseudo->name ? pseudo : NULL;
}

/* Cuts `text` at its commas outside of parentheses; how many parts it has. */
static int split(char *text, char **parts)
{
    int n = 0, depth = 0;

    while (ISSPACE(*text))
        text++;
    if (!*text)
        return 0;
    parts[n++] = text;
    for (; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        if (*text != ',' || depth != 0)
            continue;
        *text = 0;
        if (n == most_operands)
            return n;
        parts[n++] = text + 1 + strspn(text + 1, " \t");
    }
    return n;
}

/* Neither the instruction nor the pseudo-instruction has n operands. */
static void refuse_count(const char *name, const struct rtp_insn *insn,
                         const struct rtp_pseudo *pseudo, int n)
{
    const char *first = insn ? insn->operands : pseudo->operands;
    const char *second = insn && pseudo ? pseudo->operands : first;
    const char *wrong =
        n < count_of(first) ? _("missing operand") : _("too many operands");

    if (first == second)
        as_bad(_("%s: expected `%s'"), wrong, rtp_usage(name, first));
    else
        as_bad(_("%s: expected `%s' or `%s'"), wrong, rtp_usage(name, first),
               rtp_usage(name, second));
}

void md_assemble(char *statement)
{
    char *parts[most_operands];
    char *name = xstrndup(statement, strcspn(statement, " \t"));
    char *rest = xstrdup(statement + strlen(name));
    int n = split(rest, parts);
    const struct rtp_insn *insn = insn_named(name);
    const struct rtp_pseudo *pseudo = pseudo_named(name);

    if (insn && n == count_of(insn->operands))
        assemble_insn(insn, name, parts);
    else if (pseudo && n == count_of(pseudo->operands))
        assemble_pseudo(pseudo, parts);
    else if (insn || pseudo)
        refuse_count(name, insn, pseudo, n);
    else
        as_bad(_("unrecognized instruction `%s'"), name);
    free(rest);
    free(name);
}

/* ---- values that were open ---- */

long md_pcrel_from(fixS *fix)
{
    long place = fix->fx_frag->fr_address + fix->fx_where;

    return fix->fx_r_type == BFD_RELOC_16_PCREL ? place + 4 : place;
}

static void check_value(fixS *fix, const char *what, int64_t least,
                        int64_t value)
{
    if (value < least || value > least + 0xffff)
        as_bad_where(fix->fx_file, fix->fx_line,
                     _("%s %" PRId64 " is outside %" PRId64 " to %" PRId64),
                     what, value, least, least + 0xffff);
}

/* The value's bits in the instruction's immediate. */
static uint32_t immediate(fixS *fix, int64_t value)
{
    switch (fix->fx_r_type) {
    case BFD_RELOC_16_PCREL:
        check_value(fix, _("branch distance"), -0x8000, value);
        if (value % 4 != 0)
            as_bad_where(fix->fx_file, fix->fx_line,
                         _("branch target is not at a multiple of 4"));
        break;
    case BFD_RELOC_RTP_S16:
        check_value(fix, _("immediate"), -0x8000, value);
        break;
    case BFD_RELOC_RTP_U16:
        check_value(fix, _("immediate"), 0, value);
        break;
    case BFD_RELOC_HI16:
        return value >> 16 & 0xffff;
    default:
        break;
    }
    return value & 0xffff;
}

void md_apply_fix(fixS *fix, valueT *value, segT section ATTRIBUTE_UNUSED)
{
    char *at = fix->fx_frag->fr_literal + fix->fx_where;

    if (fix->fx_addsy == NULL && !fix->fx_pcrel)
        fix->fx_done = 1;
    if (!fix->fx_done)
        return;
    switch (fix->fx_r_type) {
    case BFD_RELOC_8:
    case BFD_RELOC_16:
    case BFD_RELOC_32:
    case BFD_RELOC_64:
    case BFD_RELOC_32_PCREL:
        md_number_to_chars(at, *value, fix->fx_size);
        break;
    default:
        md_number_to_chars(at, immediate(fix, *(offsetT *)value), 2);
    }
}

arelent *tc_gen_reloc(asection *section ATTRIBUTE_UNUSED, fixS *fix)
{
    arelent *reloc = XNEW(arelent);

    reloc->sym_ptr_ptr = XNEW(asymbol *);
    *reloc->sym_ptr_ptr = symbol_get_bfdsym(fix->fx_addsy);
    reloc->address = fix->fx_frag->fr_address + fix->fx_where;
    reloc->addend = fix->fx_offset;
    if (fix->fx_r_type == BFD_RELOC_32 && fix->fx_pcrel)
        fix->fx_r_type = BFD_RELOC_32_PCREL;
    if (fix->fx_r_type == BFD_RELOC_16_PCREL)
        reloc->addend -= 4;
    reloc->howto = bfd_reloc_type_lookup(stdoutput, fix->fx_r_type);
    if (reloc->howto)
        return reloc;
    as_bad_where(fix->fx_file, fix->fx_line,
                 _("a value of this size must be known when assembling"));
    return NULL;
}

/* ---- the rest that gas asks for ---- */

const char *md_atof(int type, char *to, int *size)
{
    return ieee_md_atof(type, to, size, false);
}

int md_parse_option(int option ATTRIBUTE_UNUSED,
                    const char *argument ATTRIBUTE_UNUSED)
{
    return 0;
}

void md_show_usage(FILE *stream ATTRIBUTE_UNUSED)
{
}
