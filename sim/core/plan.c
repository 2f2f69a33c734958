/*
 * What happens between two turns, while all tiles stand still: services,
 * interval borders, limits and clock jumps, and where the next turn ends. It is
 * the same for any number of threads, and at cycles that do not depend on E.
 */
#include "sim/core/engine_private.h"
#include <time.h>

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
    uint64_t since = policy_pause(&e->policy);
    unsigned count = collect_requests(e);
    e->held_up = true;
    for (unsigned i = 0; i < e->chip->tile_count; i++)
        e->chip->tiles[i]->now = e->to - 1;
    if (e->to > e->last_event + 1)
        e->last_event = e->to - 1; /* if that was all, the run ends here */
    bool alarm = e->alarm == e->to;
    if (count || alarm)
        engine_settle(e);
    for (unsigned i = 0; i < count && !e->stopping; i++)
        if (!e->hooks.service(e->hooks.context, e->to, &e->requests[i]))
            stop(e, ENGINE_STOPPED);
    if (alarm && !e->stopping) {
        e->alarm = CYCLE_NEVER;
        if (!e->hooks.alarm(e->hooks.context, e->to))
            stop(e, ENGINE_STOPPED);
    }
    policy_resume(&e->policy, since);
}

void engine_alarm(struct engine *e, uint64_t cycle)
{
    uint64_t grid = chip_grid(e->chip), first = border_after(e->to, grid);
    if (cycle > first)
        first = cycle > CYCLE_NEVER - grid ? CYCLE_NEVER / grid * grid
                                           : border_after(cycle - 1, grid);
    e->alarm = least(e->alarm, first);
}

/* The turn may have ended before all of its epochs had run. */
static void note_end(struct engine *e)
{
    e->to = atomic_load_explicit(&e->end, memory_order_relaxed);
    if (e->epochs > 1) {
        unsigned epoch = e->chip->epoch;
        e->epochs = (unsigned)((e->to - e->from + epoch - 1) / epoch);
        e->parity = (e->parity + e->epochs - 1) & 1;
    }
}

void plan_note(struct engine *e)
{
    struct side *s = &e->sides[e->turn];
    note_end(e);
    s->clock = e->to;
    s->event = CYCLE_NEVER;
    for (unsigned i = s->first; i < s->end; i++)
        s->event = least(s->event, least(e->events[i].own, e->events[i].mail));
    for (unsigned n = 0; n < e->options.threads; n++) {
        struct worker *w = &e->workers[n];
        if (w->last_event > e->last_event)
            e->last_event = w->last_event;
        if (w->request != CYCLE_NEVER)
            e->services = least(e->services, service_after(e, w->request));
        w->request = CYCLE_NEVER;
    }
}

/* The event may be mail that has been taken: then nothing is lost. */
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
    e->events[number].own = tile_next_event(t, e->to);
    s->event = least(s->event, e->events[number].own);
    if (t->request_count)
        e->services =
            least(e->services, service_after(e, t->requests[0].cycle));
}

static void note_all_woken(struct engine *e)
{
    for (struct side *s = e->sides; s < e->sides + e->side_count; s++)
        for (unsigned i = s->first; i < s->end; i++)
            note_woken(e, s, i);
}

static void note_served(struct engine *e)
{
    e->services = e->alarm;
    note_all_woken(e);
}

/* True if there is a border here. */
static bool interval_border(struct engine *e)
{
    if (!e->interval || e->to < e->next_border)
        return false;
    e->held_up = true;
    engine_close_accounts(e);
    e->hooks.interval(e->hooks.context, e->to);
    e->next_border += e->interval;
    return true;
}

/* Likewise; the watch looks whether the run gets on. */
static bool watch_border(struct engine *e)
{
    if (!e->watch || e->to < e->next_watch)
        return false;
    e->next_watch += e->watch;
    if (!e->hooks.watch(e->hooks.context, e->to))
        stop(e, ENGINE_STOPPED);
    return true;
}

static uint64_t next_save(const struct engine *e)
{
    return e->save_every ? border_after(e->to, e->save_every) : CYCLE_NEVER;
}

/* Likewise if the run is saved here. */
static bool save_here(struct engine *e)
{
    if (e->to < e->save)
        return false;
    e->held_up = true;
    e->save = next_save(e);
    e->hooks.save(e->hooks.context, e->to);
    return true;
}

void engine_save_every(struct engine *e, uint64_t cycles)
{
    e->save_every = cycles ? border_after(cycles - 1, chip_grid(e->chip)) : 0;
    e->save = next_save(e);
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

/* The first cycle at which all tiles can stand, and none has worked beyond. */
static uint64_t first_stand(const struct engine *e)
{
    uint64_t first = e->to > e->promised ? e->to : e->promised;
    for (unsigned i = 0; i < e->side_count; i++)
        first = e->sides[i].clock > first ? e->sides[i].clock : first;
    return first;
}

/* The next one at which services may come, too. */
static uint64_t next_rest(const struct engine *e)
{
    return border_after(first_stand(e), chip_grid(e->chip));
}

void engine_end_soon(struct engine *e)
{
    e->limit = least(e->limit, next_rest(e));
}

void engine_save_soon(struct engine *e)
{
    e->save = least(e->save, next_rest(e));
}

void engine_mark(struct engine *e, uint64_t cycle)
{
    uint64_t first = first_stand(e) + 1;
    uint64_t after = (cycle > first ? cycle : first) - 1;
    if (after < CYCLE_NEVER - e->chip->epoch)
        e->mark = least(e->mark, border_after(after, e->chip->epoch));
}

/* The next cycle at which all tiles stand before anything goes on. */
static uint64_t next_stop(const struct engine *e)
{
    uint64_t stop =
        least(least(e->limit, e->services), least(e->mark, e->save));
    if (e->watch)
        stop = least(stop, e->next_watch);
    return e->interval ? least(stop, e->next_border) : stop;
}

/* Likewise; the hook may ask for the next one. */
static bool mark_border(struct engine *e)
{
    if (e->to < e->mark)
        return false;
    e->mark = CYCLE_NEVER;
    e->held_up = true;
    engine_close_accounts(e);
    e->hooks.mark(e->hooks.context, e->to);
    return true;
}

/* True if there was one, and the run goes on; it is saved last. */
static bool borders(struct engine *e)
{
    bool there = interval_border(e);
    there |= mark_border(e);
    there |= watch_border(e);
    if (!e->stopping)
        there |= save_here(e);
    return there && !e->stopping;
}

/* Goes to where the epoch of the next event begins, a multiple of the grid;
 * what is due at borders on the way is done. Nothing happens till then, so
 * sides that stand apart meet. */
static void jump(struct engine *e, uint64_t event)
{
    uint64_t grid = chip_grid(e->chip), target;
    do {
        target = least(event / grid * grid, next_stop(e));
        if (target <= e->to)
            return;
        e->to = e->sides[0].clock = e->sides[1].clock = target;
    } while (borders(e));
}

/* May several threads run more than an epoch without meeting? Not if a
 * hook wants to know what each epoch took. */
static bool may_stretch(const struct engine *e)
{
    return !policy_is_alone(&e->policy) && !e->hooks.still &&
           !e->hooks.profile && !e->options.no_skip &&
           e->options.schedule != SCHEDULE_DYNAMIC &&
           e->longest == e->chip->epoch && e->from % e->longest == 0;
}

/* The last of its epochs has the last horizon. After a jump to where all stand
 * there is nothing to run. */
static void set_stretch(struct engine *e)
{
    unsigned epoch = e->chip->epoch;
    e->to = least(e->from + STRETCH * (uint64_t)epoch, e->halt);
    if (e->to - e->from <= epoch)
        return;
    e->epochs = (unsigned)((e->to - e->from + epoch - 1) / epoch);
    e->horizon = least(
        service_after(e, e->from + (e->epochs - 1) * (uint64_t)epoch), e->halt);
}

/* Where the turn that begins ends. */
static void set_end(struct engine *e)
{
    e->from = e->sides[e->turn].clock;
    e->halt = next_stop(e);
    e->horizon = least(service_after(e, e->from), e->halt);
    e->to = least(e->from + e->longest, e->horizon);
    e->epochs = 1;
    if (may_stretch(e))
        set_stretch(e);
    else if (e->side_count == 1) /* that all is quiet is seen soon */
        e->to = least(e->to, border_after(e->from, e->chip->epoch));
    else
        e->to = least(e->to, e->sides[!e->turn].clock + e->chip->lead);
    if (e->hooks.still) /* which may stop the run whenever all stand still */
        e->horizon = e->to;
    if (e->horizon > e->promised)
        e->promised = e->horizon;
    atomic_store_explicit(&e->end, e->to, memory_order_relaxed);
}

/* Begins the next side's turn, which gets the mail of the turn before. */
static void begin_turn(struct engine *e)
{
    e->turn = (e->turn + 1) % e->side_count;
    e->parity ^= 1;
    set_end(e);
}

/* What is due in this cycle. False: the run stops. */
static bool do_due(struct engine *e)
{
    if (e->services == e->to) {
        serve(e);
        if (e->stopping)
            return false;
        note_served(e);
    }
    borders(e);
    if (!e->stopping && e->to >= e->limit)
        stop(e, ENGINE_LIMIT);
    return !e->stopping;
}

/* Calls the hook that wants to see all tiles stand still. False: the run
 * stops, and what is due in this cycle is left to the next engine_run. */
static bool stand_still(struct engine *e)
{
    e->left = e->hooks.still && !e->hooks.still(e->hooks.context, e->to);
    if (e->left)
        stop(e, ENGINE_STOPPED);
    return !e->left && do_due(e);
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
    uint64_t event = next_event(e), end = CYCLE_NEVER;
    if (event == CYCLE_NEVER && e->services == CYCLE_NEVER)
        event = end = end_of_events(e);
    if (e->stopping)
        return;
    uint64_t grid = chip_grid(e->chip);
    if (e->hooks.still && e->to % grid) /* a hook watches */
        event = least(event, border_after(e->to, grid) - 1);
    if (!e->options.no_skip)
        jump(e, event);
    if (e->to == end && end < next_stop(e)) /* a border was there, too */
        stop(e, ENGINE_DEADLOCK);
    if (!e->stopping)
        begin_turn(e);
}

void plan_next(struct engine *e)
{
    show_progress(e);
    if (!is_level(e) || stand_still(e))
        go_on(e);
}

void plan_loaded(struct engine *e)
{
    for (unsigned i = 0; i < e->side_count; i++) {
        e->sides[i].clock = e->to;
        e->sides[i].event = CYCLE_NEVER;
    }
    note_all_woken(e);
}

void plan_first(struct engine *e, uint64_t limit, uint64_t interval)
{
    uint64_t grid = e->chip->epoch;
    /* A border of the cycle in which a hook stopped the run is due yet. */
    uint64_t done = e->left && e->to ? e->to - 1 : e->to;
    e->limit = limit;
    e->interval = (interval + grid - 1) / grid * grid;
    e->next_border = e->interval ? border_after(done, e->interval) : 0;
    e->watch = e->options.watch
                   ? border_after(e->options.watch - 1, chip_grid(e->chip))
                   : 0;
    e->next_watch = e->watch ? border_after(done, e->watch) : 0;
    e->services = least(e->services, e->alarm);
    e->stopping = false;
    bool left = e->left;
    e->left = false;
    if (!left || do_due(e))
        go_on(e);
}
