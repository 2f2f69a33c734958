/* Arrays that grow: nothing of them is lost, nothing is held twice. */
#include "sim/core/chip_private.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define THREADS 4
#define STEPS 14 /* to 64 bytes << 14, a megabyte */

static void grow_to(struct pile *p, char **array, size_t bytes)
{
    size_t old = bytes / 2 >= 64 ? bytes / 2 : 0;
    *array = pile_regrow(p, *array, old, bytes);
    assert_int_equal((uintptr_t)*array % 64, 0);
}

/* Each byte says whose it is. */
static void *grow(void *argument)
{
    struct pile *p = ((void **)argument)[0];
    char mine = *(char *)((void **)argument)[1], *array = NULL;
    for (size_t bytes = 64; bytes <= (size_t)64 << STEPS; bytes *= 2) {
        grow_to(p, &array, bytes);
        for (size_t i = 0; bytes > 64 && i < bytes / 2; i++)
            assert_int_equal(array[i], mine);
        memset(array, mine, bytes);
    }
    return pile_regrow(p, array, (size_t)64 << STEPS, 0);
}

static void arrays_of_all_threads_keep_what_they_hold(void **state)
{
    (void)state;
    struct pile p = {0};
    pthread_t threads[THREADS];
    char names[THREADS];
    void *arguments[THREADS][2];
    pile_init(&p);
    for (int i = 0; i < THREADS; i++) {
        names[i] = (char)('a' + i);
        arguments[i][0] = &p;
        arguments[i][1] = &names[i];
        assert_int_equal(pthread_create(&threads[i], NULL, grow, arguments[i]),
                         0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pile_free(&p);
}

static void what_is_given_back_is_taken_again(void **state)
{
    (void)state;
    struct pile p = {0};
    pile_init(&p);
    char *a = pile_regrow(&p, NULL, 0, 1000);
    char *b = pile_regrow(&p, NULL, 0, 1000);
    assert_ptr_not_equal(a, b);
    assert_null(pile_regrow(&p, a, 1000, 0));
    assert_ptr_equal(pile_regrow(&p, NULL, 0, 800), a); /* 1024 as well */
    assert_ptr_not_equal(pile_regrow(&p, NULL, 0, 800), b);
    pile_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_of_all_threads_keep_what_they_hold),
        cmocka_unit_test(what_is_given_back_is_taken_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
