/*
 * Host threads: each runs tiles for a turn, writes their mail into boxes of its
 * own, which are read in the next turn, and meets the others at a barrier. The
 * last one to arrive plans the next turn (plan.c) while the others wait, and
 * goes on alone as long as the policy says so.
 */
#include "sim/core/engine_private.h"
#include "sim/core/heap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_boxes(struct worker *w, unsigned parity, unsigned tiles)
{
    w->boxes[parity] = heap_new(tiles, sizeof(struct mailbox), "host threads");
    w->posted[parity] = heap_new(tiles, 1, "host threads");
    for (unsigned i = 0; i < tiles; i++)
        w->boxes[parity][i].posted = &w->posted[parity][i];
}

void workers_init(struct engine *e)
{
    unsigned threads = e->options.threads;
    size_t bytes = threads * sizeof *e->workers;
    e->workers = memset(heap_lines(bytes, 1, "host threads"), 0, bytes);
    for (unsigned n = 0; n < threads; n++) {
        struct worker *w = &e->workers[n];
        w->engine = e;
        w->number = n;
        w->next_event = w->request = CYCLE_NEVER;
        for (unsigned p = 0; p < 2; p++)
            make_boxes(w, p, e->chip->tile_count);
    }
}

static void free_boxes(struct worker *w, unsigned parity)
{
    struct chip *chip = w->engine->chip;
    for (unsigned i = 0; i < chip->tile_count; i++)
        mailbox_free(chip, &w->boxes[parity][i]);
    free(w->boxes[parity]);
    free(w->posted[parity]);
}

void workers_free(struct engine *e)
{
    for (unsigned n = 0; n < e->options.threads; n++)
        for (unsigned p = 0; p < 2; p++)
            free_boxes(&e->workers[n], p);
    free(e->workers);
}

/* ---- one turn ---- */

static bool has_mail(const struct engine *e, unsigned tile)
{
    for (unsigned n = 0; n < e->options.threads; n++)
        if (e->workers[n].posted[!e->parity][tile])
            return true;
    return false;
}

static void take_mail(struct engine *e, struct tile *t, unsigned number)
{
    for (unsigned n = 0; n < e->options.threads; n++) {
        struct worker *from = &e->workers[n];
        if (!from->posted[!e->parity][number])
            continue;
        from->posted[!e->parity][number] = 0;
        tile_take_mail(t, &from->boxes[!e->parity][number]);
    }
}

void workers_deliver(struct engine *e)
{
    e->parity ^= 1; /* as in the turn that would take it */
    for (unsigned i = 0; i < e->chip->tile_count; i++)
        if (has_mail(e, i))
            take_mail(e, e->chip->tiles[i], i);
    e->parity ^= 1;
}

/* Tiles in which nothing happens are not even touched. */
static void run_tile(struct worker *w, unsigned number)
{
    struct engine *e = w->engine;
    struct tile *t = e->chip->tiles[number];
    uint64_t *event = &e->tile_event[number];
    if (*event >= e->to && !e->options.no_skip && !has_mail(e, number)) {
        if (*event < w->next_event)
            w->next_event = *event;
        return;
    }
    take_mail(e, t, number);
    t->horizon = e->horizon;
    t->outbox = w->boxes[e->parity];
    t->first_mail = CYCLE_NEVER;
    uint64_t last = tile_run(t, e->from, e->to, &e->options);
    if (last > w->last_event)
        w->last_event = last;
    if (t->request_count)
        w->request = least(w->request, t->requests[0].cycle);
    *event = tile_next_event(t, e->to);
    uint64_t next = *event < t->first_mail ? *event : t->first_mail;
    if (next < w->next_event)
        w->next_event = next;
}

static void time_tile(struct worker *w, unsigned number)
{
    struct policy *p = &w->engine->policy;
    uint64_t since = policy_tile_ns(p);
    run_tile(w, number);
    policy_note_tile(p, number, since);
}

/*
 * There and back: the tiles that ran last in an epoch are still in the host's
 * cache, which does not hold all, and run first in the next one.
 */
static void run_range(struct worker *w, unsigned first, unsigned last)
{
    void (*run)(struct worker * w, unsigned number) =
        w->engine->policy.timed ? time_tile : run_tile;
    if (w->engine->policy.epochs & 1)
        for (unsigned i = last; i-- > first;)
            run(w, i);
    else
        for (unsigned i = first; i < last; i++)
            run(w, i);
}

/* Those of the side whose turn it is. */
static void run_all_tiles(struct worker *w)
{
    const struct engine *e = w->engine;
    run_range(w, e->sides[e->turn].first, e->sides[e->turn].end);
}

static void run_tiles(struct worker *w)
{
    struct engine *e = w->engine;
    if (e->options.threads == 1) {
        run_all_tiles(w);
        return;
    }
    for (unsigned i; (i = deal_take(&e->deal, w->number)) != DEAL_OVER;)
        run_range(w, i, i + 1);
}

/* ---- threads ---- */

/* A turn is over. If it was the last one of an epoch, the policy decides about
 * the next; if that was timed, somebody may want to know how long all took. */
static void plan(struct engine *e)
{
    struct policy *p = &e->policy;
    uint64_t from = e->from;
    bool last = e->turn + 1 == e->side_count;
    bool tell = last && p->timed && e->hooks.profile;
    uint64_t since = tell ? policy_ns(p) : 0;
    plan_next(e);
    if (last && !e->stopping)
        policy_next_epoch(p, barrier_awake(&e->barrier));
    e->held_up |= tell;
    if (tell)
        e->hooks.profile(e->hooks.context, from, p->tile_ns,
                         policy_ns(p) - since);
}

static void deal(struct engine *e)
{
    if (e->options.threads > 1)
        deal_tiles(&e->deal, e->policy.shares, e->policy.epochs & 1);
}

/* The last to arrive plans; all leave when it has. */
static void end_turn(struct worker *w)
{
    struct engine *e = w->engine;
    if (!barrier_arrive(&e->barrier))
        return;
    e->held_up = false;
    plan(e);
    bool late = policy_is_alone(&e->policy) || e->held_up;
    while (policy_is_alone(&e->policy) && !e->stopping) {
        run_all_tiles(w);
        plan(e);
    }
    deal(e);
    barrier_release(&e->barrier, late);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct engine *e = w->engine;
    while (!e->stopping) {
        run_tiles(w);
        end_turn(w);
    }
    return NULL;
}

/* Those that run already wait for it at the barrier for ever: no way back. */
static void start_thread(struct engine *e, unsigned n)
{
    char text[100];
    int why = pthread_create(&e->workers[n].thread, NULL, work, &e->workers[n]);
    if (!why)
        return;
    snprintf(text, sizeof text, "cannot start host thread %u of %u: %s", n + 1,
             e->options.threads, strerror(why));
    heap_end(text);
}

void workers_run(struct engine *e)
{
    policy_begin(&e->policy);
    deal(e);
    for (unsigned n = 1; n < e->options.threads; n++)
        start_thread(e, n);
    work(&e->workers[0]);
    for (unsigned n = 1; n < e->options.threads; n++)
        pthread_join(e->workers[n].thread, NULL);
}
