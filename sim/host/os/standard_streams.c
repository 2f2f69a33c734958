/* What the standard streams of a program were, and that they are so again. */
#include "sim/host/os/standard_streams.h"
#include "sim/core/file_hash.h"
#include "sim/core/state.h"
#include "sim/host/host.h"
#include "sim/host/run/signals.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <zlib.h>

void streams_begin(struct streams *t)
{
    *t = (struct streams){.again = {{.from = -1}, {.from = -1}}};
}

static void end_again(struct stream_again *a)
{
    if (a->from >= 0)
        close(a->from);
    a->from = -1;
}

void streams_end(struct streams *t)
{
    for (unsigned i = 0; i < 2; i++)
        end_again(&t->again[i]);
}

/* ---- while the program runs ---- */

void streams_read(struct host *host, int fd, const void *bytes, uint64_t count)
{
    struct streams *t = &host->os.streams;
    if (fd)
        t->others_read += count;
    else if (count)
        t->sum = (uint32_t)crc32_z(t->sum, bytes, count);
    else
        t->ended = true;
    t->read += fd ? 0 : count;
}

/* Both may lead to one file, which has what was printed to either. */
static struct stream_again *again_of(struct streams *t, int fd)
{
    const struct stream_file *files = t->files;
    bool one = files[0].at >= 0 && files[1].at >= 0 &&
               files[0].device == files[1].device &&
               files[0].inode == files[1].inode;
    return &t->again[fd == 2 && !one];
}

uint64_t streams_printed(struct host *host, int fd, const uint8_t *bytes,
                         uint64_t count)
{
    struct stream_again *a = again_of(&host->os.streams, fd);
    uint8_t there[4096];
    uint64_t done = 0;
    while (a->from >= 0 && done < count) {
        size_t most = count - done < sizeof there ? count - done : sizeof there;
        ssize_t n = pread(a->from, there, most, a->at);
        size_t same = 0;
        while (n > 0 && same < (size_t)n && there[same] == bytes[done + same])
            same++;
        a->at += (int64_t)same;
        done += same;
        if (n <= 0 || same < (size_t)n)
            end_again(a);
    }
    return done;
}

/* ---- saving ---- */

static enum stream_kind kind_of(int fd, struct stat *st)
{
    enum { MEMORY = 1, NULL_DEVICE = 3, ZERO = 5 }; /* Linux's numbers */
    if (fstat(fd, st))
        return STREAM_NOTHING;
    if (S_ISREG(st->st_mode))
        return STREAM_FILE;
    if (S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode) ||
        (S_ISCHR(st->st_mode) && st->st_rdev == makedev(MEMORY, ZERO)))
        return STREAM_PIPE;
    if (S_ISCHR(st->st_mode) && st->st_rdev == makedev(MEMORY, NULL_DEVICE))
        return STREAM_NOTHING;
    return isatty(fd) ? STREAM_TERMINAL : STREAM_DEVICE;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* The hash of a whole file; one that has not changed is not read again. */
static uint64_t content_of(int fd, const struct stat *st)
{
    static struct stat of;
    static uint64_t hash;
    if (of.st_ino != st->st_ino || of.st_dev != st->st_dev ||
        of.st_size != st->st_size || !same_time(&of.st_mtim, &st->st_mtim) ||
        !same_time(&of.st_ctim, &st->st_ctim)) {
        of = *st;
        hash = 0;
        file_hash_open(fd, &hash);
    }
    return hash;
}

static void look_at_input(struct host *host, struct state *s)
{
    struct streams *t = &host->os.streams;
    struct stat st;
    t->kind = kind_of(0, &st);
    bool ended = t->ended && t->kind != STREAM_TERMINAL;
    if (host->os.files.host[0] < 0 || ended)
        t->kind = STREAM_NOTHING;
    t->at = t->bytes = 0;
    t->content = 0;
    if (t->kind == STREAM_DEVICE && t->read)
        state_fail(s,
                   "the program has read %" PRIu64 " bytes of its standard "
                   "input, a device that does not give them again",
                   t->read);
    if (t->kind != STREAM_FILE)
        return;
    t->at = lseek(0, 0, SEEK_CUR);
    t->bytes = st.st_size;
    t->content = content_of(0, &st);
}

/* A file that is appended to may have grown by others. */
static void look_at_output(struct stream_file *f, int fd)
{
    struct stat st;
    *f = (struct stream_file){.at = -1};
    if (kind_of(fd, &st) != STREAM_FILE)
        return;
    bool appends = fcntl(fd, F_GETFL) & O_APPEND;
    *f = (struct stream_file){st.st_dev, st.st_ino,
                              appends ? st.st_size : lseek(fd, 0, SEEK_CUR)};
}

static void look_at_all(struct host *host, struct state *s)
{
    struct streams *t = &host->os.streams;
    struct stat st;
    look_at_input(host, s);
    for (int fd = 1; fd <= 2; fd++) {
        look_at_output(&t->files[fd - 1], fd);
        if (t->others_read && kind_of(fd, &st) != STREAM_TERMINAL)
            state_fail(s, "the program reads its standard output or error, "
                          "which is no terminal");
    }
}

void streams_state(struct host *host, struct state *s)
{
    struct streams *t = &host->os.streams;
    uint32_t kind;
    STATE_REST(s, t->again);
    STATE_REST(s, t->kind);
    if (!s->loading)
        look_at_all(host, s);
    kind = t->kind;
    STATE_VALUE(s, t->read);
    STATE_VALUE(s, t->sum);
    state_flag(s, &t->ended);
    STATE_VALUE(s, t->others_read);
    state_number(s, &kind, STREAM_KINDS - 1, "the kind of the standard input");
    t->kind = (enum stream_kind)kind;
    STATE_VALUE(s, t->at);
    STATE_VALUE(s, t->bytes);
    STATE_VALUE(s, t->content);
    STATE_VALUE(s, t->files);
}

/* ---- going on ---- */

static const char *const names[STREAM_KINDS] = {
    [STREAM_NOTHING] = "nothing", [STREAM_FILE] = "a file",
    [STREAM_PIPE] = "a pipe",     [STREAM_TERMINAL] = "a terminal",
    [STREAM_DEVICE] = "a device",
};

/* Whatever is there now: the program has come to the end. */
static bool lead_nowhere(struct error *error)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && dup2(fd, 0) == 0;
    if (!good)
        error_set(error, "standard input: %s", strerror(errno));
    if (fd > 0)
        close(fd);
    return good;
}

/* Reads what the program has read, which must be the same. */
static bool skip(const struct streams *t, const char *file, struct error *error)
{
    uint8_t piece[1 << 14];
    uint32_t sum = 0;
    uint64_t done = 0;
    while (done < t->read) {
        uint64_t left = t->read - done;
        ssize_t n = -1;
        errno = EINTR;
        if (signals_await(0, POLLIN))
            n = read(0, piece, left < sizeof piece ? left : sizeof piece);
        if (n < 0)
            return error_set(error, "%s: standard input: %s", file,
                             strerror(errno));
        if (!n)
            break;
        sum = (uint32_t)crc32_z(sum, piece, (size_t)n);
        done += (uint64_t)n;
    }
    if (done < t->read)
        return error_set(error,
                         "%s: standard input: it ends after %" PRIu64
                         " bytes, of which the program had read %" PRIu64,
                         file, done, t->read);
    return sum == t->sum ||
           error_set(error,
                     "%s: standard input: its first %" PRIu64 " bytes are "
                     "others than the program had read",
                     file, t->read);
}

/* Nothing of it was read, so that another one may be meant. */
static bool take_another(struct host *host, const char *what)
{
    host_tell(host,
              "the standard input was a file of %" PRId64
              " bytes when the run was saved, of which nothing was read; now "
              "it is %s",
              host->os.streams.bytes, what);
    return true;
}

/* The checkpoint knows the whole file, so all of it has to be the same. */
static bool go_on_in_file(struct host *host, struct error *error)
{
    const struct streams *t = &host->os.streams;
    struct stat st;
    bool same = !fstat(0, &st) && st.st_size == t->bytes &&
                content_of(0, &st) == t->content;
    if (same)
        return lseek(0, t->at, SEEK_SET) == t->at ||
               error_set(error, "standard input: %s", strerror(errno));
    if (!t->read)
        return take_another(host, "another file");
    return error_set(error,
                     "%s: standard input: another file, or it has changed; "
                     "expected that of %" PRId64 " bytes of which the program "
                     "had read %" PRIu64,
                     host->options->resume, t->bytes, t->read);
}

static bool resume_input(struct host *host, struct error *error)
{
    const struct streams *t = &host->os.streams;
    struct stat st;
    enum stream_kind now = kind_of(0, &st);
    if (t->kind == STREAM_NOTHING)
        return lead_nowhere(error);
    if (t->kind == STREAM_FILE && now == STREAM_FILE)
        return go_on_in_file(host, error);
    if (!t->read)
        return t->kind != STREAM_FILE || take_another(host, names[now]);
    if (now == STREAM_FILE || now == STREAM_PIPE)
        return skip(t, host->options->resume, error);
    return t->kind ==
               STREAM_TERMINAL || /* which goes on by hand, or does not */
           error_set(error,
                     "%s: standard input: %s, expected %s of which the program "
                     "had read %" PRIu64 " bytes",
                     host->options->resume, names[now], names[t->kind],
                     t->read);
}

/* Whether it has the file's bytes behind it is known only where what is printed
 * comes to its end. */
static void resume_output(struct streams *t, int fd)
{
    const struct stream_file *f = &t->files[fd - 1];
    struct stream_again *a = again_of(t, fd);
    struct stat st;
    char name[64];
    bool same = kind_of(fd, &st) == STREAM_FILE && f->at >= 0 &&
                st.st_dev == f->device && st.st_ino == f->inode &&
                st.st_size > f->at;
    bool appends = fcntl(fd, F_GETFL) & O_APPEND;
    if (!same || a->from >= 0 ||
        (!appends && lseek(fd, 0, SEEK_CUR) != st.st_size))
        return;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    *a = (struct stream_again){open(name, O_RDONLY | O_CLOEXEC), f->at};
}

bool streams_resume(struct host *host, struct error *error)
{
    for (int fd = 1; fd <= 2; fd++)
        resume_output(&host->os.streams, fd);
    return resume_input(host, error);
}
