/* The figures that are derived from counters name counters that there are. */
#include "sim/host/derived.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static void figures_name_counters_that_there_are(void **state)
{
    (void)state;
    struct error error;
    if (!derived_check(&error))
        fail_msg("%s", error.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_name_counters_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
