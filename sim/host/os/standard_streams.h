/*
 * The standard streams of the program, whose state is the host's: how much of
 * the standard input it has had, and how far the files have come that it prints
 * to. A run that goes on from a checkpoint reads on where it was; what cannot
 * be had again is refused. What a process that was killed had printed to a file
 * beyond the checkpoint is not printed twice.
 */
#ifndef SIM_HOST_OS_STANDARD_STREAMS_H
#define SIM_HOST_OS_STANDARD_STREAMS_H

#include "sim/core/error.h"
#include <stdbool.h>
#include <stdint.h>

enum stream_kind {
    STREAM_NOTHING, /* /dev/null, or closed by the program */
    STREAM_FILE,
    STREAM_PIPE, /* or a socket: what follows when the same is given again */
    STREAM_TERMINAL,
    STREAM_DEVICE, /* any other */
    STREAM_KINDS
};

/* A file that is printed to. */
struct stream_file {
    uint64_t device, inode;
    int64_t at; /* bytes in it; -1: it is no file */
};

/* What it has beyond the checkpoint, of the process before. */
struct stream_again {
    int from; /* a descriptor to read that by, -1: there is no more */
    int64_t at;
};

struct streams {
    uint64_t read;        /* bytes that the program has had of 0 */
    uint32_t sum;         /* CRC-32 of these */
    bool ended;           /* it has seen the end */
    uint64_t others_read; /* of 1 and 2 */
    /* As they were when the run was saved: */
    enum stream_kind kind;
    int64_t at, bytes; /* of a file: position, size */
    uint64_t content;  /* and hash */
    struct stream_file files[2];
    struct stream_again again[2]; /* of 1 and 2 */
};

struct host;
struct state;

void streams_begin(struct streams *t);
void streams_end(struct streams *t);

/* The program has read this of descriptor 0, 1 or 2; no bytes: there are no
 * more. */
void streams_read(struct host *host, int fd, const void *bytes, uint64_t count);
/* How many of the bytes that it prints to 1 or 2 are in the file already. */
uint64_t streams_printed(struct host *host, int fd, const uint8_t *bytes,
                         uint64_t count);

/* Saves or loads them; and, once all of the run is loaded, goes on with them.
 * False: they are others than they were. */
void streams_state(struct host *host, struct state *s);
bool streams_resume(struct host *host, struct error *error);

#endif
