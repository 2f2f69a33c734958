/* Finds what each row of a table says of a run's groups. */
#include "sim/report/energy.h"
#include "sim/core/heap.h"
#include "sim/report/shape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What rows are looked for: those of an event of a group. */
struct place {
    const char *group, *kind;
    const cJSON *parameters; /* NULL: the run does not say */
    double units;
};

static bool wrong(const struct energy_row *row, struct error *error,
                  const char *expected, const char *found)
{
    return error_set(error, "%s: line %u: expected %s, found '%.60s'",
                     row->file, row->line, expected, found);
}

static bool parameter(const struct place *p, const char *name, double *value)
{
    const cJSON *v = json_member(json_member(p->parameters, name), "value");
    *value = v ? v->valuedouble : 0;
    return v;
}

/* ---- which rows ---- */

/* Is the row about a group whose parameters are so? *known: the group has all
 * parameters that the row names. */
static bool applies(const struct energy_row *row, const struct place *p,
                    bool *known)
{
    const char *at = row->text[ENERGY_when];
    char name[64];
    double value, is;
    bool bad;
    *known = true;
    while (energy_when(&at, name, &value, &bad)) {
        *known = parameter(p, name, &is);
        if (!*known || is != value)
            return false;
    }
    return true;
}

/* Rows of a group come before those of its kind. */
static unsigned names_unit(const struct energy_row *row, const struct place *p)
{
    return !strcmp(row->text[ENERGY_unit], p->group)  ? 2
           : !strcmp(row->text[ENERGY_unit], p->kind) ? 1
                                                      : 0;
}

/* Rows for an event, or with "" those without one. */
struct found {
    const struct energy_row **rows;
    unsigned count;
};

static bool find_rows(const struct energy *e, const struct place *p,
                      const char *event, bool area, struct found *found,
                      struct error *error)
{
    unsigned best = 1;
    found->count = 0;
    for (unsigned i = 0; i < e->table->count; i++) {
        const struct energy_row *row = &e->table->rows[i];
        unsigned named = names_unit(row, p);
        bool known = true;
        if (!named || strcmp(row->text[ENERGY_event], event) != 0 ||
            (!*event && row->has[ENERGY_MM2] != area))
            continue;
        bool good = applies(row, p, &known);
        if (!known)
            return wrong(row, error, "a parameter of the unit in when",
                         row->text[ENERGY_when]);
        if (!good || named < best)
            continue;
        found->count = named > best ? 0 : found->count;
        best = named;
        found->rows[found->count++] = row;
    }
    for (unsigned i = 0; i < found->count; i++)
        e->used[found->rows[i] - e->table->rows] = true;
    return true;
}

/* ---- what they say ---- */

/* Between two sizes, where both have the number; else what the one has. */
static double between(const struct energy_row *a, const struct energy_row *b,
                      double size, enum energy_number n)
{
    if (!b)
        return a->number[n];
    double share = log(size / a->size) / log(b->size / a->size);
    if (a->number[n] <= 0 || b->number[n] <= 0)
        return a->number[n] + share * (b->number[n] - a->number[n]);
    return a->number[n] * pow(b->number[n] / a->number[n], share);
}

/* The row of the size, or those below and above it. */
static bool choose_size(const struct found *f, double size,
                        struct energy_item *item)
{
    const struct energy_row *below = NULL, *above = NULL;
    for (unsigned i = 0; i < f->count; i++) {
        const struct energy_row *row = f->rows[i];
        if (row->size <= size && (!below || row->size > below->size))
            below = row;
        if (row->size >= size && (!above || row->size < above->size))
            above = row;
    }
    item->row = below;
    item->above = below == above ? NULL : above;
    return below && above;
}

static bool choose_rows(const struct found *f, const struct place *p,
                        struct energy_item *item, double *size,
                        struct error *error)
{
    const struct energy_row *first = f->rows[0];
    for (unsigned i = 1; i < f->count; i++) {
        const char *a = first->size_name, *b = f->rows[i]->size_name;
        if (!a || !b || strcmp(a, b) != 0 ||
            memcmp(first->has, f->rows[i]->has, sizeof first->has) != 0)
            return wrong(f->rows[i], error,
                         "rows for an event of a unit that differ by the size "
                         "of one parameter, and say the same sorts of numbers",
                         f->rows[i]->text[ENERGY_size]);
    }
    item->row = first;
    if (!first->size_name)
        return true;
    if (!parameter(p, first->size_name, size))
        return wrong(first, error, "a parameter of the unit as size",
                     first->text[ENERGY_size]);
    if (choose_size(f, *size, item))
        return true;
    return error_set(error,
                     "%s: line %u: expected rows on both sides of %s=%.17g, "
                     "which %s has: nothing is said of sizes beyond",
                     first->file, first->line, first->size_name, *size,
                     p->group);
}

static bool times(const struct place *p, const struct energy_row *row,
                  double *instances, struct error *error)
{
    const char *name = row->text[ENERGY_times];
    double each = 1;
    if (*name && !parameter(p, name, &each))
        return wrong(row, error, "a parameter of the unit in times", name);
    *instances = p->units * each;
    return true;
}

static char lower_trust(const struct energy_row *a, const struct energy_row *b)
{
    char x = *a->text[ENERGY_trust], y = b ? *b->text[ENERGY_trust] : x;
    return x == 'L' || y == 'L' ? 'L' : x == 'M' || y == 'M' ? 'M' : 'H';
}

/* value: of the run's, or value_count. */
static bool add_item(struct energy *e, const struct place *p,
                     const struct found *f, unsigned value, struct error *error)
{
    struct energy_item item = {.group = p->group, .value = value};
    double size = 0, instances = 0;
    if (!f->count)
        return true;
    if (!choose_rows(f, p, &item, &size, error) ||
        !times(p, item.row, &instances, error))
        return false;
    item.pj = between(item.row, item.above, size, ENERGY_PJ);
    item.mw = instances * between(item.row, item.above, size, ENERGY_MW);
    item.mm2 = instances * between(item.row, item.above, size, ENERGY_MM2);
    item.trust = lower_trust(item.row, item.above);
    e->items = heap_resize(e->items, e->count + 1u, sizeof *e->items, "items");
    e->items[e->count++] = item;
    return true;
}

/* ---- a run ---- */

static bool add_group(struct energy *e, const cJSON *group, struct found *found,
                      struct error *error)
{
    const cJSON *chip =
        json_member(json_member(e->run->stats, "chip"), group->string);
    const struct place p = {group->string,
                            json_member(group, "kind")->valuestring,
                            json_member(chip, "parameters"),
                            json_member(group, "units")->valuedouble};
    for (unsigned v = 0; v < e->run->value_count; v++)
        if (!strcmp(e->run->values[v].group, p.group) &&
            (!find_rows(e, &p, e->run->values[v].name, false, found, error) ||
             !add_item(e, &p, found, v, error)))
            return false;
    for (int area = 0; area < 2; area++)
        if (!find_rows(e, &p, "", area, found, error) ||
            !add_item(e, &p, found, e->run->value_count, error))
            return false;
    return true;
}

static bool has_event(const struct run *run, const char *group,
                      const char *event)
{
    return !*event || run_find(run, group, event, 0) < run->value_count;
}

/* A row for a unit that is there, of an event that it does not have. */
static bool check_events(const struct energy *e, struct error *error)
{
    for (unsigned i = 0; i < e->table->count; i++) {
        const struct energy_row *row = &e->table->rows[i];
        for (const cJSON *g = e->run->groups->child; g; g = g->next) {
            const struct place p = {.group = g->string,
                                    .kind =
                                        json_member(g, "kind")->valuestring};
            if (names_unit(row, &p) &&
                !has_event(e->run, g->string, row->text[ENERGY_event]))
                return error_set(error,
                                 "%s: line %u: expected an event of '%.60s' in "
                                 "%s/stats.json, found '%.60s'",
                                 row->file, row->line, row->text[ENERGY_unit],
                                 e->run->path, row->text[ENERGY_event]);
        }
    }
    return true;
}

bool energy_new(struct energy *e, const struct run *run,
                const struct energy_table *table, struct error *error)
{
    struct found found;
    *e = (struct energy){.run = run, .table = table};
    bool good = check_events(e, error);
    e->used = heap_new(table->count + 1u, sizeof *e->used, "rows");
    found.rows = heap_new(table->count + 1u, sizeof(void *), "rows");
    for (const cJSON *g = run->groups->child; good && g; g = g->next)
        good = add_group(e, g, &found, error);
    free(found.rows);
    return good;
}

void energy_free(struct energy *e)
{
    free(e->items);
    free(e->used);
}

double energy_joules(const struct energy *e, const struct energy_item *item,
                     double count, double cycles)
{
    /* mW times us are nJ. */
    return count * item->pj * 1e-12 +
           item->mw * (cycles / e->run->clock_mhz) * 1e-9;
}
