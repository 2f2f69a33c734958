/* Keeps intervals as the bins of sim-report's charts, and has its page's JSON
 * made of them. */
#include "sim/host/live/live_texts.h"
#include "sim/core/heap.h"
#include "sim/host/host.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/json_text.h"
#include "sim/host/results/manifest.h"
#include "sim/host/results/stats_json.h"
#include "sim/report/page.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct snapshots {
    struct run run;
    struct bins bins;
    uint64_t *last; /* values at the last border */
    int64_t *grown;
    uint64_t border;
    char *manifest;  /* of what it has read so far, NULL: not made yet */
    unsigned placed; /* files that are in it */
};

static const char what[] = "the statistics that are served";

/* Values are those of totals, with the names of stats.json. */
static void name_values(struct run *run, const struct totals *t)
{
    run->values = heap_new(t->value_count, sizeof *run->values, what);
    run->value_count = t->value_count;
    for (unsigned i = 0; i < t->group_count; i++) {
        const struct group *g = &t->groups[i];
        struct kind_values v = KIND_VALUES(g->kind);
        while (kind_values_next(&v))
            run->values[g->first + v.at] =
                (struct value){.group = g->name,
                               .name = v.row->name,
                               .range = v.row->edges != NULL};
    }
}

/* The places of a figure's terms among the values. */
static unsigned take_terms(const struct group *g, const uint32_t *counters,
                           unsigned *terms)
{
    unsigned count = 0;
    for (; count < FIGURE_TERMS && counters[count]; count++)
        terms[count] = g->first + kind_value_of(g->kind, counters[count]);
    return count;
}

/* Figures that are ratios, as kinds declare them. */
static void take_figures(struct run *run, const struct host *host)
{
    const struct totals *t = host->tables.totals;
    unsigned room = 0;
    for (unsigned i = 0; i < t->group_count; i++)
        room += t->groups[i].kind->figure_count;
    run->figures = heap_new(room, sizeof *run->figures, what);
    run->clock_mhz = (double)host->clock_mhz;
    for (unsigned i = 0; i < t->group_count; i++)
        for (unsigned f = 0; f < t->groups[i].kind->figure_count; f++) {
            const struct figure_row *row = &t->groups[i].kind->figure_rows[f];
            struct figure *to = &run->figures[run->figure_count];
            if (row->histogram)
                continue;
            *to =
                (struct figure){.group = t->groups[i].name, .name = row->name};
            to->over_count = take_terms(&t->groups[i], row->over, to->over);
            to->under_count = take_terms(&t->groups[i], row->under, to->under);
            run->figure_count++;
        }
}

struct snapshots *snapshots_new(const struct host *host)
{
    const char *outdir = host->options->outdir;
    struct snapshots *s = heap_new(1, sizeof *s, what);
    s->run.path = heap_text(outdir ? outdir : host->options->program[0]);
    name_values(&s->run, host->tables.totals);
    take_figures(&s->run, host);
    bins_begin(&s->bins, &s->run, 0, UINT64_MAX);
    s->last = heap_new(s->run.value_count, sizeof *s->last, what);
    s->grown = heap_new(s->run.value_count, sizeof *s->grown, what);
    return s;
}

void snapshots_free(struct snapshots *s)
{
    if (!s)
        return;
    bins_free(&s->bins);
    free(s->run.values);
    free(s->run.figures);
    free(s->run.path);
    free(s->manifest);
    free(s->last);
    free(s->grown);
    free(s);
}

/* An interval becomes a part of the bins, and is forgotten. */
void snapshots_add(struct snapshots *s, struct host *host)
{
    struct totals *t = host->tables.totals;
    if (host->now == s->border)
        return;
    totals_take(t, host->chip, host->now);
    for (unsigned v = 0; v < t->value_count; v++)
        s->grown[v] = (int64_t)(t->now[v] - s->last[v]);
    memcpy(s->last, t->now, t->value_count * sizeof *t->now);
    bins_add(&s->bins, s->border, host->now, s->grown);
    s->border = host->now;
}

/* What is run. Its files are hashed, so it is made anew only when there are
 * more of them. */
static char *manifest_text(struct snapshots *s, const struct host *host)
{
    if (s->manifest && s->placed == host->placed.count)
        return s->manifest;
    cJSON *manifest = manifest_begun(host);
    free(s->manifest);
    s->manifest = json_text(manifest);
    s->placed = host->placed.count;
    cJSON_Delete(manifest);
    return s->manifest;
}

/* Texts that the server owns from then on: it never looks into the run. */
struct snapshot snapshots_take(struct snapshots *s, struct host *host)
{
    struct snapshot taken;
    struct run run = s->run;
    size_t size;
    cJSON *stats = stats_json(host);
    taken.stats = json_text(stats);
    cJSON_Delete(stats);
    FILE *out = open_memstream(&taken.run, &size);
    if (!out)
        heap_lacks(1, BUFSIZ, what);
    fflush(host->log.stream);
    run.stats_text = taken.stats;
    run.manifest_text = manifest_text(s, host);
    run.log_text = host->log.text;
    page_live_run(out, &run, &s->bins);
    if (fclose(out))
        heap_lacks(1, BUFSIZ, what);
    return taken;
}

void snapshot_free(struct snapshot *s)
{
    free(s->stats);
    free(s->run);
}
