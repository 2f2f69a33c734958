/* One line about what a hart did wrong, and where. */
#include "runtime/include/corbel/abi.h"
#include "sim/host/host.h"
#include "sim/host/memory.h"
#include "sim/isa/served.h"
#include <inttypes.h>
#include <string.h>

enum { RA = 1, SP = 2 };

static uint64_t in_xlen(const struct host *host, uint64_t address)
{
    return host->machine.profile.xlen == 32 ? (uint32_t)address : address;
}

/* Bytes from an address to the top of the address space; 0 means all. */
static uint64_t depth(const struct host *host, uint64_t address)
{
    return in_xlen(host, -address);
}

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
    uint64_t sp = in_xlen(host, hart->isa.x[SP]);
    if (!m->scratch_bytes || machine_in_ram(m, sp, 1) ||
        depth(host, sp) > FRAME_MAX)
        return false;
    bool sp_is_below = depth(host, sp) > m->scratch_bytes;
    return below_scratch(host, address) ||
           (sp_is_below && !machine_in_ram(m, address, 1));
}

static bool in_guard(uint64_t guard, uint64_t address)
{
    return guard && address >= guard && address < guard + GUARD_BYTES;
}

static bool stack_overflow(const struct host *host, const struct hart *hart,
                           uint64_t address, char *text, size_t size)
{
    uint64_t bytes = host->machine.scratch_bytes;
    bool main_stack = in_guard(host->stack_guard, address);
    if (main_stack)
        bytes = STACK_BYTES;
    else if (in_guard(host->kernel_guard, address))
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

static void describe_access(const struct host *host, const struct hart *hart,
                            const char *what, char *text, size_t size)
{
    const struct machine *m = &host->machine;
    uint64_t address = in_xlen(host, hart->fault.tval);
    if (stack_overflow(host, hart, address, text, size))
        return;
    const char *why = !machine_in_ram(m, address, 1)
                          ? "outside of memory"
                          : "read-only: code, constants, a scene or a file";
    snprintf(text, size, "%s at 0x%" PRIx64 ", which is %s", what, address,
             why);
}

/* The instruction at pc, as far as it can be read. */
static uint32_t word_at_pc(const struct host *host, const struct hart *hart)
{
    const struct machine *m = &host->machine;
    uint64_t pc = in_xlen(host, hart->isa.pc);
    uint32_t word = 0;
    if (machine_in_ram(m, pc, 2))
        memcpy(&word, machine_at(m, pc), 2);
    if ((word & 3) == 3 && machine_in_ram(m, pc, 4))
        memcpy(&word, machine_at(m, pc), 4);
    return word;
}

/* What the instruction would need; "": nobody has it. */
static void describe_need(const struct host *host, uint32_t word, char *text,
                          size_t size)
{
    const struct isa_profile *profile = &host->machine.profile;
    enum isa_extension missing = isa_missing(word, profile);
    struct isa_insn insn;
    char isa[120];
    *text = 0;
    if (missing != ISA_EXT_i) {
        isa_profile_text(profile, isa, sizeof isa);
        snprintf(text, size, ": it needs extension %s, the cores have %s",
                 isa_extension_name(missing), isa);
    } else if (isa_decode(word, profile, &insn)) {
        const struct isa_served *served = isa_served(insn.cls);
        if (served && served->needs_scene && !host->machine.scene)
            snprintf(text, size, ": no scene has been opened");
        else if (served)
            snprintf(text, size, ": the chip has no %s", served->unit);
    }
}

static void describe_illegal(const struct host *host, const struct hart *hart,
                             char *text, size_t size)
{
    uint32_t word = word_at_pc(host, hart);
    char insn[80], need[200];
    isa_disassemble(word, host->machine.profile.xlen, hart->isa.pc, insn,
                    sizeof insn);
    describe_need(host, word, need, sizeof need);
    bool named = *insn != '.'; /* else a directive */
    snprintf(text, size, "illegal instruction 0x%0*" PRIx32 "%s%s%s%s",
             (word & 3) == 3 ? 8 : 4, word, named ? " (" : "",
             named ? insn : "", named ? ")" : "", need);
}

/* Where it came from is lost; the return address is the best hint. */
static void describe_wild_jump(const struct host *host, const struct hart *hart,
                               char *text, size_t size)
{
    char from[512];
    program_where(&host->program, in_xlen(host, hart->isa.x[RA]), from,
                  sizeof from);
    snprintf(text, size, "jump to 0x%" PRIx64 ", which is no code; ra %s",
             in_xlen(host, hart->isa.pc), from);
}

static void describe(const struct host *host, const struct hart *hart,
                     char *text, size_t size)
{
    uint64_t value = in_xlen(host, hart->fault.tval);
    if (hart->event == HART_EBREAK) {
        snprintf(text, size, "ebreak, and no debugger");
        return;
    }
    switch (hart->fault.cause) {
    case ISA_CAUSE_FETCH_MISALIGNED:
        snprintf(text, size, "misaligned jump to 0x%" PRIx64, value);
        return;
    case ISA_CAUSE_FETCH_FAULT:
        describe_wild_jump(host, hart, text, size);
        return;
    case ISA_CAUSE_ILLEGAL:
        if (machine_executable(&host->machine, in_xlen(host, hart->isa.pc), 2))
            describe_illegal(host, hart, text, size);
        else
            describe_wild_jump(host, hart, text, size);
        return;
    case ISA_CAUSE_LOAD_MISALIGNED:
    case ISA_CAUSE_STORE_MISALIGNED:
        snprintf(text, size, "misaligned atomic access at 0x%" PRIx64, value);
        return;
    case ISA_CAUSE_LOAD_FAULT:
        describe_access(host, hart, "load", text, size);
        return;
    case ISA_CAUSE_STORE_FAULT:
        describe_access(host, hart, "store", text, size);
        return;
    default:
        snprintf(text, size, "exception %u, value 0x%" PRIx64,
                 hart->fault.cause, value);
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
    program_where(&host->program, in_xlen(host, hart->isa.pc), where,
                  sizeof where);
    return host_end(host, ENDING_FAULT, STATUS_FAULT,
                    "fault: hart %u, cycle %" PRIu64 ", pc %s: %s",
                    hart->isa.id, host->now, where, what);
}
