/* A permuted order of work has each index once, and other seeds another order.
 */
#include "sim/units/common/work_order.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 5000 };

static void has_each_index_once(void **unused)
{
    const uint32_t counts[] = {1, 31, 32, 33, 64, 96, 1000, 4096, 4999};
    for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++)
        for (uint32_t seed = 1; seed < 20; seed++) {
            const struct work_order order = {seed, counts[c] / WORK_BLOCK};
            uint8_t seen[MOST] = {0};
            for (uint32_t i = 0; i < counts[c]; i++) {
                uint32_t index = work_in_order(&order, i);
                assert_true(index < counts[c] && !seen[index]);
                seen[index] = 1;
            }
        }
}

static void keeps_what_is_not_announced(void **unused)
{
    const struct work_order order = {7, 100}, own = {7, 0};
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(work_in_order(&order, 3200 + i), 3200 + i);
        assert_int_equal(work_in_order(&own, i), i);
    }
    assert_int_equal(work_in_order(&order, UINT32_MAX), UINT32_MAX);
}

static void keeps_neighbours_together(void **unused)
{
    const struct work_order order = {3, 100};
    for (uint32_t i = 0; i < 3200; i++)
        assert_int_equal(work_in_order(&order, i) % WORK_BLOCK, i % WORK_BLOCK);
}

/* Of a random order one block in a hundred is where it was. */
static void differs_by_its_seed(void **unused)
{
    for (uint32_t seed = 1; seed < 50; seed++) {
        const struct work_order a = {seed, 100}, b = {seed + 1, 100};
        unsigned kept = 0, same = 0;
        for (uint32_t i = 0; i < 100; i++) {
            kept += work_block(&a, i) == i;
            same += work_block(&a, i) == work_block(&b, i);
        }
        assert_true(kept < 10 && same < 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_each_index_once),
        cmocka_unit_test(keeps_what_is_not_announced),
        cmocka_unit_test(keeps_neighbours_together),
        cmocka_unit_test(differs_by_its_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
