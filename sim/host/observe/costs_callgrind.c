/*
 * callgrind.out: Callgrind's profile format, version 1, for KCachegrind and
 * callgrind_annotate. The cost of an instruction stands under the function that
 * was compiled, as Callgrind does it, with the file and line that it comes from
 * (fi=) where that was inlined. A call has the cost of all that it led to;
 * recursion has that in its outermost call.
 */
#include "sdk/version/version.h"
#include "sim/core/heap.h"
#include "sim/host/observe/costs.h"
#include <inttypes.h>
#include <stdlib.h>

/* Calls from one place to another, on all paths that lead there. */
struct edge {
    uint64_t site, entry, calls;
    uint64_t *counts; /* of all that they led to */
};

struct writer {
    const struct costs *costs;
    FILE *out;
    bool shown[PROFILE_EVENTS_MAX]; /* events that there are any of */
    struct edge *edges;             /* by site, then entry */
    unsigned edge_count;
    uint64_t *within; /* [call][event] */
};

/* ---- calls ---- */

/* Calls have higher numbers than those that they were made in. */
static void add_up_calls(struct writer *w)
{
    const struct code_profile *p = w->costs->profile;
    const size_t events = p->event_count;
    w->within = heap_new(p->call_count * events, sizeof *w->within, "calls");
    for (uint32_t i = 0; i < p->site_count; i++)
        for (size_t e = 0; e < events; e++)
            w->within[p->sites[i].call * events + e] +=
                p->counts[i * events + e];
    for (uint32_t i = p->call_count; i-- > 1;)
        for (size_t e = 0; e < events; e++)
            w->within[p->calls[i].caller * events + e] +=
                w->within[i * events + e];
}

static int by_ends(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static void join_edges(struct writer *w)
{
    unsigned count = 0;
    for (unsigned i = 0; i < w->edge_count; i++) {
        struct edge *last = count ? &w->edges[count - 1] : NULL;
        if (!last || by_ends(last, &w->edges[i])) {
            w->edges[count++] = w->edges[i];
            continue;
        }
        last->calls += w->edges[i].calls;
        for (unsigned e = 0; e < w->costs->profile->event_count; e++)
            last->counts[e] += w->edges[i].counts[e];
    }
    w->edge_count = count;
}

static void find_edges(struct writer *w)
{
    const struct code_profile *p = w->costs->profile;
    add_up_calls(w);
    w->edges = heap_new(p->call_count, sizeof *w->edges, "calls");
    for (uint32_t i = 1; i < p->call_count; i++)
        w->edges[w->edge_count++] =
            (struct edge){p->calls[i].site, p->calls[i].entry,
                          p->calls[i].calls, &w->within[i * p->event_count]};
    qsort(w->edges, w->edge_count, sizeof *w->edges, by_ends);
    join_edges(w);
}

/* ---- lines of the file ---- */

static void print_costs(const struct writer *w, const uint64_t *counts)
{
    const struct code_profile *p = w->costs->profile;
    fprintf(w->out, "%" PRIu64 " %" PRIu64, costs_of(w->costs, counts),
            counts[p->issued]);
    for (unsigned e = 0; e < p->event_count; e++)
        if (w->shown[e])
            fprintf(w->out, " %" PRIu64, counts[e]);
    fputc('\n', w->out);
}

static void print_position(const struct writer *w, uint64_t pc, int line)
{
    fprintf(w->out, "0x%" PRIx64 " %d ", pc, line);
}

/*
 * A file or a function: one line of any length. What a name begins with must
 * not look like the number of one.
 */
static void print_name(const struct writer *w, const char *key,
                       const char *name)
{
    fprintf(w->out, "%s=", key);
    if (*name == '(' && name[1] >= '0' && name[1] <= '9')
        fprintf(w->out, "\\x%02x", *name++);
    corbel_line_put(w->out, name);
    fputc('\n', w->out);
}

/* The function that was compiled, and the file that it is declared in, or that
 * its lines are from, whose number is returned. */
static unsigned print_function(const struct writer *w, const char *file_key,
                               const char *function_key,
                               const struct source_place *place)
{
    const struct source *s = w->costs->source;
    const struct source_frame *outer = &s->frames[place->first];
    const struct source_function *f = &s->functions[outer->function];
    unsigned file = f->file ? f->file : outer->file;
    print_name(w, file_key, s->files[file]);
    print_name(w, function_key, f->name);
    return file;
}

static void print_calls(const struct writer *w, uint64_t pc, int line)
{
    const struct source *s = w->costs->source;
    unsigned low = 0, high = w->edge_count;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (w->edges[middle].site < pc)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < w->edge_count && w->edges[low].site == pc; low++) {
        const struct edge *e = &w->edges[low];
        const struct source_place *to = source_place(s, e->entry);
        print_function(w, "cfi", "cfn", to);
        fprintf(w->out, "calls=%" PRIu64 " ", e->calls);
        fprintf(w->out, "0x%" PRIx64 " %d\n", e->entry,
                s->frames[to->first].line);
        print_position(w, pc, line);
        print_costs(w, e->counts);
    }
}

static void print_place(const struct writer *w, unsigned number,
                        unsigned *function, unsigned *file)
{
    const struct costs *c = w->costs;
    const struct source *s = c->source;
    const struct source_place *place = &s->places[number];
    const struct source_frame *inner = source_inner(s, place);
    const uint64_t *counts =
        &c->places[(size_t)number * c->profile->event_count];
    unsigned outer = s->frames[place->first].function;
    if (*function != outer) {
        fputc('\n', w->out);
        *file = print_function(w, "fl", "fn", place);
    }
    if (*file != inner->file)
        print_name(w, "fi", s->files[inner->file]);
    *function = outer;
    *file = inner->file;
    print_position(w, place->pc, inner->line);
    print_costs(w, counts);
    print_calls(w, place->pc, inner->line);
}

static void print_head(struct writer *w, const struct host *host)
{
    const struct code_profile *p = w->costs->profile;
    fprintf(w->out, "# callgrind format\nversion: 1\ncreator: sim-run %s\ncmd:",
            CORBEL_VERSION);
    for (int i = 0; i < host->options->program_argc; i++) {
        fputc(' ', w->out);
        corbel_line_put(w->out, host->options->program[i]);
    }
    fputs("\npositions: instr line\n"
          "event: Cycles : cycles of harts that had something to do\n"
          "event: Instructions : instructions issued\n",
          w->out);
    for (unsigned e = 0; e < p->event_count; e++) {
        w->shown[e] = e != p->issued && w->costs->totals[e];
        if (w->shown[e])
            fprintf(w->out, "event: %s : %s, %s\n", p->events[e]->name,
                    p->events[e]->unit, p->events[e]->meaning);
    }
    fputs("events: Cycles Instructions", w->out);
    for (unsigned e = 0; e < p->event_count; e++)
        if (w->shown[e])
            fprintf(w->out, " %s", p->events[e]->name);
    fputs("\nsummary: ", w->out);
    print_costs(w, w->costs->totals);
}

void costs_write_callgrind(const struct host *host, FILE *out)
{
    const struct costs *c = costs_of_run(host);
    struct writer w = {.costs = c, .out = out};
    unsigned function = UINT32_MAX, file = UINT32_MAX;
    find_edges(&w);
    print_head(&w, host);
    for (unsigned i = 0; i < c->source->place_count; i++)
        if (costs_any(c, i))
            print_place(&w, i, &function, &file);
    free(w.edges);
    free(w.within);
}
