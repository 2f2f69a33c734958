/*
 * A debugged run, from the client's coming to its leaving: when the run stops,
 * what gdb is told of it, and how it goes on. The run itself is as without gdb:
 * to stop it, the engine is not called again for a while.
 */
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/gdb/back.h"
#include "sim/host/gdb/gdb.h"
#include "sim/host/run/programs.h"
#include "sim/host/run/signals.h"
#include "sim/units/common/stop_log.h"
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- what gdb is told ---- */

void session_note_stop(struct gdb *g, unsigned signal, unsigned hart,
                       const char *reason)
{
    g->current = g->looked_at = hart;
    focus_add(g, hart);
    snprintf(g->stop, sizeof g->stop, "T%02xthread:%x;core:%x;%s", signal,
             hart + 1, unit_tile_number(gdb_hart(g, hart)->core), reason);
}

void session_note_hit(struct gdb *g, const struct hit *hit)
{
    static const char *const names[] = {[BREAK_SOFT] = "swbreak:;",
                                        [BREAK_HARD] = "hwbreak:;",
                                        [BREAK_WRITE] = "watch",
                                        [BREAK_READ] = "rwatch",
                                        [BREAK_BOTH] = "awatch"};
    char reason[64];
    if (hit->kind < BREAK_WRITE)
        snprintf(reason, sizeof reason, "%s", names[hit->kind]);
    else
        snprintf(reason, sizeof reason, "%s:%" PRIx64 ";", names[hit->kind],
                 hit->address);
    session_note_stop(g, GDB_TRAP, hit->hart, reason);
    g->key = hit_key(hit, g->host->now);
}

/* ---- a client leaves ---- */

static void leave(struct gdb *g)
{
    view_drop(g);
    back_end(g);
    breaks_clear(g);
    link_close(&g->link);
    g->attached = false;
}

/* The program ends as by SIGKILL, and sim-run tells the results so far. */
static void kill_run(struct gdb *g)
{
    g->killed = true;
    leave(g);
    host_end(g->host, ENDING_SIGNAL, signals_status(SIGKILL),
             "killed by gdb at %s %" PRIu64,
             g->host->engine ? "cycle" : "instruction", g->host->now);
}

/* ---- while the run stands ---- */

/* Coming back to the end of the run, gdb is told of that again. */
static enum command_end go_back(struct gdb *g, bool step)
{
    enum command_end end = back_go(g, step);
    if (end != COMMAND_GO || !g->over)
        return end;
    reply_text(g, g->stop);
    return COMMAND_DONE;
}

static enum command_end serve(struct gdb *g)
{
    enum command_end end =
        command_run(g, g->link.reader.data, g->link.reader.size);
    return end == COMMAND_BACK        ? go_back(g, false)
           : end == COMMAND_BACK_STEP ? go_back(g, true)
                                      : end;
}

/* Serves gdb until it wants the run to go on. False: the run is over. */
static bool interact(struct gdb *g)
{
    for (;;) {
        enum packet_event e = link_next(&g->link, true);
        if (e == PACKET_BREAK)
            continue;            /* it stands already */
        if (e != PACKET_WHOLE) { /* it is gone, or a signal has come */
            if (!link_there(&g->link))
                leave(g);
            return !signals_noted || host_interrupt(g->host);
        }
        switch (serve(g)) {
        case COMMAND_GO:
            return true;
        case COMMAND_LEAVE:
            leave(g);
            return true;
        case COMMAND_KILL:
            kill_run(g);
            return false;
        default:
            break;
        }
    }
}

/* A hit that gdb has not been told of is told before the run goes on. */
static bool is_pending(struct gdb *g)
{
    struct hit hit;
    if (g->action != ACTION_GO || !breaks_next(g, &hit))
        return false;
    session_note_hit(g, &hit);
    return true;
}

static void tell_missed(struct gdb *g)
{
    char text[120];
    if (!g->missed)
        return;
    snprintf(text, sizeof text,
             "%u harts passed breakpoints while another was stepped\n",
             g->missed);
    reply_console(g, text);
    g->missed = 0;
}

/* gdb has said how the run is to go on. */
static void set_out(struct gdb *g)
{
    view_drop(g);
    g->interrupted = g->done = g->noticed = false;
    g->launched = 0;
    if (g->attached && g->action != ACTION_GO)
        g->from = gdb_place(g, g->stepped);
}

/* The run stands: tells gdb why, unless it asks for that itself, and serves it.
 * False: the run is over. */
bool session_stand(struct gdb *g, bool tell)
{
    do {
        if (!g->attached)
            break;
        g->told = gdb_place(g, g->current);
        if (tell) {
            tell_missed(g);
            reply_text(g, g->stop);
        }
        tell = true;
        if (!interact(g))
            return false;
        breaks_settle(g);
    } while (is_pending(g));
    set_out(g);
    return true;
}

/* ---- while it runs ---- */

/* Is the hart that is stepped where it was to go? */
static bool has_stepped(struct gdb *g)
{
    if (g->action == ACTION_GO)
        return false;
    struct place_of_hart now = gdb_place(g, g->stepped);
    if (now.pc == g->from.pc && now.instructions == g->from.instructions)
        return false;
    g->from = now;
    return g->action == ACTION_STEP || now.pc < g->range_start ||
           now.pc >= g->range_end;
}

/* A cycle, or a launch, that monitor stop has named. */
static bool is_named(struct gdb *g)
{
    char text[80];
    if (g->launched)
        snprintf(text, sizeof text, "kernel %u begins\n", g->launched);
    else if (g->host->now >= g->stop_cycle)
        snprintf(text, sizeof text, "cycle %" PRIu64 "\n", g->host->now);
    else
        return false;
    if (!g->launched)
        g->stop_cycle = CYCLE_NEVER;
    reply_console(g, text);
    return true;
}

/* Notes why the run stops here, if it does. */
bool session_stops_here(struct gdb *g)
{
    struct hit hit;
    bool hits = g->noticed && breaks_next(g, &hit);
    g->noticed = false;
    if (hits) {
        session_note_hit(g, &hit);
        return true;
    }
    g->key = (struct stop_key){.cycle = g->host->now,
                               .side = g->done ? KEY_BEFORE : KEY_AFTER};
    if (g->done || is_named(g))
        session_note_stop(g, GDB_TRAP, g->done ? g->stepped : g->current, "");
    else if (g->interrupted)
        session_note_stop(g, GDB_INT, g->current, "");
    else
        return false;
    return true;
}

void session_attend(struct gdb *g)
{
    while (link_next(&g->link, false) == PACKET_BREAK)
        g->interrupted = true;
    if (!link_there(&g->link)) {
        leave(g);
        g->interrupted = true; /* the run goes on without looking */
    }
}

void session_progress(struct gdb *g)
{
    if (!g->attached || back_searches(g))
        return;
    session_attend(g);
    if (g->interrupted && host_is_timed(g->host))
        engine_end_soon(g->host->engine);
}

/* The run stops as soon as all can stand: the kernel has just begun. */
void session_launched(struct gdb *g, unsigned number)
{
    if (!g->attached || !g->stops_launches)
        return;
    g->launched = number;
    if (host_is_timed(g->host))
        engine_end_soon(g->host->engine);
}

/* ---- how the run ends ---- */

/* The first hart that stands at a fault. */
static unsigned faulty(const struct gdb *g)
{
    for (unsigned i = 0; i < g->host->machine.hart_count; i++) {
        const struct hart *h = gdb_hart(g, i);
        if (h->state == HART_RUNNING &&
            (h->event == HART_FAULT || h->event == HART_EBREAK))
            return i;
    }
    return g->current;
}

static unsigned signal_of(const struct hart *h)
{
    if (h->event == HART_EBREAK)
        return GDB_TRAP;
    return h->fault.cause == ISA_CAUSE_ILLEGAL ? GDB_ILL : GDB_SEGV;
}

/* The run is over, but not as its program wanted: that can be looked at, and
 * not changed. */
static void show_end(struct gdb *g, enum engine_stop stop)
{
    struct host *host = g->host;
    char text[sizeof host->ended.why + 2];
    unsigned hart = g->current, signal = 0;
    if (host->ended.how == ENDING_EXIT || signals_noted || !g->attached)
        return;
    snprintf(text, sizeof text, "%s\n",
             stop == ENGINE_DEADLOCK ? "deadlock: nothing can ever happen again"
             : stop == ENGINE_LIMIT  ? "the limit of the run was reached"
                                     : host->ended.why);
    if (host->ended.how == ENDING_FAULT) {
        hart = faulty(g);
        signal = signal_of(gdb_hart(g, hart));
    }
    reply_console(g, text);
    session_note_stop(g, signal, hart, "");
    g->key = (struct stop_key){.cycle = host->now, .side = KEY_AFTER};
    g->over = true;
    session_stand(g, true);
}

static bool is_over(const struct host *host, enum engine_stop stop)
{
    return host->ended.how != ENDING_NONE || stop == ENGINE_DEADLOCK ||
           (stop == ENGINE_LIMIT && (host->now >= host->options->max_cycles ||
                                     signals_noted || outputs_over(host)));
}

/* ---- as the run knows it ---- */

static bool stopped(void *context, struct host *host, struct hart *hart)
{
    (void)context;
    (void)host;
    (void)hart;
    return false;
}

static bool goes_on(void *context, enum engine_stop stop)
{
    struct gdb *g = context;
    const bool over = is_over(g->host, stop) || !g->host->engine;
    g->left = stop == ENGINE_STOPPED && !over;
    if (over) {
        show_end(g, stop);
        return false;
    }
    return !g->attached || !session_stops_here(g) || session_stand(g, true);
}

bool session_watches(const struct gdb *g)
{
    return g->attached &&
           (breaks_any(g) || g->action != ACTION_GO || g->interrupted ||
            g->launched ||
            (!host_is_timed(g->host) && g->stop_cycle != CYCLE_NEVER));
}

static bool watches(void *context)
{
    return session_watches(context);
}

static uint64_t until(void *context)
{
    struct gdb *g = context;
    if (!g->attached)
        return CYCLE_NEVER;
    const uint64_t due = back_due(g);
    return due < g->stop_cycle ? due : g->stop_cycle;
}

/* After each cycle. */
bool session_still(struct gdb *g)
{
    breaks_collect(g);
    g->done |= has_stepped(g);
    return !g->interrupted && !g->noticed && !g->done && !g->launched;
}

static bool still(void *context, uint64_t now)
{
    (void)now;
    return session_still(context);
}

static int64_t call(void *context, syscall_function *function,
                    struct hart *hart, const uint64_t *args)
{
    return calls_make(context, function, hart, args);
}

static void resumed(void *context, struct hart *hart)
{
    struct gdb *g = context;
    if (g->attached && g->break_count && host_is_timed(g->host))
        breaks_came(g, hart_number(g->host, hart));
}

/* A hart that has been told of goes on from where it stands. */
static bool next(void *context, struct hart *hart)
{
    struct gdb *g = context;
    const unsigned number = hart_number(g->host, hart);
    if (!g->attached)
        return true;
    struct place_of_hart p = gdb_place(g, number);
    if (number != g->current || p.pc != g->told.pc ||
        p.instructions != g->told.instructions)
        breaks_came(g, number);
    if (g->action != ACTION_GO && number == g->stepped)
        g->done |= has_stepped(g);
    if (!g->noticed && !g->done && !g->interrupted && !g->launched &&
        g->host->now < g->stop_cycle)
        return true;
    return !session_stops_here(g) || session_stand(g, true);
}

static void accessed(void *context, struct hart *hart, uint64_t address,
                     unsigned size, bool load, bool store)
{
    struct gdb *g = context;
    if (g->attached)
        breaks_accessed(g, hart_number(g->host, hart), address, size, load,
                        store);
}

void session_debugger(struct gdb *g)
{
    g->debugger = (struct debugger){.context = g,
                                    .stopped = stopped,
                                    .goes_on = goes_on,
                                    .watches = watches,
                                    .until = until,
                                    .still = still,
                                    .resumed = resumed,
                                    .next = next,
                                    .accessed = accessed,
                                    .call = call};
}

void session_begin(struct gdb *g)
{
    session_note_stop(g, GDB_TRAP, 0, "");
    g->key = (struct stop_key){.cycle = g->host->now, .side = KEY_AFTER};
    session_stand(g, false);
}
