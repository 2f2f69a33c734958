/*
 * Lays a program out in memory and fills in what depends on addresses. No
 * assembler and no linker is needed.
 *
 * Jumps and branches begin as short as they are and grow where the target is
 * out of reach: a compressed one to 4 bytes, a conditional branch to its
 * opposite around a jal. Nothing shrinks again, so this ends.
 */
#include "sim/isa/tests/fuzz_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- layout ---- */

/*
 * Sets the data register, then loads all f registers and all other x registers.
 */
static struct words prologue(const struct program *p)
{
    struct words words = {.count = 0};
    unsigned data = p->data_register;
    if (p->lanes)
        add_lane_start(&words, p);
    else
        add_address(&words, data, DATA_ADDRESS + DATA_POINTER);
    for (unsigned i = 0; i < 32; i++)
        add(&words, load(OP_fld, i, data, data_offset(DATA_F, i)));
    for (unsigned i = 1; i < 32; i++)
        if (i != data)
            add(&words, load(p->xlen == 64 ? OP_ld : OP_lw, i, data,
                             data_offset(DATA_X, i)));
    return words;
}

/* Stores all registers, fcsr and the count of instructions, writes the data
 * area to the standard output and ends with status 0. */
static struct words epilogue(const struct program *p)
{
    struct words words = {.count = 0};
    unsigned data = p->data_register, free = free_register(p, T0);
    enum isa_op whole = p->xlen == 64 ? OP_sd : OP_sw;
    for (unsigned i = 0; i < 32; i++)
        add(&words, store(whole, i, data, data_offset(DATA_X, i)));
    for (unsigned i = 0; i < 32; i++)
        add(&words, store(OP_fsd, i, data, data_offset(DATA_F, i)));
    add(&words, load(OP_csrrs, free, 0, FCSR));
    add(&words, store(OP_sw, free, data, data_offset(DATA_FCSR, 0)));
    if (p->lanes) {
        add_lane_end(&words, p);
        return words;
    }
    add(&words, load(OP_csrrs, free, 0, INSTRET));
    add(&words, store(whole, free, data, data_offset(DATA_INSTRET, 0)));
    if (p->xlen == 32) {
        add(&words, load(OP_csrrs, free, 0, INSTRETH));
        add(&words, store(OP_sw, free, data, data_offset(DATA_INSTRET, 0) + 4));
    }
    add(&words, load(OP_addi, A0 + 1, data, -DATA_POINTER));
    add(&words, isa_rows[OP_lui].match | (A0 + 2) << 7 | DATA_SIZE);
    add_call(&words, SYS_WRITE, STDOUT);
    add_call(&words, SYS_EXIT, 0);
    return words;
}

/* Addresses of a section's slots from `at` on; returns where it ends. */
static uint32_t place_section(struct program *p, struct section *section,
                              uint32_t at)
{
    section->address = at;
    for (uint32_t i = section->begin; i < section->end; i++) {
        const struct item *item = &p->items[i];
        bool present = item_present(p, i);
        for (uint32_t k = item->first; k < item->first + item->count; k++) {
            p->slots[k].address = at;
            at += present && p->slots[k].kept ? p->slots[k].length : 0;
        }
    }
    section->end_address = at;
    return at;
}

struct section *program_function(struct program *p, unsigned i)
{
    struct section *f = &p->functions[i];
    return f->end > f->begin && item_present(p, f->begin) ? f : NULL;
}

/* Half of the functions before the body, half after it. Returns the end. */
static uint32_t place(struct program *p)
{
    uint32_t at = TEXT_ADDRESS;
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        struct section *f = program_function(p, i);
        if (i == FUNCTIONS / 2) {
            at = (at + 3) & ~3u;
            at += 4 * prologue(p).count;
            at = place_section(p, &p->body, at) + 4 * epilogue(p).count;
        }
        if (f)
            at = place_section(p, f, at);
    }
    return (at + 7) & ~7u; /* literals */
}

uint32_t program_entry(const struct program *p)
{
    return p->body.address - 4 * prologue(p).count;
}

static const struct section *section_of(const struct program *p, uint32_t item)
{
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (item >= p->functions[i].begin && item < p->functions[i].end)
            return &p->functions[i];
    return &p->body;
}

/*
 * Slots that are left out have the address of the next one that is not. A
 * target after the last item of the section it is seen from is that end.
 */
static uint32_t item_address(const struct program *p, uint32_t item,
                             const struct section *from)
{
    if (item == from->end)
        return from->end_address;
    const struct section *section = section_of(p, item);
    for (; item < section->end; item++)
        if (p->items[item].count)
            return p->slots[p->items[item].first].address;
    return section->end_address;
}

static uint32_t target_address(const struct program *p,
                               const struct section *from,
                               const struct slot *slot)
{
    switch (slot->target) {
    case TO_LITERAL:
        return p->literals_address + 8 * slot->number;
    case TO_DATA:
        return DATA_ADDRESS + slot->number;
    default:
        return item_address(p, slot->number, from);
    }
}

/* Does the offset, with its sign, fit into `bits` bits? */
static bool reaches(int32_t offset, unsigned bits)
{
    return offset >= -(1 << (bits - 1)) && offset < 1 << (bits - 1);
}

/* Lengthens a jump or branch that cannot reach its target. Did it? */
static bool grows(struct slot *slot, int32_t offset)
{
    unsigned before = slot->length;
    if (slot->link == LINK_JUMP && slot->length == 2 && !reaches(offset, 12))
        slot->length = 4;
    if (slot->link == LINK_BRANCH && slot->length == 2 && !reaches(offset, 9))
        slot->length = 4;
    if (slot->link == LINK_BRANCH && slot->length == 4 && !reaches(offset, 13))
        slot->length = 8;
    return slot->length != before;
}

static bool section_grows(struct program *p, const struct section *section)
{
    bool changed = false;
    for (uint32_t i = section->begin; i < section->end; i++) {
        struct slot *slot = &p->slots[p->items[i].first];
        const struct slot *end = slot + p->items[i].count;
        for (; slot < end && item_present(p, i); slot++)
            if (slot->link == LINK_JUMP || slot->link == LINK_BRANCH)
                changed |=
                    grows(slot, (int32_t)(target_address(p, section, slot) -
                                          slot->address));
    }
    return changed;
}

/* Places everything again until nothing has grown. */
static void lay_out(struct program *p)
{
    bool changed;
    for (size_t i = 0; i < p->slot_count; i++) {
        struct slot *slot = &p->slots[i];
        slot->length = is_compressed(slot->word) ? 2 : 4;
        if (slot->filler)
            slot->length = slot->filler;
    }
    do {
        p->literals_address = place(p);
        changed = section_grows(p, &p->body);
        for (unsigned i = 0; i < FUNCTIONS; i++)
            if (program_function(p, i))
                changed |= section_grows(p, &p->functions[i]);
    } while (changed);
}

/* ---- words with their offsets ---- */

/* Offsets as the bits of the instruction formats J, B, CJ and CB. */
static uint32_t jump_field(uint32_t offset)
{
    return (offset >> 20 & 1) << 31 | (offset >> 1 & 0x3ff) << 21 |
           (offset >> 11 & 1) << 20 | (offset >> 12 & 0xff) << 12;
}

static uint32_t branch_field(uint32_t offset)
{
    return (offset >> 12 & 1) << 31 | (offset >> 5 & 63) << 25 |
           (offset >> 1 & 15) << 8 | (offset >> 11 & 1) << 7;
}

static uint32_t short_jump_field(uint32_t offset)
{
    return (offset >> 11 & 1) << 12 | (offset >> 4 & 1) << 11 |
           (offset >> 8 & 3) << 9 | (offset >> 10 & 1) << 8 |
           (offset >> 6 & 1) << 7 | (offset >> 7 & 1) << 6 |
           (offset >> 1 & 7) << 3 | (offset >> 5 & 1) << 2;
}

static uint32_t short_branch_field(uint32_t offset)
{
    return (offset >> 8 & 1) << 12 | (offset >> 3 & 3) << 10 |
           (offset >> 6 & 3) << 5 | (offset >> 1 & 3) << 3 |
           (offset >> 5 & 1) << 2;
}

/* A compressed jump (c.j, else c.jal) or branch as its base instruction. */
static uint32_t widened(uint32_t word)
{
    uint32_t function = word >> 13;
    if (function == 5)
        return isa_rows[OP_jal].match;
    if (function == 1)
        return isa_rows[OP_jal].match | 1 << 7;
    enum isa_op op = function == 6 ? OP_beq : OP_bne;
    return isa_rows[op].match | (8 + (word >> 7 & 7)) << 15;
}

/* What a slot becomes: bytes to *at. */
static void link_jump(const struct slot *slot, uint32_t offset, uint8_t *at)
{
    uint32_t word = slot->word;
    if (slot->length > 2 && is_compressed(word))
        word = widened(word);
    if (slot->length == 8) {
        uint32_t opposite = (word ^ 1u << 12) | branch_field(8);
        memcpy(at, &opposite, 4);
        word = isa_rows[OP_jal].match | jump_field(offset - 4);
        memcpy(at + 4, &word, 4);
        return;
    }
    bool branch = slot->link == LINK_BRANCH;
    if (slot->length == 4)
        word |= branch ? branch_field(offset) : jump_field(offset);
    else
        word |= branch ? short_branch_field(offset) : short_jump_field(offset);
    memcpy(at, &word, slot->length);
}

/* The auipc before a slot that makes its upper part. */
static const struct slot *high_of(const struct slot *low,
                                  const struct slot *first)
{
    const struct slot *slot = low;
    while (slot > first &&
           (slot->link != LINK_HIGH || slot->number != low->number ||
            slot->target != low->target))
        slot--;
    return slot;
}

/* auipc adds its upper part to its own address, so the lower part is counted
 * from there; it is signed, for which the upper part makes up by 0x800. */
static uint32_t link_address(const struct slot *slot, const struct slot *first,
                             uint32_t target)
{
    if (slot->link == LINK_HIGH)
        return slot->word | ((target - slot->address + 0x800) & 0xfffff000);
    uint32_t low = target - high_of(slot, first)->address + slot->low_bit;
    if (slot->link == LINK_LOW_LOAD)
        return slot->word | low << 20;
    return slot->word | (low >> 5 & 127) << 25 | (low & 31) << 7;
}

static void link_slot(const struct program *p, const struct section *section,
                      const struct slot *slot, const struct slot *first,
                      uint8_t *at)
{
    uint32_t word = slot->word, target = 0;
    if (slot->filler)
        return;
    if (slot->link)
        target = target_address(p, section, slot);
    if (slot->link == LINK_JUMP || slot->link == LINK_BRANCH) {
        link_jump(slot, target - slot->address, at);
        return;
    }
    if (slot->link)
        word = link_address(slot, first, target);
    memcpy(at, &word, slot->length);
}

/* Fills in the words of all items that are present, at their addresses. */
static void write_section(const struct program *p,
                          const struct section *section, uint8_t *text)
{
    for (uint32_t i = section->begin; i < section->end; i++) {
        const struct item *item = &p->items[i];
        const struct slot *slot = &p->slots[item->first], *first = slot;
        for (; slot < first + item->count && item_present(p, i); slot++)
            if (slot->kept)
                link_slot(p, section, slot, first,
                          text + slot->address - TEXT_ADDRESS);
    }
}

static void write_words(const struct words *words, uint32_t address,
                        uint8_t *text)
{
    memcpy(text + address - TEXT_ADDRESS, words->word, 4 * words->count);
}

uint8_t *program_text(struct program *p, size_t *size)
{
    lay_out(p);
    uint32_t literals = p->literals_address;
    *size = literals - TEXT_ADDRESS + 8 * p->literal_count;
    if (*size > TEXT_LIMIT)
        return NULL;
    uint8_t *text = calloc(1, *size + 8);
    if (!text)
        return NULL;
    struct words first = prologue(p), last = epilogue(p);
    write_words(&first, program_entry(p), text);
    write_section(p, &p->body, text);
    write_words(&last, p->body.end_address, text);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (program_function(p, i))
            write_section(p, &p->functions[i], text);
    for (size_t i = 0; i < p->literal_count; i++)
        if (p->literals[i].kept)
            memcpy(text + literals - TEXT_ADDRESS + 8 * i,
                   &p->literals[i].value, 8);
    return text;
}

void program_data(const struct program *p, uint8_t data[DATA_SIZE])
{
    memcpy(data, p->data, DATA_SIZE);
    for (unsigned i = 0; i < 32; i++) {
        if (!p->x_kept[i])
            memset(data + DATA_X + 8 * i, 0, 8);
        if (!p->f_kept[i])
            memset(data + DATA_F + 8 * i, 0, 8);
    }
    for (unsigned i = DATA_POOL / DATA_BLOCK; i < DATA_SIZE / DATA_BLOCK; i++)
        if (!p->data_kept[i])
            memset(data + i * DATA_BLOCK, 0, DATA_BLOCK);
}
