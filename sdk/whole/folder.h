/*
 * The folders that a process writes files into. Each is opened once, when a
 * file in it is named first, and all that is done later by the same name goes
 * through that descriptor: the files of a process come together where they were
 * meant to, whatever is renamed in the meantime. One thread uses these.
 */
#ifndef SDK_FOLDER_H
#define SDK_FOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

/* The descriptor of the folder that a path is in, which stays open, and the
 * last part of the path. -1: errno says why not. */
int folder_of(const char *path, const char **name);

/* The process writes a file of this path, now or later. False: errno. */
bool folder_note(const char *path);

/* Is it in that folder the name of a noted file, or one that it has before it
 * is complete, or as the one before it? */
bool folder_owns_name(const struct stat *folder, const char *name);
/* Does a noted file's name lead to this one now? */
bool folder_owns_file(const struct stat *file);

/* The path of the folder number i, NULL: there is no folder i. */
const char *folder_path(unsigned i);

/* Are both one file? */
static inline bool folder_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

#endif
