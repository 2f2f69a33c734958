/*
 * Counts threads: which one is the last of all. Threads count themselves eight
 * to a line of the host's, then the last of each eight eight to a line, and so
 * on, so that as many as change one line, one after the other, grow with the
 * logarithm of their number.
 */
#ifndef SIM_TALLY_H
#define SIM_TALLY_H

#include <stdatomic.h>
#include <stdbool.h>

struct tally_line {
    _Alignas(64) atomic_uint left; /* have not counted themselves */
    unsigned members;
};

struct tally {
    unsigned places; /* numbers of threads are below that */
    struct tally_line *lines;
};

/* Of threads 0..places - 1, places > 0; ends the process if there is no memory
 * (heap.h). No thread takes part yet. */
void tally_init(struct tally *t, unsigned places);
void tally_free(struct tally *t);

/* While no thread counts: those take part for whose number takes_part is true,
 * NULL: all. */
void tally_set(struct tally *t, bool (*takes_part)(void *context, unsigned n),
               void *context);

/* Counts thread n, which takes part. True: all others have counted themselves,
 * and what they did before is seen. The tally begins anew. */
bool tally_is_last(struct tally *t, unsigned n);

#endif
