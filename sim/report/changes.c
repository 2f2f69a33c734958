/*
 * Compares two runs statistic by statistic. Cycles are divided by units, so
 * that chips of different sizes can be compared; what one run does not have is
 * 0 there. A counter that its kind of unit has, and that is left out as it is
 * 0, is one that the run has.
 */
#include "sim/report/changes.h"
#include "sim/core/heap.h"
#include "sim/report/shape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ranking {
    const struct run *a, *b;
    struct change *list;
    unsigned count;
};

static bool is_minor(const struct change *c)
{
    return c->part == PART_CYCLES ? c->idle : c->a < 0 || c->b < 0;
}

/* accounts: units or harts of a counter's group. */
static void add(struct ranking *r, struct change c, uint64_t accounts)
{
    double a = fmax(c.a, 0), b = fmax(c.b, 0), cycles = (double)r->a->cycles;
    double least = c.part == PART_COUNTS ? cycles * (double)accounts : 1;
    if (a == b)
        return;
    c.weight =
        (b - a) / (c.part == PART_CYCLES ? cycles : fmax(fmax(a, b), least));
    c.minor = is_minor(&c);
    r->list[r->count++] = c;
}

static double amount(const struct value *v)
{
    if (!v->bucket)
        return (double)v->total;
    return v->accounts ? (double)v->total / (double)v->accounts : 0;
}

/* The value of the other run. NULL: it has none. */
static const struct value *counterpart(const struct run *run,
                                       const struct value *v, unsigned from)
{
    unsigned at = run_find(run, v->group, v->name, from);
    return at < run->value_count && run->values[at].bucket == v->bucket
               ? &run->values[at]
               : NULL;
}

/* What is left out of a run's groups: 0, if units of the group's kind count it
 * there, else -1, as there is no such statistic. */
static double missing(const struct run *run, const struct value *v)
{
    const cJSON *group =
        json_member(json_member(run->stats, "groups"), v->group);
    const char *kind = cJSON_GetStringValue(json_member(group, "kind"));
    const cJSON *rows =
        kind ? json_member(json_member(run->stats, "schema"), kind) : NULL;
    return v->range || json_member(json_member(rows, v->bucket ? "buckets"
                                                               : "counters"),
                                   v->name)
               ? 0
               : -1;
}

static void add_value(struct ranking *r, const struct value *v, double a,
                      double b)
{
    add(r,
        (struct change){.part = v->bucket ? PART_CYCLES : PART_COUNTS,
                        .group = v->group,
                        .name = v->name,
                        .unit = v->unit,
                        .a = a,
                        .b = b,
                        .idle = v->idle},
        v->accounts);
}

static void add_values(struct ranking *r)
{
    for (unsigned i = 0; i < r->a->value_count; i++) {
        const struct value *v = &r->a->values[i];
        const struct value *other = counterpart(r->b, v, i);
        add_value(r, v, amount(v), other ? amount(other) : missing(r->b, v));
    }
    for (unsigned i = 0; i < r->b->value_count; i++) {
        const struct value *v = &r->b->values[i];
        if (!counterpart(r->a, v, i))
            add_value(r, v, missing(r->a, v), amount(v));
    }
}

/* ---- figures: those that sim-run has written, percentiles as well ---- */

static double derived(const struct run *run, const char *group,
                      const char *name)
{
    const cJSON *of = json_member(json_member(run->groups, group), "derived");
    const cJSON *figure = json_member(of, name);
    return figure ? figure->valuedouble : -1;
}

/* Those of a run; of the second only what the first does not have. */
static void add_figures(struct ranking *r, const struct run *of)
{
    for (const cJSON *g = of->groups ? of->groups->child : NULL; g;
         g = g->next) {
        const cJSON *all = json_member(g, "derived");
        for (const cJSON *f = all ? all->child : NULL; f; f = f->next) {
            double a = derived(r->a, g->string, f->string);
            if (of == r->a || a < 0)
                add(r,
                    (struct change){.part = PART_FIGURES,
                                    .group = g->string,
                                    .name = f->string,
                                    .unit = "",
                                    .a = a,
                                    .b = derived(r->b, g->string, f->string)},
                    1);
        }
    }
}

static size_t figures_of(const struct run *run)
{
    size_t count = 0;
    for (const cJSON *g = run->groups ? run->groups->child : NULL; g;
         g = g->next)
        count += (size_t)cJSON_GetArraySize(json_member(g, "derived"));
    return count;
}

/* Equal weights are in the order of names, so that a report does not depend on
 * the sort. */
static int by_weight(const void *left, const void *right)
{
    const struct change *l = left, *r = right;
    double a = fabs(l->weight), b = fabs(r->weight);
    int order = l->part != r->part     ? (l->part > r->part ? 1 : -1)
                : l->minor != r->minor ? (l->minor ? 1 : -1)
                : a != b               ? (a < b ? 1 : -1)
                                       : strcmp(l->group, r->group);
    return order ? order : strcmp(l->name, r->name);
}

struct change *changes_rank(const struct run *a, const struct run *b,
                            unsigned *count)
{
    struct ranking r = {.a = a, .b = b};
    size_t most =
        (size_t)a->value_count + b->value_count + figures_of(a) + figures_of(b);
    r.list = heap_new(most, sizeof *r.list, "the changes");
    add_values(&r);
    add_figures(&r, a);
    add_figures(&r, b);
    qsort(r.list, r.count, sizeof *r.list, by_weight);
    *count = r.count;
    return r.list;
}
