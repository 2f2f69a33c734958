/* The host's time, for what depends on how fast the host is. */
#ifndef SIM_HOST_CLOCK_H
#define SIM_HOST_CLOCK_H

#include <stdint.h>
#include <time.h>

/* ns since some moment; never goes back. */
static inline uint64_t host_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
