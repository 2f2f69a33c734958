/*
 * Epochs. All tiles run the same cycles [from, to) between two barriers; the
 * last thread to arrive plans the next epoch while the others wait: services,
 * interval borders, limits and clock jumps all happen there, at a cycle that
 * does not depend on the number of threads or on E.
 */
#include "sim/core/engine.h"
#include "sim/core/barrier.h"
#include "sim/core/chip_private.h"
#include "sim/core/host_clock.h"
#include "sim/core/host_load.h"
#include "sim/core/share.h"
#include "sim/core/tile.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Tiles are timed in every SAMPLING-th epoch (an odd number: their order
 * alternates), and shared anew, if that pays, after SHARING epochs, or when
 * one thread goes on alone and a kernel begins. */
#define SAMPLING 7
#define SHARING 63

/* A new split must take this share off the longest thread: tiles that move
 * come into the new core's cache line by line. */
#define GAIN 25 /* 1 / 25 */

struct worker {
    struct engine *engine;
    unsigned number;
    pthread_t thread;
    struct mailbox *boxes[2]; /* by parity of the epoch, then tile */
    uint8_t *posted[2];       /* is there mail in the box? */
    uint64_t next_event;      /* of the tiles it ran and the mail they sent */
    unsigned first, last;     /* its tiles, but for SCHEDULE_DYNAMIC */
    char pad[64];
};

struct engine {
    struct chip *chip;
    struct engine_options options;
    struct engine_hooks hooks;
    struct worker *workers;
    struct barrier barrier;
    uint64_t *tile_event; /* by tile: its next event, not counting mail */
    uint64_t *tile_ns;    /* by tile: time of the last epoch that was timed */
    uint64_t *weight;     /* by tile: share.h */
    unsigned *end;        /* by thread: share.h */
    unsigned *trial;      /* what it might be */
    uint64_t epochs;      /* number of this one */
    bool timed;           /* tiles are timed in this epoch */
    uint64_t shared_at;   /* host time of the last look at the split */
    uint64_t shared_epoch;
    uint64_t one_ns; /* an epoch of one thread, as was known then */
    struct share_mode mode;
    uint64_t from, to; /* the epoch; between epochs all stands at `to` */
    uint64_t limit, interval, next_border;
    uint64_t horizon; /* first cycle at which all may stop: see struct tile */
    unsigned parity;
    bool running, stopping;
    bool held_up; /* something was done for others, since the last epoch */
    enum engine_stop stop;
    struct unit **settling; /* units with something to settle */
    unsigned settling_count;
    struct service_request *requests;
    unsigned request_room;
    uint64_t last_progress;             /* host time in ms */
    _Alignas(64) atomic_uint next_tile; /* SCHEDULE_DYNAMIC */
};

/* ---- construction ---- */

static bool measured(const struct engine *e)
{
    return e->options.threads > 1 && e->options.schedule == SCHEDULE_MEASURED;
}

static void set_shares(struct engine *e)
{
    unsigned first = 0;
    for (unsigned n = 0; n < e->options.threads; n++) {
        e->workers[n].first = first;
        e->workers[n].last = first = e->end[n];
    }
}

/* Before anything is measured: by the number of units. */
static void share_units(struct engine *e)
{
    unsigned tiles = e->chip->tile_count;
    uint64_t *units = xcalloc(tiles, sizeof *units);
    for (unsigned i = 0; i < tiles; i++)
        units[i] = e->chip->tiles[i]->unit_count + 1;
    share_split(units, tiles, e->options.threads, e->end);
    set_shares(e);
    free(units);
}

static void make_boxes(struct worker *w, unsigned parity, unsigned tiles)
{
    w->boxes[parity] = xcalloc(tiles, sizeof(struct mailbox));
    w->posted[parity] = xcalloc(tiles, 1);
    for (unsigned i = 0; i < tiles; i++)
        w->boxes[parity][i].posted = &w->posted[parity][i];
}

struct engine *engine_new(struct chip *chip,
                          const struct engine_options *options,
                          const struct engine_hooks *hooks)
{
    struct engine *e = aligned_alloc(64, (sizeof *e + 63) / 64 * 64);
    if (!e)
        abort();
    memset(e, 0, sizeof *e);
    e->chip = chip;
    e->options = *options;
    e->hooks = *hooks;
    if (!e->options.epoch || e->options.epoch > chip->epoch)
        e->options.epoch = chip->epoch;
    e->workers = xcalloc(options->threads, sizeof *e->workers);
    for (unsigned n = 0; n < options->threads; n++) {
        struct worker *w = &e->workers[n];
        w->engine = e;
        w->number = n;
        w->next_event = CYCLE_NEVER;
        for (unsigned p = 0; p < 2; p++)
            make_boxes(w, p, chip->tile_count);
    }
    barrier_init(&e->barrier, options->threads);
    e->tile_event = xcalloc(chip->tile_count, sizeof *e->tile_event);
    e->tile_ns = xcalloc(chip->tile_count, sizeof *e->tile_ns);
    e->weight = xcalloc(chip->tile_count, sizeof *e->weight);
    e->end = xcalloc(options->threads, sizeof *e->end);
    e->trial = xcalloc(options->threads, sizeof *e->trial);
    share_units(e);
    if (measured(e))
        share_mode_init(&e->mode);
    for (unsigned i = 0; options->reverse_order && i < chip->tile_count; i++)
        tile_reverse(chip->tiles[i]);
    e->settling = xcalloc(chip->unit_count, sizeof(struct unit *));
    for (unsigned i = 0; i < chip->unit_count; i++) {
        unit_wake(chip->units[i], 0);
        if (chip->units[i]->kind->settle)
            e->settling[e->settling_count++] = chip->units[i];
    }
    return e;
}

void engine_free(struct engine *e)
{
    if (!e)
        return;
    for (unsigned n = 0; n < e->options.threads; n++)
        for (unsigned p = 0; p < 2; p++) {
            for (unsigned i = 0; i < e->chip->tile_count; i++)
                mailbox_free(e->chip, &e->workers[n].boxes[p][i]);
            free(e->workers[n].boxes[p]);
            free(e->workers[n].posted[p]);
        }
    free(e->workers);
    free(e->settling);
    free(e->requests);
    free(e->tile_event);
    free(e->tile_ns);
    free(e->weight);
    free(e->end);
    free(e->trial);
    barrier_destroy(&e->barrier);
    free(e);
}

uint64_t engine_cycle(const struct engine *e)
{
    return e->to;
}

void engine_launch(struct engine *e)
{
    for (unsigned i = 0; i < e->chip->unit_count; i++) {
        struct unit *u = e->chip->units[i];
        if (u->kind->launch)
            u->kind->launch(u, e->to);
    }
}

static void settle(struct engine *e)
{
    bool again = true;
    for (unsigned round = 0; again; round++) {
        again = false;
        for (unsigned i = 0; i < e->settling_count; i++) {
            struct unit *u = e->settling[i];
            if (u->kind->settle(u, round))
                again = true;
        }
    }
}

static void close_accounts(struct engine *e)
{
    for (unsigned i = 0; i < e->chip->unit_count; i++) {
        struct unit *u = e->chip->units[i];
        if (u->kind->close)
            u->kind->close(u, e->to);
    }
}

/* ---- one epoch ---- */

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
    tile_run(t, e->from, e->to, &e->options);
    *event = tile_next_event(t, e->to);
    uint64_t next = *event < t->first_mail ? *event : t->first_mail;
    if (next < w->next_event)
        w->next_event = next;
}

static void time_tile(struct worker *w, unsigned number)
{
    uint64_t start = host_ns();
    run_tile(w, number);
    w->engine->tile_ns[number] = host_ns() - start;
}

/*
 * There and back: the tiles that ran last in an epoch are still in the host's
 * cache, which does not hold all, and run first in the next one.
 */
static void run_range(struct worker *w, unsigned first, unsigned last)
{
    void (*run)(struct worker * w, unsigned number) =
        w->engine->timed ? time_tile : run_tile;
    if (w->engine->parity)
        for (unsigned i = last; i-- > first;)
            run(w, i);
    else
        for (unsigned i = first; i < last; i++)
            run(w, i);
}

static void run_tiles(struct worker *w)
{
    struct engine *e = w->engine;
    w->next_event = CYCLE_NEVER;
    if (e->options.schedule != SCHEDULE_DYNAMIC) {
        run_range(w, w->first, w->last);
        return;
    }
    for (;;) {
        unsigned i = atomic_fetch_add(&e->next_tile, 1);
        if (i >= e->chip->tile_count)
            return;
        run_range(w, i, i + 1);
    }
}

static void run_all_tiles(struct worker *w)
{
    struct engine *e = w->engine;
    for (unsigned n = 0; n < e->options.threads; n++)
        e->workers[n].next_event = CYCLE_NEVER;
    run_range(w, 0, e->chip->tile_count);
}

/* ---- between epochs ---- */

static int earlier_request(const void *a, const void *b)
{
    const struct service_request *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->unit->id != y->unit->id)
        return x->unit->id < y->unit->id ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

static unsigned collect_requests(struct engine *e)
{
    unsigned count = 0;
    for (unsigned i = 0; i < e->chip->tile_count; i++) {
        struct tile *t = e->chip->tiles[i];
        for (unsigned k = 0; k < t->request_count; k++) {
            e->requests = array_reserve(e->requests, count, &e->request_room,
                                        sizeof *e->requests);
            e->requests[count++] = t->requests[k];
        }
        t->request_count = 0;
    }
    qsort(e->requests, count, sizeof *e->requests, earlier_request);
    return count;
}

static bool requests_pending(const struct engine *e)
{
    for (unsigned i = 0; i < e->chip->tile_count; i++)
        if (e->chip->tiles[i]->request_count)
            return true;
    return false;
}

static void stop(struct engine *e, enum engine_stop why)
{
    e->stopping = true;
    e->stop = why;
}

/*
 * Serves what was asked for. Units that are woken here run at `to`: their
 * tiles' clocks stand at to - 1.
 */
static void serve(struct engine *e)
{
    uint64_t start = measured(e) ? host_ns() : 0;
    unsigned count = collect_requests(e);
    e->held_up = true;
    for (unsigned i = 0; i < e->chip->tile_count; i++)
        e->chip->tiles[i]->now = e->to - 1;
    if (count)
        settle(e);
    for (unsigned i = 0; i < count && !e->stopping; i++)
        if (!e->hooks.service(e->hooks.context, e->to, &e->requests[i]))
            stop(e, ENGINE_STOPPED);
    if (measured(e)) /* this is no measure of its threads */
        e->shared_at += host_ns() - start;
}

static uint64_t next_event(const struct engine *e)
{
    uint64_t next = CYCLE_NEVER;
    for (unsigned n = 0; n < e->options.threads; n++)
        if (e->workers[n].next_event < next)
            next = e->workers[n].next_event;
    return next;
}

/* Services may have woken units after the workers looked. */
static uint64_t next_wake(struct engine *e)
{
    uint64_t next = CYCLE_NEVER;
    for (unsigned i = 0; i < e->chip->tile_count; i++) {
        e->tile_event[i] = tile_next_event(e->chip->tiles[i], e->to);
        if (e->tile_event[i] < next)
            next = e->tile_event[i];
    }
    return next;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* First multiple of n after cycle. */
static uint64_t border_after(uint64_t cycle, uint64_t n)
{
    return (cycle / n + 1) * n;
}

/* True if there is a border here. */
static bool interval_border(struct engine *e)
{
    if (!e->interval || e->to < e->next_border)
        return false;
    e->held_up = true;
    close_accounts(e);
    e->hooks.interval(e->hooks.context, e->to);
    e->next_border += e->interval;
    return true;
}

static void show_progress(struct engine *e)
{
    struct timespec now;
    if (!e->hooks.progress)
        return;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    uint64_t ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    if (ms - e->last_progress < 100)
        return;
    e->last_progress = ms;
    e->hooks.progress(e->hooks.context, e->to);
}

/* A jump goes to a multiple of the chip's E, never past a border. */
static uint64_t jump_target(const struct engine *e, uint64_t event)
{
    uint64_t target = event / e->chip->epoch * e->chip->epoch;
    target = least(target, e->limit);
    if (e->interval)
        target = least(target, e->next_border);
    return target > e->to ? target : e->to;
}

/* To where the epoch with the next event begins; accounts are closed at borders
 * on the way. */
static void jump(struct engine *e, uint64_t event)
{
    do
        e->to = jump_target(e, event);
    while (interval_border(e));
}

/* Where the epoch that begins at `from` ends. */
static void set_end(struct engine *e)
{
    e->horizon = least(border_after(e->from, e->chip->epoch), e->limit);
    if (e->interval && e->next_border > e->from)
        e->horizon = least(e->horizon, e->next_border);
    e->to = least(e->from + e->options.epoch, e->horizon);
}

static uint64_t work_of_all(const struct engine *e)
{
    return share_time(share_most(e->weight, 1, &e->chip->tile_count));
}

static void decide_threads(struct engine *e, uint64_t now, uint64_t most,
                           bool begun)
{
    uint64_t all = work_of_all(e);
    uint64_t wall = (now - e->shared_at) / (e->epochs - e->shared_epoch);
    bool alone = e->mode.alone;
    if (begun) /* the time until now is of something else */
        share_begin(&e->mode, all, most, barrier_ns(&e->barrier));
    else
        share_decide(&e->mode, wall, all, most, barrier_ns(&e->barrier));
    if (alone && !e->mode.alone &&
        host_is_busy(e->options.threads, barrier_awake(&e->barrier)))
        share_put_off(&e->mode);
    e->shared_at = now;
    e->shared_epoch = e->epochs;
    e->one_ns = share_one(&e->mode, all);
}

/* One thread or several, and which tiles each of several has. begun: one was
 * alone, and a kernel has begun. */
static void share_again(struct engine *e, uint64_t now, bool begun)
{
    unsigned threads = e->options.threads;
    share_split(e->weight, e->chip->tile_count, threads, e->trial);
    uint64_t most = share_most(e->weight, threads, e->end);
    uint64_t least = share_most(e->weight, threads, e->trial);
    decide_threads(e, now, share_time(least), begun);
    if (most - least > most / GAIN) {
        memcpy(e->end, e->trial, threads * sizeof *e->end);
        set_shares(e);
    }
}

static bool too_slow(const struct engine *e, uint64_t now)
{
    return share_lost(&e->mode, now - e->shared_at, e->epochs - e->shared_epoch,
                      e->one_ns);
}

/* What the next epoch does with the host's threads and clock. */
static void plan_threads(struct engine *e)
{
    if (!measured(e) && !e->hooks.profile)
        return;
    bool timed = e->timed;
    e->timed = ++e->epochs % SAMPLING == 0;
    if (!measured(e))
        return;
    bool begun = timed &&
                 share_weigh(e->weight, e->tile_ns, e->chip->tile_count) &&
                 e->mode.alone;
    bool due = begun || e->epochs - e->shared_epoch == SHARING;
    uint64_t now = due || !e->mode.alone ? host_ns() : 0;
    if (due || too_slow(e, now))
        share_again(e, now, begun);
}

/*
 * Plans the next epoch, or stops. Borders at which services are due are
 * multiples of the chip's E, whatever E is in use; epochs end there.
 */
static void plan(struct engine *e)
{
    uint64_t grid = e->chip->epoch;
    uint64_t event = next_event(e);
    bool waiting = requests_pending(e);
    if (e->hooks.still && !e->hooks.still(e->hooks.context, e->to)) {
        stop(e, ENGINE_STOPPED);
        return;
    }
    if (waiting && e->to % grid == 0) {
        serve(e);
        if (e->stopping)
            return;
        event = least(event, next_wake(e));
        waiting = requests_pending(e);
    }
    interval_border(e);
    show_progress(e);
    if (e->to >= e->limit) {
        stop(e, ENGINE_LIMIT);
        return;
    }
    /* Services, the end, and who watches come at multiples of the chip's E: no
     * jump over the next one. */
    bool watched = event == CYCLE_NEVER || e->hooks.still;
    if (waiting || (watched && e->to % grid))
        event = least(event, border_after(e->to, grid) - 1);
    if (event == CYCLE_NEVER) {
        stop(e, ENGINE_DEADLOCK);
        return;
    }
    if (!e->options.no_skip)
        jump(e, event);
    e->from = e->to;
    set_end(e);
    e->parity ^= 1;
    plan_threads(e);
    atomic_store(&e->next_tile, 0);
}

/* ---- threads ---- */

/* Plans; if the epoch before was timed, tells who wants to know. */
static void plan_and_tell(struct engine *e)
{
    uint64_t from = e->from, start = 0;
    bool tell = e->timed && e->hooks.profile;
    if (tell)
        start = host_ns();
    plan(e);
    e->held_up |= tell;
    if (tell)
        e->hooks.profile(e->hooks.context, from, e->tile_ns, host_ns() - start);
}

/* The last to arrive plans; all leave when it has. */
static void end_epoch(struct worker *w)
{
    struct engine *e = w->engine;
    if (!barrier_arrive(&e->barrier))
        return;
    e->held_up = false;
    plan_and_tell(e);
    bool late = e->mode.alone || e->held_up;
    while (e->mode.alone && !e->stopping) {
        run_all_tiles(w);
        plan_and_tell(e);
    }
    barrier_release(&e->barrier, late);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct engine *e = w->engine;
    while (!e->stopping) {
        run_tiles(w);
        end_epoch(w);
    }
    return NULL;
}

static void begin(struct engine *e, uint64_t limit, uint64_t interval)
{
    uint64_t grid = e->chip->epoch;
    e->limit = limit;
    e->interval = (interval + grid - 1) / grid * grid;
    e->next_border = e->interval ? border_after(e->to, e->interval) : 0;
    e->stopping = false;
    e->from = e->to;
    e->shared_at = host_ns();
    e->shared_epoch = e->epochs;
    e->parity ^= 1; /* the mail of the epoch before is to be read */
    set_end(e);
}

enum engine_stop engine_run(struct engine *e, uint64_t limit, uint64_t interval)
{
    begin(e, limit, interval);
    for (unsigned n = 1; n < e->options.threads; n++)
        if (pthread_create(&e->workers[n].thread, NULL, work, &e->workers[n]))
            abort();
    work(&e->workers[0]);
    for (unsigned n = 1; n < e->options.threads; n++)
        pthread_join(e->workers[n].thread, NULL);
    close_accounts(e);
    settle(e);
    return e->stop;
}
