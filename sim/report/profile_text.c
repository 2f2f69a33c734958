/* Reads profile.json into costs of functions and lines, and prints these. */
#include "sim/report/profile_text.h"
#include "sim/core/heap.h"
#include "sim/report/by_size.h"
#include "sim/report/shape.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct text_line {
    const char *file, *source;
    const cJSON *before; /* texts of the lines since the one before it */
    unsigned function, place;
    int line;
    uint64_t cost, *counts;
};

struct text_function {
    const char *name, *file;
    int line;
    unsigned number;
    uint64_t cost, within, *counts;
};

/* Events that tell how many harts of a warp did something together. */
struct text_lanes {
    unsigned warp, active, live, splits, accesses, sectors, least, conflicts;
};

struct text {
    const cJSON *profile;
    unsigned events, buckets, issued, idle, hits;
    struct text_lanes lanes; /* warp 0: harts issue alone */
    const char **names;      /* of events */
    uint64_t cost, *totals;
    struct text_function *functions; /* the most costly first */
    struct text_line *lines;         /* by place */
    unsigned function_count, line_count;
};

static const char what[] = "the profile";

/* ---- reading ---- */

static uint64_t number_of(const cJSON *json, const char *name)
{
    return (uint64_t)json_member(json, name)->valuedouble;
}

static uint64_t *counts_of(const struct text *t, const cJSON *json,
                           const char *name)
{
    uint64_t *counts = heap_new(t->events + 1u, sizeof *counts, what);
    unsigned e = 0;
    for (const cJSON *n = json_member(json, name)->child; n && e < t->events;
         n = n->next)
        counts[e++] = (uint64_t)n->valuedouble;
    return counts;
}

static uint64_t cost_of(const struct text *t, const uint64_t *counts)
{
    uint64_t sum = 0;
    for (unsigned e = 0; e < t->buckets; e++)
        sum += e == t->idle ? 0 : counts[e];
    return sum;
}

/* Loads that the first cache had to ask for. */
static uint64_t misses_of(const struct text *t, const uint64_t *counts)
{
    uint64_t sum = 0;
    for (unsigned e = t->hits + 1; e < t->events; e++)
        sum += counts[e];
    return sum;
}

static unsigned event_named(const struct text *t, const cJSON *in,
                            const char *role)
{
    unsigned e = 0;
    const char *name = json_member(in, role)->valuestring;
    while (e + 1 < t->events && strcmp(t->names[e], name) != 0)
        e++;
    return e;
}

static void read_lanes(struct text *t)
{
    const cJSON *lanes = json_member(t->profile, "lanes");
    if (lanes)
        t->lanes = (struct text_lanes){
            .warp = (unsigned)number_of(lanes, "warp"),
            .active = event_named(t, lanes, "active"),
            .live = event_named(t, lanes, "live"),
            .splits = event_named(t, lanes, "splits"),
            .accesses = event_named(t, lanes, "accesses"),
            .sectors = event_named(t, lanes, "sectors"),
            .least = event_named(t, lanes, "least"),
            .conflicts = event_named(t, lanes, "conflicts")};
}

static void read_events(struct text *t)
{
    const cJSON *list = json_member(t->profile, "events");
    t->names =
        heap_new((size_t)cJSON_GetArraySize(list) + 1, sizeof *t->names, what);
    for (const cJSON *e = list->child; e; e = e->next)
        t->names[t->events++] = json_member(e, "name")->valuestring;
    t->buckets = (unsigned)number_of(t->profile, "buckets");
    t->issued = event_named(t, t->profile, "instructions");
    t->idle = event_named(t, t->profile, "idle");
    t->hits = event_named(t, t->profile, "hits");
    read_lanes(t);
    t->cost = number_of(t->profile, "cost");
    t->totals = counts_of(t, t->profile, "totals");
}

/* Without cost, those that were idle most, in the order of the program. */
static int by_cost(const void *a, const void *b)
{
    const struct text_function *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void read_functions(struct text *t)
{
    const cJSON *list = json_member(t->profile, "functions");
    t->functions = heap_new((size_t)cJSON_GetArraySize(list) + 1,
                            sizeof *t->functions, what);
    for (const cJSON *f = list->child; f; f = f->next) {
        struct text_function *to = &t->functions[t->function_count];
        *to =
            (struct text_function){.name = json_member(f, "name")->valuestring,
                                   .file = json_member(f, "file")->valuestring,
                                   .line = json_member(f, "line")->valueint,
                                   .number = t->function_count++,
                                   .within = number_of(f, "within"),
                                   .counts = counts_of(t, f, "counts")};
        to->cost = cost_of(t, to->counts);
    }
    qsort(t->functions, t->function_count, sizeof *t->functions, by_cost);
}

static int by_place(const void *a, const void *b)
{
    const struct text_line *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static void read_lines(struct text *t)
{
    const cJSON *list = json_member(t->profile, "lines");
    t->lines =
        heap_new((size_t)cJSON_GetArraySize(list) + 1, sizeof *t->lines, what);
    for (const cJSON *l = list->child; l; l = l->next) {
        struct text_line *to = &t->lines[t->line_count++];
        *to =
            (struct text_line){.file = json_member(l, "file")->valuestring,
                               .source = json_member(l, "source")->valuestring,
                               .before = json_member(l, "before"),
                               .function = (unsigned)number_of(l, "function"),
                               .place = (unsigned)number_of(l, "place"),
                               .line = json_member(l, "line")->valueint,
                               .counts = counts_of(t, l, "counts")};
        to->cost = cost_of(t, to->counts);
    }
    qsort(t->lines, t->line_count, sizeof *t->lines, by_place);
}

static void drop(struct text *t)
{
    for (unsigned i = 0; i < t->function_count; i++)
        free(t->functions[i].counts);
    for (unsigned i = 0; i < t->line_count; i++)
        free(t->lines[i].counts);
    free(t->functions);
    free(t->lines);
    free(t->totals);
    free(t->names);
}

/* ---- functions ---- */

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

/* The buckets in which a place waited most, e.g. "wait_memory 61 %". */
static void print_waits(const struct text *t, const uint64_t *counts,
                        uint64_t cost, char *text, size_t size)
{
    enum { SHOWN = 3, LEAST = 5 /* percent */ };
    const unsigned count = t->buckets;
    unsigned shown = 0, bucket = rank_next(counts, count, count);
    size_t used = 0;
    *text = 0;
    while (bucket < count && shown < SHOWN && used < size &&
           percent(counts[bucket], cost) >= LEAST) {
        if (bucket != t->issued && bucket != t->idle)
            used += (size_t)snprintf(text + used, size - used, "%s%s %.0f %%",
                                     shown++ ? ", " : "", t->names[bucket],
                                     percent(counts[bucket], cost));
        bucket = rank_next(counts, count, bucket);
    }
}

static void print_function(const struct text *t, const struct text_function *f,
                           FILE *out)
{
    char waits[200];
    print_waits(t, f->counts, f->cost, waits, sizeof waits);
    fprintf(out, "%6.2f %6.2f %14" PRIu64 " %14" PRIu64 " %12" PRIu64 "  ",
            percent(f->cost, t->cost), percent(f->within, t->cost), f->cost,
            f->counts[t->issued], misses_of(t, f->counts));
    corbel_line_put(out, f->name);
    if (f->line) {
        fputs(" (", out);
        corbel_line_put(out, f->file);
        fprintf(out, ":%d)", f->line);
    }
    fputs(*waits ? "  " : "", out);
    corbel_line_put(out, waits);
    fputc('\n', out);
}

static void print_functions(const struct text *t, FILE *out)
{
    fprintf(out, "%6s %6s %14s %14s %12s  %s\n", "self%", "with%", "cycles",
            "instructions", "L1 misses", "function, and what it waited for");
    for (unsigned i = 0; i < t->function_count; i++)
        print_function(t, &t->functions[i], out);
}

/* ---- lanes of warps ---- */

enum { LANES_LINES = 12 /* of each table */ };

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* Lanes that the warp had and that did not execute its instructions. */
static uint64_t lost_of(const struct text *t, const uint64_t *counts)
{
    return counts[t->lanes.live] - counts[t->lanes.active];
}

/* Sectors beyond the least. */
static uint64_t more_of(const struct text *t, const uint64_t *counts)
{
    return counts[t->lanes.sectors] - counts[t->lanes.least];
}

static uint64_t conflicts_of(const struct text *t, const uint64_t *counts)
{
    return counts[t->lanes.conflicts];
}

static void print_lane_line(const struct text *t, const struct text_line *l,
                            uint64_t value, uint64_t all, FILE *out)
{
    const struct text_lanes *e = &t->lanes;
    fprintf(out, "%6.2f %14" PRIu64 " %14" PRIu64 " %6.1f %6.1f %10" PRIu64,
            percent(value, all), value, l->counts[t->issued],
            ratio(l->counts[e->active], l->counts[t->issued]),
            ratio(l->counts[e->live], l->counts[t->issued]),
            l->counts[e->splits]);
    if (l->counts[e->accesses])
        fprintf(out, " %8.1f  ",
                ratio(l->counts[e->sectors], l->counts[e->accesses]));
    else
        fprintf(out, " %8s  ", "");
    corbel_line_put(out, l->file);
    fprintf(out, ":%d  ", l->line);
    corbel_line_put_part(out, l->source, SIZE_MAX, true);
    fputc('\n', out);
}

/* The lines of which most was lost, in one way. */
static void print_worst(const struct text *t, const char *share,
                        const char *what_is_lost,
                        uint64_t (*of)(const struct text *, const uint64_t *),
                        FILE *out)
{
    uint64_t *lost = heap_new(t->line_count + 1u, sizeof *lost, what);
    uint64_t all = of(t, t->totals);
    for (unsigned i = 0; i < t->line_count; i++)
        lost[i] = of(t, t->lines[i].counts);
    fprintf(out, "\n%6s %14s %14s %6s %6s %10s %8s  %s\n", share, what_is_lost,
            "instructions", "lanes", "of", "splits", "sectors", "line");
    unsigned i = rank_next(lost, t->line_count, t->line_count);
    for (unsigned n = 0; n < LANES_LINES && i < t->line_count; n++) {
        print_lane_line(t, &t->lines[i], lost[i], all, out);
        i = rank_next(lost, t->line_count, i);
    }
    free(lost);
}

static void print_lanes(const struct text *t, FILE *out)
{
    uint64_t slots = t->totals[t->issued] * t->lanes.warp;
    fprintf(out,
            "\nA warp has %u lanes; of those of all instructions %.1f %% "
            "executed them (SIMT efficiency), %.1f %% had parted, and %.1f %% "
            "were not there.\n"
            "Lines whose warps had parted most, then those whose accesses took "
            "most sectors beyond those that would do, or most cycles of "
            "conflicts in memory of groups. lanes: that executed an "
            "instruction; of: those that its warp had; splits: paths that "
            "parted; sectors: of an access.\n",
            t->lanes.warp, percent(t->totals[t->lanes.active], slots),
            percent(lost_of(t, t->totals), slots),
            percent(slots - t->totals[t->lanes.live], slots));
    print_worst(t, "lost%", "lanes lost", lost_of, out);
    print_worst(t, "more%", "sectors more", more_of, out);
    if (conflicts_of(t, t->totals))
        print_worst(t, "share%", "conflicts", conflicts_of, out);
}

/* ---- lines ---- */

/* Of which nothing was executed. */
static void print_empty(int line, const char *source, FILE *out)
{
    fprintf(out, "%6s %14s %14s %12s %5d  ", "", "", "", "", line);
    corbel_line_put_part(out, source, SIZE_MAX, true);
    fputc('\n', out);
}

static void print_line(const struct text *t, const struct text_line *l,
                       FILE *out)
{
    char waits[200];
    print_waits(t, l->counts, l->cost, waits, sizeof waits);
    fprintf(out, "%6.2f %14" PRIu64 " %14" PRIu64 " %12" PRIu64 " %5d  ",
            percent(l->cost, t->cost), l->cost, l->counts[t->issued],
            misses_of(t, l->counts), l->line);
    corbel_line_put_part(out, l->source, SIZE_MAX, true);
    fputs(*waits ? "    <- " : "", out);
    corbel_line_put(out, waits);
    fputc('\n', out);
}

/* Lines without cost are shown where they are few. */
static void print_between(const struct text_line *from,
                          const struct text_line *to, FILE *out)
{
    int line = from->line;
    if (strcmp(from->file, to->file) != 0) {
        fprintf(out, "%50s ", "in");
        corbel_line_put(out, to->file);
        fputc('\n', out);
        return;
    }
    if (!to->before && to->line - line > 1)
        fprintf(out, "%58s\n", "...");
    for (const cJSON *b = to->before ? to->before->child : NULL; b; b = b->next)
        print_empty(++line, b->valuestring, out);
}

/* The lines of a function, which lie side by side. */
static void print_lines(const struct text *t, const struct text_function *f,
                        FILE *out)
{
    unsigned first = 0;
    while (first < t->line_count && t->lines[first].function != f->number)
        first++;
    if (first == t->line_count)
        return;
    fputc('\n', out);
    corbel_line_put(out, f->name);
    fputs(", ", out);
    corbel_line_put(out, t->lines[first].file);
    fprintf(out, ": %.2f %%\n", percent(f->cost, t->cost));
    fprintf(out, "%6s %14s %14s %12s %5s  %s\n", "share%", "cycles",
            "instructions", "L1 misses", "line", "source");
    for (unsigned i = first;
         i < t->line_count && t->lines[i].function == f->number; i++) {
        if (i > first)
            print_between(&t->lines[i - 1], &t->lines[i], out);
        print_line(t, &t->lines[i], out);
    }
}

static void print(const struct text *t, FILE *out)
{
    const char *program = json_member(t->profile, "program")->valuestring;
    const cJSON *chip = json_member(t->profile, "chip");
    fputs("Profile of ", out);
    corbel_line_put(out, *program ? program : "no program");
    fputs(" on ", out);
    corbel_line_put(out, chip ? chip->valuestring : "a chip");
    fprintf(out,
            ".\nCycles are those of %s: %" PRIu64 " in all, and %" PRIu64
            " more in which they were ",
            t->lanes.warp ? "warps" : "harts", t->cost, t->totals[t->idle]);
    corbel_line_put(out, t->names[t->idle]);
    fprintf(out,
            ".\n%" PRIu64 " instructions were issued; an L1 miss is a load, or "
            "part of one, that the L1 had to ask for.\n"
            "self: the function's own cycles; with: and those of what it "
            "called. Shares are of all cycles.\n\n",
            t->totals[t->issued]);
    print_functions(t, out);
    if (t->lanes.warp)
        print_lanes(t, out);
    for (unsigned i = 0; i < t->function_count; i++)
        if (t->functions[i].cost)
            print_lines(t, &t->functions[i], out);
}

void profile_text(FILE *out, const cJSON *profile)
{
    struct text t = {.profile = profile};
    read_events(&t);
    read_functions(&t);
    read_lines(&t);
    print(&t, out);
    drop(&t);
}

bool profile_is_whole(const cJSON *profile, const char *file,
                      struct error *error)
{
    for (const cJSON *l = json_member(profile, "lines")->child; l; l = l->next)
        if (!json_member(l, "place"))
            return error_set(error,
                             "%s: lines have no 'place': an older sim-run did "
                             "not write all lines; run it again",
                             file);
    return true;
}
