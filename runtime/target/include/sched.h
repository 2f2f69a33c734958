/* newlib's, which declares nothing of it. */
#include_next <sched.h>
#ifndef CORBEL_SCHED_H
#define CORBEL_SCHED_H

#ifdef __cplusplus
extern "C" {
#endif

int sched_yield(void);

#ifdef __cplusplus
}
#endif

#endif
