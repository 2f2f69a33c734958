/*
 * What the current hart of the thread processor does in the coming cycles. The
 * core stays with a hart until that cannot issue, so what the hart does next is
 * known, as far as it is local, or sends a message that nobody's doing can
 * hinder: it is worked out at once, while the hart's state is in the host's
 * cache, and the messages leave in their cycles.
 */
#include "sim/units/tp_private.h"

/* ---- local instructions ---- */

/* Instructions that lie in the last sector of the hart's fetch buffer. */
static void keep_to_sector(uint64_t pc, struct isa_local *local)
{
    uint64_t first = pc / SECTOR * SECTOR;
    uint64_t end = first + SECTOR - 2; /* one may begin in the last 2 bytes */
    uint64_t text_end = local->start + local->bytes;
    if (first > local->start) {
        local->text += (first - local->start) / 2;
        local->start = first;
    }
    local->bytes = (end < text_end ? end : text_end) - local->start;
}

/* Where local instructions up to a cycle are noted, the last one first. */
static inline const struct isa_insn **log_until(struct tp *t, uint64_t end)
{
    if (!t->common->beyond)
        return t->common->log;
    t->ahead->end = end;
    return t->ahead->issued;
}

/*
 * From insn in a cycle up to another, as far as the instructions are local.
 * Returns the cycle after the last one.
 */
static uint64_t run_local(struct tp *t, struct slot *s, struct hart *hart,
                          const struct isa_insn *insn, uint64_t from,
                          uint64_t end)
{
    struct isa_local *local = &t->common->local, in_sector;
    if (t->fetches) {
        if (!tp_fetch_quietly(t, s))
            return from;
        in_sector = *local;
        local = &in_sector;
        keep_to_sector(hart->isa.pc, local);
    }
    local->pending = s->any_pending;
    local->scratch = scratch_of(t->common, hart);
    local->of_class = t->counts.of_class;
    local->log = log_until(t, end);
    hart->isa.cycle = from;
    uint64_t count = isa_run_local(&hart->isa, local, insn, end - from);
    if (local->accesses) {
        t->counts.scratch = (uint16_t)(t->counts.scratch + local->accesses);
        s->stack_line = (uint32_t)(local->accessed - local->scratch);
        local->accesses = 0;
    }
    uint64_t next = from + count;
    if (next > t->unit.tile->horizon && next > t->common->ahead_until)
        t->common->ahead_until = next;
    return next;
}

/* ---- instructions that send a message ---- */

/*
 * Does the port take the message of an instruction in a cycle from now on? Not
 * if a slot waits for it. Those whose accesses have to end may then send to
 * the L1: for these there must be room besides.
 */
static inline bool port_takes(const struct tp *t, unsigned port, bool later)
{
    int room = port == TO_MEM && t->drains && later ? t->common->act_room : 0;
    return outport_of(t, port)->credits > room &&
           !(later && t->ports_wanted >> port & 1);
}

/* Is it in order, and within a sector? */
static inline bool is_plain(const struct machine *m, const struct isa_effect *e)
{
    if (e->address % SECTOR + e->size > SECTOR ||
        !machine_in_ram(m, e->address, e->size))
        return false;
    return e->access == ISA_LOAD ||
           (e->address != m->tohost &&
            !machine_read_only(m, e->address, e->size));
}

/* False: it is another access than a plain load or store; nothing happened. */
static inline bool access_ahead(struct tp *t, struct slot *s, struct hart *hart,
                                const struct isa_insn *insn, uint64_t delay)
{
    struct isa_effect e;
    enum isa_outcome outcome = isa_execute(&hart->isa, insn, &e);
    if (outcome == ISA_FAULT)
        return false;
    if (outcome != ISA_ACCESS || !is_plain(t->common->machine, &e)) {
        isa_access_failed(&hart->isa, insn);
        return false;
    }
    count_access(t, s, &e);
    link_forward_later(t->out, new_access(t, s, insn, &e), delay);
    return true;
}

/* An operation of a special function unit, or a request for an index. False: a
 * fault; nothing happened. */
static bool ask_unit(struct tp *t, struct slot *s, struct hart *hart,
                     const struct isa_insn *insn, unsigned port, uint64_t delay)
{
    struct tile *tile = t->unit.tile;
    struct isa_effect e;
    struct msg m = {.tag = make_tag(t, s, insn)};
    if (isa_execute(&hart->isa, insn, &e) == ISA_FAULT)
        return false;
    add_pending(s, port == TO_NEXT ? SCHEDULER : SFU, insn->writes);
    uint32_t index = tile_new_msg(tile);
    msg_copy(&tile->pool[index], &m);
    link_forward_later(outport_of(t, port), index, delay);
    return true;
}

/* False: it has to be issued in its cycle. */
static inline bool send_ahead(struct tp *t, struct slot *s, struct hart *hart,
                              const struct isa_insn *insn, uint64_t delay)
{
    unsigned port = t->common->port_of[insn->cls];
    if (!port_takes(t, port, delay) ||
        !(port == TO_MEM ? access_ahead(t, s, hart, insn, delay)
                         : ask_unit(t, s, hart, insn, port, delay)))
        return false;
    t->counts.of_class[insn->cls]++;
    return true;
}

/* ---- both ---- */

uint64_t tp_run_ahead(struct tp *t, struct slot *s, struct hart *hart,
                      uint64_t from, uint64_t end)
{
    const struct tp_common *c = t->common;
    uint64_t now = t->unit.tile->now, next = from;
    uint64_t last = now + AHEAD_MOST;
    if (last > t->unit.tile->horizon)
        last = t->unit.tile->horizon;
    while (next < end) {
        const struct isa_insn *insn = next_insn(t, hart);
        if (!insn || s->any_pending & (insn->reads | insn->writes))
            break;
        bool accesses = c->port_of[insn->cls] == TO_MEM;
        bool stays = !accesses || to_scratch(c, hart, insn);
        uint64_t before = next;
        if (stays && c->local.classes >> insn->cls & 1)
            next = run_local(t, s, hart, insn, next, end);
        else if (stays != accesses && c->sends >> insn->cls & 1 && next < last)
            next += send_ahead(t, s, hart, insn, next - now);
        if (next == before || t->fetches)
            break;
    }
    return next;
}
