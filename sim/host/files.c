#include "sim/host/files.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FLAGS_ALLOWED                                                          \
    (O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_DIRECTORY)

bool files_open(struct files *f, const char *directory, char **arguments,
                int argument_count, struct error *error)
{
    *f = (struct files){.name = directory,
                        .arguments = arguments,
                        .argument_count = argument_count};
    f->directory = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    f->real = f->directory < 0 ? NULL : realpath(directory, NULL);
    if (!f->real)
        return error_set(error, "--fs %s: %s", directory, strerror(errno));
    for (int i = 0; i < FILES_MAX; i++)
        f->host[i] = i < 3 ? i : -1;
    return true;
}

void files_close(struct files *f)
{
    for (int i = 3; i < FILES_MAX; i++)
        if (f->host[i] > 2)
            close(f->host[i]);
    if (f->directory > 0)
        close(f->directory);
    free(f->real);
    *f = (struct files){0};
}

/* What stands behind the directory in an absolute path, NULL: not below it. */
static const char *below(const struct files *f, const char *path)
{
    size_t length = strlen(f->real);
    if (*path != '/')
        return path;
    if (strncmp(path, f->real, length) ||
        (path[length] && path[length] != '/' && length > 1))
        return NULL;
    path += length;
    while (*path == '/')
        path++;
    return *path ? path : ".";
}

/*
 * For kernels without openat2: walks the path step by step and refuses links
 * and "..", so that it can only lead downwards.
 */
static int walk(int directory, const char *path, int flags, int mode)
{
    char copy[PATH_MAX];
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
                                          flags | O_NOFOLLOW | O_CLOEXEC, mode);
    int why = errno;
    close(at);
    return fd < 0 ? -why : fd;
}

static int open_below(int directory, const char *path, int flags, int mode)
{
    struct open_how how = {
        .flags = (uint64_t)(flags | O_CLOEXEC),
        .mode = flags & O_CREAT ? (uint64_t)mode & 0777 : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    long fd = syscall(SYS_openat2, directory, path, &how, sizeof how);
    if (fd >= 0)
        return (int)fd;
    if (errno == ENOSYS || errno == EPERM)
        return walk(directory, path, flags, mode);
    return errno == EXDEV ? -EACCES : -errno;
}

static bool named_by_argument(const struct files *f, const char *path)
{
    for (int i = 0; i < f->argument_count; i++)
        if (!strcmp(f->arguments[i], path))
            return true;
    return false;
}

int files_host_open(struct files *f, const char *path, int flags, int mode)
{
    const char *inside = below(f, path);
    int fd = inside
                 ? open_below(f->directory, inside, flags & FLAGS_ALLOWED, mode)
                 : -EACCES;
    if (fd != -EACCES || (flags & FLAGS_ALLOWED) != O_RDONLY ||
        !named_by_argument(f, path))
        return fd;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int64_t files_openat(struct files *f, const char *path, int flags, int mode)
{
    int number = 3;
    while (number < FILES_MAX && f->host[number] >= 0)
        number++;
    if (number == FILES_MAX)
        return -EMFILE;
    int fd = files_host_open(f, path, flags, mode);
    if (fd < 0)
        return fd;
    f->host[number] = fd;
    return number;
}

int64_t files_unlink(struct files *f, const char *path)
{
    char parent[PATH_MAX];
    const char *inside = below(f, path);
    if (!inside)
        return -EACCES;
    const char *slash = strrchr(inside, '/');
    const char *name = slash ? slash + 1 : inside;
    int length = slash ? (int)(slash - inside) : 0;
    if (snprintf(parent, sizeof parent, "%.*s", length ? length : 1,
                 length ? inside : ".") >= (int)sizeof parent)
        return -ENAMETOOLONG;
    int fd = open_below(f->directory, parent, O_DIRECTORY, 0);
    if (fd < 0)
        return fd;
    int64_t result = unlinkat(fd, name, 0) ? -errno : 0;
    close(fd);
    return result;
}

int files_host(const struct files *f, int64_t number)
{
    return number >= 0 && number < FILES_MAX && f->host[number] >= 0
               ? f->host[number]
               : -EBADF;
}

/* The host's own standard streams stay open. */
int64_t files_close_one(struct files *f, int64_t number)
{
    int fd = files_host(f, number);
    if (fd < 0)
        return fd;
    f->host[number] = -1;
    return fd > 2 && close(fd) ? -errno : 0;
}
