/*
 * Items of one instruction that computes: integers, floating point, compressed
 * instructions, CSRs; and instructions that are replaced while the program
 * runs.
 */
#include "sim/isa/tests/fuzz_generator.h"

#include <string.h>

/* ---- arithmetic ---- */

/* qemu is right if the lower half has a 1, or the first one is bit 32. */
static void generate_ctzw(struct generator *g, uint32_t word)
{
    unsigned reg = temporary(g, 0);
    uint64_t value = value_integer(&g->random);
    if (value && !(uint32_t)value)
        value |= 1ull << 32;
    begin_whole_item(g);
    emit_literal(g, reg, value);
    emit(g, with_field(word, 15, reg));
    observe_word(g, word);
}

void generate_integer(struct generator *g)
{
    const struct isa_row *row = any_row(g, INTEGER);
    uint32_t word = random_word(g, row);
    if (row == &isa_rows[OP_ctzw]) {
        generate_ctzw(g, word);
        return;
    }
    if (strchr(row->operands, 's'))
        word = with_field(word, 15, source(g));
    if (strchr(row->operands, 't'))
        word =
            with_field(word, 20, once_in(g, 8) ? field(word, 15) : source(g));
    word = (word & ~row->mask) | row->match; /* hints: registers are fixed */
    begin_item(g);
    emit(g, word);
    observe_word(g, word);
}

/* Items that load sources which are awkward together. Returns the word. */
static uint32_t load_operands(struct generator *g, const struct isa_row *row,
                              uint32_t word)
{
    static const struct {
        char letter;
        uint8_t position;
    } sources[] = {{'S', 15}, {'T', 20}, {'R', 27}};
    uint64_t values[3];
    unsigned reg = below(g, 32);
    value_operands(&g->random, (unsigned)(row - isa_rows), values);
    if (strchr(row->operands, 's')) {
        unsigned x = temporary(g, 0);
        begin_item(g);
        emit_literal(g, x, values[0]);
        return with_field(word, 15, x);
    }
    for (int i = 0; i < 3 && strchr(row->operands, sources[i].letter); i++) {
        reg = (reg + 1 + below(g, 10)) % 32;
        begin_item(g);
        emit_float_literal(g, reg, values[i]);
        word = with_field(word, sources[i].position, reg);
    }
    return word;
}

/* Now and then other values, independent of each other. */
static uint32_t refresh_operands(struct generator *g, const struct isa_row *row,
                                 uint32_t word)
{
    if (strchr(row->operands, 's'))
        word = with_field(word, 15, source(g));
    if (strchr(row->operands, 'S') && once_in(g, 2))
        refresh_float(g, field(word, 15));
    if (strchr(row->operands, 'T') && once_in(g, 2))
        refresh_float(g, field(word, 20));
    if (strchr(row->operands, 'R') && once_in(g, 2))
        refresh_float(g, field(word, 27));
    return word;
}

/* Flags all lowered, or inexact alone raised, as for most instructions. */
static void set_flags(struct generator *g)
{
    unsigned flags[] = {0, 0, 1, 1, below(g, 32)};
    begin_item(g);
    emit(g, i_type(OP_csrrwi, 0, flags[below(g, 5)], CSR_FFLAGS));
}

static void observe_flags(struct generator *g)
{
    unsigned t = temporary(g, 0);
    begin_item(g);
    emit(g, i_type(OP_csrrs, t, 0, once_in(g, 4) ? CSR_FCSR : CSR_FFLAGS));
    emit_fold(g, t);
}

void generate_float(struct generator *g)
{
    const struct isa_row *row = any_row(g, FLOAT);
    uint32_t word = random_word(g, row);
    word = once_in(g, 2) ? load_operands(g, row, word)
                         : refresh_operands(g, row, word);
    bool flags = below(g, 3);
    if (flags)
        set_flags(g);
    begin_item(g);
    emit(g, word);
    if (flags)
        observe_flags(g);
    observe_word(g, word);
}

/* ---- compressed instructions ---- */

/* Instructions that generate_compressed leaves to others. */
static bool leaves_the_block(const struct isa_insn *insn)
{
    return insn->cls == ISA_CLASS_branch || insn->cls == ISA_CLASS_jump ||
           insn->cls == ISA_CLASS_system;
}

static bool accesses_memory(const struct isa_insn *insn)
{
    return insn->cls == ISA_CLASS_load || insn->cls == ISA_CLASS_store;
}

/* A legal word that may stand here. */
static struct isa_insn random_compressed(struct generator *g)
{
    struct isa_insn insn;
    bool fits;
    do {
        uint32_t word =
            ((uint32_t)bits(g) & 0x1ffc) | below(g, 8) << 13 | below(g, 3);
        fits = isa_decode(word, &g->profile, &insn) &&
               !leaves_the_block(&insn) && may_write(g, (uint32_t)insn.writes);
        if (fits && accesses_memory(&insn) && insn.rs1 != g->data)
            fits = may_write(g, bit(insn.rs1));
    } while (!fits);
    return insn;
}

/* Bytes that a compressed load or store accesses. */
static unsigned compressed_size(const struct generator *g, uint32_t word)
{
    unsigned function = word >> 13 & 3;
    bool single = function == 2 || (function == 3 && g->profile.xlen == 32);
    return single ? 4 : 8;
}

void generate_compressed(struct generator *g)
{
    struct isa_insn insn = random_compressed(g);
    if (!accesses_memory(&insn) && insn.rs1 && once_in(g, 4) &&
        may_write(g, bit(insn.rs1)))
        refresh(g, insn.rs1);
    begin_item(g);
    if (accesses_memory(&insn) && insn.rs1 != g->data) {
        bool store = insn.cls == ISA_CLASS_store;
        unsigned size = compressed_size(g, insn.raw);
        uint32_t offset = random_offset(g, size, store);
        emit_address(g, insn.rs1, DATA_ADDRESS + offset - (uint32_t)insn.imm);
    }
    emit(g, insn.raw);
    observe_word(g, insn.raw);
}

/* ---- control and status ---- */

/* To nearest even, as almost always, or any. */
static unsigned legal_rounding(struct generator *g)
{
    return once_in(g, 2) ? 0 : below(g, 5);
}

static void emit_legal_rounding(struct generator *g)
{
    emit(g, i_type(OP_csrrwi, 0, (int)legal_rounding(g), CSR_FRM));
}

/* A rounding mode of its own, while frm may hold a reserved one. */
static void emit_static_float(struct generator *g)
{
    const struct isa_row *row = any_row(g, FLOAT);
    uint32_t word = random_word(g, row);
    if (strchr(row->operands, 'm'))
        word = (word & ~0x7000u) | below(g, 5) << 12;
    emit(g, word);
}

/* Any value may go to fflags; what may break frm is repaired. */
static void generate_any_csr(struct generator *g)
{
    const struct isa_row *row = any_row(g, CSR);
    uint32_t word = random_word(g, row);
    unsigned csr = CSR_FFLAGS + below(g, 3);
    if (strchr(row->operands, 's'))
        word = with_field(word, 15, once_in(g, 4) ? 0 : source(g));
    begin_item(g);
    emit(g, (word & 0xfffff) | csr << 20);
    if (csr != CSR_FFLAGS) {
        if (once_in(g, 3))
            emit_static_float(g);
        if (once_in(g, 3))
            emit(g, i_type(OP_csrrs, field(word, 7), 0, (int)csr));
        emit_legal_rounding(g);
    }
    observe_word(g, word);
}

/* Sets the rounding mode, by frm or by fcsr with some flags. */
static void generate_legal_csr(struct generator *g)
{
    unsigned rd = destination(g), t = temporary(g, 0);
    begin_item(g);
    if (once_in(g, 2)) {
        emit(g, i_type(OP_csrrwi, rd, (int)legal_rounding(g), CSR_FRM));
    } else {
        emit_literal(
            g, t, (bits(g) & ~0xffull) | legal_rounding(g) << 5 | below(g, 32));
        emit(g, i_type(OP_csrrw, rd, t, CSR_FCSR));
    }
    observe(g, rd);
}

/* Reads a counter into x0: its value differs from executor to executor by
 * nature, and only that it can be read is tested. */
static void generate_counter(struct generator *g)
{
    unsigned upper = g->profile.xlen == 32 && once_in(g, 2) ? 0x80 : 0;
    begin_item(g);
    emit(g, i_type(OP_csrrs, 0, 0, (int)(CSR_CYCLE + below(g, 3) + upper)));
}

void generate_csr(struct generator *g)
{
    switch (below(g, 5)) {
    case 0:
        generate_counter(g);
        break;
    case 1:
    case 2:
        generate_legal_csr(g);
        break;
    default:
        generate_any_csr(g);
    }
}

void generate_fence(struct generator *g)
{
    begin_item(g);
    emit(g, random_word(g, any_row(g, FENCE)));
}

void generate_write(struct generator *g)
{
    enum { SYS_WRITE = 64, STDOUT = 1 };
    unsigned size = 1 + below(g, 32);
    if (!may_write(g, bit(A0) | bit(A0 + 1) | bit(A0 + 2) | bit(A7)))
        return;
    begin_whole_item(g);
    emit(g, i_type(OP_addi, A0, 0, STDOUT));
    emit_address(g, A0 + 1, DATA_ADDRESS + random_offset(g, 32, false));
    emit(g, i_type(OP_addi, A0 + 2, 0, (int)size));
    emit(g, i_type(OP_addi, A7, 0, SYS_WRITE));
    emit(g, isa_rows[OP_ecall].match);
    observe(g, A0);
}

/* Replaces the item's only word; in a loop it was executed before. */
static void patch_item(struct generator *g, uint32_t item, uint32_t word)
{
    unsigned p = temporary(g, 0), t = temporary(g, bit(p));
    begin_whole_item(g);
    last_item(g)->needs = (int32_t)item;
    emit_literal(g, t, word);
    emit_linked(g, u_type(OP_auipc, p, 0), LINK_HIGH, TO_ITEM, item);
    emit_linked(g, s_type(OP_sw, t, p, 0), LINK_LOW_STORE, TO_ITEM, item);
    emit(g, isa_rows[OP_fence_i].match);
    g->program->patches = true;
}

uint32_t random_plain_word(struct generator *g)
{
    return random_word(g, &isa_rows[below(g, 2) ? OP_addi : OP_xori]);
}

void generate_patch(struct generator *g)
{
    uint32_t old = random_plain_word(g), word = random_plain_word(g);
    g->called |= bit(word >> 7 & 31);
    bool before = once_in(g, 2);
    if (before)
        patch_item(g, next_item(g) + 1, word);
    begin_whole_item(g);
    emit(g, old);
    if (!before)
        patch_item(g, next_item(g) - 1, word);
    observe_word(g, word);
}
