/*
 * What the program has open, in checkpoints. A file is opened again by the name
 * that it has when the run is saved, whatever it was opened by; one whose name
 * the program has removed is made again without a name, with all of its bytes.
 */
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include "sim/host/os/files.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file, as it was when it was saved. */
struct opened {
    bool nameless, folder;
    uint32_t like; /* the number of a descriptor, moved before, of the same
                      file without a name; 0: there is none */
    int32_t flags; /* of Linux */
    int64_t at;    /* position of a file */
    int64_t bytes; /* that are saved, -1: they are the host's */
};

/* ---- saving ---- */

/* The highest descriptor above this one that has the same file open. */
static uint32_t same_above(const struct files *f, int number,
                           const struct stat *st)
{
    struct stat other;
    for (int i = FILES_MAX - 1; i > number; i--)
        if (f->host[i] > 2 && !fstat(f->host[i], &other) &&
            other.st_ino == st->st_ino && other.st_dev == st->st_dev)
            return (uint32_t)i;
    return 0;
}

/* What the host says of the descriptor. Bytes are saved only of files that the
 * program may write to, or that only it has. */
static struct opened look_at(const struct files *f, int number,
                             const struct stat *st)
{
    int fd = f->host[number];
    struct opened o = {.nameless = !st->st_nlink,
                       .folder = S_ISDIR(st->st_mode),
                       .flags = fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND),
                       .bytes = -1};
    if (o.nameless && !o.folder)
        o.like = same_above(f, number, st);
    if (!o.folder)
        o.at = lseek(fd, 0, SEEK_CUR);
    bool written = (o.flags & O_ACCMODE) != O_RDONLY;
    if (S_ISREG(st->st_mode) && !o.like && (written || o.nameless))
        o.bytes = st->st_size;
    return o;
}

char *files_name(const struct files *f, int fd)
{
    char link[64], real[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, real, sizeof real - 1);
    size_t length = strcmp(f->real, "/") ? strlen(f->real) : 0;
    if (n < (ssize_t)length || strncmp(real, f->real, length))
        return NULL;
    real[n] = '\0';
    const char *rest = real + length;
    return !*rest || !strcmp(rest, "/") ? heap_text(".")
           : *rest == '/'               ? heap_text(rest + 1)
                                        : NULL;
}

/* The name by which it can be opened again, for free(). NULL: there is none. */
static char *name_of(struct files *f, int number, const struct stat *st)
{
    struct stat there;
    char *now = files_name(f, f->host[number]);
    if (now && !files_inside(f, AT_FDCWD, now, O_NOFOLLOW, &there) &&
        there.st_ino == st->st_ino && there.st_dev == st->st_dev)
        return now;
    free(now);
    if (!files_statat(f, AT_FDCWD, f->paths[number], 0, &there) &&
        there.st_ino == st->st_ino && there.st_dev == st->st_dev)
        return heap_text(f->paths[number]);
    return NULL;
}

/* A file that was opened to be written is read by another descriptor. */
static void save_bytes(int fd, int64_t bytes, struct state *s)
{
    char name[64], piece[1 << 14];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    int from = open(name, O_RDONLY | O_CLOEXEC);
    while (bytes > 0 && !s->failed) {
        size_t wanted =
            bytes < (int64_t)sizeof piece ? (size_t)bytes : sizeof piece;
        ssize_t n = from < 0 ? -1 : read(from, piece, wanted);
        if (n <= 0)
            state_fail(s, "a file of the program cannot be read: %s",
                       n ? strerror(errno) : "it is shorter than it was");
        else
            state_bytes(s, piece, (size_t)n);
        bytes -= n;
    }
    if (from >= 0)
        close(from);
}

/* ---- loading ---- */

/* Linux lets a descriptor that appends write at the end alone. */
static void load_bytes(int fd, int64_t bytes, struct state *s)
{
    char piece[1 << 14];
    int64_t at = 0;
    int flags = fcntl(fd, F_GETFL);
    fcntl(fd, F_SETFL, flags & ~O_APPEND);
    if (ftruncate(fd, bytes))
        state_fail(s, "a file of the program: %s", strerror(errno));
    while (at < bytes && !s->failed) {
        size_t wanted = bytes - at < (int64_t)sizeof piece
                            ? (size_t)(bytes - at)
                            : sizeof piece;
        state_bytes(s, piece, wanted);
        ssize_t n = pwrite(fd, piece, wanted, at);
        if (n != (ssize_t)wanted)
            state_fail(s, "a file of the program cannot be written: %s",
                       n < 0 ? strerror(errno) : "no room");
        at += (int64_t)wanted;
    }
    fcntl(fd, F_SETFL, flags);
}

/* What the program has open gets the number that it had. */
static bool open_named(struct files *f, int number, const char *path,
                       const struct opened *o, struct state *s)
{
    int flags = o->flags & (O_ACCMODE | O_APPEND);
    int64_t got = files_openat(f, AT_FDCWD, path,
                               o->bytes >= 0 ? flags | O_CREAT : flags, 0666);
    if (got < 0)
        return state_fail(s, "the program had %.200s open: %s", path,
                          strerror((int)-got));
    f->host[number] = f->host[got];
    f->paths[number] = f->paths[got];
    if (got != number) {
        f->host[got] = -1;
        f->paths[got] = NULL;
    }
    return true;
}

/* On the disk of --fs where that can hold one. */
static int make_nameless(const struct files *f)
{
    int fd = openat(f->directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return fd < 0 ? memfd_create("corbel", MFD_CLOEXEC) : fd;
}

static int make_nameless_folder(const struct files *f)
{
    char name[64];
    snprintf(name, sizeof name, ".corbel.%ld.folder", (long)getpid());
    if (mkdirat(f->directory, name, 0700))
        return -1;
    int fd = openat(f->directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    unlinkat(f->directory, name, AT_REMOVEDIR);
    return fd;
}

/* Opens the file by a new descriptor; `of` may be that of the program. */
static int open_once_more(int of, int flags)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", of);
    return open(name, (flags & (O_ACCMODE | O_APPEND)) | O_CLOEXEC);
}

static bool open_nameless(struct files *f, int number, const char *path,
                          const struct opened *o, struct state *s)
{
    int of = o->like ? f->host[o->like] : -1, fd;
    if (o->folder) {
        fd = make_nameless_folder(f);
    } else if (o->like) {
        fd = of > 2 ? open_once_more(of, o->flags) : -1;
    } else {
        of = make_nameless(f);
        fd = of < 0 ? -1 : open_once_more(of, o->flags);
        if (fd >= 0)
            load_bytes(of, o->bytes > 0 ? o->bytes : 0, s);
        if (of >= 0)
            close(of);
    }
    if (fd < 0)
        return state_fail(s, "the program had %.200s open, and removed: %s",
                          path, strerror(errno));
    f->host[number] = fd;
    f->paths[number] = heap_text(path);
    return true;
}

static void open_again(struct files *f, int number, const char *path,
                       const struct opened *o, struct state *s)
{
    if (o->nameless ? !open_nameless(f, number, path, o, s)
                    : !open_named(f, number, path, o, s))
        return;
    int fd = f->host[number];
    if (!o->nameless && o->bytes >= 0)
        load_bytes(fd, o->bytes, s);
    if (!o->folder)
        lseek(fd, o->at, SEEK_SET);
}

/* ---- both ---- */

static void move_opened(struct opened *o, struct state *s)
{
    state_flag(s, &o->nameless);
    state_flag(s, &o->folder);
    state_number(s, &o->like, FILES_MAX - 1, "a file without a name");
    STATE_VALUE(s, o->flags);
    STATE_VALUE(s, o->at);
    STATE_VALUE(s, o->bytes);
}

static void save_file(struct files *f, int number, struct state *s)
{
    struct stat st;
    if (fstat(f->host[number], &st)) {
        state_fail(s, "%.200s: %s", f->paths[number], strerror(errno));
        return;
    }
    struct opened o = look_at(f, number, &st);
    char *path =
        o.nameless ? heap_text(f->paths[number]) : name_of(f, number, &st);
    if (!path)
        state_fail(s,
                   "%.200s, which the program has open, is to be found under "
                   "neither that name nor another one",
                   f->paths[number]);
    move_opened(&o, s);
    state_text(s, &path, "the name of a file");
    save_bytes(f->host[number], o.bytes, s);
    if (o.folder)
        listing_state(&f->listings[number], s);
    free(path);
}

/*
 * Descriptors keep their numbers. A name that is gone is an error: the program
 * would not find out otherwise that it reads something else.
 */
static void load_file(struct files *f, int number, struct state *s)
{
    struct opened o = {false};
    char *path = NULL;
    move_opened(&o, s);
    state_text(s, &path, "the name of a file");
    if (path && !s->failed)
        open_again(f, number, path, &o, s);
    if (!s->failed && o.folder)
        listing_state(&f->listings[number], s);
    free(path);
}

/* Images that it has opened to write to, for manifest.json: of a run that goes
 * on, more than those that are open again. */
static void move_images(struct files *f, struct state *s)
{
    for (unsigned i = 0; s->loading && i < f->image_count; i++)
        free(f->images[i]);
    state_number(s, &f->image_count, FILES_IMAGES, "the images");
    for (unsigned i = 0; i < f->image_count && !s->failed; i++)
        state_text(s, &f->images[i], "the path of an image");
    for (unsigned i = 0; i < f->image_count; i++)
        if (!f->images[i])
            f->images[i] = heap_text("");
}

/* The lowest numbers are used first, so files are opened from the highest on:
 * none gets the number of another one that is still to come. */
void files_state(struct files *f, struct state *s)
{
    for (int number = FILES_MAX - 1; number >= 3 && !s->failed; number--) {
        bool open = f->host[number] >= 0;
        state_flag(s, &open);
        if (open && s->loading)
            load_file(f, number, s);
        else if (open)
            save_file(f, number, s);
    }
    for (int number = 0; number < 3; number++) {
        bool open = f->host[number] >= 0;
        state_flag(s, &open);
        f->host[number] = open ? number : -1;
    }
    move_images(f, s);
}
