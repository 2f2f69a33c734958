/* Prints a row as soon as its interval is read: nothing is thinned here. */
#include "sim/report/table.h"
#include "sim/report/columns.h"
#include "sim/report/intervals.h"
#include <inttypes.h>
#include <stdlib.h>

struct table {
    FILE *out;
    const struct run *run;
    struct columns columns;
};

static void put_head(const struct table *t)
{
    fputs("cycle", t->out);
    for (unsigned i = 0; i < t->columns.count; i++)
        fprintf(t->out, ",%s.%s", column_group(t->run, &t->columns.list[i]),
                column_name(t->run, &t->columns.list[i]));
    fputc('\n', t->out);
}

static void put_row(void *context, uint64_t from, uint64_t to,
                    const int64_t *values)
{
    const struct table *t = context;
    fprintf(t->out, "%" PRIu64, to);
    for (unsigned i = 0; i < t->columns.count; i++) {
        const struct column *c = &t->columns.list[i];
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
    bool any;
    bool good =
        columns_choose(&t.columns, run, "--csv", patterns, count, error);
    if (good)
        put_head(&t);
    good = good && intervals_read(run, put_row, &t, &any, error);
    if (good && !any)
        good = intervals_lacking(run, error);
    free(t.columns.list);
    return good;
}
