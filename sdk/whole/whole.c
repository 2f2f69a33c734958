#include "sdk/whole/whole.h"
#include "sdk/whole/folder.h"
#include "sdk/whole/reads.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY ".part" /* behind the name and the number of the process */

void whole_begin(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", O_RDWR); /* the lowest that is free */
    signal(SIGXFSZ, SIG_IGN);
}

/* What is behind a name that may not be written, NULL: errno says it all. */
static const char *read_there;

/* False: the path leads to what is read. */
static bool is_spared(const char *path)
{
    read_there = reads_what(path);
    return !read_there;
}

const char *whole_why(void)
{
    static char why[256];
    if (!read_there)
        return strerror(errno);
    snprintf(why, sizeof why, "that is %s, expected another file", read_there);
    return why;
}

/* What stands there now: of a path whose folder is open. */
static bool look(const char *path, struct stat *s)
{
    const char *name;
    int folder = folder_of(path, &name);
    return folder >= 0 && !fstatat(folder, *name ? name : ".", s, 0);
}

/* A device or a pipe keeps its place. */
static bool is_special(const char *path)
{
    struct stat s;
    return look(path, &s) && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode);
}

/* What no file can be renamed to: found before anything is written. */
static bool is_folder(const char *path)
{
    struct stat s;
    return look(path, &s) && S_ISDIR(s.st_mode);
}

/* One thread opens and closes files. */
static struct whole *all_open;

static void note_open(struct whole *w)
{
    w->next = all_open;
    all_open = w;
}

static void note_closed(const struct whole *w)
{
    struct whole **at = &all_open;
    while (*at && *at != w)
        at = &(*at)->next;
    if (*at)
        *at = w->next;
}

/* Is it a temporary name of this one, of a process that has ended? */
static bool is_left_over(const char *found, const char *name)
{
    char *end;
    size_t length = strlen(name);
    if (strncmp(found, name, length) || found[length] != '.')
        return false;
    long process = strtol(found + length + 1, &end, 10);
    return !strcmp(end, TEMPORARY) && process > 0 && kill((pid_t)process, 0) &&
           errno == ESRCH;
}

/* A process that is killed may leave a file under its temporary name: the next
 * one that writes the same file removes it. */
static void remove_left_over(int folder, const char *name)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = again < 0 ? NULL : fdopendir(again);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (is_left_over(e->d_name, name))
            unlinkat(folder, e->d_name, 0);
    if (dir)
        closedir(dir);
}

/* NULL: errno says why. It can be read, too. */
static FILE *open_file(int folder, const char *name, int flags)
{
    int fd = openat(folder, name, flags | O_CLOEXEC, 0666);
    FILE *file = fd < 0 ? NULL : fdopen(fd, flags & O_RDWR ? "w+" : "w");
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

/* Without a name if the file system can; else under its temporary one, which is
 * no link that another process has put there. */
static FILE *open_new(struct whole *w, const char *temporary)
{
    FILE *file = open_file(w->folder, ".", O_TMPFILE | O_RDWR);
    w->unnamed = file;
    if (file)
        return file;
    unlinkat(w->folder, temporary, 0);
    return open_file(w->folder, temporary, O_RDWR | O_CREAT | O_EXCL);
}

/* The last part of a path. */
static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A file without a name gets its temporary one, which a process of the same
 * number may have left. */
static bool name_temporarily(struct whole *w)
{
    char link[64];
    if (!w->unnamed)
        return true;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(w->file));
    unlinkat(w->folder, name_in(w->temporary), 0);
    w->unnamed = linkat(AT_FDCWD, link, w->folder, name_in(w->temporary),
                        AT_SYMLINK_FOLLOW);
    return !w->unnamed;
}

bool whole_open(struct whole *w, const char *folder, const char *name)
{
    const char *leaf;
    int path = folder ? snprintf(w->path, WHOLE_NAME, "%s/%s", folder, name)
                      : snprintf(w->path, WHOLE_NAME, "%s", name);
    int temporary = snprintf(w->temporary, WHOLE_NAME, "%s.%ld" TEMPORARY,
                             w->path, (long)getpid());
    w->file = NULL;
    w->unnamed = false;
    read_there = NULL;
    errno = ENAMETOOLONG;
    if (path >= WHOLE_NAME || temporary >= WHOLE_NAME)
        return false;
    errno = *name ? EISDIR : ENOENT;
    if (!*name || is_folder(w->path) || !is_spared(w->path))
        return false;
    w->folder = folder_of(w->path, &leaf);
    if (w->folder < 0 || !folder_note(w->path))
        return false;
    w->kept = is_special(w->path);
    if (w->kept)
        strcpy(w->temporary, w->path);
    else
        remove_left_over(w->folder, leaf);
    w->file = w->kept ? open_file(w->folder, leaf, O_WRONLY | O_CREAT | O_TRUNC)
                      : open_new(w, name_in(w->temporary));
    if (w->file)
        note_open(w);
    return w->file;
}

/* Does nothing if it has its name. */
static bool take_name(struct whole *w)
{
    if (!strcmp(w->temporary, w->path))
        return true;
    if (!is_spared(w->path) ||
        renameat(w->folder, name_in(w->temporary), w->folder, name_in(w->path)))
        return false;
    strcpy(w->temporary, w->path);
    return true;
}

/* Has it come to the disk, or is it of a kind that cannot be asked? */
static bool is_synced(int fd)
{
    return !fsync(fd) || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

/* The names in the folder come to the disk; one that may be written and not
 * read cannot be asked. */
static bool sync_folder(const struct whole *w)
{
    return is_synced(w->folder) || errno == EBADF;
}

static bool sync_file(const struct whole *w)
{
    return w->kept || (!fflush(w->file) && is_synced(fileno(w->file)));
}

bool whole_show(struct whole *w)
{
    read_there = NULL;
    return !fflush(w->file) && name_temporarily(w) && take_name(w);
}

/* Does the file, which got its name early, have it still? Another process may
 * have removed it since. */
static bool has_name(const struct whole *w)
{
    struct stat file, there;
    if (w->kept || strcmp(w->temporary, w->path))
        return true;
    if (!look(w->path, &there) || fstat(fileno(w->file), &file))
        return false;
    errno = ENOENT;
    return folder_same(&file, &there);
}

static void remove_name(const struct whole *w)
{
    if (!w->kept && !w->unnamed)
        unlinkat(w->folder, name_in(w->temporary), 0);
}

/* Removes a file that is still open; another one that has its name stays. */
static void remove_file(const struct whole *w)
{
    if (has_name(w))
        remove_name(w);
}

bool whole_finish(struct whole *w)
{
    note_closed(w);
    read_there = NULL;
    bool named = has_name(w);
    bool good =
        named && !ferror(w->file) && sync_file(w) && name_temporarily(w);
    good = !fclose(w->file) && good; /* errno may be an earlier write's */
    w->file = NULL;
    if (good && take_name(w) && (w->kept || sync_folder(w)))
        return true;
    int why = errno;
    if (named)
        remove_name(w);
    errno = why;
    return false;
}

bool whole_stdout(void)
{
    return (!fflush(stdout) && !ferror(stdout)) || errno == EPIPE;
}

const char *whole_largest(uint64_t *bytes)
{
    const struct whole *largest = NULL;
    struct stat s;
    *bytes = 0;
    for (const struct whole *w = all_open; w; w = w->next)
        if (!fstat(fileno(w->file), &s) &&
            (!largest || (uint64_t)s.st_size > *bytes)) {
            *bytes = (uint64_t)s.st_size;
            largest = w;
        }
    return largest ? largest->path : NULL;
}

void whole_drop_all(void)
{
    for (const struct whole *w = all_open; w; w = w->next)
        remove_file(w);
}

void whole_drop(struct whole *w)
{
    note_closed(w);
    remove_file(w);
    fclose(w->file);
    w->file = NULL;
}

bool whole_try(const char *folder, const char *name)
{
    struct whole w;
    const char *leaf;
    read_there = NULL;
    int at = folder ? -1 : folder_of(name, &leaf);
    if (at >= 0 && is_special(name)) /* opened, a pipe's reader would end */
        return !faccessat(at, leaf, W_OK, 0);
    if (!whole_open(&w, folder, name))
        return false;
    whole_drop(&w);
    return true;
}

/* The first thread's stack grows up to the limit of the moment; those of others
 * have the size that the C library took from the limit at the start. */
bool whole_stacks(uint64_t *bytes)
{
    enum { WANTED = 8 << 20 };
    struct rlimit limit;
    pthread_attr_t threads;
    *bytes = UINT64_MAX;
    if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= WHOLE_STACK_LEAST)
        return true;
    limit.rlim_cur = limit.rlim_max < WANTED ? limit.rlim_max : WANTED;
    *bytes = limit.rlim_cur;
    if (limit.rlim_cur < WHOLE_STACK_LEAST || setrlimit(RLIMIT_STACK, &limit) ||
        pthread_attr_init(&threads))
        return false;
    const bool good = !pthread_attr_setstacksize(&threads, limit.rlim_cur) &&
                      !pthread_setattr_default_np(&threads);
    pthread_attr_destroy(&threads);
    return good;
}
