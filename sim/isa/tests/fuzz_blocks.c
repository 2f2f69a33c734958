/*
 * Jumps, and blocks of items, which nest in loops.
 */
#include "sim/isa/tests/fuzz_generator.h"

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

static bool may_be_called(const struct generator *g, const struct function *f)
{
    return may_write(g, f->clobbers) && g->repeats * f->cost <= MOST_CALL_COST;
}

/* Another one that may be called in the same way, NULL: none. */
static const struct function *other_for_lanes(const struct generator *g,
                                              const struct function *f)
{
    bool has_all = g->program->lanes && g->function_count == FUNCTIONS;
    for (unsigned i = 0; has_all && i < FUNCTIONS; i++) {
        const struct function *other = &g->functions[i];
        if (other != f && other->link == f->link && may_be_called(g, other))
            return other;
    }
    return NULL;
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

/* x[reg] = the address of an item, by the pc. */
static void emit_item_address(struct generator *g, unsigned reg, uint32_t item)
{
    emit_linked(g, u_type(OP_auipc, reg, 0), LINK_HIGH, TO_ITEM, item);
    emit_linked(g, i_type(OP_addi, reg, reg, 0), LINK_LOW_LOAD, TO_ITEM, item);
}

/* Calls one of two functions with the same link register, by a bit of the
 * lane's checksum: so lanes part at a jump to a register. */
static void emit_call_by_lane(struct generator *g, const struct function *a,
                              const struct function *b)
{
    unsigned t = temporary(g, 0), u = temporary(g, bit(t)),
             v = temporary(g, bit(t) | bit(u));
    emit(g, i_type(OP_andi, u, g->check, 1));
    emit(g, r_type(OP_sub, u, 0, u));
    emit_item_address(g, t, (uint32_t)a->begin);
    emit_item_address(g, v, (uint32_t)b->begin);
    emit(g, r_type(OP_xor, v, v, t));
    emit(g, r_type(OP_and, v, v, u));
    emit(g, r_type(OP_xor, t, t, v));
    emit(g, i_type(OP_jalr, a->link, t, 0));
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
    if (!may_be_called(g, f))
        return;
    const struct function *other = other_for_lanes(g, f);
    begin_whole_item(g);
    last_item(g)->needs = f->begin;
    if (other) {
        emit_call_by_lane(g, f, other);
        g->cost += g->repeats * other->cost;
        g->called |= other->clobbers;
    } else {
        emit_call(g, f);
    }
    g->cost += g->repeats * f->cost;
    g->called |= f->clobbers;
}

/* ---- blocks ---- */

/* Lanes write nothing to files, as they would in any order, and leave the text
 * to each other as it is. */
static void generate_rare(struct generator *g)
{
    switch (below(g, g->program->lanes ? 2 : 4)) {
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

/* Sets the counter of a loop that adds step to it: to as many trips, or, where
 * lanes differ, to some of them by what the lane's checksum is. */
static void emit_trips(struct generator *g, unsigned counter, int step,
                       unsigned trips)
{
    int least = trips > 4 ? (int)trips - 3 : 1;
    if (!g->program->lanes || trips < 2) {
        emit(g, i_type(OP_addi, counter, 0, -step * (int)trips));
        return;
    }
    emit(g, i_type(OP_andi, counter, g->check, trips < 4 ? 1 : 3));
    emit(g, i_type(OP_addi, counter, counter, least));
    if (step > 0)
        emit(g, r_type(OP_sub, counter, 0, counter));
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
    emit_trips(g, counter, step, trips);
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

void generate_block(struct generator *g, unsigned size)
{
    struct pending pending = {.count = 0};
    const unsigned more = g->program->lanes ? 8 : 0; /* ways for them to part */
    while (size-- > 0 && g->left > 0) {
        unsigned kind = below(g, 100);
        uint32_t before = next_item(g);
        bool room = pending.count < PENDING;
        if (kind < 7 + more && room)
            generate_branch(g, &pending);
        else if (kind < 10 + more && room)
            generate_jump(g, &pending);
        else if (kind < 13 + 2 * more)
            generate_loop(g);
        else if (kind < 16 + 2 * more)
            generate_call(g);
        if (next_item(g) == before) {
            generate_one(g);
            resolve_pending(g, &pending, false);
        }
    }
    resolve_pending(g, &pending, true);
}
