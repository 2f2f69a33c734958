#include "sdk/whole/folder.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct name {
    struct name *next;
    char text[];
};

/* Folders are told apart by the text that names them, which ends with a slash
 * or is empty. */
struct folder {
    struct folder *next;
    int fd;
    struct stat stat;
    struct name *names; /* of noted files */
    char path[];
};

static struct folder *all, **last = &all;

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* One that may not be listed is opened all the same. */
static int open_folder(const char *path)
{
    int how = O_DIRECTORY | O_CLOEXEC;
    int fd = open(path, O_RDONLY | how);
    return fd < 0 && errno == EACCES ? open(path, O_PATH | how) : fd;
}

static struct folder *make(const char *path, size_t length)
{
    struct folder *f = calloc(1, sizeof *f + length + 2);
    if (!f)
        return NULL;
    memcpy(f->path, path, length);
    f->path[length] = '.'; /* of "", the current one */
    f->fd = open_folder(f->path);
    f->path[length] = '\0';
    if (f->fd >= 0 && !fstat(f->fd, &f->stat)) {
        *last = f;
        last = &f->next;
        return f;
    }
    free(f);
    return NULL;
}

static struct folder *find(const char *path)
{
    const size_t length = folder_length(path);
    struct folder *f = all;
    while (f && (strncmp(f->path, path, length) || f->path[length]))
        f = f->next;
    return f ? f : make(path, length);
}

int folder_of(const char *path, const char **name)
{
    const struct folder *f = find(path);
    *name = path + folder_length(path);
    return f ? f->fd : -1;
}

bool folder_note(const char *path)
{
    struct folder *f = find(path);
    if (!f)
        return false;
    const char *text = path + folder_length(path);
    for (const struct name *n = f->names; n; n = n->next)
        if (!strcmp(n->text, text))
            return true;
    struct name *n = malloc(sizeof *n + strlen(text) + 1);
    if (!n)
        return false;
    strcpy(n->text, text);
    n->next = f->names;
    f->names = n;
    return true;
}

/* NAME itself, NAME.PID.part of one that is being written (whole.h), NAME.old.
 */
static bool is_of(const char *found, const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(found, name, length))
        return false;
    const char *end = found + length;
    if (!*end || !strcmp(end, ".old"))
        return true;
    const size_t digits = *end == '.' ? strspn(end + 1, "0123456789") : 0;
    return digits && !strcmp(end + 1 + digits, ".part");
}

bool folder_owns_name(const struct stat *folder, const char *name)
{
    for (const struct folder *f = all; f; f = f->next)
        for (const struct name *n = f->names; n; n = n->next)
            if (folder_same(&f->stat, folder) && is_of(name, n->text))
                return true;
    return false;
}

bool folder_owns_file(const struct stat *file)
{
    struct stat s;
    for (const struct folder *f = all; f; f = f->next)
        for (const struct name *n = f->names; n; n = n->next)
            if (!fstatat(f->fd, n->text, &s, 0) && folder_same(&s, file))
                return true;
    return false;
}

const char *folder_path(unsigned i)
{
    const struct folder *f = all;
    while (f && i--)
        f = f->next;
    return f ? f->path : NULL;
}
