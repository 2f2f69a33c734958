/*
 * What the user has set goes with gdb from one copy to another: breakpoints,
 * threads, and how to go on. Registers and memory do not: each has its own.
 */
#include "sim/core/heap.h"
#include "sim/host/gdb/back_private.h"
#include <stdlib.h>
#include <unistd.h>

/* Bytes of the session's file, put or got from its begin on. */
struct handing {
    int fd;
    bool loads;
    off_t at;
};

static void move(struct handing *m, void *bytes, size_t count)
{
    char *at = bytes;
    while (count) {
        ssize_t n = m->loads ? pread(m->fd, at, count, m->at)
                             : pwrite(m->fd, at, count, m->at);
        if (n <= 0)
            heap_end("--gdb-history: what gdb has set cannot be handed over");
        at += n;
        m->at += n;
        count -= (size_t)n;
    }
}

#define MOVE(m, value) move(m, &(value), sizeof(value))

static void move_break(struct handing *m, struct breakpoint *b)
{
    MOVE(m, *b);
    if (m->loads && b->conditions)
        b->conditions = heap_new(b->condition_bytes, 1, "--gdb");
    if (b->conditions)
        move(m, b->conditions, b->condition_bytes);
}

static void move_breaks(struct handing *m, struct gdb *g)
{
    unsigned count = g->break_count;
    struct breakpoint b;
    MOVE(m, count);
    if (m->loads)
        breaks_forget(g);
    for (unsigned i = 0; i < count; i++) {
        if (!m->loads)
            b = g->breaks[i];
        move_break(m, &b);
        if (m->loads)
            breaks_set(g, &b);
    }
    if (m->loads)
        breaks_settle(g);
}

static void move_focus(struct handing *m, struct gdb *g)
{
    MOVE(m, g->focus_count);
    if (m->loads)
        g->focus = heap_resize(g->focus, g->focus_count + 1, sizeof *g->focus,
                               "--gdb");
    move(m, g->focus, g->focus_count * sizeof *g->focus);
}

static void move_all(struct handing *m, struct gdb *g)
{
    MOVE(m, g->action);
    MOVE(m, g->stepped);
    MOVE(m, g->range_start);
    MOVE(m, g->range_end);
    MOVE(m, g->current);
    MOVE(m, g->looked_at);
    MOVE(m, g->names_hart);
    MOVE(m, g->stop_cycle);
    MOVE(m, g->stops_launches);
    MOVE(m, g->missed);
    MOVE(m, g->link.no_acks);
    MOVE(m, g->link.reader);
    MOVE(m, g->link.bytes);
    MOVE(m, g->link.count);
    MOVE(m, g->link.taken);
    move_focus(m, g);
    move_breaks(m, g);
}

void handing_put(const struct gdb *g)
{
    struct handing m = {.fd = g->past->session};
    move_all(&m, (struct gdb *)(uintptr_t)g);
}

void handing_get(struct gdb *g)
{
    struct handing m = {.fd = g->past->session, .loads = true};
    move_all(&m, g);
}
