/*
 * The file of a checkpoint: a line with its format, then all of its bytes
 * compressed by zstd, with a checksum. It is read twice: first to see that
 * nothing of it is damaged.
 */
#ifndef SIM_HOST_STATE_CHECKPOINT_FILE_H
#define SIM_HOST_STATE_CHECKPOINT_FILE_H

#include "sdk/whole/whole.h"
#include "sim/core/state.h"
#include <zstd.h>

struct checkpoint_file {
    struct state state; /* what it is written and read by */
    const char *path;
    struct whole whole; /* written */
    FILE *file;         /* read */
    ZSTD_CCtx *packer;
    ZSTD_DCtx *unpacker;
    ZSTD_inBuffer in;
    uint64_t bytes; /* unpacked so far */
    ZSTD_outBuffer out;
    void *packed; /* as it is in the file */
    size_t room;
    bool ended; /* the checksum has come */
};

/* Errors name the file. A file that was begun ends by checkpoint_finish, which
 * gives it its name, or by checkpoint_drop. */
bool checkpoint_create(struct checkpoint_file *c, const char *path,
                       struct error *error);
bool checkpoint_finish(struct checkpoint_file *c, struct error *error);

/* Refuses what is no checkpoint, has another format or is damaged, and stands
 * at the begin of its bytes then. */
bool checkpoint_open(struct checkpoint_file *c, const char *path,
                     struct error *error);
/* All of it has been read? Closes it. */
bool checkpoint_close(struct checkpoint_file *c, struct error *error);
/* Closes it where it stands; false: reading has failed. */
bool checkpoint_leave(struct checkpoint_file *c, struct error *error);

#endif
