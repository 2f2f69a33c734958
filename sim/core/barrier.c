#include "sim/core/barrier.h"
#include "sim/core/host_clock.h"
#include "sim/core/host_load.h"
#include <sched.h>

/* More than tiles of even weight differ by, and several times what sleeping and
 * waking cost. */
#define SPIN_NS 100000
/*
 * Who waits longer than this, without a reason, waits for a thread whose core
 * others use. They will want it again: who spins, or stays runnable, uses up
 * what this process has of the cores. So the next waits are brief ones.
 */
#define LOST_NS 1000000
#define BRIEF_NS 15000
#define BRIEF_WAITS 256
/* Pauses between two looks at the clock; hosts differ in how long they are. */
#define PAUSES 16
/* With more threads than cores, the one that is waited for may be queued for
 * this core: it runs next, without anybody having to be woken. */
#define YIELDS 20

void barrier_init(struct barrier *b, unsigned threads)
{
    b->threads = threads;
    b->spin_ns = threads <= host_processors() ? SPIN_NS : 0;
    b->yields = YIELDS;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->released, NULL);
    atomic_init(&b->sleepers, 0);
    atomic_init(&b->brief, 0);
    atomic_init(&b->arrived, 0);
    atomic_init(&b->generation, 0);
    b->late = false;
}

void barrier_destroy(struct barrier *b)
{
    pthread_cond_destroy(&b->released);
    pthread_mutex_destroy(&b->lock);
}

uint64_t barrier_ns(const struct barrier *b)
{
    return (b->spin_ns ? 150 : 1000) * (uint64_t)b->threads;
}

unsigned barrier_awake(const struct barrier *b)
{
    return b->threads - atomic_load(&b->sleepers);
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

static void spin(struct barrier *b, unsigned generation, uint64_t end)
{
    do
        for (unsigned i = 0; i < PAUSES; i++) {
            if (!waiting(b, generation))
                return;
            pause_core();
        }
    while (host_ns() < end);
}

/* One of the brief waits? Of no consequence if threads miscount them. */
static bool is_brief(struct barrier *b)
{
    unsigned left = atomic_load_explicit(&b->brief, memory_order_relaxed);
    if (!b->spin_ns || !left)
        return false;
    atomic_store_explicit(&b->brief, left - 1, memory_order_relaxed);
    return true;
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

static void give_way(struct barrier *b, unsigned generation)
{
    for (unsigned i = 0; i < b->yields && waiting(b, generation); i++)
        sched_yield();
}

static void await(struct barrier *b, unsigned generation)
{
    uint64_t start = host_ns();
    bool brief = is_brief(b);
    if (b->spin_ns)
        spin(b, generation, start + (brief ? BRIEF_NS : b->spin_ns));
    if (!brief)
        give_way(b, generation);
    if (!waiting(b, generation))
        return;
    sleep_until_released(b, generation);
    if (!b->late && host_ns() - start > LOST_NS)
        atomic_store_explicit(&b->brief, BRIEF_WAITS, memory_order_relaxed);
}

bool barrier_arrive(struct barrier *b)
{
    if (b->threads == 1)
        return true;
    unsigned generation = atomic_load(&b->generation);
    if (atomic_fetch_add(&b->arrived, 1) + 1 == b->threads)
        return true;
    await(b, generation);
    return false;
}

void barrier_release(struct barrier *b, bool late)
{
    if (b->threads == 1)
        return;
    b->late = late;
    atomic_store(&b->arrived, 0);
    atomic_fetch_add(&b->generation, 1);
    if (atomic_load(&b->sleepers)) {
        pthread_mutex_lock(&b->lock);
        pthread_cond_broadcast(&b->released);
        pthread_mutex_unlock(&b->lock);
    }
}
