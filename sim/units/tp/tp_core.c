/* The thread processor as the host sees it: a RISC-V core. */
#include "sim/units/common/riscv_core.h"
#include "sim/units/tp/tp_slot.h"

static unsigned harts(const struct unit *core)
{
    return ((const struct tp *)core)->hart_count;
}

static unsigned first_hart(const struct unit *core)
{
    return ((const struct tp *)core)->first_hart;
}

static uint64_t group_memory(const struct unit *core)
{
    return (uint64_t)((const struct tp *)core)->params.group_memory;
}

static struct unit *server(const struct unit *core, const struct isa_insn *insn)
{
    return tp_lacks(core, insn) ? NULL : tp_server(core, insn);
}

/* Loads are among accesses, and each of those to a register has one pending. */
static uint64_t awaited(const struct unit *core, unsigned slot)
{
    const struct slot *s = &((const struct tp *)core)->slots[slot];
    const unsigned registers = (unsigned)__builtin_popcountll(s->any_pending);
    return (s->any_pending & ~BLOCKED) |
           (s->accesses > registers || s->any_pending & BLOCKED ||
                    s->state >= DRAINING
                ? CORE_STORES
                : 0);
}

const struct core_kind tp_core = {
    RISCV_CORE,
    .harts = harts,
    .first_hart = first_hart,
    .group_memory = group_memory,
    .start = tp_start,
    .resume = tp_resume,
    .server = server,
    .lacks = tp_lacks_text,
    .commits = tp_commits,
    .profile = tp_profile,
    .awaited = awaited,
};
