/* Lines of a plot over time, from intervals.csv. */
#include "sim/core/heap.h"
#include "sim/report/columns.h"
#include "sim/report/intervals.h"
#include "sim/report/plot.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 380, HEIGHT = 150 };

/* What the axis says. */
enum scale { SCALE_BYTES, SCALE_COUNT, SCALE_SHARE, SCALE_FIGURE, SCALES };
static const char *const scale_titles[SCALES] = {"GB/s", "a cycle",
                                                 "% of cycles", "figure"};

struct lines {
    const struct run *run;
    struct columns columns;
    struct bins bins;
    int64_t *values; /* of a bin, by statistic of the run */
    enum scale scale;
};

static enum scale scale_of(const struct run *run, const struct column *c)
{
    const struct value *v = &run->values[c->value];
    if (c->figure)
        return SCALE_FIGURE;
    if (v->bucket)
        return SCALE_SHARE;
    return strcmp(v->unit, "bytes") ? SCALE_COUNT : SCALE_BYTES;
}

static bool agree(struct lines *l, struct error *error)
{
    const struct columns *c = &l->columns;
    if (c->count > PLOT_LINES)
        return error_set(error, "--series: %u series, expected at most %d",
                         c->count, PLOT_LINES);
    l->scale = scale_of(l->run, &c->list[0]);
    for (unsigned i = 1; i < c->count; i++) {
        enum scale other = scale_of(l->run, &c->list[i]);
        if (other != l->scale)
            return error_set(
                error,
                "--series: %s.%s is in %s, %s.%s in %s, expected "
                "series of one axis",
                column_group(l->run, &c->list[0]),
                column_name(l->run, &c->list[0]), scale_titles[l->scale],
                column_group(l->run, &c->list[i]),
                column_name(l->run, &c->list[i]), scale_titles[other]);
    }
    return true;
}

/* Negative: there is none. */
static double value_at(const struct lines *l, const struct column *c,
                       unsigned bin, uint64_t cycles)
{
    const struct run *run = l->run;
    if (c->figure) {
        for (unsigned v = 0; v < run->value_count; v++)
            l->values[v] = l->bins.series[v] ? l->bins.series[v][bin].sum : 0;
        return run_figure(run, c->figure, l->values, cycles);
    }
    const struct bin *series = l->bins.series[c->value];
    double rate = series ? (double)series[bin].sum / (double)cycles : 0;
    if (l->scale == SCALE_BYTES)
        return rate * run->clock_mhz / 1000;
    return l->scale == SCALE_SHARE
               ? 100 * rate / (double)run->values[c->value].accounts
               : rate;
}

static uint64_t begin_of(const struct lines *l, unsigned bin)
{
    return bin ? l->bins.ends[bin - 1] : l->bins.begin;
}

static double most_of(const struct lines *l)
{
    double most = 0;
    for (unsigned i = 0; i < l->columns.count; i++)
        for (unsigned b = 0; b < l->bins.count; b++)
            most = fmax(most, value_at(l, &l->columns.list[i], b,
                                       l->bins.ends[b] - begin_of(l, b)));
    return most;
}

static double x_of(const struct plot_area *a, const struct bins *b,
                   double cycle)
{
    double begin = (double)b->begin, end = (double)b->ends[b->count - 1];
    return a->left + a->width * (cycle - begin) / (end - begin);
}

static void draw_line(const struct lines *l, const struct plot_area *a,
                      unsigned number, FILE *out)
{
    const struct column *c = &l->columns.list[number];
    char name[200];
    snprintf(name, sizeof name, "%.90s.%.90s", column_group(l->run, c),
             column_name(l->run, c));
    svg_path_begin(out, plot_colour(number), name);
    for (unsigned b = 0; b < l->bins.count; b++) {
        uint64_t from = begin_of(l, b), to = l->bins.ends[b];
        double value = value_at(l, c, b, to - from);
        if (value >= 0)
            svg_path_point(out,
                           x_of(a, &l->bins, ((double)from + (double)to) / 2),
                           plot_y(a, value));
    }
    svg_path_end(out);
    plot_legend(out, a->left + a->width + 10,
                a->top + SVG_FONT + number * (SVG_FONT + 4),
                plot_colour(number), name, false);
}

/* Time in microseconds of the simulated clock, from the begin on. */
static void draw_time(const struct lines *l, const struct plot_area *a,
                      FILE *out)
{
    const struct bins *b = &l->bins;
    double cycles = (double)(b->ends[b->count - 1] - b->begin);
    double us = cycles / l->run->clock_mhz, step = plot_step(us, 6);
    double y = a->top + a->height;
    for (double t = 0; t <= us * 1.0001; t += step) {
        char text[32];
        double x = a->left + a->width * t / us;
        snprintf(text, sizeof text, "%.4g", t);
        svg_line(out, x, y, x, y + 3, PLOT_INK);
        svg_text(out, x, y + SVG_FONT + 4, SVG_MIDDLE, SVG_FONT, 0, PLOT_INK,
                 text);
    }
    svg_text(out, a->left + a->width / 2, y + 2 * SVG_FONT + 7, SVG_MIDDLE,
             SVG_FONT, 0, PLOT_INK, "time in \xc2\xb5s");
}

static void draw(const struct lines *l, FILE *out)
{
    struct plot_area a = {
        .left = 46, .top = 10, .width = WIDTH, .height = HEIGHT};
    double legend = l->columns.count * (SVG_FONT + 4) + 20, widest = 0;
    double tall = a.top + HEIGHT + 2 * SVG_FONT + 14;
    for (unsigned i = 0; i < l->columns.count; i++) {
        const struct column *c = &l->columns.list[i];
        widest = fmax(widest, svg_width(column_group(l->run, c), SVG_FONT) +
                                  svg_width(column_name(l->run, c), SVG_FONT));
    }
    a.most = most_of(l);
    svg_begin(out, a.left + a.width + 30 + SVG_FONT + widest,
              tall > legend ? tall : legend);
    plot_axis(out, &a, scale_titles[l->scale]);
    draw_time(l, &a, out);
    for (unsigned i = 0; i < l->columns.count; i++)
        draw_line(l, &a, i, out);
    svg_end(out);
}

bool plot_series(FILE *out, const struct run *run, char *const *patterns,
                 unsigned count, struct error *error)
{
    struct lines l = {.run = run};
    uint64_t from = 0, to = run->cycles;
    bool any = false;
    run_regions(run, &from, &to);
    l.values = heap_new(run->value_count, sizeof *l.values, "a plot");
    bins_begin(&l.bins, run, from, to);
    bool good =
        columns_choose(&l.columns, run, "--series", patterns, count, error) &&
        agree(&l, error) && intervals_read(run, bins_add, &l.bins, &any, error);
    if (good && !l.bins.count)
        good = intervals_lacking(run, error);
    if (good)
        draw(&l, out);
    bins_free(&l.bins);
    free(l.columns.list);
    free(l.values);
    return good;
}
