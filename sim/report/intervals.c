/*
 * A row of intervals.csv names a cycle, a group, a statistic and its growth,
 * one of unit-intervals.csv a unit instead of a group;
 * rows of one cycle are an interval, and what has none did not grow. A growth
 * may be negative, as a number of 64 bits without a sign: a unit may find out
 * later what its cycles were. Bins that are full are merged in pairs, so the
 * memory is that of BINS_MAX bins however long the run was.
 */
#include "sim/report/intervals.h"
#include "sdk/whole/reads.h"
#include "sim/core/heap.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Longest line that is read; sim-run writes shorter ones. */
enum { LINE_SIZE = 1024, CELLS = 4 };

/* One of the tables. */
struct source {
    const char *file, *columns;
    const struct value *values; /* what its rows name */
    unsigned count;
};

struct reader {
    const struct run *run;
    struct source of;
    interval_fn *tell;
    void *context;
    unsigned long line;
    uint64_t from, to; /* of the open interval; to 0: none is open */
    int64_t *values;
    uint64_t *sums; /* since the begin: in the end the run's totals */
    unsigned next;  /* where the next statistic is looked for */
};

/* Splits a line at its commas; false: it does not have CELLS of them, or does
 * not end. */
static bool split(char *line, char *cells[CELLS])
{
    char *end = strchr(line, '\n');
    if (!end)
        return false;
    *end = '\0';
    for (unsigned i = 0; i < CELLS; i++) {
        cells[i] = line;
        char *comma = line ? strchr(line, ',') : NULL;
        if (!line || !comma != (i == CELLS - 1))
            return false;
        if (comma)
            *comma = '\0';
        line = comma ? comma + 1 : NULL;
    }
    return true;
}

/* Rows may end in spaces. */
static bool number(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    end += strspn(end, " ");
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

static void end_interval(struct reader *r)
{
    if (!r->to)
        return;
    r->tell(r->context, r->from, r->to, r->values);
    r->from = r->to;
    memset(r->values, 0, r->of.count * sizeof *r->values);
}

static bool wrong(const struct reader *r, struct error *error, const char *what,
                  const char *text)
{
    return error_set(error, "%s/%s: line %lu: %s%s", r->run->path, r->of.file,
                     r->line, what, text);
}

static bool take_row(struct reader *r, char *line, struct error *error)
{
    char *cells[CELLS];
    uint64_t cycle, value;
    if (!split(line, cells) || !number(cells[0], &cycle) ||
        !number(cells[3], &value))
        return wrong(r, error, "expected ", r->of.columns);
    if (cycle <= r->from || cycle < r->to || cycle > r->run->cycles)
        return wrong(r, error,
                     "cycles have to rise, up to those of stats.json, not ",
                     cells[0]);
    if (cycle != r->to) {
        end_interval(r);
        r->to = cycle;
    }
    unsigned at =
        value_find(r->of.values, r->of.count, cells[1], cells[2], r->next);
    if (at == r->of.count)
        return wrong(r, error, "stats.json has no such statistic: ", cells[2]);
    r->values[at] += (int64_t)value;
    r->sums[at] += value;
    r->next = at + 1;
    return true;
}

static bool take_head(const struct reader *r, const char *line,
                      struct error *error)
{
    size_t length = strlen(r->of.columns);
    return (!strncmp(line, r->of.columns, length) &&
            !strcmp(line + length, "\n")) ||
           wrong(r, error, "expected ", r->of.columns);
}

/* A file that was cut, or is of another run, does not sum up. */
static bool sums_agree(const struct reader *r, struct error *error)
{
    for (unsigned v = 0; v < r->of.count; v++) {
        const struct value *of = &r->of.values[v];
        if (r->sums[v] != of->total)
            return error_set(error,
                             "%s/%s: %s of %s sums to %" PRIu64
                             ", expected the %" PRIu64 " of stats.json",
                             r->run->path, r->of.file, of->name, of->group,
                             r->sums[v], of->total);
    }
    return true;
}

static bool read_rows(struct reader *r, FILE *file, struct error *error)
{
    char line[LINE_SIZE];
    for (r->line = 1; fgets(line, sizeof line, file); r->line++)
        if (r->line == 1 ? !take_head(r, line, error)
                         : !take_row(r, line, error))
            return false;
    end_interval(r);
    if (ferror(file))
        return error_set(error, "%s/%s: %s", r->run->path, r->of.file,
                         strerror(errno));
    return !r->to || sums_agree(r, error);
}

static bool read_table(const struct run *run, struct source of,
                       interval_fn *tell, void *context, bool *any,
                       struct error *error)
{
    char *path = run_file(run, of.file);
    FILE *file = fopen(path, "r");
    int why = errno;
    free(path);
    *any = false;
    if (!file)
        return why == ENOENT ||
               error_set(error, "%s/%s: %s", run->path, of.file, strerror(why));
    reads_note_open(fileno(file), "a file of the run");
    struct reader r = {.run = run, .of = of, .tell = tell, .context = context};
    r.values = heap_new(of.count, sizeof *r.values, "an interval");
    r.sums = heap_new(of.count, sizeof *r.sums, "an interval");
    bool good = read_rows(&r, file, error);
    fclose(file);
    free(r.values);
    free(r.sums);
    *any = r.to;
    return good;
}

bool intervals_read(const struct run *run, interval_fn *tell, void *context,
                    bool *any, struct error *error)
{
    struct source of = {"intervals.csv", "cycle,group,stat,value", run->values,
                        run->value_count};
    return read_table(run, of, tell, context, any, error);
}

bool intervals_read_units(const struct run *run, interval_fn *tell,
                          void *context, bool *any, struct error *error)
{
    struct source of = {"unit-intervals.csv", "cycle,unit,stat,value",
                        run->unit_values, run->unit_value_count};
    return read_table(run, of, tell, context, any, error);
}

/* ---- bins ---- */

static void begin_series(struct bins *bins, unsigned v)
{
    if (!bins->series[v])
        bins->series[v] =
            heap_new(bins->most, sizeof **bins->series, "intervals");
}

void bins_begin_rows(struct bins *bins, unsigned rows, unsigned most,
                     uint64_t from, uint64_t to)
{
    *bins = (struct bins){
        .rows = rows, .most = most, .from = from, .to = to, .each = 1};
    bins->ends = heap_new(most, sizeof *bins->ends, "intervals");
    bins->series = heap_new(rows, sizeof *bins->series, "intervals");
}

void bins_begin(struct bins *bins, const struct run *run, uint64_t from,
                uint64_t to)
{
    bins_begin_rows(bins, run->value_count, BINS_MAX, from, to);
    for (unsigned v = 0; v < run->value_count; v++)
        if (run->values[v].total)
            begin_series(bins, v);
}

void bins_free(struct bins *bins)
{
    for (unsigned v = 0; bins->series && v < bins->rows; v++)
        free(bins->series[v]);
    free(bins->series);
    free(bins->ends);
}

static struct bin merged(struct bin a, struct bin b)
{
    return (struct bin){.sum = a.sum + b.sum,
                        .low = a.low < b.low ? a.low : b.low,
                        .high = a.high > b.high ? a.high : b.high};
}

/* Halves the number of bins, all of which are full. */
static void merge_pairs(struct bins *bins)
{
    for (unsigned i = 0; i < bins->most / 2; i++)
        bins->ends[i] = bins->ends[2 * i + 1];
    for (unsigned v = 0; v < bins->rows; v++)
        for (unsigned i = 0; bins->series[v] && i < bins->most / 2; i++)
            bins->series[v][i] =
                merged(bins->series[v][2 * i], bins->series[v][2 * i + 1]);
    bins->count = bins->most / 2;
    bins->each *= 2;
}

void bins_add(void *context, uint64_t from, uint64_t to, const int64_t *values)
{
    struct bins *bins = context;
    if (from >= bins->to || to <= bins->from)
        return;
    bool fresh = !bins->count || bins->in_last == bins->each;
    if (fresh && bins->count == bins->most)
        merge_pairs(bins);
    if (!bins->count)
        bins->begin = from;
    unsigned at = fresh ? bins->count++ : bins->count - 1;
    bins->in_last = fresh ? 1 : bins->in_last + 1;
    bins->intervals++;
    bins->ends[at] = to;
    for (unsigned v = 0; v < bins->rows; v++) {
        double rate = (double)values[v] / (double)(to - from);
        struct bin one = {values[v], rate, rate};
        if (values[v])
            begin_series(bins, v);
        if (bins->series[v])
            bins->series[v][at] =
                fresh ? one : merged(bins->series[v][at], one);
    }
}

bool bins_put(FILE *out, const struct bins *bins)
{
    if (!bins->count) {
        fputs("null", out);
        return false;
    }
    fprintf(out,
            "{\"begin\":%" PRIu64 ",\"intervals\":%" PRIu64 ",\"each\":%" PRIu64
            ",\"ends\":",
            bins->begin, bins->intervals, bins->each);
    for (unsigned i = 0; i < bins->count; i++)
        fprintf(out, "%s%" PRIu64, i ? "," : "[", bins->ends[i]);
    fputc(']', out);
    return true;
}

bool intervals_lacking(const struct run *run, struct error *error)
{
    return error_set(error,
                     "%s: no intervals, expected intervals.csv of a run with "
                     "--interval",
                     run->path);
}
