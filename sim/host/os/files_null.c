/*
 * /dev/null, the one device that a program may open: it is the same in every
 * run, has nothing, and takes anything.
 */
#include "sim/host/os/files.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* The null device is not made where there is none. */
int files_null(int flags)
{
    struct stat st;
    if (flags & O_CREAT && flags & O_EXCL)
        return -EEXIST;
    int fd = open("/dev/null", (flags & (O_ACCMODE | O_APPEND | O_DIRECTORY |
                                         O_NOFOLLOW | O_PATH)) |
                                   O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (!fstat(fd, &st) && S_ISCHR(st.st_mode) &&
        st.st_rdev == makedev(1, 3)) /* Linux's numbers of it */
        return fd;
    close(fd);
    return -EACCES;
}
