/*
 * Which harts there are, on which cores, and which of them the program runs on:
 * those of all cores whose instruction set is the program's.
 */
#include "sim/host/cores.h"
#include "runtime/include/corbel/abi.h"
#include "sim/core/unit.h"
#include "sim/host/memory.h"
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

static bool runs_program(const struct host *host, const struct core_kind *core)
{
    return core->elf_machine == host->program.elf_machine;
}

bool cores_load(struct host *host, struct error *error)
{
    bool any = false;
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        struct unit *u = chip_unit_at(host->chip, i);
        if (!u->kind->core || !runs_program(host, u->kind->core))
            continue;
        u->kind->core->loaded(u);
        any = true;
    }
    return any || error_set(error, "%s: for machine %u, which no core of %s is",
                            host->program.path, host->program.elf_machine,
                            host->arch_path);
}

void cores_reset(struct host *host)
{
    struct machine *m = &host->machine;
    for (unsigned i = 0; i < m->hart_count; i++) {
        struct hart *h = &m->harts[i];
        core_of(h)->reset(h->core, h->slot, host->program.entry);
        if (i >= host->harts || !runs_program(host, core_of(h)))
            h->state = HART_UNUSED;
        abi_set_argument(h, 0, i);
        abi_set_argument(h, 1, CORBEL_BOOT_ADDRESS);
        abi_set_stack(h, m->scratch_bytes
                             ? 0
                             : m->ram_end - i * (uint64_t)KERNEL_STACK_BYTES);
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
