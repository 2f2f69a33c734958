/* Calls of POSIX with paths, and with open files, that newlib leaves out. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include <corbel/linux.h>

#include "target.h"

int access(const char *path, int mode)
{
    return (int)corbel_answer(
        corbel_syscall(LINUX_faccessat, LINUX_AT_FDCWD, (long)path, mode, 0));
}

int mkdir(const char *path, mode_t mode)
{
    return (int)corbel_answer(corbel_syscall(LINUX_mkdirat, LINUX_AT_FDCWD,
                                             (long)path,
                                             corbel_masked((int)mode), 0));
}

int rmdir(const char *path)
{
    return (int)corbel_answer(corbel_syscall(
        LINUX_unlinkat, LINUX_AT_FDCWD, (long)path, LINUX_AT_REMOVEDIR, 0));
}

int ftruncate(int file, off_t size)
{
    return (int)corbel_answer(
        corbel_syscall(LINUX_ftruncate, file, (long)size, 0, 0));
}

int truncate(const char *path, off_t size)
{
    int file = open(path, O_WRONLY), result;

    if (file < 0)
        return -1;
    result = ftruncate(file, size);
    close(file);
    return result;
}

/* With no buffer it is allocated. */
char *getcwd(char *buffer, size_t size)
{
    char name[256];
    long bytes = corbel_answer(
        corbel_syscall(LINUX_getcwd, (long)name, sizeof name, 0, 0));

    if (bytes < 0)
        return NULL;
    if (!buffer)
        return strdup(name);
    if (!size || size < (size_t)bytes) {
        errno = size ? ERANGE : EINVAL;
        return NULL;
    }
    return memcpy(buffer, name, (size_t)bytes);
}

#if __riscv_xlen == 64
enum { UTIMENSAT = LINUX_utimensat };
#else
enum { UTIMENSAT = LINUX_utimensat_time64 };
#endif

/* Seconds and microseconds of access and modification, NULL: now. */
int utimes(const char *path, const struct timeval *times)
{
    struct linux_timespec to[2];

    for (int i = 0; times && i < 2; i++)
        to[i] = (struct linux_timespec){times[i].tv_sec,
                                        times[i].tv_usec * (int64_t)1000};
    return (int)corbel_answer(corbel_syscall(
        UTIMENSAT, LINUX_AT_FDCWD, (long)path, times ? (long)to : 0, 0));
}

int utime(const char *path, const struct utimbuf *times)
{
    struct timeval to[2];

    if (times) {
        to[0] = (struct timeval){.tv_sec = times->actime};
        to[1] = (struct timeval){.tv_sec = times->modtime};
    }
    return utimes(path, times ? to : NULL);
}

/* Cuts slashes off the end, but for the first character. */
static size_t trimmed(char *path)
{
    size_t length = strlen(path);

    while (length > 1 && path[length - 1] == '/')
        path[--length] = 0;
    return length;
}

/* <libgen.h>: both may change the path. */
char *basename(char *path)
{
    char *slash;

    if (!path || !*path)
        return ".";
    if (trimmed(path) == 1)
        return path;
    slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *dirname(char *path)
{
    char *slash;

    if (!path || !*path)
        return ".";
    trimmed(path);
    slash = strrchr(path, '/');
    if (!slash)
        return ".";
    slash[slash == path] = 0;
    trimmed(path);
    return path;
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
    void *memory;
    int saved = errno;

    if (alignment % sizeof(void *) || !alignment ||
        (alignment & (alignment - 1)))
        return EINVAL;
    memory = memalign(alignment, size);
    errno = saved;
    if (!memory)
        return ENOMEM;
    *to = memory;
    return 0;
}
