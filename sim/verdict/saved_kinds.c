/*
 * Makes a chip's kinds of units anew from what stats.json says of them, as far
 * as verdicts look at them. A counter's place in its struct is its number here,
 * in words of 64 bits.
 */
#include "sim/core/core_kind.h"
#include "sim/verdict/saved_private.h"
#include "sim/verdict/saved_read.h"
#include "sim/verdict/trip_ways.h"
#include <string.h>

/* What cores are recognized by. */
static const struct core_kind some_core;

static enum stat_role role_of(const char *text)
{
    enum stat_role role = text ? STAT_FULL : STAT_COUNTS;
    while (role != STAT_COUNTS && strcmp(stat_role_name(role), text) != 0)
        role--;
    return role;
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

bool saved_read_kinds(struct saved *s)
{
    s->kinds = make(s, cJSON_GetArraySize(s->schema), sizeof *s->kinds);
    for (const cJSON *k = s->schema->child; k; k = k->next)
        if (!read_kind(s, &s->kinds[s->kind_count++], k))
            return false;
    return true;
}
