/*
 * profile.json: what sim-report shows of the profile. Arrays of counts have one
 * number for each event, in the order of "events".
 */
#include "sim/core/formats.h"
#include "sim/core/heap.h"
#include "sim/host/observe/costs.h"
#include "sim/host/results/json_text.h"
#include "sim/report/profile_text.h"
#include <stdlib.h>

enum { SOURCE_MAX = 200 /* bytes of a line's text */ };

static void add_events(cJSON *to, const struct code_profile *p)
{
    cJSON *events = cJSON_AddArrayToObject(to, "events");
    for (unsigned e = 0; e < p->event_count; e++) {
        cJSON *event = cJSON_CreateObject();
        cJSON_AddItemToArray(events, event);
        cJSON_AddStringToObject(event, "name", p->events[e]->name);
        cJSON_AddStringToObject(event, "unit", p->events[e]->unit);
        cJSON_AddStringToObject(event, "meaning", p->events[e]->meaning);
    }
    cJSON_AddNumberToObject(to, "buckets", p->buckets);
    cJSON_AddStringToObject(to, "instructions", p->events[p->issued]->name);
    cJSON_AddStringToObject(to, "idle", p->events[p->idle]->name);
    cJSON_AddStringToObject(to, "hits", p->events[p->hits]->name);
}

/* Of cores whose harts issue together: the width of their warps, and the events
 * that tell how many lanes of them did. */
static void add_lanes(cJSON *to, const struct code_profile *p)
{
    const struct profile_lanes *l = &p->lanes;
    if (!l->warp)
        return;
    cJSON *lanes = cJSON_AddObjectToObject(to, "lanes");
    cJSON_AddNumberToObject(lanes, "warp", l->warp);
    cJSON_AddStringToObject(lanes, "active", p->events[l->active]->name);
    cJSON_AddStringToObject(lanes, "live", p->events[l->live]->name);
    cJSON_AddStringToObject(lanes, "splits", p->events[l->splits]->name);
    cJSON_AddStringToObject(lanes, "accesses", p->events[l->accesses]->name);
    cJSON_AddStringToObject(lanes, "sectors", p->events[l->sectors]->name);
    cJSON_AddStringToObject(lanes, "least", p->events[l->least]->name);
    cJSON_AddStringToObject(lanes, "conflicts", p->events[l->conflicts]->name);
}

static void add_counts(cJSON *to, const char *name, const struct costs *c,
                       const uint64_t *counts)
{
    json_u64s(to, name, counts, c->profile->event_count);
}

/* Their numbers from here on are those in source. */
static void add_functions(cJSON *to, const struct costs *c)
{
    const struct source *s = c->source;
    cJSON *list = cJSON_AddArrayToObject(to, "functions");
    for (unsigned i = 0; i < s->function_count; i++) {
        cJSON *function = cJSON_CreateObject();
        cJSON_AddItemToArray(list, function);
        cJSON_AddStringToObject(function, "name", s->functions[i].name);
        cJSON_AddStringToObject(function, "file",
                                s->files[s->functions[i].file]);
        cJSON_AddNumberToObject(function, "line", s->functions[i].line);
    }
    for (unsigned i = 0; i < c->function_count; i++) {
        const struct cost_function *f = &c->functions[i];
        cJSON *function = cJSON_GetArrayItem(list, (int)f->number);
        json_u64(function, "within", f->within);
        add_counts(function, "counts", c, f->counts);
    }
}

/* Lines are in the order of their places where they cost the same. */
static int by_cost(const void *a, const void *b)
{
    const struct cost_line *x = *(const struct cost_line *const *)a;
    const struct cost_line *y = *(const struct cost_line *const *)b;
    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return (x > y) - (x < y);
}

/* A line's text, or its begin. */
static cJSON *text_json(struct source_text *text, unsigned file, int line)
{
    int bytes;
    const char *source = source_text_line(text, file, line, &bytes);
    char *copy = heap_text_part(
        source, (size_t)(bytes < SOURCE_MAX ? bytes : SOURCE_MAX));
    cJSON *json = cJSON_CreateString(copy);
    free(copy);
    return json;
}

/* The lines without cost since the one before it in the function, if few. */
static void add_before(cJSON *to, const struct costs *c,
                       const struct cost_line *l, struct source_text *text)
{
    enum { FEW = 3 };
    const struct cost_line *last = l == c->lines ? NULL : l - 1;
    if (!last || last->function != l->function || last->file != l->file ||
        l->line - last->line < 2 || l->line - last->line - 1 > FEW)
        return;
    cJSON *list = cJSON_AddArrayToObject(to, "before");
    for (int line = last->line + 1; line < l->line; line++)
        cJSON_AddItemToArray(list, text_json(text, l->file, line));
}

static void add_line(cJSON *list, const struct costs *c,
                     const struct cost_line *l, struct source_text *text)
{
    cJSON *line = cJSON_CreateObject();
    cJSON_AddItemToArray(list, line);
    cJSON_AddNumberToObject(line, "function", l->function);
    cJSON_AddStringToObject(line, "file", c->source->files[l->file]);
    cJSON_AddNumberToObject(line, "line", l->line);
    cJSON_AddNumberToObject(line, "place", (double)(l - c->lines));
    add_before(line, c, l, text);
    cJSON_AddItemToObject(line, "source", text_json(text, l->file, l->line));
    add_counts(line, "counts", c, l->counts);
}

static void add_lines(cJSON *to, const struct host *host)
{
    const struct costs *c = costs_of_run(host);
    struct source_text *text = source_text_new(host);
    const struct cost_line **order =
        heap_new(c->line_count, sizeof *order, "lines");
    cJSON *list = cJSON_AddArrayToObject(to, "lines");
    for (unsigned i = 0; i < c->line_count; i++)
        order[i] = &c->lines[i];
    qsort(order, c->line_count, sizeof *order, by_cost);
    for (unsigned i = 0; i < c->line_count; i++)
        add_line(list, c, order[i], text);
    free(order);
    source_text_free(text);
}

/* [parent, function, cost] of each but the root, whose number is 0. */
static void add_stacks(cJSON *to, const struct costs *c)
{
    cJSON *list = cJSON_AddArrayToObject(to, "stacks");
    for (unsigned i = 1; i < c->stack_count; i++) {
        const struct cost_stack *s = &c->stacks[i];
        char text[80];
        snprintf(text, sizeof text, "[%u,%u,%" PRIu64 "]", s->parent,
                 s->function, s->cost);
        cJSON_AddItemToArray(list, cJSON_CreateRaw(text));
    }
}

/* For free(). */
static char *profile_json(const struct host *host)
{
    const struct costs *c = costs_of_run(host);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "format", PROFILE_FORMAT);
    cJSON_AddStringToObject(
        json, "program",
        host->programs.first->path ? host->programs.first->path : "");
    cJSON_AddStringToObject(json, "chip", host->arch.name);
    add_events(json, c->profile);
    add_lanes(json, c->profile);
    json_u64(json, "cost", c->cost);
    add_counts(json, "totals", c, c->totals);
    add_functions(json, c);
    add_lines(json, host);
    add_stacks(json, c);
    char *text = json_small_text(json);
    cJSON_Delete(json);
    return text;
}

void costs_write_json(const struct host *host, FILE *out)
{
    char *text = profile_json(host);
    fputs(text, out);
    free(text);
}

/* Made of the file's own text, which has numbers that its tree does not have,
 * and names in UTF-8: sim-report --profile prints the same. */
void costs_write_text(const struct host *host, FILE *out)
{
    char *text = profile_json(host);
    cJSON *json = cJSON_Parse(text);
    profile_text(out, json);
    cJSON_Delete(json);
    free(text);
}
