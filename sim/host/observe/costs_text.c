/*
 * profile.txt: functions, the most costly first, then their lines beside the
 * text of the source, where that can be read.
 */
#include "sim/core/heap.h"
#include "sim/host/observe/costs.h"
#include "sim/host/results/by_size.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines of the source ---- */

struct source_text {
    const struct host *host;
    const struct source *source;
    struct source_file {
        bool read;
        char *text; /* NULL: it cannot be read */
        size_t bytes;
        size_t *lines; /* where each begins; the last one is the end */
        int line_count;
    } * files;
};

struct source_text *source_text_new(const struct host *host)
{
    const struct source *s = costs_of_run(host)->source;
    struct source_text *t = heap_new(1, sizeof *t, "the source");
    t->host = host;
    t->source = s;
    t->files = heap_new(s->file_count, sizeof *t->files, "the source");
    return t;
}

void source_text_free(struct source_text *t)
{
    for (unsigned i = 0; i < t->source->file_count; i++) {
        free(t->files[i].text);
        free(t->files[i].lines);
    }
    free(t->files);
    free(t);
}

/* A larger file is not written by hand: what is behind is left out. */
enum { SOURCE_BYTES_MAX = 1 << 24 };

static void find_lines(struct source_file *f)
{
    int room = 2;
    for (size_t i = 0; i < f->bytes; i++)
        room += f->text[i] == '\n';
    f->lines = heap_new((size_t)room, sizeof *f->lines, "the source");
    for (size_t i = 0; i < f->bytes; i++)
        if (f->text[i] == '\n')
            f->lines[++f->line_count] = i + 1;
    if (f->bytes && f->text[f->bytes - 1] != '\n')
        f->lines[++f->line_count] = f->bytes + 1;
}

static void read_source(const struct host *host, struct source_file *f,
                        const char *path)
{
    int fd = reach_file(host, path);
    FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
    f->read = true;
    if (!in)
        return;
    f->text = heap_new(SOURCE_BYTES_MAX, 1, "the source");
    f->bytes = fread(f->text, 1, SOURCE_BYTES_MAX, in);
    fclose(in);
    f->text = heap_resize(f->text, f->bytes + 1, 1, "the source");
    find_lines(f);
}

const char *source_text_line(struct source_text *t, unsigned file, int line,
                             int *bytes)
{
    struct source_file *f = &t->files[file];
    if (!f->read && file)
        read_source(t->host, f, t->source->files[file]);
    *bytes = 0;
    if (line < 1 || line > f->line_count)
        return "";
    *bytes = (int)(f->lines[line] - f->lines[line - 1] - 1);
    return f->text + f->lines[line - 1];
}

/* ---- functions ---- */

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

/* The buckets in which a place waited most, e.g. "wait_memory 61 %". */
static void print_waits(const struct costs *c, const uint64_t *counts,
                        uint64_t cost, char *text, size_t size)
{
    enum { SHOWN = 3, LEAST = 5 /* percent */ };
    const struct code_profile *p = c->profile;
    const unsigned count = p->buckets;
    unsigned shown = 0, bucket = rank_next(counts, count, count);
    size_t used = 0;
    *text = 0;
    while (bucket < count && shown < SHOWN && used < size &&
           percent(counts[bucket], cost) >= LEAST) {
        if (bucket != p->issued && bucket != p->idle)
            used += (size_t)snprintf(
                text + used, size - used, "%s%s %.0f %%", shown++ ? ", " : "",
                p->events[bucket]->name, percent(counts[bucket], cost));
        bucket = rank_next(counts, count, bucket);
    }
}

static void print_function(const struct costs *c, const struct cost_function *f,
                           FILE *out)
{
    const struct source_function *s = &c->source->functions[f->number];
    char waits[200];
    print_waits(c, f->counts, f->cost, waits, sizeof waits);
    fprintf(out, "%6.2f %6.2f %14" PRIu64 " %14" PRIu64 " %12" PRIu64 "  ",
            percent(f->cost, c->cost), percent(f->within, c->cost), f->cost,
            f->counts[c->profile->issued], costs_misses(c, f->counts));
    corbel_line_put(out, s->name);
    if (s->line) {
        fputs(" (", out);
        corbel_line_put(out, c->source->files[s->file]);
        fprintf(out, ":%d)", s->line);
    }
    fprintf(out, "%s%s\n", *waits ? "  " : "", waits);
}

static void print_functions(const struct costs *c, FILE *out)
{
    fprintf(out, "%6s %6s %14s %14s %12s  %s\n", "self%", "with%", "cycles",
            "instructions", "L1 misses", "function, and what it waited for");
    for (unsigned i = 0; i < c->function_count; i++)
        print_function(c, &c->functions[i], out);
}

/* ---- lines ---- */

/* counts NULL: nothing of the line was executed. */
static void print_line(const struct costs *c, struct source_text *text,
                       unsigned file, int line, const struct cost_line *l,
                       FILE *out)
{
    char waits[200] = "";
    int bytes;
    const char *source = source_text_line(text, file, line, &bytes);
    if (l)
        print_waits(c, l->counts, l->cost, waits, sizeof waits);
    if (l)
        fprintf(out, "%6.2f %14" PRIu64 " %14" PRIu64 " %12" PRIu64,
                percent(l->cost, c->cost), l->cost,
                l->counts[c->profile->issued], costs_misses(c, l->counts));
    else
        fprintf(out, "%6s %14s %14s %12s", "", "", "", "");
    fprintf(out, " %5d  ", line);
    corbel_line_put_part(out, source, (size_t)bytes, true);
    fprintf(out, "%s%s\n", *waits ? "    <- " : "", waits);
}

/* Lines without cost are shown where they are few. */
static void print_between(const struct costs *c, struct source_text *text,
                          const struct cost_line *from,
                          const struct cost_line *to, FILE *out)
{
    enum { FEW = 3 };
    if (from->file != to->file) {
        fprintf(out, "%50s ", "in");
        corbel_line_put(out, c->source->files[to->file]);
        fputc('\n', out);
        return;
    }
    if (to->line - from->line - 1 > FEW) {
        fprintf(out, "%58s\n", "...");
        return;
    }
    for (int line = from->line + 1; line < to->line; line++)
        print_line(c, text, to->file, line, NULL, out);
}

static void print_lines(const struct costs *c, struct source_text *text,
                        const struct cost_function *f, FILE *out)
{
    const struct cost_line *l = &c->lines[f->first];
    fputc('\n', out);
    corbel_line_put(out, c->source->functions[f->number].name);
    fputs(", ", out);
    corbel_line_put(out, c->source->files[l->file]);
    fprintf(out, ": %.2f %%\n", percent(f->cost, c->cost));
    fprintf(out, "%6s %14s %14s %12s %5s  %s\n", "share%", "cycles",
            "instructions", "L1 misses", "line", "source");
    for (unsigned i = 0; i < f->line_count; i++) {
        if (i)
            print_between(c, text, &l[i - 1], &l[i], out);
        print_line(c, text, l[i].file, l[i].line, &l[i], out);
    }
}

void costs_write_text(const struct host *host, FILE *out)
{
    const struct costs *c = costs_of_run(host);
    struct source_text *text = source_text_new(host);
    uint64_t idle = c->totals[c->profile->idle];
    fputs("Profile of ", out);
    corbel_line_put(out, host->programs.first->path ? host->programs.first->path
                                                    : "no program");
    fputs(" on ", out);
    corbel_line_put(out, host->arch.name);
    fprintf(out,
            ".\nCycles are those of harts: %" PRIu64 " in all, and %" PRIu64
            " more in which they were %s.\n"
            "%" PRIu64 " instructions were issued; an L1 miss is a load, or "
            "part of one, that the L1 had to ask for.\n"
            "self: the function's own cycles; with: and those of what it "
            "called. Shares are of all cycles.\n\n",
            c->cost, idle, c->profile->events[c->profile->idle]->name,
            c->totals[c->profile->issued]);
    print_functions(c, out);
    for (unsigned i = 0; i < c->function_count; i++)
        if (c->functions[i].cost)
            print_lines(c, text, &c->functions[i], out);
    source_text_free(text);
}
