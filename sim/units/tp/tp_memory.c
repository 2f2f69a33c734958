/*
 * Accesses of the thread processor to memory: to the private scratch memory at
 * once, to all else through the L1; one that crosses a sector in two parts. And
 * what happens when a hart's accesses have ended: fences, services.
 */
#include "runtime/include/corbel/abi.h"
#include "sim/units/common/access_rules.h"
#include "sim/units/common/stop_log.h"
#include "sim/units/tp/tp_access.h"
#include <assert.h>
#include <string.h>

/* Low bytes, as the check of memory compares them. */
static uint64_t low_bytes(uint64_t value, unsigned size)
{
    return size < 8 ? value & ((1ull << 8 * size) - 1) : value;
}

static struct issued *issued_to(struct tp *t, const struct slot *s,
                                uint64_t registers)
{
    unsigned number = registers ? (unsigned)__builtin_ctzll(registers) : 0;
    return &t->issued[slot_number(t, s) * 64 + number];
}

/* Tells the check of memory that a load or store, or a part, goes out. */
static void note_request(struct tp *t, const struct slot *s,
                         const struct access *a, uint64_t pc)
{
    if (a->op == MEM_WRITE) {
        struct check_record r = {.kind = CHECK_STORE,
                                 .hart = hart_of(t, s)->isa.id,
                                 .pc = pc,
                                 .addr = a->address,
                                 .size = a->size,
                                 .value = low_bytes(a->value, a->size)};
        check_note(t->common->machine, &t->unit, &r);
    } else if (a->op == MEM_READ) {
        struct issued *i = issued_to(t, s, insn_of(a->tag).writes);
        i->several |= i->loads > 0;
        if (!i->loads++)
            *i = (struct issued){unit_now(&t->unit), pc, a->address, 1, false};
    }
}

/* An access of the instruction at pc, or a part, leaves now. */
static void request(struct tp *t, struct slot *s, const struct access *a,
                    uint64_t pc)
{
    if (checks(t))
        note_request(t, s, a, pc);
    tp_send_access(t, s, a, 0);
}

void tp_note_load(struct tp *t, struct slot *s, const struct msg *m)
{
    struct issued *i = issued_to(t, s, insn_of(m->tag).writes);
    struct check_record r = {.kind = CHECK_LOAD,
                             .hart = hart_of(t, s)->isa.id,
                             .issued = i->cycle,
                             .pc = i->pc,
                             .addr = i->several ? m->addr : i->address,
                             .mask = i->several,
                             .size = m->size,
                             .value = low_bytes(m->value, m->size),
                             .served = m->flags & (MEM_DEPTH | MEM_JOINED)};
    assert(i->loads);
    i->loads--;
    check_note(t->common->machine, &t->unit, &r);
}

void tp_tell_access(struct tp *t, const struct slot *s, uint8_t access,
                    uint64_t address, uint8_t size)
{
    stop_note(t->common->machine, &t->unit,
              (struct stop_record){.kind = STOP_ACCESS,
                                   .hart = hart_of(t, s)->isa.id,
                                   .access = access,
                                   .address = address,
                                   .size = size});
}

void tp_tell_came(struct tp *t, const struct slot *s)
{
    stop_note(
        t->common->machine, &t->unit,
        (struct stop_record){.kind = STOP_CAME, .hart = hart_of(t, s)->isa.id});
}

static bool is_atomic(uint8_t access)
{
    return access >= ISA_LR;
}

void tp_fault(struct tp *t, struct slot *s, uint64_t pc,
              const struct isa_effect *effect)
{
    hart_of(t, s)->fault = *effect;
    hart_of(t, s)->refused_by = NULL;
    hart_of(t, s)->isa.pc = pc;
    tp_drain(t, s, HART_FAULT);
}

static void stop_waiting_for_ports(struct tp *t, const struct slot *s)
{
    for (unsigned port = 0; port < PORTS; port++) {
        t->waiting_for[port] &= ~bit(slot_number(t, s));
        if (!t->waiting_for[port])
            t->ports_wanted &= ~(1u << port);
    }
}

void tp_refused(struct tp *t, struct slot *s, const struct msg *m,
                uint32_t cause, uint64_t now)
{
    struct hart *hart = hart_of(t, s);
    if (s->state == DRAINING && s->event == HART_FAULT) {
        advance(t, s, now); /* the first one is told */
        return;
    }
    hart->fault = (struct isa_effect){.cause = cause, .tval = m->addr};
    hart->refused_by = chip_unit_at(t->unit.chip, (uint32_t)m->value);
    stop_waiting_for_ports(t, s);
    end_act(t, s);
    s->fence_i = false;
    put_in(t, s, now, IN_drain);
    tp_drain(t, s, HART_FAULT);
}

/* An sc without the reservation fails here; others may still lose it. */
static bool conditional_fails(struct tp *t, struct slot *s,
                              const struct isa_insn *insn,
                              const struct isa_effect *e)
{
    struct slot_rest *rest = &t->rest[slot_number(t, s)];
    bool mine = rest->reserved == e->address / SECTOR;
    if (e->access == ISA_LR)
        rest->reserved = e->address / SECTOR;
    if (e->access != ISA_SC)
        return false;
    rest->reserved = ~0ull;
    if (!mine)
        tp_load_now(t, s, insn, 1);
    return !mine;
}

void tp_access_scratch(struct tp *t, struct slot *s,
                       const struct isa_insn *insn, const struct isa_effect *e,
                       uint8_t *at, uint64_t now)
{
    t->counts.scratch++;
    if (is_atomic(e->access) && conditional_fails(t, s, insn, e))
        return;
    s->stack_line = (uint32_t)(at - hart_of(t, s)->scratch);
    if (e->access == ISA_STORE) {
        memcpy(at, &e->value, e->size);
        return;
    }
    tp_load_now(t, s, insn, access_in_core(at, e->access, e->size, e->value));
    uint64_t latency = t->common->scratch_latency;
    if (latency > 1)
        tp_result_later(t, s, insn->writes, now + latency);
}

static void begin_split(struct tp *t, struct slot *s, const struct access *a,
                        uint64_t pc)
{
    t->splits[slot_number(t, s)] = (struct split){.whole = *a, .pc = pc};
    enter(t, s, SPLIT);
    begin_drain(t, s);
    begin_act(t, s);
}

static void access_memory(struct tp *t, struct slot *s,
                          const struct isa_insn *insn,
                          const struct isa_effect *e)
{
    uint64_t pc = hart_of(t, s)->isa.pc - insn->len;
    struct access a = tp_access_of(t, s, insn, e->access);
    a.address = e->address;
    a.size = e->size;
    a.value = e->value;
    t->counts.memory++;
    s->wrote |= e->access != ISA_LOAD;
    if (e->address % SECTOR + e->size > SECTOR) {
        begin_split(t, s, &a, pc);
        return;
    }
    if (is_atomic(e->access) && conditional_fails(t, s, insn, e))
        return;
    s->bypass = 0; /* the hint was for this one, or one before */
    if (e->access != ISA_STORE)
        add_pending(s, MEMORY, insn->writes);
    request(t, s, &a, pc);
    if (ends_before_others(insn, e->access))
        tp_drain(t, s, HART_NONE);
}

/* The access of an instruction fails, at that address. */
static void refuse(struct tp *t, struct slot *s, const struct isa_insn *insn,
                   struct isa_effect *e, uint32_t cause, uint64_t at)
{
    e->cause = cause;
    e->tval = at;
    isa_access_failed(&hart_of(t, s)->isa, insn);
    if (logs(t))
        commit_queue_drop(t->commits);
    tp_fault(t, s, hart_of(t, s)->isa.pc, e);
}

_Static_assert(ISA_BLOCK_INVAL == (int)BLOCK_INVAL &&
                   ISA_BLOCK_CLEAN == (int)BLOCK_CLEAN &&
                   ISA_BLOCK_FLUSH == (int)BLOCK_FLUSH,
               "the message says what the instruction says");

/*
 * Cache-block management. A hart may do that to a block that it may load from.
 */
void tp_block(struct tp *t, struct slot *s, const struct isa_insn *insn,
              struct isa_effect *e)
{
    if (hart_scratch(t->common->machine, hart_of(t, s), e->address, 1))
        return;
    if (!machine_in_ram(t->common->machine, e->address, 1)) {
        refuse(t, s, insn, e, ISA_CAUSE_STORE_FAULT, e->address);
        return;
    }
    t->stats.blocks++;
    const struct access a = {
        .op = MEM_BLOCK,
        .aux = e->access,
        .address = e->address / ISA_BLOCK_BYTES * ISA_BLOCK_BYTES,
        .size = ISA_BLOCK_BYTES,
        .tag = make_tag(t, s, insn),
    };
    tp_send_access(t, s, &a, 0);
}

void tp_access(struct tp *t, struct slot *s, const struct isa_insn *insn,
               struct isa_effect *e, uint64_t now)
{
    const struct tp_common *c = t->common;
    if (insn->reads & ISA_MARK)
        tp_tell_access(t, s, e->access, e->address, e->size);
    uint8_t *scratch =
        scratch_at(scratch_of(c, hart_of(t, s)), c->local.scratch_bytes,
                   c->address_mask, e->address, e->size);
    if (scratch) {
        tp_access_scratch(t, s, insn, e, scratch, now);
        return;
    }
    uint32_t cause =
        machine_access_cause(c->machine, e->access, e->address, e->size);
    if (cause) {
        refuse(t, s, insn, e, cause,
               machine_refused(c->machine, hart_of(t, s), e->address, e->size,
                               cause == ISA_CAUSE_STORE_FAULT));
        return;
    }
    if (e->access == ISA_STORE && machine_is_tohost(c->machine, e->address)) {
        hart_of(t, s)->fault = *e;
        tp_drain(t, s, HART_TOHOST);
        return;
    }
    access_memory(t, s, insn, e);
}

/* ---- what is not issuing ---- */

/* The hart goes on with what its parts have loaded. */
static void end_split(struct tp *t, struct slot *s, const struct split *p,
                      uint64_t now)
{
    struct isa_insn insn = insn_of(p->whole.tag);
    if (p->whole.op == MEM_READ)
        tp_load_done(t, s, &insn, p->whole.address, p->loaded);
    tp_assess_now(t, s, now);
}

static void send_part(struct tp *t, struct slot *s, uint64_t now)
{
    struct split *p = &t->splits[slot_number(t, s)];
    if (p->done == p->whole.size) {
        end_split(t, s, p, now);
    } else if (!s->accesses) { /* or an answer could be taken for the part's */
        if (!link_ready(t->out))
            return;
        struct access part = p->whole;
        part.address += p->done;
        part.size = tp_part_bytes(p);
        part.value >>= 8 * p->done;
        p->under_way = true;
        request(t, s, &part, p->pc);
    }
    end_act(t, s);
}

static enum tp_bucket service_bucket(struct tp *t, const struct slot *s)
{
    uint64_t call = hart_of(t, s)->isa.x[17];
    if (s->event == HART_ECALL && call == CORBEL_SYS_PARK)
        return IN_parked;
    if (s->event == HART_ECALL && call == CORBEL_SYS_JOIN)
        return IN_joining;
    return IN_service;
}

static bool send_to_l1(struct tp *t, struct slot *s, enum mem_op op)
{
    if (!link_ready(t->out))
        return false;
    const struct access a = {.op = (uint8_t)op,
                             .tag = slot_number(t, s) << TAG_SLOT};
    tp_send_access(t, s, &a, 0);
    s->wrote = false;
    return true;
}

/* Copies are dropped, and written back where they are newer than memory. */
static bool begin_fence(struct tp *t, struct slot *s)
{
    bool fetch = s->fence_i && t->fetches;
    if (fetch && !link_ready(outport_of(t, TO_FETCH)))
        return false;
    if (!send_to_l1(t, s, MEM_INVALIDATE))
        return false;
    if (fetch)
        tp_fetch_anew(t, s);
    s->fence_i = false;
    enter(t, s, INVALIDATE);
    return true;
}

/*
 * Asks the host for a service. What serves it (the end of a kernel, a file,
 * changed code) must find in memory what the hart has stored: the hart stays in
 * DRAINING until the L1 has written that back.
 */
static bool begin_service(struct tp *t, struct slot *s, uint64_t now)
{
    if (s->wrote)
        return send_to_l1(t, s, MEM_FLUSH);
    put_in(t, s, now, service_bucket(t, s));
    if (s->bucket != IN_service)
        work_goes_on(t->common->machine, &t->unit, &t->works[slot_number(t, s)],
                     0, now);
    hart_of(t, s)->event = s->event;
    enter(t, s, SERVICE);
    end_drain(t, s);
    unit_request_service(&t->unit, now, slot_number(t, s));
    return true;
}

/* The hart's accesses are done: the service, or the fence's invalidation. */
static void finish_drain(struct tp *t, struct slot *s, uint64_t now)
{
    if (s->event == HART_NONE ? begin_fence(t, s) : begin_service(t, s, now))
        end_act(t, s);
}

void tp_act(struct tp *t, uint64_t now)
{
    for (uint64_t m = t->acting; m; m &= m - 1) {
        struct slot *s = &t->slots[__builtin_ctzll(m)];
        if (s->state == SPLIT)
            send_part(t, s, now);
        else
            finish_drain(t, s, now);
    }
}
