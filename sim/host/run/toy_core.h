/*
 * Two kinds of core for tests: the toy, of two registers and a few
 * instructions, whose programs lie in memory, and the loader, a toy that loads
 * its programs itself, from address 0 on, and takes options.
 */
#ifndef SIM_HOST_RUN_TOY_CORE_H
#define SIM_HOST_RUN_TOY_CORE_H

#include "sim/core/unit.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/program_memory.h"
#include "sim/units/common/machine.h"
#include <stdio.h>
#include <string.h>

/* An instruction is a byte; each takes a cycle. All others fault,
 * among them 0, so that a hart that runs into empty memory is noticed. */
enum { INCREMENT = 1, COPY, CALL, DONE };
enum { CODE = 0x20000, CODE_BYTES = 256, MEMORY_END = 0x40000 };
enum { MACHINE_TOY = 0x1234, MACHINE_LOADER = 0x1235 };

/* One hart, its registers r0 and r1, and what a test may ask for afterwards. */
struct toy {
    struct unit unit;
    struct {
        char none;
    } params, stats;
    unsigned first_hart;
    bool runs;
    uint64_t pc, r0, r1, executed, pauses;
    bool breaks[CODE_BYTES]; /* at CODE + n */
    uint8_t own[CODE_BYTES]; /* the code of a loader, from 0 */
};

static struct machine *machine_of(const struct toy *t)
{
    return chip_context(t->unit.chip);
}

/* Is it a loader? Both kinds share this struct and all functions but a few. */
static bool loads(const struct toy *t)
{
    return t->unit.kind->core->load;
}

static uint8_t byte_at(const struct toy *t)
{
    return loads(t) ? t->own[t->pc] : *machine_at(machine_of(t), t->pc);
}

/* Programs may lie elsewhere too. */
static bool at_break(const struct toy *t)
{
    return !loads(t) && t->pc - CODE < CODE_BYTES && t->breaks[t->pc - CODE];
}

static struct hart *hart_of(const struct toy *t)
{
    return &machine_of(t)->harts[t->first_hart];
}

/* ---- the hardware ---- */

/* Harts are numbered as the units are built. */
static bool toy_build(struct unit *u, struct error *error)
{
    struct toy *t = (struct toy *)u;
    t->first_hart = machine_of(t)->hart_count++;
    return true;
}

/* What the instruction at pc asks for; HART_NONE: it was executed. */
static enum hart_event execute(struct toy *t)
{
    switch (byte_at(t)) {
    case INCREMENT:
        t->r0++;
        break;
    case COPY:
        t->r1 = t->r0;
        break;
    case CALL:
        return HART_ECALL;
    case DONE:
        return HART_DONE;
    default:
        return HART_FAULT;
    }
    t->pc++;
    t->executed++;
    return HART_NONE;
}

/* One instruction in each cycle while it runs. For all that only the host can
 * do it asks for service and stops until toy_go. */
static uint64_t toy_send(struct unit *u, uint64_t now)
{
    struct toy *t = (struct toy *)u;
    struct hart *h = hart_of(t);
    if (!t->runs)
        return CYCLE_NEVER;
    h->event = at_break(t) ? HART_EBREAK : (enum hart_event)execute(t);
    if (h->event == HART_NONE)
        return now + 1;
    t->runs = false;
    unit_request_service(u, now, 0);
    return CYCLE_NEVER;
}

/* ---- the core ---- */

/* Any flag in the ELF header is one too many; the text is part of the error. */
static const char *toy_refuses(unsigned elf_flags)
{
    return elf_flags ? "flags" : NULL;
}

static unsigned toy_harts(const struct unit *core)
{
    return 1;
}

static void toy_loaded(struct unit *core)
{
    ((struct toy *)core)->runs = true;
}

static void toy_reset(struct unit *core, unsigned slot, uint64_t pc)
{
    struct toy *t = (struct toy *)core;
    t->pc = pc;
    t->r0 = t->r1 = 0;
}

/* start and resume are the same for a core without caches. */
static void toy_go(struct unit *core, unsigned slot, uint64_t now)
{
    ((struct toy *)core)->runs = true;
    unit_wake(core, now);
}

/* Counted for tests: park is called once for each time that the hart parks. */
static void toy_park(struct unit *core, unsigned slot, uint64_t now)
{
    ((struct toy *)core)->pauses++;
}

static uint64_t toy_pc(const struct unit *core, unsigned slot)
{
    return ((const struct toy *)core)->pc;
}

/* Numbers of registers, as register_names has them. */
enum { R0 = CORE_PC + 1, R1 };

static uint64_t *register_at(struct toy *t, unsigned number)
{
    return number == CORE_PC ? &t->pc : number == R0 ? &t->r0 : &t->r1;
}

static uint64_t toy_read(const struct unit *core, unsigned slot,
                         unsigned number)
{
    return *register_at((struct toy *)core, number);
}

static bool toy_write(struct unit *core, unsigned slot, unsigned number,
                      uint64_t value)
{
    *register_at((struct toy *)core, number) = value;
    return true;
}

static uint64_t toy_instructions(const struct unit *core, unsigned slot)
{
    return ((const struct toy *)core)->executed;
}

/* The only fault of a toy: a byte that is no instruction. */
static void toy_fault(const struct unit *core, unsigned slot,
                      struct core_fault *fault)
{
    const struct toy *t = (const struct toy *)core;
    *fault = (struct core_fault){.kind = CORE_FAULT_OTHER};
    snprintf(fault->text, sizeof fault->text, "toy has no instruction %u",
             byte_at(t));
}

static unsigned toy_disassemble(const struct unit *core, uint64_t pc,
                                char *text, size_t size)
{
    static const char *const names[] = {"?", "increment", "copy", "call",
                                        "done"};
    uint8_t byte = *machine_at(machine_of((const struct toy *)core), pc);
    snprintf(text, size, "%s", names[byte < 5 ? byte : 0]);
    return 1;
}

/* False: the address lies outside of the code. */
static bool toy_breakpoint(struct unit *core, uint64_t pc, bool set)
{
    if (pc < CODE || pc >= CODE + CODE_BYTES)
        return false;
    ((struct toy *)core)->breaks[pc - CODE] = set;
    return true;
}

/* Executes one instruction while the clock stands still, breakpoints or not. */
static enum core_step toy_step(struct unit *core, unsigned slot)
{
    struct toy *t = (struct toy *)core;
    struct hart *h = hart_of(t);
    h->event = (uint8_t)execute(t);
    return h->event == HART_NONE ? CORE_STEPPED : CORE_SERVICE;
}

static const char *const register_names[] = {"pc", "r0", "r1", NULL};
/* A call has its number in r1, one argument and the result in r0; the
 * convention knows neither a stack nor a return address. */
static const struct core_abi toy_abi = {
    .number = R1, .arguments = {R0}, .result = R0, .call_bytes = 1};

#define TOY_FUNCTIONS                                                          \
    .registers = register_names, .abi = &toy_abi, .harts = toy_harts,          \
    .loaded = toy_loaded, .start = toy_go, .resume = toy_go, .park = toy_park, \
    .pc = toy_pc, .read = toy_read, .write = toy_write,                        \
    .instructions = toy_instructions, .fault = toy_fault,                      \
    .disassemble = toy_disassemble, .breakpoint = toy_breakpoint,              \
    .step = toy_step

/* Programs for it lie in memory. */
static const struct core_kind toy_core = {.name = "toy",
                                          .elf_machine = MACHINE_TOY,
                                          .elf_bits = 64,
                                          .refuses = toy_refuses,
                                          .reset = toy_reset,
                                          TOY_FUNCTIONS};

/* ---- another one, which loads its programs itself ---- */

enum { TIMES, RESULT };
static const struct core_option loader_options[] = {
    [TIMES] = {"times", "N", "what r0 begins with", 1, 1000},
    [RESULT] = {"result", "FILE", "where r0 is written at the end", 0, 0},
};

static struct toy *loader_in(struct chip *chip)
{
    return (struct toy *)chip_find(chip, "loader0");
}

/* The program's first segment lies at address 0 of the core's own memory; r0
 * begins with --times. */
static bool loader_load(struct chip *chip, const struct core_program *program,
                        struct error *error)
{
    struct toy *t = loader_in(chip);
    const struct core_segment *s = &program->segments[0];
    if (s->address || s->memory_bytes > CODE_BYTES)
        return error_set(error, "%s: more than the code of a loader",
                         program->path);
    memcpy(t->own, s->data, s->file_bytes);
    t->r0 = program->values[TIMES].number;
    return true;
}

/* Writes r0 in decimal into the file of --result, if it was given. */
static bool loader_finish(struct chip *chip, const struct core_program *program,
                          struct error *error)
{
    const char *path = program->values[RESULT].text;
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return !path ||
               error_set(error, "--result %s: cannot be written", path);
    fprintf(file, "%u", (unsigned)loader_in(chip)->r0);
    fclose(file);
    return true;
}

/* Runs until at most `most` instructions have been executed in all. */
static enum core_end loader_functional(struct chip *chip, uint64_t most,
                                       uint64_t *pc, struct error *error)
{
    struct toy *t = loader_in(chip);
    enum hart_event event = HART_NONE;
    while (t->executed < most && event == HART_NONE)
        event = execute(t);
    *pc = t->pc;
    if (event == HART_FAULT)
        error_set(error, "a loader has no instruction %u", byte_at(t));
    return event == HART_NONE   ? CORE_LIMIT
           : event == HART_DONE ? CORE_ENDED
                                : CORE_FAULTED;
}

/* The registers are load's. */
static void loader_reset(struct unit *core, unsigned slot, uint64_t pc)
{
    ((struct toy *)core)->pc = pc;
}

static const struct core_kind loader_core = {
    .name = "loader",
    .elf_machine = MACHINE_LOADER,
    .elf_bits = 32,
    .chip = "loaders",
    .load = loader_load,
    .options = loader_options,
    .option_count = sizeof loader_options / sizeof *loader_options,
    .finish = loader_finish,
    .functional = loader_functional,
    .reset = loader_reset,
    TOY_FUNCTIONS};

/* ---- kinds of units ---- */

#define TOY_KIND(kind_name, core_kind)                                         \
    {                                                                          \
        .name = kind_name, .meaning = "a core of two registers",               \
        .size = sizeof(struct toy), .params = offsetof(struct toy, params),    \
        .stats = offsetof(struct toy, stats), .core = core_kind,               \
        .build = toy_build, .send = toy_send,                                  \
    }
static const struct unit_kind toy_kind = TOY_KIND("toy", &toy_core);
static const struct unit_kind loader_kind = TOY_KIND("loader", &loader_core);

#endif
