/*
 * Accesses of a warp instruction: which lanes' go to scratch memory or that of
 * groups, inside the SM, which to the coalescer, and which may not be made.
 */
#include "sim/units/common/access_rules.h"
#include "sim/units/simt/simt_private.h"

/* ---- faults ---- */

/* Is a byte of memory of groups that other SMs keep? */
static bool reaches_others(const struct simt *t, uint64_t address,
                           uint64_t bytes)
{
    return address < t->groups.end && address + bytes > t->groups.start &&
           !(address >= t->window.start && address + bytes <= t->window.end);
}

uint32_t simt_access_cause(const struct simt *t, uint8_t access,
                           uint64_t address, unsigned size)
{
    const struct machine *m = t->machine;
    uint64_t depth = (0 - address) & t->address_mask;
    if (depth <= m->scratch_bytes && size <= depth)
        return 0;
    if (reaches_others(t, address, size))
        return access == ISA_LOAD || access == ISA_LR ? ISA_CAUSE_LOAD_FAULT
                                                      : ISA_CAUSE_STORE_FAULT;
    return machine_access_cause(m, access, address, size);
}

/* May the access be made, seen from afar? Else it is looked at closely. */
static inline bool is_plain(const struct simt *t, uint64_t address,
                            unsigned size)
{
    return address - t->plain_start <= t->plain_bytes - size;
}

static bool writes(const struct isa_lanes *l)
{
    return l->access != ISA_LOAD && l->access != ISA_LR;
}

static void check_lane(struct simt *t, struct simt_warp *w, struct isa_lanes *l,
                       unsigned lane)
{
    uint32_t cause = simt_access_cause(t, l->access, l->at[lane], l->size);
    if (!cause)
        return;
    l->cause = cause;
    l->faulted |= bit(lane);
    l->at[lane] = machine_refused(t->machine, hart_of(t, w, lane), l->at[lane],
                                  l->size, cause == ISA_CAUSE_STORE_FAULT);
}

/* Lanes that are not plain are looked at closely, and all where a read-only
 * byte, or one of other SMs, lies among those from the lowest to the highest of
 * the plain ones. */
void simt_check_access(struct simt *t, struct simt_warp *w, struct isa_lanes *l)
{
    uint64_t low = UINT64_MAX, high = 0, odd = 0;
    for (uint64_t m = l->mask & ~l->faulted; m; m &= m - 1) {
        unsigned lane = first_of(m);
        uint64_t at = l->at[lane];
        if (!is_plain(t, at, l->size)) {
            odd |= bit(lane);
            continue;
        }
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    if (low <= high && (reaches_others(t, low, high - low + l->size) ||
                        (writes(l) && machine_read_only(t->machine, low,
                                                        high - low + l->size))))
        odd = l->mask & ~l->faulted;
    for (; odd; odd &= odd - 1)
        check_lane(t, w, l, first_of(odd));
}

/* ---- scratch memory ---- */

/* Lanes whose access stays in the SM. */
static uint64_t in_sm(const struct simt *t, const struct isa_lanes *l,
                      uint64_t lanes)
{
    uint64_t inside = 0, bytes = t->machine->scratch_bytes;
    for (uint64_t m = lanes; m && bytes; m &= m - 1) {
        uint64_t depth = (0 - l->at[first_of(m)]) & t->address_mask;
        inside |= (uint64_t)(depth - 1 < bytes) << first_of(m);
    }
    return inside;
}

/* An sc without the reservation fails here; others may still lose it. */
bool simt_sc_fails(struct simt *t, struct simt_warp *w, unsigned lane,
                   const struct isa_insn *insn, const struct isa_lanes *l)
{
    uint64_t *reserved = &t->reserved[slot_of(t, w, lane)];
    bool mine = *reserved == l->at[lane] / SECTOR;
    *reserved = ~0ull;
    if (!mine)
        simt_load_done(t, lane, insn, 1);
    return !mine;
}

static void scratch_lane(struct simt *t, struct simt_warp *w, unsigned lane,
                         const struct isa_insn *insn, const struct isa_lanes *l)
{
    uint8_t *at = scratch_at(scratch_of(t, isa_lane(l, lane)->id),
                             t->machine->scratch_bytes, t->address_mask,
                             l->at[lane], l->size);
    if (l->access == ISA_STORE) {
        memcpy(at, &l->value[lane], l->size);
        return;
    }
    if (l->access == ISA_LR)
        t->reserved[slot_of(t, w, lane)] = l->at[lane] / SECTOR;
    if (l->access == ISA_SC && simt_sc_fails(t, w, lane, insn, l))
        return;
    simt_load_done(t, lane, insn,
                   access_in_core(at, l->access, l->size, l->value[lane]));
}

/*
 * Words at one depth lie side by side for all lanes: a cycle of the unit for
 * each depth that is touched. Mostly that is one.
 */
static unsigned scratch_words(const struct isa_lanes *l, uint64_t lanes)
{
    unsigned words = 0;
    while (lanes) {
        uint64_t first = l->at[first_of(lanes)] / 4, same = 0;
        for (uint64_t m = lanes; m; m &= m - 1)
            same |= (uint64_t)(l->at[first_of(m)] / 4 == first) << first_of(m);
        lanes &= ~same;
        words += l->size > 4 ? 2 : 1;
    }
    return words;
}

static void access_scratch(struct simt *t, struct simt_warp *w,
                           const struct isa_insn *insn,
                           const struct isa_lanes *l, uint64_t lanes)
{
    unsigned words = scratch_words(l, lanes);
    uint64_t latency = (uint64_t)t->params.scratch_latency + words - 1;
    for (uint64_t m = lanes; m; m &= m - 1)
        scratch_lane(t, w, first_of(m), insn, l);
    t->stats.scratch += lane_count(lanes);
    t->stats.scratch_cycles += words;
    subcore_of(t, w)->unit_free[t->params.unit[insn->cls]] += words - 1;
    for (uint64_t m = insn->writes; m; m &= m - 1) {
        w->timed |= bit(first_of(m));
        w->ready[first_of(m)] = t->begin + latency;
    }
}

/* ---- all ---- */

/*
 * Of lanes that reserve one sector together only the first does, the others
 * just load: a reservation can be held by one hart at a time, and all would
 * wait for all.
 */
static uint64_t reserving(struct simt *t, struct simt_warp *w,
                          const struct isa_lanes *l, uint64_t lanes)
{
    uint64_t first = 0;
    for (uint64_t m = lanes; m; m &= m - 1) {
        unsigned lane = first_of(m);
        bool taken = false;
        for (uint64_t k = first; k; k &= k - 1)
            taken |= l->at[first_of(k)] / SECTOR == l->at[lane] / SECTOR;
        first |= taken ? 0 : bit(lane);
        t->reserved[slot_of(t, w, lane)] = taken ? ~0ull : l->at[lane] / SECTOR;
    }
    return first;
}

/* Do several lanes access one address, as of an argument of the kernel? */
static bool is_uniform(const struct isa_lanes *l, uint64_t lanes)
{
    const uint64_t at = l->at[first_of(lanes)];
    uint64_t others = lanes & (lanes - 1), m = others;
    while (m && l->at[first_of(m)] == at)
        m &= m - 1;
    return others && !m;
}

static int64_t load_bypass(const struct simt *t, const struct isa_lanes *l,
                           uint64_t lanes)
{
    const struct simt_params *p = &t->params;
    return p->load_bypass > p->uniform_bypass && is_uniform(l, lanes)
               ? p->uniform_bypass
               : p->load_bypass;
}

/* Levels that the access bypasses: as the SM does, or a hint before it says. */
static uint8_t bypass_of(const struct simt *t, const struct simt_warp *w,
                         const struct isa_lanes *l, uint64_t lanes)
{
    int64_t levels = l->access == ISA_LOAD    ? load_bypass(t, l, lanes)
                     : l->access == ISA_STORE ? t->params.store_bypass
                                              : 0;
    return w->bypass > levels ? w->bypass : (uint8_t)levels;
}

static void access_outside(struct simt *t, struct simt_warp *w,
                           const struct isa_insn *insn, struct isa_lanes *l,
                           uint64_t lanes, uint64_t now)
{
    uint64_t plain = 0;
    if (l->access == ISA_SC)
        for (uint64_t m = lanes; m; m &= m - 1)
            if (simt_sc_fails(t, w, first_of(m), insn, l))
                lanes &= ~bit(first_of(m));
    if (l->access == ISA_LR)
        plain = lanes & ~reserving(t, w, l, lanes);
    if (!lanes)
        return;
    struct simt_op *op = simt_new_op(t, w, insn, lanes);
    op->access = l->access;
    op->size = l->size;
    op->producer = MEMORY;
    op->bypass = bypass_of(t, w, l, lanes);
    op->loads = plain;
    for (uint64_t m = lanes; m; m &= m - 1) {
        op->at[first_of(m)] = l->at[first_of(m)];
        op->value[first_of(m)] = l->value[first_of(m)];
    }
    w->wrote |= l->access != ISA_LOAD;
    t->stats.memory += lane_count(lanes);
    t->stats.accesses++;
    if (l->access != ISA_STORE)
        add_pending(w, MEMORY, insn->writes);
    simt_coalesce(t, op);
    if (ends_before_others(insn, l->access))
        simt_drain(t, w, now);
}

/* Stores to tohost are for the host. */
static uint64_t to_host(struct simt *t, struct simt_warp *w,
                        const struct isa_lanes *l, uint64_t lanes)
{
    uint64_t some = 0;
    if (!t->machine->tohost || l->access != ISA_STORE)
        return 0;
    for (uint64_t m = lanes; m; m &= m - 1) {
        unsigned lane = first_of(m);
        if (!machine_is_tohost(t->machine, l->at[lane]))
            continue;
        some |= bit(lane);
        hart_of(t, w, lane)->fault =
            (struct isa_effect){.address = l->at[lane],
                                .value = l->value[lane],
                                .access = l->access,
                                .size = l->size};
    }
    return some;
}

void simt_access(struct simt *t, struct simt_warp *w,
                 const struct isa_insn *insn, struct isa_lanes *l, uint64_t now)
{
    uint64_t lanes = l->mask & ~l->faulted;
    uint64_t inside = in_sm(t, l, lanes);
    uint64_t shared = simt_in_window(t, l, lanes & ~inside);
    t->to_host = to_host(t, w, l, lanes & ~inside & ~shared);
    uint64_t outside = lanes & ~inside & ~shared & ~t->to_host;
    if (inside)
        access_scratch(t, w, insn, l, inside);
    if (shared)
        simt_access_shared(t, w, insn, l, shared, now);
    if (outside)
        access_outside(t, w, insn, l, outside, now);
}

/*
 * Cache-block management. A hart may do that to a block that it may load from.
 * Accesses to other sectors of the block wait until it has ended: they go to
 * the L1 by other links.
 */
void simt_block(struct simt *t, struct simt_warp *w,
                const struct isa_insn *insn, struct isa_lanes *l, uint64_t now)
{
    uint64_t lanes = l->mask & ~l->faulted;
    lanes &= ~in_sm(t, l, lanes);
    lanes &= ~simt_in_window(t, l, lanes);
    for (uint64_t m = lanes; m; m &= m - 1) {
        unsigned lane = first_of(m);
        if (machine_in_ram(t->machine, l->at[lane], 1))
            continue;
        l->faulted |= bit(lane);
        l->cause = ISA_CAUSE_STORE_FAULT;
    }
    lanes &= ~l->faulted;
    if (!lanes)
        return;
    struct simt_op *op = simt_new_op(t, w, insn, lanes);
    op->blocks = true;
    op->access = l->access;
    op->size = ISA_BLOCK_BYTES;
    op->producer = MEMORY;
    for (uint64_t m = lanes; m; m &= m - 1)
        op->at[first_of(m)] =
            l->at[first_of(m)] / ISA_BLOCK_BYTES * ISA_BLOCK_BYTES;
    t->stats.blocks += lane_count(lanes);
    simt_coalesce(t, op);
    simt_drain(t, w, now);
}
