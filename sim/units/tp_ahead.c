/*
 * Which hart of the thread processor issues, and what it does in the coming
 * cycles. The core stays with a hart until that cannot issue, so what the hart
 * does next is known, as far as it is local, or sends a message that nobody's
 * doing can hinder: it is worked out at once, while the hart's state is in the
 * host's cache, and the messages leave in their cycles.
 */
#include "sim/isa/access.h"
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
    return from + count;
}

/* ---- instructions that send a message ---- */

/*
 * For how many messages of instructions the port has room. One that leaves in a
 * later cycle must not come before that of a slot that waits for the port, and
 * those whose accesses have to end may send to the L1 meanwhile: for these
 * there must be room besides.
 */
static inline int room_of(const struct tp *t, unsigned port, bool later)
{
    int others = port == TO_MEM && t->drains ? t->common->act_room : 0;
    int credits = outport_of(t, port)->credits;
    if (!later)
        return credits;
    return t->ports_wanted >> port & 1 ? 0 : credits - others;
}

/* Is an access in order, within a sector, and not to scratch memory? */
static inline bool is_plain(const struct tp_common *c, uint64_t address,
                            const struct isa_access_form *form)
{
    const struct machine *m = c->machine;
    return !in_scratch(c, address) &&
           address % SECTOR + form->bytes <= SECTOR &&
           machine_in_ram(m, address, form->bytes) &&
           (!form->store || (address != m->tohost &&
                             !machine_read_only(m, address, form->bytes)));
}

/* What loads and stores that follow one another have in common. */
struct accesses {
    struct tp *t;
    const struct tp_common *common;
    struct tile *tile;
    struct outport *port;
    struct slot *s;
    struct isa_hart *hart;
    uint64_t from;     /* as in struct msg */
    uint32_t slot_tag; /* what a tag says of the slot */
};

static inline struct accesses accesses_of(struct tp *t, struct slot *s,
                                          struct hart *hart)
{
    return (struct accesses){
        .t = t,
        .common = t->common,
        .tile = t->unit.tile,
        .port = t->out,
        .s = s,
        .hart = &hart->isa,
        .from = hart->isa.id,
        .slot_tag = slot_number(t, s) << TAG_SLOT,
    };
}

/* The request of one of them, which executes in delay cycles. */
static inline void send_access(const struct accesses *a,
                               const struct isa_insn *insn,
                               const struct isa_access_form *form,
                               uint64_t address, uint64_t delay)
{
    uint32_t index = tile_new_msg(a->tile);
    struct msg m = {
        .op = form->store ? MEM_WRITE : MEM_READ,
        .aux = form->store ? ISA_STORE : ISA_LOAD,
        .flags = form->store ? a->common->store_bypass : a->common->load_bypass,
        .addr = address,
        .size = form->bytes,
        .value = form->store ? isa_access_value(a->hart, insn, form) : 0,
        .from = a->from,
        .tag = a->slot_tag | tag_of_one(insn),
    };
    msg_copy(&a->tile->pool[index], &m);
    link_forward_later(a->port, index, delay);
    add_pending(a->s, MEMORY, insn->writes);
    a->s->wrote |= form->store;
    a->t->counts.of_class[insn->cls]++;
}

/*
 * Loads and stores from insn on, in cycles from one up to another, as far as
 * they are plain. Returns how many.
 */
static inline uint64_t send_accesses(const struct accesses *a,
                                     const struct isa_insn *insn,
                                     uint64_t first, uint64_t last)
{
    const struct isa_local *local = &a->common->local;
    const struct isa_insn *end = &local->text[local->bytes / 2];
    uint64_t now = a->tile->now, when = first;
    int room = room_of(a->t, TO_MEM, true);
    if (room < 1 && first == now) /* one may go at once */
        room = room_of(a->t, TO_MEM, false) > 0;
    for (; when < last && room > 0 && insn < end; room--) {
        const struct isa_access_form *form = &isa_access_forms[insn->op];
        uint64_t address = isa_access_address(a->hart, insn);
        if (a->s->any_pending & (insn->reads | insn->writes) ||
            !isa_access_allowed(a->hart, form) ||
            !is_plain(a->common, address, form))
            break;
        send_access(a, insn, form, address, when++ - now);
        insn = isa_after(insn);
    }
    uint64_t count = when - first;
    a->t->counts.memory = (uint16_t)(a->t->counts.memory + count);
    a->s->accesses += (uint32_t)count;
    isa_accessed(a->hart, local->start + 2 * (uint64_t)(insn - local->text),
                 count);
    return count;
}

/* An operation of a special function unit, or a request for an index, in delay
 * cycles. False: it has to be issued in its cycle; nothing happened. */
static bool ask_unit(struct tp *t, struct slot *s, struct hart *hart,
                     const struct isa_insn *insn, uint64_t delay)
{
    unsigned port = t->common->port_of[insn->cls];
    struct tile *tile = t->unit.tile;
    struct isa_effect e;
    struct msg m = {.tag = make_tag(t, s, insn)};
    if (room_of(t, port, delay) < 1)
        return false;
    enum isa_outcome outcome = isa_execute(&hart->isa, insn, &e);
    if (outcome == ISA_FAULT)
        return false;
    assert(outcome == ISA_DONE || outcome == ISA_UNIT);
    if (port == TO_NEXT)
        add_pending(s, SCHEDULER, insn->writes);
    else
        add_pending(s, SFU, insn->writes);
    uint32_t index = tile_new_msg(tile);
    msg_copy(&tile->pool[index], &m);
    link_forward_later(outport_of(t, port), index, delay);
    t->counts.of_class[insn->cls]++;
    return true;
}

/* ---- what a hart does ---- */

/*
 * Works out what the hart issues from a cycle on, up to another, as far as it
 * is known now; *next_one: what comes then. Returns the cycle after the last
 * instruction: the first one if the next has to be issued in its cycle.
 */
static inline uint64_t run_ahead(struct tp *t, struct slot *s,
                                 struct hart *hart, uint64_t from, uint64_t end,
                                 const struct isa_insn **next_one)
{
    const struct tp_common *c = t->common;
    struct tile *tile = t->unit.tile;
    const struct isa_insn *insn = next_insn(t, hart);
    uint64_t next = from, last = tile->now + AHEAD_MOST;
    if (last > tile->horizon)
        last = tile->horizon;
    if (last > end)
        last = end;
    while (next < end && insn &&
           !(s->any_pending & (insn->reads | insn->writes))) {
        uint64_t before = next;
        unsigned port = c->port_of[insn->cls];
        bool sends = c->sends >> insn->cls & 1 && next < last;
        if (port == TO_MEM && !to_scratch(c, hart, insn)) {
            const struct accesses a = accesses_of(t, s, hart);
            if (sends && !s->bypass)
                next += send_accesses(&a, insn, next, last);
        } else if (c->local.classes >> insn->cls & 1) {
            next = run_local(t, s, hart, insn, next, end);
        } else if (sends && port != TO_MEM) {
            next += ask_unit(t, s, hart, insn, next - tile->now);
        }
        insn = next_insn(t, hart);
        if (next == before || t->fetches)
            break;
    }
    *next_one = insn;
    return next;
}

/* The bucket of the cycles after those in which the hart has issued; insn: the
 * next instruction. */
static inline enum tp_bucket bucket_after(struct tp *t, struct slot *s,
                                          const struct isa_insn *insn)
{
    if (s->state != READY)
        return s->state == SPLIT ? IN_wait_memory : IN_drain;
    if (!awaits(t, s, insn))
        return IN_arbitration;
    enter(t, s, WAIT_REGS);
    return wait_bucket(s, s->any_pending & s->awaits);
}

/* The cycle up to which issues are worked out. */
static inline uint64_t end_of_issue(const struct tp *t, uint64_t now)
{
    uint64_t horizon = t->unit.tile->horizon + t->common->beyond;
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
    s->bucket = (uint8_t)bucket_after(t, s, insn);
}

/*
 * Issues one instruction, and those after it up to the horizon that concern
 * nobody else, or only whoever gets a message: the core then issues nothing
 * until busy_until. False: the hart cannot issue after all, another may.
 */
static bool issue(struct tp *t, unsigned slot, uint64_t now)
{
    struct slot *s = &t->slots[slot];
    struct hart *hart = &t->harts[slot];
    uint64_t end = end_of_issue(t, now);
    const struct isa_insn *insn;
    uint64_t next = now;
    do {
        next = run_ahead(t, s, hart, next, end, &insn);
        if (next > now)
            break;
        if (!tp_issue_any(t, s, hart, insn, now))
            return false;
        next = now + 1;
    } while (s->state == READY);
    end_issue(t, s, insn, now, next);
    return true;
}

/*
 * The current hart while it can issue and its turn lasts, else the next one. A
 * turn has an end so that a hart that spins lets the one go on that it
 * waits for.
 */
static inline void choose(struct tp *t)
{
    if (t->turn && t->ready & bit(t->current))
        return;
    uint64_t ahead = t->ready & (~0ULL << t->current);
    if (!t->turn)
        ahead &= ~bit(t->current);
    t->current = (uint8_t)__builtin_ctzll(ahead ? ahead : t->ready);
    t->turn = t->common->turn;
}

void tp_issue_one(struct tp *t, uint64_t now)
{
    if (t->owes)
        tp_pay_owed(t);
    while (t->ready) {
        choose(t);
        if (issue(t, t->current, now))
            return;
    }
}
