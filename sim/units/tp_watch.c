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
#include "sim/units/code_profile.h"
#include "sim/units/tp_slot.h"
#include <stdlib.h>

/* What is known of a hart. */
struct tp_watch {
    uint64_t from; /* its cycles before this one are counted */
    uint64_t pc;   /* of the instruction that it is at */
    uint32_t site; /* the same in the profile */
    uint8_t bucket;
    struct call_stack stack;
    uint32_t loads[64]; /* sites of the last loads, by their register */
};

/* ---- construction ---- */

/* The events are rows of the kind's tables: the buckets, then where loads were
 * served. */
static struct code_profile *new_profile(const struct unit_kind *kind)
{
    struct code_profile *p = code_profile_new();
    p->buckets = kind->bucket_count;
    p->issued = IN_issued;
    p->idle = IN_parked;
    p->hits = kind->bucket_count;
    for (unsigned i = 0; i < kind->bucket_count; i++)
        p->events[p->event_count++] = &kind->bucket_rows[i];
    for (unsigned i = 0; i < kind->stat_count; i++) {
        size_t at = kind->stat_rows[i].offset;
        if (at >= offsetof(struct tp_stats, loads_first) &&
            at <= offsetof(struct tp_stats, loads_joined))
            p->events[p->event_count++] = &kind->stat_rows[i];
    }
    assert(p->event_count == p->hits + LOAD_ROWS &&
           p->event_count <= PROFILE_EVENTS_MAX);
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
    return true;
}

void tp_watched_destroy(struct unit *u)
{
    struct tp *t = (struct tp *)u;
    for (uint32_t i = 0; t->watch && i < t->hart_count; i++)
        free(t->watch[i].stack.frames);
    free(t->watch);
    if (t->common && t->common->first == t)
        code_profile_free(t->common->profile);
}

struct code_profile *tp_profile(struct unit *u)
{
    const struct tp *t = (const struct tp *)u;
    return t->common->profile;
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

/* The hart has come to another instruction, however. */
static void come_to(struct tp *t, struct tp_watch *w, uint64_t pc)
{
    w->pc = pc;
    w->site = code_profile_site(t->common->profile, w->stack.call,
                                in_profile(t, pc), w->site);
}

/* The convention of RISC-V for predictors of returns: x1 and x5 hold addresses
 * to return to. */
static bool is_link(unsigned number)
{
    return number == 1 || number == 5;
}

/* A jump is issued: does it call or return? From another register it returns if
 * it leads to where the innermost call was made. */
static void follow(struct tp *t, struct tp_watch *w,
                   const struct isa_insn *jump, uint64_t to)
{
    bool calls = is_link(jump->rd);
    bool same = calls && jump->rd == jump->rs1;
    if (jump->reads && !same)
        code_profile_return(&w->stack, in_profile(t, to), is_link(jump->rs1));
    if (calls)
        code_profile_call(t->common->profile, &w->stack, in_profile(t, w->pc),
                          in_profile(t, to), in_profile(t, w->pc + jump->len));
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
    if (insn && insn->cls == ISA_CLASS_load)
        w->loads[insn->writes ? mask_first(insn->writes) : 0] = w->site;
    if (insn && insn->cls == ISA_CLASS_jump && to != w->pc)
        follow(t, w, insn, to);
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
        if (w->bucket == t->slots[i].bucket && w->pc == pc)
            continue;
        spend(t, w, now);
        w->bucket = t->slots[i].bucket;
        if (w->pc != pc)
            come_to(t, w, pc);
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
    uint64_t next = tp_send(u, now);
    if (t->busy_until != busy)
        see_issue(t, now);
    look(t, now);
    return next;
}

void tp_watched_close(struct unit *u, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    tp_close(u, now);
    for (uint32_t i = 0; i < t->hart_count; i++)
        spend(t, &t->watch[i], now);
}
