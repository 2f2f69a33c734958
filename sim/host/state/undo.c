/* Notes what a program changes, before it does. */
#include "sim/host/state/undo.h"
#include "sdk/whole/folder.h"
#include "sim/core/file_hash.h"
#include "sim/core/heap.h"
#include "sim/host/os/files_private.h"
#include "sim/host/state/checkpoint.h"
#include "sim/host/state/undo_file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

/* ---- the lock ---- */

/* The run that has unlocked it may have removed it just before. */
static bool is_there(int fd, const char *path)
{
    struct stat mine, there;
    const char *name;
    int folder = folder_of(path, &name);
    return !fstat(fd, &mine) && !fstatat(folder, name, &there, 0) &&
           mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

struct undo *undo_lock(const char *checkpoint, struct error *error)
{
    char path[PATH_MAX];
    const char *name;
    int fd, folder;
    snprintf(path, sizeof path, "%s.undo", checkpoint);
    folder = folder_note(path) ? folder_of(path, &name) : -1;
    do {
        fd =
            folder < 0
                ? -1
                : openat(folder, name,
                         O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                         0666);
        if (fd < 0) {
            error_set(error, "%s: %s", path, strerror(errno));
            return NULL;
        }
        if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
            close(fd);
            error_set(error, "%s: another run saves its state there",
                      checkpoint);
            return NULL;
        }
    } while (!is_there(fd, path) && !close(fd));
    struct undo *u = heap_new(1, sizeof *u, "what is to be undone");
    *u = (struct undo){heap_text(checkpoint), heap_text(path), .fd = fd};
    return u;
}

void undo_release(struct undo *u)
{
    struct stat st;
    const char *name;
    if (!u)
        return;
    int folder = folder_of(u->path, &name);
    if (!fstat(u->fd, &st) && (size_t)st.st_size <= sizeof(struct undo_file) &&
        is_there(u->fd, u->path))
        unlinkat(folder, name, 0);
    close(u->fd);
    tdestroy(u->seen, free);
    free(u->checkpoint);
    free(u->path);
    free(u);
}

/* ---- what is noted already ---- */

struct seen {
    dev_t device;
    ino_t inode;
};

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct seen));
}

static bool is_seen(const struct undo *u, const struct stat *st)
{
    struct seen key = {st->st_dev, st->st_ino};
    return tfind(&key, &u->seen, compare);
}

static void see(struct undo *u, const struct stat *st)
{
    if (is_seen(u, st))
        return;
    struct seen *key = heap_new(1, sizeof *key, "what is to be undone");
    *key = (struct seen){st->st_dev, st->st_ino};
    tsearch(key, &u->seen, compare);
}

/* ---- records ---- */

bool undo_describe(const struct undo *u, int folder, struct undo_file *head)
{
    struct stat st;
    *head = (struct undo_file){.magic = UNDO_MAGIC};
    if (fstat(folder, &st) || !file_hash(u->checkpoint, &head->checkpoint))
        return false;
    head->device = st.st_dev;
    head->inode = st.st_ino;
    return true;
}

static bool put(struct undo *u, const void *bytes, size_t count, uint32_t *sum)
{
    ssize_t n = pwrite(u->fd, bytes, count, (off_t)u->at);
    if (n != (ssize_t)count) {
        errno = n < 0 ? errno : ENOSPC;
        return false;
    }
    *sum = (uint32_t)crc32_z(*sum, bytes, count);
    u->at += count;
    return true;
}

static bool put_file(struct undo *u, int from, uint64_t bytes, uint32_t *sum)
{
    char piece[1 << 14];
    for (uint64_t done = 0; done < bytes;) {
        size_t most = bytes - done < sizeof piece ? bytes - done : sizeof piece;
        ssize_t n = pread(from, piece, most, (off_t)done);
        if (n <= 0 || !put(u, piece, (size_t)n, sum))
            return false;
        done += (uint64_t)n;
    }
    return true;
}

bool undo_append(struct undo *u, enum undo_kind kind, const char *name,
                 const char *second, mode_t mode, int from)
{
    struct stat st = {0};
    uint32_t sum = 0, unused = 0;
    if (from >= 0)
        fstat(from, &st);
    struct undo_head head = {kind, mode & 0777, (uint32_t)strlen(name),
                             (uint32_t)strlen(second), (uint64_t)st.st_size};
    uint64_t before = u->at;
    if (put(u, &head, sizeof head, &sum) && put(u, name, head.name, &sum) &&
        put(u, second, head.second, &sum) &&
        put_file(u, from, head.bytes, &sum) &&
        put(u, &sum, sizeof sum, &unused) && !fdatasync(u->fd))
        return true;
    int why = errno;
    u->at = before;
    (void)!ftruncate(u->fd, (off_t)before);
    errno = why;
    return false;
}

/* What comes cannot be taken back as a whole, so nothing is. */
static void give_up(struct undo *u, struct host *host)
{
    struct error error;
    error_set(&error,
              "%s: %s; what the program changes is not put back when %s is "
              "gone on from",
              u->path, strerror(errno), u->checkpoint);
    checkpoint_complain(host, &error);
    u->active = false;
    (void)!ftruncate(u->fd, 0);
}

void undo_start(struct undo *u, struct host *host)
{
    struct undo_file head;
    const struct files *f = &host->os.files;
    struct stat st;
    tdestroy(u->seen, free);
    u->seen = NULL;
    u->at = 0;
    uint32_t unused = 0;
    u->active = !ftruncate(u->fd, 0) && undo_describe(u, f->directory, &head) &&
                put(u, &head, sizeof head, &unused) && !fdatasync(u->fd);
    u->end = u->at;
    if (!u->active)
        give_up(u, host);
    for (int i = 3; i < FILES_MAX; i++) /* whose bytes are in the checkpoint */
        if (f->host[i] >= 0 && !fstat(f->host[i], &st) &&
            (fcntl(f->host[i], F_GETFL) & O_ACCMODE) != O_RDONLY)
            see(u, &st);
}

/* ---- the program's calls ---- */

/* The journals that are kept. */
#define EACH(u, host)                                                          \
    for (struct undo * u, **list = (host)->saving.undo;                        \
         list < (host)->saving.undo + 2; list++)                               \
        if ((u = *list) && u->active)

static bool any(const struct host *host)
{
    return (host->saving.undo[0] && host->saving.undo[0]->active) ||
           (host->saving.undo[1] && host->saving.undo[1]->active);
}

static void note(struct host *host, enum undo_kind kind, const char *name,
                 const char *second)
{
    EACH(u, host)
    if (!undo_append(u, kind, name, second, 0, -1))
        give_up(u, host);
}

/* Of a file that is open by O_PATH. A file that has been noted gets its bytes
 * by that; only its name counts. */
static void note_content(struct host *host, int fd, const struct stat *st,
                         const char *name, bool removed)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int from = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    EACH(u, host)
    {
        bool seen = is_seen(u, st);
        if ((!seen || removed) && !undo_append(u, UNDO_CONTENT, name, "",
                                               st->st_mode, seen ? -1 : from))
            give_up(u, host);
    }
    if (from >= 0)
        close(from);
}

/* Where a name is below --fs, links on the way followed, for free(); NULL: no
 * name can be there. */
static char *place_of(const struct files *f, int64_t at, const char *path)
{
    struct files_place place;
    if (files_find(f, at, path, &place))
        return NULL;
    char name[PATH_MAX + NAME_MAX + 2], *parent = files_name(f, place.parent);
    close(place.parent);
    if (parent)
        snprintf(name, sizeof name, "%s/%s", parent, place.name);
    free(parent);
    return parent ? heap_text(name) : NULL;
}

void undo_before_open(struct host *host, int64_t at, const char *path,
                      int flags)
{
    const struct files *f = &host->os.files;
    bool changes = (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
    struct stat st;
    if (!any(host) || !(changes || flags & O_CREAT))
        return;
    int fd = files_open_inside(f, at, path, O_PATH, 0);
    char *name = fd >= 0 ? files_name(f, fd) : place_of(f, at, path);
    if (fd == -ENOENT && flags & O_CREAT && name)
        note(host, UNDO_MADE, name, "");
    if (fd >= 0 && changes && name && !fstat(fd, &st) && S_ISREG(st.st_mode))
        note_content(host, fd, &st, name, false);
    if (fd >= 0)
        close(fd);
    free(name);
}

void undo_before_mkdir(struct host *host, int64_t at, const char *path)
{
    struct stat st;
    char *name = any(host) ? place_of(&host->os.files, at, path) : NULL;
    if (name && files_inside(&host->os.files, at, path, O_NOFOLLOW, &st))
        note(host, UNDO_MADE, name, "");
    free(name);
}

/* The link is open by O_PATH. */
static void note_link(struct host *host, int fd, const char *name)
{
    char to[PATH_MAX];
    ssize_t n = readlinkat(fd, "", to, sizeof to - 1);
    if (n < 0)
        return;
    to[n] = '\0';
    note(host, UNDO_LINK, name, to);
}

void undo_before_removal(struct host *host, int64_t at, const char *path)
{
    struct stat st;
    if (!any(host))
        return;
    int fd =
        files_open_inside(&host->os.files, at, path, O_PATH | O_NOFOLLOW, 0);
    char *name = fd < 0 ? NULL : place_of(&host->os.files, at, path);
    if (name && !fstat(fd, &st)) {
        if (S_ISDIR(st.st_mode))
            note(host, UNDO_FOLDER, name, "");
        else if (S_ISLNK(st.st_mode))
            note_link(host, fd, name);
        else if (S_ISREG(st.st_mode))
            note_content(host, fd, &st, name, true);
    }
    if (fd >= 0)
        close(fd);
    free(name);
}

void undo_before_rename(struct host *host, int64_t from_at, const char *from,
                        int64_t to_at, const char *to)
{
    struct stat st;
    if (!any(host) ||
        files_inside(&host->os.files, from_at, from, O_NOFOLLOW, &st))
        return; /* what is not there is not moved */
    char *old = place_of(&host->os.files, from_at, from);
    char *new = place_of(&host->os.files, to_at, to);
    undo_before_removal(host, to_at, to);
    if (old && new)
        note(host, UNDO_MOVED, old, new);
    free(old);
    free(new);
}

void undo_after(struct host *host, bool done)
{
    EACH(u, host)
    {
        if (done)
            u->end = u->at;
        else if (u->at != u->end && ftruncate(u->fd, (off_t)u->end))
            give_up(u, host);
        u->at = u->end;
    }
}

void undo_opened(struct host *host, int64_t number, int flags)
{
    struct stat st;
    if (!any(host) ||
        ((flags & O_ACCMODE) == O_RDONLY && !(flags & (O_TRUNC | O_CREAT))))
        return;
    int fd = files_own(&host->os.files, number);
    EACH(u, host)
    if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
        ((flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC))
        see(u, &st);
}
