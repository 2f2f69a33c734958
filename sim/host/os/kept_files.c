/*
 * Notes each folder, link and file on the ways to what the run reads, and to
 * the folders that it writes to; asks folder.h for the files there.
 */
#include "sim/host/os/kept_files.h"
#include "sdk/whole/folder.h"
#include "sim/core/heap.h"
#include "sim/host/os/path_walk.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct keeper {
    struct way way;
    struct kept *kept;
};

static struct kept_file *find(const struct kept *k, const struct stat *st)
{
    for (unsigned i = 0; i < k->count; i++)
        if (folder_same(&k->files[i].stat, st))
            return &k->files[i];
    return NULL;
}

/* A step of a way. Of what is no folder and no link, only inputs are kept:
 * what is written gets another inode each time, and is known by its name. */
static bool keep(struct way *w, int fd, const struct stat *st, const char *rest)
{
    struct kept *k = ((struct keeper *)w)->kept;
    (void)rest;
    if (find(k, st))
        return true;
    k->files = heap_resize(k->files, k->count + 1, sizeof *k->files,
                           "the files of the run");
    k->files[k->count++] = (struct kept_file){
        .stat = *st,
        .fd = fcntl(fd, F_DUPFD_CLOEXEC, 0),
        .input = !S_ISDIR(st->st_mode) && !S_ISLNK(st->st_mode)};
    return true;
}

void kept_input(struct kept *k, const char *path)
{
    struct keeper keeper = {{keep}, k};
    way_follow(&keeper.way, path);
}

void kept_folders(struct kept *k)
{
    struct keeper keeper = {{keep}, k};
    const char *path;
    for (unsigned i = 0; (path = folder_path(i)); i++)
        way_follow(&keeper.way, *path ? path : ".");
}

void kept_allow(struct kept *k, const struct stat *st)
{
    struct kept_file *f = find(k, st);
    if (f)
        f->readable = true;
}

void kept_free(struct kept *k)
{
    for (unsigned i = 0; i < k->count; i++)
        if (k->files[i].fd >= 0)
            close(k->files[i].fd);
    free(k->files);
    *k = (struct kept){0};
}

bool kept_stays(const struct kept *k, const struct stat *st)
{
    return find(k, st) || folder_owns_file(st);
}

bool kept_closed(const struct kept *k, const struct stat *st, bool changed)
{
    const struct kept_file *f = find(k, st);
    return (f && f->input && (changed || !f->readable)) || folder_owns_file(st);
}

bool kept_name(const struct stat *folder, const char *name)
{
    return folder_owns_name(folder, name);
}
