/*
 * Write-backs, and all that waits for them: fences, the start of a kernel,
 * the host.
 *
 * A copy sends dirty bytes below by value (MEM_UPDATE); from then on they are
 * on their way like those of a store, and fences wait for the answers, by era.
 * A fence takes one step a cycle: one piece written back, then, when all
 * write-backs from before its end are answered, one cache below told if those
 * are copies, too. What other harts make dirty meanwhile belongs to the next
 * era and is not waited for, else a fence might never end.
 */
#include "sim/units/cache/cache_private.h"
#include <assert.h>

/* ---- writing below ---- */

/* An owner's write is timing only, from the first to the last byte. */
static void write_to_memory(struct cache *c, uint64_t address, uint32_t mask)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    uint32_t last = 31 - (uint32_t)__builtin_clz(mask);
    struct msg m = {.op = MEM_WRITEBACK,
                    .addr = address + first,
                    .size = (uint8_t)(last - first + 1)};
    *add_below(c, m.addr) = m;
}

void cache_write_below(struct cache *c, uint64_t address, uint32_t mask,
                       const struct payload *bytes)
{
    c->stats.writebacks++;
    if (c->owner) {
        write_to_memory(c, address, mask);
        return;
    }
    uint32_t handle = unit_new_payload(&c->unit);
    // cppcheck-suppress nullPointer; only owners' bytes are in memory
    *unit_payload(&c->unit, handle) = *bytes;
    struct msg m = {
        .op = MEM_UPDATE,
        .addr = address,
        .size = SECTOR,
        .tag = mask,
        .from = c->era,
        .value = handle,
        .flags = MSG_PAYLOAD,
    };
    *add_below(c, m.addr) = m;
    c->back.updates_used++;
    c->back.in_era[c->era]++;
}

void cache_write_back(struct cache *c, struct line *l, uint32_t piece)
{
    uint64_t address = l->base + piece * SECTOR;
    l->dirty &= (uint8_t) ~(1u << piece);
    c->store.dirty--;
    if (c->owner)
        cache_write_below(c, address, ~0u, NULL);
    else
        cache_write_below(c, address, bytes_of(&c->store, l, piece)->dirty,
                          data_of(&c->store, l, piece));
}

/* The owner (or a copy on the way) has the bytes. */
void cache_updated(struct cache *c, const struct msg *m)
{
    c->back.updates_used--;
    c->back.in_era[m->from]--;
}

/* ---- forgetting ---- */

void cache_note_dropped(struct cache *c, uint64_t address, uint8_t size)
{
    if (c->machine->check_logs)
        check_note(c->machine, &c->unit,
                   &(struct check_record){
                       .addr = address, .kind = CHECK_DROPPED, .size = size});
}

/* Of dirty pieces only the bytes that are not below yet are kept. */
static void forget_writable(struct cache *c, struct line *l)
{
    uint8_t gone = l->by_value & (uint8_t)~l->pending;
    uint8_t dirty = l->dirty & gone;
    cache_drop(c, l, gone);
    l->partial |= dirty;
    for (uint32_t m = dirty; m; m &= m - 1) {
        struct bytes *b = bytes_of(&c->store, l, (uint32_t)__builtin_ctz(m));
        b->there = b->dirty;
    }
    l->by_value &= l->pending | l->dirty;
    l->stale |= l->pending;
}

/*
 * Forgets what those of the 64 ways from `first` on that took pieces by value
 * hold.
 */
static void forget_ways(struct cache *c, uint32_t set, uint32_t first)
{
    struct line *lines = &c->store.lines[(size_t)set * c->store.ways + first];
    uint64_t *copied = &c->store.copied[set][first / 64];
    for (uint64_t m = *copied; m; m &= m - 1) {
        uint32_t way = (uint32_t)mask_first(m);
        if (lines[way].by_value)
            forget_writable(c, &lines[way]);
        if (!lines[way].by_value)
            *copied &= ~(1ULL << way);
    }
}

/* What is on its way may be older than what others have written. */
static void forget_fetched(struct cache *c)
{
    for (int64_t i = 0; i < c->params.mshrs; i++)
        if (c->misses.mshrs[i].pieces)
            c->store.lines[c->misses.mshrs[i].line].stale |=
                c->misses.mshrs[i].pieces;
}

/* Drops all copies of writable data; what is on its way must not be kept. */
static void invalidate(struct cache *c)
{
    cache_note_dropped(c, 0, 0);
    if (c->fault && cache_fails(c, STALE))
        return;
    if (!c->fetched)
        return;
    c->fetched = false;
    for (uint32_t set = 0; set < c->store.sets; set++)
        for (uint32_t way = 0; way < c->store.ways; way += 64)
            forget_ways(c, set, way);
    forget_fetched(c);
    if (c->shadow)
        shadow_drop_writable(c->shadow);
    if (c->twice)
        shadow_drop_writable(c->twice);
}

/* ---- fences ---- */

static void answer_fence(struct cache *c, uint32_t port, const struct msg *m)
{
    struct msg reply = {.op = MEM_DONE, .tag = m->tag, .from = m->from};
    cache_answer(c, port, &reply, NULL);
}

/* The owner's data are the memory: there is nothing that it could forget. */
static bool nothing_to_do(const struct cache *c, const struct msg *m)
{
    if (c->owner)
        return m->op == MEM_INVALIDATE || !c->store.dirty;
    return !c->store.dirty && !c->back.updates_used && !c->fences;
}

enum verdict cache_begin_fence(struct cache *c, uint32_t port,
                               const struct msg *m)
{
    if (c->doing & FENCING && !(c->owner && m->op == MEM_INVALIDATE))
        return FENCE_BUSY;
    if (!c->owner && m->op == MEM_INVALIDATE)
        invalidate(c);
    if (nothing_to_do(c, m)) {
        answer_fence(c, port, m);
        return LOOKED_UP;
    }
    c->fence = (struct fence){.era = c->era, .port = port, .msg = *m};
    c->doing |= FENCING;
    c->era ^= 1;
    return LOOKED_UP;
}

/* Writes back the next dirty piece; false: there is none any more. */
static bool flush_next(struct cache *c)
{
    struct fence *f = &c->fence;
    uint32_t count = c->store.sets * c->store.ways;
    while (f->line < count && !c->store.lines[f->line].dirty)
        f->line++;
    if (f->line == count)
        return false;
    if (!room_below(c))
        return true;
    struct line *l = &c->store.lines[f->line];
    uint32_t piece = (uint32_t)__builtin_ctz(l->dirty);
    uint8_t era = c->era;
    c->era = f->era;
    cache_write_back(c, l, piece);
    c->era = era;
    if (f->msg.op == MEM_INVALIDATE && !((l->valid | l->pending) >> piece & 1))
        l->partial &= (uint8_t) ~(1u << piece);
    c->worked = true;
    return true;
}

static void tell_next(struct cache *c)
{
    struct fence *f = &c->fence;
    if (queue_free(&c->back.below) < c->back.need)
        return;
    struct msg m = {
        .op = f->msg.op, .from = f->msg.from, .tag = TAG_FENCE, .size = 1};
    *queue_add(&c->back.below, &c->unit.out[MEM][f->link++]) = m;
    f->awaited++;
    c->worked = true;
}

void cache_fence_answered(struct cache *c)
{
    assert(c->fence.awaited);
    c->fence.awaited--;
}

static bool all_told(const struct cache *c)
{
    return !c->fences || c->fence.link == c->unit.links[MEM];
}

void cache_run_fence(struct cache *c)
{
    struct fence *f = &c->fence;
    if (flush_next(c) || c->back.in_era[f->era])
        return;
    if (!all_told(c)) {
        tell_next(c);
    } else if (!f->awaited && cache_may_answer(c)) {
        /* What was fetched before those below dropped it may be old. */
        if (c->fences && f->msg.op == MEM_INVALIDATE)
            invalidate(c);
        c->doing &= (uint8_t)~FENCING;
        answer_fence(c, f->port, &f->msg);
    }
}

/* ---- while all stands still ---- */

void cache_show(const struct cache *c, uint64_t address, uint32_t mask,
                const struct payload *bytes)
{
    uint8_t *at = machine_at(c->machine, address);
    if (machine_read_only(c->machine, address, SECTOR))
        return; /* it was written before a scene was placed there */
    for (uint32_t m = mask; m; m &= m - 1)
        at[__builtin_ctz(m)] = bytes->bytes[__builtin_ctz(m)];
    for (uint32_t first = 0; c->machine->check_logs && first < SECTOR;
         first += 8) {
        struct check_record r = {.addr = address + first,
                                 .kind = CHECK_UPDATED,
                                 .size = 8,
                                 .mask = (uint8_t)(mask >> first)};
        memcpy(&r.value, bytes->bytes + first, 8);
        if (r.mask)
            check_note(c->machine, &c->unit, &r);
    }
}

static void show_line(const struct cache *c, const struct line *l)
{
    for (uint32_t m = l->dirty; m; m &= m - 1) {
        uint32_t piece = (uint32_t)__builtin_ctz(m);
        cache_show(c, l->base + piece * SECTOR,
                   bytes_of(&c->store, l, piece)->dirty,
                   data_of(&c->store, l, piece));
    }
}

/*
 * What is newer here goes to the memory image. The copies right above the
 * owner have the oldest bytes and begin. The caches stay as they are: whether
 * the host looks changes no timing. What is on its way below is not shown, as
 * the owner may have it already and another's newer bytes on top; the hart that
 * asks for a service has waited for its own.
 */
bool cache_settle(struct unit *u, unsigned round)
{
    const struct cache *c = (const struct cache *)u;
    if (round != c->level || !c->level)
        return round < c->level;
    for (uint32_t i = 0; c->store.dirty && i < c->store.sets * c->store.ways;
         i++)
        if (c->store.lines[i].dirty)
            show_line(c, &c->store.lines[i]);
    return false;
}

/* Kernels begin with what memory holds: all was settled before this service. */
void cache_launch(struct unit *u, uint64_t now)
{
    struct cache *c = (struct cache *)u;
    cache_shorten_turns(c);
    if (u->links[SCENE])
        c->back.treelets = c->machine->treelets;
    if (c->owner)
        return;
    for (uint32_t i = 0; c->store.dirty && i < c->store.sets * c->store.ways;
         i++) {
        c->store.dirty -= (uint32_t)__builtin_popcount(c->store.lines[i].dirty);
        c->store.lines[i].dirty = 0;
    }
    invalidate(c);
}

/* A line that is being fetched stays, as its fetch knows it by its place; what
 * comes is handed on and not kept. */
static void empty_line(struct cache *c, uint32_t set, uint32_t way)
{
    struct line *l = &c->store.lines[(size_t)set * c->store.ways + way];
    uint8_t pending = l->pending;
    cache_ahead_lost(c, l, c->store.all_pieces);
    c->store.dirty -= (uint32_t)__builtin_popcount(l->dirty);
    *l = (struct line){.base = l->base, .pending = pending, .stale = pending};
    if (!pending)
        c->store.tags[(size_t)set * c->store.tag_ways + way] = 0;
}

void cache_empty(struct unit *u)
{
    struct cache *c = (struct cache *)u;
    for (uint32_t set = 0; set < c->store.sets; set++) {
        for (uint32_t way = 0; way < c->store.ways; way++)
            empty_line(c, set, way);
        memset(c->store.copied[set], 0, sizeof *c->store.copied);
        for (uint32_t i = 0; i < c->store.by->words; i++)
            store_words(&c->store, set)[i] = 0;
    }
    if (!c->owner)
        cache_note_dropped(c, 0, 0);
    if (c->shadow)
        shadow_empty(c->shadow);
    if (c->twice)
        shadow_empty(c->twice);
}
