/*
 * What the program must leave as it is: the files that the run reads, and the
 * folders and links by which it has found those and finds the ones that it
 * writes (folder.h). Files are known by device and inode, whatever they are
 * called, and held, so that no other gets the number of one that is removed.
 */
#ifndef SIM_HOST_OS_KEPT_FILES_H
#define SIM_HOST_OS_KEPT_FILES_H

#include <stdbool.h>
#include <sys/stat.h>

struct kept {
    struct kept_file {
        struct stat stat;
        int fd;        /* -1: none is left for it */
        bool input;    /* a file; else a folder or a link on the way */
        bool readable; /* by the program, as one of its arguments names it */
    } * files;
    unsigned count;
};

/* A file that the run reads, with what leads there. */
void kept_input(struct kept *k, const char *path);
/* The folders that the run writes to, with what leads there. */
void kept_folders(struct kept *k);
/* An argument of the program is this file. */
void kept_allow(struct kept *k, const struct stat *st);
void kept_free(struct kept *k);

/* May it not be renamed, replaced or removed? */
bool kept_stays(const struct kept *k, const struct stat *st);
/* May it not be opened: read, or changed as well? */
bool kept_closed(const struct kept *k, const struct stat *st, bool changed);
/* May this name in a folder not be given? */
bool kept_name(const struct stat *folder, const char *name);

#endif
