/* Tells a verdict as numbers, with its lines, for stats.json. */
#include "sim/verdict/measured.h"
#include "sim/verdict/saved_private.h"
#include "sim/verdict/verdict_words.h"
#include <stdio.h>

/* Adds all of them, so that the shares sum to 1. */
static void add_parts(cJSON *to, const struct verdict *v)
{
    cJSON *parts = cJSON_AddArrayToObject(to, "parts");
    for (unsigned i = 0; i < v->part_count; i++) {
        const struct part *p = &v->parts[i];
        cJSON *part = cJSON_CreateObject();
        cJSON_AddStringToObject(part, "group", p->group);
        if (p->request)
            cJSON_AddStringToObject(part, "request", p->request);
        cJSON_AddStringToObject(part, "name", p->name);
        cJSON_AddBoolToObject(part, "inside",
                              p->slots != VERDICT_NONE && !p->coming);
        cJSON_AddNumberToObject(part, "share", p->cycles / v->busy);
        if (p->lever != VERDICT_NONE)
            cJSON_AddNumberToObject(part, "limit", p->lever);
        cJSON_AddItemToArray(parts, part);
    }
}

/* Adds both ends as in link_groups: "l1.mem". */
static void add_links(cJSON *limit, const struct link_class *c)
{
    char from[256], to[256];
    cJSON *links = cJSON_AddObjectToObject(limit, "links");
    snprintf(from, sizeof from, "%s.%s", c->from, c->output);
    snprintf(to, sizeof to, "%s.%s", c->to, c->input);
    cJSON_AddStringToObject(links, "from", from);
    cJSON_AddStringToObject(links, "to", to);
}

/* What is not measured of a limit is left out, not 0. */
static void add_limits(cJSON *to, const struct verdict *v)
{
    cJSON *limits = cJSON_AddArrayToObject(to, "limits");
    for (unsigned i = 0; i < v->lever_count; i++) {
        const struct lever *l = &v->levers[i];
        cJSON *limit = cJSON_CreateObject();
        cJSON_AddStringToObject(limit, "group", l->group);
        cJSON_AddStringToObject(limit, "name", l->row->name);
        cJSON_AddStringToObject(limit, "sort", limit_sorts[l->row->sort]);
        if (l->row->param)
            cJSON_AddStringToObject(limit, "param", l->row->param);
        if (l->row->param || l->row->sort == LIMIT_LATENCY)
            cJSON_AddNumberToObject(limit, "value", (double)l->value);
        if (l->links)
            add_links(limit, l->links);
        if (l->row->sort <= LIMIT_PLACES) {
            if (l->used >= 0)
                cJSON_AddNumberToObject(limit, "used", l->used);
            if (l->full >= 0)
                cJSON_AddNumberToObject(limit, "full", l->full);
            cJSON_AddNumberToObject(limit, "waiting", l->queue);
            cJSON_AddNumberToObject(limit, "load", verdict_load(l));
        }
        cJSON_AddItemToArray(limits, limit);
    }
}

static void add_predictions(cJSON *to, const struct verdict *v)
{
    const struct prediction *list = v->predictions;
    unsigned count = v->prediction_count;
    cJSON *predictions = cJSON_AddArrayToObject(to, "predictions");
    for (unsigned i = 0; i < count; i++) {
        char name[200];
        cJSON *prediction = cJSON_CreateObject();
        verdict_name_change(v, &list[i].change, name, sizeof name);
        cJSON_AddStringToObject(prediction, "change", name);
        cJSON_AddNumberToObject(prediction, "speedup", list[i].speedup);
        cJSON_AddItemToArray(predictions, prediction);
    }
}

static void add_roofline(cJSON *to, const struct verdict *v)
{
    cJSON *roofline = cJSON_AddObjectToObject(to, "roofline");
    cJSON_AddNumberToObject(roofline, "memory", v->memory);
    cJSON *works = cJSON_AddArrayToObject(roofline, "works");
    for (unsigned i = 0; i < v->roof_count; i++) {
        const struct roof *r = &v->roofs[i];
        if (r->bytes <= 0)
            continue;
        cJSON *work = cJSON_CreateObject();
        cJSON_AddStringToObject(work, "work", r->work);
        cJSON_AddNumberToObject(work, "done", r->done);
        cJSON_AddNumberToObject(work, "per_byte", r->bytes);
        cJSON_AddNumberToObject(work, "peak", r->peak);
        cJSON_AddNumberToObject(work, "roof", r->roof);
        cJSON_AddItemToArray(works, work);
    }
}

void verdict_add(cJSON *to, const struct verdict *v)
{
    struct verdict_lines lines;
    verdict_make_lines(&lines, v);
    cJSON *verdict = cJSON_AddObjectToObject(to, "verdict");
    cJSON *text = cJSON_AddArrayToObject(verdict, "text");
    for (unsigned i = 0; i < lines.count; i++)
        cJSON_AddItemToArray(text, cJSON_CreateString(lines.text[i]));
    cJSON_AddNumberToObject(verdict, "busy", v->busy / v->all);
    add_parts(verdict, v);
    add_limits(verdict, v);
    if (v->legs)
        add_predictions(verdict, v);
    add_roofline(verdict, v);
}
