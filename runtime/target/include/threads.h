/*
 * Threads of ISO C, which are harts: mutexes, conditions, single calls and
 * values of each. None is made or ended (runtime/target/absent_threads.S).
 */
#ifndef _THREADS_H_
#define _THREADS_H_

#include <time.h>

#ifdef __cplusplus
extern "C" {
#else
#define thread_local _Thread_local
#endif

/* The layouts are those of runtime/target/gthr.h. */
typedef struct {
    int __kind;
    struct {
        unsigned __next, __serving, __owner, __depth;
    } __lock;
} mtx_t;
typedef unsigned cnd_t;
typedef struct {
    unsigned __done, __next, __serving;
} once_flag;
typedef unsigned thrd_t;
typedef unsigned tss_t;
typedef void (*tss_dtor_t)(void *);
typedef int (*thrd_start_t)(void *);

#define ONCE_FLAG_INIT                                                         \
    {                                                                          \
        0, 0, 0                                                                \
    }
#define TSS_DTOR_ITERATIONS 4

enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
enum {
    thrd_success = 0,
    thrd_busy = 1,
    thrd_error = 2,
    thrd_nomem = 3,
    thrd_timedout = 4
};

void call_once(once_flag *, void (*)(void));
int cnd_broadcast(cnd_t *);
void cnd_destroy(cnd_t *);
int cnd_init(cnd_t *);
int cnd_signal(cnd_t *);
int cnd_timedwait(cnd_t *__restrict, mtx_t *__restrict,
                  const struct timespec *__restrict);
int cnd_wait(cnd_t *, mtx_t *);
void mtx_destroy(mtx_t *);
int mtx_init(mtx_t *, int);
int mtx_lock(mtx_t *);
int mtx_timedlock(mtx_t *__restrict, const struct timespec *__restrict);
int mtx_trylock(mtx_t *);
int mtx_unlock(mtx_t *);
int thrd_create(thrd_t *, thrd_start_t, void *);
thrd_t thrd_current(void);
int thrd_detach(thrd_t);
int thrd_equal(thrd_t, thrd_t);
void thrd_exit(int) __attribute__((__noreturn__));
int thrd_join(thrd_t, int *);
int thrd_sleep(const struct timespec *, struct timespec *);
void thrd_yield(void);
int tss_create(tss_t *, tss_dtor_t);
void tss_delete(tss_t);
void *tss_get(tss_t);
int tss_set(tss_t, void *);

#ifdef __cplusplus
}
#endif

#endif
