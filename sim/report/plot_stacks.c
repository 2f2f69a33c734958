/*
 * Columns of a plot. Parts that are below a share of each run's column are
 * drawn together, as a reader could not tell them apart; cycles in which there
 * was nothing to do lie on top, in grey.
 */
#include "sim/core/heap.h"
#include "sim/report/plot.h"
#include "sim/report/shape.h"
#include <stdlib.h>
#include <string.h>

enum { PARTS_MOST = 64, COLUMN = 36, BETWEEN = 18, HEIGHT = 190 };
static const double LEAST = 0.015; /* of its column */

struct stack_part {
    const char *name;
    const char *colour;
    bool idle;
    bool hatched;   /* an earlier part has the same colour */
    double *values; /* by run */
};

struct stacks {
    const struct run *runs;
    unsigned count, part_count;
    struct stack_part parts[PARTS_MOST + 1];
    double *sums; /* by run */
};

/* ---- what runs have ---- */

static const cJSON *region_of(const struct run *run)
{
    return json_member(run->stats, "region_of_interest");
}

static const cJSON *group_of(const struct run *run, const char *name)
{
    const cJSON *region = region_of(run);
    return json_member(json_member(region ? region : run->stats, "groups"),
                       name);
}

static double cycles_of(const struct run *run)
{
    const cJSON *region = region_of(run);
    double cycles = 0;
    if (!region)
        return (double)run->cycles;
    for (const cJSON *r = json_member(region, "regions")->child; r; r = r->next)
        cycles += json_member(r, "end")->valuedouble -
                  json_member(r, "begin")->valuedouble;
    return cycles;
}

/* Requests GROUP.KIND, NULL: that is none. */
static const cJSON *trip_of(const struct run *run, const char *what)
{
    const char *dot = strrchr(what, '.');
    if (!dot)
        return NULL;
    char *name = heap_text_part(what, (size_t)(dot - what));
    const cJSON *trip =
        json_member(json_member(group_of(run, name), "trips"), dot + 1);
    free(name);
    return trip;
}

/* The rows that the schema has of a group's buckets. */
static const cJSON *buckets_of(const struct run *run, const cJSON *group)
{
    const cJSON *schema = json_member(run->stats, "schema");
    const char *kind = json_member(group, "kind")->valuestring;
    return json_member(json_member(schema, kind), "buckets");
}

/* ---- parts ---- */

static struct stack_part *part_named(struct stacks *s, const char *name,
                                     bool idle)
{
    for (unsigned i = 0; i < s->part_count; i++)
        if (!strcmp(s->parts[i].name, name))
            return &s->parts[i];
    if (s->part_count == PARTS_MOST)
        return NULL;
    struct stack_part *p = &s->parts[s->part_count++];
    *p = (struct stack_part){.name = name, .idle = idle};
    p->values = heap_new(s->count, sizeof *p->values, "a plot");
    return p;
}

/* entries: numbers by name, each of which `unit` makes one of the axis. called:
 * what people call them, where it has their names; rows: what the schema says
 * of them, where they are buckets. */
static bool add_entries(struct stacks *s, unsigned run, const cJSON *entries,
                        const cJSON *called, const cJSON *rows, double unit,
                        struct error *error)
{
    for (const cJSON *e = entries->child; e; e = e->next) {
        const cJSON *name = json_member(called, e->string);
        struct stack_part *p =
            part_named(s, name ? name->valuestring : e->string,
                       run_is_idle(json_member(rows, e->string)));
        if (!p)
            return error_set(error, "--stacks: %s: more than %d parts",
                             s->runs[run].path, PARTS_MOST);
        p->values[run] = e->valuedouble * unit;
        s->sums[run] += p->values[run];
    }
    return true;
}

static bool add_run(struct stacks *s, unsigned run, const char *what,
                    struct error *error)
{
    const struct run *r = &s->runs[run];
    const cJSON *group = group_of(r, what), *trip = trip_of(r, what);
    if (trip) {
        double requests = json_member(trip, "requests")->valuedouble;
        return add_entries(s, run, json_member(trip, "legs"),
                           json_member(trip, "called"), NULL,
                           requests > 0 ? 1 / requests : 0, error);
    }
    if (!group)
        return error_set(error,
                         "--stacks: %s/stats.json has no '%s', expected a "
                         "group, or GROUP.KIND of requests of a run with "
                         "--stalls",
                         r->path, what);
    double accounts = json_member(group, "accounts")->valuedouble;
    double under = accounts * cycles_of(&s->runs[0]);
    return add_entries(s, run, json_member(group, "buckets"), NULL,
                       buckets_of(r, group), under > 0 ? 100 / under : 0,
                       error);
}

static bool is_small(const struct stacks *s, const struct stack_part *p)
{
    for (unsigned i = 0; i < s->count; i++)
        if (p->values[i] >= LEAST * s->sums[i] && p->values[i] > 0)
            return false;
    return true;
}

/* Small parts go into the last one; the others get colours, and those of
 * nothing to do come behind all. */
static void choose_parts(struct stacks *s)
{
    struct stack_part all[PARTS_MOST + 1],
        rest = {.name = "other", .colour = "#8a929b"};
    unsigned count = s->part_count, colours = 0, greys = 0;
    memcpy(all, s->parts, sizeof all);
    rest.values = heap_new(s->count, sizeof *rest.values, "a plot");
    s->part_count = 0;
    for (unsigned idle = 0; idle < 2; idle++) {
        for (unsigned i = 0; i < count; i++) {
            struct stack_part *p = &all[i];
            if (p->idle != idle)
                continue;
            if (!is_small(s, p)) {
                p->hatched = idle ? greys++ > 0 : colours >= PLOT_COLOURS;
                p->colour = idle ? "#d4d9de" : plot_colour(colours++);
                s->parts[s->part_count++] = *p;
                continue;
            }
            for (unsigned r = 0; r < s->count; r++)
                rest.values[r] += p->values[r];
            free(p->values);
        }
        if (!idle)
            s->parts[s->part_count++] = rest;
    }
}

/* ---- drawing ---- */

/* The left edge of a run's column. */
static double column_at(const struct plot_area *a, unsigned run)
{
    return a->left + BETWEEN / 2.0 + run * (COLUMN + BETWEEN);
}

static void draw_column(const struct stacks *s, const struct plot_area *a,
                        unsigned run, FILE *out)
{
    double below = 0, x = column_at(a, run);
    for (unsigned i = 0; i < s->part_count; i++) {
        const struct stack_part *p = &s->parts[i];
        double value = p->values[run], y = plot_y(a, below + value);
        double tall = plot_y(a, below) - y;
        char text[32];
        below += value;
        if (value <= 0)
            continue;
        svg_bar(out, x, y, COLUMN, tall, p->colour, s->runs[run].path, p->name,
                value);
        if (p->hatched)
            plot_hatch(out, x, y, COLUMN, tall);
        snprintf(text, sizeof text, "%.*f", value < 9.95, value);
        if (tall > 8)
            svg_text(out, x + COLUMN / 2.0, y + tall / 2 + 2.6, SVG_MIDDLE, 7,
                     0, plot_ink(p->colour), text);
    }
}

static void draw_legend(const struct stacks *s, double x, double top, FILE *out)
{
    const double line = SVG_FONT + 4;
    double y = top + SVG_FONT;
    for (unsigned i = s->part_count; i-- > 0; y += line) {
        bool any = false;
        for (unsigned r = 0; r < s->count; r++)
            any |= s->parts[i].values[r] > 0;
        if (any)
            plot_legend(out, x, y, s->parts[i].colour, s->parts[i].name,
                        s->parts[i].hatched);
        else
            y -= line;
    }
}

static double widest_part(const struct stacks *s)
{
    double widest = 0;
    for (unsigned i = 0; i < s->part_count; i++) {
        double width = svg_width(s->parts[i].name, SVG_FONT);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Labels that are wider than their columns lean to the left. */
static void draw_labels(const struct stacks *s, const struct plot_area *a,
                        bool leans, FILE *out)
{
    for (unsigned i = 0; i < s->count; i++) {
        double x = column_at(a, i) + COLUMN / 2.0;
        double y = a->top + a->height + SVG_FONT + 3;
        svg_text(out, leans ? x + 3 : x, y, leans ? SVG_END : SVG_MIDDLE,
                 SVG_FONT, leans ? -35 : 0, PLOT_INK, plot_label(&s->runs[i]));
    }
}

static void draw(const struct stacks *s, const char *what, bool legs, FILE *out)
{
    struct plot_area a = {.left = 46, .top = 10, .height = HEIGHT};
    double label = 0;
    a.width = s->count * (COLUMN + BETWEEN);
    for (unsigned i = 0; i < s->count; i++) {
        double width = svg_width(plot_label(&s->runs[i]), SVG_FONT);
        label = width > label ? width : label;
        a.most = s->sums[i] > a.most ? s->sums[i] : a.most;
    }
    bool leans = label > COLUMN + BETWEEN - 4;
    double legend = (s->part_count + 1) * (SVG_FONT + 4);
    double below = leans ? 0.6 * label + 20 : SVG_FONT + 10;
    double tall = a.top + (HEIGHT + below > legend ? HEIGHT + below : legend);
    char title[200];
    snprintf(title, sizeof title,
             legs ? "%.60s: cycles of a request"
                  : "%.60s: cycles, %% of %.60s's",
             what, plot_label(&s->runs[0]));
    svg_begin(out, a.left + a.width + 22 + SVG_FONT + widest_part(s), tall);
    plot_axis(out, &a, title);
    for (unsigned i = 0; i < s->count; i++)
        draw_column(s, &a, i, out);
    draw_labels(s, &a, leans, out);
    draw_legend(s, a.left + a.width + 8, a.top, out);
    svg_end(out);
}

bool plot_stacks(FILE *out, const struct run *runs, unsigned count,
                 const char *what, struct error *error)
{
    struct stacks s = {.runs = runs, .count = count};
    bool good = true;
    s.sums = heap_new(count, sizeof *s.sums, "a plot");
    for (unsigned i = 0; good && i < count; i++)
        good = add_run(&s, i, what, error);
    if (good) {
        choose_parts(&s);
        draw(&s, what, trip_of(&runs[0], what), out);
    }
    for (unsigned i = 0; i < s.part_count; i++)
        free(s.parts[i].values);
    free(s.sums);
    return good;
}
