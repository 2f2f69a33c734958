/*
 * Energy by pixel and by source line. A row's column `by` names costs of pixels
 * and events of lines: the row's energy is theirs as these are, and what costs
 * or events lie elsewhere, or rows without such a name say, is the rest.
 */
#include "sim/core/heap.h"
#include "sim/report/energy_views.h"
#include "sim/report/pixels.h"
#include "sim/report/shape.h"
#include <stdlib.h>
#include <string.h>

/* The place of the first word of the list that is the name of one of the
 * array's objects; -1: there is none. An event is its own name. */
static int named(const struct energy_row *row, const cJSON *list)
{
    const char *words[] = {row->text[ENERGY_by], row->text[ENERGY_event]};
    for (unsigned w = 0; w < 2; w++)
        for (const char *at = words[w]; *(at += strspn(at, " "));
             at += strcspn(at, " ")) {
            size_t length = strcspn(at, " ");
            int place = 0;
            for (const cJSON *one = list->child; one;
                 one = one->next, place++) {
                const char *name = json_member(one, "name")->valuestring;
                if (strlen(name) == length && !strncmp(name, at, length))
                    return place;
            }
        }
    return -1;
}

/* Joules of each of the array's objects, for free(). */
static double *joules_by(const struct energy *e, const cJSON *list)
{
    double *sums =
        heap_new((size_t)cJSON_GetArraySize(list) + 1, sizeof *sums, "joules");
    for (unsigned i = 0; i < e->count; i++) {
        int at = named(e->items[i].row, list);
        if (at >= 0)
            sums[at] += energy_joules(
                e, &e->items[i],
                (double)e->run->values[e->items[i].value].total, 0);
    }
    return sums;
}

static double total_of(const struct energy *e)
{
    double sum = 0;
    for (unsigned i = 0; i < e->count; i++)
        sum += energy_of(e, &e->items[i]);
    return sum;
}

/* What all places have is `told`; as it is, or as if they had all. */
static double scale_of(double total, double told, bool spread)
{
    return spread && told > 0 ? total / told : 1;
}

static void add_array(cJSON *json, const double *values, size_t count,
                      double scale)
{
    cJSON *list = cJSON_AddArrayToObject(json, "joules");
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(values[i] * scale));
}

/* ---- pixels ---- */

static bool sum_costs(const struct energy *e, const double *joules,
                      struct pixel_sums *sums, double *told,
                      struct error *error)
{
    const cJSON *costs = json_member(e->run->pixels, "costs");
    int at = 0;
    for (const cJSON *c = costs->child; c; c = c->next, at++) {
        double all = json_member(c, "sum")->valuedouble +
                     json_member(c, "rest")->valuedouble;
        double part = json_member(c, "sum")->valuedouble;
        if (joules[at] <= 0 || part <= 0)
            continue;
        *told += joules[at] * part / all;
        if (!pixels_add(sums, e->run, json_member(c, "name")->valuestring,
                        joules[at] / all, error))
            return false;
    }
    return true;
}

static bool add_pixels(cJSON *json, const struct energy *e, bool spread,
                       struct error *error)
{
    if (!e->run->pixels)
        return true;
    double told = 0, total = total_of(e);
    double *joules = joules_by(e, json_member(e->run->pixels, "costs"));
    struct pixel_sums sums = pixels_begin(e->run);
    bool good = sum_costs(e, joules, &sums, &told, error);
    if (good) {
        double scale = scale_of(total, told, spread);
        cJSON *of = cJSON_AddObjectToObject(json, "pixels");
        cJSON_AddNumberToObject(of, "across", sums.across);
        cJSON_AddNumberToObject(of, "down", sums.down);
        cJSON_AddNumberToObject(of, "each", sums.each);
        add_array(of, sums.values, (size_t)sums.across * sums.down, scale);
        cJSON_AddNumberToObject(of, "rest", total - told * scale);
    }
    free(sums.values);
    free(joules);
    return good;
}

/* ---- lines ---- */

static double line_joules(const cJSON *line, const cJSON *totals,
                          const double *joules)
{
    double sum = 0;
    const cJSON *all = totals->child;
    for (const cJSON *n = json_member(line, "counts")->child; n && all;
         n = n->next, all = all->next, joules++)
        sum += all->valuedouble > 0
                   ? *joules * n->valuedouble / all->valuedouble
                   : 0;
    return sum;
}

static void add_line(cJSON *list, const cJSON *line, double joules)
{
    cJSON *one = cJSON_CreateObject();
    cJSON_AddStringToObject(one, "file",
                            json_member(line, "file")->valuestring);
    cJSON_AddNumberToObject(one, "line", json_member(line, "line")->valueint);
    cJSON_AddNumberToObject(one, "joules", joules);
    cJSON_AddItemToArray(list, one);
}

static void add_lines(cJSON *json, const struct energy *e, cJSON *profile,
                      bool spread)
{
    const cJSON *lines = json_member(profile, "lines");
    const cJSON *totals = json_member(profile, "totals");
    double *joules = joules_by(e, json_member(profile, "events"));
    double told = 0, total = total_of(e);
    for (const cJSON *l = lines->child; l; l = l->next)
        told += line_joules(l, totals, joules);
    double scale = scale_of(total, told, spread);
    cJSON *list = cJSON_AddArrayToObject(json, "lines");
    for (const cJSON *l = lines->child; l; l = l->next) {
        double its = line_joules(l, totals, joules) * scale;
        if (its > 0)
            add_line(list, l, its);
    }
    cJSON_AddNumberToObject(json, "lines_rest", total - told * scale);
    free(joules);
}

bool energy_add_places(cJSON *json, const struct energy *e, bool spread,
                       struct error *error)
{
    if (!add_pixels(json, e, spread, error))
        return false;
    cJSON *profile =
        e->run->profile_text ? cJSON_Parse(e->run->profile_text) : NULL;
    if (profile)
        add_lines(json, e, profile, spread);
    cJSON_Delete(profile);
    return true;
}
