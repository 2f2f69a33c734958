/*
 * Linux's system calls for one process, as far as a C library needs them.
 * What they tell the program depends on the run alone: time is simulated time
 * since reset, whichever clock is asked for.
 */
#include "runtime/include/corbel/linux.h"
#include "sim/host/observer.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/program_memory.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

int64_t syscall_put(struct host *host, const struct hart *hart,
                    uint64_t address, const void *data, size_t bytes)
{
    uint8_t *at = memory_for_writing(&host->machine, hart, address, bytes);
    if (!at)
        return -EFAULT;
    memcpy(at, data, bytes);
    observers_written(host, at, bytes, false);
    return 0;
}

/* ---- time ---- */

/* Simulated microseconds since reset. */
static uint64_t microseconds(const struct host *host)
{
    return host->now / (uint64_t)host->clock_mhz;
}

static struct linux_timespec now(const struct host *host)
{
    uint64_t second = (uint64_t)host->clock_mhz * 1000000;
    return (struct linux_timespec){
        .seconds = (int64_t)(host->now / second),
        .nanoseconds =
            (int64_t)(host->now % second * 1000 / (uint64_t)host->clock_mhz)};
}

/* The first cycle that is not before a time; times without end have one. */
static uint64_t cycle_of(const struct host *host,
                         const struct linux_timespec *time)
{
    uint64_t mhz = (uint64_t)host->clock_mhz, second = mhz * 1000000,
             most = UINT64_MAX / 4 / second;
    uint64_t seconds = (uint64_t)time->seconds;
    return (seconds < most ? seconds : most) * second +
           ((uint64_t)time->nanoseconds * mhz + 999) / 1000;
}

/* Clock ticks are microseconds, as newlib's CLOCKS_PER_SEC says. */
static int64_t sys_times(struct host *host, const struct hart *hart,
                         const uint64_t *args)
{
    uint64_t ticks = microseconds(host);
    uint64_t long64[4] = {ticks};
    uint32_t long32[4] = {(uint32_t)ticks};
    int64_t result = 0;
    if (args[0] && host->machine.profile.xlen == 32)
        result = syscall_put(host, hart, args[0], long32, sizeof long32);
    else if (args[0])
        result = syscall_put(host, hart, args[0], long64, sizeof long64);
    return result ? result : (int64_t)ticks;
}

static int64_t sys_gettimeofday(struct host *host, const struct hart *hart,
                                const uint64_t *args)
{
    uint64_t time = microseconds(host);
    int64_t value[2] = {(int64_t)(time / 1000000), (int64_t)(time % 1000000)};
    return syscall_put(host, hart, args[0], value, sizeof value);
}

/* Linux's clocks from that of the day to that since boot. */
static bool is_clock(uint64_t number)
{
    enum { CLOCK_LAST = 7 };
    return number <= CLOCK_LAST;
}

static int64_t sys_clock_gettime(struct host *host, const struct hart *hart,
                                 const uint64_t *args)
{
    struct linux_timespec time = now(host);
    return is_clock(args[0])
               ? syscall_put(host, hart, args[1], &time, sizeof time)
               : -EINVAL;
}

/* Puts the hart to sleep. There are no signals to interrupt it, so that no time
 * is ever left to be told. A call by HTIF cannot sleep: the hart that stored to
 * tohost goes on at once. */
static int64_t nap(struct host *host, struct hart *hart, uint64_t address,
                   bool absolute)
{
    struct linux_timespec time;
    const uint8_t *at =
        memory_for_reading(&host->machine, hart, address, sizeof time);
    if (!at)
        return -EFAULT;
    memcpy(&time, at, sizeof time);
    if (time.seconds < 0 || time.nanoseconds < 0 ||
        time.nanoseconds >= 1000000000)
        return -EINVAL;
    if (hart->event != HART_ECALL)
        return -ENOSYS;
    uint64_t due = cycle_of(host, &time);
    if (absolute && due <= host->now)
        return 0;
    return sleep_until(host, hart, absolute ? due : host->now + due);
}

static int64_t sys_clock_nanosleep(struct host *host, struct hart *hart,
                                   const uint64_t *args)
{
    return is_clock(args[0])
               ? nap(host, hart, args[2], args[1] & LINUX_TIMER_ABSTIME)
               : -EINVAL;
}

/* ---- the rest ---- */

/* As in Linux, the answer to what cannot be is the old break. */
static int64_t sys_brk(struct host *host, const uint64_t *args)
{
    if (args[0] >= host->layout.heap_start && args[0] <= host->layout.ceiling)
        host->layout.heap_end = args[0];
    return (int64_t)host->layout.heap_end;
}

/* Noted once, and some of them only. */
static int64_t unknown(struct host *host, const struct hart *hart,
                       uint64_t number)
{
    for (unsigned i = 0; i < host->os.unknown_count; i++)
        if (host->os.unknown[i] == number)
            return -ENOSYS;
    if (host->os.unknown_count == UNKNOWN_MAX)
        return -ENOSYS;
    host->os.unknown[host->os.unknown_count++] = number;
    host_note(host, "hart %u: there is no system call %" PRIu64 "; %s",
              hart_number(host, hart), number,
              host->os.unknown_count == UNKNOWN_MAX
                  ? "no further numbers are noted"
                  : "it is noted once");
    return -ENOSYS;
}

int64_t syscall_linux(struct host *host, struct hart *hart, uint64_t number,
                      const uint64_t *args)
{
    switch (number) {
    case LINUX_times:
        return sys_times(host, hart, args);
    case LINUX_gettimeofday:
        return sys_gettimeofday(host, hart, args);
    case LINUX_clock_gettime:
    case LINUX_clock_gettime64:
        return sys_clock_gettime(host, hart, args);
    case LINUX_nanosleep:
        return nap(host, hart, args[0], false);
    case LINUX_clock_nanosleep:
    case LINUX_clock_nanosleep_time64:
        return sys_clock_nanosleep(host, hart, args);
    case LINUX_getpid:
        return 1;
    case LINUX_brk:
        return sys_brk(host, args);
    default:
        break;
    }
    syscall_function *about_files = syscall_files(number);
    const struct debugger *d = host->debugger;
    if (about_files && d && d->call)
        return d->call(d->context, about_files, hart, args);
    return about_files ? about_files(host, hart, args)
                       : unknown(host, hart, number);
}
