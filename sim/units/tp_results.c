/*
 * What comes back to the thread processor: answers of units, and results that
 * take more than a cycle inside the core.
 */
#include "sim/units/tp_private.h"
#include <string.h>

static void write_x(const struct tp *t, struct slot *s, uint64_t registers,
                    uint64_t value)
{
    if (registers)
        hart_of(t, s)->isa.x[__builtin_ctzll(registers)] =
            t->common->machine->profile.xlen == 32 ? (uint64_t)(int32_t)value
                                                   : value;
}

/* The result of an instruction other than a load is in its registers. */
static void unit_done(struct tp *t, const struct slot *s, uint32_t tag)
{
    if (!t->logs)
        return;
    struct isa_insn insn = insn_of(tag);
    commit_queue_finish(t->commits, &hart_of(t, s)->isa, &insn, 0, 0);
}

void tp_load_now(struct tp *t, struct slot *s, const struct isa_insn *insn,
                 uint64_t value)
{
    isa_load_done(&hart_of(t, s)->isa, insn, value);
    if (t->logs)
        commit_queue_finish_last(t->commits, &hart_of(t, s)->isa, value);
}

static inline void load_done(struct tp *t, struct slot *s,
                             const struct isa_insn *insn, uint64_t address,
                             uint64_t value)
{
    isa_load_done(&hart_of(t, s)->isa, insn, value);
    if (t->logs)
        commit_queue_finish(t->commits, &hart_of(t, s)->isa, insn, address,
                            value);
}

void tp_load_done(struct tp *t, struct slot *s, const struct isa_insn *insn,
                  uint64_t address, uint64_t value)
{
    load_done(t, s, insn, address, value);
}

static void split_answer(struct tp *t, struct slot *s, const struct msg *m)
{
    struct split *p = &t->splits[slot_number(t, s)];
    uint32_t part = SECTOR - (uint32_t)((p->address + p->done) % SECTOR);
    if (part > (uint32_t)(p->size - p->done))
        part = (uint32_t)(p->size - p->done);
    p->loaded |= m->value << (8 * p->done);
    p->done = (uint8_t)(p->done + part);
    p->under_way = false;
    begin_act(t, s);
}

static void count_load(struct tp *t, const struct msg *m)
{
    unsigned depth = m->flags & MEM_DEPTH;
    if (m->flags & MEM_JOINED)
        t->counts.loads_joined++;
    else if (!depth)
        t->counts.loads_first++;
    else if (depth == 1)
        t->counts.loads_second++;
    else
        t->counts.loads_memory++;
}

static inline void take_data(struct tp *t, uint64_t now)
{
    const struct msg *m = link_read(t->in);
    struct slot *s = slot_of(t, m->tag);
    s->accesses--;
    if (m->op == MEM_DATA) {
        count_load(t, m);
        if (t->checks)
            tp_note_load(t, s, m);
    }
    if (s->state == SPLIT && t->splits[slot_number(t, s)].under_way) {
        split_answer(t, s, m);
        return;
    }
    if (s->state == INVALIDATE) {
        if (!s->accesses)
            tp_assess_now(t, s, now);
        return;
    }
    if (m->op != MEM_DONE) {
        struct isa_insn insn = insn_of(m->tag);
        load_done(t, s, &insn, m->addr, m->value);
        end_pending(s, insn.writes);
    }
    tp_advance(t, s, now);
}

static void take_index(struct tp *t, uint64_t now)
{
    if (!arrived(t, INDEX))
        return;
    const struct msg *m = link_read(inport_of(t, INDEX));
    struct slot *s = slot_of(t, m->tag);
    uint64_t writes = writes_of(m->tag);
    write_x(t, s, writes, m->value);
    unit_done(t, s, m->tag);
    end_pending(s, writes);
    tp_advance(t, s, now);
}

#define NAN_BOX 0xffffffff00000000u

static void take_hit(struct tp *t, uint64_t now)
{
    if (!arrived(t, HIT))
        return;
    const struct msg *m = link_read(inport_of(t, HIT));
    struct payload p = msg_payload(&t->unit, m);
    struct slot *s = slot_of(t, m->tag);
    struct isa_insn insn = insn_of(m->tag);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word;
        memcpy(&word, p.bytes + 4 * i, 4);
        hart_of(t, s)->isa.f[insn.rd + i] = NAN_BOX | word;
    }
    unit_done(t, s, m->tag);
    end_pending(s, insn.writes);
    tp_advance(t, s, now);
}

static void take_done(struct tp *t, uint64_t now)
{
    for (uint64_t m = arrived(t, DONE); m; m &= m - 1) {
        uint32_t tag = link_read(inport_of(t, DONE) + __builtin_ctzll(m))->tag;
        struct slot *s = slot_of(t, tag);
        end_pending(s, writes_of(tag));
        tp_advance(t, s, now);
    }
}

void tp_take_results(struct tp *t, uint64_t now)
{
    for (uint32_t i = t->result_count; i-- > 0;) {
        struct result r = t->results[i];
        if (r.when > now)
            continue;
        t->results[i] = t->results[--t->result_count];
        end_pending(&t->slots[r.slot], r.registers);
        tp_advance(t, &t->slots[r.slot], now);
    }
}

/* Not inlined: what most answers need not saves no registers for them. */
static __attribute__((noinline)) void take_others(struct tp *t, uint64_t now)
{
    take_index(t, now);
    take_hit(t, now);
    take_done(t, now);
    if (t->fetches)
        tp_take_code(t, now);
}

void tp_take_answers(struct tp *t, uint64_t now)
{
    if (arrived(t, DATA))
        take_data(t, now);
    if (t->unit.filled > (arrived(t, DATA) > 0)) /* it has one link */
        take_others(t, now);
}

void tp_result_later(struct tp *t, struct slot *s, uint64_t registers,
                     uint64_t when)
{
    if (!registers)
        return;
    add_pending(s, CORE, registers);
    t->results[t->result_count++] =
        (struct result){when, registers, slot_number(t, s)};
}
