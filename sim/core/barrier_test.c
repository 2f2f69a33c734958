/* No thread passes before all have come, spinning, yielding or asleep. */
#include "sim/core/barrier.h"
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define THREADS 5
#define ROUNDS 2000

struct meeting {
    struct barrier barrier;
    unsigned came[THREADS]; /* not atomic: the barrier orders all accesses */
    unsigned rounds, wrong;
};
struct guest {
    struct meeting *meeting;
    unsigned number;
};

/* The last to arrive calls it: each thread has come once more. */
static void look(struct meeting *m)
{
    m->rounds++;
    for (unsigned i = 0; i < m->barrier.threads; i++)
        m->wrong += m->came[i] != m->rounds;
}

static void *meet(void *argument)
{
    struct guest *g = argument;
    struct meeting *m = g->meeting;
    for (unsigned i = 0; i < ROUNDS; i++) {
        m->came[g->number]++;
        if (barrier_arrive(&m->barrier, g->number)) {
            look(m);
            barrier_release(&m->barrier, i % 2);
        }
        if (m->rounds != i + 1)
            return m;
    }
    return NULL;
}

static void check_meeting(unsigned threads, uint64_t spin_ns, unsigned yields)
{
    struct meeting m = {.rounds = 0};
    struct guest guests[THREADS];
    pthread_t host[THREADS];
    barrier_init(&m.barrier, threads);
    m.barrier.spin_ns = spin_ns;
    m.barrier.yields = yields;
    for (unsigned i = 0; i < threads; i++) {
        guests[i] = (struct guest){&m, i};
        assert_int_equal(pthread_create(&host[i], NULL, meet, &guests[i]), 0);
    }
    for (unsigned i = 0; i < threads; i++) {
        void *early;
        pthread_join(host[i], &early);
        assert_null(early);
    }
    assert_int_equal(m.rounds, ROUNDS);
    assert_int_equal(m.wrong, 0);
    barrier_destroy(&m.barrier);
}

static void all_come_before_one_goes(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= THREADS; threads++) {
        check_meeting(threads, 0, 0);
        check_meeting(threads, 500, 10);
        check_meeting(threads, 0, 20);
    }
    check_meeting(2, 50000, 0);
}

static void *arrive(void *barrier)
{
    barrier_arrive(barrier, 1);
    return NULL;
}

/* The other one comes 5 ms after this one sleeps. Returns how many waits will
 * be brief. */
static unsigned brief_after_long_wait(bool late)
{
    struct barrier b;
    pthread_t waiter;
    barrier_init(&b, 2);
    b.spin_ns = 1000; /* also where there is one core */
    assert_int_equal(pthread_create(&waiter, NULL, arrive, &b), 0);
    while (!atomic_load(&b.sleepers))
        sched_yield();
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    assert_true(barrier_arrive(&b, 0));
    barrier_release(&b, late);
    pthread_join(waiter, NULL);
    unsigned brief = atomic_load(&b.brief);
    barrier_destroy(&b);
    return brief;
}

static void waits_are_brief_after_a_long_one_without_reason(void **state)
{
    (void)state;
    assert_int_not_equal(brief_after_long_wait(false), 0);
    assert_int_equal(brief_after_long_wait(true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_come_before_one_goes),
        cmocka_unit_test(waits_are_brief_after_a_long_one_without_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
