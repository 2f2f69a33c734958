/*
 * Tables that are read while they grow: a file has its name and its header when
 * the run begins, and grows by whole lines, some of which end in spaces. A row
 * has at most ROWS_PAGE bytes.
 */
#ifndef SIM_HOST_RESULTS_GROWING_TABLE_H
#define SIM_HOST_RESULTS_GROWING_TABLE_H

#include "sdk/whole/whole.h"
#include "sim/core/error.h"
#include "sim/core/state.h"
#include <stdbool.h>
#include <stdio.h>

enum { ROWS_PAGE = 4096 }; /* bytes of a page of the host */

struct rows {
    FILE *text; /* rows are printed here; NULL: the table is not open */
    char *bytes;
    size_t size;
    size_t at;                 /* bytes of the file so far */
    char piece[2 * ROWS_PAGE]; /* that is being written */
    int why; /* errno of the first write that failed, 0: none has */
    struct whole file;
};

/* outdir: of --outdir; name: of the file there; header: its first line. */
bool rows_open(struct rows *r, const char *outdir, const char *name,
               const char *header, struct error *error);
/* Gives the table its name now, if it is open. */
bool rows_show(struct rows *r, const char *outdir, const char *name,
               struct error *error);
/* Writes what was printed since the last time, whole rows. */
void rows_write(struct rows *r);
/* Saves or loads the rows so far, if the table is open: the process that goes
 * on has a file of its own. name: in errors. */
void rows_state(struct rows *r, struct state *s, const char *name);
/* The table is complete. False: it cannot be, and is not there. Does nothing if
 * it is not open. */
bool rows_finish(struct rows *r, const char *outdir, const char *name,
                 struct error *error);
/* Nothing is left of it, if it is open. */
void rows_drop(struct rows *r);

#endif
