/*
 * --profile: what the program's instructions, lines and functions have cost.
 * The harts of all watched cores are added up
 * (sim/units/common/code_profile.h); an event of theirs, e.g. a bucket of
 * cycles, has one number everywhere here.
 *
 * Cost is the cycles of harts but for those in which there was nothing to do.
 */
#ifndef SIM_HOST_OBSERVE_COSTS_H
#define SIM_HOST_OBSERVE_COSTS_H

#include "sim/host/observe/source_lines.h"
#include "sim/units/common/code_profile.h"

/* A line of the source within a function, which it may have been inlined from.
 */
struct cost_line {
    unsigned function, file; /* numbers in source; file 0: unknown */
    int line;                /* 0: unknown */
    uint64_t cost;
    uint64_t *counts; /* of each event */
};

struct cost_function {
    unsigned number; /* in source */
    uint64_t cost;   /* of its own lines */
    uint64_t within; /* and of all that was called from them */
    uint64_t *counts;
    unsigned first, line_count; /* its lines, by file and line */
};

/* A function as it was called, or inlined: for flame graphs. Number 0 is the
 * root, which is no function. */
struct cost_stack {
    unsigned function; /* in source */
    unsigned parent;   /* which is before it in the list */
    uint64_t cost;     /* its own */
};

struct costs {
    struct code_profile *profile; /* of all harts */
    struct source *source;
    uint64_t cost;           /* the sum of all */
    uint64_t *totals;        /* of each event */
    uint64_t *places;        /* [source->places][event] */
    struct cost_line *lines; /* by function, in the order of functions */
    struct cost_function *functions; /* the most costly first */
    struct cost_stack *stacks;
    unsigned line_count, function_count, stack_count;
};

/* NULL: the run has not ended, or there is no --profile. */
struct costs *costs_of_run(const struct host *host);

/* The cost of counts of events. */
uint64_t costs_of(const struct costs *c, const uint64_t *counts);
/* Has a place, by its number in source, any count? */
bool costs_any(const struct costs *c, unsigned place);
/* Loads that the first cache had to ask for. */
uint64_t costs_misses(const struct costs *c, const uint64_t *counts);

/* ---- the files, of costs_of_run ---- */

/* For people: functions, then their lines (sim/report/profile_text.h). */
void costs_write_text(const struct host *host, FILE *out);
/* For KCachegrind and callgrind_annotate: Callgrind's format, version 1. */
void costs_write_callgrind(const struct host *host, FILE *out);
/* For sim-report. */
void costs_write_json(const struct host *host, FILE *out);

/* ---- lines of the source (source_text.c) ---- */

struct source_text;
struct source_text *source_text_new(const struct host *host);
void source_text_free(struct source_text *t);
/* A line of a file, without its end, and its bytes; "" if it cannot be read. */
const char *source_text_line(struct source_text *t, unsigned file, int line,
                             int *bytes);

#endif
