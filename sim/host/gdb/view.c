/*
 * What a hart's program knows, while the hart still waits for memory. The model
 * has registers and memory as they are in this cycle: a load's register is old
 * until its answer comes, a store is on its way. gdb, and its user, expect what
 * the instructions before the pc have done. So a copy of the process goes on
 * until the hart has all that it had under way, held at its pc by a breakpoint,
 * and answers from there; the run itself stays where it is, and as it is.
 */
#include "sim/core/unit.h"
#include "sim/host/gdb/gdb.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long a copy goes on for, at most. */
enum { PATIENCE = 20000 };

/* What a copy is asked for: memory, or, of 0 bytes, all registers. */
struct question {
    uint64_t address, bytes;
};

uint64_t view_awaited(const struct gdb *g, unsigned hart)
{
    const struct hart *h = gdb_hart(g, hart);
    return host_is_timed(g->host) && h->state == HART_RUNNING && !h->event
               ? core_of(h)->awaited(h->core, h->slot)
               : 0;
}

bool view_settled(const struct gdb *g, unsigned hart)
{
    return !view_awaited(g, hart);
}

/* ---- bytes through a pipe ---- */

static bool transfer(int fd, void *bytes, size_t count, bool out)
{
    char *at = bytes;
    while (count) {
        ssize_t n = out ? write(fd, at, count) : read(fd, at, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        count -= (size_t)n;
    }
    return true;
}

static bool put(int fd, void *bytes, size_t count)
{
    return transfer(fd, bytes, count, true);
}

static bool get(int fd, void *bytes, size_t count)
{
    return transfer(fd, bytes, count, false);
}

/* ---- the copy ---- */

/* No service is done here, as it may change the world outside. */
static bool on_service(void *context, uint64_t now,
                       const struct service_request *request)
{
    const struct gdb *g = context;
    const struct hart *h = gdb_hart(g, g->view.hart);
    (void)now;
    return request->unit != h->core || request->tag != h->slot;
}

static bool goes_on(void *context, uint64_t now)
{
    (void)context;
    (void)now;
    return true;
}

/* Borders that the run has asked its engine for are due in a copy as well. */
static void pass(void *context, uint64_t now)
{
    (void)context;
    (void)now;
}

static void settle(struct gdb *g)
{
    struct host *host = g->host;
    const struct hart *h = gdb_hart(g, g->view.hart);
    const struct engine_hooks hooks = {.context = g,
                                       .service = on_service,
                                       .alarm = goes_on,
                                       .watch = goes_on,
                                       .mark = pass,
                                       .save = pass};
    core_of(h)->breakpoint(h->core, hart_pc(h), true);
    engine_listen(host->engine, &hooks, 0);
    engine_run(host->engine, engine_cycle(host->engine) + PATIENCE, 0);
}

static bool answer(struct gdb *g, const struct question *q, int to)
{
    static char bytes[PACKET_BYTES];
    uint64_t count = 0;
    if (q->bytes) {
        count = memory_peek(g, g->view.hart, q->address, bytes, q->bytes);
        return put(to, &count, sizeof count) && put(to, bytes, count);
    }
    for (unsigned i = 0; i < g->register_count; i++) {
        uint64_t value = register_value(g, g->view.hart, i);
        if (!put(to, &value, sizeof value))
            return false;
    }
    return true;
}

/* Does not return. What this process has in buffers is the other's to write. */
static void be_copy(struct gdb *g, int from, int to)
{
    struct question q;
    signal(SIGINT, SIG_IGN);
    settle(g);
    while (get(from, &q, sizeof q) && q.bytes <= PACKET_BYTES &&
           answer(g, &q, to))
        ;
    _exit(0);
}

/* ---- the run ---- */

void view_drop(struct gdb *g)
{
    struct view *v = &g->view;
    if (!v->process)
        return;
    close(v->to);
    close(v->from);
    kill(v->process, SIGKILL);
    while (waitpid(v->process, NULL, 0) < 0 && errno == EINTR)
        ;
    *v = (struct view){0};
}

static bool make_pipes(int there[2], int back[2])
{
    if (pipe(there))
        return false;
    if (!pipe(back))
        return true;
    close(there[0]);
    close(there[1]);
    return false;
}

/* False: there is no copy of that hart, and none can be made. */
static bool look(struct gdb *g, unsigned hart)
{
    int there[2], back[2];
    if (g->view.process && g->view.hart == hart)
        return true;
    view_drop(g);
    if (!make_pipes(there, back))
        return false;
    g->view = (struct view){.to = there[1], .from = back[0], .hart = hart};
    g->view.process = fork();
    if (!g->view.process) {
        close(there[1]);
        close(back[0]);
        be_copy(g, there[0], back[1]);
    }
    close(there[0]);
    close(back[1]);
    if (g->view.process > 0)
        return true;
    close(there[1]);
    close(back[0]);
    g->view = (struct view){0};
    return false;
}

static bool ask(struct gdb *g, unsigned hart, struct question q)
{
    return look(g, hart) && put(g->view.to, &q, sizeof q);
}

void view_registers(struct gdb *g, unsigned hart, uint64_t *values)
{
    if (!view_settled(g, hart) && ask(g, hart, (struct question){0, 0}) &&
        get(g->view.from, values, g->register_count * sizeof *values))
        return;
    for (unsigned i = 0; i < g->register_count; i++)
        values[i] = register_value(g, hart, i);
}

size_t view_memory(struct gdb *g, unsigned hart, uint64_t address, void *to,
                   size_t bytes)
{
    uint64_t count;
    if (!view_settled(g, hart) &&
        ask(g, hart, (struct question){address, bytes}) &&
        get(g->view.from, &count, sizeof count) && count <= bytes &&
        get(g->view.from, to, count))
        return count;
    return memory_peek(g, hart, address, to, bytes);
}
