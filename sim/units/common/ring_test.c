/* A ring keeps its entries in order, across the end of its array. */
#include "sim/units/common/ring.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static void entries_leave_in_the_order_in_which_they_came(void **state)
{
    enum { ROOM = 3 };
    unsigned entries[ROOM], next = 0, first = 0;
    struct ring r = {.room = ROOM};
    for (unsigned round = 0; round < 10; round++) {
        while (!ring_full(&r))
            entries[ring_add(&r)] = next++;
        for (unsigned n = 0; n < r.count; n++)
            assert_int_equal(entries[ring_place(&r, n)], first + n);
        for (unsigned n = 0; n < 1 + round % ROOM; n++) {
            assert_int_equal(entries[r.head], first++);
            ring_drop(&r);
        }
        assert_int_equal(r.count, next - first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_leave_in_the_order_in_which_they_came),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
