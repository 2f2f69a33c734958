/* Writes down what verdicts need of a chip and of its kinds of units. */
#include "sim/verdict/saved.h"
#include "sim/verdict/saved_private.h"
#include "sim/verdict/trip_ways.h"
#include <inttypes.h>
#include <stdio.h>

const struct limit_field limit_fields[] = {
#define F(sort, member, meaning)                                               \
    {#member, FIELD_##sort, offsetof(struct limit_row, member)},
#include "sim/verdict/limit_fields.def"
#undef F
    {NULL}};
/* A member that the list lacks would be lost, and verdicts on what was saved be
 * others. */
_Static_assert(sizeof(struct limit_row) == 544, "sim/verdict/limit_fields.def");

const char *const limit_sorts[] = {
    [LIMIT_RATE] = "rate",       [LIMIT_PLACES] = "places",
    [LIMIT_LATENCY] = "latency", [LIMIT_SIZE] = "size",
    [LIMIT_PROGRAM] = "program", NULL};

/* ---- limits of kinds ---- */

static const char *term_name(const struct unit_kind *kind, uint32_t counter)
{
    return kind_value_row(kind, kind_value_of(kind, counter))->name;
}

static void add_text(cJSON *to, const char *name, const char *text)
{
    if (text)
        cJSON_AddStringToObject(to, name, text);
}

static void add_terms(cJSON *to, const char *name, const struct unit_kind *kind,
                      const uint32_t *terms)
{
    cJSON *list = terms[0] ? cJSON_AddArrayToObject(to, name) : NULL;
    for (unsigned i = 0; i < FIGURE_TERMS && terms[i]; i++)
        cJSON_AddItemToArray(list,
                             cJSON_CreateString(term_name(kind, terms[i])));
}

static void add_legs(cJSON *to, const char *name, uint64_t legs)
{
    cJSON *list = legs ? cJSON_AddArrayToObject(to, name) : NULL;
    for (unsigned leg = 0; leg < LEGS; leg++)
        if (legs >> leg & 1)
            cJSON_AddItemToArray(list, cJSON_CreateString(ways_leg(leg)));
}

static void add_pair(cJSON *to, const char *name, const char *const *texts)
{
    cJSON *list = texts[0] ? cJSON_AddArrayToObject(to, name) : NULL;
    for (unsigned i = 0; i < 2 && texts[i]; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(texts[i]));
}

/* What is 0, or nothing, is left out. */
static void add_field(cJSON *to, const struct unit_kind *kind,
                      const struct limit_field *f, const struct limit_row *row)
{
    const void *at = (const char *)row + f->at;
    unsigned port;
    switch (f->sort) {
    case FIELD_TEXT:
        add_text(to, f->name, *(const char *const *)at);
        break;
    case FIELD_SORT:
        add_text(to, f->name, limit_sorts[*(const enum limit_sort *)at]);
        break;
    case FIELD_FLAG:
        if (*(const bool *)at)
            cJSON_AddTrueToObject(to, f->name);
        break;
    case FIELD_TERMS:
        add_terms(to, f->name, kind, at);
        break;
    case FIELD_TERM:
        if (*(const uint32_t *)at)
            add_text(to, f->name, term_name(kind, *(const uint32_t *)at));
        break;
    case FIELD_PORT:
        if ((port = *(const unsigned *)at))
            add_text(to, f->name, kind->port_rows[port - 1].name);
        break;
    case FIELD_LEGS:
        add_legs(to, f->name, *(const uint64_t *)at);
        break;
    case FIELD_NUMBER:
        if (*(const uint32_t *)at)
            cJSON_AddNumberToObject(to, f->name, *(const uint32_t *)at);
        break;
    case FIELD_PAIR:
        add_pair(to, f->name, at);
        break;
    }
}

static void add_ports(cJSON *to, const struct unit_kind *kind)
{
    cJSON *list = cJSON_AddArrayToObject(to, "ports");
    for (unsigned i = 0; i < kind->port_count; i++) {
        cJSON *port = cJSON_CreateObject();
        add_text(port, "name", kind->port_rows[i].name);
        cJSON_AddBoolToObject(port, "output", kind->port_rows[i].output);
        cJSON_AddItemToArray(list, port);
    }
}

/* Where counters of trips lie side by side, the first is named. */
static void add_requests(cJSON *to, const struct unit_kind *kind)
{
    cJSON *list = cJSON_AddArrayToObject(to, "requests");
    for (unsigned i = 0; i < kind->trip_count; i++) {
        const struct trip_row *row = &kind->trip_rows[i];
        cJSON *request = cJSON_CreateObject();
        add_text(request, "name", row->name);
        add_text(request, "meaning", row->meaning);
        if (row->waits)
            add_text(request, "waits", term_name(kind, row->waits));
        if (!i)
            add_text(request, "first",
                     term_name(kind, 1 + (uint32_t)kind->trips));
        cJSON_AddItemToArray(list, request);
    }
}

void saved_kind(cJSON *to, const struct unit_kind *kind)
{
    cJSON_AddBoolToObject(to, "core", kind->core != NULL);
    add_ports(to, kind);
    add_requests(to, kind);
    cJSON *list = cJSON_AddArrayToObject(to, "limits");
    for (unsigned i = 0; i < kind->limit_count; i++) {
        cJSON *limit = cJSON_CreateObject();
        for (const struct limit_field *f = limit_fields; f->name; f++)
            add_field(limit, kind, f, &kind->limit_rows[i]);
        cJSON_AddItemToArray(list, limit);
    }
}

/* ---- groups of a chip ---- */

static void add_i64(cJSON *to, const char *name, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    cJSON_AddRawToObject(to, name, text);
}

static void add_way(cJSON *to, const struct measured *m, const struct way *way)
{
    cJSON *caches = cJSON_AddArrayToObject(to, "caches");
    for (unsigned i = 1; i <= TRIP_THIRD && way->cache[i] != NOWHERE; i++)
        cJSON_AddItemToArray(caches,
                             cJSON_CreateString(m->groups[way->cache[i]].name));
    if (way->end != NOWHERE)
        add_text(to, "end", m->groups[way->end].name);
}

static void add_group(cJSON *to, const struct measured *m, unsigned group)
{
    const struct group_unit *u = &m->units[group];
    const struct unit_kind *kind = m->groups[group].kind;
    cJSON_AddBoolToObject(to, "of_cores", u->of_cores);
    cJSON_AddBoolToObject(to, "ends", u->ends);
    add_text(to, "onward", u->onward);
    cJSON_AddNumberToObject(to, "onwards", u->onwards);
    add_way(to, m, &u->way);
    add_text(to, "widened", u->widened);
    cJSON *links = cJSON_AddObjectToObject(to, "links");
    for (unsigned i = 0; i < kind->port_count; i++)
        cJSON_AddNumberToObject(links, kind->port_rows[i].name, u->links[i]);
    cJSON *leads = cJSON_AddArrayToObject(to, "leads_to");
    for (unsigned i = 0; i < u->leads; i++)
        cJSON_AddItemToArray(
            leads, cJSON_CreateString(m->groups[u->leads_to[i]].name));
    cJSON *parameters = cJSON_AddObjectToObject(to, "parameters");
    for (unsigned i = 0; i < u->param_count; i++) {
        const struct group_param *p = &u->params[i];
        cJSON *one = cJSON_AddObjectToObject(parameters, p->name);
        add_i64(one, "value", p->value);
        add_i64(one, "least", p->least);
        add_i64(one, "greatest", p->greatest);
    }
}

void saved_chip(cJSON *to, const struct measured *m)
{
    cJSON *chip = cJSON_AddObjectToObject(to, "chip");
    for (unsigned i = 0; i < m->group_count; i++)
        add_group(cJSON_AddObjectToObject(chip, m->groups[i].name), m, i);
}
