/*
 * Request files: a line of names, then a line for each request, plain or
 * compressed by gzip. offer, rw and addr must be there; the reference's
 * results (accept, ch, issue, done, kind) are kept if all of them are.
 */
#ifndef SIM_DRAM_REPLAY_TRACE_H
#define SIM_DRAM_REPLAY_TRACE_H

#include "sim/core/error.h"
#include <stddef.h>
#include <stdint.h>

struct request {
    uint64_t offer, address;
    bool write;
};

/* What became of a request; -1 where the reference's files have it. kind: H, M,
 * C, F, W as in struct dram_done, from DRAM_HIT on. */
struct result {
    int64_t accept, issue, done;
    int32_t channel;
    char kind;
};

struct trace {
    char name[64]; /* of the stream: the file's name up to ".req" or ".csv" */
    struct request *requests;
    struct result *results; /* of the reference; NULL: the file has none */
    uint32_t count;
};

/* The error names file and line. trace is to be freed only on success. */
bool trace_read(struct trace *trace, const char *path, struct error *error);
void trace_free(struct trace *trace);

#endif
