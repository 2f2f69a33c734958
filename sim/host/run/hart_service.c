/*
 * What happens when a hart leaves the model: system calls, traps, HTIF. All
 * tiles stand still meanwhile, so everything may be touched.
 */
#include "runtime/include/corbel/abi.h"
#include "runtime/include/corbel/linux.h"
#include "sim/host/observer.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/program_memory.h"
#include "sim/host/run/programs.h"
#include "sim/host/run/signals.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

bool host_end(struct host *host, enum ending ending, int status,
              const char *format, ...)
{
    va_list args;
    host->ended.how = ending;
    host->ended.status = status;
    va_start(args, format);
    corbel_line_format(host->ended.why, sizeof host->ended.why, format, args);
    va_end(args);
    return false;
}

bool host_interrupt(struct host *host)
{
    const char *over = signals_noted ? NULL : outputs_over(host);
    if (over)
        return host_end(host, ENDING_LIMIT, STATUS_LIMIT,
                        "%s: the limit of --max-output, %" PRIu64
                        " bytes, was reached at %s %" PRIu64,
                        over, host->options->max_output,
                        host->engine ? "cycle" : "instruction", host->now);
    if (signals_noted == SIGALRM && host->options->max_time)
        return host_end(host, ENDING_LIMIT, STATUS_LIMIT,
                        "the limit of %u seconds was reached at %s %" PRIu64,
                        host->options->max_time,
                        host->engine ? "cycle" : "instruction", host->now);
    return host_end(host, ENDING_SIGNAL, signals_status(signals_noted),
                    "stopped by %s at %s %" PRIu64, signals_name(signals_noted),
                    host->engine ? "cycle" : "instruction", host->now);
}

/* The event is cleared: what the hart asked for has been dealt with. */
static void run_again(struct hart *hart)
{
    hart->state = HART_RUNNING;
    hart->event = HART_NONE;
}

static void tell_debugger(struct host *host, struct hart *hart)
{
    const struct debugger *d = host->debugger;
    if (d && d->resumed)
        d->resumed(d->context, hart);
}

void host_resume(struct host *host, struct hart *hart)
{
    run_again(hart);
    if (host_is_timed(host) && !roi_keeps(host))
        core_of(hart)->resume(hart->core, hart->slot, host->now);
    tell_debugger(host, hart);
}

void host_start(struct host *host, struct hart *hart)
{
    run_again(hart);
    if (host_is_timed(host))
        core_of(hart)->start(hart->core, hart->slot, host->now);
    tell_debugger(host, hart);
}

/* ---- calls of Corbel ---- */

/* Statuses that the host cannot pass on must not become a success. */
static bool program_exits(struct host *host, uint64_t status)
{
    if (status > STATUS_GUEST_MAX) {
        host_note(host, "the program's exit status %" PRIu64 " becomes %d",
                  status, STATUS_GUEST_MAX);
        status = STATUS_GUEST_MAX;
    }
    return host_end(host, ENDING_EXIT, (int)status, "%s", "");
}

/* The address of the scene in memory, or the negative of an errno. */
static int64_t open_scene(struct host *host, const struct hart *hart,
                          uint64_t address)
{
    const char *path = memory_string(&host->machine, hart, address, PATH_SIZE);
    return path ? scene_open(host, path) : -EFAULT;
}

/*
 * Arguments: the path, where the file's size goes (64 bits), and what it is.
 * That place is checked before the file is read, so that an error has no
 * effect.
 */
static int64_t map_file(struct host *host, const struct hart *hart,
                        const uint64_t *args)
{
    const char *path = memory_string(&host->machine, hart, args[0], PATH_SIZE);
    uint64_t bytes;
    if (!path ||
        !memory_for_writing(&host->machine, hart, args[1], sizeof bytes))
        return -EFAULT;
    if (args[2] > CORBEL_MAP_RAYS)
        return -EINVAL;
    int64_t address = file_place(
        host, path, args[2] == CORBEL_MAP_RAYS ? PLACED_RAYS : PLACED_FILE,
        &bytes);
    if (address < 0)
        return address;
    /* The file may lie there now. */
    uint8_t *to =
        memory_for_writing(&host->machine, hart, args[1], sizeof bytes);
    if (!to)
        return -EFAULT;
    memcpy(to, &bytes, sizeof bytes);
    observers_written(host, to, sizeof bytes, false);
    return address;
}

/* The range is looked at when a kernel starts. */
static int64_t set_frame(struct machine *m, uint64_t address, uint64_t bytes)
{
    if (bytes && !machine_in_ram(m, address, bytes))
        return -EFAULT;
    m->frame = (struct range){address, address + bytes};
    return 0;
}

/* Corbel's own calls, but those that stop the hart (see serve_ecall). Returns
 * the result that the program gets. */
static int64_t corbel_call(struct host *host, struct hart *hart,
                           uint64_t number, const uint64_t *args)
{
    switch (number) {
    case CORBEL_SYS_SCENE:
        return open_scene(host, hart, args[0]);
    case CORBEL_SYS_SCENE_USE:
        return scene_use(host, args[0]);
    case CORBEL_SYS_MAP:
        return map_file(host, hart, args);
    case CORBEL_SYS_MANAGED_ALLOC:
        return host_managed_alloc(host, args[0]);
    case CORBEL_SYS_MANAGED_PREFETCH:
        return host_managed_prefetch(host, args[0], args[1]);
    case CORBEL_SYS_MANAGED_SYNC:
        return host_managed_sync(host, hart);
    case CORBEL_SYS_MANAGED_STATS:
        return host_managed_stats(host, hart, args[0]);
    case CORBEL_SYS_GROUPS:
        return groups_call(host, hart, args);
    case CORBEL_SYS_ROI:
        return regions_mark(host, args[0] & 1);
    case CORBEL_SYS_WORK:
        host->work.total = host->work.next = args[0];
        host->work.base = totals_handed(host);
        host->work.part++;
        return 0;
    case CORBEL_SYS_FRAME:
        return set_frame(&host->machine, args[0], args[1]);
    default:
        return -ENOSYS;
    }
}

/* Is it a call of sim/host/run/launch.c or groups.c? Kernels run on the harts
 * of host->programs.first alone; to those of other programs there is no such
 * call.
 */
static bool stops_hart(const struct host *host, const struct hart *hart,
                       uint64_t number)
{
    return (number == CORBEL_SYS_PARK || number == CORBEL_SYS_LAUNCH ||
            number == CORBEL_SYS_JOIN || number == CORBEL_SYS_BARRIER) &&
           program_of(host, hart) == host->programs.first;
}

static bool stop_hart(struct host *host, struct hart *hart, uint64_t number,
                      const uint64_t *args)
{
    if (number == CORBEL_SYS_BARRIER)
        return groups_meet(host, hart, args);
    if (number != CORBEL_SYS_PARK)
        return launch_wait(host, hart);
    launch_park(host, hart);
    return true;
}

/*
 * A system call. The pc still stands at the instruction: it moves on with the
 * answer, for a hart that parks or waits when it is released. False: the run is
 * over.
 */
static bool serve_ecall(struct host *host, struct hart *hart)
{
    uint64_t number = abi_call_number(hart), args[CORE_ARGUMENTS];
    for (unsigned i = 0; i < CORE_ARGUMENTS; i++)
        args[i] = abi_argument(hart, i);
    if (number == LINUX_exit || number == LINUX_exit_group)
        return program_exits(host, args[0] & 0xff);
    if (stops_hart(host, hart, number))
        return stop_hart(host, hart, number, args);
    int64_t result = number >= CORBEL_SYS_LAUNCH
                         ? corbel_call(host, hart, number, args)
                         : syscall_linux(host, hart, number, args);
    if (host->ended.how != ENDING_NONE)
        return false;
    abi_answer(hart, result);
    if (hart->state != HART_SLEEPING)
        host_resume(host, hart);
    return true;
}

/* ---- HTIF: device, command, payload in one word of memory ---- */

/* A system call by HTIF: the command's payload is the address of 8 words, the
 * number and the arguments, of which the first takes the result. */
static bool htif_call(struct host *host, struct hart *hart, uint64_t address)
{
    enum { WORDS = 8 };
    uint64_t call[WORDS];
    uint8_t *at =
        memory_for_writing(&host->machine, hart, address, sizeof call);
    if (!at)
        return host_end(host, ENDING_FAULT, STATUS_FAULT,
                        "fault: hart %u: HTIF call at 0x%" PRIx64
                        ", which is no memory",
                        hart_number(host, hart), address);
    memcpy(call, at, sizeof call);
    if (call[0] == LINUX_exit)
        return program_exits(host, call[1] & 0xff);
    call[0] = (uint64_t)syscall_linux(host, hart, call[0], call + 1);
    memcpy(at, call, sizeof call[0]);
    observers_written(host, at, sizeof call[0], false);
    return host->ended.how == ENDING_NONE;
}

/*
 * The host's side of HTIF: a program that waits for an answer reads fromhost.
 */
static void htif_answer(struct host *host, uint64_t value)
{
    struct machine *m = &host->machine;
    if (!m->fromhost || !machine_in_ram(m, m->fromhost, sizeof value))
        return;
    memcpy(machine_at(m, m->fromhost), &value, sizeof value);
    observers_written(host, machine_at(m, m->fromhost), sizeof value, false);
}

static bool htif_command(struct host *host, struct hart *hart, uint64_t value)
{
    enum { CONSOLE = 0x0101 }; /* device 1, command 1: write a character */
    uint64_t call = value >> 48;
    if (call == 0 && value & 1)
        return program_exits(host, value >> 1);
    if (call == 0 && value && !htif_call(host, hart, value))
        return false;
    if (call == CONSOLE) {
        uint8_t c = (uint8_t)value;
        int64_t n = host_print(host, STDOUT_FILENO, &c, 1);
        if (n < 0)
            host_log(host, "console: %s", strerror((int)-n));
        if (host->ended.how != ENDING_NONE)
            return false;
    }
    uint8_t *tohost = machine_at(&host->machine, host->machine.tohost);
    memset(tohost, 0, sizeof value);
    observers_written(host, tohost, sizeof value, false);
    if (value)
        htif_answer(host, call == 0 ? 1 : call << 48);
    return true;
}

/*
 * A store of 32 bits is half of a command. The other half mostly comes next, in
 * whatever order; a program that stores one alone gets it taken for all.
 */
static bool stores_half(struct host *host, struct hart *hart)
{
    enum { PATIENCE = 1000 }; /* cycles */
    const struct isa_effect *e = &hart->fault;
    uint8_t *tohost = machine_at(&host->machine, host->machine.tohost);
    uint64_t at = e->address - host->machine.tohost, value;
    if (e->size >= sizeof value || at + e->size > sizeof value)
        return false;
    memcpy(tohost + at, &e->value, e->size);
    observers_written(host, tohost, sizeof value, false);
    memcpy(&value, tohost, sizeof value);
    hart->fault.value = value;
    bool second = host->half.by && e->address != host->half.at;
    if (second || !value) {
        host->half.by = NULL;
        return false;
    }
    if (!host->half.by)
        host->half.due = host->now + PATIENCE;
    host->half.by = hart;
    host->half.at = e->address;
    return true;
}

bool host_half_due(struct host *host)
{
    uint64_t value;
    struct hart *hart = host->half.by;
    memcpy(&value, machine_at(&host->machine, host->machine.tohost),
           sizeof value);
    host->half.by = NULL;
    return htif_command(host, hart, value);
}

/* A whole command is served; after half of one the hart goes on. False: the run
 * is over. */
static bool serve_tohost(struct host *host, struct hart *hart)
{
    if (!stores_half(host, hart) &&
        !htif_command(host, hart, hart->fault.value))
        return false;
    host_resume(host, hart);
    return true;
}

/* ---- traps ---- */

/* The program's own handler takes it, if it has one. */
static bool trapped(struct host *host, struct hart *hart)
{
    const struct core_kind *core = core_of(hart);
    if (!core->trap || !core->trap(hart->core, hart->slot))
        return false;
    host_resume(host, hart);
    return true;
}

/* A debugger that knows the breakpoint keeps the hart, or has resumed it. */
static bool debugged(struct host *host, struct hart *hart)
{
    const struct debugger *d = host->debugger;
    return d && d->stopped(d->context, host, hart);
}

bool host_serve(struct host *host, struct hart *hart)
{
    switch ((enum hart_event)hart->event) {
    case HART_ECALL:
        return trapped(host, hart) || serve_ecall(host, hart);
    case HART_EBREAK:
        return debugged(host, hart) || trapped(host, hart) ||
               fault_report(host, hart);
    case HART_FAULT:
        return trapped(host, hart) || fault_report(host, hart);
    case HART_TOHOST:
        return serve_tohost(host, hart);
    case HART_FENCE_I:
        core_of(hart)->code_changed(hart->core);
        host_resume(host, hart);
        return true;
    case HART_DONE:
        return program_done(host, hart);
    case HART_NONE:
        break;
    }
    return host_end(host, ENDING_HOST, STATUS_INTERNAL,
                    "internal error: hart %u asks for service, but names no "
                    "event",
                    hart_number(host, hart));
}
