/*
 * stats.txt: what stats.json has, in the form of gem5, which scripts for that
 * can read: "name value # description (unit)" in blocks, each of a window.
 * Nothing is computed here but times, in ticks of a picosecond.
 */
#include "sim/core/range_name.h"
#include "sim/host/results/stats_json.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TICKS_A_SECOND 1000000000000u

static const cJSON *member(const cJSON *json, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(json, name);
}

/* Numbers of 64 bits are texts there (json.h). */
static uint64_t whole(const cJSON *json, const char *name)
{
    const cJSON *n = member(json, name);
    return cJSON_IsRaw(n) ? strtoull(n->valuestring, NULL, 10) : 0;
}

enum { NUMBER_SIZE = 40 };

/* The number as it stands in stats.json. */
static const char *number(cJSON *n, char text[NUMBER_SIZE])
{
    cJSON_PrintPreallocated(n, text, NUMBER_SIZE, false);
    return text;
}

static void put_name(FILE *out, const char *of, const char *name,
                     const char *value)
{
    int length = fprintf(out, "%s%s%s", of, *of ? "." : "", name);
    int width = 62 - length; /* values end in one column */
    fprintf(out, " %*s  # ", width > 0 ? width : 0, value);
}

/* A row of the schema says what a statistic is. */
static void put_values(FILE *out, const char *of, const cJSON *values,
                       const cJSON *rows)
{
    char text[NUMBER_SIZE];
    for (cJSON *v = values->child; v; v = v->next) {
        const cJSON *row = member(rows, v->string);
        put_name(out, of, v->string, number(v, text));
        fprintf(out, "%s (%s)\n", member(row, "meaning")->valuestring,
                member(row, "unit")->valuestring);
    }
}

/* A line for each range of a histogram that counted something. */
static void put_histograms(FILE *out, const char *of, const cJSON *histograms,
                           const cJSON *rows)
{
    char text[NUMBER_SIZE], edge[NUMBER_SIZE], name[RANGE_NAME];
    for (cJSON *h = histograms ? histograms->child : NULL; h; h = h->next) {
        const cJSON *row = member(rows, h->string);
        cJSON *from = member(h, "edges")->child;
        for (cJSON *n = member(h, "counts")->child; n;
             n = n->next, from = from->next) {
            if (!strcmp(number(n, text), "0"))
                continue;
            range_name(h->string, strtoll(number(from, edge), NULL, 10), name);
            put_name(out, of, name, text);
            fprintf(out, "%s: from %s on up to ",
                    member(row, "meaning")->valuestring, edge);
            fprintf(out, "%s %s (%s)\n", number(from->next, edge),
                    member(row, "unit")->valuestring,
                    member(row, "of")->valuestring);
        }
    }
}

static void put_terms(FILE *out, const cJSON *terms)
{
    for (const cJSON *t = terms->child; t; t = t->next)
        fprintf(out, "%s%s", t == terms->child ? "" : " + ", t->valuestring);
}

/* How a figure is computed, by the schema. */
static void put_how(FILE *out, const cJSON *how)
{
    const cJSON *over = member(how, "over"), *under = member(how, "under");
    if (!over) {
        fprintf(out, "%g %% of what was counted are at most this\n",
                member(how, "per_mille")->valuedouble / 10);
        return;
    }
    put_terms(out, over);
    fputs(", over ", out);
    if (under)
        put_terms(out, under);
    fputs(under ? "\n" : "10^9 simulated seconds\n", out);
}

static void put_figures(FILE *out, const char *of, const cJSON *figures,
                        const cJSON *rows)
{
    char text[NUMBER_SIZE];
    for (cJSON *f = figures ? figures->child : NULL; f; f = f->next) {
        put_name(out, of, f->string, number(f, text));
        put_how(out, member(rows, f->string));
    }
}

/* A group or a unit. */
static void put_one(FILE *out, const char *of, const cJSON *one,
                    const cJSON *schema)
{
    const cJSON *kind = member(schema, member(one, "kind")->valuestring);
    put_values(out, of, member(one, "counters"), member(kind, "counters"));
    put_values(out, of, member(one, "buckets"), member(kind, "buckets"));
    put_histograms(out, of, member(one, "histograms"),
                   member(kind, "histograms"));
    put_figures(out, of, member(one, "derived"), member(kind, "figures"));
}

/* Where the window of a block begins and ends, and how many of its cycles
 * count. */
struct extent {
    uint64_t begin, end, cycles;
};

static uint64_t ticks(uint64_t cycles, uint64_t mhz)
{
    const uint64_t a_us = TICKS_A_SECOND / 1000000;
    return cycles / mhz * a_us + cycles % mhz * a_us / mhz;
}

static void put_count(FILE *out, const char *name, uint64_t value,
                      const char *meaning)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    put_name(out, "", name, text);
    fprintf(out, "%s\n", meaning);
}

static void put_times(FILE *out, const struct extent *x, uint64_t mhz)
{
    char text[32];
    snprintf(text, sizeof text, "%.12f",
             (double)x->cycles / ((double)mhz * 1e6));
    put_name(out, "", "simSeconds", text);
    fputs("simulated time of this block (Second)\n", out);
    put_count(out, "simTicks", ticks(x->cycles, mhz),
              "simulated ticks of this block (Tick)");
    put_count(
        out, "finalTick", ticks(x->end, mhz),
        "ticks from the begin of the run to the end of this block (Tick)");
    put_count(out, "simFreq", TICKS_A_SECOND,
              "ticks of a simulated second (Tick/Second)");
    put_count(out, "simCycles", x->cycles,
              "simulated cycles of this block (Cycle)");
    put_count(out, "beginCycle", x->begin, "where this block begins (Cycle)");
    put_count(out, "endCycle", x->end, "where this block ends (Cycle)");
}

/* units NULL: they are not told. */
static void put_block(FILE *out, const cJSON *stats, const struct extent *x,
                      const cJSON *groups, const cJSON *units)
{
    char name[300];
    const cJSON *schema = member(stats, "schema");
    fputs("\n---------- Begin Simulation Statistics ----------\n", out);
    put_times(out, x, whole(stats, "clock_mhz"));
    for (const cJSON *g = groups->child; g; g = g->next) {
        snprintf(name, sizeof name, "chip.%s", g->string);
        put_one(out, name, g, schema);
    }
    for (const cJSON *u = units ? units->child : NULL; u; u = u->next)
        put_one(out, member(u, "name")->valuestring, u, schema);
    fputs("\n---------- End Simulation Statistics   ----------\n", out);
}

static void put_regions(FILE *out, const cJSON *stats, const cJSON *roi,
                        bool units)
{
    struct extent x = {.cycles = 0};
    const cJSON *list = member(roi, "regions");
    for (const cJSON *r = list->child; r; r = r->next) {
        x.begin = r == list->child ? whole(r, "begin") : x.begin;
        x.end = whole(r, "end");
        x.cycles += x.end - whole(r, "begin");
    }
    put_block(out, stats, &x, member(roi, "groups"),
              units ? member(roi, "units") : NULL);
}

void stats_text(FILE *out, const cJSON *stats, bool units)
{
    struct extent run = {.end = whole(stats, "cycles")};
    const cJSON *roi = member(stats, "region_of_interest");
    const cJSON *windows = member(stats, "windows");
    run.cycles = run.end;
    put_block(out, stats, &run, member(stats, "groups"),
              units ? member(stats, "units") : NULL);
    if (roi)
        put_regions(out, stats, roi, units);
    for (const cJSON *w = windows ? windows->child : NULL; w; w = w->next) {
        struct extent x = {whole(w, "begin"), whole(w, "end"), 0};
        x.cycles = x.end - x.begin;
        put_block(out, stats, &x, member(w, "groups"),
                  units ? member(w, "units") : NULL);
    }
}
