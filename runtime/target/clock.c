/*
 * Time: every clock is simulated time since reset, and sleeping takes some of
 * it. Linux has other numbers for clocks than newlib, which does not matter as
 * they are all the same.
 */
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <corbel/linux.h>

#include "target.h"

/* RV32 has the calls with 64-bit times under numbers of their own. */
#if __riscv_xlen == 64
enum { GETTIME = LINUX_clock_gettime, NANOSLEEP = LINUX_clock_nanosleep };
#else
enum {
    GETTIME = LINUX_clock_gettime64,
    NANOSLEEP = LINUX_clock_nanosleep_time64
};
#endif

enum { LINUX_CLOCK_MONOTONIC = 1 };

static int no_clock(clockid_t clock)
{
    if (clock >= CLOCK_REALTIME && clock <= CLOCK_MONOTONIC)
        return 0;
    errno = EINVAL;
    return -1;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    struct linux_timespec time = {0};

    if (no_clock(clock) ||
        corbel_answer(corbel_syscall(GETTIME, LINUX_CLOCK_MONOTONIC,
                                     (long)&time, 0, 0)) < 0)
        return -1;
    now->tv_sec = (time_t)time.seconds;
    now->tv_nsec = (long)time.nanoseconds;
    return 0;
}

/* Cycles of chips are about as long. */
int clock_getres(clockid_t clock, struct timespec *resolution)
{
    if (no_clock(clock))
        return -1;
    if (resolution)
        *resolution = (struct timespec){.tv_nsec = 1};
    return 0;
}

int timespec_get(struct timespec *now, int base)
{
    return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, now) ? base : 0;
}

/* Returns an error number, as POSIX wants it; no time is ever left. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                    struct timespec *left)
{
    struct linux_timespec wanted = {time->tv_sec, time->tv_nsec};
    int saved = errno, result = no_clock(clock);

    if (!result)
        result = (int)corbel_answer(corbel_syscall(
            NANOSLEEP, LINUX_CLOCK_MONOTONIC,
            flags & TIMER_ABSTIME ? LINUX_TIMER_ABSTIME : 0, (long)&wanted, 0));
    if (result)
        result = errno;
    else if (left && !(flags & TIMER_ABSTIME))
        *left = (struct timespec){0};
    errno = saved;
    return result;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
    int result = clock_nanosleep(CLOCK_MONOTONIC, 0, time, left);

    if (result)
        errno = result;
    return result ? -1 : 0;
}
