#include "sim/core/error.h"
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

/* Levenshtein distance; names longer than NAME_MAX_LENGTH are far from all. */
static unsigned edit_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > NAME_MAX_LENGTH || m > NAME_MAX_LENGTH)
        return NAME_MAX_LENGTH;
    unsigned row[NAME_MAX_LENGTH + 1];
    for (size_t j = 0; j <= m; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            unsigned best = row[j] < row[j - 1] ? row[j] : row[j - 1];
            row[j] = change < best + 1 ? change : best + 1;
        }
    }
    return row[m];
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
