/*
 * Which hart of the thread processor issues, and what it does in the coming
 * cycles. The core stays with a hart until that cannot issue, so what the hart
 * does next is known, as far as it is local, or sends a message that nothing
 * else can hinder: it is worked out at once, up to the tile's horizon, and the
 * messages leave in their cycles.
 */
#include "sim/isa/access.h"
#include "sim/units/tp/tp_access.h"

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

/*
 * From *insn in a cycle up to another, as far as the instructions are local.
 * Returns how many; *insn: what comes then.
 */
static inline uint64_t run_text(struct tp *t, struct slot *s, struct hart *hart,
                                struct isa_local *local, uint64_t from,
                                uint64_t end, const struct isa_insn **insn)
{
    local->pending = s->any_pending | ISA_MARK; /* these are told of */
    local->scratch = scratch_of(t->common, hart);
    local->of_class = t->counts.of_class;
    hart->isa.cycle = from;
    local->accesses = 0;
    local->accessed = s->stack_line;
    uint64_t count = isa_run_local(&hart->isa, local, *insn, end - from);
    t->counts.scratch = (uint16_t)(t->counts.scratch + local->accesses);
    s->stack_line = (uint32_t)local->accessed;
    *insn = local->next;
    return count;
}

/* The same as far as they lie in the hart's buffer. */
static __attribute__((noinline)) uint64_t
run_fetched(struct tp *t, struct slot *s, struct hart *hart, uint64_t from,
            uint64_t end, const struct isa_insn **insn)
{
    if (!tp_fetch_quietly(t, s))
        return 0;
    struct isa_local in_sector = t->common->local;
    keep_to_sector(hart->isa.pc, &in_sector);
    uint64_t count = run_text(t, s, hart, &in_sector, from, end, insn);
    *insn = next_insn(t, hart);
    return count;
}

static inline uint64_t run_local(struct tp *t, struct slot *s,
                                 struct hart *hart, uint64_t from, uint64_t end,
                                 const struct isa_insn **insn)
{
    if (t->fetches)
        return run_fetched(t, s, hart, from, end, insn);
    return run_text(t, s, hart, &t->common->local, from, end, insn);
}

/* ---- instructions that send a message ---- */

static inline bool waits_for_registers(const struct slot *s,
                                       const struct isa_insn *insn)
{
    return s->any_pending & (insn->reads | insn->writes);
}

/*
 * Has the port room for a message of an instruction, from now on or later? One
 * that leaves in a later cycle must not come before that of a slot that waits
 * for the port, and those whose accesses have to end may send to the L1
 * meanwhile: for these there must be room besides.
 */
static inline bool has_room(const struct tp *t, unsigned port, bool later)
{
    int room = link_room_now(outport_of(t, port));
    int others = port == TO_MEM && t->drains ? t->common->act_room : 0;
    if (!later)
        return room > 0;
    return room > others && !(t->ports_wanted >> port & 1);
}

/* Is an access in order, within a sector, and not to scratch memory? */
static inline bool is_plain(const struct tp_common *c, uint64_t address,
                            const struct isa_access_form *form)
{
    const struct machine *m = c->machine;
    return address - c->plain_start <= c->plain_bytes - form->bytes &&
           address % SECTOR + form->bytes <= SECTOR &&
           (!form->store || (!machine_is_tohost(m, address) &&
                             !machine_read_only(m, address, form->bytes)));
}

/*
 * The load or store in delay cycles, if it is plain. Returns how many: 0: it
 * has to be issued in its cycle; nothing happened. *insn: what comes then.
 */
static inline uint64_t send_access(struct tp *t, struct slot *s,
                                   struct isa_hart *hart, uint64_t delay,
                                   const struct isa_insn **insn)
{
    const struct isa_local *code = &t->common->local;
    const struct isa_insn *at = *insn, *after = isa_after(at);
    const struct isa_access_form *form = &isa_access_forms[at->op];
    uint64_t address = isa_access_address(hart, at);
    if (!has_room(t, TO_MEM, delay) ||
        !isa_access_allowed(form, isa_fp_enabled(hart)) ||
        !is_plain(t->common, address, form))
        return 0;
    struct access a =
        tp_access_of(t, s, at, form->store ? ISA_STORE : ISA_LOAD);
    a.address = address;
    a.size = form->bytes;
    a.value = form->store ? isa_access_value(hart, at, form) : 0;
    if (at->reads & ISA_MARK)
        tp_tell_access(t, s, a.aux, a.address, a.size);
    tp_send_access(t, s, &a, delay);
    add_pending(s, MEMORY, at->writes);
    s->wrote |= form->store;
    t->counts.of_class[isa_reads_of[at->op]][at->cls]++;
    t->counts.memory++;
    isa_accessed(hart, pc_of(code, after), 1);
    *insn = after < text_end(code) ? after : NULL;
    return 1;
}

/*
 * An operation of a special function unit, or a request that a unit serves, in
 * delay cycles. Returns how many: 0: it has to be issued in its cycle; nothing
 * happened. *insn: what comes then.
 */
static uint64_t ask_unit(struct tp *t, struct slot *s, struct hart *hart,
                         uint64_t delay, const struct isa_insn **insn)
{
    unsigned port = t->common->port_of[(*insn)->cls];
    struct isa_effect e;
    struct msg m = {.tag = make_tag(t, s, *insn)};
    if (!has_room(t, port, delay))
        return 0;
    enum isa_outcome outcome = isa_execute(&hart->isa, *insn, &e);
    if (outcome == ISA_FAULT)
        return 0;
    assert(outcome == ISA_DONE || outcome == ISA_UNIT);
    if (outcome == ISA_UNIT)
        m = tp_served_request(t, s, *insn);
    else
        add_pending(s, SFU, (*insn)->writes);
    uint32_t index = unit_new_msg(&t->unit);
    msg_copy(unit_msg(&t->unit, index), &m);
    link_forward_later(outport_of(t, port), index, delay);
    t->counts.of_class[isa_reads_of[(*insn)->op]][(*insn)->cls]++;
    *insn = next_insn(t, hart);
    return 1;
}

/* ---- what a hart does ---- */

/* The cycle before which messages are sent ahead, no later than another. */
static inline uint64_t end_of_sends(const struct tp *t, uint64_t end)
{
    uint64_t last = unit_now(&t->unit) + AHEAD_MOST;
    uint64_t horizon = unit_horizon(&t->unit);
    last = last < horizon ? last : horizon;
    return last < end ? last : end;
}

/* The message of the next instruction, which may be sent ahead; 0: not known
 * now, or it is too early. */
static inline uint64_t send_ahead(struct tp *t, struct slot *s,
                                  struct hart *hart, uint64_t next,
                                  uint64_t end, const struct isa_insn **insn)
{
    uint64_t delay = next - unit_now(&t->unit);
    if (next >= end_of_sends(t, end) || waits_for_registers(s, *insn))
        return 0;
    if (!(t->common->step_of[(*insn)->cls] & ACCESSES))
        return ask_unit(t, s, hart, delay, insn);
    return s->bypass ? 0 : send_access(t, s, &hart->isa, delay, insn);
}

/*
 * Works out what the hart issues in a cycle, and in those after it up to
 * another as far as it is of the same kind. Returns in how many: 0: it has to
 * be issued in its cycle. *insn: the next instruction, before and after.
 */
static inline uint64_t run_ahead(struct tp *t, struct slot *s,
                                 struct hart *hart, uint64_t next, uint64_t end,
                                 const struct isa_insn **insn)
{
    const struct tp_common *c = t->common;
    if (!*insn)
        return 0;
    unsigned step = c->step_of[(*insn)->cls];
    bool local = step & LOCAL;
    if (step & ACCESSES)
        local &= to_scratch(c, hart, *insn);
    if (local)
        return run_local(t, s, hart, next, end, insn);
    if (step & SENDS)
        return send_ahead(t, s, hart, next, end, insn);
    return 0;
}

/* The bucket of a hart whose instruction left it in a state but READY. */
static inline enum tp_bucket bucket_of_state(const struct slot *s)
{
    if (s->state == WAIT_REGS)
        return wait_bucket(s, s->any_pending & s->awaits);
    return s->state == SPLIT ? IN_wait_memory : IN_drain;
}

/* The bucket of the cycles after those in which the hart has issued; insn: the
 * next instruction. */
static inline enum tp_bucket bucket_after(struct tp *t, struct slot *s,
                                          const struct isa_insn *insn)
{
    if (s->state != READY)
        return bucket_of_state(s);
    if (!awaits(t, s, insn))
        return IN_arbitration;
    enter(t, s, WAIT_REGS);
    return wait_bucket(s, s->any_pending & s->awaits);
}

/* The cycle up to which issues are worked out. */
static inline uint64_t end_of_issue(const struct tp *t, uint64_t now)
{
    uint64_t horizon = unit_horizon(&t->unit);
    uint64_t most = t->turn < RUN_MOST ? t->turn : RUN_MOST;
    return horizon < now + most ? horizon : now + most;
}

/* The hart has issued in the cycles from now up to next, when insn is next. */
static inline void end_issue(struct tp *t, struct slot *s,
                             const struct isa_insn *insn, uint64_t now,
                             uint64_t next)
{
    t->busy_until = next;
    t->turn -= (uint32_t)(next - now);
    t->counts.instructions = (uint16_t)(t->counts.instructions + next - now);
    if (t->counts.instructions > COUNTED_MOST)
        tp_flush_counts(t);
    book(t, s, now);
    s->from = next;
    if (insn && insn->reads & ISA_MARK)
        tp_tell_came(t, s);
    s->bucket = (uint8_t)bucket_after(t, s, insn);
}

/*
 * Issues one instruction of a hart, and the instructions after it up to the
 * horizon whose only effect outside the hart is a message. The core then issues
 * nothing until busy_until. Returns false if the hart cannot issue after all;
 * another hart may.
 */
static bool issue(struct tp *t, unsigned slot, uint64_t now)
{
    struct slot *s = &t->slots[slot];
    struct hart *hart = &t->harts[slot];
    uint64_t end = end_of_issue(t, now);
    const struct isa_insn *insn = next_insn(t, hart);
    uint64_t next = now;
    do {
        uint64_t count = run_ahead(t, s, hart, next, end, &insn);
        next += count;
        if (count)
            continue;
        if (next > now)
            break;
        if (!tp_issue_any(t, s, hart, insn, now))
            return false;
        next = now + 1;
        insn = next_insn(t, hart);
        if (s->state != READY)
            break;
    } while (next < end && insn && !waits_for_registers(s, insn) &&
             !t->fetches);
    end_issue(t, s, insn, now, next);
    return true;
}

/*
 * The current hart while it can issue and its turn lasts, else the next one. A
 * turn has an end so that a hart that spins on a word lets the hart issue that
 * will write the word. The policy is greedy, then round robin. The code has no
 * branches, because the host's branch predictor cannot predict which hart comes
 * next.
 */
static inline void choose(struct tp *t)
{
    uint64_t ends = !t->turn; /* the current hart then comes last */
    uint64_t ahead = t->ready & ~0ULL << t->current & ~(ends << t->current);
    unsigned next = (unsigned)mask_first(ahead ? ahead : t->ready);
    uint32_t begins = (uint32_t)ends | (next != t->current);
    t->turn ^= (t->turn ^ t->common->turn) & -begins;
    t->current = (uint8_t)next;
}

void tp_issue_one(struct tp *t, uint64_t now)
{
    while (t->ready) {
        choose(t);
        if (issue(t, t->current, now))
            return;
    }
}
