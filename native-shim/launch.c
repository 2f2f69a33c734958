/*
 * Harts as POSIX threads: corbel_launch runs the kernel on CORBEL_THREADS
 * threads (default: one for each online processor) and returns when all have
 * finished; start and end order memory just as on the target. Hart 0 is the
 * caller itself, which keeps a debugger's `step` inside the kernel and
 * one-thread runs free of threads. The others are started by the first launch
 * and wait between launches, as those of a chip do: what is thread-local
 * belongs to a hart and stays.
 */
#include <corbel/corbel.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "native-shim/native.h"

enum { MAX_HARTS = 1024 };

/* The launch that runs, and how many have been: what waiting harts look at. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void (*kernel)(void *);
    void *arg;
    unsigned long count;
    unsigned busy; /* harts that have not returned from it, without hart 0 */
} launch = {.lock = PTHREAD_MUTEX_INITIALIZER,
            .changed = PTHREAD_COND_INITIALIZER};

/* The index counter is one, as on a chip. */
uint32_t native_next_index;
static atomic_bool running;
static _Thread_local unsigned this_hart;

static void die(const char *what, const char *why)
{
    native_say("%s: %s", what, why);
    exit(1);
}

static unsigned choose_harts(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    online = online < 1 ? 1 : online > MAX_HARTS ? MAX_HARTS : online;
    return (unsigned)native_number("CORBEL_THREADS", online, 1, MAX_HARTS);
}

unsigned corbel_harts(void)
{
    static atomic_uint harts;
    unsigned n = atomic_load_explicit(&harts, memory_order_relaxed);
    if (n == 0) {
        n = choose_harts();
        atomic_store_explicit(&harts, n, memory_order_relaxed);
    }
    return n;
}

unsigned corbel_hart(void)
{
    return this_hart;
}

static void wait_for_launch(unsigned long seen)
{
    pthread_mutex_lock(&launch.lock);
    while (launch.count == seen)
        pthread_cond_wait(&launch.changed, &launch.lock);
    pthread_mutex_unlock(&launch.lock);
}

static void end_of_kernel(void)
{
    pthread_mutex_lock(&launch.lock);
    if (--launch.busy == 0)
        pthread_cond_broadcast(&launch.changed);
    pthread_mutex_unlock(&launch.lock);
}

/* What the thread of a hart does as long as the program runs. */
_Noreturn static void *run_hart(void *number)
{
    this_hart = (unsigned)(uintptr_t)number;
    for (unsigned long seen = 0;; seen++) {
        wait_for_launch(seen);
        launch.kernel(launch.arg);
        end_of_kernel();
    }
}

static void start_hart(unsigned number)
{
    pthread_t thread;
    int why =
        pthread_create(&thread, NULL, run_hart, (void *)(uintptr_t)number);
    if (why)
        die("cannot start a thread for a hart", strerror(why));
    pthread_detach(thread);
}

static void begin(void (*kernel)(void *), void *arg)
{
    pthread_mutex_lock(&launch.lock);
    launch.kernel = kernel;
    launch.arg = arg;
    launch.busy = corbel_harts() - 1;
    launch.count++;
    pthread_cond_broadcast(&launch.changed);
    pthread_mutex_unlock(&launch.lock);
}

static void wait_for_end(void)
{
    pthread_mutex_lock(&launch.lock);
    while (launch.busy > 0)
        pthread_cond_wait(&launch.changed, &launch.lock);
    pthread_mutex_unlock(&launch.lock);
}

void corbel_launch(void (*kernel)(void *), void *arg)
{
    if (this_hart != 0 || running)
        die("corbel_launch", "called from within a kernel");
    if (launch.count == 0)
        for (unsigned i = 1; i < corbel_harts(); i++)
            start_hart(i);
    native_launch_units();
    running = true;
    begin(kernel, arg);
    kernel(arg);
    wait_for_end();
    running = false;
}

bool native_in_kernel(void)
{
    return running;
}

/* Natively a "cycle" is a nanosecond of the monotonic clock. */
uint64_t corbel_cycles(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * The region of interest and what is announced only matter to the simulator;
 * here they are functions to set a breakpoint on.
 */
void corbel_roi_begin(void)
{
}

void corbel_roi_end(void)
{
}

void corbel_work(uint64_t items)
{
}

void corbel_frame(const void *pixels, size_t bytes)
{
}
