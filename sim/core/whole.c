#include "sim/core/whole.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A file without a name in the folder of path; NULL: there cannot be one. */
static FILE *open_unnamed(const char *path)
{
    char folder[WHOLE_NAME];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) + 1 : 0;
    snprintf(folder, sizeof folder, "%.*s.", length, path);
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
    int temporary =
        snprintf(w->temporary, WHOLE_NAME, "%s.%ld", w->path, (long)getpid());
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

static void remove_file(const struct whole *w)
{
    if (!w->kept && !w->unnamed)
        unlink(w->temporary);
}

bool whole_finish(struct whole *w)
{
    note_closed(w);
    bool good = !ferror(w->file) && name_temporarily(w);
    good = !fclose(w->file) && good; /* errno may be an earlier write's */
    w->file = NULL;
    if (good &&
        (!strcmp(w->temporary, w->path) || !rename(w->temporary, w->path)))
        return true;
    int why = errno;
    remove_file(w);
    errno = why;
    return false;
}

bool whole_stdout(void)
{
    return (!fflush(stdout) && !ferror(stdout)) || errno == EPIPE;
}

void whole_drop_all(void)
{
    for (const struct whole *w = all_open; w; w = w->next)
        remove_file(w);
}

void whole_drop(struct whole *w)
{
    note_closed(w);
    fclose(w->file);
    remove_file(w);
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
