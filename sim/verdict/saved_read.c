/*
 * Reads what was saved of a chip's groups, and the values that they have
 * counted. Names are looked up, so that a file in which one is missing is
 * refused.
 */
#include "sim/verdict/saved_read.h"
#include <stdlib.h>
#include <string.h>

/* ---- groups ---- */

/* The file's shape is that each group's kind is there. */
static const struct unit_kind *kind_named(const struct saved *s,
                                          const char *name)
{
    unsigned i = 0;
    while (i + 1 < s->kind_count && strcmp(s->kinds[i].name, name) != 0)
        i++;
    return &s->kinds[i];
}

static void read_groups(struct saved *s, const cJSON *stats)
{
    const cJSON *list = member(stats, "groups");
    s->groups = make(s, cJSON_GetArraySize(list), sizeof *s->groups);
    for (const cJSON *g = list->child; g; g = g->next) {
        const struct unit_kind *kind = kind_named(s, text_of(g, "kind"));
        s->groups[s->is.group_count++] = (struct group){
            .name = g->string,
            .kind = kind,
            .units = count_of(g, "units"),
            .accounts = (uint64_t)member(g, "accounts")->valuedouble,
            .first = s->is.value_count};
        s->is.value_count += kind_value_count(kind);
    }
    s->is.groups = s->groups;
}

/* NOWHERE: there is none of that name. */
static unsigned group_named(const struct saved *s, const char *name)
{
    for (unsigned i = 0; i < s->is.group_count; i++)
        if (!strcmp(s->groups[i].name, name))
            return i;
    return NOWHERE;
}

static bool read_way(struct saved *s, const cJSON *group, struct way *way)
{
    unsigned level = 0;
    const char *end = text_of(group, "end");
    way->end = end ? group_named(s, end) : NOWHERE;
    for (unsigned i = 0; i <= TRIP_THIRD; i++)
        way->cache[i] = NOWHERE;
    for (const cJSON *c = first_of(group, "caches"); c; c = c->next) {
        unsigned at = group_named(s, c->valuestring);
        if (at == NOWHERE || level == TRIP_THIRD)
            return lacks(s, group->string, c->valuestring);
        way->cache[++level] = at;
    }
    return true;
}

static bool read_leads(struct saved *s, const cJSON *group,
                       struct group_unit *u)
{
    const cJSON *list = member(group, "leads_to");
    unsigned *leads = make(s, cJSON_GetArraySize(list), sizeof *leads);
    for (const cJSON *l = list->child; l; l = l->next) {
        leads[u->leads] = group_named(s, l->valuestring);
        if (leads[u->leads++] == NOWHERE)
            return lacks(s, group->string, l->valuestring);
    }
    u->leads_to = leads;
    return true;
}

/* The greatest that there is may be no double. */
static int64_t whole(const cJSON *json, const char *name)
{
    double n = member(json, name)->valuedouble;
    return n >= 9.2e18 ? INT64_MAX : n <= -9.2e18 ? INT64_MIN : (int64_t)n;
}

static void read_params(struct saved *s, const cJSON *group,
                        struct group_unit *u)
{
    const cJSON *list = member(group, "parameters");
    struct group_param *params =
        make(s, cJSON_GetArraySize(list), sizeof *params);
    for (const cJSON *p = list->child; p; p = p->next)
        params[u->param_count++] =
            (struct group_param){.name = p->string,
                                 .value = whole(p, "value"),
                                 .least = whole(p, "least"),
                                 .greatest = whole(p, "greatest")};
    u->params = params;
}

static bool read_unit(struct saved *s, const cJSON *group, unsigned number)
{
    struct group_unit *u = &s->units[number];
    const struct unit_kind *kind = s->groups[number].kind;
    unsigned *links = make(s, (int)kind->port_count, sizeof *links);
    for (unsigned i = 0; i < kind->port_count; i++)
        links[i] = count_of(member(group, "links"), kind->port_rows[i].name);
    *u = (struct group_unit){.of_cores = is_true(group, "of_cores"),
                             .ends = is_true(group, "ends"),
                             .onward = text_of(group, "onward"),
                             .onwards = count_of(group, "onwards"),
                             .widened = text_of(group, "widened"),
                             .links = links};
    if (u->onwards && !u->onward)
        return lacks(s, group->string, "onward");
    read_params(s, group, u);
    return read_way(s, group, &u->way) && read_leads(s, group, u);
}

static bool read_chip(struct saved *s, const cJSON *stats)
{
    const cJSON *chip = member(stats, "chip");
    s->units = make(s, (int)s->is.group_count, sizeof *s->units);
    s->is.units = s->units;
    for (unsigned i = 0; i < s->is.group_count; i++) {
        const cJSON *group = member(chip, s->groups[i].name);
        if (!group)
            return lacks(s, "chip", s->groups[i].name);
        if (!read_unit(s, group, i))
            return false;
    }
    return true;
}

/* ---- links ---- */

/* "l1.mem": a group and its port, which has no dot. */
static bool read_end(struct saved *s, const cJSON *link, const char *which,
                     const char **group, const char **port)
{
    char *name = own(s, heap_text(text_of(link, which)));
    char *dot = strrchr(name, '.');
    if (!dot)
        return lacks(s, name, "port");
    *dot = '\0';
    *group = name;
    *port = dot + 1;
    return group_named(s, name) != NOWHERE || lacks(s, which, name);
}

static bool read_links(struct saved *s, const cJSON *stats)
{
    const cJSON *list = member(stats, "wiring");
    s->links = make(s, cJSON_GetArraySize(list), sizeof *s->links);
    s->is.links = s->links;
    for (const cJSON *l = list ? list->child : NULL; l; l = l->next) {
        struct link_class *c = &s->links[s->is.link_count++];
        if (!member(l, "room") || !member(l, "latency"))
            return lacks(s, "wiring", "room or latency");
        c->links = count_of(l, "links");
        c->room = count_of(l, "room");
        c->latency = count_of(l, "latency");
        if (!read_end(s, l, "from", &c->from, &c->output) ||
            !read_end(s, l, "to", &c->to, &c->input))
            return false;
    }
    return true;
}

/* ---- all ---- */

struct saved *saved_new(const cJSON *stats, const char *file,
                        struct error *error)
{
    struct saved *s = heap_new(1, sizeof *s, "what was saved");
    *s = (struct saved){
        .schema = member(stats, "schema"), .file = file, .error = error};
    if (saved_read_kinds(s)) {
        read_groups(s, stats);
        if (read_chip(s, stats) && read_links(s, stats))
            return s;
    }
    saved_free(s);
    return NULL;
}

void saved_free(struct saved *s)
{
    for (unsigned i = 0; s && i < s->owned_count; i++)
        free(s->owned[i]);
    if (s)
        free(s->owned);
    free(s);
}

/* ---- values ---- */

static uint64_t number_in(const cJSON *json, const char *name)
{
    const cJSON *number = member(json, name);
    return number ? (uint64_t)number->valuedouble : 0;
}

/* Only ranges from the first to the last that counted anything are there. */
static uint64_t range_in(const cJSON *histograms, const struct kind_values *v)
{
    const cJSON *h = member(histograms, v->row->name);
    const cJSON *edge = first_of(h, "edges"), *count = first_of(h, "counts");
    while (edge && count &&
           edge->valuedouble != (double)v->row->edges[v->range]) {
        edge = edge->next;
        count = count->next;
    }
    return count ? (uint64_t)count->valuedouble : 0;
}

static void take_group(const struct group *g, const cJSON *json,
                       uint64_t *values)
{
    struct kind_values v = KIND_VALUES(g->kind);
    while (kind_values_next(&v))
        values[g->first + v.at] =
            v.row->edges
                ? range_in(member(json, "histograms"), &v)
                : number_in(member(json, v.bucket ? "buckets" : "counters"),
                            v.row->name);
}

static void take_links(const cJSON *list, unsigned count, uint64_t *values)
{
    const cJSON *l = list->child;
    for (unsigned i = 0; i < count && l; i++, l = l->next) {
        uint64_t *sums = values + LINK_SUM_COUNT * (size_t)i;
#define TAKE(name) sums[LINK_##name] = number_in(l, #name);
        LINK_SUMS(TAKE)
#undef TAKE
    }
}

struct verdict *saved_verdict(const struct saved *s, const cJSON *section,
                              uint64_t cycles)
{
    struct measured is = s->is;
    const cJSON *links = member(section, "link_groups");
    uint64_t *values =
        heap_new(is.value_count + LINK_SUM_COUNT * (size_t)is.link_count + 1,
                 sizeof *values, "what was saved");
    for (unsigned i = 0; i < is.group_count; i++)
        take_group(&is.groups[i],
                   member(member(section, "groups"), is.groups[i].name),
                   values);
    is.watched = links != NULL;
    if (links)
        take_links(links, is.link_count, values + is.value_count);
    struct verdict *v = verdict_gather(&is, values, cycles);
    free(values);
    return v;
}
