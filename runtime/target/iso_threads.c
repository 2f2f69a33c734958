/* <threads.h> over the locks of harts. */
#include <errno.h>
#include <threads.h>
#include <time.h>

#include "runtime/target/gthr.h"

_Static_assert(sizeof(__gthread_recursive_mutex_t) ==
                   sizeof(((mtx_t *)0)->__lock),
               "mtx_t");
_Static_assert(sizeof(__gthread_once_t) == sizeof(once_flag), "once_flag");

static __gthread_recursive_mutex_t *recursive(mtx_t *mutex)
{
    return (void *)&mutex->__lock;
}

/* The first part of the other one. */
static __gthread_mutex_t *plain(mtx_t *mutex)
{
    return (void *)&mutex->__lock;
}

static int is_recursive(const mtx_t *mutex)
{
    return mutex->__kind & mtx_recursive;
}

static int told(int error)
{
    return !error               ? thrd_success
           : error == EBUSY     ? thrd_busy
           : error == ETIMEDOUT ? thrd_timedout
                                : thrd_error;
}

int mtx_init(mtx_t *mutex, int kind)
{
    *mutex = (mtx_t){.__kind = kind};
    return thrd_success;
}

void mtx_destroy(mtx_t *mutex)
{
}

int mtx_lock(mtx_t *mutex)
{
    return told(is_recursive(mutex)
                    ? __gthread_recursive_mutex_lock(recursive(mutex))
                    : __gthread_mutex_lock(plain(mutex)));
}

int mtx_trylock(mtx_t *mutex)
{
    return told(is_recursive(mutex)
                    ? __gthread_recursive_mutex_trylock(recursive(mutex))
                    : __gthread_mutex_trylock(plain(mutex)));
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict end)
{
    return told(is_recursive(mutex)
                    ? __gthread_recursive_mutex_timedlock(recursive(mutex), end)
                    : __gthread_mutex_timedlock(plain(mutex), end));
}

int mtx_unlock(mtx_t *mutex)
{
    return told(is_recursive(mutex)
                    ? __gthread_recursive_mutex_unlock(recursive(mutex))
                    : __gthread_mutex_unlock(plain(mutex)));
}

int cnd_init(cnd_t *condition)
{
    *condition = 0;
    return thrd_success;
}

void cnd_destroy(cnd_t *condition)
{
}

int cnd_broadcast(cnd_t *condition)
{
    return told(__gthread_cond_broadcast(condition));
}

int cnd_signal(cnd_t *condition)
{
    return cnd_broadcast(condition);
}

int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    return told(is_recursive(mutex)
                    ? __gthread_cond_wait_recursive(condition, recursive(mutex))
                    : __gthread_cond_wait(condition, plain(mutex)));
}

/* A recursive mutex is given back as often as it was taken once, as with a wait
 * that has no end. */
int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
                  const struct timespec *restrict end)
{
    unsigned *owner = &mutex->__lock.__owner, self = *owner;

    *owner = 0;
    int error = __gthread_cond_timedwait(condition, plain(mutex), end);
    *owner = self;
    return told(error);
}

void call_once(once_flag *once, void (*function)(void))
{
    __gthread_once((__gthread_once_t *)(void *)once, function);
}

thrd_t thrd_current(void)
{
    return __gthread_self();
}

int thrd_equal(thrd_t a, thrd_t b)
{
    return a == b;
}

void thrd_yield(void)
{
    __gthread_yield();
}

/* 0, or less than -1 for an error, as the standard has it. */
int thrd_sleep(const struct timespec *time, struct timespec *left)
{
    return nanosleep(time, left) ? -2 : 0;
}
