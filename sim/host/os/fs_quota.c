/*
 * How much the files below --fs grow by what the program does: --max-fs is the
 * disk that it has. A size counts with its holes, since any program can fill a
 * hole later, and each name counts as much as a file system sets aside for one.
 * What the program removes or shortens is given back when the host has it back,
 * so that only what it holds is bounded, however often it writes the same file.
 */
#include "sim/host/host.h"
#include "sim/host/state/undo.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

enum { NAME_BYTES = 16384 }; /* of a disk for each file: mke2fs's default */

static int64_t left(const struct host *host)
{
    int64_t bytes = (int64_t)host->options->max_fs - host->os.taken;
    return bytes > 0 ? bytes : 0;
}

/* Notes the first refusal: what was tried, in bytes, with which file. Returns
 * the error. */
static int64_t refuse(struct host *host, const char *path, const char *what,
                      int64_t bytes, int64_t error)
{
    if (!host->os.full)
        host_note(host,
                  "%.200s: %s %" PRId64 " bytes is refused: what the program "
                  "writes below --fs %.200s is limited to %" PRIu64
                  " bytes, --max-fs SIZE allows more",
                  path, what, bytes, host->os.files.name,
                  host->options->max_fs);
    host->os.full = true;
    return error;
}

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* A file without a name lasts until its last descriptor is closed. */
static bool is_open(const struct files *f, const struct stat *file)
{
    struct stat st;
    for (int i = 3; i < FILES_MAX; i++)
        if (f->host[i] >= 0 && !fstat(f->host[i], &st) && same(&st, file))
            return true;
    return false;
}

static int64_t size_of(const struct stat *st)
{
    return S_ISREG(st->st_mode) ? st->st_size : 0;
}

/* One of its names is gone. */
static void give_back(struct host *host, const struct stat *st)
{
    host->os.taken -= NAME_BYTES;
    if (st->st_nlink == 1 && !is_open(&host->os.files, st))
        host->os.taken -= size_of(st);
}

int64_t room_openat(struct host *host, int64_t at, const char *path, int flags,
                    int mode)
{
    struct stat st = {0};
    int64_t there = flags & (O_CREAT | O_TRUNC)
                        ? files_inside(&host->os.files, at, path, 0, &st)
                        : 0;
    bool made = there == -ENOENT && flags & O_CREAT;
    if (made && left(host) < NAME_BYTES)
        return refuse(host, path, "making it, which counts as", NAME_BYTES,
                      -ENOSPC);
    undo_before_open(host, at, path, flags);
    int64_t result = files_openat(&host->os.files, at, path, flags, mode);
    undo_after(host, result >= 0);
    undo_opened(host, result, flags);
    if (result >= 0 && made)
        host->os.taken += NAME_BYTES;
    if (result >= 0 && !there && flags & O_TRUNC)
        host->os.taken -= size_of(&st);
    return result;
}

int64_t room_close(struct host *host, int64_t number)
{
    struct files *f = &host->os.files;
    struct stat st;
    int fd = files_own(f, number);
    bool nameless = fd >= 0 && !fstat(fd, &st) && !st.st_nlink;
    int64_t result = files_close_one(f, number);
    if (nameless && !is_open(f, &st))
        host->os.taken -= size_of(&st);
    return result;
}

int64_t room_mkdirat(struct host *host, int64_t at, const char *path, int mode)
{
    if (left(host) < NAME_BYTES)
        return refuse(host, path, "making it, which counts as", NAME_BYTES,
                      -ENOSPC);
    undo_before_mkdir(host, at, path);
    int64_t result = files_mkdirat(&host->os.files, at, path, mode);
    undo_after(host, !result);
    if (!result)
        host->os.taken += NAME_BYTES;
    return result;
}

int64_t room_unlinkat(struct host *host, int64_t at, const char *path,
                      int flags)
{
    struct stat st;
    int64_t there = files_inside(&host->os.files, at, path, O_NOFOLLOW, &st);
    undo_before_removal(host, at, path);
    int64_t result = files_unlinkat(&host->os.files, at, path, flags);
    undo_after(host, !result);
    if (!result && !there)
        give_back(host, &st);
    return result;
}

/* What had the new name has it no longer, unless both are names of one. */
int64_t room_renameat(struct host *host, int64_t from_at, const char *from,
                      int64_t to_at, const char *to, unsigned flags)
{
    struct files *f = &host->os.files;
    struct stat old, new;
    bool over = !files_inside(f, from_at, from, O_NOFOLLOW, &old) &&
                !files_inside(f, to_at, to, O_NOFOLLOW, &new) &&
                !same(&old, &new);
    undo_before_rename(host, from_at, from, to_at, to);
    int64_t result = files_renameat(f, from_at, from, to_at, to, flags);
    undo_after(host, !result);
    if (!result && over)
        give_back(host, &new);
    return result;
}

/* As with a limit of Linux, what fits is written, and a write of which nothing
 * fits fails. */
int64_t room_write(struct host *host, int64_t number, const void *bytes,
                   uint64_t count)
{
    struct files *f = &host->os.files;
    struct stat st;
    int fd = files_own(f, number);
    if (fd < 0)
        return fd;
    int flags = fcntl(fd, F_GETFL);
    if ((flags & O_ACCMODE) == O_RDONLY)
        return -EBADF;
    if (fstat(fd, &st))
        return -errno;
    if (S_ISCHR(st.st_mode)) /* /dev/null takes no room */
        return (int64_t)count;
    int64_t size = size_of(&st), room = left(host);
    int64_t at = flags & O_APPEND ? size : lseek(fd, 0, SEEK_CUR);
    int64_t most = size > INT64_MAX - room ? INT64_MAX : size + room;
    if (at >= most)
        return refuse(host, f->paths[number], "writing", (int64_t)count,
                      -EFBIG);
    if (count > (uint64_t)(most - at))
        count = (uint64_t)(most - at);
    ssize_t n = write(fd, bytes, count);
    if (n < 0)
        return -errno;
    if (at + n > size)
        host->os.taken += at + n - size;
    return n;
}

int64_t room_truncate(struct host *host, int64_t number, int64_t size)
{
    struct files *f = &host->os.files;
    struct stat st;
    int fd = files_own(f, number);
    if (fd < 0)
        return fd;
    if (fstat(fd, &st))
        return -errno;
    int64_t before = size_of(&st);
    if (size > before && size - before > left(host))
        return refuse(host, f->paths[number], "a length of", size, -EFBIG);
    if (ftruncate(fd, size))
        return -errno;
    host->os.taken += size - before;
    return 0;
}
