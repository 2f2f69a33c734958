/*
 * bs and bc. From the newest copy before gdb's place on, and then from the ones
 * before that, the run is executed again up to where the search began, until
 * that has passed what is looked for; the last that it has passed is the one.
 */
#include "sim/core/unit.h"
#include "sim/host/gdb/back_private.h"
#include "sim/host/run/signals.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

enum { PATIENCE_MS = 200 };

/* A search: by which copies, for what, and what of it was found. */
struct search {
    struct gdb *g;
    struct order order;
    struct found found;
    unsigned by; /* the copy that knows the last of it */
};

/* ---- copies ---- */

/* The newest that stands before a cycle, COPIES: there is none. */
static unsigned copy_before(const struct past *p, uint64_t cycle)
{
    const struct copy *all = p->shared->copies;
    unsigned best = COPIES;
    for (unsigned i = 0; i < COPIES; i++)
        if (all[i].process && all[i].cycle < cycle &&
            (best == COPIES || all[i].cycle > all[best].cycle))
            best = i;
    return best;
}

static unsigned first_copy(const struct past *p)
{
    unsigned best = COPIES, next;
    for (uint64_t cycle = CYCLE_NEVER; (next = copy_before(p, cycle)) != COPIES;
         best = next)
        cycle = p->shared->copies[next].cycle;
    return best;
}

/* Of who carries out such an order; who serves gdb may search meanwhile. */
static pid_t *worker_of(struct shared *s, enum order_kind kind)
{
    return kind == ORDER_GO ? &s->serves : &s->searches;
}

static void give_order(struct past *p, unsigned copy, const struct order *o)
{
    const unsigned number = p->shared->order.number + 1;
    p->shared->order = *o;
    p->shared->order.number = number;
    *worker_of(p->shared, o->kind) = 0;
    back_signal(p->wake[copy]);
}

/* ---- waiting ---- */

static bool is_ready(int fd, int patience)
{
    struct pollfd f = {.fd = fd, .events = POLLIN};
    return poll(&f, 1, patience) > 0;
}

static void end_worker(const struct past *p, const pid_t *worker)
{
    for (unsigned i = 0; !*worker && i < 50; i++)
        is_ready(p->life[0], 10); /* it has just been woken */
    if (*worker)
        kill(*worker, SIGKILL);
}

/* It has ended without a word, as when the host has no memory left. */
static bool is_lost(const pid_t *worker)
{
    return *worker && kill(*worker, 0) && errno == ESRCH;
}

/* False: gdb, or a signal, does not want to wait, or it would for ever. */
static bool await_answer(struct gdb *g)
{
    struct past *p = g->past;
    uint64_t count;
    for (;;) {
        struct pollfd f[] = {{.fd = p->answer, .events = POLLIN},
                             {.fd = g->link.in, .events = POLLIN}};
        poll(f, 2, PATIENCE_MS);
        if (f[0].revents &&
            read(p->answer, &count, sizeof count) == sizeof count &&
            p->shared->found.number == p->shared->order.number)
            return true;
        if (is_lost(&p->shared->searches) && !is_ready(p->answer, 0))
            return false;
        if (f[1].revents)
            session_attend(g);
        if (signals_noted || g->interrupted || !link_there(&g->link)) {
            end_worker(p, &p->shared->searches);
            return false;
        }
    }
}

/* ---- looking ---- */

/* Adds what an earlier part of the run has to what later ones had. */
static void add_found(struct search *s, unsigned copy)
{
    const struct found *f = &s->g->past->shared->found;
    if (!f->count)
        return;
    s->by = copy;
    s->found.hit = f->hit;
    s->found.key = f->key;
    for (unsigned i = 0; i < f->count && s->found.count < 2; i++)
        s->found.at[s->found.count++] = f->at[i];
}

/* False: it was broken off. */
static bool look(struct search *s, unsigned wanted)
{
    struct past *p = s->g->past;
    unsigned copy;
    while (s->found.count < wanted &&
           (copy = copy_before(p, s->order.at.cycle)) != COPIES) {
        give_order(p, copy, &s->order);
        if (!await_answer(s->g))
            return false;
        add_found(s, copy);
        s->order.at = (struct position){p->shared->copies[copy].cycle, true};
        s->order.key =
            (struct stop_key){.cycle = s->order.at.cycle, .side = KEY_AFTER};
    }
    return true;
}

/* ---- going there ---- */

static enum command_end stay(struct gdb *g, unsigned signal, const char *reason)
{
    session_note_stop(g, signal, g->current, reason);
    reply_text(g, g->stop);
    return COMMAND_DONE;
}

/* The front waits until gdb comes to it again. */
static enum command_end await_front(struct gdb *g)
{
    struct past *p = g->past;
    uint64_t count;
    while (!is_ready(p->front, PATIENCE_MS)) {
        if (signals_noted) {
            end_worker(p, &p->shared->serves);
            return COMMAND_DONE;
        }
        if (is_lost(&p->shared->serves) && !is_ready(p->front, 0)) {
            reply_console(g, "the copy that went back is lost: this is where "
                             "the run was\n");
            return stay(g, GDB_TRAP, "");
        }
    }
    (void)!read(p->front, &count, sizeof count);
    handing_get(g);
    return p->shared->handed;
}

static enum command_end go(struct gdb *g, unsigned copy, const struct order *o)
{
    struct past *p = g->past;
    const bool front = p->role == ROLE_FRONT;
    if (front) {
        p->shared->front = (struct position){g->host->now, !g->left};
        p->shared->front_key = g->key;
    }
    give_order(p, copy, o);
    if (!front)
        _exit(0);
    return await_front(g);
}

/* Of a step: from there the hart made its first one. */
static enum command_end go_to_begin(struct gdb *g, enum reason reason)
{
    const struct copy *all = g->past->shared->copies;
    const unsigned copy = first_copy(g->past);
    if (copy == COPIES || all[copy].cycle >= g->host->now)
        return stay(g, GDB_TRAP, "replaylog:begin;");
    const struct order o = {.kind = ORDER_GO,
                            .hart = g->current,
                            .at = {all[copy].cycle, true},
                            .key = {.cycle = all[copy].cycle},
                            .reason = reason};
    return go(g, copy, &o);
}

static enum command_end go_to_hit(struct search *s)
{
    const struct order o = {.kind = ORDER_GO,
                            .hart = s->found.hit.hart,
                            .at = s->found.at[0],
                            .key = s->found.key,
                            .reason = REASON_HIT,
                            .hit = s->found.hit};
    return go(s->g, s->by, &o);
}

static enum command_end go_to_step(struct search *s)
{
    const struct order o = {.kind = ORDER_GO,
                            .hart = s->order.hart,
                            .at = s->found.at[1],
                            .key = {.cycle = s->found.at[1].cycle},
                            .reason = REASON_STEP};
    return go(s->g, s->by, &o);
}

enum command_end back_go(struct gdb *g, bool step)
{
    struct search s = {.g = g};
    s.order = (struct order){.kind = step ? ORDER_STEPS : ORDER_HITS,
                             .one = step || g->names_hart,
                             .hart = g->current,
                             .at = {g->host->now, !g->left},
                             .key = g->key};
    if (!step)
        s.order.at = (struct position){g->key.cycle, false};
    view_drop(g);
    g->interrupted = false;
    handing_put(g);
    if (!look(&s, step ? 2 : 1))
        return stay(g, GDB_INT, "");
    g->interrupted = false;
    if (step && s.found.count == 2)
        return go_to_step(&s);
    if (!step && s.found.count)
        return go_to_hit(&s);
    return go_to_begin(g, s.found.count ? REASON_STEP : REASON_BEGIN);
}
