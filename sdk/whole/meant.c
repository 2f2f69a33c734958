#include "sdk/whole/meant.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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
 * letter once at most, whatever its case; names longer than MEANT_LENGTH are
 * far from all. The rows are those of the two letters of a before this one, and
 * its own.
 */
static unsigned edit_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > MEANT_LENGTH || m > MEANT_LENGTH)
        return MEANT_LENGTH;
    unsigned rows[3][MEANT_LENGTH + 1];
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

const char *meant_typing(const char *wrong, const char *const *names,
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

/* ---- parts of names ---- */

enum { SUGGESTED = 3, PART_LEAST = 2, INSIDE_LEAST = 4 };

/* Two letters are a part of a name; what a name is a part of is longer, as any
 * word has some `l1` in it. */
static bool one_is_part(const char *wrong, const char *name)
{
    return (strlen(wrong) >= PART_LEAST && strcasestr(name, wrong)) ||
           (strlen(name) >= INSIDE_LEAST && strcasestr(wrong, name));
}

static size_t apart(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    return n > m ? n - m : m - n;
}

/* Puts a name among those that were found, the closest in length first. */
static unsigned add_part(const char *found[SUGGESTED], unsigned count,
                         const char *wrong, const char *name)
{
    unsigned at = count;
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(found[i], name))
            return count;
    while (at && apart(name, wrong) < apart(found[at - 1], wrong))
        at--;
    if (at == SUGGESTED)
        return count;
    unsigned last = count < SUGGESTED ? count : SUGGESTED - 1;
    memmove(found + at + 1, found + at, (last - at) * sizeof *found);
    found[at] = name;
    return last + 1;
}

static unsigned find_parts(const char *found[SUGGESTED], const char *wrong,
                           const char *const *names, unsigned count)
{
    unsigned parts = 0;
    for (unsigned i = 0; i < count; i++)
        if (strlen(names[i]) <= MEANT_LENGTH && one_is_part(wrong, names[i]))
            parts = add_part(found, parts, wrong, names[i]);
    return parts;
}

/* ---- the message ---- */

/* Takes the name out of `--name=value`. One that is too long is near to
 * nothing. */
static const char *without_value(const char *dashes, const char *wrong,
                                 char name[MEANT_LENGTH + 2])
{
    size_t skipped = strlen(dashes);
    const char *from =
        strncmp(wrong, dashes, skipped) ? wrong : wrong + skipped;
    size_t length = skipped ? strcspn(from, "=") : strlen(from);
    snprintf(name, MEANT_LENGTH + 2, "%.*s", (int)length, from);
    return name;
}

struct meant meant(const char *dashes, const char *wrong,
                   const char *const *names, unsigned count)
{
    struct meant m = {""};
    char name[MEANT_LENGTH + 2];
    wrong = without_value(dashes, wrong, name);
    const char *found[SUGGESTED] = {meant_typing(wrong, names, count)},
               *quote = *dashes ? "" : "'";
    unsigned parts = found[0] ? 1 : find_parts(found, wrong, names, count);
    size_t used = 0;
    for (unsigned i = 0; i < parts; i++)
        used += (size_t)snprintf(
            m.text + used, sizeof m.text - used, "%s%s%s%s%s%s",
            !i              ? ", did you mean "
            : i + 1 < parts ? ", "
                            : " or ",
            quote, dashes, found[i], quote, i + 1 < parts ? "" : "?");
    return m;
}
