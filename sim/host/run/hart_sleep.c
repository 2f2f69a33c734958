/*
 * Harts that sleep: a heap of them by the time at which they wake, then by hart
 * number, so that the next is found at once however many there are. In a timed
 * run the engine calls at that cycle (an alarm), in a functional one the loop
 * over the harts asks for sleep_next.
 */
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include "sim/host/run/cores.h"
#include "sim/host/state/checkpoint.h"
#include <errno.h>
#include <stdlib.h>

struct sleeper {
    uint64_t due, since;
    struct hart *hart;
};

/* Harts that wake in the same cycle do so by number, whatever the heap has. */
static bool before(const struct sleeper *a, const struct sleeper *b)
{
    return a->due != b->due ? a->due < b->due : a->hart < b->hart;
}

static void swap(struct sleeper *a, struct sleeper *b)
{
    struct sleeper s = *a;
    *a = *b;
    *b = s;
}

/* A heap: none is due before the one above it. */
static void rise(struct sleeper *heap, unsigned i)
{
    for (; i && before(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&heap[i], &heap[(i - 1) / 2]);
}

static void sink(struct sleeper *heap, unsigned count)
{
    for (unsigned i = 0, child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &heap[i]))
            return;
        swap(&heap[child], &heap[i]);
    }
}

int64_t sleep_until(struct host *host, struct hart *hart, uint64_t due)
{
    if (!host->sleep.sleepers)
        host->sleep.sleepers =
            calloc(host->machine.hart_count, sizeof *host->sleep.sleepers);
    if (!host->sleep.sleepers)
        return -ENOMEM;
    struct sleeper *s = &host->sleep.sleepers[host->sleep.count];
    *s = (struct sleeper){due, host->now, hart};
    rise(host->sleep.sleepers, host->sleep.count++);
    hart->state = HART_SLEEPING;
    if (host_is_timed(host))
        engine_alarm(host->engine, due);
    return 0;
}

uint64_t sleep_next(const struct host *host)
{
    return host->sleep.count ? host->sleep.sleepers[0].due : CYCLE_NEVER;
}

/* Instructions count as cycles, those that were slept as well. */
static void wake(struct host *host, const struct sleeper *s)
{
    const struct core_kind *core = core_of(s->hart);
    if (!host_is_timed(host) && core->slept)
        core->slept(s->hart->core, s->hart->slot, host->now - s->since);
    host_resume(host, s->hart);
}

void sleep_wake(struct host *host)
{
    while (sleep_next(host) <= host->now) {
        struct sleeper first = host->sleep.sleepers[0];
        host->sleep.sleepers[0] = host->sleep.sleepers[--host->sleep.count];
        sink(host->sleep.sleepers, host->sleep.count);
        wake(host, &first);
    }
    if (host_is_timed(host) && host->sleep.count)
        engine_alarm(host->engine, sleep_next(host));
}

/* The heap is saved as it lies: which one is above which does not matter. */
void sleep_state(struct host *host, struct state *s)
{
    unsigned most = host->machine.hart_count;
    state_number(s, &host->sleep.count, most, "harts that sleep");
    if (host->sleep.count && !host->sleep.sleepers)
        host->sleep.sleepers =
            heap_new(most, sizeof *host->sleep.sleepers, "harts");
    for (unsigned i = 0; i < host->sleep.count; i++) {
        STATE_VALUE(s, host->sleep.sleepers[i].due);
        STATE_VALUE(s, host->sleep.sleepers[i].since);
        state_hart(host, s, &host->sleep.sleepers[i].hart);
        if (!host->sleep.sleepers[i].hart)
            state_fail(s, "no hart sleeps where one should");
    }
}
