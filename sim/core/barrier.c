#include "sim/core/barrier.h"
#include <sched.h>

/* Pauses of about 50 ns each: more than tiles of even weight differ by, less
 * than sleeping and waking cost. */
#define SPINS 1000
/* With more threads than cores, the one that is waited for may be queued for
 * this core: it runs next, without anybody having to be woken. */
#define YIELDS 20

static bool cores_for(unsigned threads)
{
    cpu_set_t cores;
    return !sched_getaffinity(0, sizeof cores, &cores) &&
           threads <= (unsigned)CPU_COUNT(&cores);
}

void barrier_init(struct barrier *b, unsigned threads)
{
    b->threads = threads;
    b->spins = cores_for(threads) ? SPINS : 0;
    b->yields = YIELDS;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->released, NULL);
    atomic_init(&b->sleepers, 0);
    atomic_init(&b->arrived, 0);
    atomic_init(&b->generation, 0);
}

void barrier_destroy(struct barrier *b)
{
    pthread_cond_destroy(&b->released);
    pthread_mutex_destroy(&b->lock);
}

uint64_t barrier_ns(const struct barrier *b)
{
    return (b->spins ? 150 : 1000) * (uint64_t)b->threads;
}

static bool waiting(struct barrier *b, unsigned generation)
{
    return atomic_load_explicit(&b->generation, memory_order_acquire) ==
           generation;
}

static void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Sleepers count themselves before they look a last time, and who releases
 * looks for sleepers afterwards: one of the two sees the other. */
static void sleep_until_released(struct barrier *b, unsigned generation)
{
    pthread_mutex_lock(&b->lock);
    atomic_fetch_add(&b->sleepers, 1);
    while (atomic_load(&b->generation) == generation)
        pthread_cond_wait(&b->released, &b->lock);
    atomic_fetch_sub(&b->sleepers, 1);
    pthread_mutex_unlock(&b->lock);
}

bool barrier_arrive(struct barrier *b)
{
    if (b->threads == 1)
        return true;
    unsigned generation = atomic_load(&b->generation);
    if (atomic_fetch_add(&b->arrived, 1) + 1 == b->threads)
        return true;
    for (unsigned i = 0; i < b->spins && waiting(b, generation); i++)
        pause_core();
    for (unsigned i = 0; i < b->yields && waiting(b, generation); i++)
        sched_yield();
    if (waiting(b, generation))
        sleep_until_released(b, generation);
    return false;
}

void barrier_release(struct barrier *b)
{
    if (b->threads == 1)
        return;
    atomic_store(&b->arrived, 0);
    atomic_fetch_add(&b->generation, 1);
    if (atomic_load(&b->sleepers)) {
        pthread_mutex_lock(&b->lock);
        pthread_cond_broadcast(&b->released);
        pthread_mutex_unlock(&b->lock);
    }
}
