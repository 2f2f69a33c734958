/*
 * Sums what links count by group: a crossbar is thousands of links, and its
 * load over time is that of one group.
 */
#include "sim/host/observe/link_totals.h"
#include "sim/core/heap.h"
#include "sim/core/link_stats.h"
#include "sim/core/trip.h"
#include "sim/core/unit.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/growing_table.h"
#include "sim/host/results/json_text.h"
#include "sim/host/results/outdir.h"
#include <stdlib.h>
#include <string.h>

static const char *const sum_names[] = {
#define NAME(name) #name,
    LINK_SUMS(NAME)
#undef NAME
};

struct link_group {
    struct link_class is;
    uint64_t last[LINK_SUM_COUNT]; /* at the border */
};

struct links {
    unsigned count, group_count;
    unsigned *group_of; /* by link */
    struct link_group *groups;
    bool watched;
    struct rows rows;
};

/* ---- groups ---- */

/* Links between the same ports of units of the same groups are one class. */
static bool same(const struct link_class *a, const struct link_class *b)
{
    return a->output == b->output && a->input == b->input &&
           !strcmp(a->from, b->from) && !strcmp(a->to, b->to);
}

/* Mostly the last one, as links are made in loops. */
static unsigned find_group(struct links *l, const struct link_report *r)
{
    const struct link_class is = {.from = unit_group(r->from),
                                  .output = r->output,
                                  .to = unit_group(r->to),
                                  .input = r->input};
    for (unsigned i = l->group_count; i--;)
        if (same(&l->groups[i].is, &is))
            return i;
    l->groups[l->group_count].is = is;
    return l->group_count++;
}

struct links *links_new(const struct chip *chip, bool watched)
{
    struct links *l = heap_new(1, sizeof *l, "groups of links");
    l->watched = watched;
    l->count = chip_link_count(chip);
    l->group_of =
        heap_new(l->count + 1u, sizeof *l->group_of, "groups of links");
    l->groups = heap_new(l->count + 1u, sizeof *l->groups, "groups of links");
    for (unsigned i = 0; i < l->count; i++) {
        struct link_report r = chip_link_report(chip, i, 0);
        l->group_of[i] = find_group(l, &r);
        struct link_class *is = &l->groups[l->group_of[i]].is;
        is->links++;
        is->room += r.room;
        is->latency = r.latency > is->latency ? r.latency : is->latency;
    }
    return l;
}

void links_free(struct links *l)
{
    if (!l)
        return;
    rows_drop(&l->rows);
    free(l->group_of);
    free(l->groups);
    free(l);
}

unsigned links_classes(const struct links *l)
{
    return l->group_count;
}

const struct link_class *links_class(const struct links *l, unsigned number)
{
    return &l->groups[number].is;
}

bool links_watched(const struct links *l)
{
    return l->watched;
}

void links_take(const struct links *l, const struct chip *chip, uint64_t now,
                uint64_t *values)
{
    memset(values, 0, LINK_SUM_COUNT * (size_t)l->group_count * sizeof *values);
    for (unsigned i = 0; i < l->count; i++) {
        struct link_report r = chip_link_report(chip, i, now);
        uint64_t *sums = values + LINK_SUM_COUNT * (size_t)l->group_of[i];
#define ADD(name) sums[LINK_##name] += r.name;
        LINK_SUMS(ADD)
#undef ADD
    }
}

/* A group's sums, as totals were last taken. */
static const uint64_t *sums_of(const struct host *host, unsigned group)
{
    const struct totals *t = host->tables.totals;
    return t->now + t->value_count + LINK_SUM_COUNT * (size_t)group;
}

/* ---- links.csv ---- */

/* Rows are for intervals. */
static bool links_open(struct host *host, struct error *error)
{
    struct links *l = host->tables.links;
    return !l || !l->watched || !host->options->interval ||
           rows_open(&l->rows, host->options->outdir, LINKS,
                     "cycle,from,to,stat,value", error);
}

static bool links_show(struct host *host, struct error *error)
{
    struct links *l = host->tables.links;
    return !l || rows_show(&l->rows, host->options->outdir, LINKS, error);
}

/* Totals have been taken by the intervals. */
static void add_rows(struct host *host, struct links *l)
{
    for (unsigned i = 0; i < l->group_count; i++) {
        struct link_group *g = &l->groups[i];
        const uint64_t *sums = sums_of(host, i);
        for (unsigned s = 0; s < LINK_SUM_COUNT; s++)
            if (sums[s] != g->last[s])
                fprintf(l->rows.text,
                        "%" PRIu64 ",%s.%s,%s.%s,%s,%" PRIu64 "\n", host->now,
                        g->is.from, g->is.output, g->is.to, g->is.input,
                        sum_names[s], sums[s] - g->last[s]);
        memcpy(g->last, sums, sizeof g->last);
    }
    rows_write(&l->rows);
}

static void links_look(struct host *host, bool border)
{
    if (border && host->tables.links && host->tables.links->rows.text)
        add_rows(host, host->tables.links);
}

static void links_state(struct host *host, struct state *s)
{
    struct links *l = host->tables.links;
    for (unsigned i = 0; l && i < l->group_count; i++)
        STATE_VALUE(s, l->groups[i].last);
    if (l)
        rows_state(&l->rows, s, LINKS);
}

static bool links_write(struct host *host, const struct outcome *outcome,
                        struct error *error)
{
    struct links *l = host->tables.links;
    if (l && l->rows.text) /* what has come since the last border */
        add_rows(host, l);
    return !l || rows_finish(&l->rows, host->options->outdir, LINKS, error);
}

/* ---- stats.json ---- */

/* Ports with several links number them: "l1.mem.3". */
static void add_end(cJSON *link, const char *which, const struct unit *u,
                    const char *port, unsigned number)
{
    char name[256];
    snprintf(name, sizeof name, "%s.%s.%u", unit_name(u), port, number);
    cJSON_AddStringToObject(link, which, name);
}

/* Where messages wait for their receivers is known in builds with STALLS. */
static void add_sums(cJSON *to, const uint64_t *sums)
{
    for (unsigned s = 0; s < LINK_SUM_COUNT; s++)
        if (STALLS || s != LINK_waited)
            json_u64(to, sum_names[s], sums[s]);
}

static cJSON *link_json(const struct link_report *r)
{
    cJSON *link = cJSON_CreateObject();
    add_end(link, "from", r->from, r->output, r->from_number);
    add_end(link, "to", r->to, r->input, r->to_number);
    json_u64(link, "latency", r->latency);
    json_u64(link, "room", r->room);
#define SUM(name) r->name,
    add_sums(link, (uint64_t[]){LINK_SUMS(SUM)});
#undef SUM
    return link;
}

/* The port of a group: "l1.mem". */
static void add_port(cJSON *to, const char *which, const char *group,
                     const char *port)
{
    char name[256];
    snprintf(name, sizeof name, "%s.%s", group, port);
    cJSON_AddStringToObject(to, which, name);
}

static cJSON *group_json(const struct link_class *is)
{
    cJSON *group = cJSON_CreateObject();
    add_port(group, "from", is->from, is->output);
    add_port(group, "to", is->to, is->input);
    json_u64(group, "links", is->links);
    json_u64(group, "room", is->room);
    return group;
}

void links_add_sums(const struct links *l, const uint64_t *values, cJSON *to)
{
    cJSON *groups =
        l->watched ? cJSON_AddArrayToObject(to, "link_groups") : NULL;
    for (unsigned i = 0; groups && i < l->group_count; i++) {
        cJSON *group = group_json(&l->groups[i].is);
        add_sums(group, values + LINK_SUM_COUNT * (size_t)i);
        cJSON_AddItemToArray(groups, group);
    }
}

static void add_links(cJSON *stats, const struct host *host)
{
    const struct links *l = host->tables.links;
    cJSON *links = l->watched ? cJSON_AddArrayToObject(stats, "links") : NULL;
    for (unsigned i = 0; links && i < l->count; i++) {
        struct link_report r = chip_link_report(host->chip, i, host->now);
        cJSON_AddItemToArray(links, link_json(&r));
    }
}

/* Adds "wiring" to stats.json, and if they are watched "links" and
 * "link_groups". Totals have been taken. */
static void links_json(const struct host *host, cJSON *stats)
{
    struct links *l = host->tables.links;
    if (!l)
        return;
    cJSON *wiring = cJSON_AddArrayToObject(stats, "wiring");
    for (unsigned i = 0; i < l->group_count; i++) {
        cJSON *group = group_json(&l->groups[i].is);
        json_u64(group, "latency", l->groups[i].is.latency);
        cJSON_AddItemToArray(wiring, group);
    }
    add_links(stats, host);
    links_add_sums(l, sums_of(host, 0), stats);
}

static void watch_links(struct host *host)
{
    if (host->options->link_stats)
        chip_watch_links(host->chip);
}

static const struct option_row options[] = {
    {"link-stats", 0, NULL, "messages and room of each link, in stats.json",
     OPTION_OBSERVE, OPTION_OF_CYCLES, OPTION_FLAG,
     offsetof(struct options, link_stats), .more = "See Links in sim-run.md."},
    {NULL}};

static void identity(const struct options *o, FILE *to)
{
    fprintf(to, "--link-stats %d\n", o->link_stats);
}

const struct observer links_observer = {
    .options = options,
    .identity = identity,
    .name = "link-stats",
    .build = watch_links,
    .open = links_open,
    .begin = links_show,
    .look = links_look,
    .state = links_state,
    .json = links_json,
    .write = links_write,
};
