/* printf: every conversion with flags, widths and precisions, of edge values.
 */
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double doubles[] = {
    0.0,          -0.0,        1,          -1,
    0.5,          1.5,         2.5,        0.1,
    0.3,          1.0 / 3,     2.0 / 3,    9.5,
    9.9999,       99.9995,     999999,     999999.5,
    1000005,      1000000,     1e6 + 1,    1234567,
    123456.5,     100000,      1e5 - 0.5,  0.0001,
    0.00001,      0.00012345,  1e15,       1e16,
    1e17,         1e21,        1e22,       1e23,
    123e-7,       DBL_MAX,     -DBL_MAX,   DBL_MIN,
    DBL_TRUE_MIN, DBL_EPSILON, FLT_MAX,    FLT_MIN,
    INFINITY,     -INFINITY,   NAN,        4503599627370495.5,
    0x1p-1030,    5e-324,      1.25e-310,  2147483648,
    4294967296.5, 1e100,       1e-100,     1e300,
    10005,        100050,      1000500,    10000500,
    100005e2,     0.15,        0.25,       0.35,
    8.5,          1e-5,        9.99999e-5,
};

static void print_doubles(void)
{
    static const char *const formats[] = {
        "%g",       "%.0g",  "%.1g",   "%.3g",  "%.10g",  "%.17g",   "%#g",
        "%#.0g",    "%+g",   "% g",    "%012g", "%-12g|", "%e",      "%.0e",
        "%#.0e",    "%.1e",  "%.20e",  "%E",    "%f",     "%.0f",    "%#.0f",
        "%.1f",     "%.2f",  "%.10f",  "%.40f", "%+.3f",  "%020.3f", "%G",
        "%a",       "%.0a",  "%.1a",   "%.3a",  "%A",     "%20.2a",  "%F",
        "%-20.4e|", "%#.3g", "%#.10g",
    };

    for (size_t f = 0; f < COUNT(formats); f++)
        for (size_t i = 0; i < COUNT(doubles); i++) {
            if (!isnormal(doubles[i]) && strpbrk(formats[f], "aA"))
                continue; /* each library writes a subnormal in its own way */
            if (doubles[i] == 999999.5 && !strcmp(formats[f], "%#g"))
                continue; /* glibc 2.36 prints 1.e+06 */
            printf("%s ", formats[f]);
            printf(formats[f], doubles[i]);
            putchar('\n');
        }
}

static void print_long_doubles(void)
{
    static const char *const formats[] = {"%Lg",    "%.0Lg", "%.17Lg", "%Le",
                                          "%.10Lf", "%Lf",   "%#.4Lg", "%.0Lf"};

    for (size_t f = 0; f < COUNT(formats); f++)
        for (size_t i = 0; i < COUNT(doubles); i++) {
            printf("%s ", formats[f]);
            printf(formats[f], (long double)doubles[i]);
            putchar('\n');
        }
}

static void print_integers(void)
{
    static const intmax_t values[] = {
        0,       1,       -1,       9,         10,        255,       -256,
        INT_MAX, INT_MIN, UINT_MAX, INT64_MAX, INT64_MIN, 123456789, 07777,
    };
    static const char *const formats[] = {
        "%jd",    "%ji",    "%ju",    "%jo",     "%jx",       "%jX",
        "%#jx",   "%#jo",   "%+jd",   "% jd",    "%020jd",    "%-20jd|",
        "%.0jd",  "%.5jd",  "%.30jd", "%10.5jd", "%-10.5jx|", "%#020jx",
        "%+.0jd", "%#.0jo", "%#X",
    };

    for (size_t f = 0; f < COUNT(formats); f++)
        for (size_t i = 0; i < COUNT(values); i++) {
            printf("%s ", formats[f]);
            if (strchr(formats[f], 'j'))
                printf(formats[f], values[i]);
            else
                printf(formats[f], (unsigned)values[i]);
            putchar('\n');
        }
    printf("%hhd %hhu %hd %hu\n", 300, 300, 70000, 70000);
    printf("%lld %llu %zu %td\n", -1LL, -1ULL, (size_t)1 << 20, (ptrdiff_t)-5);
    printf("%" PRIu64 " %" PRIx8 " %" PRIdFAST32 "\n", UINT64_MAX, 200,
           (int_fast32_t)-7);
}

static void print_text(void)
{
    char text[16];
    int n = -1;

    printf("[%s] [%.2s] [%5s] [%-5s] [%.0s] [%5.1s]\n", "abc", "abc", "abc",
           "abc", "abc", "abc");
    printf("[%c] [%5c] [%-5c] [%%] [%*d] [%-*d] [%.*f] [%.*s]\n", 'x', 'y', 'z',
           5, 42, 5, 42, 2, 3.14159, 2, "abcdef");
    printf("[%*d] [%.*d] [%.*f]\n", -6, 42, -1, 42, -1, 1.5);
    printf("abc%n", &n);
    printf(" %d\n", n);
    printf("%d ", snprintf(text, 4, "%s", "truncated"));
    puts(text);
    printf("%d ", snprintf(NULL, 0, "%d %g", 12345, 0.1));
    printf("%d\n", snprintf(text, sizeof text, "%s", ""));
    printf("%p\n", (void *)0x1234);
}

/* POSIX: arguments by number. */
static void print_numbered(void)
{
    printf("%2$s %1$s\n", "first", "second");
    printf("%2$*1$d|%3$.*1$f|%2$d\n", 6, 42, 2.5);
    printf("%1$d %1$x %1$o %1$d\n", 100);
    printf("%3$c%2$c%1$c\n", 'a', 'b', 'c');
    printf("%2$g %1$lld\n", 1LL << 40, 0.5);
    printf("%4$s %3$Lg %2$ld %1$hhd\n", 5, 6L, 7.5L, "eight");
}

int main(void)
{
    print_doubles();
    print_long_doubles();
    print_integers();
    print_text();
    print_numbered();
    return 0;
}
