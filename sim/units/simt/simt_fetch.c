/*
 * Fetch: each sub-core has an instruction cache of its own (L0), whose lines
 * come, sector by sector, from the instruction cache behind the port `fetch`. A
 * warp issues only what lies in the L0; where it meets a line that is not there
 * the line is asked for, and the fetch_ahead lines behind it. What is executed
 * was decoded when the program was loaded, so an L0 holds no bytes.
 */
#include "sim/units/simt/simt_private.h"

enum { LINE = 128, SECTORS = LINE / SECTOR, TAG_WARP = 31 };

/* The parameter l0_sets, which is not 0, and fetch_ahead. */
static bool check_fetch(const struct simt *t, struct error *error)
{
    if (!t->unit.links[FETCH])
        return error_set(error, "l0_sets: there is no fetch link");
    int64_t lines = t->params.l0_sets * t->params.l0_ways;
    if (lines < 2)
        return error_set(error, "l0_sets: an instruction may lie in two lines, "
                                "expected at least 2 of them");
    return t->params.fetch_ahead < lines ||
           error_set(error, "fetch_ahead: at most %d with an L0 of %d lines",
                     (int)lines - 1, (int)lines);
}

bool simt_fetch_build(struct simt *t, struct error *error)
{
    struct chip *chip = t->unit.chip;
    size_t lines = (size_t)(t->params.l0_sets * t->params.l0_ways);
    if (!t->params.l0_sets)
        return true;
    if (!check_fetch(t, error))
        return false;
    t->fetches = true;
    for (unsigned i = 0; i < t->subcore_count; i++)
        t->subcores[i].l0 = chip_alloc(chip, lines, sizeof(struct simt_line));
    t->asked.room = t->subcore_count * (uint32_t)(t->params.fetch_ahead + 1);
    t->asked_lines = chip_alloc(chip, t->asked.room, sizeof *t->asked_lines);
    return true;
}

/* ---- lines ---- */

/* The first line of the set that a line belongs to. */
static struct simt_line *set_of(const struct simt *t, struct simt_subcore *s,
                                uint64_t line)
{
    uint64_t set = line % (uint64_t)t->params.l0_sets;
    return &s->l0[set * (uint64_t)t->params.l0_ways];
}

static struct simt_line *find(const struct simt *t, struct simt_subcore *s,
                              uint64_t line)
{
    struct simt_line *set = set_of(t, s, line);
    for (int64_t i = 0; i < t->params.l0_ways; i++)
        if (set[i].used && set[i].line == line)
            return &set[i];
    return NULL;
}

/* The least recently used line of the set that is not on its way; NULL: all
 * are. */
static struct simt_line *victim(const struct simt *t, struct simt_subcore *s,
                                uint64_t line)
{
    struct simt_line *set = set_of(t, s, line), *least = NULL;
    for (int64_t i = 0; i < t->params.l0_ways; i++)
        if (!set[i].coming && (!least || set[i].used < least->used))
            least = &set[i];
    return least;
}

/* Asks for a line that is neither there nor coming. False: there is no room. */
static bool ask(struct simt *t, struct simt_subcore *s, uint64_t line)
{
    struct simt_line *l = ring_full(&t->asked) ? NULL : victim(t, s, line);
    if (!l)
        return false;
    *l = (struct simt_line){
        .line = line, .used = ++s->l0_clock, .coming = SECTORS};
    t->asked_lines[ring_add(&t->asked)] = (struct simt_asked){
        .line = line, .subcore = (uint8_t)(s - t->subcores)};
    t->stats.fetches++;
    return true;
}

/* Asks for the lines behind one that was not there, while there is room. */
static void ask_ahead(struct simt *t, struct simt_subcore *s, uint64_t line)
{
    for (uint64_t next = line + 1;
         next <= line + (uint64_t)t->params.fetch_ahead; next++) {
        if (!machine_in_ram(t->machine, next * LINE, LINE) || find(t, s, next))
            continue;
        if (!ask(t, s, next))
            return;
        t->stats.fetches_ahead++;
    }
}

/* Is the line there? Else it is asked for; false also then. full: there was no
 * room to. */
static bool use_line(struct simt *t, struct simt_subcore *s, uint64_t line,
                     bool *full)
{
    struct simt_line *l = find(t, s, line);
    if (!l) {
        *full |= !ask(t, s, line);
        ask_ahead(t, s, line);
        return false;
    }
    l->used = ++s->l0_clock;
    return !l->coming;
}

/* The lines that the warp's next instruction lies in, mostly one and the same.
 */
struct lines {
    uint64_t first, last;
};

static struct lines next_lines(const struct simt *t, const struct simt_warp *w)
{
    uint64_t pc = w->paths[w->current].pc;
    const struct isa_insn *insn = insn_at(t, pc);
    uint64_t bytes = insn && insn->len ? insn->len : 2;
    return (struct lines){pc / LINE, (pc + bytes - 1) / LINE};
}

/* What the warp has got of its next instruction, as bits: the first line, the
 * last one. That stays, whatever replaces the lines in the L0 meanwhile. */
enum { FIRST = 1, LAST = 2 };

static uint8_t part_of(struct lines n, uint64_t line)
{
    return (uint8_t)((n.first == line ? FIRST : 0) |
                     (n.last == line ? LAST : 0));
}

bool simt_fetch(struct simt *t, struct simt_subcore *s, struct simt_warp *w,
                uint64_t now)
{
    struct lines n = next_lines(t, w);
    bool full = false;
    if (w->code != w->paths[w->current].pc) {
        w->code = w->paths[w->current].pc;
        w->got = 0;
    }
    if (!(w->got & FIRST) && use_line(t, s, n.first, &full))
        w->got |= part_of(n, n.first);
    if (!(w->got & LAST) && use_line(t, s, n.last, &full))
        w->got |= part_of(n, n.last);
    if (w->got == (FIRST | LAST))
        return true;
    simt_holds(t, w);
    if (full) {
        simt_goes_at(t, w, now + 1, now, IN_full_fetch);
    } else {
        s->fetching |= warp_bit(t, w);
        put_in(t, w, now, IN_wait_fetch);
    }
    return false;
}

/* ---- requests and answers ---- */

void simt_send_fetches(struct simt *t, uint64_t now)
{
    struct outport *o = t->unit.out[FETCH];
    while (t->asked.count && link_ready(o)) {
        struct simt_asked *a = &t->asked_lines[t->asked.head];
        struct msg m = {.op = MEM_READ,
                        .addr = a->line * LINE + (uint64_t)a->sent * SECTOR,
                        .size = SECTOR,
                        .from = hart_of(t, t->warps, 0)->isa.id,
                        .tag = a->subcore};
        trip_begin(&m, TRIP_fetch, now);
        link_push(o, &m);
        if (++a->sent == SECTORS)
            ring_drop(&t->asked);
    }
}

/* A line has come. Warps that wait for it look again. */
static void look_again(struct simt *t, struct simt_subcore *s, uint64_t line,
                       uint64_t now)
{
    for (uint64_t m = s->fetching; m; m &= m - 1) {
        struct simt_warp *w = warp_of(t, s, first_of(m));
        uint8_t part = part_of(next_lines(t, w), line);
        if (!part)
            continue;
        if (w->code == w->paths[w->current].pc)
            w->got |= part;
        simt_assess(t, w, now);
    }
}

/* The memory refuses a sector: the warps that wait for its line fault. */
static void refused(struct simt *t, struct simt_subcore *s, const struct msg *m,
                    uint64_t now)
{
    uint64_t line = m->addr / LINE;
    for (uint64_t warps = s->fetching; warps; warps &= warps - 1) {
        struct simt_warp *w = warp_of(t, s, first_of(warps));
        if (part_of(next_lines(t, w), line))
            simt_fetch_refused(t, w, m, now);
    }
}

void simt_use_code(struct simt *t, const struct msg *m, uint64_t now)
{
    if (m->tag >> TAG_WARP) { /* the instruction cache is empty */
        struct simt_warp *w = &t->warps[m->tag & ~(1u << TAG_WARP)];
        w->accesses--;
        simt_advance(t, w, now);
        return;
    }
    struct simt_subcore *s = &t->subcores[m->tag];
    struct simt_line *l = find(t, s, m->addr / LINE);
    TRIP_END(&t->unit, &t->stats, m, now);
    if (m->flags & MSG_PAYLOAD)
        msg_payload(&t->unit, m);
    if (m->op == MEM_FAULT) {
        l->stale = true;
        refused(t, s, m, now);
    }
    if (--l->coming)
        return;
    if (l->stale)
        l->used = 0;
    look_again(t, s, m->addr / LINE, now);
}

/* ---- fence.i ---- */

bool simt_fetch_anew(struct simt *t, struct simt_warp *w)
{
    struct simt_subcore *s = subcore_of(t, w);
    struct outport *o = t->unit.out[FETCH];
    if (!link_ready(o))
        return false;
    for (int64_t i = 0; i < t->params.l0_sets * t->params.l0_ways; i++) {
        s->l0[i].stale = true;
        if (!s->l0[i].coming)
            s->l0[i].used = 0;
    }
    w->got = 0;
    struct msg m = {.op = MEM_INVALIDATE,
                    .from = hart_of(t, w, 0)->isa.id,
                    .tag = 1u << TAG_WARP | warp_number(t, w)};
    link_push(o, &m);
    w->accesses++;
    return true;
}
