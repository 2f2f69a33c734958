/* newlib's, with what it does not declare or have. */
#include_next <time.h>
#ifndef CORBEL_TIME_H
#define CORBEL_TIME_H

#ifdef __cplusplus
extern "C" {
#endif

time_t timegm(struct tm *);
int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);

#ifdef __cplusplus
}
#endif

#endif
