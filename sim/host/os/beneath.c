/*
 * Below a folder by openat2, which follows links and ".." as long as they stay
 * there. A descriptor is opened anew by its name in /proc, which is no name
 * that a program could change.
 */
#include "sim/host/os/beneath.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * For kernels without openat2: walks the path step by step and refuses links
 * and "..", so that it can only lead downwards.
 */
static int walk(int directory, const char *path, int flags)
{
    char copy[PATH_MAX];
    if (!*path)
        return -ENOENT;
    if (snprintf(copy, sizeof copy, "%s", path) >= (int)sizeof copy)
        return -ENAMETOOLONG;
    int at = dup(directory);
    char *rest = copy, *step = strsep(&rest, "/");
    while (at >= 0 && rest) {
        int next = strcmp(step, "..")
                       ? openat(at, *step ? step : ".",
                                O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                       : (errno = EACCES, -1);
        int why = errno;
        close(at);
        errno = why;
        at = next;
        step = strsep(&rest, "/");
    }
    if (at < 0)
        return -errno;
    int fd = !strcmp(step, "..") ? (errno = EACCES, -1)
                                 : openat(at, *step ? step : ".",
                                          flags | O_NOFOLLOW | O_CLOEXEC);
    int why = errno;
    close(at);
    return fd < 0 ? -why : fd;
}

/* The kernel says EAGAIN when something was renamed while it followed a "..":
 * what the program sees must not depend on that. */
int beneath_open(int directory, const char *path, int flags)
{
    enum { TRIES = 10000 };
    struct open_how how = {
        .flags = (uint64_t)(flags | O_CLOEXEC),
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    long fd;
    int tries = 0;
    do
        fd = syscall(SYS_openat2, directory, path, &how, sizeof how);
    while (fd < 0 && errno == EAGAIN && ++tries < TRIES);
    if (fd >= 0)
        return (int)fd;
    if (errno == ENOSYS || errno == EPERM)
        return walk(directory, path, flags);
    return errno == EXDEV ? -EACCES : -errno;
}

int beneath_again(int fd, int flags)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    int again = open(name, flags | O_CLOEXEC);
    return again < 0 ? -errno : again;
}
