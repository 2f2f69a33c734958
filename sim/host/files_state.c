/* What the program has open, in checkpoints. */
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include "sim/host/files.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file, as it was when it was saved. */
struct opened {
    int32_t flags; /* of Linux */
    int64_t at;    /* position; of a directory, in its listing, or -1 */
    int64_t bytes; /* of a file that may be written to, -1: another one */
};

/* ---- saving ---- */

/* Of the descriptor, from the host. Only files that the program may write to
 * are saved with their bytes, which others may change as well. */
static struct opened look_at(const struct files *f, int number)
{
    struct stat st;
    int fd = f->host[number];
    struct opened o = {fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND), 0, -1};
    bool regular = !fstat(fd, &st) && S_ISREG(st.st_mode);
    if (regular)
        o.at = lseek(fd, 0, SEEK_CUR);
    else
        o.at = f->listings[number] ? listing_at(f->listings[number]) : -1;
    if (regular && (o.flags & O_ACCMODE) != O_RDONLY)
        o.bytes = st.st_size;
    return o;
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
static void open_again(struct files *f, int number, const char *path,
                       const struct opened *o, struct state *s)
{
    int flags = o->flags & (O_ACCMODE | O_APPEND);
    int64_t got = files_openat(f, AT_FDCWD, path,
                               o->bytes >= 0 ? flags | O_CREAT : flags, 0666);
    if (got < 0) {
        state_fail(s, "the program had %.200s open: %s", path,
                   strerror((int)-got));
        return;
    }
    f->host[number] = f->host[got];
    f->paths[number] = f->paths[got];
    if (got != number) {
        f->host[got] = -1;
        f->paths[got] = NULL;
    }
    int fd = f->host[number];
    struct stat st;
    if (!fstat(fd, &st) && S_ISDIR(st.st_mode)) {
        if (o->at >= 0 && (f->listings[number] = listing_new(fd)))
            listing_seek(f->listings[number], o->at);
        return;
    }
    if (o->bytes >= 0)
        load_bytes(fd, o->bytes, s);
    lseek(fd, o->at, SEEK_SET);
}

/* ---- both ---- */

/*
 * Descriptors keep their numbers. What is no regular file, a terminal say, has
 * no position to go back to. A name that is gone is an error: the program would
 * not find out otherwise that it reads something else.
 */
static void move_file(struct files *f, int number, struct state *s)
{
    char *path = f->paths[number];
    struct opened o = {0};
    if (!s->loading)
        o = look_at(f, number);
    STATE_VALUE(s, o.flags);
    STATE_VALUE(s, o.at);
    STATE_VALUE(s, o.bytes);
    state_text(s, &path, "the name of a file");
    if (!s->loading) {
        save_bytes(f->host[number], o.bytes, s);
        return;
    }
    if (path && !s->failed)
        open_again(f, number, path, &o, s);
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
        if (open)
            move_file(f, number, s);
    }
    for (int number = 0; number < 3; number++) {
        bool open = f->host[number] >= 0;
        state_flag(s, &open);
        f->host[number] = open ? number : -1;
    }
    move_images(f, s);
}
