/* newlib's, with what it does not declare or have. */
#include_next <time.h>
#ifndef CORBEL_TIME_H
#define CORBEL_TIME_H

#ifdef __cplusplus
extern "C" {
#endif

#if __MISC_VISIBLE
time_t timegm(struct tm *);
#endif
#if __POSIX_VISIBLE >= 200112
int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
#endif

#ifdef __cplusplus
}
#endif

#endif
