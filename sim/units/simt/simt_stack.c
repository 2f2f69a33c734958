/*
 * Paths on a stack: where a path's lanes part, they wait for each other at the
 * immediate post-dominator (simt_postdom.h), or behind the return of their
 * function if there is none before. The part that has jumped goes first.
 *
 * A path that others meet at has a number; it lies below them, without lanes
 * until the first comes, and goes on when no path above it has lanes. Parts
 * that would meet where their path does already meet there. A path that is not
 * where it should meet (it has left the function by another way, or those at
 * the meeting have gone on, as its lanes were in a service) goes on beside it,
 * and meets where the meeting path does next. So lanes that are away hold no
 * others up, and a wrong place costs joins, no result.
 *
 * Paths that meet nowhere join where one comes to the place of another.
 */
#include "sim/core/heap.h"
#include "sim/units/simt/simt_private.h"

enum { NOWHERE = -1 };

/* ---- who meets where ---- */

/* Has the path come to its meeting, or beyond it? */
static bool has_come(const struct simt_path *p)
{
    const struct simt_meeting *m = &p->meeting;
    if (!m->at || p->depth != m->depth)
        return m->at && p->depth < m->depth;
    return m->pc == POSTDOM_RETURNS || p->pc == m->pc;
}

/* The place of a path by its number. */
static int place_of(const struct simt_warp *w, uint32_t number)
{
    for (unsigned i = 0; i < w->path_count; i++)
        if (w->paths[i].number == number)
            return (int)i;
    return NOWHERE;
}

static uint64_t lanes_away(const struct simt *t, const struct simt_warp *w)
{
    return ~0ull >> (64 - t->width) & ~w->live;
}

/* A path without lanes is one at which at least two others, or lanes that are
 * away, are to meet: so there are less than two paths for each lane. */
static void put_path(const struct simt *t, struct simt_warp *w, unsigned place,
                     const struct simt_path *path)
{
    assert(w->path_count < 2 * t->width);
    simt_put_path(w, place, path);
}

/* Paths and lanes that were to meet at a path which is gone meet where that one
 * was to meet. */
static void meet_elsewhere(struct simt *t, struct simt_warp *w,
                           const struct simt_path *gone)
{
    for (unsigned i = 0; gone->number && i < w->path_count; i++)
        if (w->paths[i].meeting.at == gone->number)
            w->paths[i].meeting = gone->meeting;
    for (uint64_t m = lanes_away(t, w); gone->number && m; m &= m - 1) {
        struct simt_meeting *meeting = &t->meetings[slot_of(t, w, first_of(m))];
        if (meeting->at == gone->number)
            *meeting = gone->meeting;
    }
}

static void remove_path(struct simt *t, struct simt_warp *w, unsigned place)
{
    struct simt_path gone = w->paths[place];
    simt_take_path(w, place);
    w->current = (uint8_t)(w->current - (w->current > place));
    meet_elsewhere(t, w, &gone);
}

/* How many paths, and lanes that are away, are to meet at a path. */
static unsigned expected_at(const struct simt *t, const struct simt_warp *w,
                            uint32_t number)
{
    unsigned n = 0;
    for (unsigned i = 0; i < w->path_count; i++)
        n += w->paths[i].meeting.at == number;
    for (uint64_t m = lanes_away(t, w); m; m &= m - 1)
        n += t->meetings[slot_of(t, w, first_of(m))].at == number;
    return n;
}

/* Paths without lanes go, but for those at which several are still to meet. */
static void remove_useless(struct simt *t, struct simt_warp *w)
{
    for (unsigned i = w->path_count; i-- > 0;) {
        const struct simt_path *p = &w->paths[i];
        if (p->mask || (p->number && expected_at(t, w, p->number) > 1))
            continue;
        remove_path(t, w, i);
        i = w->path_count; /* those before may have become so by it */
    }
}

/* Path p, which is at its meeting, becomes part of the one that waits there.
 * False: that one is elsewhere. */
static bool joins(struct simt *t, struct simt_warp *w, unsigned place,
                  unsigned waits)
{
    struct simt_path p = w->paths[place];
    struct simt_path *into = &w->paths[waits];
    if (into->mask ? into->pc != p.pc || into->depth != p.depth
                   : p.depth != p.meeting.depth)
        return false;
    if (into->mask) {
        simt_join(t, w, into, &p);
    } else {
        simt_settle(t, w, &p);
        into->pc = p.pc;
        into->depth = p.depth;
        into->mask = p.mask;
        into->lanes = p.lanes;
    }
    remove_path(t, w, place);
    return true;
}

/* The path at a place has come to its meeting. */
static void meets(struct simt *t, struct simt_warp *w, unsigned place)
{
    struct simt_path *p = &w->paths[place];
    int waits = place_of(w, p->meeting.at);
    if (waits == NOWHERE) {
        p->meeting.at = 0;
        return;
    }
    if (joins(t, w, place, (unsigned)waits))
        return;
    p->meeting = w->paths[waits].meeting;
    remove_useless(t, w);
}

/* ---- the policy ---- */

/* Lanes that begin a kernel go first, until they have called it; else the
 * highest path that has lanes. */
static unsigned highest(const struct simt_warp *w)
{
    unsigned place = w->path_count;
    for (unsigned i = w->path_count; i-- > 0;) {
        const struct simt_path *p = &w->paths[i];
        if (p->mask && (place == w->path_count || p->depth == SIMT_BEGINS))
            place = i;
        if (p->mask && p->depth == SIMT_BEGINS)
            break;
    }
    return place < w->path_count ? place : 0;
}

static unsigned choose(struct simt *t, struct simt_warp *w)
{
    unsigned place = highest(w);
    while (w->paths[place].mask && has_come(&w->paths[place])) {
        meets(t, w, place);
        place = highest(w);
    }
    return place;
}

/* The place of another path that stands where p does and meets where it does.
 */
static int twin_of(const struct simt_warp *w, const struct simt_path *p)
{
    for (unsigned i = 0; i < w->path_count; i++) {
        const struct simt_path *q = &w->paths[i];
        if (q != p && q->mask && q->pc == p->pc && q->depth == p->depth &&
            q->meeting.at == p->meeting.at)
            return (int)i;
    }
    return NOWHERE;
}

static void add(struct simt *t, struct simt_warp *w,
                const struct simt_path *path)
{
    struct simt_path p = *path;
    int twin = twin_of(w, path);
    if (twin != NOWHERE)
        simt_join(t, w, &w->paths[twin], &p);
    else
        put_path(t, w, w->path_count, &p);
    remove_useless(t, w);
}

static void lanes_left(struct simt *t, struct simt_warp *w)
{
    remove_useless(t, w);
    if (w->current >= w->path_count || !w->paths[w->current].mask)
        simt_choose_path(t, w);
}

static void moved(struct simt *t, struct simt_warp *w)
{
    struct simt_path *p = &w->paths[w->current];
    simt_look(t, w);
    if (p->meeting.at && !has_come(p))
        return;
    int twin = p->meeting.at ? NOWHERE : twin_of(w, p);
    if (twin != NOWHERE) {
        simt_join(t, w, &w->paths[twin], p);
        remove_path(t, w, w->current);
    }
    simt_choose_path(t, w);
}

/* Where the parts of a path meet: behind what they call, each another; where
 * the ways of a branch do; or where the function returns to. Parts that return
 * to several places meet where their path does. */
static struct simt_meeting meeting_of(const struct simt *t,
                                      const struct simt_path *p,
                                      const struct isa_insn *insn)
{
    int deeper = simt_depth_of(insn);
    struct simt_meeting m = {.pc = POSTDOM_RETURNS, .depth = p->depth};
    if (deeper < 0)
        return p->meeting;
    if (deeper > 0)
        m.pc = (p->pc + insn->len) & t->address_mask;
    else if (insn->cls == ISA_CLASS_branch)
        m.pc = postdom_of(t->postdom, p->pc);
    if (deeper > 0 || m.pc == POSTDOM_RETURNS)
        m.depth--;
    m.at = p->meeting.at;
    return m;
}

static bool same_place(const struct simt_meeting *a,
                       const struct simt_meeting *b)
{
    return a->at && a->pc == b->pc && a->depth == b->depth;
}

static uint32_t next_number(struct simt_warp *w)
{
    if (!++w->numbered)
        w->numbered++;
    return w->numbered;
}

/* Puts the parts of a path on the stack: at the bottom those that have not
 * jumped, on top the first that have. */
static unsigned push_parts(struct simt *t, struct simt_warp *w,
                           struct simt_path path, uint64_t jumped,
                           const uint64_t *at, uint64_t behind)
{
    const bool some_stay = path.mask & ~jumped;
    const unsigned bottom = w->path_count;
    unsigned parts = 0;
    for (uint64_t left = path.mask; left; left &= ~path.mask, parts++) {
        simt_next_part(t, &path, left, jumped, at, behind);
        put_path(t, w, bottom + (parts && some_stay), &path);
    }
    return parts;
}

static unsigned split(struct simt *t, struct simt_warp *w,
                      const struct isa_insn *insn, uint64_t jumped,
                      const uint64_t *at)
{
    struct simt_path path = w->paths[w->current];
    uint64_t behind = path.pc + insn->len;
    struct simt_meeting m = meeting_of(t, &path, insn);
    remove_path(t, w, w->current);
    path.number = 0;
    if (simt_depth_of(insn) >= 0 && !same_place(&path.meeting, &m)) {
        struct simt_path waits = {.pc = m.pc,
                                  .depth = m.depth,
                                  .meeting = path.meeting,
                                  .number = next_number(w)};
        put_path(t, w, w->path_count, &waits);
        m.at = waits.number;
    }
    path.meeting = m;
    return push_parts(t, w, path, jumped, at, behind);
}

const struct simt_reconvergence simt_reconverge_ipdom = {
    .name = "ipdom",
    .stack = true,
    .add = add,
    .lanes_left = lanes_left,
    .moved = moved,
    .split = split,
    .choose = choose,
};

/* ---- what SMs share ---- */

static const struct shared_kind postdom_kind;

static void free_shared(struct machine *m)
{
    postdom_free(machine_shared(m, &postdom_kind));
    machine_share(m, &postdom_kind, NULL);
}

static const struct shared_kind postdom_kind = {.free = free_shared};

void simt_stack_loaded(struct simt *t)
{
    struct machine *m = t->machine;
    if (!machine_shared(m, &postdom_kind))
        machine_share(m, &postdom_kind,
                      postdom_new(m->text, m->text_range.start,
                                  m->text_range.end - m->text_range.start));
    t->postdom = machine_shared(m, &postdom_kind);
}

/* They follow from the program. */
void simt_keep(struct unit *u, struct state *s)
{
    const struct simt *t = (const struct simt *)u;
    if (t->postdom)
        state_fixed(s, t->postdom);
}
