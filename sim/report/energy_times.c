/*
 * Energy over time, from intervals: that of each, and of launches, which get
 * those that they have wholly, and of others the share of the cycles.
 */
#include "sim/report/energy_views.h"
#include "sim/report/intervals.h"
#include "sim/report/shape.h"
#include <stdlib.h>

struct launches {
    const struct energy *e;
    const cJSON *list; /* kernels of stats.json */
    cJSON *json;       /* a number of joules for each */
    double between;
};

struct both {
    struct bins bins;
    struct launches launches;
};

static double joules_between(const struct energy *e, const int64_t *values,
                             double cycles)
{
    double sum = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const struct energy_item *item = &e->items[i];
        bool counts = item->value < e->run->value_count;
        sum += energy_joules(e, item, counts ? (double)values[item->value] : 0,
                             cycles);
    }
    return sum;
}

static double shared(double from, double to, const cJSON *launch)
{
    double begin = json_member(launch, "begin")->valuedouble;
    double end = json_member(launch, "end")->valuedouble;
    begin = begin > from ? begin : from;
    end = end < to ? end : to;
    return end > begin ? (end - begin) / (to - from) : 0;
}

static void add_interval(void *context, uint64_t from, uint64_t to,
                         const int64_t *values)
{
    struct both *both = context;
    struct launches *l = &both->launches;
    double joules = joules_between(l->e, values, (double)(to - from));
    bins_add(&both->bins, from, to, values);
    l->between += joules;
    cJSON *one = l->json->child;
    for (const cJSON *k = l->list ? l->list->child : NULL; k; k = k->next) {
        double share = shared((double)from, (double)to, k) * joules;
        cJSON *sum = cJSON_GetObjectItemCaseSensitive(one, "joules");
        cJSON_SetNumberValue(sum, sum->valuedouble + share);
        l->between -= share;
        one = one->next;
    }
}

static void begin_launches(struct launches *l, const struct energy *e)
{
    *l = (struct launches){.e = e,
                           .list = json_member(e->run->stats, "kernels"),
                           .json = cJSON_CreateArray()};
    for (const cJSON *k = l->list ? l->list->child : NULL; k; k = k->next) {
        const cJSON *name = json_member(k, "name");
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "name", name ? name->valuestring : "");
        cJSON_AddNumberToObject(one, "begin",
                                json_member(k, "begin")->valuedouble);
        cJSON_AddNumberToObject(one, "end", json_member(k, "end")->valuedouble);
        cJSON_AddNumberToObject(one, "joules", 0);
        cJSON_AddItemToArray(l->json, one);
    }
}

/* ---- bins, by unit ---- */

static double joules_in_bin(const struct energy *e, const struct bins *bins,
                            const char *group, unsigned b)
{
    uint64_t from = b ? bins->ends[b - 1] : bins->begin;
    double sum = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const struct energy_item *item = &e->items[i];
        const struct bin *series = item->value < e->run->value_count
                                       ? bins->series[item->value]
                                       : NULL;
        if (item->group == group)
            sum += energy_joules(e, item, series ? (double)series[b].sum : 0,
                                 (double)(bins->ends[b] - from));
    }
    return sum;
}

static void add_bins(cJSON *json, const struct energy *e,
                     const struct bins *bins)
{
    cJSON *times = cJSON_AddObjectToObject(json, "intervals");
    cJSON *ends = cJSON_AddArrayToObject(times, "ends");
    cJSON *units = cJSON_AddObjectToObject(times, "units");
    cJSON_AddNumberToObject(times, "begin", (double)bins->begin);
    cJSON_AddNumberToObject(times, "each", (double)bins->each);
    for (unsigned b = 0; b < bins->count; b++)
        cJSON_AddItemToArray(ends, cJSON_CreateNumber((double)bins->ends[b]));
    for (unsigned i = 0; i < e->count; i++) {
        const char *group = e->items[i].group;
        if (i && e->items[i - 1].group == group)
            continue;
        cJSON *list = cJSON_AddArrayToObject(units, group);
        for (unsigned b = 0; b < bins->count; b++)
            cJSON_AddItemToArray(
                list, cJSON_CreateNumber(joules_in_bin(e, bins, group, b)));
    }
}

bool energy_add_times(cJSON *json, const struct energy *e, struct error *error)
{
    struct both both;
    bool any;
    bins_begin(&both.bins, e->run, 0, e->run->cycles);
    begin_launches(&both.launches, e);
    bool good = intervals_read(e->run, add_interval, &both, &any, error);
    if (good && any) {
        add_bins(json, e, &both.bins);
        cJSON_AddItemToObject(json, "launches", both.launches.json);
        cJSON_AddNumberToObject(json, "between_launches",
                                both.launches.between);
    } else {
        cJSON_Delete(both.launches.json);
    }
    bins_free(&both.bins);
    return good;
}
