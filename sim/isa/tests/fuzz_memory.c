/*
 * Items that access memory: loads, stores, atomics, lr and sc, everywhere in
 * the data area.
 */
#include "sim/isa/tests/fuzz_generator.h"

#include <string.h>

/* ---- memory ---- */

unsigned random_offset(struct generator *g, unsigned size, bool store)
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
    int distance = (int)offset - DATA_POINTER;
    unsigned t = temporary(g, 0), way = below(g, 5);
    enum link link = store ? LINK_LOW_STORE : LINK_LOW_LOAD;
    if (way < 2 && in_reach(distance)) {
        emit(g, with_base(word, store, g->data, distance));
    } else if (way < 3) {
        int low = emit_address_high(g, t, address);
        emit(g, with_base(word, store, t, low));
    } else if (way < 4 || g->program->lanes) {
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

void generate_memory(struct generator *g)
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

void generate_atomic(struct generator *g)
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
