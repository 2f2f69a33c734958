#include "sim/core/param.h"
#include "sdk/whole/meant.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct param *param_find(const struct param *table, unsigned count,
                               const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (same_name(table[i].name, name))
            return &table[i];
    return NULL;
}

static char *text_field(const struct param *p, void *values)
{
    return (char *)values + p->offset;
}

static void set_default(const struct param *p, void *values)
{
    if (p->text)
        strcpy(text_field(p, values), p->text);
    else
        *param_field(values, p) = p->initial;
}

void param_defaults(const struct param *table, unsigned count, void *values)
{
    for (unsigned i = 0; i < count; i++)
        set_default(&table[i], values);
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

enum { CHOICES_MAX = 64, CHOICE_LENGTH = 63, LISTED = 160 };

/* A list too long for a line is left to --list-units. */
static bool no_choice(const struct param *p, const char *text,
                      struct error *error)
{
    char names[CHOICES_MAX][CHOICE_LENGTH + 1];
    const char *pointers[CHOICES_MAX];
    unsigned count = 0;
    if (strlen(p->unit) <= LISTED)
        return error_set(error, "%s: '%.100s' is none of %s", p->name, text,
                         p->unit + 1);
    for (const char *at = p->unit; *at && count < CHOICES_MAX; count++) {
        size_t n = strcspn(++at, "|");
        snprintf(names[count], sizeof names[count], "%.*s", (int)n, at);
        pointers[count] = names[count];
        at += n;
    }
    return error_set(error, "%s: '%.100s' is none of the choices (%s, ...)%s",
                     p->name, text, names[0],
                     meant("", text, pointers, count).text);
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
    if (p->text)
        return error_set(error, "%s: a number where text was expected (%s)",
                         p->name, p->unit);
    if (value < p->least || value > p->greatest) {
        if (is_choice(p))
            return error_set(error, "%s: choice %" PRId64 " is none of %.*s",
                             p->name, value, LISTED, p->unit + 1);
        return error_set(
            error, "%s: %" PRId64 " is outside %" PRId64 "..%" PRId64 " (%s)",
            p->name, value, p->least, p->greatest, p->unit);
    }
    *param_field(values, p) = value;
    return true;
}

static bool set_string(const struct param *p, void *values, const char *text,
                       struct error *error)
{
    size_t length = strlen(text);
    if (length > (size_t)p->greatest)
        return error_set(error, "%s: longer than %" PRId64 " characters (%s)",
                         p->name, p->greatest, p->unit);
    for (const char *c = text; *c; c++)
        if (*c < ' ' || *c > '~' || *c == '\'')
            return error_set(error, "%s: only printable ASCII without ' (%s)",
                             p->name, p->unit);
    memcpy(text_field(p, values), text, length + 1);
    return true;
}

bool param_set_text(const struct param *p, void *values, const char *text,
                    struct error *error)
{
    int64_t value;
    if (p->text)
        return set_string(p, values, text, error);
    if (is_choice(p)) {
        value = choice_number(p, text);
        if (value < 0)
            return no_choice(p, text, error);
    } else if (!parse_number(text, &value)) {
        return error_set(error, "%s: '%s' is not a number (%s)", p->name, text,
                         p->unit);
    }
    return param_set(p, values, value, error);
}

static void number_text(const struct param *p, int64_t value, char *text,
                        size_t size)
{
    if (!is_choice(p)) {
        snprintf(text, size, "%" PRId64, value);
        return;
    }
    const char *at = p->unit + 1;
    while (value--)
        at += strcspn(at, "|") + 1;
    snprintf(text, size, "%.*s", (int)strcspn(at, "|"), at);
}

void param_text(const struct param *p, const void *values, char *text,
                size_t size)
{
    if (p->text)
        snprintf(text, size, "'%s'", text_field(p, (void *)values));
    else
        number_text(p, *param_field((void *)values, p), text, size);
}

void param_range(const struct param *p, char *text, size_t size)
{
    char initial[64] = "unset";
    if (p->text) {
        snprintf(text, size, "'%s', %s of up to %" PRId64 " characters",
                 p->text, p->unit, p->greatest);
        return;
    }
    if (p->initial >= p->least && p->initial <= p->greatest)
        number_text(p, p->initial, initial, sizeof initial);
    if (is_choice(p))
        snprintf(text, size, "%s of %s", initial, p->unit + 1);
    else
        snprintf(text, size, "%s, %" PRId64 "..%" PRId64 " %s", initial,
                 p->least, p->greatest, p->unit);
}

bool param_same(const struct param *p, const void *a, const void *b)
{
    if (p->text)
        return !strcmp(text_field(p, (void *)a), text_field(p, (void *)b));
    return *param_field((void *)a, p) == *param_field((void *)b, p);
}
