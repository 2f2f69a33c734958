/*
 * strto..., scanf: edge texts; the value, where it ended, errno. None has more
 * digits than a long double of x86.
 */
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const texts[] = {
    "",
    " ",
    "0",
    "-0",
    "+1",
    "1",
    "1.5",
    ".5",
    "5.",
    ".",
    "-.e1",
    "1e",
    "1e+",
    "1e5x",
    "1e400",
    "-1e400",
    "1e-400",
    "4.9e-324",
    "2.4e-324",
    "2.5e-324",
    "2.2250738585072011e-308",
    "1.7976931348623157e308",
    "1.7976931348623159e308",
    "179769313486231580793e289",
    "inf",
    "INF",
    "-infinity",
    "infinit",
    "nan",
    "-nan",
    "nan(12)",
    "nan(",
    "0x",
    "0x1",
    "0x.8p1",
    "0x1p-1075",
    "0x1.8p-1074",
    "0x1.fffffffffffff8p1023",
    "0xg",
    "0x1p",
    "0x1.00000000000008p0",
    "0x1.000000000000081p0",
    "0x1.000001p0",
    "0x1.000003p0",
    "3.4028235e38",
    "3.4028236e38",
    "1e39",
    "1e-46",
    "7.006492321624085e-46",
    "1.17549435e-38",
    "0.1",
    "9007199254740993",
    "9007199254740992.99999999999999999999",
    "123456789012345678901234567890",
    "0.500000000000000166533453693773481063544750213623046875",
    "1.00000000000000011102230246251565404236316680908203125",
    "8388609.5",
    "16777217",
    "  12abc",
    "-12",
    "0x7f",
    "0777",
    "08",
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "-1",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "-18446744073709551615",
    "zz",
    "ZZ",
    "0b101",
    "1_000",
    "\t\n\v\f\r 7",
    "--1",
};

/* In bits: %a of a subnormal is each library's own. A NaN's sign and payload
 * are not promised by any standard. */
static unsigned long long bits(double x)
{
    unsigned long long word;

    if (isnan(x))
        return 0x7ff8ULL << 48;
    memcpy(&word, &x, sizeof word);
    return word;
}

/* A result too small may be a range error or none. */
static void show(const char *name, double x, long end, int error)
{
    printf("%s %llx %ld %d\n", name, bits(x), end, isinf(x) && error == ERANGE);
}

static void floats(const char *text)
{
    wchar_t wide[80], *wide_end;
    char *end;
    double d;

    for (size_t i = 0; i <= strlen(text); i++)
        wide[i] = (wchar_t)text[i];
    errno = 0;
    d = strtod(text, &end);
    show("strtod", d, end - text, errno);
    errno = 0;
    d = strtof(text, &end);
    show("strtof", d, end - text, errno);
    d = (double)strtold(text, &end);
    show("strtold", d, end - text, 0);
    show("atof", atof(text), 0, 0);
    d = wcstod(wide, &wide_end);
    show("wcstod", d, wide_end - wide, 0);
    d = wcstof(wide, &wide_end);
    show("wcstof", d, wide_end - wide, 0);
    d = (double)wcstold(wide, &wide_end);
    show("wcstold", d, wide_end - wide, 0);
}

static void integers(const char *text)
{
    static const int bases[] = {0, 2, 8, 10, 16, 36};
    char *end;

    for (size_t i = 0; i < COUNT(bases); i++) {
        errno = 0;
        long long n = strtoll(text, &end, bases[i]);
        printf("strtoll %d %lld %d %d\n", bases[i], n, (int)(end - text),
               errno == ERANGE);
        errno = 0;
        unsigned long long u = strtoull(text, &end, bases[i]);
        printf("strtoull %d %llu %d %d\n", bases[i], u, (int)(end - text),
               errno == ERANGE);
        errno = 0;
        intmax_t m = strtoimax(text, &end, bases[i]);
        printf("strtoimax %jd %d\n", m, errno == ERANGE);
    }
}

static void scanned_floats(const char *text)
{
    double d = -7;
    float f = -7;
    long double l = -7;
    int n = -7;

    printf("%%lf %d", sscanf(text, "%lf%n", &d, &n));
    printf(" %llx %d\n", bits(d), n);
    printf("%%f %d", sscanf(text, "%f", &f));
    printf(" %llx\n", bits(f));
    printf("%%Lf %d", sscanf(text, "%Lf", &l));
    printf(" %llx\n", bits((double)l));
}

static void scanned(const char *text)
{
    int i = -7;
    long long q = -7;
    unsigned x = 7;
    char word[80] = "none";

    if (strlen(text) < 10) {
        printf("%%i %d", sscanf(text, "%i", &i));
        printf(" %d\n", i);
        printf("%%d %d", sscanf(text, "%5d", &i));
        printf(" %d\n", i);
        printf("%%x %d", sscanf(text, "%x", &x));
        printf(" %u\n", x);
        printf("%%lld %d", sscanf(text, "%3lld", &q));
        printf(" %lld\n", q);
    }
    printf("%%s %d", sscanf(text, "%79s", word));
    printf(" %s\n", word);
    printf("%%[] %d", sscanf(text, "%79[0-9.+-]", word));
    printf(" %s\n", word);
}

static void several(void)
{
    int a = 0, b = 0, c = 0, n = 0;
    float x = 0, y = 0, z = 0;
    char word[20] = "", letter = 0;
    short h = 0;
    signed char hh = 0;

    printf("%d", sscanf("v 1.5 -2e1 .25", "v %f %f %f", &x, &y, &z));
    printf(" %g %g %g\n", (double)x, (double)y, (double)z);
    printf("%d", sscanf("f 1/2/3", "f %d/%d/%d", &a, &b, &c));
    printf(" %d %d %d\n", a, b, c);
    printf("%d", sscanf("f 1//3", "f %d/%d/%d", &a, &b, &c));
    printf(" %d\n", a);
    printf("%d", sscanf("f 4//6", "f %d//%d%n", &a, &c, &n));
    printf(" %d %d %d\n", a, c, n);
    printf("%d", sscanf("key=value;", "%[^=]=%c", word, &letter));
    printf(" %s %c\n", word, letter);
    printf("%d", sscanf("12 34", "%*d %hd", &h));
    printf(" %d\n", h);
    printf("%d", sscanf("300", "%hhd", &hh));
    printf(" %d\n", hh);
    printf("%d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a));
    printf("%d", sscanf("1 2", "%2$d %1$d", &a, &b));
    printf(" %d %d\n", a, b);
    printf("%d", sscanf("100%", "%d%%%n", &a, &n));
    printf(" %d\n", n);
    printf("%d", sscanf("abc", "%2c%n", word, &n));
    printf(" %.2s %d\n", word, n);
}

int main(void)
{
    for (size_t i = 0; i < COUNT(texts); i++) {
        printf("[%s]\n", texts[i]);
        floats(texts[i]);
        integers(texts[i]);
        scanned(texts[i]);
        scanned_floats(texts[i]);
    }
    several();
    return 0;
}
