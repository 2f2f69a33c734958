/* Chooses columns by patterns, and prints a row as soon as its interval is
 * read: nothing is thinned here. */
#include "sim/report/table.h"
#include "sim/core/heap.h"
#include "sim/report/intervals.h"
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A statistic, or, where figure is set, a figure. */
struct column {
    unsigned value;
    const struct figure *figure;
};

struct table {
    FILE *out;
    const struct run *run;
    struct column *columns;
    unsigned count;
};

/* "GROUP.NAME", for free(). */
static char *name_of(const char *group, const char *name)
{
    size_t size = strlen(group) + strlen(name) + 2;
    char *text = heap_new(size, 1, "a name");
    snprintf(text, size, "%s.%s", group, name);
    return text;
}

static bool matches(const char *pattern, const char *group, const char *name)
{
    char *text = name_of(group, name);
    bool match = !fnmatch(pattern, text, 0);
    free(text);
    return match;
}

/* A column that is there already is not added again. */
static void add_column(struct table *t, struct column c)
{
    for (unsigned i = 0; i < t->count; i++)
        if (t->columns[i].value == c.value && t->columns[i].figure == c.figure)
            return;
    t->columns[t->count++] = c;
}

static bool add_matching(struct table *t, const char *pattern,
                         struct error *error)
{
    bool found = false;
    for (unsigned i = 0; i < t->run->value_count; i++) {
        const struct value *v = &t->run->values[i];
        if (!matches(pattern, v->group, v->name))
            continue;
        add_column(t, (struct column){.value = i});
        found = true;
    }
    for (unsigned i = 0; i < t->run->figure_count; i++) {
        const struct figure *f = &t->run->figures[i];
        if (!matches(pattern, f->group, f->name))
            continue;
        add_column(t, (struct column){.figure = f});
        found = true;
    }
    return found || error_set(error,
                              "--csv: '%s' matches no statistic or figure of "
                              "%s/stats.json, expected GROUP.NAME",
                              pattern, t->run->path);
}

static void put_head(const struct table *t)
{
    fputs("cycle", t->out);
    for (unsigned i = 0; i < t->count; i++) {
        const struct column *c = &t->columns[i];
        const struct value *v = &t->run->values[c->value];
        fprintf(t->out, ",%s.%s", c->figure ? c->figure->group : v->group,
                c->figure ? c->figure->name : v->name);
    }
    fputc('\n', t->out);
}

static void put_row(void *context, uint64_t from, uint64_t to,
                    const int64_t *values)
{
    const struct table *t = context;
    fprintf(t->out, "%" PRIu64, to);
    for (unsigned i = 0; i < t->count; i++) {
        const struct column *c = &t->columns[i];
        double figure =
            c->figure ? run_figure(t->run, c->figure, values, to - from) : 0;
        if (!c->figure)
            fprintf(t->out, ",%" PRId64, values[c->value]);
        else if (figure >= 0)
            fprintf(t->out, ",%.9g", figure);
        else
            fputc(',', t->out);
    }
    fputc('\n', t->out);
}

bool table_write(FILE *out, const struct run *run, char *const *patterns,
                 unsigned count, struct error *error)
{
    struct table t = {.out = out, .run = run};
    bool good = true, any;
    t.columns = heap_new(run->value_count + run->figure_count,
                         sizeof *t.columns, "the columns");
    for (unsigned i = 0; good && i < count; i++)
        good = add_matching(&t, patterns[i], error);
    if (good)
        put_head(&t);
    good = good && intervals_read(run, put_row, &t, &any, error);
    if (good && !any)
        good = error_set(error,
                         "%s: no intervals, expected intervals.csv of a run "
                         "with --interval",
                         run->path);
    free(t.columns);
    return good;
}
