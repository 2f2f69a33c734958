/*
 * A row is a statistic of one unit, or of a few neighbours where a group has
 * many. Rows of a statistic lie side by side, in the order of the run's values.
 * A cell is its mean in some intervals, as one of a few levels up to the
 * greatest cell of that statistic: exact numbers are in the file.
 */
#include "sim/report/unit_map.h"
#include "sim/core/heap.h"
#include "sim/report/intervals.h"
#include "sim/report/page_json.h"
#include "sim/report/shape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Letters that JSON and HTML leave as they are. */
static const char levels[] =
    "#$%()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`"
    "abcdefghijklmnopqrstuvwxyz{|}~";

/* Of a statistic: its first row, how many there are, units in each. */
struct rows {
    unsigned first, count, each;
};

struct unit_map {
    const struct run *run;
    struct rows *rows; /* by value of the run */
    unsigned row_count;
    unsigned *row_of;  /* by value of units; row_count: in no group */
    uint64_t *weights; /* of each row: cycles a cycle, or units */
    bool *used;        /* is it ever other than 0? */
    int64_t *now;      /* of each row: of an interval */
    /* As of charts: once for the whole run, once for its regions of interest.
     */
    struct bins whole, region;
};

/* Units of a group before one in the list; NULL: in all of it. */
static unsigned units_before(const struct run *run, const cJSON *end,
                             const char *group)
{
    unsigned count = 0;
    for (const cJSON *u = json_member(run->stats, "units")->child; u != end;
         u = u->next)
        count += !strcmp(json_member(u, "group")->valuestring, group);
    return count;
}

static void lay_rows(struct unit_map *m)
{
    const struct run *run = m->run;
    const char *group = "";
    unsigned units = 0;
    m->rows = heap_new(run->value_count, sizeof *m->rows, "a map of units");
    for (unsigned v = 0; v < run->value_count; v++) {
        if (!v || run->values[v].group != group) {
            group = run->values[v].group;
            units = units_before(run, NULL, group);
        }
        unsigned each = (units + MAP_ROWS - 1) / MAP_ROWS;
        unsigned count = each ? (units + each - 1) / each : 0;
        m->rows[v] = (struct rows){m->row_count, count, each};
        m->row_count += count;
    }
}

/* A statistic of the nth unit of its group; ranges of histograms are left out.
 */
static void place(struct unit_map *m, unsigned unit_value, const char *group,
                  unsigned nth, unsigned *from)
{
    const struct value *u = &m->run->unit_values[unit_value];
    m->row_of[unit_value] = m->row_count;
    if (u->range)
        return;
    unsigned v = run_find(m->run, group, u->name, *from);
    if (v == m->run->value_count)
        return;
    unsigned row = m->rows[v].first + nth / m->rows[v].each;
    m->row_of[unit_value] = row;
    m->weights[row] += u->bucket ? u->accounts : 1;
    m->used[row] |= u->total != 0;
    *from = v + 1;
}

/* The run's values of units are those of its units, in their order. */
static void place_units(struct unit_map *m)
{
    const struct run *run = m->run;
    unsigned v = 0, from = 0;
    size_t units = run->unit_value_count;
    m->row_of = heap_new(units, sizeof *m->row_of, "a map of units");
    m->weights = heap_new(m->row_count + 1u, sizeof *m->weights, "a map");
    m->used = heap_new(m->row_count + 1u, sizeof *m->used, "a map of units");
    m->now = heap_new(m->row_count + 1u, sizeof *m->now, "a map of units");
    for (const cJSON *u = json_member(run->stats, "units")->child; u;
         u = u->next) {
        const char *group = json_member(u, "group")->valuestring;
        unsigned nth = units_before(run, u, group);
        unsigned count = run_values_in(u);
        for (unsigned i = 0; i < count; i++)
            place(m, v++, group, nth, &from);
    }
}

static void add_interval(void *context, uint64_t from, uint64_t to,
                         const int64_t *values)
{
    struct unit_map *m = context;
    memset(m->now, 0, m->row_count * sizeof *m->now);
    for (unsigned v = 0; v < m->run->unit_value_count; v++)
        if (m->row_of[v] < m->row_count)
            m->now[m->row_of[v]] += values[v];
    bins_add(&m->whole, from, to, m->now);
    bins_add(&m->region, from, to, m->now);
}

static void begin(struct unit_map *m)
{
    uint64_t from = 0, to = 0;
    unsigned used = 0;
    run_regions(m->run, &from, &to);
    lay_rows(m);
    place_units(m);
    for (unsigned r = 0; r < m->row_count; r++)
        used += m->used[r];
    unsigned cells = to ? MAP_CELLS / 2 : MAP_CELLS;
    unsigned most = used ? cells / used : MAP_COLUMNS;
    most = most > MAP_COLUMNS ? MAP_COLUMNS : most < 2 ? 2 : most / 2 * 2;
    bins_begin_rows(&m->whole, m->row_count, most, 0, m->run->cycles);
    bins_begin_rows(&m->region, m->row_count, most, from, to);
}

static void end(struct unit_map *m)
{
    bins_free(&m->whole);
    bins_free(&m->region);
    free(m->rows);
    free(m->row_of);
    free(m->weights);
    free(m->used);
    free(m->now);
}

/* ---- JSON ---- */

/* The mean of a row in a bin: of a cycle, or of a cycle of each account. */
static double cell(const struct unit_map *m, const struct bins *b, unsigned row,
                   unsigned bin)
{
    uint64_t begin = bin ? b->ends[bin - 1] : b->begin;
    double cycles = (double)(b->ends[bin] - begin);
    return b->series[row] ? (double)b->series[row][bin].sum /
                                (cycles * (double)m->weights[row])
                          : 0;
}

static double peak_of(const struct unit_map *m, const struct bins *b,
                      const struct rows *rows)
{
    double peak = 0;
    for (unsigned r = 0; r < rows->count; r++)
        for (unsigned i = 0; i < b->count; i++)
            peak = fmax(peak, cell(m, b, rows->first + r, i));
    return peak;
}

/* What is not 0 is not shown as if it were. */
static char letter(double share)
{
    int last = (int)sizeof levels - 2, level = (int)(share * last + 0.5);
    return levels[share <= 0 ? 0 : level < 1 ? 1 : level > last ? last : level];
}

static void put_row(FILE *out, const struct unit_map *m, const struct bins *b,
                    unsigned row, double peak)
{
    fputc('"', out);
    for (unsigned i = 0; b->series[row] && i < b->count; i++)
        fputc(letter(cell(m, b, row, i) / peak), out);
    fputc('"', out);
}

static void put_series(FILE *out, const struct unit_map *m,
                       const struct bins *b)
{
    const char *before = "";
    for (unsigned v = 0; v < m->run->value_count; v++) {
        const struct rows *rows = &m->rows[v];
        double peak = peak_of(m, b, rows);
        if (peak <= 0)
            continue;
        fprintf(out, "%s{\"group\":", before);
        json_put_text(out, m->run->values[v].group);
        fputs(",\"name\":", out);
        json_put_text(out, m->run->values[v].name);
        fprintf(out, ",\"each\":%u,\"peak\":%.6g,\"rows\":[", rows->each, peak);
        for (unsigned r = 0; r < rows->count; r++) {
            fputs(r ? "," : "", out);
            put_row(out, m, b, rows->first + r, peak);
        }
        fputs("]}", out);
        before = ",\n";
    }
}

static void put_map(FILE *out, const struct unit_map *m, const struct bins *b)
{
    if (!bins_put(out, b))
        return;
    fprintf(out, ",\"levels\":\"%s\",\"series\":[", levels);
    put_series(out, m, b);
    fputs("]}", out);
}

bool unit_maps_put(FILE *out, const struct run *run, struct error *error)
{
    struct unit_map m = {.run = run};
    bool any;
    begin(&m);
    bool good = intervals_read_units(run, add_interval, &m, &any, error);
    fputs("\"unit_intervals\":", out);
    put_map(out, &m, &m.whole);
    fputs(",\n\"region_unit_intervals\":", out);
    put_map(out, &m, &m.region);
    end(&m);
    return good;
}
