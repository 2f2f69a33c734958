/*
 * Breakpoints and watchpoints: marks of decoded instructions, which harts tell
 * of in logs of their tiles, in the cycle in which they come there
 * (sim/units/common/stop_log.h). What several harts do in one cycle is told to
 * gdb one by one, in the order of their numbers.
 *
 * gdb takes all breakpoints out to step a hart over one, and puts them in
 * again. The others do not wait meanwhile, so one that is taken out stays
 * marked until the run goes on without it: who came to it in between, and is
 * still there, is told of then.
 */
#include "sim/core/heap.h"
#include "sim/host/gdb/gdb.h"
#include "sim/units/common/stop_log.h"
#include <stdlib.h>
#include <string.h>

static bool is_watch(const struct breakpoint *b)
{
    return b->kind >= BREAK_WRITE;
}

/* ---- setting them ---- */

static struct breakpoint *find(const struct gdb *g, const struct breakpoint *b)
{
    for (unsigned i = 0; i < g->break_count; i++) {
        struct breakpoint *there = &g->breaks[i];
        if (there->kind == b->kind && there->address == b->address &&
            (!is_watch(b) || there->length == b->length))
            return there;
    }
    return NULL;
}

/* Both kinds of cores that execute the program mark the same text. */
static bool mark(struct gdb *g, uint64_t pc, bool set)
{
    struct hart *h = gdb_hart(g, 0);
    return !g->host->engine || core_of(h)->mark(h->core, pc, set);
}

bool breaks_set(struct gdb *g, const struct breakpoint *b)
{
    struct breakpoint *there = find(g, b);
    if (there) {
        free(there->conditions);
        *there = *b;
        return true;
    }
    if (!is_watch(b) && !mark(g, b->address, true)) {
        free(b->conditions);
        return false;
    }
    if (g->break_count == g->break_room) {
        g->break_room = g->break_room ? 2 * g->break_room : 16;
        g->breaks =
            heap_resize(g->breaks, g->break_room, sizeof *g->breaks, "--gdb");
    }
    g->breaks[g->break_count++] = *b;
    return true;
}

bool breaks_drop(struct gdb *g, const struct breakpoint *b)
{
    struct breakpoint *there = find(g, b);
    if (there)
        there->dropped = true;
    return there;
}

static bool watches(const struct gdb *g)
{
    for (unsigned i = 0; i < g->break_count; i++)
        if (is_watch(&g->breaks[i]))
            return true;
    return false;
}

/* Accesses are marked while any are watched. */
static void mark_accesses(struct gdb *g)
{
    struct hart *h = gdb_hart(g, 0);
    bool wanted = watches(g);
    if (wanted == g->marks_accesses || !g->host->engine)
        return;
    core_of(h)->mark_accesses(h->core, wanted);
    g->marks_accesses = wanted;
}

bool breaks_at(const struct gdb *g, uint64_t pc)
{
    for (unsigned i = 0; i < g->break_count; i++)
        if (!is_watch(&g->breaks[i]) && g->breaks[i].address == pc &&
            !g->breaks[i].dropped)
            return true;
    return false;
}

static bool marked_at(const struct gdb *g, uint64_t pc)
{
    for (unsigned i = 0; i < g->break_count; i++)
        if (!is_watch(&g->breaks[i]) && g->breaks[i].address == pc)
            return true;
    return false;
}

static void remove_dropped(struct gdb *g)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < g->break_count; i++) {
        struct breakpoint b = g->breaks[i];
        if (b.dropped)
            free(b.conditions);
        else
            g->breaks[kept++] = b;
    }
    g->break_count = kept;
}

void breaks_settle(struct gdb *g)
{
    if (g->action == ACTION_GO) {
        for (unsigned i = 0; i < g->break_count; i++) {
            const struct breakpoint *b = &g->breaks[i];
            if (b->dropped && !is_watch(b) && !breaks_at(g, b->address))
                mark(g, b->address, false);
        }
        remove_dropped(g);
    }
    mark_accesses(g);
}

void breaks_forget(struct gdb *g)
{
    for (unsigned i = 0; i < g->break_count; i++) {
        const struct breakpoint *b = &g->breaks[i];
        if (!is_watch(b))
            mark(g, b->address, false);
        free(b->conditions);
    }
    g->break_count = 0;
}

void breaks_clear(struct gdb *g)
{
    for (unsigned i = 0; i < g->break_count; i++)
        g->breaks[i].dropped = true;
    g->action = ACTION_GO;
    breaks_settle(g);
    g->hit_count = 0;
}

bool breaks_any(const struct gdb *g)
{
    return g->break_count;
}

/* ---- what harts do there ---- */

/* While a hart is stepped, breakpoints of the others wait. */
static bool is_wanted(const struct gdb *g, const struct hit *hit)
{
    return g->action == ACTION_GO || hit->hart == g->stepped ||
           hit->kind >= BREAK_WRITE;
}

static void add_hit(struct gdb *g, const struct hit *hit)
{
    if (g->hit_count == g->hit_room) {
        g->hit_room = g->hit_room ? 2 * g->hit_room : 64;
        g->hits = heap_resize(g->hits, g->hit_room, sizeof *g->hits, "--gdb");
    }
    g->hits[g->hit_count++] = *hit;
    g->noticed |= is_wanted(g, hit);
}

/* What the conditions of the breakpoints at a pc say of a hart there. */
static enum condition_is met(struct gdb *g, unsigned hart, uint64_t pc,
                             bool asks)
{
    enum condition_is all = CONDITION_FALSE;
    for (unsigned i = 0; i < g->break_count && all != CONDITION_TRUE; i++) {
        const struct breakpoint *b = &g->breaks[i];
        if (is_watch(b) || b->address != pc)
            continue;
        enum condition_is this = condition_of(g, b, hart, asks);
        all = this == CONDITION_FALSE ? all : this;
    }
    return all;
}

void breaks_came(struct gdb *g, unsigned hart)
{
    struct place_of_hart p = gdb_place(g, hart);
    enum condition_is is = met(g, hart, p.pc, false);
    struct hit hit = {.hart = hart,
                      .kind = BREAK_SOFT,
                      .address = p.pc,
                      .instructions = p.instructions,
                      .unsure = is == CONDITION_UNSURE};
    if (is != CONDITION_FALSE)
        add_hit(g, &hit);
}

static bool concerns(const struct breakpoint *b, uint64_t address,
                     unsigned size, bool load, bool store)
{
    bool kind = (b->kind == BREAK_WRITE && store) ||
                (b->kind == BREAK_READ && load) || b->kind == BREAK_BOTH;
    return kind && !b->dropped && address < b->address + b->length &&
           b->address < address + size;
}

/* An access is told of once, whatever of it is watched. gdb knows an address by
 * that of its watchpoint. */
void breaks_accessed(struct gdb *g, unsigned hart, uint64_t address,
                     unsigned size, bool load, bool store)
{
    for (unsigned i = 0; i < g->break_count; i++) {
        const struct breakpoint *b = &g->breaks[i];
        if (!is_watch(b) || !concerns(b, address, size, load, store))
            continue;
        add_hit(g, &(struct hit){
                       .hart = hart, .kind = b->kind, .address = b->address});
        return;
    }
}

static void take_record(struct gdb *g, const struct stop_record *r)
{
    if (r->kind == STOP_CAME) {
        breaks_came(g, r->hart);
        return;
    }
    bool load = r->access != ISA_STORE && r->access != ISA_SC;
    bool store = r->access != ISA_LOAD && r->access != ISA_LR;
    breaks_accessed(g, r->hart, r->address, r->size, load, store);
}

static int by_hart(const void *a, const void *b)
{
    const struct hit *x = a, *y = b;
    return (x->hart > y->hart) - (x->hart < y->hart);
}

void breaks_collect(struct gdb *g)
{
    unsigned before = g->hit_count;
    for (unsigned i = 0; i < g->tiles; i++) {
        struct stop_log *log = &g->logs[i];
        for (uint32_t n = 0; n < log->count; n++)
            take_record(g, &log->records[n]);
        log->count = 0;
    }
    if (g->hit_count > before + 1)
        qsort(g->hits + before, g->hit_count - before, sizeof *g->hits,
              by_hart);
}

/* Is it a breakpoint, and the hart still there? */
static bool holds(const struct gdb *g, const struct hit *hit)
{
    struct place_of_hart p = gdb_place(g, hit->hart);
    return hit->kind >= BREAK_WRITE ||
           (p.pc == hit->address && p.instructions == hit->instructions);
}

static bool is_set(const struct gdb *g, const struct hit *hit)
{
    return hit->kind >= BREAK_WRITE || breaks_at(g, hit->address);
}

/* A view says what is unsure yet, unless it does not matter any longer. */
static bool is_met(struct gdb *g, struct hit *hit, bool there)
{
    bool asks = hit->unsure && there && is_set(g, hit) && is_wanted(g, hit);
    if (!asks)
        return true;
    hit->unsure = false;
    return met(g, hit->hart, hit->address, true) == CONDITION_TRUE;
}

bool breaks_next(struct gdb *g, struct hit *hit)
{
    bool found = false;
    unsigned kept = 0;
    for (unsigned i = 0; i < g->hit_count; i++) {
        struct hit h = g->hits[i];
        bool there = holds(g, &h), set = is_set(g, &h);
        if (!found && !is_met(g, &h, there))
            continue;
        if (!found && there && set && is_wanted(g, &h)) {
            *hit = h;
            found = true;
        } else if (h.kind >= BREAK_WRITE ||
                   (there && marked_at(g, h.address))) {
            g->hits[kept++] = h;
        } else if (set && !there) {
            g->missed++;
        }
    }
    g->hit_count = kept;
    return found;
}

/* ---- before and behind a place of the run ---- */

struct stop_key hit_key(const struct hit *hit, uint64_t cycle)
{
    const bool watch = hit->kind >= BREAK_WRITE;
    return (struct stop_key){.cycle = cycle,
                             .side = KEY_AT,
                             .passed = watch,
                             .watch = watch,
                             .hart = hit->hart,
                             .address = hit->address};
}

/* How many hits are before the key, and whether the next one is it; not of
 * KEY_BEFORE. */
static unsigned hits_before(const struct gdb *g, const struct stop_key *key,
                            bool *at)
{
    *at = false;
    if (key->side != KEY_AT)
        return g->hit_count;
    for (unsigned i = 0; i < g->hit_count; i++) {
        const struct hit *h = &g->hits[i];
        *at = h->hart == key->hart && h->address == key->address &&
              (h->kind >= BREAK_WRITE) == key->watch;
        if (*at)
            return i;
    }
    return 0;
}

/* A hart that has come to the end of its step: what was accessed on the way is
 * behind it, but breakpoints that harts have come to are not. */
static void keep_kind(struct gdb *g, bool watch)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < g->hit_count; i++)
        if ((g->hits[i].kind >= BREAK_WRITE) == watch)
            g->hits[kept++] = g->hits[i];
    g->hit_count = kept;
}

void breaks_before(struct gdb *g, const struct stop_key *key)
{
    bool at;
    if (key->side == KEY_BEFORE) {
        keep_kind(g, true);
        return;
    }
    const unsigned count = hits_before(g, key, &at);
    g->hit_count = count + (at && key->passed);
}

void breaks_behind(struct gdb *g, const struct stop_key *key)
{
    bool at;
    if (key->side == KEY_BEFORE) {
        keep_kind(g, false);
        return;
    }
    const unsigned count = hits_before(g, key, &at) + at;
    memmove(g->hits, g->hits + count, (g->hit_count - count) * sizeof *g->hits);
    g->hit_count -= count;
}

void breaks_pass(struct gdb *g, unsigned hart)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < g->hit_count; i++)
        if (g->hits[i].hart > hart)
            g->hits[kept++] = g->hits[i];
    g->hit_count = kept;
}
