/*
 * What a path of the program leads to, for files.c: nothing outside of the one
 * directory that it may use (beneath.h), nor what the run itself reads and
 * writes (kept.h). A file is looked at before it is opened: by a descriptor
 * that can do nothing, through which it is opened then.
 */
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include "sim/host/os/beneath.h"
#include "sim/host/os/files_private.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Of Linux's flags those that a program may give to open; others are left out
 * without an error. */
#define FLAGS_ALLOWED                                                          \
    (O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_DIRECTORY |         \
     O_NOFOLLOW | O_PATH)

/* Which files the arguments name is settled before the program runs: what it
 * renames later makes them name no other. */
void files_settle(struct files *f)
{
    f->given =
        heap_new((size_t)f->argument_count, sizeof *f->given, "arguments");
    for (int i = 0; i < f->argument_count; i++) {
        struct stat st;
        if (stat(f->arguments[i], &st) || !S_ISREG(st.st_mode))
            continue;
        f->given[i].real = realpath(f->arguments[i], NULL);
        f->given[i].device = st.st_dev;
        f->given[i].inode = st.st_ino;
    }
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

/* "." and ".." can be neither made, removed nor renamed. */
static int64_t find_special(int directory, const char *path)
{
    int fd = beneath_open(directory, path, O_PATH | O_DIRECTORY);
    if (fd < 0)
        return fd;
    close(fd);
    return -EBUSY;
}

/* Opens the parent, which is to be closed unless the result is negative. */
int64_t files_find(const struct files *f, int64_t at, const char *path,
                   struct files_place *place)
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
        beneath_open(directory, slash ? copy : ".", O_PATH | O_DIRECTORY);
    return place->parent < 0 ? place->parent : 0;
}

/* Is the name, or what has it, the run's own? */
bool files_kept(const struct files *f, const struct files_place *place)
{
    struct stat st;
    return f->kept &&
           ((!fstat(place->parent, &st) && kept_name(&st, place->name)) ||
            (!fstatat(place->parent, place->name, &st, AT_SYMLINK_NOFOLLOW) &&
             kept_stays(f->kept, &st)));
}

/* result: of a system call, whose error is in errno. */
int64_t files_done(const struct files_place *place, int result)
{
    int64_t answer = result < 0 ? -errno : result;
    close(place->parent);
    return answer;
}

/* ---- opening ---- */

/* Files of /proc are the host's: memory of processes, sim-run's own too. */
static bool is_of_proc(int fd)
{
    struct statfs fs;
    return !fstatfs(fd, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* Pipes, sockets and devices are refused, and are not even opened. */
static bool admits(const struct files *f, int fd, int flags,
                   const struct stat *st)
{
    const bool changes = (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
    const bool known =
        flags & O_PATH || S_ISDIR(st->st_mode) || S_ISREG(st->st_mode);
    return known && !(f->kept && kept_closed(f->kept, st, changes)) &&
           !(S_ISREG(st->st_mode) && is_of_proc(fd));
}

/* Opens what a descriptor of O_PATH leads to, which is closed. */
static int open_found(const struct files *f, int found, int flags)
{
    struct stat st;
    const bool known = !fstat(found, &st);
    const int making = O_CREAT | O_EXCL | O_NOFOLLOW;
    int fd = -EACCES;
    if ((flags & O_CREAT) && (flags & O_EXCL))
        fd = -EEXIST;
    else if (known && S_ISDIR(st.st_mode) && flags & O_CREAT)
        fd = -EISDIR;
    else if (known && S_ISLNK(st.st_mode) && !(flags & O_PATH) &&
             flags & O_NOFOLLOW)
        fd = -ELOOP;
    else if (known && admits(f, found, flags, &st))
        fd = flags & O_PATH ? found
                            : beneath_again(found, (flags & ~making) |
                                                       O_NONBLOCK | O_NOCTTY);
    if (fd != found)
        close(found);
    return fd;
}

/* A link that leads to nothing: the path that it stands for, beside it. */
static int64_t lead_on(const struct files_place *place, char path[PATH_MAX])
{
    char to[PATH_MAX], before[PATH_MAX];
    const ssize_t n = readlinkat(place->parent, place->name, to, sizeof to);
    if (n <= 0)
        return -EEXIST;
    if (*to == '/')
        return -EACCES;
    const char *slash = strrchr(path, '/');
    snprintf(before, sizeof before, "%.*s", slash ? (int)(slash - path) + 1 : 0,
             path);
    return snprintf(path, PATH_MAX, "%s%.*s", before, (int)n, to) >= PATH_MAX
               ? -ENAMETOOLONG
               : 0;
}

/* Makes the file: -EEXIST if there is one by now. Only the nine bits of rights
 * count, so that nothing that is made runs as its owner. */
static int make_file(const struct files *f, int64_t at, const char *path,
                     int flags, int mode)
{
    enum { LINKS = 40 };
    char from[PATH_MAX];
    if (snprintf(from, sizeof from, "%s", path) >= (int)sizeof from)
        return -ENAMETOOLONG;
    for (int links = 0; links < LINKS; links++) {
        struct files_place place;
        int64_t fd = files_find(f, at, from, &place);
        if (fd)
            return fd == -EBUSY ? -EISDIR : (int)fd;
        if (place.slash || files_kept(f, &place))
            return files_done(&place,
                              (errno = place.slash ? EISDIR : EACCES, -1));
        fd = openat(place.parent, place.name,
                    flags | O_EXCL | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC,
                    mode & 0777);
        int64_t why = fd < 0 ? -errno : fd;
        if (why == -EEXIST && !(flags & (O_EXCL | O_NOFOLLOW)))
            fd = lead_on(&place, from);
        else
            fd = why;
        close(place.parent);
        if (fd)
            return (int)fd;
    }
    return -ELOOP;
}

/* What another process makes or removes meanwhile is met again. */
int files_open_inside(const struct files *f, int64_t at, const char *path,
                      int flags, int mode)
{
    enum { TRIES = 100 };
    const bool makes = flags & O_CREAT, alone = makes && flags & O_EXCL;
    if (makes && flags & O_DIRECTORY)
        return -EINVAL;
    int fd = -ENOENT;
    for (int tries = 0; tries < TRIES; tries++) {
        const char *rest;
        int directory = base(f, at, path, &rest);
        if (directory < 0)
            return directory;
        fd = beneath_open(directory, rest,
                          O_PATH | (flags & (O_NOFOLLOW | O_DIRECTORY)) |
                              (alone ? O_NOFOLLOW : 0));
        if (fd >= 0)
            return open_found(f, fd, flags);
        if (fd != -ENOENT || !makes)
            return fd;
        fd = make_file(f, at, path, flags, mode);
        if (fd != -EEXIST || alone)
            return fd;
    }
    return fd;
}

/* Compared as text: a path that is spelt otherwise than the argument is not the
 * one that was given. It must lead to the same file as at the start. */
static int open_argument(const struct files *f, const char *path, int flags)
{
    struct stat st;
    int i = 0;
    while (i < f->argument_count &&
           (!f->given[i].real || strcmp(f->arguments[i], path) != 0))
        i++;
    int found = i < f->argument_count ? open(path, O_PATH | O_CLOEXEC) : -1;
    if (found < 0)
        return -EACCES;
    if (!fstat(found, &st) && st.st_dev == f->given[i].device &&
        st.st_ino == f->given[i].inode)
        return open_found(f, found, flags);
    close(found);
    return -EACCES;
}

/*
 * Below --fs with all rights, otherwise a file named by an argument if it is
 * only read. The error is that of the first attempt, which tells what was
 * refused.
 */
int files_open_any(const struct files *f, int64_t at, const char *path,
                   int flags, int mode)
{
    if (!strcmp(path, "/dev/null"))
        return files_null(flags);
    int fd = files_open_inside(f, at, path, flags & FLAGS_ALLOWED, mode);
    bool reads = !(flags & FLAGS_ALLOWED & ~(O_PATH | O_NOFOLLOW));
    if (fd >= 0 || !reads || at != AT_FDCWD)
        return fd;
    int named = open_argument(f, path, flags & O_PATH);
    return named < 0 ? fd : named;
}

void files_keep(struct files *f, struct kept *kept)
{
    for (int i = 0; i < f->argument_count; i++) {
        struct stat st;
        int fd = files_open_any(f, AT_FDCWD, f->arguments[i], O_PATH, 0);
        if (fd < 0)
            continue;
        if (!fstat(fd, &st))
            kept_allow(kept, &st);
        close(fd);
    }
    f->kept = kept;
}

int files_lead_out(const char *directory, char **arguments, int argument_count,
                   char **real)
{
    struct files f;
    struct error error;
    int out = 0;
    if (!files_open(&f, directory, arguments, argument_count, &error))
        return 0;
    for (int i = 1; i < argument_count && !out; i++) {
        struct stat st;
        if (f.given[i].real &&
            (files_inside(&f, AT_FDCWD, arguments[i], 0, &st) ||
             st.st_dev != f.given[i].device || st.st_ino != f.given[i].inode))
            out = i;
    }
    *real = out ? heap_text(f.given[out].real) : NULL;
    files_close(&f);
    return out;
}

/* By their paths, which stay when a file is restored or copied. A link that the
 * program has renamed meanwhile leads to another one. */
int files_arguments_state(struct files *f, struct state *s)
{
    int elsewhere = 0;
    for (int i = 0; i < f->argument_count && !s->failed; i++) {
        char *now = f->given[i].real, *then = now;
        state_text(s, &then, "the path of an argument");
        if (!s->loading)
            continue;
        if (now && (!then || strcmp(then, now) != 0)) {
            elsewhere = i;
            free(now);
            f->given[i].real = NULL;
        }
        free(then);
    }
    return elsewhere;
}
