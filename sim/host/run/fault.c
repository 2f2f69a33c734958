/* One line about what a hart did wrong, and where. */
#include "runtime/include/corbel/abi.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/program_memory.h"
#include "sim/host/run/programs.h"
#include <inttypes.h>

/* An address as the program sees it: of 32 bits on RV32. */
static uint64_t in_xlen(const struct host *host, uint64_t address)
{
    return host->machine.profile.xlen == 32 ? (uint32_t)address : address;
}

/* Bytes from an address to the top of the address space; 0 means all. */
static uint64_t depth(const struct host *host, uint64_t address)
{
    return in_xlen(host, -address);
}

/* In the window at the top of the address space, but below the hart's scratch
 * memory. */
static bool below_scratch(const struct host *host, uint64_t address)
{
    uint64_t d = depth(host, address);
    return d > host->machine.scratch_bytes && d <= CORBEL_SCRATCH_WINDOW;
}

/* Only with sp at a kernel stack, or below: that of main() lies in RAM. A big
 * frame may reach beyond the window at once. */
static bool kernel_stack_overflow(const struct host *host,
                                  const struct hart *hart, uint64_t address)
{
    enum { FRAME_MAX = 64 << 20 };
    const struct machine *m = &host->machine;
    uint64_t sp = abi_stack(hart);
    if (!m->scratch_bytes || machine_in_ram(m, sp, 1) ||
        depth(host, sp) > FRAME_MAX)
        return false;
    bool sp_is_below = depth(host, sp) > m->scratch_bytes;
    return below_scratch(host, address) ||
           (sp_is_below && !machine_in_ram(m, address, 1));
}

/* guard: the first address of a guard area, 0: there is none. */
static bool in_guard(uint64_t guard, uint64_t address)
{
    return guard && address >= guard && address < guard + GUARD_BYTES;
}

/*
 * Was the access one to a guard, or below a kernel stack in scratch memory?
 * text: a line that says so. Only scratch memory can be made larger by a
 * parameter.
 */
static bool stack_overflow(const struct host *host, const struct hart *hart,
                           uint64_t address, char *text, size_t size)
{
    uint64_t bytes = host->machine.scratch_bytes;
    bool main_stack = in_guard(host->layout.stack_guard, address);
    if (main_stack)
        bytes = STACK_BYTES;
    else if (in_guard(host->layout.kernel_guard, address))
        bytes = KERNEL_STACK_BYTES;
    else if (!kernel_stack_overflow(host, hart, address))
        return false;
    bool grows = bytes == host->machine.scratch_bytes && !main_stack &&
                 bytes < CORBEL_SCRATCH_WINDOW;
    snprintf(text, size,
             "stack overflow at 0x%" PRIx64 ": its %s has %" PRIu64 " bytes%s",
             address, main_stack ? "stack" : "kernel stack", bytes,
             grows ? ", -s tp.scratch=BYTES gives it more" : "");
    return true;
}

/* A unit has refused a load or store, and may say why. */
static void describe_refusal(const char *what, const struct core_fault *fault,
                             char *text, size_t size)
{
    const struct unit_kind *kind = unit_kind_of(fault->by);
    char why[256] = "";
    if (kind->refusal)
        kind->refusal(fault->by, fault->address, why, sizeof why);
    snprintf(text, size, "%s at 0x%" PRIx64 ", which %s refuses%s%s", what,
             fault->address, unit_name(fault->by), *why ? ": " : "", why);
}

/* Why a load or store was refused, the likeliest reason first: a unit did, a
 * stack is full, there is no memory, or it is read-only. */
static void describe_access(const struct host *host, const struct hart *hart,
                            const char *what, const struct core_fault *fault,
                            char *text, size_t size)
{
    const struct machine *m = &host->machine;
    uint64_t address = fault->address;
    if (fault->why) {
        snprintf(text, size, "%s at 0x%" PRIx64 ": %s", what, address,
                 fault->why);
        return;
    }
    if (fault->by) {
        describe_refusal(what, fault, text, size);
        return;
    }
    if (stack_overflow(host, hart, address, text, size))
        return;
    const struct range groups = group_windows_all(&m->groups);
    const char *why = !machine_in_ram(m, address, 1) ? "outside of memory"
                      : address >= groups.start && address < groups.end
                          ? "memory of groups on another multiprocessor"
                          : "read-only: code, constants, a scene or a file";
    snprintf(text, size, "%s at 0x%" PRIx64 ", which is %s", what, address,
             why);
}

/* Where it came from is lost; the return address is the best hint. */
static void describe_wild_jump(const struct host *host, const struct hart *hart,
                               uint64_t address, char *text, size_t size)
{
    char from[512];
    const struct core_kind *core = core_of(hart);
    program_where(program_of(host, hart), abi_return_address(hart), from,
                  sizeof from);
    snprintf(text, size, "jump to 0x%" PRIx64 ", which is no code; %s %s",
             address, core->registers[core->abi->return_address], from);
}

static void describe(const struct host *host, const struct hart *hart,
                     char *text, size_t size)
{
    struct core_fault fault;
    core_of(hart)->fault(hart->core, hart->slot, &fault);
    switch (fault.kind) {
    case CORE_FAULT_LOAD:
        describe_access(host, hart, "load", &fault, text, size);
        return;
    case CORE_FAULT_STORE:
        describe_access(host, hart, "store", &fault, text, size);
        return;
    case CORE_FAULT_JUMP:
        describe_wild_jump(host, hart, fault.address, text, size);
        return;
    case CORE_FAULT_OTHER:
        snprintf(text, size, "%s", fault.text);
        return;
    }
}

bool fault_report(struct host *host, const struct hart *hart)
{
    char what[700];
    describe(host, hart, what, sizeof what);
    return fault_tell(host, hart, what);
}

bool fault_tell(struct host *host, const struct hart *hart, const char *what)
{
    char where[512];
    program_where(program_of(host, hart), hart_pc(hart), where, sizeof where);
    return host_end(host, ENDING_FAULT, STATUS_FAULT,
                    "fault: hart %u, cycle %" PRIu64 ", pc %s: %s",
                    hart_number(host, hart), host->now, where, what);
}
