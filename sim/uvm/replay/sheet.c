/* Tables as files: lines, cells and numbers in them, and what is wrong. */
#include "sim/uvm/replay/sheet.h"
#include "sim/core/gz_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

static unsigned split(struct sheet *s, const char **cells)
{
    unsigned count = 0;
    char *c = s->at;
    s->line++;
    for (;;) {
        if (count < CELLS_MAX)
            cells[count] = c;
        count++;
        c += strcspn(c, ",\n");
        char end = *c;
        if (end == '\n' && c > s->at && c[-1] == '\r')
            c[-1] = 0;
        *c = 0;
        s->at = end ? c + 1 : c;
        if (end != ',')
            return count;
        c++;
    }
}

bool sheet_open(struct sheet *s, const char *path, struct error *error)
{
    *s = (struct sheet){.path = path, .end = "\n", .error = error};
    s->at = s->text = gz_text_read(path, error);
    if (!s->text)
        return false;
    if (!*s->at)
        return error_set(error, "%.200s: empty", path);
    const char *newline = strchr(s->at, '\n');
    if (newline && newline > s->at && newline[-1] == '\r')
        s->end = "\r\n";
    s->columns = split(s, s->names);
    if (s->columns > CELLS_MAX)
        s->columns = CELLS_MAX + 1; /* of no kind */
    return true;
}

void sheet_close(struct sheet *s)
{
    free(s->text);
}

static bool same(const char *pattern, const char *name)
{
    const char *star = strchr(pattern, '*');
    if (!star)
        return !strcmp(pattern, name);
    size_t front = (size_t)(star - pattern), back = strlen(star + 1);
    size_t length = strlen(name);
    return length >= front + back && !strncmp(pattern, name, front) &&
           !strcmp(star + 1, name + length - back);
}

bool sheet_is(const struct sheet *s, const char *const *names, unsigned count)
{
    if (s->columns != count)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!same(names[i], s->names[i]))
            return false;
    return true;
}

int sheet_next(struct sheet *s)
{
    if (!*s->at)
        return 0;
    unsigned count = split(s, s->cells);
    if (count == s->columns)
        return 1;
    error_set(s->error,
              "%.200s:%u: %u cells, but the first line has %u; it begins with "
              "'%.40s'",
              s->path, s->line, count, s->columns, s->cells[0]);
    return -1;
}

/* ---- cells ---- */

bool sheet_wrong(const struct sheet *s, unsigned column, const char *expected)
{
    return error_set(s->error, "%.200s:%u: %.40s has to be %s, not '%.40s'",
                     s->path, s->line, s->names[column], expected,
                     s->cells[column]);
}

bool text_number(const char *text, const char *end, uint64_t *value)
{
    bool hex = end - text > 2 && text[0] == '0' && (text[1] | 32) == 'x';
    unsigned base = hex ? 16 : 10;
    const char *c = text + (hex ? 2 : 0);
    *value = 0;
    if (c == end)
        return false;
    for (; c < end; c++) {
        unsigned letter = (unsigned)(*c | 32) - 'a';
        unsigned digit = *c >= '0' && *c <= '9' ? (unsigned)(*c - '0')
                         : letter < 26          ? letter + 10
                                                : 99;
        if (digit >= base || *value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

/* Digits with at most one point, and nothing else of what strtod takes. */
bool text_positive(const char *text, const char *end, double *value)
{
    size_t length = (size_t)(end - text);
    size_t whole = strspn(text, "0123456789");
    size_t part =
        text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
    size_t all = whole + (text[whole] == '.') + part;
    if (!(whole + part) || all != length)
        return false;
    *value = strtod(text, NULL);
    return *value > 0 && *value <= 1e6;
}

bool sheet_number(const struct sheet *s, unsigned column, uint64_t least,
                  uint64_t greatest, uint64_t *value)
{
    const char *text = s->cells[column];
    if (text_number(text, text + strlen(text), value) && *value >= least &&
        *value <= greatest)
        return true;
    char expected[64];
    snprintf(expected, sizeof expected, "a number from %" PRIu64 " to %" PRIu64,
             least, greatest);
    return sheet_wrong(s, column, expected);
}

bool sheet_positive(const struct sheet *s, unsigned column, double *value)
{
    const char *text = s->cells[column];
    return text_positive(text, text + strlen(text), value) ||
           sheet_wrong(s, column, "a number above 0 and at most 1000000");
}

int sheet_list(const struct sheet *s, unsigned column, const char **at,
               uint64_t greatest, uint64_t *value)
{
    const char *text = *at + strspn(*at, " ");
    if (!*text)
        return 0;
    *at = text + strcspn(text, " ");
    if (text_number(text, *at, value) && *value <= greatest)
        return 1;
    char expected[96];
    snprintf(expected, sizeof expected,
             "numbers up to %" PRIu64 " with blanks between them", greatest);
    sheet_wrong(s, column, expected);
    return -1;
}
