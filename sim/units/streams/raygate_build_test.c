/* What a ray gate's links have to be is said when it is built. */
#include "sim/units/common/bench.h"

static void what_does_not_fit_is_not_built(void **state)
{
    static const struct built chips[] = {
        {.error = "0 op links but 0 done links"},
        {.links = {{"op", "tp", "op", false},
                   {"done", "tp", "done", true},
                   {"store", "raystore", "tm", true},
                   {"ray", "raystore", "ray", false}},
         .error = "a ray is 2 messages at once, the store link holds 1"},
    };
    for (unsigned i = 0; i < TABLE_COUNT(chips); i++)
        expect_not_built("raygate", &chips[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_fit_is_not_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
