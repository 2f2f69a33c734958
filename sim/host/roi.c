/*
 * Both directions go by a call of a hart while all others are parked. Then the
 * harts' registers are in the machine, memory has been settled, and the next
 * timed step of the hart is that behind a call, which drops old copies from its
 * caches as ever: so the harts can be executed there and then, in the service,
 * by functional.c. The engine sees a call that lasts until an alarm, so clock
 * jumps, limits, intervals, threads and epochs are as in any run.
 */
#include "sim/host/roi.h"
#include "runtime/include/corbel/abi.h"
#include "sim/core/memory_role.h"
#include "sim/core/unit.h"
#include "sim/host/cores.h"

/* Other kinds of core execute programs as a whole without timing; code that
 * changes would have to be decoded anew on both sides. */
bool roi_open(struct host *host, struct error *error)
{
    const struct program *p = host->program;
    host->roi.launches = p->path && !program_symbol(p, "corbel_roi_begin");
    if (!host->options->roi)
        return true;
    if (host->program_count != 1 || !p->path || !p->core->isa_harts)
        return error_set(error, "--timing roi: expected one program, and for "
                                "RISC-V cores");
    return !host->machine.text_changes ||
           error_set(error,
                     "--timing roi: %s may write to its code, as bare-metal "
                     "programs may: expected one that does not",
                     p->path);
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

/* Up to the first call that begins anything, or to the end of the program. */
bool roi_run(struct host *host)
{
    return !host->options->roi || execute(host);
}

/*
 * All others are parked but the hart that is about to go on, so none of them is
 * within an instruction, and no call of theirs is still to be served in this
 * cycle. A sleeper would wake by the engine's clock, which stands still.
 */
bool roi_keeps(struct host *host)
{
    struct roi *r = &host->roi;
    if (!host->options->roi || host->regions.open || host->kernel_runs)
        return false;
    r->kept = host->parked + 1 == host->harts && !host->sleeping;
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
    if (!r->untimed || r->held || host->kernel_runs ||
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
        host_note(host, "--timing roi: corbel_roi_begin within a kernel that "
                        "is executed without timing has no effect");
    r->told_begin = true;
    return false;
}

/* A kernel within a region begins with what the region has. */
void roi_kernel(struct host *host)
{
    if (host->roi.launches && !host->regions.open && host_is_timed(host))
        empty_caches(host);
}

void roi_end(struct host *host)
{
    if (host->options->roi && !host->roi.timed && host->work_part)
        host_note(host,
                  "--timing roi: nothing was timed: %s has calls of "
                  "corbel_roi_begin, and came to none of them",
                  host->program->path);
}
