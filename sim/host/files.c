/*
 * Opens, asks for and changes files for the program, and lets no path lead out
 * of the one directory that it may use: by the kernel's openat2 where there is
 * one, by a walk of single steps where there is not.
 */
#include "sim/host/files.h"
#include "sim/core/heap.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of Linux's flags those that a program may give to open; others are left out
 * without an error. */
#define FLAGS_ALLOWED                                                          \
    (O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_DIRECTORY |         \
     O_NOFOLLOW | O_PATH)

/* Descriptors 0 to 2 are the host's standard streams, all others are closed. */
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
        files_close_one(f, i);
    if (f->directory > 0)
        close(f->directory);
    for (unsigned i = 0; i < f->image_count; i++)
        free(f->images[i]);
    free(f->real);
    *f = (struct files){0};
}

/* ---- descriptors ---- */

int files_host(const struct files *f, int64_t number)
{
    return number >= 0 && number < FILES_MAX && f->host[number] >= 0
               ? f->host[number]
               : -EBADF;
}

int files_own(const struct files *f, int64_t number)
{
    int fd = files_host(f, number);
    return fd < 0 || fd > 2 ? fd : -EINVAL;
}

/* The host's own standard streams stay open. */
int64_t files_close_one(struct files *f, int64_t number)
{
    int fd = files_host(f, number);
    if (fd < 0)
        return fd;
    f->host[number] = -1;
    free(f->paths[number]);
    f->paths[number] = NULL;
    listing_free(f->listings[number]);
    f->listings[number] = NULL;
    return fd > 2 && close(fd) ? -errno : 0;
}

/* ---- paths ---- */

/* What stands behind a directory's name in an absolute path, NULL: it is not
 * below it. */
static const char *behind(const char *directory, const char *path)
{
    size_t length = strlen(directory);
    if (strncmp(path, directory, length) ||
        (path[length] && path[length] != '/' && length > 1))
        return NULL;
    path += length;
    while (*path == '/')
        path++;
    return *path ? path : ".";
}

/*
 * Where a path begins: returns a host descriptor, with *rest to be opened below
 * it. An absolute path must lead into --fs, by its real name or as /fs; a
 * relative one begins at that directory, or at the one that the program has
 * opened as `at`.
 */
static int base(const struct files *f, int64_t at, const char *path,
                const char **rest)
{
    *rest = path;
    if (*path == '/') {
        *rest = behind(f->real, path);
        if (!*rest)
            *rest = behind(FILES_ROOT, path);
        return *rest ? f->directory : -EACCES;
    }
    if (at == AT_FDCWD)
        return f->directory;
    int fd = files_own(f, at);
    return fd == -EINVAL ? -ENOTDIR : fd;
}

/*
 * For kernels without openat2: walks the path step by step and refuses links
 * and "..", so that it can only lead downwards.
 */
static int walk(int directory, const char *path, int flags, int mode)
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
                                          flags | O_NOFOLLOW | O_CLOEXEC, mode);
    int why = errno;
    close(at);
    return fd < 0 ? -why : fd;
}

/* The kernel says EAGAIN when something was renamed while it followed a "..":
 * what the program sees must not depend on that. */
static int open_below(int directory, const char *path, int flags, int mode)
{
    enum { TRIES = 10000 };
    mode &= 0777; /* nothing that is made runs as its owner */
    struct open_how how = {
        .flags = (uint64_t)(flags | O_CLOEXEC),
        .mode = flags & O_CREAT ? (uint64_t)mode : 0,
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
        return walk(directory, path, flags, mode);
    return errno == EXDEV ? -EACCES : -errno;
}

/* ---- opening ---- */

/* Pipes, sockets and devices are refused; opening one does not wait. */
static int admitted(int fd, bool directories)
{
    struct stat st;
    if (fd < 0)
        return fd == -ENXIO ? -EACCES : fd;
    bool known = !fstat(fd, &st) &&
                 (S_ISREG(st.st_mode) || (directories && S_ISDIR(st.st_mode)));
    if (known)
        return fd;
    close(fd);
    return -EACCES;
}

static int open_inside(const struct files *f, int64_t at, const char *path,
                       int flags, int mode)
{
    const char *rest;
    int directory = base(f, at, path, &rest);
    if (directory < 0)
        return directory;
    if (flags & O_PATH)
        return open_below(directory, rest, flags, mode);
    flags |= O_NONBLOCK | O_NOCTTY;
    return admitted(open_below(directory, rest, flags, mode), true);
}

/* Compared as text: a path that is spelt otherwise than the argument is not the
 * one that was given. */
static bool named_by_argument(const struct files *f, const char *path)
{
    for (int i = 0; i < f->argument_count; i++)
        if (!strcmp(f->arguments[i], path))
            return true;
    return false;
}

/*
 * Below --fs with all rights, otherwise a file named by an argument if it is
 * only read. The error is that of the first attempt, which tells what was
 * refused.
 */
static int open_any(const struct files *f, int64_t at, const char *path,
                    int flags, int mode)
{
    int fd = open_inside(f, at, path, flags & FLAGS_ALLOWED, mode);
    bool reads = !(flags & FLAGS_ALLOWED & ~(O_PATH | O_NOFOLLOW));
    if (fd >= 0 || !reads || at != AT_FDCWD || !named_by_argument(f, path))
        return fd;
    int named = admitted(
        open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), false);
    return named < 0 ? fd : named;
}

int files_host_open(struct files *f, const char *path)
{
    return open_any(f, AT_FDCWD, path, O_RDONLY, 0);
}

/* The path that the host knows of what is open, for free(). */
static char *real_path(int fd)
{
    char link[64], real[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, real, sizeof real);
    return heap_text_part(real, length > 0 ? (size_t)length : 0);
}

/* By which it can be opened again, for free(): its own, or, below a directory
 * that was opened, the one that the host knows. */
static char *path_of(int64_t at, const char *path, int fd)
{
    return at == AT_FDCWD || *path == '/' ? heap_text(path) : real_path(fd);
}

/* Keeps the path of what may become the image of the run. */
static void note_image(struct files *f, int fd)
{
    static const char *const ends[] = {".png", ".ppm", ".pfm"};
    char *path = real_path(fd);
    const char *end = strrchr(path, '.');
    bool image = false;
    for (size_t i = 0; end && i < sizeof ends / sizeof *ends; i++)
        image = image || !strcmp(end, ends[i]);
    for (unsigned i = 0; i < f->image_count; i++)
        image = image && strcmp(f->images[i], path) != 0;
    if (image && f->image_count < FILES_IMAGES)
        f->images[f->image_count++] = path;
    else
        free(path);
}

/* As in Linux, the new descriptor is the lowest that is free. O_PATH would
 * admit what cannot be opened (a pipe), so it is left out. */
int64_t files_openat(struct files *f, int64_t at, const char *path, int flags,
                     int mode)
{
    int number = 3;
    while (number < FILES_MAX && f->host[number] >= 0)
        number++;
    if (number == FILES_MAX)
        return -EMFILE;
    int fd = open_any(f, at, path, flags & ~O_PATH, mode);
    if (fd < 0)
        return fd;
    f->host[number] = fd;
    f->paths[number] = path_of(at, path, fd);
    if ((flags & O_ACCMODE) != O_RDONLY)
        note_image(f, fd);
    return number;
}

/* ---- what needs no open file ---- */

/* Opens with O_PATH, which needs no right to read, and asks that descriptor:
 * between both, the path cannot be made to lead elsewhere. */
int64_t files_statat(struct files *f, int64_t at, const char *path, int flags,
                     struct stat *st)
{
    int nofollow = flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0;
    int fd = open_any(f, at, path, O_PATH | nofollow, 0);
    if (fd < 0)
        return fd;
    int64_t result = fstat(fd, st) ? -errno : 0;
    close(fd);
    if (!result && !nofollow && S_ISLNK(st->st_mode))
        return -EACCES; /* it was not followed */
    return result;
}

int64_t files_inside(const struct files *f, int64_t at, const char *path,
                     int flags, struct stat *st)
{
    int fd = open_inside(f, at, path, O_PATH | flags, 0);
    if (fd < 0)
        return fd;
    int64_t result = fstat(fd, st) ? -errno : 0;
    close(fd);
    return result;
}

/*
 * Opens what is asked for, so that the answer is that of files_openat.
 * Directories may be searched and not executed; the right to write to one is
 * asked for apart, since it cannot be opened for writing.
 */
int64_t files_accessat(struct files *f, int64_t at, const char *path, int mode)
{
    struct stat st;
    int64_t result = files_statat(f, at, path, 0, &st);
    if (result || mode == F_OK)
        return result;
    if (mode & X_OK && !S_ISDIR(st.st_mode))
        return -EACCES;
    bool writes = mode & W_OK && !S_ISDIR(st.st_mode);
    int fd = open_any(f, at, path,
                      !writes       ? O_RDONLY
                      : mode & R_OK ? O_RDWR
                                    : O_WRONLY,
                      0);
    if (fd < 0)
        return fd;
    if (mode & W_OK && !writes && faccessat(fd, ".", W_OK, AT_EACCESS))
        result = -errno;
    close(fd);
    return result;
}

/* Only below --fs: files named by arguments are read-only. */
int64_t files_utimensat(struct files *f, int64_t at, const char *path,
                        const struct timespec *times)
{
    int fd = open_inside(f, at, path, O_RDONLY, 0);
    if (fd < 0)
        return fd;
    int64_t result = futimens(fd, times) ? -errno : 0;
    close(fd);
    return result;
}

/* The last step of a path, and the directory that it is in. */
struct place {
    int parent;
    bool slash; /* there was one behind it */
    char name[NAME_MAX + 1];
};

/* "." and ".." can be neither made, removed nor renamed. */
static int64_t find_special(int directory, const char *path)
{
    int fd = open_below(directory, path, O_PATH | O_DIRECTORY, 0);
    if (fd < 0)
        return fd;
    close(fd);
    return -EBUSY;
}

/* Opens the parent, which is to be closed unless the result is negative. */
static int64_t find_place(const struct files *f, int64_t at, const char *path,
                          struct place *place)
{
    char copy[PATH_MAX];
    const char *rest;
    int directory = base(f, at, path, &rest);
    if (directory < 0)
        return directory;
    if (snprintf(copy, sizeof copy, "%s", rest) >= (int)sizeof copy)
        return -ENAMETOOLONG;
    size_t length = strlen(copy);
    place->slash = length > 1 && copy[length - 1] == '/';
    while (length > 1 && copy[length - 1] == '/')
        copy[--length] = '\0';
    char *slash = strrchr(copy, '/');
    const char *name = slash ? slash + 1 : copy;
    if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
        return find_special(directory, copy);
    if (snprintf(place->name, sizeof place->name, "%s", name) >=
        (int)sizeof place->name)
        return -ENAMETOOLONG;
    if (slash)
        *slash = '\0';
    place->parent =
        open_below(directory, slash ? copy : ".", O_PATH | O_DIRECTORY, 0);
    return place->parent < 0 ? place->parent : 0;
}

/* result: of a system call, whose error is in errno. */
static int64_t done_at(const struct place *place, int result)
{
    int64_t answer = result ? -errno : 0;
    close(place->parent);
    return answer;
}

/* Of Linux's flags only AT_REMOVEDIR has a meaning here. A slash behind the
 * name asks for a directory, which unlink without that flag refuses. */
int64_t files_unlinkat(struct files *f, int64_t at, const char *path, int flags)
{
    struct place place;
    flags &= AT_REMOVEDIR;
    int64_t result = find_place(f, at, path, &place);
    if (result == -EBUSY && !flags)
        return -EISDIR;
    if (result)
        return result;
    if (place.slash && !flags)
        return done_at(&place, (errno = ENOTDIR, -1));
    return done_at(&place, unlinkat(place.parent, place.name, flags));
}

/* "." and ".." exist already. Of mode only the nine bits of rights count. */
int64_t files_mkdirat(struct files *f, int64_t at, const char *path, int mode)
{
    struct place place;
    int64_t result = find_place(f, at, path, &place);
    if (result)
        return result == -EBUSY ? -EEXIST : result;
    return done_at(&place,
                   mkdirat(place.parent, place.name, (mode_t)mode & 0777));
}

/* Links are moved, not followed: where one leads is looked at when it is used.
 */
int64_t files_renameat(struct files *f, int64_t from_at, const char *from,
                       int64_t to_at, const char *to, unsigned flags)
{
    struct place old, new;
    if (flags & ~(unsigned)RENAME_NOREPLACE)
        return -EINVAL;
    int64_t result = find_place(f, from_at, from, &old);
    if (result)
        return result;
    result = find_place(f, to_at, to, &new);
    if (!result)
        result = done_at(
            &new, renameat2(old.parent, old.name, new.parent, new.name, flags));
    close(old.parent);
    return result;
}

/* ---- positions ---- */

/* A directory's position counts entries of its listing. 0 drops the listing, so
 * that the directory is read anew, as rewinddir of a C library expects. */
int64_t files_seek(struct files *f, int64_t number, int64_t offset, int whence)
{
    int fd = files_host(f, number);
    if (fd < 0)
        return fd;
    if (fd <= 2)
        return -ESPIPE;
    struct listing *l = f->listings[number];
    if (!l) {
        off_t at = lseek(fd, offset, whence);
        return at < 0 ? -errno : at;
    }
    if (whence == SEEK_END)
        return -EINVAL;
    int64_t to = whence == SEEK_CUR ? listing_at(l) + offset : offset;
    if (to)
        return listing_seek(l, to);
    listing_free(l); /* from the beginning it is read anew */
    f->listings[number] = NULL;
    return 0;
}

/* The listing is made at the first call and kept with the descriptor, so that
 * changes between two calls neither repeat nor skip an entry. */
int64_t files_list(struct files *f, int64_t number, void *to, size_t bytes)
{
    int fd = files_own(f, number);
    if (fd < 0)
        return fd == -EINVAL ? -ENOTDIR : fd;
    if (!f->listings[number])
        f->listings[number] = listing_new(fd);
    return f->listings[number] ? listing_read(f->listings[number], to, bytes)
                               : -errno;
}
