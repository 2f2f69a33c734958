/*
 * Reads the files of a run, and lays its groups' statistics out as one table of
 * numbered values, by which intervals, figures and comparisons speak of them.
 */
#include "sim/report/run.h"
#include "sim/core/file_hash.h"
#include "sim/core/gz_text.h"
#include "sim/core/heap.h"
#include "sim/core/range_name.h"
#include "sim/report/shape.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *run_file(const struct run *run, const char *name)
{
    size_t size = strlen(run->path) + strlen(name) + 2;
    char *path = heap_new(size, 1, "a path");
    snprintf(path, size, "%s/%s", run->path, name);
    return path;
}

/* *text stays NULL if there is none of that name and none is needed. */
static bool read_file(const struct run *run, const char *name, bool needed,
                      char **text, struct error *error)
{
    char *path = run_file(run, name);
    bool there = needed || !access(path, F_OK);
    *text = there ? gz_text_read(path, error) : NULL;
    free(path);
    return !there || *text;
}

/* The line in which a text has a place. */
static unsigned line_of(const char *text, const char *place)
{
    unsigned line = 1;
    for (const char *p = text; p < place; p++)
        line += *p == '\n';
    return line;
}

/* For cJSON_Delete. NULL: no JSON, or something behind it. */
static cJSON *parse(const struct run *run, const char *name, const char *text,
                    struct error *error)
{
    const char *end = text;
    cJSON *json = cJSON_ParseWithOpts(text, &end, true);
    if (!json)
        error_set(error, "%s/%s: line %u: no JSON, or cut short", run->path,
                  name, line_of(text, end));
    return json;
}

/* ---- values ---- */

bool run_is_idle(const cJSON *row)
{
    const cJSON *role = json_member(row, "role");
    return role && !strcmp(role->valuestring, "idle");
}

/* All statistics of a group or unit that are counters, or buckets. */
static void add_part(const struct run *run, const cJSON *of, const char *name,
                     const char *part, struct value *values, unsigned *count)
{
    const cJSON *kind = json_member(json_member(run->stats, "schema"),
                                    json_member(of, "kind")->valuestring);
    for (const cJSON *v = json_member(of, part)->child; v; v = v->next) {
        const cJSON *row = json_member(json_member(kind, part), v->string);
        values[(*count)++] = (struct value){
            .group = name,
            .name = v->string,
            .unit = json_member(row, "unit")->valuestring,
            .meaning = json_member(row, "meaning")->valuestring,
            .bucket = !strcmp(part, "buckets"),
            .idle = run_is_idle(row),
            .total = (uint64_t)v->valuedouble,
            .accounts = (uint64_t)json_member(of, "accounts")->valuedouble,
        };
    }
}

/* The name of a range, as tables of intervals have it; the run keeps it. */
static const char *keep_name(struct run *run, const char *histogram,
                             const cJSON *edge)
{
    char text[RANGE_NAME];
    range_name(histogram, (long long)edge->valuedouble, text);
    run->range_names = heap_resize(run->range_names, run->range_name_count + 1u,
                                   sizeof *run->range_names, "names of ranges");
    return run->range_names[run->range_name_count++] = heap_text(text);
}

/* All ranges of the histograms of a group or unit. */
static void add_ranges(struct run *run, const cJSON *of, const char *name,
                       struct value *values, unsigned *count)
{
    const cJSON *list = json_member(of, "histograms");
    const cJSON *kind = json_member(json_member(run->stats, "schema"),
                                    json_member(of, "kind")->valuestring);
    for (const cJSON *h = list ? list->child : NULL; h; h = h->next) {
        const cJSON *row =
            json_member(json_member(kind, "histograms"), h->string);
        const cJSON *edge = json_member(h, "edges")->child;
        for (const cJSON *n = json_member(h, "counts")->child; n;
             n = n->next, edge = edge->next)
            values[(*count)++] = (struct value){
                .group = name,
                .name = keep_name(run, h->string, edge),
                .unit = json_member(row, "of")->valuestring,
                .meaning = json_member(row, "meaning")->valuestring,
                .range = true,
                .total = (uint64_t)n->valuedouble,
                .accounts = (uint64_t)json_member(of, "accounts")->valuedouble,
            };
    }
}

static void add_values(struct run *run, const cJSON *of, const char *name,
                       struct value *values, unsigned *count)
{
    add_part(run, of, name, "counters", values, count);
    add_part(run, of, name, "buckets", values, count);
    add_ranges(run, of, name, values, count);
}

unsigned value_find(const struct value *values, unsigned count,
                    const char *group, const char *name, unsigned from)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned at = (from + i) % count;
        const struct value *v = &values[at];
        if (!strcmp(v->name, name) && !strcmp(v->group, group))
            return at;
    }
    return count;
}

unsigned run_find(const struct run *run, const char *group, const char *name,
                  unsigned from)
{
    return value_find(run->values, run->value_count, group, name, from);
}

static bool add_terms(const struct run *run, const struct figure *figure,
                      const cJSON *list, unsigned *terms, unsigned *count,
                      struct error *error)
{
    for (const cJSON *t = list ? list->child : NULL; t; t = t->next) {
        unsigned at = run_find(run, figure->group, t->valuestring, 0);
        if (at == run->value_count || *count == FIGURE_TERMS_MAX)
            return error_set(
                error, "%s/stats.json: figure '%s' of '%s': %s '%s'", run->path,
                figure->name, figure->group,
                at == run->value_count ? "there is no" : "too many terms at",
                t->valuestring);
        terms[(*count)++] = at;
    }
    return true;
}

/* Percentiles are no ratios, and are left out. */
static bool add_figures(struct run *run, const cJSON *group,
                        struct error *error)
{
    const cJSON *kind = json_member(json_member(run->stats, "schema"),
                                    json_member(group, "kind")->valuestring);
    for (const cJSON *f = json_member(kind, "figures")->child; f; f = f->next) {
        struct figure *figure = &run->figures[run->figure_count];
        *figure = (struct figure){.group = group->string, .name = f->string};
        if (!json_member(f, "over"))
            continue;
        if (!add_terms(run, figure, json_member(f, "over"), figure->over,
                       &figure->over_count, error) ||
            !add_terms(run, figure, json_member(f, "under"), figure->under,
                       &figure->under_count, error))
            return false;
        run->figure_count++;
    }
    return true;
}

unsigned run_values_in(const cJSON *one)
{
    const cJSON *list = json_member(one, "histograms");
    int count = cJSON_GetArraySize(json_member(one, "counters")) +
                cJSON_GetArraySize(json_member(one, "buckets"));
    for (const cJSON *h = list ? list->child : NULL; h; h = h->next)
        count += cJSON_GetArraySize(json_member(h, "counts"));
    return (unsigned)count;
}

/* A list of groups or units. */
static struct value *room_for_values(const cJSON *list)
{
    size_t values = 0;
    for (const cJSON *of = list->child; of; of = of->next)
        values += run_values_in(of);
    return heap_new(values, sizeof(struct value), "the statistics");
}

static bool lay_out(struct run *run, struct error *error)
{
    const cJSON *groups = json_member(run->stats, "groups");
    const cJSON *units = json_member(run->stats, "units");
    size_t figures = 0;
    for (const cJSON *g = groups->child; g; g = g->next) {
        const cJSON *kind = json_member(json_member(run->stats, "schema"),
                                        json_member(g, "kind")->valuestring);
        figures += (size_t)cJSON_GetArraySize(json_member(kind, "figures"));
    }
    run->groups = groups;
    run->values = room_for_values(groups);
    run->unit_values = room_for_values(units);
    /* One more, as the next is begun before it is known to be one. */
    run->figures = heap_new(figures + 1, sizeof *run->figures, "the figures");
    for (const cJSON *g = groups->child; g; g = g->next) {
        add_values(run, g, g->string, run->values, &run->value_count);
        if (!add_figures(run, g, error))
            return false;
    }
    for (const cJSON *u = units->child; u; u = u->next)
        add_values(run, u, json_member(u, "name")->valuestring,
                   run->unit_values, &run->unit_value_count);
    return true;
}

/* ---- parts of a run ---- */

/* The member of stats.json that has a part's groups and units. */
static const cJSON *part_of(const struct run *run, const struct scope *scope,
                            struct error *error)
{
    const cJSON *region = json_member(run->stats, "region_of_interest");
    const cJSON *windows = json_member(run->stats, "windows");
    const cJSON *of = scope->region ? region
                      : scope->window
                          ? cJSON_GetArrayItem(windows, (int)scope->window - 1)
                          : run->stats;
    if (!of && scope->region)
        error_set(error, "%s/stats.json: the program marked no region",
                  run->path);
    else if (!of)
        error_set(
            error,
            "%s/stats.json: there is no window %u: expected one of the %d "
            "of --stats-range",
            run->path, scope->window, cJSON_GetArraySize(windows));
    return of;
}

static uint64_t cycles_between(const cJSON *of)
{
    return (uint64_t)(json_member(of, "end")->valuedouble -
                      json_member(of, "begin")->valuedouble);
}

static uint64_t cycles_of(const struct run *run, const struct scope *scope,
                          const cJSON *part)
{
    uint64_t cycles = 0;
    if (!scope->region)
        return scope->window ? cycles_between(part) : run->cycles;
    for (const cJSON *r = json_member(part, "regions")->child; r; r = r->next)
        cycles += cycles_between(r);
    return cycles;
}

/* Of units of one group in a tile, the first gets the sum. */
static void add_tile(struct run *run, const cJSON *units, const char *tile)
{
    for (const cJSON *u = units->child; u; u = u->next) {
        unsigned first = run->value_count, kept = first;
        if (strcmp(json_member(u, "tile")->valuestring, tile) != 0)
            continue;
        add_values(run, u, json_member(u, "group")->valuestring, run->values,
                   &run->value_count);
        for (unsigned i = first; i < run->value_count; i++) {
            const struct value v = run->values[i];
            unsigned at = value_find(run->values, first, v.group, v.name, 0);
            if (at == first) {
                run->values[kept++] = v;
                continue;
            }
            run->values[at].total += v.total;
            run->values[at].accounts += v.accounts;
        }
        run->value_count = kept;
    }
}

bool run_narrow(struct run *run, const struct scope *scope, struct error *error)
{
    const cJSON *part = part_of(run, scope, error);
    if (!part)
        return false;
    run->cycles = cycles_of(run, scope, part);
    run->groups = scope->tile ? NULL : json_member(part, "groups");
    run->value_count = run->figure_count = 0;
    free(run->values);
    run->values =
        room_for_values(scope->tile ? json_member(part, "units") : run->groups);
    for (const cJSON *g = run->groups ? run->groups->child : NULL; g;
         g = g->next)
        add_values(run, g, g->string, run->values, &run->value_count);
    if (scope->tile)
        add_tile(run, json_member(part, "units"), scope->tile);
    if (!run->cycles)
        return error_set(error, "%s/stats.json: that part has no cycles",
                         run->path);
    return run->value_count ||
           error_set(error, "%s/stats.json: no unit is in a tile '%.60s'",
                     run->path, scope->tile ? scope->tile : "");
}

double run_figure(const struct run *run, const struct figure *figure,
                  const int64_t *values, uint64_t cycles)
{
    double over = 0, under = 0;
    for (unsigned i = 0; i < figure->over_count; i++)
        over += (double)values[figure->over[i]];
    for (unsigned i = 0; i < figure->under_count; i++)
        under += (double)values[figure->under[i]];
    if (!figure->under_count)
        under = (double)cycles * 1000 / run->clock_mhz;
    return under > 0 ? over / under : -1;
}

void run_regions(const struct run *run, uint64_t *from, uint64_t *to)
{
    const cJSON *list =
        json_member(json_member(run->stats, "region_of_interest"), "regions");
    int count = cJSON_GetArraySize(list);
    if (!count)
        return;
    *from = (uint64_t)json_member(cJSON_GetArrayItem(list, 0), "begin")
                ->valuedouble;
    *to = (uint64_t)json_member(cJSON_GetArrayItem(list, count - 1), "end")
              ->valuedouble;
}

/* ---- files ---- */

/* A file of JSON, whose shape is looked at. *json: NULL, if it is not there. */
static bool read_json(const struct run *run, const char *name, bool needed,
                      char **text, cJSON **json, shape_fn *shape,
                      struct error *error)
{
    char file[CORBEL_LINE_SIZE];
    *json = NULL;
    if (!read_file(run, name, needed, text, error))
        return false;
    if (!*text)
        return true;
    snprintf(file, sizeof file, "%s/%s", run->path, name);
    *json = parse(run, name, *text, error);
    return *json && shape(*json, file, error);
}

static bool read_stats(struct run *run, struct error *error)
{
    if (!read_json(run, "stats.json", true, &run->stats_text, &run->stats,
                   shape_stats, error))
        return false;
    run->cycles = (uint64_t)json_member(run->stats, "cycles")->valuedouble;
    run->clock_mhz = json_member(run->stats, "clock_mhz")->valuedouble;
    if (!run->cycles || run->clock_mhz < 1)
        return error_set(error,
                         "%s/stats.json: cycles and clock_mhz have to be at "
                         "least 1",
                         run->path);
    return lay_out(run, error);
}

/* Files that are shown as they are, by parts that rely on their shape. */
static bool read_shown(const struct run *run, const char *name, char **text,
                       shape_fn *shape, struct error *error)
{
    cJSON *json;
    bool good = read_json(run, name, false, text, &json, shape, error);
    cJSON_Delete(json);
    return good;
}

/* The only image that the program has written, if the page can show it. A file
 * that is another one now is that of another run. */
static char *image_of(const cJSON *manifest)
{
    const cJSON *images = json_member(manifest, "images");
    const cJSON *one = cJSON_GetArrayItem(images, 0);
    const char *path = cJSON_GetStringValue(json_member(one, "path"));
    const char *hash = cJSON_GetStringValue(json_member(one, "xxh64"));
    size_t length = path ? strlen(path) : 0;
    uint64_t now;
    char text[24];
    if (cJSON_GetArraySize(images) != 1 || !hash || length < 4 ||
        strcmp(path + length - 4, ".png") != 0 || !file_hash(path, &now))
        return NULL;
    snprintf(text, sizeof text, "%016" PRIx64, now);
    return strcmp(text, hash) ? NULL : heap_text(path);
}

static bool read_manifest(struct run *run, struct error *error)
{
    bool good = read_json(run, "manifest.json", false, &run->manifest_text,
                          &run->manifest, shape_manifest, error);
    if (good && run->manifest)
        run->image = image_of(run->manifest);
    return good;
}

bool run_read(struct run *run, const char *path, struct error *error)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    *run = (struct run){.path = heap_text_part(path, length)};
    return read_stats(run, error) && read_manifest(run, error) &&
           read_shown(run, "profile.json", &run->profile_text, shape_profile,
                      error) &&
           read_json(run, "pixels.json", false, &run->pixels_text, &run->pixels,
                     shape_pixels, error) &&
           read_file(run, "log.txt", false, &run->log_text, error);
}

void run_free(struct run *run)
{
    cJSON_Delete(run->stats);
    cJSON_Delete(run->energy);
    free(run->stats_text);
    free(run->manifest_text);
    free(run->profile_text);
    cJSON_Delete(run->manifest);
    cJSON_Delete(run->pixels);
    free(run->pixels_text);
    free(run->log_text);
    for (unsigned i = 0; i < run->range_name_count; i++)
        free(run->range_names[i]);
    free(run->range_names);
    free(run->values);
    free(run->unit_values);
    free(run->figures);
    free(run->image);
    free(run->path);
}
