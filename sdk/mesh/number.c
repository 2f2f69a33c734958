/*
 * Most numbers are short: their digits make a whole number below 2^53, and the
 * power of ten is one that a double holds exactly, so that one operation rounds
 * once (Clinger, PLDI 1990). A float made from that double is rounded a second
 * time, which is wrong only if the double lies halfway between two floats; such
 * numbers, and the long ones, are left to the C library.
 */
#include "number.h"

#include "sdk/common/report.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DIGITS_MAX 19 /* as many nines fit into 64 bits */
#define WHOLE_MAX INT64_C(100000000000000000)
#define EXPONENT_MAX 100000000 /* where exponents are cut */
#define TEN_MAX 22             /* 10^22 is a double, 10^23 is not */

static const double ten[TEN_MAX + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* digits * 10^exponent, if they are all of them. */
struct decimal {
    bool negative, cut; /* cut: there are more digits than fit */
    uint64_t digits;
    unsigned kept; /* digits, without leading zeros */
    int64_t exponent;
};

/* In ASCII, whatever the locale is; false at the end. */
static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

/* Like all that begin with scan_: returns where the number goes on. */
static const char *scan_sign(const char *at, const char *end, bool *negative)
{
    *negative = at < end && *at == '-';
    return at < end && (*at == '-' || *at == '+') ? at + 1 : at;
}

/* A run of digits; each is worth `scale` more to the exponent. */
static const char *scan_digits(const char *at, const char *end, int scale,
                               struct decimal *d)
{
    for (; is_digit(at, end); at++) {
        if (d->kept < DIGITS_MAX) {
            d->digits = 10 * d->digits + (uint64_t)(*at - '0');
            d->kept += d->digits > 0;
            d->exponent += scale;
        } else {
            d->cut = true;
            d->exponent += scale + 1;
        }
    }
    return at;
}

/* The exponent, if there is a whole one. */
static const char *scan_exponent(const char *at, const char *end,
                                 struct decimal *d)
{
    bool negative;
    int64_t exponent = 0;
    if (at == end || (*at != 'e' && *at != 'E'))
        return at;
    const char *digit = scan_sign(at + 1, end, &negative);
    if (!is_digit(digit, end))
        return at;
    for (; is_digit(digit, end); digit++)
        if (exponent < EXPONENT_MAX)
            exponent = 10 * exponent + (*digit - '0');
    d->exponent += negative ? -exponent : exponent;
    return digit;
}

/* NULL: no number in digits. */
static const char *scan_decimal(const char *at, const char *end,
                                struct decimal *d)
{
    *d = (struct decimal){0};
    at = scan_sign(at, end, &d->negative);
    const char *whole = scan_digits(at, end, 0, d), *last = whole;
    bool any = whole > at;
    if (whole < end && *whole == '.') {
        last = scan_digits(whole + 1, end, -1, d);
        any = any || last > whole + 1;
    }
    return any ? scan_exponent(last, end, d) : NULL;
}

/* Infinity and NaN, as the C library writes them. NULL: neither. */
static const char *scan_special(const char *at, const char *end, double *value)
{
    static const char *const word[] = {"infinity", "inf", "nan"};
    bool negative;
    at = scan_sign(at, end, &negative);
    for (int i = 0; i < 3; i++) {
        const size_t length = strlen(word[i]);
        if ((size_t)(end - at) < length ||
            strncasecmp(at, word[i], length) != 0)
            continue;
        *value = i < 2 ? (double)INFINITY : (double)NAN;
        *value = negative ? -*value : *value;
        return at + length;
    }
    return NULL;
}

/* Converts a number by one operation on exact values, where it can. */
static bool convert_short(const struct decimal *d, double *value)
{
    if (d->cut || d->digits > UINT64_C(1) << 53 ||
        (d->digits > 0 && (d->exponent < -TEN_MAX || d->exponent > TEN_MAX)))
        return false;
    *value = (double)d->digits;
    if (d->digits > 0 && d->exponent < 0)
        *value /= ten[-d->exponent];
    else if (d->digits > 0)
        *value *= ten[d->exponent];
    if (d->negative)
        *value = -*value;
    return true;
}

/* Halfway between two floats: bit 28 of 52 is the last but for zeros. */
static bool is_halfway(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x1fffffff) == 0x10000000;
}

/* The text as the C library wants it; short ones in room. */
static char *terminated(const char *at, size_t length, char *room, size_t size)
{
    char *text = length < size ? room : allocate(length + 1, 1);
    memcpy(text, at, length);
    text[length] = 0;
    return text;
}

/* A float is made from text by one rounding, whatever the number's length. */
const char *number_float(const char *at, const char *end, float *value)
{
    struct decimal d;
    double wide;
    char room[64];
    const char *after = scan_decimal(at, end, &d);
    if (after == NULL) {
        after = scan_special(at, end, &wide);
        if (after != NULL)
            *value = (float)wide;
    } else if (convert_short(&d, &wide) && !is_halfway(wide)) {
        *value = (float)wide;
    } else {
        char *text = terminated(at, (size_t)(after - at), room, sizeof room);
        *value = strtof(text, NULL);
        if (text != room)
            free(text);
    }
    return after;
}

/* As number_float, for a double. */
const char *number_double(const char *at, const char *end, double *value)
{
    struct decimal d;
    char room[64];
    const char *after = scan_decimal(at, end, &d);
    if (after == NULL)
        return scan_special(at, end, value);
    if (!convert_short(&d, value)) {
        char *text = terminated(at, (size_t)(after - at), room, sizeof room);
        *value = strtod(text, NULL);
        if (text != room)
            free(text);
    }
    return after;
}

/* A number beyond WHOLE_MAX counts as WHOLE_MAX: too large for any use of it,
 * and told as such by the caller. */
const char *number_whole(const char *at, const char *end, int64_t *value)
{
    bool negative;
    int64_t sum = 0;
    at = scan_sign(at, end, &negative);
    if (!is_digit(at, end))
        return NULL;
    for (; is_digit(at, end); at++) {
        sum = 10 * sum + (*at - '0');
        sum = sum < WHOLE_MAX ? sum : WHOLE_MAX;
    }
    *value = negative ? -sum : sum;
    return at;
}
