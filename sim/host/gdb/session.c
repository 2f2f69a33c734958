/*
 * A debugged run, from the client's coming to its leaving: when the run stops,
 * what gdb is told of it, and how it goes on. The run itself is as without gdb:
 * to stop it, the engine is not called again for a while.
 */
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/gdb/gdb.h"
#include "sim/host/run/programs.h"
#include "sim/host/run/signals.h"
#include "sim/units/common/stop_log.h"
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* gdb's numbers of signals. */
enum { GDB_INT = 2, GDB_ILL = 4, GDB_TRAP = 5, GDB_SEGV = 11 };

static struct gdb *gdb_of(const struct host *host)
{
    return *observer_of(host, &gdb_observer);
}

/* ---- what gdb is told ---- */

static void note_stop(struct gdb *g, unsigned signal, unsigned hart,
                      const char *reason)
{
    g->current = g->looked_at = hart;
    focus_add(g, hart);
    snprintf(g->stop, sizeof g->stop, "T%02xthread:%x;core:%x;%s", signal,
             hart + 1, unit_tile_number(gdb_hart(g, hart)->core), reason);
}

static void note_hit(struct gdb *g, const struct hit *hit)
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
    note_stop(g, GDB_TRAP, hit->hart, reason);
}

/* ---- a client leaves ---- */

static void leave(struct gdb *g)
{
    view_drop(g);
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
        switch (command_run(g, g->link.reader.data, g->link.reader.size)) {
        case COMMAND_DONE:
            break;
        case COMMAND_GO:
            return true;
        case COMMAND_LEAVE:
            leave(g);
            return true;
        case COMMAND_KILL:
            kill_run(g);
            return false;
        }
    }
}

/* A hit that gdb has not been told of is told before the run goes on. */
static bool is_pending(struct gdb *g)
{
    struct hit hit;
    if (g->action != ACTION_GO || !breaks_next(g, &hit))
        return false;
    note_hit(g, &hit);
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
static bool stand(struct gdb *g, bool tell)
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
static bool stops_here(struct gdb *g)
{
    struct hit hit;
    bool hits = g->noticed && breaks_next(g, &hit);
    g->noticed = false;
    if (hits)
        note_hit(g, &hit);
    else if (g->done)
        note_stop(g, GDB_TRAP, g->stepped, "");
    else if (is_named(g))
        note_stop(g, GDB_TRAP, g->current, "");
    else if (g->interrupted)
        note_stop(g, GDB_INT, g->current, "");
    else
        return false;
    return true;
}

/* What gdb sends meanwhile: ctrl-C, or nothing as it has gone. */
static void attend(struct gdb *g)
{
    while (link_next(&g->link, false) == PACKET_BREAK)
        g->interrupted = true;
    if (!link_there(&g->link)) {
        leave(g);
        g->interrupted = true; /* the run goes on without looking */
    }
}

static void on_progress(struct host *host)
{
    struct gdb *g = gdb_of(host);
    if (!g || !g->attached)
        return;
    attend(g);
    if (g->interrupted && host_is_timed(host))
        engine_end_soon(host->engine);
}

/* The run stops as soon as all can stand: the kernel has just begun. */
static void on_border(struct host *host, enum range_of of, uint64_t number,
                      bool begin)
{
    struct gdb *g = gdb_of(host);
    if (!g || !g->attached || !g->stops_launches || !begin ||
        of != RANGE_OF_LAUNCH)
        return;
    g->launched = (unsigned)number;
    if (host_is_timed(host))
        engine_end_soon(host->engine);
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
    note_stop(g, signal, hart, "");
    g->over = true;
    stand(g, true);
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
    if (is_over(g->host, stop) || !g->host->engine) {
        show_end(g, stop);
        return false;
    }
    return !g->attached || !stops_here(g) || stand(g, true);
}

static bool watches(void *context)
{
    const struct gdb *g = context;
    return g->attached &&
           (breaks_any(g) || g->action != ACTION_GO || g->interrupted ||
            g->launched ||
            (!host_is_timed(g->host) && g->stop_cycle != CYCLE_NEVER));
}

static uint64_t until(void *context)
{
    const struct gdb *g = context;
    return g->attached ? g->stop_cycle : CYCLE_NEVER;
}

/* After each cycle. */
static bool still(void *context, uint64_t now)
{
    struct gdb *g = context;
    (void)now;
    breaks_collect(g);
    g->done |= has_stepped(g);
    return !g->interrupted && !g->noticed && !g->done && !g->launched;
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
    return !stops_here(g) || stand(g, true);
}

static void accessed(void *context, struct hart *hart, uint64_t address,
                     unsigned size, bool load, bool store)
{
    struct gdb *g = context;
    if (g->attached)
        breaks_accessed(g, hart_number(g->host, hart), address, size, load,
                        store);
}

/* ---- as an observer ---- */

/* Before anything of the standard streams is looked at. */
static bool on_arrive(struct host *host, struct error *error)
{
    const char *where = option_text(host->options, gdb_observer.options);
    if (!where)
        return true;
    struct gdb *g = heap_new(1, sizeof *g, "--gdb");
    *observer_of(host, &gdb_observer) = g;
    g->host = host;
    g->reply = heap_new(2 * PACKET_BYTES + 1, 1, "--gdb");
    g->debugger = (struct debugger){.context = g,
                                    .stopped = stopped,
                                    .goes_on = goes_on,
                                    .watches = watches,
                                    .until = until,
                                    .still = still,
                                    .resumed = resumed,
                                    .next = next,
                                    .accessed = accessed};
    g->stop_cycle = CYCLE_NEVER;
    return link_open(&g->link, where, error);
}

static void on_build(struct host *host)
{
    struct gdb *g = gdb_of(host);
    if (!g)
        return;
    g->tiles = chip_tile_count(host->chip);
    g->logs = heap_new(g->tiles + 1, sizeof *g->logs, "--gdb");
    host->machine.stop_logs = g->logs;
}

/* Harts of other kinds cannot be marked. */
static bool on_placed(struct host *host, struct error *error)
{
    const struct program *p = host->programs.first;
    if (!gdb_of(host))
        return true;
    return (host->programs.count == 1 && p->path && p->core->mark) ||
           error_set(error, "--gdb: expected one program, and for RISC-V "
                            "cores");
}

/* All is as the run begins with it: waits for gdb. */
static bool on_begin(struct host *host, struct error *error)
{
    struct gdb *g = gdb_of(host);
    (void)error;
    if (!g)
        return true;
    if (!link_accept(&g->link)) {
        host_interrupt(host);
        return true;
    }
    g->attached = true;
    host->debugger = &g->debugger;
    registers_find(g);
    focus_add(g, 0);
    note_stop(g, GDB_TRAP, 0, "");
    stand(g, false);
    return true;
}

/* The program's status, as gdb tells it. */
static void on_leave(struct host *host)
{
    struct gdb *g = gdb_of(host);
    char text[16];
    if (!g || !g->attached)
        return;
    snprintf(text, sizeof text, "W%02x", host->ended.status & 0xff);
    reply_text(g, text);
    link_close(&g->link);
    g->attached = false;
}

static void on_free(struct host *host)
{
    struct gdb *g = gdb_of(host);
    if (!g)
        return;
    view_drop(g);
    link_close(&g->link);
    for (unsigned i = 0; i < g->break_count; i++)
        free(g->breaks[i].conditions);
    for (unsigned i = 0; i < g->tiles; i++)
        free(g->logs[i].records);
    free(g->logs);
    free(g->hits);
    free(g->breaks);
    free(g->focus);
    free(g->registers);
    free(g->reply);
    free(g);
    host->debugger = NULL;
}

static bool agrees(const struct options *o, struct error *error)
{
    if (o->serve)
        return error_set(error, "--gdb: not with --serve, which would be a "
                                "second way to stop the run");
    return !o->check_memory ||
           error_set(error, "--gdb: not with --check-memory, which would take "
                            "what gdb writes for an error");
}

static const struct option_row options[] = {
    {"gdb", 0, "[ADDRESS:]PORT|-",
     "wait for gdb, and run as it wants (ADDRESS: 127.0.0.1)", OPTION_OBSERVE,
     OPTION_PASSING, .agrees = agrees,
     .more = "-: by standard input and output (gdb.md)."},
    {NULL}};

const struct observer gdb_observer = {
    .name = "gdb",
    .options = options,
    .arrive = on_arrive,
    .build = on_build,
    .placed = on_placed,
    .begin = on_begin,
    .border = on_border,
    .progress = on_progress,
    .leave = on_leave,
    .free = on_free,
};
