#include "sdk/whole/whole.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY ".part" /* behind the name and the number of the process */

/* A device or a pipe keeps its place. */
static bool is_special(const char *path)
{
    struct stat s;
    return !stat(path, &s) && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode);
}

/* What no file can be renamed to: found before anything is written. */
static bool is_folder(const char *path)
{
    struct stat s;
    return !stat(path, &s) && S_ISDIR(s.st_mode);
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

/* The last part of a path, which lies in `folder`. */
static const char *divide(const char *path, char folder[WHOLE_NAME])
{
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) + 1 : 0;
    snprintf(folder, WHOLE_NAME, "%.*s.", length, path);
    return path + length;
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
static void remove_left_over(const char *path)
{
    char folder[WHOLE_NAME];
    const char *name = divide(path, folder);
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (is_left_over(e->d_name, name))
            unlinkat(dirfd(dir), e->d_name, 0);
    if (dir)
        closedir(dir);
}

/* A file without a name in the folder of path; NULL: there cannot be one. */
static FILE *open_unnamed(const char *path)
{
    char folder[WHOLE_NAME];
    divide(path, folder);
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

/* A file without a name gets its temporary one, which a process of the same
 * number may have left. */
static bool name_temporarily(struct whole *w)
{
    char link[64];
    if (!w->unnamed)
        return true;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(w->file));
    unlink(w->temporary);
    w->unnamed =
        linkat(AT_FDCWD, link, AT_FDCWD, w->temporary, AT_SYMLINK_FOLLOW);
    return !w->unnamed;
}

bool whole_open(struct whole *w, const char *folder, const char *name)
{
    int path = folder ? snprintf(w->path, WHOLE_NAME, "%s/%s", folder, name)
                      : snprintf(w->path, WHOLE_NAME, "%s", name);
    int temporary = snprintf(w->temporary, WHOLE_NAME, "%s.%ld" TEMPORARY,
                             w->path, (long)getpid());
    w->file = NULL;
    errno = ENAMETOOLONG;
    if (path >= WHOLE_NAME || temporary >= WHOLE_NAME)
        return false;
    errno = *name ? EISDIR : ENOENT;
    if (!*name || is_folder(w->path))
        return false;
    w->kept = is_special(w->path);
    if (w->kept)
        strcpy(w->temporary, w->path);
    else
        remove_left_over(w->path);
    w->file = w->kept ? NULL : open_unnamed(w->path);
    w->unnamed = w->file;
    if (!w->file)
        w->file = fopen(w->temporary, "w");
    if (w->file)
        note_open(w);
    return w->file;
}

/* Does nothing if it has its name. */
static bool take_name(struct whole *w)
{
    if (!strcmp(w->temporary, w->path))
        return true;
    if (rename(w->temporary, w->path))
        return false;
    strcpy(w->temporary, w->path);
    return true;
}

bool whole_show(struct whole *w)
{
    return !fflush(w->file) && name_temporarily(w) && take_name(w);
}

/* Of a file that got its name early: somebody may have removed it since. */
static bool has_name(const struct whole *w)
{
    struct stat file, there;
    if (w->kept || strcmp(w->temporary, w->path))
        return true;
    if (stat(w->path, &there) || fstat(fileno(w->file), &file))
        return false;
    errno = ENOENT;
    return file.st_ino == there.st_ino && file.st_dev == there.st_dev;
}

static void remove_name(const struct whole *w)
{
    if (!w->kept && !w->unnamed)
        unlink(w->temporary);
}

/* Of one that is still open; what has taken its name stays. */
static void remove_file(const struct whole *w)
{
    if (has_name(w))
        remove_name(w);
}

bool whole_finish(struct whole *w)
{
    note_closed(w);
    bool named = has_name(w);
    bool good = named && !ferror(w->file) && name_temporarily(w);
    good = !fclose(w->file) && good; /* errno may be an earlier write's */
    w->file = NULL;
    if (good && take_name(w))
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
    if (!folder && is_special(name)) /* opened, a pipe's reader would end */
        return !access(name, W_OK);
    if (!whole_open(&w, folder, name))
        return false;
    whole_drop(&w);
    return true;
}
