/*
 * What several host threads do in a turn: they run a stretch of epochs without
 * meeting. A tile begins an epoch as soon as all tiles that could send to it
 * have run the one before, on whatever thread. So no thread waits for the
 * one that happens to have most to do in one epoch, and less in the next: a
 * thread that would wait takes tiles of others.
 *
 * Where a chip has two sides, what can send to a tile is the other side; else
 * it is all tiles. No tile is more than an epoch ahead of any that is still in
 * one: it begins the one after that when the other side has run it, which took
 * the mail of the first. That is why two boxes for mail are enough, by parity
 * of the epoch, and why a service that is asked for in the middle of a stretch
 * can end it for all tiles at one cycle (service_after).
 */
#include "sim/core/turn.h"
#include <limits.h>

/* In front.open: no more epochs will come. */
#define CLOSED 0x80000000u
/* Epochs done, of a side of which a thread has no tiles. */
#define NO_TILES UINT_MAX

/* ---- sides ---- */

static unsigned other_side(const struct engine *e, unsigned side)
{
    return e->chip->first_side ? !side : side;
}

static unsigned open_of(const struct engine *e, unsigned side)
{
    return atomic_load_explicit(&e->fronts[side].open, memory_order_acquire);
}

/* Another thread may have opened later ones before this one gets to it. */
static void raise_open(struct front *f, unsigned open)
{
    unsigned before = atomic_load_explicit(&f->open, memory_order_relaxed);
    while (before < open && !atomic_compare_exchange_weak_explicit(
                                &f->open, &before, open, memory_order_release,
                                memory_order_relaxed))
        ;
}

/*
 * The tiles of a side may run epoch n, unless there is none: a unit that asks
 * for a service in epoch n - 2 or before has said so by now, and what is asked
 * for later ends the turn later. The first one takes the mail, even if it has
 * no cycles.
 */
static void open_epoch(struct engine *e, unsigned side, unsigned n)
{
    uint64_t end = atomic_load_explicit(&e->end, memory_order_relaxed);
    bool over = n == e->epochs || turn_span(e, n).from >= end;
    raise_open(&e->fronts[side], over ? n | CLOSED : n + 1);
}

/* ---- hands ---- */

/*
 * What no thread has taken yet of a hand: places in the list of its tiles from
 * the first one up to the end, and the epoch's number. The thread whose hand it
 * is takes from the front, others from the end.
 */
struct untaken {
    unsigned first, end, epoch;
};

static uint64_t pack(struct untaken u)
{
    return (uint64_t)u.epoch << 48 | (uint64_t)u.end << 24 | u.first;
}

static struct untaken unpack(uint64_t word)
{
    return (struct untaken){word & 0xffffff, word >> 24 & 0xffffff,
                            (unsigned)(word >> 48)};
}

static struct untaken look(const struct worker *of, unsigned side)
{
    return unpack(
        atomic_load_explicit(&of->hands[side].untaken, memory_order_acquire));
}

/* After the last one of an epoch all of the next, if the tiles may run it. */
static bool deal(const struct engine *e, const struct worker *of, unsigned side,
                 struct untaken *u)
{
    if (u->first < u->end)
        return true;
    *u = (struct untaken){0, of->counts[side], u->epoch + 1};
    return u->epoch < (open_of(e, side) & ~CLOSED) &&
           atomic_load_explicit(&of->hands[side].done, memory_order_acquire) ==
               u->epoch;
}

/* A thread that takes from another's hand leaves its last tile to the owner,
 * if the owner is about to take it. */
static bool may_take(const struct worker *w, const struct worker *of,
                     unsigned side, struct untaken *u)
{
    return deal(w->engine, of, side, u) &&
           (w == of || u->end - u->first > 1 ||
            !atomic_load_explicit(&of->waits, memory_order_relaxed));
}

/* Takes a place of a hand, and says in which epoch. */
static bool take(const struct worker *w, struct worker *of, unsigned side,
                 unsigned *place, unsigned *epoch)
{
    struct untaken u = look(of, side), then;
    uint64_t word = pack(u);
    while (may_take(w, of, side, &u)) {
        then = u;
        *epoch = u.epoch;
        *place = w == of ? then.first++ : --then.end;
        if (atomic_compare_exchange_weak_explicit(
                &of->hands[side].untaken, &word, pack(then),
                memory_order_acq_rel, memory_order_acquire))
            return true;
        u = unpack(word);
    }
    return false;
}

/* All tiles of a hand have run an epoch. The next one begins only when that has
 * been counted, so that no epoch is counted before the one that it follows. */
static void note_done(struct engine *e, struct worker *of, unsigned side,
                      unsigned epoch)
{
    struct hand *hand = &of->hands[side];
    bool last = tally_is_last(&e->fronts[side].owners[epoch & 1], of->number);
    atomic_store_explicit(&hand->left, of->counts[side], memory_order_relaxed);
    atomic_store_explicit(&hand->done, epoch + 1, memory_order_release);
    if (last)
        open_epoch(e, other_side(e, side), epoch + 1);
    barrier_news(&e->barrier);
}

/* One tile of a hand, if one may run now. */
static bool run_one(struct worker *w, struct worker *of, unsigned side)
{
    unsigned place, epoch;
    if (!take(w, of, side, &place, &epoch))
        return false;
    const struct span s = turn_span(w->engine, epoch);
    const unsigned *tiles = of->tiles + (side ? of->counts[0] : 0);
    if (turn_goes_back(w->engine, epoch))
        place = of->counts[side] - 1 - place;
    turn_runner(w)(w, tiles[place], &s);
    if (atomic_fetch_sub_explicit(&of->hands[side].left, 1,
                                  memory_order_acq_rel) == 1)
        note_done(w->engine, of, side, epoch);
    return true;
}

/* ---- a thread ---- */

/* Runs a tile of the side that is behind, if it can: others wait for that. */
static bool run_own(struct worker *w)
{
    unsigned first = look(w, 1).epoch < look(w, 0).epoch;
    return run_one(w, w, first) || run_one(w, w, !first);
}

/* Workers by number, nearest first: 1 ^ 1 is 0, 1 ^ 2 is 3. NULL: none. */
static struct worker *neighbour(const struct worker *w, unsigned k)
{
    const struct engine *e = w->engine;
    unsigned n = w->number ^ k;
    return n < e->options.threads ? &e->workers[n] : NULL;
}

/* Beyond the last k for which there is a neighbour; fixed tiles stay. */
static unsigned neighbours(const struct engine *e)
{
    unsigned end = 1;
    while (end < e->options.threads)
        end *= 2;
    return e->options.schedule == SCHEDULE_FIXED ? 1 : end;
}

static bool help(struct worker *w)
{
    for (unsigned k = 1; k < neighbours(w->engine); k++) {
        struct worker *of = neighbour(w, k);
        if (of && (run_one(w, of, 0) || run_one(w, of, 1)))
            return true;
    }
    return false;
}

/* Have others taken all that there is of its tiles, or has it run them? */
static bool has_none_left(const struct worker *w)
{
    for (unsigned side = 0; side < 2; side++) {
        unsigned open = open_of(w->engine, side);
        struct untaken u = look(w, side);
        if (!(open & CLOSED) || u.first < u.end ||
            (w->counts[side] && u.epoch + 1 < (open & ~CLOSED)))
            return false;
    }
    return true;
}

/* The worker need not wait any longer. */
static bool goes_on(void *context)
{
    const struct worker *w = context;
    if (has_none_left(w))
        return true;
    for (unsigned k = 0; k < neighbours(w->engine); k++) {
        const struct worker *of = neighbour(w, k);
        for (unsigned side = 0; of && side < 2; side++) {
            struct untaken u = look(of, side);
            if (may_take(w, of, side, &u))
                return true;
        }
    }
    return false;
}

static void await(struct worker *w)
{
    atomic_store_explicit(&w->waits, true, memory_order_relaxed);
    barrier_await(&w->engine->barrier, goes_on, w);
    atomic_store_explicit(&w->waits, false, memory_order_relaxed);
}

void stretch_run(struct worker *w)
{
    for (;;) {
        if (run_own(w) || help(w))
            continue;
        if (has_none_left(w))
            return;
        await(w);
    }
}

/* ---- before a stretch ---- */

/* The thread's tiles, those of a side one after the other. */
static void list_tiles(struct worker *w)
{
    const struct engine *e = w->engine;
    unsigned count = 0, first = e->chip->first_side;
    w->counts[0] = w->counts[1] = 0;
    for (unsigned i = 0; i < e->chip->tile_count; i++) {
        if (e->policy.shares.owner[i] != w->number)
            continue;
        w->counts[first && i >= first]++;
        w->tiles[count++] = i;
    }
}

struct owners {
    const struct engine *engine;
    unsigned side;
};

static bool has_tiles(void *context, unsigned n)
{
    const struct owners *o = context;
    return o->engine->workers[n].counts[o->side];
}

static void note_owners(struct engine *e)
{
    for (unsigned n = 0; n < e->options.threads; n++)
        list_tiles(&e->workers[n]);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned parity = 0; parity < 2; parity++)
            tally_set(&e->fronts[side].owners[parity], has_tiles,
                      &(struct owners){e, side});
    e->listed = e->policy.changes;
}

static void deal_first(struct hand *hand, unsigned tiles)
{
    struct untaken all = {0, tiles, 0};
    atomic_store_explicit(&hand->untaken, pack(all), memory_order_relaxed);
    atomic_store_explicit(&hand->left, tiles, memory_order_relaxed);
    atomic_store_explicit(&hand->done, tiles ? 0 : NO_TILES,
                          memory_order_relaxed);
}

void stretch_begin(struct engine *e)
{
    unsigned sides = e->chip->first_side ? 2 : 1;
    if (e->listed != e->policy.changes)
        note_owners(e);
    for (unsigned side = 0; side < 2; side++)
        atomic_store_explicit(&e->fronts[side].open, side < sides ? 1 : CLOSED,
                              memory_order_relaxed);
    for (unsigned n = 0; n < e->options.threads; n++)
        for (unsigned side = 0; side < 2; side++)
            deal_first(&e->workers[n].hands[side], e->workers[n].counts[side]);
}
