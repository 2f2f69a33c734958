/*
 * What comes back to the thread processor: answers of units, and results that
 * take more than a cycle inside the core.
 */
#include "sim/core/heap.h"
#include "sim/units/tp/tp_slot.h"
#include <stdlib.h>

void tp_load_now(struct tp *t, struct slot *s, const struct isa_insn *insn,
                 uint64_t value)
{
    isa_load_done(&hart_of(t, s)->isa, insn, value);
    if (logs(t))
        commit_queue_finish_last(t->commits, &hart_of(t, s)->isa, value);
}

void tp_load_done(struct tp *t, struct slot *s, const struct isa_insn *insn,
                  uint64_t address, uint64_t value)
{
    isa_load_done(&hart_of(t, s)->isa, insn, value);
    if (logs(t))
        commit_queue_finish(t->commits, &hart_of(t, s)->isa, insn, address,
                            value);
}

static void split_answer(struct tp *t, struct slot *s, const struct msg *m)
{
    struct split *p = &t->splits[slot_number(t, s)];
    p->loaded |= m->value << (8 * p->done);
    p->done = (uint8_t)(p->done + tp_part_bytes(p));
    p->under_way = false;
    begin_act(t, s);
}

/* Counts a load by where it was served, which the flags of its answer say. */
static inline void count_load(struct tp *t, unsigned flags)
{
    static const uint8_t row_of[] = {
        FROM_FIRST, FROM_SECOND, FROM_MEMORY, FROM_MEMORY,
        JOINED,     JOINED,      JOINED,      JOINED,
    };
    t->counts.loads[row_of[flags & (MEM_DEPTH | MEM_JOINED)]]++;
}

/* A load or an atomic is done. */
static inline void end_load(struct tp *t, struct slot *s, const struct msg *m)
{
    uint32_t tag = m->tag;
    struct hart *hart = &t->harts[tag >> TAG_SLOT];
    isa_loaded(&hart->isa, (uint16_t)tag, tag >> TAG_RD & 31, m->value);
    end_pending(s, MEMORY, write_of(tag));
}

/* Ends a load of a core that is traced as well: the log needs the load's
 * address. */
static void end_any_load(struct tp *t, struct slot *s, const struct msg *m)
{
    if (!t->traced) {
        end_load(t, s, m);
        return;
    }
    struct isa_insn insn = insn_of(m->tag);
    tp_load_done(t, s, &insn, m->addr, m->value);
    end_pending(s, MEMORY, insn.writes);
}

/* An answer to a hart in any state. The hart may not be able to issue before
 * all of its accesses have ended, or before a part of one has. */
static __attribute__((noinline)) void
use_any_data(struct tp *t, struct slot *s, const struct msg *m, uint64_t now)
{
    if (checks(t) && m->op == MEM_DATA)
        tp_note_load(t, s, m);
    if (s->state == SPLIT && t->splits[slot_number(t, s)].under_way) {
        split_answer(t, s, m);
        return;
    }
    if (s->state == INVALIDATE) {
        if (!s->accesses)
            tp_assess_now(t, s, now);
        return;
    }
    if (m->op != MEM_DONE)
        end_any_load(t, s, m);
    advance(t, s, now);
}

/*
 * The host's lines that an issue of the hart will need: its pc, and the first
 * of the registers that it has waited for. Until send all other units of the
 * tile receive, time enough for them; harts are too many to stay in the host's
 * cache.
 */
static inline void prefetch_for_issue(const struct hart *hart, uint64_t awaits)
{
    host_prefetch(&hart->isa.pc);
    /* None, if another hart has changed the instruction. */
    host_prefetch((const char *)hart->isa.x +
                  mask_first(awaits | 1ULL << 63) * sizeof *hart->isa.x);
}

static __attribute__((noinline)) void
refused_data(struct tp *t, struct slot *s, const struct msg *m, uint64_t now)
{
    end_pending(s, MEMORY, writes_of(m->tag));
    tp_refused(
        t, s, m,
        m->aux == MEM_READ ? ISA_CAUSE_LOAD_FAULT : ISA_CAUSE_STORE_FAULT, now);
}

static inline void use_data(struct tp *t, const struct msg *m, uint64_t now)
{
    struct slot *s = slot_of(t, m->tag);
    TRIP_END(&t->unit, &t->stats, m, now);
    if (--s->accesses == 1) /* the next answer may be what it waits for */
        host_prefetch(&hart_of(t, s)->isa.pc);
    if (m->op == MEM_FAULT) {
        refused_data(t, s, m, now);
        return;
    }
    if (m->op == MEM_DATA)
        count_load(t, m->flags);
    if (t->traced || s->state >= DRAINING) {
        use_any_data(t, s, m, now);
        return;
    }
    if (m->op != MEM_DONE)
        end_load(t, s, m);
    if (s->state == WAIT_REGS) {
        advance_waiting(t, s, now);
        if (s->state == READY)
            prefetch_for_issue(hart_of(t, s), s->awaits);
    }
}

void tp_take_results(struct tp *t, uint64_t now)
{
    for (uint32_t i = t->result_count; i-- > 0;) {
        struct result r = t->results[i];
        if (r.when > now)
            continue;
        t->results[i] = t->results[--t->result_count];
        if (!t->result_count)
            t->errands &= (uint8_t)~RESULTS;
        end_pending(&t->slots[r.slot], CORE, r.registers);
        advance(t, &t->slots[r.slot], now);
    }
}

/* ---- receive: answers ---- */

/* The first answer of a row's only link. */
static inline void use_link(struct tp *t, unsigned row, uint64_t now)
{
    if (arrived(t, row))
        tp_use_answer(t, link_read(inport_of(t, row)), now);
}

/* One answer of each of a row's links. */
static inline void use_links(struct tp *t, unsigned row, uint64_t now)
{
    for (uint64_t m = arrived(t, row); m; m &= m - 1)
        tp_use_answer(t, link_read(inport_of(t, row) + __builtin_ctzll(m)),
                      now);
}

/* Answers of units. The ports of rows with several links lie in another cache
 * line of the host, so it is asked first whether any message is left. */
#define USE_MEMORY(links, row)
#define USE_UNITS(links, row) USE_##links(row)
#define USE_ONE(row) use_link(t, row, now);
#define USE_SEVERAL(row)                                                       \
    if (!t->unit.filled)                                                       \
        return;                                                                \
    use_links(t, row, now);
#define USE_PAIR(request, out, answer, in, use, links, ...)                    \
    USE_##use(links, answer)

/* Answers of all ports but data. This is not inlined, so that the common path
 * does not save the registers that this one needs. */
static __attribute__((noinline)) void use_others(struct tp *t, uint64_t now)
{
    TP_PAIRS(USE_PAIR)
    if (t->fetches && arrived(t, CODE))
        tp_use_code(t, link_read(inport_of(t, CODE)), now);
}

/*
 * Would send do nothing, as a hart that is not ready still is not, or those
 * that are wait for the cycle that an earlier send returned? Ports may be asked
 * for room already: a credit that comes later in this receive has send run.
 */
static inline bool send_is_vain(struct tp *t, uint64_t were_ready, uint64_t now)
{
    if (t->errands || tp_ports_have_room(t))
        return false;
    return were_ready ? t->busy_until > now : !t->ready;
}

_Static_assert(DATA == 0, "its link is bit 0 of the first word of pending");

void tp_receive(struct unit *u, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    uint64_t were_ready = t->ready;
    bool others = u->filled > u->pending[0];
    if (u->pending[0]) {
        uint32_t index = link_take_of(u, unit_port(u, t->first_in));
        unit_free_msg(u, index);
        use_data(t, unit_msg(u, index), now);
    }
    if (others)
        use_others(t, now);
    if (u->filled)
        unit_wake(u, now + 1);
    if (send_is_vain(t, were_ready, now))
        unit_skip_send(u);
}

/*
 * One instruction is issued in a cycle, and its result waits as many cycles as
 * it takes: there are never more than the slowest of them takes.
 */
void tp_take_room(struct tp *t)
{
    const struct tp_common *c = t->common;
    uint16_t most = c->scratch_latency;
    for (unsigned i = 0; i < ISA_CLASS_COUNT; i++)
        if (c->latency_of[i] > most)
            most = c->latency_of[i];
    t->result_room = (uint16_t)(most > 1 ? most + 1 : 0);
    t->results = chip_alloc(t->unit.chip, t->result_room, sizeof *t->results);
}

void tp_result_later(struct tp *t, struct slot *s, uint64_t registers,
                     uint64_t when)
{
    if (!registers)
        return;
    add_pending(s, CORE, registers);
    t->errands |= RESULTS;
    assert(t->result_count < t->result_room);
    t->results[t->result_count++] =
        (struct result){when, registers, slot_number(t, s)};
}
