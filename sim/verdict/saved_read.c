/*
 * Makes a chip's kinds of units anew from what stats.json says of them, as far
 * as verdicts look at them. A counter's place in its struct is its number here,
 * in words of 64 bits. Names are looked up, so that a file in which one is
 * missing is refused.
 */
#include "sim/core/core_kind.h"
#include "sim/core/heap.h"
#include "sim/verdict/saved.h"
#include "sim/verdict/saved_private.h"
#include "sim/verdict/trip_ways.h"
#include <stdlib.h>
#include <string.h>

/* What cores are recognized by. */
static const struct core_kind some_core;

struct saved {
    struct measured is;
    struct group *groups;
    struct group_unit *units;
    struct unit_kind *kinds;
    struct link_class *links;
    const cJSON *schema;
    void **owned;
    unsigned kind_count, owned_count;
    const char *file;
    struct error *error;
};

static void *own(struct saved *s, void *memory)
{
    s->owned = heap_resize(s->owned, s->owned_count + 1u, sizeof *s->owned,
                           "what was saved");
    return s->owned[s->owned_count++] = memory;
}

/* At least one, all 0. */
static void *make(struct saved *s, int count, size_t size)
{
    return own(s, heap_new((size_t)count + 1, size, "what was saved"));
}

static const cJSON *member(const cJSON *json, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(json, name);
}

static const cJSON *first_of(const cJSON *json, const char *name)
{
    const cJSON *list = member(json, name);
    return list ? list->child : NULL;
}

static const char *text_of(const cJSON *json, const char *name)
{
    return cJSON_GetStringValue(member(json, name));
}

static bool is_true(const cJSON *json, const char *name)
{
    return cJSON_IsTrue(member(json, name));
}

/* A number of things, or as many as a chip can have. */
static unsigned limited(const cJSON *number)
{
    double n = number ? number->valuedouble : 0;
    return n < INT32_MAX ? (unsigned)n : INT32_MAX;
}

static unsigned count_of(const cJSON *json, const char *name)
{
    return limited(member(json, name));
}

static bool lacks(struct saved *s, const char *where, const char *what)
{
    return error_set(s->error, "%s: %.60s: there is no '%.60s'", s->file, where,
                     what);
}

/* ---- kinds of units ---- */

static enum stat_role role_of(const char *text)
{
    static const char *const roles[] = {[STAT_BUSY] = "busy",
                                        [STAT_IDLE] = "idle",
                                        [STAT_WAITS] = "waits",
                                        [STAT_FULL] = "full"};
    enum stat_role role = STAT_FULL;
    while (role != STAT_COUNTS && text && strcmp(roles[role], text) != 0)
        role--;
    return text ? role : STAT_COUNTS;
}

static void add_row(struct stat_row *rows, unsigned *count, const cJSON *row,
                    size_t *at)
{
    rows[(*count)++] = (struct stat_row){.name = row->string,
                                         .offset = *at * sizeof(uint64_t),
                                         .role = role_of(text_of(row, "role")),
                                         .target = text_of(row, "target"),
                                         .stream = is_true(row, "stream")};
    ++*at;
}

/* Edges rise, and there are two at least. */
static void add_histogram(struct saved *s, struct stat_row *rows,
                          unsigned *count, const cJSON *row, size_t *at)
{
    const cJSON *list = member(row, "edges");
    int edge_count = cJSON_GetArraySize(list);
    int64_t *edges = make(s, edge_count, sizeof *edges), *next = edges;
    for (const cJSON *e = list->child; e; e = e->next)
        *next++ = (int64_t)e->valuedouble;
    unsigned ranges = edge_count > 1 ? (unsigned)edge_count - 1 : 1;
    rows[(*count)++] = (struct stat_row){.name = row->string,
                                         .offset = *at * sizeof(uint64_t),
                                         .edges = edges,
                                         .ranges = ranges};
    *at += ranges;
}

static void read_stats(struct saved *s, struct unit_kind *k, const cJSON *kind)
{
    size_t at = 0;
    unsigned count = 0;
    struct stat_row *rows =
        make(s,
             cJSON_GetArraySize(member(kind, "counters")) +
                 cJSON_GetArraySize(member(kind, "histograms")),
             sizeof *rows);
    for (const cJSON *r = first_of(kind, "counters"); r; r = r->next)
        add_row(rows, &count, r, &at);
    for (const cJSON *r = first_of(kind, "histograms"); r; r = r->next)
        add_histogram(s, rows, &count, r, &at);
    k->stat_rows = rows;
    k->stat_count = count;
    count = 0;
    rows = make(s, cJSON_GetArraySize(member(kind, "buckets")), sizeof *rows);
    for (const cJSON *r = first_of(kind, "buckets"); r; r = r->next)
        add_row(rows, &count, r, &at);
    k->bucket_rows = rows;
    k->bucket_count = count;
}

/* A counter or bucket by its name, as COUNTER() has it; 0: there is none. */
static uint32_t counter_named(const struct unit_kind *k, const char *name)
{
    for (unsigned i = 0; i < k->stat_count; i++)
        if (!strcmp(k->stat_rows[i].name, name))
            return 1 + (uint32_t)k->stat_rows[i].offset;
    for (unsigned i = 0; i < k->bucket_count; i++)
        if (!strcmp(k->bucket_rows[i].name, name))
            return 1 + (uint32_t)k->bucket_rows[i].offset;
    return 0;
}

static bool read_terms(struct saved *s, const struct unit_kind *k,
                       const cJSON *list, uint32_t *terms)
{
    unsigned count = 0;
    for (const cJSON *t = list ? list->child : NULL; t; t = t->next) {
        uint32_t counter = counter_named(k, t->valuestring);
        if (!counter || count == FIGURE_TERMS)
            return lacks(s, k->name, t->valuestring);
        terms[count++] = counter;
    }
    return true;
}

static bool read_figures(struct saved *s, struct unit_kind *k,
                         const cJSON *kind)
{
    const cJSON *list = member(kind, "figures");
    struct figure_row *rows = make(s, cJSON_GetArraySize(list), sizeof *rows);
    k->figure_rows = rows;
    for (const cJSON *f = list->child; f; f = f->next) {
        struct figure_row *row = &rows[k->figure_count++];
        row->name = f->string;
        if (!read_terms(s, k, member(f, "over"), row->over) ||
            !read_terms(s, k, member(f, "under"), row->under))
            return false;
    }
    return true;
}

static void read_ports(struct saved *s, struct unit_kind *k, const cJSON *kind)
{
    struct port_row *rows =
        make(s, cJSON_GetArraySize(member(kind, "ports")), sizeof *rows);
    k->port_rows = rows;
    for (const cJSON *p = first_of(kind, "ports"); p; p = p->next)
        rows[k->port_count++] = (struct port_row){
            .name = text_of(p, "name"), .output = is_true(p, "output")};
}

/* Their counters lie side by side, from the one that is named. */
static bool read_requests(struct saved *s, struct unit_kind *k,
                          const cJSON *kind)
{
    const cJSON *list = member(kind, "requests");
    struct trip_row *rows = make(s, cJSON_GetArraySize(list), sizeof *rows);
    for (const cJSON *r = list->child; r; r = r->next) {
        const char *waits = text_of(r, "waits");
        struct trip_row *row = &rows[k->trip_count++];
        *row = (struct trip_row){.name = text_of(r, "name"),
                                 .meaning = text_of(r, "meaning"),
                                 .waits = waits ? counter_named(k, waits) : 0};
        if (waits && !row->waits)
            return lacks(s, k->name, waits);
    }
    k->trip_rows = rows;
    if (!k->trip_count)
        return true;
    const char *first = text_of(list->child, "first");
    uint32_t counter = first ? counter_named(k, first) : 0;
    unsigned at = kind_value_of(k, counter),
             needed = k->trip_count * SERVED * (LEGS + 2);
    if (!counter || at + needed > kind_value_count(k))
        return lacks(s, k->name, first ? first : "first");
    k->trips = counter - 1;
    return true;
}

static bool read_legs(struct saved *s, const cJSON *list, uint64_t *legs)
{
    for (const cJSON *l = list->child; l; l = l->next) {
        unsigned leg = 0;
        while (leg < LEGS && strcmp(ways_leg(leg), l->valuestring) != 0)
            leg++;
        if (leg == LEGS)
            return lacks(s, "legs", l->valuestring);
        *legs |= UINT64_C(1) << leg;
    }
    return true;
}

static bool read_port(struct saved *s, const struct unit_kind *k,
                      const char *name, unsigned *port)
{
    while (*port < k->port_count && strcmp(k->port_rows[*port].name, name) != 0)
        ++*port;
    return ++*port <= k->port_count || lacks(s, k->name, name);
}

static bool read_field(struct saved *s, const struct unit_kind *k,
                       const struct limit_field *f, const cJSON *json,
                       struct limit_row *row)
{
    void *at = (char *)row + f->at;
    unsigned count = 0;
    switch (f->sort) {
    case FIELD_TEXT:
        *(const char **)at = json->valuestring;
        break;
    case FIELD_SORT:
        while (limit_sorts[count] &&
               strcmp(limit_sorts[count], json->valuestring) != 0)
            count++;
        *(enum limit_sort *)at = limit_sorts[count] ? count : LIMIT_RATE;
        break;
    case FIELD_FLAG:
        *(bool *)at = cJSON_IsTrue(json);
        break;
    case FIELD_TERMS:
        return read_terms(s, k, json, at);
    case FIELD_TERM:
        *(uint32_t *)at = counter_named(k, json->valuestring);
        return *(uint32_t *)at || lacks(s, k->name, json->valuestring);
    case FIELD_PORT:
        return read_port(s, k, json->valuestring, at);
    case FIELD_LEGS:
        return read_legs(s, json, at);
    case FIELD_NUMBER:
        *(uint32_t *)at = limited(json);
        break;
    case FIELD_PAIR:
        for (const cJSON *t = json->child; t && count < 2; t = t->next)
            ((const char **)at)[count++] = t->valuestring;
        break;
    }
    return true;
}

static bool read_limits(struct saved *s, struct unit_kind *k, const cJSON *kind)
{
    const cJSON *list = member(kind, "limits");
    struct limit_row *rows = make(s, cJSON_GetArraySize(list), sizeof *rows);
    k->limit_rows = rows;
    for (const cJSON *l = list->child; l; l = l->next) {
        struct limit_row *row = &rows[k->limit_count++];
        for (const struct limit_field *f = limit_fields; f->name; f++) {
            const cJSON *json = member(l, f->name);
            if (json && !read_field(s, k, f, json, row))
                return false;
        }
        if (row->insides > kind_value_count(k) ||
            (row->insides && kind_value_of(k, row->inside) + row->insides >
                                 kind_value_count(k)))
            return lacks(s, k->name, "inside");
    }
    return true;
}

static bool read_kind(struct saved *s, struct unit_kind *k, const cJSON *kind)
{
    if (!member(kind, "limits") || !member(kind, "requests"))
        return error_set(s->error,
                         "%s: no 'limits' of '%.60s': an older sim-run did not "
                         "write what verdicts are made of; run it again",
                         s->file, kind->string);
    k->name = kind->string;
    k->core = is_true(kind, "core") ? &some_core : NULL;
    read_stats(s, k, kind);
    read_ports(s, k, kind);
    return read_figures(s, k, kind) && read_requests(s, k, kind) &&
           read_limits(s, k, kind);
}

static bool read_kinds(struct saved *s)
{
    s->kinds = make(s, cJSON_GetArraySize(s->schema), sizeof *s->kinds);
    for (const cJSON *k = s->schema->child; k; k = k->next)
        if (!read_kind(s, &s->kinds[s->kind_count++], k))
            return false;
    return true;
}

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
    if (read_kinds(s)) {
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

bool saved_verdict(const struct saved *s, const cJSON *section, uint64_t cycles,
                   struct verdict *v)
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
    bool good = verdict_gather(v, &is, values, cycles);
    free(values);
    return good;
}
