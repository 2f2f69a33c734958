/*
 * What libstdc++ asks of threads, for harts: its gthr-default.h on the target.
 * std::mutex, std::call_once, guards of function-local statics and the counts
 * of std::shared_ptr rest on it. Harts are never created, never end and are
 * never taken off their core, so that waiting is spinning and std::thread is
 * refused when a program is compiled (sdk/toolchain/libstdcxx-source).
 *
 * Installed with the C++ library, so it stands alone. Functions return 0, or
 * the number of an error.
 */
#ifndef CORBEL_TARGET_GTHR_H
#define CORBEL_TARGET_GTHR_H

#include <errno.h>
#include <time.h>

#define __GTHREADS 1
#define __GTHREADS_CXX0X 1
#define __GTHREAD_HAS_COND 1

/* All zero: free, nobody waits. serving is the ticket that may go on. */
typedef struct {
    unsigned next, serving;
} __gthread_mutex_t;

/* owner: hart number + 1. Both are written by the owner only. */
typedef struct {
    __gthread_mutex_t mutex;
    unsigned owner, depth;
} __gthread_recursive_mutex_t;

typedef struct {
    unsigned done;
    __gthread_mutex_t mutex;
} __gthread_once_t;

typedef unsigned __gthread_cond_t; /* how often it was signalled */
typedef unsigned __gthread_t;      /* hart number + 1; 0: no hart */
typedef struct timespec __gthread_time_t;
typedef int __gthread_key_t;

/* clang-format off */
#define __GTHREAD_MUTEX_INIT {0, 0}
#define __GTHREAD_RECURSIVE_MUTEX_INIT {{0, 0}, 0, 0}
#define __GTHREAD_ONCE_INIT {0, {0, 0}}
#define __GTHREAD_COND_INIT 0
#define __GTHREAD_TIME_INIT {0, 0}
/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif

/* Set by corbel_launch while other harts run as well. */
extern volatile int corbel_kernel_running;

/* Whether counts have to be atomic. */
static inline int __gthread_active_p(void)
{
    return corbel_kernel_running;
}

int __gthread_mutex_lock(__gthread_mutex_t *mutex);
int __gthread_mutex_trylock(__gthread_mutex_t *mutex);
int __gthread_mutex_timedlock(__gthread_mutex_t *mutex,
                              const __gthread_time_t *end);
int __gthread_mutex_unlock(__gthread_mutex_t *mutex);

int __gthread_recursive_mutex_lock(__gthread_recursive_mutex_t *mutex);
int __gthread_recursive_mutex_trylock(__gthread_recursive_mutex_t *mutex);
int __gthread_recursive_mutex_timedlock(__gthread_recursive_mutex_t *mutex,
                                        const __gthread_time_t *end);
int __gthread_recursive_mutex_unlock(__gthread_recursive_mutex_t *mutex);

/* Waits may end without a signal. */
int __gthread_cond_wait(__gthread_cond_t *cond, __gthread_mutex_t *mutex);
int __gthread_cond_wait_recursive(__gthread_cond_t *cond,
                                  __gthread_recursive_mutex_t *mutex);
int __gthread_cond_timedwait(__gthread_cond_t *cond, __gthread_mutex_t *mutex,
                             const __gthread_time_t *end);
int __gthread_cond_broadcast(__gthread_cond_t *cond);

/* Until the word is not old, as far as this hart sees; nothing has to be
 * signalled. What the hart loads afterwards is as new as the word. */
void __gthread_word_wait(const int *word, int old);
int __gthread_word_timedwait(const int *word, int old,
                             const __gthread_time_t *end);

/* When function throws, the next one that comes calls it again. */
int __gthread_once(__gthread_once_t *once, void (*function)(void));

__gthread_t __gthread_self(void);

static inline int __gthread_mutex_destroy(__gthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int
__gthread_recursive_mutex_destroy(__gthread_recursive_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int __gthread_cond_signal(__gthread_cond_t *cond)
{
    return __gthread_cond_broadcast(cond);
}

static inline int __gthread_cond_destroy(__gthread_cond_t *cond)
{
    (void)cond;
    return 0;
}

static inline int __gthread_equal(__gthread_t a, __gthread_t b)
{
    return a == b;
}

/* Afterwards the hart sees what others have stored: a loop that yields until a
 * plain or relaxed load finds something gets on. */
int __gthread_yield(void);

/* Harts are neither made nor waited for. */
static inline int __gthread_create(__gthread_t *thread, void *(*start)(void *),
                                   void *arg)
{
    (void)thread;
    (void)start;
    (void)arg;
    return EAGAIN;
}

static inline int __gthread_join(__gthread_t thread, void **result)
{
    (void)thread;
    (void)result;
    return ESRCH;
}

static inline int __gthread_detach(__gthread_t thread)
{
    (void)thread;
    return ESRCH;
}

/* Keys serve what is to happen at the end of a thread. */
static inline int __gthread_key_create(__gthread_key_t *key,
                                       void (*at_end)(void *))
{
    (void)key;
    (void)at_end;
    return EAGAIN;
}

static inline int __gthread_key_delete(__gthread_key_t key)
{
    (void)key;
    return EINVAL;
}

static inline void *__gthread_getspecific(__gthread_key_t key)
{
    (void)key;
    return 0;
}

static inline int __gthread_setspecific(__gthread_key_t key, const void *value)
{
    (void)key;
    (void)value;
    return EINVAL;
}

#ifdef __cplusplus
}
#endif

#endif
