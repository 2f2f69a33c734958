/*
 * The kinds of vectors: each reads the inputs of a sheet's lines, works them
 * out with the model, and prints lines of the same columns.
 */
#ifndef SIM_UVM_REPLAY_REPLAY_H
#define SIM_UVM_REPLAY_REPLAY_H

#include "sim/uvm/replay/sheet.h"
#include <stdio.h>

struct replay_options {
    uint64_t seed; /* of the random prefetcher */
    double a;      /* PCIe curve of transfers (curve.h) */
};

struct replay_kind {
    const char *name;
    unsigned count;
    const char *columns[CELLS_MAX];
    /* False: the sheet's error is set. */
    bool (*run)(struct sheet *s, const struct replay_options *options,
                FILE *out);
};

extern const struct replay_kind replay_transfers, replay_evictions,
    replay_curve;

/* The kind of a sheet by its first line; NULL: an error. */
const struct replay_kind *replay_kind_of(const struct sheet *s);
/* Prints the first line, and what follows from the others. */
bool replay_run(const struct replay_kind *kind, struct sheet *s,
                const struct replay_options *options, FILE *out);

#endif
