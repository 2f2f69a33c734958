/*
 * A RISC-V core as the host sees it (core_kind.h): harts with the registers and
 * the calling convention of the psABI.
 */
#include "sim/units/common/riscv_core.h"
#include "sim/core/chip.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/isa/functional.h"
#include "sim/isa/served.h"
#include "sim/units/common/program_text.h"
#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct machine *machine_of(const struct unit *core)
{
    return chip_context(core->chip);
}

static struct hart *hart_at(const struct unit *core, unsigned slot)
{
    unsigned first = unit_kind_of(core)->core->first_hart(core);
    return &machine_of(core)->harts[first + slot];
}

static uint64_t in_xlen(const struct hart *hart, uint64_t value)
{
    return hart->isa.xlen == 32 ? (uint32_t)value : value;
}

const char *riscv_core_refuses(unsigned elf_flags)
{
    return elf_flags & EF_RISCV_RVE ? "RV32E programs are not supported" : NULL;
}

/* ---- how they are built ---- */

bool riscv_core_linked(const struct unit *core, struct error *error)
{
    const struct port_row *names = core->kind->port_rows;
    const unsigned half = core->kind->port_count / 2;
    const uint16_t *links = core->links;
    for (unsigned i = 0; i < half; i++)
        if (links[half + i] != links[i])
            return error_set(error, "%u %s links but %u %s links",
                             links[half + i], names[half + i].name, links[i],
                             names[i].name);
    return links[half] || error_set(error, "no mem link");
}

static bool agree_on_isa(struct machine *m, const int64_t *extension,
                         struct error *error)
{
    char problem[80];
    uint32_t extensions = 0;
    if (m->isa_given)
        return true;
    for (unsigned i = 0; i < ISA_EXT_COUNT; i++)
        extensions |= (uint32_t)extension[i] << i;
    if (m->hart_count && extensions != m->profile.extensions)
        return error_set(error, "ext_...: differ from those of other harts");
    m->profile.extensions = extensions;
    return isa_profile_check(&m->profile, problem, sizeof problem) ||
           error_set(error, "ext_...: %s", problem);
}

bool riscv_core_joins(struct machine *m, const int64_t *extension,
                      uint32_t harts, int64_t scratch, struct error *error)
{
    if (!agree_on_isa(m, extension, error))
        return false;
    if (m->hart_count && m->scratch_bytes != (uint64_t)scratch)
        return error_set(error, "scratch: differs from that of other harts");
    m->hart_count += harts;
    m->scratch_bytes = (uint64_t)scratch;
    return true;
}

/* ---- running ---- */

void riscv_core_loaded(struct unit *core)
{
    text_create(core->chip, machine_of(core));
}

void riscv_core_code_changed(struct unit *core)
{
    text_refresh(machine_of(core));
}

void riscv_core_reset(struct unit *core, unsigned slot, uint64_t pc)
{
    struct hart *h = hart_at(core, slot);
    const struct machine *m = machine_of(core);
    isa_hart_reset(&h->isa, &m->profile, (uint32_t)(h - m->harts), pc);
}

void riscv_core_slept(struct unit *core, unsigned slot, uint64_t cycles)
{
    hart_at(core, slot)->isa.cycle += cycles;
}

/* ---- state ---- */

uint64_t riscv_core_pc(const struct unit *core, unsigned slot)
{
    const struct hart *h = hart_at(core, slot);
    return in_xlen(h, h->isa.pc);
}

uint64_t riscv_core_instructions(const struct unit *core, unsigned slot)
{
    return hart_at(core, slot)->isa.instret;
}

/* Numbers: the pc, then x0 to x31, then f0 to f31. */
enum { X = CORE_PC + 1, F = X + 32, A0 = X + 10 };

uint64_t riscv_core_read(const struct unit *core, unsigned slot,
                         unsigned number)
{
    const struct hart *h = hart_at(core, slot);
    if (number >= F)
        return h->isa.f[number - F];
    return in_xlen(h, number == CORE_PC ? h->isa.pc : h->isa.x[number - X]);
}

/* Integers of 32 bits are held with their sign extended. */
bool riscv_core_write(struct unit *core, unsigned slot, unsigned number,
                      uint64_t value)
{
    struct hart *h = hart_at(core, slot);
    if (number == CORE_PC)
        h->isa.pc = value;
    else if (number >= F)
        h->isa.f[number - F] = value;
    else if (number > X)
        h->isa.x[number - X] =
            h->isa.xlen == 32 ? (uint64_t)(int32_t)value : value;
    return number != X;
}

/* ---- what it asked for ---- */

bool riscv_core_trap(struct unit *core, unsigned slot)
{
    struct hart *h = hart_at(core, slot);
    switch ((enum hart_event)h->event) {
    case HART_ECALL:
        return isa_trap(&h->isa, ISA_CAUSE_ECALL_M, 0);
    case HART_EBREAK:
        return isa_trap(&h->isa, ISA_CAUSE_BREAKPOINT, h->isa.pc);
    case HART_FAULT:
        return isa_trap(&h->isa, h->fault.cause, h->fault.tval);
    default:
        return false;
    }
}

/* The instruction at pc, as far as it can be read. */
static uint32_t word_at(const struct machine *m, uint64_t pc)
{
    uint32_t word = 0;
    if (machine_in_ram(m, pc, 2))
        memcpy(&word, machine_at(m, pc), 2);
    if ((word & 3) == 3 && machine_in_ram(m, pc, 4))
        memcpy(&word, machine_at(m, pc), 4);
    return word;
}

static unsigned length_of(uint32_t word)
{
    return (word & 3) == 3 ? 4 : 2;
}

/* What the chip lacks to execute the instruction; "": no core has the
 * instruction. */
static void describe_need(const struct unit *core, uint32_t word, char *text,
                          size_t size)
{
    const struct machine *m = machine_of(core);
    const struct isa_profile *profile = &m->profile;
    enum isa_extension missing = isa_missing(word, profile);
    size_t at;
    struct isa_insn insn;
    char isa[120];
    *text = 0;
    if (missing != ISA_EXT_i) {
        isa_profile_text(profile, isa, sizeof isa);
        snprintf(text, size, ": it needs extension %s, the cores have %s",
                 isa_extension_name(missing), isa);
    } else if (isa_decode(word, profile, &insn)) {
        at = (size_t)snprintf(text, size, ": ");
        if (!unit_kind_of(core)->core->lacks(core, &insn, text + at, size - at))
            *text = 0;
    }
}

static void describe_illegal(const struct unit *core, uint64_t pc,
                             struct core_fault *fault)
{
    const struct machine *m = machine_of(core);
    uint32_t word = word_at(m, pc);
    char insn[80], need[200];
    isa_disassemble(word, m->profile.xlen, pc, insn, sizeof insn);
    describe_need(core, word, need, sizeof need);
    bool named = *insn != '.'; /* else a directive */
    fault->kind = CORE_FAULT_OTHER;
    snprintf(fault->text, sizeof fault->text,
             "illegal instruction 0x%0*" PRIx32 "%s%s%s%s",
             2 * (int)length_of(word), word, named ? " (" : "",
             named ? insn : "", named ? ")" : "", need);
}

static const char *misaligned(uint32_t cause)
{
    switch (cause) {
    case ISA_CAUSE_FETCH_MISALIGNED:
        return "misaligned jump to";
    case ISA_CAUSE_LOAD_MISALIGNED:
    case ISA_CAUSE_STORE_MISALIGNED:
        return "misaligned atomic access at";
    default:
        return NULL;
    }
}

static void describe_other(const struct hart *h, struct core_fault *fault)
{
    const char *what = misaligned(h->fault.cause);
    if (what)
        snprintf(fault->text, sizeof fault->text, "%s 0x%" PRIx64, what,
                 fault->address);
    else
        snprintf(fault->text, sizeof fault->text,
                 "exception %u, value 0x%" PRIx64, h->fault.cause,
                 fault->address);
}

void riscv_core_fault(const struct unit *core, unsigned slot,
                      struct core_fault *fault)
{
    const struct machine *m = machine_of(core);
    const struct hart *h = hart_at(core, slot);
    uint64_t pc = in_xlen(h, h->isa.pc);
    uint32_t cause = h->fault.cause;
    *fault = (struct core_fault){.kind = CORE_FAULT_OTHER,
                                 .address = in_xlen(h, h->fault.tval),
                                 .by = h->refused_by,
                                 .why = h->refusal};
    bool wild = cause == ISA_CAUSE_FETCH_FAULT ||
                (cause == ISA_CAUSE_ILLEGAL && !machine_executable(m, pc, 2));
    if (h->event == HART_EBREAK) {
        snprintf(fault->text, sizeof fault->text, "ebreak, and no debugger");
    } else if (wild) {
        fault->kind = CORE_FAULT_JUMP;
        fault->address = pc;
    } else if (cause == ISA_CAUSE_LOAD_FAULT) {
        fault->kind = CORE_FAULT_LOAD;
    } else if (cause == ISA_CAUSE_STORE_FAULT) {
        fault->kind = CORE_FAULT_STORE;
    } else if (cause == ISA_CAUSE_ILLEGAL) {
        describe_illegal(core, pc, fault);
    } else {
        describe_other(h, fault);
    }
}

/* ---- looking into it ---- */

unsigned riscv_core_disassemble(const struct unit *core, uint64_t pc,
                                char *text, size_t size)
{
    const struct machine *m = machine_of(core);
    snprintf(text, size, "%s", "");
    if (!machine_executable(m, pc, 2))
        return 0;
    uint32_t word = word_at(m, pc);
    isa_disassemble(word, m->profile.xlen, pc, text, size);
    return length_of(word);
}

bool riscv_core_breakpoint(struct unit *core, uint64_t pc, bool set)
{
    return text_break(machine_of(core), pc, set);
}

bool riscv_core_mark(struct unit *core, uint64_t pc, bool set)
{
    return text_mark(machine_of(core), pc, set);
}

void riscv_core_mark_accesses(struct unit *core, bool set)
{
    text_mark_accesses(machine_of(core), set);
}

/* What executes an instruction in no time: the functional model. */
struct stepper {
    struct isa_memory memory;
    struct isa_range read_only[MACHINE_RANGES], executable[MACHINE_RANGES];
};

static void take_ranges(const struct machine *m, struct stepper *s)
{
    for (unsigned i = 0; i < m->read_only_count; i++)
        s->read_only[i] =
            (struct isa_range){m->read_only[i].start, m->read_only[i].end};
    for (unsigned i = 0; i < m->executable_count; i++)
        s->executable[i] =
            (struct isa_range){m->executable[i].start, m->executable[i].end};
    s->memory.read_only = s->read_only;
    s->memory.read_only_count = m->read_only_count;
    s->memory.executable = s->executable;
    s->memory.executable_count = m->executable_count;
}

static enum core_step step_in(struct stepper *s, struct isa_code *code,
                              struct hart *h)
{
    struct isa_insn unit;
    switch (isa_run(&h->isa, code, &s->memory, 1, &h->fault, &unit)) {
    case ISA_STOP_LIMIT:
        return CORE_STEPPED;
    case ISA_STOP_ECALL:
        h->event = HART_ECALL;
        return CORE_SERVICE;
    case ISA_STOP_EBREAK:
        h->event = HART_EBREAK;
        return CORE_SERVICE;
    case ISA_STOP_FAULT:
        h->event = HART_FAULT;
        return CORE_SERVICE;
    case ISA_STOP_UNIT:
        isa_access_failed(&h->isa, &unit);
        h->isa.cycle--;
        return CORE_UNIT;
    }
    return CORE_UNIT;
}

/* A single step. The functional model is made anew for each, as memory may have
 * changed since the last one, and a debugger steps rarely enough. */
enum core_step riscv_core_step(struct unit *core, unsigned slot)
{
    struct machine *m = machine_of(core);
    struct hart *h = hart_at(core, slot);
    struct stepper s = {0};
    struct isa_code *code = NULL;
    uint64_t cycle = h->isa.cycle;
    if (!isa_memory_init(&s.memory, m->memory, m->ram_start, m->ram_end,
                         m->hart_count))
        heap_lacks(m->hart_count, sizeof *s.memory.reserved, "a step");
    take_ranges(m, &s);
    s.memory.scratch = h->scratch;
    s.memory.scratch_size = m->scratch_bytes;
    code = isa_code_create(&s.memory, &m->profile);
    if (!code)
        heap_lacks(1, 1, "a step");
    enum core_step result = step_in(&s, code, h);
    h->isa.cycle = cycle;
    isa_code_free(code);
    isa_memory_free(&s.memory);
    return result;
}

const char *const riscv_core_registers[] = {
    "pc",   "zero", "ra",  "sp",   "gp",   "tp",  "t0",  "t1",  "t2",  "s0",
    "s1",   "a0",   "a1",  "a2",   "a3",   "a4",  "a5",  "a6",  "a7",  "s2",
    "s3",   "s4",   "s5",  "s6",   "s7",   "s8",  "s9",  "s10", "s11", "t3",
    "t4",   "t5",   "t6",  "ft0",  "ft1",  "ft2", "ft3", "ft4", "ft5", "ft6",
    "ft7",  "fs0",  "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4", "fa5", "fa6",
    "fa7",  "fs2",  "fs3", "fs4",  "fs5",  "fs6", "fs7", "fs8", "fs9", "fs10",
    "fs11", "ft8",  "ft9", "ft10", "ft11", NULL};

const struct core_abi riscv_core_abi = {
    .number = A0 + 7,
    .arguments = {A0, A0 + 1, A0 + 2, A0 + 3, A0 + 4, A0 + 5},
    .result = A0,
    .stack = X + 2,
    .return_address = X + 1,
    .call_bytes = 4,
};
