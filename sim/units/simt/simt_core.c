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

static struct commit_queue *commits(struct unit *core)
{
    return ((struct simt *)core)->commits;
}

const struct core_kind simt_core = {
    RISCV_CORE,
    .harts = harts,
    .first_hart = first_hart,
    .start = simt_start,
    .resume = simt_resume,
    .server = simt_server,
    .lacks = simt_lacks_text,
    .commits = commits,
};
