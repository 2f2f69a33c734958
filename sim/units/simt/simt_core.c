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

static struct commit_queue *commits(struct unit *core)
{
    return ((struct simt *)core)->commits;
}

const struct core_kind simt_core = {
    RISCV_CORE_SHARED,
    .harts = harts,
    .first_hart = first_hart,
    .start = simt_start,
    .resume = simt_resume,
    .server = simt_server,
    .lacks = simt_lacks_text,
    .commits = commits,
    .stuck = simt_stuck,
    .pc = hart_pc,
    .instructions = instructions,
};
