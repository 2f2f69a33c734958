#include "sim/core/param.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct param *param_find(const struct param *table, unsigned count,
                               const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(table[i].name, name))
            return &table[i];
    return NULL;
}

void param_defaults(const struct param *table, unsigned count, void *values)
{
    for (unsigned i = 0; i < count; i++)
        *param_field(values, &table[i]) = table[i].initial;
}

static bool is_choice(const struct param *p)
{
    return p->unit[0] == '=';
}

/* Number of the choice called text in "=a|b|c", or -1. */
static int64_t choice_number(const struct param *p, const char *text)
{
    size_t length = strlen(text);
    const char *at = p->unit + 1;
    for (int64_t number = 0;; number++) {
        size_t n = strcspn(at, "|");
        if (n == length && !strncmp(at, text, n))
            return number;
        if (!at[n])
            return -1;
        at += n + 1;
    }
}

static int suffix_shift(char c)
{
    return c == 'k' || c == 'K' ? 10 : c == 'M' ? 20 : c == 'G' ? 30 : -1;
}

static bool parse_number(const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 0);
    if (end == text || errno)
        return false;
    if (*end) {
        int shift = suffix_shift(*end);
        if (shift < 0 || end[1] || n > INT64_MAX >> shift ||
            n < INT64_MIN >> shift)
            return false;
        n *= 1LL << shift;
    }
    *value = n;
    return true;
}

bool param_set(const struct param *p, void *values, int64_t value,
               struct error *error)
{
    if (value < p->least || value > p->greatest) {
        if (is_choice(p))
            return error_set(error, "%s: choice %" PRId64 " is none of %s",
                             p->name, value, p->unit + 1);
        return error_set(
            error, "%s: %" PRId64 " is outside %" PRId64 "..%" PRId64 " (%s)",
            p->name, value, p->least, p->greatest, p->unit);
    }
    *param_field(values, p) = value;
    return true;
}

bool param_set_text(const struct param *p, void *values, const char *text,
                    struct error *error)
{
    int64_t value;
    if (is_choice(p)) {
        value = choice_number(p, text);
        if (value < 0)
            return error_set(error, "%s: '%s' is none of %s", p->name, text,
                             p->unit + 1);
    } else if (!parse_number(text, &value)) {
        return error_set(error, "%s: '%s' is not a number (%s)", p->name, text,
                         p->unit);
    }
    return param_set(p, values, value, error);
}

void param_text(const struct param *p, const void *values, char *text,
                size_t size)
{
    int64_t value = *param_field((void *)values, p);
    if (!is_choice(p)) {
        snprintf(text, size, "%" PRId64, value);
        return;
    }
    const char *at = p->unit + 1;
    while (value--)
        at += strcspn(at, "|") + 1;
    snprintf(text, size, "%.*s", (int)strcspn(at, "|"), at);
}
