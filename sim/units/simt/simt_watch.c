/*
 * The streaming multiprocessor of runs whose program is profiled or traced: its
 * cycles are those of any SM (its kind calls the same functions), with a look
 * at its warps before and after it issues. A warp's cycles before this one
 * belong to the bucket that it was seen in last, as in its account, and to the
 * instruction that its path was seen at: that which it waited to issue. So
 * nothing of this costs a run that is not watched.
 *
 * Calls are followed for each lane, so that they are those of harts; what a
 * path costs belongs to the calls that its first lane is within.
 */
#include "sim/core/heap.h"
#include "sim/units/common/code_profile.h"
#include "sim/units/common/hart_trace.h"
#include "sim/units/common/result_watch.h"
#include "sim/units/simt/simt_private.h"
#include <stdlib.h>

enum { SUBCORES = 8 }; /* at most */

/* What is known of a warp. */
struct warp_watch {
    uint64_t from; /* its cycles before this one are counted */
    uint64_t pc;   /* of the instruction that its path is at */
    uint64_t mask; /* lanes of that path, without one those that it had last */
    uint64_t live; /* and of all its paths */
    struct result_watch results; /* for traces */
    uint32_t site; /* the instruction, and its path's call, in the profile */
    uint32_t call;
    uint32_t loads[64]; /* sites of the last loads, by their register */
    uint8_t bucket;
    uint8_t unused[7]; /* named, so that they are 0 in checkpoints */
};

struct simt_watch {
    struct code_profile *profile;
    struct hart_trace *traces[TRACE_OF_CORES]; /* NULL: none */
    struct warp_watch *warps;
    struct call_stack *stacks; /* by slot */
    /* Warps, as in the masks of a sub-core, that are to be looked at: those
     * that issue or send, or did when they were last looked at; and those of
     * which something has come. Others are where they were. */
    struct {
        uint64_t moved, met;
    } looks[SUBCORES];
    bool all; /* all are: harts have been started or resumed, or none has been
                 looked at */
};

static const char what[] = "the profile of the program";

/* ---- construction ---- */

#define STAT_AT(name) offsetof(struct simt_stats, name)

/* What an instruction counts when it is issued: X(counter). */
#define AT_ISSUE_COUNTERS(X)                                                   \
    X(splits)                                                                  \
    X(accesses)                                                                \
    X(sectors)                                                                 \
    X(sectors_least)                                                           \
    X(requests)                                                                \
    X(scratch_cycles)                                                          \
    X(shared_accesses)                                                         \
    X(shared_conflicts)
#define NUMBER(name) COUNTED_##name,
enum { AT_ISSUE_COUNTERS(NUMBER) AT_ISSUE };
#undef NUMBER
#define PLACE(name) STAT_AT(name),
static const size_t at_issue[AT_ISSUE] = {AT_ISSUE_COUNTERS(PLACE)};
#undef PLACE
/* What its answers count, as far as it loads. */
static const size_t of_loads[] = {STAT_AT(loads_first), STAT_AT(loads_second),
                                  STAT_AT(loads_memory), STAT_AT(loads_joined)};
enum { OF_LOADS = TABLE_COUNT(of_loads) };

static uint64_t counter(const struct simt *t, size_t at)
{
    return *(const uint64_t *)((const char *)&t->stats + at);
}

static void read_counters(const struct simt *t, const size_t *at,
                          unsigned count, uint64_t *values)
{
    for (unsigned i = 0; i < count; i++)
        values[i] = counter(t, at[i]);
}

/* What they have counted since is a site's: events from one on. */
static void add_counters(const struct simt *t, uint32_t site, unsigned event,
                         const size_t *at, unsigned count,
                         const uint64_t *before)
{
    for (unsigned i = 0; i < count; i++)
        code_profile_add(t->watch->profile, site, event + i,
                         counter(t, at[i]) - before[i]);
}

static void add_events(struct code_profile *p, const struct unit_kind *kind,
                       const size_t *at, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        code_profile_events(p, kind->stat_rows, kind->stat_count, at[i], at[i]);
}

static struct code_profile *new_profile(const struct simt *t)
{
    const struct unit_kind *kind = t->unit.kind;
    struct code_profile *p = code_profile_of(
        kind->bucket_rows, kind->bucket_count, IN_issued, IN_parked);
    const unsigned active = p->event_count, live = active + 1, more = live + 1;
    const size_t lanes[] = {STAT_AT(instructions), STAT_AT(live_lanes)};
    p->lanes =
        (struct profile_lanes){.warp = t->width,
                               .active = active,
                               .live = live,
                               .splits = more + COUNTED_splits,
                               .accesses = more + COUNTED_accesses,
                               .sectors = more + COUNTED_sectors,
                               .least = more + COUNTED_sectors_least,
                               .conflicts = more + COUNTED_shared_conflicts};
    add_events(p, kind, lanes, TABLE_COUNT(lanes));
    add_events(p, kind, at_issue, AT_ISSUE);
    p->hits = p->event_count;
    add_events(p, kind, of_loads, OF_LOADS);
    assert(p->hits == more + AT_ISSUE && p->event_count == p->hits + OF_LOADS);
    code_profile_site(p, 0, 0, UINT32_MAX); /* of warps that never ran */
    return p;
}

bool simt_watched_build(struct unit *u, struct error *error)
{
    struct simt *t = (struct simt *)u;
    if (!simt_build(u, error))
        return false;
    struct simt_watch *watch = heap_new(1, sizeof *watch, what);
    t->watch = watch;
    watch->all = true;
    assert(t->subcore_count <= SUBCORES);
    watch->profile = new_profile(t);
    watch->warps = heap_new(t->warp_count, sizeof *watch->warps, what);
    watch->stacks = heap_new(t->hart_count, sizeof *watch->stacks, what);
    for (uint32_t i = 0; i < t->warp_count; i++)
        watch->warps[i].bucket = IN_parked;
    hart_traces_new(watch->traces, t->machine->traces, u->name,
                    &(struct hart_trace){.first = t->first_hart,
                                         .harts = t->hart_count,
                                         .lanes = t->width,
                                         .buckets = u->kind->bucket_rows,
                                         .bucket_count = u->kind->bucket_count,
                                         .issued = IN_issued});
    return true;
}

void simt_watched_destroy(struct unit *u)
{
    struct simt *t = (struct simt *)u;
    struct simt_watch *watch = t->watch;
    if (!watch)
        return;
    for (uint32_t i = 0; i < t->hart_count; i++)
        free(watch->stacks[i].frames);
    for (unsigned k = 0; k < TRACE_OF_CORES; k++)
        hart_trace_free(watch->traces[k]);
    code_profile_free(watch->profile);
    free(watch->stacks);
    free(watch->warps);
    free(watch);
}

/* ---- checkpoints ---- */

static void keep_warp(struct simt_watch *watch, struct warp_watch *w,
                      struct state *s)
{
    const struct code_profile *p = watch->profile;
    state_bytes(s, w, sizeof *w);
    bool known = w->site < p->site_count && w->call < p->call_count &&
                 w->bucket < p->buckets;
    for (unsigned i = 0; i < TABLE_COUNT(w->loads); i++)
        known &= w->loads[i] < p->site_count;
    if (!known)
        state_fail(s, "a warp is at an instruction that its profile lacks");
}

static void take_frames(void *to, const void *from)
{
    ((struct call_stack *)to)->frames =
        ((const struct call_stack *)from)->frames;
    ((struct call_stack *)to)->room = ((const struct call_stack *)from)->room;
}

void simt_watched_keep(struct unit *u, struct state *s)
{
    struct simt *t = (struct simt *)u;
    struct simt_watch *watch = t->watch;
    simt_keep(u, s);
    STATE_REST(s, *watch); /* its parts are kept, and all warps are looked at */
    code_profile_state(watch->profile, s);
    for (uint32_t i = 0; i < t->warp_count; i++)
        keep_warp(watch, &watch->warps[i], s);
    for (uint32_t i = 0; i < t->hart_count; i++) {
        state_struct(s, &watch->stacks[i], sizeof watch->stacks[i],
                     take_frames);
        call_stack_state(&watch->stacks[i], watch->profile, s);
    }
    for (unsigned k = 0; k < TRACE_OF_CORES; k++)
        if (watch->traces[k])
            hart_trace_state(watch->traces[k], s);
}

/* ---- what the host reads ---- */

struct code_profile *simt_profile(struct unit *u)
{
    const struct simt *t = (const struct simt *)u;
    return t->watch ? t->watch->profile : NULL;
}

struct hart_trace *simt_trace(struct unit *u, unsigned kind)
{
    const struct simt *t = (const struct simt *)u;
    return t->watch && kind < TRACE_OF_CORES ? t->watch->traces[kind] : NULL;
}

/* ---- traces ---- */

static uint32_t first_hart(const struct simt *t, const struct warp_watch *w)
{
    return t->first_hart + (uint32_t)(w - t->watch->warps) * t->width;
}

static void record(const struct simt *t, const struct warp_watch *w,
                   struct trace_record r)
{
    r.hart = first_hart(t, w);
    r.pc = w->pc;
    hart_traces_add(t->watch->traces, &r);
}

/* As warps have been since they were last looked at. */
void simt_watch_begins(struct simt *t, uint64_t now)
{
    for (unsigned k = 0; k < TRACE_OF_CORES; k++) {
        struct hart_trace *trace = t->watch->traces[k];
        if (!trace || trace->begun || now < trace->window->from)
            continue;
        trace->begun = true;
        for (uint32_t i = 0; i < t->warp_count; i++) {
            const struct warp_watch *w = &t->watch->warps[i];
            hart_trace_begin(
                trace, &(struct trace_record){.cycle = trace->window->from,
                                              .pc = w->pc,
                                              .hart = first_hart(t, w),
                                              .event = TRACE_STATE,
                                              .bucket = w->bucket});
        }
    }
}

/* Registers of the warp that wait for a result in cycle now. */
static uint64_t waiting(const struct simt_warp *w, uint64_t registers,
                        uint64_t now)
{
    uint64_t wait = registers & w->pending;
    for (uint64_t m = registers & w->timed & ~wait; m; m &= m - 1)
        wait |= (uint64_t)(w->ready[first_of(m)] > now) << first_of(m);
    return wait;
}

/* The results that an instruction has waited for are there when none of its
 * registers waits. */
static void see_results(const struct simt *t, struct warp_watch *w,
                        uint64_t still, uint64_t now)
{
    uint64_t come = result_watch_come(&w->results, still);
    uint32_t number;
    while (result_watch_done(&w->results, &come, &number))
        record(t, w,
               (struct trace_record){
                   .cycle = now, .number = number, .event = TRACE_DONE});
}

static void record_issue(const struct simt *t, struct warp_watch *w,
                         uint64_t now, const struct isa_insn *insn,
                         unsigned lanes)
{
    uint32_t number = (uint32_t)(w - t->watch->warps);
    uint64_t writes =
        insn ? waiting(&t->warps[number], insn->writes, now + 1) : 0;
    if (w->results.pending & writes) /* of an earlier one, which came now */
        see_results(t, w, w->results.pending & ~writes, now);
    record(t, w,
           (struct trace_record){.cycle = now,
                                 .number = w->results.issued,
                                 .event = TRACE_ISSUE,
                                 .waits = writes != 0,
                                 .lanes = (uint8_t)lanes});
    result_watch_issue(&w->results, writes);
}

/* The earliest cycle in which a result inside the SM is there that a trace
 * tells. */
static uint64_t next_result(const struct simt *t, uint64_t now)
{
    uint64_t next = CYCLE_NEVER;
    for (uint32_t i = 0; t->watch->traces[TRACE_PIPELINE] && i < t->warp_count;
         i++) {
        const struct simt_warp *w = &t->warps[i];
        uint64_t timed =
            t->watch->warps[i].results.pending & w->timed & ~w->pending;
        for (; timed; timed &= timed - 1) {
            uint64_t ready = w->ready[first_of(timed)];
            next = ready > now && ready < next ? ready : next;
        }
    }
    return next;
}

/* ---- what warps do ---- */

/* The warp's cycles before now belong to where it was. */
static void spend(const struct simt *t, struct warp_watch *w, uint64_t now)
{
    if (now > w->from) {
        code_profile_add(t->watch->profile, w->site, w->bucket, now - w->from);
        w->from = now;
    }
}

/* The warp's path, or how it has come to it, is another one. */
static void come_to(const struct simt *t, struct warp_watch *w, uint64_t pc,
                    uint32_t call)
{
    w->pc = pc;
    w->call = call;
    w->site = code_profile_site(t->watch->profile, call, pc, w->site);
}

static void look(const struct simt *t, uint32_t number, uint64_t now)
{
    const struct simt_warp *of = &t->warps[number];
    struct warp_watch *w = &t->watch->warps[number];
    if (w->results.pending)
        see_results(t, w, waiting(of, w->results.pending, now), now);
    uint64_t pc = w->pc;
    uint32_t call = w->call;
    if (of->live) {
        const struct simt_path *p = &of->paths[of->current];
        pc = p->pc;
        w->mask = p->mask;
        w->live = of->live;
        call = t->watch->stacks[slot_of(t, of, first_of(p->mask))].call;
    }
    if (w->bucket == of->bucket && w->pc == pc && w->call == call)
        return;
    spend(t, w, now);
    if (w->pc != pc || w->call != call)
        come_to(t, w, pc, call);
    if (w->bucket != of->bucket)
        record(t, w,
               (struct trace_record){.cycle = w->from > now ? w->from : now,
                                     .event = TRACE_STATE,
                                     .bucket = of->bucket});
    w->bucket = of->bucket;
}

void simt_watch_all(struct simt *t)
{
    if (t->watch)
        t->watch->all = true;
}

/* The warps of a sub-core that issue or send something. */
static uint64_t moving(const struct simt_subcore *s)
{
    return s->ready | s->timed | s->queued | s->acting;
}

/* Results inside the SM, which a trace of the pipeline tells, come unseen. */
void simt_watch_looks(struct simt *t, uint64_t now)
{
    struct simt_watch *watch = t->watch;
    bool all = watch->all || watch->traces[TRACE_PIPELINE];
    for (unsigned i = 0; i < t->subcore_count; i++) {
        const struct simt_subcore *s = &t->subcores[i];
        uint64_t m = watch->looks[i].moved | watch->looks[i].met | moving(s);
        for (m = all ? 0 : m; m; m &= m - 1)
            look(t, warp_number(t, warp_of(t, s, first_of(m))), now);
        watch->looks[i].moved = moving(s);
        watch->looks[i].met = 0;
    }
    for (uint32_t i = 0; all && i < t->warp_count; i++)
        look(t, i, now);
    watch->all = false;
}

static void meet(struct simt *t, uint32_t warp)
{
    t->watch->looks[warp % t->subcore_count].met |=
        bit(warp / t->subcore_count);
}

uint64_t simt_watch_sent(struct simt *t, uint64_t now)
{
    simt_watch_looks(t, now);
    for (unsigned i = 0; i < t->subcore_count; i++)
        assert(t->subcores[i].slot == simt_slot_of(t, &t->subcores[i]));
    return next_result(t, now);
}

/* Lanes have jumped, each to where it is now. */
static void follow(const struct simt *t, const struct warp_watch *w,
                   const struct isa_insn *jump)
{
    const struct simt_warp *of = &t->warps[w - t->watch->warps];
    for (unsigned i = 0; i < of->path_count; i++) {
        const struct simt_path *p = &of->paths[i];
        for (uint64_t m = p->pc == w->pc ? 0 : p->mask & w->mask; m; m &= m - 1)
            code_profile_jump(t->watch->profile,
                              &t->watch->stacks[slot_of(t, of, first_of(m))],
                              jump, w->pc, p->pc, t->address_mask);
    }
}

/* The warp has issued the instruction that it was at. */
static void see_issue(struct simt *t, struct warp_watch *w, uint64_t now,
                      const uint64_t *before)
{
    struct code_profile *p = t->watch->profile;
    const struct isa_insn *insn = insn_at(t, w->pc);
    spend(t, w, now);
    code_profile_add(p, w->site, IN_issued, 1);
    code_profile_add(p, w->site, p->lanes.active, lane_count(w->mask));
    code_profile_add(p, w->site, p->lanes.live, lane_count(w->live));
    add_counters(t, w->site, p->lanes.live + 1, at_issue, AT_ISSUE, before);
    w->from = now + 1;
    record_issue(t, w, now, insn, lane_count(w->mask));
    if (insn->cls == ISA_CLASS_load || insn->cls == ISA_CLASS_amo)
        w->loads[insn->writes ? first_of(insn->writes) : 0] = w->site;
    if (insn->cls == ISA_CLASS_jump)
        follow(t, w, insn);
}

void simt_watch_issue(struct simt *t, struct simt_subcore *s, uint64_t now)
{
    uint64_t issued = t->stats.issued, before[AT_ISSUE];
    read_counters(t, at_issue, AT_ISSUE, before);
    simt_issue_one(t, s, now);
    if (t->stats.issued != issued)
        see_issue(t, &t->watch->warps[warp_number(t, warp_of(t, s, s->last))],
                  now, before);
}

/* An answer of the L1 counts for the load that asked. */
void simt_watch_data(struct simt *t, const struct msg *m, uint64_t now)
{
    const struct simt_op *op = simt_op_of_data(t, m);
    uint32_t site = 0;
    uint64_t before[OF_LOADS];
    if (op)
        site = t->watch->warps[op->warp]
                   .loads[op->writes ? first_of(op->writes) : 0];
    meet(t, simt_warp_of_data(t, m));
    read_counters(t, of_loads, OF_LOADS, before);
    simt_use_data(t, m, now);
    add_counters(t, site, t->watch->profile->hits, of_loads, OF_LOADS, before);
}

void simt_watch_answer(struct simt *t, const struct msg *m, uint64_t now)
{
    meet(t, simt_warp_of_answer(t, m));
    simt_use_answer(t, m, now);
}

/* Several warps may have waited for it. */
void simt_watch_code(struct simt *t, const struct msg *m, uint64_t now)
{
    t->watch->all = true;
    simt_use_code(t, m, now);
}

/* Warps that have no path yet are where their harts are. */
void simt_watch_start(struct simt *t)
{
    for (uint32_t i = 0; i < t->warp_count; i++)
        if (!t->warps[i].live)
            come_to(t, &t->watch->warps[i],
                    hart_of(t, &t->warps[i], 0)->isa.pc & t->address_mask, 0);
}

void simt_watch_close(struct simt *t, uint64_t now)
{
    for (uint32_t i = 0; i < t->warp_count; i++)
        spend(t, &t->watch->warps[i], now);
}
