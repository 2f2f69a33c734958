/*
 * What of the host the program reaches (struct host).
 */
#ifndef SIM_HOST_OS_GUEST_OS_H
#define SIM_HOST_OS_GUEST_OS_H

#include "sim/host/os/files.h"
#include "sim/host/os/standard_streams.h"

#define UNKNOWN_MAX 64
struct guest_os {
    struct files files;
    struct kept kept; /* what is not the program's */
    int64_t taken;    /* bytes by which what is below --fs has grown
                         (os/fs_quota.c) */
    bool full;        /* something was refused for --max-fs, and noted */
    struct streams streams;
    uint64_t unknown[UNKNOWN_MAX]; /* system calls that were noted */
    unsigned unknown_count;
};

#endif
