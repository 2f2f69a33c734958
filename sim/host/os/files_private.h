/* How paths of the program are found: for the parts of files.h alone. */
#ifndef SIM_HOST_OS_FILES_PRIVATE_H
#define SIM_HOST_OS_FILES_PRIVATE_H

#include "sim/host/os/files.h"
#include <limits.h>

/* Notes which files the arguments name. */
void files_settle(struct files *f);

/* The last step of a path, and the directory that it is in. */
struct files_place {
    int parent;
    bool slash; /* there was one behind it */
    char name[NAME_MAX + 1];
};

/* Opens the parent, which is to be closed unless the result is negative. */
int64_t files_find(const struct files *f, int64_t at, const char *path,
                   struct files_place *place);
/* Is the name, or what has it, the run's own? */
bool files_kept(const struct files *f, const struct files_place *place);
/* Closes the parent; result: of a system call, whose error is in errno. */
int64_t files_done(const struct files_place *place, int result);

/* A descriptor of the host, or the negative of an errno: below --fs; or else
 * also what an argument names. */
int files_open_inside(const struct files *f, int64_t at, const char *path,
                      int flags, int mode);
int files_open_any(const struct files *f, int64_t at, const char *path,
                   int flags, int mode);

#endif
