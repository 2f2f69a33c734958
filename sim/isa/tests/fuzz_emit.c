/*
 * What programs are made of: items and their words, random choices, and the
 * pieces of items that load operands and observe results.
 */
#include "sim/isa/tests/fuzz_generator.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists that grow ---- */

/* Room for one more element; ends the process if there is no memory. */
static void *grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? 2 * *room : 256;
    array = realloc(array, *room * size);
    if (!array) {
        fputs("isa-fuzz: out of memory\n", stderr);
        exit(2);
    }
    return array;
}

struct item *last_item(struct generator *g)
{
    return &g->program->items[g->program->item_count - 1];
}

struct slot *last_slot(struct generator *g)
{
    return &g->program->slots[g->program->slot_count - 1];
}

uint32_t next_item(const struct generator *g)
{
    return (uint32_t)g->program->item_count;
}

uint32_t begin_item(struct generator *g)
{
    struct program *p = g->program;
    p->items = grow(p->items, p->item_count, &p->item_room, sizeof *p->items);
    p->items[p->item_count++] = (struct item){
        .first = (uint32_t)p->slot_count, .needs = -1, .kept = true};
    return next_item(g) - 1;
}

void begin_whole_item(struct generator *g)
{
    begin_item(g);
    last_item(g)->whole = true;
}

void emit(struct generator *g, uint32_t word)
{
    struct program *p = g->program;
    p->slots = grow(p->slots, p->slot_count, &p->slot_room, sizeof *p->slots);
    p->slots[p->slot_count++] = (struct slot){.word = word, .kept = true};
    last_item(g)->count++;
    g->cost += g->repeats;
}

void emit_linked(struct generator *g, uint32_t word, enum link link,
                 enum target target, uint32_t number)
{
    emit(g, word);
    last_slot(g)->link = (uint8_t)link;
    last_slot(g)->target = (uint8_t)target;
    last_slot(g)->number = number;
}

static uint32_t add_literal(struct generator *g, uint64_t value)
{
    struct program *p = g->program;
    p->literals = grow(p->literals, p->literal_count, &p->literal_room,
                       sizeof *p->literals);
    p->literals[p->literal_count] = (struct literal){value, true};
    return (uint32_t)p->literal_count++;
}

/* ---- random choices ---- */

uint64_t bits(struct generator *g)
{
    return random_bits(&g->random);
}

unsigned below(struct generator *g, unsigned n)
{
    return random_below(&g->random, n);
}

bool once_in(struct generator *g, unsigned n)
{
    return random_once_in(&g->random, n);
}

/* The number of a random bit that is set in the mask. */
static unsigned pick(struct generator *g, uint32_t mask)
{
    unsigned n = below(g, (unsigned)__builtin_popcount(mask));
    while (n--)
        mask &= mask - 1;
    return (unsigned)__builtin_ctz(mask);
}

unsigned temporary(struct generator *g, uint32_t avoid)
{
    return pick(g, g->writable & ~avoid & ~1u);
}

unsigned destination(struct generator *g)
{
    return once_in(g, 16) ? 0 : pick(g, g->writable);
}

bool may_write(const struct generator *g, uint32_t mask)
{
    return !(mask & ~g->writable);
}

uint32_t bit(unsigned n)
{
    return 1u << n;
}

/* ---- words ---- */

uint32_t r_type(enum isa_op op, unsigned rd, unsigned rs1, unsigned rs2)
{
    return isa_rows[op].match | rd << 7 | rs1 << 15 | rs2 << 20;
}

uint32_t i_type(enum isa_op op, unsigned rd, unsigned rs1, int imm)
{
    return r_type(op, rd, rs1, 0) | (uint32_t)imm << 20;
}

uint32_t s_type(enum isa_op op, unsigned rs2, unsigned rs1, int imm)
{
    uint32_t u = (uint32_t)imm;
    return r_type(op, 0, rs1, rs2) | (u >> 5 & 127) << 25 | (u & 31) << 7;
}

uint32_t u_type(enum isa_op op, unsigned rd, uint32_t value)
{
    return isa_rows[op].match | rd << 7 | (value & 0xfffff000);
}

uint32_t with_field(uint32_t word, unsigned position, unsigned reg)
{
    return (word & ~(31u << position)) | reg << position;
}

unsigned field(uint32_t word, unsigned position)
{
    return word >> position & 31;
}

enum isa_op load_op(const struct generator *g)
{
    return g->profile.xlen == 64 ? OP_ld : OP_lw;
}

enum isa_op store_op(const struct generator *g)
{
    return g->profile.xlen == 64 ? OP_sd : OP_sw;
}

unsigned access_size(uint32_t word)
{
    return 1u << (word >> 12 & 3);
}

const struct isa_row *any_row(struct generator *g, enum kind kind)
{
    const struct row_list *list = &g->lists[kind];
    return &isa_rows[list->rows[below(g, list->count)]];
}

uint32_t random_word(struct generator *g, const struct isa_row *row)
{
    static const uint32_t modes[] = {7, 7, 7, 7, 0, 0, 1, 2, 3, 4};
    uint32_t word = ((uint32_t)bits(g) & ~row->mask) | row->match;
    if (row->operands[0] == 'd')
        word = with_field(word, 7, destination(g));
    if (strchr(row->operands, 'm'))
        word = (word & ~0x7000u) | modes[below(g, 10)] << 12;
    if (g->profile.xlen == 32 && strchr(row->operands, '>'))
        word &= ~bit(25);
    return word;
}

/* ---- pieces of items ---- */

int emit_address_high(struct generator *g, unsigned reg, uint32_t value)
{
    bool lanes = g->program->lanes;
    if (lanes) /* each has an area of its own */
        value -= DATA_ADDRESS + DATA_POINTER;
    emit(g, u_type(OP_lui, reg, value + 0x800));
    if (lanes)
        emit(g, r_type(OP_add, reg, reg, g->data));
    return (int)(value << 20) >> 20;
}

void emit_address(struct generator *g, unsigned reg, uint32_t value)
{
    int low = emit_address_high(g, reg, value);
    emit(g, i_type(OP_addi, reg, reg, low));
}

void emit_literal(struct generator *g, unsigned reg, uint64_t value)
{
    uint32_t number = add_literal(g, value);
    emit_linked(g, u_type(OP_auipc, reg, 0), LINK_HIGH, TO_LITERAL, number);
    emit_linked(g, i_type(load_op(g), reg, reg, 0), LINK_LOW_LOAD, TO_LITERAL,
                number);
}

void emit_float_literal(struct generator *g, unsigned reg, uint64_t value)
{
    unsigned t = temporary(g, 0);
    uint32_t number = add_literal(g, value);
    emit_linked(g, u_type(OP_auipc, t, 0), LINK_HIGH, TO_LITERAL, number);
    emit_linked(g, i_type(OP_fld, reg, t, 0), LINK_LOW_LOAD, TO_LITERAL,
                number);
}

/* An entry of the pool of awkward values, as seen from the data register. */
static int pool_offset(struct generator *g)
{
    unsigned entries = (DATA_SCRATCH - DATA_POOL) / 8;
    return DATA_POOL + 8 * (int)below(g, entries) - DATA_POINTER;
}

void refresh(struct generator *g, unsigned reg)
{
    begin_item(g);
    switch (below(g, 6)) {
    case 0:
        emit_literal(g, reg, value_integer(&g->random));
        break;
    case 1:
        emit(g, i_type(OP_addi, reg, 0, (int)below(g, 9) - 4));
        break;
    default:
        emit(g, i_type(load_op(g), reg, g->data, pool_offset(g)));
    }
}

void refresh_float(struct generator *g, unsigned reg)
{
    enum isa_op load = once_in(g, 4) ? OP_flw : OP_fld;
    begin_item(g);
    emit(g, i_type(load, reg, g->data, pool_offset(g)));
}

unsigned source(struct generator *g)
{
    if (below(g, 5) < 3)
        return below(g, 32);
    unsigned reg = temporary(g, 0);
    refresh(g, reg);
    return reg;
}

void emit_fold(struct generator *g, unsigned reg)
{
    unsigned c = g->check;
    switch (below(g, 3)) {
    case 0:
        emit(g, r_type(OP_xor, c, c, reg));
        break;
    case 1:
        emit(g, r_type(OP_add, c, c, reg));
        break;
    default:
        emit(g, r_type(OP_sub, c, reg, c));
    }
    if (once_in(g, 4))
        emit(g, i_type(OP_rori, c, c, 1 + (int)below(g, g->profile.xlen - 1)));
}

void observe(struct generator *g, unsigned reg)
{
    if (!reg || once_in(g, 3))
        return;
    begin_item(g);
    emit_fold(g, reg);
}

/* RV32 has no move of 64 bits to x registers: the value takes its way over
 * memory. */
static void observe_float(struct generator *g, unsigned reg)
{
    if (once_in(g, 3))
        return;
    unsigned t = temporary(g, 0);
    begin_item(g);
    if (g->profile.xlen == 64) {
        emit(g, i_type(OP_fmv_x_d, t, reg, 0));
        emit_fold(g, t);
        return;
    }
    emit(g, s_type(OP_fsd, reg, g->data, SPILL - DATA_POINTER));
    for (int half = 0; half < 8; half += 4) {
        emit(g, i_type(OP_lw, t, g->data, SPILL + half - DATA_POINTER));
        emit_fold(g, t);
    }
}

void observe_word(struct generator *g, uint32_t word)
{
    struct isa_insn insn;
    isa_decode(word, &g->profile, &insn);
    if ((uint32_t)insn.writes)
        observe(g, insn.rd);
    else if (insn.writes)
        observe_float(g, insn.rd);
}
