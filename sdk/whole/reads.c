#include "sdk/whole/reads.h"
#include "sdk/whole/folder.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct read {
    dev_t device;
    ino_t inode;
    const char *what;
} * all;
static size_t count, room;

static struct read *find(const struct stat *s)
{
    for (size_t i = 0; S_ISREG(s->st_mode) && i < count; i++)
        if (all[i].device == s->st_dev && all[i].inode == s->st_ino)
            return &all[i];
    return NULL;
}

/* Without memory for it the file could be written over. */
static void grow(void)
{
    room = room ? 2 * room : 16;
    all = realloc(all, room * sizeof *all);
    if (!all) {
        fputs("out of memory: the list of what is read\n", stderr);
        exit(4);
    }
}

static void note(const struct stat *s, const char *what)
{
    if (!S_ISREG(s->st_mode) || find(s))
        return;
    if (count == room)
        grow();
    all[count++] = (struct read){s->st_dev, s->st_ino, what};
}

void reads_note(const char *path, const char *what)
{
    struct stat s;
    if (!stat(path, &s))
        note(&s, what);
}

void reads_note_open(int fd, const char *what)
{
    struct stat s;
    if (!fstat(fd, &s))
        note(&s, what);
}

void reads_forget(const char *path)
{
    struct stat s;
    struct read *r = stat(path, &s) ? NULL : find(&s);
    if (r)
        *r = all[--count];
}

const char *reads_what(const char *path)
{
    struct stat s;
    const char *name;
    int folder = folder_of(path, &name);
    const struct read *r =
        folder < 0 || fstatat(folder, name, &s, 0) ? NULL : find(&s);
    return r ? r->what : NULL;
}

/* ---- two names ---- */

/* The folder that a path leads to without its last part, which is *name. */
static bool parent_of(const char *path, struct stat *folder, const char **name)
{
    char copy[4096];
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    return snprintf(copy, sizeof copy, "%.*s.", (int)(*name - path), path) <
               (int)sizeof copy &&
           !stat(copy, folder);
}

bool reads_same(const char *a, const char *b)
{
    struct stat x, y;
    const char *name, *other;
    if (!a || !b)
        return false;
    const bool there = !stat(a, &x);
    if (there != !stat(b, &y))
        return false;
    if (there)
        return S_ISREG(x.st_mode) && folder_same(&x, &y);
    return parent_of(a, &x, &name) && parent_of(b, &y, &other) &&
           !strcmp(name, other) && folder_same(&x, &y);
}
