/* Numbers are the nearest floats, whichever way they are written. */
#include "number.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* All of the text is a number, the one that the C library reads. */
static void check(const char *text)
{
    const char *end = text + strlen(text);
    float single = -1;
    double wide = -1;
    assert_ptr_equal(number_float(text, end, &single), end);
    assert_ptr_equal(number_double(text, end, &wide), end);
    assert_int_equal(bits_of(single), bits_of(strtof(text, NULL)));
    assert_memory_equal(&wide, &(double){strtod(text, NULL)}, sizeof wide);
}

static void every_way_to_write_a_number_is_read(void **state)
{
    static const char *const text[] = {
        "0",
        "-0",
        "+1",
        ".5",
        "5.",
        "+.5e-3",
        "-1E+2",
        "1e400",
        "-1e400",
        "1e-400",
        "1.3049999",
        "00012.5000",
        "16777217",
        "16777219",
        "9007199254740993",
        "1.00000005960464477539062500",
        "1.00000005960464477539062501",
        "1.00000005960464477539062499",
        "3.4028235e38",
        "3.4028236e38",
        "1.17549435e-38",
        "7e-46",
        "1e-45",
        "123456789012345678901234567890",
        "0.000000000000000000000000000001",
        "1e22",
        "1e23",
        "-inf",
        "Infinity",
        "8.5899348e9",
        "1e999999999999",
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        check(text[i]);
}

static void random_numbers_are_rounded_once(void **state)
{
    char text[64];
    uint64_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const uint32_t bits = (uint32_t)(seed >> 32);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        /* Every other one lies near the middle of two floats. */
        const double middle =
            ((double)value + (double)nextafterf(value, 0)) / 2;
        snprintf(text, sizeof text, "%.*g", 5 + i % 20,
                 i % 2 ? middle : (double)value);
        check(text);
    }
}

static void what_is_no_number_is_refused(void **state)
{
    static const char *const text[] = {"",    "-",   ".", "e5", "x",
                                       "+-1", "--1", "#", "/"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        float single;
        double wide;
        int64_t whole;
        const char *end = text[i] + strlen(text[i]);
        assert_null(number_float(text[i], end, &single));
        assert_null(number_double(text[i], end, &wide));
        assert_null(number_whole(text[i], end, &whole));
    }
}

static void a_number_ends_where_it_ends(void **state)
{
    static const struct {
        const char *text;
        size_t length;
    } row[] = {{"1e", 1},   {"1e+", 1}, {"1.5.2", 3}, {"0x10", 1},
               {"12/3", 2}, {"1,5", 1}, {"nano", 3},  {"2d5", 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        float value;
        const char *text = row[i].text;
        assert_ptr_equal(number_float(text, text + strlen(text), &value),
                         text + row[i].length);
    }
    /* No byte behind the end is looked at. */
    float value;
    const char *text = "12345";
    assert_ptr_equal(number_float(text, text + 2, &value), text + 2);
    assert_true(value == 12);
}

static void whole_numbers_have_signs_and_a_limit(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
    } row[] = {{"7", 7},
               {"+7", 7},
               {"-12", -12},
               {"007", 7},
               {"99999999999999999999999999", 100000000000000000},
               {"-99999999999999999999999999", -100000000000000000}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int64_t value;
        const char *end = row[i].text + strlen(row[i].text);
        assert_ptr_equal(number_whole(row[i].text, end, &value), end);
        assert_int_equal(value, row[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_write_a_number_is_read),
        cmocka_unit_test(random_numbers_are_rounded_once),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(a_number_ends_where_it_ends),
        cmocka_unit_test(whole_numbers_have_signs_and_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
