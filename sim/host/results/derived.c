/*
 * Prints the figures that kinds of units declare beside their counters
 * (figure_row in sim/core/stat.h), as JSON and as a line for people. This file
 * computes them of a group's sums and knows none of them by name.
 */
#include "sim/host/results/derived.h"
#include "sim/host/results/json_text.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Finds a counter's value among those of a group. Those of a histogram lie side
 * by side. */
static const uint64_t *value_of(const struct unit_kind *kind,
                                const uint64_t *values, uint32_t counter)
{
    unsigned v = kind_value_of(kind, counter);
    assert(v < kind_value_count(kind) && "a member that is a counter");
    return &values[v];
}

static double sum_of(const struct unit_kind *kind, const uint64_t *values,
                     const uint32_t *counters)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < FIGURE_TERMS && counters[i]; i++)
        sum += *value_of(kind, values, counters[i]);
    return (double)sum;
}

/* Negative: there is none. */
static double ratio_of(const struct figure_row *r, const struct unit_kind *kind,
                       const uint64_t *values, double seconds)
{
    double under = r->under[0] ? sum_of(kind, values, r->under) : seconds * 1e9;
    return under > 0 ? sum_of(kind, values, r->over) / under : -1;
}

static const struct stat_row *histogram_of(const struct unit_kind *kind,
                                           const struct figure_row *percentile)
{
    return kind_value_row(kind, kind_value_of(kind, percentile->histogram));
}

/*
 * The least value that per_mille of 1000 do not exceed. Those of a range are
 * taken to be spread evenly over it, so it is off by less than the range's
 * width. Negative: nothing was counted.
 */
static double percentile_of(const struct figure_row *p,
                            const struct unit_kind *kind,
                            const uint64_t *values)
{
    const uint64_t *count = value_of(kind, values, p->histogram);
    const struct stat_row *of = histogram_of(kind, p);
    uint64_t all = 0;
    for (unsigned i = 0; i < of->ranges; i++)
        all += count[i];
    double rank = ceil((double)all * p->per_mille / 1000), seen = 0;
    for (unsigned i = 0; all && i < of->ranges; i++) {
        double here = (double)count[i];
        if (here > 0 && seen + here >= rank) {
            double from = (double)of->edges[i],
                   width = (double)of->edges[i + 1] - from;
            return from + floor(width * (rank - seen - 1) / here);
        }
        seen += here;
    }
    return -1;
}

/* A figure of a group with its value. */
typedef void figure_fn(void *context, const char *name, double value,
                       const char *said, double scale);

static void each_figure(const struct group *group, const uint64_t *values,
                        double seconds, figure_fn *tell, void *context)
{
    const struct unit_kind *kind = group->kind;
    for (unsigned i = 0; i < kind->figure_count; i++) {
        const struct figure_row *f = &kind->figure_rows[i];
        double value = f->histogram ? percentile_of(f, kind, values)
                                    : ratio_of(f, kind, values, seconds);
        if (value >= 0)
            tell(context, f->name, value, f->said, f->scale);
    }
}

/* ---- telling ---- */

static void add_number(void *context, const char *name, double value,
                       const char *said, double scale)
{
    cJSON_AddNumberToObject(context, name, value);
}

void derived_add(cJSON *to, const struct group *group, const uint64_t *values,
                 double seconds)
{
    cJSON *derived = cJSON_CreateObject();
    each_figure(group, values, seconds, add_number, derived);
    if (cJSON_GetArraySize(derived))
        cJSON_AddItemToObject(to, "derived", derived);
    else
        cJSON_Delete(derived);
}

/* ---- how they are computed ---- */

static const char *name_of(const struct unit_kind *kind, uint32_t counter)
{
    return kind_value_row(kind, kind_value_of(kind, counter))->name;
}

static void add_terms(cJSON *to, const char *name, const struct unit_kind *kind,
                      const uint32_t *counters)
{
    cJSON *terms = cJSON_AddArrayToObject(to, name);
    for (unsigned i = 0; i < FIGURE_TERMS && counters[i]; i++)
        cJSON_AddItemToArray(terms,
                             cJSON_CreateString(name_of(kind, counters[i])));
}

cJSON *derived_schema(const struct unit_kind *kind)
{
    cJSON *figures = cJSON_CreateObject();
    for (unsigned i = 0; i < kind->figure_count; i++) {
        const struct figure_row *f = &kind->figure_rows[i];
        cJSON *figure = cJSON_AddObjectToObject(figures, f->name);
        cJSON_AddStringToObject(figure, "unit", f->unit ? f->unit : "share");
        if (f->part)
            cJSON_AddTrueToObject(figure, "part");
        if (f->histogram) {
            cJSON_AddNumberToObject(figure, "per_mille", f->per_mille);
            cJSON_AddStringToObject(figure, "of", histogram_of(kind, f)->name);
            continue;
        }
        add_terms(figure, "over", kind, f->over);
        if (f->under[0])
            add_terms(figure, "under", kind, f->under);
    }
    return figures;
}

/* ---- for people ---- */

struct line {
    char text[300];
    size_t used;
};

static void say(void *context, const char *name, double value, const char *said,
                double scale)
{
    struct line *l = context;
    char part[80];
    if (!said)
        return;
    snprintf(part, sizeof part, said, value * scale);
    int n = snprintf(l->text + l->used, sizeof l->text - l->used, "%s%s",
                     l->used ? ", " : "", part);
    l->used += n > 0 ? (size_t)n : 0;
    if (l->used >= sizeof l->text)
        l->used = sizeof l->text - 1;
}

void derived_print(FILE *out, const char *of, const struct group *group,
                   const uint64_t *values, double seconds)
{
    struct line l = {.used = 0};
    each_figure(group, values, seconds, say, &l);
    if (l.used)
        fprintf(out, "%s%-*s %s\n", of, (int)(13 - strlen(of)), group->name,
                l.text);
}
