/*
 * Paths of a warp: lanes that stand at one pc. They are sorted, the deepest
 * call first, then the lowest pc; two at the same place, in a call of the same
 * depth, are one. So paths join where programs come together again, without
 * any mark in the program: code that is behind in the order of addresses is
 * waited for. (Collange, "Simty: generalized SIMT execution on RISC-V",
 * CARRV 2017.)
 *
 * How deep a lane is in calls is counted by the calling convention: jal and
 * jalr that link to ra or t0 call, jalr from one of them that links nowhere
 * returns. A wrong count costs joins, no result.
 *
 * Lanes that begin a kernel do so at different places, as one of them launches
 * it. Until they call it they go first, so that all of them enter it together.
 */
#include "sim/units/simt/simt_private.h"

/* Less than 0: a comes before b; 0: they are one. */
static int order(const struct simt_path *a, const struct simt_path *b)
{
    if (a->depth != b->depth)
        return a->depth > b->depth ? -1 : 1;
    return a->pc < b->pc ? -1 : a->pc > b->pc;
}

void simt_settle(struct simt *t, struct simt_warp *w, struct simt_path *p)
{
    if (!p->executed)
        return;
    for (uint64_t m = p->mask; m; m &= m - 1)
        hart_of(t, w, first_of(m))->isa.instret += p->executed;
    p->executed = 0;
}

/* ---- warps that do not get on ---- */

/* Lanes have come or gone: from now on the warp is looked at anew. */
static void gets_on(const struct simt *t, struct simt_warp *w)
{
    w->since = unit_now(&t->unit);
    w->low = UINT64_MAX;
    w->high = 0;
    w->looks = 0;
}

/* The current one of several paths comes to a pc: is that beyond its loop? */
static void comes_to(const struct simt *t, struct simt_warp *w, uint64_t pc)
{
    if (pc >= w->low && pc <= w->high)
        return;
    w->low = pc < w->low ? pc : w->low;
    w->high = pc > w->high ? pc : w->high;
    w->since = unit_now(&t->unit);
    w->looks = 0;
}

/* Where all lanes are and what they have in their registers, as one number. */
static uint64_t state_of(const struct simt *t, const struct simt_warp *w)
{
    const uint64_t prime = 0x9e3779b97f4a7c15u;
    uint64_t sum = 0;
    for (unsigned k = 0; k < w->path_count; k++)
        sum = ((sum ^ w->paths[k].pc) * prime ^ w->paths[k].mask) * prime;
    for (uint64_t m = w->live; m; m &= m - 1) {
        const struct isa_hart *hart = &hart_of(t, w, first_of(m))->isa;
        for (unsigned i = 0; i < 32; i++) {
            sum = (sum ^ hart->x[i]) * prime;
            sum = (sum ^ sum >> 32 ^ hart->f[i]) * prime;
        }
    }
    return sum;
}

/*
 * Lanes that come back to one state again and again wait for something; others
 * work, and may do so for long. States are compared at the beginning of the
 * loop, each with one of those before: it is the first, then the second, fourth
 * and so on, so that a cycle of any length up to VISITS is found (Brent's
 * algorithm).
 */
enum { LOOKS = 4, VISITS = 4096 };

void simt_look(const struct simt *t, struct simt_warp *w)
{
    comes_to(t, w, w->paths[w->current].pc);
    if (!w->looks || w->paths[w->current].pc != w->low || w->looks > LOOKS)
        return;
    uint64_t now = state_of(t, w);
    if (w->looks == 1) {
        w->looks++;
        w->visits = 0;
        w->seen = now;
    } else if (now == w->seen) {
        w->looks++;
    } else if (++w->visits > VISITS) {
        gets_on(t, w);
    } else if (!(w->visits & (w->visits - 1))) {
        w->looks = 2;
        w->seen = now;
    }
}

static void describe(const struct simt *t, const struct simt_warp *w,
                     uint64_t cycles, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size,
                                 "%s, warp %u, harts from %u on:", t->unit.name,
                                 warp_number(t, w), hart_of(t, w, 0)->isa.id);
    unsigned told = 0;
    for (unsigned i = 0; i < w->path_count && told < 4 && at < size; i++)
        if (w->paths[i].mask)
            at += (size_t)snprintf(
                text + at, size - at, "%s lanes 0x%llx at pc 0x%llx",
                told++ ? "," : "", (unsigned long long)w->paths[i].mask,
                (unsigned long long)w->paths[i].pc);
    if (at < size)
        snprintf(text + at, size - at,
                 "%s have not left their loop for %llu cycles, and come back "
                 "to the same state (reconvergence %s)",
                 path_count(w) > 4 ? ", and others," : "",
                 (unsigned long long)cycles, t->reconverge->name);
}

bool simt_stuck(struct unit *u, uint64_t now, uint64_t cycles, char *text,
                size_t size)
{
    struct simt *t = (struct simt *)u;
    for (uint32_t i = 0; i < t->warp_count && !t->reconverge->bounded; i++) {
        struct simt_warp *w = &t->warps[i];
        if (path_count(w) < 2 || now - w->since < cycles)
            continue;
        if (w->looks <= LOOKS) {
            w->looks += !w->looks; /* the next time there is an answer */
            continue;
        }
        describe(t, w, cycles, text, size);
        return true;
    }
    return false;
}

/* ---- the list ---- */

void simt_take_path(struct simt_warp *w, unsigned place)
{
    w->path_count--;
    memmove(&w->paths[place], &w->paths[place + 1],
            (w->path_count - place) * sizeof *w->paths);
}

void simt_put_path(struct simt_warp *w, unsigned place,
                   const struct simt_path *path)
{
    memmove(&w->paths[place + 1], &w->paths[place],
            (w->path_count - place) * sizeof *w->paths);
    w->paths[place] = *path;
    w->paths[place].lanes = lane_count(path->mask);
    w->path_count++;
}

void simt_join(struct simt *t, struct simt_warp *w, struct simt_path *into,
               struct simt_path *p)
{
    simt_settle(t, w, into);
    simt_settle(t, w, p);
    into->mask |= p->mask;
    into->lanes += lane_count(p->mask);
    if (p->turn - into->turn < 1u << 31)
        into->turn = p->turn;
    t->stats.joins++;
}

/* Puts the path where it belongs and returns its place. */
static unsigned put(struct simt *t, struct simt_warp *w, struct simt_path path)
{
    unsigned place = 0;
    int after = 1;
    while (place < w->path_count &&
           (after = order(&path, &w->paths[place])) > 0)
        place++;
    if (place < w->path_count && !after) {
        simt_join(t, w, &w->paths[place], &path);
        return place;
    }
    simt_put_path(w, place, &path);
    return place;
}

static void add_sorted(struct simt *t, struct simt_warp *w,
                       const struct simt_path *path)
{
    put(t, w, *path);
}

void simt_choose_path(struct simt *t, struct simt_warp *w)
{
    w->current = w->path_count > 1 ? (uint8_t)t->reconverge->choose(t, w) : 0;
}

/* Is the path that has moved still where it belongs, alone? */
static bool in_place(const struct simt_warp *w)
{
    const struct simt_path *p = &w->paths[w->current];
    return (w->current == 0 || order(p - 1, p) < 0) &&
           (w->current == w->path_count - 1 || order(p, p + 1) < 0);
}

/* The current path goes to another place, or joins the one that is there. */
static void moves_to(struct simt *t, struct simt_warp *w)
{
    struct simt_path path = w->paths[w->current];
    simt_take_path(w, w->current);
    w->current = (uint8_t)put(t, w, path);
}

static void moved_sorted(struct simt *t, struct simt_warp *w)
{
    w->paths[w->current].turn = w->issued;
    simt_look(t, w);
    if (!in_place(w))
        moves_to(t, w);
    simt_choose_path(t, w);
}

/* ---- lanes come and go ---- */

/* Are the sub-core's warps as old as their numbers say? */
static bool in_order(const struct simt *t, const struct simt_subcore *s)
{
    for (unsigned i = 1; i < (uint32_t)t->params.warps; i++)
        if (warp_of(t, s, i)->age < warp_of(t, s, i - 1)->age)
            return false;
    return true;
}

static void begin_warp(struct simt *t, struct simt_warp *w)
{
    struct simt_subcore *s = subcore_of(t, w);
    w->age = t->ages++;
    s->in_order = in_order(t, s);
}

void simt_lane_joins(struct simt *t, struct simt_warp *w, unsigned lane)
{
    uint32_t slot = slot_of(t, w, lane);
    uint64_t joins = t->stats.joins;
    struct simt_path path = {.pc = t->harts[slot].isa.pc & t->address_mask,
                             .mask = bit(lane),
                             .depth = t->depth[slot],
                             .turn = w->issued};
    if (!(w->live | w->waiting))
        begin_warp(t, w);
    simt_book_lanes(t, w);
    w->live |= bit(lane);
    gets_on(t, w);
    if (t->meetings)
        path.meeting = t->meetings[slot];
    t->reconverge->add(t, w, &path);
    t->stats.joins = joins; /* nothing had parted them */
    simt_choose_path(t, w);
}

static void part(struct simt *t, struct simt_warp *w, struct simt_path *p,
                 uint64_t lanes)
{
    simt_settle(t, w, p);
    for (uint64_t m = lanes; m; m &= m - 1) {
        uint32_t slot = slot_of(t, w, first_of(m));
        t->harts[slot].isa.pc = p->pc;
        t->depth[slot] = p->depth;
        if (t->meetings)
            t->meetings[slot] = p->meeting;
    }
    p->mask &= ~lanes;
    p->lanes = lane_count(p->mask);
}

void simt_lanes_part(struct simt *t, struct simt_warp *w, uint64_t lanes)
{
    for (unsigned i = 0; i < w->path_count; i++)
        if (w->paths[i].mask & lanes)
            part(t, w, &w->paths[i], w->paths[i].mask & lanes);
    simt_book_lanes(t, w);
    w->live &= ~lanes;
    gets_on(t, w);
    t->reconverge->lanes_left(t, w);
}

static void drop_empty(struct simt *t, struct simt_warp *w)
{
    for (unsigned i = w->path_count; i-- > 0;)
        if (!w->paths[i].mask) {
            simt_take_path(w, i);
            w->current = (uint8_t)(w->current - (w->current > i));
        }
    if (w->current >= w->path_count)
        simt_choose_path(t, w);
}

/* ---- instructions ---- */

#define LINKS (1u << 1 | 1u << 5) /* ra, t0 */

int simt_depth_of(const struct isa_insn *insn)
{
    if (insn->cls != ISA_CLASS_jump)
        return 0;
    if (LINKS >> insn->rd & 1)
        return 1;
    return insn->rd == 0 && insn->reads & LINKS ? -1 : 0;
}

static int32_t depth_behind(int32_t depth, const struct isa_insn *insn)
{
    int deeper = simt_depth_of(insn);
    if (depth != SIMT_BEGINS)
        return depth + deeper;
    return deeper > 0 ? 0 : depth;
}

static bool all_at(const uint64_t *at, uint64_t lanes, uint64_t target)
{
    uint64_t other = 0;
    for (uint64_t m = lanes; m; m &= m - 1)
        other |= at[first_of(m)] ^ target;
    return !other;
}

static uint64_t lanes_at(const uint64_t *at, uint64_t lanes, uint64_t target)
{
    uint64_t some = 0;
    for (uint64_t m = lanes; m; m &= m - 1)
        some |= (uint64_t)(at[first_of(m)] == target) << first_of(m);
    return some;
}

void simt_next_part(const struct simt *t, struct simt_path *path, uint64_t left,
                    uint64_t jumped, const uint64_t *at, uint64_t behind)
{
    uint64_t target = behind;
    path->mask = left & ~jumped;
    if (!path->mask) {
        target = at[first_of(left)];
        path->mask = lanes_at(at, left, target);
    }
    path->pc = target & t->address_mask;
}

static unsigned split_sorted(struct simt *t, struct simt_warp *w,
                             const struct isa_insn *insn, uint64_t jumped,
                             const uint64_t *at)
{
    struct simt_path path = w->paths[w->current];
    uint64_t all = path.mask, behind = path.pc + insn->len;
    unsigned parts = 0;
    simt_take_path(w, w->current);
    path.turn = w->issued;
    for (uint64_t left = all; left; left &= ~path.mask, parts++) {
        simt_next_part(t, &path, left, jumped, at, behind);
        put(t, w, path);
    }
    return parts;
}

/* The lanes of the current path go to different places. */
static void split(struct simt *t, struct simt_warp *w,
                  const struct isa_insn *insn, uint64_t jumped,
                  const uint64_t *at)
{
    simt_settle(t, w, &w->paths[w->current]);
    t->stats.splits += t->reconverge->split(t, w, insn, jumped, at) - 1;
    simt_choose_path(t, w);
}

void simt_path_moves(struct simt *t, struct simt_warp *w,
                     const struct isa_insn *insn, uint64_t jumped,
                     const uint64_t *at)
{
    struct simt_path *p = &w->paths[w->current];
    p->executed++;
    if (jumped)
        p->depth = depth_behind(p->depth, insn);
    if (!jumped)
        p->pc = (p->pc + insn->len) & t->address_mask;
    else if (jumped == p->mask && all_at(at, jumped, at[first_of(jumped)]))
        p->pc = at[first_of(jumped)];
    else {
        split(t, w, insn, jumped, at);
        return;
    }
    if (w->path_count > 1)
        t->reconverge->moved(t, w);
}

/* ---- the table of policies ---- */

#define SORTED                                                                 \
    .add = add_sorted, .lanes_left = drop_empty, .moved = moved_sorted,        \
    .split = split_sorted

static unsigned first_path(struct simt *t, struct simt_warp *w)
{
    return 0;
}

static const struct simt_reconvergence simt_reconverge_min_sp_pc = {
    .name = "min_sp_pc", SORTED, .choose = first_path};

/* As min_sp_pc, but a path that has waited for path_turn instructions of its
 * warp gets half as many in a row: with as many the others would wait as long
 * again, and take turns for ever where they could join. */
static unsigned by_turn(struct simt *t, struct simt_warp *w)
{
    uint32_t turn = (uint32_t)t->params.path_turn, longest = turn;
    unsigned chosen = 0;
    if (w->current < w->path_count && (int32_t)(w->turn_end - w->issued) > 0)
        return w->current;
    for (unsigned i = 0; i < w->path_count; i++) {
        uint32_t waited = w->issued - w->paths[i].turn;
        if (waited > longest) {
            longest = waited;
            chosen = i;
            w->turn_end = w->issued + (turn + 1) / 2;
        }
    }
    return chosen;
}

static const struct simt_reconvergence simt_reconverge_independent = {
    .name = "independent", .bounded = true, SORTED, .choose = by_turn};

#undef SORTED
#define ROW(name) &simt_reconverge_##name,
const struct simt_reconvergence *const simt_reconvergences[] = {
    SIMT_RECONVERGENCES(ROW, ROW)};
#undef ROW
