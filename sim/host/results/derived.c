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

/* Finds a counter's value among those of a group: one for each of the kind's
 * rows. A percentile's counters have rows, and so values, side by side. */
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

/*
 * The least value that per_mille of 1000 do not exceed. Those of a range are
 * taken to be spread evenly over it, so it is off by less than the range's
 * width. Negative: nothing was counted.
 */
static double percentile_of(const struct figure_row *p,
                            const struct unit_kind *kind,
                            const uint64_t *values)
{
    const uint64_t *count = value_of(kind, values, p->first);
    uint64_t all = 0;
    for (unsigned i = 0; i < p->ranges; i++)
        all += count[i];
    double rank = ceil((double)all * p->per_mille / 1000), seen = 0;
    for (unsigned i = 0; all && i < p->ranges; i++) {
        double here = (double)count[i];
        if (here > 0 && seen + here >= rank) {
            double width = (double)(p->from[i + 1] - p->from[i]);
            return (double)p->from[i] + floor(width * (rank - seen - 1) / here);
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
        double value = f->ranges ? percentile_of(f, kind, values)
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

/* The counters of a percentile lie side by side, so their rows do. */
static void add_ranges(cJSON *to, const struct unit_kind *kind,
                       const struct figure_row *f)
{
    unsigned first = kind_value_of(kind, f->first);
    cJSON *ranges = cJSON_AddObjectToObject(to, "ranges");
    for (unsigned i = 0; i < f->ranges; i++)
        json_u64(ranges, kind_value_row(kind, first + i)->name,
                 (uint64_t)f->from[i]);
    json_u64(to, "end", (uint64_t)f->from[f->ranges]);
}

/* Percentiles of the same ranges follow each other in a kind's table, and only
 * the first has these, as there may be hundreds. */
static void add_percentile(cJSON *to, const struct unit_kind *kind, unsigned i)
{
    const struct figure_row *f = &kind->figure_rows[i];
    unsigned first = i;
    while (first && f[-1].first == f->first)
        first--, f--;
    cJSON_AddNumberToObject(to, "per_mille", kind->figure_rows[i].per_mille);
    if (first == i)
        add_ranges(to, kind, f);
    else
        cJSON_AddStringToObject(to, "ranges_of", f->name);
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
        if (f->ranges) {
            add_percentile(figure, kind, i);
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
