/* The figures that are derived from counters name counters that there are. */
#include "sim/host/derived.h"
#include "sim/units/units.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static void figures_name_counters_that_there_are(void **state)
{
    (void)state;
    struct error error;
    for (unsigned i = 0; unit_kinds[i]; i++)
        if (!derived_check(unit_kinds[i], &error))
            fail_msg("%s", error.text);
}

static void a_misspelt_name_is_found(void **state)
{
    (void)state;
    static const struct stat_row counters[] = {{"hits", "hits", "", 0}};
    static const struct figure_row wrong[] = {
        {.name = "rate", .over = {"hits"}, .under = {"hist"}},
        {.name = "p50", .prefix = "latency_", .per_mille = 500},
    };
    struct unit_kind kind = {.name = "toy",
                             .stat_rows = counters,
                             .stat_count = 1,
                             .figure_rows = wrong,
                             .figure_count = 1};
    struct error error;
    assert_false(derived_check(&kind, &error));
    assert_string_equal(error.text, "rate of toy: there is no counter 'hist'");
    kind.figure_rows = &wrong[1];
    assert_false(derived_check(&kind, &error));
    assert_string_equal(error.text,
                        "p50 of toy: there is no counter 'latency_...'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_name_counters_that_there_are),
        cmocka_unit_test(a_misspelt_name_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
