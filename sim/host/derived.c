#include "sim/host/derived.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t value_of(const struct unit_kind *kind, const uint64_t *values,
                         const char *name)
{
    for (unsigned v = 0; v < kind_value_count(kind); v++)
        if (!strcmp(kind_value_row(kind, v)->name, name))
            return values[v];
    assert(!"a counter"); /* see derived_check */
    return 0;
}

static double sum_of(const struct unit_kind *kind, const uint64_t *values,
                     const char *const *names)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < FIGURE_TERMS && names[i]; i++)
        sum += value_of(kind, values, names[i]);
    return (double)sum;
}

/* Negative: there is none. */
static double ratio_of(const struct figure_row *r, const struct unit_kind *kind,
                       const uint64_t *values, double seconds)
{
    double under = r->under[0] ? sum_of(kind, values, r->under) : seconds * 1e9;
    return under > 0 ? sum_of(kind, values, r->over) / under : -1;
}

/* The number in the name of a counter, -1 if it is none of the ranges. */
static int64_t range_start(const struct unit_kind *kind, unsigned v,
                           const char *prefix)
{
    size_t length = strlen(prefix);
    if (v >= kind->stat_count ||
        strncmp(kind->stat_rows[v].name, prefix, length))
        return -1;
    return strtoll(kind->stat_rows[v].name + length, NULL, 10);
}

static uint64_t count_of_ranges(const struct unit_kind *kind,
                                const uint64_t *values, const char *prefix)
{
    uint64_t sum = 0;
    for (unsigned v = 0; v < kind->stat_count; v++)
        if (range_start(kind, v, prefix) >= 0)
            sum += values[v];
    return sum;
}

/*
 * The least value that so many of 1000 do not exceed. Those of a range are
 * taken to be spread evenly over it, so it is off by less than the range's
 * width. Negative: nothing was counted.
 */
static double percentile_of(const struct figure_row *p,
                            const struct unit_kind *kind,
                            const uint64_t *values)
{
    uint64_t all = count_of_ranges(kind, values, p->prefix);
    double rank = ceil((double)all * p->per_mille / 1000), seen = 0;
    for (unsigned v = 0; all && v < kind->stat_count; v++) {
        int64_t from = range_start(kind, v, p->prefix);
        double here = from < 0 ? 0 : (double)values[v];
        if (here > 0 && seen + here >= rank) {
            int64_t next = range_start(kind, v + 1, p->prefix);
            double width = (double)((next < 0 ? p->end : next) - from);
            return (double)from + floor(width * (rank - seen - 1) / here);
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
        double value = f->prefix ? percentile_of(f, kind, values)
                                 : ratio_of(f, kind, values, seconds);
        if (value >= 0)
            tell(context, f->name, value, f->said, f->scale);
    }
}

/* ---- are the names right? ---- */

static bool is_counter(const struct unit_kind *kind, const char *name)
{
    for (unsigned v = 0; v < kind_value_count(kind); v++)
        if (!strcmp(kind_value_row(kind, v)->name, name))
            return true;
    return false;
}

static bool check_terms(const struct unit_kind *kind, const char *figure,
                        const char *const *names, struct error *error)
{
    for (unsigned i = 0; i < FIGURE_TERMS && names[i]; i++)
        if (!is_counter(kind, names[i]))
            return error_set(error, "%s of %s: there is no counter '%s'",
                             figure, kind->name, names[i]);
    return true;
}

static bool check_ranges(const struct unit_kind *kind,
                         const struct figure_row *f, struct error *error)
{
    for (unsigned v = 0; v < kind->stat_count; v++)
        if (range_start(kind, v, f->prefix) >= 0)
            return true;
    return error_set(error, "%s of %s: there is no counter '%s...'", f->name,
                     kind->name, f->prefix);
}

static bool check_figure(const struct unit_kind *kind,
                         const struct figure_row *f, struct error *error)
{
    if (f->prefix)
        return check_ranges(kind, f, error);
    return check_terms(kind, f->name, f->over, error) &&
           check_terms(kind, f->name, f->under, error);
}

bool derived_check(const struct unit_kind *kind, struct error *error)
{
    for (unsigned i = 0; i < kind->figure_count; i++)
        if (!check_figure(kind, &kind->figure_rows[i], error))
            return false;
    return true;
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
