/*
 * Both directions go by a call of a hart while all others are parked. Then the
 * harts' registers are in the machine, memory has been settled, and the next
 * timed step of the hart is that behind a call, which drops old copies from its
 * caches as ever: so the harts can be executed there and then, in the service,
 * by functional.c. The engine sees a call that lasts until an alarm, so clock
 * jumps, limits, intervals, threads and epochs are as in any run.
 */
#include "sim/host/run/roi_timing.h"
#include "runtime/include/corbel/abi.h"
#include "sim/core/memory_role.h"
#include "sim/core/unit.h"
#include "sim/host/run/cores.h"
#include "sim/host/state/checkpoint.h"
#include <inttypes.h>

/* Is the run only to come to what would be timed? */
static bool is_to_save(const struct host *host)
{
    return host->options->mode == MODE_FUNCTIONAL && host->options->checkpoint;
}

/* The option that asks for the change between both ways to run. */
static const char *option_of(const struct host *host)
{
    return host->options->roi ? "--timing roi" : "--functional --checkpoint";
}

/* Other kinds of core execute programs as a whole without timing; code that
 * changes would have to be decoded anew on both sides. */
bool roi_open(struct host *host, struct error *error)
{
    const struct program *p = host->programs.first;
    host->roi.launches = p->path && !program_symbol(p, "corbel_roi_begin");
    host->roi.untimed = is_to_save(host);
    if (!host->options->roi && !is_to_save(host))
        return true;
    if (host->programs.count != 1 || !p->path || !p->core->isa_harts)
        return error_set(error,
                         "%s: expected one program, and for RISC-V cores",
                         option_of(host));
    return !host->machine.text_changes ||
           error_set(error,
                     "%s: %s may write to its code, as bare-metal programs "
                     "may: expected one that does not",
                     option_of(host), p->path);
}

/* Executes harts without timing, from the engine's cycle on, or from the end of
 * the last stretch if that has not come yet. */
static bool execute(struct host *host)
{
    struct roi *r = &host->roi;
    const uint64_t now = host->now;
    host->now = r->clock > now ? r->clock : now;
    r->untimed = true;
    bool goes_on = functional_stretch(host);
    r->untimed = false;
    r->clock = host->now;
    host->now = now;
    if (goes_on && r->held)
        engine_alarm(host->engine, r->clock);
    return goes_on;
}

/* Up to the first call that begins anything, or to the end of the program. A
 * run that goes on has been there. */
bool roi_run(struct host *host)
{
    return !host->options->roi || host->options->resume || execute(host);
}

/*
 * All others are parked but the hart that is about to go on, so none of them is
 * within an instruction, and no call of theirs is still to be served in this
 * cycle. A sleeper would wake by the engine's clock, which stands still.
 */
bool roi_keeps(struct host *host)
{
    struct roi *r = &host->roi;
    if (!host->options->roi || host->regions.open || host->kernels.runs)
        return false;
    r->kept = host->kernels.parked + 1 == host->harts && !host->sleep.count;
    if (!r->kept && !r->told_end) {
        r->told_end = true;
        host_note(host, "--timing roi: not all other harts are parked where "
                        "a region ends: the run stays timed until they are");
    }
    return r->kept;
}

bool roi_go_on(struct host *host)
{
    bool kept = host->roi.kept;
    host->roi.kept = false;
    return !kept || execute(host);
}

/* The call is served as if it had been made in this cycle: a region begins, or
 * a launch, with the hart in the state in which it would have asked. */
bool roi_alarm(struct host *host)
{
    struct roi *r = &host->roi;
    struct hart *hart = r->held;
    if (hart && host->now < r->clock) {
        engine_alarm(host->engine, r->clock);
    } else if (hart) {
        r->held = NULL;
        hart->state = HART_RUNNING;
        r->timed = true;
        if (!host_serve(host, hart))
            return false;
    }
    return roi_go_on(host);
}

/* Does the call begin something that is timed? */
static bool begins(const struct host *host, const struct hart *hart)
{
    uint64_t number = abi_call_number(hart);
    return (number == CORBEL_SYS_ROI && abi_argument(hart, 0) & 1) ||
           (number == CORBEL_SYS_LAUNCH && host->roi.launches);
}

/* Within a kernel nothing begins: units have a part of its state, and they have
 * taken no part in it. */
bool roi_holds(struct host *host, struct hart *hart)
{
    struct roi *r = &host->roi;
    if (!r->untimed || r->held || host->kernels.runs ||
        hart->event != HART_ECALL || !begins(host, hart))
        return false;
    r->held = hart;
    hart->state = HART_SLEEPING;
    return true;
}

/* What is settled is in memory, so nothing is lost. */
static void empty_caches(struct host *host)
{
    if (!host->options->roi_cold)
        return;
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        struct unit *u = chip_unit_at(host->chip, i);
        if (u->kind->memory && u->kind->memory->empty)
            u->kind->memory->empty(u);
    }
}

bool roi_region(struct host *host)
{
    struct roi *r = &host->roi;
    if (!r->untimed) {
        empty_caches(host);
        return true;
    }
    if (!r->told_begin)
        host_note(host,
                  "%s: corbel_roi_begin within a kernel that is executed "
                  "without timing has no effect",
                  option_of(host));
    r->told_begin = true;
    return false;
}

/* A kernel within a region begins with what the region has. */
void roi_kernel(struct host *host)
{
    if (host->roi.launches && !host->regions.open && host_is_timed(host))
        empty_caches(host);
}

/* ---- checkpoints ---- */

/* The clock is that of the longest hart: there the call is due in the run that
 * goes on. A file that cannot be written has been told of. */
bool roi_saves(struct host *host)
{
    struct roi *r = &host->roi;
    if (!r->held)
        return false;
    r->clock = host->now;
    checkpoint_write(host);
    if (!host->saving.failed)
        host_note(host,
                  "saved in %s after %" PRIu64
                  " instructions, before a %s begins",
                  host->options->checkpoint, r->instructions,
                  r->launches ? "kernel" : "region of interest");
    host_end(host, ENDING_SAVED, 0, "%s", "");
    return true;
}

/* Services and alarms are over when a run is saved, so nothing is kept. */
void roi_state(struct host *host, struct state *s)
{
    struct roi *r = &host->roi;
    state_hart(host, s, &r->held);
    STATE_VALUE(s, r->clock);
    STATE_VALUE(s, r->instructions);
    state_flag(s, &r->told_begin);
    state_flag(s, &r->told_end);
    state_flag(s, &r->timed);
}

/* The chip is at reset: its clock jumps to where the program stands. A timed
 * run's own alarm is in the file. */
bool roi_resume(struct host *host, struct error *error)
{
    const struct roi *r = &host->roi;
    host->now = engine_cycle(host->engine);
    if (!r->held || host->now)
        return true;
    engine_alarm(host->engine, r->clock);
    return host_managed_again(host, error);
}

/* A run that went on from one without timing has had its stretch there. */
bool roi_tells(const struct host *host)
{
    return host->engine && (host->options->roi || host->roi.instructions);
}

/* A program that ends by itself has come to nothing that is to be saved. */
static void tell_nothing_saved(struct host *host)
{
    struct error error;
    error_set(&error, "%s: no checkpoint: %s has come to no %s",
              host->options->checkpoint, host->programs.first->path,
              host->roi.launches ? "kernel" : "region of interest");
    checkpoint_complain(host, &error);
}

void roi_end(struct host *host)
{
    if (is_to_save(host) && host->ended.how == ENDING_EXIT)
        tell_nothing_saved(host);
    if (host->options->roi && !host->roi.timed && host->work.part)
        host_note(host,
                  "--timing roi: nothing was timed: %s has calls of "
                  "corbel_roi_begin, and came to none of them",
                  host->programs.first->path);
}
