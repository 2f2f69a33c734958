/*
 * Which harts there are, on which cores, and which of them take part: those of
 * cores for whose kind there is a program.
 */
#include "sim/host/run/cores.h"
#include "runtime/include/corbel/abi.h"
#include "sim/core/unit.h"
#include "sim/host/run/program_memory.h"
#include "sim/host/run/programs.h"
#include <string.h>

static void assign_core(struct host *host, struct unit *core, unsigned first)
{
    struct machine *m = &host->machine;
    unsigned count = core->kind->core->harts(core);
    host->first_hart[core->id] = first;
    for (unsigned slot = 0; slot < count; slot++) {
        unsigned number = first + slot;
        struct hart *h = &m->harts[number];
        h->core = core;
        h->slot = slot;
        if (m->scratch)
            h->scratch = m->scratch + number * m->scratch_bytes;
    }
}

/* Hart numbers follow the order in which the cores were made. */
void cores_assign(struct host *host)
{
    unsigned number = 0;
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        struct unit *u = chip_unit_at(host->chip, i);
        if (!u->kind->core)
            continue;
        assign_core(host, u, number);
        number += u->kind->core->harts(u);
    }
}

/* Of the harts of host->programs.first only the first ones take part. */
static bool takes_part(const struct host *host, const struct hart *hart)
{
    const struct program *p = program_for(host, core_of(hart));
    return p &&
           (p != host->programs.first || hart_number(host, hart) < host->harts);
}

void cores_reset(struct host *host)
{
    struct machine *m = &host->machine;
    for (unsigned i = 0; i < m->hart_count; i++) {
        struct hart *h = &m->harts[i];
        core_of(h)->reset(h->core, h->slot, program_of(host, h)->entry);
        if (!takes_part(host, h))
            h->state = HART_UNUSED;
        if (core_of(h)->load)
            continue; /* its registers are as load left them */
        abi_set_argument(h, 0, i);
        abi_set_argument(h, 1, CORBEL_BOOT_ADDRESS);
        abi_set_stack(h,
                      m->scratch_bytes
                          ? 0
                          : memory_end(m) - i * (uint64_t)KERNEL_STACK_BYTES);
    }
}

bool core_register(const struct core_kind *core, const char *name,
                   unsigned *number)
{
    for (*number = 0; core->registers[*number]; ++*number)
        if (!strcmp(core->registers[*number], name))
            return true;
    return false;
}
