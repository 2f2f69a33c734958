/*
 * The file of undo.h: a head, which says of what checkpoint and folder it is,
 * then a record for each change, in their order.
 */
#ifndef SIM_HOST_STATE_UNDO_FILE_H
#define SIM_HOST_STATE_UNDO_FILE_H

#include "sim/core/formats.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

enum undo_kind {
    UNDO_MADE,    /* a file or folder */
    UNDO_CONTENT, /* of a file that is written to, or removed */
    UNDO_FOLDER,  /* that is removed */
    UNDO_LINK,    /* that is removed: second is where it leads */
    UNDO_MOVED,   /* from name to second */
    UNDO_KINDS
};

/* A record: this, both names, the bytes of a file, CRC-32 of all of it. */
struct undo_head {
    uint32_t kind, mode;
    uint32_t name, second; /* bytes of the names */
    uint64_t bytes;        /* of the file */
};

struct undo {
    char *checkpoint, *path; /* FILE and FILE.undo */
    int fd;
    bool active;      /* changes are noted */
    uint64_t end, at; /* bytes of records of what was done, and of all */
    void *seen;       /* files whose bytes need not be noted, by tsearch */
};

#define UNDO_MAGIC "corbel undo " FORMAT_TEXT(UNDO_FORMAT) "\n"
struct undo_file {
    char magic[16];
    uint64_t checkpoint;    /* XXH64 of it */
    uint64_t device, inode; /* of --fs */
};

/* What a file would begin with that is of the checkpoint that is there now.
 * False: it cannot be read. */
bool undo_describe(const struct undo *u, int folder, struct undo_file *head);

/* Appends a record; bytes: from a descriptor, as many as the file has, -1:
 * none. False: errno says why, and the file is as before. */
bool undo_append(struct undo *u, enum undo_kind kind, const char *name,
                 const char *second, mode_t mode, int from);

#endif
