/*
 * Gives threads to RT cores and rays to intersection cores, the lowest free
 * one first.
 */
#include "sim/units/rtp/rtp_dispatcher.h"
#include "sim/units/common/ring.h"
#include "sim/units/units.h"
#include <assert.h>

enum { PATCH, REQUEST, HIT, DONE, JOB, MOVE };

static const struct port_row ports[] = {
    [PATCH] = {"patch", false, 1, "patches, of the patcher"},
    [REQUEST] = {"request", false, RTP_CORES_MAX, "threads that leave"},
    [HIT] = {"hit", false, RTP_CORES_MAX, "rays that are traced"},
    [DONE] = {"done", true, 1, "the patch's threads have all ended"},
    [JOB] = {"job", true, RTP_CORES_MAX, "threads to run, in request's order"},
    [MOVE] = {"move", true, 1, "what moves in the buffer"},
};

struct thread {
    uint32_t pc, sp, pixel;
    uint64_t since;   /* cycles before that are booked */
    uint64_t *bucket; /* NULL: the thread has ended */
};

/* Numbers of threads, and the cycle from which each can be taken. */
struct queue {
    struct {
        uint64_t from;
        uint32_t thread;
    } slots[RTP_THREADS];
    struct ring order;
    uint64_t counted; /* waiting is booked up to here */
};

/* Cores of a kind: who asks, and from when on each is free. */
struct cores {
    uint32_t count, asking, busy;
    uint64_t free_from[RTP_CORES_MAX];
    uint32_t thread[RTP_CORES_MAX];
};

struct dispatcher {
    struct unit unit;
    struct dispatcher_stats {
        RTP_DISPATCHER_STATS(STAT_FIELD)
        RTP_DISPATCHER_BUCKETS(BUCKET_FIELD)
    } stats;
    struct account account;
    struct rtp_record *record;

    struct thread threads[RTP_THREADS];
    struct queue jobs, rays;
    struct cores rts, ics;
    uint32_t pixel, loaded, total, ended; /* of the patch */
    uint64_t load_from;
    uint64_t program_loaded; /* in which cycle */
    uint32_t patch;
};

static bool build(struct unit *u, struct error *error)
{
    struct dispatcher *d = (struct dispatcher *)u;
    if (u->links[REQUEST] != u->links[JOB])
        return error_set(error, "%u request links but %u job links",
                         u->links[REQUEST], u->links[JOB]);
    d->rts.count = u->links[JOB];
    d->ics.count = u->links[HIT];
    d->jobs.order.room = d->rays.order.room = RTP_THREADS;
    d->record = rtp_record_new(u);
    d->account.bucket = &d->stats.idle;
    return true;
}

static void note(struct dispatcher *d, unsigned kind, uint64_t cycle,
                 uint32_t core, uint32_t thread)
{
    const struct rtp_event e = {
        cycle,
        kind,
        core,
        thread,
        RTP_NO_FIELD,
        kind == RTP_rt_trace ? d->threads[thread].pc : RTP_NO_FIELD};
    rtp_note(d->record, &e);
}

/* From now on the thread's cycles belong to another bucket. */
static void turn(struct dispatcher *d, uint32_t thread, uint64_t now,
                 uint64_t *bucket)
{
    struct thread *t = &d->threads[thread];
    if (t->bucket)
        *t->bucket += now - t->since;
    t->since = now;
    t->bucket = bucket;
}

/* ---- queues ---- */

static void book_queue(struct queue *q, uint64_t now, uint64_t *waited)
{
    *waited += (now - q->counted) * q->order.count;
    q->counted = now;
}

static void enqueue(struct queue *q, uint32_t thread, uint64_t from)
{
    uint32_t at = ring_add(&q->order);
    q->slots[at].from = from;
    q->slots[at].thread = thread;
}

static bool has_first(const struct queue *q, uint64_t now)
{
    return q->order.count && q->slots[q->order.head].from <= now;
}

static uint32_t dequeue(struct queue *q)
{
    uint32_t thread = q->slots[q->order.head].thread;
    ring_drop(&q->order);
    return thread;
}

/* The lowest core that is free, or that asks; count: none. */
static uint32_t free_core(const struct cores *c, uint64_t now)
{
    uint32_t i = 0;
    while (i < c->count && (c->busy >> i & 1 || c->free_from[i] > now))
        i++;
    return i;
}

static uint32_t asking_core(const struct cores *c)
{
    return c->asking ? (uint32_t)__builtin_ctz(c->asking) : c->count;
}

static void release(struct cores *c, uint32_t i, uint64_t from)
{
    c->busy &= ~(1u << i);
    c->asking &= ~(1u << i);
    c->free_from[i] = from;
}

/* ---- the decisions of a cycle ---- */

static void load_thread(struct dispatcher *d, uint64_t now)
{
    uint32_t k = d->loaded;
    if (k == d->total || now != d->load_from + k)
        return;
    d->threads[k] = (struct thread){.sp = rtp_stack(k), .pixel = d->pixel + k};
    turn(d, k, now, &d->stats.starting);
    enqueue(&d->jobs, k, now + 1);
    d->loaded++;
}

static void assign_ray(struct dispatcher *d, struct rtp_moves *moves,
                       uint64_t now)
{
    uint32_t ic = free_core(&d->ics, now);
    if (ic == d->ics.count || !has_first(&d->rays, now))
        return;
    d->ics.thread[ic] = dequeue(&d->rays);
    d->ics.busy |= 1u << ic;
    moves->ray_to = (uint8_t)ic;
    d->stats.rays++;
    turn(d, d->ics.thread[ic], now, &d->stats.tracing);
    note(d, RTP_ic_assign, now, ic, d->ics.thread[ic]);
}

static void send_job(struct dispatcher *d, uint32_t rt, uint32_t thread)
{
    const struct thread *t = &d->threads[thread];
    const struct msg m = {.tag = thread, .addr = t->pixel};
    const struct payload p =
        rtp_job_payload((struct rtp_job){t->pc, t->sp, d->program_loaded});
    link_push_full(&d->unit.out[JOB][rt], &m, &p);
    d->stats.jobs++;
}

static void assign_job(struct dispatcher *d, struct rtp_moves *moves,
                       uint64_t now)
{
    uint32_t rt = free_core(&d->rts, now);
    bool loading = now < d->load_from + d->total;
    if (loading || rt == d->rts.count || !has_first(&d->jobs, now))
        return;
    uint32_t thread = dequeue(&d->jobs);
    d->rts.thread[rt] = thread;
    d->rts.busy |= 1u << rt;
    moves->result_to = (uint8_t)rt;
    moves->keep = !d->threads[thread].pc;
    turn(d, thread, now, &d->stats.running);
    send_job(d, rt, thread);
}

/* The request of the lowest core is served: its thread is queued a cycle later.
 */
static void take_request(struct dispatcher *d, struct rtp_moves *moves,
                         uint64_t now)
{
    uint32_t rt = asking_core(&d->rts);
    if (rt == d->rts.count)
        return;
    enqueue(&d->rays, d->rts.thread[rt], now + 2);
    release(&d->rts, rt, now + 2);
    moves->ray_from = (uint8_t)rt;
    d->stats.request_wait += (uint64_t)__builtin_popcount(d->rts.asking);
}

static void take_result(struct dispatcher *d, struct rtp_moves *moves,
                        uint64_t now)
{
    uint32_t ic = asking_core(&d->ics);
    if (ic == d->ics.count)
        return;
    enqueue(&d->jobs, d->ics.thread[ic], now + 1);
    release(&d->ics, ic, now + 1);
    moves->result_from = (uint8_t)ic;
    turn(d, d->ics.thread[ic], now, &d->stats.resuming);
    note(d, RTP_ic_done, now, ic, d->ics.thread[ic]);
}

/* ---- messages ---- */

static void take_patch(struct dispatcher *d, uint64_t now)
{
    struct msg m = link_pop(&d->unit.in[PATCH][0]);
    assert(!d->total && m.tag && m.tag <= RTP_THREADS);
    d->pixel = (uint32_t)m.addr;
    d->total = m.tag;
    d->program_loaded = m.value;
    d->loaded = d->ended = 0;
    d->load_from = now;
    d->stats.patches++;
    account_switch(&d->account, now, &d->stats.busy);
    const struct rtp_event e = {now,          RTP_load,   RTP_NO_FIELD,
                                RTP_NO_FIELD, d->patch++, RTP_NO_FIELD};
    rtp_note(d->record, &e);
}

static void take_leave(struct dispatcher *d, uint32_t rt, uint64_t now)
{
    struct msg m = link_pop(&d->unit.in[REQUEST][rt]);
    struct thread *t = &d->threads[m.tag];
    t->pc = (uint32_t)m.value;
    t->sp = (uint32_t)(m.value >> 32);
    if (m.op == RTP_REQUEST_TRACE) {
        d->rts.asking |= 1u << rt;
        turn(d, m.tag, now, &d->stats.tracing_wait);
        note(d, RTP_rt_trace, now, rt, m.tag);
        return;
    }
    release(&d->rts, rt, now + 1);
    assert(d->ended < d->loaded);
    d->ended++;
    d->stats.threads++;
    turn(d, m.tag, now, NULL);
    note(d, RTP_rt_fin, now, rt, m.tag);
}

static void rtp_dispatcher_receive(struct unit *u, uint64_t now)
{
    struct dispatcher *d = (struct dispatcher *)u;
    if (*unit_pending(u, PATCH))
        take_patch(d, now);
    for (uint64_t p = *unit_pending(u, REQUEST); p; p &= p - 1)
        take_leave(d, (uint32_t)__builtin_ctzll(p), now);
    for (uint64_t p = *unit_pending(u, HIT); p; p &= p - 1) {
        uint32_t ic = (uint32_t)__builtin_ctzll(p);
        link_pop(&u->in[HIT][ic]);
        assert(d->ics.busy & ~d->ics.asking & 1u << ic);
        d->ics.asking |= 1u << ic;
    }
}

/* The patch is done in the next cycle. */
static void end_patch(struct dispatcher *d, uint64_t now)
{
    struct msg m = {0};
    if (!d->total || d->ended < d->total)
        return;
    link_push(&d->unit.out[DONE][0], &m);
    d->total = 0;
    account_tick(&d->account, now, &d->stats.busy, &d->stats.idle);
}

static bool all_busy(const struct cores *c)
{
    return c->busy == (c->count == 32 ? ~0u : (1u << c->count) - 1);
}

/* Could anything be decided in the next cycle without a message? */
static uint64_t next_cycle(const struct dispatcher *d, uint64_t now)
{
    bool due = d->loaded < d->total || d->rts.asking || d->ics.asking ||
               (d->rays.order.count && !all_busy(&d->ics)) ||
               (d->jobs.order.count && !all_busy(&d->rts));
    return due ? now + 1 : CYCLE_NEVER;
}

static uint64_t rtp_dispatcher_send(struct unit *u, uint64_t now)
{
    struct dispatcher *d = (struct dispatcher *)u;
    struct rtp_moves none, moves;
    struct msg m = {0};
    memset(&none, RTP_NOBODY, sizeof none);
    none.keep = 0;
    moves = none;
    book_queue(&d->jobs, now, &d->stats.job_wait);
    book_queue(&d->rays, now, &d->stats.ray_wait);
    assign_ray(d, &moves, now);
    assign_job(d, &moves, now);
    load_thread(d, now);
    take_request(d, &moves, now);
    take_result(d, &moves, now);
    end_patch(d, now);
    if (memcmp(&moves, &none, sizeof none)) {
        memcpy(&m.value, &moves, sizeof moves);
        link_push(&u->out[MOVE][0], &m);
    }
    return next_cycle(d, now);
}

static void close_account(struct unit *u, uint64_t now)
{
    struct dispatcher *d = (struct dispatcher *)u;
    book_queue(&d->jobs, now, &d->stats.job_wait);
    book_queue(&d->rays, now, &d->stats.ray_wait);
    for (uint32_t t = 0; t < RTP_THREADS; t++)
        turn(d, t, now, d->threads[t].bucket);
    account_switch(&d->account, now, d->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct dispatcher *d = (const struct dispatcher *)u;
    if (d->total)
        fprintf(out,
                "%s: %u of %u threads have ended; %u wait for RT cores, %u for "
                "intersection cores\n",
                u->name, d->ended, d->total, d->jobs.order.count,
                d->rays.order.count);
}

#define STAT_STRUCT struct dispatcher_stats
static const struct stat_row stat_rows[] = {RTP_DISPATCHER_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {
    RTP_DISPATCHER_BUCKETS(BUCKET_ROW)};

#define OF_A_THREAD(member, text)                                              \
    {                                                                          \
        .name = #member "_per_thread", .over = {COUNTER(member)},              \
        .under = {COUNTER(threads)}, .said = (text), .scale = 1,               \
        .unit = "cycles"                                                       \
    }
static const struct figure_row figures[] = {
    {"queued_threads",
     {COUNTER(job_wait)},
     {COUNTER(busy), COUNTER(idle)},
     "%.2f threads queued for RT cores",
     1,
     .unit = "threads"},
    {"queued_rays",
     {COUNTER(ray_wait)},
     {COUNTER(busy), COUNTER(idle)},
     "%.2f rays for intersection cores",
     1,
     .unit = "rays"},
    OF_A_THREAD(starting, "a thread: %.0f cycles to start"),
    OF_A_THREAD(running, "%.0f on RT cores"),
    OF_A_THREAD(tracing_wait, "%.0f for intersection cores"),
    OF_A_THREAD(tracing, "%.0f there"),
    OF_A_THREAD(resuming, "%.0f to resume"),
};

/* A thread knows the bucket that its cycles fall into. */
#define STATE_STRUCT struct dispatcher
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket),
    STATE_POINTER(record),
    STATE_EACH(threads, bucket),
};

const struct unit_kind rtp_dispatcher_kind = {
    .name = "rtp_dispatcher",
    .meaning = "patch dispatcher of the small ray-tracing processor",
    .size = sizeof(struct dispatcher),
    .stats = offsetof(struct dispatcher, stats),
    .stat_rows = stat_rows,
    .stat_count = TABLE_COUNT(stat_rows),
    .bucket_rows = bucket_rows,
    .bucket_count = TABLE_COUNT(bucket_rows),
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    UNIT_STATE,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .told = {[TOLD_DONE] = COUNTER(threads)},
    .build = build,
    .receive = rtp_dispatcher_receive,
    .send = rtp_dispatcher_send,
    .close = close_account,
    .explain = explain,
};
