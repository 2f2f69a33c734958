/*
 * The RT core and its neighbours: jobs, results and data come, requests, rays
 * and accesses leave.
 */
#include "sim/rtp/quirks.h"
#include "sim/units/rtp/rtp_core_private.h"
#include "sim/units/units.h"
#include <assert.h>

static const struct port_row ports[] = {
    [JOB] = {"job", false, 1, "threads to run, of the dispatcher"},
    [RESULT] = {"result", false, 1, "results of rays, of the buffer"},
    [DATA] = {"data", false, 1, "what was loaded"},
    [END] = {"end", false, 1, "of the patcher: the image is complete"},
    [REQUEST] = {"request", true, 1, "to the dispatcher: trace or fin"},
    [RAY] = {"ray", true, 1, "to the buffer: the ray of a trace"},
    [MEM] = {"mem", true, 1, "loads and stores of local memory"},
};

/* From the cycle in which the job is seen: to the first fetch, and to the first
 * instruction's EX. */
enum { START_TO_RUN = 4, START_TO_EX = 6 };
/* From WB to the cycle in which the dispatcher sees that the thread leaves. */
enum { FIN_TO_DISPATCHER = 1, TRACE_TO_DISPATCHER = 3 };

static bool build(struct unit *u, struct error *error)
{
    struct rtp_core *c = (struct rtp_core *)u;
    struct rtp_machine *m = rtp_machine_build(u);
    if (!rtp_quirks(c->params.rtl_quirks, &c->rules.quirks, error))
        return false;
    if (c->params.const_words & (c->params.const_words - 1))
        return error_set(error, "const_words: expected a power of 2");
    c->rules.const_words = (uint32_t)c->params.const_words;
    c->rules.rtl_map = c->params.memory_map;
    c->rules.ftz = c->params.ftz;
    c->machine = m;
    if (((struct machine *)chip_context(u->chip))->log_commits)
        c->log.line = rtp_core_log_line;
    c->record = rtp_record_new(u);
    c->account.bucket = &c->stats.idle;
    while (c->number < RTP_CORES_MAX && m->states[c->number])
        c->number++;
    if (c->number == RTP_CORES_MAX)
        return error_set(error, "there are %u RT cores at most", c->number);
    m->states[c->number] = &c->state;
    if (!c->number)
        m->first_core = u;
    c->hart = ((struct machine *)chip_context(u->chip))->hart_count++;
    return true;
}

/* ---- accounts ---- */

static void settle(struct rtp_core *c, uint64_t until)
{
    uint32_t done = 0;
    while (done < c->span_count && c->spans[done].from <= until) {
        account_switch(&c->account, c->spans[done].from, c->spans[done].bucket);
        done++;
    }
    c->span_count -= done;
    memmove(c->spans, c->spans + done, c->span_count * sizeof *c->spans);
}

void rtp_core_span(struct rtp_core *c, uint64_t from, uint64_t *bucket)
{
    struct rtp_span *last = c->spans + c->span_count;
    if (c->span_count && last[-1].from >= from) {
        last[-1].bucket = bucket;
        return;
    }
    if (c->span_count == RTP_SPANS)
        settle(c, c->spans[0].from);
    c->spans[c->span_count++] = (struct rtp_span){from, bucket};
}

/* ---- threads come and go ---- */

static void note(struct rtp_core *c, unsigned kind, uint64_t cycle)
{
    const struct rtp_event e = {cycle,     kind,         c->number,
                                c->thread, RTP_NO_FIELD, RTP_NO_FIELD};
    rtp_note(c->record, &e);
}

void rtp_core_give(struct rtp_core *c, const struct msg *m,
                   const struct rtp_job *job)
{
    c->state.pc = job->pc;
    c->state.s[RTP_PIXEL] = (uint32_t)m->addr;
    c->state.s[RTP_STACK] = job->stack;
    if (c->params.init_r28)
        c->state.s[RTP_STACK - 1] = rtp_stack(m->tag);
}

static void start(struct rtp_core *c, const struct msg *m, uint64_t now)
{
    const struct payload p = msg_payload(&c->unit, m);
    struct rtp_job job;
    assert(c->phase == RTP_IDLE && !c->loading && m->tag < RTP_THREADS);
    memcpy(&job, p.bytes, sizeof job);
    c->thread = m->tag;
    c->phase = RTP_EXECUTE;
    c->next = now + START_TO_EX;
    if (rtp_core_has_ghosts(c, &job))
        c->next = rtp_core_ghosts(c, m, &job, now);
    else
        rtp_core_give(c, m, &job);
    c->first = true;
    rtp_strict_start(&c->defined, c->state.pc);
    c->stats.starts++;
    rtp_core_span(c, now, &c->stats.start);
    note(c, RTP_rt_assign, now);
    note(c, RTP_rt_run, now + START_TO_RUN);
}

static void take_result(struct rtp_core *c)
{
    struct unit *u = &c->unit;
    struct msg m = link_pop(&u->in[RESULT][0]);
    struct payload p = msg_payload(u, &m);
    uint32_t words[8];
    memcpy(words, p.bytes, sizeof words);
    memcpy(c->state.v[RTP_ORIGIN], words, sizeof c->state.v[0]);
    memcpy(c->state.v[RTP_DIRECTION], words + 4, sizeof c->state.v[0]);
}

static void finish(struct rtp_core *c, uint64_t cycle)
{
    struct rtp_record *r = c->record;
    if (r && r->finish_count < RTP_FINISHES_ROOM)
        r->finishes[r->finish_count++] =
            (struct rtp_finish){cycle, c->number, c->thread, c->state};
}

static void send_ray(struct rtp_core *c, uint64_t delay)
{
    struct unit *u = &c->unit;
    struct msg m = {0};
    struct payload p = {{0}};
    memcpy(p.bytes, c->state.v[RTP_ORIGIN], 12);
    memcpy(p.bytes + 12, c->state.v[RTP_DIRECTION], 12);
    rtp_push_later(u, &u->out[RAY][0], &m, &p, delay);
}

void rtp_core_leave(struct rtp_core *c, uint64_t w, uint64_t now)
{
    bool traces = c->insn.class == RTP_TRACE;
    uint64_t seen = w + (traces ? TRACE_TO_DISPATCHER : FIN_TO_DISPATCHER);
    struct unit *u = &c->unit;
    struct msg m = {
        .op = traces ? RTP_REQUEST_TRACE : RTP_REQUEST_FIN,
        .tag = c->thread,
        .value = rtp_pair(c->state.pc, c->state.s[RTP_STACK]),
    };
    rtp_push_later(u, &u->out[REQUEST][0], &m, NULL, seen - 1 - now);
    if (traces)
        send_ray(c, seen - 1 - now);
    else
        finish(c, seen);
    c->stats.traces += traces;
    c->stats.ended += !traces;
    c->phase = RTP_IDLE;
    rtp_core_span(c, c->ex_last + 1, &c->stats.leave);
    rtp_core_span(c, seen + 1, &c->stats.idle);
}

/* ---- the cycle ---- */

static void rtp_core_receive(struct unit *u, uint64_t now)
{
    struct rtp_core *c = (struct rtp_core *)u;
    if (*unit_pending(u, JOB)) {
        struct msg job = link_pop(&u->in[JOB][0]);
        start(c, &job, now);
    }
    if (*unit_pending(u, END)) {
        link_pop(&u->in[END][0]);
        rtp_core_ask_host(c, HART_DONE, now);
    }
    if (*unit_pending(u, RESULT))
        take_result(c);
    if (*unit_pending(u, DATA)) {
        struct msg m = link_pop(&u->in[DATA][0]);
        struct payload p = msg_payload(u, &m);
        uint32_t data[4];
        memcpy(data, p.bytes, sizeof data);
        rtp_core_loaded(c, data, now);
    }
}

static uint64_t rtp_core_send(struct unit *u, uint64_t now)
{
    struct rtp_core *c = (struct rtp_core *)u;
    settle(c, now);
    if (!c->loading)
        rtp_core_go_on(c, now);
    if (c->phase == RTP_EXECUTE && c->next == now)
        rtp_core_execute(c, now);
    return c->phase == RTP_EXECUTE ? c->next : CYCLE_NEVER;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct rtp_core *c = (struct rtp_core *)u;
    settle(c, now - 1);
    account_switch(&c->account, now, c->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct rtp_core *c = (const struct rtp_core *)u;
    if (c->phase != RTP_IDLE)
        fprintf(out, "%s: thread %u at PC 0x%x%s\n", u->name, c->thread,
                c->state.pc,
                c->phase == RTP_HANGS ? ", ret by R0, which is never written"
                                      : "");
}

static const struct outport *waits_for(const struct unit *u)
{
    const enum rtp_phase phase = ((const struct rtp_core *)u)->phase;
    return phase == RTP_BLOCKED || phase == RTP_DATA ? u->out[MEM] : NULL;
}

#define PARAM_STRUCT struct rtp_core_params
#define STAT_STRUCT struct rtp_core_stats
static const struct param param_rows[] = {RTP_CORE_PARAMS(PARAM_ROW, TEXT_ROW)};
static const struct stat_row stat_rows[] = {RTP_CORE_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {RTP_CORE_BUCKETS(BUCKET_ROW)};

#define CYCLES                                                                 \
    COUNTER(issue), COUNTER(ex), COUNTER(mem), COUNTER(flags), COUNTER(flush)
static const struct figure_row figures[] = {
    {"cycles_per_instruction",
     {CYCLES},
     {COUNTER(instructions)},
     "%.2f cycles an instruction",
     1,
     .unit = "cycles"},
    {"traces_per_thread",
     {COUNTER(traces)},
     {COUNTER(ended)},
     "%.2f rays a thread",
     1,
     .unit = "rays"},
};

/* Its account is worked out ahead, in spans of one bucket each. */
#define STATE_STRUCT struct rtp_core
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket), STATE_EACH(spans, bucket),
    STATE_POINTER(machine),        STATE_POINTER(record),
    STATE_POINTER(log.entries),    STATE_POINTER(log.waiting),
    STATE_POINTER(log.line)};

const struct unit_kind rtp_core_kind = {
    .name = "rtp_core",
    .meaning = "RT core of the small ray-tracing processor",
    .size = sizeof(struct rtp_core),
    .params = offsetof(struct rtp_core, params),
    .stats = offsetof(struct rtp_core, stats),
    .core = &rtp_core_core,
    UNIT_TABLES,
    UNIT_STATE,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = build,
    .receive = rtp_core_receive,
    .send = rtp_core_send,
    .close = close_account,
    .explain = explain,
    .waits_for = waits_for,
};
