/* The last of all threads that take part, and no other, each time. */
#include "sim/core/tally.h"
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define PLACES 100

static bool every_third(void *context, unsigned n)
{
    const unsigned *first = context;
    return n % 3 == *first;
}

static void the_last_one_is_told(void **state)
{
    (void)state;
    static const unsigned places[] = {1, 2, 3, 8, 9, 16, 64, 65, PLACES};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        struct tally t;
        tally_init(&t, places[i]);
        for (unsigned first = 0; first < 3 && first < places[i]; first++) {
            tally_set(&t, every_third, &first);
            for (unsigned round = 0; round < 3; round++)
                for (unsigned n = first; n < places[i]; n += 3)
                    assert_int_equal(tally_is_last(&t, n), n + 3 >= places[i]);
        }
        tally_free(&t);
    }
}

#define THREADS 4
#define ROUNDS 20000

static struct tally tally;
static atomic_uint generation;
static unsigned came[THREADS], lasts, wrong; /* the tally orders accesses */

static void *count(void *argument)
{
    unsigned n = (unsigned)(uintptr_t)argument;
    for (unsigned i = 1; i <= ROUNDS; i++) {
        came[n] = i;
        if (tally_is_last(&tally, n * 8)) { /* each on a line of its own */
            for (unsigned k = 0; k < THREADS; k++)
                wrong += came[k] != i;
            lasts++;
            atomic_store(&generation, i);
        }
        while (atomic_load(&generation) < i)
            sched_yield();
    }
    return NULL;
}

static bool each_eighth(void *context, unsigned n)
{
    (void)context;
    return n % 8 == 0;
}

static void what_others_did_before_is_seen(void **state)
{
    (void)state;
    pthread_t host[THREADS];
    tally_init(&tally, THREADS * 8);
    tally_set(&tally, each_eighth, NULL);
    for (uintptr_t n = 0; n < THREADS; n++)
        assert_int_equal(pthread_create(&host[n], NULL, count, (void *)n), 0);
    for (unsigned n = 0; n < THREADS; n++)
        pthread_join(host[n], NULL);
    assert_int_equal(lasts, ROUNDS);
    assert_int_equal(wrong, 0);
    tally_free(&tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_one_is_told),
        cmocka_unit_test(what_others_did_before_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
