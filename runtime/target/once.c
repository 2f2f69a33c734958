/*
 * The hart that comes first calls, while others wait. Compiled with
 * -fexceptions: the lock is given back when the function throws.
 */
#include "runtime/target/gthr.h"

static void unlock(__gthread_mutex_t **mutex)
{
    __gthread_mutex_unlock(*mutex);
}

int __gthread_once(__gthread_once_t *once, void (*function)(void))
{
    if (__atomic_load_n(&once->done, __ATOMIC_ACQUIRE))
        return 0;
    __attribute__((cleanup(unlock))) __gthread_mutex_t *mutex = &once->mutex;
    __gthread_mutex_lock(mutex);
    if (!once->done) {
        function();
        __atomic_store_n(&once->done, 1, __ATOMIC_RELEASE);
    }
    return 0;
}
