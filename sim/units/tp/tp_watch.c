/*
 * The thread processor of runs whose program is profiled: its cycles are those
 * of any thread processor (tp_watched_kind calls the same functions), with a
 * look at its harts after each of them. A hart's cycles before this one belong
 * to the bucket that it was seen in last, as in its account, and to the
 * instruction that it was seen at: that which it waited to issue. So nothing of
 * this costs a run that is not watched.
 *
 * Instructions are issued one at a time then (tp_build.c), so that each is
 * seen.
 */
#include "sim/core/heap.h"
#include "sim/units/common/code_profile.h"
#include "sim/units/common/result_watch.h"
#include "sim/units/tp/tp_slot.h"
#include <stdlib.h>

/* What is known of a hart. */
struct tp_watch {
    uint64_t from; /* its cycles before this one are counted */
    uint64_t pc;   /* of the instruction that it is at */
    uint32_t site; /* the same in the profile */
    uint8_t bucket;
    struct call_stack stack;
    struct result_watch results; /* for traces */
    uint32_t loads[64]; /* sites of the last loads, by their register */
};

/* ---- construction ---- */

/* The events are rows of the kind's tables: the buckets, then where loads were
 * served. */
static struct code_profile *new_profile(const struct unit_kind *kind)
{
    struct code_profile *p = code_profile_of(
        kind->bucket_rows, kind->bucket_count, IN_issued, IN_parked);
    p->hits = p->event_count;
    code_profile_events(p, kind->stat_rows, kind->stat_count,
                        offsetof(struct tp_stats, loads_first),
                        offsetof(struct tp_stats, loads_joined));
    assert(p->event_count == p->hits + LOAD_ROWS);
    code_profile_site(p, 0, 0, UINT32_MAX); /* of harts that never ran */
    return p;
}

bool tp_watched_build(struct unit *u, struct error *error)
{
    struct tp *t = (struct tp *)u;
    if (!tp_build(u, error))
        return false;
    if (!t->common->profile)
        t->common->profile = new_profile(u->kind);
    t->watch =
        heap_new(t->hart_count, sizeof *t->watch, "the profile of the program");
    const struct machine *m = t->common->machine;
    hart_traces_new(t->traces, m->traces, u->name,
                    &(struct hart_trace){.first = t->first_hart,
                                         .harts = t->hart_count,
                                         .buckets = u->kind->bucket_rows,
                                         .bucket_count = u->kind->bucket_count,
                                         .issued = IN_issued});
    return true;
}

void tp_watched_destroy(struct unit *u)
{
    struct tp *t = (struct tp *)u;
    for (uint32_t i = 0; t->watch && i < t->hart_count; i++)
        free(t->watch[i].stack.frames);
    free(t->watch);
    for (unsigned k = 0; k < TRACE_OF_CORES; k++)
        hart_trace_free(t->traces[k]);
    if (t->common && t->common->first == t)
        code_profile_free(t->common->profile);
}

/* ---- checkpoints ---- */

static void take_frames(void *to, const void *from)
{
    ((struct tp_watch *)to)->stack.frames =
        ((const struct tp_watch *)from)->stack.frames;
    ((struct tp_watch *)to)->stack.room =
        ((const struct tp_watch *)from)->stack.room;
}

static void keep_watch(struct tp *t, struct tp_watch *w, struct state *s)
{
    const struct code_profile *p = t->common->profile;
    state_struct(s, w, sizeof *w, take_frames);
    call_stack_state(&w->stack, p, s);
    bool known = w->site < p->site_count && w->bucket < p->buckets;
    for (unsigned i = 0; i < TABLE_COUNT(w->loads); i++)
        known &= w->loads[i] < p->site_count;
    if (!known)
        state_fail(s, "a hart is at an instruction that its profile lacks");
}

/* The first core saves the profile that it shares with others. */
void tp_watched_keep(struct unit *u, struct state *s)
{
    struct tp *t = (struct tp *)u;
    if (t->common->first == t)
        code_profile_state(t->common->profile, s);
    for (uint32_t i = 0; i < t->hart_count; i++)
        keep_watch(t, &t->watch[i], s);
    for (unsigned k = 0; k < TRACE_OF_CORES; k++)
        if (t->traces[k])
            hart_trace_state(t->traces[k], s);
}

/* ---- what the host reads ---- */

struct code_profile *tp_profile(struct unit *u)
{
    const struct tp *t = (const struct tp *)u;
    return t->common->profile;
}

struct hart_trace *tp_trace(struct unit *u, unsigned kind)
{
    const struct tp *t = (const struct tp *)u;
    return kind < TRACE_OF_CORES ? t->traces[kind] : NULL;
}

/* ---- what harts do ---- */

static uint64_t in_profile(const struct tp *t, uint64_t pc)
{
    return pc & t->common->address_mask;
}

/* The hart's cycles before now belong to where it was. */
static void spend(struct tp *t, struct tp_watch *w, uint64_t now)
{
    if (now > w->from) {
        code_profile_add(t->common->profile, w->site, w->bucket, now - w->from);
        w->from = now;
    }
}

/* Adds what the record says of a hart that is at w to traces of the core. */
static void record(struct tp *t, const struct tp_watch *w,
                   struct trace_record r)
{
    r.hart = t->first_hart + (uint32_t)(w - t->watch);
    r.pc = in_profile(t, w->pc);
    hart_traces_add(t->traces, &r);
}

/* Where harts are when a trace begins, as they have been since they were last
 * looked at. */
static void begin_traces(struct tp *t, uint64_t now)
{
    for (unsigned k = 0; k < TRACE_OF_CORES; k++) {
        struct hart_trace *trace = t->traces[k];
        if (!trace || trace->begun || now < trace->window->from)
            continue;
        trace->begun = true;
        for (uint32_t i = 0; i < t->hart_count; i++)
            hart_trace_begin(trace, &(struct trace_record){
                                        .cycle = trace->window->from,
                                        .pc = in_profile(t, t->watch[i].pc),
                                        .hart = t->first_hart + i,
                                        .event = TRACE_STATE,
                                        .bucket = t->watch[i].bucket});
    }
}

/* The results that an instruction has waited for are there when none of its
 * registers waits. */
static void see_results(struct tp *t, struct tp_watch *w, uint64_t pending,
                        uint64_t now)
{
    uint64_t come = result_watch_come(&w->results, pending);
    uint32_t number;
    while (result_watch_done(&w->results, &come, &number))
        record(t, w,
               (struct trace_record){
                   .cycle = now, .number = number, .event = TRACE_DONE});
}

/* The hart's instruction of that number issues in this cycle. */
static void record_issue(struct tp *t, struct tp_watch *w, uint64_t now,
                         const struct isa_insn *insn)
{
    uint64_t pending = t->slots[w - t->watch].any_pending;
    uint64_t writes = insn ? insn->writes & pending : 0;
    if (w->results.pending & writes) /* of an earlier one, which came now */
        see_results(t, w, w->results.pending & ~writes, now);
    record(t, w,
           (struct trace_record){.cycle = now,
                                 .number = w->results.issued,
                                 .event = TRACE_ISSUE,
                                 .waits = writes != 0});
    result_watch_issue(&w->results, writes);
}

/* The hart has come to another instruction, however. */
static void come_to(struct tp *t, struct tp_watch *w, uint64_t pc)
{
    w->pc = pc;
    w->site = code_profile_site(t->common->profile, w->stack.call,
                                in_profile(t, pc), w->site);
}

/* The current hart has issued an instruction in this cycle. */
static void see_issue(struct tp *t, uint64_t now)
{
    struct tp_watch *w = &t->watch[t->current];
    const struct isa_insn *insn = insn_at(&t->common->local, w->pc);
    uint64_t to = t->harts[t->current].isa.pc;
    assert(t->busy_until == now + 1);
    spend(t, w, now);
    code_profile_add(t->common->profile, w->site, IN_issued, 1);
    w->from = now + 1;
    record_issue(t, w, now, insn);
    if (insn && insn->cls == ISA_CLASS_load)
        w->loads[insn->writes ? mask_first(insn->writes) : 0] = w->site;
    if (insn && insn->cls == ISA_CLASS_jump && to != w->pc)
        code_profile_jump(t->common->profile, &w->stack, insn,
                          in_profile(t, w->pc), in_profile(t, to),
                          t->common->address_mask);
}

/* Before the first cycle: harts are known from now on. */
static void begin(struct tp *t)
{
    tp_begin(t);
    for (uint32_t i = 0; i < t->hart_count; i++)
        come_to(t, &t->watch[i], t->harts[i].isa.pc);
}

/* Which harts are in another bucket, or at another instruction? */
static void look(struct tp *t, uint64_t now)
{
    for (uint32_t i = 0; i < t->hart_count; i++) {
        struct tp_watch *w = &t->watch[i];
        uint64_t pc = t->harts[i].isa.pc;
        if (w->results.pending & ~t->slots[i].any_pending)
            see_results(t, w, t->slots[i].any_pending, now);
        if (w->bucket == t->slots[i].bucket && w->pc == pc)
            continue;
        spend(t, w, now);
        if (w->pc != pc)
            come_to(t, w, pc);
        if (w->bucket != t->slots[i].bucket)
            record(t, w,
                   (struct trace_record){.cycle = w->from > now ? w->from : now,
                                         .event = TRACE_STATE,
                                         .bucket = t->slots[i].bucket});
        w->bucket = t->slots[i].bucket;
    }
}

/* ---- cycles ---- */

/* Counts what the core has counted of a load: its answer bears that tag. */
static void see_load(struct tp *t, uint32_t tag, const struct counts *before)
{
    uint64_t writes = writes_of(tag);
    const struct tp_watch *w = &t->watch[tag >> TAG_SLOT];
    uint32_t site = w->loads[writes ? mask_first(writes) : 0];
    for (unsigned i = 0; i < LOAD_ROWS; i++)
        code_profile_add(t->common->profile, site, t->common->profile->hits + i,
                         (uint16_t)(t->counts.loads[i] - before->loads[i]));
}

void tp_watched_receive(struct unit *u, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    const struct counts before = t->counts;
    bool data = u->pending[0];
    if (t->errands & START)
        begin(t);
    uint32_t tag = data ? link_peek(unit_port(u, t->first_in))->tag : 0;
    begin_traces(t, now);
    tp_receive(u, now);
    if (data)
        see_load(t, tag, &before);
    look(t, now);
}

uint64_t tp_watched_send(struct unit *u, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    uint64_t busy = t->busy_until;
    if (t->errands & START)
        begin(t);
    begin_traces(t, now);
    uint64_t next = tp_send(u, now);
    if (t->busy_until != busy)
        see_issue(t, now);
    look(t, now);
    return next;
}

void tp_watched_close(struct unit *u, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    begin_traces(t, now);
    tp_close(u, now);
    for (uint32_t i = 0; i < t->hart_count; i++)
        spend(t, &t->watch[i], now);
}
