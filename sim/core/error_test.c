/* Errors are one line of bounded length. */
#include "sim/core/error.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void bytes_that_are_no_text_are_shown(void **state)
{
    static const struct {
        const char *given, *shown;
    } rows[] = {
        {"a b/c", "a b/c"},
        {"a\nb\tc\r\033[2J", "a\\nb\\tc\\r\\e[2J"},
        {"\x01\x7f", "\\x01\\x7f"},
        {"\xc3\x9c\xe2\x82\xac\xf0\x9f\x98\x80",
         "\xc3\x9c\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"\xc2\x9b"
         "1m",
         "\\xc2\\x9b1m"},
        {"\xff\xc3", "\\xff\\xc3"},
        {"\xc0\xaf\xe0\x80\xaf", "\\xc0\\xaf\\xe0\\x80\\xaf"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e;
        assert_false(error_set(&e, "%s", rows[i].given));
        assert_string_equal(e.text, rows[i].shown);
    }
}

/* All lengths and sizes: within bounds, the beginning and the end are there. */
static void a_line_that_is_too_long_loses_its_middle(void **state)
{
    char text[400], line[200];
    for (size_t length = 2; length < sizeof text; length++)
        for (size_t size = 32; size <= sizeof line; size += 7) {
            memset(text, length % 3 ? 'x' : '\n', length);
            text[0] = 'a';
            text[length - 1] = 'z';
            text[length] = '\0';
            memset(line, '#', sizeof line);
            size_t used = corbel_line(line, size, text);
            assert_true(used < size && line[used] == '\0');
            assert_int_equal(used, strlen(line));
            assert_true(line[0] == 'a' && line[used - 1] == 'z');
            bool fits = corbel_line_length(text) < size;
            assert_int_equal(!strstr(line, " ... "), fits);
        }
}

static void a_long_value_leaves_what_was_expected(void **state)
{
    static char value[100001];
    struct error e;
    memset(value, 'v', sizeof value - 1);
    error_set(&e, "--option %s: expected a number", value);
    assert_ptr_equal(strstr(e.text, "--option vvv"), e.text);
    assert_non_null(strstr(e.text, " ... "));
    assert_non_null(strstr(e.text, "vvv: expected a number"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_that_are_no_text_are_shown),
        cmocka_unit_test(a_line_that_is_too_long_loses_its_middle),
        cmocka_unit_test(a_long_value_leaves_what_was_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
