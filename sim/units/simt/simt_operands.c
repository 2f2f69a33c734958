/*
 * Operands and results of instructions: banks of the register file that
 * operands are read from, the slots in which results from inside the SM are
 * written back, and collectors in which an instruction waits for both, without
 * which the sub-core waits. A parameter of 0 leaves each of them out.
 */
#include "sim/units/simt/simt_private.h"

void simt_operands_new(struct simt *t)
{
    struct chip *chip = t->unit.chip;
    size_t banks = (size_t)t->params.register_banks,
           collectors = (size_t)t->params.operand_collectors;
    for (unsigned i = 0; i < t->subcore_count; i++) {
        struct simt_subcore *s = &t->subcores[i];
        if (banks)
            s->bank_free = chip_alloc(chip, banks, sizeof *s->bank_free);
        if (collectors && (banks || t->params.result_slots))
            s->collector_free =
                chip_alloc(chip, collectors, sizeof *s->collector_free);
    }
    t->collects = banks || t->params.result_slots;
    if (t->params.result_slots)
        t->results = chip_alloc(chip, SIMT_RESULT_CYCLES, sizeof *t->results);
}

/* Reads the operands: the cycle of the last one. A bank reads one register of
 * a warp in a cycle; a warp's registers lie in banks from that of its number
 * on. */
static uint64_t read_operands(const struct simt *t, struct simt_subcore *s,
                              const struct simt_warp *w, uint64_t reads,
                              uint64_t now)
{
    uint64_t banks = (uint64_t)t->params.register_banks, last = now;
    unsigned number = warp_number(t, w) / t->subcore_count;
    for (uint64_t m = reads & ~ISA_MARK; m; m &= m - 1) {
        uint64_t *bank = &s->bank_free[(first_of(m) + number) % banks];
        uint64_t at = *bank > now ? *bank : now;
        *bank = at + 1;
        last = at > last ? at : last;
    }
    return last;
}

/* Takes a slot for a result: the first cycle, from `when` on, that has one. The
 * ring is longer than all that can be under way: a latency, and what each
 * collector delays. */
static uint64_t result_in(struct simt *t, uint64_t when)
{
    for (;; when++) {
        struct simt_results *r = &t->results[when % SIMT_RESULT_CYCLES];
        assert(r->cycle <= when);
        if (r->cycle < when)
            *r = (struct simt_results){.cycle = when};
        if (r->count < t->params.result_slots) {
            r->count++;
            return when;
        }
    }
}

/* The collector that is free first. */
static uint64_t *first_collector(const struct simt *t,
                                 const struct simt_subcore *s)
{
    uint64_t *first = s->collector_free;
    for (int64_t i = 1; i < t->params.operand_collectors; i++)
        if (s->collector_free[i] < *first)
            first = &s->collector_free[i];
    return first;
}

uint64_t simt_begins(struct simt *t, struct simt_subcore *s,
                     const struct simt_warp *w, const struct isa_insn *insn,
                     uint64_t now)
{
    bool inside = !(t->outside >> insn->cls & 1);
    uint64_t latency = t->latency_of[insn->cls];
    uint64_t read =
        s->bank_free ? read_operands(t, s, w, insn->reads, now) : now;
    uint64_t begin = t->results && inside && insn->writes
                         ? result_in(t, read + latency) - latency
                         : read;
    t->stats.operand_cycles += read - now;
    t->stats.result_cycles += begin - read;
    s->port_free = begin + 1;
    if (s->collector_free) {
        *first_collector(t, s) = begin + 1;
        s->port_free = *first_collector(t, s);
    }
    return begin;
}
