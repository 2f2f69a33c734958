/*
 * What a host thread does in a turn. One that is alone runs all tiles of the
 * side whose turn it is, for an epoch. Several run a stretch of epochs without
 * meeting: a tile begins an epoch as soon as all tiles that could send to it
 * have run the one before. So nobody waits for the thread that happens to have
 * most to do in one epoch, and less in the next.
 *
 * Where a chip has two sides, what can send to a tile is the other side; else
 * it is all tiles. No tile is more than an epoch ahead of any that is still in
 * one: it begins the one after that when the other side has run it, which took
 * the mail of the first. That is why two boxes for mail are enough, by parity
 * of the epoch, and why a service that is asked for in the middle of a stretch
 * can end it for all tiles at one cycle (service_after).
 */
#include "sim/core/engine_private.h"
#include <limits.h>

/* Of a side of which a thread has no tiles. */
#define ALL_DONE UINT_MAX

/* ---- mail ---- */

static bool has_mail(const struct engine *e, unsigned tile, unsigned parity)
{
    for (unsigned n = 0; n < e->options.threads; n++)
        if (e->workers[n].posted[parity][tile])
            return true;
    return false;
}

static void take_mail(struct engine *e, unsigned number, unsigned parity)
{
    for (unsigned n = 0; n < e->options.threads; n++) {
        struct worker *from = &e->workers[n];
        if (!from->posted[parity][number])
            continue;
        from->posted[parity][number] = 0;
        tile_take_mail(e->chip->tiles[number], &from->boxes[parity][number]);
    }
}

void turn_deliver(struct engine *e)
{
    for (unsigned i = 0; i < e->chip->tile_count; i++)
        if (has_mail(e, i, e->parity))
            take_mail(e, i, e->parity);
}

/* ---- a tile ---- */

/* What a tile runs at a time: cycles, and where its mail goes. */
struct span {
    uint64_t from, to, horizon;
    unsigned parity;
};

/* Epoch number n of the turn. In a later one than the first there may have been
 * a service asked for in the one before that this thread has not heard of. */
static struct span span_of(const struct engine *e, unsigned n)
{
    if (e->epochs == 1)
        return (struct span){e->from, e->to, e->horizon, e->parity};
    unsigned epoch = e->chip->epoch;
    uint64_t from = e->from + (uint64_t)n * epoch;
    uint64_t horizon = service_after(e, n ? from - epoch : from);
    return (struct span){from, least(from + epoch, e->to),
                         least(horizon, e->halt), (e->parity + n) & 1};
}

/* The turn ends where the service is due. */
static void end_before(struct engine *e, uint64_t service)
{
    uint64_t end = atomic_load_explicit(&e->end, memory_order_relaxed);
    while (service < end && !atomic_compare_exchange_weak_explicit(
                                &e->end, &end, service, memory_order_relaxed,
                                memory_order_relaxed))
        ;
}

static void note_request(struct worker *w, uint64_t cycle)
{
    w->request = least(w->request, cycle);
    end_before(w->engine, service_after(w->engine, cycle));
}

/* Tiles in which nothing happens are not even touched. */
static void run_tile(struct worker *w, unsigned number, const struct span *s,
                     uint64_t *next_event)
{
    struct engine *e = w->engine;
    struct tile *t = e->chip->tiles[number];
    uint64_t *event = &e->tile_event[number];
    if (*event >= s->to && !e->options.no_skip &&
        !has_mail(e, number, !s->parity)) {
        *next_event = least(*next_event, *event);
        return;
    }
    take_mail(e, number, !s->parity);
    t->horizon = s->horizon;
    t->outbox = w->boxes[s->parity];
    t->first_mail = CYCLE_NEVER;
    uint64_t last = tile_run(t, s->from, s->to, &e->options);
    if (last > w->last_event)
        w->last_event = last;
    if (t->request_count)
        note_request(w, t->requests[0].cycle);
    *event = tile_next_event(t, s->to);
    *next_event = least(*next_event, least(*event, t->first_mail));
}

static void run_timed(struct worker *w, unsigned number, const struct span *s,
                      uint64_t *next_event)
{
    struct policy *p = &w->engine->policy;
    uint64_t since = policy_tile_ns(p);
    run_tile(w, number, s, next_event);
    policy_note_tile(p, number, since);
}

typedef void tile_runner(struct worker *w, unsigned number,
                         const struct span *s, uint64_t *next_event);

static tile_runner *runner(const struct worker *w)
{
    return w->engine->policy.timed ? run_timed : run_tile;
}

/*
 * There and back: the tiles that ran last in an epoch are still in the host's
 * cache, which does not hold all, and run first in the next one.
 */
static bool goes_back(const struct engine *e, unsigned n)
{
    return (e->policy.epochs + n) & 1;
}

void turn_run_alone(struct worker *w)
{
    const struct engine *e = w->engine;
    const struct side *side = &e->sides[e->turn];
    const struct span s = span_of(e, 0);
    tile_runner *run = runner(w);
    w->next_event[0] = CYCLE_NEVER;
    if (goes_back(e, 0))
        for (unsigned i = side->end; i-- > side->first;)
            run(w, i, &s, &w->next_event[0]);
    else
        for (unsigned i = side->first; i < side->end; i++)
            run(w, i, &s, &w->next_event[0]);
}

/* ---- a stretch ---- */

static unsigned other_side(const struct engine *e, unsigned side)
{
    return e->chip->first_side ? !side : side;
}

/* Have all threads run so many epochs of all tiles of a side? */
static bool is_done(struct worker *w, unsigned side, unsigned epochs)
{
    const struct engine *e = w->engine;
    unsigned least_done = ALL_DONE;
    if (w->known[side] >= epochs)
        return true;
    for (unsigned n = 0; n < e->options.threads; n++) {
        unsigned done = atomic_load_explicit(&e->workers[n].done[side],
                                             memory_order_acquire);
        if (done < epochs)
            return false;
        least_done = done < least_done ? done : least_done;
    }
    w->known[side] = least_done;
    return true;
}

static bool may_begin(struct worker *w, unsigned side)
{
    return is_done(w, other_side(w->engine, side), w->begun[side]);
}

/* That is looked at once it may begin: who asks for a service in epoch n has
 * said so before any tile may begin epoch n + 2. The first one takes the mail,
 * even if it has no cycles. */
static bool is_over(const struct worker *w, unsigned side)
{
    const struct engine *e = w->engine;
    unsigned begun = w->begun[side];
    return begun == e->epochs ||
           (begun && span_of(e, begun).from >=
                         atomic_load_explicit(&e->end, memory_order_relaxed));
}

/* A thread's tiles of a side, for an epoch. */
static void run_side(struct worker *w, unsigned side)
{
    const struct span s = span_of(w->engine, w->begun[side]);
    const unsigned *first = w->tiles + (side ? w->counts[0] : 0);
    const unsigned count = w->counts[side];
    const bool back = goes_back(w->engine, w->begun[side]);
    tile_runner *run = runner(w);
    w->next_event[side] = CYCLE_NEVER;
    for (unsigned i = 0; i < count; i++)
        run(w, first[back ? count - 1 - i : i], &s, &w->next_event[side]);
    atomic_store_explicit(&w->done[side], ++w->begun[side],
                          memory_order_release);
    barrier_news(&w->engine->barrier);
}

/* Sides that have no more epochs are left; true: something could begin, or
 * there is nothing left. */
static bool go_on(struct worker *w)
{
    bool ran = false;
    for (unsigned side = 0; side < 2; side++) {
        if (w->finished[side] || !may_begin(w, side))
            continue;
        w->finished[side] = is_over(w, side);
        if (!w->finished[side])
            run_side(w, side);
        ran = true;
    }
    return ran;
}

static bool goes_on(void *context)
{
    struct worker *w = context;
    for (unsigned side = 0; side < 2; side++)
        if (!w->finished[side] && may_begin(w, side))
            return true;
    return false;
}

void turn_run_stretch(struct worker *w)
{
    while (!w->finished[0] || !w->finished[1])
        if (!go_on(w))
            barrier_await(&w->engine->barrier, goes_on, w);
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

void turn_begin_stretch(struct engine *e)
{
    for (unsigned n = 0; n < e->options.threads; n++) {
        struct worker *w = &e->workers[n];
        if (w->listed != e->policy.changes)
            list_tiles(w);
        w->listed = e->policy.changes;
        for (unsigned side = 0; side < 2; side++) {
            w->finished[side] = !w->counts[side];
            w->begun[side] = w->known[side] = 0;
            w->next_event[side] = CYCLE_NEVER;
            atomic_store_explicit(&w->done[side],
                                  w->counts[side] ? 0 : ALL_DONE,
                                  memory_order_relaxed);
        }
    }
}

/* ---- whichever thread is free ---- */

void turn_run_next(struct worker *w)
{
    struct engine *e = w->engine;
    const struct span s = span_of(e, 0);
    tile_runner *run = runner(w);
    w->next_event[0] = CYCLE_NEVER;
    for (unsigned i;
         (i = atomic_fetch_add(&e->next_tile, 1)) < e->chip->tile_count;)
        run(w, i, &s, &w->next_event[0]);
}
