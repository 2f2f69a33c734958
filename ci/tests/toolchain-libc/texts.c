/*
 * strto..., wcsto..., scanf and wscanf of odd texts drawn at random: numbers
 * with parts missing, doubled or far too long, next to the ends of the ranges
 * and to the middle between two numbers. The value's bits, the end, errno.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { TEXTS = 1000, ROOM = 1400 };

#ifdef __riscv
typedef long double quad;
#define strtoquad strtold
#define wcstoquad wcstold
#else
typedef _Float128 quad;
#define strtoquad strtof128
#define wcstoquad wcstof128
#endif

static uint64_t state = 1;
static char text[ROOM];
static size_t length;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % below);
}

static void put(const char *piece)
{
    size_t n = strlen(piece);

    if (length + n >= ROOM)
        return;
    memcpy(text + length, piece, n + 1);
    length += n;
}

static unsigned few(void)
{
    static const unsigned most[] = {2, 2, 4, 12, 20, 40, 120, 900};

    return draw(most[draw(draw(2) ? 4 : 8)]);
}

/* Arguments that are drawn would be drawn in each compiler's own order. */
static void put_digits(const char *set)
{
    char piece[2] = "";
    unsigned count = few();

    while (count--) {
        piece[0] = set[draw((unsigned)strlen(set))];
        put(piece);
    }
}

#define ONE_OF(...)                                                            \
    put(((const char *[]){__VA_ARGS__})[draw(                                  \
        sizeof(const char *[]){__VA_ARGS__} / sizeof(char *))])

static void put_exponent(const char *letter)
{
    char piece[32];

    put(letter);
    ONE_OF("", "", "-", "-", "+", "+-");
    switch (draw(6)) {
    case 0:
        put_digits("0123456789");
        return;
    case 1:
        put_digits("0");
        break;
    case 2:
        ONE_OF("4294967296", "18446744073709551616", "2147483648");
        return;
    default:
        break;
    }
    snprintf(piece, sizeof piece, "%u",
             draw(draw(2)   ? 60
                  : draw(3) ? 1100
                            : 20000));
    put(piece);
}

static void put_decimal(void)
{
    if (draw(8) == 0)
        put_digits("0");
    put_digits(draw(4) ? "0123456789" : "09");
    if (draw(3))
        ONE_OF(".", ".", ".", "..", ",");
    if (draw(8) == 0)
        put_digits("0");
    put_digits(draw(4) ? "0123456789" : "05");
    if (draw(2))
        put_exponent(draw(2) ? "e" : "E");
}

static void put_hexadecimal(void)
{
    put(draw(2) ? "0x" : "0X");
    put_digits(draw(4) ? "0123456789abcdefABCDEF" : "0f");
    if (draw(3))
        put(".");
    put_digits(draw(4) ? "0123456789abcdef" : "08");
    if (draw(3))
        put_exponent(draw(2) ? "p" : "P");
}

static void put_word(void)
{
    ONE_OF("inf", "INFINITY", "Infinit", "infinity", "in", "i", "nan", "NaN",
           "na", "nan(", "nan()", "nan(1", "nan(0x12)", "nan(x_1)", "NAN(_)y",
           "nan(1 2)", "nan(-1)", "nan(a.b)", "nan (1)", "infinityy",
           "nan(zZ9_", "nan((1))");
}

/* A number, or the middle between it and the next, in full; or one digit more.
 */
static void put_middle(void)
{
    union {
        uint64_t word;
        double value;
    } a;
    union {
        uint32_t word;
        float value;
    } b;
    char piece[ROOM];
    int digits;

    if (draw(2)) {
        b.word = (uint32_t)draw(draw(3) ? 0x7f800000 : 0x1000000);
        a.value = b.value;
        if (draw(2))
            a.value = ((double)b.value + nextafterf(b.value, INFINITY)) / 2;
        if (draw(3) == 0)
            a.word += draw(2) ? 1 : -1;
    } else {
        a.word = (uint64_t)draw(draw(3) ? 0x7fe00000 : 0x200000) << 32;
        a.word |= draw(0x7fffffff);
    }
    digits = draw(3) ? 780 : (int)draw(40);
    snprintf(piece, sizeof piece, draw(2) ? "%.*e" : "%.*g", digits, a.value);
    if (strlen(piece) < 900)
        put(piece);
}

static void draw_text(void)
{
    length = 0;
    text[0] = 0;
    if (draw(5) == 0)
        ONE_OF(" ", "\t\n", "  ", "\v\f\r", "x", "_");
    ONE_OF("", "", "", "", "+", "-", "-", "+-", "--", "- ");
    switch (draw(8)) {
    case 0:
        put_word();
        break;
    case 1:
    case 2:
        put_hexadecimal();
        break;
    case 3:
        put_middle();
        break;
    default:
        put_decimal();
        break;
    }
    if (draw(3) == 0)
        ONE_OF("x", " ", "e", "p1", ".", "f", "L", "-", "\xe9", "0", "e1");
}

static const char *word_of(const void *number, size_t size, int is_nan)
{
    static char word[40];
    const unsigned char *bytes = number;

    if (is_nan) /* payloads are not promised by any standard */
        return bytes[size - 1] & 0x80 ? "-nan" : "nan";
    for (size_t i = 0; i < size; i++)
        sprintf(word + 2 * i, "%02x", bytes[size - 1 - i]);
    return word;
}

#define SHOW(name, x, end)                                                     \
    printf(" %s %s %d%s\n", name, word_of(&(x), sizeof(x), (x) != (x)),        \
           (int)(end), errno == ERANGE ? " range" : "")

static void narrow(void)
{
    char *end;
    double d;
    float f;
    quad q;

    errno = 0;
    d = strtod(text, &end);
    SHOW("strtod", d, end - text);
    errno = 0;
    f = strtof(text, &end);
    SHOW("strtof", f, end - text);
    errno = 0;
    q = strtoquad(text, &end);
    SHOW("strtold", q, end - text);
    d = atof(text);
    errno = 0;
    SHOW("atof", d, 0);
}

static wchar_t wide_text[ROOM];

static void wide(void)
{
    wchar_t *end;
    double d;
    float f;
    quad q;

    errno = 0;
    d = wcstod(wide_text, &end);
    SHOW("wcstod", d, end - wide_text);
    errno = 0;
    f = wcstof(wide_text, &end);
    SHOW("wcstof", f, end - wide_text);
    errno = 0;
    q = wcstoquad(wide_text, &end);
    SHOW("wcstold", q, end - wide_text);
}

static void integers(void)
{
    int base = draw(3) ? 0 : (int)draw(36) + 1;
    char *end;
    wchar_t *wide_end;
    long long n;

    if (base == 1)
        base = 10;
    errno = 0;
    n = strtoll(text, &end, base);
    SHOW("strtoll", n, end - text);
    errno = 0;
    n = (long long)strtoull(text, &end, base);
    SHOW("strtoull", n, end - text);
    errno = 0;
    n = wcstoll(wide_text, &wide_end, base);
    SHOW("wcstoll", n, wide_end - wide_text);
    errno = 0;
    n = (long long)wcstoull(wide_text, &wide_end, base);
    SHOW("wcstoull", n, wide_end - wide_text);
}

/* The same formats for both; the width is drawn. */
static void scan(const char *format)
{
    double d = -7;
    float f = -7;
    int n = -7, got;
    wchar_t wide_format[32];

    for (size_t i = 0; i <= strlen(format); i++)
        wide_format[i] = (wchar_t)format[i];
    if (strchr(format, 'l')) {
        got = sscanf(text, format, &d, &n);
        printf(" %s %d %s %d\n", format, got, word_of(&d, sizeof d, isnan(d)),
               n);
        d = n = -7;
        got = swscanf(wide_text, wide_format, &d, &n);
        printf(" wide %d %s %d\n", got, word_of(&d, sizeof d, isnan(d)), n);
    } else {
        got = sscanf(text, format, &f, &n);
        printf(" %s %d %s %d\n", format, got, word_of(&f, sizeof f, isnan(f)),
               n);
        f = n = -7;
        got = swscanf(wide_text, wide_format, &f, &n);
        printf(" wide %d %s %d\n", got, word_of(&f, sizeof f, isnan(f)), n);
    }
}

static void scans(void)
{
    char format[32] = "%lf%n";
    unsigned width = draw(30) + 4; /* behind 0x glibc is in error */

    if (draw(3) == 0)
        snprintf(format, sizeof format, "%%%ulg%%n", width);
    scan(format);
    width = draw(30) + 4;
    strcpy(format, "%f%n");
    if (draw(3) == 0)
        snprintf(format, sizeof format, "%%%ue%%n", width);
    scan(format);
}

/* What is read before a conversion, and what is left. */
static void literal(const char *format, const char *from)
{
    wchar_t wide_format[32];
    int a = -7, b = -7, c = -7, got = sscanf(from, format, &a, &b, &c);

    printf("'%s' of '%s' %d %d %d %d", format, from, got, a, b, c);
    for (size_t i = 0; i <= strlen(format); i++)
        wide_format[i] = (wchar_t)format[i];
    for (size_t i = 0; i <= strlen(from); i++)
        wide_text[i] = (wchar_t)from[i];
    a = b = c = -7;
    got = swscanf(wide_text, wide_format, &a, &b, &c);
    printf(" wide %d %d %d %d\n", got, a, b, c);
}

static void literals(void)
{
    static const char *const formats[] = {
        "%%%d%n",  " %% %d%n",  "a%d%n",   " a%d%n",   "%%",
        "a%%%d%n", "%*d%d%n",   "%d%%%n",  "%1d%d%n",  "%i%n",
        "%x%n",    "%*3c%n",    "%*s%d%n", "%*[^%]%n", "%d ,%d%n",
        "%%%n",    "%*[0-9]%n", "%*f%d%n", "%d,%n%d",  "%hhd%n",
    };
    static const char *const texts[] = {
        "",    " ",    "%",     " %", "%5",  " %5",   "% 5",  " % 5", "a5",
        " a5", "a %5", "a%5",   "5%", "5 %", "12 34", "0x1f", "-0x1", "08",
        "+",   "1,2",  "1 , 2", "b",  "%b",  "1.5 2", "1e 3", "300",
    };

    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            literal(formats[f], texts[t]);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : TEXTS;

    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    literals();
    while (count--) {
        draw_text();
        for (size_t i = 0; i <= length; i++)
            wide_text[i] = (unsigned char)text[i];
        printf("[%s]\n", text);
        narrow();
        wide();
        integers();
        scans();
    }
    return 0;
}
