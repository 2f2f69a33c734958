/*
 * What a copy of the run does that was told to: executes it again, and looks
 * for something, or goes to a place and serves gdb there.
 */
#include "sim/core/unit.h"
#include "sim/host/gdb/back_private.h"
#include "sim/host/run/timing.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { RUNG_LEAST = 256 }; /* cycles from the last rung to the place */

/* ---- steps of the hart that is looked for ---- */

static void note_place(struct gdb *g, uint64_t now, bool done)
{
    struct past *p = g->past;
    struct found *f = &p->found;
    const struct place_of_hart is = gdb_place(g, p->order.hart);
    if (is.pc == p->place.pc && is.instructions == p->place.instructions)
        return;
    p->place = is;
    f->at[1] = f->at[0];
    f->at[0] = (struct position){now, done};
    f->count = f->count < 2 ? f->count + 1 : 2;
}

/* ---- after each cycle ---- */

static bool is_there(const struct past *p, uint64_t now)
{
    return now >= p->order.at.cycle && !p->order.at.done;
}

static bool still(void *context, uint64_t now)
{
    struct gdb *g = context;
    struct past *p = g->past;
    if (p->role == ROLE_THERE)
        return session_still(g);
    if (p->role == ROLE_GO)
        g->hit_count = 0;
    breaks_collect(g);
    if (p->role == ROLE_GO)
        return !is_there(p, now);
    if (p->order.kind == ORDER_STEPS) {
        note_place(g, now, false);
        g->hit_count = 0;
        return !is_there(p, now);
    }
    return !g->noticed && !is_there(p, now);
}

static enum engine_stop run_to(struct gdb *g, uint64_t limit, bool each)
{
    enum engine_stop stop = timing_again(g->host, limit, each);
    g->left = stop == ENGINE_STOPPED && g->host->ended.how == ENDING_NONE;
    return stop;
}

/* ---- looking ---- */

/* Of an access the place is behind it: gdb takes it that watchpoints of RISC-V
 * stop before what they tell of, and makes a step of its own, which goes back.
 */
static void note_hits(struct gdb *g)
{
    struct past *p = g->past;
    struct found *f = &p->found;
    struct hit hit;
    const uint64_t now = g->host->now;
    if (now == p->order.key.cycle)
        breaks_before(g, &p->order.key);
    while (breaks_next(g, &hit)) {
        f->count = 1;
        f->hit = hit;
        f->key = hit_key(&hit, now);
        f->key.passed = false;
        f->at[0] = (struct position){now, false};
    }
    g->hit_count = 0;
    g->noticed = false;
}

static _Noreturn void search(struct gdb *g)
{
    struct past *p = g->past;
    const struct position to = p->order.at;
    p->role = ROLE_SEARCH;
    p->found = (struct found){0};
    p->place = gdb_place(g, p->order.hart);
    do {
        run_to(g, to.done ? to.cycle : CYCLE_NEVER, true);
        note_hits(g);
    } while (g->left && g->host->now < to.cycle);
    if (to.done && p->order.kind == ORDER_STEPS)
        note_place(g, g->host->now, true);
    p->found.number = p->order.number;
    p->shared->found = p->found;
    back_signal(p->answer);
    _exit(0);
}

/* ---- going to a place ---- */

/* On the way rungs are left, each half as far from the place as the last one.
 */
static void approach(struct gdb *g, uint64_t to)
{
    uint64_t now;
    breaks_forget(g);
    breaks_settle(g);
    while ((now = g->host->now) + RUNG_LEAST < to) {
        const uint64_t next = now + (to - now) / 2;
        if (run_to(g, next, false) != ENGINE_LIMIT || g->interrupted)
            return;
        back_keep(g, true);
    }
}

static void note_reason(struct gdb *g)
{
    const struct order *o = &g->past->order;
    struct hit hit;
    g->key = o->key;
    if (g->interrupted) {
        session_note_stop(g, GDB_INT, o->hart, "");
        g->key = (struct stop_key){.cycle = g->host->now, .side = KEY_AFTER};
    } else if (o->reason == REASON_HIT) {
        session_note_hit(g, &o->hit);
        g->key = o->key;
    } else if (o->reason == REASON_BEGIN) {
        session_note_stop(g, GDB_TRAP, o->hart, "replaylog:begin;");
    } else if (breaks_next(g, &hit)) {
        breaks_pass(g, hit.hart);
        session_note_hit(g, &hit); /* which the hart has come to */
    } else {
        session_note_stop(g, GDB_TRAP, o->hart, "");
    }
}

/* Those that come to breakpoints in the cycle of the place stop yet, as they do
 * when the run comes there for the first time. */
static void go(struct gdb *g)
{
    struct past *p = g->past;
    const struct position to = p->order.at;
    p->role = ROLE_GO;
    g->hit_count = 0;
    approach(g, to.cycle);
    handing_get(g);
    g->action = ACTION_GO;
    breaks_settle(g);
    if (!g->interrupted && (g->host->now < to.cycle))
        run_to(g, to.done ? to.cycle : CYCLE_NEVER, true);
    if (p->order.key.cycle == g->host->now)
        breaks_behind(g, &p->order.key);
    else
        g->hit_count = 0;
    g->action = p->order.reason == REASON_STEP ? ACTION_STEP : ACTION_GO;
    g->stepped = p->order.hart;
    note_reason(g);
    g->action = ACTION_GO;
    p->role = ROLE_THERE;
}

/* ---- there ---- */

static _Noreturn void hand_over(struct gdb *g, enum command_end what)
{
    struct past *p = g->past;
    view_drop(g);
    p->shared->handed = what;
    handing_put(g);
    back_signal(p->front);
    _exit(0);
}

/* At the front, those stop that the run has told of when it came there; the
 * others are known to it. */
static void come_to_front(struct gdb *g)
{
    const struct stop_key *k = &g->past->shared->front_key;
    struct stop_key upto = *k;
    upto.passed = true;
    if (k->cycle == g->host->now)
        breaks_before(g, &upto);
    else
        g->hit_count = 0;
    if (!session_stops_here(g))
        hand_over(g, COMMAND_GO);
}

static void go_on(struct gdb *g)
{
    const struct shared *s = g->past->shared;
    do {
        const uint64_t front = s->front.cycle;
        if (g->host->now < front)
            run_to(g, g->stop_cycle < front ? g->stop_cycle : front,
                   session_watches(g));
        if (g->host->now < front && g->host->ended.how == ENDING_NONE)
            continue;
        come_to_front(g);
        return;
    } while (!session_stops_here(g));
}

static _Noreturn void serve(struct gdb *g)
{
    for (;;) {
        if (!session_stand(g, true))
            hand_over(g, g->killed ? COMMAND_KILL : COMMAND_LEAVE);
        if (!g->attached)
            hand_over(g, COMMAND_LEAVE);
        go_on(g);
    }
}

void again_work(struct gdb *g)
{
    struct past *p = g->past;
    p->order = p->shared->order;
    *(p->order.kind == ORDER_GO ? &p->shared->serves : &p->shared->searches) =
        getpid();
    g->hit_count = 0;
    g->noticed = g->done = g->interrupted = false;
    g->launched = 0;
    g->stop_cycle = CYCLE_NEVER;
    g->debugger.still = still;
    if (p->order.kind == ORDER_GO) {
        go(g);
        serve(g);
    }
    handing_get(g);
    g->action = p->order.one ? ACTION_STEP : ACTION_GO;
    g->stepped = p->order.hart;
    breaks_settle(g);
    search(g);
}
