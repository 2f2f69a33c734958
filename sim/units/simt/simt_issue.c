/*
 * Issue: whether a warp's next instruction may go, which warp of a sub-core
 * goes first, and what an instruction does, whatever it is.
 */
#include "sim/units/common/access_rules.h"
#include "sim/units/common/program_text.h"
#include "sim/units/simt/simt_private.h"

/* ---- whether a warp may issue ---- */

void simt_holds(struct simt *t, struct simt_warp *w)
{
    struct simt_subcore *s = subcore_of(t, w);
    uint64_t mask = ~warp_bit(t, w);
    s->ready &= mask;
    s->timed &= mask;
    s->queued &= mask;
    s->fetching &= mask;
    s->changed = true;
}

/* The cycle in which results inside the SM are there that the instruction
 * needs, or its turn behind a jump. */
static uint64_t there_in(struct simt_warp *w, uint64_t needs, uint64_t now)
{
    uint64_t when = w->next > now ? w->next : now;
    for (uint64_t m = needs & w->timed; m; m &= m - 1) {
        unsigned n = first_of(m);
        if (w->ready[n] <= now)
            w->timed &= ~bit(n);
        else if (w->ready[n] > when)
            when = w->ready[n];
    }
    return when;
}

static enum bucket wait_bucket(const struct simt_warp *w, uint64_t needs)
{
#define WAIT(X, id, name, ...) IN_wait_##name,
    static const uint8_t of[PRODUCERS] = {SIMT_PRODUCERS(WAIT, )};
#undef WAIT
    for (unsigned p = 0; p < PRODUCERS; p++)
        if (w->waits_for[p] & needs)
            return of[p];
    return IN_wait_memory;
}

void simt_goes_at(struct simt *t, struct simt_warp *w, uint64_t when,
                  uint64_t now, enum bucket meanwhile)
{
    struct simt_subcore *s = subcore_of(t, w);
    s->changed = true;
    if (when <= now) {
        s->ready |= warp_bit(t, w);
        put_in(t, w, now, IN_arbitration);
        return;
    }
    s->timed |= warp_bit(t, w);
    if (when < s->wake)
        s->wake = when;
    w->next = when;
    put_in(t, w, now, meanwhile);
}

/* The functional unit of its next instruction. */
static inline void take_unit(struct simt *t, struct simt_warp *w, unsigned unit)
{
    struct simt_subcore *s = subcore_of(t, w);
    s->of_unit[w->unit] &= ~warp_bit(t, w);
    s->of_unit[unit] |= warp_bit(t, w);
    w->unit = (uint8_t)unit;
}

void simt_assess(struct simt *t, struct simt_warp *w, uint64_t now)
{
    simt_holds(t, w);
    if (w->state != RUNS)
        return;
    const struct isa_insn *insn = insn_at(t, w->paths[w->current].pc);
    uint64_t needs = insn ? insn->reads | insn->writes : 0;
    take_unit(t, w, insn ? t->unit_of[insn->cls] : 0);
    if (needs & w->pending) {
        put_in(t, w, now, wait_bucket(w, needs & w->pending));
        subcore_of(t, w)->changed = true;
    } else
        simt_goes_at(t, w, there_in(w, needs, now), now, IN_wait_result);
}

/* Warps whose cycle has come are ready. */
static void wake_timed(struct simt *t, struct simt_subcore *s, uint64_t now)
{
    s->wake = CYCLE_NEVER;
    for (uint64_t m = s->timed; m; m &= m - 1) {
        unsigned number = first_of(m);
        struct simt_warp *w = warp_of(t, s, number);
        if (w->next > now) {
            if (w->next < s->wake)
                s->wake = w->next;
            continue;
        }
        s->timed &= ~bit(number);
        s->ready |= bit(number);
        put_in(t, w, w->next, IN_arbitration);
    }
}

void simt_queues_have_room(struct simt *t, uint64_t now)
{
    for (unsigned i = 0; i < t->subcore_count; i++) {
        struct simt_subcore *s = &t->subcores[i];
        for (uint64_t m = s->queued; m; m &= m - 1)
            simt_assess(t, warp_of(t, s, first_of(m)), now);
    }
}

/* ---- what an instruction does ---- */

/* The lanes that faulted leave; their pc is at the instruction. */
static void lanes_fault(struct simt *t, struct simt_warp *w,
                        const struct isa_insn *insn, const struct isa_lanes *l,
                        uint64_t now)
{
    for (uint64_t m = l->faulted; m; m &= m - 1) {
        unsigned lane = first_of(m);
        struct isa_effect e = {.cause = l->cause, .tval = l->at[lane]};
        if (insn && !insn->len)
            text_fetch_fault(t->machine, l->pc, insn, &e);
        hart_of(t, w, lane)->fault = e;
        hart_of(t, w, lane)->refused_by = NULL;
    }
    simt_leave(t, w, l->faulted, HART_FAULT, now);
}

/* All lanes of the path fault alike. */
static void path_faults(struct simt *t, struct simt_warp *w,
                        const struct isa_insn *insn, uint32_t cause,
                        uint64_t tval, uint64_t now)
{
    struct isa_lanes *l = t->lanes;
    l->pc = w->paths[w->current].pc;
    l->faulted = w->paths[w->current].mask;
    l->cause = cause;
    for (uint64_t m = l->faulted; m; m &= m - 1)
        l->at[first_of(m)] = tval;
    lanes_fault(t, w, insn, l, now);
}

void simt_fetch_refused(struct simt *t, struct simt_warp *w,
                        const struct msg *m, uint64_t now)
{
    const struct simt_path *p = &w->paths[w->current];
    uint64_t lanes = p->mask;
    path_faults(t, w, NULL, ISA_CAUSE_FETCH_FAULT, p->pc, now);
    for (uint64_t left = lanes; left; left &= left - 1)
        hart_of(t, w, first_of(left))->refused_by =
            chip_unit_at(t->unit.chip, (uint32_t)m->value);
}

/* An exception of one of several lanes that execute one by one. */
static void lane_faults(struct isa_lanes *l, unsigned lane,
                        const struct isa_effect *e)
{
    l->faulted |= bit(lane);
    l->cause = e->cause;
    l->at[lane] = e->tval;
}

/* What one lane of several did, in their words. */
static void take_effect(struct simt *t, struct isa_lanes *l, unsigned lane,
                        const struct isa_insn *insn, struct isa_hart *hart,
                        enum isa_outcome outcome, struct isa_effect *e)
{
    if (outcome == ISA_FAULT) {
        lane_faults(l, lane, e);
        return;
    }
    if (outcome == ISA_ACCESS && t->commits) {
        uint32_t cause = simt_access_cause(t, e->access, e->address, e->size);
        if (cause)
            commit_queue_drop(t->commits);
    }
    if (outcome == ISA_ACCESS || outcome == ISA_BLOCK) {
        l->at[lane] = e->address;
        l->value[lane] = e->value;
        l->access = e->access;
        l->size = e->size;
    } else if (outcome == ISA_DONE &&
               hart->pc != ((l->pc + insn->len) & t->address_mask)) {
        l->jumped |= bit(lane);
        l->at[lane] = hart->pc;
    }
}

/* Lanes execute one by one: where the instruction reads or changes what the
 * path keeps for them, and where each is logged. */
static enum isa_outcome execute_each(struct simt *t, struct simt_warp *w,
                                     const struct isa_insn *insn,
                                     struct isa_lanes *l, uint64_t now)
{
    struct simt_path *p = &w->paths[w->current];
    enum isa_outcome all = ISA_DONE;
    simt_settle(t, w, p);
    l->jumped = l->faulted = 0;
    for (uint64_t m = l->mask; m; m &= m - 1) {
        unsigned lane = first_of(m);
        struct isa_hart *hart = &hart_of(t, w, lane)->isa;
        struct isa_effect e;
        hart->pc = p->pc;
        hart->cycle = now;
        uint64_t instret = hart->instret;
        enum isa_outcome outcome =
            t->commits ? commit_queue_execute(t->commits, hart, insn, &e, now)
                       : isa_execute(hart, insn, &e);
        hart->instret = instret; /* the path counts it */
        take_effect(t, l, lane, insn, hart, outcome, &e);
        if (outcome != ISA_FAULT)
            all = outcome;
    }
    return all;
}

/* Registers of an instruction that ends inside the SM. */
static void result_later(struct simt *t, struct simt_warp *w,
                         const struct isa_insn *insn, uint64_t now)
{
    uint64_t when = t->begin + t->latency_of[insn->cls];
    if (when <= now + 1)
        return;
    if (insn->cls == ISA_CLASS_branch || insn->cls == ISA_CLASS_jump)
        w->next = when;
    w->timed |= insn->writes;
    for (uint64_t m = insn->writes; m; m &= m - 1)
        w->ready[first_of(m)] = when;
}

/* All lanes leave for the host, their pc at the instruction or behind it. */
static void lanes_leave(struct simt *t, struct simt_warp *w,
                        enum hart_event event, uint64_t now)
{
    simt_leave(t, w, w->paths[w->current].mask, event, now);
}

static void begin_fence(struct simt *t, struct simt_warp *w, uint64_t now)
{
    w->fence = true;
    simt_drain(t, w, now);
}

/* Does what is beyond the lanes' registers. The path has not moved yet. */
static void take_outcome(struct simt *t, struct simt_warp *w,
                         const struct isa_insn *insn, struct isa_lanes *l,
                         enum isa_outcome outcome, uint64_t now)
{
    switch (outcome) {
    case ISA_ACCESS:
        simt_access(t, w, insn, l, now);
        break;
    case ISA_BLOCK:
        simt_block(t, w, insn, l, now);
        break;
    case ISA_UNIT:
        simt_serve(t, w, insn, l, now);
        break;
    case ISA_HINT:
        w->bypass = hinted_bypass(insn);
        break;
    default:
        result_later(t, w, insn, now);
        break;
    }
}

/* The path has moved: what holds the whole warp, or takes lanes away. */
static void take_end(struct simt *t, struct simt_warp *w,
                     enum isa_outcome outcome, uint64_t gone, uint64_t now)
{
    w->anew |= outcome == ISA_FENCE_I && t->fetches;
    if (outcome == ISA_FENCE ||
        (outcome == ISA_FENCE_I && !t->machine->text_changes))
        begin_fence(t, w, now);
    else if (outcome == ISA_FENCE_I)
        simt_leave(t, w, gone, HART_FENCE_I, now);
    if (t->to_host) {
        simt_leave(t, w, t->to_host, HART_TOHOST, now);
        t->to_host = 0;
    }
}

static bool stops(enum isa_outcome outcome)
{
    return outcome == ISA_ECALL || outcome == ISA_EBREAK;
}

static void execute(struct simt *t, struct simt_warp *w,
                    const struct isa_insn *insn, uint64_t now)
{
    struct isa_lanes *l = t->lanes;
    struct simt_path *p = &w->paths[w->current];
    enum isa_outcome outcome = ISA_LANES_ALONE;
    uint64_t mask = p->mask;
    l->harts = hart_of(t, w, 0);
    l->mask = mask;
    l->pc = p->pc;
    if (!t->commits)
        outcome = isa_execute_lanes(l, insn);
    if (outcome == ISA_LANES_ALONE)
        outcome = execute_each(t, w, insn, l, now);
    if (stops(outcome)) {
        lanes_leave(t, w, outcome == ISA_ECALL ? HART_ECALL : HART_EBREAK, now);
        return;
    }
    bool kept = w->bypass;
    if (outcome == ISA_ACCESS && insn->reads & ISA_MARK)
        simt_tell_access(t, w, l);
    if (outcome == ISA_ACCESS)
        simt_check_access(t, w, l);
    take_outcome(t, w, insn, l, outcome, now);
    if (kept)
        w->bypass = 0; /* the hint was for this one */
    if (l->faulted)
        lanes_fault(t, w, insn, l, now);
    if (mask & ~l->faulted) {
        simt_path_moves(t, w, insn, l->jumped, l->at);
        if (t->machine->stop_logs)
            simt_tell_came(t, w, mask & ~l->faulted);
        take_end(t, w, outcome, mask & ~l->faulted, now);
    }
}

/* ---- issue ---- */

/* Is it a cache-block operation? A block is of several sectors, which go to the
 * L1 by different links: the warp's earlier accesses end before. */
static bool is_block(const struct isa_insn *insn)
{
    enum { OPCODE = 0x7f, MISC_MEM = 0x0f };
    return insn->cls == ISA_CLASS_store && (insn->raw & OPCODE) == MISC_MEM;
}

/* An instruction that goes outside needs room in a queue, and an entry. */
static bool has_room(struct simt *t, struct simt_subcore *s,
                     struct simt_warp *w, const struct isa_insn *insn,
                     uint64_t now)
{
    bool served = t->served >> insn->cls & 1;
    const struct simt_queue *q =
        served ? simt_served_queue(t, insn->cls) : &t->memory;
    int64_t depth = served ? t->params.serve_queue : t->params.mem_queue;
    enum producer p = served ? simt_served_by(insn->cls) : MEMORY;
    if (q->count < depth && t->free_op != NO_OP)
        return true;
#define FULL(X, id, name, ...) IN_full_##name,
    static const uint8_t of[PRODUCERS] = {SIMT_PRODUCERS(FULL, )};
#undef FULL
    s->ready &= ~warp_bit(t, w);
    s->queued |= warp_bit(t, w);
    put_in(t, w, now, of[p]);
    return false;
}

/* Lanes of an instruction that a unit serves which is not there. */
static bool is_lacking(struct simt *t, struct simt_warp *w,
                       const struct isa_insn *insn, uint64_t now)
{
    if (!(t->served >> insn->cls & 1) || !simt_lacks(&t->unit, insn))
        return false;
    path_faults(t, w, insn, ISA_CAUSE_ILLEGAL, insn->raw, now);
    return true;
}

static bool is_ready(struct simt *t, struct simt_subcore *s,
                     struct simt_warp *w, const struct isa_insn *insn,
                     uint64_t now)
{
    if (!insn) {
        path_faults(t, w, insn, ISA_CAUSE_FETCH_FAULT, w->paths[w->current].pc,
                    now);
        return false;
    }
    if (t->fetches && !simt_fetch(t, s, w, now))
        return false;
    if (!(t->outside >> insn->cls & 1))
        return true;
    if (is_lacking(t, w, insn, now))
        return false;
    if (w->accesses && (begins_after_others(insn) || is_block(insn))) {
        w->state = DRAINS;
        simt_holds(t, w);
        put_in(t, w, now, IN_drain);
        return false;
    }
    return has_room(t, s, w, insn, now);
}

static void count(struct simt *t, const struct isa_insn *insn, unsigned lanes)
{
    const struct isa_operands *operands =
        &t->operands[isa_reads_of[insn->op]][insn->cls];
    t->stats.warp_instructions++;
    t->stats.instructions += lanes;
    t->stats.registers_read += lanes * operands->reads;
    t->stats.registers_written += lanes * operands->writes;
    t->stats.of_class[insn->cls] += lanes;
    t->stats.lanes[lanes - 1]++;
}

static void issue(struct simt *t, struct simt_subcore *s, struct simt_warp *w,
                  const struct isa_insn *insn, uint64_t now)
{
    unsigned unit = t->unit_of[insn->cls];
    book(t, w, now);
    t->stats.issued++;
    w->from = now + 1;
    w->issued++;
    w->got = 0;
    t->begin = t->collects ? simt_begins(t, s, w, insn, now) : now;
    s->unit_free[unit] = t->begin + t->interval[unit];
    count(t, insn, w->paths[w->current].lanes);
    execute(t, w, insn, now);
    simt_assess(t, w, now + 1);
}

/* ---- why a sub-core issues none ---- */

enum slot simt_slot_of(const struct simt *t, const struct simt_subcore *s)
{
#define SLOT(name, ...) [IN_##name] = SLOT_##name,
    static const uint8_t of[BUCKETS] = {SIMT_SLOTS(SLOT)};
#undef SLOT
    unsigned first = SLOT_parked;
    for (unsigned i = 0; i < (unsigned)t->params.warps; i++) {
        unsigned slot = of[warp_of(t, s, i)->bucket];
        first = slot < first ? slot : first;
    }
    return first;
}

/* Where the sub-core's cycles from slot_from on fall; mostly that is plain. */
static void take_slot(const struct simt *t, struct simt_subcore *s)
{
    s->changed = false;
    if (s->ready)
        s->slot = SLOT_arbitration;
    else if (s->timed && !s->queued && !t->fetches)
        s->slot = SLOT_wait_result;
    else
        s->slot = (uint8_t)simt_slot_of(t, s);
}

/* Warps that are ready and whose functional unit is free, if the sub-core is.
 */
static uint64_t ready_now(const struct simt_subcore *s, uint64_t now)
{
    uint64_t warps = 0;
    for (unsigned unit = 0; s->port_free <= now && unit < SIMT_UNITS; unit++)
        warps |= s->unit_free[unit] <= now ? s->of_unit[unit] : 0;
    return warps & s->ready;
}

void simt_issue_one(struct simt *t, struct simt_subcore *s, uint64_t now)
{
    simt_book_slot(t, s, now);
    if (s->wake <= now)
        wake_timed(t, s, now);
    for (uint64_t warps; (warps = ready_now(s, now));) {
        unsigned number = t->schedule->pick(t, s, warps);
        struct simt_warp *w = warp_of(t, s, number);
        const struct isa_insn *insn = insn_at(t, w->paths[w->current].pc);
        if (is_ready(t, s, w, insn, now)) {
            issue(t, s, w, insn, now);
            s->last = number;
            s->slot_from = now + 1;
            break;
        }
    }
    take_slot(t, s);
}
