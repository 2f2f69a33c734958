/*
 * Records and lines of the commit log. The registers of a line come in the
 * order of Spike's keys (see add); nothing else in it is more than printing.
 */
#include "sim/isa/commit.h"
#include "sim/isa/csr.h"
#include "sim/isa/rows.h"

#include <stdio.h>
#include <string.h>

/*
 * CSRs that the log treats in a way of its own, by their numbers in the manual.
 */
enum csr_number {
    FFLAGS = 0x001,
    FRM = 0x002,
    FCSR = 0x003,
    MSTATUS = 0x300,
    MSTATUSH = 0x310,
};

/* CSRs that are constants in Spike: it does not log writes to them. */
static const struct {
    uint16_t first, last;
} constant[] = {
    {0x3a4, 0x3af}, /* pmpcfg4 and above: there are 16 regions */
    {0x3c0, 0x3ef}, /* pmpaddr16 and above */
    {0x7a1, 0x7a8}, /* tdata1 to mcontext, without triggers */
    {0xb03, 0xb1f}, /* mhpmcounter3 to 31 */
    {0xb83, 0xb9f}, /* and their upper halves */
};

/* ---- records ---- */

/* The row without its XLEN. */
static enum isa_op row_of(const struct isa_commit *c)
{
    return (enum isa_op)(c->op % OP_ROWS);
}

static bool is_csr_insn(const struct isa_commit *c)
{
    return strchr(isa_rows[row_of(c)].operands, 'E');
}

/* csrrs and csrrc with x0, or 0, only read. */
static bool writes_csr(const struct isa_commit *c, const struct isa_insn *insn)
{
    enum isa_op row = row_of(c);
    return is_csr_insn(c) &&
           (row == OP_csrrw || row == OP_csrrwi || insn->rs1 != 0);
}

/* Does Spike log no write to this CSR? */
static bool is_constant(unsigned csr)
{
    for (size_t i = 0; i < sizeof constant / sizeof *constant; i++)
        if (csr >= constant[i].first && csr <= constant[i].last)
            return true;
    return false;
}

void isa_commit_begin(struct isa_commit *c, struct isa_hart *hart,
                      const struct isa_insn *insn)
{
    *c = (struct isa_commit){
        .pc = hart->pc,
        .writes = insn->writes,
        .raw = insn->raw,
        .op = insn->op,
        .rd = insn->rd,
        .len = insn->len,
        .xlen = hart->xlen,
        .flen = isa_has(hart->extensions, ISA_EXT_d) ? 64 : 32,
        .fflags = hart->fflags,
    };
    if (row_of(c) == OP_mret)
        c->csr = MSTATUS;
    else if (writes_csr(c, insn) && !is_constant((unsigned)insn->imm))
        c->csr = (uint16_t)insn->imm;
    if (!is_csr_insn(c))
        hart->fflags = 0;
}

/* Flags that the instruction has raised are shown; the hart gets back those
 * that it had before. A CSR instruction may read and write the flags itself, so
 * they are left alone. */
static void end_flags(struct isa_commit *c, struct isa_hart *hart)
{
    if (is_csr_insn(c))
        return;
    if (hart->fflags)
        c->items |= ISA_COMMIT_FLAGS;
    c->fflags |= hart->fflags;
    hart->fflags = c->fflags;
}

/* In the order of their bits: x registers, then f registers, by number. */
static void take_registers(struct isa_commit *c, const struct isa_hart *hart)
{
    unsigned i = 0;
    for (uint64_t w = c->writes; w && i < ISA_COMMIT_REGISTERS; w &= w - 1) {
        unsigned number = (unsigned)__builtin_ctzll(w);
        c->registers[i++] =
            number < 32 ? hart->x[number] : hart->f[number - 32];
    }
}

/* What was written is what can be read a cycle later: mcycle counts on. */
static void take_csr(struct isa_commit *c, struct isa_hart *hart)
{
    hart->cycle++;
    if (c->csr && isa_csr(hart, c->csr, CSR_SET, 0, false, &c->csr_value))
        c->items |= ISA_COMMIT_CSR;
    hart->cycle--;
}

/* A store is complete as it is issued, the others when memory has answered.
 * Whether sc has stored is known only then. */
static enum isa_commit_state take_access(struct isa_commit *c,
                                         const struct isa_effect *effect)
{
    c->address = effect->address;
    c->value = effect->value;
    c->access = effect->access;
    c->size = effect->size;
    if (effect->access == ISA_STORE) {
        c->items |= ISA_COMMIT_STORE;
        return ISA_COMMIT_DONE;
    }
    if (effect->access != ISA_SC)
        c->items |= ISA_COMMIT_LOAD;
    return ISA_COMMIT_WAITS;
}

enum isa_commit_state isa_commit_executed(struct isa_commit *c,
                                          struct isa_hart *hart,
                                          enum isa_outcome outcome,
                                          const struct isa_effect *effect)
{
    end_flags(c, hart);
    switch (outcome) {
    case ISA_ECALL:
    case ISA_EBREAK:
    case ISA_FAULT:
        return ISA_COMMIT_NONE;
    case ISA_UNIT:
        return ISA_COMMIT_WAITS;
    case ISA_ACCESS:
        return take_access(c, effect);
    default:
        take_registers(c, hart);
        take_csr(c, hart);
        return ISA_COMMIT_DONE;
    }
}

static bool is_amo(const struct isa_commit *c)
{
    return c->access > ISA_SC;
}

void isa_commit_finish(struct isa_commit *c, const struct isa_hart *hart,
                       uint64_t value)
{
    take_registers(c, hart);
    if (is_amo(c))
        c->value = isa_amo(c->access, c->size, value, c->value);
    if (is_amo(c) || (c->access == ISA_SC && !value))
        c->items |= ISA_COMMIT_STORE;
}

/* ---- the register items of a line ---- */

/* The low bits of Spike's keys: what sort of register an item is. */
enum kind { KIND_X = 0, KIND_F = 1, KIND_CSR = 4 };

/* A register or CSR in a line, with its new value. */
struct item {
    unsigned key; /* number << 4 | enum kind */
    uint64_t value;
};

/* A CSR instruction writes at most fcsr, which is two, and rd. */
struct items {
    struct item list[ISA_COMMIT_REGISTERS + 3];
    unsigned count;
};

/* Spike prints a std::map by its keys. */
static void add(struct items *items, unsigned number, enum kind kind,
                uint64_t value)
{
    unsigned key = number << 4 | kind, at = items->count++;
    for (; at > 0 && items->list[at - 1].key > key; at--)
        items->list[at] = items->list[at - 1];
    items->list[at] = (struct item){key, value};
}

/* Spike writes the halves of fcsr one by one. */
static void add_csr(struct items *items, const struct isa_commit *c)
{
    enum { FLAGS_BITS = 5 };
    if (c->csr == FCSR) {
        add(items, FRM, KIND_CSR, c->csr_value >> FLAGS_BITS);
        add(items, FFLAGS, KIND_CSR, c->csr_value % (1 << FLAGS_BITS));
        return;
    }
    add(items, c->csr, KIND_CSR, c->csr_value);
    if (row_of(c) == OP_mret && c->xlen == 32)
        add(items, MSTATUSH, KIND_CSR, 0);
}

/* All that the instruction wrote, in the order in which it is printed. */
static void collect(struct items *items, const struct isa_commit *c)
{
    unsigned i = 0;
    items->count = 0;
    if (c->items & ISA_COMMIT_CSR)
        add_csr(items, c);
    for (uint64_t w = c->writes; w && i < ISA_COMMIT_REGISTERS; w &= w - 1) {
        unsigned number = (unsigned)__builtin_ctzll(w);
        add(items, number % 32, number < 32 ? KIND_X : KIND_F,
            c->registers[i++]);
    }
    if (c->items & ISA_COMMIT_FLAGS)
        add(items, FFLAGS, KIND_CSR, c->fflags);
}

/* ---- text ---- */

/* "0x" and the low bits of value. */
static char *put_hex(char *at, uint64_t value, unsigned bits)
{
    *at++ = '0';
    *at++ = 'x';
    for (unsigned shift = bits; shift > 0; shift -= 4)
        *at++ = "0123456789abcdef"[value >> (shift - 4) & 15];
    return at;
}

/* Returns where the text ends, like all that begin with put_. */
static char *put_text(char *at, const char *text)
{
    size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

/* " x5 0x...", " f5 0x..." or " c1_fflags 0x...": an f register with as many
 * bits as the widest format has, all else with XLEN bits. */
static char *put_item(char *at, const struct item *item,
                      const struct isa_commit *c)
{
    unsigned number = item->key >> 4, kind = item->key & 15;
    if (kind == KIND_CSR) {
        char name[24];
        isa_csr_name(number, name, sizeof name);
        at += sprintf(at, " c%u_%s ", number, name);
    } else {
        at += sprintf(at, " %c%-2u ", kind == KIND_F ? 'f' : 'x', number);
    }
    return put_hex(at, item->value, kind == KIND_F ? c->flen : c->xlen);
}

static char *put_address(char *at, const struct isa_commit *c)
{
    return put_hex(put_text(at, " mem "), c->address, c->xlen);
}

size_t isa_commit_line(const struct isa_commit *c, uint32_t hart,
                       char line[ISA_COMMIT_LINE])
{
    struct items items;
    char *at = line + sprintf(line, "core%4d: 3 ", (int)hart);
    at = put_hex(at, c->pc, c->xlen);
    at = put_hex(put_text(at, " ("), c->raw, 8u * c->len);
    *at++ = ')';
    collect(&items, c);
    for (unsigned i = 0; i < items.count; i++)
        at = put_item(at, &items.list[i], c);
    if (c->items & ISA_COMMIT_LOAD)
        at = put_address(at, c);
    if (c->items & ISA_COMMIT_STORE)
        at = put_hex(put_text(put_address(at, c), " "), c->value, 8u * c->size);
    *at++ = '\n';
    return (size_t)(at - line);
}
