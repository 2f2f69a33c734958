/* Small functions that programs for Linux call and newlib lacks. */
#include <errno.h>
#include <sched.h>
#include <search.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "runtime/target/gthr.h"
#include "target.h"

int sched_yield(void)
{
    return __gthread_yield();
}

/* The same for every version, as programs' output is. */
int uname(struct utsname *is)
{
    *is = (struct utsname){"Corbel", "corbel", "1", "1", "riscv64"};
    if (sizeof(void *) == 4)
        strcpy(is->machine, "riscv32");
    return 0;
}

/* Simulated time, none of it the system's. */
int getrusage(int whose, struct rusage *used)
{
    struct timespec now = {0};

    if (whose != RUSAGE_SELF && whose != RUSAGE_CHILDREN &&
        whose != RUSAGE_THREAD) {
        errno = EINVAL;
        return -1;
    }
    *used = (struct rusage){0};
    if (whose == RUSAGE_CHILDREN)
        return 0;
    if (clock_gettime(CLOCK_MONOTONIC, &now))
        return -1;
    used->ru_utime.tv_sec = now.tv_sec;
    used->ru_utime.tv_usec = now.tv_nsec / 1000;
    used->ru_maxrss =
        (long)(((uintptr_t)sbrk(0) - (uintptr_t)corbel_boot_block->heap_start) /
               1024);
    return 0;
}

/* Days from 1970 to the first of the month: years begin in March, so that the
 * day that may be missing is the last one. */
static long long days(long long year, int month)
{
    month -= 2;
    if (month < 0) {
        month += 12;
        year--;
    }
    long long era = (year >= 0 ? year : year - 399) / 400;
    long long of_era = year - era * 400;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 +
           (153 * month + 2) / 5 - 719468;
}

time_t timegm(struct tm *tm)
{
    long long year = tm->tm_year + 1900LL + tm->tm_mon / 12;
    int month = tm->tm_mon % 12;

    if (month < 0) {
        month += 12;
        year--;
    }
    long long day = days(year, month) + tm->tm_mday - 1;
    time_t seconds =
        (time_t)(((day * 24 + tm->tm_hour) * 60 + tm->tm_min) * 60 +
                 tm->tm_sec);
    gmtime_r(&seconds, tm);
    tm->tm_isdst = 0;
    return seconds;
}

void *lfind(const void *key, const void *array, size_t *count, size_t size,
            int (*compare)(const void *, const void *))
{
    const char *at = array;

    for (size_t i = 0; i < *count; i++, at += size)
        if (!compare(key, at))
            return (void *)at;
    return NULL;
}

void *lsearch(const void *key, void *array, size_t *count, size_t size,
              int (*compare)(const void *, const void *))
{
    void *found = lfind(key, array, count, size, compare);

    return found ? found : memcpy((char *)array + size * (*count)++, key, size);
}
