/* Reads a table: lines into cells, cells into rows, each checked by itself. */
#include "sim/report/energy_table.h"
#include "sdk/whole/reads.h"
#include "sim/core/gz_text.h"
#include "sim/core/heap.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[ENERGY_COLUMN_COUNT] = {
#define X(name, optional) #name,
    ENERGY_COLUMNS(X)
#undef X
};
static const bool optional[ENERGY_COLUMN_COUNT] = {
#define X(name, optional) optional,
    ENERGY_COLUMNS(X)
#undef X
};

struct reader {
    struct energy_table *table;
    const char *path;
    unsigned line;                   /* of the row */
    unsigned next_line;              /* behind it */
    int column[ENERGY_COLUMN_COUNT]; /* which cell it is, -1: none */
    unsigned cells;                  /* of the head */
};

enum { CELLS_MOST = 64 };

static bool wrong(const struct reader *r, struct error *error,
                  const char *expected, const char *found)
{
    return error_set(error, "%s: line %u: expected %s, found '%.60s'", r->path,
                     r->line, expected, found);
}

/* ---- cells ---- */

/* Takes a cell at *at apart, in place: up to a comma or the line's end; between
 * quotes both are text, and a doubled quote is one. Returns how it ended: ',',
 * '\n', 0 at the file's end; '"': something stands behind a quote. */
static char take_cell(struct reader *r, char **at, char **cell)
{
    char *from = *at, *to = from;
    bool quoted = *from == '"', open = quoted;
    *cell = to;
    for (from += quoted; *from; from++) {
        if (open && *from == '"' && from[1] != '"') {
            open = false;
            continue;
        }
        if (!open && (*from == ',' || *from == '\n'))
            break;
        if (quoted && !open && *from != '\r')
            return '"';
        from += open && *from == '"';
        r->next_line += *from == '\n';
        *to++ = *from;
    }
    char end = *from;
    while (!quoted && to > *cell && (to[-1] == '\r' || to[-1] == ' '))
        to--;
    *to = '\0';
    *at = from + (end != '\0');
    return open ? '"' : end;
}

/* The cells of the line at *at, which is not its file's end. */
static bool take_line(struct reader *r, char **at, char *cells[CELLS_MOST],
                      unsigned *count, struct error *error)
{
    char end = ',';
    r->line = r->next_line;
    for (*count = 0; end == ','; ++*count) {
        if (*count == CELLS_MOST)
            return wrong(r, error, "at most 64 cells", cells[0]);
        end = take_cell(r, at, &cells[*count]);
        if (end == '"')
            return wrong(r, error, "a comma behind a closing quote",
                         cells[*count]);
    }
    r->next_line++;
    return true;
}

static bool is_empty(char *const *cells, unsigned count)
{
    return count == 1 && (!*cells[0] || cells[0][0] == '#');
}

/* ---- the head ---- */

static bool take_head(struct reader *r, char *const *cells, unsigned count,
                      struct error *error)
{
    for (unsigned c = 0; c < ENERGY_COLUMN_COUNT; c++)
        r->column[c] = -1;
    for (unsigned i = 0; i < count; i++) {
        unsigned c = 0;
        while (c < ENERGY_COLUMN_COUNT && strcmp(cells[i], names[c]) != 0)
            c++;
        if (c == ENERGY_COLUMN_COUNT || r->column[c] >= 0)
            return wrong(r, error,
                         "a column of unit, event, size, when, times, by, pj, "
                         "mw, mm2, node, voltage, source, trust, each once",
                         cells[i]);
        r->column[c] = (int)i;
    }
    for (unsigned c = 0; c < ENERGY_COLUMN_COUNT; c++)
        if (r->column[c] < 0 && !optional[c])
            return error_set(error, "%s: line %u: expected a column '%s'",
                             r->path, r->line, names[c]);
    r->cells = count;
    return true;
}

/* ---- rows ---- */

/* A number of at least 0; anything before the end is wrong. */
static bool number(const char *text, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return end != text && !*end && !errno && isfinite(*value) && *value >= 0 &&
           *text != '-';
}

bool energy_when(const char **at, char name[64], double *value, bool *wrong)
{
    char text[64];
    *at += strspn(*at, " ");
    size_t length = strcspn(*at, " "), equals = strcspn(*at, "= ");
    *wrong = length && (length >= sizeof text || (*at)[equals] != '=');
    if (!length || *wrong)
        return false;
    snprintf(name, 64, "%.*s", (int)equals, *at);
    snprintf(text, sizeof text, "%.*s", (int)(length - equals - 1),
             *at + equals + 1);
    *wrong = !equals || !number(text, value);
    *at += length;
    return !*wrong;
}

static bool take_numbers(const struct reader *r, struct energy_row *row,
                         struct error *error)
{
    static const enum energy_column at[ENERGY_NUMBERS] = {ENERGY_pj, ENERGY_mw,
                                                          ENERGY_mm2};
    bool any = false;
    for (unsigned n = 0; n < ENERGY_NUMBERS; n++) {
        const char *text = row->text[at[n]];
        row->has[n] = *text;
        if (*text && !number(text, &row->number[n]))
            return error_set(error,
                             "%s: line %u: %s: expected a number of at least "
                             "0, found '%.60s'",
                             r->path, r->line, names[at[n]], text);
        any |= row->has[n];
    }
    if (!any)
        return wrong(r, error, "a number of pj, mw or mm2", "");
    if (row->has[ENERGY_PJ] != (*row->text[ENERGY_event] != 0))
        return wrong(r, error, "pj for an event, and an event for pj",
                     row->text[ENERGY_event]);
    return true;
}

static bool take_size(const struct reader *r, struct energy_row *row,
                      struct error *error)
{
    const char *at = row->text[ENERGY_size], *when = row->text[ENERGY_when];
    char name[64];
    double value;
    bool bad;
    if (energy_when(&at, name, &row->size, &bad)) {
        bad = at[strspn(at, " ")] || row->size <= 0;
        row->size_name = heap_text(name);
    }
    if (bad)
        return wrong(r, error, "a size as PARAMETER=NUMBER above 0",
                     row->text[ENERGY_size]);
    while (energy_when(&when, name, &value, &bad))
        ;
    return !bad || wrong(r, error, "when as words PARAMETER=NUMBER",
                         row->text[ENERGY_when]);
}

static bool check_words(const struct reader *r, const struct energy_row *row,
                        struct error *error)
{
    static const enum energy_column needed[] = {ENERGY_unit, ENERGY_node,
                                                ENERGY_source, ENERGY_trust};
    const char *trust = row->text[ENERGY_trust];
    for (unsigned i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!*row->text[needed[i]])
            return error_set(
                error, "%s: line %u: %s is empty: expected %s", r->path,
                r->line, names[needed[i]],
                needed[i] == ENERGY_unit     ? "a group or a kind of units"
                : needed[i] == ENERGY_node   ? "a process, or 'not stated'"
                : needed[i] == ENERGY_source ? "where the numbers come from"
                                             : "H, M or L");
    return (strlen(trust) == 1 && strchr("HML", *trust)) ||
           wrong(r, error, "trust H, M or L", trust);
}

static bool same(const struct energy_row *a, const struct energy_row *b)
{
    static const enum energy_column key[] = {ENERGY_unit, ENERGY_event,
                                             ENERGY_size, ENERGY_when};
    for (unsigned i = 0; i < sizeof key / sizeof *key; i++)
        if (strcmp(a->text[key[i]], b->text[key[i]]) != 0)
            return false;
    return *a->text[ENERGY_event] || a->has[ENERGY_MM2] == b->has[ENERGY_MM2];
}

static bool take_row(struct reader *r, char *const *cells, unsigned count,
                     struct error *error)
{
    struct energy_table *t = r->table;
    if (count != r->cells)
        return error_set(error, "%s: line %u: expected %u cells, found %u",
                         r->path, r->line, r->cells, count);
    t->rows = heap_resize(t->rows, t->count + 1u, sizeof *t->rows,
                          "a table of energy");
    struct energy_row *row = &t->rows[t->count++];
    *row = (struct energy_row){.file = r->path, .line = r->line};
    for (unsigned c = 0; c < ENERGY_COLUMN_COUNT; c++)
        row->text[c] = heap_text(r->column[c] < 0 ? "" : cells[r->column[c]]);
    for (unsigned i = 0; i + 1 < t->count; i++)
        if (same(row, &t->rows[i]))
            return error_set(error,
                             "%s: line %u: expected one row for an event of "
                             "a unit of a size; line %u of %s is one, too",
                             r->path, r->line, t->rows[i].line,
                             t->rows[i].file);
    return check_words(r, row, error) && take_numbers(r, row, error) &&
           take_size(r, row, error);
}

static bool take_text(struct reader *r, char *text, struct error *error)
{
    char *cells[CELLS_MOST];
    unsigned count;
    bool head = false;
    while (*text) {
        if (!take_line(r, &text, cells, &count, error))
            return false;
        if (is_empty(cells, count) || cells[0][0] == '#')
            continue;
        if (!head ? !take_head(r, cells, count, error)
                  : !take_row(r, cells, count, error))
            return false;
        head = true;
    }
    r->line = 1;
    return head || wrong(r, error, "a table of energy: a line of columns", "");
}

bool energy_table_read(struct energy_table *table, const char *path,
                       struct error *error)
{
    struct reader r = {.table = table, .path = path, .next_line = 1};
    char *text = gz_text_read(path, error);
    if (!text)
        return false;
    reads_note(path, "a table of energy");
    bool good = take_text(&r, text, error);
    free(text);
    return good;
}

void energy_table_free(struct energy_table *table)
{
    for (unsigned i = 0; i < table->count; i++) {
        for (unsigned c = 0; c < ENERGY_COLUMN_COUNT; c++)
            free(table->rows[i].text[c]);
        free(table->rows[i].size_name);
    }
    free(table->rows);
}
