/* Other work of the host. */
#include "sim/core/host_load.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static void the_system_says_how_many_threads_want_a_processor(void **state)
{
    (void)state;
    assert_int_equal(host_wanting("1.61 0.94 0.95 3/88 8893\n"), 3);
    assert_int_equal(host_wanting("0.00 0.00 0.00 1/2 7"), 1);
    assert_int_equal(host_wanting("120.50 99.01 80.25 1234/5678 9"), 1234);
}

static void what_it_does_not_say_is_no_work(void **state)
{
    (void)state;
    assert_int_equal(host_wanting(""), 0);
    assert_int_equal(host_wanting("1.61 0.94 0.95"), 0);
    assert_int_equal(host_wanting("no load"), 0);
}

static void a_host_is_crowded_by_others(void **state)
{
    (void)state;
    assert_true(host_crowded(1, 2, 2));
    assert_true(host_crowded(60, 4, 63));
    assert_false(host_crowded(60, 4, 64));
    assert_false(host_crowded(1, 2, 3));
}

static void more_threads_than_processors_do_not_crowd_it(void **state)
{
    (void)state;
    assert_false(host_crowded(0, 64, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_system_says_how_many_threads_want_a_processor),
        cmocka_unit_test(what_it_does_not_say_is_no_work),
        cmocka_unit_test(a_host_is_crowded_by_others),
        cmocka_unit_test(more_threads_than_processors_do_not_crowd_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
