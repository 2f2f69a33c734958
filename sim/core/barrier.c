#include "sim/core/barrier.h"
#include "sim/core/host_clock.h"
#include "sim/core/host_load.h"
#include <sched.h>

/* More than tiles of even weight differ by, and several times what sleeping and
 * waking cost. */
#define SPIN_NS 100000
/*
 * A thread that waits longer than this, without a reason, waits for one whose
 * core others use. They will want it again: a thread that spins, or stays
 * runnable, uses up this process's share. So the next waits are brief ones.
 */
#define LOST_NS 1000000
#define BRIEF_NS 15000
#define BRIEF_WAITS 256
/* Pauses between two looks at the clock; hosts differ in how long they are. */
#define PAUSES 16
/* With more threads than cores, the one that is waited for may be queued for
 * this core: it runs next, without any thread having to be woken. */
#define YIELDS 20

void barrier_init(struct barrier *b, unsigned threads)
{
    b->threads = threads;
    b->spin_ns = threads <= host_processors() ? SPIN_NS : 0;
    b->yields = YIELDS;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->news, NULL);
    atomic_init(&b->sleepers, 0);
    atomic_init(&b->brief, 0);
    tally_init(&b->arrived, threads);
    tally_set(&b->arrived, NULL, NULL);
    atomic_init(&b->generation, 0);
    b->late = false;
}

void barrier_destroy(struct barrier *b)
{
    pthread_cond_destroy(&b->news);
    pthread_mutex_destroy(&b->lock);
    tally_free(&b->arrived);
}

uint64_t barrier_ns(const struct barrier *b)
{
    return (b->spin_ns ? 150 : 1000) * (uint64_t)b->threads;
}

unsigned barrier_awake(const struct barrier *b)
{
    return b->threads - atomic_load(&b->sleepers);
}

static void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* What a thread waits for: `over` says that it has come. */
struct wait {
    bool (*over)(void *context);
    void *context;
};

static bool is_over(const struct wait *w)
{
    return w->over(w->context);
}

static void spin(const struct wait *w, uint64_t end)
{
    do
        for (unsigned i = 0; i < PAUSES; i++) {
            if (is_over(w))
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

static void give_way(const struct barrier *b, const struct wait *w)
{
    for (unsigned i = 0; i < b->yields && !is_over(w); i++)
        sched_yield();
}

/* False: it has not come yet, and the thread should sleep. */
static bool wait_awake(struct barrier *b, const struct wait *w)
{
    bool brief = is_brief(b);
    if (b->spin_ns)
        spin(w, host_ns() + (brief ? BRIEF_NS : b->spin_ns));
    if (!brief)
        give_way(b, w);
    return is_over(w);
}

/* Sleepers count themselves before they look a last time, and a thread that
 * brings news looks for sleepers afterwards: one of the two sees the other. */
static void sleep_until(struct barrier *b, const struct wait *w)
{
    pthread_mutex_lock(&b->lock);
    atomic_fetch_add(&b->sleepers, 1);
    atomic_thread_fence(memory_order_seq_cst);
    while (!is_over(w))
        pthread_cond_wait(&b->news, &b->lock);
    atomic_fetch_sub(&b->sleepers, 1);
    pthread_mutex_unlock(&b->lock);
}

/* A thread that has slept for long without a reason waited for a core. */
static void await(struct barrier *b, const struct wait *w, const bool *reason)
{
    uint64_t start = host_ns();
    if (wait_awake(b, w))
        return;
    sleep_until(b, w);
    if (!*reason && host_ns() - start > LOST_NS)
        atomic_store_explicit(&b->brief, BRIEF_WAITS, memory_order_relaxed);
}

void barrier_await(struct barrier *b, bool (*over)(void *context),
                   void *context)
{
    static const bool none = false;
    await(b, &(struct wait){over, context}, &none);
}

void barrier_news(struct barrier *b)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&b->sleepers, memory_order_relaxed))
        return;
    pthread_mutex_lock(&b->lock);
    pthread_cond_broadcast(&b->news);
    pthread_mutex_unlock(&b->lock);
}

/* ---- the barrier ---- */

/* Of a thread that has arrived: has it been released? */
struct arrival {
    const struct barrier *barrier;
    unsigned generation;
};

static bool is_released(void *context)
{
    const struct arrival *a = context;
    return atomic_load_explicit(&a->barrier->generation,
                                memory_order_acquire) != a->generation;
}

bool barrier_arrive(struct barrier *b, unsigned n)
{
    if (b->threads == 1)
        return true;
    unsigned generation = atomic_load(&b->generation);
    if (tally_is_last(&b->arrived, n))
        return true;
    struct arrival arrival = {b, generation};
    await(b, &(struct wait){is_released, &arrival}, &b->late);
    return false;
}

void barrier_release(struct barrier *b, bool late)
{
    if (b->threads == 1)
        return;
    b->late = late;
    atomic_fetch_add(&b->generation, 1);
    barrier_news(b);
}
