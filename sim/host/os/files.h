/*
 * The program's files. It may use one directory and what is below it, however
 * a path is spelt and whatever symbolic links it meets; the program knows that
 * directory by its own absolute name and as FILES_ROOT, and is in it. In
 * addition it may read, but not write, the regular files that its own arguments
 * name: the user who typed them has given them, those that they named when the
 * run began. What is neither a regular file nor a directory is not opened, but
 * for /dev/null: a pipe would make the run wait for the host.
 *
 * Paths are relative to `at`: a directory that the program has opened, or
 * AT_FDCWD. Through a directory it reaches what is below it, nothing else.
 * Results are negative Linux error numbers, as the program sees them.
 */
#ifndef SIM_HOST_OS_FILES_H
#define SIM_HOST_OS_FILES_H

#include "sim/core/error.h"
#include "sim/host/os/kept_files.h"
#include "sim/host/os/listing.h"
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#define FILES_MAX 256
#define FILES_ROOT "/fs"
#define FILES_IMAGES 16

struct files {
    int directory;    /* host descriptor of --fs */
    const char *name; /* as given */
    char *real;       /* absolute, without links */
    char **arguments; /* of the program */
    int argument_count;
    struct {
        char *real; /* as realpath has it; NULL: no regular file, from the
                       current directory */
        dev_t device;
        ino_t inode;
    } * given;               /* which files the arguments name */
    const struct kept *kept; /* NULL: nothing */
    int host[FILES_MAX];     /* host descriptor by the program's, -1: closed */
    char *paths[FILES_MAX];  /* by the program's descriptor, NULL: closed */
    struct listing *listings[FILES_MAX]; /* of directories that are read */
    /* Images that it has opened to write to: host paths, by the ends of their
     * names; the first ones only. */
    char *images[FILES_IMAGES];
    unsigned image_count;
};

bool files_open(struct files *f, const char *directory, char **arguments,
                int argument_count, struct error *error);
void files_close(struct files *f);
/* The number of a program's argument that leads to another file than what is
 * below that directory by this name; 0: none does. Argument 0 is the program's
 * own file. *real: where it leads, for free(). */
int files_lead_out(const char *directory, char **arguments, int argument_count,
                   char **real);
/* From now on what the run keeps is closed to the program, but that its
 * arguments may be read. */
void files_keep(struct files *f, struct kept *kept);

/* /dev/null, which is no file below --fs; a host descriptor. */
int files_null(int flags);

/* Opens a file to be read; returns a host descriptor. */
int files_host_open(struct files *f, const char *path);

/* The hash of an image as it is now. False: it is gone, or cannot be read. */
bool files_image_hash(const struct files *f, unsigned image, uint64_t *hash);

/* Saves, or loads, what the program has open: paths, positions, and the bytes
 * of files that it may write to or has removed, which are put back. */
struct state;
/* Of the arguments: of a run that goes on, those that lead elsewhere by now
 * name nothing. The number of one such, 0: there is none. */
int files_arguments_state(struct files *f, struct state *s);
void files_state(struct files *f, struct state *s);

/* The program's calls; flags are Linux's, as its headers have them. */
int64_t files_openat(struct files *f, int64_t at, const char *path, int flags,
                     int mode);
int64_t files_unlinkat(struct files *f, int64_t at, const char *path,
                       int flags);
int64_t files_mkdirat(struct files *f, int64_t at, const char *path, int mode);
int64_t files_renameat(struct files *f, int64_t from_at, const char *from,
                       int64_t to_at, const char *to, unsigned flags);
/* Only what is below the directory; flags: 0, or O_NOFOLLOW to ask for a link
 * itself. */
int64_t files_inside(const struct files *f, int64_t at, const char *path,
                     int flags, struct stat *st);
/* The name that a host descriptor's file has below the directory now, for
 * free(); NULL: none. */
char *files_name(const struct files *f, int fd);
int64_t files_accessat(struct files *f, int64_t at, const char *path, int mode);
int64_t files_statat(struct files *f, int64_t at, const char *path, int flags,
                     struct stat *st);
/* times: of access and modification, NULL: now. */
int64_t files_utimensat(struct files *f, int64_t at, const char *path,
                        const struct timespec *times);
int64_t files_close_one(struct files *f, int64_t number);
int64_t files_seek(struct files *f, int64_t number, int64_t offset, int whence);
/* Entries of a directory as struct linux_dirent; returns bytes, 0 at the end.
 */
int64_t files_list(struct files *f, int64_t number, void *to, size_t bytes);
/* The host's descriptor, or -EBADF. */
int files_host(const struct files *f, int64_t number);
/* The same for a file that the program has opened, not a standard stream. */
int files_own(const struct files *f, int64_t number);

#endif
