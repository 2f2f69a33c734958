/*
 * Harts as POSIX threads: corbel_launch runs the kernel on CORBEL_THREADS
 * threads (default: one for each online processor) and returns when all have
 * finished, so that thread creation and joining order memory just as the
 * launch does on the target. Hart 0 is the caller itself, which keeps a
 * debugger's `step` inside the kernel and one-thread runs free of threads.
 */
#include <corbel/corbel.h>

#include <errno.h>
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

struct hart {
    void (*kernel)(void *);
    void *arg;
    unsigned number;
    pthread_t thread;
};

/* The index counter and the launch are one each, as on a chip. */
static atomic_uint next_index;
static bool running;
static _Thread_local unsigned this_hart;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "corbel: %s: %s\n", what, why);
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

uint32_t native_next(void)
{
    return atomic_fetch_add_explicit(&next_index, 1, memory_order_relaxed);
}

static void *run_hart(void *pointer)
{
    const struct hart *hart = pointer;
    this_hart = hart->number;
    hart->kernel(hart->arg);
    return NULL;
}

static void start_others(struct hart *harts, unsigned n)
{
    for (unsigned i = 1; i < n; i++) {
        int why = pthread_create(&harts[i].thread, NULL, run_hart, &harts[i]);
        if (why)
            die("cannot start a thread for a hart", strerror(why));
    }
}

void corbel_launch(void (*kernel)(void *), void *arg)
{
    unsigned n = corbel_harts();
    if (this_hart != 0 || running)
        die("corbel_launch", "called from within a kernel");
    struct hart *harts = calloc(n, sizeof *harts);
    if (!harts)
        die("corbel_launch", strerror(errno));
    for (unsigned i = 0; i < n; i++)
        harts[i] = (struct hart){.kernel = kernel, .arg = arg, .number = i};
    atomic_store_explicit(&next_index, 0, memory_order_relaxed);
    running = true;
    start_others(harts, n);
    run_hart(&harts[0]);
    for (unsigned i = 1; i < n; i++)
        pthread_join(harts[i].thread, NULL);
    running = false;
    free(harts);
}

/* Natively a "cycle" is a nanosecond of the monotonic clock. */
uint64_t corbel_cycles(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * The region of interest and the announced work only matter to the simulator;
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
