#include "sim/dram/replay/trace.h"
#include "sim/core/gz_text.h"
#include "sim/core/heap.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column { ID, OFFER, ACCEPT, RW, ADDR, CH, ISSUE, DONE, KIND, COLUMNS };
static const char *const names[COLUMNS] = {
    "id", "offer", "accept", "rw", "addr", "ch", "issue", "done", "kind"};

#define MAX_CELLS 32

struct reader {
    const char *path;
    char *at; /* the next line */
    uint32_t line;
    char *cells[MAX_CELLS];
    unsigned cell_count, head_count;
    int where[COLUMNS]; /* place of a column in a line, or -1 */
    struct error *error;
};

static bool wrong(const struct reader *r, const char *what, const char *text)
{
    return error_set(r->error, "%.200s:%u: %s '%.40s'", r->path, r->line, what,
                     text);
}

/* ---- lines ---- */

/* Splits the next line in place; false at the end. */
static bool next_line(struct reader *r)
{
    char *c = r->at;
    if (!*c)
        return false;
    r->line++;
    r->cell_count = 0;
    for (;;) {
        if (r->cell_count < MAX_CELLS)
            r->cells[r->cell_count] = c;
        r->cell_count++;
        while (*c != ',' && *c != '\n' && *c)
            c++;
        char end = *c;
        if (end != ',' && c > r->at && c[-1] == '\r')
            c[-1] = 0;
        *c = 0;
        r->at = end ? c + 1 : c;
        if (end != ',')
            return true;
        c++;
    }
}

static bool read_head(struct reader *r)
{
    if (!next_line(r))
        return error_set(r->error, "%.200s: empty", r->path);
    r->head_count = r->cell_count;
    if (r->head_count > MAX_CELLS)
        return wrong(r, "too many columns from", r->cells[MAX_CELLS - 1]);
    for (int i = 0; i < COLUMNS; i++) {
        r->where[i] = -1;
        for (unsigned j = 0; j < r->cell_count; j++)
            if (!strcmp(r->cells[j], names[i]))
                r->where[i] = (int)j;
    }
    static const uint8_t needed[] = {OFFER, RW, ADDR};
    for (size_t i = 0; i < sizeof needed; i++)
        if (r->where[needed[i]] < 0)
            return wrong(r, "the first line names no column", names[needed[i]]);
    return true;
}

static const char *cell(const struct reader *r, enum column column)
{
    return r->cells[r->where[column]];
}

/* Decimal, and nothing else in the cell. */
static bool read_decimal(const struct reader *r, enum column column,
                         int64_t least, int64_t *value)
{
    const char *text = cell(r, column), *c = text;
    bool negative = *c == '-';
    c += negative;
    int64_t n = 0;
    for (; *c >= '0' && *c <= '9' && n < INT64_MAX / 100; c++)
        n = 10 * n + (*c - '0');
    *value = negative ? -n : n;
    if (c > text + negative && !*c && *value >= least)
        return true;
    char what[64];
    snprintf(what, sizeof what, "%s has to be a number from %d on, not",
             names[column], (int)least);
    return wrong(r, what, text);
}

static bool read_address(const struct reader *r, uint64_t *address)
{
    const char *text = cell(r, ADDR);
    char *end;
    errno = 0;
    *address = strtoull(text, &end, 0);
    if (end == text || *end || errno || *text == '-')
        return wrong(r, "addr has to be a number like 0x1f40, not", text);
    return true;
}

static bool read_request(const struct reader *r, const struct request *before,
                         struct request *q)
{
    int64_t offer;
    const char *rw = cell(r, RW);
    if (!read_decimal(r, OFFER, 0, &offer) || !read_address(r, &q->address))
        return false;
    if ((rw[0] != 'R' && rw[0] != 'W') || rw[1])
        return wrong(r, "rw has to be R or W, not", rw);
    if (before && (uint64_t)offer < before->offer)
        return wrong(r,
                     "offers have to be in order; this is earlier than the "
                     "one before:",
                     cell(r, OFFER));
    q->offer = (uint64_t)offer;
    q->write = *rw == 'W';
    return true;
}

static bool read_result(const struct reader *r, struct result *result)
{
    int64_t channel;
    const char *kind = cell(r, KIND);
    if (!read_decimal(r, ACCEPT, 0, &result->accept) ||
        !read_decimal(r, ISSUE, -1, &result->issue) ||
        !read_decimal(r, DONE, -1, &result->done) ||
        !read_decimal(r, CH, -1, &channel))
        return false;
    if (!*kind || kind[1] || !strchr("HMCFW", *kind))
        return wrong(r, "kind has to be H, M, C, F or W, not", kind);
    result->channel = (int32_t)channel;
    result->kind = *kind;
    return true;
}

/* Requests are numbered from 0 on. */
static bool check_id(const struct reader *r, uint32_t expected)
{
    int64_t id;
    if (r->where[ID] < 0)
        return true;
    if (!read_decimal(r, ID, 0, &id))
        return false;
    if (id == expected)
        return true;
    char what[64];
    snprintf(what, sizeof what, "id %u is expected, not", expected);
    return wrong(r, what, cell(r, ID));
}

/* ---- the trace ---- */

static bool has_results(const struct reader *r)
{
    return r->where[ACCEPT] >= 0 && r->where[ISSUE] >= 0 &&
           r->where[DONE] >= 0 && r->where[KIND] >= 0 && r->where[CH] >= 0;
}

static bool read_line(const struct reader *r, struct trace *t)
{
    uint32_t n = t->count;
    if (r->cell_count != r->head_count) {
        char what[80];
        snprintf(what, sizeof what,
                 "%u cells, but the first line has %u; it begins with",
                 r->cell_count, r->head_count);
        return wrong(r, what, r->cells[0]);
    }
    if (!check_id(r, n) ||
        !read_request(r, n ? &t->requests[n - 1] : NULL, &t->requests[n]) ||
        (t->results && !read_result(r, &t->results[n])))
        return false;
    t->count++;
    return true;
}

static bool read_lines(struct reader *r, struct trace *t)
{
    if (!read_head(r))
        return false;
    uint32_t most = gz_text_lines(r->at);
    t->requests = heap_new(most, sizeof *t->requests, "the requests");
    t->results = has_results(r)
                     ? heap_new(most, sizeof *t->results, "the results")
                     : NULL;
    while (next_line(r))
        if (!read_line(r, t))
            return false;
    return t->count ||
           error_set(r->error, "%.200s: no request after the first line",
                     r->path);
}

static void name_stream(struct trace *t, const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    const char *end = strstr(start, ".req");
    if (!end)
        end = strstr(start, ".csv");
    int length = end ? (int)(end - start) : (int)strlen(start);
    char name[NAME_MAX + 1];
    snprintf(name, sizeof name, "%.*s", length, start);
    corbel_line(t->name, sizeof t->name, name);
}

bool trace_read(struct trace *trace, const char *path, struct error *error)
{
    *trace = (struct trace){0};
    char *text = gz_text_read(path, error);
    if (!text)
        return false;
    struct reader r = {.path = path, .at = text, .error = error};
    name_stream(trace, path);
    bool ok = read_lines(&r, trace);
    free(text);
    if (!ok)
        trace_free(trace);
    return ok;
}

void trace_free(struct trace *trace)
{
    free(trace->requests);
    free(trace->results);
}
