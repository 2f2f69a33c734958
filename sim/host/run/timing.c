/* The cycle-level run: the engine drives, this serves. */
#include "sim/host/run/timing.h"
#include "sim/core/covered.h"
#include "sim/core/host_load.h"
#include "sim/core/unit.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/results.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/signals.h"
#include "sim/host/run/thread_places.h"
#include "sim/host/run/watchdog.h"
#include "sim/host/state/checkpoint.h"
#include <inttypes.h>

/* Where services may come. */
static bool look_at_tohost(struct host *host, uint64_t now)
{
    if (!host->half.by || now < host->half.due || now % chip_grid(host->chip))
        return true;
    host->now = now;
    return host_half_due(host);
}

/* Called between epochs, when all tiles stand still. False: the run is over, or
 * stops for its debugger. */
static bool still(void *context, uint64_t now)
{
    struct host *host = context;
    const struct debugger *d = host->debugger;
    return observers_still(host, now) && look_at_tohost(host, now) &&
           (!d || !d->still || d->still(d->context, now));
}

/*
 * A hart asks for service. request->tag
 * is the hart's slot in its core. Of other units only those ask that move
 * pages, when a hart waits for them.
 */
static bool serve(void *context, uint64_t now,
                  const struct service_request *request)
{
    struct host *host = context;
    host->now = now;
    if (request->unit->kind->paging) {
        host_managed_synchronised(host);
        return roi_go_on(host);
    }
    unsigned hart =
        host->first_hart[request->unit->id] + (unsigned)request->tag;
    return observers_service(host, &host->machine.harts[hart]) &&
           host_serve(host, &host->machine.harts[hart]) && roi_go_on(host);
}

static bool alarm_at(void *context, uint64_t now)
{
    struct host *host = context;
    host->now = now;
    launch_alarm(host);
    sleep_wake(host);
    return roi_alarm(host);
}

static void ask_for_mark(struct host *host)
{
    engine_mark(host->engine, observers_next(host));
}

static void interval_border(void *context, uint64_t now)
{
    struct host *host = context;
    host->now = now;
    observers_look(host, true);
    ask_for_mark(host);
}

static void mark(void *context, uint64_t now)
{
    struct host *host = context;
    host->now = now;
    observers_look(host, false);
    if (signals_noted)
        engine_end_soon(host->engine);
    ask_for_mark(host);
}

static void profile(void *context, uint64_t from, const uint64_t *tile_ns,
                    uint64_t between_ns)
{
    observers_epoch(context, from, tile_ns, between_ns);
}

/* --checkpoint-every of seconds: from the last one on, or the begin. */
static bool is_due(const struct host *host)
{
    double seconds = (double)host->options->checkpoint_seconds;
    return seconds > 0 &&
           clock_seconds(CLOCK_MONOTONIC) >= host->saving.time + seconds;
}

static void progress(void *context, uint64_t now)
{
    struct host *host = context;
    host->now = now;
    status_show(host);
    observers_progress(host);
    if (signals_noted || outputs_over(host))
        engine_end_soon(host->engine);
    if (signals_asked || is_due(host))
        engine_save_soon(host->engine);
}

/* The sender of a SIGUSR1 wants to see the statistics, too. */
static void save(void *context, uint64_t now)
{
    struct host *host = context;
    struct error error;
    host->now = now;
    if (host->options->checkpoint)
        checkpoint_write(host);
    if (!signals_asked)
        return;
    signals_asked = 0;
    totals_close(host->chip, now);
    if (!output_stats(host, NULL, &error))
        checkpoint_complain(host, &error);
}

static void conclude(struct host *host, enum engine_stop stop)
{
    host->now = engine_cycle(host->engine);
    if (host->ended.how != ENDING_NONE)
        return;
    switch (stop) {
    case ENGINE_STOPPED:
        return;
    case ENGINE_DEADLOCK:
        host_end(host, ENDING_DEADLOCK, STATUS_DEADLOCK,
                 "deadlock at cycle %" PRIu64 ": nothing can ever happen again",
                 host->now);
        return;
    case ENGINE_LIMIT:
        if (host->now < host->options->max_cycles)
            host_interrupt(host);
        else
            host_end(host, ENDING_LIMIT, STATUS_LIMIT,
                     "the limit of %" PRIu64 " cycles was reached",
                     host->options->max_cycles);
        return;
    }
}

/* A piece of the memory of a thread's tiles. */
struct piece_of {
    const struct places *places;
    unsigned thread;
};

static void move_piece(void *context, void *at, size_t bytes)
{
    const struct piece_of *of = context;
    places_move(of->places, of->thread, at, bytes);
}

static void begin_thread(void *context, unsigned n)
{
    const struct host *host = context;
    places_take(host->places, n);
    if (places_nodes(host->places) > 1)
        engine_memory(host->engine, n, move_piece,
                      &(struct piece_of){host->places, n});
}

/*
 * No more than tiles: the others would only wait. Where work is shared by
 * measured costs, no more than processors either. Else as many as were asked
 * for.
 */
unsigned timing_threads(const struct host *host)
{
    const struct engine_options *o = &host->options->engine;
    unsigned most = chip_tile_count(host->chip);
    if (o->schedule == SCHEDULE_MEASURED && host_processors() < most)
        most = host_processors();
    return o->threads < most ? o->threads : most;
}

static bool resume(struct host *host, struct error *error)
{
    const struct options *o = host->options;
    host->ended.status = STATUS_INPUT;
    if (!checkpoint_load(host, o->resume, error))
        return false;
    uint64_t now = engine_cycle(host->engine);
    if (now < host->roi.clock)
        now = host->roi.clock; /* only then a hart goes on */
    host->ended.status = STATUS_USAGE;
    if (now >= o->max_cycles)
        return error_set(error,
                         "--max-cycles %" PRIu64
                         ": expected more than the cycle of %s, %" PRIu64,
                         o->max_cycles, o->resume, now);
    host->ended.status = STATUS_INPUT;
    if (!streams_resume(host, error) || !roi_resume(host, error))
        return false;
    return true;
}

/* A run that is stopped is saved where the engine stands; not in the middle of
 * a call, which one of those is that lasts while harts are executed without
 * timing. */
static void tell_unsaved(struct host *host)
{
    struct error error;
    const char *where = host->ended.awaits ? "in which the program waits for a "
                                             "standard stream"
                        : host->options->roi
                            ? "which is executed without timing"
                            : NULL;
    if (!where || !host->options->checkpoint ||
        (host->ended.how != ENDING_LIMIT && host->ended.how != ENDING_SIGNAL))
        return;
    error_set(&error, "%s: not saved at cycle %" PRIu64 ", %s",
              host->options->checkpoint,
              host->ended.awaits ? host->now : host->roi.clock, where);
    checkpoint_complain(host, &error);
}

static struct engine_hooks hooks_of(struct host *host, bool debugged)
{
    bool watches = observers_watch(host) || host->machine.tohost || debugged;
    return (struct engine_hooks){.context = host,
                                 .service = serve,
                                 .alarm = alarm_at,
                                 .interval = interval_border,
                                 .mark = mark,
                                 .profile =
                                     observers_time(host) ? profile : NULL,
                                 .thread = begin_thread,
                                 .progress = progress,
                                 .watch = watchdog_looks,
                                 .save = save,
                                 .still = watches ? still : NULL};
}

/* ---- a run that is executed again ---- */

static bool still_again(void *context, uint64_t now)
{
    struct host *host = context;
    return look_at_tohost(host, now) &&
           host->debugger->still(host->debugger->context, now);
}

static void progress_again(void *context, uint64_t now)
{
    struct host *host = context;
    host->now = now;
    observers_progress(host);
}

static void pass(void *context, uint64_t now)
{
    (void)context;
    (void)now;
}

enum engine_stop timing_again(struct host *host, uint64_t limit, bool each)
{
    const bool watches = each || host->machine.tohost;
    const struct engine_hooks hooks = {.context = host,
                                       .service = serve,
                                       .alarm = alarm_at,
                                       .mark = pass,
                                       .save = pass,
                                       .watch = watchdog_looks,
                                       .progress = progress_again,
                                       .still = watches ? still_again : NULL};
    engine_listen(host->engine, &hooks, each ? 1 : host->options->engine.epoch);
    enum engine_stop stop = engine_run(host->engine, limit, 0);
    host->now = engine_cycle(host->engine);
    return stop;
}

/* Up to the end, or, piece by piece, as a debugger wants it. */
static enum engine_stop run(struct host *host)
{
    const struct options *o = host->options;
    const struct debugger *d = host->debugger;
    uint64_t interval = o->interval ? o->interval : observers_interval(host);
    if (!d || !d->goes_on)
        return engine_run(host->engine, o->max_cycles, interval);
    enum engine_stop stop;
    do {
        bool each = d->watches(d->context);
        struct engine_hooks hooks = hooks_of(host, each);
        engine_listen(host->engine, &hooks, each ? 1 : o->engine.epoch);
        uint64_t until = d->until(d->context);
        stop =
            engine_run(host->engine,
                       until < o->max_cycles ? until : o->max_cycles, interval);
        host->now = engine_cycle(host->engine);
    } while (d->goes_on(d->context, stop));
    return stop;
}

bool timing_run(struct host *host, struct error *error)
{
    const struct options *o = host->options;
    struct engine_hooks hooks = hooks_of(host, false);
    struct engine_options engine = o->engine;
    engine.threads = timing_threads(host);
    host->engine = engine_new(host->chip, &engine, &hooks);
    if (CHECKED)
        covered_watch(host, sizeof *host, "the host");
    if ((o->resume && !resume(host, error)) || !host_begin(host, error))
        return false;
    engine_save_every(host->engine, o->checkpoint_every);
    host->saving.time = clock_seconds(CLOCK_MONOTONIC);
    ask_for_mark(host);
    host->places = places_new(engine.threads);
    bool over = host->ended.how != ENDING_NONE || !roi_run(host);
    enum engine_stop stop = over ? ENGINE_STOPPED : run(host);
    host->now = engine_cycle(host->engine);
    places_free(host->places);
    host->places = NULL;
    if (stop == ENGINE_LIMIT && o->checkpoint)
        checkpoint_write(host);
    else
        tell_unsaved(host);
    conclude(host, stop);
    return observers_end(host, error) &&
           totals_check(host->chip, host->now, error);
}
