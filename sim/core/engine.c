/*
 * Epochs. Between two barriers all tiles run the same cycles [from, to), or
 * those of one side of the chip do; the last thread to arrive plans what comes
 * next while the others wait: services, interval borders, limits and clock
 * jumps all happen there, at a cycle that does not depend on the number of
 * threads or on E.
 *
 * On one thread two sides run in turn, each from E cycles behind the other to E
 * cycles ahead: what the other sends later arrives later. So a tile runs 2 E
 * cycles at a time, and a host's cache, which does not hold all tiles, has its
 * lines for longer. On several threads that was measured to cost more than it
 * gains.
 */
#include "sim/core/engine.h"
#include "sim/core/barrier.h"
#include "sim/core/chip_private.h"
#include "sim/core/heap.h"
#include "sim/core/host_clock.h"
#include "sim/core/host_load.h"
#include "sim/core/share.h"
#include "sim/core/tile_run.h"
#include <stdio.h>
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
    struct mailbox *boxes[2]; /* by parity of the turn, then tile */
    uint8_t *posted[2];       /* is there mail in the box? */
    uint64_t next_event;      /* of the tiles it ran and the mail they sent */
    uint64_t last_event;      /* cycle in which a tile that it ran had any */
    uint64_t request; /* first cycle in which one of them asked for a service */
    /* Tiles of its own that nobody has taken yet: the first one, and 2^32 times
     * the end of them. */
    _Alignas(64) atomic_uint_fast64_t left;
};

/* Tiles that run at the same time: all, or those of one side. */
struct side {
    unsigned first, end; /* numbers of tiles */
    uint64_t clock;      /* where they stand */
    uint64_t event;      /* their next, or that of the mail they sent */
};

struct engine {
    struct chip *chip;
    struct engine_options options;
    struct engine_hooks hooks;
    const struct engine_host *host;
    struct worker *workers;
    struct barrier barrier;
    uint64_t *tile_event; /* by tile: its next event, not counting mail */
    uint64_t *tile_ns;    /* by tile: time of the last epoch that was timed */
    uint64_t *weight;     /* by tile: share.h */
    unsigned *shares;     /* by thread, but for SCHEDULE_DYNAMIC: share.h */
    unsigned *trial;      /* what they might be */
    struct side sides[2];
    unsigned side_count;
    unsigned turn;      /* the side that runs */
    unsigned longest;   /* cycles that it runs at a time, at most */
    uint64_t epochs;    /* number of this one: a turn of each side */
    bool timed;         /* tiles are timed in this epoch */
    uint64_t shared_at; /* host time of the last look at the split */
    uint64_t shared_epoch;
    uint64_t one_ns; /* an epoch of one thread, as was known then */
    struct share_mode mode;
    uint64_t from, to; /* cycles of who runs; then it stands at `to` */
    uint64_t limit, interval, next_border;
    uint64_t last_event; /* of all tiles until now */
    uint64_t services;   /* where the next ones are, or an alarm */
    uint64_t alarm;      /* where it is, CYCLE_NEVER: there is none */
    uint64_t horizon; /* first cycle at which all may stop: see struct tile */
    unsigned parity;
    bool stopping;
    bool held_up; /* something was done for others, since the last epoch */
    enum engine_stop stop;
    struct unit **settling; /* units with something to settle */
    unsigned settling_count;
    struct service_request *requests;
    unsigned request_room;
    uint64_t last_progress;             /* host time in ms */
    _Alignas(64) atomic_uint next_tile; /* SCHEDULE_DYNAMIC */
};

/* ---- the host ---- */

static uint64_t this_ns(void *context)
{
    return host_ns();
}

static bool this_is_busy(void *context, unsigned threads, unsigned awake)
{
    return host_is_busy(threads, awake);
}

static const struct engine_host this_host = {
    .ns = this_ns, .tile_ns = this_ns, .is_busy = this_is_busy};

static uint64_t epoch_ns(const struct engine *e)
{
    return e->host->ns(e->host->context);
}

static uint64_t tile_ns(const struct engine *e)
{
    return e->host->tile_ns(e->host->context);
}

static bool is_busy(const struct engine *e, unsigned awake)
{
    return e->host->is_busy(e->host->context, e->options.threads, awake);
}

/* ---- construction ---- */

static bool measured(const struct engine *e)
{
    return e->options.threads > 1 && e->options.schedule == SCHEDULE_MEASURED;
}

/* Before anything is measured: by the number of units. */
static void share_units(struct engine *e)
{
    unsigned tiles = e->chip->tile_count;
    uint64_t *units = heap_new(tiles, sizeof *units, "host threads");
    for (unsigned i = 0; i < tiles; i++)
        units[i] = e->chip->tiles[i]->unit_count + 1;
    share_split(units, tiles, e->options.threads, e->shares);
    free(units);
}

/*
 * Sides run in turn if epochs are to be longer than E, on one thread. Not for
 * who watches all tiles stand still.
 */
static bool takes_turns(const struct engine *e)
{
    unsigned asked = e->options.epoch;
    return e->chip->first_side && (!asked || asked > e->chip->epoch) &&
           e->options.threads == 1 && !e->options.no_skip && !e->hooks.still;
}

static void make_sides(struct engine *e)
{
    bool turns = takes_turns(e);
    unsigned most = turns ? chip_longest_epoch(e->chip) : e->chip->epoch;
    unsigned asked = e->options.epoch;
    e->longest = asked && asked < most ? asked : most;
    e->side_count = turns ? 2 : 1;
    e->sides[0].end = e->sides[1].first =
        turns ? e->chip->first_side : e->chip->tile_count;
    e->sides[1].end = e->chip->tile_count;
}

static void make_boxes(struct worker *w, unsigned parity, unsigned tiles)
{
    w->boxes[parity] = heap_new(tiles, sizeof(struct mailbox), "host threads");
    w->posted[parity] = heap_new(tiles, 1, "host threads");
    for (unsigned i = 0; i < tiles; i++)
        w->boxes[parity][i].posted = &w->posted[parity][i];
}

/* Zeroed memory of which no other has a part of a line. */
static void *lines_of(size_t bytes)
{
    return memset(heap_lines(bytes, 1, "host threads"), 0, bytes);
}

struct engine *engine_new(struct chip *chip,
                          const struct engine_options *options,
                          const struct engine_hooks *hooks)
{
    struct engine *e = lines_of(sizeof *e);
    e->chip = chip;
    e->options = *options;
    e->hooks = *hooks;
    e->host = options->host ? options->host : &this_host;
    make_sides(e);
    e->services = e->alarm = CYCLE_NEVER;
    e->workers = lines_of(options->threads * sizeof *e->workers);
    for (unsigned n = 0; n < options->threads; n++) {
        struct worker *w = &e->workers[n];
        w->engine = e;
        w->number = n;
        w->next_event = w->request = CYCLE_NEVER;
        for (unsigned p = 0; p < 2; p++)
            make_boxes(w, p, chip->tile_count);
    }
    barrier_init(&e->barrier, options->threads);
    e->tile_event =
        heap_new(chip->tile_count, sizeof *e->tile_event, "host threads");
    e->tile_ns = heap_new(chip->tile_count, sizeof *e->tile_ns, "host threads");
    e->weight = heap_new(chip->tile_count, sizeof *e->weight, "host threads");
    e->shares = heap_new(options->threads, sizeof *e->shares, "host threads");
    e->trial = heap_new(options->threads, sizeof *e->trial, "host threads");
    share_units(e);
    if (measured(e))
        share_mode_init(&e->mode);
    for (unsigned i = 0; options->reverse_order && i < chip->tile_count; i++)
        tile_reverse(chip->tiles[i]);
    e->settling =
        heap_new(chip->unit_count, sizeof(struct unit *), "host threads");
    for (unsigned i = 0; i < chip->unit_count; i++) {
        tile_wake(chip->units[i]->tile, chip->units[i]->word,
                  chip->units[i]->bit, 0);
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
    free(e->shares);
    free(e->trial);
    barrier_destroy(&e->barrier);
    free(e);
}

unsigned engine_epoch(const struct engine *e)
{
    return e->longest;
}

bool engine_is_alone(const struct engine *e)
{
    return e->options.threads == 1 || e->mode.alone;
}

unsigned engine_share(const struct engine *e, unsigned thread)
{
    return e->shares[thread];
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
        if (CHECKED)
            checked_buckets(u, e->to);
    }
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
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
    uint64_t start = tile_ns(w->engine);
    run_tile(w, number);
    w->engine->tile_ns[number] = tile_ns(w->engine) - start;
}

/*
 * There and back: the tiles that ran last in an epoch are still in the host's
 * cache, which does not hold all, and run first in the next one.
 */
static void run_range(struct worker *w, unsigned first, unsigned last)
{
    void (*run)(struct worker * w, unsigned number) =
        w->engine->timed ? time_tile : run_tile;
    if (w->engine->epochs & 1)
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

/* All threads have their own again. */
static void deal_tiles(struct engine *e)
{
    for (unsigned n = 0; n < e->options.threads; n++)
        atomic_store_explicit(&e->workers[n].left,
                              (uint64_t)e->shares[n] << 32 |
                                  (n ? e->shares[n - 1] : 0),
                              memory_order_relaxed);
}

/*
 * Takes one of a thread's tiles: it goes through them as run_range does, who
 * helps it begins at the other end. NONE: fewer than at_least are left.
 */
static unsigned take_tile(struct worker *of, bool helps, unsigned at_least)
{
    bool low = helps == (of->engine->epochs & 1);
    uint64_t left = atomic_load(&of->left), then;
    do {
        if ((left >> 32) - (uint32_t)left < at_least)
            return NONE;
        then = low ? left + 1 : left - (1ULL << 32);
    } while (!atomic_compare_exchange_weak(&of->left, &left, then));
    return low ? (unsigned)left : (unsigned)(left >> 32) - 1;
}

static void take_tiles(struct worker *w, struct worker *of)
{
    bool helps = w != of;
    unsigned at_least = helps ? 2 : 1; /* it is about to take the last one */
    for (unsigned i; (i = take_tile(of, helps, at_least)) != NONE;)
        run_range(w, i, i + 1);
}

/*
 * Its own; then it helps others of the four that it belongs to. What tiles cost
 * differs from epoch to epoch, and who has less in one would wait. (All others
 * would be too many to look at.)
 */
static void run_own_tiles(struct worker *w)
{
    struct engine *e = w->engine;
    take_tiles(w, w);
    if (e->options.schedule == SCHEDULE_FIXED)
        return;
    for (unsigned k = 1; k < 4; k++)
        if ((w->number ^ k) < e->options.threads)
            take_tiles(w, &e->workers[w->number ^ k]);
}

static void run_next_tiles(struct worker *w)
{
    struct engine *e = w->engine;
    for (;;) {
        unsigned i = atomic_fetch_add(&e->next_tile, 1);
        if (i >= e->chip->tile_count)
            return;
        run_range(w, i, i + 1);
    }
}

static void run_tiles(struct worker *w)
{
    const struct engine_options *options = &w->engine->options;
    if (options->threads == 1)
        run_all_tiles(w);
    else if (options->schedule == SCHEDULE_DYNAMIC)
        run_next_tiles(w);
    else
        run_own_tiles(w);
}

/* ---- between epochs ---- */

/* First multiple of n after cycle. */
static uint64_t border_after(uint64_t cycle, uint64_t n)
{
    return (cycle / n + 1) * n;
}

static int earlier_request(const void *a, const void *b)
{
    const struct service_request *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->unit->id != y->unit->id)
        return x->unit->id < y->unit->id ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

/* Mostly units were made tile by tile, and run in that order. */
static void order_requests(struct service_request *requests, unsigned count)
{
    unsigned n = 1;
    while (n < count && earlier_request(&requests[n - 1], &requests[n]) < 0)
        n++;
    if (n < count)
        qsort(requests, count, sizeof *requests, earlier_request);
}

/* Takes the tile's requests of a cycle; returns the cycle of its next ones. */
static uint64_t take_requests(struct engine *e, struct tile *t, uint64_t cycle,
                              unsigned *count)
{
    for (; t->request_taken < t->request_count; t->request_taken++) {
        const struct service_request *r = &t->requests[t->request_taken];
        if (r->cycle > cycle)
            return r->cycle;
        e->requests = array_reserve(e->requests, *count, &e->request_room,
                                    sizeof *e->requests);
        e->requests[(*count)++] = *r;
    }
    t->request_taken = t->request_count = 0;
    return CYCLE_NEVER;
}

/* Those of all tiles, each of which has asked in the order of cycles: at the
 * end of a kernel, every hart of the chip. */
static unsigned collect_requests(struct engine *e)
{
    unsigned count = 0;
    for (uint64_t cycle = 0, next; cycle < CYCLE_NEVER; cycle = next) {
        unsigned before = count;
        next = CYCLE_NEVER;
        for (unsigned i = 0; i < e->chip->tile_count; i++)
            next =
                least(next, take_requests(e, e->chip->tiles[i], cycle, &count));
        if (count > before)
            order_requests(e->requests + before, count - before);
    }
    return count;
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
    uint64_t start = measured(e) ? epoch_ns(e) : 0;
    unsigned count = collect_requests(e);
    e->held_up = true;
    for (unsigned i = 0; i < e->chip->tile_count; i++)
        e->chip->tiles[i]->now = e->to - 1;
    if (e->to > e->last_event + 1)
        e->last_event = e->to - 1; /* if that was all, the run ends here */
    bool alarm = e->alarm == e->to;
    if (count || alarm)
        settle(e);
    for (unsigned i = 0; i < count && !e->stopping; i++)
        if (!e->hooks.service(e->hooks.context, e->to, &e->requests[i]))
            stop(e, ENGINE_STOPPED);
    if (alarm && !e->stopping) {
        e->alarm = CYCLE_NEVER;
        e->hooks.alarm(e->hooks.context, e->to);
    }
    if (measured(e)) /* this is no measure of its threads */
        e->shared_at += epoch_ns(e) - start;
}

void engine_alarm(struct engine *e, uint64_t cycle)
{
    uint64_t grid = chip_grid(e->chip), first = border_after(e->to, grid);
    if (cycle > first)
        first = cycle > CYCLE_NEVER - grid ? CYCLE_NEVER / grid * grid
                                           : border_after(cycle - 1, grid);
    e->alarm = least(e->alarm, first);
}

/* What is asked for in a cycle is done here: no tile is past it before all have
 * run that cycle, as none is further ahead than E. */
static uint64_t service_after(const struct engine *e, uint64_t cycle)
{
    return border_after(cycle + e->chip->epoch, chip_grid(e->chip));
}

/* What the side that ran has found, and where it stands. */
static void note_turn(struct engine *e)
{
    struct side *s = &e->sides[e->turn];
    s->clock = e->to;
    s->event = CYCLE_NEVER;
    for (unsigned n = 0; n < e->options.threads; n++) {
        struct worker *w = &e->workers[n];
        s->event = least(s->event, w->next_event);
        if (w->last_event > e->last_event)
            e->last_event = w->last_event;
        if (w->request != CYCLE_NEVER)
            e->services = least(e->services, service_after(e, w->request));
        w->next_event = w->request = CYCLE_NEVER;
    }
}

/* It may be that of mail that has been taken: then nothing is lost. */
static uint64_t next_event(const struct engine *e)
{
    uint64_t next = e->sides[0].event;
    return e->side_count > 1 ? least(next, e->sides[1].event) : next;
}

/* Do all tiles stand at the same cycle? */
static bool is_level(const struct engine *e)
{
    return e->side_count == 1 || e->sides[0].clock == e->sides[1].clock;
}

/* Services may have woken a tile's units, and made them ask for more. */
static void note_woken(struct engine *e, struct side *s, unsigned number)
{
    const struct tile *t = e->chip->tiles[number];
    e->tile_event[number] = tile_next_event(t, e->to);
    s->event = least(s->event, e->tile_event[number]);
    if (t->request_count)
        e->services =
            least(e->services, service_after(e, t->requests[0].cycle));
}

static void note_served(struct engine *e)
{
    e->services = e->alarm;
    for (struct side *s = e->sides; s < e->sides + e->side_count; s++)
        for (unsigned i = s->first; i < s->end; i++)
            note_woken(e, s, i);
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

/* All tiles stand here before anything goes on. */
static uint64_t next_stop(const struct engine *e)
{
    uint64_t stop = least(e->limit, e->services);
    return e->interval ? least(stop, e->next_border) : stop;
}

/* To where the epoch with the next event begins, a multiple of the grid;
 * accounts are closed at borders on the way. Nothing happens till then, so
 * sides that stand apart meet. */
static void jump(struct engine *e, uint64_t event)
{
    uint64_t grid = chip_grid(e->chip), target;
    do {
        target = least(event / grid * grid, next_stop(e));
        if (target <= e->to)
            return;
        e->to = e->sides[0].clock = e->sides[1].clock = target;
    } while (interval_border(e));
}

/* Where the turn that begins ends. */
static void set_end(struct engine *e)
{
    e->from = e->sides[e->turn].clock;
    e->horizon = least(service_after(e, e->from), next_stop(e));
    e->to = least(e->from + e->longest, e->horizon);
    if (e->side_count == 1) /* that all is quiet is seen soon */
        e->to = least(e->to, border_after(e->from, e->chip->epoch));
    else
        e->to = least(e->to, e->sides[!e->turn].clock + e->chip->lead);
    if (e->hooks.still) /* which may stop the run whenever all stand still */
        e->horizon = e->to;
}

/* That of the next side, for which there is the mail of the turn before. */
static void begin_turn(struct engine *e)
{
    e->turn = (e->turn + 1) % e->side_count;
    e->parity ^= 1;
    set_end(e);
    atomic_store(&e->next_tile, 0);
    deal_tiles(e);
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
    if (alone && !e->mode.alone && is_busy(e, barrier_awake(&e->barrier)))
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
    uint64_t most = share_most(e->weight, threads, e->shares);
    uint64_t least = share_most(e->weight, threads, e->trial);
    decide_threads(e, now, share_time(least), begun);
    if (most - least > most / GAIN)
        memcpy(e->shares, e->trial, threads * sizeof *e->shares);
}

static bool too_slow(const struct engine *e, uint64_t now)
{
    return share_lost(&e->mode, now - e->shared_at, e->epochs - e->shared_epoch,
                      e->one_ns);
}

/* What the next epoch does with the host's threads and clock. */
static void plan_threads(struct engine *e)
{
    bool timed = e->timed;
    e->epochs++;
    if (!measured(e) && !e->hooks.profile)
        return;
    e->timed = e->epochs % SAMPLING == 0;
    if (!measured(e))
        return;
    bool begun = timed &&
                 share_weigh(e->weight, e->tile_ns, e->chip->tile_count) &&
                 e->mode.alone;
    bool due = begun || e->epochs - e->shared_epoch == SHARING;
    uint64_t now = due || !e->mode.alone ? epoch_ns(e) : 0;
    if (due || too_slow(e, now))
        share_again(e, now, begun);
}

/* Whoever wants to see all tiles stand still. False: the run stops. */
static bool stand_still(struct engine *e)
{
    if (e->hooks.still && !e->hooks.still(e->hooks.context, e->to)) {
        stop(e, ENGINE_STOPPED);
        return false;
    }
    if (e->services == e->to) {
        serve(e);
        if (e->stopping)
            return false;
        note_served(e);
    }
    interval_border(e);
    if (e->to >= e->limit)
        stop(e, ENGINE_LIMIT);
    return !e->stopping;
}

/*
 * Nothing can ever happen again. The run ends at the first multiple of the grid
 * after the last event, unless a border or the limit comes before: returns it
 * as what there is to go on for.
 */
static uint64_t end_of_events(struct engine *e)
{
    uint64_t last = e->options.no_skip ? e->to - 1 : e->last_event;
    uint64_t end = border_after(last, chip_grid(e->chip));
    if (end < next_stop(e) && (!e->options.no_skip || e->to == end)) {
        e->to = end;
        stop(e, ENGINE_DEADLOCK);
    }
    return end;
}

/* The next turn begins, or the run stops. */
static void go_on(struct engine *e)
{
    uint64_t event = next_event(e);
    if (event == CYCLE_NEVER && e->services == CYCLE_NEVER)
        event = end_of_events(e);
    if (e->stopping)
        return;
    uint64_t grid = chip_grid(e->chip);
    if (e->hooks.still && e->to % grid) /* somebody watches */
        event = least(event, border_after(e->to, grid) - 1);
    if (!e->options.no_skip)
        jump(e, event);
    begin_turn(e);
}

/* Plans what runs next, or stops. */
static void plan(struct engine *e)
{
    bool last = e->turn + 1 == e->side_count;
    note_turn(e);
    show_progress(e);
    if (is_level(e) && !stand_still(e))
        return;
    go_on(e);
    if (last && !e->stopping)
        plan_threads(e);
}

/* ---- threads ---- */

/* Plans; if the epoch before was timed, tells who wants to know. */
static void plan_and_tell(struct engine *e)
{
    uint64_t from = e->from, start = 0;
    bool tell = e->timed && e->hooks.profile && e->turn + 1 == e->side_count;
    if (tell)
        start = epoch_ns(e);
    plan(e);
    e->held_up |= tell;
    if (tell)
        e->hooks.profile(e->hooks.context, from, e->tile_ns,
                         epoch_ns(e) - start);
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
    e->shared_at = epoch_ns(e);
    e->shared_epoch = e->epochs;
    go_on(e);
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

enum engine_stop engine_run(struct engine *e, uint64_t limit, uint64_t interval)
{
    begin(e, limit, interval);
    for (unsigned n = 1; n < e->options.threads; n++)
        start_thread(e, n);
    work(&e->workers[0]);
    for (unsigned n = 1; n < e->options.threads; n++)
        pthread_join(e->workers[n].thread, NULL);
    close_accounts(e);
    settle(e);
    return e->stop;
}
