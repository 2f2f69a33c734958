/*
 * Host threads: each runs tiles for a turn (turn.c), writes their mail into
 * boxes of its own, which are read in the next epoch, and meets the others at a
 * barrier. The last one to arrive plans the next turn (plan.c) while the others
 * wait, and goes on alone as long as the policy says so.
 */
#include "sim/core/engine_private.h"
#include "sim/core/heap.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Zeroed memory in whole lines of the host's. */
static void *new_lines(size_t bytes)
{
    return memset(heap_lines(bytes, 1, "host threads"), 0, bytes);
}

static void make_boxes(struct worker *w, unsigned parity)
{
    struct engine *e = w->engine;
    unsigned tiles = e->chip->tile_count;
    w->boxes[parity] = heap_new(tiles, sizeof(struct mailbox), "host threads");
    for (unsigned i = 0; i < tiles; i++)
        w->boxes[parity][i].posted =
            e->posted[parity] + i * e->posted_bytes + w->number;
}

static void make_worker(struct engine *e, unsigned number)
{
    struct worker *w = &e->workers[number];
    w->engine = e;
    w->number = number;
    w->request = CYCLE_NEVER;
    w->tiles =
        heap_new(e->chip->tile_count + 1u, sizeof *w->tiles, "host threads");
}

void workers_init(struct engine *e)
{
    unsigned threads = e->options.threads, tiles = e->chip->tile_count;
    e->workers = new_lines(threads * sizeof *e->workers);
    e->events = new_lines(tiles * sizeof *e->events);
    e->posted_bytes = (threads + 63) / 64 * 64;
    for (unsigned parity = 0; parity < 2; parity++)
        e->posted[parity] = new_lines(tiles * e->posted_bytes);
    for (unsigned n = 0; n < threads; n++)
        make_worker(e, n);
    e->listed = UINT_MAX;
    for (unsigned i = 0; i < 4; i++)
        tally_init(&e->fronts[i / 2].owners[i % 2], threads);
}

static void free_boxes(struct worker *w, unsigned parity)
{
    struct chip *chip = w->engine->chip;
    for (unsigned i = 0; w->boxes[parity] && i < chip->tile_count; i++)
        mailbox_free(chip, &w->boxes[parity][i]);
    free(w->boxes[parity]);
}

void workers_free(struct engine *e)
{
    for (unsigned n = 0; n < e->options.threads; n++) {
        for (unsigned p = 0; p < 2; p++)
            free_boxes(&e->workers[n], p);
        free(e->workers[n].tiles);
    }
    free(e->workers);
    free(e->events);
    free(e->posted[0]);
    free(e->posted[1]);
    for (unsigned i = 0; i < 4; i++)
        tally_free(&e->fronts[i / 2].owners[i % 2]);
}

/* ---- threads ---- */

/* A turn is over. If it was the last one of an epoch, the policy decides about
 * the next, unless the run ends; if that was timed, a hook may want to know
 * how long all took. */
static void plan(struct engine *e)
{
    struct policy *p = &e->policy;
    uint64_t from = e->from;
    bool last = e->turn + 1 == e->side_count;
    bool tell = last && p->timed && e->hooks.profile;
    uint64_t since = tell ? policy_ns(p) : 0;
    plan_note(e);
    if (last)
        policy_next_turn(p, e->epochs, barrier_awake(&e->barrier));
    plan_next(e);
    e->held_up |= tell;
    if (tell)
        e->hooks.profile(e->hooks.context, from, p->tile_ns,
                         policy_ns(p) - since);
}

static void begin_turn(struct engine *e)
{
    atomic_store_explicit(&e->next_tile, 0, memory_order_relaxed);
    stretch_begin(e);
}

/* The last to arrive plans; all leave when it has. */
static void end_turn(struct worker *w)
{
    struct engine *e = w->engine;
    if (!barrier_arrive(&e->barrier, w->number))
        return;
    e->held_up = false;
    plan(e);
    bool late = policy_is_alone(&e->policy) || e->held_up;
    while (policy_is_alone(&e->policy) && !e->stopping) {
        turn_run_alone(w);
        plan(e);
    }
    begin_turn(e);
    barrier_release(&e->barrier, late);
}

static void run_turn(struct worker *w)
{
    const struct engine *e = w->engine;
    if (e->options.threads == 1)
        turn_run_alone(w);
    else if (e->options.schedule == SCHEDULE_DYNAMIC)
        turn_run_next(w);
    else
        stretch_run(w);
}

/* Its boxes are memory that it touches first: it lies beside it. */
static void begin_thread(struct worker *w)
{
    const struct engine_hooks *hooks = &w->engine->hooks;
    if (hooks->thread)
        hooks->thread(hooks->context, w->number);
    for (unsigned parity = 0; parity < 2; parity++)
        if (!w->boxes[parity])
            make_boxes(w, parity);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct engine *e = w->engine;
    begin_thread(w);
    while (!e->stopping) {
        run_turn(w);
        end_turn(w);
    }
    return NULL;
}

/* Without it the others would wait at the barrier for ever: no way back. */
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
    begin_turn(e);
    for (unsigned n = 1; n < e->options.threads; n++)
        start_thread(e, n);
    work(&e->workers[0]);
    for (unsigned n = 1; n < e->options.threads; n++)
        pthread_join(e->workers[n].thread, NULL);
}
