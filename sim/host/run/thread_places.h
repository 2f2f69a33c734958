/*
 * Where the threads of a run are on the host, as its topology says (hwloc):
 * threads with numbers near to each other, which take tiles of each other, on
 * processors that share the last cache; memory of tiles beside the thread that
 * has them. Of no influence on results.
 *
 * Among the processors of one cache the system moves threads as it likes: some
 * may have other work. All threads are left to it where there is one such
 * cache, and unless the run takes all processors, or one of each core, that the
 * process may use: of several runs at a time, each with fewer threads, all
 * would want the same ones.
 */
#ifndef SIM_HOST_RUN_THREAD_PLACES_H
#define SIM_HOST_RUN_THREAD_PLACES_H

#include <stddef.h>

struct places;

/* NULL: threads are left to the system, which is what the functions below do
 * then. threads: of the run, more than 0. */
struct places *places_new(unsigned threads);
/* The calling thread, which made them and became number 0, is free again. */
void places_free(struct places *p);

/* The calling thread is number n of them from now on. */
void places_take(const struct places *p, unsigned n);
/* Has the host memory that is nearer to some threads than to others? */
unsigned places_nodes(const struct places *p);
/* Moves whole pages of this memory to the memory of thread n. */
void places_move(const struct places *p, unsigned n, void *at, size_t bytes);

/* For tests: the processors of thread n, as in /proc/self/status (not a sign:
 * room for them), and the number of the node of its memory. */
void places_tell(const struct places *p, unsigned n, char *text, size_t room,
                 unsigned *node);

#endif
