/*
 * Runs a finished chip: epochs, host threads, sleep, clock jumps. Results do
 * not depend on any member of engine_options.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "sim/core/chip.h"

#define CYCLE_NEVER UINT64_MAX

struct engine;

/* Which host thread runs a tile. */
enum engine_schedule {
    SCHEDULE_MEASURED, /* a thread's own, shared anew by measured work, then
                          those of others; one thread runs all while several
                          are not faster */
    SCHEDULE_FIXED,    /* its own, by the number of units */
    SCHEDULE_DYNAMIC,  /* whichever is free */
};

/* The host, for what depends on how fast it is: which thread runs what. Tests
 * hand in one of their own. */
struct engine_host {
    void *context;
    /* ns; never goes back. Of what an epoch takes, by the one thread that plans
     * while others wait; */
    uint64_t (*ns)(void *context);
    /* of what a tile takes, by the thread that runs it. */
    uint64_t (*tile_ns)(void *context);
    /* host_is_busy() */
    bool (*is_busy)(void *context, unsigned threads, unsigned awake);
};

struct engine_options {
    unsigned threads;   /* host threads, >= 1 */
    unsigned epoch;     /* cycles that a tile runs at a time, at most,
                           1..chip_longest_epoch(); 0: as many as pay */
    uint64_t watch;     /* cycles between two calls of hooks.watch, 0: none */
    bool no_skip;       /* run every unit in every cycle */
    bool reverse_order; /* run the units of a tile in reverse order */
    enum engine_schedule schedule;
    const struct engine_host *host; /* NULL: this one */
};

enum engine_stop {
    ENGINE_STOPPED,  /* the service function asked for it */
    ENGINE_DEADLOCK, /* nothing can ever happen again */
    ENGINE_LIMIT,    /* the cycle limit was reached */
};

/*
 * Units leave the model through services (system calls, faults): see
 * unit_request_service in unit.h. A request made in cycle t is served at the
 * first multiple of chip_grid() that is more than chip_epoch() later, or with
 * an earlier one, by one host thread while all tiles stand still at that cycle,
 * in the order of (cycle, unit, tag).
 */
struct service_request {
    uint64_t cycle;
    struct unit *unit;
    uint64_t tag;
};

struct engine_hooks {
    void *context;
    /* Returns false to stop the run at this cycle. */
    bool (*service)(void *context, uint64_t now,
                    const struct service_request *request);
    /* At the cycle of engine_alarm, after the services there. Returns false to
     * stop the run at this cycle. */
    bool (*alarm)(void *context, uint64_t now);
    /* At interval borders (if interval is not 0), all accounts closed. */
    void (*interval)(void *context, uint64_t now);
    /* At the cycle of engine_mark, after the services and the interval border
     * there, all accounts closed. */
    void (*mark)(void *context, uint64_t now);
    /* At multiples of options.watch, rounded up to one of chip_grid(), while
     * all tiles stand still; whatever the program sees, it does not see this.
     * Returns false to stop the run. */
    bool (*watch)(void *context, uint64_t now);
    /* Between epochs, all tiles standing still (optional); among others at
     * each multiple of chip_grid() that ends one with something to do.
     * Returns false to stop the run there: services, borders and alarms of
     * that cycle come when it goes on. */
    bool (*still)(void *context, uint64_t now);
    /* What some epochs cost the host (optional): the one that began at `from`,
     * its tiles by number, and what was done after it while all tiles stood
     * still. */
    void (*profile)(void *context, uint64_t from, const uint64_t *tile_ns,
                    uint64_t between_ns);
    /* At the cycles of engine_save_every and engine_save_soon, all tiles
     * standing still, after all else there (optional). */
    void (*save)(void *context, uint64_t now);
    /* Host thread n of engine_run begins, on that thread, before it runs tiles
     * (optional). */
    void (*thread)(void *context, unsigned n);
    /* Called now and then (about ten times a second) for a status line; may ask
     * for the end by engine_end_soon. */
    void (*progress)(void *context, uint64_t now);
};

struct engine *engine_new(struct chip *chip,
                          const struct engine_options *options,
                          const struct engine_hooks *hooks);
void engine_free(struct engine *engine);

/*
 * Runs from cycle 0 (or where it stopped) until a service stops it, nothing
 * can happen any more, or limit cycles are reached. All accounts are closed.
 */
enum engine_stop engine_run(struct engine *engine, uint64_t limit,
                            uint64_t interval);
uint64_t engine_cycle(const struct engine *engine);
/* Other hooks, and another engine_options.epoch, from the next engine_run on:
 * before the first, or after one. Results are those of a run that had them from
 * the start. */
void engine_listen(struct engine *engine, const struct engine_hooks *hooks,
                   unsigned epoch);
/* The memory of the tiles that a host thread has (engine_share), in pieces. */
void engine_memory(const struct engine *engine, unsigned thread,
                   void (*piece)(void *context, void *at, size_t bytes),
                   void *context);
/* The limit becomes the next cycle at which all tiles can stand still; only
 * from hooks.progress, .mark, .service and .alarm. */
void engine_end_soon(struct engine *engine);
/*
 * Asks for hooks.mark at the first multiple of chip_epoch() that is not before
 * cycle, and at which all tiles can still stand; from hooks.progress, .interval
 * and .mark, and before the run. One mark stands, the earliest that was asked
 * for since the last. The model does not see it.
 */
void engine_mark(struct engine *engine, uint64_t cycle);
/*
 * Asks for hooks.save: at each multiple of `cycles`, rounded up to one of
 * chip_grid(), before engine_run; 0: at none. At the next cycle at which all
 * tiles can stand still, from hooks.progress.
 */
void engine_save_every(struct engine *engine, uint64_t cycles);
void engine_save_soon(struct engine *engine);
/*
 * Saves the chip and where the engine stands, or loads them into an engine
 * that has not run: in hooks.save, and before and after engine_run. It goes on
 * there with whatever options.
 */
void engine_state(struct engine *engine, struct state *s);

/* The cycles that a tile runs at a time, at most. */
unsigned engine_epoch(const struct engine *engine);

/* What the next epoch does with host threads, unless by SCHEDULE_DYNAMIC; while
 * all tiles stand still. Does one thread run all tiles? How many does a
 * thread have? */
bool engine_is_alone(const struct engine *engine);
unsigned engine_share(const struct engine *engine, unsigned thread);

/* Tells all units that a kernel starts; only from a service function. */
void engine_launch(struct engine *engine);

/*
 * Asks for hooks.alarm at the first multiple of chip_grid() that is not before
 * cycle, and after this one; only from a service function or an alarm, and
 * before the run. One alarm stands, the earliest that was asked for since the
 * last.
 */
void engine_alarm(struct engine *engine, uint64_t cycle);

#endif
