/*
 * Construction of a thread processor: whether its links fit its parameters,
 * what the cores of a tile share, and what is known when the program starts.
 */
#include "sim/isa/served.h"
#include "sim/units/common/riscv_core.h"
#include "sim/units/common/served_words.h"
#include "sim/units/tp/tp_slot.h"
#include <limits.h>
#include <string.h>

/* A pair of ports, and the first of its links as enum needed_port. */
static const struct pair {
    uint8_t request, answer, first;
} pairs[] = {
#define PAIR(request, out, answer, ...) {request, answer, TO_##request},
    TP_PAIRS(PAIR)
#undef PAIR
};

/* Do the links exist that the classes name? */
static bool check_units(const struct tp *t, struct error *error)
{
    const uint8_t *unit_of = t->common->unit_of;
    for (unsigned cls = 0; cls < ISA_CLASS_COUNT; cls++) {
        unsigned row = isa_served(cls) ? tp_served_row(cls) : OP;
        if (unit_of[cls] > t->unit.links[row])
            return error_set(error, "%s_unit: there are %u %s links, not %u",
                             isa_class_name(cls), t->unit.links[row],
                             t->unit.kind->port_rows[row].name, unit_of[cls]);
    }
    return true;
}

/* A request is sent as a whole. */
static bool check_served(const struct tp *t, struct error *error)
{
    const struct tp_common *c = t->common;
    for (unsigned cls = 0; cls < ISA_CLASS_COUNT; cls++) {
        if (!isa_served(cls) || c->port_of[cls] == NO_PORT)
            continue;
        int messages = (int)words_messages(isa_served(cls)->sent);
        int depth = link_depth(outport_of(t, c->port_of[cls]));
        if (depth < messages)
            return error_set(
                error,
                "trav.%s sends %d messages at once, its %s link holds %d",
                isa_class_name(cls), messages,
                t->unit.kind->port_rows[tp_served_row(cls)].name, depth);
    }
    return true;
}

_Static_assert(ISA_CLASS_COUNT <= 32, "a mask of classes fits a word");

/* Does an instruction of this class end in its cycle, inside the core? Loads
 * and stores: if they go to scratch memory. */
static bool ends_in_cycle(const struct tp_common *c, unsigned cls)
{
    switch (cls) {
    case ISA_CLASS_load:
    case ISA_CLASS_store:
        return c->scratch_latency == 1;
    case ISA_CLASS_amo:
    case ISA_CLASS_fence:
    case ISA_CLASS_system:
        return false;
    default:
        return c->latency_of[cls] == 1 && !c->unit_of[cls] && !isa_served(cls);
    }
}

/* All ports of a unit lie side by side, those of inputs and of outputs. */
static void place_ports(struct tp_common *c, const struct unit *u)
{
    for (unsigned row = 0; row < TP_ANSWERS; row++) {
        bool linked = u->links[row];
        c->pending_at[row] = u->first_word[row];
        c->input_at[row] = linked ? (uint8_t)(u->in[row] - u->in[DATA]) : 0;
    }
    for (unsigned i = 0; i < TABLE_COUNT(pairs); i++) {
        const struct pair *p = &pairs[i];
        for (unsigned link = 0; link < u->links[p->request]; link++)
            c->port_at[p->first + link] =
                (uint8_t)(&u->out[p->request][link] - u->out[MEM]);
    }
}

/* Is each instruction to be seen in its cycle? */
static bool one_by_one(const struct machine *m)
{
    return m->log_commits || m->one_by_one;
}

/* The port that instructions of a class need. */
static unsigned port_of(const struct tp *t, const struct tp_common *c,
                        unsigned cls)
{
    switch (cls) {
    case ISA_CLASS_load:
    case ISA_CLASS_store:
    case ISA_CLASS_amo:
        return TO_MEM;
    default:
        if (isa_served(cls))
            return tp_served_port(t, c, cls);
        return c->unit_of[cls] ? TO_OP + c->unit_of[cls] - 1u : NO_PORT;
    }
}

/*
 * May the message of an instruction of this class be sent ahead of its cycle?
 * Instructions of other classes do more than send a message, or their cycle is
 * recorded when they issue.
 */
static bool sends_ahead(const struct tp_common *c, const struct tp *t,
                        unsigned cls)
{
    const uint32_t others = 1u << ISA_CLASS_alu | 1u << ISA_CLASS_branch |
                            1u << ISA_CLASS_jump | 1u << ISA_CLASS_amo |
                            1u << ISA_CLASS_fence | 1u << ISA_CLASS_system;
    const struct machine *m = c->machine;
    const struct isa_served *served = isa_served(cls);
    if (others >> cls & 1 || c->port_of[cls] == NO_PORT ||
        (served && !served->ahead) || one_by_one(m) || m->check_memory ||
        t->fetches)
        return false;
    const struct outport *o = &t->out[c->port_at[c->port_of[cls]]];
    return link_sends_ahead(o, AHEAD_MOST);
}

static uint8_t step_of(const struct tp_common *c, const struct tp *t,
                       unsigned cls)
{
    bool accesses = cls == ISA_CLASS_load || cls == ISA_CLASS_store;
    return (uint8_t)((c->local.classes >> cls & 1 ? LOCAL : 0) |
                     (sends_ahead(c, t, cls) ? SENDS : 0) |
                     (accesses ? ACCESSES : 0));
}

/*
 * A slot that does not issue sends at most two messages to the L1: parts of an
 * access. Where they take more than a cycle they would come behind those of the
 * same cycle that were sent ahead.
 */
static int act_room(const struct tp *t)
{
    return t->out->latency == 1 ? 2 * t->hart_count : INT_MAX;
}

/* The parameters, in the form in which the core uses them. */
static void take_params(struct tp_common *c, const struct tp_params *params)
{
    c->turn = (uint32_t)params->turn;
    c->load_bypass = (uint8_t)params->load_bypass;
    c->store_bypass = (uint8_t)params->store_bypass;
    c->scratch_latency = (uint16_t)params->scratch_latency;
    for (unsigned i = 0; i < ISA_CLASS_COUNT; i++) {
        c->unit_of[i] = (uint8_t)params->unit[i];
        c->latency_of[i] = (uint16_t)params->latency[i];
    }
}

/* What follows from the parameters for each class of instructions. */
static void fill_common(struct tp_common *c, const struct tp *t,
                        struct machine *m)
{
    c->first = t;
    c->machine = m;
    take_params(c, &t->params);
    for (unsigned i = 0; i < ISA_CLASS_COUNT; i++) {
        c->port_of[i] = (uint8_t)port_of(t, c, i);
        c->local.classes |= (uint32_t)ends_in_cycle(c, i) << i;
        c->careful |= (uint32_t)(isa_served(i) || i == ISA_CLASS_amo) << i;
    }
    if (one_by_one(m))
        c->local.classes = 0; /* all instructions pass through execute */
    place_ports(c, &t->unit);
    c->act_room = act_room(t);
    for (unsigned i = 0; i < ISA_CLASS_COUNT; i++) {
        c->step_of[i] = step_of(c, t, i);
        for (unsigned reads = 0; reads < ISA_READS; reads++)
            c->operands[reads][i] = isa_operands(i, reads);
    }
}

/* Do the output ports lead equally far? */
static bool equally_far(const struct tp *a, const struct tp *b)
{
    const struct outport *end = a->out;
    for (unsigned row = TP_ANSWERS; row < TP_ROWS; row++)
        end += a->unit.links[row];
    for (const struct outport *o = a->out, *p = b->out; o < end; o++, p++)
        if (!link_equally_far(o, p))
            return false;
    return true;
}

static bool alike(const struct tp *a, const struct tp *b)
{
    return a->unit.tile == b->unit.tile &&
           !memcmp(&a->params, &b->params, sizeof a->params) &&
           !memcmp(a->unit.links, b->unit.links, sizeof a->unit.links) &&
           equally_far(a, b);
}

static const struct shared_kind last_common; /* of the cores built so far */

/* What the core shares with others: that of the core built before if the two
 * are alike, else a new one. */
static struct tp_common *common_for(const struct tp *t, struct machine *m)
{
    struct tp_common *last = machine_shared(m, &last_common);
    if (last && alike(last->first, t))
        return last;
    struct tp_common *c = chip_alloc_for(t->unit.chip, 1, sizeof *c,
                                         "what thread processors share");
    c->before = last;
    machine_share(m, &last_common, c);
    fill_common(c, t, m);
    return c;
}

bool tp_any_linked(const struct machine *m, unsigned cls)
{
    const struct tp_common *c = machine_shared(m, &last_common);
    while (c && c->port_of[cls] == NO_PORT)
        c = c->before;
    return c;
}

static void slots_new(struct tp *t, const struct machine *m)
{
    struct chip *chip = t->unit.chip;
    size_t harts = t->hart_count;
    t->slots = harts <= SLOTS_NEAR ? t->near
                                   : chip_alloc(chip, harts, sizeof *t->slots);
    t->rest = chip_alloc(chip, harts, sizeof *t->rest);
    t->splits = chip_alloc(chip, harts, sizeof *t->splits);
    WORK_SLOTS_NEW(t, chip, harts);
    tp_take_room(t);
    if (m->log_commits)
        t->commits = chip_alloc(chip, 1, sizeof *t->commits);
    if (m->check_memory)
        t->issued = chip_alloc(chip, harts * 64, sizeof *t->issued);
    t->traced = t->commits || t->issued;
}

bool tp_build(struct unit *u, struct error *error)
{
    struct tp *t = (struct tp *)u;
    struct machine *m = chip_context(u->chip);
    t->hart_count = (uint16_t)t->params.harts;
    t->first_hart = m->hart_count;
    if (!riscv_core_linked(u, error) ||
        !riscv_core_joins(m, t->params.extension, t->hart_count,
                          t->params.scratch, error) ||
        !tp_fetch_build(t, error))
        return false;
    t->out = u->out[MEM];
    t->common = common_for(t, m);
    t->turn = t->common->turn;
    t->first_in = unit_port_number(u, u->in[DATA]);
    t->errands = START;
    slots_new(t, m);
    return check_units(t, error) && check_served(t, error);
}

/* ---- the program starts ---- */

static void start_common(struct tp_common *c)
{
    const struct machine *m = c->machine;
    const struct range plain = machine_plain(m);
    c->started = true;
    c->local.text = m->text;
    c->local.start = m->text_range.start;
    c->local.bytes = m->text_range.end - m->text_range.start;
    c->local.scratch_bytes = (uint32_t)m->scratch_bytes;
    c->scratch = m->scratch;
    c->grid = chip_grid(c->first->unit.chip);
    c->address_mask = machine_address_mask(m);
    c->plain_start = plain.start;
    c->plain_bytes = plain.end - plain.start;
}

/* One that takes no part is in a service that nothing ends; others may wait in
 * one already, as the program was begun without timing. */
static void start_hart(struct tp *t, struct slot *s)
{
    unsigned state = hart_of(t, s)->state;
    if (state == HART_RUNNING) {
        s->bucket = (uint8_t)tp_assess(t, s);
        return;
    }
    bool parked = state == HART_PARKED || state == HART_UNUSED;
    enter(t, s, SERVICE);
    s->bucket = parked ? IN_parked : IN_service;
}

void tp_begin(struct tp *t)
{
    if (!t->common->started)
        start_common(t->common);
    t->errands &= (uint8_t)~START;
    t->changes = t->common->machine->text_changes;
    t->harts = &t->common->machine->harts[t->first_hart];
    for (uint32_t i = 0; i < t->hart_count; i++) {
        t->rest[i].reserved = ~0ull;
        start_hart(t, &t->slots[i]);
    }
}
