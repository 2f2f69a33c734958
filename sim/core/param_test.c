/* Parameters: numbers, choices and text, from text and back. */
#include "sim/core/param.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define TOY_PARAMS(X, T)                                                       \
    X(size, 64, 16, 4096, "bytes", "a number")                                 \
    X(order, 1, 0, 2, "=fifo|lru|random", "a choice")                          \
    X(clock, 0, 1, 100, "kHz", "unset unless given")                           \
    T(mapping, "RoCo", 8, "order", "text")                                     \
    T(note, "", 3, "words", "more text")

struct toy_params {
    TOY_PARAMS(PARAM_FIELD, TEXT_FIELD)
};
#define PARAM_STRUCT struct toy_params
static const struct param rows[] = {TOY_PARAMS(PARAM_ROW, TEXT_ROW)};
#define ROWS (unsigned)(sizeof rows / sizeof *rows)

static struct toy_params defaults(void)
{
    struct toy_params p;
    memset(&p, 0xff, sizeof p);
    param_defaults(rows, ROWS, &p);
    return p;
}

static void accepted(struct toy_params *p, const char *name, const char *text,
                     const char *shown)
{
    struct error e;
    char buffer[PARAM_TEXT_MAX + 3];
    const struct param *row = param_find(rows, ROWS, name);
    if (!param_set_text(row, p, text, &e))
        fail_msg("%s", e.text);
    param_text(row, p, buffer, sizeof buffer);
    assert_string_equal(buffer, shown);
}

static void refused(const char *name, const char *text, const char *expected)
{
    struct error e;
    struct toy_params p = defaults(), before = p;
    const struct param *row = param_find(rows, ROWS, name);
    assert_false(param_set_text(row, &p, text, &e));
    if (!strstr(e.text, expected) || strncmp(e.text, name, strlen(name)))
        fail_msg("%s=%s: \"%s\"", name, text, e.text);
    for (unsigned i = 0; i < ROWS; i++)
        assert_true(param_same(&rows[i], &p, &before));
}

static void defaults_are_those_of_the_list(void **state)
{
    struct toy_params p = defaults();
    assert_int_equal(p.size, 64);
    assert_int_equal(p.order, 1);
    assert_int_equal(p.clock, 0);
    assert_string_equal(p.mapping, "RoCo");
    assert_string_equal(p.note, "");
}

static void what_is_set_is_shown(void **state)
{
    struct toy_params p = defaults();
    accepted(&p, "size", "1k", "1024");
    accepted(&p, "order", "random", "random");
    accepted(&p, "mapping", "RoBaCoCh", "'RoBaCoCh'");
    accepted(&p, "mapping", "", "''");
    accepted(&p, "note", "a b", "'a b'");
    assert_int_equal(p.size, 1024);
    assert_int_equal(p.order, 2);
}

static void what_does_not_fit_is_refused_and_changes_nothing(void **state)
{
    struct error e;
    struct toy_params p = defaults();
    refused("size", "", "not a number");
    refused("size", "8", "outside 16..4096");
    refused("order", "mru", "none of fifo|lru|random");
    refused("clock", "0", "outside 1..100");
    refused("mapping", "RoBaRaCoC", "longer than 8 characters");
    refused("note", "a\n", "printable");
    refused("note", "'", "printable");
    assert_false(param_set(param_find(rows, ROWS, "note"), &p, 1, &e));
    assert_string_equal(p.note, "");
}

static void texts_differ_by_their_characters(void **state)
{
    struct toy_params a = defaults(), b = defaults();
    const struct param *mapping = param_find(rows, ROWS, "mapping");
    accepted(&a, "mapping", "RoBaCoCh", "'RoBaCoCh'");
    assert_false(param_same(mapping, &a, &b));
    accepted(&a, "mapping", "RoCo", "'RoCo'"); /* what is behind the end */
    assert_true(param_same(mapping, &a, &b));
}

static void ranges_name_the_default(void **state)
{
    static const char *const expected[] = {
        "64, 16..4096 bytes", "lru of fifo|lru|random", "unset, 1..100 kHz",
        "'RoCo', order of up to 8 characters",
        "'', words of up to 3 characters"};
    for (unsigned i = 0; i < ROWS; i++) {
        char text[100];
        param_range(&rows[i], text, sizeof text);
        assert_string_equal(text, expected[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_list),
        cmocka_unit_test(what_is_set_is_shown),
        cmocka_unit_test(what_does_not_fit_is_refused_and_changes_nothing),
        cmocka_unit_test(texts_differ_by_their_characters),
        cmocka_unit_test(ranges_name_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
