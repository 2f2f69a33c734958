/*
 * Where host threads meet between two epochs. The last to arrive works alone,
 * then releases the others.
 *
 * A waiting thread spins for a while, gives way to others that want this core
 * for a while, and then sleeps: when the system has taken a thread's core away,
 * only a sleeping one leaves it another. Where that happens no thread spins for
 * long.
 */
#ifndef SIM_BARRIER_H
#define SIM_BARRIER_H

#include "sim/core/tally.h"
#include <pthread.h>
#include <stdint.h>

struct barrier {
    unsigned threads;
    uint64_t spin_ns;     /* before a thread gives way */
    unsigned yields;      /* before it sleeps */
    pthread_mutex_t lock; /* of those that sleep */
    pthread_cond_t news;
    atomic_uint sleepers;
    atomic_uint brief; /* waits to come that spin briefly */
    struct tally arrived;
    _Alignas(64) atomic_uint generation;
    bool late; /* of the last release */
};

void barrier_init(struct barrier *b, unsigned threads);
void barrier_destroy(struct barrier *b);

/* About what it costs each thread: measured with 2 threads on 2 cores, and 4
 * and 8 on 2 (ci/speed/epoch-cost.c), for others by the number of threads. */
uint64_t barrier_ns(const struct barrier *b);

/* How many do not sleep, for the last to arrive. */
unsigned barrier_awake(const struct barrier *b);

/* Of thread n of 0..threads - 1: true at once for the last to arrive, which
 * owes a barrier_release; false for the others, after it. */
bool barrier_arrive(struct barrier *b, unsigned n);
/* late: it had other work first; that they had to wait says nothing about the
 * host's cores. */
void barrier_release(struct barrier *b, bool late);

/*
 * Between two barriers threads may wait for each other: for what `over` says,
 * which looks at atomic memory of the others. A thread that writes such memory
 * brings news afterwards, for those that sleep.
 */
void barrier_await(struct barrier *b, bool (*over)(void *context),
                   void *context);
void barrier_news(struct barrier *b);

#endif
