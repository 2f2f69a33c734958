/*
 * The pipeline of the thread processor: whether a hart's next instruction may
 * go, and what becomes of it, whatever it is.
 */
#include "sim/isa/served.h"
#include "sim/units/common/access_rules.h"
#include "sim/units/common/program_text.h"
#include "sim/units/tp/tp_slot.h"

/* The scoreboard: a hart waits while a register is pending that its next
 * instruction reads or writes (RAW and WAW hazards). */
enum tp_bucket tp_assess(struct tp *t, struct slot *s)
{
    bool waits = awaits(t, s, next_insn(t, hart_of(t, s)));
    if (s->any_pending & BLOCKED) {
        s->awaits = BLOCKED;
        waits = true;
    }
    enter(t, s, waits ? WAIT_REGS : READY);
    end_drain(t, s);
    return waits ? wait_bucket(s, s->any_pending & s->awaits) : IN_arbitration;
}

void tp_assess_now(struct tp *t, struct slot *s, uint64_t now)
{
    put_in(t, s, now, tp_assess(t, s));
}

void tp_drain(struct tp *t, struct slot *s, enum hart_event event)
{
    enter(t, s, DRAINING);
    begin_drain(t, s);
    s->event = (uint8_t)event;
    s->bypass = 0; /* a trap may come between a hint and its access */
    if (drained(s))
        begin_act(t, s);
}

/* ---- units ---- */

/* The instruction has executed already; the message makes the special function
 * unit say when its result may be used. */
static void use_sfu(struct tp *t, struct slot *s, const struct isa_insn *insn)
{
    struct msg m = {.tag = make_tag(t, s, insn)};
    add_pending(s, SFU, insn->writes);
    link_push(outport_of(t, TO_OP + t->common->unit_of[insn->cls] - 1u), &m);
}

/* ---- send: issue ---- */

/* The port that the instruction needs: a structural hazard if it is full.
 * Accesses to scratch memory stay in the core. */
static inline unsigned port_needed(const struct tp_common *c,
                                   const struct hart *hart,
                                   const struct isa_insn *insn)
{
    unsigned port = c->port_of[insn->cls];
    return port == TO_MEM && to_scratch(c, hart, insn) ? NO_PORT : port;
}

/* The bucket of a hart whose instruction finds its port full: by whom that
 * leads to. A port of which units share the links has a bucket for each. */
static enum tp_bucket full_bucket(const struct isa_insn *insn, unsigned port)
{
#define FULL_PORT(name) IN_full_##name
#define FULL_INSIDE(name) IN_wait_##name
#define FULL_STREAM FULL_PORT
#define FULL(X, id, name, port, ...) FULL_##port(name),
    static const uint8_t of[PRODUCERS] = {TP_PRODUCERS(FULL, )};
#undef FULL
#undef FULL_STREAM
#undef FULL_INSIDE
#undef FULL_PORT
    if (isa_served(insn->cls))
        return of[tp_served_by(insn->cls)];
    return of[port == TO_MEM ? MEMORY : SFU];
}

/* A structural hazard. The hart issues again when a credit comes. */
void tp_wait_for_port(struct tp *t, struct slot *s, unsigned port,
                      enum tp_bucket bucket, uint64_t now)
{
    assert(
        link_awaited(outport_of(t, port))); /* or no credit would be noticed */
    enter(t, s, WAIT_PORT);
    t->ports_wanted |= 1u << port;
    t->waiting_for[port] |= bit(slot_number(t, s));
    put_in(t, s, now, bucket);
}

/* May the instruction go? If not, the hart waits for the port. */
static bool port_ready(struct tp *t, struct slot *s, const struct hart *hart,
                       const struct isa_insn *insn, uint64_t now)
{
    unsigned port = port_needed(t->common, hart, insn);
    if (port == NO_PORT || link_ready(outport_of(t, port)))
        return true;
    tp_wait_for_port(t, s, port, full_bucket(insn, port), now);
    return false;
}

/* Executed: the registers that it writes are pending until the special function
 * unit answers, or until its latency is over; with a latency of 1 they never
 * are.
 */
static void finish_in_core(struct tp *t, struct slot *s,
                           const struct isa_insn *insn, uint64_t now)
{
    if (t->common->unit_of[insn->cls])
        use_sfu(t, s, insn);
    else if (t->common->latency_of[insn->cls] > 1)
        tp_result_later(t, s, insn->writes,
                        now + t->common->latency_of[insn->cls]);
}

/* The exception "illegal instruction", whose value is the instruction itself.
 */
static void illegal(struct tp *t, struct slot *s, const struct isa_insn *insn)
{
    struct isa_effect e = {.cause = 2, .tval = insn->raw};
    tp_fault(t, s, hart_of(t, s)->isa.pc, &e);
}

/* Zihintntl concerns the next instruction only. */
static void take_hint(struct tp *t, struct slot *s, const struct isa_insn *insn)
{
    s->bypass = hinted_bypass(insn);
    t->rest[slot_number(t, s)].hinted = hart_of(t, s)->isa.instret;
}

/* Executes an instruction. Afterwards the slot is in another state than READY
 * if the hart cannot go on at once. */
static void execute(struct tp *t, struct slot *s, struct isa_hart *hart,
                    const struct isa_insn *insn, uint64_t now)
{
    struct isa_effect effect;
    hart->cycle = now;
    switch (logs(t) ? commit_queue_execute(t->commits, hart, insn, &effect, now)
                    : isa_execute(hart, insn, &effect)) {
    case ISA_DONE:
        finish_in_core(t, s, insn, now);
        break;
    case ISA_ACCESS:
        tp_access(t, s, insn, &effect, now);
        break;
    case ISA_BLOCK:
        tp_block(t, s, insn, &effect);
        break;
    case ISA_HINT:
        take_hint(t, s, insn);
        finish_in_core(t, s, insn, now);
        break;
    case ISA_UNIT:
        tp_serve(t, s, insn);
        break;
    case ISA_FENCE:
        tp_drain(t, s, HART_NONE);
        break;
    case ISA_FENCE_I:
        s->fence_i = true;
        tp_drain(t, s,
                 t->common->machine->text_changes ? HART_FENCE_I : HART_NONE);
        break;
    case ISA_ECALL:
        tp_drain(t, s, HART_ECALL);
        break;
    case ISA_EBREAK:
        tp_drain(t, s, HART_EBREAK);
        break;
    case ISA_FAULT:
        if (!insn->len)
            text_fetch_fault(t->common->machine, hart->pc, insn, &effect);
        tp_fault(t, s, hart->pc, &effect);
        break;
    }
}

/* Is the instruction there? If so, it may turn out to wait for registers. */
static bool code_ready(struct tp *t, struct slot *s,
                       const struct isa_insn *insn, uint64_t now)
{
    if (!tp_fetch(t, s, now))
        return false;
    if (!(s->any_pending & (insn->reads | insn->writes)))
        return true;
    tp_assess_now(t, s, now);
    return false;
}

/* False: the instruction is refused, or waits for the hart's accesses, or for
 * room for all that it sends. */
static __attribute__((noinline)) bool
may_go(struct tp *t, struct slot *s, const struct isa_insn *insn, uint64_t now)
{
    if (tp_lacks(&t->unit, insn)) {
        put_in(t, s, now, IN_drain);
        illegal(t, s, insn);
        return false;
    }
    if (s->accesses && begins_after_others(insn)) {
        put_in(t, s, now, IN_drain);
        tp_drain(t, s, HART_NONE);
        return false;
    }
    if (isa_served(insn->cls) && !tp_served_room(t, insn)) {
        unsigned port = t->common->port_of[insn->cls];
        tp_wait_for_port(t, s, port, full_bucket(insn, port), now);
        return false;
    }
    return true;
}

bool tp_issue_any(struct tp *t, struct slot *s, struct hart *hart,
                  const struct isa_insn *insn, uint64_t now)
{
    if (!insn) {
        struct isa_effect e = {.cause = 1, .tval = hart->isa.pc};
        put_in(t, s, now, IN_drain);
        tp_fault(t, s, hart->isa.pc, &e);
        return false;
    }
    if (t->fetches && !code_ready(t, s, insn, now))
        return false;
    if (t->common->careful >> insn->cls & 1 && !may_go(t, s, insn, now))
        return false;
    if (!port_ready(t, s, hart, insn, now))
        return false;
    t->counts.of_class[isa_reads_of[insn->op]][insn->cls]++;
    execute(t, s, &hart->isa, insn, now);
    return true;
}

/* ---- ports ---- */

/* The host's lines that the hart will need when it issues. */
static inline void prefetch_next(const struct tp *t, const struct slot *s)
{
    const struct isa_hart *hart = &hart_of(t, s)->isa;
    host_prefetch(&hart->pc);
    host_prefetch(&hart->x[8]);
    host_prefetch(&hart->f[0]);
}

/* Harts that wait for the port become ready, as many as it has credits, in turn
 * from the current hart on. The mask of those harts is in another of the host's
 * cache lines, so the credits are looked at first. */
static void offer_port(struct tp *t, unsigned port, uint64_t now)
{
    struct outport *o = outport_of(t, port);
    if (!link_ready(o))
        return;
    uint64_t *waiting = &t->waiting_for[port];
    for (int n = link_room_now(o); n > 0 && *waiting; n--) {
        struct slot *s = &t->slots[slot_after(*waiting, t->current)];
        prefetch_next(t, s);
        *waiting &= ~bit(slot_number(t, s));
        enter(t, s, READY);
        put_in(t, s, now, IN_arbitration);
    }
    if (!*waiting)
        t->ports_wanted &= ~(1u << port);
}

void tp_offer_ports(struct tp *t, uint64_t now)
{
    for (uint32_t m = t->ports_wanted; m; m &= m - 1)
        offer_port(t, (unsigned)__builtin_ctz(m), now);
}
