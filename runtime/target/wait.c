/* What harts wait for other than locks: conditions, and an end of waiting. */
#include "runtime/target/gthr.h"
#include "runtime/target/target.h"

/* All clocks are one. */
static int is_past(const __gthread_time_t *end)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > end->tv_sec ||
           (now.tv_sec == end->tv_sec && now.tv_nsec >= end->tv_nsec);
}

int __gthread_mutex_timedlock(__gthread_mutex_t *mutex,
                              const __gthread_time_t *end)
{
    while (__gthread_mutex_trylock(mutex)) {
        if (is_past(end))
            return ETIMEDOUT;
        corbel_pause(1);
    }
    return 0;
}

int __gthread_recursive_mutex_timedlock(__gthread_recursive_mutex_t *mutex,
                                        const __gthread_time_t *end)
{
    while (__gthread_recursive_mutex_trylock(mutex)) {
        if (is_past(end))
            return ETIMEDOUT;
        corbel_pause(1);
    }
    return 0;
}

/* seen was read before the mutex was unlocked: no signal is missed. */
static void wait_after(__gthread_cond_t *cond, unsigned seen)
{
    while (corbel_look(cond) == seen)
        corbel_pause(1);
}

int __gthread_cond_wait(__gthread_cond_t *cond, __gthread_mutex_t *mutex)
{
    unsigned seen = corbel_look(cond);

    __gthread_mutex_unlock(mutex);
    wait_after(cond, seen);
    return __gthread_mutex_lock(mutex);
}

int __gthread_cond_wait_recursive(__gthread_cond_t *cond,
                                  __gthread_recursive_mutex_t *mutex)
{
    unsigned seen = corbel_look(cond);

    __gthread_recursive_mutex_unlock(mutex);
    wait_after(cond, seen);
    return __gthread_recursive_mutex_lock(mutex);
}

int __gthread_cond_timedwait(__gthread_cond_t *cond, __gthread_mutex_t *mutex,
                             const __gthread_time_t *end)
{
    unsigned seen = corbel_look(cond);
    int late = 0;

    __gthread_mutex_unlock(mutex);
    while (corbel_look(cond) == seen && !(late = is_past(end)))
        corbel_pause(1);
    __gthread_mutex_lock(mutex);
    return late ? ETIMEDOUT : 0;
}

int __gthread_cond_broadcast(__gthread_cond_t *cond)
{
    __atomic_fetch_add(cond, 1, __ATOMIC_RELEASE);
    return 0;
}

/* The longer it has taken, the longer it may take. */
static unsigned longer(unsigned rounds)
{
    enum { LONGEST = 64 };

    return rounds < LONGEST ? 2 * rounds : LONGEST;
}

/*
 * By loads, which harts of one L1 share, and not by atomics, which the L2 does
 * one after the other: 8192 harts meet in half of the cycles. Each acquire
 * drops the L1's copies, so that the next look finds what has been stored
 * since.
 */
static int is_still(const int *word, int old)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE) == old;
}

void __gthread_word_wait(const int *word, int old)
{
    for (unsigned rounds = 1; is_still(word, old); rounds = longer(rounds))
        corbel_pause(rounds);
}

int __gthread_word_timedwait(const int *word, int old,
                             const __gthread_time_t *end)
{
    int late = 0;

    while (is_still(word, old) && !(late = is_past(end)))
        corbel_pause(1);
    return late ? ETIMEDOUT : 0;
}

int __gthread_yield(void)
{
    corbel_pause(1);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return 0;
}
