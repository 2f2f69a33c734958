/*
 * The memory of units in checkpoints. All of it comes from chip_alloc while the
 * chip is built, in an order that depends on the chip alone: so it is saved
 * block by block, and a block's number means the same in the chip that it is
 * loaded into. Pointers, which the kinds' tables name, become a block's number
 * and a place in it.
 */
#include "sim/core/chip_state.h"
#include "sim/core/chip_private.h"
#include "sim/core/covered.h"
#include "sim/core/heap.h"
#include <inttypes.h>
#include <stdlib.h>

/* A pointer in a file: 0, a number of the places below + 1 and the bytes from
 * its begin on, or that of the chip as it was built. */
#define PLACE_SHIFT 40
#define AS_BUILT 1u

/* Where a pointer may lead: blocks by number, then chip.places, then the
 * program's own tables. */
struct target {
    char *at;
    size_t bytes;
    unsigned number;
};

/* Pointers of a block: one, or, with a stride, one in each element. */
struct pointers {
    unsigned block;
    size_t at, stride;
};

struct memory_state {
    struct chip *chip;
    struct state *state;
    struct target *by_number, *by_address;
    unsigned target_count;
    struct pointers *pointers;
    unsigned pointer_count, pointer_room;
    char *copy; /* of a block */
    size_t copy_room;
};

extern char __executable_start, _end; /* the linker's */

/* ---- where pointers lead ---- */

static int by_address(const void *a, const void *b)
{
    const struct target *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static void list_targets(struct memory_state *m)
{
    const struct chip *c = m->chip;
    unsigned count = c->block_count + c->place_count + 1, n = 0;
    m->by_number = heap_new(count, sizeof *m->by_number, "a checkpoint");
    m->by_address = heap_new(count, sizeof *m->by_address, "a checkpoint");
    for (unsigned i = 0; i < c->block_count; i++, n++)
        m->by_number[n] =
            (struct target){c->blocks[i].at, c->blocks[i].bytes, n};
    for (unsigned i = 0; i < c->place_count; i++, n++)
        m->by_number[n] =
            (struct target){c->places[i].at, c->places[i].bytes, n};
    size_t program = (size_t)(&_end - &__executable_start);
    m->by_number[n] = (struct target){&__executable_start, program, n};
    m->target_count = count;
    memcpy(m->by_address, m->by_number, count * sizeof *m->by_address);
    qsort(m->by_address, count, sizeof *m->by_address, by_address);
}

/* What an address lies in, or right behind; NULL: in none. */
static const struct target *target_of(const struct memory_state *m,
                                      const char *address)
{
    unsigned low = 0, high = m->target_count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (m->by_address[middle].at <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct target *t = &m->by_address[low - 1];
    return low && (size_t)(address - t->at) <= t->bytes ? t : NULL;
}

static uint64_t code_of(const struct memory_state *m, char *pointer)
{
    const struct target *t = pointer ? target_of(m, pointer) : NULL;
    if (!pointer)
        return 0;
    return t ? (t->number + 1ull) << PLACE_SHIFT | (uint64_t)(pointer - t->at)
             : AS_BUILT;
}

/* built: what the chip has in that place. A unit that frees what lies
 * elsewhere finds it by this pointer. */
static char *pointer_of(struct memory_state *m, uint64_t code, char *built)
{
    uint64_t number = code >> PLACE_SHIFT;
    size_t at = code & ((1ull << PLACE_SHIFT) - 1);
    if (code == AS_BUILT)
        return built;
    bool elsewhere = built && !target_of(m, built);
    if (!elsewhere && !code)
        return NULL;
    if (!elsewhere && number && number <= m->target_count &&
        at <= m->by_number[number - 1].bytes)
        return m->by_number[number - 1].at + at;
    state_fail(m->state, "a pointer leads nowhere");
    return built;
}

/* ---- which pointers there are ---- */

static void add_pointers(struct memory_state *m, unsigned block, size_t at,
                         size_t stride)
{
    if (m->pointer_count == m->pointer_room) {
        m->pointer_room = m->pointer_room ? 2 * m->pointer_room : 1024;
        m->pointers = heap_resize(m->pointers, m->pointer_room,
                                  sizeof *m->pointers, "a checkpoint");
    }
    m->pointers[m->pointer_count++] = (struct pointers){block, at, stride};
}

static char *pointer_at(const void *at)
{
    char *pointer;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

/* Adds the elements of the block that a pointer leads to, if there is one. */
static void add_elements(struct memory_state *m, const char *u,
                         const struct state_row *row)
{
    const char *first = pointer_at(u + row->at);
    const struct target *t = first ? target_of(m, first) : NULL;
    size_t bytes = row->bytes;
    if (row->stride) {
        uint32_t length;
        memcpy(&length, u + row->stride - 1, sizeof length);
        bytes = length;
    }
    if (t && t->number < m->chip->block_count && bytes)
        add_pointers(m, t->number, row->inner - 1, bytes);
}

/* Adds the row's pointer of a struct, or, with a stride, of several. */
static void add_row(struct memory_state *m, unsigned block, size_t stride,
                    const struct state_row *row)
{
    size_t at = row->at;
    if (!row->name)
        return;
    add_pointers(m, block, at, stride);
    for (size_t i = 1; i < row->count; i++)
        add_pointers(m, block, at += row->bytes, stride);
}

static void add_unit(struct memory_state *m, unsigned block)
{
    const struct unit *u = m->chip->blocks[block].unit;
    for (unsigned i = 0; i < u->kind->state_count; i++) {
        const struct state_row *row = &u->kind->state_rows[i];
        add_row(m, block, 0, row);
        if (row->inner)
            add_elements(m, (const char *)u, row);
    }
}

static void add_block(struct memory_state *m, unsigned block)
{
    const struct block *b = &m->chip->blocks[block];
    for (unsigned i = 0; i < b->row_count; i++)
        add_row(m, block, b->element, &b->rows[i]);
    if (b->unit)
        add_unit(m, block);
}

static int by_place(const void *a, const void *b)
{
    const struct pointers *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* A pointer named twice, by units that share a block say, counts once. */
static void order_pointers(struct memory_state *m)
{
    unsigned kept = 0;
    qsort(m->pointers, m->pointer_count, sizeof *m->pointers, by_place);
    for (unsigned i = 0; i < m->pointer_count; i++)
        if (!kept || by_place(&m->pointers[i], &m->pointers[kept - 1]))
            m->pointers[kept++] = m->pointers[i];
    m->pointer_count = kept;
}

/* ---- blocks ---- */

static void move_pointer(struct memory_state *m, char *in_copy,
                         const char *built)
{
    uint64_t code;
    if (m->state->loading) {
        memcpy(&code, in_copy, sizeof code);
        char *pointer = pointer_of(m, code, pointer_at(built));
        memcpy(in_copy, &pointer, sizeof pointer);
    } else {
        code = code_of(m, pointer_at(built));
        memcpy(in_copy, &code, sizeof code);
    }
}

/* Changes the pointers in the copy of the block that they are of. */
static void move_pointers(struct memory_state *m, const struct block *b,
                          const struct pointers *p)
{
    size_t at = p->at;
    do {
        if (at + sizeof(char *) <= b->bytes)
            move_pointer(m, m->copy + at, b->at + at);
        at += p->stride;
    } while (p->stride && at < b->bytes);
}

static void take_copy(struct memory_state *m, const struct block *b)
{
    if (b->bytes > m->copy_room) {
        m->copy = heap_resize(m->copy, b->bytes, 1, "a checkpoint");
        m->copy_room = b->bytes;
    }
    memcpy(m->copy, b->at, b->bytes);
}

/* In a checked build: clears what a table names, so that only the rest is
 * looked at. */
static void clear_pointers(struct memory_state *m, const struct block *b,
                           const struct pointers *p)
{
    for (size_t at = p->at; at + sizeof(char *) <= b->bytes; at += p->stride) {
        memset(m->copy + at, 0, sizeof(uint64_t));
        if (!p->stride)
            return;
    }
}

/* Whatever else is an address of the host's has been forgotten in a table. */
static void check_block(struct memory_state *m, const struct block *b,
                        const struct pointers *first,
                        const struct pointers *end)
{
    const struct unit *u = b->unit ? b->unit : b->owner;
    size_t head = b->unit ? sizeof(struct unit) : 0;
    take_copy(m, b);
    for (const struct pointers *p = first; p < end; p++)
        clear_pointers(m, b, p);
    for (size_t at = head; at + sizeof(char *) <= b->bytes; at += 8) {
        char *word = pointer_at(m->copy + at);
        const struct target *t = target_of(m, word);
        bool place = t && t->number >= m->chip->block_count &&
                     t->number + 1 < m->target_count;
        if (checked_is_pair((uintptr_t)word) ||
            ((!t || place) && !checked_is_address((uintptr_t)word)))
            continue;
        state_fail(m->state,
                   "%s (%s) has an address in byte %zu of %s of %zu bytes, "
                   "which is not in its kind's state_rows",
                   u ? u->name : "the chip", u ? u->kind->name : "no unit", at,
                   b->unit ? "its struct" : "a block", b->bytes);
        return;
    }
}

/* In a checked build: what leads to elsewhere than the chip is to be kept. */
static void follow_pointers(struct memory_state *m)
{
    char text[200];
    for (unsigned i = 0; i < m->pointer_count && !m->state->failed; i++) {
        const struct pointers *p = &m->pointers[i];
        const struct block *b = &m->chip->blocks[p->block];
        const struct unit *u = b->unit ? b->unit : b->owner;
        for (size_t at = p->at; at + sizeof(char *) <= b->bytes;
             at += p->stride) {
            const char *pointer = pointer_at(b->at + at);
            if (pointer && !target_of(m, pointer) &&
                !covered_leads(b->at + at, sizeof pointer, text, sizeof text))
                state_fail(m->state, "%s (%s): %s", u ? u->name : "the chip",
                           u ? u->kind->name : "no unit", text);
            if (!p->stride)
                break;
        }
    }
}

/* Parameters that a run which goes on may change stay as this chip has them:
 * bytes, of the unit's struct, are those that have been loaded. */
static void keep_safe(struct unit *u, char *bytes)
{
    size_t params = (size_t)((char *)unit_params(u) - (char *)u);
    for (unsigned i = 0; i < u->kind->param_count; i++) {
        const struct param *p = &u->kind->param_rows[i];
        if (p->safe)
            *param_field(bytes + params, p) = *param_field(unit_params(u), p);
    }
}

/* first, end: its pointers. Without any there is nothing to be done with its
 * bytes, unless they are a unit's struct, of which the engine saves the head.
 */
static void move_block(struct memory_state *m, const struct block *b,
                       const struct pointers *first, const struct pointers *end)
{
    size_t head = b->unit ? sizeof(struct unit) : 0;
    if (CHECKED && !m->state->loading)
        check_block(m, b, first, end);
    if (first == end && !(b->unit && m->state->loading)) {
        state_bytes(m->state, b->at + head, b->bytes - head);
        return;
    }
    take_copy(m, b);
    if (m->state->loading)
        state_bytes(m->state, m->copy + head, b->bytes - head);
    for (const struct pointers *p = first; p < end; p++)
        move_pointers(m, b, p);
    if (m->state->loading && b->unit)
        keep_safe(b->unit, m->copy);
    if (m->state->loading)
        memcpy(b->at + head, m->copy + head, b->bytes - head);
    else
        state_bytes(m->state, m->copy + head, b->bytes - head);
}

static void move_blocks(struct memory_state *m)
{
    const struct chip *chip = m->chip;
    const struct pointers *p = m->pointers, *all = p + m->pointer_count;
    for (unsigned i = 0; i < chip->block_count && !m->state->failed; i++) {
        const struct pointers *first = p;
        while (p < all && p->block == i)
            p++;
        if (chip->blocks[i].engines)
            continue;
        state_same(m->state, chip->blocks[i].bytes, "the size of a block");
        state_same(m->state, (size_t)(p - first), "a block's pointers");
        move_block(m, &chip->blocks[i], first, p);
    }
}

bool chip_declares_state(const struct chip *chip, struct error *error)
{
    for (unsigned i = 0; i < chip->unit_count; i++) {
        const struct unit *u = chip->units[i];
        if (!u->kind->state_rows)
            return error_set(error,
                             "%s cannot be saved: kind %s declares no state",
                             u->name, u->kind->name);
    }
    return true;
}

/* Units' memory, which others may lead to, is looked at block by block. */
static void leave_arenas(const struct chip *chip, const struct state *s)
{
    const struct arena *arenas[] = {&chip->small, &chip->large};
    state_fixed(s, chip);
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < arenas[i]->count; k++)
            state_fixed(s, arenas[i]->chunks[k]);
}

/* Calls the units in their order, which is that of the chip's description. */
static void keep_units(struct chip *chip, struct state *s)
{
    for (unsigned i = 0; i < chip->unit_count && !s->failed; i++)
        if (chip->units[i]->kind->keep)
            chip->units[i]->kind->keep(chip->units[i], s);
}

void chip_state(struct chip *chip, struct state *s)
{
    struct memory_state m = {.chip = chip, .state = s};
    struct error error;
    if (!chip_declares_state(chip, &error)) {
        state_fail(s, "%s", error.text);
        return;
    }
    state_same(s, chip->block_count, "the number of blocks");
    list_targets(&m);
    if (CHECKED && !s->loading)
        checked_addresses();
    for (unsigned i = 0; i < chip->block_count; i++)
        add_block(&m, i);
    order_pointers(&m);
    bool covers = s->covers;
    s->covers = false; /* check_block looks at them */
    move_blocks(&m);
    s->covers = covers;
    leave_arenas(chip, s);
    keep_units(chip, s);
    if (CHECKED && s->covers && !s->failed)
        follow_pointers(&m);
    free(m.by_number);
    free(m.by_address);
    free(m.pointers);
    free(m.copy);
}
