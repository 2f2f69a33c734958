/*
 * Construction of a streaming multiprocessor, and what is known when the
 * program starts.
 */
#include "sim/units/common/riscv_core.h"
#include "sim/units/simt/simt_private.h"

static void count_harts(struct simt *t)
{
    t->width = (uint32_t)t->params.warp;
    t->subcore_count = (uint8_t)t->params.subcores;
    t->warp_count = (uint32_t)(t->subcore_count * t->params.warps);
    t->hart_count = t->warp_count * t->width;
}

static void ops_new(struct simt *t)
{
    struct chip *chip = t->unit.chip;
    uint32_t count = (uint32_t)t->params.mem_entries, width = t->width;
    uint64_t *words =
        chip_alloc(chip, 2 * (size_t)count * width, sizeof *words);
    struct simt_request *requests =
        chip_alloc(chip, 2 * (size_t)count * width, sizeof *requests);
    t->ops = chip_alloc(chip, count, sizeof *t->ops);
    for (uint32_t i = 0; i < count; i++) {
        t->ops[i].at = words + 2 * (size_t)i * width;
        t->ops[i].value = t->ops[i].at + width;
        t->ops[i].request = requests + 2 * (size_t)i * width;
        t->ops[i].next = i + 1 < count ? i + 1 : NO_OP;
    }
}

static void warps_new(struct simt *t)
{
    struct chip *chip = t->unit.chip;
    const uint32_t most = t->reconverge->stack ? 2 * t->width : t->width + 1;
    struct simt_path *paths =
        chip_alloc(chip, (size_t)t->warp_count * most, sizeof *paths);
    uint64_t *ready =
        chip_alloc(chip, (size_t)t->warp_count * 64, sizeof *ready);
    t->subcores = chip_alloc(chip, t->subcore_count, sizeof *t->subcores);
    t->warps = chip_alloc(chip, t->warp_count, sizeof *t->warps);
    for (uint32_t i = 0; i < t->subcore_count; i++)
        t->subcores[i] = (struct simt_subcore){
            .wake = CYCLE_NEVER, .slot = SLOT_parked, .last = 63};
    for (uint32_t i = 0; i < t->warp_count; i++) {
        t->warps[i].paths = paths + (size_t)i * most;
        t->warps[i].ready = ready + (size_t)i * 64;
        t->warps[i].state = AWAY;
        t->warps[i].bucket = IN_parked;
    }
}

static void take_params(struct simt *t)
{
    const struct simt_params *p = &t->params;
    const int64_t lanes[SIMT_UNITS] = {
#define LANES(name) [SIMT_UNIT_##name] = p->name##_lanes,
        SIMT_UNITS(LANES, LANES)
#undef LANES
    };
    for (unsigned i = 0; i < SIMT_UNITS; i++)
        t->interval[i] = (uint16_t)((p->warp + lanes[i] - 1) / lanes[i]);
    for (unsigned i = 0; i < ISA_CLASS_COUNT; i++) {
        t->latency_of[i] = (uint16_t)p->latency[i];
        t->unit_of[i] = (uint8_t)p->unit[i];
        for (unsigned reads = 0; reads < ISA_READS; reads++)
            t->operands[reads][i] = isa_operands(i, reads);
        t->served |= (uint64_t)(isa_served(i) != NULL) << i;
    }
    t->outside = t->served | bit(ISA_CLASS_load) | bit(ISA_CLASS_store) |
                 bit(ISA_CLASS_amo);
    t->schedule = simt_schedulers[p->scheduler];
    t->reconverge = simt_reconvergences[p->reconvergence];
    t->rule_bytes = simt_coalescers[p->coalescer]->bytes;
}

bool simt_build(struct unit *u, struct error *error)
{
    struct simt *t = (struct simt *)u;
    struct machine *m = chip_context(u->chip);
    count_harts(t);
    t->machine = m;
    t->first_hart = m->hart_count;
    if (!riscv_core_linked(u, error) ||
        !riscv_core_joins(m, t->params.extension, t->hart_count,
                          t->params.scratch, error))
        return false;
    take_params(t);
    simt_build_translation(t);
    warps_new(t);
    ops_new(t);
    if (!simt_fetch_build(t, error))
        return false;
    simt_operands_new(t);
    t->depth = chip_alloc(u->chip, t->hart_count, sizeof *t->depth);
    if (t->reconverge->stack)
        t->meetings = chip_alloc(u->chip, t->hart_count, sizeof *t->meetings);
    t->reserved = chip_alloc(u->chip, t->hart_count, sizeof *t->reserved);
    memset(t->reserved, 0xff, t->hart_count * sizeof *t->reserved);
    t->lanes = chip_alloc(u->chip, 1, sizeof *t->lanes);
    t->lanes->stride = sizeof(struct hart);
    WORK_SLOTS_NEW(t, u->chip, t->hart_count);
    if (m->log_commits)
        t->commits = chip_alloc(u->chip, 1, sizeof *t->commits);
    return true;
}

/* ---- the program starts ---- */

/* One that takes no part is in a service that nothing ends; others may wait in
 * one already, as the program was begun without timing. */
static void begin_lane(struct simt *t, struct simt_warp *w, unsigned lane)
{
    unsigned state = hart_of(t, w, lane)->state;
    if (state == HART_RUNNING) {
        simt_lane_joins(t, w, lane);
    } else if (simt_waits(t, hart_of(t, w, lane))) {
        w->waiting |= bit(lane);
        w->bucket = IN_wait_barrier;
    } else if (state != HART_PARKED && state != HART_UNUSED)
        w->bucket = IN_service;
}

void simt_begin(struct simt *t)
{
    const struct machine *m = t->machine;
    const struct range plain = machine_plain(m);
    t->started = true;
    t->harts = &m->harts[t->first_hart];
    t->text = m->text;
    t->text_start = m->text_range.start;
    t->text_bytes = m->text_range.end - m->text_range.start;
    t->address_mask = machine_address_mask(m);
    t->plain_start = plain.start;
    t->plain_bytes = plain.end - plain.start;
    simt_find_window(t);
    for (uint32_t i = 0; i < t->subcore_count; i++)
        t->subcores[i].changed = true;
    for (uint32_t i = 0; i < t->warp_count; i++) {
        struct simt_warp *w = &t->warps[i];
        for (unsigned lane = 0; lane < t->width; lane++)
            begin_lane(t, w, lane);
        if (w->live) {
            w->state = RUNS;
            simt_assess(t, w, 0);
        }
    }
}
