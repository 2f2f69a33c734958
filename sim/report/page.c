/*
 * Writes the page: its begin, the data as JSON within a script element, and its
 * end, both of which the build has made of sim/report/page/. What names and
 * texts hold is never trusted: JSON is written so that it cannot end the
 * element (page_json.h); the scripts put text into the page as text, never as
 * HTML.
 */
#include "sim/report/page.h"
#include "sdk/version/version.h"
#include "sim/core/heap.h"
#include "sim/report/changes.h"
#include "sim/report/differences.h"
#include "sim/report/figure_series.h"
#include "sim/report/image.h"
#include "sim/report/intervals.h"
#include "sim/report/page_json.h"
#include "sim/report/pixels.h"
#include "sim/report/unit_map.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the linker: the files that the build has made. */
extern const char _binary_begin_html_start[], _binary_begin_html_end[];
extern const char _binary_live_html_start[], _binary_live_html_end[];
extern const char _binary_end_html_start[], _binary_end_html_end[];

/* Most bytes of log.txt that a page shows. */
enum { LOG_MAX = 256 * 1024 };

static void put_between(FILE *out, const char *begin, const char *end)
{
    fwrite(begin, 1, (size_t)(end - begin), out);
}

/* ---- intervals ---- */

enum column { COLUMN_SUM, COLUMN_LOW, COLUMN_HIGH };

static void put_column(FILE *out, const struct bins *bins,
                       const struct bin *series, enum column column)
{
    for (unsigned i = 0; i < bins->count; i++) {
        fputs(i ? "," : "[", out);
        if (column == COLUMN_SUM)
            fprintf(out, "%" PRId64, series[i].sum);
        else
            fprintf(out, "%.6g",
                    column == COLUMN_LOW ? series[i].low : series[i].high);
    }
    fputc(']', out);
}

/* {"sum": [...]}; where bins have several intervals also low and high. */
static void put_series(FILE *out, const struct bins *bins,
                       const struct bin *series)
{
    fputs("{\"sum\":", out);
    put_column(out, bins, series, COLUMN_SUM);
    if (bins->each > 1) {
        fputs(",\"low\":", out);
        put_column(out, bins, series, COLUMN_LOW);
        fputs(",\"high\":", out);
        put_column(out, bins, series, COLUMN_HIGH);
    }
    fputc('}', out);
}

/* null: there is no interval. */
static void put_bins(FILE *out, const struct run *run, const struct bins *bins)
{
    if (!bins_put(out, bins))
        return;
    fputs(",\"series\":[", out);
    bool first = true;
    for (unsigned v = 0; v < run->value_count; v++) {
        if (!bins->series[v] || run->values[v].range)
            continue;
        fputs(first ? "{\"group\":" : ",\n{\"group\":", out);
        json_put_text(out, run->values[v].group);
        fputs(",\"name\":", out);
        json_put_text(out, run->values[v].name);
        fputs(",\"bins\":", out);
        put_series(out, bins, bins->series[v]);
        fputc('}', out);
        first = false;
    }
    fputs("],\n\"figures\":", out);
    figure_series_put(out, run, bins);
    fputc('}', out);
}

/* Once for the whole run, once for its regions of interest, which may be a
 * small part of it and would lose their shape among many intervals. */
struct both {
    struct bins whole, region;
};

static void add_both(void *context, uint64_t from, uint64_t to,
                     const int64_t *values)
{
    struct both *both = context;
    bins_add(&both->whole, from, to, values);
    bins_add(&both->region, from, to, values);
}

static bool put_intervals(FILE *out, const struct run *run, struct error *error)
{
    struct both both;
    uint64_t from = 0, to = 0;
    bool any;
    run_regions(run, &from, &to);
    bins_begin(&both.whole, run, 0, run->cycles);
    bins_begin(&both.region, run, from, to);
    bool good = intervals_read(run, add_both, &both, &any, error);
    fputs("\"intervals\":", out);
    put_bins(out, run, &both.whole);
    fputs(",\n\"region_intervals\":", out);
    put_bins(out, run, &both.region);
    bins_free(&both.whole);
    bins_free(&both.region);
    return good;
}

/* ---- runs ---- */

/* Whole lines, as many as LOG_MAX allows. */
static void put_log(FILE *out, const char *text)
{
    size_t length = text ? strlen(text) : 0, shown = length;
    if (length > LOG_MAX) {
        shown = LOG_MAX;
        while (shown && text[shown - 1] != '\n')
            shown--;
    }
    char *part = heap_text_part(text ? text : "", shown);
    json_put_text(out, part);
    free(part);
    fprintf(out, ",\"log_left_out\":%zu", length - shown);
}

static void put_texts(FILE *out, const struct run *run)
{
    fputs("{\"path\":", out);
    json_put_text(out, run->path);
    fputs(",\"stats\":", out);
    json_put_file(out, run->stats_text);
    fputs(",\n\"manifest\":", out);
    json_put_file(out, run->manifest_text);
    fputs(",\n\"profile\":", out);
    json_put_file(out, run->profile_text);
    fputs(",\n\"log\":", out);
    put_log(out, run->log_text);
    fputs(",\n\"image\":", out);
}

static void put_energy(FILE *out, const struct run *run)
{
    char *text = run->energy ? cJSON_PrintUnformatted(run->energy) : NULL;
    fputs(",\n\"energy\":", out);
    json_put_file(out, text);
    cJSON_free(text);
}

/* image NULL: there is none. */
static bool put_run(FILE *out, const struct run *run, const char *image,
                    struct error *error)
{
    put_texts(out, run);
    if (!image)
        fputs("null", out);
    else if (!image_put(out, image, error))
        return false;
    fputs(",\n\"pixels\":", out);
    if (!pixels_put(out, run, error))
        return false;
    fputs(",\n", out);
    if (!put_intervals(out, run, error))
        return false;
    fputs(",\n", out);
    if (!unit_maps_put(out, run, error))
        return false;
    put_energy(out, run);
    fputc('}', out);
    return true;
}

static void put_number(FILE *out, const char *name, double value)
{
    fprintf(out, ",\"%s\":%.17g", name, value);
}

static void put_changes(FILE *out, const struct run *a, const struct run *b)
{
    static const char *const parts[] = {[PART_CYCLES] = "cycles",
                                        [PART_COUNTS] = "counts",
                                        [PART_FIGURES] = "figures"};
    unsigned count;
    struct change *list = changes_rank(a, b, &count);
    fputc('[', out);
    for (unsigned i = 0; i < count; i++) {
        const struct change *c = &list[i];
        fprintf(out, "%s{\"part\":\"%s\",\"group\":", i ? ",\n" : "",
                parts[c->part]);
        json_put_text(out, c->group);
        fputs(",\"name\":", out);
        json_put_text(out, c->name);
        fputs(",\"unit\":", out);
        json_put_text(out, c->unit);
        put_number(out, "a", c->a);
        put_number(out, "b", c->b);
        put_number(out, "weight", c->weight);
        fprintf(out, ",\"minor\":%s}", c->minor ? "true" : "false");
    }
    fputc(']', out);
    free(list);
}

static void put_differences(FILE *out, const struct run *a, const struct run *b)
{
    unsigned count;
    struct difference *list = differences_find(a, b, &count);
    fputc('[', out);
    for (unsigned i = 0; i < count; i++) {
        fputs(i ? ",\n{\"what\":" : "{\"what\":", out);
        json_put_text(out, list[i].what);
        fputs(",\"a\":", out);
        json_put_text(out, list[i].a);
        fputs(",\"b\":", out);
        json_put_text(out, list[i].b);
        fputc('}', out);
    }
    fputc(']', out);
    differences_free(list, count);
}

/* A list of what the put function says of the first run and each other. */
static void
put_pairs(FILE *out, const char *name, const struct run *runs, unsigned count,
          void (*put)(FILE *, const struct run *, const struct run *))
{
    fprintf(out, ",\n\"%s\":[", name);
    for (unsigned i = 1; i < count; i++) {
        fputs(i > 1 ? ",\n" : "", out);
        put(out, &runs[0], &runs[i]);
    }
    fputc(']', out);
}

/* What the page knows of itself. */
static void put_head(FILE *out)
{
    fputs("{\"version\":", out);
    json_put_text(out, CORBEL_VERSION);
    fputs(",\"revision\":", out);
    json_put_text(out, corbel_revision);
}

/* Directories that could not be shown, and why. */
static void put_left_out(FILE *out, char *const *left_out)
{
    fputs(",\n\"left_out\":[", out);
    for (unsigned i = 0; left_out[i]; i++) {
        fputs(i ? "," : "", out);
        json_put_text(out, left_out[i]);
    }
    fputc(']', out);
}

bool page_write(FILE *out, const struct run *runs, unsigned count,
                char *const *images, char *const *left_out, struct error *error)
{
    put_between(out, _binary_begin_html_start, _binary_begin_html_end);
    put_head(out);
    fputs(",\"runs\":[\n", out);
    for (unsigned i = 0; i < count; i++) {
        fputs(i ? ",\n" : "", out);
        if (!put_run(out, &runs[i], images[i] ? images[i] : runs[i].image,
                     error))
            return false;
    }
    fputc(']', out);
    put_pairs(out, "changes", runs, count, put_changes);
    put_pairs(out, "differences", runs, count, put_differences);
    put_left_out(out, left_out);
    fputc('}', out);
    put_between(out, _binary_end_html_start, _binary_end_html_end);
    return true;
}

void page_live_run(FILE *out, const struct run *run, const struct bins *bins)
{
    put_texts(out, run);
    fputs("null,\n\"pixels\":null,\n\"intervals\":", out);
    put_bins(out, run, bins);
    fputs(",\n\"region_intervals\":null,\n\"unit_intervals\":null,"
          "\"region_unit_intervals\":null}",
          out);
}

void page_write_live(FILE *out, const char *run)
{
    put_between(out, _binary_live_html_start, _binary_live_html_end);
    put_head(out);
    fprintf(out, ",\"live\":true,\"runs\":[\n%s]", run);
    fputs(",\n\"changes\":[],\"differences\":[],\"left_out\":[]}", out);
    put_between(out, _binary_end_html_start, _binary_end_html_end);
}
