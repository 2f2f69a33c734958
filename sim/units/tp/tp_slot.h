/*
 * The small steps that all files of the thread processor take with a hart's
 * slot: its state and bucket, the registers that it waits for, the tag of what
 * it asks for, its ports.
 */
#ifndef SIM_TP_SLOT_H
#define SIM_TP_SLOT_H

#include "sim/units/tp/tp_private.h"

/*
 * Tags: slot, and rd and op of the instruction that waits. (The instruction
 * itself may have been overwritten by the time of the answer.) Registers that
 * it writes: the lowest and, from that one on, four bits of the mask.
 */
enum { TAG_RD = 16, TAG_LOWEST = 16, TAG_MASK = 22, TAG_SLOT = 26 };

/* In the place of the mask: the instruction writes other registers, which
 * isa_writes knows. */
enum { MASK_OTHER = 2 };

/* Among pending registers, where x0 never is: the hart issues nothing. */
#define BLOCKED 1ull

static inline uint64_t bit(uint32_t slot)
{
    return 1ULL << slot;
}

static inline uint32_t slot_number(const struct tp *t, const struct slot *s)
{
    return (uint32_t)(s - t->slots);
}

/* The first slot of a mask after the current slot, else the mask's first one.
 * The mask is not 0. */
static inline uint32_t slot_after(uint64_t slots, uint32_t current)
{
    uint64_t ahead = slots & (~1ULL << current);
    return (uint32_t)mask_first(ahead ? ahead : slots);
}

static inline void enter(struct tp *t, struct slot *s, enum slot_state state)
{
    uint64_t mask = bit(slot_number(t, s));
    s->state = (uint8_t)state;
    t->ready = state == READY ? t->ready | mask : t->ready & ~mask;
}

static inline void prefetch_bytes(const void *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64)
        host_prefetch((const char *)at + i);
}

/* Its registers, and what else instructions use. */
static inline void prefetch_registers(const void *hart)
{
    prefetch_bytes(hart, offsetof(struct isa_hart, mstatus));
}

static inline const struct isa_insn *text_end(const struct isa_local *code)
{
    return &code->text[code->bytes / 2];
}

static inline uint64_t pc_of(const struct isa_local *code,
                             const struct isa_insn *insn)
{
    return code->start + 2 * (uint64_t)(insn - code->text);
}

static inline const struct isa_insn *insn_at(const struct isa_local *code,
                                             uint64_t pc)
{
    uint64_t at = pc - code->start;
    return at < code->bytes ? &code->text[at / 2] : NULL;
}

static inline struct hart *hart_of(const struct tp *t, const struct slot *s)
{
    return &t->harts[slot_number(t, s)];
}

/* Its private memory, NULL if there is none: hart.scratch is far from what an
 * issue touches. */
static inline uint8_t *scratch_of(const struct tp_common *c,
                                  const struct hart *hart)
{
    return c->scratch
               ? c->scratch + (size_t)hart->isa.id * c->local.scratch_bytes
               : NULL;
}

static inline const struct isa_insn *next_insn(const struct tp *t,
                                               const struct hart *hart)
{
    return insn_at(&t->common->local, hart->isa.pc);
}

/* Registers begin to wait for a producer. A register is never pending for two:
 * writes wait as well. */
static inline void add_pending(struct slot *s, enum producer p,
                               uint64_t registers)
{
    for (unsigned i = 0; i < 3; i++)
        if (p >> i & 1)
            s->producer[i] |= registers;
    s->any_pending |= registers;
}

static inline void end_pending(struct slot *s, enum producer p,
                               uint64_t registers)
{
    for (unsigned i = 0; i < 3; i++)
        if (p >> i & 1)
            s->producer[i] &= ~registers;
    s->any_pending &= ~registers;
}

/* Keeps the registers that wait for a producer whose number lacks a bit, if any
 * do. Returns the bit of those kept. */
static inline unsigned keep_least(uint64_t *registers, uint64_t with_bit)
{
    uint64_t without = *registers & ~with_bit;
    *registers = without ? without : *registers;
    return !without;
}

/* The least of the producers that some of any_pending wait for. */
static inline unsigned first_producer(const struct slot *s, uint64_t registers)
{
    unsigned four = keep_least(&registers, s->producer[2]);
    unsigned two = keep_least(&registers, s->producer[1]);
    return four << 2 | two << 1 | keep_least(&registers, s->producer[0]);
}

/* Books the hart's cycles before now that are not booked yet. */
static inline void book(struct tp *t, struct slot *s, uint64_t now)
{
    if (now > s->from) {
        ((uint64_t *)&t->stats)[s->bucket] += now - s->from;
        s->from = now;
    }
}

/* The hart's cycles from now on fall into a bucket. While the bucket stays the
 * same, nothing is booked: all of these cycles are booked together later. */
static inline void put_in(struct tp *t, struct slot *s, uint64_t now,
                          enum tp_bucket bucket)
{
    if (s->bucket == bucket)
        return;
    book(t, s, now);
    s->bucket = (uint8_t)bucket;
}

/* Which bucket a hart is in while it waits for registers. */
static inline enum tp_bucket wait_bucket(const struct slot *s,
                                         uint64_t registers)
{
#define WAIT(X, id, name, ...) IN_wait_##name,
    static const uint8_t of[PRODUCERS] = {TP_PRODUCERS(WAIT, )};
#undef WAIT
    if (registers & ~(s->producer[0] | s->producer[1] | s->producer[2]))
        return IN_wait_memory;
    return of[first_producer(s, registers)];
}

static inline bool logs(const struct tp *t)
{
    return t->traced && t->commits;
}

static inline bool checks(const struct tp *t)
{
    return t->traced && t->issued;
}

static inline bool drained(const struct slot *s)
{
    return !s->accesses && !s->any_pending;
}

static inline struct slot *slot_of(struct tp *t, uint32_t tag)
{
    return &t->slots[tag >> TAG_SLOT];
}

/* Registers that the instruction writes. */
static inline uint64_t writes_of(uint32_t tag)
{
    uint64_t mask = tag >> TAG_MASK & 15;
    return mask == MASK_OTHER ? isa_writes((uint16_t)tag, tag >> TAG_RD & 31)
                              : mask << (tag >> TAG_LOWEST & 63);
}

/* The register of a tag whose instruction writes one at most, as a mask. */
static inline uint64_t write_of(uint32_t tag)
{
    return (uint64_t)(tag >> TAG_MASK & 1) << (tag >> TAG_LOWEST & 63);
}

/* The parts of the instruction that its end needs. */
static inline struct isa_insn insn_of(uint32_t tag)
{
    return (struct isa_insn){.op = (uint16_t)tag,
                             .rd = tag >> TAG_RD & 31,
                             .writes = writes_of(tag)};
}

/* Links of an input row with messages. */
static inline uint64_t arrived(const struct tp *t, unsigned row)
{
    return t->unit.pending[t->common->pending_at[row]];
}

static inline struct inport *inport_of(const struct tp *t, unsigned row)
{
    return unit_port(&t->unit, t->first_in + t->common->input_at[row]);
}

static inline struct outport *outport_of(const struct tp *t, unsigned port)
{
    return &t->out[t->common->port_at[port]];
}

/* The tag of an instruction with one result at most, without the slot. */
static inline uint32_t tag_of_one(const struct isa_insn *insn)
{
    uint64_t writes = insn->writes;
    uint32_t lowest = writes ? (uint32_t)__builtin_ctzll(writes) : insn->rd;
    return (uint32_t)(writes > 0) << TAG_MASK | lowest << TAG_LOWEST | insn->op;
}

static inline uint32_t make_tag(const struct tp *t, const struct slot *s,
                                const struct isa_insn *insn)
{
    uint32_t several = (uint32_t)MASK_OTHER << TAG_MASK |
                       (uint32_t)insn->rd << TAG_RD | insn->op;
    return slot_number(t, s) << TAG_SLOT |
           (insn->writes & (insn->writes - 1) ? several : tag_of_one(insn));
}

/* The slot has something to send. */
static inline void begin_act(struct tp *t, const struct slot *s)
{
    t->acting |= bit(slot_number(t, s));
    t->errands |= ACTS;
}

static inline void end_act(struct tp *t, const struct slot *s)
{
    t->acting &= ~bit(slot_number(t, s));
    if (!t->acting)
        t->errands &= (uint8_t)~ACTS;
}

/* From now on, until it is ready to issue again or asks for a service, the slot
 * may act whenever its accesses have ended. */
static inline void begin_drain(struct tp *t, const struct slot *s)
{
    t->draining |= bit(slot_number(t, s));
    t->drains = true;
}

static inline void end_drain(struct tp *t, const struct slot *s)
{
    t->draining &= ~bit(slot_number(t, s));
    t->drains = t->draining;
}

/* Bytes of the part of an access over two sectors that comes next. */
static inline uint8_t tp_part_bytes(const struct split *p)
{
    uint64_t at = p->whole.address + p->done;
    unsigned part = SECTOR - (unsigned)(at % SECTOR);
    unsigned left = (unsigned)(p->whole.size - p->done);
    return (uint8_t)(part < left ? part : left);
}

/* Does an access go to scratch memory? (hart_scratch of its first byte.) */
static inline bool in_scratch(const struct tp_common *c, uint64_t address)
{
    return ((0 - address) & c->address_mask) - 1 < c->local.scratch_bytes;
}

/*
 * Does the access that the instruction is about to make go to scratch memory?
 */
static inline bool to_scratch(const struct tp_common *c,
                              const struct hart *hart,
                              const struct isa_insn *insn)
{
    return in_scratch(c, hart->isa.x[insn->rs1] + (uint64_t)insn->imm);
}

/*
 * Does the hart wait for registers of its next instruction? They are noted:
 * until it issues, answers need not look at the instruction.
 */
static inline bool awaits(const struct tp *t, struct slot *s,
                          const struct isa_insn *insn)
{
    if (!s->any_pending || !insn || (t->fetches && !tp_found(t, s)))
        return false; /* unknown: its turn to issue will show */
    s->awaits = insn->reads | insn->writes;
    return s->any_pending & s->awaits;
}

/* Something that the hart's registers waited for has come. The next instruction
 * was there, and is the same, unless fence.i of another hart changed it. */
static inline void advance_waiting(struct tp *t, struct slot *s, uint64_t now)
{
    uint64_t registers = s->any_pending & s->awaits;
    if (t->changes) {
        tp_assess_now(t, s, now);
    } else if (registers) {
        put_in(t, s, now, wait_bucket(s, registers));
    } else {
        enter(t, s, READY);
        put_in(t, s, now, IN_arbitration);
    }
}

/* Something that the hart waited for has come. */
static inline void advance(struct tp *t, struct slot *s, uint64_t now)
{
    if (s->state == WAIT_REGS)
        advance_waiting(t, s, now);
    else if ((s->state == DRAINING && drained(s)) ||
             (s->state == SPLIT && !s->accesses))
        begin_act(t, s);
}

/*
 * Has a port room for harts that still wait for it? If not, a credit wakes
 * the core, and sets unit.unblocked: unless that is set, all ports that harts
 * wait for were found full. It mostly is not, as harts wait for long, and then
 * the ports' lines are not looked at.
 */
static inline bool tp_ports_have_room(struct tp *t)
{
    bool room = false;
    if (!t->unit.unblocked)
        return false;
    for (uint32_t m = t->ports_wanted; m; m &= m - 1)
        room |= link_ready(outport_of(t, (unsigned)__builtin_ctz(m)));
    t->unit.unblocked = room;
    return room;
}

#endif
