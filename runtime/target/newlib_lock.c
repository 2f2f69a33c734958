/*
 * The locks of the C library (newlib's "retargetable locking"): of malloc,
 * stdio, atexit, the environment and the time zone. Outside of kernels there is
 * only hart 0, which must not pay for atomics that go to the L2.
 *
 * All streams share one lock; so there is nothing to allocate for a stream.
 *
 * The linker is told to take these and not the library's empty ones
 * (sdk/specs/corbel.specs).
 */
#include <sys/lock.h>

#include "runtime/target/gthr.h"

struct __lock {
    __gthread_recursive_mutex_t mutex;
};

struct __lock __lock___sinit_recursive_mutex;
struct __lock __lock___sfp_recursive_mutex;
struct __lock __lock___atexit_recursive_mutex;
struct __lock __lock___at_quick_exit_mutex;
struct __lock __lock___malloc_recursive_mutex;
struct __lock __lock___env_recursive_mutex;
struct __lock __lock___tz_mutex;
struct __lock __lock___dd_hash_mutex;
struct __lock __lock___arc4random_mutex;

static struct __lock stream;

void __retarget_lock_init(_LOCK_T *lock)
{
    *lock = &stream;
}

void __retarget_lock_init_recursive(_LOCK_T *lock)
{
    *lock = &stream;
}

void __retarget_lock_close(_LOCK_T lock)
{
    (void)lock;
}

void __retarget_lock_close_recursive(_LOCK_T lock)
{
    (void)lock;
}

void __retarget_lock_acquire_recursive(_LOCK_T lock)
{
    if (corbel_kernel_running)
        __gthread_recursive_mutex_lock(&lock->mutex);
}

int __retarget_lock_try_acquire_recursive(_LOCK_T lock)
{
    return !corbel_kernel_running ||
           !__gthread_recursive_mutex_trylock(&lock->mutex);
}

void __retarget_lock_release_recursive(_LOCK_T lock)
{
    if (corbel_kernel_running)
        __gthread_recursive_mutex_unlock(&lock->mutex);
}

void __retarget_lock_acquire(_LOCK_T lock)
{
    __retarget_lock_acquire_recursive(lock);
}

int __retarget_lock_try_acquire(_LOCK_T lock)
{
    return __retarget_lock_try_acquire_recursive(lock);
}

void __retarget_lock_release(_LOCK_T lock)
{
    __retarget_lock_release_recursive(lock);
}
