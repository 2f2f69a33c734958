/*
 * From options to a machine at reset: the program in memory, the chip built,
 * its harts at the entry, the boot block written.
 */
#include "runtime/include/corbel/abi.h"
#include "runtime/include/corbel/hash.h"
#include "sim/arch/arch.h"
#include "sim/arch/presets.h"
#include "sim/core/heap.h"
#include "sim/core/link_stats.h"
#include "sim/core/unit.h"
#include "sim/host/observe/link_totals.h"
#include "sim/host/observer.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/unit_totals.h"
#include "sim/host/run/boot.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/exit_status.h"
#include "sim/host/run/program_memory.h"
#include "sim/host/run/programs.h"
#include "sim/host/run/signals.h"
#include "sim/host/state/checkpoint.h"
#include "sim/host/state/undo.h"
#include "sim/units/units.h"
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- memory and program ---- */

/*
 * The profile's register width becomes that of the program, or 64 without one;
 * it must agree with --isa if that was given. Extensions are the chip's or
 * --isa's.
 */
static bool isa_fits(struct host *host, struct error *error)
{
    struct isa_profile *profile = &host->machine.profile;
    unsigned given = profile->xlen;
    profile->xlen =
        host->programs.first->path ? (uint8_t)host->programs.first->xlen : 64;
    return !host->programs.first->path || !host->machine.isa_given ||
           given == profile->xlen ||
           error_set(error, "--isa rv%u...: %s is for rv%u", given,
                     host->programs.first->path, profile->xlen);
}

/* Memory ends at --memory or at its default, rounded down to a page, but on
 * RV32 below the scratch windows at the top of the address space. */
static bool load_program(struct host *host, struct error *error)
{
    const struct options *o = host->options;
    uint64_t end = o->memory ? page_down(o->memory) : MEMORY_DEFAULT_END;
    host->machine.profile = o->isa;
    host->machine.isa_given = o->isa.xlen;
    host->machine.interrupted = &signals_noted;
    if (!programs_open(host, unit_kinds, error) || !isa_fits(host, error))
        return false;
    if (host->machine.profile.xlen == 32 && end > MEMORY_RV32_END)
        end = MEMORY_RV32_END;
    return memory_reserve(&host->machine, end, error) &&
           programs_place(host, error);
}

/* ---- chip ---- */

/*
 * A kind of core that loads its programs itself names its chip. A bare-metal
 * program is often written for one hart, so it gets one core; others get tiny.
 */
static const char *default_arch(const struct host *host)
{
    const struct program *first = &host->programs.all[0];
    if (host->programs.count && first->core->chip)
        return first->core->chip;
    return program_is_bare(host->programs.first) ? "core" : "tiny";
}

/* How many harts run host->programs.first: all of its kind, or the first
 * --harts of them. */
static bool count_harts(struct host *host, struct error *error)
{
    unsigned harts = host->options->harts, all = host->machine.hart_count;
    unsigned first;
    if (!all)
        return error_set(error, "%s: the chip has no thread processor",
                         host->arch.path);
    programs_settle(host);
    if (!programs_check(host, error))
        return false;
    if (host->programs.first->path)
        all = program_harts(host, host->programs.first, &first);
    host->harts = harts ? harts : all;
    return harts <= all ||
           error_set(error, "--harts %u: this chip has 1..%u", harts, all);
}

static const struct unit_kind *const *kinds_of(struct host *host)
{
    unsigned count = 0;
    if (!host->watched)
        return unit_kinds;
    while (unit_kinds[count])
        count++;
    host->kinds = heap_new(count + 1u, sizeof *host->kinds, "kinds of units");
    while (count--) {
        const struct unit_kind *k = unit_kinds[count];
        host->kinds[count] = k->watched ? k->watched : k;
    }
    return host->kinds;
}

/*
 * Settings of the command line are noted before the description is run, as it
 * reads parameters while it builds. chip_finish fixes everything; what must be
 * known before, the check's logs and watched links, comes earlier.
 */
static bool build_chip(struct host *host, struct error *error)
{
    const struct options *o = host->options;
    host->arch.name = o->arch ? o->arch : default_arch(host);
    if (!presets_find(host->arch.name, host->arch.path, sizeof host->arch.path,
                      error))
        return false;
    host->chip = chip_new(kinds_of(host), &host->machine);
    for (unsigned i = 0; i < o->settings.count; i++)
        if (!chip_override_from(host->chip, o->settings.list[i].text,
                                o->settings.list[i].place, error))
            return false;
    struct arch_facts facts = {
        .note = reach_script, .context = host, .status = STATUS_INPUT};
    char presets[PATH_MAX];
    if (!presets_directory(presets, error) ||
        !arch_load(host->chip, host->arch.path, presets, &facts, error) ||
        !options_spare(o, error))
        return false;
    observers_build(host);
    if (!chip_finish(host->chip, error) || !host_managed_files(host, error))
        return false;
    if (!observers_built(host, error))
        return false;
    chip_place(host->chip, host->machine.memory, host->machine.ram_end);
    host->clock_mhz = facts.clock_mhz;
    host->arch.hash = facts.hash;
    if (o->engine.epoch > chip_longest_epoch(host->chip))
        return error_set(error, "--epoch %u: this chip allows 1..%u",
                         o->engine.epoch, chip_longest_epoch(host->chip));
    return count_harts(host, error);
}

/* ---- harts ---- */

#define STATE_STRUCT struct hart
static const struct state_row hart_pointers[] = {
    STATE_POINTER(scratch), STATE_POINTER(core), STATE_POINTER(refused_by),
    STATE_POINTER(refusal)};

/* Large arrays come from the chip, whose errors name what did not fit; the
 * scratch memory of all harts is one array, hart by hart. */
static void allocate_harts(struct host *host)
{
    struct machine *m = &host->machine;
    char what[64];
    m->harts =
        chip_alloc_for(host->chip, m->hart_count, sizeof *m->harts, "harts");
    chip_pointers(host->chip, m->harts, sizeof *m->harts, hart_pointers,
                  TABLE_COUNT(hart_pointers));
    host->first_hart = chip_alloc(host->chip, chip_unit_count(host->chip) + 1u,
                                  sizeof *host->first_hart);
    snprintf(what, sizeof what, "scratch memory of %u harts", m->hart_count);
    if (m->scratch_bytes)
        m->scratch =
            chip_alloc_for(host->chip, m->hart_count, m->scratch_bytes, what);
}

/* ---- stacks, heap, boot block ---- */

/* Takes bytes and a guard below them from the top of the free memory. */
static bool take_stack(struct host *host, uint64_t bytes, uint64_t *guard,
                       struct error *error)
{
    uint64_t needed = page_up(bytes) + GUARD_BYTES;
    if (host->layout.ceiling < host->layout.heap_start + needed)
        return error_set(error,
                         "--memory: %" PRIu64 " MiB do not hold the program "
                         "and the stacks of %u harts",
                         host->machine.ram_end >> 20, host->machine.hart_count);
    host->layout.ceiling -= needed;
    *guard = host->layout.ceiling;
    return memory_protect(&host->machine, host->layout.ceiling,
                          host->layout.ceiling + GUARD_BYTES, error);
}

/* What units keep for themselves is at the end, and programs do not write it.
 */
static bool keep_aside(struct host *host, struct error *error)
{
    struct machine *m = &host->machine;
    if (m->set_aside >= m->ram_end - host->layout.heap_start)
        return error_set(error,
                         "--memory: %" PRIu64 " MiB do not hold the program "
                         "and the %" PRIu64 " MiB of stacks of RT cores",
                         m->ram_end >> 20, m->set_aside >> 20);
    host->layout.ceiling = memory_end(m);
    return !m->set_aside ||
           memory_protect(m, host->layout.ceiling, m->ram_end, error);
}

/* Stacks for kernels lie in DRAM only if the harts have no scratch memory. Hart
 * 0's stack for main() lies below them. The heap begins behind the programs. */
static bool lay_out_memory(struct host *host, struct error *error)
{
    struct machine *m = &host->machine;
    host->layout.heap_start = host->layout.heap_end =
        page_up(programs_end(host));
    if (!keep_aside(host, error))
        return false;
    uint64_t kernel_stacks = m->hart_count * (uint64_t)KERNEL_STACK_BYTES;
    return (m->scratch_bytes ||
            take_stack(host, kernel_stacks, &host->layout.kernel_guard,
                       error)) &&
           take_stack(host, STACK_BYTES, &host->layout.stack_guard, error);
}

/*
 * The runtime keeps the thread-local variables of all harts at the end of the
 * heap (runtime/target/thread.c): what is placed while the program runs lies
 * below them. Where they do not fit, the runtime refuses to start.
 */
static void keep_thread_blocks(struct host *host)
{
    const struct program *p = host->programs.first;
    uint64_t align = 64;
    while (align < p->thread_align && align < PAGE)
        align *= 2;
    uint64_t end = host->layout.ceiling / align * align,
             room = end - host->layout.heap_start;
    if (!p->thread_bytes || p->thread_bytes > room / host->harts)
        return;
    uint64_t each = (p->thread_bytes + align - 1) / align * align;
    if (each <= room / host->harts)
        host->layout.ceiling = page_down(end - each * host->harts);
}

/* All that a program in memory finds there at reset. */
static bool prepare_memory(struct host *host, struct error *error)
{
    if (!host->programs.first->path)
        return true;
    if (!lay_out_memory(host, error) || !boot_fits(host, error))
        return false;
    boot_write(host);
    keep_thread_blocks(host);
    return true;
}

/* ---- all of it ---- */

/* Errors about an option begin with it and end with the status for a wrong
 * command line; others end with the given one. Always false. */
static bool give_up(int *status, int otherwise, const struct error *error)
{
    *status = strncmp(error->text, "--", 2) ? otherwise : STATUS_USAGE;
    return false;
}

/*
 * The order matters: the program says which registers the chip has, the chip
 * how many harts there are, both together what lies in memory. host_free is due
 * whatever it returns.
 */
bool host_prepare(struct host *host, const struct options *options, int *status,
                  struct error *error)
{
    *host = (struct host){.options = options, .clock_mhz = 1000};
    streams_begin(&host->os.streams);
    host->log.stream = open_memstream(&host->log.text, &host->log.size);
    if (!host->log.stream)
        heap_lacks(1, BUFSIZ, "the log");
    if (options->mode != MODE_DESCRIBE)
        status_phase(host, PHASE_LOAD);
    if (!observers_arrive(host, error))
        return give_up(status, STATUS_HOST, error);
    if (!load_program(host, error) || !build_chip(host, error))
        return give_up(status, STATUS_INPUT, error);
    if (options->mode == MODE_DESCRIBE)
        return true;
    if (!roi_open(host, error))
        return give_up(status, STATUS_USAGE, error);
    allocate_harts(host);
    cores_assign(host);
    if (!prepare_memory(host, error) || !programs_load(host, error))
        return give_up(status, STATUS_INPUT, error);
    cores_reset(host);
    if (!observers_placed(host, error))
        return give_up(status, STATUS_INPUT, error);
    if (options->mode == MODE_TIMING) {
        host->tables.links = links_new(host->chip, options->link_stats);
        host->tables.totals = totals_new(host->chip, host->tables.links);
        host->tables.entries = entries_new(host->chip);
    }
    if (!outputs_possible(host, error))
        return give_up(status, STATUS_HOST, error);
    return (observers_open(host, error) && reach_open(host, error)) ||
           give_up(status, STATUS_HOST, error);
}

void host_free(struct host *host)
{
    for (unsigned i = 0; i < host->placed.count; i++)
        free(host->placed.files[i].path);
    if (host->os.files.real)
        files_close(&host->os.files);
    kept_free(&host->os.kept);
    streams_end(&host->os.streams);
    undo_release(host->saving.undo[0]);
    undo_release(host->saving.undo[1]);
    regions_free(&host->regions);
    observers_free(host);
    machine_shared_free(&host->machine);
    totals_free(host->tables.totals);
    entries_free(host->tables.entries);
    cJSON_Delete(host->tables.stats);
    links_free(host->tables.links);
    functional_free(host->functional);
    chip_free(host->chip);
    free(host->kinds);
    programs_close(host);
    memory_release(&host->machine);
    free(host->managed.ranges);
    free(host->sleep.sleepers);
    if (host->log.stream)
        fclose(host->log.stream);
    free(host->log.text);
}
