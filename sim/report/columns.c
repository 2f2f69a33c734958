#include "sim/report/columns.h"
#include "sim/core/heap.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

const char *column_group(const struct run *run, const struct column *c)
{
    return c->figure ? c->figure->group : run->values[c->value].group;
}

const char *column_name(const struct run *run, const struct column *c)
{
    return c->figure ? c->figure->name : run->values[c->value].name;
}

static bool matches(const char *pattern, const struct run *run,
                    const struct column *c)
{
    const char *group = column_group(run, c), *name = column_name(run, c);
    size_t size = strlen(group) + strlen(name) + 2;
    char *text = heap_new(size, 1, "a name");
    snprintf(text, size, "%s.%s", group, name);
    bool match = !fnmatch(pattern, text, 0);
    free(text);
    return match;
}

/* A column that is there already is not added again. */
static void add(struct columns *columns, struct column c)
{
    for (unsigned i = 0; i < columns->count; i++)
        if (columns->list[i].value == c.value &&
            columns->list[i].figure == c.figure)
            return;
    columns->list[columns->count++] = c;
}

static bool add_matching(struct columns *columns, const struct run *run,
                         const char *pattern)
{
    bool found = false;
    for (unsigned i = 0; i < run->value_count + run->figure_count; i++) {
        struct column c = {.value = i};
        if (i >= run->value_count)
            c = (struct column){.figure = &run->figures[i - run->value_count]};
        if (!matches(pattern, run, &c))
            continue;
        add(columns, c);
        found = true;
    }
    return found;
}

bool columns_choose(struct columns *columns, const struct run *run,
                    const char *option, char *const *patterns, unsigned count,
                    struct error *error)
{
    columns->count = 0;
    columns->list = heap_new(run->value_count + run->figure_count,
                             sizeof *columns->list, "the columns");
    for (unsigned i = 0; i < count; i++)
        if (!add_matching(columns, run, patterns[i]))
            return error_set(error,
                             "%s: '%s' matches no statistic or figure of "
                             "%s/stats.json, expected GROUP.NAME",
                             option, patterns[i], run->path);
    return true;
}
