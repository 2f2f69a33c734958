/* What is suggested for a name that is not known. */
#include "sdk/whole/meant.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void only_what_a_typing_error_explains_is_suggested(void **state)
{
    static const char *const names[] = {"harts", "max_rays", "quiet",
                                        "log-commits", "check-memory"};
    static const struct {
        const char *wrong, *near;
    } rows[] = {
        {"hart", "harts"},
        {"hats", "harts"},
        {"maxrays", "max_rays"},
        {"quite", "quiet"},
        {"log-comits", "log-commits"},
        {"chekc-memroy", "check-memory"},
        {"chokc-momrey", NULL},
        {"qiuet", "quiet"},
        {"check-memroy", "check-memory"},
        {"HARTS", "harts"},
        {"Max_Ray", "max_rays"},
        {"QUITE", "quiet"},
        {"nosuch", NULL},
        {"h", NULL},
        {"", NULL},
        {"rays", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *near = meant_typing(rows[i].wrong, names, 5);
        if (rows[i].near)
            assert_string_equal(near, rows[i].near);
        else
            assert_null(near);
    }
}

static void parts_of_names_are_suggested_the_closest_first(void **state)
{
    static const char *const names[] = {
        "rtx2060", "rtx2080-arches", "rtx2080", "rtx2080-paper",
        "strata",  "rtx2080",        "l1",      "uvm-v100"};
    static const struct {
        const char *dashes, *wrong, *text;
    } rows[] = {
        {"", "2080",
         ", did you mean 'rtx2080', 'rtx2080-paper' or 'rtx2080-arches'?"},
        {"", "RTX", ", did you mean 'rtx2060', 'rtx2080' or 'rtx2080-paper'?"},
        {"", "V100", ", did you mean 'uvm-v100'?"},
        {"", "my-rtx2060-chip", ", did you mean 'rtx2060'?"},
        {"", "strat", ", did you mean 'strata'?"},
        {"--", "--strata-rt=1", ", did you mean --strata?"},
        {"--", "starta=1", ", did you mean --strata?"},
        {"", "cruel1", ""},
        {"", "1", ""},
        {"", "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(meant(rows[i].dashes, rows[i].wrong, names,
                                  sizeof names / sizeof *names)
                                .text,
                            rows[i].text);
}

static void long_names_fit(void **state)
{
    char near[63 + 1], other[63 + 1], third[63 + 1], beyond[200];
    const char *const names[] = {near, other, third, beyond};
    memset(near, 'a', 63);
    memset(other, 'a', 63);
    memset(third, 'a', 63);
    memset(beyond, 'a', 199);
    near[63] = other[63] = third[63] = beyond[199] = '\0';
    other[0] = 'b';
    third[0] = 'c';
    const struct meant m = meant("--", "aaaaaaaa", names, 4);
    assert_int_equal(strlen(m.text),
                     strlen(", did you mean , or ?") + 3 * (2 + 63) + 1);
    assert_null(meant_typing(beyond, names, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_a_typing_error_explains_is_suggested),
        cmocka_unit_test(parts_of_names_are_suggested_the_closest_first),
        cmocka_unit_test(long_names_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
