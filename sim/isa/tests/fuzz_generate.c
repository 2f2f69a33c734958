/*
 * Generates programs. Most items are one instruction of the table on awkward
 * operands; around it others load the operands, clear and read flags, and fold
 * the result into a checksum register, so that hardly any result is lost.
 * Blocks of items nest in loops and functions.
 *
 * What keeps a program from running away: two registers, the data pointer and
 * the checksum, are never written; a loop's counter not by its body, a
 * link register not by its function unless it is saved; branches go forward
 * within their block, or to the head of a loop that counts; a function calls
 * only those that were generated before it. `writable` has the registers that
 * may be written at a place.
 *
 * Left out: ecall but for write, ebreak, mret, wfi, counters' values, which
 * differ by nature or end a program under qemu. ctzw gets operands on which
 * qemu 7.2 is right: it counts zeros beyond bit 32. sc comes after an lr of the
 * same size and address, or of another 64 bytes: what qemu reserves is an
 * address and its value, what we reserve are 64 bytes.
 */
#include "sim/isa/tests/fuzz_generator.h"

#include <stdlib.h>
#include <string.h>

/* ---- functions ---- */

/* Stores or loads a function's link register, each function in a place of its
 * own. */
static void emit_saved(struct generator *g, bool store, unsigned link)
{
    int offset = DATA_SAVED + 8 * (int)g->function_count - DATA_POINTER;
    emit(g, store ? s_type(store_op(g), link, g->data, offset)
                  : i_type(load_op(g), link, g->data, offset));
}

/* Back to the caller by one of the ways there are. */
static void emit_return(struct generator *g, unsigned link)
{
    int imm = (int)below(g, 4095) - 2047;
    switch (below(g, 4)) {
    case 0:
        emit(g, C_JR | link << 7);
        break;
    case 1: /* bit 0 does not count */
        emit(g, i_type(OP_ori, link, link, 1));
        emit(g, once_in(g, 2) ? C_JR | link << 7 : i_type(OP_jalr, 0, link, 0));
        break;
    case 2:
        emit(g, i_type(OP_addi, link, link, -imm));
        emit(g, i_type(OP_jalr, destination(g), link, imm));
        break;
    default:
        emit(g, i_type(OP_jalr, destination(g), link, 0));
    }
}

/* Registers other than the checksum. */
static uint32_t written_by(const struct generator *g, uint32_t first_slot)
{
    uint64_t written = 0;
    for (size_t i = first_slot; i < g->program->slot_count; i++) {
        struct isa_insn insn;
        isa_decode(g->program->slots[i].word, &g->profile, &insn);
        written |= insn.writes;
    }
    return (uint32_t)written & ~bit(g->check);
}

/* A function: it may call those generated before it, never itself. What it
 * clobbers is found by decoding what was emitted. */
static void generate_function(struct generator *g, unsigned count)
{
    struct program *p = g->program;
    uint32_t all = g->writable, first = (uint32_t)p->slot_count;
    unsigned link = g->program->lanes || once_in(g, 2) ? RA : temporary(g, 0);
    bool saved = once_in(g, 2);
    if (!may_write(g, bit(link)))
        link = temporary(g, 0);
    /* The few that compressed instructions know, and few others. */
    // NOLINTNEXTLINE(misc-redundant-expression): bits() draws anew
    g->writable &= 0xff01 | ((uint32_t)bits(g) & (uint32_t)bits(g));
    g->writable = saved ? g->writable | bit(link) : g->writable & ~bit(link);
    g->cost = 0;
    g->called = 0;
    g->left = (int)count;
    uint32_t begin = begin_item(g);
    if (saved)
        emit_saved(g, true, link);
    generate_block(g, count);
    begin_whole_item(g);
    if (saved)
        emit_saved(g, false, link);
    emit_return(g, link);
    last_item(g)->needs = (int32_t)begin;
    p->items[begin].needs = (int32_t)next_item(g) - 1;
    p->items[begin].whole = true;
    p->functions[g->function_count] =
        (struct section){.begin = begin, .end = next_item(g)};
    g->functions[g->function_count++] = (struct function){
        .clobbers = written_by(g, first) | g->called | bit(link),
        .link = link,
        .cost = g->cost,
        .begin = (int32_t)begin,
    };
    g->writable = all;
}

/* ---- the program ---- */

static enum kind kind_of(const struct isa_row *row)
{
    switch (row->cls) {
    case ISA_CLASS_branch:
        return BRANCH;
    case ISA_CLASS_load:
        return LOAD;
    case ISA_CLASS_store:
        return STORE;
    case ISA_CLASS_amo:
        return ATOMIC;
    case ISA_CLASS_fence:
        return FENCE;
    case ISA_CLASS_alu:
        return strchr(row->operands, 'E') ? CSR : INTEGER;
    case ISA_CLASS_imul:
    case ISA_CLASS_idiv:
        return INTEGER;
    default:
        return FLOAT;
    }
}

/* qemu 7.2 has no Zicbom. */
bool row_generated(unsigned op, unsigned xlen)
{
    const struct isa_row *row = &isa_rows[op];
    return op != OP_illegal && row->shape == SHAPE_base &&
           row->extension != ISA_EXT_zicbom &&
           (row->cls != ISA_CLASS_system || op == OP_ecall) &&
           (!row->xlen || row->xlen == xlen);
}

static void fill_lists(struct generator *g)
{
    for (unsigned op = 0; op < OP_ROWS; op++) {
        const struct isa_row *row = &isa_rows[op];
        if (!row_generated(op, g->profile.xlen) || row->cls == ISA_CLASS_jump ||
            row->cls == ISA_CLASS_system)
            continue;
        struct row_list *list = &g->lists[kind_of(row)];
        list->rows[list->count++] = (uint16_t)op;
    }
}

/* Awkward values everywhere, but 0 where the program leaves its results. */
static void fill_data(struct generator *g)
{
    struct program *p = g->program;
    for (unsigned at = 0; at < DATA_SIZE; at += 8) {
        bool integer = at < DATA_F || (at >= DATA_POOL && once_in(g, 2));
        uint64_t value =
            integer ? value_integer(&g->random) : value_float(&g->random);
        if (at >= DATA_FCSR && at < DATA_POOL)
            value = 0;
        memcpy(&p->data[at], &value, sizeof value);
    }
    memset(p->data_kept, true, sizeof p->data_kept);
    memset(p->x_kept, true, sizeof p->x_kept);
    memset(p->f_kept, true, sizeof p->f_kept);
}

void program_generate(struct program *program, unsigned xlen, uint64_t seed,
                      unsigned count, unsigned lanes)
{
    struct generator g = {
        .random = {seed * 2 + (xlen == 64)},
        .program = program,
        .profile = {ISA_ALL_EXTENSIONS, (uint8_t)xlen},
        .repeats = 1,
    };
    *program = (struct program){.xlen = xlen, .seed = seed, .lanes = lanes};
    fill_lists(&g);
    g.data = 1 + below(&g, 31);
    g.check = 1 + (g.data + below(&g, 30)) % 31;
    g.hot = DATA_SCRATCH + below(&g, DATA_SIZE - DATA_SCRATCH - 256);
    g.writable = ~(bit(g.data) | bit(g.check));
    program->data_register = g.data;
    fill_data(&g);
    for (int i = 0; i < FUNCTIONS; i++)
        generate_function(&g, count / (4 * FUNCTIONS) + 1);
    program->body.begin = next_item(&g);
    g.left = (int)(count - count / 4);
    g.cost = 0;
    while (g.left > 0)
        generate_block(&g, count);
    program->body.end = next_item(&g);
}

void program_free(struct program *program)
{
    free(program->slots);
    free(program->items);
    free(program->literals);
    *program = (struct program){0};
}

bool item_present(const struct program *program, size_t number)
{
    const struct item *item = &program->items[number];
    return item->kept && (item->needs < 0 || program->items[item->needs].kept);
}
