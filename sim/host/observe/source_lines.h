/*
 * Instructions of programs as lines and functions of their sources, inlined
 * functions included. What only wraps custom instructions is left out, as in
 * messages (symbols.h): its cost is that of the line that uses it.
 */
#ifndef SIM_HOST_OBSERVE_SOURCE_LINES_H
#define SIM_HOST_OBSERVE_SOURCE_LINES_H

#include "sim/host/host.h"

struct source_function {
    char *name;    /* of the source, or of the symbol table; "??": unknown */
    unsigned file; /* where it is declared, a number in files; 0: unknown */
    int line;      /* likewise, 0: unknown */
};

/* Where an instruction, or a call that is inlined, is in its function. */
struct source_frame {
    unsigned function; /* a number in functions */
    unsigned file;     /* a number in files; 0: unknown */
    int line;          /* from 1 on, 0: unknown */
};

/* Frames of an address: the function that was compiled, then those that are
 * inlined in each other there; the last one has the instruction. At least one.
 */
struct source_place {
    uint64_t pc;
    unsigned first, count; /* in frames */
};

struct source {
    struct source_function *functions;
    char **files; /* paths; number 0 is "??" */
    struct source_frame *frames;
    struct source_place *places; /* by address */
    unsigned function_count, file_count, frame_count, place_count;
};

/* Of `count` addresses, which may repeat; they are sorted here. */
struct source *source_new(const struct host *host, uint64_t *addresses,
                          unsigned count);
void source_free(struct source *s);

/* One of the addresses that source_new was given. */
const struct source_place *source_place(const struct source *s, uint64_t pc);

/* The frame with the instruction. */
static inline const struct source_frame *
source_inner(const struct source *s, const struct source_place *place)
{
    return &s->frames[place->first + place->count - 1];
}

#endif
