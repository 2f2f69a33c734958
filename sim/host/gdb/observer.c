/* --gdb as an observer of the run: from the command line to its end. */
#include "sim/core/heap.h"
#include "sim/host/gdb/back.h"
#include "sim/host/gdb/gdb.h"
#include "sim/host/run/programs.h"
#include "sim/host/run/signals.h"
#include "sim/units/common/stop_log.h"
#include <stdlib.h>

static struct gdb *gdb_of(const struct host *host)
{
    return *observer_of(host, &gdb_observer);
}

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
    session_debugger(g);
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
    back_begin(g);
    session_begin(g);
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
    back_end(g);
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

static void on_progress(struct host *host)
{
    if (gdb_of(host))
        session_progress(gdb_of(host));
}

static void on_border(struct host *host, enum range_of of, uint64_t number,
                      bool begin)
{
    if (gdb_of(host) && begin && of == RANGE_OF_LAUNCH)
        session_launched(gdb_of(host), (unsigned)number);
}

/* Of a system call whose effects are noted. */
static void on_written(struct host *host, const uint8_t *at, uint64_t bytes,
                       bool fresh)
{
    (void)fresh;
    if (gdb_of(host))
        calls_written(gdb_of(host), at, bytes);
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
    {"gdb-history", 0, "SIZE",
     "memory of --gdb for going back (default: 1G, 0: no going back)",
     OPTION_OBSERVE, OPTION_PASSING, .value = OPTION_NUMBER,
     .member = offsetof(struct options, gdb_history), .least = 0,
     .greatest = 1ULL << 62, .more = "See Backwards in gdb.md."},
    {NULL}};

const struct observer gdb_observer = {
    .name = "gdb",
    .options = options,
    .arrive = on_arrive,
    .build = on_build,
    .placed = on_placed,
    .begin = on_begin,
    .border = on_border,
    .written = on_written,
    .progress = on_progress,
    .leave = on_leave,
    .free = on_free,
};
