/* The program's descriptors, and what it asks of files and does with them. */
#include "sim/core/file_hash.h"
#include "sim/core/heap.h"
#include "sim/host/os/files_private.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    files_settle(f);
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
    for (int i = 0; f->given && i < f->argument_count; i++)
        free(f->given[i].real);
    free(f->given);
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

int files_host_open(struct files *f, const char *path)
{
    return files_open_any(f, AT_FDCWD, path, O_RDONLY, 0);
}

/* The path that the host knows of what is open, for free(). */
static char *real_path(int fd)
{
    char link[64], real[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, real, sizeof real);
    return heap_text_part(real, length > 0 ? (size_t)length : 0);
}

/* The path by which a file can be opened again, for free(): its own, or, below
 * a directory that was opened, the one that the host knows. */
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

bool files_image_hash(const struct files *f, unsigned image, uint64_t *hash)
{
    int fd = files_open_inside(f, AT_FDCWD, f->images[image], O_RDONLY, 0);
    bool good = fd >= 0 && file_hash_open(fd, hash);
    if (fd >= 0)
        close(fd);
    return good;
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
    int fd = files_open_any(f, at, path, flags & ~O_PATH, mode);
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
    int fd = files_open_any(f, at, path, O_PATH | nofollow, 0);
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
    int fd = files_open_inside(f, at, path, O_PATH | flags, 0);
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
    int fd = files_open_any(f, at, path,
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
    int fd = files_open_inside(f, at, path, O_RDONLY, 0);
    if (fd < 0)
        return fd;
    struct stat st;
    int64_t result = -EACCES;
    if (!f->kept || (!fstat(fd, &st) && !kept_closed(f->kept, &st, true)))
        result = futimens(fd, times) ? -errno : 0;
    close(fd);
    return result;
}

/* Of Linux's flags only AT_REMOVEDIR has a meaning here. A slash behind the
 * name asks for a directory, which unlink without that flag refuses. */
int64_t files_unlinkat(struct files *f, int64_t at, const char *path, int flags)
{
    struct files_place place;
    flags &= AT_REMOVEDIR;
    int64_t result = files_find(f, at, path, &place);
    if (result == -EBUSY && !flags)
        return -EISDIR;
    if (result)
        return result;
    if (place.slash && !flags)
        return files_done(&place, (errno = ENOTDIR, -1));
    if (files_kept(f, &place))
        return files_done(&place, (errno = EACCES, -1));
    return files_done(&place, unlinkat(place.parent, place.name, flags));
}

/* "." and ".." exist already. Of mode only the nine bits of rights count. */
int64_t files_mkdirat(struct files *f, int64_t at, const char *path, int mode)
{
    struct files_place place;
    int64_t result = files_find(f, at, path, &place);
    if (result)
        return result == -EBUSY ? -EEXIST : result;
    struct stat st;
    if (f->kept && !fstat(place.parent, &st) && kept_name(&st, place.name))
        return files_done(&place, (errno = EACCES, -1));
    return files_done(&place,
                      mkdirat(place.parent, place.name, (mode_t)mode & 0777));
}

/* Links are moved, not followed: where one leads is looked at when it is used.
 */
int64_t files_renameat(struct files *f, int64_t from_at, const char *from,
                       int64_t to_at, const char *to, unsigned flags)
{
    struct files_place old, new;
    if (flags & ~(unsigned)RENAME_NOREPLACE)
        return -EINVAL;
    int64_t result = files_find(f, from_at, from, &old);
    if (result)
        return result;
    result = files_find(f, to_at, to, &new);
    if (!result && (files_kept(f, &old) || files_kept(f, &new)))
        result = files_done(&new, (errno = EACCES, -1));
    else if (!result)
        result = files_done(
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
