/* The streaming multiprocessor as the host sees it: a RISC-V core. */
#include "sim/units/common/riscv_core.h"
#include "sim/units/simt/simt_private.h"

static unsigned harts(const struct unit *core)
{
    return ((const struct simt *)core)->hart_count;
}

static unsigned first_hart(const struct unit *core)
{
    return ((const struct simt *)core)->first_hart;
}

static uint64_t group_memory(const struct unit *core)
{
    return (uint64_t)((const struct simt *)core)->params.group_memory;
}

/* A warp is in one group. */
static unsigned group_step(const struct unit *core, unsigned harts)
{
    const struct simt *t = (const struct simt *)core;
    return (harts + t->width - 1) / t->width * t->width;
}

static unsigned group_teams(const struct unit *core, unsigned harts,
                            uint64_t memory)
{
    const struct simt_params *p = &((const struct simt *)core)->params;
    uint64_t all = (uint64_t)p->groups;
    uint64_t of_each = (uint64_t)p->hart_registers * group_step(core, harts);
    uint64_t by_registers = (uint64_t)p->registers / of_each;
    uint64_t by_memory = memory ? (uint64_t)p->group_memory / memory : all;
    all = by_registers < all ? by_registers : all;
    return (unsigned)(by_memory < all ? by_memory : all);
}

/* The path that the hart's lane is in, NULL: it stands still. */
static const struct simt_path *path_of(const struct unit *core, unsigned slot)
{
    const struct simt *t = (const struct simt *)core;
    const struct simt_warp *w = &t->warps[slot / t->width];
    for (unsigned i = 0; i < w->path_count; i++)
        if (w->paths[i].mask >> slot % t->width & 1)
            return &w->paths[i];
    return NULL;
}

static uint64_t hart_pc(const struct unit *core, unsigned slot)
{
    const struct simt_path *p = path_of(core, slot);
    return p ? p->pc : riscv_core_pc(core, slot);
}

/* Those of its path are not counted in the hart yet. */
static uint64_t instructions(const struct unit *core, unsigned slot)
{
    const struct simt_path *p = path_of(core, slot);
    return riscv_core_instructions(core, slot) + (p ? p->executed : 0);
}

static void loaded(struct unit *core)
{
    struct simt *t = (struct simt *)core;
    riscv_core_loaded(core);
    if (t->reconverge->stack)
        simt_stack_loaded(t);
}

static struct commit_queue *commits(struct unit *core)
{
    return ((struct simt *)core)->commits;
}

static uint64_t awaited(const struct unit *core, unsigned slot)
{
    const struct simt *t = (const struct simt *)core;
    const struct simt_warp *w = &t->warps[slot / t->width];
    return w->pending | (w->accesses ? CORE_STORES : 0);
}

const struct core_kind simt_core = {
    RISCV_CORE_SHARED,
    .harts = harts,
    .first_hart = first_hart,
    .group_memory = group_memory,
    .group_step = group_step,
    .group_teams = group_teams,
    .loaded = loaded,
    .start = simt_start,
    .resume = simt_resume,
    .server = simt_server,
    .lacks = simt_lacks_text,
    .commits = commits,
    .profile = simt_profile,
    .awaited = awaited,
    .stuck = simt_stuck,
    .pc = hart_pc,
    .instructions = instructions,
};
