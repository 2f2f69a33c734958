/*
 * The program's files. It may use one directory and what is below it, however
 * a path is spelt and whatever symbolic links it meets. In addition it may
 * read, but not write, the files that its own arguments name: whoever typed
 * them gave them.
 *
 * Results are negative Linux error numbers, as the program sees them.
 */
#ifndef SIM_FILES_H
#define SIM_FILES_H

#include "sim/core/error.h"
#include <stdint.h>
#include <sys/types.h>

#define FILES_MAX 256

struct files {
    int directory;    /* host descriptor of --fs */
    const char *name; /* as given */
    char *real;       /* absolute, without links */
    char **arguments; /* of the program */
    int argument_count;
    int host[FILES_MAX]; /* host descriptor by the program's, -1: closed */
};

bool files_open(struct files *f, const char *directory, char **arguments,
                int argument_count, struct error *error);
void files_close(struct files *f);

/* Opens a file with Linux flags; returns a host descriptor. */
int files_host_open(struct files *f, const char *path, int flags, int mode);

/* The program's calls. */
int64_t files_openat(struct files *f, const char *path, int flags, int mode);
int64_t files_unlink(struct files *f, const char *path);
int64_t files_close_one(struct files *f, int64_t number);
/* The host's descriptor, or -EBADF. */
int files_host(const struct files *f, int64_t number);

#endif
