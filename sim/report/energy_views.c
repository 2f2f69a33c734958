/* The views that need no more than stats.json. */
#include "sim/report/energy_views.h"
#include "sim/core/heap.h"
#include "sim/report/shape.h"
#include <stdlib.h>
#include <string.h>

double energy_of(const struct energy *e, const struct energy_item *item)
{
    const struct run *run = e->run;
    double count = item->value < run->value_count
                       ? (double)run->values[item->value].total
                       : 0;
    return energy_joules(e, item, count, (double)run->cycles);
}

/* ---- units ---- */

static cJSON *member_object(cJSON *json, const char *name)
{
    cJSON *member = cJSON_GetObjectItemCaseSensitive(json, name);
    return member ? member : cJSON_AddObjectToObject(json, name);
}

static void add_number(cJSON *json, const char *name, double more)
{
    cJSON *member = cJSON_GetObjectItemCaseSensitive(json, name);
    if (member)
        cJSON_SetNumberValue(member, member->valuedouble + more);
    else
        cJSON_AddNumberToObject(json, name, more);
}

/* What has no rows: groups, of the energy, and of the area. */
static void add_without(cJSON *json, const struct energy *e, bool area)
{
    cJSON *list =
        cJSON_AddArrayToObject(json, area ? "without_area" : "without");
    for (const cJSON *g = e->run->groups->child; g; g = g->next) {
        bool any = false;
        for (unsigned i = 0; i < e->count; i++) {
            const struct energy_item *item = &e->items[i];
            any |=
                !strcmp(item->group, g->string) &&
                (area ? item->row->has[ENERGY_MM2]
                      : item->row->has[ENERGY_PJ] || item->row->has[ENERGY_MW]);
        }
        if (!any)
            cJSON_AddItemToArray(list, cJSON_CreateString(g->string));
    }
}

static void add_units(cJSON *json, const struct energy *e)
{
    cJSON *units = cJSON_AddObjectToObject(json, "units");
    for (unsigned i = 0; i < e->count; i++) {
        const struct energy_item *item = &e->items[i];
        cJSON *unit = member_object(units, item->group);
        add_number(unit, "joules", energy_of(e, item));
        add_number(unit, "standing",
                   energy_joules(e, item, 0, (double)e->run->cycles));
        if (item->row->has[ENERGY_MM2])
            add_number(unit, "mm2", item->mm2);
    }
    add_without(json, e, false);
    add_without(json, e, true);
}

/* ---- events ---- */

static void add_text(cJSON *json, const char *name, const char *text)
{
    if (*text)
        cJSON_AddStringToObject(json, name, text);
}

static void add_row(cJSON *json, const struct energy_item *item)
{
    char trust[2] = {item->trust, '\0'};
    cJSON_AddStringToObject(json, "unit", item->group);
    add_text(json, "event", item->row->text[ENERGY_event]);
    add_text(json, "by", item->row->text[ENERGY_by]);
    cJSON_AddStringToObject(json, "trust", trust);
    cJSON_AddStringToObject(json, "source", item->row->text[ENERGY_source]);
    cJSON_AddStringToObject(json, "node", item->row->text[ENERGY_node]);
    cJSON_AddStringToObject(json, "table", item->row->file);
    cJSON_AddNumberToObject(json, "line", item->row->line);
    if (item->above)
        cJSON_AddNumberToObject(json, "above", item->above->line);
}

static void add_events(cJSON *json, const struct energy *e)
{
    cJSON *list = cJSON_AddArrayToObject(json, "events");
    for (unsigned i = 0; i < e->count; i++) {
        const struct energy_item *item = &e->items[i];
        cJSON *event = cJSON_CreateObject();
        if (!item->row->has[ENERGY_PJ] && !item->row->has[ENERGY_MW]) {
            cJSON_Delete(event);
            continue;
        }
        add_row(event, item);
        if (item->value < e->run->value_count)
            cJSON_AddNumberToObject(event, "count",
                                    (double)e->run->values[item->value].total);
        cJSON_AddNumberToObject(event, "pj", item->pj);
        cJSON_AddNumberToObject(event, "mw", item->mw);
        cJSON_AddNumberToObject(event, "joules", energy_of(e, item));
        cJSON_AddItemToArray(list, event);
    }
}

/* ---- parts of the run ---- */

static double count_in(const cJSON *groups, const struct energy *e,
                       const struct energy_item *item)
{
    static const char *const parts[] = {"counters", "buckets"};
    const cJSON *group = json_member(groups, item->group);
    for (unsigned i = 0; i < 2 && item->value < e->run->value_count; i++) {
        const cJSON *v = json_member(json_member(group, parts[i]),
                                     e->run->values[item->value].name);
        if (v)
            return v->valuedouble;
    }
    return 0;
}

/* Of a part whose sums are groups; less: what it is without, if not NULL. */
static void add_part(cJSON *list, const struct energy *e, const char *name,
                     const cJSON *groups, double cycles, const cJSON *less)
{
    cJSON *part = cJSON_CreateObject();
    cJSON *units = cJSON_CreateObject();
    double sum = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const struct energy_item *item = &e->items[i];
        double count = count_in(groups, e, item);
        count -= less ? count_in(less, e, item) : 0;
        double joules = energy_joules(e, item, count, cycles);
        sum += joules;
        add_number(units, item->group, joules);
    }
    cJSON_AddStringToObject(part, "part", name);
    cJSON_AddNumberToObject(part, "cycles", cycles);
    cJSON_AddNumberToObject(part, "joules", sum);
    cJSON_AddItemToObject(part, "units", units);
    cJSON_AddItemToArray(list, part);
}

static double number_of(const cJSON *json, const char *name)
{
    return json_member(json, name)->valuedouble;
}

static void add_windows(cJSON *list, const struct energy *e)
{
    const cJSON *windows = json_member(e->run->stats, "windows");
    for (const cJSON *w = windows ? windows->child : NULL; w; w = w->next) {
        const cJSON *of = json_member(w, "of");
        double begin = number_of(w, "begin"), end = number_of(w, "end");
        char name[100];
        snprintf(name, sizeof name, "%s%scycles %.0f to %.0f",
                 of ? of->valuestring : "", of ? ", " : "", begin, end);
        add_part(list, e, name, json_member(w, "groups"), end - begin, NULL);
    }
}

static void add_parts(cJSON *json, const struct energy *e)
{
    cJSON *list = cJSON_AddArrayToObject(json, "parts");
    const struct run *run = e->run;
    const cJSON *regions = json_member(run->stats, "region_of_interest");
    double cycles = (double)run->cycles;
    add_part(list, e, "run", run->groups, cycles, NULL);
    if (regions) {
        const cJSON *inside = json_member(regions, "groups");
        double in = number_of(regions, "cycles");
        add_part(list, e, "regions of interest", inside, in, NULL);
        add_part(list, e, "outside of them", run->groups, cycles - in, inside);
    }
    add_windows(list, e);
}

/* ---- how far it may be trusted ---- */

static void add_trust(cJSON *json, const struct energy *e)
{
    cJSON *trust = cJSON_AddObjectToObject(json, "trust");
    for (const char *t = "HML"; *t; t++) {
        char name[2] = {*t, '\0'};
        cJSON_AddNumberToObject(trust, name, 0);
    }
    for (unsigned i = 0; i < e->count; i++) {
        char name[2] = {e->items[i].trust, '\0'};
        add_number(trust, name, energy_of(e, &e->items[i]));
    }
}

struct swing {
    const struct energy_item *item; /* the first of the row's */
    double joules;
};

static int by_joules(const void *a, const void *b)
{
    const struct swing *x = a, *y = b;
    if (x->joules > y->joules || x->joules < y->joules)
        return x->joules > y->joules ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

/* A row may be of several groups; two between whose sizes a unit is move
 * together. */
static unsigned find_swings(const struct energy *e, struct swing *swings)
{
    unsigned count = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const struct energy_item *item = &e->items[i];
        unsigned s = 0;
        while (s < count && (swings[s].item->row != item->row ||
                             swings[s].item->above != item->above))
            s++;
        if (s == count)
            swings[count++] = (struct swing){.item = item};
        swings[s].joules += energy_of(e, item);
    }
    qsort(swings, count, sizeof *swings, by_joules);
    return count;
}

static void add_tornado(cJSON *json, const struct energy *e, double sum)
{
    cJSON *list = cJSON_AddArrayToObject(json, "tornado");
    struct swing *swings = heap_new(e->count + 1u, sizeof *swings, "rows");
    unsigned count = find_swings(e, swings);
    for (unsigned s = 0; s < count && swings[s].joules > 0; s++) {
        cJSON *one = cJSON_CreateObject();
        add_row(one, swings[s].item);
        cJSON_ReplaceItemInObjectCaseSensitive(
            one, "unit",
            cJSON_CreateString(swings[s].item->row->text[ENERGY_unit]));
        cJSON_AddNumberToObject(one, "less", sum - swings[s].joules / 3);
        cJSON_AddNumberToObject(one, "more", sum + swings[s].joules / 3);
        cJSON_AddItemToArray(list, one);
    }
    free(swings);
}

/* ---- all ---- */

static void add_totals(cJSON *json, const struct energy *e, double *sum)
{
    double standing = 0, area = 0;
    double seconds = (double)e->run->cycles / e->run->clock_mhz * 1e-6;
    *sum = 0;
    for (unsigned i = 0; i < e->count; i++) {
        *sum += energy_of(e, &e->items[i]);
        standing += energy_joules(e, &e->items[i], 0, (double)e->run->cycles);
        area += e->items[i].mm2;
    }
    cJSON_AddNumberToObject(json, "joules", *sum);
    cJSON_AddNumberToObject(json, "standing", standing);
    cJSON_AddNumberToObject(json, "seconds", seconds);
    cJSON_AddNumberToObject(json, "watts", *sum / seconds);
    cJSON_AddNumberToObject(json, "joule_seconds", *sum * seconds);
    cJSON_AddNumberToObject(json, "mm2", area);
}

static void add_unused(cJSON *json, const struct energy *e)
{
    cJSON *list = cJSON_AddArrayToObject(json, "unused_rows");
    for (unsigned i = 0; i < e->table->count; i++) {
        const struct energy_row *row = &e->table->rows[i];
        if (e->used[i])
            continue;
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "table", row->file);
        cJSON_AddNumberToObject(one, "line", row->line);
        cJSON_AddStringToObject(one, "unit", row->text[ENERGY_unit]);
        cJSON_AddItemToArray(list, one);
    }
}

cJSON *energy_views(const struct energy *e, bool spread, struct error *error)
{
    double sum;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "format", 1);
    add_totals(json, e, &sum);
    add_units(json, e);
    add_events(json, e);
    add_parts(json, e);
    add_trust(json, e);
    add_tornado(json, e, sum);
    add_unused(json, e);
    if (energy_add_times(json, e, error) &&
        energy_add_places(json, e, spread, error))
        return json;
    cJSON_Delete(json);
    return NULL;
}
