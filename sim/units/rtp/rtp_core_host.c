/*
 * The RT core as the host sees it: a core of one hart, whose thread changes.
 * The first core ends the program when the patcher tells it to.
 */
#include "sim/rtp/rtp_disassemble.h"
#include "sim/rtp/rtp_run.h"
#include "sim/units/rtp/rtp_core_private.h"
#include "sim/units/rtp/rtp_core_program.h"
#include "sim/units/units.h"
#include <inttypes.h>

#define MACHINE_RTP 0x5254 /* e_machine: not in the registry of ELF */

static struct rtp_core *core_of(const struct unit *u)
{
    return (struct rtp_core *)u;
}

void rtp_core_ask_host(struct rtp_core *c, unsigned event, uint64_t now)
{
    const struct machine *m = chip_context(c->unit.chip);
    m->harts[c->hart].event = (uint8_t)event;
    unit_request_service(&c->unit, now, 0);
}

static unsigned harts(const struct unit *u)
{
    return 1;
}

static void reset(struct unit *u, unsigned slot, uint64_t pc)
{
    core_of(u)->state.pc = (uint32_t)pc;
}

/* What ends a program or stops a core is not gone on from. */
static void go_on(struct unit *u, unsigned slot, uint64_t now)
{
}

static uint64_t hart_pc(const struct unit *u, unsigned slot)
{
    return core_of(u)->state.pc;
}

/* pc, R0..R31, then the lanes of RV0..RV15, then the flags. */
enum {
    FIRST_SCALAR = 1,
    FIRST_LANE = FIRST_SCALAR + RTP_SCALARS,
    FLAGS = FIRST_LANE + 4 * RTP_VECTORS
};

static uint32_t *register_at(struct rtp_core *c, unsigned number)
{
    if (number == CORE_PC)
        return &c->state.pc;
    return number < FIRST_LANE ? &c->state.s[number - FIRST_SCALAR]
                               : &c->state.v[0][number - FIRST_LANE];
}

static uint64_t read_register(const struct unit *u, unsigned slot,
                              unsigned number)
{
    struct rtp_core *c = core_of(u);
    return number == FLAGS ? c->state.flags : *register_at(c, number);
}

static bool write_register(struct unit *u, unsigned slot, unsigned number,
                           uint64_t value)
{
    struct rtp_core *c = core_of(u);
    bool fixed = number == FIRST_SCALAR || number == FIRST_LANE - 1 ||
                 (number >= FIRST_LANE && number < FIRST_LANE + 4) ||
                 number == FLAGS;
    if (!fixed)
        *register_at(c, number) = (uint32_t)value;
    return !fixed;
}

static uint64_t instructions(const struct unit *u, unsigned slot)
{
    return core_of(u)->stats.instructions;
}

static struct commit_queue *commits(struct unit *u)
{
    return &core_of(u)->log;
}

static uint32_t word_at(const struct rtp_core *c, uint32_t pc)
{
    return c->machine->words[pc / 4 % RTP_CODE_WORDS];
}

/* complaint: about the instruction, or about the pc if there is none; empty:
 * the instruction is illegal. */
static void describe(const struct rtp_core *c, uint32_t pc,
                     const char *complaint, char *text, size_t size)
{
    char insn[RTP_TEXT];
    rtp_disassemble(word_at(c, pc), pc, insn, sizeof insn);
    if (pc / 4 >= c->machine->code_words)
        snprintf(text, size, "%s", complaint);
    else if (*complaint)
        snprintf(text, size, "%s %s", insn, complaint);
    else
        snprintf(text, size, "illegal instruction 0x%08x", word_at(c, pc));
}

static void describe_fault(const struct unit *u, unsigned slot,
                           struct core_fault *fault)
{
    const struct rtp_core *c = core_of(u);
    *fault = (struct core_fault){.kind = CORE_FAULT_OTHER};
    describe(c, c->state.pc, c->complaint, fault->text, sizeof fault->text);
    size_t at = strlen(fault->text);
    snprintf(fault->text + at, sizeof fault->text - at,
             " in thread %u, pixel %u", c->thread, c->state.s[RTP_PIXEL]);
}

static unsigned disassemble(const struct unit *u, uint64_t pc, char *text,
                            size_t size)
{
    const struct rtp_core *c = core_of(u);
    *text = '\0';
    if (pc / 4 >= c->machine->code_words)
        return 0;
    rtp_disassemble(word_at(c, (uint32_t)pc), (uint32_t)pc, text, size);
    return 4;
}

/* ---- without timing ---- */

static enum core_end end_of(struct rtp_core *c, enum rtp_end end,
                            const struct rtp_run *run, uint32_t pixel,
                            struct error *error)
{
    char text[200];
    c->state = run->state;
    if (end == RTP_TOO_LONG)
        return CORE_LIMIT;
    if (end == RTP_STUCK) {
        error_set(error,
                  "ret by R0, which is never written, in thread %u, "
                  "pixel %u",
                  pixel % RTP_THREADS, pixel);
        return CORE_STUCK;
    }
    describe(c, run->state.pc, run->complaint, text, sizeof text);
    error_set(error, "%s in thread %u, pixel %u", text, pixel % RTP_THREADS,
              pixel);
    return CORE_FAULTED;
}

static void take_results(struct rtp_machine *m, uint32_t patch)
{
    for (uint32_t t = 0; t < RTP_THREADS; t++)
        rtp_local_read(m->local + (size_t)t * RTP_LOCAL_BYTES / 4, RTP_RESULT,
                       4, m->results[patch][t]);
}

static enum core_end functional(struct chip *chip, uint64_t most, uint64_t *pc,
                                struct error *error)
{
    const struct machine *machine = chip_context(chip);
    struct rtp_machine *m = rtp_machine_of(machine);
    struct rtp_core *c = core_of(m->first_core);
    struct rtp_run run = {.rules = &c->rules,
                          .tests = &m->tests,
                          .code = m->code,
                          .code_words = m->code_words,
                          .constants = m->constants,
                          .scene = &m->scene,
                          .local = m->local,
                          .most = most,
                          .strict = c->params.strict};
    for (uint32_t pixel = 0; pixel < m->pixels; pixel++) {
        if (machine_is_interrupted(machine))
            return CORE_LIMIT;
        uint32_t thread = pixel % RTP_THREADS;
        enum rtp_end end = rtp_run_thread(&run, thread, pixel);
        c->stats.instructions = run.executed;
        *pc = run.state.pc;
        if (end != RTP_ENDED)
            return end_of(c, end, &run, pixel, error);
        if (thread + 1 == RTP_THREADS || pixel + 1 == m->pixels)
            take_results(m, pixel / RTP_THREADS);
    }
    return CORE_ENDED;
}

static const char *const registers[] = {
#define FOUR(prefix, n)                                                        \
    prefix #n ".0", prefix #n ".1", prefix #n ".2", prefix #n ".3"
    "pc",           "R0",           "R1",
    "R2",           "R3",           "R4",
    "R5",           "R6",           "R7",
    "R8",           "R9",           "R10",
    "R11",          "R12",          "R13",
    "R14",          "R15",          "R16",
    "R17",          "R18",          "R19",
    "R20",          "R21",          "R22",
    "R23",          "R24",          "R25",
    "R26",          "R27",          "R28",
    "R29",          "R30",          "R31",
    FOUR("RV", 0),  FOUR("RV", 1),  FOUR("RV", 2),
    FOUR("RV", 3),  FOUR("RV", 4),  FOUR("RV", 5),
    FOUR("RV", 6),  FOUR("RV", 7),  FOUR("RV", 8),
    FOUR("RV", 9),  FOUR("RV", 10), FOUR("RV", 11),
    FOUR("RV", 12), FOUR("RV", 13), FOUR("RV", 14),
    FOUR("RV", 15), "flags",        NULL};

static const struct core_abi abi = {
    .stack = FIRST_SCALAR + RTP_STACK,
    .return_address = FIRST_SCALAR + RTP_LINK,
};

const struct core_kind rtp_core_core = {
    .name = "rtp",
    .elf_machine = MACHINE_RTP,
    .elf_bits = 32,
    .chip = "rtp-4x4",
    .few = true,
    .registers = registers,
    .abi = &abi,
    .harts = harts,
    .load = rtp_program_load,
    .work = rtp_program_work,
    .options = rtp_options,
    .option_count = RTP_OPTIONS,
    .finish = rtp_program_finish,
    .hash = rtp_program_hash,
    .functional = functional,
    .reset = reset,
    .start = go_on,
    .resume = go_on,
    .pc = hart_pc,
    .read = read_register,
    .write = write_register,
    .instructions = instructions,
    .fault = describe_fault,
    .commits = commits,
    .disassemble = disassemble,
};
