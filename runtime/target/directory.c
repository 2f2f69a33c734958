/*
 * <dirent.h> over getdents64, which gives entries in the order of their names.
 * A position is the number of entries before it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <corbel/linux.h>

#include "target.h"

struct __dirstream {
    int file;
    long at, end; /* in the buffer: next entry, behind the last one */
    long position;
    struct dirent entry;
    _Alignas(8) char buffer[1024];
};

DIR *fdopendir(int file)
{
    DIR *d = calloc(1, sizeof *d);

    if (d)
        d->file = file;
    return d;
}

DIR *opendir(const char *path)
{
    int file = open(path, O_RDONLY | O_DIRECTORY);
    DIR *d = file < 0 ? NULL : fdopendir(file);

    if (!d && file >= 0)
        close(file);
    return d;
}

int closedir(DIR *d)
{
    int file = d->file;

    free(d);
    return close(file);
}

int dirfd(DIR *d)
{
    return d->file;
}

static int refill(DIR *d)
{
    long bytes = corbel_answer(corbel_syscall(
        LINUX_getdents64, d->file, (long)d->buffer, sizeof d->buffer, 0));

    d->at = 0;
    d->end = bytes < 0 ? 0 : bytes;
    return d->end > 0;
}

struct dirent *readdir(DIR *d)
{
    const struct linux_dirent *from;

    if (d->at == d->end && !refill(d))
        return NULL;
    from = (const void *)(d->buffer + d->at);
    d->at += from->bytes;
    d->position = (long)from->next;
    d->entry.d_ino = (ino_t)from->ino;
    d->entry.d_off = (off_t)from->next;
    d->entry.d_reclen = sizeof d->entry;
    d->entry.d_type = from->type;
    strcpy(d->entry.d_name, from->name);
    return &d->entry;
}

int readdir_r(DIR *restrict d, struct dirent *restrict entry,
              struct dirent **restrict result)
{
    int saved = errno;

    errno = 0;
    *result = readdir(d);
    if (*result)
        *result = memcpy(entry, *result, sizeof *entry);
    int why = *result ? 0 : errno;
    errno = saved;
    return why;
}

long telldir(DIR *d)
{
    return d->position;
}

void seekdir(DIR *d, long position)
{
    d->at = d->end = 0;
    d->position = (long)lseek(d->file, position, SEEK_SET);
}

void rewinddir(DIR *d)
{
    seekdir(d, 0);
}

int alphasort(const struct dirent **a, const struct dirent **b)
{
    return strcoll((*a)->d_name, (*b)->d_name);
}

static int keep(struct dirent ***list, int count, const struct dirent *entry)
{
    struct dirent **more =
        realloc(*list, ((size_t)count + 1) * sizeof(struct dirent *));

    if (!more)
        return -1;
    *list = more;
    more[count] = malloc(sizeof *entry);
    if (!more[count])
        return -1;
    *more[count] = *entry;
    return 0;
}

/* The list and its entries are the caller's to free. */
int scandir(const char *path, struct dirent ***list,
            int (*wanted)(const struct dirent *),
            int (*order)(const struct dirent **, const struct dirent **))
{
    DIR *d = opendir(path);
    const struct dirent *entry;
    int count = 0, failed = !d;

    *list = NULL;
    while (!failed && (entry = readdir(d)))
        if (!wanted || wanted(entry)) {
            failed = keep(list, count, entry);
            count += !failed;
        }
    if (d)
        closedir(d);
    if (failed) {
        while (count)
            free((*list)[--count]);
        free(*list);
        return -1;
    }
    if (count && order)
        qsort(*list, (size_t)count, sizeof **list,
              (int (*)(const void *, const void *))order);
    return count;
}
