/*
 * pipeline.kanata: the log that Konata shows, version 4. An instruction begins
 * when its hart comes to it; its stages are the buckets in which the hart waits
 * to issue it, then "issued", then "result" until its results are there, when
 * it retires. Those under way at the end of the trace are flushed.
 *
 * Lines have to be in the order of cycles, so they are kept and sorted first.
 */
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/observe/traces.h"
#include "sim/host/run/cores.h"
#include <inttypes.h>
#include <stdlib.h>

static const char what[] = "a trace";

enum step { BEGIN, STAGE, RETIRE, FLUSH }; /* in this order within a cycle */

struct line {
    uint64_t cycle, pc; /* pc: BEGIN */
    uint32_t id;        /* of the instruction */
    uint32_t hart;
    uint8_t lanes; /* BEGIN: of a warp, those that issue it; 0: not known */
    enum step step : 8;
    const char *stage;
    const struct hart_trace *trace;
};

/* An instruction that waits for its results. */
struct waiting {
    uint32_t number, id;
};

struct konata {
    const struct host *host;
    struct line *lines;
    size_t count, room;
    uint32_t ids;
};

/* A hart while its records are read. */
struct thread {
    struct konata *konata;
    const struct hart_trace *trace;
    uint32_t hart, id; /* of the instruction that it is at */
    uint8_t lanes;     /* of that, if it has been issued */
    uint64_t end;      /* of the trace */
    uint64_t from;     /* it is in the stage since this cycle */
    uint64_t pc, begin;
    const char *stage;
    struct waiting waiting[64]; /* a register waits for one at most */
    unsigned waiting_count;
};

static void add(struct konata *k, const struct line *line)
{
    if (k->count == k->room) {
        k->room = k->room ? 2 * k->room : 1024;
        k->lines = heap_resize(k->lines, k->room, sizeof *k->lines, what);
    }
    k->lines[k->count++] = *line;
}

static void add_step(const struct thread *t, uint64_t cycle, uint32_t id,
                     enum step step, const char *stage)
{
    add(t->konata, &(struct line){.cycle = cycle,
                                  .id = id,
                                  .hart = t->hart,
                                  .step = step,
                                  .stage = stage});
}

/* The hart comes to its next instruction; what that is, is known later. */
static void come_to_next(struct thread *t, uint64_t cycle)
{
    t->id = t->konata->ids++;
    t->lanes = 0;
    t->begin = t->from = cycle;
}

static void begin_line(const struct thread *t)
{
    add(t->konata, &(struct line){.cycle = t->begin,
                                  .pc = t->pc,
                                  .id = t->id,
                                  .hart = t->hart,
                                  .lanes = t->lanes,
                                  .step = BEGIN,
                                  .trace = t->trace});
}

/* The time in a stage, if there was any, up to now. */
static void end_stage(struct thread *t, uint64_t now)
{
    if (t->from < now)
        add_step(t, t->from, t->id, STAGE, t->stage);
    t->from = now;
}

static void take_issue(struct thread *t, const struct trace_record *r)
{
    t->pc = r->pc;
    t->lanes = r->lanes;
    begin_line(t);
    add_step(t, r->cycle, t->id, STAGE, "issued");
    if (r->waits && t->waiting_count < 64) {
        if (r->cycle + 1 < t->end)
            add_step(t, r->cycle + 1, t->id, STAGE, "result");
        t->waiting[t->waiting_count++] = (struct waiting){r->number, t->id};
    } else {
        add_step(t, r->cycle + 1, t->id, RETIRE, NULL);
    }
    come_to_next(t, r->cycle + 1);
}

static void take_done(struct thread *t, const struct trace_record *r)
{
    for (unsigned i = 0; i < t->waiting_count; i++)
        if (t->waiting[i].number == r->number) {
            add_step(t, r->cycle, t->waiting[i].id, RETIRE, NULL);
            t->waiting[i] = t->waiting[--t->waiting_count];
            return;
        }
}

static void take_record(struct thread *t, const struct hart_trace *trace,
                        const struct trace_record *r)
{
    if (r->event == TRACE_DONE) {
        take_done(t, r); /* issued before the trace began, if there is none */
        return;
    }
    end_stage(t, r->cycle);
    if (r->event == TRACE_ISSUE) {
        take_issue(t, r);
    } else {
        t->stage = trace->buckets[r->bucket].name;
        t->pc = r->pc;
    }
}

static void read_hart(struct konata *k, const struct hart_trace *trace,
                      uint32_t hart, uint64_t end)
{
    struct thread t = {
        .konata = k, .trace = trace, .hart = hart, .end = end, .stage = "?"};
    come_to_next(&t, trace->window->from);
    for (uint64_t i = 0; i < trace->count; i++)
        if (trace->records[i].hart == hart && trace->records[i].cycle < end)
            take_record(&t, trace, &trace->records[i]);
    for (unsigned i = 0; i < t.waiting_count; i++)
        add_step(&t, end, t.waiting[i].id, FLUSH, NULL);
    end_stage(&t, end);
    if (t.begin < end) {
        begin_line(&t);
        add_step(&t, end, t.id, FLUSH, NULL);
    }
}

static int by_cycle(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

/* The instruction in words: at the left, then, where the mouse points at it. */
static void write_begin(const struct konata *k, const struct line *l,
                        uint32_t number, FILE *out)
{
    const struct hart *hart = &k->host->machine.harts[l->hart];
    char insn[80], place[400], row[80], lanes[20] = "";
    core_of(hart)->disassemble(hart->core, l->pc, insn, sizeof insn);
    for (char *c = insn; *c; c++)
        *c = *c == '\t' ? ' ' : *c; /* which separates the log's columns */
    program_where(k->host->programs.first, l->pc, place, sizeof place);
    fprintf(out, "I\t%u\t%u\t%u\n", number, number, l->hart);
    fprintf(out, "L\t%u\t0\t%" PRIx64 ": %s\n", number, l->pc, insn);
    hart_trace_row(l->trace, l->hart, row, sizeof row);
    if (l->lanes)
        snprintf(lanes, sizeof lanes, "%u lanes, ", l->lanes);
    fprintf(out, "L\t%u\t1\t%s, %s", number, row, lanes);
    corbel_line_put(out, place);
    fputc('\n', out);
}

/* In the log instructions have numbers in the order in which they begin. */
static void write_lines(const struct konata *k, FILE *out)
{
    uint64_t now = k->count ? k->lines[0].cycle : 0;
    uint32_t retired = 0, begun = 0;
    uint32_t *numbers = heap_new(k->ids, sizeof *numbers, what);
    fprintf(out, "Kanata\t0004\nC=\t%" PRIu64 "\n", now);
    for (size_t i = 0; i < k->count; i++) {
        const struct line *l = &k->lines[i];
        if (l->cycle > now)
            fprintf(out, "C\t%" PRIu64 "\n", l->cycle - now);
        now = l->cycle;
        if (l->step == BEGIN)
            write_begin(k, l, numbers[l->id] = begun++, out);
        else if (l->step == STAGE)
            fprintf(out, "S\t%u\t0\t%s\n", numbers[l->id], l->stage);
        else
            fprintf(out, "R\t%u\t%u\t%d\n", numbers[l->id], retired++,
                    l->step == FLUSH);
    }
    free(numbers);
}

void traces_write_konata(const struct host *host, FILE *out)
{
    struct konata k = {.host = host};
    uint64_t end = traces_end(host, TRACE_PIPELINE);
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        struct unit *u = chip_unit_at(host->chip, i);
        const struct hart_trace *t = traces_of(u, TRACE_PIPELINE);
        for (uint32_t h = 0; t && h < t->harts; h += hart_trace_step(t))
            read_hart(&k, t, t->first + h, end);
    }
    if (k.count)
        qsort(k.lines, k.count, sizeof *k.lines, by_cycle);
    write_lines(&k, out);
    free(k.lines);
}
