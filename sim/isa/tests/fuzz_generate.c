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
#include "sim/isa/rows.h"
#include "sim/isa/tests/fuzz.h"

#include <stdlib.h>
#include <string.h>

/* Registers by their ABI names, the dynamic rounding mode, and limits that keep
 * a program's run short. */
enum {
    RA = 1,
    SP = 2,
    A0 = 10,
    A7 = 17,
    DYNAMIC = 7,
    GRANULE = 64,
    SPILL = DATA_SAVED + 8 * FUNCTIONS, /* doubles on their way to x, RV32 */
    MOST_REPEATS = 40,                  /* of a place in nested loops */
    MOST_CALL_COST = 3000,              /* instructions, with repeats */
    PENDING = 16,
};

enum { CSR_FFLAGS = 1, CSR_FRM = 2, CSR_FCSR = 3, CSR_CYCLE = 0xc00 };

/* What is done with a row: each kind has a function that generates it. */
enum kind { INTEGER, FLOAT, LOAD, STORE, ATOMIC, CSR, FENCE, BRANCH, KINDS };

/* Rows of one kind, from which one is picked at random. */
struct row_list {
    uint16_t rows[OP_ROWS];
    unsigned count;
};

/* What a caller has to know of a function. */
struct function {
    uint32_t clobbers; /* x registers, the link register too */
    unsigned link;
    uint64_t cost; /* instructions executed, at most */
    int32_t begin; /* item */
};

/* The state of generating one program, up to the place where it is. */
struct generator {
    struct random random;
    struct program *program;
    struct isa_profile profile;
    struct row_list lists[KINDS];
    struct function functions[FUNCTIONS];
    unsigned function_count; /* generated so far */
    uint32_t writable;       /* x registers that may be written here, and x0 */
    unsigned data, check;    /* data pointer, checksum */
    unsigned repeats;        /* of the current place, at most */
    uint64_t cost;           /* instructions executed so far, at most */
    uint32_t called; /* clobbers of functions called and words patched so far */
    unsigned depth;  /* of loops */
    int left;        /* main instructions still to be generated */
    unsigned hot;    /* offset of data that is accessed often */
};

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

static struct item *last_item(struct generator *g)
{
    return &g->program->items[g->program->item_count - 1];
}

static struct slot *last_slot(struct generator *g)
{
    return &g->program->slots[g->program->slot_count - 1];
}

static uint32_t next_item(const struct generator *g)
{
    return (uint32_t)g->program->item_count;
}

/* What is emitted from now on belongs to a new item. Returns its number. */
static uint32_t begin_item(struct generator *g)
{
    struct program *p = g->program;
    p->items = grow(p->items, p->item_count, &p->item_room, sizeof *p->items);
    p->items[p->item_count++] = (struct item){
        .first = (uint32_t)p->slot_count, .needs = -1, .kept = true};
    return next_item(g) - 1;
}

/* Likewise, an item of which no single word can be left out. */
static void begin_whole_item(struct generator *g)
{
    begin_item(g);
    last_item(g)->whole = true;
}

/* Adds a word to the last item. It is executed at most as often as this place
 * is. */
static void emit(struct generator *g, uint32_t word)
{
    struct program *p = g->program;
    p->slots = grow(p->slots, p->slot_count, &p->slot_room, sizeof *p->slots);
    p->slots[p->slot_count++] = (struct slot){.word = word, .kept = true};
    last_item(g)->count++;
    g->cost += g->repeats;
}

/* A word whose offset is filled in when the program is written. */
static void emit_linked(struct generator *g, uint32_t word, enum link link,
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

static uint64_t bits(struct generator *g)
{
    return random_bits(&g->random);
}

static unsigned below(struct generator *g, unsigned n)
{
    return random_below(&g->random, n);
}

static bool once_in(struct generator *g, unsigned n)
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

/* A register that may be written, not x0 and not one of avoid. */
static unsigned temporary(struct generator *g, uint32_t avoid)
{
    return pick(g, g->writable & ~avoid & ~1u);
}

/* A register to write, now and then x0, whose result is lost. */
static unsigned destination(struct generator *g)
{
    return once_in(g, 16) ? 0 : pick(g, g->writable);
}

static bool may_write(const struct generator *g, uint32_t mask)
{
    return !(mask & ~g->writable);
}

static uint32_t bit(unsigned n)
{
    return 1u << n;
}

/* ---- words ---- */

/* Words by the manual's formats, from the row's fixed bits and the operands. */
static uint32_t r_type(enum isa_op op, unsigned rd, unsigned rs1, unsigned rs2)
{
    return isa_rows[op].match | rd << 7 | rs1 << 15 | rs2 << 20;
}

static uint32_t i_type(enum isa_op op, unsigned rd, unsigned rs1, int imm)
{
    return r_type(op, rd, rs1, 0) | (uint32_t)imm << 20;
}

static uint32_t s_type(enum isa_op op, unsigned rs2, unsigned rs1, int imm)
{
    uint32_t u = (uint32_t)imm;
    return r_type(op, 0, rs1, rs2) | (u >> 5 & 127) << 25 | (u & 31) << 7;
}

static uint32_t u_type(enum isa_op op, unsigned rd, uint32_t value)
{
    return isa_rows[op].match | rd << 7 | (value & 0xfffff000);
}

/* The word with a register at a bit position: 7 rd, 15 rs1, 20 rs2, 27 rs3. */
static uint32_t with_field(uint32_t word, unsigned position, unsigned reg)
{
    return (word & ~(31u << position)) | reg << position;
}

static unsigned field(uint32_t word, unsigned position)
{
    return word >> position & 31;
}

/* Loads and stores of a whole integer register. */
static enum isa_op load_op(const struct generator *g)
{
    return g->profile.xlen == 64 ? OP_ld : OP_lw;
}

static enum isa_op store_op(const struct generator *g)
{
    return g->profile.xlen == 64 ? OP_sd : OP_sw;
}

/* Bytes that a load or store accesses: bits 13 and 12 of all of them. */
static unsigned access_size(uint32_t word)
{
    return 1u << (word >> 12 & 3);
}

static const struct isa_row *any_row(struct generator *g, enum kind kind)
{
    const struct row_list *list = &g->lists[kind];
    return &isa_rows[list->rows[below(g, list->count)]];
}

/* The row with random fields and a destination that may be written. */
static uint32_t random_word(struct generator *g, const struct isa_row *row)
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

/* x[reg] = value, an address of the program */
static void emit_address(struct generator *g, unsigned reg, uint32_t value)
{
    emit(g, u_type(OP_lui, reg, value + 0x800));
    emit(g, i_type(OP_addi, reg, reg, (int)(value & 0xfff)));
}

/* x[reg] = value, from memory behind the code: addressed relative to the pc. */
static void emit_literal(struct generator *g, unsigned reg, uint64_t value)
{
    uint32_t number = add_literal(g, value);
    emit_linked(g, u_type(OP_auipc, reg, 0), LINK_HIGH, TO_LITERAL, number);
    emit_linked(g, i_type(load_op(g), reg, reg, 0), LINK_LOW_LOAD, TO_LITERAL,
                number);
}

static void emit_float_literal(struct generator *g, unsigned reg,
                               uint64_t value)
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

/* An item that gives an integer register another value. */
static void refresh(struct generator *g, unsigned reg)
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

/*
 * Likewise a floating-point register; flw of a double's half gives any single.
 */
static void refresh_float(struct generator *g, unsigned reg)
{
    enum isa_op load = once_in(g, 4) ? OP_flw : OP_fld;
    begin_item(g);
    emit(g, i_type(load, reg, g->data, pool_offset(g)));
}

/* An integer source: any register, or one with a value of its own. */
static unsigned source(struct generator *g)
{
    if (below(g, 5) < 3)
        return below(g, 32);
    unsigned reg = temporary(g, 0);
    refresh(g, reg);
    return reg;
}

/* Mixes a register into the checksum, which is rotated now and then, so that
 * equal results do not cancel each other. */
static void emit_fold(struct generator *g, unsigned reg)
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

/* Now and then items that fold a result into the checksum. */
static void observe(struct generator *g, unsigned reg)
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

/* What the last word wrote. */
static void observe_word(struct generator *g, uint32_t word)
{
    struct isa_insn insn;
    isa_decode(word, &g->profile, &insn);
    if ((uint32_t)insn.writes)
        observe(g, insn.rd);
    else if (insn.writes)
        observe_float(g, insn.rd);
}

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

/*
 * One integer instruction on sources of its choice, perhaps one register twice.
 */
static void generate_integer(struct generator *g)
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

/* One floating-point instruction, mostly with its flags cleared before it and
 * read after it. */
static void generate_float(struct generator *g)
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

/* ---- memory ---- */

/*
 * Offset of an access in the data area: aligned, misaligned, across a boundary
 * of words, sectors, lines, pages; half of them close together.
 */
static unsigned random_offset(struct generator *g, unsigned size, bool store)
{
    static const unsigned boundaries[] = {8, 16, 32, 64, 128, 4096};
    unsigned least = store ? DATA_SCRATCH : DATA_POOL;
    unsigned offset = once_in(g, 2) ? g->hot + below(g, 128)
                                    : least + below(g, DATA_SIZE - least);
    unsigned kind = below(g, 4), boundary = boundaries[below(g, 6)];
    if (kind < 2)
        offset &= ~(size - 1);
    else if (kind == 2)
        offset = offset / boundary * boundary + boundary - below(g, size + 1);
    if (offset < least)
        return least;
    return offset > DATA_SIZE - size ? DATA_SIZE - size : offset;
}

static bool in_reach(int distance)
{
    return distance >= -2048 && distance < 2048;
}

static uint32_t with_base(uint32_t word, bool store, unsigned base, int offset)
{
    word = with_field(word, 15, base);
    if (store)
        return (word & 0x1fff07f) | (s_type(OP_sb, 0, 0, offset) & 0xfe000f80);
    return (word & 0xfffff) | (uint32_t)offset << 20;
}

/* The words that access data at offset, by one of four ways to get there. */
static void emit_access(struct generator *g, uint32_t word, bool store,
                        unsigned offset)
{
    uint32_t address = DATA_ADDRESS + offset;
    int distance = (int)offset - DATA_POINTER, low = (int)(address << 20) >> 20;
    unsigned t = temporary(g, 0), way = below(g, 5);
    enum link link = store ? LINK_LOW_STORE : LINK_LOW_LOAD;
    if (way < 2 && in_reach(distance)) {
        emit(g, with_base(word, store, g->data, distance));
    } else if (way < 3) {
        emit(g, u_type(OP_lui, t, address + 0x800));
        emit(g, with_base(word, store, t, low));
    } else if (way < 4) {
        int random = (int)below(g, 4096) - 2048;
        emit_address(g, t, address - (uint32_t)random);
        emit(g, with_base(word, store, t, random));
    } else {
        emit_linked(g, u_type(OP_auipc, t, 0), LINK_HIGH, TO_DATA, offset);
        emit_linked(g, with_base(word, store, t, 0), link, TO_DATA, offset);
    }
}

/* A load from anywhere in the data, by any way to address it. */
static void generate_load(struct generator *g)
{
    uint32_t word = random_word(g, any_row(g, LOAD));
    begin_item(g);
    emit_access(g, word, false, random_offset(g, access_size(word), false));
    observe_word(g, word);
}

/* Loads some of the size bytes at offset, and perhaps some beside them. */
static void generate_reload(struct generator *g, unsigned offset, unsigned size)
{
    uint32_t word = random_word(g, any_row(g, LOAD));
    unsigned own = access_size(word);
    unsigned at = offset - own + 1 + below(g, own + size - 1);
    begin_item(g);
    emit_access(g, word, false, at > DATA_SIZE - own ? DATA_SIZE - own : at);
    observe_word(g, word);
}

/* A store, followed by up to two loads of what it has written, whole or in
 * part. */
static void generate_store(struct generator *g)
{
    const struct isa_row *row = any_row(g, STORE);
    uint32_t word = random_word(g, row);
    unsigned size = access_size(word);
    unsigned offset = random_offset(g, size, true);
    if (strchr(row->operands, 't'))
        word = with_field(word, 20, source(g));
    begin_item(g);
    emit_access(g, word, true, offset);
    for (unsigned loads = below(g, 3); loads > 0; loads--)
        generate_reload(g, offset, size);
}

static void generate_memory(struct generator *g)
{
    if (once_in(g, 2))
        generate_store(g);
    else
        generate_load(g);
}

/* ---- atomics ---- */

static bool is_lr(uint32_t word)
{
    return (word >> 27) == (isa_rows[OP_lr_w].match >> 27);
}

static bool is_sc(uint32_t word)
{
    return (word >> 27) == (isa_rows[OP_sc_w].match >> 27);
}

/*
 * A word's or doubleword's place in each of two granules, the first often one
 * that caches hold: what is done there may overtake what misses.
 */
static void two_granules(struct generator *g, unsigned size, uint32_t at[2])
{
    unsigned count = (DATA_SIZE - DATA_SCRATCH) / GRANULE;
    unsigned first = below(g, count), other = below(g, count - 1);
    if (once_in(g, 2))
        first = (g->hot - DATA_SCRATCH) / GRANULE;
    unsigned granules[] = {first, other + (other >= first)};
    for (int i = 0; i < 2; i++)
        at[i] = DATA_ADDRESS + DATA_SCRATCH + granules[i] * GRANULE +
                below(g, GRANULE / size) * size;
}

/* An lr and an sc of the same size, and two granules for them. */
struct pair {
    uint32_t lr, sc; /* with the address in t */
    uint32_t at[2];
    unsigned t;
};

static struct pair random_pair(struct generator *g)
{
    bool wide = g->profile.xlen == 64 && once_in(g, 2);
    struct pair pair = {.t = temporary(g, 0)};
    unsigned from = pair.t, value = temporary(g, bit(from));
    pair.lr = random_word(g, &isa_rows[wide ? OP_lr_d : OP_lr_w]);
    pair.lr = with_field(with_field(pair.lr, 7, value), 15, from);
    pair.sc = random_word(g, &isa_rows[wide ? OP_sc_d : OP_sc_w]);
    pair.sc = with_field(pair.sc, 15, from);
    two_granules(g, wide ? 8 : 4, pair.at);
    return pair;
}

/* lr, sc to the same address, then to be sure one that fails. */
static void generate_lr_sc(struct generator *g)
{
    struct pair p = random_pair(g);
    begin_whole_item(g);
    emit_address(g, p.t, p.at[0]);
    emit(g, p.lr);
    if (once_in(g, 2))
        emit(g, i_type(OP_addi, field(p.lr, 7), field(p.lr, 7), 1));
    bool again = once_in(g, 3);
    emit(g, again ? with_field(p.sc, 7, 0) : p.sc);
    if (again)
        emit(g, p.sc);
    observe_word(g, p.lr);
    observe_word(g, p.sc);
}

/* Reserves one granule, or one after the other, and stores to the wrong one. */
static void generate_lost_reservation(struct generator *g)
{
    struct pair p = random_pair(g);
    begin_whole_item(g);
    emit_address(g, p.t, p.at[0]);
    emit(g, p.lr);
    emit_address(g, p.t, p.at[1]);
    if (once_in(g, 2)) {
        emit(g, p.lr);
        emit_address(g, p.t, p.at[0]);
    }
    emit(g, p.sc);
    observe_word(g, p.sc);
    if (once_in(g, 2))
        generate_lr_sc(g);
}

/*
 * An sc without an lr of its own. Registers and memory tell whether it failed.
 */
static void generate_sc_alone(struct generator *g)
{
    struct pair p = random_pair(g);
    begin_item(g);
    emit_address(g, p.t, p.at[0]);
    emit(g, p.sc);
    observe_word(g, p.sc);
}

/* Adds to memory; goes back to the lr until the sc succeeds. */
static void generate_retry(struct generator *g)
{
    struct pair p = random_pair(g);
    unsigned value = field(p.lr, 7), done = temporary(g, bit(p.t) | bit(value));
    const uint32_t back_12 = 0xfe000a80; /* branch offset -12 */
    begin_whole_item(g);
    emit_address(g, p.t, p.at[0]);
    emit(g, p.lr);
    emit(g, i_type(OP_addi, value, value, (int)below(g, 4096) - 2048));
    emit(g, with_field(with_field(p.sc, 20, value), 7, done));
    emit(g, r_type(OP_bne, 0, done, 0) | back_12);
    observe(g, value);
}

static void generate_reservation(struct generator *g)
{
    switch (below(g, 6)) {
    case 0:
        generate_sc_alone(g);
        break;
    case 1:
    case 2:
        generate_lost_reservation(g);
        break;
    case 3:
        generate_retry(g);
        break;
    default:
        generate_lr_sc(g);
    }
}

static void generate_atomic(struct generator *g)
{
    uint32_t word = random_word(g, any_row(g, ATOMIC)), at[2];
    if (is_lr(word) || is_sc(word)) {
        generate_reservation(g);
        return;
    }
    unsigned t = temporary(g, 0);
    two_granules(g, access_size(word), at);
    word = with_field(word, 20, source(g));
    word = with_field(word, 15, t);
    begin_item(g);
    emit_address(g, t, at[0]);
    emit(g, word);
    observe_word(g, word);
    if (once_in(g, 3))
        generate_reload(g, at[0] - DATA_ADDRESS, access_size(word));
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

static void generate_compressed(struct generator *g)
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

static void generate_csr(struct generator *g)
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

static void generate_fence(struct generator *g)
{
    begin_item(g);
    emit(g, random_word(g, any_row(g, FENCE)));
}

/* Writes some data, so that it can be compared as it is here. */
static void generate_write(struct generator *g)
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

static uint32_t random_plain_word(struct generator *g)
{
    return random_word(g, &isa_rows[below(g, 2) ? OP_addi : OP_xori]);
}

/* Changes an instruction before it is executed, or after, for the next time
 * that a loop comes by. fence.i makes the change visible. */
static void generate_patch(struct generator *g)
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

/* ---- jumps ---- */

/* Branches and jumps whose target is some items on, or the block's end. */
struct pending {
    struct {
        uint32_t slot;
        unsigned siblings; /* items of the block until then */
        uint32_t more;     /* slots after it with the same target */
    } jumps[PENDING];
    unsigned count;
};

static void add_pending(struct generator *g, struct pending *pending,
                        uint32_t first_slot)
{
    uint32_t slots = (uint32_t)g->program->slot_count;
    pending->jumps[pending->count].slot = first_slot;
    pending->jumps[pending->count].more = slots - first_slot - 1;
    pending->jumps[pending->count].siblings = 1 + below(g, 4);
    pending->count++;
}

/* One more item was generated, or (all) the block ends here. */
static void resolve_pending(struct generator *g, struct pending *pending,
                            bool all)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < pending->count; i++) {
        uint32_t slot = pending->jumps[i].slot;
        if (!all && --pending->jumps[i].siblings > 0) {
            pending->jumps[kept++] = pending->jumps[i];
            continue;
        }
        for (uint32_t k = 0; k <= pending->jumps[i].more; k++)
            if (g->program->slots[slot + k].link)
                g->program->slots[slot + k].number = next_item(g);
    }
    pending->count = kept;
}

/* Two registers that a branch compares, equal now and then. */
static uint32_t with_compared(struct generator *g, uint32_t word)
{
    unsigned a = source(g), b = once_in(g, 4) ? a : source(g);
    return with_field(with_field(word, 15, a), 20, once_in(g, 8) ? 0 : b);
}

static uint32_t random_branch(struct generator *g)
{
    return with_compared(g, any_row(g, BRANCH)->match);
}

static uint32_t compressed_branch(struct generator *g, unsigned reg)
{
    return (once_in(g, 2) ? 0xc001u : 0xe001u) | (reg - 8) << 7;
}

/*
 * A forward branch. Its target is filled in once the items that it skips exist.
 */
static void generate_branch(struct generator *g, struct pending *pending)
{
    uint32_t word = once_in(g, 3) ? compressed_branch(g, 8 + below(g, 8))
                                  : random_branch(g);
    begin_item(g);
    emit_linked(g, word, LINK_BRANCH, TO_ITEM, 0);
    add_pending(g, pending, (uint32_t)g->program->slot_count - 1);
}

enum { C_J = 0xa001, C_JAL = 0x2001, C_JR = 0x8002, C_JALR = 0x9002 };

/* The address of an item to a register, and on from there. */
static void emit_indirect(struct generator *g, unsigned link, uint32_t item)
{
    unsigned t = link && once_in(g, 2) ? link : temporary(g, 0);
    emit_linked(g, u_type(OP_auipc, t, 0), LINK_HIGH, TO_ITEM, item);
    if (link <= RA && once_in(g, 2)) {
        emit_linked(g, i_type(OP_addi, t, t, 0), LINK_LOW_LOAD, TO_ITEM, item);
        last_slot(g)->low_bit = once_in(g, 4);
        emit(g, (link ? C_JALR : C_JR) | t << 7);
        return;
    }
    emit_linked(g, i_type(OP_jalr, link, t, 0), LINK_LOW_LOAD, TO_ITEM, item);
    last_slot(g)->low_bit = once_in(g, 4);
}

static void generate_jump(struct generator *g, struct pending *pending)
{
    unsigned link = once_in(g, 2) ? 0 : destination(g);
    uint32_t first = (uint32_t)g->program->slot_count;
    begin_whole_item(g);
    switch (below(g, 3)) {
    case 0:
        emit_linked(g, C_J, LINK_JUMP, TO_ITEM, 0);
        break;
    case 1:
        emit_linked(g, i_type(OP_jal, link, 0, 0), LINK_JUMP, TO_ITEM, 0);
        break;
    default:
        emit_indirect(g, link, 0);
    }
    add_pending(g, pending, first);
}

/* Forward over a jump, back to it, and out by it. */
static void generate_zigzag(struct generator *g)
{
    const uint32_t forward_8 = 0x00800000, back_4 = 0xffdff000;
    uint32_t word = random_plain_word(g), jal = isa_rows[OP_jal].match;
    begin_whole_item(g);
    emit(g, jal | destination(g) << 7 | forward_8);
    emit(g, jal | destination(g) << 7 | forward_8);
    emit(g, jal | destination(g) << 7 | back_4);
    emit(g, word);
    observe_word(g, word);
}

/* Bytes that are never executed: they only keep code apart. They cost nothing.
 */
static void emit_filler(struct generator *g, unsigned bytes)
{
    emit(g, 0);
    last_slot(g)->filler = bytes & ~1u;
    g->cost -= g->repeats;
}

/* A jump or branch to an item far away, and how far that may be. */
static unsigned emit_far(struct generator *g, unsigned kind, uint32_t branch,
                         uint32_t item)
{
    switch (kind) {
    case 0:
        emit_linked(g, compressed_branch(g, 8 + below(g, 8)), LINK_BRANCH,
                    TO_ITEM, item);
        return 236;
    case 1:
        emit_linked(g, C_J, LINK_JUMP, TO_ITEM, item);
        return 2020;
    case 2:
        emit_linked(g, i_type(OP_jal, destination(g), 0, 0), LINK_JUMP, TO_ITEM,
                    item);
        return once_in(g, 16) ? 1 << 19 : 1 << 14;
    case 3:
        emit_indirect(g, destination(g), item);
        return 1 << 14;
    default:
        emit_linked(g, branch, LINK_BRANCH, TO_ITEM, item);
        return 4070;
    }
}

/*
 * Forward over bytes that are never executed, back over them, and out, so that
 * offsets have all their bits. Branches may not be taken.
 */
static void generate_far(struct generator *g)
{
    unsigned kind = below(g, 7);
    uint32_t forth = random_branch(g), back = random_branch(g);
    uint32_t first = begin_item(g);
    unsigned most = emit_far(g, kind, forth, first + 2);
    begin_item(g);
    emit_linked(g, isa_rows[OP_jal].match, LINK_JUMP, TO_ITEM, first + 3);
    emit_filler(g, most - below(g, most / 2));
    begin_item(g);
    emit_far(g, kind, back, first + 1);
}

static void emit_call(struct generator *g, const struct function *f)
{
    uint32_t begin = (uint32_t)f->begin;
    if (f->link == RA && g->profile.xlen == 32 && once_in(g, 3))
        emit_linked(g, C_JAL, LINK_JUMP, TO_ITEM, begin);
    else if (once_in(g, 3))
        emit_linked(g, i_type(OP_jal, f->link, 0, 0), LINK_JUMP, TO_ITEM,
                    begin);
    else
        emit_indirect(g, f->link, begin);
}

/*
 * Calls a function that leaves alone what must not change here, if there is one
 * whose cost, times the repeats of this place, stays within bounds.
 */
static void generate_call(struct generator *g)
{
    if (!g->function_count)
        return;
    const struct function *f = &g->functions[below(g, g->function_count)];
    if (!may_write(g, f->clobbers) || g->repeats * f->cost > MOST_CALL_COST)
        return;
    begin_whole_item(g);
    last_item(g)->needs = f->begin;
    emit_call(g, f);
    g->cost += g->repeats * f->cost;
    g->called |= f->clobbers;
}

/* ---- blocks ---- */

static void generate_rare(struct generator *g)
{
    switch (below(g, 4)) {
    case 0:
        generate_zigzag(g);
        break;
    case 1:
        generate_far(g);
        break;
    case 2:
        generate_write(g);
        break;
    default:
        generate_patch(g);
    }
}

/* One main instruction, in the proportions given here in percent. */
static void generate_one(struct generator *g)
{
    unsigned kind = below(g, 100);
    g->left--;
    if (kind < 28)
        generate_integer(g);
    else if (kind < 61)
        generate_float(g);
    else if (kind < 76)
        generate_compressed(g);
    else if (kind < 88)
        generate_memory(g);
    else if (kind < 94)
        generate_atomic(g);
    else if (kind < 97)
        generate_csr(g);
    else if (kind < 98)
        generate_fence(g);
    else
        generate_rare(g);
}

static void generate_block(struct generator *g, unsigned size);

/* A register that the functions leave alone, if there is one. */
static unsigned loop_counter(struct generator *g)
{
    uint32_t clobbered = 1;
    for (unsigned i = 0; i < g->function_count; i++)
        clobbered |= g->functions[i].clobbers;
    return temporary(g, g->writable & ~clobbered ? clobbered : 0);
}

/* The head of a loop: its counter is not 0 and goes down, or it leaves. */
static uint32_t generate_head(struct generator *g, unsigned counter)
{
    begin_whole_item(g);
    emit_linked(g, r_type(OP_beq, 0, counter, 0), LINK_BRANCH, TO_ITEM, 0);
    emit(g, i_type(OP_addi, counter, counter, -1));
    return (uint32_t)g->program->slot_count - 2;
}

/* Back to the first item of the body, while the counter is not 0. */
static void generate_tail(struct generator *g, unsigned counter, int step,
                          uint32_t body)
{
    enum isa_op op = once_in(g, 2) ? OP_bne : OP_blt;
    bool swapped = op == OP_blt && step < 0;
    bool conditional = once_in(g, 4);
    uint32_t word = conditional ? random_branch(g) : 0;
    begin_whole_item(g);
    emit(g, i_type(OP_addi, counter, counter, step));
    if (conditional) {
        emit_linked(g, r_type(OP_beq, 0, counter, 0), LINK_BRANCH, TO_ITEM,
                    next_item(g));
        emit_linked(g, word, LINK_BRANCH, TO_ITEM, body);
    } else if (counter >= 8 && counter < 16 && once_in(g, 2)) {
        emit_linked(g, 0xe001u | (counter - 8) << 7, LINK_BRANCH, TO_ITEM,
                    body);
    } else {
        emit_linked(
            g, swapped ? r_type(op, 0, 0, counter) : r_type(op, 0, counter, 0),
            LINK_BRANCH, TO_ITEM, body);
    }
}

/* A loop of up to 6 trips, counted down or up, tested at its head or at its
 * tail. Its first item, which sets the counter, and its last one are left out
 * together. */
static void generate_loop(struct generator *g)
{
    unsigned trips = 1 + below(g, 6), repeats = g->repeats;
    if (g->depth == 3 || repeats * trips > MOST_REPEATS)
        return;
    unsigned counter = loop_counter(g);
    bool head = once_in(g, 3);
    int step = head || once_in(g, 2) ? -1 : 1;
    uint32_t writable = g->writable, begin = begin_item(g), leave = 0;
    emit(g, i_type(OP_addi, counter, 0, -step * (int)trips));
    g->writable &= ~bit(counter);
    g->repeats = repeats * (trips + head);
    g->depth++;
    if (head) {
        leave = generate_head(g, counter);
        last_item(g)->needs = (int32_t)begin;
    }
    generate_block(g, 1 + below(g, 10));
    if (head) {
        begin_whole_item(g);
        emit_linked(g, once_in(g, 2) ? C_J : isa_rows[OP_jal].match, LINK_JUMP,
                    TO_ITEM, begin + 1);
        g->program->slots[leave].number = next_item(g);
    } else {
        generate_tail(g, counter, step, begin + 1);
    }
    last_item(g)->needs = (int32_t)begin;
    g->program->items[begin].needs = (int32_t)next_item(g) - 1;
    g->program->items[begin].whole = true;
    g->depth--;
    g->repeats = repeats;
    g->writable = writable;
}

/* So many items, with what they contain. */
static void generate_block(struct generator *g, unsigned size)
{
    struct pending pending = {.count = 0};
    while (size-- > 0 && g->left > 0) {
        unsigned kind = below(g, 100);
        uint32_t before = next_item(g);
        bool room = pending.count < PENDING;
        if (kind < 7 && room)
            generate_branch(g, &pending);
        else if (kind < 10 && room)
            generate_jump(g, &pending);
        else if (kind < 13)
            generate_loop(g);
        else if (kind < 16)
            generate_call(g);
        if (next_item(g) == before) {
            generate_one(g);
            resolve_pending(g, &pending, false);
        }
    }
    resolve_pending(g, &pending, true);
}

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
    unsigned link = once_in(g, 2) ? RA : temporary(g, 0);
    bool saved = once_in(g, 2);
    if (!may_write(g, bit(link)))
        link = temporary(g, 0);
    /* The few that compressed instructions know, and few others. */
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
                      unsigned count)
{
    struct generator g = {
        .random = {seed * 2 + (xlen == 64)},
        .program = program,
        .profile = {ISA_ALL_EXTENSIONS, (uint8_t)xlen},
        .repeats = 1,
    };
    *program = (struct program){.xlen = xlen, .seed = seed};
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
