/*
 * --functional: the harts take turns on one host thread, a fixed number of
 * instructions each. The units of the chip stand still; some have the state
 * that the instructions work on that they serve. The clock, as far as the
 * program can see one, counts instructions.
 */
#include "sim/core/heap.h"
#include "sim/host/host.h"
#include "sim/host/observe/commit_log.h"
#include "sim/host/observer.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/results.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/programs.h"
#include "sim/host/run/signals.h"
#include "sim/isa/functional.h"
#include "sim/isa/served.h"
#include <corbel/serve.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Instructions of a hart's turn: many, so that changing harts costs little, and
 * few enough for harts that wait for each other. */
enum { QUANTUM = 10000 };
enum { SECOND_HALF = 100 };    /* of tohost is stored so soon after the first */
enum { STATUS_QUANTA = 1000 }; /* between two looks at the status line */

/* The state of a run without timing. */
struct functional {
    struct host *host;
    struct isa_memory memory;
    struct isa_code *code;
    struct isa_range read_only[MACHINE_RANGES], executable[MACHINE_RANGES];
    struct commits *commits;  /* NULL: no log is kept */
    struct isa_commit commit; /* of the last instruction, for the log */
    struct hart **running;    /* in the order of their turns */
    unsigned count;
    uint64_t spent; /* instructions, at most --max-cycles of them */
    /* The turns of a round, all from `round` on, go to `round_end` at most. */
    uint64_t round, round_end;
};

/* Up to what is timed, or will be (roi.c), the clock counts cycles, and harts
 * have their turns at the same time. */
static bool is_stretch(const struct functional *f)
{
    return f->host->roi.untimed;
}

/*
 * An instruction that a unit serves on a timed chip: its meaning is applied to
 * the unit's state at once. False: it is not served, and `fault` says why.
 * again: the hart has to wait for others.
 */
static bool serve(struct hart *hart, const struct isa_insn *insn,
                  struct isa_effect *fault, bool *again)
{
    const struct isa_served *row = isa_served(insn->cls);
    struct unit *server =
        unit_kind_of(hart->core)->core->server(hart->core, insn);
    uint32_t sent[ISA_SERVED_WORDS], received[ISA_SERVED_WORDS];
    struct corbel_request request = {.hart = hart->isa.id,
                                     .immediate = (uint32_t)insn->imm,
                                     .sent = sent,
                                     .received = received};
    *fault = (struct isa_effect){.cause = ISA_CAUSE_ILLEGAL, .tval = insn->raw};
    if (!server || !unit_kind_of(server)->state)
        return false;
    isa_served_send(row, &hart->isa, insn, sent);
    row->meaning(unit_kind_of(server)->state(server), &request);
    *again = request.again;
    *fault = (struct isa_effect){.cause = row->received ? ISA_CAUSE_LOAD_FAULT
                                                        : ISA_CAUSE_STORE_FAULT,
                                 .tval = request.address};
    hart->refusal = request.refused ? request.why : NULL;
    if (request.refused)
        return false;
    isa_served_receive(row, &hart->isa, insn->rd, received, 0, row->received);
    return true;
}

/*
 * Executes an instruction that stopped the hart with ISA_STOP_UNIT. If no unit
 * serves it, it is illegal, as in a timed run on this chip: the counters that
 * it has moved already are put back.
 */
static enum isa_stop run_unit(struct hart *hart, const struct isa_insn *insn,
                              bool *again)
{
    struct isa_effect fault;
    if (serve(hart, insn, &fault, again))
        return ISA_STOP_UNIT;
    isa_access_failed(&hart->isa, insn);
    hart->isa.cycle--;
    hart->fault = fault;
    return ISA_STOP_FAULT;
}

static enum hart_event event_of(enum isa_stop stop)
{
    switch (stop) {
    case ISA_STOP_ECALL:
        return HART_ECALL;
    case ISA_STOP_EBREAK:
        return HART_EBREAK;
    case ISA_STOP_FAULT:
        return HART_FAULT;
    default:
        return HART_NONE;
    }
}

/* The ranges of the machine as sim/isa has them. Files that the program places
 * while it runs add read-only ones. */
static void update_ranges(struct functional *f)
{
    const struct machine *m = &f->host->machine;
    for (unsigned i = 0; i < m->executable_count; i++)
        f->executable[i] =
            (struct isa_range){m->executable[i].start, m->executable[i].end};
    for (unsigned i = 0; i < m->read_only_count; i++)
        f->read_only[i] =
            (struct isa_range){m->read_only[i].start, m->read_only[i].end};
    f->memory.read_only_count = m->read_only_count;
}

/* A store to tohost is seen when the turn ends. */
static bool look_at_tohost(struct host *host, struct hart *hart)
{
    if (!host->machine.tohost)
        return true;
    memcpy(&hart->fault.value, machine_at(&host->machine, host->machine.tohost),
           sizeof hart->fault.value);
    hart->fault.size = sizeof hart->fault.value;
    hart->event = HART_TOHOST;
    return !hart->fault.value || host_serve(host, hart);
}

/* Does what isa_run does, and logs a line for each instruction. */
static enum isa_stop run_logged(struct functional *f, struct hart *hart,
                                uint64_t limit, struct isa_insn *unit)
{
    enum isa_stop stop = ISA_STOP_LIMIT;
    while (limit-- && stop == ISA_STOP_LIMIT) {
        stop = isa_run_logged(&hart->isa, f->code, &f->memory, &hart->fault,
                              unit, &f->commit);
        if (stop == ISA_STOP_LIMIT)
            commits_add(f->commits, hart->isa.id, &f->commit);
    }
    return stop;
}

/* Likewise; a debugger sees each instruction, before and after. */
static enum isa_stop run_debugged(struct functional *f, struct hart *hart,
                                  uint64_t limit, struct isa_insn *unit)
{
    const struct debugger *d = f->host->debugger;
    const struct isa_commit *c = &f->commit;
    enum isa_stop stop = ISA_STOP_LIMIT;
    while (limit-- && stop == ISA_STOP_LIMIT && d->next(d->context, hart)) {
        stop = isa_run_logged(&hart->isa, f->code, &f->memory, &hart->fault,
                              unit, &f->commit);
        if (stop != ISA_STOP_LIMIT)
            break;
        if (c->items & (ISA_COMMIT_LOAD | ISA_COMMIT_STORE))
            d->accessed(d->context, hart, c->address, c->size,
                        c->items & ISA_COMMIT_LOAD,
                        c->items & ISA_COMMIT_STORE);
        if (f->commits)
            commits_add(f->commits, hart->isa.id, &f->commit);
    }
    return stop;
}

static bool is_debugged(const struct functional *f)
{
    const struct debugger *d = f->host->debugger;
    return d && d->next && d->watches(d->context);
}

/* Up to limit instructions of a hart, with the log if one is kept. */
static enum isa_stop run(struct functional *f, struct hart *hart,
                         uint64_t limit, struct isa_insn *unit)
{
    if (is_debugged(f))
        return run_debugged(f, hart, limit, unit);
    if (f->commits)
        return run_logged(f, hart, limit, unit);
    return isa_run(&hart->isa, f->code, &f->memory, limit, &hart->fault, unit);
}

/* The log's line of an instruction that a unit has served. */
static void log_unit(struct functional *f, const struct hart *hart)
{
    isa_commit_finish(&f->commit, &hart->isa, 0);
    commits_add(f->commits, hart->isa.id, &f->commit);
}

/* How many instructions a hart may go on for. */
static uint64_t allowed(const struct functional *f, uint64_t wanted)
{
    uint64_t gone = is_stretch(f) ? f->host->now : f->spent;
    uint64_t left = f->host->options->max_cycles - gone;
    return wanted < left ? wanted : left;
}

/* Runs `limit` instructions, or less if the hart leaves the model, or has to
 * wait for others. */
static enum isa_stop take_turn(struct functional *f, struct hart *hart,
                               uint64_t limit)
{
    struct isa_insn unit;
    uint64_t before = hart->isa.instret, left = limit;
    enum isa_stop stop = ISA_STOP_LIMIT;
    bool again = false;
    do {
        stop = run(f, hart, left, &unit);
        uint64_t used = hart->isa.instret - before;
        left = used < limit ? limit - used : 0;
        if (stop == ISA_STOP_UNIT)
            stop = run_unit(hart, &unit, &again);
        if (stop == ISA_STOP_UNIT && f->commits)
            log_unit(f, hart);
    } while (left && !again && stop == ISA_STOP_UNIT &&
             f->host->ended.how == ENDING_NONE);
    f->host->now += hart->isa.instret - before;
    f->spent += hart->isa.instret - before;
    f->host->roi.instructions += hart->isa.instret - before;
    return stop;
}

/* Is exactly one half of tohost other than 0? An RV32 program stores both
 * halves one after the other, so the second may still come. */
static bool half_of_tohost(const struct host *host)
{
    const struct machine *m = &host->machine;
    uint32_t halves[2] = {0, 0};
    if (m->tohost)
        memcpy(halves, machine_at(m, m->tohost), sizeof halves);
    return !halves[0] != !halves[1];
}

/* An instruction that traps is not executed, but has been tried. */
static bool run_hart(struct functional *f, struct hart *hart)
{
    struct host *host = f->host;
    f->memory.scratch = hart->scratch;
    hart->event = event_of(take_turn(f, hart, allowed(f, QUANTUM)));
    if (hart->event == HART_NONE && half_of_tohost(host))
        hart->event = event_of(take_turn(f, hart, allowed(f, SECOND_HALF)));
    f->spent += hart->event != HART_NONE;
    bool goes_on = host->ended.how == ENDING_NONE &&
                   (!f->commits || commits_written(host));
    if (goes_on && hart->event != HART_NONE && !roi_holds(host, hart)) {
        goes_on = host_serve(host, hart);
        update_ranges(f);
    }
    return goes_on && look_at_tohost(host, hart);
}

/* The harts whose turn comes, by number. Also after a launch, which has made
 * more of them run. */
static void collect_running(struct functional *f)
{
    struct machine *m = &f->host->machine;
    f->count = 0;
    for (unsigned i = 0; i < m->hart_count; i++)
        if (m->harts[i].state == HART_RUNNING)
            f->running[f->count++] = &m->harts[i];
    f->host->kernels.launched = false;
}

/* Always false. */
static bool reach_limit(struct host *host)
{
    return host_end(host, ENDING_LIMIT, STATUS_LIMIT,
                    "the limit of %" PRIu64 " %s was reached",
                    host->options->max_cycles,
                    host->roi.untimed ? "cycles" : "instructions");
}

/* Time in which all harts sleep counts as well. */
static bool is_over(struct functional *f)
{
    uint64_t most = f->host->options->max_cycles;
    if (signals_noted)
        return !host_interrupt(f->host);
    bool spent = !is_stretch(f) && f->spent >= most;
    return (spent || f->host->now >= most) && !reach_limit(f->host);
}

/* A turn of a round. What the hart sees of the clock begins where the round
 * did, as its instructions are executed beside those of the others. */
static bool run_turn(struct functional *f, struct hart *hart)
{
    struct host *host = f->host;
    if (!is_stretch(f))
        return run_hart(f, hart);
    host->now = hart->isa.cycle = f->round;
    bool goes_on = run_hart(f, hart);
    if (host->now > f->round_end)
        f->round_end = host->now;
    return goes_on;
}

/* One turn for each running hart; those that wait leave the list. */
static bool run_round(struct functional *f)
{
    unsigned kept = 0;
    if (!f->count)
        return !is_over(f);
    f->round = f->round_end = f->host->now;
    for (unsigned i = 0; i < f->count; i++) {
        if (is_over(f) || !run_turn(f, f->running[i]))
            return false;
        if (f->running[i]->state == HART_RUNNING)
            f->running[kept++] = f->running[i];
    }
    f->count = kept;
    if (is_stretch(f))
        f->host->now = f->round_end;
    if (f->host->kernels.launched)
        collect_running(f);
    return true;
}

/* No hart runs: the clock jumps to the time at which the next sleeper wakes.
 * False: none sleeps either. */
static bool any_wakes(struct functional *f)
{
    struct host *host = f->host;
    uint64_t next = sleep_next(host), limit = host->options->max_cycles;
    if (next == CYCLE_NEVER)
        return false;
    host->now = next < limit ? next : limit;
    return true;
}

/* Sleepers whose time has come take part again from this round on. */
static void wake_sleepers(struct functional *f)
{
    if (sleep_next(f->host) > f->host->now)
        return;
    sleep_wake(f->host);
    collect_running(f);
}

/* Rounds until no hart runs and none sleeps. False: the run is over. */
static bool run_rounds(struct functional *f)
{
    struct host *host = f->host;
    uint64_t turns = 0;
    collect_running(f);
    while (f->count || any_wakes(f)) {
        wake_sleepers(f);
        turns += f->count;
        if (!run_round(f))
            return false;
        if (turns >= STATUS_QUANTA) {
            status_show(host);
            observers_progress(host);
            turns = 0;
        }
    }
    return true;
}

static void no_memory_for_code(size_t bytes)
{
    heap_lacks(1, bytes, "decoded code");
}

/* The program's kind of core has loaded it, and has a model of its own. */
static void run_loaded(struct host *host)
{
    const struct core_kind *core = host->programs.all[0].core;
    struct error error;
    uint64_t pc, most = host->options->max_cycles;
    enum core_end end = core->functional(host->chip, most, &pc, &error);
    char where[512];
    host->now = results_instructions(host);
    switch (end) {
    case CORE_ENDED:
        host_end(host, ENDING_EXIT, 0, "%s", "");
        return;
    case CORE_FAULTED:
        program_where(&host->programs.all[0], pc, where, sizeof where);
        host_end(host, ENDING_FAULT, STATUS_FAULT, "fault: pc %s: %s", where,
                 error.text);
        return;
    case CORE_STUCK:
        program_where(&host->programs.all[0], pc, where, sizeof where);
        host_end(host, ENDING_DEADLOCK, STATUS_DEADLOCK, "deadlock: pc %s: %s",
                 where, error.text);
        return;
    case CORE_LIMIT:
        if (signals_noted)
            host_interrupt(host);
        else
            reach_limit(host);
        return;
    }
}

/* For the harts of host->programs.first, whose instructions sim/isa executes.
 */
static struct functional *functional_new(struct host *host)
{
    struct machine *m = &host->machine;
    struct functional *f = heap_new(1, sizeof *f, "decoded code");
    f->host = host;
    f->running = heap_new(m->hart_count, sizeof(struct hart *), "the harts");
    bool ready = isa_memory_init(&f->memory, m->memory, m->ram_start,
                                 m->ram_end, m->hart_count);
    f->memory.lacks = no_memory_for_code;
    if (!ready || !(f->code = isa_code_create(&f->memory, &m->profile)))
        heap_lacks(m->hart_count, sizeof *f->memory.reserved, "decoded code");
    f->memory.scratch_size = m->scratch_bytes;
    f->memory.read_only = f->read_only;
    f->memory.executable = f->executable;
    f->memory.executable_count = m->executable_count;
    return f;
}

void functional_free(struct functional *f)
{
    if (!f)
        return;
    isa_code_free(f->code);
    isa_memory_free(&f->memory);
    free(f->running);
    free(f);
}

/* Decoded code is kept from stretch to stretch; files may have been placed
 * meanwhile. */
bool functional_stretch(struct host *host)
{
    if (!host->functional)
        host->functional = functional_new(host);
    host->functional->commits = commits_of(host);
    isa_memory_unreserve(&host->functional->memory); /* was timed since */
    update_ranges(host->functional);
    return run_rounds(host->functional);
}

bool functional_run(struct host *host, struct error *error)
{
    if (!host_begin(host, error))
        return false;
    const struct debugger *d = host->debugger;
    if (host->ended.how != ENDING_NONE)
        return observers_end(host, error);
    if (host->programs.all[0].core->load)
        run_loaded(host);
    else if (functional_stretch(host) && !roi_saves(host))
        host_end(host, ENDING_DEADLOCK, STATUS_DEADLOCK,
                 "deadlock after %" PRIu64 " instructions: every hart waits",
                 host->now);
    if (d && d->goes_on)
        d->goes_on(d->context, ENGINE_STOPPED);
    return observers_end(host, error);
}
