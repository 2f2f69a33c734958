#include "sdk/common/arguments.h"

#include "sdk/common/report.h"
#include "sdk/whole/meant.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* getopt_long has put the letter or code into optopt: 0 for a long option that
 * is not known. */
_Noreturn void argument_wrong(int code, char **argv, const struct option *known)
{
    const char *names[64];
    unsigned count = 0;
    const char *option = argv[optind - 1];
    if (code == ':')
        fail(STATUS_USAGE, "%s needs a value; see --help", option);
    if (optopt > 0 && optopt < 256)
        fail(STATUS_USAGE, "unknown option -%c; see --help", optopt);
    if (optopt)
        fail(STATUS_USAGE, "%s: this option takes no value; see --help",
             option);
    for (; count < sizeof names / sizeof *names && known[count].name; count++)
        names[count] = known[count].name;
    const struct meant near = meant("--", option, names, count);
    fail(STATUS_USAGE, "%s: unknown option%s", option,
         *near.text ? near.text : "; see --help");
}

/* strtoul turns a negative number into a large one, so a sign is refused. */
unsigned argument_unsigned(const char *option, const char *text, unsigned low,
                           unsigned high)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || errno || text[0] == '-' || value < low ||
        value > high)
        fail(STATUS_USAGE, "%s: '%s', expected a number from %u to %u", option,
             text, low, high);
    return (unsigned)value;
}

/* Octal numbers are not meant: a leading 0 changes nothing. */
uint32_t argument_nonzero(const char *option, const char *text)
{
    const bool hexadecimal = text[0] == '0' && (text[1] | 32) == 'x';
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, hexadecimal ? 16 : 10);
    if (!isalnum((unsigned char)text[0]) || end == text || *end || errno ||
        value == 0 || value > UINT32_MAX)
        fail(STATUS_USAGE,
             "%s: '%s', expected a number from 1 to 4294967295 (0xffffffff)",
             option, text);
    return (uint32_t)value;
}

/* The comparison refuses NaN, too. */
double argument_number(const char *option, const char *text, double low,
                       double high, const char *expected)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= low && value <= high))
        fail(STATUS_USAGE, "%s: '%s', expected %s", option, text, expected);
    return value;
}

/*
 * *end++ passes the comma, or finds the end of the text after the third number.
 */
void argument_point(const char *option, const char *text, double point[3])
{
    char *end = (char *)text;
    for (int i = 0; i < 3; i++) {
        const char *start = end;
        point[i] = strtod(start, &end);
        if (end == start || !isfinite(point[i]) || fabs(point[i]) > 0x1p40 ||
            *end++ != (i < 2 ? ',' : '\0'))
            fail(STATUS_USAGE, "%s: '%s', expected X,Y,Z", option, text);
    }
}

double argument_fov(const char *option, const char *text)
{
    return argument_number(option, text, 0x1p-10, 179.99,
                           "degrees between 0 and 180");
}

/* Of the text 31 characters are looked at, more than sizes have. */
void argument_size(const char *option, const char *text, unsigned most,
                   unsigned *width, unsigned *height)
{
    char copy[32];
    snprintf(copy, sizeof copy, "%s", text);
    char *second = strchr(copy, 'x');
    if (second)
        *second++ = 0;
    *width = argument_unsigned(option, copy, 1, most);
    *height = second ? argument_unsigned(option, second, 1, most) : *width;
}

unsigned argument_word(const char *option, const char *text,
                       const char *const *words, unsigned count,
                       const char *expected)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    fail(STATUS_USAGE, "%s: '%s', expected %s", option, text, expected);
}
