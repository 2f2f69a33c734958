/*
 * The instructions that other units serve (sdk/isa/served.def), for all active
 * lanes: work indices in one request, which are consecutive and come in the
 * order of lanes; rays one by one in the order of lanes, in a queue of the SM,
 * so that the warp goes on meanwhile. Its registers are there when the last
 * lane's answer is.
 */
#include "sim/units/common/served_words.h"
#include "sim/units/simt/simt_private.h"

/* The SM has ports for these; others are refused by name. */
enum producer simt_served_by(unsigned cls)
{
    return cls == ISA_CLASS_fchthrd ? SCHEDULER : RTCORE;
}

struct simt_queue *simt_served_queue(struct simt *t, unsigned cls)
{
    return cls == ISA_CLASS_fchthrd ? &t->next : &t->ray;
}

static unsigned port_of(unsigned cls)
{
    return cls == ISA_CLASS_fchthrd    ? NEXT
           : cls == ISA_CLASS_traceray ? RAY
                                       : SIMT_ROWS;
}

static bool linked(const struct unit *u, unsigned cls)
{
    unsigned port = port_of(cls);
    return port < SIMT_ROWS && u->links[port];
}

struct unit *simt_server(const struct unit *u, const struct isa_insn *insn)
{
    if (!isa_served(insn->cls) || simt_lacks(u, insn))
        return NULL;
    return link_target(u->out[port_of(insn->cls)]);
}

bool simt_lacks(const struct unit *u, const struct isa_insn *insn)
{
    const struct isa_served *row = isa_served(insn->cls);
    const struct machine *m = chip_context(u->chip);
    return row && (!linked(u, insn->cls) || (row->needs_scene && !m->scene));
}

bool simt_lacks_text(const struct unit *u, const struct isa_insn *insn,
                     char *text, size_t size)
{
    const struct isa_served *row = isa_served(insn->cls);
    if (!row)
        return false;
    if (linked(u, insn->cls))
        snprintf(text, size, "no scene has been opened");
    else if (port_of(insn->cls) == SIMT_ROWS)
        snprintf(text, size, "SMs (cores of kind simt) have no %s", row->unit);
    else
        snprintf(text, size, "the chip has no %s", row->unit);
    return true;
}

/* ---- requests ---- */

/* Appends a message to those that the op still has to send. */
static void keep(struct simt *t, struct simt_op *op, const struct msg *m,
                 const struct payload *bytes)
{
    uint32_t index = unit_new_msg(&t->unit);
    *unit_msg(&t->unit, index) = *m;
    unit_msg(&t->unit, index)->next = NONE;
    if (bytes)
        unit_attach(&t->unit, index, bytes);
    if (op->first == NONE)
        op->first = index;
    else
        unit_msg(&t->unit, op->last)->next = index;
    op->last = index;
}

enum { TAG_LANE = 8 };

/* The words of a lane, as words_push sends them. */
static void keep_words(struct simt *t, struct simt_op *op, unsigned lane,
                       const struct isa_insn *insn,
                       const struct isa_served *row)
{
    const struct simt_warp *w = &t->warps[op->warp];
    uint32_t words[ISA_SERVED_WORDS];
    struct msg m = {.tag = (uint32_t)(op - t->ops) << TAG_LANE | lane,
                    .from = hart_of(t, w, lane)->isa.id,
                    .addr = (uint32_t)insn->imm,
                    .size = (uint8_t)lane_count(op->mask),
                    .op = insn->cls};
    WORK_FOR(&m, t->works[slot_of(t, w, lane)].work);
    isa_served_send(row, &hart_of(t, w, lane)->isa, insn, words);
    if (row->sent <= WORDS_IN_VALUE) {
        m.value = words_value(words, row->sent);
        keep(t, op, &m, NULL);
        return;
    }
    for (unsigned first = 0; first < row->sent; first += WORDS_IN_PAYLOAD) {
        struct payload p = {{0}};
        unsigned left = row->sent - first;
        memcpy(p.bytes, words + first,
               4 * (left < WORDS_IN_PAYLOAD ? left : WORDS_IN_PAYLOAD));
        m.aux = first > 0;
        keep(t, op, &m, &p);
    }
}

void simt_serve(struct simt *t, struct simt_warp *w,
                const struct isa_insn *insn, const struct isa_lanes *l,
                uint64_t now)
{
    const struct isa_served *row = isa_served(insn->cls);
    struct simt_op *op = simt_new_op(t, w, insn, l->mask & ~l->faulted);
    unsigned lanes = lane_count(op->mask);
    op->producer = (uint8_t)simt_served_by(insn->cls);
    add_pending(w, op->producer, insn->writes);
    if (insn->cls == ISA_CLASS_fchthrd) {
        struct msg m = {.tag = (uint32_t)(op - t->ops) << TAG_LANE,
                        .from = hart_of(t, w, first_of(op->mask))->isa.id,
                        .size = (uint8_t)lanes,
                        .op = insn->cls};
        op->requests = 1;
        t->stats.indices++;
        keep(t, op, &m, NULL);
    } else {
        op->requests = (uint16_t)lanes;
        t->stats.rays += lanes;
        t->stats.ray_warps++;
        for (uint64_t m = op->mask; m; m &= m - 1)
            keep_words(t, op, first_of(m), insn, row);
    }
    simt_queue_add(t, simt_served_queue(t, insn->cls), op);
}

/* Sends the first message of a queue. */
static void send_first(struct simt *t, struct simt_queue *q, unsigned port,
                       uint64_t now)
{
    if (!q->count)
        return;
    struct simt_op *op = &t->ops[q->first];
    struct outport *o = t->unit.out[port];
    if (!link_ready(o))
        return;
    uint32_t index = op->first;
    op->first = unit_msg(&t->unit, index)->next;
    link_forward(o, index, NULL);
    if (op->first == NONE) {
        q->first = op->next;
        q->count--;
        simt_queues_have_room(t, now);
    }
}

void simt_send_served(struct simt *t, uint64_t now)
{
    send_first(t, &t->next, NEXT, now);
    send_first(t, &t->ray, RAY, now);
}

/* ---- answers ---- */

static void log_end(struct simt *t, const struct simt_op *op, unsigned lane)
{
    struct isa_insn insn = {.op = op->insn, .rd = op->rd, .writes = op->writes};
    if (t->commits)
        commit_queue_finish(t->commits,
                            &hart_of(t, &t->warps[op->warp], lane)->isa, &insn,
                            0, 0);
}

/* Those at consecutive places of the kernel's order, in that of lanes. */
static void take_indices(struct simt *t, struct simt_op *op,
                         const struct isa_served *row, const struct msg *m,
                         uint64_t now)
{
    uint32_t place = (uint32_t)m->value;
    for (uint64_t lanes = op->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = first_of(lanes);
        struct simt_warp *w = &t->warps[op->warp];
        uint32_t index = work_in_order(&t->machine->work_order, place++);
        isa_served_receive(row, &hart_of(t, w, lane)->isa, op->rd, &index, 0,
                           1);
        log_end(t, op, lane);
        work_goes_on(t->machine, &t->unit, &t->works[slot_of(t, w, lane)],
                     index + 1, now);
    }
    op->answered++;
}

static void take_words(struct simt *t, struct simt_op *op, unsigned lane,
                       const struct isa_served *row, const struct msg *m)
{
    uint32_t words[ISA_SERVED_WORDS];
    unsigned first;
    unsigned count = words_take(&t->unit, m, words, row->received, &first);
    isa_served_receive(row, &hart_of(t, &t->warps[op->warp], lane)->isa, op->rd,
                       words + first, first, count);
    if (first + count < row->received)
        return;
    log_end(t, op, lane);
    op->answered++;
}

uint32_t simt_warp_of_answer(const struct simt *t, const struct msg *m)
{
    return t->ops[m->tag >> TAG_LANE].warp;
}

void simt_use_answer(struct simt *t, const struct msg *m, uint64_t now)
{
    struct simt_op *op = &t->ops[m->tag >> TAG_LANE];
    const struct isa_served *row = isa_served(op->cls);
    unsigned lane = m->tag & ((1u << TAG_LANE) - 1);
    if (m->op == MEM_FAULT) {
        if (!op->refused)
            op->fault = *m;
        op->refused |= bit(lane);
        op->answered++;
    } else if (op->cls == ISA_CLASS_fchthrd) {
        take_indices(t, op, row, m, now);
    } else {
        take_words(t, op, lane, row, m);
    }
    if (op->answered == op->requests)
        simt_end_op(t, op, now);
}
