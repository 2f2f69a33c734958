/*
 * What a host thread does in a turn: one that is alone runs all tiles of the
 * side whose turn it is, for an epoch; of several, each takes the next tile
 * that no thread has taken, or they run a stretch of epochs (stretch.c). And
 * how a tile runs, which is the same for all of them.
 */
#include "sim/core/turn.h"

/* ---- mail ---- */

static uint8_t *posted(const struct engine *e, unsigned tile, unsigned parity)
{
    return e->posted[parity] + tile * e->posted_bytes;
}

static bool has_mail(const struct engine *e, unsigned tile, unsigned parity)
{
    const uint8_t *from = posted(e, tile, parity);
    uint8_t any = 0;
    for (unsigned n = 0; n < e->options.threads; n++)
        any |= from[n];
    return any;
}

static void take_mail(struct engine *e, unsigned number, unsigned parity)
{
    uint8_t *from = posted(e, number, parity);
    for (unsigned n = 0; n < e->options.threads; n++) {
        if (!from[n])
            continue;
        from[n] = 0;
        tile_take_mail(e->chip->tiles[number],
                       &e->workers[n].boxes[parity][number]);
    }
}

void turn_deliver(struct engine *e)
{
    for (unsigned i = 0; i < e->chip->tile_count; i++)
        take_mail(e, i, e->parity);
}

/* ---- a tile ---- */

struct span turn_span(const struct engine *e, unsigned n)
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
static void run_tile(struct worker *w, unsigned number, const struct span *s)
{
    struct engine *e = w->engine;
    struct tile *t = e->chip->tiles[number];
    struct tile_event *event = &e->events[number];
    event->mail = CYCLE_NEVER;
    if (event->own >= s->to && !e->options.no_skip &&
        !has_mail(e, number, !s->parity))
        return;
    take_mail(e, number, !s->parity);
    t->horizon = s->horizon;
    t->outbox = w->boxes[s->parity];
    t->first_mail = CYCLE_NEVER;
    uint64_t last = tile_run(t, s->from, s->to, &e->options);
    if (last > w->last_event)
        w->last_event = last;
    if (t->request_count)
        note_request(w, t->requests[0].cycle);
    event->own = tile_next_event(t, s->to);
    event->mail = t->first_mail;
}

static void run_timed(struct worker *w, unsigned number, const struct span *s)
{
    struct policy *p = &w->engine->policy;
    uint64_t since = policy_tile_ns(p);
    run_tile(w, number, s);
    policy_note_tile(p, number, since);
}

tile_runner *turn_runner(const struct worker *w)
{
    return w->engine->policy.timed ? run_timed : run_tile;
}

void turn_run_alone(struct worker *w)
{
    const struct engine *e = w->engine;
    const struct side *side = &e->sides[e->turn];
    const struct span s = turn_span(e, 0);
    tile_runner *run = turn_runner(w);
    if (turn_goes_back(e, 0))
        for (unsigned i = side->end; i-- > side->first;)
            run(w, i, &s);
    else
        for (unsigned i = side->first; i < side->end; i++)
            run(w, i, &s);
}

/* ---- whichever thread is free ---- */

void turn_run_next(struct worker *w)
{
    struct engine *e = w->engine;
    const struct span s = turn_span(e, 0);
    tile_runner *run = turn_runner(w);
    for (unsigned i;
         (i = atomic_fetch_add(&e->next_tile, 1)) < e->chip->tile_count;)
        run(w, i, &s);
}
