/*
 * What the user has set goes with gdb from one copy to another: breakpoints,
 * threads, and how to go on. Registers and memory do not: each has its own.
 */
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include "sim/host/gdb/back_private.h"
#include <stdlib.h>
#include <unistd.h>

/* Bytes of the session's file, put or got from its begin on. */
struct handing {
    struct state state; /* first: moves get it */
    int fd;
    off_t at;
};

static bool move_bytes(struct state *s, void *bytes, size_t count)
{
    struct handing *h = (struct handing *)s;
    char *at = bytes;
    while (count) {
        ssize_t n = s->loading ? pread(h->fd, at, count, h->at)
                               : pwrite(h->fd, at, count, h->at);
        if (n <= 0)
            heap_end("--gdb-history: what gdb has set cannot be handed over");
        at += n;
        h->at += n;
        count -= (size_t)n;
    }
    return true;
}

static void move_break(struct state *s, struct breakpoint *b)
{
    STATE_VALUE(s, *b);
    if (s->loading && b->conditions)
        b->conditions = heap_new(b->condition_bytes, 1, "--gdb");
    if (b->conditions)
        state_bytes(s, b->conditions, b->condition_bytes);
}

static void move_breaks(struct state *s, struct gdb *g)
{
    unsigned count = g->break_count;
    struct breakpoint b;
    STATE_VALUE(s, count);
    if (s->loading)
        breaks_forget(g);
    for (unsigned i = 0; i < count; i++) {
        if (!s->loading)
            b = g->breaks[i];
        move_break(s, &b);
        if (s->loading)
            breaks_set(g, &b);
    }
    if (s->loading)
        breaks_settle(g);
}

static void move_focus(struct state *s, struct gdb *g)
{
    STATE_VALUE(s, g->focus_count);
    if (s->loading)
        g->focus = heap_resize(g->focus, g->focus_count + 1, sizeof *g->focus,
                               "--gdb");
    state_bytes(s, g->focus, g->focus_count * sizeof *g->focus);
}

static void move_all(struct state *s, struct gdb *g)
{
    STATE_VALUE(s, g->action);
    STATE_VALUE(s, g->stepped);
    STATE_VALUE(s, g->range_start);
    STATE_VALUE(s, g->range_end);
    STATE_VALUE(s, g->current);
    STATE_VALUE(s, g->looked_at);
    STATE_VALUE(s, g->names_hart);
    STATE_VALUE(s, g->stop_cycle);
    STATE_VALUE(s, g->stops_launches);
    STATE_VALUE(s, g->missed);
    STATE_VALUE(s, g->link.no_acks);
    STATE_VALUE(s, g->link.reader);
    STATE_VALUE(s, g->link.bytes);
    STATE_VALUE(s, g->link.count);
    STATE_VALUE(s, g->link.taken);
    move_focus(s, g);
    move_breaks(s, g);
}

void handing_put(const struct gdb *g)
{
    struct handing h = {.state.move = move_bytes, .fd = g->past->session};
    move_all(&h.state, (struct gdb *)(uintptr_t)g);
}

void handing_get(struct gdb *g)
{
    struct handing h = {.state = {.loading = true, .move = move_bytes},
                        .fd = g->past->session};
    move_all(&h.state, g);
}
