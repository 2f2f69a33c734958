/* Names of C++ that are written out, and those that would have no end. */
#include "sim/host/run/demangle.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static void usual_names_are_written_as_in_the_source(void **state)
{
    static const char *const names[][2] = {
        {"_Z1fi", "f(int)"},
        {"_ZN4path5traceERK3Ray", "path::trace(Ray const&)"},
        {"_Z1fISt4pairIiiEEvT_S2_", "void f<std::pair<int, int> >"},
        {"_Z1fIJicEEvDpOT_", "void f<int, char>(int&&, char&&)"},
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = demangle(names[i][0]);
        assert_non_null(text);
        assert_memory_equal(text, names[i][1], strlen(names[i][1]));
        free(text);
    }
    assert_null(demangle("main"));
    assert_null(demangle("_Zx"));
}

/* f(pair<int, int>, pair<..., ...>, ...): each parameter is a pair of the one
 * before it. */
static void pairs_of_pairs(char *name, unsigned parameters)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char *to = name + sprintf(name, "_Z1fSt4pairIiiE");
    for (unsigned i = 0; i < parameters; i++)
        to += sprintf(to, "S_IS%c_S%c_E", digits[i], digits[i]);
}

static void a_name_that_doubles_with_each_reference_is_left_as_it_is(void **s)
{
    char name[512];
    pairs_of_pairs(name, 4);
    char *text = demangle(name);
    assert_non_null(text);
    free(text);
    pairs_of_pairs(name, 35);
    assert_null(demangle(name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_names_are_written_as_in_the_source),
        cmocka_unit_test(
            a_name_that_doubles_with_each_reference_is_left_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
