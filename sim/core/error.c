#include "sim/core/error.h"
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

bool error_set(struct error *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    corbel_line_format(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}

#define NAME_MAX_LENGTH 63

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Letters added, left out, changed, or swapped with their neighbour, each
 * letter once at most, whatever its case; names longer than NAME_MAX_LENGTH are
 * far from all. The
 * rows are those of the two letters of a before this one, and its own.
 */
static unsigned edit_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > NAME_MAX_LENGTH || m > NAME_MAX_LENGTH)
        return NAME_MAX_LENGTH;
    unsigned rows[3][NAME_MAX_LENGTH + 1];
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *last = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least_of(last[j], row[j - 1]) + 1;
            row[j] = least_of(row[j], last[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
                same(a[i - 2], b[j - 1]))
                row[j] = least_of(row[j], second[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

/* As many mistakes as a typing error has: one in a short name, three in a long
 * one, and never as many as the name has letters. */
static unsigned mistakes(const char *wrong)
{
    size_t length = strlen(wrong);
    return (length > 1) + (length > 4) + (length > 11);
}

const char *error_nearest(const char *wrong, const char *const *names,
                          unsigned count)
{
    const char *best = NULL;
    unsigned least = mistakes(wrong) + 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned d = edit_distance(wrong, names[i]);
        if (d < least) {
            least = d;
            best = names[i];
        }
    }
    return best;
}
