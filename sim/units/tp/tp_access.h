/*
 * A request to the L1, the only way there: in its cycle, ahead of it, or a part
 * of an access over two sectors.
 */
#ifndef SIM_TP_ACCESS_H
#define SIM_TP_ACCESS_H

#include "sim/units/tp/tp_slot.h"

/* MEM_BYPASS of an access: as the core does, or a hint before it says. */
static inline uint8_t tp_bypass(const struct tp *t, const struct slot *s,
                                uint8_t kind)
{
    uint8_t levels = kind == ISA_LOAD    ? t->common->load_bypass
                     : kind == ISA_STORE ? t->common->store_bypass
                                         : 0;
    bool hinted = s->bypass && hart_of(t, s)->isa.instret ==
                                   t->rest[slot_number(t, s)].hinted + 1;
    return hinted && s->bypass > levels ? s->bypass : levels;
}

/* What an instruction asks for, which says the rest; kind: enum isa_access. */
static inline struct access tp_access_of(const struct tp *t,
                                         const struct slot *s,
                                         const struct isa_insn *insn,
                                         uint8_t kind)
{
    return (struct access){
        .op = kind == ISA_LOAD    ? MEM_READ
              : kind == ISA_STORE ? MEM_WRITE
                                  : MEM_ATOMIC,
        .aux = kind,
        .flags = tp_bypass(t, s, kind),
        .tag = make_tag(t, s, insn),
    };
}

/* The access leaves in `delay` cycles; the port has room. */
static inline void tp_send_access(struct tp *t, struct slot *s,
                                  const struct access *a, uint64_t delay)
{
    uint32_t index = unit_new_msg(&t->unit);
    *unit_msg(&t->unit, index) = (struct msg){
        .addr = a->address,
        .from = hart_of(t, s)->isa.id,
        .value = a->value,
        .tag = a->tag,
        .op = a->op,
        .size = a->size,
        .flags = a->flags,
        .aux = a->aux,
    };
    if (a->op <= MEM_ATOMIC)
        trip_begin(unit_msg(&t->unit, index),
                   a->op == MEM_WRITE ? TRIP_store : TRIP_load,
                   unit_now(&t->unit) + delay);
    WORK_FOR(unit_msg(&t->unit, index), t->works[slot_number(t, s)].work);
    s->accesses++;
    if (delay)
        link_forward_later(t->out, index, delay);
    else
        link_forward(t->out, index, NULL);
}

#endif
